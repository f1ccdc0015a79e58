"""Writes the record file: a game in the book's notation (CF-8.1 to CF-8.5). `replay` reads it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from referee.common.i18n import N_
from referee.rulebooks.branches import TAKEN_BACK, Return, read_taken_back
from referee.rulebooks.confusion.compass import WHITE, YELLOW, turned
from referee.rulebooks.confusion.edition import CLASSIC, Edition
from referee.rulebooks.confusion.fold import COURSE
from referee.rulebooks.confusion.happenings import (
    ATTEMPTED,
    DEALT,
    ENDED,
    PASS,
    PASSED,
    REVEALED,
    order_and_answer,
    read_dealt,
    read_ended,
    read_revealed,
)
from referee.rulebooks.confusion.notation import Move, read_move, write_move
from referee.rulebooks.confusion.options import write_deal
from referee.rulebooks.confusion.position import Attempt, Board, Deal
from referee.rulebooks.rulebook import Happening, Result, Seat

BY_RESIGNATION = N_("by resignation")
BY_AGREEMENT = N_("by agreement")
ABANDONED = N_("abandoned by agreement")
NO_RESULT = "No result"
BACK = "taken back to"
VIEW = "View"
_OWN_KEYS = ("White", "Yellow", "First", "Table", VIEW, "Result")
"""Lines of the head that the game itself fills in."""


def write_record(happenings: Sequence[Happening], head: Mapping[str, str]) -> str:
    """Return the record of the game of these happenings.

    head: further lines; `View` = White turns the compass (CF-8.4).

    A deal that is not among the happenings is left out, so a seat's record before the end lacks its own.
    """
    if not happenings:
        raise ValueError("a record needs a game that began")
    deals = deals_in(happenings)
    _, boards = COURSE.along(happenings)
    board = boards[-1]
    viewer = viewer_in(head, CLASSIC)
    lines = [
        f"; Confusion. Directions are {viewer.capitalize()}'s. A cell '-' is empty; ( ) is a refused attempt.",
        *(f"{seat.capitalize():<6} = {write_deal(deals[seat])}" for seat in (WHITE, YELLOW) if seat in deals),
        f"First  = {board.first.capitalize()}",
        f"Table  = {board.table.name}",
        f"View   = {viewer.capitalize()}",
        *([f"Result = {write_result(board.result)}"] if board.result else []),
        *further_lines(head, _OWN_KEYS),
        *write_parts(_parts(happenings, boards, viewer), CLASSIC),
    ]
    return "\n".join(lines) + "\n"


def deals_in(happenings: Iterable[Happening]) -> dict[Seat, Deal]:
    """Return the deals that are among these happenings."""
    deals: dict[Seat, Deal] = {}
    for happening in happenings:
        if happening.code == DEALT:
            seat, deal = read_dealt(happening)
            deals[seat] = deal
        elif happening.code == REVEALED:
            deals.update(read_revealed(happening))
    return deals


def viewer_in(head: Mapping[str, str], edition: Edition) -> Seat:
    """Return the seat whose compass a record's head asks for (CF-8.4)."""
    return WHITE if head.get(VIEW, "").strip().lower() == WHITE else edition.south


def further_lines(head: Mapping[str, str], own: Iterable[str]) -> list[str]:
    """Return the lines of the head that the game itself does not fill in. own: keys of those that it does."""
    return [f"{key} = {' '.join(value.split())}" for key, value in head.items() if key not in own]


@dataclass(frozen=True, slots=True)
class Part:
    """Successive turns up to a take-back, or to the end of the game.

    row, seat: of the first turn.
    cells: one for each turn.
    result: if the game ended after them.
    back: the take-back after them, if any.
    """

    row: int
    seat: Seat
    cells: tuple[str, ...]
    result: Result | None = None
    back: Return | None = None


