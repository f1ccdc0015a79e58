"""How much memory the service holds after many moves, against after few: `tests.benchmarks.memory DATABASE MOVES`.

The moves are played by a process of its own, in more games than are kept in memory, one move in each before the next.
Nothing is left out of the count: neither what is kept of games, which fills up on the way, nor fonts and templates.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import click
import structlog

from referee.cli.demo import sample_game
from referee.common.clock import SystemClock
from referee.mail.outbox.sender import Poster
from referee.service.bootstrap import service_of
from referee.service.referee import Referee
from referee.service.settings import Settings
from referee.store.database import Store
from tests.benchmarks.figures import Goal, Progress, Reading
from tests.benchmarks.grown import Size, grow
from tests.benchmarks.growth import CountingPost
from tests.benchmarks.prepared import SERVICE, Reply, delivered, prepare_games, turns_of, write_reply
from tests.servers.mail import AUTHSERV_ID

MOVES = 10_000
"""Moves in all; the memory is looked at after these, and after a tenth of them."""
MOVES_A_GAME = 4
TOGETHER = 50
"""Letters taken in together."""
UNRULED = 3
"""Events of a game before its first move."""


class Memory:
    """Resident megabytes after many moves, against few."""

    name = "memory"
    once = True

    def __init__(self, moves: int = MOVES) -> None:
        self._moves = moves

    def prepare(self, folder: Path, progress: Progress) -> None:
        progress("games are prepared")
        ready = prepare_games(folder, 2, MOVES_A_GAME).database
        self._database = folder / "memory.db"
        games = -(-self._moves // MOVES_A_GAME)
        grow(ready, self._database, Size(running=games, archived=0, letters=0, players=games), "memory")

    def measure(self, progress: Progress) -> Sequence[Reading]:
        progress(f"{self._moves:,} moves are played")
        command = [sys.executable, "-m", __name__, str(self._database), str(self._moves)]
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        few, many = json.loads(said)
        goal = Goal("ratio", must=1.1, aim=1.0)
        name = f"memory after {self._moves:,} moves, beside {few_of(self._moves):,}"
        return [Reading(name, "MB", goal, many, few)]


def few_of(moves: int) -> int:
    """Return after how many moves the memory is looked at first."""
    return max(1, moves // 10)


def replies(database: Path) -> Iterator[Reply]:
    """Yield a move for each game, then the next for each, and so on."""
    turns = turns_of(sample_game())
    with sqlite3.connect(database) as connection:
        rows = connection.execute(
            "SELECT game.number, last_event, seat.seat, address, tag.tag FROM game"
            " JOIN seat ON seat.game = game.number JOIN person ON person.player = seat.player"
            " JOIN tag ON tag.game = game.number AND tag.player = seat.player"
            " WHERE status = 'playing' AND title LIKE '%White - Yellow' ORDER BY game.number"
        ).fetchall()
    connection.close()
    seats = {(game, seat): (address, tag) for game, _, seat, address, tag in rows}
    games = {game: last_event - UNRULED for game, last_event, *_ in rows}
    for wave in range(len(turns)):
        for game, played in games.items():
            seat, line = turns[played + wave]
            yield write_reply(*seats[game, seat], line, wave)


def resident() -> float:
    """Return how much memory this process holds, in megabytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1000
    raise RuntimeError("this system does not say how much memory a process holds")


@click.command()
@click.argument("database", type=click.Path(exists=True, path_type=Path))
@click.argument("all_moves", metavar="MOVES", type=click.IntRange(min=2))
def main(database: Path, all_moves: int) -> None:
    """Play, and print how much memory is held after few moves and after many."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    settings = Settings.model_validate(
        {"service": {"address": SERVICE}, "trust": {"authserv_id": (AUTHSERV_ID,)}}
    )
    clock = SystemClock()
    store = Store(f"sqlite:///{database}", clock)
    store.open(create=False)
    referee = Referee(store, service_of(settings), clock)
    poster = Poster(store.outbox, CountingPost(), clock)
    coming = replies(database)
    held: list[float] = []
    moves = 0
    while moves < all_moves:
        until = few_of(all_moves) if not held else all_moves
        together = min(TOGETHER, until - moves)
        referee.letters.take_in(
            [delivered(moves + nth, reply) for nth, reply in enumerate(islice(coming, together))]
        )
        for number in store.incoming.waiting(together):
            settled = referee.letters.settle(number)
            if settled is None or not settled.moves:
                raise RuntimeError(f"a move was not ruled on: {settled}")
            moves += 1
        poster.post_due_once()
        if moves == until:
            held.append(resident())
    store.close()
    click.echo(json.dumps(held))


if __name__ == "__main__":
    main()
