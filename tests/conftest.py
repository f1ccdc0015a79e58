"""Fixtures that need real servers.

They are started once a run, when the first test asks. Where a server cannot run, its tests are skipped with
the reason; with REFEREE_REQUIRE_SERVERS=1 in the environment they fail instead, whoever skips them.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator

import pytest

from tests.servers.launching import ServerAbsent
from tests.servers.mail import MailServers
from tests.servers.postgres import PostgresServer


SERVERS = {"mail_servers", "postgres_server"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks for a server, so that nobody has to remember to."""
    for item in items:
        if isinstance(item, pytest.Function) and SERVERS & set(item.fixturenames):
            item.add_marker(pytest.mark.servers)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count a skipped test of servers as failed where servers are required."""
    report = yield
    required = os.environ.get("REFEREE_REQUIRE_SERVERS") == "1"
    if required and report.skipped and item.get_closest_marker("servers") is not None:
        report.outcome = "failed"
        report.longrepr = f"REFEREE_REQUIRE_SERVERS is 1, but this was skipped: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def mail_servers() -> Iterator[MailServers]:
    """Dovecot and Postfix; every address of their domains exists, each with the password "secret"."""
    try:
        servers = MailServers()
    except ServerAbsent as reason:
        pytest.skip(str(reason))
    servers.start()
    try:
        yield servers
    finally:
        servers.stop()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    try:
        server = PostgresServer()
        server.start()
    except ServerAbsent as reason:
        pytest.skip(str(reason))
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """Return the SQLAlchemy URL of an empty database that no other test sees."""
    return postgres_server.new_database()
