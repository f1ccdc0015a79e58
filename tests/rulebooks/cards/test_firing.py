"""Long-range fire, and what a gun sees (CC-6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.rulebooks.cards.battle import Battle, Outcome, after
from referee.rulebooks.cards.casualties import NEAREST
from referee.rulebooks.cards.figures import RED, Unit, placed_men
from referee.rulebooks.cards.firing import Shot, aimed, aimed_first, shoot
from referee.rulebooks.cards.ground import Terrain
from referee.rulebooks.cards.moving import Refusal, refused
from referee.rulebooks.cards.orders import Choice
from referee.rulebooks.cards.settling import settled
from referee.rulebooks.cards.shapes import Point
from referee.rulebooks.cards.sight import in_woods, men_in_arc, seen_men
from referee.rulebooks.cards.switches import EN, FR, Switches
from tests.rulebooks.cards.combats import fought, refusal
from tests.rulebooks.cards.tables import area, battle, bound, counts, mob, unit

GUN = "RA1 5m/1g @50,50 b0"
FAR_FOOT = "BI1 12m/6f @50,120 b180"


def fire(laid: Battle, cannon: str, targets: Sequence[str], kill: Choice = NEAREST) -> Outcome:
    """Fire at the first of these targets that is possible; at none, hold the fire."""
    aim = aimed_first(laid, cannon, targets)
    if isinstance(aim, Refusal):
        return refused(laid, laid.units[cannon.partition(".")[0]], aim)
    return (laid, ()) if aim is None else shoot(laid, aim, kill)


def shot(laid: Battle, target: str = "BI1", cannon: str = "RA1.1", kill: Choice = NEAREST) -> Outcome:
    """Fire once and settle it."""
    then, told = fire(laid, cannon, [target], kill)
    more = tuple(settled(then, told[0])[1])
    for each in more:
        then = after(then, each)
    return then, (*told, *more)


def again(laid: Battle) -> Battle:
    """The same in another turn."""
    units = [
        replace(unit, cannons=tuple(replace(each, fired=False) for each in unit.cannons))
        for unit in laid.units.values()
    ]
    return laid.with_units(*units)


def visible(laid: Battle) -> int:
    guns = laid.units["RA1"]
    return len(seen_men(laid, guns, guns.battery.cannon_place(0), laid.units["BI1"]))


def cost(laid: Battle, gun: str = "RA1") -> int:
    one = aimed(laid, laid.units[gun], 0, "BI1")
    assert isinstance(one, Shot)
    return one.cost


def test_ex_6_01_each_cannon_fires_once() -> None:
    """CC-6.1, A-52."""
    laid, told = shot(battle("RA1 8m/2g @50,50 b0", FAR_FOOT))
    assert refusal(told) is None
    assert refusal(shot(laid)[1]) == "CC-6.1"
    assert refusal(shot(laid, cannon="RA1.2")[1]) is None
    assert fire(laid, "RA1.2", []) == (laid, ())


@pytest.mark.parametrize(("y", "rule"), [(60.9, "CC-6.2"), (61.0, None), (181.0, None), (181.1, "CC-6.2")])
def test_ex_6_02_range(y: float, rule: str | None) -> None:
    """CC-6.2, A-53: from the axle to the nearest base, 10.0 and 130.0 included."""
    laid = battle(GUN, f"BI1 1m/1f @50,{y} b180", "BI2 1m/1f @150,250 b180")
    then, told = shot(laid)
    assert refusal(told) == rule
    assert ("BI1" in then.units) == (rule is not None)


@pytest.mark.parametrize(("x", "rule"), [(160, None), (161, "CC-6.3"), (40, None), (39, "CC-6.3")])
def test_ex_6_03_arc(x: float, rule: str | None) -> None:
    """CC-6.3, A-53: 45 degrees to either side, included."""
    laid = battle("RA1 5m/1g @100,50 b0", f"BI1 1m/1f @{x},110 b180", "BI2 1m/1f @150,250 b180")
    assert refusal(shot(laid)[1]) == rule


def test_ex_6_04_men_outside_the_arc_are_safe() -> None:
    """CC-6.3, CC-6.17, A-57."""
    laid = battle(GUN, "BI1 12m/6f @110,110 b180")
    guns = laid.units["RA1"]
    arc = men_in_arc(guns.battery.cannon_place(0), laid.units["BI1"])
    assert [man.number for man in arc] == [4, 5, 6, 9, 10, 11, 12]
    then, told = fire(laid, "RA1.1", ["BI1"])
    assert (told[0].facts["killed"], told[0].facts["distance"]) == (6, 80.0)
    _, told = fire(laid, "RA1.1", ["BI1"], Choice("MAN", (1, 12)))
    assert told[0].facts["killed"] == 12
    assert counts(then.units["BI1"]) == "k0/c0/r11"


@pytest.mark.parametrize(("y", "rule"), [(90, None), (90.0, None), (91, "CC-6.4"), (105, "CC-6.4")])
def test_ex_6_05_ten_cm_of_wood_are_seen_through(y: float, rule: str | None) -> None:
    """CC-6.4, CC-6.20, A-54."""
    for kind in ("woods", "village"):
        laid = battle(
            GUN,
            f"BI1 1m/1f @50,{y} b180",
            "BI2 1m/1f @150,250 b180",
            terrain=[area(kind, 40, 80, 60, 100)],
        )
        assert refusal(shot(laid)[1]) == rule


def test_ex_6_05_woods_and_villages_count_together() -> None:
    """CC-6.20: in all."""
    six = area("woods", 40, 70, 60, 76)
    five = area("village", 40, 90, 60, 95)
    assert visible(battle(GUN, "BI1 1m/1f @50,120 b180", terrain=[six])) == 1
    assert visible(battle(GUN, "BI1 1m/1f @50,120 b180", terrain=[six, five])) == 0


def test_ex_6_06_men_stand_in_the_way() -> None:
    """CC-6.5, A-54: unless one looks down on them from a hill."""
    friends = "RI2 12m/6f @50,70 b0"
    assert refusal(shot(battle(GUN, friends, FAR_FOOT))[1]) == "CC-6.4"
    assert visible(battle(GUN, "RI2 12m/6f @62,70 b0", FAR_FOOT)) == 12
    hill = area("hill", 30, 40, 70, 60)
    assert visible(battle(GUN, friends, FAR_FOOT, terrain=[hill])) == 12
    both = area("hill", 30, 40, 70, 80)
    assert visible(battle(GUN, friends, FAR_FOOT, terrain=[both])) == 0
    # Neither the firer's own men nor the target's are in the way, nor bodies, nor those who are gone.
    dead = placed_men(unit(friends), range(1, 13), "body")
    assert visible(battle(GUN, dead, FAR_FOOT)) == 12
    assert visible(battle(GUN, mob(friends), FAR_FOOT)) == 0


def test_ex_6_07_what_blocks_and_what_does_not() -> None:
    """CC-6.19, CC-6.20, A-54."""
    hill = area("hill", 30, 80, 70, 90)
    assert refusal(shot(battle(GUN, FAR_FOOT, terrain=[hill]))[1]) == "CC-6.4"
    assert visible(battle(GUN, FAR_FOOT, terrain=[area("hill", 30, 110, 70, 130)])) == 12
    others: list[Terrain] = [
        area("wall", 30, 80, 70, 81),
        area("fence", 30, 82, 70, 83),
        area("redoubt", 30, 84, 70, 90, parapet=(Point(30, 84), Point(70, 84))),
        area("trench", 30, 91, 70, 95),
        area("water", 30, 96, 70, 99),
    ]
    assert visible(battle(GUN, "BG @50,60", FAR_FOOT, terrain=others)) == 12
    # A cannon without its gunners is in nobody's way.
    alone = unit("RA2 4m/1g @50,70 b0")
    left = replace(
        alone, x=150.0, y=20.0, cannons=(replace(alone.cannons[0], left=alone.battery.cannon_place(0)),)
    )
    assert visible(battle(GUN, left, FAR_FOOT)) == 12


def test_ex_6_08_a_shot_kills_one_man() -> None:
    """CC-6.6, CC-6.7: it confuses nobody, and no card is turned."""
    laid = battle(GUN, FAR_FOOT)
    then, told = shot(laid)
    assert (then.units["BI1"].strength, then.units["BI1"].confused) == (11, ())
    assert then.cards == laid.cards
    assert then.units["RA1"].cannons[0].markers == 3
    assert then.units["BI1"].bodies == ()
    assert told[0].code == "fired"
    bound_one = bound(battle(GUN, FAR_FOOT, "RI9 12m/6f @50,104 b0"), ("RI9", "BI1"))
    there, _ = shot(bound_one.with_units(replace(bound_one.units["RI9"], x=62.0)))
    assert counts(there.units["BI1"]) == "k1/c0/r11"


def test_ex_6_09_a_dead_man_of_an_engaged_unit_counts() -> None:
    """CC-6.8, A-58."""
    laid = battle("RI1 12m/6f @100,100 b0", "BI1 12m/6f @100,116 b180 x:1 ~:2", "RA1 5m/1g @150,116 b270")
    laid = bound(laid, ("RI1", "BI1"))
    laid, _ = shot(laid)
    assert counts(laid.units["BI1"]) == "k2/c1/r9"
    laid, _ = fought(laid, "RI1", "BI1", "K", "5")
    assert counts(laid.units["BI1"]) == "k3/c4/r5"


def test_ex_6_10_one_of_a_free_unit_does_not() -> None:
    """CC-6.9, A-58."""
    laid = battle("RI1 12m/6f @100,100 b0", "BI2 12m/6f @100,116 b180", "RA1 5m/1g @150,116 b270")
    laid, _ = shot(laid, "BI2")
    assert counts(laid.units["BI2"]) == "k0/c0/r11"
    laid, _ = fought(laid, "RI1", "BI2", "K", "5")
    assert counts(laid.units["BI2"]) == "k1/c1/r9"


def away(cm: float) -> Unit:
    """A battery whose only gunner in ranks is so far from the gun that he had left."""
    guns = unit("RA1 5m/1g @50,50 b0 k0/c4")
    last = guns.man(5)
    post = guns.battery.post(last)
    gone = replace(last, at=Point(post.x, post.y - cm))
    return replace(guns.with_men([gone]), cannons=(replace(guns.cannons[0], left=guns.place),))


def test_ex_6_11_one_gunner_is_enough() -> None:
    """CC-6.10, CC-5.11: in ranks, and at the gun."""
    assert refusal(shot(battle("RA1 5m/1g @50,50 b0 k0/c4", FAR_FOOT))[1]) is None
    assert refusal(shot(battle(mob(GUN), FAR_FOOT))[1]) == "CC-6.10"
    assert refusal(shot(battle(away(5.0), FAR_FOOT))[1]) == "CC-6.10"
    assert refusal(shot(battle(away(0.0), FAR_FOOT))[1]) is None


def test_ex_6_12_one_gunner_for_each_shot() -> None:
    """CC-6.11, A-61: whichever cannon it is."""
    for lamed, rule in ((7, "CC-6.11"), (6, None)):
        laid = battle(f"RA1 8m/2g @50,50 b0 k0/c{lamed}", FAR_FOOT)
        laid, told = shot(laid, cannon="RA1.2")
        assert refusal(told) is None
        assert refusal(shot(laid, cannon="RA1.1")[1]) == rule


def test_ex_6_13_soft_cover_costs_one_marker() -> None:
    """CC-6.12, A-56: four shots in all."""
    deep = area("woods", 30, 117, 70, 123)
    for ground in (
        [],
        [deep],
        [area("fence", 30, 114, 70, 115)],
        [area("village", 30, 117, 70, 123)],
        [area("field", 30, 114, 70, 130)],
    ):
        laid = battle(GUN, FAR_FOOT, terrain=ground)
        assert in_woods(laid.ground, laid.units["BI1"]) == (ground == [deep])
        assert cost(laid) == 1
    for _ in range(4):
        laid, told = shot(again(laid))
        assert refusal(told) is None
    assert refusal(shot(again(laid))[1]) == "CC-6.15"


def test_ex_6_14_a_wall_costs_two() -> None:
    """CC-6.13, CC-7.12, A-55: half the men within 5.0 cm of it, and it lies between."""
    wall = [Terrain("T", "wall", "wall", (Point(30, 114), Point(70, 114)), thickness=1.0)]
    assert cost(battle(GUN, FAR_FOOT, terrain=wall)) == 2
    assert cost(battle(GUN, "BI1 12m/6f @50,121 b180", terrain=wall)) == 1
    assert cost(battle("RA1 5m/1g @50,150 b180", FAR_FOOT, terrain=wall)) == 1
    assert cost(battle(GUN, mob(FAR_FOOT), terrain=wall)) == 2


def test_ex_6_15_a_redoubt_or_trench_costs_three() -> None:
    """CC-6.14, CC-7.31, A-55: a redoubt on the sides of its parapet alone."""
    parapet = (Point(40, 125), Point(40, 110), Point(60, 110), Point(60, 125))
    redoubt = [area("redoubt", 40, 110, 60, 125, parapet=parapet)]
    assert cost(battle(GUN, FAR_FOOT, terrain=redoubt)) == 3
    assert cost(battle("RA1 5m/1g @50,150 b180", FAR_FOOT, terrain=redoubt)) == 1
    assert cost(battle(GUN, FAR_FOOT, terrain=[area("trench", 40, 117, 60, 122)])) == 3
    # Only one man in four inside.
    assert cost(battle(GUN, FAR_FOOT, terrain=[area("trench", 40, 117, 50, 121)])) == 1


def test_ex_6_16_each_cannon_has_its_own_markers() -> None:
    """CC-6.15, CC-6.16: a shot that cannot be paid is not fired."""
    parapet = (Point(40, 110), Point(60, 110))
    works = [
        area("redoubt", 40, 110, 60, 125, parapet=parapet),
        area("wall", 70, 113, 100, 114),
    ]
    laid = battle(
        "RA1 8m/2g @56,50 b0",
        FAR_FOOT,
        "BI2 12m/6f @85,120 b180",
        "BI3 12m/6f @25,120 b180",
        terrain=works,
    )
    laid, _ = shot(laid, "BI1")
    assert [each.markers for each in laid.units["RA1"].cannons] == [1, 4]
    assert refusal(shot(again(laid), "BI2")[1]) == "CC-6.15"
    laid, _ = shot(again(laid), "BI3")
    assert [each.markers for each in laid.units["RA1"].cannons] == [0, 4]
    assert refusal(shot(again(laid), "BI3")[1]) == "CC-6.15"


def test_ex_6_17_in_french_a_side_shares_them() -> None:
    """CC-6.16, CC-6.15, A-11."""
    parapet = (Point(40, 110), Point(60, 110))
    works = [
        area("redoubt", 40, 110, 60, 125, parapet=parapet),
        area("wall", 70, 113, 100, 114),
    ]
    laid = battle(
        "RA1 8m/2g @56,50 b0",
        FAR_FOOT,
        "BI2 12m/6f @85,120 b180",
        "BI3 12m/6f @25,120 b180",
        terrain=works,
        switches=FR,
    )
    laid = replace(laid, markers={RED: 4})
    laid, _ = shot(laid, "BI3")
    laid, told = shot(laid, "BI2", "RA1.2")
    assert (laid.markers, told[0].facts["left"]) == ({RED: 1}, 1)
    for cannon in ("RA1.1", "RA1.2"):
        assert refusal(shot(again(laid), "BI1", cannon)[1]) == "CC-6.15"


@pytest.mark.parametrize(("switches", "dies"), [(EN, 3), (FR, 2)])
def test_ex_6_18_officers_are_spared_by_guns_too(switches: Switches, dies: int) -> None:
    """CC-6.17, CC-7.19, A-57: also where only they are exposed, while an ordinary man lives."""
    guns = "RA1 5m/1g @100,50 b0"
    hidden = battle(guns, "BI1 3m/3f @40.5,110 b180 O:1 F:2", switches=switches)
    hidden = replace(hidden, markers={RED: 4})
    arc = men_in_arc(hidden.units["RA1"].battery.cannon_place(0), hidden.units["BI1"])
    assert [man.number for man in arc] == [1, 2]
    assert fire(hidden, "RA1.1", ["BI1"], Choice("MAN", (2,)))[1][0].facts["killed"] == dies
    exposed = battle(guns, "BI1 3m/3f @100,110 b180 O:1 F:2", switches=switches)
    exposed = replace(exposed, markers={RED: 4})
    assert fire(exposed, "RA1.1", ["BI1"], Choice("MAN", (2,)))[1][0].facts["killed"] == dies


def test_ex_6_18_the_last_officers_can_be_hit() -> None:
    """CC-6.17: when no ordinary man lives."""
    laid = battle(GUN, "BI1 2m/2f @50,120 b180 O:1 F:2")
    assert fire(laid, "RA1.1", ["BI1"], Choice("MAN", (2,)))[1][0].facts["killed"] == 2


def test_ex_6_19_moved_and_engaged_guns_fire() -> None:
    """CC-6.18, A-17, A-59: at their own opponent too, where the range allows it."""
    moved = battle(GUN, FAR_FOOT)
    moved = moved.with_units(replace(moved.units["RA1"], acted=True))
    assert refusal(shot(moved)[1]) is None
    for y, rule in ((116.0, None), (110.9, "CC-6.2")):
        laid = bound(battle("RA1 5m/1g @100,100 b0", f"BI1 12m/6f @100,{y} b180"), ("RA1", "BI1"))
        assert refusal(shot(laid)[1]) == rule


def test_ex_4_14_a_mob_is_a_target() -> None:
    """CC-4.14."""
    laid = battle(GUN, mob("BI1 4m/4f @50,141 b180"))
    then, told = shot(laid)
    assert (told[0].facts["distance"], told[0].facts["cost"]) == (90.0, 1)
    assert (then.units["BI1"].mob, then.units["BI1"].strength) == (True, 3)


def test_a_60_an_abandoned_cannon_is_nobodys() -> None:
    """CC-6.10: it does not fire, and cannot be fired at."""
    laid = battle(mob(GUN), "BI1 4m/4f @50,141 b180")
    assert refusal(shot(laid)[1]) == "CC-6.10"
    assert refusal(shot(battle(GUN, "BI1 4m/4f @50,141 b180"), "BA1.1")[1]) == "CC-7.28"


@pytest.mark.parametrize(
    ("targets", "hit"),
    [
        (["NEAR"], "BI2"),
        (["ANY"], "BI2"),
        (["BI9", "BI1"], "BI1"),
        (["BI3", "NEAR"], "BI2"),
        (["BG", "RI1", "BI1"], "BI1"),
    ],
)
def test_the_first_target_that_is_possible_is_fired_at(targets: list[str], hit: str) -> None:
    """CC-6.1: NEAR is the nearest that can be hit, mobs included; of equal ones the first by id."""
    laid = battle(
        GUN,
        "RI1 4m/4f @20,20 b0",
        "BG @60,60",
        "BI1 4m/4f @50,120 b180",
        mob("BI2 4m/4f @70,100 b180"),
        "BI3 4m/4f @50,30 b180",
    )
    assert fire(laid, "RA1.1", targets)[1][0].facts["target"] == hit


def test_a_refused_shot_is_told_to_its_owner_alone() -> None:
    """CC-6.3: and it costs nothing; the first target's reason is told."""
    laid = battle(GUN, "BI3 4m/4f @50,30 b180")
    then, told = fire(laid, "RA1.1", ["BI3", "NEAR"])
    assert then == laid
    assert [(each.code, each.rule, each.heard_by) for each in told] == [
        ("refused", "CC-6.3", frozenset({RED}))
    ]
