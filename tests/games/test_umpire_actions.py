"""What an umpire does becomes events, or a fault that says nothing secret; and no sequence of acts breaks a game."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.common.faults import Fault
from referee.games.clock_events import dated
from referee.games.clocks.ledger import Moved
from referee.games.decisions import decide_offer, decide_resign, open_game
from referee.games.events import (
    CheckedIn,
    Claimed,
    Ended,
    EndOffered,
    Event,
    Frozen,
    Noted,
    Opened,
    Paused,
    PauseOffered,
    Planned,
    Pressed,
    Proposed,
    Replaced,
    Resumed,
    Ruled,
    Stated,
    TakenBack,
    TimeAdded,
    TimeUp,
    Unreachable,
    Watched,
    Withdrawn,
    read_event,
    write_event,
)
from referee.games.game import Game, fold_game
from referee.games.umpire_actions import (
    Act,
    ActFor,
    AddTime,
    Adjudicate,
    Close,
    Correct,
    Pause,
    Replace,
    Restore,
    Resume,
    Rule,
    TakeBack,
    attempts_in,
    decide_act,
    is_paused,
    left_to_do,
    stands_at,
)
from referee.rulebooks.rulebook import Seat
from tests.games.test_decisions import DEAL, SECRET, play
from tests.reports.material import CONFUSION, WHITE, YELLOW

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
WHY = "The club is closed"


def opened(**options: str) -> tuple[Opened, Game]:
    agreed = {"first": "white", **options}
    event = open_game(7, CONFUSION, agreed, {YELLOW: 2, WHITE: 1}, SECRET, DEAL)
    return event, Game(number=7, rulebook=CONFUSION, status="proposed").after(event)


def timed(*moves: str) -> Game:
    _, game = opened(time="7d/move", lapse="hard")
    for move in moves:
        game = play(game, move)
    return game


def done(
    game: Game, act: Act, reason: str = WHY, by: int | None = 9, now: datetime = NOW
) -> tuple[Event, ...]:
    found = decide_act(game, act, reason, by, now)
    assert not isinstance(found, Fault), found.sentence()
    return found


def refused(game: Game, act: Act, reason: str = WHY, by: int | None = 9) -> Fault:
    found = decide_act(game, act, reason, by, NOW)
    assert isinstance(found, Fault), found
    assert found.sentence()
    return found


def then(game: Game, *events: Event) -> Game:
    for event in events:
        game = game.after(event)
    return game


# Each act


@pytest.mark.parametrize(
    ("act", "events"),
    [
        (Pause(), (Paused("umpire", NOW, None, 9, WHY),)),
        (Pause(NOW + DAY), (Paused("umpire", NOW, NOW + DAY, 9, WHY),)),
        (AddTime(3 * DAY, WHITE), (TimeAdded(WHITE, 3 * 86400, NOW, 9, WHY),)),
        (
            AddTime(timedelta(hours=1)),
            (TimeAdded(WHITE, 3600, NOW, 9, WHY), TimeAdded(YELLOW, 3600, NOW, 9, WHY)),
        ),
        (Rule(5), (Stated(5, 9),)),
        (Replace(YELLOW, 4), (Replaced(YELLOW, 4, 2, WHY, 9),)),
    ],
    ids=lambda each: type(each).__name__,
)
def test_an_act_is_these_events(act: Act, events: tuple[Event, ...]) -> None:
    assert done(timed("L-S2"), act) == events


def test_a_pause_is_ended_by_resume_or_by_itself() -> None:
    game = then(timed(), *done(timed(), Pause(NOW + DAY)))
    assert is_paused(game, NOW)
    assert not is_paused(game, NOW + DAY)
    (resumed,) = done(game, Resume())
    assert resumed == Resumed("umpire", NOW, 9, WHY)
    assert not is_paused(then(game, resumed), NOW)


def test_moves_may_be_made_in_a_pause() -> None:
    game = then(timed(), *done(timed(), Pause()))
    assert WHITE in game.due
    assert play(game, "L-S2").due.keys() == {YELLOW}


def test_an_order_in_a_seats_name_is_ruled_on_as_its_own_and_says_by_whom_and_why() -> None:
    game = timed()
    (ruled,) = done(game, ActFor(WHITE, "L-S2"))
    assert isinstance(ruled, Ruled)
    assert (ruled.by, ruled.reason, ruled.order) == (9, WHY, "L-S2")
    assert then(game, ruled).position == play(game, "L-S2").position
    (ours,) = done(game, ActFor(WHITE, "L-S2"), by=None)
    assert isinstance(ours, Ruled)
    assert ours.by == 0


def test_a_replaced_player_takes_along_what_was_his_and_leaves_what_the_seat_knows() -> None:
    game = timed("L-S2", "A-N1")
    before = game.view(WHITE)
    game = then(
        game,
        CheckedIn(WHITE),
        Planned(WHITE, "L-S1"),
        Unreachable(WHITE, NOW),
        TimeUp(WHITE, NOW),
        *decide_offer(game, WHITE, "draw").events,
    )
    game = then(game, *done(game, Replace(WHITE, 4)))
    assert (game.seats, game.former) == ({WHITE: 4, YELLOW: 2}, {1: WHITE})
    assert (game.plans, game.offer, game.checked_in) == ({}, None, frozenset())
    assert (game.unreachable, game.time_up) == (frozenset(), frozenset())
    assert game.view(WHITE) == before
    assert game.due.keys() == {WHITE}


def test_what_the_other_side_has_planned_and_proposed_stays_when_a_player_is_replaced() -> None:
    game = timed("L-S2")
    game = then(game, Planned(WHITE, "L-S1"), *decide_offer(game, WHITE, "draw").events)
    game = then(game, *done(game, Replace(YELLOW, 4)))
    assert game.offer is not None
    assert game.plans.keys() == {WHITE}


def test_a_player_who_was_replaced_may_come_back_to_his_own_seat_alone() -> None:
    game = timed("L-S2")
    game = then(game, *done(game, Replace(WHITE, 4)))
    assert refused(game, Replace(YELLOW, 1)).code == "act-player"
    back = then(game, *done(game, Replace(WHITE, 1)))
    assert (back.seats[WHITE], back.former) == (1, {4: WHITE})


@pytest.mark.parametrize(
    ("act", "result"),
    [
        (Close(), (None, True)),
        (Adjudicate("none"), (None, True)),
        (Adjudicate("draw"), (None, False)),
        (Adjudicate("white"), ("white", False)),
    ],
)
def test_a_game_is_ended_by_a_ruling_that_says_why(act: Act, result: tuple[str | None, bool]) -> None:
    (ended,) = done(timed("L-S2"), act)
    assert isinstance(ended, Ended)
    assert (ended.result.winner, ended.result.void) == result
    assert ended.result.how == f"adjudicated: {WHY}"
    assert ended.by == 9


def test_a_proposal_that_waits_is_withdrawn_by_closing_it() -> None:
    game = Game(7, CONFUSION, "proposed").after(Proposed(1, 2, "confusion"))
    assert done(game, Close()) == (Withdrawn(1, WHY),)


# What was taken back is put back


def test_what_was_taken_back_is_put_back_with_the_same_answers_and_can_be_again() -> None:
    game = timed("L-S2", "A-N1", "L-N1")
    once = game.position
    game = then(game, *done(game, TakeBack(1, WHITE)))
    game = play(play(game, "K-S1"), "C-N1")
    other = game.position
    back = done(game, Restore(), "It was right after all")
    assert [type(each) for each in back] == [TakenBack, Ruled, Ruled, Ruled]
    for each in back:
        assert isinstance(each, TakenBack | Ruled)
        assert (each.by, each.reason) == (9, "It was right after all")
    game = then(game, *back)
    assert game.position == once
    assert len(game.branches) == 2
    again = then(game, *done(game, Restore(), "No, it was not"))
    assert again.position == other


def test_what_was_taken_back_is_put_back_where_nothing_was_played_since() -> None:
    game = timed("L-S2", "A-N1")
    once = game.position
    game = then(game, *done(game, TakeBack(2)))
    back = done(game, Restore())
    assert [type(each) for each in back] == [Ruled]
    game = then(game, *back)
    assert game.position == once
    assert refused(game, Restore()).code == "restore-stands"


@pytest.mark.parametrize("played_since", [True, False])
def test_orders_that_are_put_back_are_no_further_moves_for_the_clocks(played_since: bool) -> None:
    """TM-1.8: what was given for them was given, and is not given twice."""
    game = timed()
    for hour, move in enumerate(("L-S2", "A-N1", "L-N1")):
        (seat,) = game.due
        game = at(game, NOW + timedelta(hours=hour), *done(game, ActFor(seat, move)))
    game = at(game, NOW + DAY, *done(game, TakeBack(1)))
    if played_since:
        game = at(game, NOW + DAY + timedelta(hours=1), *done(game, ActFor(WHITE, "K-S1")))
    moves = [sum(isinstance(each, Moved) for each in game.times)]
    game = at(game, NOW + 2 * DAY, *done(game, Restore()))
    moves.append(sum(isinstance(each, Moved) for each in game.times))
    assert moves == ([4, 4] if played_since else [3, 3])
    assert game.clocks(now=NOW + 2 * DAY).since(YELLOW) is None, "it starts by the letter that asks for it"


def at(game: Game, when: datetime, *events: Event) -> Game:
    return then(game, *(dated(event, when, when) for event in events))


def test_a_correction_is_undone_by_putting_back() -> None:
    game = timed("L-S2")
    once = game.position
    game = then(game, *done(game, Correct("L-S1")))
    assert then(game, *done(game, Restore())).position == once


# What cannot be done


def ended_game() -> Game:
    return then(timed("L-S2"), *decide_resign(timed("L-S2"), WHITE, whole_letter=True).events)


@pytest.mark.parametrize(
    "act",
    [
        Pause(),
        Resume(),
        AddTime(DAY),
        TakeBack(1),
        Correct("L-S1"),
        Restore(),
        ActFor(WHITE, "L-S2"),
        Replace(WHITE, 4),
        Close(),
        Adjudicate("draw"),
    ],
    ids=lambda act: type(act).__name__,
)
def test_a_game_that_is_over_is_not_acted_in(act: Act) -> None:
    fault = refused(ended_game(), act)
    taken_back = isinstance(act, TakeBack | Restore | Correct)
    assert fault.code == ("back-over" if taken_back else "act-not-playing")
    assert fault.rule == ("CF-11.5" if taken_back else "")


def test_a_ruling_in_words_may_come_after_the_end() -> None:
    assert done(ended_game(), Rule(3)) == (Stated(3, 9),)


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (Pause(NOW), "act-past"),
        (Pause(NOW - DAY), "act-past"),
        (Resume(), "act-not-paused"),
        (AddTime(timedelta()), "act-time"),
        (AddTime(-DAY), "act-time"),
        (AddTime(1001 * DAY), "act-time"),
        (AddTime(DAY, Seat("red")), "act-seat"),
        (ActFor(WHITE, "A-S1"), "act-turn"),
        (ActFor(Seat("red"), "A-S1"), "act-seat"),
        (ActFor(YELLOW, "A-N9"), "no-type-goes-so"),
        (Replace(WHITE, 2), "act-player"),
        (Replace(WHITE, 1), "act-player"),
        (Replace(WHITE, 6), "act-player"),
        (Replace(WHITE, 9), "act-player"),
        (Replace(Seat("red"), 4), "act-seat"),
        (Adjudicate("red"), "act-end"),
        (Restore(), "restore-nothing"),
        (TakeBack(9), "back-no-turn"),
    ],
)
def test_what_cannot_be_done_is_a_fault(act: Act, code: str) -> None:
    game = timed("L-S2").after(Watched(6))
    assert refused(game, act).code == code


@pytest.mark.parametrize("act", [Pause(), AddTime(DAY)])
def test_no_time_is_stopped_or_given_where_none_is_counted(act: Act) -> None:
    _, game = opened()
    assert refused(game, act).code == "act-not-timed"


@pytest.mark.parametrize("reason", ["", "  ", "long " * 61])
def test_every_act_has_a_reason_of_a_sentence(reason: str) -> None:
    assert refused(timed(), Pause(), reason).code == "act-reason"


ADDRESSES = ["Ask anna@example.net.", "Bert (bert@example.com) has won", "mailto:olga@example"]


@pytest.mark.parametrize("reason", ADDRESSES)
@pytest.mark.parametrize(
    "act",
    [
        Pause(),
        AddTime(DAY),
        TakeBack(1),
        Correct("L-S1"),
        ActFor(Seat("yellow"), "C-N1"),
        Replace(Seat("white"), 5),
        Close(),
        Adjudicate("draw"),
        Restore(),
        Resume(),
    ],
)
def test_no_reason_brings_a_mail_address_into_what_is_published(act: Act, reason: str) -> None:
    assert refused(timed("L-S2"), act, reason).code == "act-address"


def test_a_reason_may_hold_the_sign_of_a_turn() -> None:
    assert done(timed(), Pause(), "V-N1 @3 was misread, as @letter 5 says")


def test_a_pause_is_made_longer_and_never_shorter() -> None:
    game = then(timed(), *done(timed(), Pause(NOW + 2 * DAY)))
    assert refused(game, Pause(NOW + DAY)).code == "act-paused-already"
    assert done(game, Pause(NOW + 3 * DAY))
    endless = then(game, *done(game, Pause()))
    assert refused(endless, Pause()).code == "act-paused-already"
    assert refused(endless, Pause(NOW + DAY)).code == "act-paused-already"


def test_a_pause_that_would_be_over_is_asked_about_as_of_the_year_that_comes() -> None:
    """The year is what people write wrong in January."""
    assert refused(timed(), Pause(datetime(2026, 1, 3, tzinfo=UTC))).suggestion == "2027-01-03"
    assert refused(timed(), Pause(datetime(2024, 2, 29, tzinfo=UTC))).suggestion == ""


def test_a_frozen_game_takes_no_order_in_a_seats_name() -> None:
    assert refused(timed().after(Frozen("it is looked at")), ActFor(WHITE, "L-S2")).code == "game-frozen"


# What is asked about


def test_a_gift_that_was_made_lately_is_known_by_officer_seats_time_and_reason() -> None:
    act = AddTime(DAY, WHITE)
    game = then(timed(), *done(timed(), act))
    assert left_to_do(game, act, WHY, 9, NOW + timedelta(hours=23)) is None
    for other, why, by, at in (
        (act, WHY, 9, NOW + DAY),
        (act, "Another", 9, NOW),
        (act, WHY, 8, NOW),
        (AddTime(2 * DAY, WHITE), WHY, 9, NOW),
        (AddTime(DAY, YELLOW), WHY, 9, NOW),
        (Pause(), WHY, 9, NOW),
    ):
        assert left_to_do(game, other, why, by, at) == other


@pytest.mark.parametrize("seats", [(), (WHITE,), (YELLOW,), (WHITE, YELLOW)])
@pytest.mark.parametrize(
    "between", [(), (AddTime(2 * DAY, WHITE),), (AddTime(2 * DAY), AddTime(DAY, YELLOW))]
)
def test_of_a_gift_to_both_each_gets_what_he_was_not_given_whatever_else_was_given_meanwhile(
    seats: tuple[Seat, ...], between: tuple[AddTime, ...]
) -> None:
    game = timed()
    for seat in seats:
        game = then(game, *done(game, AddTime(DAY, seat)))
    for other in between:
        game = then(game, *done(game, other, "Ill"))
    left = left_to_do(game, AddTime(DAY), WHY, 9, NOW)
    missing = [seat for seat in (WHITE, YELLOW) if seat not in seats]
    assert left == (None if not missing else AddTime(DAY, missing[0] if len(missing) == 1 else None))


def test_how_a_game_stands_changes_with_what_is_public_and_not_with_plans_or_diaries() -> None:
    game = timed("L-S2")
    for private in (
        Planned(WHITE, "L-S1"),
        Noted(YELLOW, 3),
        Claimed(YELLOW, 4),
        Pressed(WHITE, "opponent", 5),
    ):
        assert stands_at(game.after(private)) == stands_at(game)
    for public in (
        CheckedIn(YELLOW),
        EndOffered(YELLOW, "draw"),
        PauseOffered(WHITE, NOW),
        Paused("consent", NOW),
        Unreachable(YELLOW),
        Pressed(WHITE, "all", 6),
    ):
        assert stands_at(game.after(public)) != stands_at(game)
    for seat in (WHITE, YELLOW):  # also where more was given before
        given = then(game, *done(game, AddTime(3 * DAY, WHITE)), *done(game, AddTime(DAY)))
        assert stands_at(then(given, *done(given, AddTime(DAY, seat)))) != stands_at(given)
    for act in (Pause(), AddTime(DAY), TakeBack(1), Replace(WHITE, 4), ActFor(YELLOW, "A-N1"), Close()):
        assert stands_at(then(game, *done(game, act))) != stands_at(game)


def test_the_public_part_of_what_was_ruled_on_is_the_attempt_and_its_answer() -> None:
    (ruled,) = done(timed(), ActFor(WHITE, "L-S2"))
    assert isinstance(ruled, Ruled)
    (attempt,) = attempts_in(timed(), ruled.happenings)
    assert (attempt.seat, attempt.order, attempt.answer) == ("white", "L-S2", "yes")


# Any sequence of acts


def random_act(random: Random, game: Game) -> Act:
    seat = random.choice((WHITE, YELLOW))
    mover = next(iter(game.due), WHITE)
    forms = game.due[mover].forms if game.due else ("A-S1",)
    turn = CONFUSION.rules.turn(game.view(WHITE))
    choices: list[Act] = [
        Pause(),
        Pause(NOW + random.choice((-1, 1, 5)) * DAY),
        Resume(),
        AddTime(random.choice((0, 1, 3)) * DAY, random.choice((None, seat))),
        *3 * [TakeBack(random.randint(1, turn), random.choice((None, seat)))],
        Correct(random.choice(forms)),
        *3 * [Restore()],
        *6 * [ActFor(mover, random.choice(forms))],
        Rule(random.randint(1, 9)),
        *2 * [Replace(seat, random.randint(1, 9))],
        random.choice((Close(), Adjudicate("draw"))) if random.random() < 0.05 else Resume(),
    ]
    return random.choice(choices)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_no_sequence_of_acts_breaks_the_log_or_the_record(seed: int) -> None:
    random = Random(seed)
    begun, game = opened(time="7d/move", lapse="soft")
    events: list[Event] = [begun]
    for step in range(30):
        act = random_act(random, game)
        found = decide_act(game, act, f"for reason {step}", 11, NOW + timedelta(hours=step))
        if isinstance(found, Fault):
            assert found.sentence()
            continue
        before = game
        game = then(game, *found)
        assert all(game.heard(each)[: len(before.heard(each))] == before.heard(each) for each in game.seats)
        events += found
        if game.status == "ended":
            break
    kept: list[Any] = [read_event(*json.loads(json.dumps(write_event(each)))) for each in events]
    assert kept == events
    assert fold_game(7, kept, lambda _: CONFUSION) == game
    record = CONFUSION.records.write(game.happenings, {**game.proof, "View": "White"}, None)
    replayed = CONFUSION.records.replay(record)
    assert replayed.errors == ()
    assert len(replayed.branches) == len(game.branches)
