"""An operator at his terminal, for tests: a settings file, two Maildirs, and the commands as he types them."""

from __future__ import annotations

import email
import email.policy
import itertools
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
import structlog
from click.testing import CliRunner
from sqlalchemy import URL, Connection, Engine, inspect

from referee.cli.demo import sample_game
from referee.cli.main import main
from referee.store import connections, schema
from referee.store.engine import make_engine
from referee.store.migrations import migrate
from tests.support.playing import compile_once

REFEREE = "referee@example.org"
HOST = "mx.example.org"
"""The mail host that vouches for senders."""
WENDY, YANNICK = "wendy@example.net", "yannick@example.com"
SEATS = ("--seat", f"White=Wendy <{WENDY}>", "--seat", f"yellow=Yannick <{YANNICK}>")

SERVICE = f"""\
[service]
address = "{REFEREE}"
database = "sqlite:///referee.db"

[trust]
authserv_id = ["{HOST}"]
"""
MAILDIR_IN = """
[inbox]
kind = "maildir"
path = "mail/in"
"""
MAILDIR_OUT = """
[outbox]
kind = "maildir"
path = "mail/out"
"""
TRANSACTION = ("BEGIN TRANSACTION;", "COMMIT;")
"""What a dump stands between."""
LETTER_NUMBERS = itertools.count(1)


def imap(port: int, *, password: str = "secret", more: str = "") -> str:
    """Return the settings of an IMAP mailbox on this machine."""
    return (
        f'\n[inbox]\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\n'
        f'username = "referee"\npassword = "{password}"\n{more}'
    )


def smtp(port: int, *, password: str = "secret") -> str:
    """Return the settings of a submission server on this machine."""
    return (
        f'\n[outbox]\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\n'
        f'username = "referee"\npassword = "{password}"\n'
    )


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on standard output."""
        return json.loads(self.out)


@dataclass
class Desk:
    """An operator's folder. settings: the text of its referee.toml."""

    folder: Path
    settings: str = SERVICE + MAILDIR_IN + MAILDIR_OUT
    environ: Mapping[str, str] = field(default_factory=dict)
    _read: dict[Path, EmailMessage] = field(default_factory=dict, init=False, repr=False)
    """The letters that were looked at: in a Maildir they do not change."""

    def __post_init__(self) -> None:
        self.write_settings(self.settings)

    @property
    def config(self) -> Path:
        return self.folder / "referee.toml"

    @property
    def database(self) -> Path:
        return self.folder / "referee.db"

    def write_settings(self, text: str) -> None:
        self.config.write_text(text, encoding="utf-8")

    def do(self, *words: str | Path, before: Sequence[str] = ()) -> Said:
        """Type `referee` with these words. before: options that stand before the command."""
        return type_words("--config", str(self.config), *before, *map(str, words), environ=self.environ)

    def done(self, *words: str | Path) -> Said:
        """Type `referee` with these words, which must succeed."""
        said = self.do(*words)
        assert said.status == 0, said
        return said

    def command(self, *words: str, before: Sequence[str] = ()) -> list[str]:
        """Return the command line for a process of its own."""
        return [sys.executable, "-m", "referee", "--config", str(self.config), *before, *words]

    @contextmanager
    def process(self, *words: str, before: Sequence[str] = ()) -> Iterator[subprocess.Popen[str]]:
        """Run `referee` with these words in a process of its own, which is ended at last."""
        running = subprocess.Popen(
            self.command(*words, before=before),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **self.environ},
            cwd=self.folder,
        )
        try:
            yield running
        finally:
            if running.poll() is None:
                running.kill()
            running.communicate()

    def put(self, content: bytes, name: str = "") -> None:
        """Lay a letter into the Maildir that the referee reads: written apart, so that it is never seen in part."""
        box = self.folder / "mail" / "in"
        for part in ("cur", "new", "tmp"):
            (box / part).mkdir(parents=True, exist_ok=True)
        name = name or f"letter-{next(LETTER_NUMBERS):06d}"
        (box / "tmp" / name).write_bytes(content)
        (box / "tmp" / name).rename(box / "new" / name)

    def posted(self) -> list[EmailMessage]:
        """Return the letters in the Maildir that the referee writes into, in the order in which they came."""
        paths = (self.folder / "mail" / "out" / "new").glob("*")
        return [self._letter(path) for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns)]

    def _letter(self, path: Path) -> EmailMessage:
        if path not in self._read:
            self._read[path] = read_mail(path.read_bytes())
        return self._read[path]

    def last_to(self, address: str) -> EmailMessage:
        """Return the newest letter to somebody."""
        return [letter for letter in self.posted() if address in letter["To"]][-1]

    def new_game(self, *more: str) -> int:
        """Start a game between Wendy and Yannick; return its number."""
        return int(self.done("new", "confusion", *SEATS, *more).out)

    def sample_game_begun(self) -> int:
        """Start the book's sample game."""
        sample = sample_game()
        return self.new_game("--first", sample.first, "--deal", sample.deal)


