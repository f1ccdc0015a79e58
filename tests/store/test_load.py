"""What is open, as the figures for a monitoring system ask for it: on both databases, and without a search."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event

from referee.common.clock import FixedClock
from referee.rulebooks.rulebook import Seat
from referee.store.database import Store
from referee.store.status import load
from tests.store.scenery import NOON, letter, report, start_game


@pytest.fixture
def clock(store: Store) -> FixedClock:
    clock = store._clock
    assert isinstance(clock, FixedClock)
    clock.at = NOON
    return clock


def test_in_an_empty_house_nothing_is_open(store: Store) -> None:
    found = store.status.load()
    assert (found.waiting, found.set_aside, found.queued, found.unreachable) == (0, 0, 0, 0)
    assert found.newest is found.waiting_since is found.queued_since is None
    assert found.games == {"playing": 0, "proposed": 0}
    assert found.octets > 10_000


def test_what_is_open_is_counted_since_the_oldest_of_it(store: Store, clock: FixedClock) -> None:
    store.incoming.record([letter(str(uid), b"Subject: %d\r\n\r\n" % uid) for uid in range(3)])
    clock.at += timedelta(minutes=1)
    store.incoming.record([letter("9", b"Subject: 9\r\n\r\n")])
    with store.unit() as unit:
        unit.letters.conclude(1, outcome="set-aside")
        unit.letters.conclude(2, outcome="ruled")
        for name in ("m1", "m2", "m3", "m4"):
            unit.outbox.queue(report(name, f"{name}@example.net"))
        clock.at += timedelta(minutes=1)
        unit.outbox.queue(report("m5", "m5@example.net"))
    sent, refused, delayed, _ = store.outbox.claim(clock.at, 4)
    store.outbox.accepted([(sent.id, "ok")])
    store.outbox.refused(refused.id, "550 no such user")
    store.outbox.again(delayed.id, clock.at + timedelta(hours=1), "452 full", uncertain=False)
    found = store.status.load()
    assert (found.waiting, found.waiting_since, found.set_aside) == (2, NOON, 1)
    assert (found.queued, found.queued_since) == (3, NOON + timedelta(minutes=1))
    assert found.newest == store.status.newest() == NOON + timedelta(minutes=2)


def test_games_count_until_they_are_over(store: Store) -> None:
    first, anna, bert = start_game(store)
    with store.unit() as unit:
        second = unit.games.add("confusion", NOON)
        unit.events.append(second, [(1, "Opened", {})], at=NOON)
        unit.games.add_seat(second, Seat("white"), anna)
        unit.games.add_seat(second, Seat("yellow"), bert)
        unit.games.update(second, status="playing", last_event=1, at=NOON)
        unit.games.add("confusion", NOON, proposed_by=anna)
    assert store.status.load().games == {"playing": 2, "proposed": 1}
    with store.unit() as unit:
        unit.games.update(first, status="ended", last_event=1, at=NOON)
    assert store.status.load().games == {"playing": 1, "proposed": 1}


def test_players_to_whom_letters_do_not_arrive_count_until_they_write(store: Store) -> None:
    _, anna, bert = start_game(store)
    with store.unit() as unit:
        unit.players.count_return(anna)
        unit.players.count_return(bert)
        unit.players.mark_unreachable(bert)
    assert store.status.load().unreachable == 1
    with store.unit() as unit:
        unit.players.mark_reachable(bert)
    assert store.status.load().unreachable == 0


def test_no_question_looks_through_the_archive(store: Store) -> None:
    """Each is answered from an index of open rows, or from the newest row alone."""
    on_postgresql = store.place.startswith("postgresql")
    asked: list[tuple[str, Any]] = []
    with store.connections.engine.connect() as connection:

        @event.listens_for(connection, "before_cursor_execute")
        def note(_: Any, cursor: Any, statement: str, parameters: Any, *rest: Any) -> None:
            if not statement.startswith("EXPLAIN"):
                asked.append((statement, parameters))

        load(connection)
        if on_postgresql:  # it reads small tables all the same unless it is told not to
            connection.exec_driver_sql("SET enable_seqscan = off")
            plan = [
                row[0]
                for statement, parameters in asked
                if statement.startswith(("SELECT", "WITH")) and "pg_" not in statement
                for row in connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)
            ]
            assert len(plan) > 7
            assert not [
                step for step in plan if re.search(r"Seq Scan on (letter|outgoing|event|game)\b", step)
            ]
            return
        steps = [
            row.detail
            for statement, parameters in asked
            if "pragma_" not in statement
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        ]
    assert len(steps) > 7
    newest = ["SCAN letter", "SCAN outgoing"]  # by the primary key, backwards, until the first row
    searched = [step for step in steps if re.match(r"SCAN \w+\b(?! USING (COVERING )?INDEX ix_)", step)]
    assert sorted(searched) == newest
