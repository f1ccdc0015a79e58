"""Confused men return to ranks, and gunners to their cannons (CC-5), by the rules' own examples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.rulebooks.cards.battle import Battle, after
from referee.rulebooks.cards.figures import BLUE, RED, Unit, placed_men
from referee.rulebooks.cards.measuring import distance, distance_to_commander, distance_to_ranks
from referee.rulebooks.cards.mobs import flee, move_mob
from referee.rulebooks.cards.moving import move
from referee.rulebooks.cards.orders import Choice, Flight
from referee.rulebooks.cards.rallying import rally, walk_gunners
from referee.rulebooks.cards.shapes import Point
from referee.rulebooks.cards.switches import EN, FR, Switches
from referee.rulebooks.cards.turn import play
from tests.rulebooks.cards.combats import decks
from tests.rulebooks.cards.tables import at, battle, counts, mob, objective, unit
from tests.rulebooks.cards.test_moving import told


def rallied(laid: Battle, id: str = "RI1", **order: Any) -> tuple[Battle, dict[str, Any]]:
    return told(laid, rally(laid, id, **order))


def fresh(laid: Battle) -> Battle:
    """Return the battle with nobody having acted: another turn."""
    return laid.with_units(*(replace(each, acted=False) for each in laid.units.values()))


def test_ex_5_01_as_many_return_as_are_in_ranks() -> None:
    """CC-5.1, CC-5.3, D-23."""
    then, facts = rallied(battle("RI1 9m/9f @100,100 b0 k0/c4"))
    assert (counts(then.units["RI1"]), facts["rule"]) == ("k0/c0/r9", "CC-5.3")
    then, _ = rallied(battle("RI1 9m/9f @100,100 b0 k0/c6"))
    assert counts(then.units["RI1"]) == "k0/c3/r6"
    assert rallied(then)[1]["rule"] == "CC-2.3"
    then, _ = rallied(fresh(then))
    assert counts(then.units["RI1"]) == "k0/c0/r9"


def test_cc_5_1_without_confused_men_there_is_nothing_to_rally() -> None:
    laid = battle("RI1 9m/9f @100,100 b0")
    then, facts = rallied(laid)
    assert (then, facts["why"]) == (laid, "none-confused")


@pytest.mark.parametrize(
    ("blue", "allowed"),
    [
        ("BI1 12m/6f @100,122 b180", False),
        ("BI1 12m/6f @100,122.1 b180", True),
        ("BI1 12m/6f @100,112 b0", True),
    ],
)
def test_ex_5_02_nobody_rallies_before_an_enemy_who_faces_him(blue: str, allowed: bool) -> None:
    """CC-5.2, A-50: 20.0 in both editions."""
    for switches in (EN, FR):
        laid = battle("RI1 12m/6f @100,100 b0 ~:7,8,9,10", blue, switches=switches)
        then, facts = rallied(laid)
        if allowed:
            assert counts(then.units["RI1"]) == "k0/c0/r12"
        else:
            assert (then, facts["rule"], facts["by"]) == (laid, "CC-5.2", "BI1")


def test_ex_5_03_confused_men_count_of_one_s_own_and_not_of_the_enemys() -> None:
    """CC-5.2, A-03, A-44."""
    # Red's front rank is confused, and alone within 20.0.
    laid = battle("RI1 12m/6f @100,100 b0 ~:1,2,3,4,5,6", "BI1 12m/6f @100,122 b180")
    assert distance(laid.units["RI1"], laid.units["BI1"]) == 20.0
    assert rallied(laid)[1]["rule"] == "CC-5.2"
    theirs = battle("RI1 12m/6f @100,100 b0 ~:12", "BI1 12m/6f @100,122 b180 ~:1,2,3,4,5,6")
    assert distance_to_ranks(theirs.units["RI1"], theirs.units["BI1"]) == 22.0
    assert counts(rallied(theirs)[0].units["RI1"]) == "k0/c0/r12"


def test_ex_5_04_the_dead_do_not_return() -> None:
    """CC-5.4."""
    then, _ = rallied(battle("RI1 12m/6f @100,100 b0 k1/c2"))
    assert counts(then.units["RI1"]) == "k1/c0/r11"


@pytest.mark.parametrize(
    ("commanders", "switches", "count"),
    [
        (["RG @100,109.5"], EN, 4),
        (["RG @100,109.6"], EN, 3),
        (["RD @100,109.5"], EN, 4),
        (["RG @100,109.5", "RD @103,109.5"], EN, 4),
        (["RD @100,109.5"], FR, 3),
        (["RG @100,109.5"], FR, 4),
        (["BG @100,109.5"], EN, 3),
    ],
)
def test_ex_5_05_a_commander_next_to_it_brings_one_man_more(
    commanders: list[str], switches: Switches, count: int
) -> None:
    """CC-5.5, A-45, A-46, D-24: 2.0 to the front edge, 1.5 of his own disc, 5.0 between."""
    laid = battle("RI1 9m/9f @100,102 b0 ~:4,5,6,7,8,9", *commanders, switches=switches)
    near = distance_to_commander(next(iter(laid.commanders.values())), laid.units["RI1"])
    assert near in (5.0, 5.1)
    then, facts = rallied(laid)
    assert len(facts["men"]) == count
    assert counts(then.units["RI1"]) == f"k0/c{6 - count}/r{3 + count}"


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        (["RG @100,106", "BI1 12m/6f @100,144 b0"], None),
        (["RG @100,106", "BI1 12m/6f @100,143.9 b0"], "CC-5.6"),
        (["RG @100,106", "BI1 12m/6f @100,132 b180 ~:1,2,3,4,5,6,7,8,9,10,11,12"], None),
        (["RD @100,106", "BI1 12m/6f @100,150 b180"], "CC-5.6"),
    ],
)
def test_ex_5_06_a_mob_is_rallied_far_from_enemies_in_ranks(more: list[str], rule: str | None) -> None:
    """CC-5.6, CC-5.8, A-47, D-25, D-26."""
    laid = battle(mob("RI1 6m/6f @100,100 b0"), *more)
    if rule is None:
        then, facts = rallied(laid)
        assert (counts(then.units["RI1"]), facts["rule"]) == ("k0/c5/r1", "CC-5.8")
    else:
        then, facts = rallied(laid)
        assert (then, facts["rule"]) == (laid, rule)


def test_ex_5_06_the_distances_of_the_example() -> None:
    mine = mob("RI1 6m/6f @100,100 b0")
    assert distance_to_ranks(mine, unit("BI1 12m/6f @100,142 b180")) == 40.0
    # With its back turned the rear rank is the nearest.
    assert distance_to_ranks(mine, unit("BI1 12m/6f @100,144 b0")) == 40.0


@pytest.mark.parametrize(
    ("blue", "allowed"),
    [
        ("BI1 12m/6f @100,152 b180", True),
        ("BI1 12m/6f @100,151.9 b180", False),
        ("BI1 12m/6f @100,147 b180 ~:1,2,3,4,5,6,7,8,9,10,11,12", False),
    ],
)
def test_ex_5_07_in_french_from_every_living_enemy(blue: str, allowed: bool) -> None:
    """CC-5.7, A-47."""
    laid = battle(mob("RI1 6m/6f @100,100 b0"), "RG @100,106", blue, switches=FR)
    then, facts = rallied(laid)
    assert facts["rule"] == ("CC-5.8" if allowed else "CC-5.7")
    assert counts(then.units["RI1"]) == ("k0/c5/r1" if allowed else "k0/c6/r0")


def test_ex_5_08_the_commander_builds_a_mob_up_again() -> None:
    """CC-5.8."""
    laid = battle(mob("RI1 6m/6f @100,100 b0"), "RG @100,106")
    seen = []
    for _ in range(3):
        laid = fresh(rallied(laid)[0])
        seen.append(counts(laid.units["RI1"]))
    assert seen == ["k0/c5/r1", "k0/c3/r3", "k0/c0/r6"]


@pytest.mark.parametrize(
    ("pick", "men"), [((), [3, 4]), ((6, 9), [6, 9]), ((9,), [9, 3]), ((1, 1, 9), [9, 3])]
)
def test_ex_5_09_who_returns(pick: tuple[int, ...], men: list[int]) -> None:
    """CC-5.9: officers, flags and musicians first, then the lowest numbers, unless their owner names others."""
    laid = battle("RI1 9m/9f @100,100 b0 ~:3,4,5,6,9 O:3 F:4")
    whole = laid.units["RI1"]
    laid = laid.with_units(placed_men(whole, (7, 8), "gone"))
    then, facts = rallied(laid, pick=pick)
    assert facts["men"] == men
    # Each is back in his own cell.
    assert [then.units["RI1"].man(number) for number in men] == [
        replace(whole.man(number), place="ranks") for number in men
    ]


def test_ex_5_09_a_rallied_mob_may_turn() -> None:
    """A-48: tested like a pivot; a unit that is no mob does not turn."""
    laid = battle(mob("RI1 6m/6f @100,100 b0"), "RG @100,106")
    assert rallied(laid, bearing=90.0)[0].units["RI1"].bearing == 90
    assert rallied(laid)[0].units["RI1"].bearing == 0
    edge = battle(mob("RI1 6m/6f @100,3 b0"), "RG @100,9")
    then, facts = rallied(edge, bearing=90.0)
    assert (then.units["RI1"].bearing, facts["as_ordered"]) == (0, ("no-room", "CC-3.4", 90))
    assert counts(then.units["RI1"]) == "k0/c5/r1"
    mixed = battle("RI1 6m/6f @100,100 b0 ~:1")
    assert rallied(mixed, bearing=90.0)[0].units["RI1"].bearing == 0


def test_cc_5_9_who_returns_first_may_be_wished_for() -> None:
    """E2, E4: the order's PICK counts, then the owner's RALLY, then the rules' own order."""
    laid = battle("RI1 9m/3f @100,100 b0 ~:1,3,4,5,6,9 O:9", "BI1 12m/6f @120,160 b180")
    men = {
        wish: rallied(laid, wish=Choice(wish))[1]["men"]
        for wish in ("FRONT", "REAR", "LEFT", "RIGHT", "NEAR", "FAR")
    }
    assert men["FRONT"][:2] == [3, 1]
    assert men["REAR"][0] == 9
    assert men["LEFT"][:2] == [1, 4]
    assert men["RIGHT"][:2] == [3, 6]
    assert men["NEAR"] == men["FRONT"]
    assert men["FAR"][0] == 9
    assert rallied(laid)[1]["men"] == [9, 1, 3]
    assert rallied(laid, wish=Choice("MAN", (5, 4)))[1]["men"] == [5, 4, 9]
    assert rallied(laid, pick=(6,), wish=Choice("LEFT"))[1]["men"] == [6, 1, 4]
    alone = battle("RI1 9m/3f @100,100 b0 ~:1,3,4,5,6,9")
    assert rallied(alone, wish=Choice("NEAR"))[1]["men"] == [1, 3, 4]


