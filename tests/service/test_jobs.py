"""What the service does unasked is done when it is due, and what fails stops nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from referee.common.clock import FixedClock
from referee.common.errors import Contested, StoreUnreachable
from referee.service.jobs import Job, JobScheduler

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


def test_a_chore_is_done_at_once_and_then_when_its_time_has_passed() -> None:
    clock = FixedClock(NOON)
    done: list[datetime] = []
    chores = JobScheduler([Job("sweep", timedelta(minutes=5), lambda: done.append(clock.now()))], clock)
    for minutes in (0, 1, 4, 5, 6, 11):
        clock.at = NOON + timedelta(minutes=minutes)
        chores.do()
    assert done == [NOON, NOON + timedelta(minutes=5), NOON + timedelta(minutes=11)]


def test_a_clock_that_was_set_back_puts_no_chore_off() -> None:
    clock = FixedClock(NOON)
    done: list[datetime] = []
    chores = JobScheduler([Job("sweep", timedelta(minutes=5), lambda: done.append(clock.now()))], clock)
    chores.do()
    clock.at = NOON - timedelta(days=300)
    chores.do()
    assert len(done) == 2


@pytest.mark.parametrize("error", [ValueError("quoted words"), Contested("another was faster")])
def test_a_chore_that_fails_does_not_keep_the_others_from_being_done(error: Exception) -> None:
    done: list[str] = []

    def fail() -> None:
        raise error

    every = timedelta(minutes=5)
    chores = [Job("fails", every, fail), Job("sweep", every, lambda: done.append("swept"))]
    JobScheduler(chores, FixedClock(NOON)).do()
    assert done == ["swept"]


def test_a_database_out_of_reach_is_the_daemons_to_wait_for() -> None:
    def fail() -> None:
        raise StoreUnreachable("the database is gone")

    with pytest.raises(StoreUnreachable):
        JobScheduler([Job("fails", timedelta(minutes=5), fail)], FixedClock(NOON)).do()
