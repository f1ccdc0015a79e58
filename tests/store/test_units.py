"""One transaction: all that a letter caused, or nothing; and what can be found again afterwards."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy.dialects import sqlite

from referee.common.clock import FixedClock
from referee.common.errors import Contested, StoreUnreachable
from referee.rulebooks.rulebook import Seat
from referee.store.database import Store
from referee.store.departures import forget_player
from referee.store.repositories.games import _CHALLENGES, _RUNNING_GAMES_OF
from referee.store.values import StoredEvent, Thread
from tests.store.scenery import NOON, clock_at_noon, letter, report, start_game


class Interrupted(Exception):
    """Stands for whatever may go wrong."""


@pytest.mark.parametrize("step", range(1, 6))
def test_a_crash_after_any_step_undoes_all(store: Store, step: int) -> None:
    game, anna, _ = start_game(store)
    (number,) = store.incoming.record([letter()])
    with store.reading() as lookup:
        before = (
            lookup.games.get(game),
            lookup.events.of_game(game),
            lookup.letters.newest(9),
            lookup.threads.get(anna, game),
        )

    with pytest.raises(Interrupted), store.unit() as unit:
        steps = (
            lambda: unit.events.append(game, [(2, "Ruled", {})], at=NOON, letter=number),
            lambda: unit.games.update(game, status="ended", last_event=2, at=NOON),
            lambda: unit.outbox.queue(report("m1@example.org", game=game, player=anna)),
            lambda: unit.threads.save(Thread(anna, game, letters=1)),
            lambda: unit.letters.conclude(number, outcome="ruled"),
        )
        for each in steps[:step]:
            each()
        raise Interrupted

    with store.reading() as lookup:
        after = (
            lookup.games.get(game),
            lookup.events.of_game(game),
            lookup.letters.newest(9),
            lookup.threads.get(anna, game),
        )
    assert after == before
    assert store.outbox.claim(NOON, 9) == []
    assert store.incoming.waiting() == [number]


@pytest.mark.subprocess
def test_a_killed_daemon_leaves_nothing_half_done_and_locks_nobody_out(sqlite_url: str) -> None:
    script = f"""
import os
from tests.store.scenery import *
store = Store({sqlite_url!r}, clock_at_noon())
store.open()
store.incoming.record([letter("1")])
with store.lock(), store.unit() as unit:
    unit.players.add("Anna", "anna@example.net", "en")
    unit.letters.conclude(1, outcome="ruled")
    os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 9
    store = Store(sqlite_url, FixedClock(NOON))
    store.open()
    with store.lock(), store.reading() as lookup:
        assert lookup.players.by_address("anna@example.net") is None
    assert store.incoming.waiting() == [1]
    store.close()


def test_what_a_unit_wrote_is_seen_by_others_after_its_end_only(store: Store) -> None:
    with store.unit() as unit:
        unit.players.add("Anna", "anna@example.net", "en")
        assert unit.players.names() == ["Anna"]
        with store.reading() as lookup:
            assert lookup.players.names() == []
    with store.reading() as lookup:
        assert lookup.players.names() == ["Anna"]


