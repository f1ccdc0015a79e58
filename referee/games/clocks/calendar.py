"""Days on which no time runs: weekends and holidays of an event, and what a day is in a zone.

A day is a local one: it begins when its date begins in the zone, and ends when the next one does. So it has 23 or 25
hours when clocks are changed, and none where a zone left it out (TM-4.1).
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
"""No day is looked for behind this one: the calendar itself ends soon after."""


@lru_cache(maxsize=4096)
def day_begins(day: date, zone: str) -> datetime:
    """Return the first instant of a local day, in UTC (TM-4.1).

    Where clocks are put back over midnight, it is the first of two. Where midnight was left out, it is the instant of
    the change; where the whole day was, the next one begins then too.
    """
    there = ZoneInfo(zone)
    midnight = datetime(day.year, day.month, day.day, tzinfo=there)
    begins = midnight.astimezone(UTC)
    if begins.astimezone(there).replace(tzinfo=None) == midnight.replace(tzinfo=None):
        return begins
    # Midnight was left out. Read by the offset after the change, it lies before the change; by that before it, behind.
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
    """Return the local day that an instant lies in: the one that has begun last."""
    day = at.astimezone(ZoneInfo(zone)).date()
    # Where clocks were put back over midnight, the date before has come back for a while.
    return day + DAY if day_begins(day + DAY, zone) <= at else day


@dataclass(frozen=True, slots=True)
class Calendar:
    """When no time runs for anybody in an event.

    zone: IANA name. weekend: days of the week, 1 for Monday to 7 for Sunday. holidays: dates. All in that zone. Raises
    ValueError where no day of the week is left.
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
        """Return the times off that end after an instant, in order, one by one as they are asked for.

        The first may have begun before.
        """
        stream = joined(days(day, day, self.zone) for day in self._days_off(start))
        return (span for span in stream if span.end > start)

    def _days_off(self, start: datetime) -> Iterator[date]:
        # The day before it too: a day may last longer than its date.
        day = max(start.astimezone(ZoneInfo(self.zone)).date() - DAY, date(2, 1, 1))
        if not self.weekend:
            yield from sorted(each for each in self.holidays if day <= each < LAST_DAY)
            return
        while day < LAST_DAY:
            if day.isoweekday() in self.weekend or day in self.holidays:
                yield day
            day += DAY


EVERY_DAY = Calendar()
"""The calendar of an event in which time runs always."""
