"""Units and commanders move (CC-3), by the rules' own examples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import shapely

from referee.rulebooks.cards.battle import Battle, Outcome, after
from referee.rulebooks.cards.figures import BLUE, RED, men_grid
from referee.rulebooks.cards.forming import dress, form, turn_about
from referee.rulebooks.cards.ground import Terrain
from referee.rulebooks.cards.measuring import distance, distance_to_commander, facing_each_other
from referee.rulebooks.cards.moving import beside_unit, clear_commanders, move, move_commander
from referee.rulebooks.cards.rallying import next_to, rally
from referee.rulebooks.cards.shapes import Point
from referee.rulebooks.cards.switches import EN, FR, Switches
from tests.rulebooks.cards.tables import (
    area,
    at,
    battle,
    bound,
    box,
    commander,
    counts,
    mob,
    objective,
    unit,
)


def told(laid: Battle, given: Outcome) -> tuple[Battle, dict[str, Any]]:
    """Return the battle after what both sides hear, and its facts; folding it gives that same battle.

    as_ordered: how the order was otherwise, which its side alone hears; None where it came to what it said.
    """
    then, happenings = given
    happening, *others = happenings
    assert after(laid, happening) == then
    for other in others:
        assert (other.code, len(other.heard_by)) == ("as-ordered", 1)
        assert after(then, other) == then
    private = [(other.facts["why"], other.rule, other.facts["asked"]) for other in others]
    facts = {"code": happening.code, "rule": happening.rule, **happening.facts}
    return then, {**facts, "as_ordered": private[0] if private else None}


def moved(laid: Battle, id: str, **order: Any) -> tuple[Battle, dict[str, Any]]:
    return told(laid, move(laid, id, **order))


def place(laid: Battle, id: str) -> tuple[float, float, float]:
    return laid.units[id].place


# --- how far


@pytest.mark.parametrize(
    ("line", "rule", "asked", "gone", "y"),
    [
        ("RI1 12m/6f @100,50 b0", "CC-3.1", 20.0, 20.0, 70),
        ("RI1 12m/6f @100,50 b0", "CC-3.1", 20.1, 20.0, 70),
        ("RI1 12m/6f @100,50 b0", "CC-3.1", None, 20.0, 70),
        ("RA1 5m/1g @100,50 b0", "CC-3.2", 20.0, 20.0, 70),
        ("RA1 5m/1g @100,50 b0", "CC-3.2", 25.0, 20.0, 70),
        ("RC1 8m/4f @100,50 b0", "CC-3.3", 40.0, 40.0, 90),
        ("RC1 8m/4f @100,50 b0", "CC-3.3", 41.0, 40.0, 90),
        ("RC1 8m/4f @100,50 b0", "CC-3.3", 55.0, 40.0, 90),
    ],
)
def test_ex_3_01_02_03_25_each_arm_moves_as_far_as_it_may(
    line: str, rule: str, asked: float | None, gone: float, y: float
) -> None:
    """EX-3.01, EX-3.02, EX-3.03, EX-3.25, CC-3.1 to CC-3.3: what is beyond the allowance is cut, and its owner alone is
    told (CC-3.22)."""
    laid = battle(line)
    (id,) = laid.units
    then, facts = moved(laid, id, cm=asked)
    assert place(then, id) == (100, y, 0)
    assert (facts["rule"], facts["gone"], facts["stop"]) == (rule, gone, None)
    cut = asked is not None and asked > gone
    assert facts["as_ordered"] == (("allowance", "CC-3.22", asked) if cut else None)


def test_ex_3_04_a_pivot_turns_about_the_centre_of_the_front_rank() -> None:
    """CC-3.4, A-20."""
    then, facts = moved(battle("RI1 12m/6f @100,50 b0"), "RI1", bearing=90.0)
    unit = then.units["RI1"]
    assert place(then, "RI1") == (100, 50, 90)
    assert [unit.formation.centre(unit.man(number)) for number in (1, 6, 7)] == [
        (100, 55),
        (100, 45),
        (98, 55),
    ]
    assert facts["rule"] == "CC-3.4"


@pytest.mark.parametrize(
    ("line", "more", "terrain", "rule"),
    [
        # On its side the unit would reach six to the right and left of (100,50), three to its rear.
        ("RI1 12m/6f @100,50 b0", ["BI1 1m/1f @100,57.5 b0"], [], "CC-3.16"),
        ("RI1 12m/6f @100,50 b0", [], [area("water", 99, 55.5, 101, 60)], "CC-3.21"),
        ("RI1 12m/6f @100,5 b0", [], [], "CC-3.20"),
    ],
)
def test_ex_3_04_a_pivot_over_an_enemy_water_or_the_edge_is_refused(
    line: str, more: list[str], terrain: list[Terrain], rule: str
) -> None:
    """CC-3.4, A-24: the unit stands as it was, advance and all; only its owner is told."""
    laid = battle(line, *more, terrain=terrain)
    then, facts = moved(laid, "RI1", bearing=90.0, cm=5.0)
    assert then == laid
    assert (facts["code"], facts["rule"], facts["pivot"]) == ("refused", rule, 90.0)
    (happening,) = move(laid, "RI1", bearing=90.0)[1]
    assert happening.heard_by == {RED}


def test_a_24_a_pivot_sweeps_through_nothing() -> None:
    laid = battle("RI1 12m/6f @100,50 b0", "BI1 1m/1f @104,55 b0")
    then, _ = moved(laid, "RI1", bearing=180.0)
    assert place(then, "RI1") == (100, 50, 180)


def test_ex_3_05_artillery_pivots_about_the_axle() -> None:
    """CC-3.5."""
    laid = battle("RA1 5m/1g @100,100 b0")
    before = laid.units["RA1"]
    assert before.formation.centre(before.man(1)) == (103, 101)
    then, facts = moved(laid, "RA1", bearing=90.0)
    unit = then.units["RA1"]
    assert unit.battery.cannon_place(0) == (100, 100, 90)
    assert unit.formation.centre(unit.man(1)) == (101, 97)
    assert facts["rule"] == "CC-3.5"


def test_cc_3_5_two_cannons_pivot_about_the_middle_of_their_axles() -> None:
    then, _ = moved(battle("RA1 8m/2g @100,100 b0"), "RA1", bearing=90.0)
    unit = then.units["RA1"]
    assert [unit.battery.cannon_place(index)[:2] for index in (0, 1)] == [(100, 106), (100, 94)]


def test_ex_3_06_a_unit_goes_straight_ahead_only() -> None:
    """CC-3.6, A-23: to go back it turns about first."""
    then, _ = moved(battle("RI1 12m/6f @100,50 b0"), "RI1", bearing=180.0, cm=10.0)
    assert place(then, "RI1") == (100, 40, 180)


def test_ex_3_07_pivot_alone_and_advance_alone_are_moves() -> None:
    """CC-3.7, CC-2.3: either uses up the unit's action."""
    laid = battle("RI1 12m/6f @100,50 b0")
    turned, _ = moved(laid, "RI1", bearing=45.0)
    assert place(turned, "RI1") == (100, 50, 45)
    assert turned.units["RI1"].acted
    gone, _ = moved(laid, "RI1", cm=5.0)
    assert place(gone, "RI1") == (100, 55, 0)
    again, facts = moved(gone, "RI1", cm=5.0)
    assert again == gone
    assert (facts["code"], facts["rule"]) == ("refused", "CC-2.3")


