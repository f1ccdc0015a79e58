"""What can be known of a side's types from the answers that both players heard (CF-7).

Nothing here knows a deal: a sheet is a function of the attempts alone. Both players hear every attempt (CF-3.4),
so a side's sheet is what its owner can know of his pieces, and what his opponent knows that he can know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from referee.rulebooks.confusion.assignments import Assignments, count_assignments, single_bits
from referee.rulebooks.confusion.compass import heading, way
from referee.rulebooks.confusion.memory import remembered
from referee.rulebooks.confusion.position import LETTERS, Attempt
from referee.rulebooks.confusion.table import MovementTable
from referee.rulebooks.rulebook import Seat


def numbers_of(types: int) -> tuple[int, ...]:
    """Return the numbers of a set of types, lowest first. types: bits, type 1 the lowest."""
    return tuple(kind.bit_length() for kind in single_bits(types))


@dataclass(frozen=True, slots=True)
class Clue:
    """What one answer says of a piece by itself. place: the attempt's, in all attempts of the game, from 0.

    agrees: the types that would have been answered so, as bits.
    """

    place: int
    attempt: Attempt
    agrees: int

    @property
    def letter(self) -> str:
        """The piece that was answered."""
        return self.attempt.letter


@dataclass(frozen=True)
class Sheet:
    """What can be known of one side's pieces: as many types as letters, numbered from 1.

    own: for each letter the types that its own answers leave, as bits. All else takes all letters together (CF-7.2).
    """

    seat: Seat
    own: Mapping[str, int]

    @cached_property
    def _counted(self) -> Assignments:
        return count_assignments(tuple(self.own.values()))

    @property
    def assignments(self) -> int:
        """How many full one-to-one assignments agree with everything heard; 0 if the answers contradict each other."""
        return self._counted.total

    @cached_property
    def shares(self) -> Mapping[str, Mapping[int, int]]:
        """For each letter the types that it can still be, each with the number of assignments in which it is so."""
        return {
            letter: {number: ways for number, ways in enumerate(counts, 1) if ways}
            for letter, counts in zip(self.own, self._counted.shares, strict=True)
        }

    @cached_property
    def open(self) -> Mapping[str, tuple[int, ...]]:
        """For each letter the types that it can still be."""
        return {letter: tuple(shares) for letter, shares in self.shares.items()}

    def certain(self, letter: str) -> int | None:
        """Return a letter's type if it can be but one."""
        types = self.open[letter]
        return types[0] if len(types) == 1 else None

    def untouched(self, letter: str) -> bool:
        """Tell whether a letter can still be anything."""
        return len(self.open[letter]) == len(self.own)


@dataclass(frozen=True)
class Lesson:
    """What one attempt taught about its side, all letters together. before and after: the sheets.

    attempt: with `letter` whose answer it was.
    """

    attempt: Attempt
    before: Sheet = field(repr=False)
    after: Sheet = field(repr=False)

    @property
    def seat(self) -> Seat:
        """Whose pieces were learned of."""
        return self.after.seat

    @cached_property
    def closed(self) -> Mapping[str, tuple[int, ...]]:
        """For each letter that can be less than before, the types that it cannot be any more."""
        found = {}
        for letter, types in self.before.open.items():
            gone = tuple(number for number in types if number not in self.after.shares[letter])
            if gone:
                found[letter] = gone
        return found

    @property
    def elsewhere(self) -> Mapping[str, tuple[int, ...]]:
        """The same for the other letters: what follows because all types are different (CF-7.2)."""
        return {letter: gone for letter, gone in self.closed.items() if letter != self.attempt.letter}

    @property
    def certain(self) -> Mapping[str, int]:
        """Letters whose type is certain since this attempt, each with its type."""
        return {
            letter: self.after.open[letter][0] for letter in self.closed if len(self.after.open[letter]) == 1
        }


def types_dealt(table: MovementTable, *, double_agent: bool = False) -> int:
    """Return the types that are dealt, as bits: those of the table, and the double agent where there is one."""
    return (1 << len(table.rows) + double_agent) - 1


def clues(
    table: MovementTable, attempts: Sequence[Attempt], seat: Seat, *, double_agent: bool = False
) -> tuple[Clue, ...]:
    """Return what a side's answers say, each by itself, oldest first (CF-7.1).

    A yes leaves the types that go so, a no the others; an arrival on the far rank tells by itself whether the type
    is promoted there. A promoted piece answers as such and says nothing of its old type (CF-7.4). Where there is a
    double agent any answer may be his; but he is never promoted.
    """
    promoted: set[str] = set()
    found = []
    for place, attempt in enumerate(attempts):
        if attempt.seat != seat or attempt.letter in promoted or attempt.start is None:
            continue
        found.append(Clue(place, attempt, agreeing(table, attempt, double_agent=double_agent)))
        if attempt.promoted:
            promoted.add(attempt.letter)
    return tuple(found)


def agreeing(table: MovementTable, attempt: Attempt, *, double_agent: bool = False) -> int:
    """Return the types, as bits, that would have been answered so, were the piece not promoted before (CF-7.1).

    Raises ValueError for a turn that was passed: nothing was answered.
    """
    if attempt.start is None or attempt.end is None:
        raise ValueError(f"{attempt.text} is no attempt that was answered")
    dealt = types_dealt(table, double_agent=double_agent)
    direction, length = way(attempt.start, attempt.end)
    go = table.goes(heading(attempt.seat, direction), length)
    agrees = (go if attempt.answer else ~go) | (dealt & ~types_dealt(table))
    if attempt.promoted is not None:
        agrees &= table.promoting if attempt.promoted else ~table.promoting
    return agrees & dealt


def sheet_from(seat: Seat, said: Iterable[Clue], dealt: int, letters: str = LETTERS) -> Sheet:
    """Return the sheet that these clues make. dealt: the types, as bits; as many as letters."""
    own = dict.fromkeys(letters, dealt)
    for clue in said:
        own[clue.letter] &= clue.agrees
    return Sheet(seat, own)


@remembered(4)
def sheet(table: MovementTable, attempts: tuple[Attempt, ...], seat: Seat) -> Sheet:
    """Return what can be known of a side's twelve types after these attempts."""
    return sheet_from(seat, clues(table, attempts, seat), types_dealt(table))


def lessons(table: MovementTable, attempts: Sequence[Attempt], since: int) -> tuple[Lesson, ...]:
    """Return what each attempt taught that was answered as attempt number `since` (from 0) or later.

    Turns passed and answers of promoted pieces are no lessons at all; other attempts may have taught nothing new.
    """
    found: list[tuple[int, Lesson]] = []
    for seat in dict.fromkeys(attempt.seat for attempt in attempts[since:]):
        said = clues(table, attempts, seat)
        after = sheet_from(seat, (clue for clue in said if clue.place < since), types_dealt(table))
        for clue in said:
            if clue.place >= since:
                own = {**after.own, clue.letter: after.own[clue.letter] & clue.agrees}
                before, after = after, Sheet(seat, own)
                found.append((clue.place, Lesson(clue.attempt, before, after)))
    return tuple(lesson for _, lesson in sorted(found, key=lambda each: each[0]))
