"""Phase 1 as a whole: orders in their order, forced flights, alarms, and what must hold after all of it (CC-2, E8)."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from referee.rulebooks.cards import actions
from referee.rulebooks.cards.actions import Resolution, Settle, act, bearing_of, point_of
from referee.rulebooks.cards.asking import Deciding
from referee.rulebooks.cards.battle import Battle, Outcome, after
from referee.rulebooks.cards.choices import BY_THE_RULES, Choices
from referee.rulebooks.cards.figures import BLUE, RED, Unit
from referee.rulebooks.cards.forming import dress
from referee.rulebooks.cards.measuring import distance
from referee.rulebooks.cards.moving import clear_commanders, no_room
from referee.rulebooks.cards.orders import (
    Action,
    Bearing,
    Flight,
    Form,
    Go,
    Move,
    MoveMob,
    PivotBy,
    Prefer,
    Rally,
    Towards,
)
from referee.rulebooks.cards.preferences import NO_WISHES
from referee.rulebooks.cards.shapes import Point
from referee.rulebooks.cards.tracks import overlap
from referee.rulebooks.rulebook import Happening, Result
from tests.rulebooks.cards.fields import scattered
from tests.rulebooks.cards.tables import at, battle, counts, mob, objective


def codes(happenings: tuple[Happening, ...]) -> list[tuple[str, str]]:
    return [(each.code, each.facts.get("unit", each.facts.get("commander", ""))) for each in happenings]


def tidied(laid: Battle, happening: Happening) -> Outcome:
    """Close gaps and put commanders clear; where one side stands alone, it has not won by that here."""
    laid, dressed = dress(laid)
    laid, cleared = clear_commanders(laid)
    return laid, (*dressed, *cleared)


def phase_one(
    laid: Battle, orders: list[Action], choices: Choices = BY_THE_RULES, settle: Settle = tidied
) -> Outcome:
    resolution = Resolution(laid, settle)
    actions.phase_one(resolution, orders, choices)
    return resolution.battle, tuple(resolution.happenings)


def replayed(laid: Battle, happenings: tuple[Happening, ...]) -> Battle:
    for happening in happenings:
        laid = after(laid, happening)
    return laid


def test_ex_2_02_without_orders_nothing_happens() -> None:
    """CC-2.2, A-86: but for mobs close to an enemy."""
    laid = battle("RI1 12m/6f @100,100 b0", "BI1 12m/6f @100,116 b180")
    assert phase_one(laid, []) == (laid, ())
    close = battle(mob("RI1 6m/6f @100,100 b0"), "BI1 12m/6f @100,116 b180")
    then, happenings = phase_one(close, [])
    assert codes(happenings) == [("fled", "RI1")]
    assert at(then.units["RI1"]) == (100, 70)


def test_ex_2_03_each_unit_does_one_thing() -> None:
    """CC-2.3, A-15: a second order to the same unit is refused, and its owner alone hears that."""
    laid = battle("RI1 12m/6f @30,50 b0", "RI2 12m/6f @60,50 b0 ~:1", "RI3 12m/6f @90,50 b0")
    orders: list[Action] = [Move("RI1", cm=10), Rally("RI1"), Rally("RI2"), Form("RI3", 3)]
    then, happenings = phase_one(laid, orders)
    assert codes(happenings) == [("moved", "RI1"), ("refused", "RI1"), ("rallied", "RI2"), ("formed", "RI3")]
    assert happenings[1].heard_by == {RED}
    assert all(unit.acted for unit in then.units.values())
    assert replayed(laid, happenings) == then


@pytest.mark.parametrize(("first", "men"), [("go", 4), ("rally", 3)])
def test_ex_2_04_the_commander_goes_before_or_after_anything(first: str, men: int) -> None:
    """CC-2.4, A-16, CC-5.5: the general helps whom he has reached by then."""
    laid = battle("RI2 9m/9f @100,102 b0 ~:4,5,6,7,8,9", "RG @100,150")
    orders: list[Action] = [Go("RG", "RI2"), Rally("RI2")]
    then, happenings = phase_one(laid, orders if first == "go" else orders[::-1])
    assert at(then.commanders["RG"]) == (100, 109.5)
    (rallied,) = [each for each in happenings if each.code == "rallied"]
    assert len(rallied.facts["men"]) == men


def test_cc_2_4_the_commander_moves_besides_all_units() -> None:
    laid = battle("RI1 12m/6f @30,50 b0", "RG @100,150")
    then, _ = phase_one(laid, [Move("RI1", cm=5), Go("RG", Point(100, 100))])
    assert (at(then.units["RI1"]), at(then.commanders["RG"])) == ((30, 55), (100, 100))


def test_ex_4_04_an_alarmed_mob_runs_at_once() -> None:
    """CC-4.4, A-39: before the next order, and anew at each approach."""
    laid = battle(
        "RI1 12m/6f @100,170 b0",
        mob("BI1 6m/6f @100,200 b180"),
        "RC1 8m/4f @60,215 b0",
        "RI3 12m/6f @30,30 b0",
    )
    orders: list[Action] = [Move("RI1", cm=20), Move("RC1", Towards("BI1"), cm=None), Move("RI3", cm=1)]
    then, happenings = phase_one(laid, orders)
    assert codes(happenings) == [
        ("moved", "RI1"),
        ("fled", "BI1"),
        ("moved", "RC1"),
        ("fled", "BI1"),
        ("moved", "RI3"),
    ]
    assert [each.facts["fleeing"] for each in happenings if each.code == "fled"] == ["RI1", "RC1"]
    assert replayed(laid, happenings) == then


def test_cc_4_10_it_runs_first_of_all_and_its_order_may_say_whither() -> None:
    laid = battle(mob("RI1 6m/6f @100,100 b0"), "RI2 12m/6f @40,50 b0", "BI1 12m/6f @100,116 b180")
    then, happenings = phase_one(laid, [Move("RI2", cm=5), MoveMob("RI1", 225.0, 30.0)])
    # The order that said whither is used up by it, and nothing is wrong with it.
    assert codes(happenings) == [("fled", "RI1"), ("moved", "RI2")]
    assert at(then.units["RI1"]) == (78.79, 78.79)


def test_a_lost_units_order_is_told_to_its_owner() -> None:
    """CC-4.6, CC-7.28: the mob is lost before its order comes."""
    laid = battle(mob("RI1 6m/6f @10,10 b0"), "BI1 12m/6f @20,20 b225")
    then, happenings = phase_one(laid, [MoveMob("RI1", 0.0, 5.0)])
    assert codes(happenings) == [("mob-lost", "RI1"), ("refused", "RI1")]
    assert happenings[1].facts["why"] == "gone"
    assert happenings[1].heard_by == {RED}
    assert "RI1" not in then.units


def test_an_order_towards_a_lost_unit_is_refused_too() -> None:
    """CC-7.28: whoever was to look at it, or to go to it, stands."""
    laid = battle(
        "RI1 12m/6f @20,280 b315", mob("BI1 6m/6f @10,290 b180"), "RI2 12m/6f @60,60 b0", "RG @60,80"
    )
    orders: list[Action] = [Move("RI1", cm=1), Move("RI2", Towards("BI1"), 5.0), Go("RG", "BI1")]
    then, happenings = phase_one(laid, orders)
    assert codes(happenings) == [("moved", "RI1"), ("mob-lost", "BI1"), ("refused", "RI2"), ("refused", "RG")]
    assert {each.facts["gone"] for each in happenings[2:]} == {"BI1"}
    assert (at(then.units["RI2"]), at(then.commanders["RG"])) == ((60, 60), (60, 80))


def test_wishes_lead_the_flight() -> None:
    """CC-4.9, A-39."""
    laid = battle("RI1 12m/6f @100,170 b0", mob("BI1 6m/6f @100,200 b180"))
    wishes = NO_WISHES.with_wish(Prefer("BI1", flee=Flight("BEARING", 90.0)))
    then, _ = phase_one(laid, [Move("RI1", cm=20)], Deciding({BLUE: wishes}))
    assert at(then.units["BI1"]) == (130, 200)


def test_cc_8_6_nothing_is_carried_out_after_the_end() -> None:
    laid = battle("RI1 12m/6f @30,50 b0", "RI2 12m/6f @60,50 b0")

    def won(there: Battle, happening: Happening) -> tuple[Battle, tuple[Happening, ...]]:
        return replace(there, result=Result(RED, "by three objectives")), ()

    then, happenings = phase_one(laid, [Move("RI1", cm=5), Move("RI2", cm=5)], settle=won)
    assert codes(happenings) == [("moved", "RI1")]
    assert at(then.units["RI2"]) == (60, 50)


def test_gunners_walk_as_the_phase_ends() -> None:
    """CC-5.10: a mob of gunners that is rallied walks in that same turn, after all orders."""
    laid = battle(mob("RA1 5m/1g @100,100 b0"), "RG @100,76")
    away, _ = phase_one(laid, [MoveMob("RA1", 180.0, 30.0)])
    away = away.with_units(replace(away.units["RA1"], acted=False))
    then, happenings = phase_one(away, [Rally("RA1")])
    assert codes(happenings) == [("rallied", "RA1"), ("gunners-walked", "RA1")]
    assert happenings[1].facts["to_go"] == {"1": 5.0}
    assert replayed(away, happenings) == then


def test_where_pivots_lead() -> None:
    """E2: R and L turn, B is absolute, TO looks at a point, a unit, a mob's centre or an objective."""
    laid = battle(
        "RI1 12m/6f @100,100 b350",
        mob("BI1 12m/6f @100,150 b180"),
        objectives=[objective("K1", 150, 90, 170, 110)],
    )
    assert bearing_of(laid, "RI1", PivotBy(30)) == 20.0
    assert bearing_of(laid, "RI1", PivotBy(-30)) == 320.0
    assert bearing_of(laid, "RI1", PivotBy(720)) == 350.0
    assert bearing_of(laid, "RI1", Bearing(90)) == 90.0
    assert bearing_of(laid, "RI1", Towards(Point(50, 50))) == 225.0
    assert bearing_of(laid, "RI1", Towards("K1")) == 90.0
    assert bearing_of(laid, "RI1", Towards(Point(100, 100))) == 350.0
    assert point_of(laid, "BI1") == (100, 151)
    assert point_of(laid, "RI1") == (100, 100)
    then, _ = act(laid, Move("RI1", Bearing(0), cm=None))
    assert at(then.units["RI1"]) == (100, 120)


