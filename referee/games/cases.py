"""The cases of a game: what a player brought before an umpire, the ruling, and any appeal.

Cases are derived from the game's events. The umpire rules on a claim; the player who brought it may appeal
against the ruling once, and another umpire's ruling on the appeal is final. Against an act that an umpire did
unasked, a player appeals directly: this opens a case of its own, whose ruling is final.
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
"""How long after a ruling or an umpire's act a player may appeal against it."""
NUMBERS_EACH = 100
"""How many case numbers each player of a seat has; a player who takes the seat over has as many again."""
EVENTS = (Claimed, ClaimAnswered, Appealed)
"""The events that open or change cases."""
ACTIONS = (TakenBack, Ruled, Ended, TimeAdded, Paused, Resumed, Stated, Replaced)
"""The kinds of event by which umpires act."""
BETWEEN = (Confided, SealOpened)
"""The events that may occur between the events of one act."""

Duty = Literal["ruling", "appeal"]
"""What has to be ruled on."""
State = Literal["open", "ruled", "appealed", "settled"]
"""No ruling yet; a ruling that can be appealed against; an appeal that waits; a final ruling."""


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of a game's log.

    number: from 1.
    letter: the number of the letter that caused it, None for none.
    """

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
class UmpireAction:
    """An act of an umpire in a game.

    number: of its event.
    by: the officer's number, None for the service's operator.
    """

    number: int
    what: What
    at: datetime
    by: int | None = None

    def plain(self) -> dict[str, Json]:
        """Return the act as plain data for storage; `read` reads it."""
        return {"number": self.number, "what": self.what, "at": self.at.isoformat(), "by": self.by}

    @classmethod
    def read(cls, said: Mapping[str, Json]) -> Self | None:
        """Return the act that `plain` wrote; None for no data."""
        return (
            cls(said["number"], said["what"], datetime.fromisoformat(said["at"]), said["by"])
            if said
            else None
        )


@dataclass(frozen=True, slots=True)
class Decision:
    """A ruling on a case.

    text: the number of the stored text.
    by: as in Action.
    unchanged: nothing in the game has to change because of it.
    number: of its event, 0 while it is not stored.
    """

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
    """A case of a game.

    number: within the game, see `next_number`.
    seat: the seat that brought it.
    text: the number of the stored text of the claim or appeal.
    player: the player who held the seat, None for its present player.
    letter: the number of the letter that brought it.
    against: the umpire's act appealed against, None for a claim.
    decisions: one, or two after an appeal.
    left: a later decision that nothing has to change after the case was upheld.
    evidence: as in Claimed.
    """

    number: int
    seat: Seat
    at: datetime
    text: int
    player: int | None = None
    letter: int | None = None
    against: UmpireAction | None = None
    decisions: tuple[Decision, ...] = ()
    appeal: Appeal | None = None
    left: Decision | None = None
    evidence: Mapping[str, Json] = field(default_factory=dict, repr=False)

    @property
    def state(self) -> State:
        """The state the case has reached."""
        if self.against is not None:
            return "settled" if self.decisions else "appealed"
        if self.appeal is not None:
            return "settled" if len(self.decisions) > 1 else "appealed"
        return "ruled" if self.decisions else "open"

    @property
    def duty(self) -> Duty | None:
        """The ruling that is due, None for none."""
        return {"open": "ruling", "appealed": "appeal", "ruled": None, "settled": None}[self.state]

    @property
    def remedy(self) -> Decision | None:
        """The ruling that upheld the case and after which the game has to be changed.

        None where no ruling upheld it, or an umpire said, then or later, that nothing has to change.
        `is_changed` returns whether the game has been changed since.
        """
        last = self.decisions[-1] if self.decisions and self.state in ("ruled", "settled") else None
        upheld = last is not None and last.verdict == "upheld" and not last.unchanged
        return last if upheld and self.left is None else None

    @property
    def since(self) -> datetime:
        """The time since which the case has been in its state."""
        if self.state == "appealed" and self.appeal is not None:
            return self.appeal.at
        return self.decisions[-1].at if self.decisions else self.at

    @property
    def ruled(self) -> tuple[int, ...]:
        """The numbers of the officers who ruled on what is appealed against; somebody else hears the appeal."""
        judges = (self.against, *self.decisions)
        return tuple(each.by for each in judges if each is not None and each.by is not None)

    @property
    def until(self) -> datetime | None:
        """The last time at which its ruling can be appealed against; None where there is no ruling or it is final."""
        return self.decisions[0].at + APPEALED_WITHIN if self.state == "ruled" else None


def cases_of(happened: Iterable[Happened], before: Iterable[Case] = ()) -> tuple[Case, ...]:
    """Return the cases of a game, in the order in which they were opened.

    happened: all of the game's events, or those of EVENTS; only the later ones where `before` is given.
    before: the cases that earlier events led to.
    """
    cases = {each.number: each for each in before}
    for each in happened:
        match each.event:
            case Claimed(seat=seat, text=text) as claim:
                number = claim.number or len(cases) + 1
                case = Case(number, seat, each.at, text, claim.player, each.letter)
                against = UmpireAction.read(claim.against)
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
    """Return the number of a player's next case.

    Of two seats the first has odd numbers and the other even ones, and each player who takes a seat over
    starts a new hundred. A case number therefore doesn't reveal whether the other side, or an earlier player
    of the seat, has brought cases.

    seats: all seats of the game, in order.
    before: how many players held the seat earlier, see `sat_before`.
    """
    order = list(seats)
    first = before * NUMBERS_EACH
    numbers = {each.number: each.seat for each in cases}
    mine = (at for at, whose in numbers.items() if whose == seat and first < at <= first + NUMBERS_EACH)
    number = max(mine, default=first) + 1
    # Logs of earlier releases may have numbered the other side's cases consecutively.
    while number % len(order) != (order.index(seat) + 1) % len(order) or number in numbers:
        number += 1
    return number


def sat_before(happened: Iterable[Happened], seat: Seat, player: int) -> int:
    """Return how many players held a seat before a player took it; 0 for the first.

    For a player who has held it twice, the count is up to the last time.

    happened: all of the game's events, or its Replaced events.
    """
    count = found = 0
    for each in happened:
        if not isinstance(each.event, Replaced) or each.event.seat != seat:
            continue
        count += 1
        if each.event.player == player:
            found = count
    return found


def actions_of(happened: Iterable[Happened]) -> tuple[UmpireAction, ...]:
    """Return the acts of umpires in a game that a player may appeal against, oldest first.

    A correction takes the game back and rules on another order: that is one act. Orders that are restored
    together are one act too, including what was taken back for them at the same time. Events of BETWEEN don't
    split an act.
    """
    actions: list[UmpireAction] = []
    before = 0
    """The number of the preceding event that is not one of BETWEEN."""
    for each in happened:
        if isinstance(each.event, BETWEEN):
            continue
        action = _action(each)
        last = actions[-1] if actions and actions[-1].number == before else None
        before = each.number
        if action is None:
            continue
        if action.what == "acted" and last and last.what == "taken-back":
            actions[-1] = replace(action, what="corrected")
        elif action.what == "restored" and last and _of_one_restoring(last, action):
            actions[-1] = action
        else:
            actions.append(action)
    return tuple(actions)


def _of_one_restoring(last: UmpireAction, action: UmpireAction) -> bool:
    return last.what == "restored" or (last.what == "taken-back" and last.at == action.at)


def _action(happened: Happened) -> UmpireAction | None:
    number, at = happened.number, happened.at
    match happened.event:
        case TakenBack(by=by):
            return UmpireAction(number, "taken-back", at, by)
        case Ruled(by=int() as by, again=True):
            return UmpireAction(number, "restored", at, by or None)
        case Ruled(by=int() as by):
            return UmpireAction(number, "acted", at, by or None)
        case Ended(result=result, by=by) if ruling_of(result):
            return UmpireAction(number, "adjudicated", at, by)
        case TimeAdded(by=by):
            return UmpireAction(number, "time-added", at, by)
        case Paused(cause=cause, by=by) if cause == BY_UMPIRE:
            return UmpireAction(number, "paused", at, by)
        case Resumed(cause=cause, by=by) if cause == BY_UMPIRE:
            return UmpireAction(number, "resumed", at, by)
        case Stated(by=by):
            return UmpireAction(number, "stated", at, by)
        case Replaced(by=by):
            return UmpireAction(number, "replaced", at, by)
    return None


def is_changed(happened: Iterable[Happened]) -> bool:
    """Return whether an umpire has changed anything in a game because of an upheld case.

    Statements change nothing, and what was done in all games of an event at once was not done for this case.

    happened: the events after the case was upheld.
    """
    return any(
        _action(each) and not isinstance(each.event, Stated) and not getattr(each.event, "in_all", False)
        for each in happened
    )


def waiting(cases: Iterable[Case]) -> tuple[Case, ...]:
    """Return the cases that need a ruling, longest waiting first."""
    return tuple(sorted((each for each in cases if each.duty), key=lambda case: (case.since, case.number)))
