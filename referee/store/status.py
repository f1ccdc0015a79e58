"""The state of the service at one instant: what waits, what is stuck and why, and how much is open.

Operators ask for it, never a letter, so these queries may scan whole tables. How much is open (`load`) is
queried every few seconds by monitoring from outside. Each of its statements is answered from an index of open
rows, or from the newest row, so that an archive costs nothing.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, distinct, func, literal_column, not_, select, text

from referee.common.clock import Clock
from referee.common.errors import StoreUnreachable
from referee.games.events import Frozen, Thawed
from referee.mail.message.authentication import UNCHECKED
from referee.store.connections import Connections
from referee.store.service_runs import SUSPECT
from referee.store.tables import EVENTS, GAMES, LETTERS, OUTGOING, PERSONS, SEATS
from referee.store.undelivered import unreached
from referee.store.values import Load, Standing, Stuck, address_key

LATELY = timedelta(days=7)
"""How far back held and refused letters are counted: older ones have been seen."""
TRIES_IN_VAIN = 3
"""A letter tried this often waits for more than a server that delays everybody at first."""
MOST_NAMED = 5
"""Most of each kind that are named, newest first."""

_STANDING_STILL = text(
    "SELECT DISTINCT application_name, host(client_addr), state_change FROM pg_stat_activity JOIN pg_locks USING (pid) "
    "WHERE datname = current_database() AND locktype = 'advisory' AND granted "
    "AND state LIKE 'idle in transaction%' AND state_change < clock_timestamp() - interval '5 seconds'"
)
"""Only a process in the middle of something has one of our locks."""

UNREACHABLE = and_(PERSONS.c.returns > literal_column("0"), PERSONS.c.unreachable.is_not(None))
"""Only players with bounced letters are unreachable; written like this so that the index of these few is used."""


def standing(connection: Connection, now: datetime, operator: str = "") -> Standing:
    """Return the state of the service. operator: the operator's address, "" for none."""
    waiting = LETTERS.c.outcome.is_(None)
    set_aside = LETTERS.c.outcome == "set-aside"
    queued = OUTGOING.c.state == "queued"
    delayed = queued & (OUTGOING.c.tries > 0)
    # Letters to one reader keep their order: those after a delayed one are not stuck by themselves.
    untried = (
        queued & (OUTGOING.c.tries == 0) & OUTGOING.c.reader.not_in(select(OUTGOING.c.reader).where(delayed))
    )
    refused = (OUTGOING.c.state == "refused") & (OUTGOING.c.created > now - LATELY)
    came_back = OUTGOING.c.returned.is_not(None) | (OUTGOING.c.state == "refused")
    missed = came_back | (queued & (OUTGOING.c.tries >= TRIES_IN_VAIN))
    to_operator = (OUTGOING.c.reader == address_key(operator)) & OUTGOING.c.player.is_(None)
    return Standing(
        newest=newest(connection),
        waiting=_count(connection, waiting),
        waiting_since=connection.execute(select(func.min(LETTERS.c.recorded)).where(waiting)).scalar(),
        failing=_letters(connection, waiting & (LETTERS.c.attempts > 0)),
        set_aside=_count(connection, set_aside),
        set_aside_newest=_letters(connection, set_aside),
        held=_count(connection, (LETTERS.c.outcome == "held") & (LETTERS.c.recorded > now - LATELY)),
        unchecked=_count(
            connection, LETTERS.c.reason.contains(UNCHECKED) & (LETTERS.c.recorded > now - LATELY)
        ),
        untried=_count(connection, untried),
        untried_since=connection.execute(select(func.min(OUTGOING.c.created)).where(untried)).scalar(),
        delayed=_count(connection, delayed),
        delayed_since=connection.execute(select(func.min(OUTGOING.c.created)).where(delayed)).scalar(),
        delayed_newest=_outgoing(connection, delayed),
        refused=_count(connection, refused),
        refused_newest=_outgoing(connection, refused),
        frozen=tuple(_frozen(connection)),
        standing_still=tuple(_standing_still(connection)),
        suspects=tuple(_suspects(connection)),
        unreachable=_count(connection, UNREACHABLE),
        unreachable_newest=_unreachable(connection),
        unreached=tuple(Stuck(str(each.game), each.said) for each in unreached(connection)),
        notices=_outgoing(connection, to_operator & missed & (OUTGOING.c.created > now - LATELY)),
    )


def damage(connection: Connection) -> str:
    """Return what is wrong with the database itself, "" when it is sound."""
    if connection.dialect.name != "sqlite":
        connection.execute(select(1))
        return ""
    said = str(connection.execute(text("PRAGMA quick_check(1)")).scalar())
    return "" if said == "ok" else said