# --- before enemies


def facing(y: float, **more: Any) -> Battle:
    return battle(f"RI1 12m/6f @100,{y} b0", "BI1 12m/6f @100,150 b180", **more)


@pytest.mark.parametrize(
    ("laid", "asked", "y", "apart", "rule"),
    [
        # EX-3.09, EX-3.10: the first step under 20.0.
        (facing(120), 20.0, 128.1, 19.9, "CC-3.9"),
        (facing(120), 5.0, 125, 23.0, "CC-3.1"),
        (facing(128), 20.0, 128.1, 19.9, "CC-3.9"),
        (facing(128.1), 20.0, 128.1, 19.9, "CC-3.9"),
        # EX-3.12: 20.0 stays open.
        (facing(120, switches=FR), 20.0, 128, 20.0, "CC-3.10"),
        # EX-3.13: who begins there may close in, who begins a step before it may not.
        (facing(128, switches=FR), 20.0, 140.1, 7.9, "CC-3.11"),
        (facing(127.9, switches=FR), 20.0, 128, 20.0, "CC-3.10"),
        # a custom game may leave closing in out.
        (facing(128, switches=replace(FR, close_in=None)), 20.0, 128, 20.0, "CC-3.10"),
    ],
)
def test_ex_3_09_10_12_13_units_face_to_face_halt(
    laid: Battle, asked: float, y: float, apart: float, rule: str
) -> None:
    """EX-3.09, EX-3.10, EX-3.12, EX-3.13 (CC-3.9, CC-3.10, CC-3.11, A-25, A-26)."""
    then, facts = moved(laid, "RI1", cm=asked)
    assert place(then, "RI1") == (100, y, 0)
    assert distance(then.units["RI1"], then.units["BI1"]) == apart
    assert facts["rule"] == rule
    assert (facts["stop"] is None) == (rule == "CC-3.1")


