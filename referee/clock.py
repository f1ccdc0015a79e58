"""The only place that asks the time. All times are aware UTC."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time; given to whoever needs it."""

    def now(self) -> datetime:
        """Return the present instant, aware UTC."""
        ...


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