# --- what must always hold


def ordered_by_lot(laid: Battle, lot: random.Random) -> list[Action]:
    """Return orders by lot for the active side: sensible ones, foolish ones, second ones to the same unit."""
    orders: list[Action] = []
    for unit in laid.of(laid.active):
        target = lot.choice([*laid.units])
        match lot.choice(["move", "move", "move", "form", "about", "rally", "mob"]):
            case "move":
                pivot = lot.choice([None, PivotBy(round(lot.uniform(-180, 180), 1)), Towards(target)])
                orders.append(
                    Move(unit.id, pivot, lot.choice([None, 0.0, 7.3, 50.0]), lot.choice([None, 25.0]))
                )
            case "form":
                orders.append(Form(unit.id, lot.randint(1, 14)))
            case "about":
                orders.append(Form(unit.id))
            case "rally":
                orders.append(Rally(unit.id, bearing=round(lot.uniform(0, 359.9), 1)))
            case "mob":
                orders.append(MoveMob(unit.id, round(lot.uniform(0, 359.9), 1), 30.0))
    mine = [each for each in laid.commanders.values() if each.side == laid.active]
    orders += [Go(each.id, lot.choice([*laid.units])) for each in mine]
    lot.shuffle(orders)
    return orders


def soldiers(laid: Battle) -> Counter[str]:
    everybody = [*laid.units.values(), *laid.fallen.values()]
    return Counter({unit.id: len(unit.men) for unit in everybody})


