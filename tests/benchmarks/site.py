"""What it costs to publish games as web pages, against what it costs at least.

The database is made up of games that were drawn at random, without letters. The floor is what no page can do without:
the very same games read from the database and folded. Publishing them again, when nothing has changed, is held against
reading all of the site's files once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.archive.site.made_up import many_games, published
from tests.benchmarks.figures import Goal, Progress, Reading
from tests.support.playing import Club, new_database

GAMES, DIFFERENT = 1_000, 100
"""Games, and how many of them are drawn; the others are the same again, under other names."""
OF_FOLDING = Goal("ratio", must=12, aim=6)
OF_READING = Goal("ratio", must=30, aim=10)
LARGEST = Goal("value", must=150, aim=80)


class Publishing:
    """Milliseconds a game."""

    name = "site"
    once = False

    def __init__(self, games: int = GAMES) -> None:
        self._games = games
        self._rounds = 0

    def prepare(self, folder: Path, progress: Progress) -> None:
        progress(f"{self._games:,} games are played")
        self._folder = folder
        self._club = Club(new_database(folder))
        many_games(self._club, self._games, min(self._games, DIFFERENT))

    def measure(self, progress: Progress) -> Sequence[Reading]:
        self._rounds += 1
        site = self._folder / f"site-{self._rounds}"
        progress("all pages are made")
        first = self._timed(lambda: published(self._club, site))
        progress("nothing has changed")
        again = self._timed(lambda: published(self._club, site))
        progress("games are folded, files are read")
        folding = self._timed(lambda: [self._club.game(number) for number in range(1, self._games + 1)])
        reading = self._timed(lambda: [path.read_bytes() for path in site.rglob("*") if path.is_file()])
        largest = max(path.stat().st_size for path in (site / "games").glob("*.html")) / 1000
        return [
            Reading("publishing a game", "ms", OF_FOLDING, first, folding),
            Reading("publishing a game again", "ms", OF_READING, again, reading),
            Reading("the largest page of a game", "kB", LARGEST, largest),
        ]

    def _timed(self, action: Callable[[], object]) -> float:
        """Return the milliseconds a game that something takes."""
        begin = time.perf_counter()
        action()
        return 1000 * (time.perf_counter() - begin) / self._games
