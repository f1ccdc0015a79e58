"""Processes are started on a mailbag, killed, and started again until the bag is empty; then the end is compared.

Each life is a fork of this process, which has everything imported: so a second brings many deaths. Nothing of the
house's is open here when it forks.
"""

from __future__ import annotations

import gc
import itertools
import os
import random
import select
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from sqlalchemy import make_url

from tests.kills.life import Life, Place
from tests.kills.mailbag import drop, prepare, record
from tests.kills.state import Difference, Readers, State, compare, read_state
from tests.kills.steps import Step, Steps
from tests.servers.postgres import PostgresServer
from tests.support.playing import furnish, new_database

PATIENCE = 60.0
"""Seconds after which a life that nobody ends has got stuck."""
LONGEST_LIFE = 1 / 12
"""Lives under load end after at most about this part of the time that the whole bag takes."""
GROWTH = 1.02
"""From death to death lives on the same bag may become so much longer: even the slowest machine comes to the end."""
MOST_STEPS = 100
"""Steps that a letter may take, all in all; a service that takes more does the same again and again."""


class LifeFailed(Exception):
    """A process ended by itself in a way that no service should, or got stuck."""


@dataclass
class Figures:
    """What came of it. steps: kills at named steps, by their kinds; repeats: see Readers; runs: bags that were emptied.

    lost, doubled, changed, overtaken: the names of all that was not as in the undisturbed run.
    """

    letters: int = 0
    kills: int = 0
    runs: int = 0
    repeats: int = 0
    steps: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    overtaken: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether nothing was lost, doubled or changed, and no letter was overtaken in its game."""
        return not (self.lost or self.doubled or self.changed or self.overtaken)

    def add(self, difference: Difference) -> None:
        """Count how a run ended."""
        self.runs += 1
        self.lost += difference.lost
        self.doubled += difference.doubled
        self.changed += difference.changed
        self.overtaken += difference.overtaken


class Harness:
    """Kills services. server: of PostgreSQL, or None for SQLite. most: letters of the bag, None for all. battle: the
    bag is of a battle alone.

    stepped: at every step of so many of them it is killed, before it is killed at random times. life: what is
    killed. killed: is told the number of deaths so far after each. Raises LifeFailed.
    """

    def __init__(
        self,
        folder: Path,
        *,
        server: PostgresServer | None,
        most: int | None,
        stepped: int,
        seed: int,
        battle: bool = False,
        life: type[Life] = Life,
        killed: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._folder = folder
        self._server = server
        self._most = most
        self._battle = battle
        self._stepped = stepped
        self._random = random.Random(seed)
        self._life = life
        self._killed = killed
        self.figures = Figures()

    def run(self, kills: int) -> Figures:
        """Kill at every step of a bag's beginning, then at random times over bag after bag until `kills` is reached."""
        with self._new_folder() as folder:
            bag = record(new_database(folder), self._most, battle=self._battle)
        self.figures.letters = len(bag)
        gc.freeze()  # what is here by now is never looked through in a fork, which would copy it
        self._kill_at_every_step(bag[: self._stepped])
        if self.figures.kills < kills:
            undisturbed, _ = self._undisturbed(bag, loaded=False)
            again, seconds = self._undisturbed(bag, loaded=True)
            self.figures.add(compare(undisturbed, again))
        while self.figures.kills < kills:
            self._kill_at_random(bag, undisturbed, seconds * LONGEST_LIFE, kills)
        return self.figures

    def _undisturbed(self, bag: list[bytes], *, loaded: bool) -> tuple[State, float]:
        """Return how it ends when nobody is killed, and how many seconds that takes."""
        with self._new_place(bag) as place:
            began = time.monotonic()
            self._live(Life(place, 1, Steps()), loaded=loaded)
            took = time.monotonic() - began
            if place.waiting() or place.posting():
                raise LifeFailed("the service left letters lying although nobody killed it")
            return self._end(place, Readers()), took

    def _kill_at_every_step(self, bag: list[bytes]) -> None:
        """Let each life end at the first step at which none has ended before."""
        undisturbed, _ = self._undisturbed(bag, loaded=False)
        ended: set[Step] = set()
        with self._new_place(bag) as place:
            readers = Readers()
            for number in itertools.count(1):
                step = self._live_to_a_step(place, number, ended)
                if step is None:
                    break
                if number > MOST_STEPS * (len(bag) + 1):
                    raise LifeFailed(f"there is no end to its steps; the last was {step}")
                ended.add(step)
                self.figures.steps[step.kind] += 1
                self._count_death(place, readers)
            self._compare(place, readers, undisturbed)

    def _kill_at_random(self, bag: list[bytes], undisturbed: State, longest: float, kills: int) -> None:
        """Let each life end at some time, until one outlives the bag, or there were `kills` deaths."""
        with self._new_place(bag) as place:
            readers = Readers()
            for number in itertools.count(1):
                end = self._random.uniform(0.0, longest) if self.figures.kills < kills else None
                if self._live(self._life(place, number, Steps()), loaded=True, end=end):
                    break
                self._count_death(place, readers)
                longest *= GROWTH
            self._compare(place, readers, undisturbed)

    def _count_death(self, place: Place, readers: Readers) -> None:
        self.figures.kills += 1
        self._bury(place)
        readers.collect(place)
        self._killed(self.figures.kills)

    def _compare(self, place: Place, readers: Readers, undisturbed: State) -> None:
        self.figures.add(compare(undisturbed, self._end(place, readers)))
        self.figures.repeats += readers.repeats

    def _end(self, place: Place, readers: Readers) -> State:
        readers.collect(place)
        return read_state(place, readers)

    # one life

    def _live_to_a_step(self, place: Place, number: int, ended: set[Step]) -> Step | None:
        """Live until a step that is new; return it, or None when there was no new one."""
        reading, writing = os.pipe()

        def tell(step: Step) -> None:
            os.write(writing, "\n".join(step).encode())

        try:
            if self._live(self._life(place, number, Steps(ended, tell)), loaded=False):
                return None
        finally:
            os.close(writing)
            with os.fdopen(reading) as told:
                said = told.read()
        kind, which = said.split("\n")
        return Step(kind, which)

    def _live(self, life: Life, *, loaded: bool, end: float | None = None) -> bool:
        """Let a process live, for `end` seconds at most; tell whether it came to its natural end."""
        alive, held = os.pipe()  # nobody writes: that it is closed tells of the death
        child = os.fork()
        if child == 0:
            be(life, loaded=loaded)
        os.close(held)
        stuck = False
        try:
            died, _, _ = select.select([alive], [], [], PATIENCE if end is None else end)
            if not died:
                os.kill(child, signal.SIGKILL)
                stuck = end is None
        finally:
            os.close(alive)
            _, status = os.waitpid(child, 0)
        if stuck:
            raise LifeFailed(f"life {life.number} did not end within {PATIENCE:g} seconds")
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            return True
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            return False
        raise LifeFailed(f"life {life.number} ended by itself, status {status}")

    # places

    @contextmanager
    def _new_folder(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            yield Path(folder)

    @contextmanager
    def _new_place(self, bag: list[bytes]) -> Iterator[Place]:
        """Make a service with the bag before its door."""
        with self._new_folder() as folder:
            url = new_database(folder) if self._server is None else furnish(self._server.new_database())
            place = Place(folder, url)
            self._prepare(place, bag)
            self._bury(place)
            yield place

    def _prepare(self, place: Place, bag: list[bytes]) -> None:
        """Bring a service to where the bag finds it, and lay the bag before its door."""
        prepare(place.url)
        drop(bag, place.inbox)

    def _bury(self, place: Place) -> None:
        """On PostgreSQL, let the server see that its client is dead, and give back the numbers that died with it.

        Numbers drawn in a transaction that was undone are not drawn again there; the undisturbed run has them all.
        """
        if self._server is None:
            return
        address = make_url(place.url).set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(address, autocommit=True) as connection:
            give_up = time.monotonic() + PATIENCE
            while connection.execute(_CLIENTS).fetchone() != (0,):
                if time.monotonic() > give_up:
                    raise LifeFailed("PostgreSQL does not let go of a dead client")
                time.sleep(0.001)
            for table, column in (
                ("letter", "number"),
                ("player", "number"),
                ("game", "number"),
                ("outgoing", "id"),
                ("gathered", "number"),
            ):
                connection.execute(_GIVE_BACK.format(table=table, column=column).encode())


_CLIENTS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
_GIVE_BACK = (
    "SELECT setval(pg_get_serial_sequence('{table}', '{column}'), coalesce(max({column}), 0) + 1, false) "
    "FROM {table}"
)


def be(life: Life, *, loaded: bool) -> None:
    """Be the process of a life, to the end."""
    status = 1
    try:
        life.under_load() if loaded else life.stepwise()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)