# --- gunners


def walked(laid: Battle) -> Battle:
    then, happenings = walk_gunners(laid, "RA1")
    for happening in happenings:
        laid = after(laid, happening)
    assert laid == then
    return then


def to_go(unit: Unit) -> dict[int, float]:
    return {man.number: unit.battery.to_go(man) for man in unit.in_ranks}


def run_off() -> Battle:
    """A battery whose gunners have run 30 cm south from their cannon at (100,100), with the general next to them."""
    laid = battle(mob("RA1 5m/1g @100,100 b0"), "RG @100,76")
    then, _ = move_mob(laid, "RA1", 180.0, 30.0)
    return fresh(then)


def test_ex_5_10_gunners_walk_back_to_their_cannon() -> None:
    """CC-5.10, CC-5.11, A-49: 25 cm in each own turn, from the rally's turn on."""
    laid = run_off()
    assert at(laid.units["RA1"]) == (100, 70)
    one = walked(rallied(laid, "RA1")[0])
    assert to_go(one.units["RA1"]) == {1: 5.0}
    assert not one.units["RA1"].battery.at_gun(one.units["RA1"].man(1))
    two = walked(rallied(fresh(one), "RA1")[0])
    assert to_go(two.units["RA1"]) == {1: 0.0, 2: 5.0, 3: 5.0}
    battery = two.units["RA1"]
    assert [man.number for man in battery.in_ranks if battery.battery.at_gun(man)] == [1]
    three = walked(fresh(two))
    assert to_go(three.units["RA1"]) == {1: 0.0, 2: 0.0, 3: 0.0}
    # The confused ones stay where they are.
    assert three.units["RA1"].formation.centres(three.units["RA1"].confused) == battery.formation.centres(
        battery.confused
    )


