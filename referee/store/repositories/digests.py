"""When daily digests and overviews are due."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import or_, select, update

from referee.store.repositories.repository import Repository
from referee.store.tables import PLAYERS


class DigestQueries(Repository):
    """Queries about daily digests."""

    def due(self, now: datetime, wrong: datetime, most: int) -> list[tuple[int, datetime]]:
        """Return the players whose daily digest is due, and since when.

        Players whose digest is due implausibly late are included, since a clock must have been wrong. wrong:
        from then on.
        """
        due = or_(PLAYERS.c.digest_at <= now, PLAYERS.c.digest_at >= wrong)
        asked = select(PLAYERS.c.number, PLAYERS.c.digest_at).where(PLAYERS.c.digest_at.is_not(None), due)
        rows = self._connection.execute(asked.order_by(PLAYERS.c.digest_at, PLAYERS.c.number).limit(most))
        return [(number, at) for number, at in rows]

    def last(self, player: int) -> datetime | None:
        """Return when the last daily digest was written to a player; None if none ever was."""
        asked = select(PLAYERS.c.digested).where(PLAYERS.c.number == player)
        at: datetime | None = self._connection.execute(asked).scalar()
        return at


class Digests(DigestQueries):
    """When daily digests are due."""

    def plan(self, player: int, at: datetime | None) -> None:
        """Store when a player's next daily digest is due; None for never."""
        self._connection.execute(update(PLAYERS).where(PLAYERS.c.number == player).values(digest_at=at))

    def mark_written(self, player: int, then: datetime) -> None:
        """Record that a daily digest was just written to a player, and when the next is due."""
        said = {"digest_at": then, "digested": self._clock.now()}
        self._connection.execute(update(PLAYERS).where(PLAYERS.c.number == player).values(said))

    def take(self, player: int, due: datetime, then: datetime) -> bool:
        """Take on a player's due digest, and store when the next is due; False when another process has done so."""
        taken = self._connection.execute(
            update(PLAYERS)
            .where(PLAYERS.c.number == player, PLAYERS.c.digest_at == due)
            .values(digest_at=then)
        )
        return taken.rowcount == 1


class OverviewQueries(Repository):
    """Queries about officers' overviews."""

    def due(self, now: datetime, wrong: datetime, most: int) -> list[tuple[int, datetime]]:
        """Return the officers whose overview is due, and since when; see DigestQueries.due."""
        due = or_(PLAYERS.c.overview_at <= now, PLAYERS.c.overview_at >= wrong)
        asked = select(PLAYERS.c.number, PLAYERS.c.overview_at).where(PLAYERS.c.overview_at.is_not(None), due)
        rows = self._connection.execute(asked.order_by(PLAYERS.c.overview_at, PLAYERS.c.number).limit(most))
        return [(number, at) for number, at in rows]

    def last(self, player: int) -> datetime | None:
        """Return when the last regular overview was written to a player; None if none ever was."""
        asked = select(PLAYERS.c.overviewed).where(PLAYERS.c.number == player)
        at: datetime | None = self._connection.execute(asked).scalar()
        return at


class Overviews(OverviewQueries):
    """When officers' overviews are due."""

    def plan(self, player: int, at: datetime | None) -> None:
        """Store when an officer's next overview is due; None for never."""
        self._connection.execute(update(PLAYERS).where(PLAYERS.c.number == player).values(overview_at=at))

    def take(self, player: int, due: datetime, then: datetime) -> bool:
        """Take on a due overview, and store when the next is due; see `Digests.take`."""
        taken = self._connection.execute(
            update(PLAYERS)
            .where(PLAYERS.c.number == player, PLAYERS.c.overview_at == due)
            .values(overview_at=then)
        )
        return taken.rowcount == 1

    def mark_written(self, player: int, then: datetime) -> None:
        """Record that an overview was just written to an officer, and when the next is due."""
        said = {"overview_at": then, "overviewed": self._clock.now()}
        self._connection.execute(update(PLAYERS).where(PLAYERS.c.number == player).values(said))
