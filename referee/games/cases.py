"""The cases of a game: what a player brought before an umpire, what was ruled, and whether he appealed.

A case is added up from the game's events. A claim is ruled on by who umpires; against that whoever brought it may
appeal, once, to somebody else, whose ruling is final. Against what an umpire has done of his own accord a player
appeals at once: that is a case of its own, and its ruling is final.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal, Self

from referee.games.clock_events import BY_UMPIRE
from referee.games.events import (
    Appealed,
    ClaimAnswered,
    Claimed,
    Confided,
    Ended,
    Event,
    Paused,
    Replaced,
    Resumed,
    Ruled,
    SealOpened,
    Stated,
    TakenBack,
    TimeAdded,
    Verdict,
)
from referee.games.results import ruling_of
from referee.rulebooks.rulebook import Json, Seat

APPEALED_WITHIN = timedelta(days=14)
"""So long after a ruling, or an umpire's act, a player may appeal against it."""
NUMBERS_EACH = 100
"""So many numbers of cases are there for each player who has a seat, and as many for whoever takes it over from him."""
EVENTS = (Claimed, ClaimAnswered, Appealed)
"""What bears on the cases of a game."""
DEEDS = (TakenBack, Ruled, Ended, TimeAdded, Paused, Resumed, Stated, Replaced)
"""Among these is what umpires do."""
BETWEEN = (Confided, SealOpened)
"""What may come between the events of one deed."""

Duty = Literal["ruling", "appeal"]
"""What there is to be ruled on."""
State = Literal["open", "ruled", "appealed", "settled"]
"""Nobody has ruled yet; a ruling may be appealed against; an appeal waits; the ruling is final."""


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of a game's. number: from 1. letter: the number of that which brought it about, None for none."""

    number: int
    at: datetime
    letter: int | None
    event: Event


What = Literal[
    "taken-back",
    "corrected",
    "acted",
    "restored",
    "adjudicated",
    "time-added",
    "paused",
    "resumed",
    "stated",
    "replaced",
]


@dataclass(frozen=True, slots=True)
class Deed:
    """What an umpire did in a game. number: of its event. by: of the officer, None for whoever runs the service."""

    number: int
    what: What
    at: datetime
    by: int | None = None

    def plain(self) -> dict[str, Json]:
        """Return it as plain data, to be kept; `read` reads it."""
        return {"number": self.number, "what": self.what, "at": self.at.isoformat(), "by": self.by}

    @classmethod
    def read(cls, said: Mapping[str, Json]) -> Self | None:
        """Return what `plain` wrote; None for nothing."""
        return (
            cls(said["number"], said["what"], datetime.fromisoformat(said["at"]), said["by"])
            if said
            else None
        )


@dataclass(frozen=True, slots=True)
class Decision:
    """A ruling on a case. text: the number of what was written. by: as in Deed. unchanged: nothing is to be changed in
    the game for it. number: of its event, 0 where it is not kept yet."""

    at: datetime
    text: int
    verdict: Verdict
    by: int | None
    unchanged: bool = False
    number: int = 0


@dataclass(frozen=True, slots=True)
class Appeal:
    """An appeal against a ruling. text, letter: as in Case."""

    at: datetime
    text: int
    letter: int | None


@dataclass(frozen=True, slots=True)
class Case:
    """A case of a game's. number: in the game, see `next_number`. seat: that has brought it. text: the number of what
    it wrote.

    player: who sat there, None where that is whoever does. letter: by which it came. against: the umpire's deed that it
    is an appeal against, None for a claim. decisions: one, or two after an appeal. left: that nothing is to be changed
    after all for the one that upheld it. evidence: see there.
    """

    number: int
    seat: Seat
    at: datetime
    text: int
    player: int | None = None
    letter: int | None = None
    against: Deed | None = None
    decisions: tuple[Decision, ...] = ()
    appeal: Appeal | None = None
    left: Decision | None = None
    evidence: Mapping[str, Json] = field(default_factory=dict, repr=False)

    @property
    def state(self) -> State:
        """How far it has come."""
        if self.against is not None:
            return "settled" if self.decisions else "appealed"
        if self.appeal is not None:
            return "settled" if len(self.decisions) > 1 else "appealed"
        return "ruled" if self.decisions else "open"

    @property
    def duty(self) -> Duty | None:
        """What somebody is to do in it, None for nothing."""
        return {"open": "ruling", "appealed": "appeal", "ruled": None, "settled": None}[self.state]

    @property
    def remedy(self) -> Decision | None:
        """The ruling that upheld what was brought, after which the game has to be changed; None where there is none, or
        it was said, then or later, that nothing has to be. Whether it was changed since is told by `is_changed`."""
        last = self.decisions[-1] if self.decisions and self.state in ("ruled", "settled") else None
        upheld = last is not None and last.verdict == "upheld" and not last.unchanged
        return last if upheld and self.left is None else None

    @property
    def since(self) -> datetime:
        """Since when it waits, or is as it is."""
        if self.state == "appealed" and self.appeal is not None:
            return self.appeal.at
        return self.decisions[-1].at if self.decisions else self.at

    @property
    def ruled(self) -> tuple[int, ...]:
        """Who has ruled on what an appeal is about, so that somebody else hears it: numbers of officers."""
        judges = (self.against, *self.decisions)
        return tuple(each.by for each in judges if each is not None and each.by is not None)

    @property
    def until(self) -> datetime | None:
        """Return up to when its ruling can be appealed against, None where there is none, or it is final."""
        return self.decisions[0].at + APPEALED_WITHIN if self.state == "ruled" else None


