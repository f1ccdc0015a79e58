"""What a service has in hand stays in its hands while it is at work, whatever any clock says, and no longer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from referee.common.clock import FixedClock
from referee.store import service_runs
from referee.store.database import Store
from referee.store.service_runs import Other
from tests.store.scenery import NOON, report
from tests.support.waiting import until

LATER = NOON + timedelta(minutes=1)
YEAR = timedelta(days=365)
PATIENCE = 20.0


class Steady:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> Steady:
    seconds = Steady()
    monkeypatch.setattr("referee.store.outbox_queue.steady", seconds)
    return seconds


def queue(store: Store, *message_ids: str) -> None:
    with store.unit() as unit:
        for each in message_ids:
            unit.outbox.queue(report(each, f"{each}@example.net"))


def claimed(store: Store) -> list[str]:
    return [posting.message_id for posting in store.outbox.claim(LATER, 9)]


@contextmanager
def at_work(url: str) -> Iterator[Store]:
    """Let a service be at work."""
    store = Store(url, FixedClock(LATER))
    store.open(create=False)
    with store.at_work():
        yield store
    store.close()


@pytest.fixture
def both(postgres_emptied: str, steady: Steady) -> Iterator[tuple[Store, Store]]:
    """Two services at work on one database; the first has a letter in hand."""
    with at_work(postgres_emptied) as first, at_work(postgres_emptied) as second:
        queue(first, "m1")
        assert claimed(first) == ["m1"]
        yield first, second


@pytest.mark.servers
def test_a_claim_holds_while_its_service_is_at_work_whatever_the_clocks_of_both_say(
    both: tuple[Store, Store], steady: Steady
) -> None:
    first, second = both
    for at in (LATER - YEAR, LATER, LATER + YEAR) * 4:
        steady.at += 15.0
        assert first.outbox.claim(LATER + (LATER - at), 0) == []
        assert second.outbox.claim(at, 9) == []
        assert second.outbox.reclaim() == 0
        assert first.outbox.holds(1)


@pytest.mark.servers
def test_what_a_service_has_in_hand_that_stands_still_is_queued_again_after_a_minute(
    both: tuple[Store, Store], steady: Steady
) -> None:
    """And when it goes on, it posts nothing of it, and what it tells of it changes nothing, save that it was taken."""
    first, second = both
    assert second.outbox.reclaim() == 0
    steady.at += 59.0
    assert second.outbox.reclaim() == 0
    assert not first.outbox.holds(1), "by now it does not trust in it any more"
    steady.at += 2.0
    assert second.outbox.reclaim() == 1
    assert claimed(second) == ["m1"]
    assert first.outbox.claim(LATER, 0) == []
    assert not first.outbox.holds(1)
    first.outbox.release([1])
    first.outbox.again(1, LATER, "450 later", uncertain=False)
    first.outbox.refused(1, "550 no")
    assert second.outbox.holds(1)
    assert claimed(first) == claimed(second) == []
    first.outbox.accepted([(1, "250 ok")])
    second.outbox.again(1, LATER, "450 later", uncertain=True)
    assert claimed(second) == []


@pytest.mark.servers
def test_a_service_that_has_no_connection_is_waited_for_for_half_a_minute(
    both: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have lost it, and make another one."""
    first, second = both
    first.connections.engine.dispose()
    assert second.outbox.reclaim() == 0
    monkeypatch.setattr(service_runs, "SILENT_FOR", 0.0)
    assert second.outbox.reclaim() == 1


@pytest.mark.servers
def test_a_service_taken_for_dead_that_comes_back_has_nothing_in_hand_and_goes_on(
    both: tuple[Store, Store], steady: Steady, postgres_emptied: str
) -> None:
    first, second = both
    first.connections.engine.dispose()
    with at_work(postgres_emptied):
        steady.at += 11.0
        assert claimed(first) == ["m1"]
        assert first.outbox.holds(1)
        assert second.outbox.reclaim() == 0


@pytest.mark.servers
def test_a_claim_is_kept_to_be_in_hand_even_while_nobody_else_can_claim(
    both: tuple[Store, Store], steady: Steady
) -> None:
    """Given that a process stands still while it claims, when the time comes, the others are heard of all the same."""
    first, second = both
    with second.connections.transaction(writing=True) as connection:
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7203114)")
        steady.at += 15.0
        assert first.outbox.claim(LATER, 0) == []
        assert first.outbox.holds(1)


@pytest.mark.parametrize(
    ("connected", "silent", "restarted", "has_ended", "is_silent"),
    [
        (True, 1_000_000.0, False, False, False),
        (False, 1.0, False, True, False),
        (False, 31.0, False, True, True),
        (False, 1.0, True, False, False),  # the server was started anew: whoever lives will connect again
        (False, 31.0, True, False, True),
        (False, 61.0, True, True, True),
        (False, -5.0, False, True, True),  # the server's clock was set back
    ],
)
def test_a_service_is_known_to_have_ended_by_its_connections_and_by_its_silence(
    connected: bool, silent: float, restarted: bool, has_ended: bool, is_silent: bool
) -> None:
    other = Other("x", "2026", connected, silent, restarted)
    assert (other.has_ended, other.is_silent) == (has_ended, is_silent)


CLAIMING = """
import sys
from referee.common.clock import SystemClock
from referee.store.database import Store
store = Store(sys.argv[1], SystemClock())
store.open(create=False)
with store.at_work():
    print(len(store.outbox.claim(SystemClock().now(), 9)), flush=True)
    sys.stdin.readline()
"""


@pytest.mark.subprocess
def test_what_a_killed_service_had_in_hand_is_queued_again_when_the_next_one_begins(url: str) -> None:
    """At once: it is known to be dead."""
    store = Store(url, FixedClock(LATER))
    queue(store, "m1", "m2")
    store.close()
    command = [sys.executable, "-c", CLAIMING, url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "2\n"
        killed.kill()

    def claimed_by_the_next() -> list[str]:  # PostgreSQL needs a moment to see that its client is gone
        with at_work(url) as store:
            return claimed(store)

    assert until(claimed_by_the_next) == ["m1", "m2"]
