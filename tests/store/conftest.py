"""The same tests run against both databases; those of one alone ask for its URL.

Tables are made once a run, and copied or emptied for each test.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from referee.store.database import Store
from referee.store.tables import CATALOGUE
from tests.servers.postgres import PostgresServer
from tests.store.scenery import clock_at_noon

NUMBERED = ("letter_number", "player_number", "game_number", "outgoing_id", "competition_number")


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The URL of an SQLite database that does not exist yet."""
    return f"sqlite:///{tmp_path}/referee.db"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)])
def empty_url(request: pytest.FixtureRequest) -> str:
    """The URL of a database without tables."""
    url: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    return url


def make_tables(url: str) -> None:
    store = Store(url, clock_at_noon())
    store.upgrade()
    store.close()


@pytest.fixture(scope="session")
def sqlite_with_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "referee.db"
    make_tables(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgres_with_tables(postgres_server: PostgresServer) -> str:
    url = postgres_server.new_database()
    make_tables(url)
    return url


@pytest.fixture
def sqlite_file(sqlite_with_tables: Path, tmp_path: Path) -> Path:
    """An SQLite database with tables."""
    return Path(shutil.copy(sqlite_with_tables, tmp_path / "referee.db"))


@pytest.fixture
def postgres_emptied(postgres_with_tables: str) -> str:
    """The URL of a PostgreSQL database with tables, and nothing in them but the key.

    As a replica's superuser may, it passes by the triggers that keep events. A new database, or TRUNCATE, would
    take twenty times as long.
    """
    emptying = [f"DELETE FROM {table}" for table in CATALOGUE.tables if table != "house"]
    emptying.append("DELETE FROM house WHERE name <> 'key'")
    counting = [f"ALTER SEQUENCE {what}_seq RESTART" for what in NUMBERED]
    server = create_engine(postgres_with_tables)
    with server.begin() as connection:
        connection.execute(text("SET session_replication_role = replica"))
        connection.execute(text("; ".join(emptying + counting)))
    server.dispose()
    return postgres_with_tables


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)])
def url(request: pytest.FixtureRequest) -> str:
    """The URL of a database with tables."""
    if request.param == "sqlite":
        return f"sqlite:///{request.getfixturevalue('sqlite_file')}"
    emptied: str = request.getfixturevalue("postgres_emptied")
    return emptied


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store, at noon."""
    store = Store(url, clock_at_noon())
    store.open(create=False)
    yield store
    store.close()
