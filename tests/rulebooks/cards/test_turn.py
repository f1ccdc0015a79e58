"""A whole turn: three phases whatever the order of the lines, until the other side's turn or the end (CC-2, E2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from referee.rulebooks.cards.battle import Battle, after
from referee.rulebooks.cards.figures import BLUE, RED
from referee.rulebooks.cards.fold import as_order
from referee.rulebooks.cards.ground import Objective
from referee.rulebooks.cards.measuring import distance
from referee.rulebooks.cards.orders import Order, Prefer
from referee.rulebooks.cards.preferences import NO_WISHES, Wishes
from referee.rulebooks.cards.switches import EN, FR
from referee.rulebooks.cards.turn import Played
from referee.rulebooks.cards.turn import play as play_turn
from referee.rulebooks.rulebook import Seat
from tests.rulebooks.cards.combats import decks, said
from tests.rulebooks.cards.tables import at, battle, counts, mob, objective

PAIR = ("RI1 12m/6f @100,100 b0", "BI1 12m/6f @100,116 b180")
BOTH = ("RI9 1m/1f @190,10 b0", "BI9 1m/1f @190,290 b180")


def wishing(*lines: str) -> Wishes:
    wishes = NO_WISHES
    for line in lines:
        order = as_order(line)
        assert isinstance(order, Prefer)
        wishes = wishes.with_wish(order)
    return wishes


def play(laid: Battle, *lines: str, red: str = "", blue: str = "", first: Seat = RED, **more: Any) -> Played:
    """Play a turn by the lines of a letter, and see that its happenings bring what it brings."""
    orders: list[Order] = [as_order(line) for line in lines]
    played = play_turn(laid, orders, decks(red, blue), first=first, **more)  # type: ignore[arg-type]
    there = laid
    for happening in played.happenings:
        there = after(there, happening)
    assert there == played.battle
    return played


def done(played: Played) -> list[str]:
    """Return what was done: the codes, without those of phases and cards."""
    return [each.code for each in played.happenings if each.code not in ("phase", "card", "declared")]


def why(played: Played) -> list[tuple[str, str]]:
    """Return by which rule each order was refused, and why."""
    return [(each.rule, each.facts["why"]) for each in said(played.happenings, "refused")]


# --- the three phases (CC-2.1)


def test_ex_2_01_the_phases_have_their_order_whatever_that_of_the_lines() -> None:
    """CC-2.1: moves, then artillery, then combats."""
    laid = battle(
        "RI1 12m/6f @100,90 b0", "RA1 5m/1g @40,60 b0", "BI1 12m/6f @100,116 b180", "BI2 4m/4f @40,110 b180"
    )
    played = play(laid, "CO RI1 > BI1", "FI RA1.1 > BI2", "MV RI1 A20", red="K", blue="2")
    codes = [each.code for each in played.happenings]
    assert codes == [
        *("moved", "phase", "fired", "dressed", "phase", "declared", "card", "card", "fought", "turn"),
    ]
    assert [each.facts["phase"] for each in said(played.happenings, "phase")] == [2, 3]
    assert played.asked is None


def test_cc_2_1_inside_a_phase_the_order_of_the_lines_counts() -> None:
    laid = battle(*BOTH, "RI1 12m/6f @100,50 b0", "RI2 12m/6f @40,50 b0", "RG @10,10")
    for lines in (["MV RI1 A5", "GO RG 20,20", "MV RI2 A5"], ["MV RI2 A5", "GO RG 20,20", "MV RI1 A5"]):
        played = play(laid, *lines)
        moved = [each.facts.get("unit", each.facts.get("commander")) for each in played.happenings[:3]]
        assert moved == [as_order(line).unit if line[:2] == "MV" else "RG" for line in lines]  # type: ignore[union-attr]


def test_ex_2_05_one_unit_may_act_fire_and_fight() -> None:
    """CC-2.5, A-17: all three in one turn."""
    laid = battle("RA1 5m/1g @100,80 b0", "BI1 12m/6f @100,117 b0")
    played = play(laid, "MV RA1 A20", "FI RA1.1 > BI1", "CO RA1 > BI1", red="9", blue="2")
    assert done(played) == ["moved", "fired", "dressed", "fought", "turn"]
    assert at(played.battle.units["RA1"]) == (100, 100)
    assert distance(played.battle.units["RA1"], laid.units["BI1"]) == 12.0
    assert said(played.happenings, "fought")[0].facts["losses"][0]["confused"]


def test_ex_2_06_only_the_active_player_acts_and_the_other_answers_with_a_card() -> None:
    """CC-2.6: an attacked unit answers with its owner's top card; its owner declares nothing."""
    laid = replace(battle(*PAIR, "BI2 12m/6f @40,200 b180"), active=BLUE)
    played = play(laid, "CO BI1 > RI1", red="K", blue="2")
    cards = [(each.facts["side"], each.facts["card"]) for each in said(played.happenings, "card")]
    assert cards == [(BLUE, "2H"), (RED, "KH")]
    assert said(played.happenings, "fought")[0].facts["winner"] == "RI1"
    assert counts(played.battle.units["BI1"]) == "k1/c1/r10"
    assert not any(unit.acted or unit.fought for unit in played.battle.units.values())


