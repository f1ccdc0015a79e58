"""How the tables came to be: one module a revision, from the first on, run from here and never from a shell.

A release knows its own revision (`HEAD`) and those before it, so that telling an older database from a newer
one needs no migration machinery; that is loaded only when there is something to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from referee.common.errors import SchemaError
from referee.store.tables import CATALOGUE

if TYPE_CHECKING:
    from alembic.config import Config

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006")
"""All revisions, oldest first."""

HEAD = REVISIONS[-1]
LOCATION = "referee.store:migrations"


def revision_of(connection: Connection, place: str) -> str | None:
    """Return the revision of a database, None when it is empty.

    Raises SchemaError for a database of a newer release or of another program.
    """
    tables = set(inspect(connection).get_table_names())
    if "alembic_version" not in tables:
        foreign = tables if connection.dialect.name == "sqlite" else tables & set(CATALOGUE.tables)
        if foreign:
            raise SchemaError(
                f"the database {place} belongs to another program (it has a table {min(foreign)!r}); "
                f"name another one in [service] database"
            )
        return None
    revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if revision is None:
        return None
    if revision not in REVISIONS:
        raise SchemaError(
            f"the database {place} was made by a newer release (revision {revision}, this one knows {HEAD}); "
            f"install that release"
        )
    return str(revision)


def settings() -> Config:
    """Return what alembic must know: where the revisions are."""
    from alembic.config import Config  # noqa: PLC0415 - slow to load, and wanted only to migrate

    known = Config()
    known.set_main_option("script_location", LOCATION)
    return known


def migrate(connection: Connection) -> None:
    """Bring the database to `HEAD`, within the transaction that `connection` is in."""
    from alembic import command  # noqa: PLC0415

    known = settings()
    known.attributes["connection"] = connection
    command.upgrade(known, "head")
