"""The clocks of a game: what its events mean for time, and the ledger built from them (games.clocks.ledger)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from referee.games.clocks import ledger
from referee.games.clocks.calendar import EVERY_DAY, Calendar
from referee.games.clocks.consent import CAUSE as CONSENT
from referee.games.clocks.consent import NOTICE
from referee.games.clocks.controls import Control
from referee.games.clocks.ledger import Fact, Ledger
from referee.games.clocks.spans import Span, later
from referee.games.events import (
    ClockStarted,
    Confided,
    Ended,
    Event,
    Frozen,
    Paused,
    Reachable,
    Replaced,
    Resumed,
    Ruled,
    SealOpened,
    TakenBack,
    Thawed,
    TimeAdded,
    Unreachable,
)
from referee.rulebooks.rulebook import Seat

FROZEN = "frozen"
"""The cause of a pause while the umpire has frozen the game."""
BY_UMPIRE = "umpire"
"""The cause of a pause by an umpire during which moves are still accepted."""
EVENT_DATED_FAR_AHEAD = timedelta(days=30)
"""An event dated this much later than a subsequent event was dated by a wrong clock."""
EVENT_DATE_TOLERANCE = timedelta(hours=1)
"""How far ahead of now another machine's date may be."""
DatedFact = (
    ledger.Started
    | ledger.Moved
    | ledger.Added
    | ledger.Paused
    | ledger.Resumed
    | ledger.OnLeave
    | ledger.ClockFailed
    | ledger.ClockMended
    | ledger.Ended
    | ledger.TakenBack
)
Facts = tuple[Fact, ...]


def dated(event: Event, at: datetime, received: datetime) -> Event:
    """Return an event of a game with time control, dated.

    at: now.
    received: when the letter that causes it was received; now where there is none.
    """
    match event:
        case Ruled(received=None) | Confided(moved=True, received=None):
            return replace(event, received=received)
        case Ended(at=None):
            return replace(event, at=received)
        case TakenBack(at=None) | SealOpened(at=None):
            return replace(event, at=at)
        case (
            Frozen(at=None) | Thawed(at=None) | Unreachable(at=None) | Reachable(at=None) | Replaced(at=None)
        ):
            return replace(event, at=at)
    return event


def facts_after(facts: Facts, event: Event, seats: Collection[Seat], *, ended: bool = False) -> Facts:
    """Return the facts for the clocks of a game after one more event; undated events add none.

    ended: the event ends the game.
    """
    match event:
        case Ruled(received=datetime() as at) if not is_a_move(facts, event):
            # All clocks stop, as after a take-back at this moment, or by the same act.
            back = ledger.TakenBack(at)
            return facts if facts and facts[-1] == back else (*facts, back)
        case Ruled(seat=seat, received=datetime() as at):
            return (*facts, ledger.Moved(seat, at))
        case Confided(seat=seat, moved=True, received=datetime() as at, again=False):
            return (*facts, ledger.Moved(seat, at))
        case SealOpened(at=datetime() as at) if ended:
            return (*facts, ledger.Ended(at))
        case ClockStarted(seat=seat, at=at):
            return (*_not_started(facts, seat), ledger.Started(seat, at))
        case Ended(at=datetime() as at):
            return (*facts, ledger.Ended(at))
        case Paused(cause=cause, at=at, until=until):
            return (*facts, ledger.Paused(cause, at, until))
        case Resumed(cause=cause, at=at):
            return (*facts, ledger.Resumed(cause, at))
        case TimeAdded(seat=seat, at=at, seconds=seconds):
            return (*facts, ledger.Added(seat, at, timedelta(seconds=seconds)))
        case Frozen(at=datetime() as at):
            return (*facts, ledger.Paused(FROZEN, at))
        case Thawed(at=datetime() as at):
            return (*facts, ledger.Resumed(FROZEN, at))
        case Unreachable(seat=seat, at=datetime() as at):
            others = frozenset(each for each in seats if each != seat)
            return (*facts, ledger.Paused(f"{seat} unreachable", at, None, others))  # TM-3.4
        case Reachable(seat=seat, at=datetime() as at):
            return (*facts, ledger.Resumed(f"{seat} unreachable", at))
        case TakenBack(at=datetime() as at):
            return (*facts, ledger.TakenBack(at))
        case Replaced(seat=seat, at=datetime() as at):
            return (*_not_started(facts, seat), ledger.Resumed(f"{seat} unreachable", at))
    return facts


def is_a_move(facts: Facts, ruled: Ruled) -> bool:
    """Return whether an order counts as its seat's move (TM-1.8).

    An order that replaces another or is restored takes no time and is no further move.

    facts: those before the order.
    """
    if ruled.again or ruled.received is None:
        return not ruled.again
    return ruled.by is None or not facts or facts[-1] != ledger.TakenBack(ruled.received)


@dataclass(frozen=True, slots=True)
class GoesOn:
    """The end of a rest, after which time runs again.

    said: the earliest time at which a letter announces it.
    at: when time runs again.
    """

    said: datetime
    at: datetime


