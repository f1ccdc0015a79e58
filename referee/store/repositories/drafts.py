"""Drafted turns that are executed automatically at their time."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, insert, select

from referee.rulebooks.rulebook import Seat
from referee.store.repositories.repository import Repository
from referee.store.tables import HELD_DRAFTS


class DraftQueries(Repository):
    """Queries about drafted turns."""

    def due(self, now: datetime, limit: int) -> list[tuple[int, Seat]]:
        """Return the drafted turns that are due for execution, longest wait first."""
        asked = (
            select(HELD_DRAFTS.c.game, HELD_DRAFTS.c.seat)
            .where(HELD_DRAFTS.c.due <= now)
            .order_by(HELD_DRAFTS.c.due, HELD_DRAFTS.c.game)
            .limit(limit)
        )
        return [(game, Seat(seat)) for game, seat in self._connection.execute(asked)]

    def due_at(self, game: int, seat: Seat) -> datetime | None:
        """Return when a seat's draft is executed automatically; None where it waits for no time."""
        here = HELD_DRAFTS.c.game == game, HELD_DRAFTS.c.seat == seat
        found: datetime | None = self._connection.execute(select(HELD_DRAFTS.c.due).where(*here)).scalar()
        return found


class Drafts(DraftQueries):
    """The drafted turns."""

    def hold(self, game: int, seat: Seat, due: datetime) -> None:
        """Store when a seat's draft is to be executed, in place of an earlier time."""
        self.drop(game, seat)
        self._connection.execute(insert(HELD_DRAFTS).values(game=game, seat=seat, due=due))

    def drop(self, game: int, seat: Seat) -> None:
        """Delete the time for which a seat's draft waits."""
        here = HELD_DRAFTS.c.game == game, HELD_DRAFTS.c.seat == seat
        self._connection.execute(delete(HELD_DRAFTS).where(*here))
