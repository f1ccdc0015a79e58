"""What a move costs a service that has stood for years, against one that has just begun.

Both are the daemon with its door to a real IMAP server, its house, its store in SQLite and its queue, in this
process; they take turns, a few letters each. Letters that go out are only counted: what posting costs is the same for
both, and would hide what is not.
"""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from statistics import median

import structlog

from referee.common.clock import SystemClock
from referee.mail.inbox.imap import ImapMailbox
from referee.mail.inbox.imap_connection import Account
from referee.mail.outbox.sender import Poster
from referee.mail.outbox.transport import Posting
from referee.service.bootstrap import service_of
from referee.service.daemon import Daemon
from referee.service.referee import Referee
from referee.service.settings import Settings
from referee.store.database import Store
from tests.benchmarks.figures import Goal, Progress, Reading
from tests.benchmarks.grown import LETTER, Size, grow
from tests.benchmarks.prepared import SERVICE, Reply, delivered, prepare_games
from tests.servers.mail import AUTHSERV_ID, PASSWORD, MailServers

TOGETHER = 50
"""Letters that wait together, as in a backlog; twice a round."""
ALONE = 20
"""Letters that come one by one in a round."""


class CountingPost:
    """Takes every letter at once."""

    lanes = 4

    async def send(self, posting: Posting) -> str:
        return "2.0.0 Ok: queued as 4ABCDEFGHI"

    async def close(self) -> None:
        """There is nothing to let go of."""


class Place:
    """A service with its database and its mailbox; open until `close`."""

    def __init__(self, database: Path, servers: MailServers, owner: str) -> None:
        settings = Settings.model_validate(
            {"service": {"address": SERVICE}, "trust": {"authserv_id": (AUTHSERV_ID,)}}
        )
        self._clock = SystemClock()
        self._box = servers.maildir(owner)
        self._names = count(1)
        self._store = Store(f"sqlite:///{database}", self._clock)
        self._store.open(create=False)
        self._service = service_of(settings)
        account = Account("127.0.0.1", servers.imap, owner, security="none", password=PASSWORD)
        self._mailbox = ImapMailbox(account, self._clock)
        self._poster = Poster(self._store.outbox, CountingPost(), self._clock)
        self.begin_anew()

    def begin_anew(self) -> None:
        """Have no game in memory any more."""
        self._daemon = Daemon(
            referee=Referee(self._store, self._service, self._clock),
            store=self._store,
            mailbox=self._mailbox,
            poster=self._poster,
            clock=self._clock,
            poll=1.0,
        )

    def answer(self, replies: Sequence[Reply]) -> float:
        """Lay letters into the mailbox; return the seconds until they are put away and answered."""
        for reply in replies:
            name = f"{time.time():.6f}.{next(self._names)}.bench"
            lay(self._box, "new", name, delivered(1, reply).content or b"")
        before = self._daemon.tally.moves
        begin = time.perf_counter()
        while self._daemon.round():
            pass
        self._poster.post_due_once()
        seconds = time.perf_counter() - begin
        if self._daemon.tally.moves - before != len(replies):
            raise RuntimeError(f"of {len(replies)} moves {self._daemon.tally.moves - before} were ruled on")
        return seconds

    def close(self) -> None:
        self._mailbox.close()
        self._store.close()


class Growth:
    """Milliseconds a move, with all that has grown against nothing that has."""

    name = "growth"
    once = False

    def __init__(self, servers: MailServers, rounds: int, size: Size) -> None:
        self._servers = servers
        self._rounds = rounds
        self._size = size
        self._round = 0

    def prepare(self, folder: Path, progress: Progress) -> None:
        progress("games are prepared")
        self._prepared = prepare_games(folder, 2 * TOGETHER + ALONE, self._rounds)
        empty, grown = folder / "empty.db", folder / "grown.db"
        shutil.copyfile(self._prepared.database, empty)
        progress(f"{self._size.archived:,} moves are archived")
        grow(self._prepared.database, grown, self._size, "imap:grown@example.org@127.0.0.1/INBOX")
        progress(f"{self._size.letters:,} handled letters are laid into the mailbox")
        done = f".Done.{SystemClock().now():%Y-%m}"
        box = self._servers.maildir("grown@example.org")
        for nth in range(self._size.letters):
            lay(
                box / done,
                "cur",
                f"{1_700_000_000 + nth}.{nth}.bench:2,S",
                os.urandom(LETTER // 2).hex().encode(),
            )
        self._empty = Place(empty, self._servers, "empty@example.org")
        self._grown = Place(grown, self._servers, "grown@example.org")
        # A line for each letter in the log would be most of what is seen.
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))

    def measure(self, progress: Progress) -> Sequence[Reading]:
        wave = self._prepared.waves[self._round]
        self._round += 1
        together, alone = wave[: 2 * TOGETHER], wave[2 * TOGETHER :]
        places = (self._empty, self._grown) if self._round % 2 else (self._grown, self._empty)
        self._grown.begin_anew()
        progress("letters that wait together")
        took: dict[Place, list[float]] = {self._empty: [], self._grown: []}
        for start in range(0, len(together), TOGETHER):
            for place in places:
                took[place].append(place.answer(together[start : start + TOGETHER]) / TOGETHER)
        singly: dict[Place, list[float]] = {self._empty: [], self._grown: []}
        progress("letters one by one")
        for reply in alone:
            for place in places:
                singly[place].append(place.answer([reply]))
        goal = Goal("ratio", must=1.25, aim=1.1)
        return [
            Reading(name, "ms", goal, 1000 * median(found[self._grown]), 1000 * median(found[self._empty]))
            for name, found in (("a move, grown, in a backlog", took), ("a move, grown, alone", singly))
        ]


def lay(box: Path, kind: str, name: str, content: bytes) -> None:
    """Lay a letter into a Maildir as its server does, whose account then owns it."""
    for part in ("tmp", "new", "cur"):
        if not (box / part).is_dir():
            (box / part).mkdir(parents=True)
            for path in (box.parent.parent, box.parent, box, box / part):
                shutil.chown(path, "mail", "mail")
    draft = box / "tmp" / name
    draft.write_bytes(content)
    shutil.chown(draft, "mail", "mail")
    draft.rename(box / kind / name)
