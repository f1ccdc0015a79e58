"""The clocks of a game: what its events say of time, and the ledger that follows from it (see
games.clocks.ledger)."""

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
"""The cause of a pause while the umpire has stopped the game."""
BY_UMPIRE = "umpire"
"""The cause of a pause by an umpire, in which moves are taken all the same."""
EVENT_DATED_FAR_AHEAD = timedelta(days=30)
"""What is dated so much later than what came to be known behind it was dated by a clock that was wrong."""
EVENT_DATE_TOLERANCE = timedelta(hours=1)
"""So much later than now may be what another machine has dated."""
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
    """Return an event of a game with time control, with its date. at: now. received: when the letter came in by
    which it comes to pass; now where there is none."""
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
    """Return what bears on the clocks of a game after one more event; nothing that is not dated does. ended: the game
    is over by it."""
    match event:
        case Ruled(received=datetime() as at) if not is_a_move(facts, event):
            # All clocks stop, as if it had been taken back just now, or were by the same act.
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
    """Return whether an order is a move of its seat's, and not one that is put in the place of another, or back in
    place, which takes no time and is no further move (TM-1.8). facts: those before it."""
    if ruled.again or ruled.received is None:
        return not ruled.again
    return ruled.by is None or not facts or facts[-1] != ledger.TakenBack(ruled.received)


@dataclass(frozen=True, slots=True)
class GoesOn:
    """That time runs again after a game has rested. said: when a letter says so at the earliest. at: from when on."""

    said: datetime
    at: datetime


def goes_on(facts: Facts, seat: Seat) -> GoesOn | None:
    """Return how the newest rest of a seat's clock ended or will: that of the game by its players' will, an umpire's or
    the house's, or while letters to the other player came back; None where it never did."""
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
    """Return facts without that by which a seat's clock runs, where it does."""
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
    """A game's clocks as they were reckoned last, so that what has happened since alone is added.

    begun: what they were made of beside the facts of the game.
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
    """Return the clocks of a game. outside: what bears on them and is no event of the game's: outages and leave.

    now: nothing that has happened is dated later; without it, that is not looked at. last: how they were reckoned
    before, to go on from, and to be kept as they are now.
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
    """Yield facts as a right clock would have dated them, as far as that is known (TM-3.7).

    The log has them in the order in which they came to be known. A start, a move, a taking back, or the end that is
    dated later than one behind it was dated by a clock that was ahead: it was no later than that. What is dated ahead
    by far came to be while a clock was wrong, and no time ran then: it counts as of when that began, and the end of a
    pause as of when it ended, so that nobody's time is taken. outages: in order; that a clock is wrong is one of them.
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
    """Return a fact as it was dated, or by a right clock. earliest: of those behind it. wrong: when a clock may have
    been, if this one's was."""
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
