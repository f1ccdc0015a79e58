"""Take-backs: a game continues from an earlier turn, and what was heard remains heard.

A take-back is a happening like any other, heard by every seat. What a seat has heard therefore only grows,
and what an earlier letter reported of it remains valid. The happenings that *stand* are those that were not
taken back; positions, views and sheets are built from them alone. Each rulebook determines itself which
happenings stand, since it knows its turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from referee.rulebooks.rulebook import Happening, Seat

TAKEN_BACK = "taken-back"
State = TypeVar("State")
_AROUND = " :,.!\t"


@dataclass(frozen=True, slots=True)
class Return:
    """The point to which a game was taken back: the beginning of a seat's turn. reason: the umpire's, on one line."""

    turn: int
    seat: Seat
    reason: str


def taken_back(back: Return, seats: Iterable[Seat]) -> Happening:
    """Return the happening of a take-back, which all seats hear."""
    facts = {"turn": back.turn, "seat": back.seat, "reason": back.reason}
    return Happening(TAKEN_BACK, frozenset(seats), facts)


def trimmed(said: str) -> str:
    """Return a reason without punctuation at its ends and without unmatched brackets there.

    "misread (twice)." gives "misread (twice)". Records are written and read with this function, so that each
    reason is read as it was written.
    """
    said = said.strip(_AROUND)
    while said.endswith(")") and said.count(")") > said.count("("):
        said = said[:-1].rstrip(_AROUND)
    while said.startswith("(") and said.count("(") > said.count(")"):
        said = said[1:].lstrip(_AROUND)
    return said


def read_taken_back(happening: Happening) -> Return:
    """Return the point to which a happening took the game back."""
    facts = happening.facts
    return Return(facts["turn"], Seat(facts["seat"]), facts["reason"])


@dataclass(frozen=True, slots=True)
class Course(Generic[State]):
    """How turns follow one another, for rulebooks in which a game begins before its first turn.

    fold: returns the public state after one more happening; None is the state before the first.
    due: returns whether a seat's turn of a given number is in play in a state.
    before: codes of happenings that still belong to the beginning of the game, even after the first turn
        became due.
    """

    fold: Callable[[State | None, Happening], State]
    due: Callable[[State, Seat, int], bool]
    before: frozenset[str]

    def standing(self, heard: Sequence[Happening]) -> tuple[Happening, ...]:
        """Return the happenings that stand, without those that were taken back."""
        if all(each.code != TAKEN_BACK for each in heard):
            return tuple(heard)
        places, _ = self.along(heard)
        return tuple(heard[place] for place in places)

    def along(self, heard: Sequence[Happening]) -> tuple[list[int], list[State]]:
        """Return the places of the happenings that stand, and the state after each of all happenings.

        heard: oldest first, from the beginning. Raises ValueError where a turn was taken back that had not
            begun.
        """
        trail = Trail(self)
        for happening in heard:
            trail.add(happening)
        return trail.places, trail.states

    def turn_of(self, heard: Sequence[Happening], seat: Seat, turn: int) -> int | None:
        """Return how many of these happenings preceded a seat's turn of a given number; None where it has not begun.

        A turn that was taken back has not begun.

        heard: oldest first, from the beginning.
        """
        trail = Trail(self)
        trail.follow(heard)
        came = trail.came(seat, turn)
        return None if came is None else trail.places[came - 1] + 1


class Trail(Generic[State]):
    """A game's happenings as they arrive, with those that stand, and the state after each.

    Each happening is folded once, however often turns are taken back, so that following a long game never
    starts over.

    places: of those that stand, from 0.
    states: after each of all happenings.
    """

    def __init__(self, course: Course[State]) -> None:
        self._course = course
        self._heard: list[Happening] = []
        self.places: list[int] = []
        self.states: list[State] = []

    def follow(self, heard: Sequence[Happening]) -> State:
        """Add the happenings that a list has beyond those added before; return the state after the last.

        There must be at least one happening. Raises ValueError where a turn is taken back that had not begun.
        """
        for happening in heard[len(self._heard) :]:
            self.add(happening)
        return self.states[-1]

    def add(self, happening: Happening) -> None:
        """Add one happening. Raises ValueError where it takes back a turn that had not begun."""
        if happening.code == TAKEN_BACK:
            back = read_taken_back(happening)
            came = self.came(back.seat, back.turn)
            if came is None:
                raise ValueError(f"there is no turn {back.turn} of {back.seat} that could be taken back")
            del self.places[came:]
            self.states.append(self.states[self.places[-1]])
        else:
            before = self.states[self.places[-1]] if self.places else None
            self.states.append(self._course.fold(before, happening))
            self.places.append(len(self._heard))
        self._heard.append(happening)

    def came(self, seat: Seat, turn: int) -> int | None:
        """Return how many of the standing happenings preceded a seat's turn, None where it has not begun."""
        came: int | None = None
        for count, place in enumerate(self.places, 1):
            due = self._course.due(self.states[place], seat, turn)
            if due and (came is None or self._heard[place].code in self._course.before):
                came = count
        return came