def play(seed: int, turns: int) -> Counter[str]:
    """Play turns of phase 1 by lot, and hold everything that must hold after each event; return what happened."""
    lot = random.Random(f"play {seed}")
    laid = scattered(seed, each=5)
    started = soldiers(laid)
    seen: Counter[str] = Counter()
    for turn in range(turns):
        active = (RED, BLUE)[turn % 2]
        laid = replace(
            laid.with_units(*(replace(unit, acted=False) for unit in laid.units.values())), active=active
        )
        pinned = {unit.id: unit for unit in laid.of(active) if unit.mixed or unit.bound_to}
        then, happenings = phase_one(laid, ordered_by_lot(laid, lot))
        seen.update(each.code for each in happenings)
        there = laid
        for happening in happenings:
            before, there = there, after(there, happening)
            held(before, there, happening)
        assert there == then
        for id, unit in pinned.items():
            _stands(unit, then.units.get(id, then.fallen.get(id)))
        laid = then
        assert soldiers(laid) == started
    return seen


def held(before: Battle, then: Battle, happening: Happening) -> None:
    """E8.1, E8.4: men are conserved, nobody returns from the dead, and everybody has room."""
    for id, unit in then.units.items():
        for old, new in zip(before.units[id].men, unit.men, strict=True):
            assert old.number == new.number
            assert old.living or not new.living
        assert all(man.place in ("ranks", "confused", "body", "gone") for man in unit.men)
    if happening.code in ("moved", "formed", "dressed"):
        mover = then.units[happening.facts["unit"]]
        assert no_room(then, mover) is None
        assert not any(
            overlap(mover.formation.footprint, friend.formation.footprint) for friend in then.friends(mover)
        )
    if happening.code == "fled" and happening.rule == "CC-4.5":
        mover = then.units[happening.facts["unit"]]
        assert min((distance(mover, enemy) for enemy in then.enemies(mover)), default=15.0) >= 15.0


