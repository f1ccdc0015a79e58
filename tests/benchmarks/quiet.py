"""How soon a quiet service answers, beyond what the mail server takes to say that a letter has come."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path
from smtplib import SMTP
from statistics import median

from imapclient import IMAPClient

from tests.benchmarks.figures import Goal, Progress, Reading
from tests.benchmarks.mail import PATIENCE, Tap
from tests.benchmarks.prepared import Reply, prepare_games
from tests.benchmarks.service import running
from tests.servers.mail import PASSWORD, MailServers

LISTENER = "listener@example.org"
"""The mailbox in which the bare wake-up is measured."""
QUIET = (1.3, 1.9)
"""Seconds of silence before each letter, from and to."""


class Quiet:
    """From the reply's acceptance to that of both reports, less the wake-up by IDLE, in milliseconds."""

    name = "quiet"
    once = False

    def __init__(self, servers: MailServers, letters: int) -> None:
        """letters: in each round, for the service and for the bare wake-up each."""
        self._servers = servers
        self._letters = letters

    def prepare(self, folder: Path, progress: Progress) -> None:
        progress("games are prepared")
        self._folder = folder
        self._prepared = prepare_games(folder, self._letters)

    def measure(self, progress: Progress) -> Sequence[Reading]:
        progress("a quiet service answers")
        waits: list[float] = []
        wakes: list[float] = []
        tap = Tap(self._servers.mx)
        try:
            with (
                running(self._folder / "service", self._servers, self._prepared, smtp=tap.port),
                SMTP("127.0.0.1", self._servers.mx) as smtp,
                IMAPClient("127.0.0.1", port=self._servers.imap, ssl=False, timeout=60) as listener,
            ):
                listener.login(LISTENER, PASSWORD)
                listener.select_folder("INBOX")
                for reply in self._prepared.waves[0]:
                    time.sleep(random.uniform(*QUIET))
                    wakes.append(_wake(smtp, listener, reply))
                    time.sleep(random.uniform(*QUIET))
                    before = len(tap.accepted)
                    smtp.sendmail(reply.sender, [reply.recipient], reply.content)
                    taken = time.monotonic()
                    waits.append(tap.wait_for(before + 2) - taken)
        finally:
            tap.close()
        goal = Goal("difference", must=100, aim=50)
        return [Reading("answer of a quiet service", "ms", goal, 1000 * median(waits), 1000 * median(wakes))]


def _wake(smtp: SMTP, listener: IMAPClient, reply: Reply) -> float:
    """Return the seconds from a letter's acceptance to the server's word about it."""
    listener.idle()
    smtp.sendmail(reply.sender, [LISTENER], reply.content)
    taken = time.monotonic()
    said: list[tuple[object, ...]] = []
    while not any(len(words) > 1 and words[1] == b"EXISTS" for words in said):
        if time.monotonic() - taken > PATIENCE:
            raise RuntimeError("the mail server said nothing of a letter that came")
        said = listener.idle_check(timeout=PATIENCE)
    woken = time.monotonic()
    listener.idle_done()
    return woken - taken
