"""Mobs move, run and are lost (CC-4), by the rules' own examples."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rulebooks.cards.battle import Battle, after
from referee.rulebooks.cards.measuring import distance, facing_each_other
from referee.rulebooks.cards.mobs import alarmed, bearings, flee, move_mob, must_run
from referee.rulebooks.cards.moving import move
from referee.rulebooks.cards.orders import AWAY, Flight
from referee.rulebooks.cards.switches import EN, FR, Switches
from tests.rulebooks.cards.tables import area, at, battle, counts, mob, unit
from tests.rulebooks.cards.test_moving import told


def ran(laid: Battle, id: str, approaching: str, way: Flight = AWAY) -> tuple[Battle, dict[str, Any]]:
    return told(laid, flee(laid, id, approaching, way))


def test_ex_4_01_a_mob_has_no_man_in_ranks() -> None:
    """CC-4.1."""
    assert unit("BI1 12m/6f @100,100 b0 k4/c8").mob
    mixed = unit("BI1 12m/6f @100,100 b0 k4/c7")
    assert (mixed.mob, mixed.mixed, counts(mixed)) == (False, True, "k4/c7/r1")


@pytest.mark.parametrize(
    ("cm", "end", "cut"),
    [
        (30.0, (121.21, 78.79), None),
        (31.0, (121.21, 78.79), ("allowance", "CC-3.22", 31.0)),
        (10.0, (107.07, 92.93), None),
    ],
)
def test_ex_4_02_a_mob_moves_up_to_30_cm_in_any_direction(
    cm: float, end: tuple[float, float], cut: tuple[str, str, float] | None
) -> None:
    """CC-4.2, A-40."""
    laid = battle(mob("RI1 6m/6f @100,100 b0"))
    then, facts = told(laid, move_mob(laid, "RI1", 135.0, cm))
    assert at(then.units["RI1"]) == end
    assert (then.units["RI1"].bearing, then.units["RI1"].acted) == (0, True)
    assert (facts["rule"], facts["as_ordered"], facts["gone"]) == ("CC-4.2", cut, min(cm, 30.0))


def test_a_40_a_mobs_own_move_is_cut_at_the_edge_and_never_fatal() -> None:
    laid = battle(mob("RI1 6m/6f @100,290 b0"))
    then, facts = told(laid, move_mob(laid, "RI1", 0.0, 30.0))
    assert (at(then.units["RI1"]), facts["stop"]["code"]) == ((100, 299), "edge")


def test_cc_4_2_only_a_mob_moves_so_and_once_a_turn() -> None:
    laid = battle("RI1 6m/6f @100,100 b0", mob("RI2 6m/6f @150,100 b0"))
    assert told(laid, move_mob(laid, "RI1", 0.0, 5.0))[1]["why"] == "no-mob"
    then, _ = told(laid, move_mob(laid, "RI2", 0.0, 5.0))
    assert told(then, move_mob(then, "RI2", 0.0, 5.0))[1]["rule"] == "CC-2.3"


@pytest.mark.parametrize(("x", "gone"), [(121, 12.7), (122, 30.0)])
def test_ex_4_03_no_mob_passes_nearer_than_15_cm(x: int, gone: float) -> None:
    """CC-4.3."""
    laid = battle(mob("RI1 6m/6f @100,200 b0"), f"BI1 12m/6f @{x},225 b270")
    _, facts = told(laid, move_mob(laid, "RI1", 0.0, 30.0))
    assert facts["gone"] == gone


def test_cc_4_3_who_begins_nearer_may_leave_but_comes_no_nearer() -> None:
    laid = battle(mob("RI1 6m/6f @100,200 b0"), "BI1 12m/6f @100,210 b180")
    assert told(laid, move_mob(laid, "RI1", 0.0, 5.0))[1]["gone"] == 0.0
    assert told(laid, move_mob(laid, "RI1", 180.0, 5.0))[1]["gone"] == 5.0
    assert told(laid, move_mob(laid, "RI1", 90.0, 5.0))[1]["gone"] == 5.0


# --- the alarm


def test_ex_4_04_an_enemy_who_comes_near_alarms_a_mob() -> None:
    """CC-4.4, A-38."""
    far = battle("RI1 12m/6f @100,150 b0", mob("BI1 6m/6f @100,200 b180"))
    then, _ = move(far, "RI1", cm=20.0)
    assert distance(then.units["RI1"], then.units["BI1"]) == 28.0
    assert alarmed(far, then, "RI1") == ()
    near = battle("RI1 12m/6f @100,170 b0", mob("BI1 6m/6f @100,200 b180"))
    then, _ = move(near, "RI1", cm=20.0)
    assert at(then.units["RI1"]) == (100, 190)
    assert distance(then.units["RI1"], then.units["BI1"]) == 8.0
    assert alarmed(near, then, "RI1") == ("BI1",)


@pytest.mark.parametrize(
    ("start", "end", "en", "fr"),
    [(24.0, 19.0, True, False), (19.0, 14.9, True, True), (12.0, 16.0, False, False)],
)
def test_ex_4_05_nearer_and_near(start: float, end: float, en: bool, fr: bool) -> None:
    """CC-4.4, A-38: the alarm distance is the edition's; who goes off alarms nobody."""
    for switches, alarm in ((EN, en), (FR, fr)):
        foe = mob("BI1 6m/6f @100,200 b180")
        before = battle(f"RI1 12m/6f @100,{198 - start:g} b0", foe, switches=switches)
        then = battle(f"RI1 12m/6f @100,{198 - end:g} b0", foe, switches=switches)
        assert distance(then.units["RI1"], foe) == end
        assert alarmed(before, then, "RI1") == (("BI1",) if alarm else ())