def test_a_49_the_battery_cannot_move_until_all_are_back() -> None:
    laid = rallied(run_off(), "RA1")[0]
    for _ in range(2):
        laid = walked(rallied(fresh(laid), "RA1")[0])
    battery = laid.units["RA1"]
    assert (counts(battery), battery.formation.cannons_left) == ("k0/c0/r5", True)
    assert move(fresh(laid), "RA1", cm=5.0)[1][0].rule == "CC-5.10"
    laid = fresh(walked(fresh(laid)))
    battery = laid.units["RA1"]
    assert (battery.place, battery.formation.cannons_left) == ((100, 100, 0), False)
    assert battery == replace(battle("RA1 5m/1g @100,100 b0").units["RA1"])
    assert at(move(laid, "RA1", cm=5.0)[0].units["RA1"]) == (100, 105)


def test_a_49_gunners_halt_before_enemies_as_units_do() -> None:
    laid = run_off().with_units(unit("BI1 12m/6f @100,118 b180"))
    # The general is next to them, and no enemy in ranks within 40.0.
    assert distance(laid.units["RA1"], laid.units["BI1"]) >= 40.0
    then = walked(rallied(laid, "RA1")[0])
    gunner = then.units["RA1"].man(1)
    assert then.units["RA1"].battery.to_go(gunner) == 5.0
    there = walked(fresh(then))
    first = there.units["RA1"].man(1)
    # At 19.9 he stops: his post would be 15 cm from Blue's front.
    assert there.units["RA1"].formation.centre(first) == Point(103, 96.1)
    assert distance(there.units["RA1"], there.units["BI1"]) == 19.9