def test_cc_1_1_turns_alternate() -> None:
    """Whoever moved first begins each turn's number; what was done is forgotten with the turn."""
    laid = battle(*BOTH, "RA1 5m/1g @40,60 b0", "BI2 4m/4f @40,110 b180")
    one = play(laid, "MV RI9 A5", "FI RA1.1 > BI2").battle
    assert (one.active, one.turn, one.phase) == (BLUE, 1, 1)
    assert not any(cannon.fired for cannon in one.units["RA1"].cannons)
    two = play(one, "MV BI9 A5").battle
    assert (two.active, two.turn) == (RED, 2)
    blue_first = replace(laid, active=BLUE)
    other = play(blue_first, first=BLUE).battle
    assert (other.active, other.turn) == (RED, 1)
    assert play(other, first=BLUE).battle.turn == 2


def test_without_orders_the_turn_goes_by() -> None:
    """EX-2.02, CC-2.2."""
    played = play(battle(*PAIR))
    assert [each.code for each in played.happenings] == ["phase", "phase", "turn"]
    assert played.battle.units == battle(*PAIR).units


# --- combats in their order


def test_a_63_each_combat_is_settled_before_the_next_and_targets_fall_through() -> None:
    """The first named is gone by then, or no longer possible: the next one is taken."""
    laid = battle(*BOTH, *PAIR, "RI2 12m/6f @86,100 b0", "BI2 12m/6f @86,116 b180", "BI3 1m/1f @100,112 b180")
    played = play(laid, "CO RI1 > BI3", "CO RI2 > BI3 | BI2", red="K Q", blue="2 3")
    assert [each.facts["enemy"] for each in said(played.happenings, "fought")] == ["BI3", "BI2"]
    assert done(played) == ["fought", "taken-off", "fought", "turn"]
    played = play(laid, "CO RI2 > BI9 | BI2", red="K", blue="2")
    assert said(played.happenings, "fought")[0].facts["enemy"] == "BI2"
    assert why(play(laid, "CO RI2 > BI9")) == [("CC-7.1", "too-far")]


def test_ex_7_04_a_unit_declares_one_combat_a_turn() -> None:
    """CC-7.4: the second line is refused; the other side's unit may fight again in its own turn."""
    laid = battle(*PAIR, "BI2 12m/6f @114,116 b180")
    played = play(laid, "CO RI1 > BI1", "CO RI1 > BI2", red="K", blue="2 2")
    assert len(said(played.happenings, "fought")) == 1
    assert why(played) == [("CC-7.4", "fought")]
    again = play(played.battle, "CO BI1 > RI1", red="K 2", blue="2 K")
    assert said(again.happenings, "fought")[0].facts["unit"] == "BI1"


