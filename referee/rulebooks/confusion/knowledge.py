"""What a letter shows of the two deduction sheets: plain values in the order of display, no prose."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from referee.rulebooks.confusion.deduction import Disclosed, Evidence, Lesson, Sheet, evidence
from referee.rulebooks.confusion.position import Attempt, Board, Seen
from referee.rulebooks.confusion.table import DOUBLE_AGENT, MovementTable, Row
from referee.rulebooks.rulebook import Seat

WIDTH = 38
"""Columns of a drawn line: the width that a phone shows without wrapping."""
FEW = 5
"""The most types that a sentence names; more are listed by number."""
FEW_LETTERS = 4
"""The most letters that are listed when the same follows for all of them; more are called "all the others"."""
ALIKE = 4
"""The least number of letters with identical lines that are described by one sentence instead."""
FEW_GROUPS = 3
"""The most groups of letters whose consequences are stated; the other letters are only counted."""


class Types(tuple[Row, ...]):
    """Types of a table, lowest number first."""

    __slots__ = ()

    @property
    def numbers(self) -> tuple[str, ...]:
        """Their numbers in the table."""
        return tuple(row.number for row in self)

    @property
    def few(self) -> bool:
        """Return whether a sentence can name them all."""
        return len(self) <= FEW

    @property
    def agent(self) -> Row | None:
        """The double agent, where it is among them."""
        return self[-1] if self and self[-1].number == DOUBLE_AGENT else None

    @property
    def regular(self) -> Types:
        """All but the double agent."""
        return Types(row for row in self if row.number != DOUBLE_AGENT)

    @property
    def runs(self) -> tuple[tuple[str, str], ...]:
        """Their numbers, with three or more consecutive ones as first and last: ("1", "5"), ("7", "7")."""
        found: list[list[str]] = []
        for row in self:
            if found and row.number.isdigit() and int(row.number) == int(found[-1][-1]) + 1:
                found[-1].append(row.number)
            else:
                found.append([row.number])
        return tuple(
            part
            for run in found
            for part in ([(run[0], run[-1])] if len(run) > 2 else [(number, number) for number in run])
        )


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One letter of a sheet.

    mark: the letter; "(H)" once it is captured, "[H]" once it is removed from the game, "H+" while it is
        promoted.
    ways: the number of assignments for each of the types left.
    cells: a type's number where it is left, else None; one for each type, the double agent last.
    fresh: something was ruled out since the reader's last letter.
    """

    letter: str
    mark: str
    table: MovementTable = field(repr=False)
    ways: Mapping[int, int]
    cells: tuple[int | None, ...]
    fresh: bool

    @property
    def left(self) -> Types:
        """The types that it can still be."""
        return Types(map(self.table.row, self.ways))

    @property
    def signs(self) -> tuple[str, ...]:
        """For each type its short name where it is left, else ""; "?" is the double agent."""
        return tuple(self.table.row(number).number if number else "" for number in self.cells)

    @property
    def gone(self) -> Types:
        """The types that it cannot be."""
        return Types(self.table.row(place) for place, number in enumerate(self.cells, 1) if number is None)

    @property
    def shares(self) -> tuple[int, ...]:
        """The number of assignments for each of the types left."""
        return tuple(self.ways.values())

    @property
    def untouched(self) -> bool:
        """Return whether it can still be anything."""
        return len(self.ways) == len(self.cells)

    @property
    def certain(self) -> bool:
        """Return whether the type is known."""
        return len(self.ways) == 1

    @property
    def uneven(self) -> bool:
        """Return whether some of the types left are likelier than others."""
        return len(set(self.shares)) > 1


