"""A year of a club is fair: nobody loses a game who had time, and whoever had none does; letters are numbered and
reminders come, through holidays, leave, pauses, an outage, a wrong clock, and both changes of clocks.

What is fair is reckoned apart from the service (see oracle). The whole year, of 500 games among 60 players, runs in the
full tests.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from tests.support.telling import telling
from tests.year.club import Year
from tests.year.plan import DAY, LENGTH, plan
from tests.year.verdict import judge

pytestmark = pytest.mark.story


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("games", "players"), telling([(50, 12)], others=[(500, 60)]))
def test_a_year_of_a_club_is_fair(games: int, players: int, tmp_path: Path) -> None:
    year = Year(tmp_path, plan(games, players))
    counts = year.live()
    verdict = judge(year)
    for match in year.matches.values():
        match.pauses[:] = [(0, LENGTH)]
    otherwise = judge(year).faults
    year.close()
    assert verdict.faults == []
    assert sum("lost on time" in fault for fault in otherwise) > 2, (
        "it was not found that nobody's time had run"
    )
    assert len(year.matches) == games and counts.letters_out > 2 * counts.moves > 20 * games // 2
    # Otherwise it would prove nothing.
    happened = {name: number for name, number in asdict(verdict).items() if name != "faults"}
    assert all(happened.values()), happened


@pytest.mark.full
def test_the_same_year_brings_the_same_letters(tmp_path: Path) -> None:
    found = []
    for name in ("once", "again"):
        (tmp_path / name).mkdir()
        year = Year(tmp_path / name, plan(100, 12), length=18 * DAY)
        found.append(year.live())
        year.close()
    assert found[0] == found[1] and found[0].moves > 9