def test_gunners_who_run_again_take_along_those_under_way() -> None:
    laid = walked(rallied(run_off(), "RA1")[0])
    battery = laid.units["RA1"]
    shaken = laid.with_units(battery.with_men(replace(man, place="confused") for man in battery.in_ranks))
    foe = shaken.with_units(unit("BI1 12m/6f @100,110 b180"))
    then, _ = flee(foe, "RA1", "BI1", Flight("BEARING", 180.0))
    again = then.units["RA1"]
    before = foe.units["RA1"]
    gone = at(again)[1] - at(before)[1]
    assert gone == -30
    for man in again.men:
        assert again.formation.centre(man).y == before.formation.centre(before.man(man.number)).y + gone
    assert again.battery.cannon_place(0) == (100, 100, 0)


def test_the_other_sides_gunners_wait_for_their_own_turn() -> None:
    laid = rallied(run_off(), "RA1")[0].with_units(unit("BI1 12m/6f @190,290 b180"))
    theirs = replace(laid, active=BLUE)
    assert play(theirs, [], decks(), first=RED).battle.units["RA1"].men == laid.units["RA1"].men


def test_cc_8_4_gunners_who_walk_through_an_objective_occupy_it() -> None:
    """They are men in ranks, and they walk like any (CC-5.10)."""
    laid = rallied(run_off(), "RA1")[0].with_units(unit("BI1 12m/6f @190,290 b180"))
    gunner = laid.units["RA1"].in_ranks[0]
    start, end = laid.units["RA1"].formation.centre(gunner), laid.units["RA1"].battery.post(gunner)
    x, y = (start.x + end.x) / 2, (start.y + end.y) / 2
    way = objective("K1", x - 2, y - 2, x + 2, y + 2)
    laid = replace(laid, ground=replace(laid.ground, objectives=(way,)))
    played = play(laid, [], decks(), first=RED)
    assert [each.rule for each in played.happenings if each.code == "held"] == ["CC-8.4"]
    assert played.battle.holders == {"K1": RED}
