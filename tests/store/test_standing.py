"""What waits and what is stuck, as an operator asks for it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from referee.common.clock import FixedClock
from referee.store.database import Store
from referee.store.status import LATELY, MOST_NAMED
from referee.store.values import Stuck
from tests.store.scenery import NOON, clock_at_noon, letter, report, start_game


@pytest.fixture
def clock(store: Store) -> FixedClock:
    clock = store._clock
    assert isinstance(clock, FixedClock)
    clock.at = NOON
    return clock


def test_in_an_empty_house_nothing_waits(store: Store) -> None:
    standing = store.status.standing()
    assert standing.newest is standing.waiting_since is standing.untried_since is None
    assert (standing.waiting, standing.set_aside, standing.held) == (0, 0, 0)
    assert (standing.untried, standing.delayed, standing.refused) == (0, 0, 0)
    assert standing.failing == standing.frozen == standing.unreachable_newest == ()
    assert (standing.unreachable, standing.delayed_since) == (0, None)


def test_letters_that_came_in_are_counted_by_what_keeps_them(store: Store, clock: FixedClock) -> None:
    store.incoming.record([letter(str(uid)) for uid in range(1, 6)])
    clock.at += timedelta(minutes=3)
    store.incoming.record([letter("6")])
    with store.unit() as unit:
        unit.letters.count_failure(2, "KeyError in the service")
        unit.letters.conclude(3, outcome="set-aside", reason="ValueError in the service")
        unit.letters.conclude(4, outcome="held", reason="dmarc=fail")
        unit.letters.conclude(5, outcome="ruled")
    standing = store.status.standing()
    assert (standing.waiting, standing.waiting_since) == (3, NOON)
    assert standing.newest == NOON + timedelta(minutes=3)
    assert standing.failing == (Stuck("2", "KeyError in the service"),)
    assert (standing.set_aside, standing.held) == (1, 1)
    assert standing.set_aside_newest == (Stuck("3", "ValueError in the service"),)


def test_only_the_newest_are_named_and_only_those_of_late_counted(store: Store, clock: FixedClock) -> None:
    count = MOST_NAMED + 2
    store.incoming.record([letter(str(uid)) for uid in range(count + 1)])
    with store.unit() as unit:
        for number in range(1, count + 1):
            unit.letters.conclude(number, outcome="set-aside")
        unit.letters.conclude(count + 1, outcome="held")
    clock.at += LATELY + timedelta(seconds=1)
    standing = store.status.standing()
    assert (standing.set_aside, standing.held) == (count, 0)
    assert [each.which for each in standing.set_aside_newest] == ["7", "6", "5", "4", "3"]


def test_letters_of_ours_are_counted_by_what_keeps_them(store: Store, clock: FixedClock) -> None:
    """A letter behind one that is delayed is not stuck by itself."""
    with store.unit() as unit:
        for number, reader in enumerate(("anna", "bert", "anna", "carl", "dora")):
            unit.outbox.queue(report(f"m{number}", f"{reader}@example.net"))
    anna, bert, _, carl, _ = store.outbox.claim(NOON, 9)
    store.outbox.again(anna.id, NOON + timedelta(minutes=2), "452 mailbox full", uncertain=False)
    store.outbox.refused(bert.id, "550 no such user")
    store.outbox.accepted([(carl.id, "250 ok")])
    store.outbox._claimed.clear()
    store.outbox.reclaim()
    standing = store.status.standing()
    assert (standing.delayed, standing.delayed_since, standing.delayed_newest) == (
        1,
        NOON,
        (Stuck("anna@example.net", "452 mailbox full"),),
    )
    assert (standing.refused, standing.refused_newest) == (
        1,
        (Stuck("bert@example.net", "550 no such user"),),
    )


def test_a_letter_that_nobody_has_tried_is_counted_since_when_it_waits(
    store: Store, clock: FixedClock
) -> None:
    with store.unit() as unit:
        unit.outbox.queue(report("m1"))
        unit.outbox.queue(report("m2"))
        unit.outbox.queue(report("m3", "bert@example.net"))
    clock.at += timedelta(hours=1)
    standing = store.status.standing()
    assert (standing.untried, standing.untried_since) == (3, NOON)
    first, *rest = store.outbox.claim(clock.at, 9)
    store.outbox.again(first.id, clock.at + timedelta(minutes=2), "452 mailbox full", uncertain=False)
    store.outbox.release([each.id for each in rest])
    assert store.status.standing().untried == 1


def test_players_to_whom_letters_do_not_arrive_are_named(store: Store, clock: FixedClock) -> None:
    _, anna, bert = start_game(store)
    with store.unit() as unit:
        unit.players.count_return(anna)
        unit.players.count_return(bert)
        unit.players.mark_unreachable(bert)
    standing = store.status.standing()
    assert (standing.unreachable, standing.unreachable_newest) == (
        1,
        (Stuck(f"Bert@Example.com, player {bert}", "since 2026-03-02"),),
    )


def test_a_game_is_frozen_until_it_is_thawed(store: Store) -> None:
    game, _, _ = start_game(store)
    with store.unit() as unit:
        unit.events.append(game, [(2, "Frozen", {"reason": "a ruling is checked"})], at=NOON)
    assert store.status.standing().frozen == (Stuck(str(game), "a ruling is checked"),)
    with store.unit() as unit:
        unit.events.append(game, [(3, "Thawed", {}), (4, "Frozen", {"reason": "again"})], at=NOON)
    assert store.status.standing().frozen == (Stuck(str(game), "again"),)
    with store.unit() as unit:
        unit.events.append(game, [(5, "Thawed", {})], at=NOON)
    assert store.status.standing().frozen == ()


def test_a_sound_database_has_no_damage(store: Store) -> None:
    assert store.status.damage() == ""


def test_a_damaged_database_is_found_out(sqlite_file: Path) -> None:
    """An index that does not agree with its table is opened and written without complaint."""
    with closing(sqlite3.connect(sqlite_file)) as database, database:
        database.execute("PRAGMA writable_schema = ON")
        database.execute("UPDATE sqlite_master SET rootpage = 2 WHERE name = 'ix_letter_sender'")
    store = Store(f"sqlite:///{sqlite_file}", clock_at_noon())
    store.open(create=False)
    assert store.status.damage()
    store.close()


def test_the_room_on_the_disk_is_told_for_a_database_in_a_file(store: Store) -> None:
    room = store.status.room()
    assert (room is None) == store.place.startswith("postgresql")
    if room is not None:
        free, size = room
        assert free > 0
        assert size == Path(store.place).stat().st_size
