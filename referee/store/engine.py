"""Connects to the database: SQLite in one file, or PostgreSQL by URL.

The differences between the two are here, in the triggers of the migrations, and in how letters are claimed.
"""

from __future__ import annotations

import os
import secrets
import socket
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from referee.common.errors import SettingsError, StoreUnreachable

BUSY_SECONDS = 10
"""How long a writer waits for another process's transaction before it gives up."""

LONGEST_NAME = 63
"""Longest name, in bytes, of a process in PostgreSQL."""
STANDS_STILL_SECONDS = 60
"""After this time PostgreSQL ends a transaction whose process does nothing in it, since others may wait for it."""
ANSWER_SECONDS = 300
"""How long PostgreSQL may take for one statement; migrations have no limit."""

FORMS = "sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE"


def read_url(text: str) -> URL:
    """Read [service] database. Raises SettingsError, never repeating a password."""
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise SettingsError(f"[service] database is no address of a database: expected {FORMS}") from error
    if url.drivername == "sqlite":
        if not url.database or url.database == ":memory:":
            raise SettingsError(
                "[service] database must name a file (sqlite:///FILE): what lies in memory is lost"
            )
    elif url.drivername != "postgresql+psycopg":
        raise SettingsError(f"[service] database cannot be of the kind {url.drivername!r}: expected {FORMS}")
    return url


def sqlite_path(url: URL) -> Path | None:
    """Return the file of an SQLite database, None for PostgreSQL."""
    return Path(url.database) if url.drivername == "sqlite" and url.database else None


def place(url: URL) -> str:
    """Return the database's name for an operator: the file's full path, or the URL without password."""
    path = sqlite_path(url)
    return str(path.absolute()) if path else url.render_as_string(hide_password=True)


def make_file(path: Path) -> None:
    """Create an empty database file that only its owner may read, if there is none: it will hold secrets."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDONLY, 0o600))
    except FileNotFoundError as error:
        raise StoreUnreachable(
            f"the database {path.absolute()} cannot be created: there is no folder {path.absolute().parent}; "
            "create it, or name another file as [service] database"
        ) from error
    except OSError as error:
        raise StoreUnreachable(
            f"the database {path.absolute()} cannot be opened ({error.strerror}); "
            f"check the rights of the file and its folder"
        ) from error


def name_of_process() -> str:
    """Return a random name for this process, for PostgreSQL and for operators.

    It is unique: the first processes of all containers on one host share a process number. A long host name
    is cut.
    """
    start, end = f"referee, process {os.getpid()} on ", f" ({secrets.token_hex(4)})"
    host = socket.gethostname().encode("ascii", "replace").decode()
    return f"{start}{host[: LONGEST_NAME - len(start) - len(end)]}{end}"


def make_engine(url: URL, name: str) -> Engine:
    """Return the engine for `url`; nothing is connected yet. Parameters never appear in its errors or logs.

    name: this process's name in PostgreSQL.
    """
    if sqlite_path(url):
        engine = create_engine(url, hide_parameters=True, connect_args={"timeout": BUSY_SECONDS})
        event.listen(engine, "do_connect", _make_nothing)
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    wanted = url.query.get("options", "")
    return create_engine(
        url,
        hide_parameters=True,
        connect_args={
            "connect_timeout": BUSY_SECONDS,
            "application_name": name,
            # The URL may set limits of its own, but the time zone is ours.
            "options": f"-c lock_timeout={BUSY_SECONDS}s -c statement_timeout={ANSWER_SECONDS}s "
            f"-c idle_in_transaction_session_timeout={STANDS_STILL_SECONDS}s -c tcp_keepalives_idle=30 "
            f"-c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 {wanted} -c timezone=UTC",
            # A connection lost without a word is noticed after a minute, on both sides.
            "keepalives": 1,
            "keepalives_idle": 30,
            "keepalives_interval": 10,
            "keepalives_count": 3,
        },
    )


def _make_nothing(_dialect: Any, _record: Any, where: list[Any], how: dict[str, Any]) -> None:
    """Open the file only if it exists: SQLite would create an empty one in place of a lost one."""
    where[0] = existing_file(Path(where[0]))
    how["uri"] = True


def existing_file(path: Path) -> str:
    """Return the URI by which SQLite opens a file for writing, and creates none."""
    return f"{path.absolute().as_uri()}?mode=rw"


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    """Make a new connection safe: write-ahead log, every commit on the disk, references checked.

    `_begin_sqlite` begins transactions, so the driver must not begin any by itself.
    """
    connection.isolation_level = None
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    """Begin a transaction; a writing one locks the database at once.

    A transaction that reads first and writes later would fail, or worse, if another had written in between.
    Migrating copies tables and drops the old ones, which references to them would forbid; they are checked
    afterwards.
    """
    options = connection.get_execution_options()
    if options.get("migrating"):
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writing") else "BEGIN")
