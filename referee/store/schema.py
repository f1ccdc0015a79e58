"""The database's schema: whether it is this release's, and if not, whether it can be migrated."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, false, insert, select, text, update

from referee.common.chance import new_secret
from referee.common.errors import SchemaError, StoreUnreachable
from referee.store.database_errors import sqlite_trouble
from referee.store.locks import Lock, take
from referee.store.migrations import HEAD, migrate, revision_of
from referee.store.tables import HOUSE


def check(connection: Connection, place: str) -> bool:
    """Return whether the database has this release's tables; False when it is empty.

    Raises SchemaError for one of another release or program.
    """
    revision = revision_of(connection, place)
    if revision is not None and revision != HEAD:
        raise SchemaError(
            f"the database {place} was made by an older release (revision {revision}, this one needs {HEAD}); "
            f"run `referee init`, which copies it first"
        )
    return revision is not None


def bring_up(connection: Connection, place: str) -> None:
    """Create or migrate everything, within the transaction of `connection`, unless it is done already."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL statement_timeout = 0"))  # large tables take their time
    take(connection, Lock.MIGRATING)
    revision = revision_of(connection, place)
    if revision != HEAD:
        migrate(connection)
    if revision is None:
        connection.execute(insert(HOUSE).values(name="key", value=new_secret().hex()))


def service_key(connection: Connection) -> bytes:
    """Return the service's key, drawn when the tables were made."""
    return bytes.fromhex(connection.execute(select(HOUSE.c.value).where(HOUSE.c.name == "key")).scalar_one())


def write_nothing(connection: Connection) -> None:
    """Write without a change; a database that may not be written refuses it."""
    connection.execute(update(HOUSE).where(false()).values(value=HOUSE.c.value))


def copy(path: Path, target: Path) -> None:
    """Copy an SQLite database that may be in use; the copy is one file, complete and closed.

    Raises FileExistsError for an existing target, StoreUnreachable when the copy fails.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        room = shutil.disk_usage(target.absolute().parent).free
        if room < 2 * path.stat().st_size:
            raise StoreUnreachable(f"there is no room to copy the database to {target}; free some space")
        target.touch(mode=0o600, exist_ok=False)
        part.touch(mode=0o600)
    except FileExistsError:
        raise
    except OSError as error:
        raise StoreUnreachable(f"the database cannot be copied to {target} ({error.strerror})") from error
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as copied:
            source.backup(copied)
            copied.execute("PRAGMA journal_mode = DELETE").close()
        part.replace(target)
    except sqlite3.Error as error:
        target.unlink()
        part.unlink()
        raise (sqlite_trouble(error, str(path)) or error) from error


def name_of_copy(path: Path, revision: str, now: datetime) -> Path:
    """Return where to copy a database before it is migrated."""
    return path.with_name(f"{path.name}.{revision}.{now:%Y%m%d-%H%M%S}")
