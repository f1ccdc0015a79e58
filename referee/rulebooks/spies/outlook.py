"""The table that the side to move will find when it closes its turn (CF-10.8).

The other side's turn is then answered, and its own action done. The side to move sees the other side's types,
and where the double agent makes the attempt it gives the answer itself, so it knows the whole board before it
moves. The referee computes the same in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.rulebooks.confusion.memory import remembered
from referee.rulebooks.confusion.notation import Move
from referee.rulebooks.confusion.position import Deal
from referee.rulebooks.rulebook import Happening, Seat
from referee.rulebooks.spies.answering import answer_by, asked_about, opened
from referee.rulebooks.spies.fold import fold_table, with_action
from referee.rulebooks.spies.orders import Answer
from referee.rulebooks.spies.position import Confided, Position, Table, View


@dataclass(frozen=True, slots=True)
class Outlook:
    """The table as a side to move will find it.

    table: after the answers to the waiting turn.
    acted: the same, after the player's own action before their move as well.
    asked: the attempt of the other side's double agent in the waiting turn, None for none.
    answer: the answer to it; None while neither the player nor their instruction gives it, and then nothing
        of that turn is computed.
    brings: the happenings of the answers to the waiting turn.
    """

    table: Table
    acted: Table
    asked: Move | None = None
    answer: Answer | None = None
    brings: tuple[Happening, ...] = field(default=(), repr=False)

    @property
    def unanswered(self) -> bool:
        """Whether the player has still to answer the double agent."""
        return self.asked is not None and self.answer is None

    @property
    def over(self) -> bool:
        """Whether the waiting turn ends the game, so that any order that closes the turn is void (CF-10.2)."""
        return self.table.board.result is not None


@remembered(2)
def outlook(view: View) -> Outlook:
    """Return what a view's owner will find; if it is not their turn, what everybody sees now."""
    if view.table.board.to_move != view.seat:
        return Outlook(view.table, view.table)
    return outlook_of(view.table, view.seat, view.opponent_types, view.own)


def outlook_in(position: Position) -> Outlook:
    """Return what the side to move will find, by the truth: the same that it knows itself."""
    seat = position.table.board.to_move
    other = position.table.board.edition.other(seat)
    return outlook_of(position.table, seat, position.deals[other], position.confided[seat])


def outlook_of(table: Table, seat: Seat, deal: Deal, own: Confided) -> Outlook:
    """Return what the side to move will find.

    deal: of the other side.
    own: what the side to move has confided.
    """
    if table.board.result is not None:
        return Outlook(table, table)
    asked = asked_about(table, deal)
    answer = None
    if asked is not None and table.sealed is not None:
        answer = own.answer or answer_by(own.instruction, table, table.sealed.seat, asked)
        if answer is None:
            return Outlook(table, table, asked)
    brings = opened(table, deal, answer, own.instruction)
    for happening in brings:
        table = fold_table(table, happening)
    acted = table
    if own.action is not None and table.board.result is None:
        acted = with_action(table, seat, own.action, table.board.row)
    return Outlook(table, acted, asked, answer, brings)
