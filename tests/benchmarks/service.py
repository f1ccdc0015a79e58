"""The service under measurement: `referee run` as an operator runs it, in a process of its own."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.mail import Deliveries, post
from tests.benchmarks.prepared import SERVICE, Prepared
from tests.servers.mail import AUTHSERV_ID, PASSWORD, MailServers

SETTINGS = """\
[service]
name = "Referee"
address = "{service}"
database = "sqlite:///{database}"

[inbox]
kind = "imap"
host = "127.0.0.1"
port = {imap}
security = "none"
username = "{service}"
password = "{password}"

[outbox]
kind = "smtp"
host = "127.0.0.1"
port = {smtp}
security = "none"

[trust]
sender = "verified"
authserv_id = ["{authserv_id}"]
"""


@contextmanager
def running(
    folder: Path, servers: MailServers, prepared: Prepared, *, imap: int = 0, smtp: int = 0
) -> Iterator[subprocess.Popen[bytes]]:
    """Run the daemon over a fresh copy of the prepared database until the end; begin when it is at work. Its process.

    imap, smtp: other ports than the servers' own. Its log stays in `folder`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    database, settings = folder / "referee.db", folder / "referee.toml"
    for each in folder.glob("referee.db*"):
        each.unlink()
    prepared.database_copy(database)
    # What another run left in the mailbox would be news to this database.
    shutil.rmtree(servers.maildir(SERVICE), ignore_errors=True)
    settings.touch(mode=0o600)
    settings.write_text(
        SETTINGS.format(
            service=SERVICE,
            database=database,
            imap=imap or servers.imap,
            smtp=smtp or servers.mx,
            password=PASSWORD,
            authserv_id=AUTHSERV_ID,
        )
    )
    with (folder / "referee.log").open("ab") as log:
        daemon = subprocess.Popen(
            [sys.executable, "-m", "referee", "--config", str(settings), "run"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        greeted = Deliveries(servers, [prepared.greeting.sender])
        post(servers, [prepared.greeting])
        greeted.wait_for(1)
        yield daemon
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(20)
