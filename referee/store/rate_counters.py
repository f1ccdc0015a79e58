"""Counts recent things, each in a row of its own: limits that hold for all processes together.

A span begins with the first thing after the last span has ended. A span that began in the future, by a wrong
clock, has ended.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from referee.store.tables import HOUSE

COUNTED = "counted "
"""The prefix of a counter's row."""

_FOUND = select(HOUSE.c.value).where(HOUSE.c.name == bindparam("which"))
_FOUND_LOCKED = _FOUND.with_for_update()
_CHANGE = update(HOUSE).where(HOUSE.c.name == bindparam("which")).values(value=bindparam("said"))


def left(connection: Connection, kind: str, most: int, within: timedelta, now: datetime) -> int:
    """Return how many more of a kind are allowed in the current span."""
    _, count = _read(connection.execute(_FOUND, {"which": _name(kind)}).scalar(), within, now)
    return max(0, most - count)


def add(connection: Connection, kind: str, count: int, within: timedelta, now: datetime) -> int:
    """Count more of a kind; return the count of this span."""
    name = _name(kind)
    before = connection.execute(_FOUND_LOCKED, {"which": name}).scalar()
    began, counted = _read(before, within, now)
    value = f"{began.isoformat()} {counted + count}"
    if before is None:
        connection.execute(insert(HOUSE), {"name": name, "value": value})
    else:
        connection.execute(_CHANGE, {"which": name, "said": value})
    return counted + count


def forget(connection: Connection, kind: str) -> None:
    """Restart the count of a kind."""
    connection.execute(delete(HOUSE).where(HOUSE.c.name == _name(kind)))


def _name(kind: str) -> str:
    return f"{COUNTED}{kind}"


def _read(value: str | None, within: timedelta, now: datetime) -> tuple[datetime, int]:
    """Return when the current span began, and its count."""
    if value is not None:
        said, _, counted = value.partition(" ")
        began = datetime.fromisoformat(said)
        if timedelta(0) <= now - began < within:
            return began, int(counted)
    return now, 0
