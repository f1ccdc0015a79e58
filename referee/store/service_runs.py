"""The services running on the database, and what is known of those that have crashed.

Each has a row while it runs. One that was killed, or ran out of memory, leaves its row behind. The letter
then in hand may have been the cause. Nobody can tell which letter it was, since nothing of it is stored, but
letters are processed in order, so the oldest waiting one is noted. Only a letter noted three times is a
suspect. It is processed when everything else is done, and later letters about the same wait for it. Each time
it is recorded beforehand as in hand. So when it crashes the service, no other letter is noted, and the number
of its tries is known.

On PostgreSQL, where several services run, the row holds when its service last reported, by the server's
clock. While it reports, the letters it has claimed stay claimed. No machine's clock decides, nor the server's
alone: that could be set, and after a restart the server has no connections of the living services.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Connection,
    Text,
    cast,
    delete,
    func,
    insert,
    literal_column,
    not_,
    select,
    text,
    update,
)

from referee.store.tables import HOUSE, LETTERS

SUSPECT: ColumnElement[bool] = literal_column("letter.interrupted >= 3", Boolean)
"""In hand at three unclean ends of a service, perhaps as their cause. Written out for the index."""

_AT_WORK = "at work: "
_IN_HAND = "in hand: "
SILENT_FOR = 30.0
"""Seconds without a report after which a service without a connection counts as dead."""
HANGS_FOR = 60.0
"""Seconds without a report after which a service with a connection counts as dead: it hangs, or its host is gone."""

# Where the server was restarted since a service reported, it is silent only from then on.
_OTHERS = text(
    """
    SELECT
        substr(name, :start),
        value,
        EXISTS (
            SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = substr(name, :start)
        ),
        extract(epoch FROM clock_timestamp() - greatest(last, pg_postmaster_start_time())),
        coalesce(last < pg_postmaster_start_time(), FALSE)
    FROM (SELECT name, value, nullif(value, '')::timestamptz AS last FROM house) AS heard_of
    WHERE name LIKE :kind AND substr(name, :start) <> :own
    """
)
_RENEW = update(HOUSE).values(value=cast(func.clock_timestamp(), Text))
_OLDEST = (
    select(LETTERS.c.number)
    .where(LETTERS.c.outcome.is_(None), not_(SUSPECT))
    .order_by(LETTERS.c.number)
    .limit(1)
    .with_for_update(skip_locked=True, key_share=True)
)
_NOTE = (
    update(LETTERS)
    .where(LETTERS.c.number.in_(_OLDEST.scalar_subquery()))
    .values(interrupted=LETTERS.c.interrupted + 1)
    .returning(LETTERS.c.number, LETTERS.c.interrupted)
)


@dataclass(frozen=True, slots=True)
class Other:
    """Another service that has begun and not ended.

    heard: when it last reported, as the server wrote it.
    silent: seconds since then.
    restarted: its connections are gone because the server was restarted.
    """

    name: str
    heard: str
    connected: bool
    silent: float
    restarted: bool

    @property
    def has_ended(self) -> bool:
        """Whether it has certainly ended, or has not reported for long."""
        if self.connected:
            return False
        return not (self.restarted and 0 <= self.silent < HANGS_FOR)

    @property
    def is_silent(self) -> bool:
        """Whether it has no connection, and has not reported for a while."""
        return not self.connected and not 0 <= self.silent < SILENT_FOR


class Sightings:
    """Since when connected services have not reported, by this process's own steady time."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[str, float]] = {}

    def hangs(self, other: Other, now: float) -> bool:
        """Return whether a service has not reported for as long as this was asked now and then."""
        heard, since = self._seen.get(other.name, ("", now))
        if heard != other.heard:
            since = now
        self._seen[other.name] = (other.heard, since)
        return now - since >= HANGS_FOR


