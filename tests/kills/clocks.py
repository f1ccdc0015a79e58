"""Clocks that are due, and a service that is killed while it looks at them.

What is due is the same in each life: a clock is to be started, a player to be reminded, one has lost on time, and of
one it is to be told that his time may be claimed. The desk's clock stands still, so that what follows is the same
byte for byte, however often the service dies.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from referee.mail.outbox.sender import Poster
from referee.pipeline.processor import LetterProcessor
from referee.pipeline.runtime import Runtime
from referee.rulebooks.rulebook import Seat
from referee.service.scheduled_jobs import ScheduledJobs
from tests.kills.harness import Figures, Harness
from tests.kills.life import Life, Place, WatchedPost
from tests.kills.state import Readers, State
from tests.kills.steps import Steps
from tests.support.begun import DEAL
from tests.support.playing import SERVICE, Club, CountedDraws

DAY = timedelta(days=1)
GAMES = ("hard", "soft", "reminded", "started")
"""What is due in each."""


def prepare_clocks(url: str) -> None:
    """Bring an empty service to where four clocks are due."""
    club = Club(url)
    club.waits(2 * DAY)
    people = [club.member(f"Player {name}", f"{name}@example.net") for name in "abcdefgh"]
    pairs = [people[place : place + 2] for place in range(0, len(people), 2)]
    for place, (white, yellow) in enumerate(pairs):
        if GAMES[place] == "reminded":
            club.waits(2 * DAY)
        if GAMES[place] == "started":
            club.waits(1.5 * DAY)
        lapse = "soft" if GAMES[place] == "soft" else "hard"
        club.starts({"white": white, "yellow": yellow}, deal=DEAL, time="3d/move", lapse=lapse)
        club.posts()
        if GAMES[place] != "started":
            club.looks_at_clocks()
    club.referee.letters.looked()
    club.close()


class WatchedClocks(ScheduledJobs):
    """What is done unasked, with names for what is done about a clock."""

    def __init__(self, runtime: Runtime, steps: Steps) -> None:
        super().__init__(runtime, LetterProcessor(runtime))
        self._steps = steps

    def _see_to_clock(self, number: int, seat: Seat, now: datetime) -> None:
        with self._steps.within(f"clock, {GAMES[number - 1]}", f"{number} {seat}"):
            super()._see_to_clock(number, seat, now)


class ClockLife(Life):
    """A process that posts what is written and looks at all clocks, as a service does each minute."""

    def stepwise(self) -> None:
        self.steps.watch()
        with self._at_the_clocks() as (jobs, poster):
            poster.post_due_once()
            jobs.see_to_clocks()
            poster.post_due_once()

    @contextmanager
    def _at_the_clocks(self) -> Iterator[tuple[ScheduledJobs, Poster]]:
        store = self.store()
        with store.lock():
            store.open(create=False)
            with store.reading() as lookup:
                looked = lookup.clocks.last_look()
            assert looked is not None
            self.desk_clock.at = looked
            store.outbox.reclaim()
            poster = Poster(
                store.outbox, WatchedPost(self.place.outbox, self.steps), self.post_clock, linger=0.0
            )
            runtime = Runtime(store, SERVICE, self.desk_clock, CountedDraws())
            yield WatchedClocks(runtime, self.steps), poster
            store.close()


class ClockHarness(Harness):
    """Kills a service at every step of its looking at the clocks that are due."""

    def run(self, kills: int) -> Figures:
        self._life = ClockLife
        self._kill_at_every_step([b""] * len(GAMES))
        return self.figures

    def _prepare(self, place: Place, bag: list[bytes]) -> None:
        prepare_clocks(place.url)

    def _undisturbed(self, bag: list[bytes], *, loaded: bool) -> tuple[State, float]:
        with self._new_place(bag) as place:
            self._live(ClockLife(place, 1, Steps()), loaded=False)
            return self._end(place, Readers()), 0.0
