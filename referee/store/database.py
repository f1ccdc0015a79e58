"""The store: letters, players, games, events, outgoing letters.

`unit` is one writing transaction, `reading` a read-only one; the other methods are transactions of their own.
Several threads may use all of it.
"""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

from filelock import FileLock, Timeout

from referee.common.clock import Clock
from referee.common.durations import MINUTE
from referee.common.errors import (
    AnotherDaemon,
    RefereeError,
    SchemaError,
    StoreUnreachable,
    UsageError,
)
from referee.store import (
    history,
    schema,
    service_runs,
)
from referee.store.connections import Connections
from referee.store.engine import (
    make_file,
)
from referee.store.history import History
from referee.store.incoming import Incoming
from referee.store.letter_ordering import PassedOver, Turn, enter_gate
from referee.store.migrations import HEAD, revision_of
from referee.store.outbox_queue import OutboxQueue
from referee.store.queries import Lookup
from referee.store.retention import Retention
from referee.store.status import Status
from referee.store.transaction import Transaction
from referee.store.unit_of_work import UnitOfWork


class _Undone(Exception):
    """Rolls back a trial transaction."""


class Store:
    """The service's memory, in SQLite or PostgreSQL.

    Every method may raise StoreUnreachable, and Contested when another process was faster. Then nothing of
    the transaction is stored, and it may be tried again.
    """

    def __init__(self, url: str, clock: Clock, *, posted_an_hour: int | None = None) -> None:
        """Open nothing yet.

        url: [service] database.
        posted_an_hour: most letters given out for sending in an hour, None for no limit.
        Raises SettingsError for an invalid URL.
        """
        self._clock = clock
        self._key = b""
        self._looked: datetime | None = None
        self.connections = Connections(url)
        self.incoming = Incoming(self.connections, clock)
        self.outbox = OutboxQueue(self.connections, clock, posted_an_hour)
        self.status = Status(self.connections, clock)
        self.retention = Retention(self.connections, clock, self.unit)
        self.history = History(self.connections)

    def __repr__(self) -> str:
        return f"Store({self.place!r})"

    @property
    def place(self) -> str:
        """The database as operators know it: the file's path, or the URL without its password."""
        return self.connections.place

    @property
    def is_shared(self) -> bool:
        """Whether several processes may process letters at the same time."""
        return self.connections.is_shared

    def open(self, *, create: bool = True) -> None:
        """Check that the database is usable. create: make a missing or empty SQLite database.

        Raises SchemaError for a database of another release or program, and for an empty PostgreSQL one.
        Raises StoreUnreachable for a missing one that must not be made, for instance where a service has used
        one before.
        """
        create = create and self.connections.path is not None
        if self.connections.path and not create and not self.connections.path.exists():
            raise StoreUnreachable(f"there is no database {self.place}; `referee init` creates it")
        if (
            self.connections.path
            and not self.connections.path.exists()
            and _lock_of(self.connections.path).exists()
        ):
            raise StoreUnreachable(
                f"the database {self.place}, with which a service was at work before, is not there; put it back, or "
                "restore the last backup (`referee init` creates an empty one)"
            )
        if self.connections.path:
            make_file(self.connections.path)
        with self.connections.transaction() as connection:
            ready = schema.check(connection, self.place)
        if not ready:
            if not create:
                raise SchemaError(f"the database {self.place} is empty; `referee init` creates its tables")
            self._bring_up()
        with self.connections.transaction() as connection:
            self._key = schema.service_key(connection)
        self.connections.opened()

    def check_writing(self) -> None:
        """Check that the database can be written, without a change. It waits for a program that is writing."""
        with self.connections.transaction(writing=True) as connection:
            schema.write_nothing(connection)

    def upgrade(self) -> Path | None:
        """Create the tables, or bring those of an older release up to this one; `open` must follow.

        An SQLite database is copied first. Return the copy's path, None when there was nothing to copy.
        Raises AnotherDaemon when the referee is running, SchemaError for a newer release's database.
        """
        if self.connections.path:
            make_file(self.connections.path)
        with self.connections.transaction() as connection:
            revision = revision_of(connection, self.place)
        if revision == HEAD:
            return None
        with self.lock():
            copy = None
            if self.connections.path and revision is not None:
                copy = schema.name_of_copy(self.connections.path, revision, self._clock.now())
                schema.copy(self.connections.path, copy)
            self._bring_up()
        return copy

    def _bring_up(self) -> None:
        with self.connections.transaction(writing=True, migrating=True) as connection:
            schema.bring_up(connection, self.place)
        self.close()  # the connection that migrated did not check references

    def backup(self, target: Path) -> None:
        """Copy the database, in use or not, to a new file.

        Raises UsageError when the file exists, and for PostgreSQL, which has tools of its own.
        """
        if self.connections.path is None:
            raise UsageError(f"{self.place} is a PostgreSQL database; save it with pg_dump")
        if not self.connections.path.exists():
            raise StoreUnreachable(f"there is no database {self.place}")
        try:
            schema.copy(self.connections.path, target)
        except FileExistsError as error:
            raise UsageError(f"{target} exists already; a backup does not overwrite anything") from error

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Be the only daemon on an SQLite database; PostgreSQL allows any number.

        Raises AnotherDaemon, naming the one that runs. The lock ends with the process, however it ends. It is
        next to the database file itself, whatever link leads there.
        """
        if self.connections.path is None:
            yield
            return
        locked = _lock_of(self.connections.path)
        note = locked.with_suffix(".daemon")
        lock = FileLock(locked, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            who = note.read_text().strip() if note.exists() else "another process"
            raise AnotherDaemon(
                f"{who} works on the database {self.place} already; stop it first, or use PostgreSQL for several"
            ) from error
        except OSError as error:
            raise _cannot_write(Path(lock.lock_file), error) from error
        try:
            try:
                note.write_text(f"process {os.getpid()} on {socket.gethostname()}\n")
            except OSError as error:
                raise _cannot_write(note, error) from error
            yield
        finally:
            note.unlink(missing_ok=True)
            lock.release()

    @contextmanager
    def at_work(self) -> Iterator[tuple[int, int] | None]:
        """Record a run of the service until its clean end; within `lock`.

        Yields the letter in hand when a service ended uncleanly, and how often that has happened; usually
        None. Letters claimed by such a service are queued again at once.
        """
        with self.connections.transaction(writing=True) as connection:
            noted = service_runs.begin(connection, self.connections.process)
            self.outbox.reclaim_in(connection)
        self.outbox.at_work = True
        try:
            yield noted
        finally:
            self.outbox.at_work = False
            with suppress(RefereeError), self.connections.transaction(writing=True) as connection:
                service_runs.end(connection, self.connections.process)

    def close(self) -> None:
        """Close the database; the store may be used again."""
        self.connections.close()

    def looked(self, longest: timedelta, at: datetime | None = None) -> None:
        """Record that the mailbox was just polled, at most once a minute; see Clocks.keep_look.

        longest: a longer gap counts as an outage.
        at: when the poll was; None for now.
        """
        now = at or self._clock.now()
        if self._looked is not None and timedelta(0) <= now - self._looked < MINUTE:
            return
        with self.unit() as unit:
            unit.clocks.keep_look(now, longest)
        self._looked = now

    @contextmanager
    def unit(self) -> Iterator[UnitOfWork]:
        """Open a writing transaction: committed at the end, rolled back when anything is raised within.

        On SQLite, units exclude each other, so nothing slow belongs inside, and no unit inside another.
        """
        with self.connections.transaction(writing=True) as connection:
            yield UnitOfWork(Transaction(connection, self._key, self._clock, writes=True))

    @contextmanager
    def trial(self) -> Iterator[UnitOfWork]:
        """Open a writing transaction that is rolled back at the end, to see what would follow.

        Letters queued in it are in the unit's `outbox.queued`.
        """
        with suppress(_Undone), self.unit() as unit:
            yield unit
            raise _Undone

    @contextmanager
    def settling(self, number: int, passed_over: PassedOver) -> Iterator[UnitOfWork]:
        """Open a unit for one letter, which has to wait for earlier ones about the same (see
        letter_ordering).

        passed_over: the letters that have to wait. This one is added when it has to wait; then Contested is
            raised.
        """
        passed_over.check(number)
        turn = None
        with ExitStack() as gate:
            if self.is_shared:
                enter_gate(gate.enter_context(self.connections.transaction(writing=True)))
            try:
                with self.connections.transaction(writing=True) as connection:
                    turn = Turn(connection, number, passed_over, gate.close)
                    yield UnitOfWork(Transaction(connection, self._key, self._clock, writes=True, turn=turn))
            except Exception:
                if turn is not None and not turn.free:
                    passed_over.let_wait(number, turn.about)
                elif turn is not None:
                    passed_over.add(number, turn.about)  # it waits for no other, but none may overtake it
                raise

    @contextmanager
    def reading(self) -> Iterator[Lookup]:
        """Open a read-only transaction, which sees the database at one instant."""
        with self.connections.transaction() as connection:
            yield Lookup(Transaction(connection, self._key, self._clock))

    def take_key(self, key: bytes) -> None:
        """Give this service, which must be new, the key of another; the Message-IDs depend on it."""
        with self.connections.transaction(writing=True) as connection:
            history.take_key(connection, key)
        self._key = key


def _lock_of(path: Path) -> Path:
    """Return the file by which daemons exclude each other; it remains after they have ended."""
    path = path.resolve()
    return path.with_name(f"{path.name}.lock")


def _cannot_write(path: Path, error: OSError) -> StoreUnreachable:
    """Return the error of an unwritable file next to the database, without which the service does not start."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        cure = "free some space: without it no letter can be taken in"
    else:
        cure = "give the user of the service the right to write in its folder"
    return StoreUnreachable(f"{path} cannot be written ({error.strerror}); {cure}")
