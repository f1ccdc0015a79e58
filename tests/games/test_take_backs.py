"""An umpire takes a game back: it goes on from an earlier turn, and all that was heard stays in log and record."""

from __future__ import annotations

import json
from random import Random

import pytest

from referee.common.faults import Fault
from referee.games.decisions import decide_offer, decide_order, decide_resign
from referee.games.events import (
    CheckedIn,
    Event,
    Frozen,
    Muted,
    Planned,
    Pressed,
    ResignationAsked,
    Ruled,
    TakenBack,
    Watched,
    read_event,
    write_event,
)
from referee.games.game import Game, fold_game
from referee.games.take_backs import correct_order, last_order, take_back
from referee.rulebooks.branches import TAKEN_BACK
from referee.rulebooks.rulebook import OBSERVER, OrderLine, Seat
from tests.games.played import random_game_played
from tests.games.test_decisions import new_game, play
from tests.reports.material import CONFUSION, WHITE, YELLOW
from tests.support.telling import telling

REASON = "White's second order was misread"


def after(*moves: str) -> Game:
    game = new_game()
    for move in moves:
        game = play(game, move)
    return game


def back(game: Game, turn: int, seat: Seat | None = None, reason: str = REASON) -> TakenBack:
    event = take_back(game, turn, seat, reason)
    assert isinstance(event, TakenBack), event
    return event


def refused(game: Game, turn: int, seat: Seat | None = None, reason: str = REASON) -> Fault:
    fault = take_back(game, turn, seat, reason)
    assert isinstance(fault, Fault), fault
    return fault


def standing(game: Game) -> tuple[object, ...]:
    """Return all that two games have in common that stand alike."""
    views = [game.view(seat) for seat in (WHITE, YELLOW, OBSERVER)]
    return game.status, game.position, views, dict(game.due), CONFUSION.rules.standing(game.happenings)


# What stands


@pytest.mark.parametrize(
    ("turn", "seat", "left"),
    [(1, None, 0), (1, WHITE, 0), (2, None, 1), (2, YELLOW, 1), (2, WHITE, 2), (3, None, 3), (3, YELLOW, 3)],
)
def test_the_game_stands_as_it_stood_when_the_turn_began(turn: int, seat: Seat | None, left: int) -> None:
    moves = ["L-S2", "A-N1", "L-N1", "A-N1"]
    game = after(*moves)
    event = back(game, turn, seat)
    game = game.after(event)
    assert standing(game) == standing(after(*moves[:left]))
    assert (event.turn, list(game.due)) == (turn, [event.seat])
    assert [each.facts["text"] for each in game.branches[0].happenings] == moves[left:]
    assert standing(play(game, "A-S1" if event.seat == WHITE else "K-N1"))[1] != standing(game)[1]


def test_what_was_heard_stays_heard_and_only_grows() -> None:
    game = after("L-S2", "A-N1", "L-N1")
    later = game.after(back(game, 2))
    for seat in (WHITE, YELLOW, OBSERVER):
        assert later.heard(seat)[:-1] == game.heard(seat)
        assert later.heard(seat)[-1].code == TAKEN_BACK
    assert later.happenings[:-1] == game.happenings


def test_a_branch_that_was_taken_back_can_be_taken_back_in_turn_and_kept_besides() -> None:
    game = after("L-S2", "A-N1", "L-N1")
    game = game.after(back(game, 2, reason="the first"))
    game = play(play(game, "K-N1"), "A-S1")
    game = game.after(back(game, 1, reason="the second"))
    assert standing(game) == standing(new_game())
    assert [each.back.reason for each in game.branches] == ["the first", "the second"]
    assert [len(each.happenings) for each in game.branches] == [2, 3]


def test_plans_proposals_and_resignations_drop_and_all_else_stays() -> None:
    game = after("L-S2", "A-N1", "L-N1")
    kept: list[Event] = [CheckedIn(WHITE), Muted(YELLOW), Watched(7, 2), Pressed(WHITE, "all", 3)]
    dropped = [
        Planned(YELLOW, "A-N1"),
        ResignationAsked(WHITE),
        *decide_offer(game, YELLOW, "draw").events,
        Frozen("an order is looked at"),
    ]
    for event in (*kept, *dropped):
        game = game.after(event)
    game = game.after(back(game, 2))
    assert (game.plans, game.offer, game.resigning) == ({}, None, frozenset())
    assert (game.checked_in, game.muted) == (frozenset({WHITE}), frozenset({YELLOW}))
    assert (dict(game.watchers), set(game.to_all)) == ({7: 2}, {3})
    assert game.frozen == "an order is looked at"


