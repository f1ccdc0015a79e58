"""What a year of a club costs, with all its clocks, against the moves of such games in which no time is counted."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.benchmarks.figures import Goal, Progress, Reading
from tests.year.club import Year
from tests.year.plan import DAY, Plan, plan
from tests.year.verdict import judge

GAMES, PLAYERS = 500, 60
UNTIMED = 40
"""Games in which no time is counted, in two months in which the mailbox is looked into as often."""
MONTHS = 61 * DAY


class ClubYear:
    """Seconds for the year, and milliseconds a move, text letters in SQLite; everything but the mail servers."""

    name = "year"
    once = True

    def __init__(self, games: int = GAMES) -> None:
        self._games = games

    def prepare(self, folder: Path, progress: Progress) -> None:
        self._folder = folder
        for name in ("year", "untimed"):
            (folder / name).mkdir()

    def measure(self, progress: Progress) -> Sequence[Reading]:
        progress("moves without clocks")
        untimed, moves = self._live("untimed", _untimed(plan(min(UNTIMED * 6, self._games), PLAYERS)), MONTHS)
        progress("a year of a club")
        seconds, all_moves = self._live("year", plan(self._games, PLAYERS))
        return [
            Reading("a year of a club", "s", Goal("value", must=120, aim=60), seconds),
            Reading(
                "a move in that year",
                "ms",
                Goal("ratio", must=2.5, aim=1.8),
                1000 * seconds / all_moves,
                1000 * untimed / moves,
            ),
        ]

    def _live(self, name: str, what: Plan, length: int = 365 * DAY) -> tuple[float, int]:
        """Return how many seconds a club's time took, and how many moves were made in it. Raises RuntimeError where it
        was unfair to anybody."""
        year = Year(self._folder / name, what, length=length)
        begin = time.perf_counter()
        counts = year.live()
        seconds = time.perf_counter() - begin
        faults = judge(year).faults
        year.close()
        if faults:
            raise RuntimeError(f"the {name} was unfair {len(faults)} times, first: {faults[0]}")
        return seconds, counts.moves


def _untimed(what: Plan) -> Plan:
    """Return a plan in which no time is counted."""
    return replace(
        what, pairings=tuple(replace(each, event="", time="none", pause=None) for each in what.pairings)
    )
