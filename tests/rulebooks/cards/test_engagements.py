"""Who is engaged with whom, and what lies on the field meanwhile (CC-7.15, CC-7.27)."""

from __future__ import annotations

from dataclasses import replace

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.engagements import bind, part
from referee.rulebooks.cards.figures import placed_men
from referee.rulebooks.cards.measuring import distance, distance_with_bodies
from referee.rulebooks.cards.moving import move
from referee.rulebooks.cards.settling import settled
from referee.rulebooks.cards.switches import FR
from referee.rulebooks.rulebook import Happening
from tests.rulebooks.cards.tables import battle, counts


def pair(*lines: str) -> Battle:
    return bind(battle(*lines), "RI1", "BI1")


def test_a_32_to_stand_in_range_binds_nobody() -> None:
    """CC-7.27: only who has fought is engaged, and both are."""
    laid = battle("RI1 12m/6f @100,100 b0", "BI1 12m/6f @100,116 b180")
    assert not laid.units["RI1"].bound_to
    assert move(laid, "BI1", bearing=0.0, cm=5.0)[1][0].code == "moved"
    fought = bind(bind(laid, "RI1", "BI1"), "BI1", "RI1")
    assert (fought.units["RI1"].bound_to, fought.units["BI1"].bound_to) == (("BI1",), ("RI1",))
    assert part(fought) == (fought, ())
    assert move(fought, "BI1", bearing=0.0, cm=5.0)[1][0].rule == "CC-3.17"


def test_cc_7_27_an_engagement_ends_when_one_of_both_is_a_mob() -> None:
    """And CC-7.15: the bodies go with it, and n begins again."""
    laid = pair("RI1 12m/6f @100,100 b0", "BI1 12m/6f @100,116 b180 k4/c8")
    then, happenings = part(laid)
    assert [each.code for each in happenings] == ["parted", "bodies-removed"]
    assert (then.units["RI1"].bound_to, counts(then.units["BI1"])) == ((), "k0/c8/r0")


def test_cc_7_27_or_when_neither_faces_the_other() -> None:
    laid = pair("RI1 12m/6f @100,100 b180", "BI1 12m/6f @100,116 b180")
    assert not part(laid)[1]
    back = pair("RI1 12m/6f @100,100 b180", "BI1 12m/6f @100,116 b0")
    assert part(back)[0].units["RI1"].bound_to == ()


def test_a_91_bodies_count_for_the_distance_of_an_engaged_pair() -> None:
    """CC-7.27: a column whose front rank lies dead is still in combat."""
    laid = pair("RI1 12m/6f @100,100 b0", "BI1 12m/3f @100,120.5 b180 x:1,2,3 ~:4,5,6,7,8,9")
    one, other = laid.units["RI1"], laid.units["BI1"]
    assert (distance(one, other), distance_with_bodies(one, other)) == (20.5, 18.5)
    assert part(laid) == (laid, ())
    french = replace(laid, switches=FR)
    assert [each.code for each in part(french)[1]] == ["parted", "bodies-removed"]


def test_cc_7_15_bodies_lie_as_long_as_the_unit_is_engaged_with_anybody() -> None:
    """E8.2: bodies only where somebody is bound."""
    laid = battle(
        "RI1 12m/6f @100,100 b0", "RI2 12m/6f @115,100 b0 k12/c0", "BI1 12m/6f @106,116 b180 x:1 ~:2"
    )
    laid = bind(bind(laid, "RI1", "BI1"), "RI2", "BI1")
    assert laid.units["BI1"].bound_to == ("RI1", "RI2")
    then, happenings = settled(laid, Happening("looked", frozenset(), {}))
    assert [each.code for each in happenings] == ["taken-off"]
    assert (then.units["BI1"].bound_to, counts(then.units["BI1"])) == (("RI1",), "k1/c1/r10")
    # With the other gone as well nobody is left to fight.
    alone = then.with_units(placed_men(then.units["RI1"], range(1, 13), "gone"))
    last, _ = settled(alone, Happening("looked", frozenset(), {}))
    assert (last.units["BI1"].bound_to, counts(last.units["BI1"])) == ((), "k0/c1/r10")
