"""What can be known of a side's thirteen types, or of its twelve under the code of honour (CF-7, CF-10.3 to CF-10.11).

The computation is Confusion's; this module determines what else counts as evidence in this edition, and what
an answer says of a piece that may be the double agent. Evidence is what is heard: a turn whose answer waits
is no evidence for anybody, nor is a spy that its own side removes, since its disc is not shown (CF-10.4). A
player's answers for the opponent's double agent, and their instruction, leave no trace but the answers.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.confusion.deduction import (
    Clue,
    Disclosed,
    Evidence,
    Heard,
    Sheet,
    clues,
    types_dealt,
)
from referee.rulebooks.confusion.position import Attempt
from referee.rulebooks.rulebook import Seat
from referee.rulebooks.spies.notation import write_order
from referee.rulebooks.spies.orders import Reveal, Unmask
from referee.rulebooks.spies.position import Table, View


def mine(view: View) -> Sheet:
    """Return what a seat can know of its own spies."""
    return evidence_of(view, view.seat).sheet


def theirs(view: View) -> Sheet:
    """Return what a seat's opponent can know of theirs, as far as the seat can tell."""
    return evidence_of(view, view.board.edition.other(view.seat)).sheet


def evidence_of(view: View, seat: Seat) -> Evidence:
    """Return what a side's owner has heard of it, as far as the view's seat can tell."""
    return evidence(view.table, seat, shown_to(view, seat))


def shown_to(view: View, seat: Seat) -> Mapping[str, int]:
    """Return which of its own types a side was shown, as far as the view's seat can tell.

    A seat sees the opponent's types anyway.
    """
    if seat == view.seat:
        return view.own.shown
    return revealed(view.table, seat, view.opponent_types)


def revealed(table: Table, seat: Seat, deal: Mapping[str, int]) -> Mapping[str, int]:
    """Return which of its own types a side was shown in the turns that it has closed. deal: the side's."""
    return {
        taken.action.letter: deal[taken.action.letter]
        for taken in table.taken
        if taken.seat == seat and isinstance(taken.action, Reveal)
    }


def evidence(table: Table, seat: Seat, shown: Mapping[str, int]) -> Evidence:
    """Return what was heard of a side's types.

    Places are counted among all that the owner has heard of their own side: see moments.

    shown: those that the token Reveal 1 has shown to the owner, possibly in this very turn (CF-10.9).
    """
    board = table.board
    edition = board.edition
    heard = moments(table, seat, shown)
    places = [place for place, each in enumerate(heard) if isinstance(each, Attempt)]
    answers = clues(
        board.table,
        [each for each in heard if isinstance(each, Attempt)],
        seat,
        double_agent=edition.double_agent,
        comrade=table.variants.comrade,
    )
    found = [Clue(places[clue.place], clue.heard, clue.agrees) for clue in answers]
    found += [
        Clue(place, each, 1 << each.number - 1)
        for place, each in enumerate(heard)
        if isinstance(each, Disclosed)
    ]
    dealt = types_dealt(board.table, double_agent=edition.double_agent)
    return Evidence(seat, edition.letters, dealt, tuple(sorted(found, key=lambda clue: clue.place)))


def moments(table: Table, seat: Seat, shown: Mapping[str, int]) -> tuple[Heard, ...]:
    """Return all that the owner of a side has heard of its types, oldest first; it only grows at the end.

    What precedes a move takes effect with the turn, whose own attempts are answered later (CF-10.8).
    """
    board = table.board
    found: list[tuple[tuple[int, bool], int, Heard]] = [
        (_turn(attempt.row, seat), 1, attempt) for attempt in board.attempts if attempt.seat == seat
    ]
    waiting = dict(shown)
    for taken in table.taken:
        action = taken.action
        if isinstance(action, Unmask) and taken.seat != seat:
            unmasked = Disclosed(
                taken.row, seat, action.letter, write_order(action), board.table.agent_number, "unmasked"
            )
            found.append((_turn(taken.row, taken.seat), 0, unmasked))
        elif isinstance(action, Reveal) and taken.seat == seat and action.letter in waiting:
            found.append((_turn(taken.row, seat), 0, _shown(taken.row, seat, action, waiting)))
    now = [_shown(board.row, seat, Reveal(letter), waiting) for letter in tuple(waiting)]
    found += [(_turn(board.row, seat), 0, each) for each in now]
    return tuple(heard for *_, heard in sorted(found, key=lambda each: each[:2]))


def _shown(row: int, seat: Seat, action: Reveal, waiting: dict[str, int]) -> Disclosed:
    number = waiting.pop(action.letter)
    return Disclosed(row, seat, action.letter, write_order(action), number, "reveal")


def _turn(row: int, seat: Seat) -> tuple[int, bool]:
    """Return a turn's position among all turns: a row's left column, White's opponent's, comes first."""
    return row, seat == WHITE