def write_parts(parts: Sequence[Part], edition: Edition) -> list[str]:
    """Return the heading and all rows, with a line after those that were taken back (CF-8.6)."""
    rows = [(part, _cells(part, edition)) for part in parts]
    width = max([14, *(len(left) for _, cells in rows for left in cells[::2])]) + 2
    lines = [_row("", edition.south.capitalize(), WHITE.capitalize(), width)]
    for part, cells in rows:
        for place in range(0, len(cells), 2):
            right = cells[place + 1] if place + 1 < len(cells) else ""
            lines.append(_row(f"{place // 2 + part.row}.", cells[place], right, width))
        if part.back is not None:
            lines.append(f"{BACK} {write_back(part.back)}")
    return lines


def _cells(part: Part, edition: Edition) -> list[str]:
    """Return a part's cells, starting with the left one of its first row."""
    cells = list(part.cells)
    if part.seat == WHITE and (cells or part.result):
        cells.insert(0, "-")
    if part.result:
        cells.append(_last_words(part.result, edition))
    return cells


def _parts(happenings: Sequence[Happening], boards: Sequence[Board], viewer: Seat) -> list[Part]:
    """Return the parts of a record. boards: after each of the happenings."""
    ends = [place for place, each in enumerate(happenings) if each.code == TAKEN_BACK]
    parts: list[Part] = []
    row, seat = 1, boards[0].first
    for end in (*ends, len(happenings)):
        board = boards[end - 1]
        earlier = ((each.row, each.seat != YELLOW) < (row, seat != YELLOW) for each in board.attempts)
        cells = tuple(_cell(attempt, viewer) for attempt in board.attempts[sum(earlier) :])
        back = read_taken_back(happenings[end]) if end < len(happenings) else None
        parts.append(Part(row, seat, cells, board.result, back))
        if back is not None:
            row, seat = back.turn, back.seat
    return parts


def recorded(happening: Happening) -> dict[str, str]:
    """Return what the record states of an attempt, a passed turn, the end or a take-back; empty for other happenings.

    The words are those of a letter's JSON part and of the record's head; moves are as Yellow sees them,
    whatever `View` says.
    """
    if happening.code in (ATTEMPTED, PASSED):
        return {"seat": happening.facts["seat"], **order_and_answer(happening)}
    if happening.code == ENDED:
        return {"result": write_result(read_ended(happening))}
    if happening.code == TAKEN_BACK:
        return {"taken_back": write_back(read_taken_back(happening))}
    return {}


def write_back(back: Return) -> str:
    """Return the text after `taken back to` in its line: `12 White: the order was misread`."""
    turn = f"{back.turn} {back.seat.capitalize()}"
    return f"{turn}: {back.reason}" if back.reason else turn


def write_result(result: Result) -> str:
    """Return a result for the head: `White wins: by resignation`, `Draw: by agreement`, `No result: …`."""
    outcome = write_outcome(result.winner, void=result.void)
    return f"{outcome}: {result.how}" if result.how else outcome


def write_outcome(winner: Seat | None, *, void: bool) -> str:
    """Return who has won: `White wins`, `Draw`, `No result`."""
    if winner:
        return f"{winner.capitalize()} wins"
    return NO_RESULT if void else "Draw"


def _row(number: str, left: str, right: str, width: int) -> str:
    return f"{f'{number} ':<4}{f'{left} ':<{width}}{right}".rstrip()


def _cell(attempt: Attempt, viewer: Seat) -> str:
    if attempt.text == PASS:
        return PASS
    text = seen_from(viewer, attempt.text, CLASSIC)
    return text if attempt.answer else f"({text})"


def seen_from(viewer: Seat, text: str, edition: Edition) -> str:
    """Return a canonical move in a viewer's compass (CF-8.4)."""
    if viewer != WHITE:
        return text
    move = read_move(text, letters=edition.letters)
    if not isinstance(move, Move):
        raise ValueError(move.sentence())  # noqa: TRY004  (the happening is at fault, not its type)
    return write_move(seen_by_white(move))


def seen_by_white(move: Move) -> Move:
    """Return a move with the compass turned, from Yellow's view to White's or back (CF-8.4)."""
    return replace(move, direction=turned(move.direction))


def _last_words(result: Result, edition: Edition) -> str:
    if result.winner is not None and result.how == BY_RESIGNATION:
        return f"{edition.other(result.winner).capitalize()} resigns"
    return write_outcome(result.winner, void=result.void)
