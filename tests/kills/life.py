"""One life of the service: its process works on the bag from where the last one died, and may die itself.

It is the real daemon, house, store and poster over a Maildir in and a Maildir out; the doors and the store are only
watched, so that each step has a name. Only that a letter is heard last after three deaths is left out: here, where a
letter meets dozens, all would be; `order` has that. `stepwise` does the same in the same order each time; `under_load`
runs as `referee run` does, with the poster in a thread of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import NullPool, create_engine, exists, select

from referee.common.clock import FixedClock
from referee.mail.inbox.mailbox import Mailbox
from referee.mail.inbox.maildir import BOXES, MaildirMailbox
from referee.mail.message.message import RawLetter
from referee.mail.outbox.maildir import MaildirPost
from referee.mail.outbox.sender import Poster
from referee.mail.outbox.transport import Posting
from referee.pipeline.processor import LetterProcessor, ProcessingResult
from referee.pipeline.runtime import Runtime
from referee.service.daemon import Daemon
from referee.service.referee import Referee
from referee.store.connections import Connections
from referee.store.database import Store
from referee.store.incoming import Incoming
from referee.store.outbox_queue import OutboxQueue
from referee.store.tables import OUTGOING
from referee.store.values import Posting as Claimed
from tests.kills.mailbag import LetterDraws, PacedJobs, PacedLetters, moment
from tests.kills.steps import Steps
from tests.support.playing import SERVICE

BATCH = 5
"""Letters that the mailbox shows at a time: fewer than it might, so that taking in and posting take turns."""
BETWEEN_LIVES = timedelta(minutes=20)
"""How much later, by its clock, each process lives than the one before."""
LOOK_AGAIN = 0.01
"""Seconds after which a service that has nothing to do sees whether all is done."""


@dataclass(frozen=True)
class Place:
    """Where a service has its mail and its memory."""

    folder: Path
    url: str

    @property
    def inbox(self) -> Path:
        return self.folder / "in"

    @property
    def outbox(self) -> Path:
        return self.folder / "out"

    def waiting(self) -> int:
        """Return how many letters lie in the mailbox."""
        return sum(1 for box in BOXES if (self.inbox / box).is_dir() for _ in (self.inbox / box).iterdir())

    def posting(self) -> bool:
        """Return whether a letter of ours is not posted yet."""
        engine = create_engine(self.url, poolclass=NullPool)
        with engine.connect() as connection:
            return bool(
                connection.scalar(select(exists().where(OUTGOING.c.state.in_(("queued", "claimed")))))
            )


class WatchedIncoming(Incoming):
    """The letters that come in, with a name for when they are recorded."""

    def __init__(self, connections: Connections, clock: FixedClock, steps: Steps) -> None:
        super().__init__(connections, clock)
        self._steps = steps

    def record(self, letters: Sequence[RawLetter]) -> list[int]:
        with self._steps.within("record", letters[0].uid.partition("@")[0]):
            return super().record(letters)


class WatchedQueue(OutboxQueue):
    """The letters that go out, with names for what is done with them."""

    def __init__(self, connections: Connections, clock: FixedClock, steps: Steps, place: Place) -> None:
        super().__init__(connections, clock)
        self._steps = steps
        self._place = place

    @property
    def _left(self) -> str:
        return f"{self._place.waiting()} letters left"

    def claim(self, now: datetime, limit: int) -> list[Claimed]:
        with self._steps.within("claim", self._left):
            claimed = super().claim(now, limit)
        if claimed:
            self._steps.reach("claimed", str(claimed[0].id))
        return claimed

    def accepted(self, results: Sequence[tuple[int, str]]) -> None:
        with self._steps.within("accepted", str(results[0][0])):
            super().accepted(results)

    def reclaim(self) -> int:
        with self._steps.within("begin anew", self._left):
            return super().reclaim()


class WatchedStore(Store):
    """The store, with names for what it does outside a letter's own transaction."""

    def __init__(self, place: Place, clock: FixedClock, steps: Steps) -> None:
        super().__init__(place.url, clock)
        self.incoming = WatchedIncoming(self.connections, clock, steps)
        self.outbox = WatchedQueue(self.connections, clock, steps, place)