def test_events_that_were_kept_give_the_same_game() -> None:
    """Whole, and from where a game was kept in memory."""
    game = new_game()
    events: list[Event] = []
    for what in ("L-S2", "A-N1", 2, "K-N1", "A-S1", 1, "A-S1"):
        if isinstance(what, int):
            events.append(back(game, what))
        else:
            (seat,) = game.due
            events += decide_order(game, seat, OrderLine(1, what)).events
        game = game.after(events[-1])
    kept = [read_event(*json.loads(json.dumps(write_event(each)))) for each in events]
    assert kept == events
    assert fold_game(7, kept, lambda _: CONFUSION, new_game()) == game


# What cannot be taken back


def test_a_game_that_is_over_is_not_taken_back() -> None:
    """Both have seen all types, whichever end it was."""
    game = after("L-S2", "A-N1")
    for decision in (
        decide_resign(game, WHITE, whole_letter=True),
        decide_offer(game.after(decide_offer(game, WHITE, "draw").events[0]), YELLOW, "draw"),
    ):
        fault = refused(game.after(decision.events[-1]), 1)
        assert (fault.code, fault.rule) == ("back-over", "CF-11.5")
        assert "its end has shown all types to both sides" in fault.sentence()


@pytest.mark.parametrize(
    ("turn", "seat", "code"),
    [
        (3, None, "back-no-turn"),
        (0, None, "back-no-turn"),
        (1, YELLOW, "back-no-turn"),
        (2, WHITE, "back-nothing"),
        (2, Seat("red"), "back-seat"),
    ],
)
def test_a_turn_that_cannot_be_taken_back_is_named(turn: int, seat: Seat | None, code: str) -> None:
    assert refused(after("L-S2", "A-N1"), turn, seat).code == code


@pytest.mark.parametrize("reason", ["", " ; ", "word " * 61])
def test_a_game_is_not_taken_back_without_a_reason_of_a_line(reason: str) -> None:
    assert refused(after("L-S2"), 1, reason=reason).code == "back-reason"


def test_a_game_that_has_not_begun_is_not_taken_back() -> None:
    assert refused(Game(7, CONFUSION, "proposed"), 1).code == "back-not-playing"


def test_what_was_taken_back_cannot_be_taken_back_again() -> None:
    game = after("L-S2", "A-N1", "L-N1", "A-N1")
    game = game.after(back(game, 2))
    assert refused(game, 3).code == "back-no-turn"
    assert refused(game, 2).code == "back-nothing"


# Corrections


def test_a_correction_takes_back_the_last_order_and_rules_on_the_right_one_in_its_seats_name() -> None:
    game = after("L-S2", "A-N1")
    assert last_order(game) == (2, YELLOW)
    done = correct_order(game, "K-N1", "A stands where K should", by=9)
    assert not isinstance(done, Fault)
    went_back, ruled = done
    assert isinstance(went_back, TakenBack) and isinstance(ruled, Ruled)
    assert (went_back.turn, went_back.seat, went_back.by) == (2, YELLOW, 9)
    assert (ruled.seat, ruled.order, ruled.by) == (YELLOW, "K-N1", 9)
    game = game.after(went_back).after(ruled)
    assert standing(game) == standing(after("L-S2", "K-N1"))


def test_a_correction_of_an_earlier_order_takes_back_what_followed_it() -> None:
    game = after("L-S2", "A-N1", "A-S1")
    done = correct_order(game, "L-S1", "L was to go one square", turn=1, seat=WHITE)
    assert not isinstance(done, Fault)
    assert isinstance(done[1], Ruled) and done[1].by == 0
    game = game.after(done[0]).after(done[1])
    assert standing(game) == standing(after("L-S1"))


