"""A slow clock: it goes through a game hour by hour and knows of no sums, to hold the ledger against.

It has all facts before it begins, and asks of each hour anew whether it is off. Times are whole hours from BASE on, and
zones are whole hours from UTC.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from referee.games.clocks.calendar import Calendar
from referee.games.clocks.controls import Control, Fischer, Period, PerMove, Total
from referee.games.clocks.ledger import (
    Added,
    ClockFailed,
    ClockMended,
    Ended,
    Excluded,
    Fact,
    Moved,
    OnLeave,
    Paused,
    Resumed,
    Started,
    TakenBack,
)

BASE = datetime(2027, 3, 18, tzinfo=UTC)
"""A Thursday; clocks are changed in New York on the 14th before it, in Paris on the 28th, in Santiago on 4 April."""
HORIZON = 24 * 200
"""A deadline that is not found in so many hours is none."""


def hour(at: datetime) -> int:
    return int((at - BASE) / timedelta(hours=1))


def instant(number: int) -> datetime:
    return BASE + number * timedelta(hours=1)


@cache
def day_off(calendar: Calendar, number: int) -> bool:
    """Return whether an hour is off by the calendar on the wall."""
    there = instant(number).astimezone(ZoneInfo(calendar.zone))
    return there.isoweekday() in calendar.weekend or there.date() in calendar.holidays


@dataclass
class Slow:
    """What the slow clock says of one seat at the end."""

    used: int
    left: int
    over: int
    lapsed: int
    moves: int
    running: bool
    deadline: int | None


def settle(facts: Sequence[Fact], seat: str) -> list[Fact]:
    """Return the facts as they count for a seat once all is known: dated rightly, and pauses and leave with their
    ends."""
    found: list[Fact] = []
    failed: datetime | None = None
    running = False
    latest = instant(-(10**6))
    for fact in facts:
        match fact:
            case Excluded():
                found.append(fact)
                continue
            case ClockFailed(at):
                if failed is None:
                    failed, latest = at, min(latest, at)
                    found = [*(_dated(each, at) for each in found), fact]
                continue
            case ClockMended(at):
                if failed is not None:
                    found.append(Excluded(failed, max(failed, at)))
                failed = None
                continue
        at = fact.at if failed is None else failed
        if isinstance(fact, Resumed):
            found.append(replace(fact, at=max(at, latest)))
            continue
        latest = max(latest, at)
        match fact:
            case OnLeave():
                at = max(at, latest)
            case Started(whose) if whose == seat:
                if not running:  # no hour counts for two moves
                    found = [_dated(each, at) for each in found]
                running = True
            case Moved(whose) if whose == seat:
                running = False
            case Ended() | TakenBack():
                running = False
        found.append(replace(fact, at=at))
    if failed is not None:
        found.append(Excluded(failed, instant(10 * HORIZON)))
    return found


def _dated(fact: Fact, at: datetime) -> Fact:
    if isinstance(fact, Started | Moved | Ended | TakenBack | Added):
        return replace(fact, at=min(fact.at, at))
    return fact


def _stopped_before(later: Sequence[Fact], seat: str, number: int) -> bool:
    """Return whether the run that goes on now is ended by something that came in before an hour."""
    for fact in later:
        if isinstance(fact, Ended | TakenBack) or (isinstance(fact, Moved) and fact.seat == seat):
            return hour(fact.at) < number
    return False


def hours_off(facts: Sequence[Fact], seat: str) -> set[int]:
    """Return the hours in which none of a seat's time runs, beside the calendar's. facts: settled."""
    off: set[int] = set()
    leave: set[int] = set()
    pauses: dict[str, tuple[int, int, bool]] = {}
    end_of_all = 2 * HORIZON

    def close(cause: str, end: int) -> None:
        since, until, mine = pauses.pop(cause)
        if mine:
            off.update(range(since, min(end, until)))

    for fact in facts:
        match fact:
            case Excluded(start, end, seats):
                if seats is None or seat in seats:
                    off.update(range(hour(start), min(hour(end), end_of_all)))
            case Paused(cause, at, until, seats):
                mine = seats is None or seat in seats
                first, last = hour(at), end_of_all if until is None else hour(until)
                if cause in pauses:
                    before = pauses[cause]
                    if before[1] >= first:
                        first, last = min(before[0], first), max(before[1], last)
                        mine = before[2] or mine
                    else:
                        close(cause, before[1])
                pauses[cause] = (first, last, mine)
            case Resumed(cause, at):
                if cause in pauses:
                    close(cause, hour(at))
            case ClockFailed(at):  # a pause that lasts began then at the latest
                for cause, (first, last, mine) in pauses.items():
                    pauses[cause] = (min(first, hour(at)), last, mine)
            case OnLeave(whose, at, spans):
                if whose == seat:
                    booked = {each for span in spans for each in range(hour(span.start), hour(span.end))}
                    leave = {each for each in leave if each < hour(at)} | {
                        each for each in booked if each >= hour(at)
                    }
    for first, last, mine in pauses.values():
        if mine:
            off.update(range(first, last))
    return off | leave


def slow(control: Control, calendar: Calendar, facts: Sequence[Fact], seat: str) -> Slow:
    """Go through a game hour by hour."""
    settled = settle(facts, seat)
    off = hours_off(settled, seat)

    def runs(number: int) -> bool:
        return number not in off and not day_off(calendar, number)

    one = timedelta(hours=1)
    cap = None
    match control:
        case PerMove(allowance) | Period(allowance) | Total(allowance):
            first, each = int(allowance / one), int(allowance / one)
        case Fischer(start, increment, most):
            first, each = int(start / one), int(increment / one)
            cap = None if most is None else int(most / one)
    left, used, over, lapsed, moves = first, 0, 0, 0, 0
    since: int | None = None
    gifts = 0
    for number, fact in enumerate(settled):
        match fact:
            case Started(whose, at) if whose == seat and since is None:
                since = hour(at)
            case Added(whose, at, time) if whose == seat:
                run = 0 if since is None else sum(runs(each) for each in range(since, hour(at)))
                # What runs beyond what was left is not owed, unless the move had come by then.
                if run > left and not _stopped_before(settled[number + 1 :], seat, hour(at)):
                    used, over, left, since = used + run, over + run - left, 0, hour(at)
                left += int(time / one)
                gifts += int(time / one)
            case Moved() | Ended() | TakenBack():
                if isinstance(fact, Moved) and fact.seat != seat:
                    continue
                if not isinstance(fact, Moved) and since is None:
                    continue
                for one_hour in range(hour(fact.at) if since is None else since, hour(fact.at)):
                    if runs(one_hour):
                        used += 1
                        if left:
                            left -= 1
                        else:
                            over += 1
                since = None
                if isinstance(fact, TakenBack) and isinstance(control, PerMove):
                    lapsed += max(0, left - gifts)
                    left = each + gifts
                if isinstance(fact, Moved):
                    gifts = 0
                if not isinstance(fact, Moved):
                    continue
                moves += 1
                if isinstance(control, PerMove):
                    lapsed += left
                    left = each
                elif isinstance(control, Period) and moves % control.moves == 0:
                    left += each
                elif isinstance(control, Fischer):
                    for _ in range(each):
                        if cap is None or left < cap:
                            left += 1
    deadline = None
    if since is not None:
        gone = 0
        for one_hour in range(since, HORIZON):
            if runs(one_hour):
                if gone == left:
                    deadline = one_hour
                    break
                gone += 1
    return Slow(used, left, over, lapsed, moves, since is not None, deadline)