def test_ex_3_10_who_turns_his_back_may_leave() -> None:
    then, _ = moved(facing(128.1), "RI1", bearing=180.0, cm=20.0)
    assert place(then, "RI1") == (100, 108.1, 180)
    assert distance(then.units["RI1"], then.units["BI1"]) == 37.9


def test_ex_3_11_an_enemys_back_halts_nobody() -> None:
    """CC-3.9: only face to face."""
    laid = battle("RI1 12m/6f @100,120 b0", "BI1 12m/6f @100,150 b0")
    assert distance(laid.units["RI1"], laid.units["BI1"]) == 26.0
    then, facts = moved(laid, "RI1", cm=20.0)
    assert (facts["gone"], distance(then.units["RI1"], then.units["BI1"])) == (20.0, 6.0)


def test_cc_3_10_mutual_facing_that_arises_nearer_stops_one_step_before() -> None:
    """A-26: Red comes up on the flank, and is seen only when a man of his enters the zone."""
    laid = battle("RI1 12m/6f @70,146 b90", "BI1 12m/6f @100,150 b180", switches=FR)
    then, facts = moved(laid, "RI1", cm=20.0)
    assert facts["rule"] == "CC-3.10"
    assert 0 < facts["gone"] < 20
    one, other = then.units["RI1"], then.units["BI1"]
    assert distance(one, other) < 20
    assert not facing_each_other(one, other)
    assert facing_each_other(one.standing(one.place.ahead(0.1)), other)


BELT = "BI1 12m/6f @130,150 b90"


@pytest.mark.parametrize(
    ("line", "switches", "y", "rule"),
    [
        # EX-3.14: it would enter the belt and leave it again.
        ("RC1 8m/4f @103,132 b0", EN, 135.4, "CC-3.12"),
        # EX-3.15: 20.0 beside it, or ending inside.
        ("RC1 8m/4f @102,132 b0", EN, 172, "CC-3.3"),
        ("RC1 8m/4f @103,105 b0", EN, 145, "CC-3.3"),
        # EX-3.16: no passing distance.
        ("RC1 8m/4f @103,132 b0", FR, 172, "CC-3.3"),
    ],
)
def test_ex_3_14_15_16_passing_an_enemy(line: str, switches: Switches, y: float, rule: str) -> None:
    """EX-3.14, EX-3.15, EX-3.16 (CC-3.12, CC-3.13, A-27)."""
    then, facts = moved(battle(line, BELT, switches=switches), "RC1", cm=40.0)
    assert place(then, "RC1")[1] == y
    assert facts["rule"] == rule


def test_ex_3_14_the_distances_of_the_example() -> None:
    laid = battle("RC1 8m/4f @103,132 b0", BELT)
    assert distance(laid.units["RC1"], laid.units["BI1"]) == 21.2
    then, _ = moved(laid, "RC1", cm=40.0)
    assert distance(then.units["RC1"], then.units["BI1"]) == 20.0