@dataclass(frozen=True)
class SheetShown:
    """One side's sheet. assignments: see Sheet. lines: all letters."""

    seat: Seat
    assignments: int
    lines: tuple[SheetLine, ...]

    def plain(self) -> dict[str, list[int]]:
        """Return the numbers of the types that each letter can still be, for programs."""
        return {line.letter: [number for number in line.cells if number] for line in self.lines}

    @property
    def nothing_known(self) -> bool:
        """Return whether every letter can still be anything."""
        return all(line.untouched for line in self.lines)

    @cached_property
    def told(self) -> tuple[SheetLine, ...]:
        """The letters of which something is known."""
        return tuple(line for line in self.lines if not line.untouched)

    @property
    def marks(self) -> str:
        """All marks in a row."""
        return "".join(line.mark for line in self.lines)

    @property
    def untouched(self) -> tuple[str, ...]:
        """The marks of the letters that can still be anything."""
        return tuple(line.mark for line in self.lines if line.untouched)

    @property
    def narrow(self) -> tuple[SheetLine, ...]:
        """The letters of which much is known: listing what they can still be is shorter than what they cannot be."""
        return tuple(line for line in self.told if not line.gone.few)

    @property
    def wide(self) -> tuple[tuple[SheetLine, ...], ...]:
        """The letters of which little is known, grouped by the few types that they cannot be."""
        groups: dict[tuple[str, ...], list[SheetLine]] = {}
        for line in self.told:
            if line.gone.few:
                groups.setdefault(line.gone.numbers, []).append(line)
        return tuple(map(tuple, groups.values()))

    @cached_property
    def alike(self) -> tuple[tuple[SheetLine, ...], ...]:
        """The groups of letters that one sentence describes better than many identical lines.

        All that is known of them is one type that they are not, since another letter has it.
        """
        return tuple(group for group in self.wide if len(group) >= ALIKE and len(group[0].gone) == 1)

    @property
    def drawn(self) -> tuple[SheetLine, ...]:
        """The letters of which something is known that a line each describes best."""
        together = {line.letter for group in self.alike for line in group}
        return tuple(line for line in self.told if line.letter not in together)

    def drawing(self, language: str = "en") -> tuple[str, ...]:
        """Return the letters of `drawn` as aligned lines of at most WIDTH columns.

        The mark of a type is its number, so that the lines are readable without alignment; "." is a type that
        the letter cannot be. A letter whose type is known shows the type's name.
        """
        return tuple(f"{_beginning(line.mark)}{_cells(line, language)}"[:WIDTH] for line in self.drawn)


@dataclass(frozen=True, slots=True)
class Follows:
    """A consequence for other letters. gone: types that none of them can be any more."""

    letters: tuple[str, ...]
    gone: Types


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned at one time, ready to be put into words.

    by: "answer" to an attempt; "reveal", "unmasked": see Disclosed.
    row: of the record.
    ruled_out: types that the letter itself can no longer be.
    left: those it still can be.
    certain: other letters whose type is now certain.
    nobody_else: types that no letter but the certain ones can be, because all types are different.
    follows: letters, with what they can no longer be for the same reason.
    others: how many more letters have lost types.
    against: an earlier answer that this one contradicts, which shows the letter to be the double agent.
    """

    seat: Seat
    row: int
    text: str
    answer: bool
    promoted: bool | None
    letter: str
    ruled_out: Types
    left: Types
    certain: tuple[tuple[str, Row], ...] = ()
    nobody_else: Types = field(default_factory=Types)
    follows: tuple[Follows, ...] = ()
    others: int = 0
    by: Literal["answer", "reveal", "unmasked"] = "answer"
    against: Attempt | None = None

    @property
    def nothing(self) -> bool:
        """Return whether it taught nothing new: all consequences follow from what its letter is not."""
        return not self.ruled_out

    @property
    def consequences(self) -> bool:
        """Return whether anything follows for other letters."""
        return bool(self.certain or self.nobody_else or self.follows)


@dataclass(frozen=True)
class Knowledge:
    """What can be known after a view, computed on demand, since many letters show neither sheets nor lessons.

    The reader's own side comes first in each mapping.

    evidence: what was heard of either side.
    marks: see SheetLine.
    since: the first place in the evidence that no letter has reported yet.
    """

    table: MovementTable = field(repr=False)
    evidence: Mapping[Seat, Evidence] = field(repr=False)
    marks: Mapping[Seat, Mapping[str, str]] = field(repr=False)
    since: Mapping[Seat, int]

    @property
    def _sides(self) -> tuple[Seat, Seat]:
        own, other = self.evidence
        return own, other

    @cached_property
    def mine(self) -> SheetShown:
        """What the reader can know of their own pieces."""
        return self._shown(self._sides[0])

    @cached_property
    def theirs(self) -> SheetShown:
        """What the opponent can know of theirs."""
        return self._shown(self._sides[1])

    @cached_property
    def learned(self) -> Mapping[Seat, tuple[Learned, ...]]:
        """What was learned that no earlier letter reported, oldest first, by the seat whose pieces it is about.

        The reader's comes first. Only sides of which something was learned are included.
        """
        return {seat: told for seat, told in self._told.items() if not all(each.nothing for each in told)}

    @property
    def in_vain(self) -> Learned | None:
        """The lesson about the reader's own pieces, if there is just one and it taught nothing new."""
        own = self._told[self._sides[0]]
        return own[0] if len(own) == 1 and own[0].nothing else None

    @cached_property
    def _told(self) -> Mapping[Seat, tuple[Learned, ...]]:
        return {
            seat: tuple(tell(lesson, self.table) for lesson in lessons)
            for seat, lessons in self._lessons.items()
        }

    @cached_property
    def _lessons(self) -> Mapping[Seat, tuple[Lesson, ...]]:
        return {seat: heard.lessons(self.since[seat]) for seat, heard in self.evidence.items()}

    def _shown(self, seat: Seat) -> SheetShown:
        fresh = {letter for lesson in self._lessons[seat] for letter in lesson.closed}
        return show_sheet(self.evidence[seat].sheet, self.table, fresh, self.marks[seat])


