"""Moves a second, from the first reply posted to the last report delivered, against a loop that does not think."""

from __future__ import annotations

import email
import queue
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from smtplib import SMTP

from imapclient import IMAPClient

from tests.benchmarks.figures import Goal, Progress, Reading
from tests.benchmarks.mail import Deliveries, post
from tests.benchmarks.prepared import SERVICE, Prepared, ReadyReport, prepare_games
from tests.benchmarks.service import running
from tests.servers.mail import PASSWORD, MailServers

LOOP = "loop@example.org"
"""The mailbox of the loop that does not think."""
LANES = 4
"""SMTP connections of that loop."""


class EndToEnd:
    """Replies in by SMTP, two reports each with HTML and picture delivered into the players' mailboxes."""

    name = "end-to-end"
    once = False

    def __init__(self, servers: MailServers, moves: int) -> None:
        self._servers = servers
        self._moves = moves

    def prepare(self, folder: Path, progress: Progress) -> None:
        progress("games are prepared")
        self._folder = folder
        self._prepared = prepare_games(folder, self._moves)
        progress("mailboxes are made")
        raw_loop(self._servers, self._prepared)

    def measure(self, progress: Progress) -> Sequence[Reading]:
        progress("the loop that does not think")
        floor = self._moves / raw_loop(self._servers, self._prepared)
        progress("the service")
        with running(self._folder / "service", self._servers, self._prepared):
            measured = self._moves / self._service()
        goal = Goal("ratio", must=0.30, aim=0.50, more=True)
        return [Reading("end to end, with pictures", "moves/s", goal, measured, floor)]

    def _service(self) -> float:
        """Return the seconds that the service takes."""
        deliveries = Deliveries(self._servers, self._prepared.players)
        begin = time.monotonic()
        players = threading.Thread(target=post, args=(self._servers, self._prepared.waves[0]))
        players.start()
        deliveries.wait_for(2 * self._moves)
        players.join()
        return time.monotonic() - begin


class Backlog:
    """Letters that have gathered while the service stood still: how long until all their reports are delivered."""

    name = "backlog"
    once = False

    def __init__(self, servers: MailServers, letters: int) -> None:
        self._servers = servers
        self._letters = letters

    def prepare(self, folder: Path, progress: Progress) -> None:
        progress("games are prepared")
        self._folder = folder
        self._prepared = prepare_games(folder, self._letters)
        progress("mailboxes are made")
        raw_loop(self._servers, self._prepared)

    def measure(self, progress: Progress) -> Sequence[Reading]:
        progress("the loop that does not think")
        floor = raw_loop(self._servers, self._prepared)
        progress("the service")
        with running(self._folder / "service", self._servers, self._prepared) as daemon:
            gathered = Deliveries(self._servers, [SERVICE], ("new", "cur"))
            gathered.wait_until_empty()  # the greeting is put away behind its answer
            daemon.send_signal(signal.SIGSTOP)
            try:
                post(self._servers, self._prepared.waves[0])
                gathered.wait_for(self._letters)
                answered = Deliveries(self._servers, self._prepared.players)
                begin = time.monotonic()
            finally:
                daemon.send_signal(signal.SIGCONT)
            answered.wait_for(2 * self._letters)
            measured = time.monotonic() - begin
        goal = Goal("ratio", must=3.3, aim=2.0)
        return [Reading(f"a backlog of {self._letters:,} letters emptied", "s", goal, measured, floor)]


def raw_loop(servers: MailServers, prepared: Prepared) -> float:
    """Return the seconds in which every reply is posted, fetched and parsed, two ready reports are posted for
    it and delivered, and it is moved: all that mail alone costs."""
    deliveries = Deliveries(servers, prepared.players)
    outbox: queue.Queue[ReadyReport | None] = queue.Queue()
    senders = [threading.Thread(target=_send, args=(servers, outbox)) for _ in range(LANES)]
    with IMAPClient("127.0.0.1", port=servers.imap, ssl=False, timeout=60) as client:
        client.login(LOOP, PASSWORD)
        if not client.folder_exists("Done"):
            client.create_folder("Done")
        client.select_folder("INBOX")
        for sender in senders:
            sender.start()
        begin = time.monotonic()
        players = threading.Thread(target=post, args=(servers, prepared.waves[0], LOOP))
        players.start()
        reports = iter(prepared.reports)
        answered = 0
        while answered < len(prepared.waves[0]):
            client.noop()
            waiting = client.search("ALL")
            if not waiting:
                time.sleep(0.02)
                continue
            fetched = client.fetch(waiting, ["BODY.PEEK[]"])
            for uid in waiting:
                _read(fetched[uid][b"BODY[]"])
                for _ in range(2):
                    outbox.put(next(reports))
            answered += len(waiting)
            client.move(waiting, "Done")
        deliveries.wait_for(2 * answered)
        seconds = time.monotonic() - begin
    for _ in senders:
        outbox.put(None)
    for thread in (players, *senders):
        thread.join()
    return seconds


def _send(servers: MailServers, outbox: queue.Queue[ReadyReport | None]) -> None:
    with SMTP("127.0.0.1", servers.mx) as smtp:
        while (report := outbox.get()) is not None:
            smtp.sendmail(SERVICE, [report.recipient], report.content)


def _read(content: bytes) -> object:
    """Parse a letter and decode its plain text, as the least that a reader does."""
    letter = email.message_from_bytes(content)
    plain = next(part for part in letter.walk() if part.get_content_type() == "text/plain")
    return letter["From"], letter["To"], letter["Subject"], plain.get_payload(decode=True)
