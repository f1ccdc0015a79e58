"""Games all of whose letters wait, and services that are killed while they hear them: no letter is overtaken.

Each service notes, as any does, which letter was in hand when one before it was killed. Many of the letters have been
in hand at two such ends already, so that they are suspected after one more: then they are put off, and later ones of
their game must wait. How games go on beside each other is another time another way, and is not compared; within a game,
all is as in the undisturbed run. On PostgreSQL several services may be at work at a time.
"""

from __future__ import annotations

import hashlib
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import NullPool, create_engine, select, update

from referee.mail.inbox.mailbox import Mailbox
from referee.mail.inbox.maildir import MaildirMailbox
from referee.mail.outbox.sender import Poster
from referee.pipeline import processor as house_module
from referee.service import daemon as daemon_module
from referee.service.daemon import Daemon
from referee.store.database import Store
from referee.store.letter_ordering import PassedOver
from referee.store.tables import EVENTS, LETTERS, OUTGOING, OUTGOING_CONTENTS
from tests.kills.harness import GROWTH, Figures, Harness, LifeFailed, be
from tests.kills.life import Life, Place, WatchedPost
from tests.kills.mailbag import PacedHouse, Recording, drop
from tests.kills.state import Readers, State, read_overtaken
from tests.kills.steps import Steps
from tests.support import moves
from tests.support.playing import new_database

GAMES = 3
MOVES = 6
"""Letters of each seat in each game."""
NEARLY_SUSPECTED = 3
"""One of so many letters was in hand at two unclean ends."""


class OrderLife(Life):
    """A service at work on letters that were taken in before."""

    def under_load(self) -> None:
        daemon_module.PUT_OFF_FOR = 0.0
        house_module.MOST_ENDS = (
            1_000_000  # chance sets none aside here, where the service ends a thousand times
        )
        super().under_load()

    @contextmanager
    def _working(self) -> Iterator[tuple[Daemon, Poster, Mailbox]]:
        store = Store(self.place.url, self.desk_clock)
        with store.lock():
            store.open(create=False)
            with store.at_work() as noted:
                mailbox = MaildirMailbox(self.place.inbox)
                poster = Poster(
                    store.outbox, WatchedPost(self.place.outbox, self.steps), self.post_clock, linger=0.0
                )
                daemon = Daemon(
                    referee=PacedHouse(store, self.desk_clock),
                    store=store,
                    mailbox=mailbox,
                    poster=poster,
                    clock=self.desk_clock,
                    poll=1.0,
                )
                daemon.mind(noted)
                yield daemon, poster, mailbox
            store.close()


class Overtaking(OrderLife):
    """Puts letters off, and does not let later ones wait for them."""

    def under_load(self) -> None:
        PassedOver.stands_before = lambda self, number, what: False  # type: ignore[method-assign]
        super().under_load()


class OrderHarness(Harness):
    """Kills services at random times, while the letters of some games wait. workers: so many are at work at a time."""

    workers = 1

    def run(self, kills: int) -> Figures:
        if self._life is Life:
            self._life = OrderLife
        with self._new_folder() as folder:
            club = Recording(new_database(folder))
            bag = moves.in_turn(moves.begin(club, GAMES, MOVES))
            club.close()
        self.figures.letters = len(bag)
        undisturbed, seconds = self._undisturbed(bag, loaded=True)
        while self.figures.kills < kills:
            self._kill_at_random(bag, undisturbed, seconds / self.workers / 6, kills)
        return self.figures

    def _undisturbed(self, bag: list[bytes], *, loaded: bool) -> tuple[State, float]:
        with self._new_place(bag) as place:
            began = time.monotonic()
            self._live(OrderLife(place, 1, Steps()), loaded=True)
            return self._end(place, Readers()), time.monotonic() - began

    def _kill_at_random(self, bag: list[bytes], undisturbed: State, longest: float, kills: int) -> None:
        if self.workers == 1:
            super()._kill_at_random(bag, undisturbed, longest, kills)
            return
        with self._new_place(bag) as place:
            readers = Readers()
            number = 1
            while self.figures.kills < kills and place.waiting():
                lives = [self._life(place, number + each, Steps()) for each in range(self.workers)]
                number += self.workers
                self.figures.kills += self._live_together(lives, longest) - 1
                self._count_death(place, readers)
                longest *= GROWTH
            self._live(self._life(place, number, Steps()), loaded=True)
            self._compare(place, readers, undisturbed)

    def _live_together(self, lives: Sequence[Life], longest: float) -> int:
        """Let services live at the same time, each until its own end; return how many were killed."""
        children = {}
        for life in lives:
            child = os.fork()
            if child == 0:
                be(life, loaded=True)
            children[child] = time.monotonic() + self._random.uniform(0.0, longest)
        for child, end in sorted(children.items(), key=lambda each: each[1]):
            time.sleep(max(0.0, end - time.monotonic()))
            os.kill(child, signal.SIGKILL)
        statuses = [os.waitpid(child, 0)[1] for child in children]
        if any(os.WIFEXITED(status) and os.WEXITSTATUS(status) for status in statuses):
            raise LifeFailed(f"one of {len(lives)} services ended by itself")
        return sum(map(os.WIFSIGNALED, statuses))

    def _prepare(self, place: Place, bag: list[bytes]) -> None:
        """Start the games, lay the letters before the door, and take them in, so that all of them wait."""
        club = Recording(place.url)
        moves.begin(club, GAMES, MOVES)
        drop(bag, place.inbox)
        club.store.incoming.record(MaildirMailbox(place.inbox).unread(len(bag)))
        club.close()
        engine = create_engine(place.url, poolclass=NullPool)
        with engine.begin() as connection:
            nearly = LETTERS.c.number % NEARLY_SUSPECTED == 0
            connection.execute(update(LETTERS).where(nearly).values(interrupted=2))

    def _end(self, place: Place, readers: Readers) -> State:
        readers.collect(place)
        return {**readers.letters, **_read_games(place)}


def _read_games(place: Place) -> State:
    """Return what has become of each letter and game, whatever went on beside it."""
    letters = select(LETTERS.c.number, LETTERS.c.outcome, LETTERS.c.reason, LETTERS.c.game)
    events = select(EVENTS.c.game, EVENTS.c.number, EVENTS.c.kind, EVENTS.c.body, EVENTS.c.letter)
    outgoing = select(
        OUTGOING.c.message_id,
        OUTGOING.c.recipient,
        OUTGOING.c.number,
        OUTGOING.c.answers,
        OUTGOING.c.state,
        OUTGOING_CONTENTS.c.content,
    ).join_from(OUTGOING, OUTGOING_CONTENTS, OUTGOING.c.id == OUTGOING_CONTENTS.c.id)
    engine = create_engine(place.url, poolclass=NullPool)
    with engine.connect() as connection:
        state = {f"letter {row.number}": repr(tuple(row)) for row in connection.execute(letters)}
        state |= {f"event {row.game} {row.number}": repr(tuple(row)) for row in connection.execute(events)}
        for row in connection.execute(outgoing):
            state[f"outgoing {row.message_id}"] = f"{row[:5]} {hashlib.sha256(row.content).hexdigest()}"
        return {**state, **read_overtaken(connection)}
