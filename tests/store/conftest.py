"""The same tests run against both databases; those of one alone ask for its URL.

Tables are made once a run, and copied for each test.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from referee.store.store import Store
from tests.servers.postgres import PostgresServer
from tests.store.scenery import clock_at_noon


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
def postgres_copy(postgres_with_tables: str, request: pytest.FixtureRequest) -> str:
    """The URL of a PostgreSQL database with tables."""
    url = make_url(postgres_with_tables)
    name = f"{url.database}_{abs(hash(request.node.nodeid))}"
    server = create_engine(url.set(database="postgres"), isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}" TEMPLATE "{url.database}"'))
    server.dispose()
    return url.set(database=name).render_as_string(hide_password=False)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)])
def url(request: pytest.FixtureRequest) -> str:
    """The URL of a database with tables."""
    if request.param == "sqlite":
        return f"sqlite:///{request.getfixturevalue('sqlite_file')}"
    copied: str = request.getfixturevalue("postgres_copy")
    return copied


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store, at noon."""
    store = Store(url, clock_at_noon())
    store.open(create=False)
    yield store
    store.close()
