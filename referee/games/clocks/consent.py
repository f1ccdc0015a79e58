"""A pause by consent: both players agree that no time runs, and either may end it (TM-6.1 to TM-6.4)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from referee.games.clocks.ledger import Paused, Resumed
from referee.games.clocks.spans import in_utc, later

NOTICE = timedelta(days=1)
"""How long before the end of a pause its end is announced (TM-6.3)."""
CAUSE = "consent"
"""The cause of such a pause in the ledger."""


@dataclass(frozen=True, slots=True)
class Consent:
    """The state of the players' agreement.

    agreed: the seats that want a pause.
    until: its proposed or agreed end, None where none was named.
    ends: when it ends, once a player has ended it.
    """

    agreed: frozenset[str] = frozenset()
    until: datetime | None = None
    paused: bool = False
    ends: datetime | None = None

    def on(self, now: datetime) -> bool:
        """Return whether the game is paused by consent at an instant."""
        last = min((each for each in (self.ends, self.until) if each is not None), default=None)
        return self.paused and (last is None or now < last)

    def want(
        self, seat: str, seats: Collection[str], at: datetime, until: datetime | None = None
    ) -> tuple[Consent, Paused | None]:
        """Return the result of a seat's wish for a pause: a new wish, or the pause itself when all want the same.

        until: when it is to end; an end that differs from the proposed one is a new proposal (TM-6.2). Raises
            ValueError for an end that is not in the future.
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
        """Return the result of a seat's wish to play on: its offer lapses, or the pause ends a day later (TM-6.3)."""
        if not self.on(at):
            return (self if self.paused else Consent()), None
        ends = later(in_utc(at), NOTICE)
        if self.ends is not None and self.ends <= ends:  # otherwise a fast clock ended it
            return self, None
        if self.until is not None:
            ends = min(ends, self.until)
        return replace(self, ends=ends), Resumed(CAUSE, ends)

    def moved(self) -> Consent:
        """Return what remains after a move: an offer lapses, a pause that was agreed on continues (TM-6.2)."""
        return self if self.paused else Consent()
