"""Where it happens: mail servers, the wires to them, and the service, which is killed and started again."""

from __future__ import annotations

import signal
import smtplib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, NullPool, Select, create_engine

from referee.rulebooks.rulebook import Seat
from referee.service.bootstrap import open_application, upgrade_store
from referee.service.settings import Settings, load
from tests.servers.mail import AUTHSERV_ID, PASSWORD, MailServers
from tests.servers.postgres import PostgresServer
from tests.servers.wire import Wire

ADDRESS = "soak@example.org"
PAGE = 4096
PATIENCE = 60.0
"""Seconds in which a letter must be taken by Postfix, whatever is done to it meanwhile."""

SETTINGS = """\
[service]
address = "{address}"
database = "{database}"

[inbox]
host = "127.0.0.1"
port = {imap}
security = "none"
username = "{address}"
password = "{password}"
timeout = 10
poll = 5

[outbox]
host = "127.0.0.1"
port = {smtp}
security = "none"
timeout = 10

[trust]
authserv_id = ["{authserv_id}"]
"""


@dataclass(frozen=True)
class Sample:
    """How much memory the service held. at: seconds of time.monotonic; octets: resident."""

    at: float
    octets: int


class Town:
    """Servers and service. reading, posting: the wires between them. letters_taken: by Postfix, from players."""

    def __init__(
        self, folder: Path, servers: MailServers, reading: Wire, posting: Wire, database: str
    ) -> None:
        self.folder, self.servers, self.reading, self.posting = folder, servers, reading, posting
        self.config = folder / "referee.toml"
        self.config.touch(mode=0o600)
        self.config.write_text(
            SETTINGS.format(
                address=ADDRESS,
                database=database or f"sqlite:///{folder}/referee.db",
                imap=reading.port,
                smtp=posting.port,
                password=PASSWORD,
                authserv_id=AUTHSERV_ID,
            )
        )
        upgrade_store(self.settings)
        # Who looks into SQLite just when a killed service's last writes are mended has to wait for it.
        patience = {} if database else {"timeout": PATIENCE}
        self._engine: Engine = create_engine(
            self.settings.service.database, poolclass=NullPool, connect_args=patience
        )
        self._service: subprocess.Popen[bytes] | None = None
        self._changing = threading.Lock()
        self._post: smtplib.SMTP | None = None
        self.starts = 0
        self.samples: list[list[Sample]] = []
        """For each process that there was, in their order."""

    @property
    def settings(self) -> Settings:
        return load(self.config, {})

    def ask(self, query: Select[Any]) -> Sequence[Any]:
        """Look into the database."""
        with self._engine.connect() as connection:
            return connection.execute(query).all()

    def seat(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Start a game for each pair of addresses, as an umpire does: a battle for every fifth."""
        with open_application(self.settings) as application:
            for number, pair in enumerate(pairs):
                rules, sides = (
                    ("confusion", ("white", "yellow")) if number % 5 else ("cards", ("red", "blue"))
                )
                seats = {
                    Seat(side): (name_of(address), address) for side, address in zip(sides, pair, strict=True)
                }
                application.referee.umpire.new_game(rules, seats, {"first": sides[0]})

    # The service

    def start(self) -> None:
        with self._changing, (self.folder / "referee.log").open("ab") as log:
            self.starts += 1
            self.samples.append([])
            self._service = subprocess.Popen(
                [sys.executable, "-m", "tests.soak.service", "--config", str(self.config), "run"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=Path(__file__).parents[2],
            )

    def end(self, how: signal.Signals) -> None:
        """End the service: SIGKILL as a power cut does, SIGTERM as an operator does."""
        with self._changing:
            assert self._service is not None
            self._service.send_signal(how)
            self._service.wait(60)
            self._service = None

    def look_after(self) -> None:
        """See that the service has not ended by itself, and note how much memory it holds."""
        with self._changing:
            if self._service is None:
                return
            if self._service.poll() is not None:
                said = (self.folder / "referee.log").read_text(errors="replace")[-2000:]
                raise RuntimeError(f"the service ended by itself, status {self._service.returncode}: {said}")
            with suppress(FileNotFoundError, ProcessLookupError):
                held = Path(f"/proc/{self._service.pid}/statm").read_text().split()[1]
                self.samples[-1].append(Sample(time.monotonic(), int(held) * PAGE))

    def close(self) -> None:
        with self._changing:
            if self._service is not None:
                self._service.kill()
                self._service.wait()
        self._hang_up()
        self._engine.dispose()

    # The players' mail host

    def post(self, sender: str, recipient: str, content: bytes) -> None:
        """Hand a letter to Postfix until it takes it, as a mail host does. Raises RuntimeError after a minute."""
        give_up = time.monotonic() + PATIENCE
        while True:
            try:
                if self._post is None:
                    self._post = smtplib.SMTP("127.0.0.1", self.servers.mx, timeout=10)
                self._post.sendmail(sender, [recipient], content)
            except (OSError, smtplib.SMTPException) as error:
                self._hang_up()
                if time.monotonic() > give_up:
                    raise RuntimeError(f"Postfix takes no letter: {error}") from error
                time.sleep(0.2)
            else:
                return

    def _hang_up(self) -> None:
        if self._post is not None:
            self._post.close()
            self._post = None

    def lying(self) -> int:
        """Return how many letters lie in the service's inbox."""
        box = self.servers.maildir(ADDRESS)
        return sum(1 for part in ("new", "cur") for _ in (box / part).glob("*"))


def name_of(address: str) -> str:
    """Return what a player is called."""
    return address.partition("@")[0].capitalize()


@contextmanager
def town(folder: Path, database: str) -> Iterator[Town]:
    """Build it. database: sqlite or postgresql. Raises ServerAbsent."""
    servers = MailServers()
    with _postgres(database) as url:
        servers.start()
        try:
            with (
                Wire(servers.imap).running() as reading,
                Wire(servers.mx).running() as posting,
                closing(Town(folder, servers, reading, posting, url)) as built,
            ):
                yield built
        finally:
            servers.stop()


@contextmanager
def _postgres(database: str) -> Iterator[str]:
    """Give the URL of an empty PostgreSQL database, or "" for SQLite."""
    if database == "sqlite":
        yield ""
        return
    server = PostgresServer()
    server.start()
    try:
        yield server.new_database()
    finally:
        server.stop()