def begin(connection: Connection, name: str) -> tuple[int, int] | None:
    """Record that a service is running. name: the same that the database knows it by.

    Return the letter that was in hand when another service crashed, and how often it was; None when all ended
    well, or no letter waits. On SQLite no other service can be running.
    """
    if connection.dialect.name == "postgresql":
        left = {other.name for other in _others(connection, name) if other.has_ended}
    else:
        rows = connection.execute(
            select(HOUSE.c.name).where(HOUSE.c.name.startswith(_AT_WORK, autoescape=True))
        )
        left = {each.removeprefix(_AT_WORK) for each in rows.scalars()}
    connection.execute(delete(HOUSE).where(HOUSE.c.name.in_([_AT_WORK + each for each in left])))
    connection.execute(insert(HOUSE).values(name=_AT_WORK + name, value=""))
    if not left:
        return None
    suspects = (
        delete(HOUSE).where(HOUSE.c.name.in_([_IN_HAND + each for each in left])).returning(HOUSE.c.value)
    )
    if in_hand := list(connection.execute(suspects).scalars()):
        asked = select(LETTERS.c.number, LETTERS.c.interrupted).where(LETTERS.c.number == int(in_hand[0]))
        noted = connection.execute(asked).first()
    else:
        noted = connection.execute(_NOTE).first()
    return None if noted is None else (noted.number, noted.interrupted)


def _others(connection: Connection, own: str) -> list[Other]:
    asked = {"own": own, "kind": f"{_AT_WORK}%", "start": len(_AT_WORK) + 1}
    return [Other(*row) for row in connection.execute(_OTHERS, asked)]


def renew(connection: Connection, name: str) -> None:
    """Record that a service is still running, on PostgreSQL."""
    row = HOUSE.c.name == _AT_WORK + name
    if connection.execute(_RENEW.where(row)).rowcount == 0:
        # Another service has declared it dead, since the server had no connection of it.
        connection.execute(
            insert(HOUSE).values(name=_AT_WORK + name, value=cast(func.clock_timestamp(), Text))
        )


def living(connection: Connection, own: str, sightings: Sightings, now: float) -> set[str]:
    """Return the other running services, on PostgreSQL; the others cannot come back in this transaction.

    now: this process's own steady time. A service that comes back later finds that it has no claims.
    """
    alive = set()
    for other in _others(connection, own):
        hangs = sightings.hangs(other, now)
        if not (other.is_silent or (other.connected and hangs)) or _was_heard_of(connection, other):
            alive.add(other.name)
    return alive


def _was_heard_of(connection: Connection, other: Other) -> bool:
    """Return whether a service has reported since; if not, its row is locked."""
    row = select(HOUSE.c.name).where(HOUSE.c.name == _AT_WORK + other.name, HOUSE.c.value == other.heard)
    return connection.execute(row.with_for_update()).first() is None


def try_suspect(connection: Connection, name: str, number: int) -> int | None:
    """Record that a service has a suspect in hand; return the number of its unclean ends, this one included.

    None stands for a suspect that is decided by now, or that another process has in hand.
    """
    free = (
        select(LETTERS.c.number)
        .where(LETTERS.c.number == number, LETTERS.c.outcome.is_(None), SUSPECT)
        .with_for_update(skip_locked=True, key_share=True)
    )
    counted = connection.execute(
        update(LETTERS)
        .where(LETTERS.c.number.in_(free.scalar_subquery()))
        .values(interrupted=LETTERS.c.interrupted + 1)
        .returning(LETTERS.c.interrupted)
    ).scalar()
    if counted is not None:
        connection.execute(delete(HOUSE).where(HOUSE.c.name == _IN_HAND + name))
        connection.execute(insert(HOUSE).values(name=_IN_HAND + name, value=str(number)))
    return counted


def survive_suspect(connection: Connection, name: str, number: int) -> None:
    """Record that a service has survived a suspect that it had in hand."""
    connection.execute(delete(HOUSE).where(HOUSE.c.name == _IN_HAND + name))
    connection.execute(
        update(LETTERS).where(LETTERS.c.number == number).values(interrupted=LETTERS.c.interrupted - 1)
    )


def end(connection: Connection, name: str) -> None:
    """Record that a service has ended well."""
    connection.execute(delete(HOUSE).where(HOUSE.c.name == _AT_WORK + name))
