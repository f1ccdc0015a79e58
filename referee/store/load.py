"""How much is open at one instant, asked every few seconds by whoever watches the service from outside.

Every statement is answered from an index of open rows, or from the newest row, so that an archive costs nothing.
"""

from __future__ import annotations

from sqlalchemy import Connection, distinct, func, literal_column, not_, select, text

from referee.store.status import UNREACHABLE, newest
from referee.store.tables import GAMES, LETTERS, OUTGOING, PERSONS, SEATS
from referee.store.undelivered import unreached
from referee.store.values import Load

# Values are written out, since the databases use an index of open rows only where they see its condition.
_WAITING = LETTERS.c.outcome.is_(None)
_LETTERS_WAITING = select(func.count()).select_from(LETTERS).where(_WAITING)
_OLDEST_WAITING = select(LETTERS.c.recorded).where(_WAITING).order_by(LETTERS.c.number).limit(1)
_SET_ASIDE = select(func.count()).where(LETTERS.c.outcome == literal_column("'set-aside'"))
_QUEUED = select(func.count(), func.min(OUTGOING.c.created)).where(
    OUTGOING.c.state.in_((literal_column("'queued'"), literal_column("'claimed'")))
)
_GAMES_PLAYED = select(func.count(distinct(SEATS.c.game)))
_PLAYING = {
    "sqlite": _GAMES_PLAYED.where(SEATS.c.done == literal_column("0")),
    "postgresql": _GAMES_PLAYED.where(not_(SEATS.c.done)),
}
_PROPOSED = select(func.count()).where(GAMES.c.status == literal_column("'proposed'"))
_UNREACHABLE = select(func.count()).select_from(PERSONS).where(UNREACHABLE)
_OCTETS = {
    "sqlite": text("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"),
    "postgresql": text("SELECT pg_database_size(current_database())"),
}


def look(connection: Connection) -> Load:
    """Return how much is open."""
    kind = connection.dialect.name
    queued, queued_since = connection.execute(_QUEUED).one()
    return Load(
        newest=newest(connection),
        waiting=connection.execute(_LETTERS_WAITING).scalar_one(),
        waiting_since=connection.execute(_OLDEST_WAITING).scalar(),
        set_aside=connection.execute(_SET_ASIDE).scalar_one(),
        queued=queued,
        queued_since=queued_since,
        games={
            "playing": connection.execute(_PLAYING[kind]).scalar_one(),
            "proposed": connection.execute(_PROPOSED).scalar_one(),
        },
        unreachable=connection.execute(_UNREACHABLE).scalar_one(),
        unreached=len(unreached(connection)),
        octets=connection.execute(_OCTETS[kind]).scalar_one(),
    )
