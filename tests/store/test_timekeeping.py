"""The clocks of games as they are kept: when they are due, what was told, and when the service was out."""

from __future__ import annotations

from datetime import date, timedelta

from referee.common.clock import FixedClock
from referee.games.clocks.leave import Leave
from referee.rulebooks.rulebook import Seat
from referee.store.database import Store
from referee.store.values import StoredClock
from tests.store.scenery import NOON, letter, report, start_game

WHITE, YELLOW = Seat("white"), Seat("yellow")
HOUR = timedelta(hours=1)


def at(store: Store, time: timedelta) -> None:
    clock = store._clock
    assert isinstance(clock, FixedClock)
    clock.at = NOON + time


def looked(store: Store, *times: timedelta) -> None:
    for time in times:
        at(store, time)
        store.looked(HOUR)


def outages(store: Store) -> list[tuple[timedelta, timedelta]]:
    with store.reading() as lookup:
        return [(began - NOON, ended - NOON) for began, ended in lookup.clocks.outages(NOON - 999 * HOUR)]


def test_a_mailbox_that_is_looked_into_regularly_has_no_outage(store: Store) -> None:
    looked(store, 0 * HOUR, 0.5 * HOUR, 1.5 * HOUR)
    assert outages(store) == []
    with store.reading() as lookup:
        assert lookup.clocks.last_look() == NOON + 1.5 * HOUR


def test_a_gap_is_an_outage_from_the_last_look_to_the_next(store: Store) -> None:
    looked(store, 0 * HOUR, 5 * HOUR, 5.5 * HOUR, 9 * HOUR)
    assert outages(store) == [(0 * HOUR, 5 * HOUR), (5.5 * HOUR, 9 * HOUR)]
    with store.reading() as lookup:
        assert len(lookup.clocks.outages(NOON + 5 * HOUR)) == 1


def test_a_look_is_kept_once_a_minute(store: Store) -> None:
    looked(store, 0 * HOUR, timedelta(seconds=59))
    with store.reading() as lookup:
        assert lookup.clocks.last_look() == NOON


def test_what_a_clock_ahead_has_kept_is_cut_when_it_is_set_back(store: Store) -> None:
    game, anna, _ = start_game(store)
    looked(store, 0 * HOUR, 8760 * HOUR)
    with store.unit() as unit:
        unit.clocks.set(game, WHITE, anna, NOON + 9000 * HOUR, anew=True)
        unit.clocks.promise(game, WHITE, NOON + 9000 * HOUR)
    looked(store, 2 * HOUR)
    assert outages(store) == [(0 * HOUR, 2 * HOUR)]
    with store.reading() as lookup:
        assert lookup.clocks.due(NOON + 2 * HOUR, 9) == [(game, WHITE)]
        assert lookup.clocks.of_game(game)[WHITE].promised is None


def test_what_a_clock_ahead_has_told_for_its_own_next_hours_is_no_promise_either(store: Store) -> None:
    game, anna, bert = start_game(store)
    looked(store, 0 * HOUR)
    with store.unit() as unit:
        for seat, player, deadline in ((WHITE, anna, 8763), (YELLOW, bert, 900)):
            unit.clocks.set(game, seat, player, NOON + 9000 * HOUR, anew=True)
            unit.clocks.promise(game, seat, NOON + deadline * HOUR)
    looked(store, 8760 * HOUR, 8760.5 * HOUR, 8761.5 * HOUR, 8764 * HOUR, 2 * HOUR)
    assert outages(store) == [(0 * HOUR, 2 * HOUR)]
    with store.reading() as lookup:
        kept = lookup.clocks.of_game(game)
    assert kept[WHITE].promised is None and kept[YELLOW].promised == NOON + 900 * HOUR


def test_a_look_by_another_clock_that_is_a_little_behind_changes_nothing(store: Store) -> None:
    looked(store, 0 * HOUR, HOUR, HOUR - timedelta(minutes=2))
    with store.reading() as lookup:
        assert lookup.clocks.last_look() == NOON + HOUR


