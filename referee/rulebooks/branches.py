"""What an umpire has taken back: a game goes on from an earlier turn, and all that was heard stays heard.

That a game was taken back is a happening like any other, heard by every seat: so what a seat has heard only ever grows,
and what an earlier letter has told of it stays told. What *stands* is all of it without the happenings that were taken
back; positions, views and sheets are added up from that alone. Each rulebook says itself what stands, since it knows
its turns.
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
    """To where a game was taken back: the beginning of a seat's turn. reason: the umpire's, on one line."""

    turn: int
    seat: Seat
    reason: str


def taken_back(back: Return, seats: Iterable[Seat]) -> Happening:
    """The game goes on from the beginning of a turn; all hear it."""
    facts = {"turn": back.turn, "seat": back.seat, "reason": back.reason}
    return Happening(TAKEN_BACK, frozenset(seats), facts)


def trimmed(said: str) -> str:
    """Return a reason without signs at its ends that only part it from what stands around it, and without brackets that
    it does not close or open itself: "misread (twice)." gives "misread (twice)".

    Records are written and read with it, so that each reason comes back as it was.
    """
    said = said.strip(_AROUND)
    while said.endswith(")") and said.count(")") > said.count("("):
        said = said[:-1].rstrip(_AROUND)
    while said.startswith("(") and said.count("(") > said.count(")"):
        said = said[1:].lstrip(_AROUND)
    return said


def read_taken_back(happening: Happening) -> Return:
    """Return to where the game was taken back."""
    facts = happening.facts
    return Return(facts["turn"], Seat(facts["seat"]), facts["reason"])


@dataclass(frozen=True, slots=True)
class Course(Generic[State]):
    """How the turns of a game go by, for rulebooks in which a game begins before the first of them.

    fold: what is public after one more happening; None is before the first. due: whether a seat's turn of a number is
    being played then. before: codes of happenings that still belong to the beginning, so that a turn which has come
    already comes after them.
    """

    fold: Callable[[State | None, Happening], State]
    due: Callable[[State, Seat, int], bool]
    before: frozenset[str]

    def standing(self, heard: Sequence[Happening]) -> tuple[Happening, ...]:
        """Return what stands of all that was heard: without what was taken back."""
        if all(each.code != TAKEN_BACK for each in heard):
            return tuple(heard)
        places, _ = self.along(heard)
        return tuple(heard[place] for place in places)

    def along(self, heard: Sequence[Happening]) -> tuple[list[int], list[State]]:
        """Return at which places of a list of happenings those are that stand, and the state after each of them all.

        heard: oldest first, from the beginning on. Raises ValueError where a turn was taken back that had not come.
        """
        trail = Trail(self)
        for happening in heard:
            trail.add(happening)
        return trail.places, trail.states

    def turn_of(self, heard: Sequence[Happening], seat: Seat, turn: int) -> int | None:
        """Return how many of these had happened when a seat's turn of a number came; None where it did not.

        heard: oldest first, from the beginning on. A turn that was taken back did not come.
        """
        trail = Trail(self)
        trail.follow(heard)
        came = trail.came(seat, turn)
        return None if came is None else trail.places[came - 1] + 1


class Trail(Generic[State]):
    """A game's happenings as they come, what stands of them, and the state after each: each is folded once, however
    often turns are taken back, so that whoever tells a long game again need not begin anew each time.

    places: of those that stand, from 0. states: after each of all.
    """

    def __init__(self, course: Course[State]) -> None:
        self._course = course
        self._heard: list[Happening] = []
        self.places: list[int] = []
        self.states: list[State] = []

    def follow(self, heard: Sequence[Happening]) -> State:
        """Add what a list holds more than it did the last time; return the state after all of it, at least one.

        Raises ValueError where a turn is taken back that had not come.
        """
        for happening in heard[len(self._heard) :]:
            self.add(happening)
        return self.states[-1]

    def add(self, happening: Happening) -> None:
        """Add one happening. Raises ValueError where it takes a turn back that had not come."""
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
        """Return how many of those that stand had happened when a seat's turn came, None where it did not."""
        came: int | None = None
        for count, place in enumerate(self.places, 1):
            due = self._course.due(self.states[place], seat, turn)
            if due and (came is None or self._heard[place].code in self._course.before):
                came = count
        return came
