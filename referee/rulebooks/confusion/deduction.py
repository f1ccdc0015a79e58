"""What can be known of a side's types from the answers that both players heard (CF-7).

Nothing here knows a deal: a sheet is a function of what its side has heard, mainly the attempts. Both players
hear every attempt (CF-3.4), so a side's sheet is what its owner can know of their pieces, and the opponent
knows that they can know it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from referee.rulebooks.confusion.assignments import Assignments, count_assignments, single_bits
from referee.rulebooks.confusion.compass import heading, way
from referee.rulebooks.confusion.memory import remembered
from referee.rulebooks.confusion.position import LETTERS, Attempt
from referee.rulebooks.confusion.table import PROMOTED, MovementTable
from referee.rulebooks.rulebook import Seat


def numbers_of(types: int) -> tuple[int, ...]:
    """Return the numbers of a set of types, lowest first. types: bits, type 1 the lowest."""
    return tuple(kind.bit_length() for kind in single_bits(types))


@dataclass(frozen=True, slots=True)
class Disclosed:
    """A type that a piece's owner learned otherwise than by an answer, in the edition of thirteen spies.

    by: "reveal", the owner was shown it (CF-10.9), or "unmasked", the opponent removed the piece as the
        double agent, which it is (CF-10.5).
    text: the order for it, in canonical form.
    row: of the turn in which it was told.
    """

    row: int
    seat: Seat
    letter: str
    text: str
    number: int
    by: Literal["reveal", "unmasked"]


Heard = Attempt | Disclosed
"""What the owner of a piece can have heard of it."""


@dataclass(frozen=True, slots=True)
class Clue:
    """What one answer says of its piece by itself.

    place: its index, from 0; for an attempt, among all attempts of the game.
    agrees: the types that would have been answered in this way, as bits.
    """

    place: int
    heard: Heard
    agrees: int

    @property
    def letter(self) -> str:
        """The piece that was answered."""
        return self.heard.letter


@dataclass(frozen=True)
class Sheet:
    """What can be known of one side's pieces: as many types as letters, numbered from 1.

    own: for each letter the types that its own answers leave, as bits. Everything else considers all letters
        together (CF-7.2).
    """

    seat: Seat
    own: Mapping[str, int]

    @cached_property
    def _counted(self) -> Assignments:
        return count_assignments(tuple(self.own.values()))

    @property
    def assignments(self) -> int:
        """The number of full one-to-one assignments that agree with everything heard; 0 for contradictory answers."""
        return self._counted.total

    @cached_property
    def shares(self) -> Mapping[str, Mapping[int, int]]:
        """For each letter the types that it can still be, each with the number of assignments in which it has it."""
        return {
            letter: {number: ways for number, ways in enumerate(counts, 1) if ways}
            for letter, counts in zip(self.own, self._counted.shares, strict=True)
        }

    @cached_property
    def open(self) -> Mapping[str, tuple[int, ...]]:
        """For each letter the types that it can still be."""
        return {letter: tuple(shares) for letter, shares in self.shares.items()}

    def certain(self, letter: str) -> int | None:
        """Return a letter's type if only one is possible."""
        types = self.open[letter]
        return types[0] if len(types) == 1 else None

    def untouched(self, letter: str) -> bool:
        """Return whether a letter can still be anything."""
        return len(self.open[letter]) == len(self.own)


@dataclass(frozen=True)
class Lesson:
    """What was learned of a side at one time, all letters together.

    heard: what taught it, with the `letter` of which it was heard.
    before, after: the sheets.
    against: an earlier attempt of the letter in the same way that was answered differently, which shows the
        letter to be the double agent.
    """

    heard: Heard
    before: Sheet = field(repr=False)
    after: Sheet = field(repr=False)
    against: Attempt | None = None

    @property
    def seat(self) -> Seat:
        """The seat whose pieces were learned of."""
        return self.after.seat

    @cached_property
    def closed(self) -> Mapping[str, tuple[int, ...]]:
        """For each letter with fewer possible types than before, those that it can no longer be."""
        found = {}
        for letter, types in self.before.open.items():
            gone = tuple(number for number in types if number not in self.after.shares[letter])
            if gone:
                found[letter] = gone
        return found

    @property
    def elsewhere(self) -> Mapping[str, tuple[int, ...]]:
        """The same for the other letters, which follows because all types are different (CF-7.2)."""
        return {letter: gone for letter, gone in self.closed.items() if letter != self.heard.letter}

    @property
    def certain(self) -> Mapping[str, int]:
        """The letters whose type is now certain, each with its type."""
        return {
            letter: self.after.open[letter][0] for letter in self.closed if len(self.after.open[letter]) == 1
        }