def newest(connection: Connection) -> datetime | None:
    """Return when the newest letter, in or out, was recorded; None when there is none."""
    last = (
        connection.execute(select(LETTERS.c.recorded).order_by(LETTERS.c.number.desc()).limit(1)).scalar(),
        connection.execute(select(OUTGOING.c.created).order_by(OUTGOING.c.id.desc()).limit(1)).scalar(),
    )
    return max((at for at in last if at is not None), default=None)


def _count(connection: Connection, condition: ColumnElement[bool]) -> int:
    return connection.execute(select(func.count()).where(condition)).scalar_one()


def _letters(connection: Connection, condition: ColumnElement[bool]) -> tuple[Stuck, ...]:
    asked = select(LETTERS.c.number, LETTERS.c.reason).where(condition)
    rows = connection.execute(asked.order_by(LETTERS.c.number.desc()).limit(MOST_NAMED))
    return tuple(Stuck(str(number), reason) for number, reason in rows)


def _outgoing(connection: Connection, condition: ColumnElement[bool]) -> tuple[Stuck, ...]:
    asked = select(OUTGOING.c.recipient, OUTGOING.c.answer).where(condition)
    rows = connection.execute(asked.order_by(OUTGOING.c.id.desc()).limit(MOST_NAMED))
    return tuple(Stuck(recipient, answer) for recipient, answer in rows)


def _unreachable(connection: Connection) -> tuple[Stuck, ...]:
    asked = select(PERSONS.c.player, PERSONS.c.address, PERSONS.c.unreachable).where(UNREACHABLE)
    rows = connection.execute(asked.order_by(PERSONS.c.unreachable.desc()).limit(MOST_NAMED))
    return tuple(
        Stuck(f"{address}, player {player}", f"since {since:%Y-%m-%d}") for player, address, since in rows
    )


def _standing_still(connection: Connection) -> Iterable[Stuck]:
    """Yield the processes that hold one of our locks and have done nothing for some seconds."""
    if connection.dialect.name == "postgresql":
        for name, where, since in connection.execute(_STANDING_STILL):
            yield Stuck(
                name if where is None else f"{name} ({where})", f"since {since:%Y-%m-%d %H:%M:%S} UTC"
            )


def _suspects(connection: Connection) -> Iterable[Stuck]:
    asked = select(LETTERS.c.number, LETTERS.c.interrupted).where(LETTERS.c.outcome.is_(None), SUSPECT)
    for number, ends in connection.execute(asked.order_by(LETTERS.c.number.desc()).limit(MOST_NAMED)):
        yield Stuck(str(number), f"{ends} times")


def _frozen(connection: Connection) -> Iterable[Stuck]:
    """Yield the games that are frozen now: those whose last event about it says so."""
    kinds = (Frozen.__name__, Thawed.__name__)
    rows = connection.execute(
        select(EVENTS.c.game, EVENTS.c.kind, EVENTS.c.body)
        .join_from(GAMES, EVENTS, GAMES.c.number == EVENTS.c.game)
        .where(GAMES.c.status == "playing", EVENTS.c.kind.in_(kinds))
        .order_by(EVENTS.c.game, EVENTS.c.number)
    )
    last = {game: (kind, body) for game, kind, body in rows}
    for game, (kind, body) in last.items():
        if kind == Frozen.__name__:
            yield Stuck(str(game), _reason(body))


def _reason(body: str) -> str:
    """Return why a game was frozen; a game with damaged events must not hide the others."""
    try:
        return str(json.loads(body)["reason"])
    except (LookupError, TypeError, ValueError, RecursionError):
        return "what was kept of it cannot be read"


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


def load(connection: Connection) -> Load:
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


class Status:
    """What waits and what is stuck, for operators; each method is a transaction of its own."""

    def __init__(self, connections: Connections, clock: Clock) -> None:
        self._connections = connections
        self._clock = clock

    def standing(self, operator: str = "") -> Standing:
        """Return what waits and what is stuck. operator: the operator's address."""
        with self._connections.transaction() as connection:
            return standing(connection, self._clock.now(), operator)

    def load(self) -> Load:
        """Return how much is open; cheap, however large the archive."""
        with self._connections.transaction() as connection:
            return load(connection)

    def newest(self) -> datetime | None:
        """Return when the newest letter, in or out, was recorded; None when there is none."""
        with self._connections.transaction() as connection:
            return newest(connection)

    def damage(self) -> str:
        """Return what is wrong with the database itself, "" when it is sound; on SQLite this reads all of it."""
        with self._connections.transaction() as connection:
            return damage(connection)

    def room(self) -> tuple[int, int] | None:
        """Return the free bytes on the database's disk, and the database's size; None for PostgreSQL."""
        path = self._connections.path
        if path is None:
            return None
        try:
            return shutil.disk_usage(path.absolute().parent).free, path.stat().st_size
        except OSError as error:
            raise StoreUnreachable(
                f"the database {self._connections.place} cannot be looked at ({error.strerror}); see where its file "
                "is, and that the user of the service may read its folder"
            ) from error
