"""Turns a database's errors into sentences that an operator can act on."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from referee.common.errors import Contested, RefereeError, SchemaError, StoreUnreachable

_SQLITE = (
    # the beginning of SQLite's name for an error, what it means, the cure
    (
        "SQLITE_READONLY",
        "may not be written",
        "give the user of the service the right to write the file and its folder",
    ),
    ("SQLITE_FULL", "cannot grow: the disk is full", "free some space; nothing that was recorded is lost"),
    (
        "SQLITE_CANTOPEN",
        "cannot be opened",
        "check that its folder exists and that the user of the service may write there",
    ),
    ("SQLITE_BUSY", "is being written by another program", "wait for that program to end, or stop it"),
    ("SQLITE_LOCKED", "is being written by another program", "wait for that program to end, or stop it"),
    ("SQLITE_CORRUPT", "is damaged", "restore the last backup"),
    (
        "SQLITE_IOERR",
        "cannot be read or written: the disk reports an error",
        "check the disk and its free space",
    ),
    ("SQLITE_PERM", "may not be used", "check the rights of the file and its folder"),
)

_POSTGRESQL = (
    # the beginning of a SQLSTATE, what it means, the cure
    ("53100", "cannot grow: its disk is full", "free some space; nothing that was recorded is lost"),
    ("53", "has no room for another connection", "wait, or raise max_connections"),
    ("25006", "may only be read", "give the address of the server that takes writes"),
    ("25P03", "has ended a transaction that stood still", "nothing of it was kept; it is tried again"),
    ("57014", "has not answered a question in time", "see what keeps its server busy"),
    ("28", "refuses the login", "check user and password in [service] database"),
    ("3D", "does not exist on its server", "create it (createdb), then run `referee init`"),
    ("42501", "may not be used by this user", "grant the user the rights on the database and its schema"),
    ("57P", "is being shut down or is starting", "wait until its server is up"),
)

_SQLITE_CONTESTED = ("SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_TRIGGER")
LOCK_TIMEOUT = "55P03"
_CONTESTED = ("23505", "40001", "40P01", LOCK_TIMEOUT)
"""Unique violation, serialisation failure, deadlock, lock timeout: another process was faster."""


def trouble(error: DBAPIError, place: str) -> RefereeError | None:
    """Return what `error` means at `place` (the database's path or address, without password).

    None means a mistake in this program (a violated constraint, an invalid statement): the error itself must
    then be seen.
    """
    origin = error.orig
    if isinstance(origin, sqlite3.Error):
        return sqlite_trouble(origin, place)
    state = getattr(origin, "sqlstate", None) or ""
    if state in _CONTESTED:
        return Contested(f"another process was faster in the database {place}; nothing was kept, try again")
    for start, what, cure in _POSTGRESQL:
        if state.startswith(start):
            return StoreUnreachable(f"the database {place} {what}; {cure}")
    if error.connection_invalidated or isinstance(error, OperationalError | InterfaceError):
        reason = _first_line(origin)
        return StoreUnreachable(
            f"the database {place} cannot be reached ({reason}); check that its server runs and the address is right"
        )
    return None


def sqlite_trouble(error: sqlite3.Error, place: str) -> RefereeError | None:
    """Return what an error of SQLite itself means; see `trouble`."""
    name = getattr(error, "sqlite_errorname", "")
    if name in _SQLITE_CONTESTED:
        return Contested(f"another process was faster in the database {place}; nothing was kept, try again")
    if name == "SQLITE_NOTADB":
        return SchemaError(f"{place} is not a database; name another file in [service] database")
    for start, what, cure in _SQLITE:
        if name.startswith(start):
            return StoreUnreachable(f"the database {place} {what}; {cure}")
    return None


def _first_line(error: object) -> str:
    """Return a driver's message in one line: hosts and reasons, never values or passwords."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else "no reason given"