@dataclass(frozen=True)
class Evidence:
    """All that was heard of one side's types.

    dealt: these, as bits; as many as letters.
    clues: oldest first.
    """

    seat: Seat
    letters: str
    dealt: int
    clues: tuple[Clue, ...]

    @cached_property
    def sheet(self) -> Sheet:
        """What can be known of the side."""
        return sheet_from(self.seat, self.clues, self.dealt, self.letters)

    def lessons(self, since: int) -> tuple[Lesson, ...]:
        """Return what each clue from the place `since` on taught, oldest first; it may be nothing new."""
        early = (clue for clue in self.clues if clue.place < since)
        after = sheet_from(self.seat, early, self.dealt, self.letters)
        found = []
        for clue in self.clues:
            if clue.place >= since:
                own = {**after.own, clue.letter: after.own[clue.letter] & clue.agrees}
                before, after = after, Sheet(self.seat, own)
                pair = contradiction((each for each in self.clues if each.place <= clue.place), clue.letter)
                against = pair[0] if pair is not None and pair[1] is clue.heard else None
                found.append(Lesson(clue.heard, before, after, against))
        return tuple(found)


def contradiction(said: Iterable[Clue], letter: str) -> tuple[Attempt, Attempt] | None:
    """Return the first two answers that allow and refuse a letter the very same way, None where there are none.

    Only a double agent can have both answers (CF-10.3).
    """
    answered: dict[tuple[str, int], Attempt] = {}
    for clue in said:
        attempt = clue.heard
        if clue.letter == letter and isinstance(attempt, Attempt) and attempt.start and attempt.end:
            first = answered.setdefault(way(attempt.start, attempt.end), attempt)
            if first.answer != attempt.answer:
                return first, attempt
    return None


def types_dealt(table: MovementTable, *, double_agent: bool = False) -> int:
    """Return the types that are dealt, as bits: those of the table, and the double agent where there is one."""
    return (1 << len(table.rows) + double_agent) - 1


def clues(
    table: MovementTable,
    attempts: Sequence[Attempt],
    seat: Seat,
    *,
    double_agent: bool = False,
    comrade: bool = False,
) -> tuple[Clue, ...]:
    """Return what each of a side's answers says by itself, oldest first (CF-7.1).

    A promoted piece answers as such, which says nothing of its old type (CF-7.4).

    double_agent, comrade: as in agreeing.
    """
    promoted: set[str] = set()
    found = []
    for place, attempt in enumerate(attempts):
        if attempt.seat != seat or attempt.letter in promoted or attempt.start is None:
            continue
        agrees = agreeing(table, attempt, double_agent=double_agent, comrade=comrade)
        found.append(Clue(place, attempt, agrees))
        if attempt.promoted:
            promoted.add(attempt.letter)
    return tuple(found)


def agreeing(
    table: MovementTable, attempt: Attempt, *, double_agent: bool = False, comrade: bool = False
) -> int:
    """Return the types, as bits, of unpromoted pieces that would have been answered in this way (CF-7.1).

    "Yes" leaves the types that can move so, "no" the others; an arrival on the far rank also shows whether
    the type is promoted there. A double agent may have any answer, but is never promoted (CF-10.3). Raises
    ValueError for a turn that was passed, which has no answer.

    comrade: all others may be promoted at will, so that a piece that wanted promotion and was not promoted is
        the double agent, and an arrival without the wish says nothing (CF-10.11).
    """
    if attempt.start is None or attempt.end is None:
        raise ValueError(f"{attempt.text} is no attempt that was answered")
    regular = types_dealt(table)
    agent = types_dealt(table, double_agent=double_agent) & ~regular
    direction, length = way(attempt.start, attempt.end)
    go = table.goes(heading(attempt.seat, direction), length)
    agrees = (go if attempt.answer else regular & ~go) | agent
    if not comrade:
        return agrees if attempt.promoted is None else agrees & _rising(table, attempt.promoted)
    if attempt.promoted:
        return agrees & regular
    return agent if attempt.answer and PROMOTED in attempt.text else agrees


def _rising(table: MovementTable, promoted: bool) -> int:
    return table.promoting if promoted else ~table.promoting


def sheet_from(seat: Seat, said: Iterable[Clue], dealt: int, letters: str = LETTERS) -> Sheet:
    """Return the sheet that these clues make. dealt: the types, as bits; as many as letters."""
    own = dict.fromkeys(letters, dealt)
    for clue in said:
        own[clue.letter] &= clue.agrees
    return Sheet(seat, own)


@remembered(4)
def evidence(table: MovementTable, attempts: tuple[Attempt, ...], seat: Seat) -> Evidence:
    """Return what was heard of a side's twelve types with these attempts."""
    return Evidence(seat, LETTERS, types_dealt(table), clues(table, attempts, seat))


def sheet(table: MovementTable, attempts: tuple[Attempt, ...], seat: Seat) -> Sheet:
    """Return what can be known of a side's twelve types after these attempts."""
    return evidence(table, attempts, seat).sheet
