"""The connections to a database, and the transactions on them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from referee.common.errors import DatabaseGone, StoreUnreachable
from referee.store.database_errors import trouble
from referee.store.engine import BUSY_SECONDS, make_engine, name_of_process, place, read_url, sqlite_path


class Connections:
    """The access to one database, in SQLite or PostgreSQL. Several threads may use it."""

    def __init__(self, url: str) -> None:
        """url: [service] database. Raises SettingsError for an invalid URL. Nothing is opened yet."""
        self._url = read_url(url)
        self.path = sqlite_path(self._url)
        self.process = name_of_process()
        self.engine = make_engine(self._url, self.process)
        self._opened: tuple[int, int] | None = None
        # SQLite has one writer at a time, and lets others wait by sleeping. Threads wait here, which is
        # quicker.
        self._writer = threading.Lock()

    @property
    def place(self) -> str:
        """The database as operators know it: the file's path, or the URL without its password."""
        return place(self._url)

    @property
    def is_shared(self) -> bool:
        """Whether several processes may process letters at the same time."""
        return self.path is None

    def opened(self) -> None:
        """Remember that the file now in place is the database."""
        self._opened = self._file()

    def check_place(self) -> None:
        """Check that the file of an SQLite database is where it was opened. Raises DatabaseGone.

        Data written to a file that was moved, deleted or replaced would be lost.
        """
        if self._opened is None or (there := self._file()) == self._opened:
            return
        what = "has gone" if there is None else "was replaced by another file"
        raise DatabaseGone(
            f"the database {self.place} {what} while the service was at work; what was written last is in the old "
            "file: put that back, or else restore the last backup, and start the service again"
        )

    def _file(self) -> tuple[int, int] | None:
        """Return what identifies the file, device and number; None for a missing one and for PostgreSQL."""
        if self.path is None:
            return None
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        except OSError:
            return self._opened  # the folder is unavailable at the moment; the next write will show
        return found.st_dev, found.st_ino

    def close(self) -> None:
        """Close the database; it may be used again."""
        self.engine.dispose()

    @contextmanager
    def transaction(self, *, writing: bool = False, migrating: bool = False) -> Iterator[Connection]:
        """Open a transaction on a connection of its own; database errors become the service's own."""
        with self._alone(writing=writing):
            try:
                with self.engine.connect() as connection:
                    if self.path:
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
        if not (writing and self.path):
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
