"""Days on which no time runs (weekends and holidays of an event), and the length of a day in a zone.

A day is a local one: it begins when its date begins in the zone, and ends when the next date does. It
therefore has 23 or 25 hours when clocks are changed, and none where the zone skipped it (TM-4.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from referee.common.durations import DAY
from referee.games.clocks.spans import Span, joined

LAST_DAY = date(9990, 1, 1)
"""No later day is considered: the calendar itself ends soon after."""


@lru_cache(maxsize=4096)
def day_begins(day: date, zone: str) -> datetime:
    """Return the first instant of a local day, in UTC (TM-4.1).

    Where clocks are put back over midnight, it is the first of two. Where midnight was skipped, it is the
    instant of the change; where the whole day was, the next day begins then too.
    """
    there = ZoneInfo(zone)
    midnight = datetime(day.year, day.month, day.day, tzinfo=there)
    begins = midnight.astimezone(UTC)
    if begins.astimezone(there).replace(tzinfo=None) == midnight.replace(tzinfo=None):
        return begins
    # Midnight was skipped. Read by the offset after the change it lies before the change; by the earlier
    # offset, after it.
    before, changed = midnight.replace(fold=1).astimezone(UTC), begins
    old = before.astimezone(there).utcoffset()
    while changed - before > timedelta(seconds=1):
        middle = before + (changed - before) // 2
        middle = middle.replace(microsecond=0)
        if middle.astimezone(there).utcoffset() == old:
            before = middle
        else:
            changed = middle
    return changed


def days(first: date, last: date, zone: str) -> Span:
    """Return the local days from first to last, both included."""
    return Span(day_begins(first, zone), day_begins(last + DAY, zone))


def day_of(at: datetime, zone: str) -> date:
    """Return the local day of an instant: the latest day that has begun."""
    day = at.astimezone(ZoneInfo(zone)).date()
    # Where clocks were put back over midnight, the previous date recurs for a while.
    return day + DAY if day_begins(day + DAY, zone) <= at else day


@dataclass(frozen=True, slots=True)
class Calendar:
    """The days on which no time runs for anybody in an event, all in one zone.

    zone: IANA name.
    weekend: days of the week, 1 for Monday to 7 for Sunday. Raises ValueError where no day of the week is
        left.
    holidays: dates.
    """

    zone: str = "UTC"
    weekend: frozenset[int] = frozenset()
    holidays: frozenset[date] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        if not self.weekend <= frozenset(range(1, 8)):
            raise ValueError("days of the week are 1 for Monday to 7 for Sunday")
        if len(self.weekend) == 7:
            raise ValueError("a week needs a day on which time runs")

    def off(self, start: datetime) -> Iterator[Span]:
        """Yield the spans of time off that end after an instant, in order. The first may have begun earlier."""
        stream = joined(days(day, day, self.zone) for day in self._days_off(start))
        return (span for span in stream if span.end > start)

    def _days_off(self, start: datetime) -> Iterator[date]:
        # The previous day too, since a day may last longer than its date.
        day = max(start.astimezone(ZoneInfo(self.zone)).date() - DAY, date(2, 1, 1))
        if not self.weekend:
            yield from sorted(each for each in self.holidays if day <= each < LAST_DAY)
            return
        while day < LAST_DAY:
            if day.isoweekday() in self.weekend or day in self.holidays:
                yield day
            day += DAY


EVERY_DAY = Calendar()
"""The calendar of an event in which time always runs."""