def test_cc_3_12_leaving_a_belt_in_which_the_move_began_is_free() -> None:
    then, facts = moved(battle("RC1 8m/4f @103,145 b0", BELT), "RC1", cm=40.0)
    assert (place(then, "RC1"), facts["stop"]) == ((103, 185, 0), None)


def test_ex_3_18_one_cm_is_left_open() -> None:
    """CC-3.16, A-29."""
    laid = battle("RI1 12m/6f @100,130 b0", "BI1 12m/6f @100,150 b0")
    assert distance(laid.units["RI1"], laid.units["BI1"]) == 16.0
    then, facts = moved(laid, "RI1", cm=20.0)
    assert (facts["gone"], facts["rule"]) == (15.0, "CC-3.16")
    assert distance(then.units["RI1"], then.units["BI1"]) == 1.0


def test_keep_stops_early_by_the_players_own_wish() -> None:
    """CC-2.2: with KEEP 25 no enemy comes nearer than that."""
    then, facts = moved(facing(120), "RI1", cm=20.0, keep=25.0)
    assert distance(then.units["RI1"], then.units["BI1"]) == 25.0
    assert (facts["rule"], facts["stop"], facts["as_ordered"]) == ("CC-3.1", None, ("keep", "CC-2.2", 20.0))
    assert moved(facing(120), "RI1", cm=2.0, keep=25.0)[1]["as_ordered"] is None
    assert moved(facing(120), "RI1", cm=55.0, keep=25.0)[1]["as_ordered"] == ("keep", "CC-2.2", 55.0)


def test_what_both_hear_of_a_move_says_nothing_of_how_it_was_ordered() -> None:
    """E7: orders that come to the same on the table are told alike to the other side."""
    laid = facing(120).with_commanders(commander("RG @20,20"))
    same = [
        [
            move(laid, "RI1", cm=3.0),
            move(laid, "RI1", cm=55.0, keep=25.0),
            move(laid, "RI1", cm=None, keep=25.0),
        ],
        [move(laid, "RI1", cm=0.0), move(laid, "RI1", cm=20.0, keep=28.0)],
        [move_commander(laid, "RG", Point(20, 80)), move_commander(laid, "RG", Point(20, 81))],
    ]
    for told_of in same:
        heard = [[each for each in happenings if BLUE in each.heard_by] for _, happenings in told_of]
        assert all(each == heard[0] for each in heard)


# --- friends, edge, ground


def test_ex_3_17_through_friends_but_not_onto_them() -> None:
    """CC-3.14, CC-3.15, A-28."""
    laid = battle("RI1 12m/6f @100,50 b0", "RI2 12m/6f @100,65 b0")
    through, facts = moved(laid, "RI1", cm=20.0)
    assert (place(through, "RI1"), facts["stop"]) == ((100, 70, 0), None)
    short, facts = moved(laid, "RI1", cm=18.0)
    assert place(short, "RI1") == (100, 61, 0)
    assert (facts["gone"], facts["rule"]) == (11.0, "CC-3.15")


def test_cc_3_15_where_none_is_free_the_unit_stands_as_it_was() -> None:
    """Pivot included: on its side it would lie on its neighbour, wherever it stopped."""
    laid = battle("RI1 12m/6f @100,50 b0", "RI2 12m/6f @100,54.5 b0", "RI3 12m/6f @100,59 b0")
    then, facts = moved(laid, "RI1", bearing=90.0)
    assert then == laid
    assert (facts["code"], facts["rule"]) == ("refused", "CC-3.15")


def test_cc_3_15_mobs_and_commanders_are_friends_to_end_on_only_for_themselves() -> None:
    """A commander is in nobody's way, a mob is a friend like any other."""
    laid = battle("RI1 12m/6f @100,50 b0", mob("RI2 12m/6f @100,65 b0"), "RG @100,61")
    short, _ = moved(laid, "RI1", cm=18.0)
    assert place(short, "RI1") == (100, 61, 0)