def test_clocks_are_due_in_their_order_and_kept_anew_for_another_move(store: Store) -> None:
    game, anna, bert = start_game(store)
    with store.unit() as unit:
        unit.clocks.set(game, WHITE, anna, NOON + 2 * HOUR, anew=True)
        unit.clocks.set(game, YELLOW, bert, NOON + HOUR, anew=True)
        unit.clocks.promise(game, WHITE, NOON + 5 * HOUR)
        unit.clocks.promise(game, WHITE, NOON + 4 * HOUR)
        unit.clocks.keep_reminded(game, WHITE, ((HOUR, NOON),))
    with store.reading() as lookup:
        assert lookup.clocks.due(NOON, 9) == []
        assert lookup.clocks.due(NOON + 3 * HOUR, 9) == [(game, YELLOW), (game, WHITE)]
        assert lookup.clocks.due(NOON + 3 * HOUR, 1) == [(game, YELLOW)]
        kept = StoredClock(NOON + 2 * HOUR, NOON + 5 * HOUR, ((HOUR, NOON),))
        assert lookup.clocks.of_game(game)[WHITE] == kept
    with store.unit() as unit:
        unit.clocks.put_off(game, YELLOW, NOON + 9 * HOUR, "KeyError")
        unit.clocks.set(game, WHITE, anna, None, anew=True)
        unit.clocks.wake(anna)
    with store.reading() as lookup:
        assert lookup.clocks.of_game(game)[WHITE] == StoredClock(None, None, ())
        assert lookup.clocks.due(NOON + 3 * HOUR, 9) == []


def test_a_letter_asks_for_a_move_from_when_it_was_accepted(store: Store) -> None:
    game, anna, _ = start_game(store)
    with store.unit() as unit:
        assert unit.outbox.asked(anna, game, 3) == (False, None)
        unit.outbox.queue(report("one@example.org", game=game, player=anna, number=1, told=2))
        unit.outbox.queue(report("two@example.org", game=game, player=anna, number=2, told=3))
        assert unit.outbox.asked(anna, game, 3) == (True, None)
    at(store, HOUR)
    claimed = store.outbox.claim(NOON + HOUR, 9)
    store.outbox.accepted([(each.id, "250 OK") for each in claimed])
    with store.reading() as lookup:
        assert lookup.outbox.asked(anna, game, 3) == (True, NOON + HOUR)
        assert lookup.outbox.asked(anna, game, 4) == (False, None)


def test_letters_that_wait_are_held_or_were_set_aside_are_unheard(store: Store) -> None:
    _, anna, bert = start_game(store)
    (number,) = store.incoming.record([letter()])

    def unheard(player: int, since: timedelta, until: timedelta) -> list[int]:
        with store.reading() as lookup:
            return [each.number for each in lookup.letters.unheard_by(NOON + until, player, NOON + since)]

    second = timedelta(seconds=1)
    assert unheard(anna, -HOUR, 0 * HOUR) == unheard(bert, HOUR, 0 * HOUR) == [number]
    assert unheard(anna, -HOUR, -second) == []
    with store.unit() as unit:
        unit.letters.conclude(number, outcome="held", held_for=anna)
    assert unheard(anna, -HOUR, 0 * HOUR) == [number]
    assert unheard(bert, -HOUR, 0 * HOUR) == unheard(anna, second, HOUR) == []
    with store.unit() as unit:
        unit.letters.conclude(number, outcome="set-aside", sender="Anna@example.net", commands=["L-S2"])
    assert unheard(bert, -HOUR, 0 * HOUR) == [number] and unheard(anna, second, HOUR) == []
    with store.reading() as lookup:
        (found,) = lookup.letters.unheard_by(NOON, anna, NOON - HOUR)
    assert (found.outcome, found.arrived, found.commands) == ("set-aside", NOON, ("L-S2",))
    with store.unit() as unit:
        unit.letters.conclude(number, outcome="ignored")
    assert unheard(anna, -HOUR, HOUR) == []


def test_leave_is_kept_cut_short_and_dropped(store: Store) -> None:
    _, anna, bert = start_game(store)
    summer = Leave(date(2026, 7, 1), date(2026, 7, 9), "Europe/Paris")
    short = Leave(date(2026, 7, 1), date(2026, 7, 3), "Europe/Paris")
    with store.unit() as unit:
        unit.leaves.add(anna, None, summer)
        unit.leaves.add(bert, None, summer)
        unit.leaves.change(anna, None, summer, short)
        assert [each.leave for each in unit.leaves.of_players([anna])] == [short]
        unit.leaves.change(anna, None, short, None)
        assert [each.player for each in unit.leaves.of_players([anna, bert])] == [bert]


def test_how_long_the_clock_has_gone_regularly_is_told_without_a_look(store: Store) -> None:
    with store.reading() as lookup:
        assert lookup.clocks.regular_by(NOON) == timedelta(0)
    store.retention.regular_for()
    at(store, 24 * HOUR)
    store.retention.regular_for()
    with store.reading() as lookup:
        assert lookup.clocks.regular_by(NOON + 30 * HOUR) == 30 * HOUR
        assert lookup.clocks.regular_by(NOON + 300 * HOUR) == timedelta(0)
