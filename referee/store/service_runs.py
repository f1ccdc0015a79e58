"""Which services are at work on the database, and what is known of those that have ended uncleanly.

Each has a row while it works. One that was killed, or ran out of memory, leaves its row behind, and the letter that
was in hand then may have been the cause; which one that was nobody can tell, since nothing of it is kept, but letters
are heard in their order. So the oldest that waits is noted. Only one noted three times is suspected: it is heard when
all else is done, later letters about the same wait for it, and each time it is kept beforehand that it is in hand. So
when the service ends by it, no other letter is noted, and it is known how often it was tried.

On PostgreSQL, where several are at work, the row holds when its service was last heard of, by the server's clock: while
it is, the letters of ours that it has in hand stay in its hands. No machine's clock decides, and the server's does not
alone: it could be set, and after it was started anew it has no connections of those that live.
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
"""In hand at three unclean ends of a service: perhaps by chance, perhaps it ends them. Written out for the index."""

_AT_WORK = "at work: "
_IN_HAND = "in hand: "
SILENT_FOR = 30.0
"""Seconds after which a service is taken for dead that has no connection and was not heard of."""
HANGS_FOR = 60.0
"""Seconds after which one is that has a connection and was not heard of: it stands still, or its host is away."""

# Where the server was started since a service was heard of, it is silent only from then on.
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
    """Another service that has begun and not ended. heard: when it was last heard of, as the server wrote it; silent:
    seconds since then. restarted: whether its connections are gone because the server was started anew."""

    name: str
    heard: str
    connected: bool
    silent: float
    restarted: bool

    @property
    def has_ended(self) -> bool:
        """Whether it has certainly ended, or was not heard of for long."""
        if self.connected:
            return False
        return not (self.restarted and 0 <= self.silent < HANGS_FOR)

    @property
    def is_silent(self) -> bool:
        """Whether it has no connection, and was not heard of for a while."""
        return not self.connected and not 0 <= self.silent < SILENT_FOR


class Sightings:
    """Since when nothing was heard of services that have a connection, by this process's own steady time."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[str, float]] = {}

    def hangs(self, other: Other, now: float) -> bool:
        """Return whether nothing was heard of a service as long as this was asked now and then."""
        heard, since = self._seen.get(other.name, ("", now))
        if heard != other.heard:
            since = now
        self._seen[other.name] = (other.heard, since)
        return now - since >= HANGS_FOR


def begin(connection: Connection, name: str) -> tuple[int, int] | None:
    """Keep that a service is at work. name: the same that the database knows it by.

    Returns the letter that was in hand when another one ended uncleanly, and how often it was; None when all ended
    well, or no letter waits. On SQLite nobody else can be at work.
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
    """Keep that a service is still at work, on PostgreSQL."""
    row = HOUSE.c.name == _AT_WORK + name
    if connection.execute(_RENEW.where(row)).rowcount == 0:
        # Another one has taken it for dead, since the server had no connection of it.
        connection.execute(
            insert(HOUSE).values(name=_AT_WORK + name, value=cast(func.clock_timestamp(), Text))
        )


def living(connection: Connection, own: str, sightings: Sightings, now: float) -> set[str]:
    """Return which other services are at work, on PostgreSQL; those that are not cannot come back in this transaction.

    now: this process's own steady time. One that comes back finds that it has nothing in hand any more.
    """
    alive = set()
    for other in _others(connection, own):
        hangs = sightings.hangs(other, now)
        if not (other.is_silent or (other.connected and hangs)) or _was_heard_of(connection, other):
            alive.add(other.name)
    return alive


def _was_heard_of(connection: Connection, other: Other) -> bool:
    """Return whether a service was heard of since; if not, its row is locked."""
    row = select(HOUSE.c.name).where(HOUSE.c.name == _AT_WORK + other.name, HOUSE.c.value == other.heard)
    return connection.execute(row.with_for_update()).first() is None


def try_suspect(connection: Connection, name: str, number: int) -> int | None:
    """Keep that a service has a suspect in hand; return at how many unclean ends it was, this one included.

    None when it is decided by now, or when another process has it in hand.
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
    """Keep that a service has not ended by a suspect that it had in hand."""
    connection.execute(delete(HOUSE).where(HOUSE.c.name == _IN_HAND + name))
    connection.execute(
        update(LETTERS).where(LETTERS.c.number == number).values(interrupted=LETTERS.c.interrupted - 1)
    )


def end(connection: Connection, name: str) -> None:
    """Keep that a service has ended well."""
    connection.execute(delete(HOUSE).where(HOUSE.c.name == _AT_WORK + name))
