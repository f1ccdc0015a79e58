"""The only place that reads the time. All times are aware UTC."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """A source of the current time. It is passed in where it is needed."""

    def now(self) -> datetime:
        """Return the current instant, aware UTC."""
        ...


def steady() -> float:
    """Return seconds that pass evenly, whatever the machine's clock is set to.

    Only differences mean something. Where the system offers it, the time the machine slept is counted, so
    that a laptop is not wrong after it wakes.
    """
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


@dataclass
class FixedClock:
    """A clock that stands still, or advances by `step` at each reading: for tests and replays."""

    at: datetime
    step: timedelta = field(default=timedelta())

    def now(self) -> datetime:
        present = self.at
        self.at += self.step
        return present