def test_ex_3_19_a_unit_engaged_cannot_move() -> None:
    """CC-3.17; in French too, where the list lacks its "not" (EX-3.21, CC-3.19, A-33)."""
    for switches in (EN, FR):
        laid = battle("RI1 12m/6f @100,100 b0", "BI1 12m/6f @100,116 b180", switches=switches)
        laid = bound(laid, ("RI1", "BI1"))
        then, facts = moved(laid, "RI1", bearing=180.0, cm=20.0)
        assert then == laid
        assert (facts["rule"], facts["with"]) == ("CC-3.17", ["BI1"])


def test_ex_3_20_a_mixed_unit_cannot_move() -> None:
    """CC-3.18, in both editions (EX-3.21, CC-3.19); nor change its formation. That it may rally, EX-5.01 shows."""
    for switches in (EN, FR):
        laid = battle("RI1 12m/6f @100,100 b0 k0/c1", switches=switches)
        then, facts = moved(laid, "RI1", cm=20.0)
        assert (then, facts["rule"]) == (laid, "CC-3.18")
        then, facts = told(laid, form(laid, "RI1", 4))
        assert (then, facts["rule"]) == (laid, "CC-3.24")


def test_ex_3_22_an_advance_ends_at_the_edge() -> None:
    """CC-3.20, A-30."""
    then, facts = moved(battle("RI1 12m/6f @100,290 b0"), "RI1", cm=20.0)
    assert place(then, "RI1") == (100, 299, 0)
    assert (facts["gone"], facts["rule"]) == (9.0, "CC-3.20")


@pytest.mark.parametrize(
    ("files", "bridge", "gone"),
    [(6, None, 9.0), (6, (93, 107), 20.0), (6, (95, 105), 9.0), (4, (95, 105), 20.0)],
)
def test_ex_3_23_water_is_crossed_by_bridge(
    files: int, bridge: tuple[float, float] | None, gone: float
) -> None:
    """CC-3.21, A-31."""
    terrain = [area("water", 0, 100, 200, 110)]
    if bridge:
        terrain.append(area("bridge", bridge[0], 100, bridge[1], 110))
    then, facts = moved(battle(f"RI1 12m/{files}f @100,90 b0", terrain=terrain), "RI1", cm=20.0)
    assert facts["gone"] == gone
    assert place(then, "RI1") == (100, 90 + gone, 0)
    assert facts["rule"] == ("CC-3.1" if gone == 20 else "CC-3.21")


def test_cc_3_21_a_ford_is_as_good_as_a_bridge() -> None:
    terrain = [area("water", 0, 100, 200, 110), area("ford", 90, 100, 110, 110)]
    assert moved(battle("RI1 12m/6f @100,90 b0", terrain=terrain), "RI1", cm=20.0)[1]["gone"] == 20.0


@pytest.mark.parametrize(
    "terrain",
    [
        area("woods", 80, 95, 120, 125),
        area("village", 80, 95, 120, 125),
        area("hill", 80, 95, 120, 125),
        area("field", 80, 95, 120, 125),
        Terrain("T", "wall", "wall", (Point(80, 100), Point(120, 100)), 1.0),
    ],
)
def test_ex_3_24_terrain_slows_nobody(terrain: Terrain) -> None:
    """CC-3.21, A-31."""
    then, _ = moved(battle("RI1 12m/6f @100,90 b0", terrain=[terrain]), "RI1", cm=20.0)
    assert place(then, "RI1") == (100, 110, 0)


def test_cc_8_4_a_move_tells_which_objectives_it_led_through() -> None:
    """A-81: a base centre inside at any step; a corner of a base is not enough (the walk of 8.04 and 8.05)."""
    k1 = objective("K1", 90, 190, 110, 210)
    assert moved(battle("RC1 8m/4f @100,180 b0", objectives=[k1]), "RC1", cm=40.0)[1]["through"] == ["K1"]
    assert moved(battle("RI1 12m/6f @117,175 b0", objectives=[k1]), "RI1", cm=20.0)[1]["through"] == []
    assert moved(battle("RI1 12m/6f @115,175 b0", objectives=[k1]), "RI1", cm=20.0)[1]["through"] == ["K1"]


