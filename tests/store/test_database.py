"""The database itself: made, migrated, copied, locked; and what is said when it cannot be."""

from __future__ import annotations

import errno
import os
import socket
import sqlite3
import stat
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Pool, create_engine, event
from sqlalchemy.exc import IntegrityError

from referee.common.clock import FixedClock
from referee.common.errors import AnotherDaemon, SchemaError, SettingsError, StoreUnreachable, UsageError
from referee.store import migrations
from referee.store.database import Store
from referee.store.tables import CATALOGUE
from tests.store.scenery import NOON, clock_at_noon, letter, start_game


def store_at(path: Path) -> Store:
    return Store(f"sqlite:///{path}", clock_at_noon())


# making and migrating


def test_the_migrations_make_exactly_the_tables(empty_url: str) -> None:
    store = Store(empty_url, clock_at_noon())
    assert store.upgrade() is None
    assert store.upgrade() is None
    store.close()
    engine = create_engine(empty_url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, CATALOGUE) == []
    engine.dispose()


def test_the_release_knows_its_revisions() -> None:
    scripts = ScriptDirectory.from_config(migrations.settings())
    assert tuple(script.revision for script in scripts.walk_revisions())[::-1] == migrations.REVISIONS


def test_an_absent_sqlite_database_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "referee.db"
    store = store_at(path)
    store.open()
    store.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_absent_database_is_not_made_unasked(tmp_path: Path) -> None:
    path = tmp_path / "referee.db"
    with pytest.raises(StoreUnreachable, match="referee init"):
        store_at(path).open(create=False)
    assert not path.exists()


def test_processes_that_make_the_same_database_do_not_disturb_each_other(tmp_path: Path) -> None:
    stores = [store_at(tmp_path / "referee.db") for _ in range(4)]
    failures: list[Exception] = []

    def open_store(store: Store) -> None:
        try:
            store.open()
            store.incoming.record([letter()])
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=open_store, args=[store]) for store in stores]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert failures == []
    keys = set()
    for store in stores:
        with store.reading() as lookup:
            keys.add(lookup.service_key())
        assert store.incoming.waiting() == [1]
        store.close()
    assert len(keys) == 1