def test_a_correction_that_no_piece_could_try_is_refused_and_so_is_one_of_nothing() -> None:
    fault = correct_order(after("L-S2", "A-N1"), "A-N9", REASON)
    assert isinstance(fault, Fault) and fault.code == "no-type-goes-so"
    nothing = correct_order(new_game(), "L-S1", REASON)
    assert isinstance(nothing, Fault) and nothing.code == "back-nothing-ruled"
    assert last_order(new_game()) is None


def test_a_frozen_game_is_corrected_and_stays_frozen() -> None:
    game = after("L-S2").after(Frozen("an order is looked at"))
    done = correct_order(game, "L-S1", REASON)
    assert not isinstance(done, Fault)
    assert game.after(done[0]).after(done[1]).frozen == "an order is looked at"


# Receipts, record and replay: random games with turns taken back at random, within one another too


def test_that_a_game_was_taken_back_has_a_receipt_of_its_own() -> None:
    game = after("L-S2", "A-N1")
    before, first = game.receipt, after("L-S2").receipt
    game = game.after(back(game, 2))
    assert len({before, first, game.receipt}) == 3
    assert game.receipt == game.receipt_of(game.heard(OBSERVER))


VIEWS = ("Yellow", "White")


@pytest.mark.parametrize(
    ("seed", "view"),
    telling(
        [(seed, view) for seed in range(4) for view in VIEWS],
        others=[(seed, view) for seed in range(4, 40) for view in VIEWS],
    ),
)
def test_the_record_keeps_all_branches_and_replays_to_the_same_game(seed: int, view: str) -> None:
    game, receipts = random_game_played(seed, taken_back=0.15)
    record = CONFUSION.records.write(game.happenings, {**game.proof, "View": view}, None)
    replayed = CONFUSION.records.replay(record)
    assert replayed.errors == ()
    began = next(at for at, each in enumerate(replayed.happenings) if each.code not in ("began", "dealt"))
    ours = tuple(each for each in game.happenings if each.code not in ("began", "dealt"))
    assert replayed.happenings[began:] == ours
    assert CONFUSION.records.write(replayed.happenings, {**game.proof, "View": view}, None) == record
    assert [(each.seat, each.reason) for each in replayed.branches] == [
        (each.back.seat, each.back.reason) for each in game.branches
    ]
    assert f"\nChain = {receipts[-1]}\n" in record
    alone = CONFUSION.rules.standing(game.happenings)
    plain = CONFUSION.records.replay(CONFUSION.records.write(alone, {"View": view}, None))
    for key in ("summary", "attempts", "result", "sheets"):
        assert getattr(plain, key) == getattr(replayed, key), "what was taken back counts for nothing"


def test_the_random_games_take_turns_back_within_what_was_taken_back() -> None:
    games = [random_game_played(seed, taken_back=0.15).game for seed in range(8)]
    assert sum(len(game.branches) for game in games) > 10
    again = [
        each
        for game in games
        for each, before in zip(game.branches[1:], game.branches, strict=False)
        if each.back.turn < before.back.turn
    ]
    assert again


# Those who watch some turns late


@pytest.mark.telling(delay=[3])
@pytest.mark.parametrize("delay", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_who_watches_late_hears_ever_more_and_never_of_the_last_turns(seed: int, delay: int) -> None:
    random, game, heard = Random(seed), new_game(), 0
    turns: list[int] = []
    """For each happening that all hear, how many turns had begun by then."""
    begun = 1
    for _ in range(40):
        if random.random() < 0.2:
            turn = max(1, CONFUSION.rules.turn(game.view(WHITE)) - random.choice((0, 1, 2, 4)))
            event: TakenBack | Ruled | Fault = take_back(game, turn, None, REASON)
        else:
            (seat,) = game.due
            form = random.choice(game.due[seat].forms)
            (event,) = decide_order(game, seat, OrderLine(1, form)).events  # type: ignore[assignment]
        if isinstance(event, Fault):
            continue
        game = game.after(event)
        if game.status != "playing":
            break
        late = game.heard_late(delay)
        public = game.heard(OBSERVER)
        assert late == public[: len(late)]
        assert len(late) >= heard
        heard = len(late)
        if isinstance(event, Ruled) and event.seat == WHITE:
            begun += 1
        turns += [begun] * (len(public) - len(turns))
        if len(late) > 1:
            assert turns[len(late) - 1] <= begun - delay + 1, "too early"
    assert heard > 1
