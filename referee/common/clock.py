"""The only place that asks the time. All times are aware UTC."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time; given to whoever needs it."""

    def now(self) -> datetime:
        """Return the present instant, aware UTC."""
        ...


def steady() -> float:
    """Return seconds that pass evenly, whatever the machine's clock is set to; they mean something only as differences.

    Where it can be had, the time in which the machine slept is counted: a laptop that wakes has no wrong clock.
    """
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


@dataclass
class FixedClock:
    """A clock that stands still, or goes on by `step` each time it is asked: for tests and replays."""

    at: datetime
    step: timedelta = field(default=timedelta())

    def now(self) -> datetime:
        present = self.at
        self.at += self.step
        return present