class WatchedJobs(PacedJobs):
    """What is done unasked, with names for it."""

    def __init__(self, runtime: Runtime, letters: LetterProcessor, draws: LetterDraws, steps: Steps) -> None:
        super().__init__(runtime, letters, draws)
        self._steps = steps

    def write_news_before(self, number: int) -> None:
        with self._steps.within("day", str(number)):
            super().write_news_before(number)

    def carry_drafts_out_before(self, number: int) -> None:
        with self._steps.within("draft", str(number)):
            super().carry_drafts_out_before(number)

    def ask_about_held(self) -> None:
        """Ask nobody anew: the desk's clock leaps here, so that a day would be over at each start of a process."""


class WatchedLetters(PacedLetters):
    """The letters, with names for what the transaction of one does."""

    def __init__(
        self, runtime: Runtime, jobs: PacedJobs, clock: FixedClock, draws: LetterDraws, steps: Steps
    ) -> None:
        super().__init__(runtime, jobs, clock, draws)
        self._steps = steps

    def settle(self, number: int) -> ProcessingResult | None:
        with self._steps.within("settle", str(number)):
            return super().settle(number)


class WatchedHouse(Referee):
    """The service, where each letter has its own time and its own draws, with names for what is done."""

    def __init__(self, store: Store, clock: FixedClock, steps: Steps) -> None:
        draws = LetterDraws()
        super().__init__(store, SERVICE, clock, draws)
        jobs = WatchedJobs(self.runtime, self.letters, draws, steps)
        self.jobs = jobs
        self.letters = WatchedLetters(self.runtime, jobs, clock, draws, steps)


class WatchedMailbox(MaildirMailbox):
    """The Maildir in, a few letters at a time."""

    def __init__(self, path: Path, steps: Steps) -> None:
        super().__init__(path)
        self._steps = steps

    def unread(self, limit: int = BATCH, besides: Collection[RawLetter] = ()) -> list[RawLetter]:
        return super().unread(min(limit, BATCH), besides)

    def handled(self, letters: Sequence[RawLetter]) -> None:
        super().handled(letters)
        self._steps.reach("put away", letters[0].uid.partition("@")[0])


class WatchedPost(MaildirPost):
    """The Maildir out."""

    def __init__(self, path: Path, steps: Steps) -> None:
        super().__init__(path)
        self._steps = steps

    async def send(self, posting: Posting) -> str:
        answer = await super().send(posting)
        self._steps.reach("delivered", posting.message_id)
        return answer


class Life:
    """A process's work. number: 1 for the first on this bag."""

    def __init__(self, place: Place, number: int, steps: Steps) -> None:
        self.place = place
        self.number = number
        self.steps = steps
        began = moment(10_000) + number * BETWEEN_LIVES
        # The desk's clock goes with the letters; the poster works beside it and has one of its own.
        self.desk_clock, self.post_clock = FixedClock(began), FixedClock(began)

    def store(self) -> Store:
        return WatchedStore(self.place, self.desk_clock, self.steps)

    def mailbox(self) -> Mailbox:
        return WatchedMailbox(self.place.inbox, self.steps)

    def stepwise(self) -> None:
        """Post what is due, take in a few letters and settle them, and so on until nothing is left."""
        self.steps.watch()
        with self._working() as (daemon, poster, _):
            poster.post_due_once()
            while daemon.round():
                poster.post_due_once()

    def under_load(self) -> None:
        """Run as a service does until nothing is left."""
        with self._working() as (daemon, _, mailbox):
            waits = mailbox.wait

            def wait(seconds: float) -> bool:
                if not self.place.waiting() and not self.place.posting():
                    daemon.stop()
                return waits(min(seconds, LOOK_AGAIN))

            mailbox.wait = wait  # type: ignore[method-assign]
            daemon.run()

    @contextmanager
    def _working(self) -> Iterator[tuple[Daemon, Poster, Mailbox]]:
        store = self.store()
        with store.lock():
            store.open(create=False)
            store.outbox.reclaim()
            mailbox = self.mailbox()
            poster = Poster(
                store.outbox, WatchedPost(self.place.outbox, self.steps), self.post_clock, linger=0.0
            )
            daemon = Daemon(
                referee=WatchedHouse(store, self.desk_clock, self.steps),
                store=store,
                mailbox=mailbox,
                poster=poster,
                clock=self.desk_clock,
                poll=1.0,
            )
            yield daemon, poster, mailbox
            store.close()
