"""Turns that were drafted and are carried out by themselves when their time has come (see handlers.drafts)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from referee.rulebooks.rulebook import Seat
from referee.store.tables import HeldDraftRow

HELD_DRAFTS = HeldDraftRow.__table__  # type: ignore[attr-defined]


def hold(connection: Connection, game: int, seat: Seat, due: datetime) -> None:
    """Keep when a seat's draft is to be carried out, in place of what was kept before."""
    drop(connection, game, seat)
    connection.execute(insert(HELD_DRAFTS).values(game=game, seat=seat, due=due))


def drop(connection: Connection, game: int, seat: Seat) -> None:
    """Keep no more that a seat's draft waits."""
    here = HELD_DRAFTS.c.game == game, HELD_DRAFTS.c.seat == seat
    connection.execute(delete(HELD_DRAFTS).where(*here))


def waiting(connection: Connection, game: int, seat: Seat) -> datetime | None:
    """Return when a seat's draft is to be carried out, None where it waits for no time."""
    here = HELD_DRAFTS.c.game == game, HELD_DRAFTS.c.seat == seat
    found: datetime | None = connection.execute(select(HELD_DRAFTS.c.due).where(*here)).scalar()
    return found


def due(connection: Connection, now: datetime, limit: int) -> list[tuple[int, Seat]]:
    """Return the drafts that are to be carried out by now, those first that wait longest."""
    asked = (
        select(HELD_DRAFTS.c.game, HELD_DRAFTS.c.seat)
        .where(HELD_DRAFTS.c.due <= now)
        .order_by(HELD_DRAFTS.c.due, HELD_DRAFTS.c.game)
        .limit(limit)
    )
    return [(game, Seat(seat)) for game, seat in connection.execute(asked)]
