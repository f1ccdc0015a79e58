"""A pause by consent: both players agree that no time runs, and either may end it (TM-6.1 to TM-6.4)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from referee.games.clocks.ledger import Paused, Resumed
from referee.games.clocks.spans import in_utc, later

NOTICE = timedelta(days=1)
"""How long before the end of a pause its end is told (TM-6.3)."""
CAUSE = "consent"
"""The cause by which the ledger knows such a pause."""


@dataclass(frozen=True, slots=True)
class Consent:
    """How far the players have come. agreed: the seats that want a pause. until: its end, None where none was named.

    ends: when it ends, once somebody has ended it.
    """

    agreed: frozenset[str] = frozenset()
    until: datetime | None = None
    paused: bool = False
    ends: datetime | None = None

    def on(self, now: datetime) -> bool:
        """Return whether the game rests by consent at an instant."""
        last = min((each for each in (self.ends, self.until) if each is not None), default=None)
        return self.paused and (last is None or now < last)

    def want(
        self, seat: str, seats: Collection[str], at: datetime, until: datetime | None = None
    ) -> tuple[Consent, Paused | None]:
        """Return what comes of a seat's wish for a pause: another wish, or the pause itself, when all want the same.

        until: when it is to end; another end than the one that was proposed is a proposal of its own (TM-6.2). An end
        that is not ahead raises ValueError.
        """
        if until is not None and in_utc(until) <= in_utc(at):
            raise ValueError("a pause ends after it has begun")
        if self.on(at):
            return self, None
        before = self if not self.paused else Consent()
        agreed = before.agreed if before.until == until else frozenset[str]()
        agreed |= {seat}
        if agreed < set(seats):
            return Consent(agreed, until), None
        return Consent(agreed, until, paused=True), Paused(CAUSE, at, until)

    def end(self, seat: str, at: datetime) -> tuple[Consent, Resumed | None]:
        """Return what comes of a seat's wish to play on: its offer is gone, or the pause ends a day later (TM-6.3)."""
        if not self.on(at):
            return (self if self.paused else Consent()), None
        ends = later(in_utc(at), NOTICE)
        if self.ends is not None and self.ends <= ends:  # else it was a clock that was ahead that ended it
            return self, None
        if self.until is not None:
            ends = min(ends, self.until)
        return replace(self, ends=ends), Resumed(CAUSE, ends)

    def moved(self) -> Consent:
        """Return what is left of an offer after a move: nothing; a pause that was agreed on goes on (TM-6.2)."""
        return self if self.paused else Consent()
