"""Databases as older releases left them, with what a newer one has written into them as far as they have room."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from alembic import command
from sqlalchemy import create_engine

from referee.store import migrations


def make_older(database: Path, revision: str) -> None:
    """Turn an SQLite database into one of an older revision: its tables, with the columns that they had."""
    newer = database.with_name(f"{database.name}.newer")
    database.rename(newer)
    engine = create_engine(f"sqlite:///{database}")
    with engine.begin() as connection:
        known = migrations.settings()
        known.attributes["connection"] = connection
        command.upgrade(known, revision)
    engine.dispose()
    with closing(sqlite3.connect(database)) as older, older:
        older.execute("ATTACH ? AS newer", (str(newer),))
        tables = [row[0] for row in older.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")]
        for table in tables:
            if table == "alembic_version":
                continue
            columns = ", ".join(f'"{row[1]}"' for row in older.execute(f"PRAGMA main.table_info({table})"))
            older.execute(f"DELETE FROM main.{table}")
            older.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM newer.{table}")
    newer.unlink()