def test_sqlite_commits_to_the_disk_and_checks_references(sqlite_file: Path) -> None:
    store = store_at(sqlite_file)
    with store.unit() as unit:
        asked = [
            unit._transaction.connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    store.close()
    assert asked == ["wal", 2, 1, 10_000]


@pytest.mark.servers
def test_an_empty_postgresql_database_needs_init(postgres_url: str) -> None:
    store = Store(postgres_url, clock_at_noon())
    with pytest.raises(SchemaError, match="referee init"):
        store.open()
    store.upgrade()
    store.open()
    store.close()


def set_revision(path: Path, revision: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", [revision])
        connection.commit()


def test_a_newer_releases_database_is_refused(sqlite_file: Path) -> None:
    set_revision(sqlite_file, "9999")
    store = store_at(sqlite_file)
    with pytest.raises(SchemaError, match=r"newer release.*9999") as refusal:
        store.open()
    with pytest.raises(SchemaError, match="newer release"):
        store.upgrade()
    store.close()
    assert refusal.value.exit_status == 2
    assert "\n" not in str(refusal.value)


@pytest.fixture
def next_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A release with one revision more, which copies the table of games."""
    folder = tmp_path / "migrations"
    (folder / "versions").mkdir(parents=True)
    here = Path(migrations.__file__).parent
    for path in (here / "env.py", *(here / "versions").glob("*.py")):
        (folder / path.relative_to(here)).write_bytes(path.read_bytes())
    (folder / "versions" / "next.py").write_text(
        "import sqlalchemy as sa\n"
        "from alembic import op\n"
        f"revision, down_revision = 'next', '{migrations.HEAD}'\n"
        "def upgrade():\n"
        "    with op.batch_alter_table('game', recreate='always') as game:\n"
        "        game.add_column(sa.Column('event_name', sa.Text, nullable=True))\n"
    )
    monkeypatch.setattr(migrations, "LOCATION", str(folder))
    for module in (migrations, sys.modules["referee.store.schema"], sys.modules["referee.store.database"]):
        monkeypatch.setattr(module, "HEAD", "next")
    monkeypatch.setattr(migrations, "REVISIONS", (*migrations.REVISIONS, "next"))


@pytest.mark.usefixtures("next_release")
def test_an_older_releases_database_is_copied_and_then_migrated(sqlite_file: Path) -> None:
    this = migrations.REVISIONS[-2]
    store = store_at(sqlite_file)
    game, _, _ = start_game(store)
    with pytest.raises(SchemaError, match=r"older release.*referee init") as refusal:
        store.open()
    assert refusal.value.exit_status == 2

    copy = store.upgrade()

    assert copy == sqlite_file.with_name(f"referee.db.{this}.20260302-120000")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(this,)]
        assert connection.execute("SELECT number FROM game").fetchall() == [(game,)]
    store.open()
    with store.unit() as unit:
        assert [event.number for event in unit.events.of_game(game)] == [1]
        assert unit._transaction.connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
        assert unit._transaction.connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
        assert unit._transaction.connection.exec_driver_sql("SELECT event_name FROM game").all() == [(None,)]
    store.close()


@pytest.mark.usefixtures("next_release")
def test_nothing_is_migrated_while_the_referee_runs(sqlite_file: Path) -> None:
    running = store_at(sqlite_file)
    store = store_at(sqlite_file)
    with running.lock(), pytest.raises(AnotherDaemon):
        store.upgrade()
    store.close()


# addresses


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("referee.db", "no address of a database"),
        ("sqlite://", "must name a file"),
        ("sqlite:///:memory:", "must name a file"),
        ("mysql://user:secret@host/db", "'mysql'"),
        ("postgresql://user:secret@host/db", "postgresql\\+psycopg://"),
    ],
)
def test_an_address_that_is_none_is_a_fault_of_the_settings(url: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said) as refusal:
        Store(url, clock_at_noon())
    assert "service] database" in str(refusal.value)
    assert "secret" not in str(refusal.value)


def test_a_store_that_was_not_opened_has_no_key(sqlite_file: Path) -> None:
    """An empty key would sign anything."""
    store = store_at(sqlite_file)
    with store.reading() as lookup, pytest.raises(RuntimeError, match="not opened"):
        lookup.service_key()
    store.close()


def test_a_password_is_never_shown() -> None:
    store = Store("postgresql+psycopg://referee:secret@127.0.0.1/referee", clock_at_noon())
    assert "secret" not in f"{store!r} {store.place}"


# troubles


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear referee, this is no database. " * 9)
    store = store_at(path)
    for attempt in (store.open, store.upgrade):
        with pytest.raises(SchemaError, match="not a database") as refusal:
            attempt()
        assert str(path) in str(refusal.value)
    store.close()
    assert path.read_text().startswith("Dear referee")


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "songs.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (title)")
    store = store_at(path)
    with pytest.raises(SchemaError, match=r"another program.*'songs'"):
        store.open()
    store.close()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreUnreachable, match=r"no folder .*/absent; create it"):
        store_at(tmp_path / "absent" / "referee.db").open()
    with pytest.raises(StoreUnreachable, match="cannot be opened"):
        store_at(tmp_path).open()


@contextmanager
def nobody() -> Iterator[None]:
    """Be a user without rights for a while, as far as one may: root can write anything."""
    us = os.geteuid()
    if us == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(us)


def test_a_database_that_may_only_be_read_is_named_with_the_cure() -> None:
    with tempfile.TemporaryDirectory(prefix="referee-store-") as folder:  # pytest's own are closed to others
        path = Path(folder) / "referee.db"
        store = store_at(path)
        store.open()
        with store.lock():
            store.incoming.record([letter("1")])
        store.close()
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        with nobody():
            for attempt in (store.open, lambda: store.incoming.record([letter("2")])):
                with pytest.raises(StoreUnreachable, match=r"referee\.db .*right") as refusal:
                    attempt()
                assert refusal.value.exit_status == 3
            with pytest.raises(StoreUnreachable, match=r"\.lock cannot be written .*right"), store.lock():
                raise AssertionError("it was locked")
        store.close()
        Path(folder).chmod(0o755)


def test_a_full_disk_is_named_and_nothing_is_half_kept(sqlite_file: Path) -> None:
    """SQLite's own limit of a database's pages stands for the disk's."""

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 20}").close()

    event.listen(Pool, "connect", limit)
    store = store_at(sqlite_file)
    try:
        store.incoming.record([letter("1")])
        with pytest.raises(StoreUnreachable, match=r"disk is full.*free some space") as refusal:
            store.incoming.record([letter("2"), letter("3", b"x" * 500_000)])
        assert refusal.value.exit_status == 3
        assert store.incoming.waiting() == [1]
        assert store.incoming.record([letter("2")]) == [2]
    finally:
        event.remove(Pool, "connect", limit)
        store.close()


def test_a_server_out_of_reach_is_named_without_the_password() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        store = Store(f"postgresql+psycopg://referee:secret@127.0.0.1:{port}/referee", clock_at_noon())
        with pytest.raises(StoreUnreachable, match="cannot be reached") as refusal:
            store.open()
    assert str(port) in str(refusal.value)
    assert "secret" not in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.servers
def test_a_database_that_the_server_does_not_have_is_named(postgres_url: str) -> None:
    store = Store(postgres_url + "_absent", clock_at_noon())
    with pytest.raises(StoreUnreachable, match="_absent"):
        store.open()
    store.close()


def test_a_writer_that_does_not_end_is_not_waited_for_for_ever(
    sqlite_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.store.engine.BUSY_SECONDS", 0.01)
    store = store_at(sqlite_file)
    with closing(sqlite3.connect(sqlite_file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnreachable, match="another program"):
            store.incoming.record([letter()])
        other.execute("ROLLBACK")
    assert store.incoming.record([letter()]) == [1]
    store.close()


def test_what_is_wrong_with_this_program_is_not_hidden(store: Store) -> None:
    with pytest.raises(IntegrityError) as bug, store.unit() as unit:
        unit.tags.add("t" * 20, "seat", player=77)
    assert "tttt" not in str(bug.value), "parameters may be secrets"


# copies


def test_a_database_in_use_is_copied_whole(sqlite_file: Path, tmp_path: Path) -> None:
    store = store_at(sqlite_file)
    store.open()
    game, _, _ = start_game(store)
    store.incoming.record([letter("1")])
    target = tmp_path / "copy.db"
    with store.reading() as lookup:
        lookup.players.names()
        store.backup(target)
    store.incoming.record([letter("2")])
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]

    copied = store_at(target)
    copied.open(create=False)
    with copied.reading() as there, store.reading() as here:
        assert there.games.all() == here.games.all()
        assert there.events.of_game(game) == here.events.of_game(game)
        assert there.players.names() == here.players.names()
        assert there.service_key() == here.service_key()
    assert copied.incoming.waiting() == [1]
    copied.close()
    store.close()


def test_a_backup_does_not_overwrite(sqlite_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    target.write_text("something dear")
    with pytest.raises(UsageError, match="exists already"):
        store_at(sqlite_file).backup(target)
    assert target.read_text() == "something dear"


def test_a_backup_that_cannot_be_leaves_nothing_behind(sqlite_file: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreUnreachable, match="cannot be copied"):
        store_at(sqlite_file).backup(tmp_path / "absent" / "copy.db")
    with pytest.raises(StoreUnreachable, match="no database"):
        store_at(tmp_path / "none.db").backup(tmp_path / "copy.db")
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"no database at all" * 99)
    with pytest.raises(SchemaError, match="not a database"):
        store_at(broken).backup(tmp_path / "copy.db")
    assert list(tmp_path.glob("copy*")) == []


def test_a_postgresql_database_is_saved_by_its_own_tools(tmp_path: Path) -> None:
    store = Store("postgresql+psycopg://referee@127.0.0.1/referee", FixedClock(NOON))
    with pytest.raises(UsageError, match="pg_dump"):
        store.backup(tmp_path / "copy")


# one daemon


def test_a_second_daemon_is_told_who_works_already(sqlite_file: Path) -> None:
    first, second = store_at(sqlite_file), store_at(sqlite_file)
    with first.lock():
        with pytest.raises(AnotherDaemon, match=f"process {os.getpid()} on") as refusal, second.lock():
            raise AssertionError("both run")
        assert refusal.value.exit_status == 3
    with second.lock():
        pass


def test_a_second_daemon_that_calls_the_file_by_a_link_is_told_so_too(
    sqlite_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It would take what the first has in hand for a dead process's, and post it once more."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "linked.db").symlink_to(sqlite_file)
    (elsewhere / "folder").symlink_to(sqlite_file.parent, target_is_directory=True)
    for name in (elsewhere / "linked.db", elsewhere / "folder" / sqlite_file.name):
        for first, second in ((sqlite_file, name), (name, sqlite_file)):
            told = pytest.raises(AnotherDaemon, match=f"process {os.getpid()} on")
            with store_at(first).lock(), told, store_at(second).lock():
                raise AssertionError("both run")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_daemon_that_starts_on_a_full_disk_names_the_file_and_the_cure(
    sqlite_file: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fail(path: Path, text: str) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(StoreUnreachable, match="free some space") as refusal, store_at(sqlite_file).lock():
        raise AssertionError("it runs")
    assert f"{sqlite_file}.daemon cannot be written ({os.strerror(number)})" in str(refusal.value)
    monkeypatch.undo()
    with store_at(sqlite_file).lock():
        pass


def test_postgresql_takes_any_number_of_daemons() -> None:
    url = "postgresql+psycopg://referee@127.0.0.1/referee"
    with Store(url, FixedClock(NOON)).lock(), Store(url, FixedClock(NOON)).lock():
        pass