def goes_on(facts: Facts, seat: Seat) -> GoesOn | None:
    """Return how the latest rest of a seat's clock ended or will end; None if it never rested.

    A rest is a pause by the players' consent, by an umpire or by the service, or while mail to the opponent
    bounces.
    """
    newest: GoesOn | None = None
    lasting: dict[str, GoesOn | None] = {}
    for fact in facts:
        match fact:
            case ledger.Paused(cause=cause, at=at, until=until, seats=seats) if cause in _RESTS or (
                seats is not None and seat in seats
            ):
                lasting[cause] = None if until is None else GoesOn(at, until)
            case ledger.Resumed(cause=cause, at=at) if cause in lasting:
                planned = lasting.pop(cause)
                if planned is None or at < planned.at:
                    planned = GoesOn(later(at, -NOTICE) if cause == CONSENT else at, at)
                newest = planned if newest is None or planned.at > newest.at else newest
    found = [each for each in (newest, *lasting.values()) if each is not None]
    return max(found, key=lambda each: each.at, default=None)


_RESTS = frozenset((FROZEN, BY_UMPIRE, CONSENT))


def _not_started(facts: Facts, seat: Seat) -> Facts:
    """Return the facts without the one that started a seat's running clock, if any."""
    for number in range(len(facts) - 1, -1, -1):
        match facts[number]:
            case ledger.Moved(seat=who) if who == seat:
                return facts
            case ledger.TakenBack():
                return facts
            case ledger.Started(seat=who) if who == seat:
                return (*facts[:number], *facts[number + 1 :])
    return facts


@dataclass(slots=True)
class Reckoned:
    """A game's clocks as last computed, so that only later facts need adding.

    begun: the inputs other than the game's facts.
    """

    begun: tuple[object, ...] = ()
    facts: Facts = ()
    clocks: Ledger | None = None


def clocks_of(
    control: Control,
    seats: Iterable[Seat],
    facts: Sequence[Fact],
    *,
    calendar: Calendar = EVERY_DAY,
    outside: Iterable[Fact] = (),
    now: datetime | None = None,
    last: Reckoned | None = None,
) -> Ledger:
    """Return the clocks of a game.

    outside: facts that are not events of the game: outages and leave.
    now: no past fact is dated later than this; without it, this is not checked.
    last: the previous computation to continue from; updated in place.
    """
    begun = control, tuple(seats), calendar, tuple(outside)
    outages = sorted(
        Span(each.start, each.end)
        for each in begun[3]
        if isinstance(each, ledger.Excluded) and each.seats is None
    )
    in_order = tuple(_in_order(facts, outages, now))
    known = 0 if last is None else len(last.facts)
    if last is None or last.clocks is None or last.begun != begun or in_order[:known] != last.facts:
        clocks = ledger.fold(ledger.open_ledger(control, begun[1], calendar), (*begun[3], *in_order))
    else:
        clocks = ledger.fold(last.clocks, in_order[known:])
    if last is not None:
        last.begun, last.facts, last.clocks = begun, in_order, clocks
    return clocks


def _in_order(facts: Sequence[Fact], outages: Sequence[Span], now: datetime | None) -> Iterator[Fact]:
    """Yield facts dated as a correct clock would have dated them, as far as this is known (TM-3.7).

    The log holds them in the order in which they became known. A start, move, take-back or end dated later
    than one that follows it was dated by a fast clock: it happened no later than its successor. A fact dated
    far ahead happened while a clock was wrong, when no time ran: it counts from the start of that outage, and
    the end of a pause from the outage's end, so that no player loses time.

    outages: in order; periods with a wrong clock are among them.
    """
    latest = before = None
    behind: list[datetime | None] = []
    for fact in reversed(facts):
        behind.append(latest)
        if isinstance(fact, _IN_TURN):
            latest = fact.at if latest is None else min(latest, fact.at)
    for fact, earliest in zip(facts, reversed(behind), strict=True):
        if not isinstance(fact, ledger.Excluded):
            latest = min((each for each in (earliest, now) if each is not None), default=fact.at)
            found = [each for each in outages if (before or each.start) <= each.start <= latest]
            wrong = Span(found[0].start, found[-1].end) if found else Span(latest, latest)
            fact = _rightly_dated(fact, earliest, now, wrong)  # noqa: PLW2901
            if not isinstance(fact, ledger.Resumed):
                before = fact.at if before is None else max(before, fact.at)
        yield fact


_IN_TURN = (ledger.Started, ledger.Moved, ledger.TakenBack, ledger.Ended)


def _rightly_dated(
    fact: DatedFact, earliest: datetime | None, now: datetime | None, wrong: Span
) -> DatedFact:
    """Return a fact with its own date, or with that of a correct clock.

    earliest: the earliest date among the facts that follow it.
    wrong: the period in which the clock may have been wrong, if it was.
    """
    notice = NOTICE if isinstance(fact, ledger.Resumed) else timedelta(0)
    by_far = (now is not None and fact.at > later(now, notice + EVENT_DATE_TOLERANCE)) or (
        earliest is not None and fact.at > later(earliest, EVENT_DATED_FAR_AHEAD)
    )
    if by_far:
        if isinstance(fact, ledger.Resumed):
            return replace(fact, at=later(wrong.end, NOTICE if fact.cause == CONSENT else timedelta(0)))
        return replace(fact, at=wrong.start)
    latest = min(each for each in (fact.at, earliest, now) if each is not None)
    return replace(fact, at=latest) if isinstance(fact, _IN_TURN) and latest < fact.at else fact
