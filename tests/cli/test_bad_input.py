"""What goes wrong is said in one sentence at the right place, nothing is lost, and the exit status tells its kind."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from referee.cli.demo import sample_game
from referee.common.clock import SystemClock
from referee.store.database import Store
from tests.servers.small_imap import SmallImap
from tests.servers.small_smtp import HANG_UP, SmallSmtp
from tests.support.operating import (
    MAILDIR_IN,
    MAILDIR_OUT,
    REFEREE,
    SERVICE,
    WENDY,
    YANNICK,
    Desk,
    Said,
    answer,
    imap,
    smtp,
    text_of,
    type_words,
    write_mail,
)
from tests.support.telling import telling

MOVE = sample_game().moves["white"][0]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def mailbox() -> Iterator[SmallImap]:
    with SmallImap().running() as server:
        yield server


@pytest.fixture
def post() -> Iterator[SmallSmtp]:
    with SmallSmtp().running() as server:
        yield server


def sentence(said: Said, status: int) -> str:
    """Return the one sentence of a command that failed with this status and printed nothing else."""
    assert (said.status, said.out) == (status, ""), said
    last = said.err.splitlines()[-1]
    assert last.startswith("referee: ")
    return last.removeprefix("referee: ")


# Settings


BROKEN = {
    "a language that is not written yet": (
        SERVICE.replace("[trust]", 'language = "de"\n[trust]') + MAILDIR_IN + MAILDIR_OUT,
        'expected one of the languages that letters are written in: en, fr, not "de"',
    ),
    "no TOML": ("[service\n", "referee.toml"),
    "an unknown key": (SERVICE.replace("address", "adress") + MAILDIR_IN + MAILDIR_OUT, "address"),
    "an unknown section": (SERVICE + MAILDIR_IN + MAILDIR_OUT + "\n[outbax]\nhost = 'a'\n", "outbax"),
    "a wrong type": (SERVICE + MAILDIR_IN + 'poll = "soon"\n' + MAILDIR_OUT, "poll"),
    "a key missing": (SERVICE + MAILDIR_OUT, "inbox.host"),
    "a password file that is missing": (
        SERVICE + imap(1).replace('password = "secret"', 'password_file = "no.secret"') + MAILDIR_OUT,
        "no.secret",
    ),
    "a database of no known kind": (SERVICE.replace("sqlite:", "oracle:") + MAILDIR_IN + MAILDIR_OUT, "database"),
    "a password in the clear": (
        SERVICE + imap(1).replace("127.0.0.1", "imap.example.org") + MAILDIR_OUT,
        "security",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_settings_that_cannot_be_used_are_status_2_and_nothing_is_started(desk: Desk, what: str) -> None:
    text, named = BROKEN[what]
    desk.write_settings(text)
    for command in ("run", "run --once", "init"):
        assert named in sentence(desk.do(*command.split()), 2)
    assert not (desk.folder / "mail").exists()


def test_a_settings_file_that_cannot_be_read_is_named(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.config.write_bytes(b"\xff\xfe\x00binary")
    assert "referee.toml" in sentence(desk.do("games"), 2)
    desk.config.unlink()
    assert "referee.toml" in sentence(desk.do("games"), 2)
    desk.config.mkdir()
    directory = desk.do("games")
    assert (directory.status, directory.out) == (2, "")
    assert "referee.toml" in directory.err
    monkeypatch.chdir(desk.folder / "referee.toml")
    assert "--write-config" in sentence(type_words("games"), 2)


def test_an_unknown_variable_is_named(desk: Desk) -> None:
    desk.environ = {"REFEREE_INBX__HOST": "imap.example.org"}
    assert "REFEREE_INBX__HOST" in sentence(desk.do("run", "--once"), 2)


# Servers


def test_an_unreachable_mailbox_is_status_3_and_letters_go_out_all_the_same(desk: Desk) -> None:
    desk.write_settings(SERVICE + imap(1) + MAILDIR_OUT)
    desk.new_game()
    assert "127.0.0.1:1 refuses connections" in sentence(desk.do("run", "--once", "--json"), 3)
    assert len(desk.posted()) == 2


def test_a_wrong_password_for_the_mailbox_is_said_with_its_cure(desk: Desk, mailbox: SmallImap) -> None:
    mailbox.deliver(write_mail("help", sender=WENDY))
    desk.write_settings(SERVICE + imap(mailbox.port, password="hunter2") + MAILDIR_OUT)
    said = desk.do("run", "--once")
    assert "correct [inbox] username or password" in sentence(said, 3)
    assert "hunter2" not in said.err
    assert len(mailbox.folders["INBOX"]) == 1


def test_a_wrong_password_for_the_way_out_is_said_and_letters_wait(desk: Desk, post: SmallSmtp) -> None:
    desk.write_settings(SERVICE + MAILDIR_IN + smtp(post.port, password="hunter2"))
    desk.new_game()
    said = desk.do("run", "--once", "--json")
    assert (said.status, said.json["sent"], said.json["failures"]) == (3, 0, 2)
    assert "correct [outbox] username or password" in said.err
    assert "hunter2" not in said.err
    desk.write_settings(SERVICE + MAILDIR_IN + smtp(post.port))
    assert desk.done("run", "--once", "--json").json["sent"] == 2
    assert len(post.taken) == 2


def test_a_letter_that_one_recipients_host_refuses_does_not_stop_the_others(
    desk: Desk, post: SmallSmtp
) -> None:
    post.answers["RCPT"] = ["450 4.2.0 later"]
    desk.write_settings(SERVICE + MAILDIR_IN + smtp(post.port))
    desk.new_game()
    said = desk.do("run", "--once", "--json")
    assert (said.status, said.json["sent"], said.json["failures"]) == (3, 1, 1)
    assert "1 letter could not be posted" in said.err


@pytest.mark.parametrize("word", telling(["END"], others=["CONNECT", "MAIL"]))
def test_a_mail_server_that_hangs_up_loses_no_letter(desk: Desk, post: SmallSmtp, word: str) -> None:
    desk.write_settings(SERVICE + MAILDIR_IN + smtp(post.port))
    desk.new_game()
    post.answers[word] = [HANG_UP] * 4
    assert desk.do("run", "--once").status == 3
    with closing(sqlite3.connect(desk.database)) as database:
        states = database.execute("SELECT DISTINCT state FROM outgoing").fetchall()
    assert states == [("queued",)]


# The database


def test_a_file_that_is_no_database_is_named_and_left_as_it_is(desk: Desk) -> None:
    desk.database.write_bytes(b"this is not a database, but a letter to my aunt\n" * 100)
    for command in ("games", "run --once", "init"):
        assert str(desk.database) in sentence(desk.do(*command.split()), 2)
    assert desk.database.read_bytes().startswith(b"this is not a database")


def test_a_database_of_a_newer_release_is_refused_by_every_command(desk: Desk) -> None:
    desk.new_game()
    with closing(sqlite3.connect(desk.database)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    for command in ("games", "run", "run --once", "init", "letters", "show 1", "record 1"):
        assert "newer release" in sentence(desk.do(*command.split()), 2)


def test_a_database_that_cannot_be_used_is_let_go_of(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.database.write_bytes(b"this is a shopping list" * 100)
    closed: list[Store] = []
    close = Store.close

    def note(store: Store) -> None:
        closed.append(store)
        close(store)

    monkeypatch.setattr(Store, "close", note)
    assert desk.do("games").status in (2, 3)
    assert len(closed) == 1


def test_a_folder_that_is_not_there_is_named(desk: Desk) -> None:
    desk.write_settings(desk.settings.replace("sqlite:///referee.db", "sqlite:///no/folder/referee.db"))
    said = sentence(desk.do("games"), 3)
    assert "no/folder" in said and "or name another file as [service] database" in said


def test_a_list_without_games_says_which_database_it_is_and_what_starts_a_game(desk: Desk) -> None:
    """The database is made where there is none: its name shows whether it is the one that was meant."""
    none = f"There are no games yet in {desk.database} ([service] database); `referee new` starts one.\n"
    for _ in range(2):
        assert desk.done("games").out == none


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "absent"),
        ("verify", "absent"),
        ("verify", "--script", "--", "absent"),
        ("replay", __file__, "--table", "absent"),
        ("read", "absent"),
        ("bundle", "--check", "absent"),
        ("event", "new", "absent"),
        ("scenario", "check", "absent"),
        ("new", "confusion", "--seat", f"white={WENDY}", "--seat", f"yellow={YANNICK}", "--from", "absent"),
        ("--config", "absent", "games"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_file_that_is_not_there_is_a_usage_error_in_every_command(
    desk: Desk, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk.folder)
    said = type_words(*words) if "--config" in words else desk.do(*words)
    assert (said.status, said.out) == (2, "") and "absent" in said.err
    assert not desk.database.exists()


def test_a_bundle_without_a_file_or_of_no_event_says_which_is_missing(desk: Desk) -> None:
    assert "which event, and into which file?" in sentence(desk.do("bundle"), 2)
    assert "into which file? Name it with -o: `referee bundle" in sentence(desk.do("bundle", "Nope"), 2)
    said = sentence(desk.do("bundle", "Nope", "-o", str(desk.folder / "x.tar")), 2)
    assert "there is no event 'Nope'; `referee event list` lists all there are" in said
    assert not (desk.folder / "x.tar").exists()


@contextmanager
def every_connection(*pragmas: str) -> Iterator[None]:
    """Within this, SQLite behaves as on a disk that is full, or may not be written."""

    def prepare(connection: sqlite3.Connection, record: Any) -> None:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").close()

    event.listen(Engine, "connect", prepare)
    try:
        yield
    finally:
        event.remove(Engine, "connect", prepare)


def waiting_move(desk: Desk) -> None:
    """Begin the sample game and lay its first move into the mailbox."""
    desk.sample_game_begun()
    desk.done("run", "--once")
    desk.put(answer(desk.last_to(WENDY), MOVE), "move")


def assert_taken_now(desk: Desk) -> None:
    """Assert that the move is taken as if nothing had been, and only once."""
    said = desk.done("run", "--once", "--json").json
    assert (said["letters"], said["moves"], said["sent"]) == (1, 1, 2)
    assert desk.done("run", "--once", "--json").json["letters"] == 0


def test_a_database_that_may_only_be_read_is_status_3_and_the_letter_stays(desk: Desk) -> None:
    waiting_move(desk)
    with every_connection("query_only = ON"):
        for command in (
            ["run", "--once"],
            ["new", "confusion", "--seat", f"white={WENDY}", "--seat", "yellow=z@example.net"],
        ):
            said = sentence(desk.do(*command), 3)
            assert str(desk.database) in said
            assert "may not be written" in said
        assert desk.done("games", "--json").json[0]["turn"] == 1
    assert (desk.folder / "mail/in/new/move").exists()
    assert_taken_now(desk)


def test_a_full_disk_is_status_3_and_the_letter_stays(desk: Desk) -> None:
    waiting_move(desk)
    desk.put(write_mail("V-N1\n" + "x" * 40_000, sender=YANNICK), "big")
    with closing(sqlite3.connect(desk.database)) as database:
        (pages,) = database.execute("PRAGMA page_count").fetchone()
    with every_connection(f"max_page_count = {pages}"):
        said = sentence(desk.do("run", "--once"), 3)
        assert "the disk is full" in said
    assert sorted(path.name for path in (desk.folder / "mail/in/new").iterdir()) == ["big", "move"]
    said_now = desk.done("run", "--once", "--json").json
    assert (said_now["letters"], said_now["moves"]) == (2, 1)


@pytest.mark.subprocess
def test_no_file_can_grow_any_more_and_nothing_is_lost(desk: Desk) -> None:
    """The system itself refuses to write, to the database as to the mailbox."""
    waiting_move(desk)

    limited = (
        "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    said = subprocess.run(
        [sys.executable, "-c", limited, *desk.command("run", "--once")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (said.returncode, said.stdout) == (3, "")
    assert said.stderr.splitlines()[-1].startswith("referee: the database")
    assert_taken_now(desk)


def test_a_maildir_without_room_keeps_letters_in_the_outbox(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.new_game()

    def no_room(path: Path, *args: Any) -> int:
        raise OSError(28, "No space left on device", str(path))

    with monkeypatch.context() as patch:
        patch.setattr("referee.mail.outbox.maildir.os.fsync", no_room)
        said = desk.do("run", "--once", "--json")
    assert (said.status, said.json["sent"], said.json["failures"]) == (3, 0, 2)
    assert "No space left on device" in said.err
    assert desk.done("run", "--once", "--json").json["sent"] == 2
    assert len(desk.posted()) == 2


def test_a_maildir_that_is_a_file_is_named(desk: Desk) -> None:
    (desk.folder / "mail").write_text("not a folder")
    assert "mail/in" in sentence(desk.do("run", "--once"), 3)


def test_another_daemon_is_named_and_other_commands_work_beside_it(desk: Desk) -> None:
    desk.new_game()
    store = Store(f"sqlite:///{desk.database}", SystemClock())
    with store.lock():
        for command in (["run"], ["run", "--once"]):
            assert "works on the database" in sentence(desk.do(*command), 3)
        assert desk.new_game() == 2
        assert len(desk.done("games", "--json").json) == 2
        desk.done("init", "--offline")
        desk.done("backup", desk.folder / "copy.db")
    store.close()
    desk.done("run", "--once")


# Letters


HUGE = 30_000_000


def huge(letter: bytes) -> bytes:
    return letter + b"x" * 76 * (HUGE // 76)


def test_a_letter_of_30_megabytes_is_set_aside_and_its_writer_told_once(desk: Desk) -> None:
    waiting_move(desk)
    (desk.folder / "mail/in/new/move").unlink()
    letter = huge(answer(desk.last_to(WENDY), MOVE))
    desk.put(letter, "huge")
    desk.put(answer(desk.last_to(YANNICK), "status"), "status")
    said = desk.done("run", "--once", "--json").json
    assert (said["letters"], said["moves"], said["sent"]) == (2, 0, 2)
    row = desk.done("letters", "--json").json[0]
    assert (row["outcome"], row["sender"], row["game"]) == ("set-aside", WENDY, 1)
    assert row["reason"] == f"too large to be read: {len(letter):,} octets"
    told = desk.last_to(WENDY)
    assert "too large" in text_of(told)
    assert "10 MB" in text_of(told)
    assert told["X-Referee-Game"] == "1"
    assert (desk.folder / "mail/in/.Done/cur/huge:2,S").stat().st_size == len(letter)
    assert desk.database.stat().st_size < 5_000_000
    desk.put(letter, "the same again")
    assert desk.done("run", "--once", "--json").json["sent"] == 0
    assert desk.done("games", "--json").json[0]["turn"] == 1


@pytest.mark.parametrize(
    "letter",
    [
        write_mail("V-N1", sender=WENDY, domain="evil.example"),
        write_mail("V-N1", sender="stranger@example.net"),
        write_mail("V-N1", sender=WENDY, Auto_Submitted="auto-replied"),
    ],
    ids=["unverified", "unknown", "automatic"],
)
def test_a_letter_of_30_megabytes_that_is_no_players_is_answered_by_nobody(desk: Desk, letter: bytes) -> None:
    desk.new_game()
    desk.done("run", "--once")
    desk.put(huge(letter))
    said = desk.done("run", "--once", "--json").json
    assert (said["letters"], said["sent"]) == (1, 0)
    assert desk.done("letters", "--json").json[0]["outcome"] in ("set-aside", "ignored")


def test_a_letter_of_30_megabytes_in_an_imap_mailbox_is_not_fetched(desk: Desk, mailbox: SmallImap) -> None:
    desk.write_settings(SERVICE + imap(mailbox.port) + MAILDIR_OUT)
    desk.sample_game_begun()
    desk.done("run", "--once")
    crlf = answer(desk.last_to(WENDY), MOVE).replace(b"\n", b"\r\n")
    mailbox.deliver(crlf, size=HUGE)
    said = desk.done("run", "--once", "--json").json
    assert (said["letters"], said["moves"], said["sent"]) == (1, 0, 1)
    assert "too large" in text_of(desk.last_to(WENDY))
    assert mailbox.folders["INBOX"] == {}


def test_read_copes_with_30_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "huge.eml"
    path.write_bytes(huge(write_mail("V-NW2xZ", sender="anna@example.net")))
    said = type_words("read", str(path), "--json")
    assert (said.status, said.json["outcome"], said.json["sender"]) == (0, "refused", "anna@example.net")
    assert said.json["reason"]


def test_a_letter_of_zero_bytes_is_recorded_ignored_and_stands_in_nobodys_way(desk: Desk) -> None:
    waiting_move(desk)
    desk.put(b"", "0-empty")
    said = desk.done("run", "--once", "--json").json
    assert (said["letters"], said["moves"]) == (2, 1)
    outcomes = {row["outcome"]: row["reason"] for row in desk.done("letters", "--json").json}
    assert outcomes["ignored"]
    assert list((desk.folder / "mail/in/new").iterdir()) == []


def test_a_move_by_someone_who_is_not_in_the_game_changes_nothing(desk: Desk) -> None:
    desk.sample_game_begun()
    desk.done("run", "--once")
    before = desk.done("show", "1").out
    reply = desk.last_to(WENDY)
    tagged = answer(reply, MOVE, sender="stranger@example.net")
    untagged = write_mail(MOVE, sender="other@example.net", subject="[game 1] Confusion")
    by_opponent = answer(reply, MOVE, sender=YANNICK)
    for letter in (tagged, untagged, by_opponent):
        desk.put(letter)
    said = desk.done("run", "--once", "--json").json
    assert (said["letters"], said["moves"]) == (3, 0)
    rows = desk.done("letters", "--json").json
    assert [row["outcome"] for row in rows] == ["held", "answered", "answered"]
    assert desk.done("show", "1").out == before
    told = {
        letter["To"].addresses[0].addr_spec
        for letter in desk.posted()
        if letter["X-Referee-Kind"] in ("notice", "help")
    }
    assert told == {"other@example.net", WENDY}
    (refusal,) = (letter for letter in desk.posted() if letter["X-Referee-Kind"] == "refusal")
    assert refusal["To"].addresses[0].addr_spec == YANNICK, (
        "it counts as his own, since the tag is no longer hers"
    )


def test_a_registered_player_who_moves_in_others_game_is_told_that_he_does_not_sit_there(desk: Desk) -> None:
    desk.sample_game_begun()
    desk.done(
        "new",
        "confusion",
        "--seat",
        "white=anna@example.net",
        "--seat",
        "yellow=bert@example.net",
        "--first",
        "white",
    )
    desk.done("run", "--once")
    desk.put(write_mail(MOVE, sender="anna@example.net", subject="[game 1] Confusion 1"))
    said = desk.done("run", "--once", "--json").json
    assert (said["refused"], said["moves"]) == (1, 0)
    assert "game 1" in text_of(desk.last_to("anna@example.net"))


def test_no_letter_however_odd_stops_the_next_one(desk: Desk) -> None:
    waiting_move(desk)
    odd = [
        b"\0" * 1000,
        bytes(range(256)) * 50,
        b"From: " + b"a" * 100_000,
        b"\n\n\n",
        b"To: x\nTo: y\n" * 5000,
    ]
    odd.append(b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\n" * 50_000)
    for number, content in enumerate(odd):
        desk.put(content, f"0-odd-{number}")
    said = desk.done("run", "--once", "--json").json
    assert (said["letters"], said["moves"]) == (len(odd) + 1, 1)
    assert REFEREE not in [letter["To"] for letter in desk.posted()]
