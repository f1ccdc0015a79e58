"""A database of the first release, with players and a game in it, becomes one of this release and loses nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import DBAPIError

from referee.common.errors import SchemaError
from referee.games.player import Player
from referee.store import migrations
from referee.store.database import Store
from referee.store.game_search import Search
from tests.store.scenery import clock_at_noon, letter

KEY = "5e" * 32
ROWS = (
    f"INSERT INTO house (name, value) VALUES ('key', '{KEY}')",
    "INSERT INTO player (number, language, zone, form, joined) VALUES"
    " (1, 'en', 'Europe/Paris', 'json', '2026-01-01 12:00:00'),"
    " (2, 'en', 'UTC', 'text', '2026-01-02 12:00:00'),"
    " (3, 'en', 'UTC', 'html', '2026-01-03 12:00:00')",
    "INSERT INTO person (player, name, name_key, address, address_key) VALUES"
    " (1, 'Anna', 'anna', 'Anna@example.net', 'anna@example.net'),"
    " (2, '', '', 'bert@example.com', 'bert@example.com')",
    "INSERT INTO game (number, rules, title, status, last_event, created) VALUES"
    " (1, 'confusion', 'Confusion 1: Anna - Yellow', 'playing', 2, '2026-01-02 12:00:00')",
    "INSERT INTO seat (game, seat, player, done) VALUES (1, 'white', 1, false), (1, 'yellow', 2, false)",
    "INSERT INTO thread (player, game, letters, told, tag, root, last) VALUES"
    " (1, 1, 3, 2, 'abcdefghijklmnop', 'r@example.org', 'a@example.org b@example.org')",
    "INSERT INTO event (game, number, kind, at, body) VALUES"
    " (1, 1, 'Opened', '2026-01-02 12:00:00', '{\"secret\":\"11\"}')",
    "INSERT INTO event (game, number, kind, at, body) VALUES (1, 2, 'Ruled', '2026-01-02 13:00:00', '{}')",
)
"""What was kept before a player could say how he wants his sheets; player 3 has left."""


@pytest.fixture
def first_release(empty_url: str) -> str:
    """The URL of a database as the first release made and filled it."""
    engine = create_engine(empty_url)
    with engine.begin() as connection:
        known = migrations.settings()
        known.attributes["connection"] = connection
        command.upgrade(known, "0001")
        for row in ROWS:
            connection.exec_driver_sql(row)
        if connection.dialect.name == "postgresql":
            # The rows above brought their numbers along; what counts the next ones must know.
            connection.exec_driver_sql("SELECT setval('player_number_seq', 3), setval('game_number_seq', 1)")
    engine.dispose()
    return empty_url


def migrated(url: str) -> Store:
    store = Store(url, clock_at_noon())
    store.upgrade()
    store.open(create=False)
    return store


def test_it_is_refused_until_it_is_migrated(first_release: str) -> None:
    store = Store(first_release, clock_at_noon())
    with pytest.raises(SchemaError, match=r"older release \(revision 0001, .*referee init"):
        store.open()
    store.close()


def test_its_players_are_kept_and_get_the_grid(first_release: str) -> None:
    store = migrated(first_release)
    with store.reading() as lookup:
        assert [lookup.players.find(number) for number in (1, 2, 3)] == [
            Player(1, "Anna", "Anna@example.net", "en", "Europe/Paris", "json", "grid"),
            Player(2, "", "bert@example.com", "en", "UTC", "text", "grid"),
            Player(3, "", "", "en", "UTC", "html", "grid"),
        ]
        assert lookup.players.named("ANNA") == [lookup.players.find(1)]
    store.close()


def test_a_name_is_found_by_what_names_are_told_apart_by_now(first_release: str) -> None:
    engine = create_engine(first_release)
    with engine.begin() as connection:
        connection.exec_driver_sql(
            "UPDATE person SET name = 'Warner Clay', name_key = 'warner clay' WHERE player = 1"
        )
    engine.dispose()
    store = migrated(first_release)
    with store.reading() as lookup:
        for name in ("Warner Clay", "wamer c1ay"):
            assert [player.number for player in lookup.players.named(name)] == [1]
    store.close()


ENDS: tuple[tuple[str, str, str | None, str | None], ...] = (
    ("Ruled", '{"happenings":[{"code":"ended","facts":{"winner":"white","how":"x"}}]}', "ended", "white"),
    ("Ended", '{"result":{"winner":null,"how":"by agreement"},"happenings":[]}', "ended", "draw"),
    ("Ended", '{"result":{"winner":null,"how":"x","void":true}}', "ended", "none"),
    ("Ended", "not to be read", "ended", ""),
    ("Declined", "{}", "declined", ""),
    ("Ruled", '{"reason":"\\"ended\\""}', "playing", None),
)


def test_games_and_players_are_found_by_what_they_are_searched_by_now(first_release: str) -> None:
    """How each game ended is taken from its events."""
    engine = create_engine(first_release)
    with engine.begin() as connection:
        for number, (kind, body, status, _) in enumerate(ENDS, 2):
            connection.execute(
                text(
                    "INSERT INTO game (number, rules, title, status, last_event, created) VALUES"
                    " (:game, 'confusion', '', :status, 1, '2026-01-02 12:00:00')"
                ),
                {"game": number, "status": status},
            )
            connection.execute(
                text("INSERT INTO event (game, number, kind, at, body) VALUES (:game, 1, :kind, :at, :body)"),
                {"game": number, "kind": kind, "at": "2026-01-02 12:00:00", "body": body},
            )
        connection.exec_driver_sql("UPDATE person SET name = 'Änna' WHERE player = 1")
    engine.dispose()
    store = migrated(first_release)
    with store.reading() as lookup:
        assert [game.result for game in lookup.games.all()] == [None, *(end for *_, end in ENDS)]
        found, count = lookup.games.search(Search("ANN"), 9)
        assert ([game.number for game in found], count) == ([1], 1)
    store.close()


def test_its_game_its_thread_and_its_key_are_kept(first_release: str) -> None:
    store = migrated(first_release)
    with store.reading() as lookup:
        assert lookup.service_key().hex() == KEY
        (game,) = lookup.games.all()
        assert (game.title, game.seats) == ("Confusion 1: Anna - Yellow", {"white": 1, "yellow": 2})
        events = [(event.number, event.kind, event.body) for event in lookup.events.of_game(1)]
        assert events == [(1, "Opened", {"secret": "11"}), (2, "Ruled", {})]
        thread = lookup.threads.get(1, 1)
        assert (thread.letters, thread.told, thread.tag) == (3, 2, "abcdefghijklmnop")
        assert thread.last == ("a@example.org", "b@example.org")
    store.close()


def test_it_goes_on_as_any_other(first_release: str) -> None:
    store = migrated(first_release)
    assert store.incoming.record([letter()]) == [1]
    with store.unit() as unit:
        unit.players.change(1, sheets="picture")
        assert unit.players.add("Carla", "carla@example.net", "en").number == 4
        unit.events.append(1, [(3, "Ruled", {})], at=clock_at_noon().now())
    with store.reading() as lookup:
        assert [lookup.players.find(number).sheets for number in (1, 2, 4)] == ["picture", "grid", "grid"]
        assert lookup.players.find(1).form == "json"
    store.close()


@pytest.mark.parametrize("statement", ["UPDATE event SET body = ''", "DELETE FROM event"])
def test_its_events_are_still_append_only(first_release: str, statement: str) -> None:
    migrated(first_release).close()
    engine = create_engine(first_release)
    with pytest.raises(DBAPIError, match="events are append only"), engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def test_a_second_migration_finds_nothing_to_do(first_release: str) -> None:
    store = migrated(first_release)
    assert store.upgrade() is None
    store.close()


def test_a_file_is_copied_as_it_was_before_it_is_changed(first_release: str) -> None:
    store = Store(first_release, clock_at_noon())
    copy = store.upgrade()
    store.close()
    path = make_url(first_release).database
    if not first_release.startswith("sqlite"):
        assert copy is None
        return
    assert copy == Path(f"{path}.0001.20260302-120000")
    with closing(sqlite3.connect(copy)) as before:
        assert before.execute("SELECT version_num FROM alembic_version").fetchall() == [("0001",)]
        columns = [row[1] for row in before.execute("PRAGMA table_info(player)")]
        assert columns == ["number", "language", "zone", "form", "joined"]
        assert before.execute("SELECT name FROM person ORDER BY player").fetchall() == [("Anna",), ("",)]
        assert before.execute("SELECT count(*) FROM event").fetchone() == (2,)


def test_a_letter_that_was_held_can_still_be_confirmed(first_release: str) -> None:
    engine = create_engine(first_release)
    with engine.begin() as connection:
        for row in (
            "INSERT INTO letter (number, mailbox, uidvalidity, uid, received, recorded, size, digest, sender, outcome,"
            " reason, commands, attempts) VALUES (1, 'INBOX', 1, '1', '2026-01-03 12:00:00', '2026-01-03 12:00:00', 2,"
            " '', '', 'held', '', '[]', 0)",
            "INSERT INTO letter_content (letter, content) VALUES (1, 'hi')",
            "INSERT INTO tag (tag, purpose, player, letter, created) VALUES"
            " ('heldheldheldheld', 'hold', 1, 1, '2026-01-03 12:00:00')",
        ):
            connection.exec_driver_sql(row)
    engine.dispose()
    store = migrated(first_release)
    with store.reading() as lookup:
        tag = lookup.tags.get("heldheldheldheld")
        assert tag is not None
        assert [(each.number, each.is_held) for each in lookup.held.asked_about(tag)] == [(1, True)]
    store.close()
