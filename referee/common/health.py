"""How a service at work fares: its two doors, and what it has done since it began.

Those who do the work write it down here in passing; the watch and the metrics read it, from other threads, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from referee.common.clock import steady

Ticks = Callable[[], float]


class Door:
    """What is known of one door, the mailbox or the post. ticks: seconds that pass evenly."""

    def __init__(self, ticks: Ticks = steady) -> None:
        self._ticks = ticks
        self._answered: float | None = None
        self._lost: float | None = None
        self.trouble = ""
        """Why nothing goes through it at the moment, in a sentence; "" when all is well."""

    def answered(self) -> None:
        """Keep that the server, or the folder, has done what was asked just now."""
        self._answered = self._ticks()
        self._lost = None
        self.trouble = ""

    def lost(self, why: str) -> None:
        """Keep that it is out of reach just now. why: a sentence."""
        if self._lost is None:
            self._lost = self._ticks()
        self.trouble = why

    @property
    def out_for(self) -> float:
        """Seconds since it was first found out of reach; 0 when it is not, or nobody has tried yet."""
        lost = self._lost
        return 0.0 if lost is None else self._ticks() - lost

    @property
    def silent_for(self) -> float | None:
        """Seconds since it last answered; None before its first answer."""
        answered = self._answered
        return None if answered is None else self._ticks() - answered


class Count:
    """How often each of some things, known beforehand, has happened."""

    def __init__(self, kinds: Iterable[str]) -> None:
        self._counted = Counter(dict.fromkeys(kinds, 0))

    def one(self, kind: str) -> None:
        """Count one. Raises KeyError for a kind that was not named: readers rely on their number."""
        if kind not in self._counted:
            raise KeyError(kind)
        self._counted[kind] += 1

    def so_far(self) -> dict[str, int]:
        """Return how often each has happened."""
        return dict(self._counted)


@dataclass(slots=True)
class Health:
    """How a service at work fares.

    letters: those settled, by outcome. posted: what became of letters handed over: accepted, refused (for good) or
    put-off. moves: orders ruled on. failed: times that a letter made the house fail. rounds, round_seconds: how many
    there were, and how long they took together.
    """

    mailbox: Door
    post: Door
    letters: Count
    posted: Count
    moves: int = 0
    failed: int = 0
    rounds: int = 0
    round_seconds: float = field(default=0.0)
