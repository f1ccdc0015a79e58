"""The record file: a game written in the book's notation (CF-8.1 to CF-8.5). `replay` reads it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.languages import N_
from referee.rulebooks.branches import TAKEN_BACK, Return, read_taken_back
from referee.rulebooks.confusion.compass import WHITE, YELLOW, opponent, turned
from referee.rulebooks.confusion.fold import boards_along
from referee.rulebooks.confusion.happenings import (
    ATTEMPTED,
    DEALT,
    ENDED,
    PASS,
    PASSED,
    REVEALED,
    answer_of,
    read_attempt,
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
    """Write the game that these happenings tell. head: further lines; `View` = White turns the compass (CF-8.4).

    A deal that is not among the happenings is left out, so a seat's record before the end lacks its own.
    """
    deals: dict[Seat, Deal] = {}
    for happening in happenings:
        if happening.code == DEALT:
            seat, deal = read_dealt(happening)
            deals[seat] = deal
        elif happening.code == REVEALED:
            deals.update(read_revealed(happening))
    if not happenings:
        raise ValueError("a record needs a game that began")
    _, boards = boards_along(happenings)
    board = boards[-1]
    viewer = WHITE if head.get(VIEW, "").strip().lower() == WHITE else YELLOW
    lines = [
        f"; Confusion. Directions are {viewer.capitalize()}'s. A cell '-' is empty; ( ) is a refused attempt.",
        *(f"{seat.capitalize():<6} = {write_deal(deals[seat])}" for seat in (WHITE, YELLOW) if seat in deals),
        f"First  = {board.first.capitalize()}",
        f"Table  = {board.table.name}",
        f"View   = {viewer.capitalize()}",
        *([f"Result = {write_result(board.result)}"] if board.result else []),
        *(f"{key} = {' '.join(value.split())}" for key, value in head.items() if key not in _OWN_KEYS),
        _row("", YELLOW.capitalize(), WHITE.capitalize()),
        *_all_rows(happenings, boards, viewer),
    ]
    return "\n".join(lines) + "\n"


def _all_rows(happenings: Sequence[Happening], boards: Sequence[Board], viewer: Seat) -> list[str]:
    """Return the rows, those that were taken back as well: behind them a line says to where (CF-8.6).

    boards: after each of the happenings.
    """
    ends = [place for place, each in enumerate(happenings) if each.code == TAKEN_BACK]
    lines: list[str] = []
    back: Return | None = None
    for end in (*ends, len(happenings)):
        lines += _rows(boards[end - 1], viewer, back)
        if end < len(happenings):
            back = read_taken_back(happenings[end])
            lines.append(f"{BACK} {write_back(back)}")
    return lines


def recorded(happening: Happening) -> dict[str, str]:
    """Return what the record says of an attempt, a passed turn, the end, or of what was taken back; nothing of other
    happenings.

    The same words as in a letter's JSON part and in the record's head; moves as Yellow sees them, whatever `View` says.
    """
    if happening.code in (ATTEMPTED, PASSED):
        attempt = read_attempt(happening)
        return {"seat": str(attempt.seat), "order": attempt.text, "answer": answer_of(attempt)}
    if happening.code == ENDED:
        return {"result": write_result(read_ended(happening))}
    if happening.code == TAKEN_BACK:
        return {"taken_back": write_back(read_taken_back(happening))}
    return {}


def write_back(back: Return) -> str:
    """Write what stands behind `taken back to` in a line of its own: `12 White: the order was misread`."""
    turn = f"{back.turn} {back.seat.capitalize()}"
    return f"{turn}: {back.reason}" if back.reason else turn


def write_result(result: Result) -> str:
    """Write a result for the head: `White wins: by resignation`, `Draw: by agreement`, `No result: …`."""
    outcome = write_outcome(result.winner, void=result.void)
    return f"{outcome}: {result.how}" if result.how else outcome


def write_outcome(winner: Seat | None, *, void: bool) -> str:
    """Write who has won: `White wins`, `Draw`, `No result`."""
    if winner:
        return f"{winner.capitalize()} wins"
    return NO_RESULT if void else "Draw"


def _rows(board: Board, viewer: Seat, back: Return | None) -> list[str]:
    """Return the rows from the turn on to which the game was taken back, else all. board: as it was behind the last."""
    seat, row = (back.seat, back.turn) if back else (board.first, 1)
    before = 0
    if back:
        earlier = ((each.row, each.seat != YELLOW) < (row, seat != YELLOW) for each in board.attempts)
        before = sum(earlier)
    cells = [_cell(attempt, viewer) for attempt in board.attempts[before:]]
    if seat == WHITE and (cells or board.result):
        cells.insert(0, "-")
    if board.result:
        cells.append(_last_words(board.result))
    return [
        _row(f"{place // 2 + row}.", cells[place], cells[place + 1] if place + 1 < len(cells) else "")
        for place in range(0, len(cells), 2)
    ]


def _row(number: str, left: str, right: str) -> str:
    return f"{f'{number} ':<4}{f'{left} ':<16}{right}".rstrip()


def _cell(attempt: Attempt, viewer: Seat) -> str:
    if attempt.text == PASS:
        return PASS
    text = attempt.text if viewer == YELLOW else write_move(seen_by_white(_move(attempt)))
    return text if attempt.answer else f"({text})"


def _move(attempt: Attempt) -> Move:
    move = read_move(attempt.text)
    if not isinstance(move, Move):
        raise ValueError(move.sentence())  # noqa: TRY004  (the happening is at fault, not its type)
    return move


def seen_by_white(move: Move) -> Move:
    """Return a move with the compass turned, from Yellow's view to White's or back (CF-8.4)."""
    return replace(move, direction=turned(move.direction))


def _last_words(result: Result) -> str:
    if result.winner is not None and result.how == BY_RESIGNATION:
        return f"{opponent(result.winner).capitalize()} resigns"
    return write_outcome(result.winner, void=result.void)