def test_units_of_many_threads_lose_no_change(store: Store) -> None:
    """Each reads a count and writes the next; none may overwrite another's."""
    _, anna, _ = start_game(store)
    with store.unit() as unit:
        unit.threads.save(Thread(anna, 0))

    def write_letters() -> None:
        for _ in range(5):
            with store.unit() as unit:
                thread = unit.threads.get(anna, 0)
                unit.threads.save(replace(thread, letters=thread.letters + 1))

    threads = [threading.Thread(target=write_letters) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    with store.reading() as lookup:
        assert lookup.threads.get(anna, 0).letters == 20


def test_the_house_has_one_key_for_ever(store: Store, url: str) -> None:
    with store.unit() as unit:
        key = unit.service_key()
    assert len(key) == 32
    again = Store(url, FixedClock(NOON))
    again.open(create=False)
    with again.reading() as lookup:
        assert lookup.service_key() == key
        assert key.hex() not in repr((lookup, again))
    again.close()


# players


def test_a_player_is_found_by_address_and_name_however_they_are_written(store: Store) -> None:
    with store.unit() as unit:
        added = unit.players.add("Zoë  Ångström", "Zoe@Example.NET", "fr")
    with store.reading() as lookup:
        assert lookup.players.find(added.number) == added
        assert lookup.players.by_address("zoe@example.net") == added
        assert lookup.players.named("zoë ångström") == [added]
        assert lookup.players.named("Zoë") == []
        assert (added.zone, added.form, added.sheets) == ("UTC", "html", "grid")


def test_an_address_belongs_to_one_player(store: Store) -> None:
    with store.unit() as unit:
        unit.players.add("", "anna@example.net", "en")
    with pytest.raises(Contested), store.unit() as unit:
        unit.players.add("", "ANNA@example.net", "en")
    with store.unit() as unit:
        unit.players.add("", "bert@example.com", "en")
        assert unit.players.names() == []


@pytest.mark.parametrize(
    "alike", ["anna lee", "ANNA  LEE", "\u0410nna Lee", "Ａｎｎａ Lee", "Anna L\u0435e", "Ánna Lee."]
)
def test_names_that_look_alike_are_one_name(store: Store, alike: str) -> None:
    with store.unit() as unit:
        anna = unit.players.add("Anna Lee", "anna@example.net", "en")
        bert = unit.players.add("Bert", "bert@example.com", "en")
        assert unit.players.named(alike) == [anna]
        unit.players.change(anna.number, name="Carla")
        assert unit.players.named(alike) == []
        unit.players.change(bert.number, name=alike)
        assert [each.number for each in unit.players.named("Anna Lee")] == [bert.number]


@pytest.mark.parametrize("nothing", ["", "  ", "...", "\u200b"])
def test_nobody_is_found_by_no_name(store: Store, nothing: str) -> None:
    with store.unit() as unit:
        unit.players.add("", "anna@example.net", "en")
        assert unit.players.named(nothing) == []


@pytest.mark.parametrize("other", ["mar\u212a@example.net", "mark@e\u212aample.net", "ma\u017fk@example.net"])
def test_only_the_case_of_a_to_z_does_not_count_in_an_address(store: Store, other: str) -> None:
    """Unicode's lower case turns the signs for kelvin and the long s into letters of somebody else's address."""
    with store.unit() as unit:
        for address in ("mark@example.net", "mark@ekample.net", "mask@example.net"):
            unit.players.add("", address, "en")
        assert unit.players.by_address("MARK@Example.net") is not None
        assert unit.players.by_address(other) is None
        unit.outbox.queue(report("m1", "mark@example.net"))
        assert unit.outbox.count_sent(other, "report", since=NOON) == 0


def test_a_player_changes_name_and_ways(store: Store) -> None:
    with store.unit() as unit:
        number = unit.players.add("", "anna@example.net", "en").number
        unit.players.change(number, name="Anna", form="json", sheets="list", zone="Europe/Paris")
        unit.players.change(number, address="Anna@example.org")
    with store.reading() as lookup:
        player = lookup.players.find(number)
        assert (player.name, player.address, player.form, player.sheets, player.zone, player.language) == (
            "Anna",
            "Anna@example.org",
            "json",
            "list",
            "Europe/Paris",
            "en",
        )
        assert lookup.players.named("anna") == [player]
        assert lookup.players.by_address("anna@example.net") is None
        assert lookup.players.by_address("anna@example.org") == player


def test_a_player_nobody_knows_is_an_error(store: Store) -> None:
    with store.reading() as lookup, pytest.raises(LookupError, match="no player 7"):
        lookup.players.find(7)


def test_a_player_who_leaves_is_erased_and_his_games_stay(store: Store) -> None:
    game, anna, bert = start_game(store)
    mine, yours = store.incoming.record(
        [letter("1", b"From: Anna@example.net"), letter("2", b"From: bert@example.com")]
    )
    with store.unit() as unit:
        unit.letters.conclude(mine, outcome="ruled", game=game, commands=("V-N1",), sender="Anna@example.net")
        unit.letters.conclude(yours, outcome="ruled", game=game, sender="bert@example.com")
        unit.tags.add("a" * 20, "seat", player=anna, game=game)
        for each in ("m1", "m2", "m3"):
            unit.outbox.queue(report(f"{each}@example.org", game=game, player=anna))
        unit.outbox.queue(report("m4@example.org", "bert@example.com", game=game, player=bert))
    first, *_ = store.outbox.claim(NOON, 1)
    store.outbox.accepted([(first.id, "250 ok")])

    with store.unit() as unit:
        forget_player(unit, anna, letter=1)
        forget_player(unit, anna, letter=1)

    with store.unit() as unit:
        gone = unit.players.find(anna)
        assert (gone.name, gone.address) == ("", "")
        assert unit.players.by_address("anna@example.net") is None
        assert unit.players.names() == ["Bert"]
        row = unit.games.get(game)
        assert row is not None
        assert row.seats == {"white": anna, "yellow": bert}
        assert [line.sender for line in unit.letters.newest(9)] == ["", "bert@example.com"]
        kept = [unit.letters.get(number, decided=True) for number in (mine, yours)]
        assert [each.content for each in kept if each] == [None, b"From: bert@example.com"]
        tag = unit.tags.get("a" * 20)
        assert tag is not None
        assert tag.revoked
        sent = unit.outbox.get("m1@example.org")
        assert sent is not None
        assert (sent.recipient, sent.player, sent.game) == ("", anna, game)
        assert unit.outbox.content("m1@example.org") is None
    # what says good-bye to him is still to be posted
    assert [posting.message_id for posting in store.outbox.claim(NOON, 9)] == [
        "m2@example.org",
        "m3@example.org",
        "m4@example.org",
    ]


# games


def test_a_game_is_found_with_its_seats_and_events(store: Store) -> None:
    game, anna, bert = start_game(store)
    (number,) = store.incoming.record([letter()])
    later = NOON + timedelta(minutes=1)
    with store.unit() as unit:
        unit.events.append(
            game, [(2, "CheckedIn", {"seat": "white"}), (3, "Ruled", {"é": [1]})], at=later, letter=number
        )
        unit.games.update(game, status="playing", last_event=3, at=later)
    with store.reading() as lookup:
        row = lookup.games.get(game)
        assert lookup.games.get(99) is None
        events = lookup.events.of_game(game)
        assert lookup.events.of_game(game, after=2) == events[2:]
    assert row is not None
    assert (row.number, row.rules, row.title) == (1, "confusion", "Confusion 1: Anna - Bert")
    assert (row.status, row.last_event, row.ended) == ("playing", 3, None)
    assert row.seats == {Seat("white"): anna, Seat("yellow"): bert}
    assert events == [
        StoredEvent(1, "Opened", NOON, {"secret": "11"}, None),
        StoredEvent(2, "CheckedIn", later, {"seat": "white"}, number),
        StoredEvent(3, "Ruled", later, {"é": [1]}, number),
    ]
    assert "11" not in repr(events[0])


def test_a_players_games_are_those_he_plays_proposed_or_is_asked_to_play(store: Store) -> None:
    playing, anna, bert = start_game(store)
    with store.unit() as unit:
        to_bert = unit.games.add("confusion", NOON, proposed_by=anna, proposed_to=bert)
        to_all = unit.games.add("confusion", NOON, proposed_by=bert)
        ended = unit.games.add("confusion", NOON)
        unit.events.append(ended, [(1, "Opened", {})], at=NOON)
        unit.games.add_seat(ended, Seat("white"), anna)
        unit.games.update(ended, status="ended", last_event=1, at=NOON)

    def numbers_of(player: int, *statuses: str) -> list[int]:
        with store.reading() as lookup:
            return [row.number for row in lookup.games.of_player(player, statuses)]

    assert numbers_of(anna, "playing", "proposed") == [playing, to_bert]
    assert numbers_of(bert, "playing", "proposed") == [playing, to_bert, to_all]
    assert numbers_of(bert, "proposed") == [to_bert, to_all]
    assert numbers_of(anna, "playing", "ended") == [playing, ended]
    with store.reading() as lookup:
        assert [row.number for row in lookup.games.open()] == [to_all]
        assert [row.number for row in lookup.games.all()] == [playing, to_bert, to_all, ended]
        (over,) = lookup.games.all(("ended",))
        assert over.ended == NOON
        (mine,) = lookup.games.of_player(anna, ("proposed",))
        assert (mine.proposed_by, mine.proposed_to) == (anna, bert)


def test_finding_a_players_games_does_not_pass_through_those_that_are_over(sqlite_file: Path) -> None:
    """A long career costs no search: the index of his seats knows only games that can go on."""
    store = Store(f"sqlite:///{sqlite_file}", FixedClock(NOON))
    store.open()
    game, anna, _ = start_game(store)
    with store.unit() as unit:
        unit.games.update(game, status="ended", last_event=1, at=NOON)
    store.close()
    with closing(sqlite3.connect(sqlite_file)) as connection:
        indexed = "SELECT game FROM seat INDEXED BY ix_seat_playing WHERE player = ? AND done = 0"
        assert connection.execute(indexed, [anna]).fetchall() == []
        assert connection.execute("SELECT count(*) FROM seat WHERE done = 0").fetchone() == (0,)
        statement = str(_RUNNING_GAMES_OF.compile(dialect=sqlite.dialect(paramstyle="named")))
        statement = statement.replace("(__[POSTCOMPILE_statuses])", "('playing')")
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", {"who": anna})]
    assert any("ix_seat_playing (player=?)" in step for step in plan), plan
    assert not any(step.startswith(("SCAN seat", "SCAN game")) for step in plan), plan


def test_challenges_are_counted_whatever_became_of_them(url: str) -> None:
    clock = clock_at_noon()
    store = Store(url, clock)
    store.open(create=False)
    with store.unit() as unit:
        anna, bert = (unit.players.add("", f"{name}@example.net", "en").number for name in ("anna", "bert"))
        day = timedelta(days=1)
        for at in (NOON - 2 * day, NOON - day, NOON, NOON + day):
            unit.games.add("confusion", at, proposed_by=anna, proposed_to=bert)
        unit.games.update(3, status="declined", last_event=0, at=NOON)
        unit.games.add("confusion", NOON, proposed_by=anna)
        unit.games.add("confusion", NOON, proposed_by=bert, proposed_to=anna)
        assert unit.games.count_challenges(anna, NOON - day) == 2, (
            "not the older one, nor one from a wrong clock"
        )
        assert unit.games.count_challenges(bert, NOON - day) == 1
    store.close()


def test_counting_challenges_does_not_pass_through_all_games(sqlite_file: Path) -> None:
    statement = str(_CHALLENGES.compile(dialect=sqlite.dialect(paramstyle="named")))
    facts = {"who": 1, "since": "2026", "until": "2026"}
    with closing(sqlite3.connect(sqlite_file)) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", facts)]
    assert any("ix_game_challenges (proposed_by=? AND created>? AND created<?)" in step for step in plan), (
        plan
    )


def test_a_declined_game_is_nobodys_any_more(store: Store) -> None:
    _, anna, bert = start_game(store)
    with store.unit() as unit:
        game = unit.games.add("confusion", NOON, proposed_by=anna, proposed_to=bert)
        unit.events.append(game, [(1, "Proposed", {}), (2, "Declined", {})], at=NOON)
        unit.games.update(game, status="declined", last_event=2, at=NOON)
        assert [row.number for row in unit.games.of_player(bert, ("proposed",))] == []


# letters of ours


def test_a_thread_is_kept_as_it_was_saved(store: Store) -> None:
    game, anna, _ = start_game(store)
    thread = Thread(anna, game, 3, 7, "b" * 20, "root@example.org", ("m2@example.org", "m3@example.org"))
    with store.unit() as unit:
        assert unit.threads.get(anna, game) == Thread(anna, game)
        unit.threads.save(Thread(anna, game, 1))
        unit.threads.save(thread)
        assert unit.threads.get(anna, game) == thread
        assert unit.threads.get(anna, 0) == Thread(anna, 0)
    assert "bbbb" not in repr(thread)


def test_a_tag_says_what_it_is_about_until_it_is_revoked(store: Store) -> None:
    game, anna, _ = start_game(store)
    (number,) = store.incoming.record([letter()])
    with store.unit() as unit:
        unit.tags.add("s" * 20, "seat", player=anna, game=game)
        assert not unit.tags.held_since(anna, NOON - timedelta(days=1))
        unit.tags.add("h" * 20, "hold", player=anna, letter=number)
        assert unit.tags.held_since(anna, NOON - timedelta(days=1))
        assert not unit.tags.held_since(anna, NOON + timedelta(seconds=1))
        unit.tags.revoke("s" * 20)
    with store.reading() as lookup:
        seat, hold = lookup.tags.get("s" * 20), lookup.tags.get("h" * 20)
        assert lookup.tags.get("nobody's") is None
    assert seat is not None
    assert hold is not None
    assert (seat.purpose, seat.player, seat.game, seat.letter, seat.revoked) == (
        "seat",
        anna,
        game,
        None,
        True,
    )
    assert (hold.purpose, hold.player, hold.game, hold.letter, hold.revoked) == (
        "hold",
        anna,
        None,
        number,
        False,
    )
    assert "ssss" not in repr(seat)


def test_what_was_read_of_a_tag_within_what_failed_is_read_anew(store: Store) -> None:
    _, anna, _ = start_game(store)
    with store.unit() as unit:
        unit.tags.add("kept", "seat", player=anna, game=1)
        with pytest.raises(Interrupted), unit.attempt():
            unit.tags.revoke("kept")
            unit.tags.add("undone", "seat", player=anna, game=1)
            assert [unit.tags.get(text) is not None for text in ("kept", "undone")] == [True, True]
            raise Interrupted
        kept = unit.tags.get("kept")
        assert kept is not None and not kept.revoked
        assert unit.tags.get("undone") is None


def test_letters_of_a_kind_to_an_address_are_counted(store: Store) -> None:
    with store.unit() as unit:
        unit.outbox.queue(report("m1@example.org", "Stranger@example.com", kind="help"))
        unit.outbox.queue(report("m2@example.org", "stranger@example.com", kind="notice"))
        assert unit.outbox.count_sent("stranger@Example.com", "help", since=NOON) == 1
        assert unit.outbox.count_sent("stranger@example.com", "help", since=NOON + timedelta(seconds=1)) == 0
        assert unit.outbox.count_sent("other@example.com", "help", since=NOON) == 0


@pytest.mark.parametrize("ahead", [timedelta(minutes=6), timedelta(days=365)])
def test_what_a_clock_wrote_that_was_ahead_silences_nobody(url: str, ahead: timedelta) -> None:
    """A day's or a week's notice would else stay away until the future has come."""
    clock = FixedClock(NOON + ahead)
    store = Store(url, clock)
    with store.unit() as unit:
        anna = unit.players.add("", "anna@example.net", "en").number
        unit.tags.add("h" * 20, "hold", player=anna)
        unit.outbox.queue(report("m1@example.org", "stranger@example.com", kind="help"))
    clock.at = NOON
    since = NOON - timedelta(days=7)
    with store.unit() as unit:
        assert not unit.tags.held_since(anna, since)
        assert unit.outbox.count_sent("stranger@example.com", "help", since=since) == 0
    clock.at = NOON + ahead
    with store.reading() as lookup:
        assert lookup.tags.held_since(anna, since)
        assert lookup.outbox.count_sent("stranger@example.com", "help", since=since) == 1
    store.close()


def test_what_another_machine_has_just_written_counts_though_its_clock_is_a_little_ahead(url: str) -> None:
    clock = FixedClock(NOON + timedelta(minutes=1))
    store = Store(url, clock)
    with store.unit() as unit:
        anna = unit.players.add("", "anna@example.net", "en").number
        unit.tags.add("h" * 20, "hold", player=anna)
        unit.outbox.queue(report("m1@example.org", "stranger@example.com", kind="help"))
    clock.at = NOON
    with store.unit() as unit:
        assert unit.tags.held_since(anna, NOON)
        assert unit.outbox.count_sent("stranger@example.com", "help", since=NOON) == 1
    store.close()


def test_a_players_letter_is_found_by_its_number_as_it_was_first_written(store: Store) -> None:
    game, anna, bert = start_game(store)
    with store.unit() as unit:
        for message_id, about, player, number in (
            ("m1@example.org", game, anna, 1),
            ("m2@example.org", game, bert, 1),
            ("m3@example.org", None, anna, 1),
            ("copy@example.org", game, anna, 1),
        ):
            unit.outbox.queue(report(message_id, game=about, player=player, number=number))
        asked = ((anna, game, 1), (bert, game, 1), (anna, 0, 1))
        found = [unit.outbox.numbered(*each) for each in asked]
        assert [each.message_id for each in found if each] == [
            "m1@example.org",
            "m2@example.org",
            "m3@example.org",
        ]
        assert unit.outbox.numbered(anna, game, 2) is None
        assert unit.outbox.numbered(bert, 0, 1) is None


def test_a_letter_of_ours_is_found_by_its_message_id(store: Store) -> None:
    game, anna, _ = start_game(store)
    with store.unit() as unit:
        unit.outbox.queue(report("m1@example.org", game=game, player=anna, seat=Seat("white"), number=4))
        found = unit.outbox.get("m1@example.org")
        assert unit.outbox.content("m1@example.org") == b"Message-ID: <m1@example.org>\r\n\r\nYour move.\r\n"
        assert unit.outbox.get("m2@example.org") is None
        assert unit.outbox.content("m2@example.org") is None
    assert found is not None
    assert (found.kind, found.game, found.player, found.seat, found.number) == (
        "report",
        game,
        anna,
        "white",
        4,
    )


def test_two_letters_with_one_message_id_cannot_be(store: Store) -> None:
    with pytest.raises(Contested), store.unit() as unit:
        unit.outbox.queue(report("m1@example.org"))
        unit.outbox.queue(report("m1@example.org", "bert@example.com"))
    assert store.outbox.claim(NOON, 9) == []


@pytest.mark.servers
def test_on_postgresql_a_letter_in_another_processs_hands_is_left_alone(postgres_emptied: str) -> None:
    here, there = Store(postgres_emptied, FixedClock(NOON)), Store(postgres_emptied, FixedClock(NOON))
    here.open()
    there.open()
    try:
        first, second = here.incoming.record([letter("1"), letter("2")])
        with here.unit() as ours:
            assert ours.letters.get(first) is not None
            with there.unit() as theirs:
                assert theirs.letters.get(first) is None
                assert theirs.letters.get(second) is not None
                theirs.letters.conclude(second, outcome="ignored")
            ours.letters.conclude(first, outcome="ignored")
        assert here.incoming.waiting() == []
    finally:
        here.close()
        there.close()


@pytest.mark.servers
def test_on_postgresql_the_later_of_two_rulings_on_one_position_is_undone(postgres_emptied: str) -> None:
    """Should a game ever be ruled on without its lock, the numbers of its events tell."""
    here, there = Store(postgres_emptied, FixedClock(NOON)), Store(postgres_emptied, FixedClock(NOON))
    here.open()
    there.open()
    try:
        game, _, _ = start_game(here)
        with pytest.raises(Contested), here.unit() as late:
            late.service_key()
            with there.unit() as early:
                early.events.append(game, [(2, "Ruled", {})], at=NOON)
            late.events.append(game, [(2, "Ruled", {})], at=NOON)
    finally:
        here.close()
        there.close()


def test_a_unit_within_a_unit_is_refused_and_not_waited_for_in_vain(
    sqlite_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.store.connections.BUSY_SECONDS", 0.01)
    store = Store(f"sqlite:///{sqlite_file}", FixedClock(NOON))
    with store.unit(), pytest.raises(StoreUnreachable, match="another thread"), store.unit():
        raise AssertionError("the second unit was opened")
    store.close()


def test_of_held_letters_those_to_the_own_tag_come_first_and_each_kind_from_both_ends(store: Store) -> None:
    _, anna, _ = start_game(store)
    numbers = store.incoming.record(
        [letter(str(uid), f"Subject: {uid}\r\n\r\ndraw\r\n".encode()) for uid in range(20)]
    )
    tagged = numbers[4:16]
    with store.unit() as unit:
        for number in numbers:
            unit.letters.conclude(number, outcome="held", held_for=anna)
            if number in tagged:
                unit.held.mark_tagged(number)
    since = NOON - timedelta(days=1)
    with store.reading() as lookup:
        found = [each.number for each in lookup.held.unasked(anna, since, 10)]
        assert found == [numbers[0], *tagged[:4], *tagged[-4:], numbers[-1]]
        assert [each.number for each in lookup.held.unasked(anna, since, 1)] == [tagged[0]]
    with store.unit() as unit:
        unit.held.mark_asked(tagged[1:], "tag")
        found = [each.number for each in unit.held.unasked(anna, since, 10)]
    assert found == [*numbers[:5], *numbers[16:]]


def test_the_first_return_keeps_its_date_until_the_player_writes(url: str) -> None:
    clock = clock_at_noon()
    store = Store(url, clock)
    store.open()
    _, anna, _ = start_game(store)
    dates = []
    for hours in (0, 5, 30, -40):
        clock.at = NOON + timedelta(hours=hours)
        with store.unit() as unit:
            dates.append(unit.players.count_return(anna))
    assert dates == [NOON, NOON, NOON, NOON - timedelta(hours=40)], "a clock ahead had dated the first"
    with store.unit() as unit:
        unit.players.mark_reachable(anna)
    clock.at = NOON
    with store.unit() as unit:
        assert unit.players.count_return(anna) == NOON
    store.close()
