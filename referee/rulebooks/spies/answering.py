"""Opening a seal: how the attempts of a turn that waited are answered, and the consequences (CF-10.2, CF-10.8).

The referee uses this with the truth; the side to move uses it with what it knows, since it sees the other
side's types and, where one of them is the double agent, gives the answer itself. It is one computation, so
both results agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee.common.i18n import N_
from referee.rulebooks.confusion.adjudicate import arrives, attempt_at
from referee.rulebooks.confusion.compass import heading
from referee.rulebooks.confusion.notation import Move, write_move
from referee.rulebooks.confusion.position import Deal, Piece
from referee.rulebooks.confusion.possible import can_attempt, mover, refusal
from referee.rulebooks.rulebook import Happening, Result, Seat
from referee.rulebooks.spies.fold import fold_table, holder_at_home
from referee.rulebooks.spies.happenings import ENDED, attempted, ended, lapsed, passed, revealed, unmasked
from referee.rulebooks.spies.orders import Answer, Instruct
from referee.rulebooks.spies.position import ASK, Sealed, Table

BRIEFCASE_HOME = N_("by bringing the briefcase to the far rank")
BRIEFCASE_HELD = N_("by holding the briefcase on the opponent's first rank")
NO_MOVE_LEFT = N_("because neither side can move")
ON_THE_BOARD = (BRIEFCASE_HOME, BRIEFCASE_HELD, NO_MOVE_LEFT)
"""Ends that the orders themselves cause."""
DENIED = Answer(allow=False)
"""The answer to a double agent's attempt that nobody answers (CF-10.8)."""


@dataclass(frozen=True, slots=True)
class Said:
    """The answer to one attempt.

    promoted: see Attempt.
    unmasked: a double agent has accepted promotion.
    takes_z: the other side would then take the briefcase (CF-10.11).
    """

    yes: bool
    promoted: bool | None = None
    unmasked: bool = False
    takes_z: bool = True


def asked_about(table: Table, deal: Deal) -> Move | None:
    """Return the double agent's attempt that waits for an answer by the side to move; None where there is none.

    An attempt that lapses, as the other spy's type shows, needs no answer.

    deal: of the side whose turn waits.
    """
    turn = table.sealed
    if turn is None or not any(_is_agent(table, turn.seat, move, deal) for move in turn.tries):
        return None
    if len(turn.tries) == 1:
        return turn.tries[0]
    asked: list[Move] = []

    def say(now: Table, seat: Seat, move: Move) -> Said:
        if _is_agent(now, seat, move, deal):
            asked.append(move)
        return _by_the_deal(now, seat, move, deal, None, ASK)

    unfold(table, say)
    return asked[0] if asked else None


def _is_agent(table: Table, seat: Seat, move: Move, deal: Deal) -> bool:
    """Return whether the double agent makes an attempt; a promoted one would move like others."""
    piece = mover(table.board, seat, move)
    if piece is None or piece.promoted:
        return False
    return deal.get(piece.letter) == table.board.table.agent_number


def answer_by(instruction: Instruct, table: Table, seat: Seat, move: Move) -> Answer | None:
    """Return a standing instruction's answer to an attempt of the double agent; None where it says: ask (CF-10.8)."""
    if instruction.how == "ask":
        return None
    if instruction.how == "as":
        row = table.board.table.row(instruction.number)
        return Answer(row.can(heading(seat, move.direction), move.length))
    return Answer(allow=instruction.how == "always")


def opened(table: Table, deal: Deal, answer: Answer | None, instruction: Instruct) -> tuple[Happening, ...]:
    """Return the happenings of opening the seal, in order, up to the game's end if it ends; () for nothing sealed.

    An end is not followed by a reveal, which callers with both deals add.

    deal: of the side whose turn waits.
    answer: for the double agent, where one was given; otherwise the instruction's counts, and where that has
        none the attempt is denied.
    """

    def say(now: Table, seat: Seat, move: Move) -> Said:
        return _by_the_deal(now, seat, move, deal, answer, instruction)

    return unfold(table, say)


def unfold(table: Table, say: Callable[[Table, Seat, Move], Said]) -> tuple[Happening, ...]:
    """Return the happenings of a turn that waited, however its attempts are answered.

    say: called for each attempt in order, with the table before it, its seat, and the attempt; never for one
        that lapses.
    """
    if (turn := table.sealed) is None:
        return ()
    if not turn.tries:
        return _passed(table, turn)
    happenings: list[Happening] = []
    threatened = table.board.threat
    for number, move in enumerate(turn.tries):
        if number and refusal(table.board, turn.seat, move) is not None:
            found: tuple[Happening, ...] = (lapsed(turn.row, turn.seat, write_move(move)),)
        else:
            found = _answered(table, turn, move, say(table, turn.seat, move))
        for happening in found:
            table = fold_table(table, happening)
            happenings.append(happening)
        if happenings[-1].code == ENDED:
            return tuple(happenings)
    if winner := _outlived(table, threatened, turn.seat):
        happenings.append(ended(Result(winner, BRIEFCASE_HELD), "CF-6.1"))
    return tuple(happenings)


