"""Objectives change hands, and battles are won (CC-8), by the rules' own examples."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from referee.rulebooks.cards.actions import Resolution, phase_one
from referee.rulebooks.cards.battle import Battle, Outcome, after
from referee.rulebooks.cards.figures import BLUE, RED, Unit, placed_men
from referee.rulebooks.cards.moving import move
from referee.rulebooks.cards.orders import Action, Move
from referee.rulebooks.cards.settling import settled
from referee.rulebooks.cards.switches import FR
from referee.rulebooks.cards.victory import at_limit, decided, end, holding, occupy
from referee.rulebooks.rulebook import Happening, Result, Seat
from tests.rulebooks.cards.tables import battle, counts, mob, objective

K1 = objective("K1", 90, 190, 110, 210)
OTHERS = [
    objective("K2", 20, 20, 30, 30),
    objective("K3", 150, 20, 160, 30),
    objective("K4", 20, 250, 30, 260),
]
BOTH = ("RI9 1m/1f @190,10 b0", "BI9 1m/1f @190,290 b180")
"""A man of each side far off, so that no army is destroyed."""


def field(*lines: str | Unit, **more: Any) -> Battle:
    return battle(*lines, *BOTH, objectives=[K1, *OTHERS], **more)


def holders(laid: Battle, **sides: Seat) -> Battle:
    return replace(laid, holders=sides)


def settle(laid: Battle, told: Outcome) -> tuple[Battle, tuple[Happening, ...]]:
    """Return the battle after a move and all that follows from it, and what followed; folding gives the same."""
    then, (happening,) = told
    final, more = settled(then, happening)
    there = after(laid, happening)
    for each in more:
        there = after(there, each)
    assert there == final
    return final, more


def lie(laid: Battle) -> Battle:
    """Return the battle as it stands once somebody has looked at it."""
    return settled(laid, Happening("looked", frozenset(), {}))[0]


def gone(laid: Battle, id: str, numbers: Iterable[int]) -> Battle:
    return laid.with_units(placed_men(laid.units[id], [*numbers], "gone"))


def test_ex_8_01_three_of_four_win_at_once() -> None:
    """CC-8.1, CC-8.6."""
    laid = holders(field("RI1 12m/6f @25,240 b0"), K1=RED, K2=RED, K3=BLUE)
    then, more = settle(laid, move(laid, "RI1", cm=12.0))
    assert then.holders["K4"] == RED
    assert then.result == Result(RED, "by three objectives")
    assert [(each.code, each.rule) for each in more] == [("held", "CC-8.2"), ("ended", "CC-8.1")]


@pytest.mark.parametrize(("y", "holder"), [(185, None), (190, RED)])
def test_ex_8_02_a_base_centre_inside_occupies(y: int, holder: Seat | None) -> None:
    """CC-8.2, A-80: on the edge counts."""
    then = lie(field(f"RI1 12m/6f @100,{y} b0"))
    assert then.holders.get("K1") == holder


def test_ex_8_03_it_stays_with_who_was_there_last() -> None:
    """CC-8.3, A-82: at the start nobody holds any."""
    assert field().holders == {}
    laid = lie(field("RI1 12m/6f @100,200 b0"))
    then, _ = settle(laid, move(laid, "RI1", cm=20.0))
    assert laid.holders == then.holders == {"K1": RED}


def test_ex_8_04_passing_through_is_enough() -> None:
    """CC-8.4, A-81."""
    laid = field("RC1 8m/4f @100,180 b0")
    then, more = settle(laid, move(laid, "RC1", cm=40.0))
    assert then.units["RC1"].y == 220
    assert then.holders == {"K1": RED}
    assert more[0].rule == "CC-8.4"


@pytest.mark.parametrize(("x", "holder"), [(117, None), (115, RED)])
def test_ex_8_05_a_corner_of_a_base_is_not_enough(x: int, holder: Seat | None) -> None:
    """CC-8.2, CC-8.4, A-81."""
    laid = field(f"RI1 12m/6f @{x},180 b0")
    assert settle(laid, move(laid, "RI1", cm=15.0))[0].holders.get("K1") == holder
    assert lie(field(f"RI1 12m/6f @{x},195 b0")).holders.get("K1") == holder


def test_ex_8_06_only_men_in_ranks_count() -> None:
    """CC-8.5, CC-4.11: neither commanders, mobs, confused men nor unmanned cannons."""
    laid = field("RG @100,200", mob("RI1 6m/6f @100,200 b0"))
    assert lie(laid).holders == {}
    mixed = field("RI1 6m/1f @100,200 b0 ~:1,2,3,4,5")
    assert lie(mixed).holders == {"K1": RED}
    outside = field("RI1 9m/1f @100,205 b0 ~:1,2,3,4,5,6,7,8")
    assert lie(outside).holders == {}
    battery = field("RA1 5m/1g @100,200 b0")
    away = placed_men(battery.units["RA1"], range(1, 6), "confused")
    assert lie(battery.with_units(away)).holders == {}


def test_cc_8_6_the_rest_of_the_phase_is_not_played() -> None:
    """The third objective is taken in the middle of the orders."""
    laid = holders(field("RC1 8m/4f @100,180 b0", "RI2 12m/6f @50,50 b0"), K2=RED, K3=RED)
    orders: list[Action] = [Move("RC1", cm=40.0), Move("RI2", cm=20.0)]
    resolution = Resolution(laid)
    phase_one(resolution, orders)
    then = resolution.battle
    assert [each.code for each in resolution.happenings] == ["moved", "held", "ended"]
    assert then.units["RI2"].y == 50
    assert then.result is not None
    assert then.result.winner == RED


def test_ex_8_08_while_both_are_inside_nothing_changes() -> None:
    """CC-8.7, A-80; until the last enemy in ranks inside is confused."""
    laid = holders(field("BI1 3m/3f @100,208 b0", "RI1 12m/6f @100,185 b0"), K1=BLUE)
    then, _ = settle(laid, move(laid, "RI1", cm=10.0))
    assert then.holders == {"K1": BLUE}
    assert lie(then.with_units(placed_men(then.units["BI1"], (1, 2), "confused"))).holders == {"K1": BLUE}
    assert lie(then.with_units(placed_men(then.units["BI1"], (1, 2, 3), "confused"))).holders == {"K1": RED}


def test_cc_8_7_who_only_passes_an_enemy_inside_takes_nothing() -> None:
    laid = holders(field("BI1 1m/1f @91,191 b0", "RC1 8m/2f @108,185 b0", switches=FR), K1=BLUE)
    then, (happening,) = move(laid, "RC1", cm=40.0)
    assert happening.facts["through"] == ["K1"]
    assert settled(then, happening)[0].holders == {"K1": BLUE}


def test_ex_8_09_at_most_one_side_has_three() -> None:
    """CC-8.8, CC-8.9, A-83, A-87: whoever holds what, and in both editions."""
    for switches in (field().switches, FR):
        for sides in itertools.product([RED, BLUE, None], repeat=4):
            held = {f"K{n}": side for n, side in enumerate(sides, 1) if side is not None}
            laid = replace(field(switches=switches), holders=held)
            winners = [side for side in (RED, BLUE) if holding(laid)[side] >= 3]
            assert len(winners) <= 1
            decision = decided(laid)
            assert ([] if decision is None else [decision[0].winner]) == winners


def test_ex_8_10_an_army_without_living_men_has_lost() -> None:
    """CC-8.10, A-84, CC-7.28."""
    laid = battle("RI1 3m/3f @100,100 b0", "BI1 2m/2f @100,110 b180", "BI2 1m/1f @50,110 b180")
    one = lie(gone(laid, "BI1", (1, 2)))
    assert ("BI1" in one.units, one.result) == (False, None)
    none = lie(gone(one, "BI2", (1,)))
    assert none.result == Result(RED, "by destroying the enemy's army")
    both = lie(gone(gone(one, "BI2", (1,)), "RI1", (1, 2, 3)))
    assert both.result == Result(None, "both armies are destroyed")
    shaken = battle("RI1 3m/3f @100,100 b0", mob("BI1 2m/2f @100,150 b180"))
    assert lie(shaken).result is None


@pytest.mark.parametrize(
    ("limit", "sides", "result"),
    [
        (20, {"K1": RED, "K2": RED, "K3": BLUE}, Result(RED, "by more objectives at the turn limit")),
        (20, {"K1": BLUE}, Result(BLUE, "by more objectives at the turn limit")),
        (20, {"K1": RED, "K2": BLUE}, Result(None, "as many objectives at the turn limit")),
        (20, {}, Result(None, "as many objectives at the turn limit")),
        (0, {"K1": RED, "K2": RED}, None),
        (21, {"K1": RED, "K2": RED}, None),
    ],
)
def test_ex_8_11_a_turn_limit(limit: int, sides: dict[str, Seat], result: Result | None) -> None:
    """CC-8.11, A-85: after both have played it."""
    laid = replace(field(), holders=sides, turn_limit=limit, turn=20, active=BLUE)
    then, _ = end(laid, at_limit(laid))
    assert then.result == result


def test_a_battle_ends_once() -> None:
    over = replace(field(), result=Result(BLUE, "by resignation"))
    assert end(over, (Result(RED, "by three objectives"), "CC-8.1")) == (over, ())


def test_e8_8_holders_change_only_to_who_is_there() -> None:
    """E8.8, and several in one event (A-83)."""
    laid = field("RC1 8m/4f @100,200 b0", "BI1 12m/6f @25,25 b0")
    then, happenings = occupy(laid)
    assert then.holders == {"K1": RED, "K2": BLUE}
    assert [each.facts["objective"] for each in happenings] == ["K1", "K2"]
    assert counts(then.units["BI1"]) == "k0/c0/r12"
