"""Everything is kept here: letters, players, games, events, outgoing letters.

`unit` is one writing transaction, `reading` one that only asks; the rest are transactions of their own. All
of it may be used from several threads.
"""

from __future__ import annotations

import os
import shutil
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from referee.clock import Clock
from referee.errors import AnotherDaemon, SchemaError, StoreUnreachable, UsageError
from referee.letters.letter import RawLetter
from referee.store import journal, posting, schema, standing
from referee.store.engine import BUSY_SECONDS, make_engine, make_file, place, read_url, sqlite_path
from referee.store.lookup import Lookup
from referee.store.migrations import HEAD, revision_of
from referee.store.records import Identity, Known, Posting, Standing
from referee.store.troubles import trouble
from referee.store.unit import Unit


class Store:
    """The house's memory, in SQLite or PostgreSQL.

    Every method may raise StoreUnreachable, and Contested when another process was faster; then nothing of the
    transaction is kept, and it may be tried again.
    """

    def __init__(self, url: str, clock: Clock) -> None:
        """url: [service] database. Raises SettingsError when it is none. Nothing is opened yet."""
        self._url = read_url(url)
        self._clock = clock
        self._path = sqlite_path(self._url)
        self._engine = make_engine(self._url)
        self._key = b""
        # SQLite has one writer at a time, and lets others wait by sleeping; threads wait here, which is quicker.
        self._writer = threading.Lock()
        self._claimed: set[int] = set()

    def __repr__(self) -> str:
        return f"Store({self.place!r})"

    @property
    def place(self) -> str:
        """The database as operators know it: the file's path, or the URL without its password."""
        return place(self._url)

    # opening, copying, closing

    def open(self, *, create: bool = True) -> None:
        """Make sure that the database can be used. create: make an absent or empty SQLite database.

        Raises SchemaError for a database of another release or program, and for an empty PostgreSQL one.
        """
        create = create and self._path is not None
        if self._path and not create and not self._path.exists():
            raise StoreUnreachable(f"there is no database {self.place}; `referee init` creates it")
        if self._path:
            make_file(self._path)
        with self._transaction() as connection:
            ready = schema.check(connection, self.place)
        if not ready:
            if not create:
                raise SchemaError(f"the database {self.place} is empty; `referee init` creates its tables")
            self._bring_up()
        with self._transaction() as connection:
            self._key = schema.house_key(connection)

    def upgrade(self) -> Path | None:
        """Create the tables, or bring those of an older release up to this one; `open` must follow.

        An SQLite database is copied first; the copy's path is returned, None when there was nothing to copy.
        Raises AnotherDaemon when the referee is running, SchemaError for a newer release's database.
        """
        if self._path:
            make_file(self._path)
        with self._transaction() as connection:
            revision = revision_of(connection, self.place)
        if revision == HEAD:
            return None
        with self.lock():
            copy = None
            if self._path and revision is not None:
                copy = schema.name_of_copy(self._path, revision, self._clock.now())
                schema.copy(self._path, copy)
            self._bring_up()
        return copy

    def _bring_up(self) -> None:
        with self._transaction(writing=True, migrating=True) as connection:
            schema.bring_up(connection, self.place)
        self.close()  # the connection that migrated did not check references

    def backup(self, target: Path) -> None:
        """Copy the database, in use or not, to a file that is not there yet.

        Raises UsageError when it is there, and for PostgreSQL, which has tools of its own.
        """
        if self._path is None:
            raise UsageError(f"{self.place} is a PostgreSQL database; save it with pg_dump")
        if not self._path.exists():
            raise StoreUnreachable(f"there is no database {self.place}")
        try:
            schema.copy(self._path, target)
        except FileExistsError as error:
            raise UsageError(f"{target} exists already; a backup does not overwrite anything") from error

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Be the only daemon on an SQLite database; PostgreSQL takes any number.

        Raises AnotherDaemon, naming the one that runs. The lock ends with the process, however it ends.
        """
        if self._path is None:
            yield
            return
        note = self._path.with_name(f"{self._path.name}.daemon")
        lock = FileLock(self._path.with_name(f"{self._path.name}.lock"), thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            who = note.read_text().strip() if note.exists() else "another process"
            raise AnotherDaemon(
                f"{who} works on the database {self.place} already; stop it first, or use PostgreSQL for several"
            ) from error
        except OSError as error:
            raise StoreUnreachable(
                f"the database {self.place} cannot be locked ({error.strerror}); "
                f"give the user of the service the right to write in its folder"
            ) from error
        try:
            note.write_text(f"process {os.getpid()} on {socket.gethostname()}\n")
            yield
        finally:
            note.unlink(missing_ok=True)
            lock.release()

    def close(self) -> None:
        """Let go of the database; the store may be used again."""
        self._engine.dispose()

    # for whoever looks after the house

    def standing(self) -> Standing:
        """Return what waits and what is stuck."""
        with self._transaction() as connection:
            return standing.look(connection, self._clock.now())

    def damage(self) -> str:
        """Return what is wrong with the database itself, "" when it is sound; this reads all of it on SQLite."""
        with self._transaction() as connection:
            return standing.damage(connection)

    def room(self) -> tuple[int, int] | None:
        """Return how many octets are free where the database lies, and how many it has; None for PostgreSQL."""
        if self._path is None:
            return None
        return shutil.disk_usage(self._path.absolute().parent).free, self._path.stat().st_size

    # letters that come in

    def record(self, letters: Sequence[RawLetter]) -> list[int]:
        """Record letters as they lay in the mailbox, each once; return the numbers of those that are new."""
        with self._transaction(writing=True) as connection:
            return journal.record(connection, letters, self._clock.now())

    def known(self, letters: Sequence[RawLetter]) -> dict[Identity, Known]:
        """Return which of these letters are recorded, by where they lie (`records.identity`)."""
        with self._transaction() as connection:
            return journal.known(connection, letters)

    def waiting(self, limit: int = 50) -> list[int]:
        """Return the numbers of up to `limit` letters that have no outcome, oldest first."""
        with self._transaction() as connection:
            return journal.waiting(connection, limit)

    # one transaction of several steps

    @contextmanager
    def unit(self) -> Iterator[Unit]:
        """Open a writing transaction: committed at the end, undone when anything is raised within.

        Units exclude each other on SQLite, so nothing slow belongs inside, and no unit inside another.
        """
        with self._transaction(writing=True) as connection:
            yield Unit(connection, self._key, self._clock)

    @contextmanager
    def reading(self) -> Iterator[Lookup]:
        """Open a transaction that only asks, and sees the database as it is at one instant."""
        with self._transaction() as connection:
            yield Lookup(connection, self._key, self._clock)

    # letters that go out

    def claim(self, now: datetime, limit: int) -> list[Posting]:
        """Claim up to `limit` due letters; those to one reader stand in their order, and are to be posted in it.

        A reader's later letter is not handed out while an earlier one is being posted or waits longer.
        """
        with self._transaction(writing=True) as connection:
            claimed = posting.claim(connection, now, limit)
            self._claimed.update(each.id for each in claimed)
        return claimed

    def accepted(self, results: Sequence[tuple[int, str]]) -> None:
        """Keep that letters were accepted, each with the mail host's answer."""
        with self._transaction(writing=True) as connection:
            posting.accepted(connection, results, self._clock.now())
        self._claimed.difference_update(id_ for id_, _ in results)

    def refused(self, id_: int, answer: str) -> None:
        """Keep that a letter was refused for good, and with what answer."""
        with self._transaction(writing=True) as connection:
            posting.refused(connection, id_, answer)
        self._claimed.discard(id_)

    def again(self, id_: int, at: datetime, answer: str, uncertain: bool) -> None:
        """Queue a letter again, to be tried `at`; uncertain: it may have been accepted all the same."""
        with self._transaction(writing=True) as connection:
            posting.again(connection, id_, at, answer, uncertain)
        self._claimed.discard(id_)

    def release(self, ids: Sequence[int]) -> None:
        """Give claimed letters back untouched."""
        with self._transaction(writing=True) as connection:
            posting.release(connection, ids)
        self._claimed.difference_update(ids)

    def reclaim(self) -> int:
        """Queue again what processes that have died had claimed; return how many letters.

        On SQLite that is all that this store has not claimed itself, so `lock` must be held; on PostgreSQL, claims
        of more than 15 minutes ago, or from a future that only a wrong clock has seen.
        """
        now = None if self._path else self._clock.now()
        with self._transaction(writing=True) as connection:
            return posting.reclaim(connection, now, self._claimed)

    # the shell of it all

    @contextmanager
    def _transaction(self, *, writing: bool = False, migrating: bool = False) -> Iterator[Connection]:
        """Open a transaction on a connection of its own; database errors become the house's own."""
        with self._alone(writing=writing):
            try:
                with self._engine.connect() as connection:
                    if self._path:
                        connection.execution_options(writing=writing, migrating=migrating)
                    elif not writing:
                        connection.execution_options(
                            isolation_level="REPEATABLE READ", postgresql_readonly=True
                        )
                    with connection.begin():
                        yield connection
            except DBAPIError as error:
                known = trouble(error, self.place)
                if known is None:
                    raise
                raise known from error

    @contextmanager
    def _alone(self, *, writing: bool) -> Iterator[None]:
        """Let the threads of this process write to SQLite one after another."""
        if not (writing and self._path):
            yield
            return
        if not self._writer.acquire(timeout=BUSY_SECONDS):
            raise StoreUnreachable(
                f"the database {self.place} is being written by another thread for too long"
            )
        try:
            yield
        finally:
            self._writer.release()