def cases_of(happened: Iterable[Happened], before: Iterable[Case] = ()) -> tuple[Case, ...]:
    """Return the cases of a game, in the order in which they were opened. happened: all of its events, or those of
    EVENTS; or those that follow, where the cases before them are known."""
    cases = {each.number: each for each in before}
    for each in happened:
        match each.event:
            case Claimed(seat=seat, text=text) as claim:
                number = claim.number or len(cases) + 1
                case = Case(number, seat, each.at, text, claim.player, each.letter)
                against = Deed.read(claim.against)
                cases[number] = replace(case, against=against, evidence=claim.evidence)
            case ClaimAnswered(claim=number, text=text, verdict=verdict, by=by) as ruling if number in cases:
                case = cases[number]
                decision = Decision(each.at, text, verdict, by, ruling.unchanged, each.number)
                if case.duty is None:
                    cases[number] = replace(case, left=decision)
                else:
                    cases[number] = replace(case, decisions=(*case.decisions, decision), left=None)
            case Appealed(claim=number, text=text) if number in cases:
                appeal = Appeal(each.at, text, each.letter)
                cases[number] = replace(cases[number], appeal=appeal)
    return tuple(cases.values())


def next_number(cases: Iterable[Case], seat: Seat, seats: Iterable[Seat], before: int = 0) -> int:
    """Return the number of a player's next case. seats: all of the game, in their order. before: how many have had his
    seat before him, see `sat_before`.

    Of two seats the first has the odd numbers and the other the even ones; and whoever takes a seat over begins in
    another hundred. So nobody learns by the number of a case of his own whether the other side has brought any, or
    whoever sat there before him.
    """
    order = list(seats)
    first = before * NUMBERS_EACH
    numbers = {each.number: each.seat for each in cases}
    mine = (at for at, whose in numbers.items() if whose == seat and first < at <= first + NUMBERS_EACH)
    number = max(mine, default=first) + 1
    # A log of an earlier release may have numbered the other side's as they came.
    while number % len(order) != (order.index(seat) + 1) % len(order) or number in numbers:
        number += 1
    return number


def sat_before(happened: Iterable[Happened], seat: Seat, player: int) -> int:
    """Return how many players had a seat before a player took it, whom everybody has heard of; 0 for the first. Of one
    who has had it twice, before the last time. happened: all of the game's events, or those that seat another."""
    count = found = 0
    for each in happened:
        if not isinstance(each.event, Replaced) or each.event.seat != seat:
            continue
        count += 1
        if each.event.player == player:
            found = count
    return found


def deeds_of(happened: Iterable[Happened]) -> tuple[Deed, ...]:
    """Return what umpires did in a game that a player may appeal against, oldest first.

    A correction takes the game back and rules on another order: that is one deed. So are all orders that are put back,
    with what was taken back for them at that very time. What nobody else hears of parts none of them.
    """
    deeds: list[Deed] = []
    before = 0
    """Of the event before, those left out that are no deeds and come between the events of one."""
    for each in happened:
        if isinstance(each.event, BETWEEN):
            continue
        deed = _deed(each)
        last = deeds[-1] if deeds and deeds[-1].number == before else None
        before = each.number
        if deed is None:
            continue
        if deed.what == "acted" and last and last.what == "taken-back":
            deeds[-1] = replace(deed, what="corrected")
        elif deed.what == "restored" and last and _of_one_restoring(last, deed):
            deeds[-1] = deed
        else:
            deeds.append(deed)
    return tuple(deeds)


def _of_one_restoring(last: Deed, deed: Deed) -> bool:
    return last.what == "restored" or (last.what == "taken-back" and last.at == deed.at)


def _deed(happened: Happened) -> Deed | None:
    number, at = happened.number, happened.at
    match happened.event:
        case TakenBack(by=by):
            return Deed(number, "taken-back", at, by)
        case Ruled(by=int() as by, again=True):
            return Deed(number, "restored", at, by or None)
        case Ruled(by=int() as by):
            return Deed(number, "acted", at, by or None)
        case Ended(result=result, by=by) if ruling_of(result):
            return Deed(number, "adjudicated", at, by)
        case TimeAdded(by=by):
            return Deed(number, "time-added", at, by)
        case Paused(cause=cause, by=by) if cause == BY_UMPIRE:
            return Deed(number, "paused", at, by)
        case Resumed(cause=cause, by=by) if cause == BY_UMPIRE:
            return Deed(number, "resumed", at, by)
        case Stated(by=by):
            return Deed(number, "stated", at, by)
        case Replaced(by=by):
            return Deed(number, "replaced", at, by)
    return None


def is_changed(happened: Iterable[Happened]) -> bool:
    """Return whether an umpire has done anything in a game for a case in it. happened: what came after it was upheld.

    Words change nothing, and what was done in all games of an event at once was not done for it.
    """
    return any(
        _deed(each) and not isinstance(each.event, Stated) and not getattr(each.event, "in_all", False)
        for each in happened
    )


def waiting(cases: Iterable[Case]) -> tuple[Case, ...]:
    """Return the cases in which somebody has to rule, those first that have waited longest."""
    return tuple(sorted((each for each in cases if each.duty), key=lambda case: (case.since, case.number)))
