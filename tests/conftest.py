"""A club, and fixtures that need real servers, or a browser.

Servers are started once a run, when the first test asks, the browser once a module. Where one cannot run, its tests are
skipped with the reason; with REQUIRE_SERVERS=1 in the environment they fail instead, whoever skips them.
"""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
import structlog
from hypothesis import settings

from tests.archive.site.browser import Chromium, chromium
from tests.servers.launching import ServerAbsent
from tests.servers.mail import MailServers
from tests.servers.postgres import PostgresServer
from tests.support.folders import cache_folder, quick_folder
from tests.support.playing import Club, new_database
from tests.support.sharing import import_from_another_place
from tests.support.telling import longest_first, mark_other_cases

pytest_plugins = ("tests.transcripts.transcribing",)

# Tests start the program some hundred times: without this each start compiles every module again where the
# environment says that nothing compiled is to be kept.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Whoever names a folder for temporary files has reasons to.
os.environ.setdefault("TMPDIR", quick_folder())
tempfile.tempdir = None  # asked for already, while the run's output was being caught
# The processes of a run, and the programs that they start, share what is compiled.
os.environ["CACHE_DIRECTORY"] = cache_folder()

SERVERS = {"mail_servers", "postgres_server"}
BROWSERS = {"browser"}
CLUBS = {"club", "clubs"}
REQUIRED = os.environ.get("REQUIRE_SERVERS") == "1"

# How long an example takes says more of the machine than of the code.
settings.register_profile("gate", deadline=None)
settings.register_profile("here", deadline=None, max_examples=25)
settings.load_profile("gate" if REQUIRED else "here")


def _do_without(reason: ServerAbsent) -> NoReturn:
    if REQUIRED:
        pytest.fail(f"REQUIRE_SERVERS is 1, but {reason}", pytrace=False)
    pytest.skip(str(reason))


def _is_whole(config: pytest.Config) -> bool:
    """Return whether the whole suite was asked for, and not some tests by their names."""
    if (told := getattr(config, "workerinput", None)) is not None:
        return bool(told["whole"])
    asked = config.option.keyword or config.option.rewrite_transcripts
    return config.args_source is not pytest.Config.ArgsSource.ARGS and not asked


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return how many processes run tests: one more than processors, for a fifth of the time is waiting."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a process that runs tests what was asked for."""
    node.workerinput["whole"] = _is_whole(node.config)


def pytest_collection(session: pytest.Session) -> None:
    """Let the processes that run the whole suite import its modules in different orders."""
    told = getattr(session.config, "workerinput", None)
    if told is not None and told["whole"]:
        number = int(told["workerid"].removeprefix("gw"))
        import_from_another_place(Path(__file__).parent, number, told["workercount"])


def pytest_collection_finish() -> None:
    """Leave what was collected out of the search for garbage: it is much, and stays until the end."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)  # before -m chooses among them
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what the quick run leaves out: other cases than the telling ones, and what asks for a server or a club."""
    mark_other_cases(items, _is_whole(config))
    if _is_whole(config):
        longest_first(items)
    elif config.option.markexpr in config.getini("addopts"):
        config.option.markexpr = "not full"
    for item in items:
        if isinstance(item, pytest.Function) and SERVERS & set(item.fixturenames):
            item.add_marker(pytest.mark.servers)
        if isinstance(item, pytest.Function) and BROWSERS & set(item.fixturenames):
            item.add_marker(pytest.mark.browser)
        letters = isinstance(item, pytest.Function) and CLUBS & set(item.fixturenames)
        if letters and item.get_closest_marker("telling") is None:
            item.add_marker(pytest.mark.letters)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count a skipped test of servers, or of the browser, as failed where servers are required."""
    report = yield
    needs = any(item.get_closest_marker(mark) is not None for mark in ("servers", "browser"))
    if REQUIRED and report.skipped and needs:
        report.outcome = "failed"
        report.longrepr = f"REQUIRE_SERVERS is 1, but this was skipped: {report.longrepr}"
    return report


@pytest.fixture(autouse=True)
def _log_as_before() -> Iterator[None]:
    """Set the log back after a test: a command that ran within it has sent the log to its own standard error."""
    yield
    structlog.reset_defaults()


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    yield club
    club.close()


@pytest.fixture(scope="session")
def mail_servers() -> Iterator[MailServers]:
    """Dovecot and Postfix; every address of their domains exists, each with the password "secret"."""
    try:
        servers = MailServers(fleeting=True)
    except ServerAbsent as reason:
        _do_without(reason)
    servers.start()
    try:
        yield servers
    finally:
        servers.stop()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    try:
        server = PostgresServer(fleeting=True)
        server.start()
    except ServerAbsent as reason:
        _do_without(reason)
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """Return the SQLAlchemy URL of an empty database that no other test sees."""
    return postgres_server.new_database()


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    """Chromium. As long as it runs, no test can have an event loop of its own, so that it ends with its module."""
    try:
        with chromium() as running:
            yield running
    except ServerAbsent as reason:
        _do_without(reason)
