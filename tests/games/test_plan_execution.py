"""Plans go on by themselves, each move of them once, until nothing fits or the view refuses."""

from __future__ import annotations

from random import Random

import pytest

from referee.games.conditional_orders import MOST_MOVES, THEN, Plan, conditions_of, read_plan, write_plan
from referee.games.decisions import Decision, decide_cancel, decide_order, decide_resign
from referee.games.events import Event, Frozen, PlanDropped, Planned, Thawed
from referee.games.game import Game, fold_game
from referee.games.plan_execution import follow_plan
from referee.rulebooks.catalogue import find_rulebook
from referee.rulebooks.confusion.notation import write_move
from referee.rulebooks.confusion.possible import possible_moves
from referee.rulebooks.rulebook import OrderLine, Seat
from tests.games.test_decisions import WHITE, YELLOW, after, new_game, play


def go_on(game: Game) -> tuple[Game, list[str]]:
    """Let plans go on as long as they do; return what they tried, and why they ended."""
    done: list[str] = []
    while found := next(filter(None, (follow_plan(game, seat) for seat in game.due)), None):
        game = game.after(found.event)
        done.append(found.why or found.order)
    return game, done


def planned(game: Game, **plans: str) -> Game:
    for seat, text in plans.items():
        plan = read_plan(text, game.rulebook.notation, conditions_of(game.rulebook))
        assert isinstance(plan, Plan)
        game = game.after(Planned(next(each for each in game.seats if each == seat), write_plan(plan)))
    return game


def test_a_plan_waits_for_its_turn_and_goes_by_the_answers() -> None:
    game = planned(new_game(), yellow="C-N2; if no E-N1; if yes V-N1")
    assert follow_plan(game, YELLOW) is None
    game, done = go_on(play(game, "L-S2"))
    assert done == ["C-N2"]
    assert not game.happenings[-1].facts["answer"]
    assert game.plans[YELLOW].plan == "C-N2; if no E-N1; if yes V-N1"
    game, done = go_on(play(game, "L-S1"))
    assert done == ["E-N1"]
    assert YELLOW not in game.plans


def test_a_plan_ends_where_nothing_fits() -> None:
    game, done = go_on(planned(new_game(), white="L-S2; if no L-S1"))
    assert done == ["L-S2"]
    game, done = go_on(play(game, "C-N2"))
    assert done == ["nothing-fits"]
    assert not game.plans
    assert list(game.due) == [WHITE]


def test_a_planned_move_that_the_view_refuses_ends_the_plan_and_says_why() -> None:
    game = planned(play(new_game(), "L-S2", "C-N2"), white="L-S1; then E-N1")
    game, done = go_on(game)
    assert done == ["L-S1"]
    found = follow_plan(play(game, "C-N2"), WHITE)
    assert found is not None
    assert (found.event, found.order) == (PlanDropped(WHITE, "refused"), "E-N1")
    assert found.fault is not None
    assert (found.fault.place, found.fault.excerpt) == (None, "")
    assert found.fault.reason() == "P of the same side stands on (7,11)"


def test_a_plan_that_this_release_cannot_read_ends() -> None:
    found = follow_plan(new_game().after(Planned(WHITE, "hop")), WHITE)
    assert found is not None
    assert found.event == PlanDropped(WHITE, "refused")


def test_a_move_by_hand_and_a_cancellation_end_a_plan() -> None:
    game = planned(new_game(), white="L-S2; then L-S1")
    assert WHITE not in play(game, "K-S1").plans
    cancelled = decide_cancel(game, WHITE)
    assert cancelled.events == (PlanDropped(WHITE, "cancelled"),)
    assert not after(game, cancelled).plans
    assert decide_cancel(game, YELLOW).fault is not None


def test_plans_wait_in_a_frozen_game_and_do_nothing_in_one_that_is_over() -> None:
    game = planned(new_game(), white="L-S2")
    frozen = game.after(Frozen("a ruling is checked"))
    assert follow_plan(frozen, WHITE) is None
    assert follow_plan(frozen.after(Thawed()), WHITE) is not None
    over = after(game, decide_resign(game, YELLOW, whole_letter=True))
    assert go_on(over)[1] == []


def test_a_plan_is_kept_with_the_game_and_is_nobody_elses() -> None:
    game = planned(new_game(), white="L-S2; then L-S1")
    assert "L-S1" not in repr(game)
    assert game.view(YELLOW) == new_game().view(YELLOW)
    assert game.heard(YELLOW) == new_game().heard(YELLOW)


def random_plan(random: Random, game: Game, seat: Seat, moves: int) -> Plan:
    """Return a plan of so many moves, at least, that could be tried now, most of them whatever was answered."""
    tries = [write_move(move) for move in possible_moves(game.view(seat).board, seat)]
    plan = Plan(random.choice(tries))
    for _ in range(moves - 1):
        branches = [(THEN, plan)]
        if random.random() < 0.3:
            branches = [("yes", plan), ("no", Plan(random.choice(tries)))][: random.choice((1, 2))]
        plan = Plan(random.choice(tries), tuple(branches))
    return plan


@pytest.mark.parametrize("seed", range(12))
def test_a_long_duel_of_plans_comes_to_its_end_with_every_move_used_once(seed: int) -> None:
    random = Random(seed)
    game = new_game("")
    held = {}
    for seat in game.seats:
        plan = random_plan(random, game, seat, MOST_MOVES // 2)
        held[seat] = plan.orders
        game = game.after(Planned(seat, write_plan(plan)))
    tried: dict[Seat, int] = dict.fromkeys(game.seats, 0)
    for _ in range(2 * MOST_MOVES + 2):
        seat = next(iter(game.due), WHITE)
        found = follow_plan(game, seat)
        if found is None:
            break
        tried[seat] += found.why is None
        game = game.after(found.event)
    else:
        pytest.fail("it goes on and on")
    assert sum(tried.values()) >= 1
    assert all(tried[seat] <= held[seat] for seat in tried)
    assert game.status == "ended" or not any(seat in game.plans for seat in game.due)


def test_two_plans_of_thirty_moves_that_always_go_on_make_sixty_turns() -> None:
    """The answer to each is no, so that nothing stands in the way of the next."""
    queues = {"white": "; then ".join(["C-S2"] * MOST_MOVES), "yellow": "; then ".join(["C-N2"] * MOST_MOVES)}
    game, done = go_on(planned(new_game(), **queues))
    assert done == ["C-S2", "C-N2"] * MOST_MOVES
    assert (list(game.due), game.plans) == ([WHITE], {})


def test_a_game_with_plans_is_the_fold_of_its_events() -> None:
    begun = game = planned(new_game(), white="L-S2; then L-S1", yellow="C-N2; if no E-N1")
    events = list[Event]()
    while found := next(filter(None, (follow_plan(game, seat) for seat in game.due)), None):
        events.append(found.event)
        game = game.after(found.event)
    assert len(events) == 4
    assert fold_game(7, events, find_rulebook, begun) == game


def test_an_order_of_a_plan_is_ruled_on_like_any_other() -> None:
    by_hand = decide_order(new_game(), WHITE, OrderLine(1, "L-S2"))
    found = follow_plan(planned(new_game(), white="L-S2"), WHITE)
    assert found is not None
    assert Decision((found.event,), order=found.order) == by_hand
