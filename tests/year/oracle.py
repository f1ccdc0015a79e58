"""What the players' time truly was, counted minute by minute from what truly happened: it knows nothing of the
service's ledger, nor of its log.

A minute is off, or it runs. Times are minutes of the year.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from referee.rulebooks.rulebook import Seat
from tests.year.club import Match, Run
from tests.year.plan import DAY, EVENTS, LENGTH, OUT, WRONG, instant

REACH = LENGTH + 120 * DAY
"""So far deadlines are looked for."""
QUARTER = 15


@cache
def calendar(event: str) -> bytes:
    """Return of each minute whether it is off in an event, as 1 or 0: by its calendar, and since the service was out or
    its clock was wrong."""
    off = bytearray(REACH)
    for terms in (each for each in EVENTS if each.name == event):
        zone, holidays = ZoneInfo(terms.zone), {each.day for each in terms.holidays}
        for minute in range(0, REACH, QUARTER):
            there = instant(minute).astimezone(zone)
            if f"{there:%A}".lower() in terms.days_off or there.date() in holidays:
                off[minute : minute + QUARTER] = b"\1" * QUARTER
    for spell in (OUT, WRONG):
        off[spell.start : spell.end] = b"\1" * (spell.end - spell.start)
    return bytes(off)


@cache
def days(first: date, last: date, zone: str) -> tuple[int, int]:
    """Return from when until when it is one of some days in a zone."""
    there = ZoneInfo(zone)
    about = range(0, REACH, QUARTER)
    off = [minute for minute in about if first <= instant(minute).astimezone(there).date() <= last]
    return off[0], off[-1] + QUARTER


@dataclass(frozen=True)
class Reckoned:
    """A run of a seat's clock. left: what it had as it began; used: what the run took; deadline: the last minute that
    is in time. marks: when reminders are due."""

    run: Run
    left: int
    used: int
    deadline: int
    marks: tuple[int, ...]


class Clock:
    """A seat's time in a game. away: leave that counts there, from when until when."""

    def __init__(
        self, match: Match, seat: Seat, away: Iterable[tuple[int, int]], marks: Iterable[timedelta]
    ) -> None:
        self._off = bytearray(calendar(match.pairing.event))
        for start, end in (*away, *match.pauses):
            end = min(end, REACH)  # noqa: PLW2901
            self._off[start:end] = b"\1" * (end - start)
        self._marks = [int(mark / timedelta(minutes=1)) for mark in marks]
        self._control = _control(match.pairing.time)
        self.runs = tuple(self._reckon([run for run in match.runs if run.seat == seat]))

    def ran(self, start: int, end: int) -> int:
        """Return how many minutes ran."""
        return self._off.count(0, start, end)

    def rests(self, minute: int) -> bool:
        """Return whether no time runs just then."""
        return bool(self._off[minute])

    def last(self, start: int, time: int) -> int:
        """Return the last minute by which no more than a time has run."""
        at = start
        while at < REACH:
            begins = self._off.find(0, at)
            if begins < 0:
                return REACH
            ends = self._off.find(1, begins)
            ends = REACH if ends < 0 else ends
            if ends - begins > time:
                return begins + time
            time -= ends - begins
            at = ends
        return REACH

    def _reckon(self, runs: list[Run]) -> Iterable[Reckoned]:
        start, bonus, every, cap, kept = self._control
        left, moves = start, 0
        for run in runs:
            used = self.ran(run.began, run.ended if run.ended is not None else REACH)
            marks = tuple(self.last(run.began, left - mark) for mark in self._marks if mark < left)
            yield Reckoned(run, left, used, self.last(run.began, left), marks)
            left, moves = max(0, left - used) if kept else 0, moves + 1
            if every and moves % every == 0:
                left = left + bonus if cap is None else max(left, min(cap, left + bonus))


def _control(text: str) -> tuple[int, int, int, int | None, bool]:
    """Return how much there is at first, how much more after how many moves, up to which cap, and whether what is left
    is kept."""
    numbers = [int(each) for each in re.findall(r"\d+", text)]
    match re.sub(r"\d+", "#", text):
        case "#d/move":
            return numbers[0] * DAY, numbers[0] * DAY, 1, None, False
        case "#d/#":
            return numbers[0] * DAY, numbers[0] * DAY, numbers[1], None, True
        case "#d+#d,max#d":
            return numbers[0] * DAY, numbers[1] * DAY, 1, numbers[2] * DAY, True
        case "#d":
            return numbers[0] * DAY, 0, 0, None, True
    raise ValueError(text)
