"""The health of a running service: its mailbox and outgoing mail, and what it has done since it started.

The code that does the work records it here. The monitor and the metrics read it, also from other threads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from referee.common.clock import steady

Ticks = Callable[[], float]


class Door:
    """What is known of one connection, the mailbox or the outgoing mail. ticks: seconds that pass evenly."""

    def __init__(self, ticks: Ticks = steady) -> None:
        self._ticks = ticks
        self._answered: float | None = None
        self._lost: float | None = None
        self.trouble = ""
        """Why the connection does not work at the moment, as a sentence; "" when all is well."""

    def answered(self) -> None:
        """Record that the server, or the folder, has just done what was asked."""
        self._answered = self._ticks()
        self._lost = None
        self.trouble = ""

    def lost(self, why: str) -> None:
        """Record that the connection is out of reach. why: a sentence."""
        if self._lost is None:
            self._lost = self._ticks()
        self.trouble = why

    @property
    def out_for(self) -> float:
        """Seconds since it was first found out of reach; 0 when it is not, or has not been tried yet."""
        lost = self._lost
        return 0.0 if lost is None else self._ticks() - lost

    @property
    def silent_for(self) -> float | None:
        """Seconds since its last answer; None before its first answer."""
        answered = self._answered
        return None if answered is None else self._ticks() - answered


class Count:
    """How often each of a fixed set of things has happened."""

    def __init__(self, kinds: Iterable[str]) -> None:
        self._counted = Counter(dict.fromkeys(kinds, 0))

    def one(self, kind: str) -> None:
        """Count one. Raises KeyError for a kind that was not declared: readers rely on a fixed set."""
        if kind not in self._counted:
            raise KeyError(kind)
        self._counted[kind] += 1

    def so_far(self) -> dict[str, int]:
        """Return how often each kind has happened."""
        return dict(self._counted)


@dataclass(slots=True)
class Health:
    """The health of a running service.

    letters: letters processed, by outcome.
    posted: outgoing letters by outcome: accepted, refused (for good) or put-off.
    moves: orders adjudicated.
    failed: times that a letter made the service fail.
    rounds, round_seconds: number of polling rounds, and their time together.
    """

    mailbox: Door
    post: Door
    letters: Count
    posted: Count
    moves: int = 0
    failed: int = 0
    rounds: int = 0
    round_seconds: float = field(default=0.0)