def test_a_15_each_unit_has_its_own_choice_and_one_only() -> None:
    """CC-2.3: one moves, one rallies, one changes formation; nobody does two of them."""
    laid = battle("RI1 12m/6f @30,50 b0", "RI2 12m/6f @60,50 b0 ~:1", "RI3 12m/6f @90,50 b0")
    laid, _ = move(laid, "RI1", cm=20.0)
    laid, _ = rally(laid, "RI2")
    laid, _ = form(laid, "RI3", 3)
    assert all(each.acted for each in laid.units.values())
    for id in laid.units:
        for again in (move(laid, id, cm=1.0), rally(laid, id), form(laid, id, 4), turn_about(laid, id)):
            assert told(laid, again)[1]["rule"] == "CC-2.3"


def test_a_37_confused_men_keep_their_cells() -> None:
    steady, shaken = unit("RI1 12m/6f @100,100 b0"), unit("RI1 12m/6f @100,100 b0 ~:2,8,9")
    assert steady.formation.centres(steady.men) == shaken.formation.centres(shaken.men)
    assert men_grid(shaken) == ("#~####", "#~~###")


# --- formations


def test_ex_3_26_formations() -> None:
    """CC-3.23, A-34: other files, or about in place; artillery has none."""
    laid = battle("RI1 12m/6f @100,100 b0", "RA1 5m/1g @50,50 b0")
    column, facts = told(laid, form(laid, "RI1", 3))
    assert (place(column, "RI1"), facts["files"]) == ((100, 100, 0), [6, 3])
    assert column.units["RI1"].widths == (3, 3, 3, 3)
    turned, _ = told(laid, turn_about(laid, "RI1"))
    assert place(turned, "RI1") == (100, 98, 180)
    assert shapely.equals(turned.units["RI1"].formation.footprint, laid.units["RI1"].formation.footprint)
    for refusal in (form(laid, "RA1", 2), turn_about(laid, "RA1")):
        then, facts = told(laid, refusal)
        assert (then, facts["rule"]) == (laid, "CC-3.23")


@pytest.mark.parametrize("files", [0, 13])
def test_cc_3_23_no_more_files_than_living_men(files: int) -> None:
    laid = battle("RI1 12m/6f @100,100 b0")
    then, facts = told(laid, form(laid, "RI1", files))
    assert (then, facts["rule"], facts["most"]) == (laid, "CC-3.23", 12)


def test_cc_3_23_about_turned_with_a_short_rank_every_man_stays_where_he_is() -> None:
    laid = battle("RI1 12m/5f @100,100 b0")
    turned = turn_about(laid, "RI1")[0]
    before, behind = laid.units["RI1"], turned.units["RI1"]
    assert behind.widths == (2, 5, 5)
    assert before.formation.centres(before.men) == behind.formation.centres(behind.men)
    again = turn_about(turned.with_units(replace(behind, acted=False)), "RI1")[0]
    assert replace(again.units["RI1"], acted=False) == before


def test_ex_3_27_formations_that_have_no_room() -> None:
    """CC-3.24, A-35."""
    laid = battle("RI1 12m/6f @100,100 b0", "RI2 12m/6f @115,100 b0")
    then, facts = told(laid, form(laid, "RI1", 12))
    assert (then, facts["rule"], facts["by"]) == (laid, "CC-3.24", "RI2")
    assert then.units["RI1"].files == 6
    engaged = bound(battle("RI1 12m/6f @100,100 b0", "BI1 12m/6f @100,116 b180"), ("RI1", "BI1"))
    assert told(engaged, form(engaged, "RI1", 4))[1]["rule"] == "CC-3.24"
    assert told(engaged, turn_about(engaged, "RI1"))[1]["rule"] == "CC-3.24"
    mixed = battle("RI1 12m/6f @100,100 b0 k0/c1")
    assert told(mixed, turn_about(mixed, "RI1"))[1]["rule"] == "CC-3.24"
    shaken = battle(mob("RI1 12m/6f @100,100 b0"))
    assert told(shaken, form(shaken, "RI1", 4))[1]["rule"] == "CC-3.24"