def test_cc_4_4_only_an_enemy_with_men_in_ranks_alarms() -> None:
    before = battle(mob("RI1 12m/6f @100,170 b0"), mob("BI1 6m/6f @100,200 b180"))
    then, _ = move_mob(before, "RI1", 0.0, 10.0)
    assert distance(then.units["RI1"], then.units["BI1"]) == 18.0
    assert alarmed(before, then, "RI1") == ()


# --- the flight


def approached() -> Battle:
    return battle("RI1 12m/6f @100,190 b0", mob("BI1 6m/6f @100,200 b180"))


@pytest.mark.parametrize(
    ("way", "end", "bearing"),
    [
        (AWAY, (100, 230), 0.0),
        (Flight("BEARING", 90.0), (130, 200), 90.0),
        (Flight("BEARING", 180.0), (70, 200), 270.0),
        (Flight("HOME"), (100, 230), 0.0),
    ],
)
def test_ex_4_06_a_flight_is_30_cm_straight(way: Flight, end: tuple[float, float], bearing: float) -> None:
    """CC-4.5, CC-4.9, A-39: on the permitted bearing nearest to the owner's wish."""
    then, facts = ran(approached(), "BI1", "RI1", way)
    assert at(then.units["BI1"]) == end
    assert (facts["bearing"], facts["gone"], facts["rule"]) == (bearing, 30.0, "CC-4.5")
    assert distance(then.units["RI1"], then.units["BI1"]) >= 15.0
    assert then.units["BI1"].bearing == 180
    assert not then.units["BI1"].acted


def test_cc_4_9_towards_the_general() -> None:
    laid = battle("RI1 12m/6f @100,190 b0", mob("BI1 6m/6f @100,200 b180"), "BG @140,240")
    then, facts = ran(laid, "BI1", "RI1", Flight("GENERAL"))
    assert facts["bearing"] == 45.0
    assert at(then.units["BI1"]) == (121.21, 221.21)
    without = battle("RI1 12m/6f @100,190 b0", mob("BI1 6m/6f @100,200 b180"))
    assert ran(without, "BI1", "RI1", Flight("GENERAL"))[1]["bearing"] == 0.0


def test_cc_4_9_the_order_in_which_bearings_are_tried() -> None:
    tried = list(bearings(0.0, 0.0))
    assert tried[:5] == [0, 5, 355, 10, 350]
    assert tried[-2:] == [90, 270]
    assert len(tried) == len(set(tried)) == 37
    assert list(bearings(183.0, 0.0))[:3] == [273.0, 278.0, 88.0]


def test_ex_4_07_a_mob_that_cannot_run_30_cm_is_lost() -> None:
    """CC-4.6, D-21."""
    laid = battle("RI1 12m/6f @100,270 b0", mob("BI1 6m/6f @100,280 b180"))
    assert distance(laid.units["RI1"], laid.units["BI1"]) == 8.0
    then, facts = ran(laid, "BI1", "RI1")
    assert (at(then.units["BI1"]), facts["bearing"]) == ((124.57, 297.21), 55.0)
    corner = battle("RI1 12m/6f @20,280 b315", mob("BI1 6m/6f @10,290 b180"))
    assert distance(corner.units["RI1"], corner.units["BI1"]) == 8.2
    then, facts = ran(corner, "BI1", "RI1")
    assert (facts["code"], facts["rule"], facts["men"]) == ("mob-lost", "CC-4.6", 6)
    assert "BI1" not in then.units
    assert counts(then.fallen["BI1"]) == "k0/c0/r0"


def hemmed_in(switches: Switches) -> Battle:
    return battle(
        mob("BI1 6m/6f @100,200 b180"),
        "RI1 12m/6f @100,185 b0",
        "RI2 12m/6f @100,222 b180",
        "RI3 12m/6f @126,200 b270",
        "RI4 12m/6f @74,200 b90",
        switches=switches,
    )


def test_ex_4_08_hemmed_in_by_enemies() -> None:
    """CC-4.6, CC-4.8, A-41: lost in `en`; in `fr` it runs as far as it can."""
    laid = hemmed_in(EN)
    assert [distance(laid.units["BI1"], foe) for foe in laid.enemies(laid.units["BI1"])] == [13, 20, 19, 19]
    assert ran(laid, "BI1", "RI1")[1]["rule"] == "CC-4.6"
    then, facts = ran(hemmed_in(FR), "BI1", "RI1")
    assert (facts["gone"], facts["bearing"], facts["rule"]) == (6.3, 40.0, "CC-4.8")
    assert at(then.units["BI1"]) == (104.05, 204.83)