def _passed(table: Table, turn: Sealed) -> tuple[Happening, ...]:
    """Return the happenings of a passed turn (CF-11.3).

    When both sides have passed in turn and neither has an attempt, the game is drawn. Two passes are not
    enough: the only spy that could move may have been barred because it was shown or had changed places, or
    the other side may have removed a spy that stood in the way.
    """
    happening = passed(turn.row, turn.seat)
    board = table.board
    if winner := _outlived(fold_table(table, happening), board.threat, turn.seat):
        return happening, ended(Result(winner, BRIEFCASE_HELD), "CF-6.1")
    again = bool(board.attempts) and board.attempts[-1].start is None
    if again and not any(can_attempt(board, seat) for seat in board.edition.seats):
        return happening, ended(Result(None, NO_MOVE_LEFT), "CF-11.3")
    return (happening,)


def _by_the_deal(
    table: Table, seat: Seat, move: Move, deal: Deal, answer: Answer | None, instruction: Instruct
) -> Said:
    """Return the answer to an attempt: by the type, or for the double agent as the opponent decides (CF-10.3)."""
    board = table.board
    piece = mover(board, seat, move)
    if piece is None:
        raise ValueError(f"{write_move(move)} cannot be attempted")
    agent = _is_agent(table, seat, move, deal)
    said: Answer = DENIED
    if agent:
        said = answer or answer_by(instruction, table, seat, move) or DENIED
        yes = said.allow
    else:
        row = board.table.promoted if piece.promoted else board.table.row(deal[piece.letter])
        yes = row.can(heading(seat, move.direction), move.length)
    arriving = yes and arrives(board, seat, move)
    return Said(
        yes,
        promoted=_promoted(table, move, piece, deal) if arriving else None,
        unmasked=agent and arriving and table.variants.comrade and move.promotes,
        takes_z=said.takes_z,
    )


def _answered(table: Table, turn: Sealed, move: Move, said: Said) -> tuple[Happening, ...]:
    """Return the happenings of one attempt with its answer, and of an end or an unmasking that follows."""
    seat = turn.seat
    plus = bool(said.promoted) or (table.variants.comrade and move.promotes)
    attempt = attempt_at(table.board, turn.row, seat, move, yes=said.yes, promoted=said.promoted, plus=plus)
    first = attempted(attempt)
    after = fold_table(table, first)
    if not table.variants.late_contact and (holder := holder_at_home(after.board)) is not None:
        return first, ended(Result(holder.seat, BRIEFCASE_HOME), "CF-10.2")
    if not said.unmasked:
        return (first,)
    taker = first_spy(after, table.board.edition.other(seat)) if said.takes_z else None
    second = unmasked(turn.row, seat, attempt.letter, taker)
    after = fold_table(after, second)
    if not table.variants.late_contact and (holder := holder_at_home(after.board)) is not None:
        return first, second, ended(Result(holder.seat, BRIEFCASE_HOME), "CF-10.2")
    return first, second


def _promoted(table: Table, move: Move, piece: Piece, deal: Deal) -> bool | None:
    """Return whether an arrival on the far rank promotes; None where nothing was asked or said (CF-4.4, CF-10.11)."""
    number = deal[piece.letter]
    agent = number == table.board.table.agent_number
    if table.variants.comrade:
        return True if move.promotes and not agent else None
    return False if agent else table.board.table.row(number).promotes


def first_spy(table: Table, seat: Seat) -> str | None:
    """Return a side's alphabetically first living spy, None where it has none (CF-10.11)."""
    return min((piece.letter for piece in table.board.pieces.values() if piece.seat == seat), default=None)


def _outlived(after: Table, threat: tuple[Seat, str] | None, turn_of: Seat) -> Seat | None:
    """Return the side that wins by a threat which survived the other side's turn; None for none.

    This applies where contact is late (CF-6.1, CF-10.11). Only capturing or removing the spy saves the other
    side.
    """
    if threat is None or not after.variants.late_contact:
        return None
    seat, letter = threat
    return seat if turn_of != seat and after.board.piece(seat, letter) is not None else None


def with_reveal(happenings: tuple[Happening, ...], deals: Mapping[Seat, Deal]) -> tuple[Happening, ...]:
    """Return the happenings, followed by both deals if they end the game (CF-3.3)."""
    if happenings and happenings[-1].code == ENDED:
        return *happenings, revealed(deals)
    return happenings
