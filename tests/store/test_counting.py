"""How many there may be in an hour: counted for all processes, never stuck by a clock, never too generous."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from referee.common.clock import FixedClock
from referee.store.database import Store
from tests.store.scenery import NOON, report
from tests.support.playing import new_database

HOUR = timedelta(hours=1)


def test_no_more_than_so_many_in_a_span_and_again_after_it(store: Store) -> None:
    with store.unit() as unit:
        assert [unit.limits.count("letters", 2, HOUR) for _ in range(3)] == [True, True, False]
        assert unit.limits.count("other letters", 2, HOUR)
    with store.unit() as unit:
        assert not unit.limits.count("letters", 2, HOUR)


def opened(folder: Path, clock: FixedClock, most: int | None = None, name: str = "referee") -> Store:
    store = Store(new_database(folder, name), clock, posted_an_hour=most)
    store.open(create=False)
    return store


@given(minutes=st.lists(st.integers(-300, 300), max_size=30))
def test_whatever_the_clock_does_a_span_is_kept_and_ends(
    tmp_path_factory: object, minutes: list[int]
) -> None:
    clock = FixedClock(NOON)
    folder = tmp_path_factory.mktemp("count")  # type: ignore[attr-defined]
    store = opened(folder, clock)
    for step in minutes:
        clock.at += timedelta(minutes=step)
        with store.unit() as unit:
            allowed = [unit.limits.count("letters", 2, HOUR) for _ in range(4)]
        assert sum(allowed) <= 2
        assert allowed == sorted(allowed, reverse=True)
    clock.at += HOUR + timedelta(days=1)
    with store.unit() as unit:
        assert unit.limits.count("letters", 2, HOUR)
    store.close()


def test_letters_beyond_the_mail_hosts_limit_wait_for_the_next_hour(tmp_path: Path) -> None:
    clock = FixedClock(NOON)
    store = opened(tmp_path, clock, most=3)
    with store.unit() as unit:
        for number in range(5):
            unit.outbox.queue(report(f"m{number}", f"p{number}@example.net"))
    first = store.outbox.claim(clock.at, 2)
    second = store.outbox.claim(clock.at, 9)
    assert (len(first), len(second)) == (2, 1)
    store.outbox.release([second[0].id])
    store.outbox.accepted([(posting.id, "250 ok") for posting in first])
    assert [each.id for each in store.outbox.claim(clock.at, 9)] == [second[0].id], (
        "what was not posted counts for nothing"
    )
    store.outbox.accepted([(second[0].id, "250 ok")])
    assert store.outbox.claim(clock.at, 9) == []
    clock.at += HOUR
    assert len(store.outbox.claim(clock.at, 9)) == 2
    store.close()