def test_ex_4_09_off_the_table_on_every_bearing() -> None:
    """CC-4.7, A-41."""
    corner = battle("RI1 12m/6f @20,280 b315", mob("BI1 6m/6f @10,290 b180"), switches=FR)
    then, facts = ran(corner, "BI1", "RI1")
    assert (facts["code"], facts["rule"]) == ("mob-lost", "CC-4.7")
    assert "BI1" in then.fallen


def test_cc_4_8_water_hems_a_french_mob_in_as_enemies_do() -> None:
    terrain = [
        area("water", 0, 205, 200, 300),
        area("water", 0, 150, 80, 205),
        area("water", 120, 150, 200, 205),
    ]
    for switches, rule in ((EN, "CC-4.6"), (FR, "CC-4.8")):
        laid = battle(
            "RI1 12m/6f @100,190 b0",
            mob("BI1 6m/6f @100,200 b180"),
            terrain=terrain,
            switches=switches,
        )
        assert ran(laid, "BI1", "RI1")[1]["rule"] == rule


@pytest.mark.parametrize(
    ("apart", "en", "fr"), [(14.0, True, True), (16.0, True, False), (20.0, False, False)]
)
def test_ex_4_10_a_mob_that_begins_its_turn_close_must_run(apart: float, en: bool, fr: bool) -> None:
    """CC-4.10, A-43: the nearest enemy with men in ranks under the alarm distance counts as approaching."""
    for switches, must in ((EN, en), (FR, fr)):
        laid = battle(
            mob("BI1 6m/6f @100,200 b180"),
            f"RI1 12m/6f @100,{198 - apart:g} b0",
            mob("RI2 6m/6f @100,203 b0"),
            switches=switches,
        )
        assert must_run(laid, "BI1") == ("RI1" if must else None)
        if must:
            laid = laid.without("RI2")
            then, facts = told(laid, flee(laid, "BI1", "RI1", own_turn=True))
            assert facts["gone"] == 30.0
            assert then.units["BI1"].acted


def test_cc_4_10_of_two_as_near_the_first_by_id() -> None:
    laid = battle(mob("BI1 6m/6f @100,200 b180"), "RI10 12m/6f @100,184 b0", "RI2 12m/6f @100,215 b180")
    red = [distance(laid.units["BI1"], foe) for foe in laid.enemies(laid.units["BI1"])]
    assert red == [13, 14]
    assert must_run(laid, "BI1") == "RI2"
    equal = battle(mob("BI1 6m/6f @100,200 b180"), "RI10 12m/6f @100,184 b0", "RI2 12m/6f @100,216 b180")
    assert must_run(equal, "BI1") == "RI2"
    assert must_run(equal, "RI2") is None


def test_ex_4_11_a_mob_10_cm_off_halts_nobody() -> None:
    """CC-4.11, A-42: it faces nobody. What it cannot hold or fire is shown where that is ruled."""
    laid = battle("RI1 12m/6f @100,187 b0", mob("BI1 6m/6f @100,200 b180"))
    assert distance(laid.units["RI1"], laid.units["BI1"]) == 11.0
    assert not facing_each_other(laid.units["RI1"], laid.units["BI1"])
    then, (happening,) = move(laid, "RI1", cm=1.0)
    assert (happening.facts["gone"], happening.facts["stop"]) == (1.0, None)
    assert distance(then.units["RI1"], then.units["BI1"]) == 10.0


def test_ex_4_13_gunners_who_run_leave_their_cannon() -> None:
    """CC-4.13: it keeps its place, its bearing and its markers."""
    laid = battle("RI1 12m/6f @100,190 b0", mob("BA1 5m/1g @100,210 b180"))
    then, (happening,) = flee(laid, "BA1", "RI1", Flight("BEARING", 0.0))
    assert after(laid, happening) == then
    battery = then.units["BA1"]
    assert at(battery) == (100, 240)
    assert battery.battery.cannon_place(0) == (100, 210, 180)
    assert battery.cannons[0].markers == 4
    assert not any(battery.battery.at_gun(man) for man in battery.living)
    again, _ = flee(then, "BA1", "RI1", Flight("BEARING", 45.0))
    assert again.units["BA1"].battery.cannon_place(0) == (100, 210, 180)


def test_e8_a_flight_keeps_the_group_rigid() -> None:
    laid = approached()
    then, _ = flee(laid, "BI1", "RI1", Flight("BEARING", 33.3))
    before, behind = laid.units["BI1"], then.units["BI1"]
    shifts = {
        (round(new.x - old.x, 6), round(new.y - old.y, 6))
        for old, new in zip(
            before.formation.centres(before.men), behind.formation.centres(behind.men), strict=True
        )
    }
    assert len(shifts) == 1
