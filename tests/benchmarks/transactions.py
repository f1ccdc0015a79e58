"""What a move costs in the store, against one transaction of five inserts through the same layer."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table, Text, insert, make_url

from referee.common.clock import SystemClock
from referee.mail.message.message import RawLetter
from referee.rulebooks.rulebook import Seat
from referee.store.database import Store
from referee.store.engine import make_engine
from referee.store.values import QueuedLetter
from tests.benchmarks.figures import Goal, Progress, Reading

BATCH = 16
"""Moves whose letters come in, and whose reports go out, together, as in a backlog."""
BATCHES = 8
LETTER, REPORT = 2_000, 32_000
"""Octets of a reply and of a report."""

_METADATA = MetaData()
_TABLES = [
    Table(f"bare{number}", _METADATA, Column("id", Integer, primary_key=True), Column("said", kind))
    for number, kind in enumerate((LargeBinary, Text, Text, LargeBinary, LargeBinary))
]


class Transactions:
    """Milliseconds a move, in SQLite, every commit on the disk."""

    name = "store"
    once = False

    def prepare(self, folder: Path, progress: Progress) -> None:
        progress("databases are made")
        self._clock = SystemClock()
        self._store = Store(f"sqlite:///{folder / 'referee.db'}", self._clock)
        self._store.open()
        with self._store.unit() as unit:
            self._players = [
                unit.players.add(seat, f"{seat}@example.net", "en") for seat in ("white", "yellow")
            ]
            self._game = unit.games.add("confusion", self._clock.now())
            for player in self._players:
                unit.games.add_seat(self._game, Seat(player.name), player.number)
                unit.tags.add(f"tagof{player.name}", "seat", player=player.number, game=self._game)
        self._events = self._letters = 0
        (bare := folder / "bare.db").touch()  # an engine makes no file
        self._bare = make_engine(make_url(f"sqlite:///{bare}"), "bare")
        with self._bare.execution_options(writing=True).begin() as connection:
            _METADATA.create_all(connection)

    def measure(self, progress: Progress) -> Sequence[Reading]:
        progress("moves are kept")
        ours = bare = 0.0
        for _ in range(BATCHES):
            begin = time.perf_counter()
            for _ in range(BATCH):
                self._five_inserts()
            middle = time.perf_counter()
            self._moves()
            bare += middle - begin
            ours += time.perf_counter() - middle
        scale = 1000 / (BATCH * BATCHES)
        goal = Goal("ratio", must=2.5, aim=1.5)
        return [Reading("a move in the store", "ms", goal, ours * scale, bare * scale)]

    def _five_inserts(self) -> None:
        letter, report, words = os.urandom(LETTER), os.urandom(REPORT), "a move and its answer " * 10
        with self._bare.execution_options(writing=True).begin() as connection:
            for table, said in zip(_TABLES, (letter, words, words, report, report), strict=True):
                connection.execute(insert(table), {"said": said})

    def _moves(self) -> None:
        """Take a batch of letters in, settle each, post their reports: what the daemon asks of the store."""
        letters = [self._letter() for _ in range(BATCH)]
        self._store.incoming.record(letters)
        for number in self._store.incoming.waiting(BATCH):
            self._settle(number)
        self._store.incoming.known(letters)
        postings = self._store.outbox.claim(datetime.now(UTC), 2 * BATCH)
        self._store.outbox.accepted([(each.id, "2.0.0 Ok: queued as 4ABCDEFGHI") for each in postings])

    def _letter(self) -> RawLetter:
        self._letters += 1
        content = os.urandom(LETTER)
        return RawLetter("bench", 1, str(self._letters), datetime.now(UTC), len(content), content)

    def _settle(self, number: int) -> None:
        writer = self._players[self._events % 2]
        with self._store.unit() as unit:
            unit.letters.get(number)
            unit.players.by_address(writer.address)
            unit.tags.get(f"tagof{writer.name}")
            unit.outbox.get(f"{self._events}.white@example.org")
            unit.games.get(self._game)
            self._events += 1
            body = {"order": "V-NW2xZ", "happenings": ["a happening with its facts"] * 8}
            unit.events.append(
                self._game, [(self._events, "Ruled", body)], at=self._clock.now(), letter=number
            )
            unit.games.update(self._game, status="playing", last_event=self._events, at=self._clock.now())
            for player in self._players:
                unit.players.find(player.number)
                thread = unit.threads.get(player.number, self._game)
                message_id = f"{self._events}.{player.name}@example.org"
                unit.outbox.queue(
                    QueuedLetter(
                        message_id=message_id,
                        sender="referee@example.org",
                        recipient=player.address,
                        kind="report",
                        subject="Re: [game 1] [your move 8] Confusion 1: White - Yellow",
                        content=os.urandom(REPORT),
                        game=self._game,
                        player=player.number,
                        seat=Seat(player.name),
                        number=thread.letters + 1,
                        answers=number,
                    )
                )
                unit.threads.save(replace(thread, letters=thread.letters + 1, last=(message_id,)))
            unit.letters.conclude(number, outcome="ruled", game=self._game, sender=writer.address)