def _stands(was: Unit, now: Unit | None) -> None:
    """E8.5: a unit that began mixed or bound keeps place and files in phase 1; a lost one has gone."""
    assert now is not None
    if now.living and not was.mob:
        assert (now.place, now.files) == (was.place, was.files)


@pytest.mark.slow
def test_e8_what_must_hold_in_phase_1_by_lot() -> None:
    """E8.1, E8.2, E8.4, E8.5, in both editions."""
    seen = sum((play(seed, 4) for seed in range(3, 16)), Counter[str]())
    assert {"moved", "refused", "rallied", "commander-moved", "fled"} <= set(seen)


@pytest.mark.full
@pytest.mark.timeout(3000)
def test_e8_ten_thousand_turns_by_lot() -> None:
    """E8.1, E8.2, E8.4, E8.5."""
    seen = sum((play(seed, 10) for seed in range(500, 1500)), Counter[str]())
    assert {"moved", "formed", "rallied", "fled", "mob-lost", "commander-cleared", "dressed"} <= set(seen)


def test_e8_mixed_units_are_pinned_and_counted() -> None:
    """E8.5: whatever they are ordered, they only rally."""
    laid = battle("RI1 12m/6f @100,100 b0 ~:1,2")
    then, _ = phase_one(laid, [Move("RI1", PivotBy(20), 5.0), Form("RI1", 3), Rally("RI1")])
    assert (then.units["RI1"].place, counts(then.units["RI1"])) == (laid.units["RI1"].place, "k0/c0/r12")
