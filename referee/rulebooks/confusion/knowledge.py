"""What a letter shows of the two deduction sheets: plain values, in the order in which they are shown, no prose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.rulebooks.confusion.compass import opponent
from referee.rulebooks.confusion.deduction import Lesson, Sheet, lessons, sheet
from referee.rulebooks.confusion.position import View
from referee.rulebooks.confusion.table import MovementTable, Row
from referee.rulebooks.rulebook import Seat


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One letter of a sheet. left: the types that it can still be; shares: the assignments in which it is each.

    cells: a type's number where it is left, else None; one for each type. untouched: it can still be anything.
    fresh: something was ruled out since the reader's last letter.
    """

    letter: str
    left: tuple[Row, ...]
    shares: tuple[int, ...]
    cells: tuple[int | None, ...]
    untouched: bool
    fresh: bool

    @property
    def certain(self) -> bool:
        """Tell whether the type is known."""
        return len(self.left) == 1


@dataclass(frozen=True, slots=True)
class SheetShown:
    """One side's sheet. assignments: see Sheet."""

    seat: Seat
    assignments: int
    lines: tuple[SheetLine, ...]

    @property
    def nothing_known(self) -> bool:
        """Tell whether every letter can still be anything."""
        return all(line.untouched for line in self.lines)


@dataclass(frozen=True, slots=True)
class Learned:
    """What one attempt taught, ready to be put into words.

    row: the record's. ruled_out: types that the attempt's own letter cannot be any more; left: those it still can.
    certain: letters whose type is certain since then. elsewhere: other letters, each with the types that it cannot
    be any more because all types are different.
    """

    seat: Seat
    row: int
    text: str
    answer: bool
    promoted: bool | None
    letter: str
    ruled_out: tuple[Row, ...]
    left: tuple[Row, ...]
    certain: tuple[tuple[str, Row], ...]
    elsewhere: tuple[tuple[str, tuple[Row, ...]], ...]

    @property
    def nothing(self) -> bool:
        """Tell whether it taught nothing new."""
        return not (self.ruled_out or self.elsewhere)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """mine: what the reader can know of his own pieces; theirs: what his opponent can know of his.

    learned: what the attempts taught that no earlier letter told, oldest first, of either side.
    """

    mine: SheetShown
    theirs: SheetShown
    learned: tuple[Learned, ...] = field(default=())


def make_knowledge(view: View, since: int) -> Knowledge | None:
    """Return what is shown of the sheets, None where the game is played without. since: attempts already told."""
    if not view.sheets:
        return None
    board = view.board
    taught = lessons(board.table, board.attempts, since)

    def shown(seat: Seat) -> SheetShown:
        fresh = {letter for lesson in taught if lesson.seat == seat for letter in lesson.closed}
        return show_sheet(sheet(board.table, board.attempts, seat), board.table, fresh)

    learned = tuple(_learned(lesson, board.table) for lesson in taught)
    return Knowledge(shown(view.seat), shown(opponent(view.seat)), learned)


def show_sheet(
    said: Sheet, table: MovementTable, fresh: set[str] | frozenset[str] = frozenset()
) -> SheetShown:
    """Return a sheet as it is shown. fresh: the letters of which something new was learned."""
    lines = tuple(
        SheetLine(
            letter=letter,
            left=tuple(table.row(number) for number in shares),
            shares=tuple(shares.values()),
            cells=tuple(number if number in shares else None for number in range(1, len(said.own) + 1)),
            untouched=said.untouched(letter),
            fresh=letter in fresh,
        )
        for letter, shares in said.shares.items()
    )
    return SheetShown(said.seat, said.assignments, lines)


def _learned(lesson: Lesson, table: MovementTable) -> Learned:
    def rows(numbers: Sequence[int]) -> tuple[Row, ...]:
        return tuple(table.row(number) for number in numbers)

    attempt = lesson.attempt
    return Learned(
        seat=lesson.seat,
        row=attempt.row,
        text=attempt.text,
        answer=attempt.answer,
        promoted=attempt.promoted,
        letter=attempt.letter,
        ruled_out=rows(lesson.closed.get(attempt.letter, ())),
        left=rows(lesson.after.open[attempt.letter]),
        certain=tuple((letter, table.row(number)) for letter, number in lesson.certain.items()),
        elsewhere=tuple((letter, rows(gone)) for letter, gone in lesson.elsewhere.items()),
    )
