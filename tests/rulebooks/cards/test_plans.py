"""Plans: what they order, how long, and when a turn is played by them alone (E3)."""

from __future__ import annotations

import pytest

from referee.rulebooks.cards.battle import BOTH, Battle
from referee.rulebooks.cards.figures import BLUE, RED
from referee.rulebooks.cards.fold import as_order
from referee.rulebooks.cards.orders import Plan, Wake
from referee.rulebooks.cards.plans import NO_PLANS, Plans
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import Happening
from tests.rulebooks.cards.tables import battle, bound, mob


def planned(*lines: str) -> Plans:
    plans = NO_PLANS
    for line in lines:
        order = as_order(line)
        assert isinstance(order, Plan | Wake)
        plans = plans.with_plan(order)
    return plans


def ordered(plans: Plans, *besides: str) -> list[str]:
    return [write_order(order) for order in plans.orders(besides)]


def test_plans_order_as_they_were_given_and_a_direct_order_takes_their_place() -> None:
    plans = planned("PLAN 3 MV RI2 A20", "PLAN 1 GO RG BY RI2", "PLAN 2 FM RI1 W3")
    assert ordered(plans) == ["MV RI2 A20", "GO RG BY RI2", "FM RI1 W3"]
    assert ordered(plans, "RI2", "RG") == ["FM RI1 W3"]


def test_each_turn_uses_one_up() -> None:
    plans = planned("PLAN 3 MV RI2 A20", "PLAN 1 GO RG BY RI2", "PLAN 2 FM RI1 W3", "WAKE 60")
    after = plans.after_turn(["RI1"])
    assert after.lines() == ("PLAN 2 MV RI2 A20", "WAKE 60")
    assert after.after_turn().lines() == ("PLAN 1 MV RI2 A20", "WAKE 60")
    assert after.after_turn().after_turn().lines() == ("WAKE 60",)


def test_a_later_plan_takes_the_place_of_the_former_and_stands_last() -> None:
    plans = planned("PLAN 3 MV RI2 A20", "PLAN 3 MV RI1 A20", "PLAN 1 MV RI2 A5", "WAKE 60", "WAKE 40.5")
    assert plans.lines() == ("PLAN 3 MV RI1 A20", "PLAN 1 MV RI2 A5", "WAKE 40.5")
    assert planned(*plans.lines()) == plans
    assert plans.with_plan(Plan(0, "RI1")).lines() == ("PLAN 1 MV RI2 A5", "WAKE 40.5")
    assert planned("PLAN 0 RI7") == NO_PLANS


FAR = ("RI1 12m/6f @50,50 b0", "RI2 12m/6f @100,50 b0", "BI1 12m/6f @100,200 b180", "RG @20,20")
MARCH = ("PLAN 3 MV RI1 A20", "PLAN 3 MV RI2 A20")


def goes_on(laid: Battle, *lines: str, happened: str = "moved") -> bool:
    return planned(*lines).goes_on(laid, RED, [Happening(happened, BOTH, {}, "")])


def test_a_turn_is_played_by_plans_alone_where_every_unit_has_one() -> None:
    """The commander needs none; without any plan nothing is played."""
    assert goes_on(battle(*FAR), *MARCH)
    assert not goes_on(battle(*FAR), MARCH[0])
    assert not goes_on(battle(*FAR))
    assert not planned(*MARCH).goes_on(battle(*FAR), BLUE, [])


@pytest.mark.parametrize("code", ["fired", "fought", "held", "fled", "mob-lost"])
def test_what_matters_wakes_the_player(code: str) -> None:
    """A hit, a combat, an objective that changes hands, a mob."""
    assert not goes_on(battle(*FAR), *MARCH, happened=code)


@pytest.mark.parametrize(("cm", "wakes"), [("148", True), ("147.9", False)])
def test_an_enemy_within_the_wake_distance_wakes_him(cm: str, wakes: bool) -> None:
    assert goes_on(battle(*FAR), *MARCH, f"WAKE {cm}") is not wakes


def test_units_that_could_do_something_else_wake_him() -> None:
    """A mixed unit that may rally, a mob, an engaged one; not a mixed one that can do nothing (CC-5.2)."""
    near = [*FAR, "BI2 12m/6f @150,66 b180"]
    assert not goes_on(battle(*FAR, "RI3 12m/6f @150,50 b0 ~:1"), *MARCH)
    assert goes_on(battle(*near, "RI3 12m/6f @150,50 b0 ~:1"), *MARCH)
    assert not goes_on(battle(*FAR, mob("RI3 6m/6f @150,50 b0")), *MARCH, "PLAN 3 MV RI3 A5")
    assert not goes_on(bound(battle(*near, "RI3 12m/6f @150,50 b0 ~:1"), ("RI3", "BI2")), *MARCH)
