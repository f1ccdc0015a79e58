"""What it costs to look for games among a million, against what it costs at least.

The database is made up of rows alone, in the shapes that the service itself leaves: games with their seats, players and
events. A search whose answer is as large in a club's database of some thousand games is held against the same search
there; one that means a great part of all games, against a plain count of all rows by the database's own driver, or
where each game must be looked at, against a plain look at each.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median

from referee.common.clock import SystemClock
from referee.store.database import Store
from referee.store.game_search import Search
from tests.benchmarks.figures import Goal, Progress, Reading
from tests.support.playing import new_database

LARGE, SMALL = 1_000_000, 10_000
"""Games of the two databases."""
A_PLAYERS, AN_EVENTS = 100, 500
"""Games of each player, and of each event."""
A_YEAR = 20_000
"""Games begun in a year: the newest as many are of the last one."""
END = datetime(2026, 1, 1, tzinfo=UTC)
"""When the newest was begun."""
LISTED = 200
"""Games of an answer, as `referee games` lists them."""
TIMES = 5
"""How often each is asked in a round; the median counts."""
AS_SMALL = Goal("ratio", must=6, aim=2)
AS_A_COUNT = Goal("ratio", must=15, aim=6)
AS_EACH = Goal("ratio", must=4, aim=2)
EACH = "EXISTS (SELECT 1 FROM seat WHERE seat.game = game.number AND seat.player > 100)"
"""The plainest condition for which each game and its players are looked at."""

_FILL = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; PRAGMA temp_store = MEMORY;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :players)
INSERT INTO player (number, language, zone, form, joined) SELECT i, 'en', 'UTC', 'html', '2000-01-01 00:00:00' FROM n;
INSERT INTO person (player, name, name_key, name_folded, address, address_key)
SELECT number, 'Player ' || printf('%06d', number), 'player' || printf('%06d', number),
    'player ' || printf('%06d', number), 'p' || number || '@example.net', 'p' || number || '@example.net' FROM player;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :events)
INSERT INTO competition (number, name, name_key, version, created)
SELECT i, 'Event ' || i, 'event' || i, 1, '2000-01-01 00:00:00' FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :games)
INSERT INTO game (number, rules, title, status, last_event, created, ended, competition, outline, result)
SELECT i, iif(i % 50 = 7, 'spies', 'confusion'), 'Confusion ' || i || ': Player ' || i % 997 || ' - Player ' || i % 991,
    iif(i > :games - 100, 'playing', 'ended'), 90,
    strftime('%Y-%m-%d %H:%M:%f000', 1767225600 - (:games - i) * 31536000 / :year, 'unixepoch'),
    iif(i > :games - 100, NULL, '2025-12-31 00:00:00.000000'), iif(i % 2, 1 + i / 2 % :events, NULL),
    '{"last_event":90,"turn":41,"time":"40d+1d","how":"by resignation"}',
    CASE WHEN i > :games - 100 THEN NULL WHEN i % 10000 = 1 THEN 'none' WHEN i % 20 = 0 THEN 'draw'
        WHEN i % 3 = 0 THEN 'white' ELSE 'yellow' END
FROM n;
INSERT INTO seat (game, seat, player, done)
SELECT number, 'white', 1 + number * 7919 % :players, result IS NOT NULL FROM game
UNION ALL SELECT number, 'yellow', 1 + (number * 104729 + 1) % :players, result IS NOT NULL FROM game ORDER BY 1, 2;
"""


def fill(path: Path, games: int) -> None:
    """Make up a database's rows."""
    facts = {
        "games": games,
        "players": games * 2 // A_PLAYERS,
        "events": max(1, games // 2 // AN_EVENTS),
        "year": A_YEAR,
    }
    connection = sqlite3.connect(path)
    for statement in _FILL.split(";"):
        if statement.strip():
            connection.execute(statement, {name: facts[name] for name in facts if f":{name}" in statement})
    connection.commit()
    connection.close()


class Searched:
    """A database with so many games; open until `close`."""

    def __init__(self, folder: Path, games: int) -> None:
        url = new_database(folder, f"with-{games}")
        self.path = Path(url.removeprefix("sqlite:///"))
        fill(self.path, games)
        self._store = Store(url, SystemClock())
        self._store.open(create=False)

    def ask(self, search: Search) -> float:
        """Return the seconds that a search takes, which must find something."""
        begin = time.perf_counter()
        with self._store.reading() as lookup:
            games, count = lookup.games.search(search, LISTED)
        took = time.perf_counter() - begin
        if len(games) != min(count, LISTED) or not games:
            raise RuntimeError(f"{search}: {len(games)} games of {count}")
        return took

    def count(self, which: str = "true") -> float:
        """Return the seconds that the database's own driver takes to count games. which: the condition."""
        connection = sqlite3.connect(self.path)
        begin = time.perf_counter()
        connection.execute(f"SELECT count(*) FROM game WHERE {which}").fetchone()
        took = time.perf_counter() - begin
        connection.close()
        return took

    def close(self) -> None:
        self._store.close()


AS_LARGE_AS_THERE = {
    "a player": Search("player 000042"),
    "an address": Search("p42@example", by_address=True),
    "a player's wins": Search("player 000042", result="won"),
    "an event": Search(competition=3),
    "a player's draws": Search("player 000042", result="draw"),
    "half a year": Search(since=datetime(2025, 7, 1, tzinfo=UTC)),
}
"""Searches that find as many games in either database."""
OF_ALL = {
    "all games": Search(),
    "rules and result": Search(rules="confusion", result="yellow"),
    "a rare result": Search(result="none"),
    "what is being played": Search(result="playing"),
    "a part of many names": Search("player 0000"),
}
"""Searches that mean a part of all games."""


def of_years(games: int) -> dict[str, Search]:
    """Return searches for the older and the newer part of the games. games: how many there are."""
    years = timedelta(days=365) * (games / A_YEAR)
    return {
        "draws of some years": Search(result="draw", since=END - 0.7 * years),
        "the first years": Search(until=END - 0.9 * years),
    }


OF_MOST = {"a part of most names": Search("player 00")}
"""Searches for which each game is looked at."""


class Searching:
    """Milliseconds a search among a million games."""

    name = "search"
    once = False

    def __init__(self, games: int = LARGE) -> None:
        self._games = games

    def prepare(self, folder: Path, progress: Progress) -> None:
        progress(f"{self._games:,} games are made up")
        self._large, self._small = Searched(folder, self._games), Searched(folder, SMALL)

    def measure(self, progress: Progress) -> Sequence[Reading]:
        readings = []
        for name, search in AS_LARGE_AS_THERE.items():
            progress(name)
            ours, floor = _alternately(partial(self._large.ask, search), partial(self._small.ask, search))
            readings.append(Reading(f"search, {name}", "ms", AS_SMALL, ours, floor))
        for name, search in (OF_ALL | of_years(self._games)).items():
            progress(name)
            ours, floor = _alternately(partial(self._large.ask, search), self._large.count)
            readings.append(Reading(f"search, {name}", "ms", AS_A_COUNT, ours, floor))
        for name, search in OF_MOST.items():
            progress(name)
            ours, floor = _alternately(partial(self._large.ask, search), partial(self._large.count, EACH))
            readings.append(Reading(f"search, {name}", "ms", AS_EACH, ours, floor))
        return readings


def _alternately(ours: Callable[[], float], floor: Callable[[], float]) -> tuple[float, float]:
    """Return the medians of both in milliseconds, measured in turn."""
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(TIMES):
        for times, action in zip(took, (ours, floor), strict=True):
            times.append(1000 * action())
    return median(took[0]), median(took[1])