def type_words(*words: str, environ: Mapping[str, str] | None = None) -> Said:
    """Type `referee` with these words, in this process."""
    try:
        with _as_if_long_at_work():
            result = CliRunner().invoke(main, words, env=dict(environ or {}), prog_name="referee")
    finally:
        structlog.reset_defaults()  # the log went to the command's own standard error, which is closed now
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Said(result.exit_code, result.stdout, result.stderr)


@contextmanager
def _as_if_long_at_work() -> Iterator[None]:
    """Let a command use what others in this process have worked out, although it opens the database anew.

    A process of its own would put every statement into SQLite's words and carry out every migration, which takes most
    of its time; both have tests of their own (`tests/store`).
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "make_engine", _make_engine)
        patch.setattr(schema, "migrate", _migrate)
        yield


def _make_engine(url: URL, name: str) -> Engine:
    engine = make_engine(url, name)
    compile_once(engine)
    return engine


EMPTY_TABLES: list[str] = []
"""What makes an empty SQLite database into one with all tables, as the migrations have left it the first time."""


def _migrate(connection: Connection) -> None:
    if connection.dialect.name != "sqlite" or inspect(connection).get_table_names():
        migrate(connection)
        return
    database = connection.connection.driver_connection
    assert isinstance(database, sqlite3.Connection)
    if not EMPTY_TABLES:
        migrate(connection)
        EMPTY_TABLES[:] = [each for each in database.iterdump() if each not in TRANSACTION]
        return
    for statement in EMPTY_TABLES:
        database.execute(statement).close()


def read_mail(content: bytes) -> EmailMessage:
    """Read a letter as a mail program does."""
    message = email.message_from_bytes(content, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def write_mail(
    text: str, *, sender: str, to: str = REFEREE, subject: str = "a letter", domain: str = "", **more: str
) -> bytes:
    """Write a person's letter as it lies in the mailbox, with what his mail host vouches for.

    domain: what is vouched for, if not the sender's own. more: further headers, `_` for `-`.
    """
    number = next(LETTER_NUMBERS)
    headers = {
        "Authentication-Results": f"{HOST}; dmarc=pass header.from={domain or sender.rpartition('@')[2]}",
        "Delivered-To": to,
        "From": sender,
        "To": to,
        "Subject": subject,
        "Message-ID": f"<letter-{number}@example.net>",
        "Date": format_datetime(datetime.now(UTC) + timedelta(seconds=number)),
        **{name.replace("_", "-"): value for name, value in more.items()},
    }
    head = "".join(f"{name}: {value}\n" for name, value in headers.items())
    return f"{head}\n{text}\n".encode()


def answer(letter: EmailMessage, text: str, *, sender: str = "") -> bytes:
    """Write an answer to a letter of the referee's. sender: somebody else than its reader."""
    return write_mail(
        text,
        sender=sender or letter["To"].addresses[0].addr_spec,
        to=letter["Reply-To"].addresses[0].addr_spec,
        subject=f"Re: {letter['Subject']}",
        In_Reply_To=letter["Message-ID"],
    )


def text_of(letter: EmailMessage) -> str:
    """Return a letter's plain text."""
    part = letter.get_body(("plain",))
    assert isinstance(part, EmailMessage)
    return str(part.get_content())
