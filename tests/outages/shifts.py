"""The service before its servers, one process's work after the other, for tests.

Each `turn` is what `referee run --once` does in a process of its own: the service is opened anew, nothing that the last
one had in memory is left. Two players and a stranger write to it; what they have received is all they know of it.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import cache

from referee.common.clock import FixedClock
from referee.common.errors import MailboxClosed
from referee.service.bootstrap import Application, open_application
from referee.service.running import working
from referee.service.settings import load
from tests.support.operating import WENDY, YANNICK, Desk, answer, read_mail, write_mail

LATER = timedelta(minutes=10)
"""Longer than a letter waits for its next try, the first few times."""
DAY = datetime(2026, 11, 27, 17, 0, tzinfo=UTC)
MOST_TURNS = 8
"""After so many turns there is nothing left to do, whatever was lost."""


@dataclass
class Shifts:
    """One service and the people who write to it.

    deliver: lays a letter into its mailbox. received: all letters that it has posted so far, as they lie in their
    readers' mailboxes, each with the address it came to. waiting: how many letters lie in its inbox.
    """

    desk: Desk
    deliver: Callable[[bytes], object]
    received: Callable[[], list[tuple[str, bytes]]]
    waiting: Callable[[], int]
    white: str = WENDY
    yellow: str = YANNICK
    clock: FixedClock = field(default_factory=lambda: FixedClock(DAY))
    trouble: str = ""
    """What the last turn found wrong with its servers."""

    @contextmanager
    def open(self) -> Iterator[Application]:
        with open_application(load(self.desk.config, {}), clock=self.clock) as application:
            yield application

    def turn(self) -> bool:
        """Do what is to be done, once; tell whether the mailbox was there to the end."""
        with self.open() as application, working(application) as daemon:
            try:
                daemon.run_once()
            except MailboxClosed:
                return False
            finally:
                self.trouble = daemon.trouble
        return True

    def start_game(self) -> None:
        """Start a game between the two players."""
        seats = ("--seat", f"white=Wendy <{self.white}>", "--seat", f"yellow=Yannick <{self.yellow}>")
        self.desk.done("new", "confusion", *seats, "--first", "white")

    def finish(self) -> None:
        """Let time pass and take turns until nothing is left to do."""
        for _ in range(MOST_TURNS):
            self.clock.at += LATER
            if self.turn() and self.outgoing().keys() <= {"sent", "refused"} and not self.waiting():
                return
        left = f"{self.outgoing()}, {self.waiting()} letters wait"
        raise AssertionError(
            f"there is no end to it: {left}; {self.trouble or 'no trouble with the servers'}"
        )

    # Who writes

    def write(self, who: str, text: str) -> None:
        """Let a player answer the letter that came last, or somebody else write for the first time."""
        letters = self.letters_to(who)
        to = load(self.desk.config, {}).service.address
        content = answer(letters[-1], text) if letters else write_mail(text, sender=who, to=to)
        self.deliver(content.replace(b"\n", b"\r\n"))

    # What has come of it

    def letters_to(self, address: str) -> list[EmailMessage]:
        """Return what somebody has received, in the order in which it came, repeats included."""
        return [_read(content) for reader, content in self.received() if reader == address]

    def numbers_of(self, address: str) -> list[int]:
        """Return the numbers of somebody's letters, without repeats, from the lowest on."""
        came = {str(each["Message-ID"]): int(each["X-Referee-Number"]) for each in self.letters_to(address)}
        return sorted(came.values())

    def repeats(self) -> int:
        """Return how many letters came again, having seen that they were the same, byte for byte."""
        copies: defaultdict[tuple[str, str], set[bytes]] = defaultdict(set)
        for reader, content in self.received():
            copies[reader, str(_read(content)["Message-ID"])].add(_as_posted(content))
        assert all(len(each) == 1 for each in copies.values()), "two letters bear the same Message-ID"
        return len(self.received()) - len(copies)

    def outgoing(self) -> Counter[str]:
        """Return how many letters of the outbox are in which state."""
        return Counter(state for (state,) in self.ask("SELECT state FROM outgoing"))

    def outcomes(self) -> Counter[str]:
        """Return how many letters that came in had which outcome."""
        return Counter(outcome for (outcome,) in self.ask("SELECT outcome FROM letter"))

    def ask(self, words: str) -> list[tuple[str, ...]]:
        """Look into the database."""
        with closing(sqlite3.connect(self.desk.database)) as database:
            return database.execute(words).fetchall()


@cache
def _read(content: bytes) -> EmailMessage:
    return read_mail(content)


def _as_posted(content: bytes) -> bytes:
    """Return a letter without what mail hosts have put in front of it, whatever its line ends."""
    content = b"\n" + content.replace(b"\r\n", b"\n")
    return content[content.index(b"\nFrom: ") :]
