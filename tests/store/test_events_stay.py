"""Events are append only: the databases themselves refuse anything else."""

from __future__ import annotations

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import DBAPIError

from referee.common.errors import Contested
from referee.store.database import Store
from tests.store.scenery import NOON, start_game

INSERT = (
    "INTO event (game, number, kind, at, body) VALUES (1, {number}, 'Forged', '2026-03-02 12:00:00', '{{}}')"
)


def attempt(url: str, statement: str) -> str:
    """Run a statement past the store, as another program could, and return what the database says."""
    engine = create_engine(url)
    try:
        with pytest.raises(DBAPIError) as refusal, engine.begin() as connection:
            connection.execute(text(statement))
    finally:
        engine.dispose()
    return str(refusal.value.orig)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET body = '{}'",
        "UPDATE event SET number = 9 WHERE game = 1",
        "DELETE FROM event",
        "DELETE FROM event WHERE number = 1",
    ],
)
def test_an_event_is_neither_changed_nor_removed(store: Store, url: str, statement: str) -> None:
    game, _, _ = start_game(store)
    assert "events are append only" in attempt(url, statement)
    with store.reading() as lookup:
        assert [event.body for event in lookup.events.of_game(game)] == [{"secret": "11"}]


@pytest.mark.parametrize("number", [0, 1, 3])
def test_an_event_follows_the_last_one(store: Store, url: str, number: int) -> None:
    start_game(store)
    assert "an event follows the last one" in attempt(url, f"INSERT {INSERT.format(number=number)}")


def test_an_event_is_not_replaced(store: Store, url: str) -> None:
    """Either database has a way to insert that overwrites."""
    start_game(store)
    if make_url(url).drivername == "sqlite":
        assert "follows" in attempt(url, f"INSERT OR REPLACE {INSERT.format(number=1)}")
    else:
        overwriting = "ON CONFLICT (game, number) DO UPDATE SET body = ''"
        assert "follows" in attempt(url, f"INSERT {INSERT.format(number=1)} {overwriting}")
        assert "append only" in attempt(url, "TRUNCATE event")


def test_events_that_do_not_continue_are_refused_and_leave_nothing(store: Store) -> None:
    game, _, _ = start_game(store)
    with pytest.raises(Contested), store.unit() as unit:
        unit.events.append(game, [(2, "Ruled", {}), (4, "Ruled", {})], at=NOON)
    with pytest.raises(Contested), store.unit() as unit:
        unit.events.append(game, [(1, "Opened", {})], at=NOON)
    with store.reading() as lookup:
        assert [event.number for event in lookup.events.of_game(game)] == [1]


def test_games_number_their_events_apart(store: Store) -> None:
    first, _, _ = start_game(store)
    with store.unit() as unit:
        second = unit.games.add("confusion", NOON)
        unit.events.append(second, [(1, "Opened", {}), (2, "Ruled", {})], at=NOON)
        unit.events.append(first, [(2, "Ruled", {})], at=NOON)
        assert [len(unit.events.of_game(game)) for game in (first, second)] == [2, 2]
