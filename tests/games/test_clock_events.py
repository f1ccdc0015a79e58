"""What a game's events say of time, and the clocks that follow from it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import reduce

import pytest

from referee.games.clock_events import Facts, clocks_of, dated, facts_after
from referee.games.clocks.controls import Fischer, Total
from referee.games.clocks.ledger import Excluded, Started
from referee.games.decisions import open_game
from referee.games.events import (
    ClockStarted,
    Ended,
    Event,
    Frozen,
    Paused,
    Reachable,
    Resumed,
    Ruled,
    TakenBack,
    Thawed,
    TimeAdded,
    Unreachable,
)
from referee.games.game import Game
from referee.games.game_options import check_agreements, record_head, tidy_agreements
from referee.rulebooks.catalogue import RULEBOOKS
from referee.rulebooks.rulebook import Result, Seat

WHITE, YELLOW = Seat("white"), Seat("yellow")
START = datetime(2027, 3, 1, 12, tzinfo=UTC)
A_DAY = timedelta(days=1)
(RULES,) = (each for each in RULEBOOKS if each.name == "confusion")


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def played(*events: Event, time: str = "20d") -> Game:
    opened = open_game(1, RULES, {"first": "white", "time": time}, {WHITE: 1, YELLOW: 2}, bytes(32))
    game = Game(number=1, rulebook=RULES, status="proposed").after(opened)
    for event in events:
        game = game.after(event)
    return game


def ruled(seat: Seat, received: datetime | None) -> Ruled:
    return Ruled(seat, "A-N1", (), received=received)


def left(game: Game, seat: Seat, now: datetime) -> float:
    time = game.clocks().left(seat, now)
    assert time is not None
    return time / timedelta(days=1)


def test_a_clock_runs_from_the_acceptance_of_the_letter_to_the_receipt_of_the_move() -> None:
    game = played(ClockStarted(WHITE, day(0)), ruled(WHITE, day(3)), ClockStarted(YELLOW, day(4)))
    assert left(game, WHITE, day(9)) == 17 and left(game, YELLOW, day(9)) == 15
    assert game.clocks().deadline(WHITE) is None and game.clocks().deadline(YELLOW) == day(24)


def test_a_game_without_time_control_counts_none() -> None:
    game = played(ClockStarted(WHITE, day(0)), ruled(WHITE, day(3)), time="none")
    assert not game.timed and game.times == () and game.clocks().deadline(WHITE) is None


def test_events_of_earlier_releases_count_no_time() -> None:
    assert played(ruled(WHITE, None), Frozen("why"), Unreachable(WHITE)).times == ()


def test_a_freeze_stops_both_clocks() -> None:
    game = played(ClockStarted(WHITE, day(0)), Frozen("why", day(1)), Thawed(day(6)))
    assert game.clocks().deadline(WHITE) == day(25)


def test_a_pause_and_its_end_do_so_too_and_time_can_be_added() -> None:
    game = played(
        ClockStarted(WHITE, day(0)),
        Paused("consent", day(1)),
        Resumed("consent", day(4)),
        TimeAdded(WHITE, 86400, day(5), by=3, reason="ill"),
    )
    assert game.clocks().deadline(WHITE) == day(24)


def test_letters_that_come_back_from_one_stop_the_clock_of_the_other() -> None:
    game = played(ClockStarted(WHITE, day(0)), Unreachable(YELLOW, day(1)), Reachable(YELLOW, day(3)))
    assert game.clocks().deadline(WHITE) == day(22)
    game = played(ClockStarted(WHITE, day(0)), Unreachable(WHITE, day(1)), Reachable(WHITE, day(3)))
    assert game.clocks().deadline(WHITE) == day(20)


def test_what_is_known_from_outside_counts_wherever_it_lies() -> None:
    game = played(ClockStarted(WHITE, day(0)), ruled(WHITE, day(3)), ClockStarted(YELLOW, day(4)))
    outage = Excluded(day(2), day(5))
    assert game.clocks(outside=[outage]).deadline(YELLOW) == day(25)
    assert game.clocks(outside=[outage]).left(WHITE, day(9)) == timedelta(days=18)


def test_a_clock_that_is_started_again_was_started_then() -> None:
    game = played(ClockStarted(WHITE, day(365)), ClockStarted(WHITE, day(1)))
    assert game.clocks().deadline(WHITE) == day(21)
    game = played(
        ClockStarted(WHITE, day(0)),
        ruled(WHITE, day(2)),
        ClockStarted(WHITE, day(3)),
        ClockStarted(WHITE, day(3)),
    )
    assert game.clocks().deadline(WHITE) == day(21)


def test_a_move_that_a_clock_ahead_has_dated_took_no_longer_than_until_the_next() -> None:
    game = played(
        ClockStarted(WHITE, day(0)),
        ruled(WHITE, day(365)),
        ClockStarted(YELLOW, day(365)),
        ruled(YELLOW, day(1)),
        ClockStarted(WHITE, day(2)),
    )
    assert left(game, WHITE, day(2)) == 19 and left(game, YELLOW, day(2)) == 20
    assert game.clocks(now=day(1.5)).left(WHITE, day(1.5)) == timedelta(days=19)


@pytest.mark.parametrize(
    "event",
    [
        ruled(WHITE, None),
        Frozen("why"),
        Thawed(),
        Unreachable(WHITE),
        Reachable(WHITE),
        TakenBack(1, WHITE, "", ()),
    ],
)
def test_what_bears_on_clocks_is_dated_once(event: Event) -> None:
    once = dated(event, day(2), day(1))
    assert once != event and dated(once, day(9), day(9)) == once
    if isinstance(once, Ruled):
        assert once.received == day(1)


def test_an_end_stops_the_clocks() -> None:
    ended = Ended(Result(YELLOW, "by resignation"), (), day(4))
    game = played(ClockStarted(WHITE, day(0)), ended)
    assert game.clocks().since(WHITE) is None and left(game, WHITE, day(9)) == 16


def taken_back(at: datetime | None) -> TakenBack:
    return TakenBack(1, WHITE, "why", (), None, at)


def times_of(*events: Event) -> Facts:
    return reduce(lambda facts, event: facts_after(facts, event, (WHITE, YELLOW)), events, ())


def test_turns_that_are_taken_back_stop_the_clocks_and_the_next_start_is_another() -> None:
    """TM-1.8."""
    started, back = ClockStarted(YELLOW, day(2)), taken_back(day(4))
    facts = times_of(ClockStarted(WHITE, day(0)), ruled(WHITE, day(2)), started, back)
    assert clocks_of(Total(20 * A_DAY), (WHITE, YELLOW), facts).account(YELLOW).used == 2 * A_DAY
    again = times_of(started, back, ClockStarted(YELLOW, day(5)), ClockStarted(YELLOW, day(6)))
    assert [fact for fact in again if isinstance(fact, Started)] == [
        Started(YELLOW, day(2)),
        Started(YELLOW, day(6)),
    ]


def test_an_order_that_is_put_in_place_by_an_umpire_is_no_further_move_and_one_in_a_seats_name_is() -> None:
    """TM-1.8."""
    before = (ClockStarted(WHITE, day(0)), ruled(WHITE, day(2)))
    by_umpire = Ruled(WHITE, "A-N2", (), received=day(4), by=0)
    moves = {}
    for name, events in {
        "corrected": (*before, taken_back(day(4)), by_umpire),
        "restored": (*before, taken_back(day(4)), by_umpire, replace(by_umpire, seat=YELLOW)),
        "later, in his name": (*before, taken_back(day(3)), by_umpire),
        "played again": (*before, taken_back(day(4)), replace(by_umpire, by=None)),
    }.items():
        clocks = clocks_of(Fischer(20 * A_DAY, A_DAY, None), (WHITE, YELLOW), times_of(*events))
        moves[name] = clocks.account(WHITE).moves, clocks.account(YELLOW).moves, clocks.account(WHITE).left
    assert moves == {
        "corrected": (1, 0, 19 * A_DAY),
        "restored": (1, 0, 19 * A_DAY),
        "later, in his name": (2, 0, 20 * A_DAY),
        "played again": (2, 0, 20 * A_DAY),
    }


@pytest.mark.parametrize(
    ("options", "meant"),
    [
        ({"time": "3/move"}, "time=3d/move"),
        ({"time": "3d"}, "time=3d/move"),
        ({"time": "soon"}, ""),
        ({"lapse": "sof"}, "lapse=soft"),
    ],
)
def test_a_time_that_cannot_be_is_refused_with_what_was_perhaps_meant(
    options: dict[str, str], meant: str
) -> None:
    (fault,) = check_agreements(options)
    assert fault.suggestion == meant


def test_a_time_control_is_bound_and_recorded_in_one_way() -> None:
    assert tidy_agreements({"time": "3days/move"}) == {"time": "3d/move"}
    assert record_head({"time": "3d/move"}) == {"Time": "3d/move", "Lapse": "hard"}
    assert record_head({"time": "none", "lapse": "soft"}) == {} == record_head({})
