"""Leave: days off that a player takes for all their games of an event, in whole local days.

Players ask for leave; the service never takes it for them (TM-7.1). It may not begin in the past (TM-7.2),
and each player has a fixed number of days a year (TM-7.3). A `LeaveBook` holds what a player has taken; its
spans apply to the clocks of their games.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from referee.common.durations import DAY
from referee.common.faults import Fault
from referee.common.i18n import N_, Phrase
from referee.games.clocks.calendar import day_begins, day_of, days
from referee.games.clocks.spans import Spans, in_utc, spans

ZONE_WAIT = DAY
"""How long a change of zone delays leave (TM-7.2)."""
AHEAD = timedelta(days=366)
"""How far ahead leave may begin (TM-7.2)."""


@dataclass(frozen=True, slots=True, order=True)
class Leave:
    """Days off from first to last, both included. zone: IANA name, the player's when they took it (TM-7.5)."""

    first: date
    last: date
    zone: str

    def __iter__(self) -> Iterator[date]:
        day = self.first
        while day <= self.last:
            yield day
            day += DAY

    def phrase(self) -> Phrase:
        """Return the leave in words, with its dates as they are written to the service."""
        if self.first == self.last:
            return Phrase(N_("leave on {first}"), {"first": self.first})
        return Phrase(N_("leave from {first} to {last}"), {"first": self.first, "last": self.last})


@dataclass(frozen=True, slots=True)
class LeaveBook:
    """The leave that a player has taken in an event.

    cap: days a year.
    taken: in order of first days; they may overlap.
    """

    cap: int
    taken: tuple[Leave, ...] = ()

    def used(self, year: int) -> int:
        """Return how many days of a year are taken, counting each once (TM-7.3, TM-7.4)."""
        return len({(day, leave.zone) for leave in self.taken for day in leave if day.year == year})

    def remaining(self, year: int) -> int:
        """Return how many days of a year can still be taken."""
        return max(0, self.cap - self.used(year))

    def with_more(self, leave: Leave) -> LeaveBook | None:
        """Return the book with leave that was taken elsewhere and applies here too; None where it doesn't fit."""
        book = replace(self, taken=tuple(sorted({*self.taken, leave})))
        years = range(leave.first.year, leave.last.year + 1)
        return book if all(book.used(year) <= self.cap for year in years) else None

    def spans(self) -> Spans:
        """Return the spans in which none of the player's time runs."""
        return spans(days(leave.first, leave.last, leave.zone) for leave in self.taken)

    def ask(
        self, first: date, last: date, zone: str, now: datetime, *, moved: bool = False
    ) -> LeaveBook | Fault:
        """Return the book with one more leave, or why it is refused.

        zone: the player's.
        now: when they wrote.
        moved: they have changed their zone within `ZONE_WAIT` before that.
        """
        today = day_of(in_utc(now), zone)
        excerpt = first.isoformat() if first == last else f"{first} {last}"

        def refused(code: str, message: str, facts: dict[str, str | int], rule: str) -> Fault:
            return Fault(code, message, facts, "not-allowed", excerpt, rule=rule)

        if last < first:
            message = "leave ends on its first day at the earliest; {last} is before {first}"
            return refused("leave-order", message, {"first": f"{first}", "last": f"{last}"}, "TM-7.2")
        if first <= today:
            message = "leave begins tomorrow at the earliest, on {day}"
            return refused("leave-past", message, {"day": f"{today + DAY}"}, "TM-7.2")
        if moved and day_begins(first, zone) < in_utc(now) + ZONE_WAIT:
            message = (
                "you have set another time zone within the last 24 hours, so leave begins in 24 hours at the "
                "earliest, on {day}"
            )
            after = day_of(in_utc(now) + ZONE_WAIT, zone) + DAY
            return refused("leave-moved", message, {"day": f"{after}"}, "TM-7.2")
        if first - today > AHEAD:
            message = "leave begins within a year from now, on {day} at the latest"
            return refused("leave-ahead", message, {"day": f"{today + AHEAD}"}, "TM-7.2")
        asked = Leave(
            first, min(last, first + 2 * AHEAD), zone
        )  # a longer leave is refused for its first years
        book = replace(self, taken=tuple(sorted({*self.taken, asked})))
        for year in range(first.year, asked.last.year + 1):
            if book.used(year) > self.cap:
                message = (
                    "there are {cap} days of leave a year; with these it would be {days} in {year}, "
                    "where {left} are left"
                )
                facts: dict[str, str | int] = {
                    "cap": self.cap,
                    "days": book.used(year),
                    "year": f"{year}",
                    "left": self.remaining(year),
                }
                return refused("leave-cap", message, facts, "TM-7.3")
        if asked.last != last:
            message = "one leave lasts at most two years"
            return refused("leave-long", message, {}, "TM-7.3")
        return book

    def end(self, leave: Leave, now: datetime) -> LeaveBook:
        """Return the book with a leave that ends today; one that has not begun is dropped (TM-7.6).

        Raises ValueError for a leave that is not in the book.
        """
        if leave not in self.taken:
            raise ValueError(f"{leave} was not taken")
        rest = tuple(each for each in self.taken if each != leave)
        if in_utc(now) < day_begins(leave.first, leave.zone):
            return replace(self, taken=rest)
        last = min(leave.last, day_of(now, leave.zone))
        return replace(self, taken=tuple(sorted({*rest, replace(leave, last=last)})))

    def on(self, now: datetime) -> Leave | None:
        """Return the leave that a player is on at an instant: the one that lasts longest, None for none."""
        there = [leave for leave in self.taken if _lasts(leave, now)]
        return max(there, key=lambda leave: (leave.last, leave), default=None)


def _lasts(leave: Leave, now: datetime) -> bool:
    begin, end = days(leave.first, leave.last, leave.zone)
    return begin <= now < end