def test_all_means_those_that_have_no_line_of_their_own() -> None:
    laid = battle(*PAIR, "RI2 12m/6f @86,100 b0", "RI3 12m/6f @10,10 b0")
    played = play(laid, "CO ALL > NEAR", "CO RI1 > BI1 MIN 13", red="K", blue="2")
    assert [each.facts["unit"] for each in said(played.happenings, "fought")] == ["RI2"]
    assert why(played) == [("CC-2.2", "guard-min")]


@pytest.mark.parametrize(
    ("guard", "cards", "fights"),
    [
        ("IF WON RI2", ("K K", "2 2"), True),
        ("IF WON RI2", ("2 K", "K 2"), False),
        ("IF LOST RI2", ("2 K", "K 2"), True),
        ("IF LOST RI2", ("5 K", "5 2"), False),
        ("MIN 12", ("K K", "2 2"), True),
        ("MIN 13", ("K K", "2 2"), False),
        ("FLANK", ("K K", "2 2"), False),
    ],
)
def test_guards_hold_for_the_whole_line(guard: str, cards: tuple[str, str], fights: bool) -> None:
    laid = battle(*PAIR, "RI2 12m/6f @86,100 b0", "BI2 12m/6f @86,116 b180")
    played = play(laid, "CO RI2 > BI2", f"CO RI1 > BI1 | NEAR {guard}", red=cards[0], blue=cards[1])
    assert [each.facts["unit"] for each in said(played.happenings, "fought")] == ["RI2", *["RI1"] * fights]
    assert [each[0] for each in why(played)] == [] if fights else ["CC-2.2"]


def test_a_flank_guard_lets_a_flank_attack_pass() -> None:
    """CC-7.25."""
    laid = battle("RI1 12m/6f @80,100 b90", "BI1 12m/6f @100,100 b0")
    played = play(laid, "CO RI1 > BI1 FLANK", red="K", blue="2")
    assert said(played.happenings, "fought")[0].facts["flank"]


def test_ex_4_12_a_combat_against_a_mob_makes_it_run() -> None:
    """CC-4.12: NEAR looks for men in ranks, ANY takes mobs too (E2)."""
    laid = battle(*BOTH, "RI1 12m/6f @100,100 b0", mob("BI1 6m/6f @100,117 b180"))
    assert done(play(laid, "CO RI1 > ANY")) == ["fled", "turn"]
    assert why(play(laid, "CO RI1 > NEAR")) == [("CC-7.1", "no-target")]


def test_orders_to_units_lost_in_the_turn_are_told_to_their_owner() -> None:
    """CC-7.28: a mob that must run and cannot is gone before its fire, its combat, or its move."""
    laid = battle(*BOTH, mob("RA1 5m/1g @10,10 b0"), "BI1 12m/6f @20,20 b225")
    played = play(laid, "MV RA1 B0 D5", "FI RA1.1 > BI1", "CO RA1 > BI1")
    assert why(played) == [("CC-7.28", "gone")] * 3
    assert [each.facts["unit"] for each in said(played.happenings, "refused")] == ["RA1", "RA1.1", "RA1"]
    assert all(each.heard_by == {RED} for each in said(played.happenings, "refused"))


# --- the end (CC-8.6, CC-8.10, CC-8.11)


def objectives() -> Sequence[Objective]:
    return [
        objective("K1", 90, 190, 110, 210),
        objective("K2", 20, 20, 30, 30),
        objective("K3", 150, 20, 160, 30),
        objective("K4", 20, 250, 30, 260),
    ]


def test_ex_8_07_after_the_victory_nothing_is_carried_out() -> None:
    """CC-8.6: no shot, no card, no next turn."""
    laid = battle(
        *BOTH,
        *PAIR,
        "RC1 8m/4f @100,170 b0",
        "RA1 5m/1g @40,60 b0",
        "BI2 4m/4f @40,110 b180",
        objectives=objectives(),
    )
    laid = replace(laid, holders={"K2": RED, "K3": RED})
    played = play(laid, "FI RA1.1 > BI2", "CO RI1 > BI1", "MV RC1 A40", "MV RA1 A5", red="K", blue="2")
    assert [each.code for each in played.happenings] == ["moved", "held", "ended"]
    assert played.battle.result is not None
    assert (played.battle.result.winner, played.battle.active) == (RED, RED)
    assert all(cards.left == 52 for cards in played.battle.cards.values())


