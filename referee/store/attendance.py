"""Which services are at work on the database, and what is known of those that have ended uncleanly.

Each has a row while it works. One that was killed, or ran out of memory, leaves its row behind, and the letter that
was in hand then may have been the cause; which one that was nobody can tell, since nothing of it is kept, but letters
are heard in their order. So the oldest that waits is noted; only one noted three times is suspected, and heard when all
else is done.
"""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select, text, update

from referee.store.journal import SUSPECT
from referee.store.tables import HOUSE, LETTERS

_AT_WORK = "at work: "
_CONNECTED = text(
    "SELECT application_name FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
_OLDEST = (
    select(LETTERS.c.number)
    .where(LETTERS.c.outcome.is_(None))
    .order_by(SUSPECT, LETTERS.c.number)
    .limit(1)
    .with_for_update(skip_locked=True)
)
_NOTE = (
    update(LETTERS)
    .where(LETTERS.c.number.in_(_OLDEST.scalar_subquery()))
    .values(interrupted=LETTERS.c.interrupted + 1)
    .returning(LETTERS.c.number, LETTERS.c.interrupted)
)


def begin(connection: Connection, name: str) -> tuple[int, int] | None:
    """Keep that a service is at work. name: of its process, the same that the database knows it by.

    Returns the letter that was in hand when another one ended uncleanly, and how often it was; None when all ended
    well, or no letter waits. On SQLite nobody else can be at work.
    """
    rows = connection.execute(select(HOUSE.c.name).where(HOUSE.c.name.startswith(_AT_WORK, autoescape=True)))
    left = set(rows.scalars())
    if connection.dialect.name == "postgresql":
        alive = {_AT_WORK + each for each in connection.execute(_CONNECTED).scalars()}
        left -= alive - {_AT_WORK + name}
    connection.execute(delete(HOUSE).where(HOUSE.c.name.in_(left)))
    connection.execute(insert(HOUSE).values(name=_AT_WORK + name, value=""))
    noted = connection.execute(_NOTE).first() if left else None
    return None if noted is None else (noted.number, noted.interrupted)


def end(connection: Connection, name: str) -> None:
    """Keep that a service has ended well."""
    connection.execute(delete(HOUSE).where(HOUSE.c.name == _AT_WORK + name))