@pytest.mark.parametrize(
    ("lines", "terrain"),
    [
        (["RI1 12m/6f @100,100 b0", "BI1 1m/1f @108.5,100 b180"], []),
        (["RI1 12m/6f @100,100 b0"], [area("water", 108, 90, 120, 110)]),
        (["RI1 12m/6f @10,100 b0"], []),
    ],
)
def test_cc_3_24_nor_over_enemies_water_or_the_edge(lines: list[str], terrain: list[Terrain]) -> None:
    laid = battle(*lines, terrain=terrain)
    then, facts = told(laid, form(laid, "RI1", 12))
    assert (then, facts["rule"]) == (laid, "CC-3.24")


def shot(laid: Battle, id: str, *numbers: int) -> Battle:
    """Return the battle after these men were shot dead and taken off at once."""
    hit = laid.units[id]
    return laid.with_units(
        hit.with_men(replace(man, place="gone") for man in hit.men if man.number in numbers)
    )


def test_ex_3_28_gaps_are_closed_at_once() -> None:
    """CC-3.25, A-36."""
    laid = shot(battle("RI1 12m/6f @100,100 b0"), "RI1", 1, 2)
    then, facts = told(laid, dress(laid))
    dressed = then.units["RI1"]
    assert (dressed.widths, facts["rule"], dressed.acted) == ((6, 4), "CC-3.25", False)
    assert [dressed.formation.centre(dressed.man(number)).x for number in (9, 10, 11, 12)] == [
        97,
        99,
        101,
        103,
    ]
    assert [dressed.man(number).file for number in (3, 4, 5, 6, 7, 8)] == [0, 1, 2, 3, 4, 5]
    assert place(then, "RI1") == (100, 100, 0)


def test_ex_3_28_nobody_dresses_around_confused_men_or_bodies() -> None:
    for line in ("RI1 12m/6f @100,100 b0 ~:7", "RI1 12m/6f @100,100 b0 x:7"):
        laid = shot(battle(line), "RI1", 1, 2)
        assert dress(laid) == (laid, ())


def test_a_36_dressing_waits_for_room_and_gunners_keep_their_places() -> None:
    # Dressed, the front rank of a column turned about would be three men wide again.
    laid = battle("RI1 7m/3f @100,100 b0", "RI2 1m/1f @97,95.5 b0")
    turned = turn_about(laid, "RI1")[0]
    waiting = shot(turned, "RI1", 1)
    assert turned.units["RI1"].widths == (1, 3, 3)
    assert dress(waiting) == (waiting, ())
    free = replace(waiting, units={"RI1": waiting.units["RI1"]})
    assert dress(free)[0].units["RI1"].widths == (3, 3)
    guns = shot(battle("RA1 5m/1g @100,100 b0"), "RA1", 1)
    assert dress(guns) == (guns, ())


# --- commanders


def commanded(laid: Battle, id: str, x: float, y: float, **order: Any) -> tuple[Battle, dict[str, Any]]:
    return told(laid, move_commander(laid, id, Point(x, y), **order))


def test_ex_3_08_a_commander_moves_60_cm_in_any_direction() -> None:
    """CC-3.8, A-16; the aide likewise. Where the edition has none (`fr`), none is on the table."""
    laid = battle("RG @100,8", "RD @104,8")
    then, facts = commanded(laid, "RG", 136, 56)
    assert (at(then.commanders["RG"]), facts["rule"], facts["as_ordered"]) == ((136, 56), "CC-3.8", None)
    then, facts = commanded(laid, "RG", 137, 56)
    assert (facts["gone"], facts["rule"]) == (60.0, "CC-3.8")
    assert facts["as_ordered"] == ("allowance", "CC-3.22", [137, 56])
    assert at(then.commanders["RG"]) == (136.63, 55.52)
    assert at(commanded(laid, "RD", 104, 68)[0].commanders["RD"]) == (104, 68)


def test_cc_3_8_a_commander_reaches_a_point_between_two_steps() -> None:
    assert at(commanded(battle("RG @100,8"), "RG", 103.27, 11.11)[0].commanders["RG"]) == (103.27, 11.11)
    assert at(commanded(battle("RG @100,8"), "RG", 100, 8)[0].commanders["RG"]) == (100, 8)