def test_cc_8_11_the_last_turn_of_the_second_side_ends_it() -> None:
    laid = replace(battle(*BOTH, objectives=objectives()), turn_limit=2, holders={"K1": BLUE}, turn=2)
    one = play(laid)
    assert one.battle.result is None
    two = play(one.battle)
    assert [each.code for each in two.happenings] == ["phase", "phase", "ended"]
    assert two.battle.result is not None
    assert two.battle.result.winner == BLUE


def test_cc_8_10_an_army_destroyed_by_a_shot_ends_it_before_the_combats() -> None:
    laid = battle(*PAIR[:1], "RA1 5m/1g @40,60 b0", "BI2 1m/1f @40,110 b180")
    played = play(laid, "FI RA1.1 > NEAR", "CO RI1 > NEAR")
    assert done(played) == ["fired", "taken-off", "ended"]


# --- wishes


def test_each_sides_wishes_settle_its_choices() -> None:
    """E4, CC-7.17, CC-6.17, CC-4.9: the winner's KILL and CONF, the battery's KILL, the mob's owner's FLEE."""
    laid = battle(
        *BOTH,
        *PAIR,
        "RA1 5m/1g @40,60 b0",
        "BI2 4m/4f @40,110 b180",
        "RI3 12m/6f @150,170 b0",
        mob("BI3 6m/6f @150,200 b180"),
    )
    wishes = {
        RED: wishing("PR ALL KILL MAN 8 CONF MAN 2", "PR RA1 KILL RIGHT"),
        BLUE: wishing("PR ALL KILL MAN 1", "PR BI3 FLEE BEARING 90"),
    }
    played = play(laid, "CO RI1 > BI1", "FI RA1.1 > BI2", "MV RI3 A20", red="K", blue="2", wishes=wishes)
    assert said(played.happenings, "fled")[0].facts["bearing"] == 90
    assert said(played.happenings, "fired")[0].facts["killed"] == 4
    (loss,) = said(played.happenings, "fought")[0].facts["losses"]
    assert (loss["killed"], loss["confused"]) == (8, [2])


def test_in_a_tie_each_side_chooses_by_its_own_wishes() -> None:
    """CC-7.18."""
    wishes = {RED: wishing("PR ALL KILL MAN 8"), BLUE: wishing("PR BI1 KILL MAN 3")}
    played = play(battle(*PAIR), "CO RI1 > BI1", red="7", blue="7", wishes=wishes)
    losses = {each["unit"]: each["killed"] for each in said(played.happenings, "fought")[0].facts["losses"]}
    assert losses == {"RI1": 3, "BI1": 8}


def test_a_rally_goes_by_its_wish_unless_it_picks() -> None:
    """CC-5.9, E4: PICK, else RALLY."""
    laid = battle(*BOTH, "RI1 9m/3f @100,100 b0 ~:1,2,3,4,5,6")
    wishes = {RED: wishing("PR RI1 RALLY REAR")}
    assert said(play(laid, "RL RI1", wishes=wishes).happenings, "rallied")[0].facts["men"] == [6, 5, 4]
    picked = play(laid, "RL RI1 PICK 1,2,3", wishes=wishes)
    assert said(picked.happenings, "rallied")[0].facts["men"] == [1, 2, 3]


@pytest.mark.parametrize("switches", [EN, FR])
def test_a_turn_is_the_same_whenever_it_is_played(switches: Any) -> None:
    """E8.9: nothing in it depends on anything but what it is given."""
    laid = battle(*PAIR, switches=switches)
    one, other = (play(laid, "CO RI1 > BI1", "MV RI1 A1", red="K", blue="2") for _ in range(2))
    assert one == other
