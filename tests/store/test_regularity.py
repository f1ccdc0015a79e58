"""Since when the clock has gone regularly: a day ahead, a year ahead, back, and several clocks at once."""

from __future__ import annotations

from datetime import timedelta

from referee.common.clock import FixedClock
from referee.store.database import Store
from tests.store.scenery import NOON

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def looks(url: str, *steps: timedelta) -> list[timedelta]:
    """Let a clock go on (or back) by these steps, with a look after each; return what each look says."""
    clock = FixedClock(NOON)
    store = Store(url, clock)
    store.open(create=False)
    said = []
    for step in steps:
        clock.at += step
        said.append(store.retention.regular_for())
    store.close()
    return said


def test_a_clock_is_regular_from_the_first_look(url: str) -> None:
    assert looks(url, HOUR, HOUR, 2 * DAY, HOUR) == [0 * DAY, HOUR, 2 * DAY + HOUR, 2 * DAY + 2 * HOUR]


def test_a_clock_that_is_set_far_ahead_and_back_begins_anew_each_time(url: str) -> None:
    said = looks(url, HOUR, DAY, 365 * DAY, HOUR, -365 * DAY, HOUR)
    assert said == [0 * DAY, DAY, 0 * DAY, HOUR, 0 * DAY, HOUR]


def test_a_service_that_was_started_anew_remembers_how_the_clock_went(url: str) -> None:
    assert looks(url, DAY)[-1] == 0 * DAY
    assert looks(url, 2 * DAY)[-1] == DAY


def test_the_clocks_of_several_machines_may_be_a_little_apart(url: str) -> None:
    second = timedelta(seconds=1)
    assert looks(url, HOUR, DAY, -second, 2 * second, -second)[-1] == DAY
