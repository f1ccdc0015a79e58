"""The cells of a record in the order of play, as far as this follows from the record's form alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee.common.faults import Fault
from referee.rulebooks.confusion.score import Back, Cell, Layout, Parting, RecordRow, Score
from referee.rulebooks.rulebook import Seat


@dataclass(frozen=True, slots=True)
class Turn:
    """One cell in the order of play. seat: None if it belongs to nobody."""

    row: int
    seat: Seat | None
    cell: Cell

    def parting(self, reason: str) -> Parting:
        """Return the error that the record and the rules differ here."""
        return Parting(self.row, self.seat, self.cell.text, reason)


def parts_of(score: Score) -> Iterator[tuple[Sequence[RecordRow], Back | None]]:
    """Yield the rows up to each line that takes turns back, and that line; finally the rows after them all."""
    start = 0
    for back in score.backs:
        yield score.rows[start : back.after], back
        start = back.after
    yield score.rows[start:], None


def seat_in(head: Mapping[str, str], key: str, layout: Layout) -> Seat | None:
    """Return the seat that a line of the head names, None without that line. Raises Parting for another name."""
    said = head.get(key)
    if said is None:
        return None
    if (seat := layout.seats.get(said.strip().lower())) is None:
        one, other = (each.capitalize() for each in layout.edition.seats)
        reason = f"{key.capitalize()} is {one} or {other}, not {said or 'nothing'}"
        raise Parting(0, None, f"{key.capitalize()} = {said}", reason)
    return seat


def first_seat(score: Score, layout: Layout) -> Seat:
    """Return who begins: as in `First`, otherwise according to row 1 (CF-8.5)."""
    first = seat_in(score.head, "first", layout)
    if first is None:
        left, right = score.columns
        first = right if score.rows and _placed(score.rows, 0, score, None)[0].empty else left
    return first


def turns_of(score: Score, rows: Sequence[RecordRow], row: int, begins: Seat) -> list[Turn]:
    """Return all cells in the order of play, without the empty ones before the first and after the last turn.

    rows: those up to the next take-back, or to the end.
    row: the number of the first.
    begins: the seat that begins it.
    """
    turns: list[Turn] = []
    for place, line in enumerate(rows):
        expected = row + place
        if line.number != expected:
            turns.append(_damaged(line, f"row {expected} should stand here"))
            break
        if not line.cells:
            turns = _without_last_empty(turns) if place == len(rows) - 1 else turns
            turns.append(
                _damaged(line, "behind the number of a row stands a turn or an end, and here is none")
            )
        cells = _placed(rows, place, score, begins)
        for seat, cell in zip(score.columns, cells, strict=True):
            if not (line.stray and cell.empty and seat == score.columns[1]):
                turns.append(Turn(line.number, seat, cell))
        if line.stray is not None:
            turns.append(Turn(line.number, None, line.stray))
    if turns and begins == score.columns[1] and turns[0].cell.empty:
        del turns[0]
    return _without_last_empty(turns)


def _placed(rows: Sequence[RecordRow], place: int, score: Score, begins: Seat | None) -> tuple[Cell, Cell]:
    """Return both columns' cells of a row; a lone cell may be the right one.

    begins: the seat that begins the first of these rows, if known.
    """
    line, nothing = rows[place], Cell("", 0)
    if len(line.cells) == 2:
        return line.cells[0], line.cells[1]
    if not line.cells:
        return nothing, nothing
    lone = line.cells[0]
    to_the_right = lone.column >= score.right_edge - 2
    if place == 0 and not lone.empty:
        # Were it the left cell, the right column would owe a turn before the next row.
        to_the_right = to_the_right or len(rows) > 1 or begins == score.columns[1]
    return (nothing, lone) if to_the_right else (lone, nothing)


def _damaged(row: RecordRow, reason: str) -> Turn:
    """Return the fault of a whole row."""
    return Turn(row.number, None, Cell(f"{row.number}.", 0, fault=Fault("row", reason)))


def _without_last_empty(turns: Sequence[Turn]) -> list[Turn]:
    """Return turns without the empty ones at their end."""
    count = len(turns)
    while count and turns[count - 1].cell.empty:
        count -= 1
    return list(turns[:count])
