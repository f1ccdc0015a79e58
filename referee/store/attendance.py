"""Which services are at work on the database, and what is known of those that have ended uncleanly.

Each has a row while it works. One that was killed, or ran out of memory, leaves its row behind, and the letter that
was in hand then may have been the cause; which one that was nobody can tell, since nothing of it is kept, but letters
are heard in their order. So the oldest that waits is noted. Only one noted three times is suspected: it is heard when
all else is done, later letters about the same wait for it, and each time it is kept beforehand that it is in hand. So
when the service ends by it, no other letter is noted, and it is known how often it was tried.
"""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, not_, select, text, update

from referee.store.journal import SUSPECT
from referee.store.tables import HOUSE, LETTERS

_AT_WORK = "at work: "
_IN_HAND = "in hand: "
_CONNECTED = text(
    "SELECT application_name FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
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


def begin(connection: Connection, name: str) -> tuple[int, int] | None:
    """Keep that a service is at work. name: of its process, the same that the database knows it by.

    Returns the letter that was in hand when another one ended uncleanly, and how often it was; None when all ended
    well, or no letter waits. On SQLite nobody else can be at work.
    """
    left = _names(connection, _AT_WORK)
    if connection.dialect.name == "postgresql":
        left -= set(connection.execute(_CONNECTED).scalars()) - {name}
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


def _names(connection: Connection, kind: str) -> set[str]:
    rows = connection.execute(select(HOUSE.c.name).where(HOUSE.c.name.startswith(kind, autoescape=True)))
    return {each.removeprefix(kind) for each in rows.scalars()}


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