def test_a_16_troops_do_not_block_a_commander_but_water_and_enemies_at_the_end_do() -> None:
    laid = battle("RG @100,50", "BI1 12m/6f @100,80 b180", "RI1 12m/6f @100,65 b0")
    assert at(commanded(laid, "RG", 100, 100)[0].commanders["RG"]) == (100, 100)
    assert at(commanded(laid, "RG", 100, 65)[0].commanders["RG"]) == (100, 65)
    then, facts = commanded(laid, "RG", 100, 80)
    assert at(then.commanders["RG"]) == (100, 76.5)
    assert distance_to_commander(then.commanders["RG"], then.units["BI1"]) == 1.0
    assert facts["stop"]["rule"] == "CC-3.26"
    wet = battle("RG @100,50", terrain=[area("water", 0, 60, 200, 64), area("bridge", 98, 60, 102, 64)])
    assert at(commanded(wet, "RG", 100, 90)[0].commanders["RG"]) == (100, 90)
    over = battle("RG @50,50", terrain=[area("water", 0, 60, 200, 64)])
    then, facts = commanded(over, "RG", 50, 90)
    assert at(then.commanders["RG"]) == (50, 58.5)
    assert facts["stop"]["rule"] == "CC-3.21"
    assert at(commanded(battle("RG @100,8"), "RG", 100, 0)[0].commanders["RG"]) == (100, 1.5)


def test_go_by_a_unit_ends_next_to_it() -> None:
    """CC-5.5, A-46: at 5.0 from the nearest base."""
    laid = battle("RG @100,50", "RI1 12m/6f @100,100 b0")
    end = beside_unit(laid, "RG", laid.units["RI1"])
    then, _ = commanded(laid, "RG", *end, next_to="RI1")
    assert at(then.commanders["RG"]) == (100, 90.5)
    assert distance_to_commander(then.commanders["RG"], then.units["RI1"]) == 5.0
    assert [each.id for each in next_to(then, then.units["RI1"])] == ["RG"]


def test_ex_3_29_a_commander_is_put_clear_of_an_enemy_who_ends_on_him() -> None:
    """CC-3.26, A-51. (That he can be no target is in the notation.)"""
    laid = battle("RG @100,60", "BI1 12m/6f @100,80 b180")
    gone, facts = moved(laid, "BI1", cm=20.0)
    assert (place(gone, "BI1"), facts["stop"]) == ((100, 60, 180), None)
    then, facts = told(gone, clear_commanders(gone))
    assert distance_to_commander(then.commanders["RG"], then.units["BI1"]) == 1.0
    assert at(then.commanders["RG"]) == (100, 56.5)
    assert (facts["rule"], facts["by"]) == ("CC-3.26", "BI1")
    assert clear_commanders(then) == (then, ())


def test_the_notation_of_the_tests() -> None:
    laid = unit("RI1 12m/6f @100,120 b0 k1/c3 O:3 F:4 D:9")
    assert (counts(laid), laid.man(9).role, laid.man(3).place) == ("k1/c3/r8", "D", "confused")
    assert box(0, 0, 1, 1)[2] == (1, 1)


@pytest.mark.parametrize("switches", [EN, FR])
def test_a_cannon_lies_on_no_enemy_where_its_gunners_have_fallen(switches: Switches) -> None:
    """CC-3.4, CC-3.16, A-24: its footprint counts, not its men alone; on the way and where it turns."""
    ahead = battle("RA1 5m/1g @100,100 b0 x:1,2,3,4", "BI1 12m/6f @100,116 b0", switches=switches)
    then, _ = move(ahead, "RA1", cm=None)
    assert then.units["RA1"].place.y > 100
    assert not shapely.intersection(
        then.units["RA1"].formation.footprint, then.units["BI1"].formation.footprint
    ).area
    beside = battle("RA1 5m/1g @100,100 b0 x:1,2,3,4", "BI1 4m/1f @103.5,100 b0", switches=switches)
    then, (refused,) = move(beside, "RA1", bearing=90.0, cm=0.0)
    assert (refused.code, refused.rule) == ("refused", "CC-3.4")
