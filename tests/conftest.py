"""Fixtures that need real servers.

They are started once a run, when the first test asks. Where a server cannot run, its tests are skipped with
the reason; with REFEREE_REQUIRE_SERVERS=1 in the environment they fail instead.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.servers.launching import ServerAbsent
from tests.servers.mail import MailServers
from tests.servers.postgres import PostgresServer


def _absent(reason: ServerAbsent) -> None:
    if os.environ.get("REFEREE_REQUIRE_SERVERS") == "1":
        pytest.fail(f"REFEREE_REQUIRE_SERVERS is 1, but {reason}", pytrace=False)
    pytest.skip(str(reason))


@pytest.fixture(scope="session")
def mail_servers() -> Iterator[MailServers]:
    """Dovecot and Postfix; every address of their domains exists, each with the password "secret"."""
    try:
        servers = MailServers()
    except ServerAbsent as reason:
        _absent(reason)
        raise
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
        _absent(reason)
        raise
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """Return the SQLAlchemy URL of an empty database that no other test sees."""
    return postgres_server.new_database()