def make_knowledge(view: Seen, since: int) -> Knowledge | None:
    """Return what is shown of the sheets, None in a game without them.

    since: the number of attempts already reported.
    """
    if not view.sheets:
        return None
    board = view.board
    seats = (view.seat, board.edition.other(view.seat))
    return Knowledge(
        table=board.table,
        evidence={seat: evidence(board.table, board.attempts, seat) for seat in seats},
        marks={seat: marks_on(board, seat) for seat in seats},
        since=dict.fromkeys(seats, since),
    )


def sheets_after(board: Board) -> Mapping[Seat, SheetShown]:
    """Return the sheet of either side after the board's attempts."""
    return {
        seat: show_sheet(
            evidence(board.table, board.attempts, seat).sheet, board.table, marks=marks_on(board, seat)
        )
        for seat in board.edition.seats
    }


def show_sheet(
    known: Sheet,
    table: MovementTable,
    fresh: Collection[str] = (),
    marks: Mapping[str, str] | None = None,
) -> SheetShown:
    """Return a sheet as it is displayed.

    fresh: the letters of which something new was learned.
    marks: see SheetLine.
    """
    marks = marks or {}
    numbers = range(1, len(known.own) + 1)
    lines = tuple(
        SheetLine(
            letter=letter,
            mark=marks.get(letter, letter),
            table=table,
            ways=ways,
            cells=tuple(number if number in ways else None for number in numbers),
            fresh=letter in fresh,
        )
        for letter, ways in known.shares.items()
    )
    return SheetShown(known.seat, known.assignments, lines)


def tell(lesson: Lesson, table: MovementTable) -> Learned:
    """Return what a lesson taught, with its consequences grouped by what is the same for several letters."""

    def types(numbers: Iterable[int]) -> Types:
        return Types(map(table.row, sorted(numbers)))

    heard, own = lesson.heard, lesson.heard.letter
    attempt = heard if isinstance(heard, Attempt) else None
    known = set(lesson.certain.values())
    also = {letter: number for letter, number in lesson.certain.items() if letter != own}
    rest = {letter: gone for letter, gone in lesson.elsewhere.items() if letter not in also}
    taken = [letter for letter, gone in rest.items() if known.issuperset(gone)]
    nobody_else: set[int] = set()
    if len(taken) > FEW_LETTERS:
        nobody_else = {number for letter in taken for number in rest[letter]}
        rest = {letter: gone for letter, gone in rest.items() if letter not in taken}
    groups: dict[tuple[int, ...], list[str]] = {}
    for letter, gone in rest.items():
        groups.setdefault(gone, []).append(letter)
    told = list(groups.items())[:FEW_GROUPS]
    return Learned(
        seat=lesson.seat,
        row=heard.row,
        text=heard.text,
        answer=attempt is None or attempt.answer,
        promoted=attempt.promoted if attempt is not None else None,
        letter=own,
        ruled_out=types(lesson.closed.get(own, ())),
        left=types(lesson.after.open[own]),
        certain=tuple((letter, table.row(number)) for letter, number in also.items()),
        nobody_else=types(nobody_else),
        follows=tuple(Follows(tuple(letters), types(gone)) for gone, letters in told),
        others=len(rest) - sum(len(letters) for _, letters in told),
        by=heard.by if isinstance(heard, Disclosed) else "answer",
        against=lesson.against,
    )


def marks_on(board: Board, seat: Seat) -> dict[str, str]:
    """Return the marks of a side's captured and promoted letters; see SheetLine."""
    promoted = {
        piece.letter: f"{piece.letter}+"
        for piece in board.pieces.values()
        if piece.seat == seat and piece.promoted
    }
    return promoted | {letter: f"({letter})" for letter in board.captured[seat]}


def _beginning(mark: str) -> str:
    return f"{mark:<4}" if mark.startswith(("(", "[")) else f" {mark:<3}"


def _cells(line: SheetLine, language: str) -> str:
    if line.certain:
        return f"{line.left[0].number} {line.left[0].name(language)}"
    widths = (len(line.table.row(place).number) for place in range(1, len(line.cells) + 1))
    return " ".join(
        f"{sign or '.':<{width}}" for sign, width in zip(line.signs, widths, strict=True)
    ).rstrip()
