"""Combats, with the rules' own worked examples (CC-7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rulebooks.cards.battle import Battle, after
from referee.rulebooks.cards.decks import CARD_RANKS
from referee.rulebooks.cards.fighting import confused_by_artillery, judged, may_not_fight
from referee.rulebooks.cards.figures import BLUE, RED
from referee.rulebooks.cards.ground import Terrain
from referee.rulebooks.cards.measuring import distance
from referee.rulebooks.cards.moving import move
from referee.rulebooks.cards.settling import settled
from referee.rulebooks.cards.shapes import Point
from referee.rulebooks.cards.switches import EN, FR, Switches
from referee.rulebooks.rulebook import Happening, Result
from tests.rulebooks.cards.combats import clashed, fought, refusal, said, wanting
from tests.rulebooks.cards.tables import area, at, battle, bound, counts, mob

RED_FOOT, BLUE_FOOT = "RI1 12m/6f @100,100 b0", "BI1 12m/6f @100,116 b180"
WALL = area("wall", 80, 112, 120, 113)


def pair(*terrain: Terrain, switches: Switches = EN) -> Battle:
    """The pair P of the examples: 14.0 apart, in the French edition 7.0."""
    blue = BLUE_FOOT if switches is EN else "BI1 12m/6f @100,109 b180"
    return battle(RED_FOOT, blue, switches=switches, terrain=terrain)


def each_of(told: tuple[Battle, tuple[Happening, ...]], *ids: str) -> tuple[str, ...]:
    return tuple(counts(told[0].units[id]) for id in ids)


# --- who may fight


@pytest.mark.parametrize(
    ("switches", "y", "rule"),
    [
        (EN, 121.9, None),
        (EN, 122.0, "CC-7.1"),
        (FR, 109.9, None),
        (FR, 110.0, "CC-7.2"),
        (FR, 116.0, "CC-7.2"),
    ],
)
def test_ex_7_01_ex_7_02_how_near_a_combat_is(switches: Switches, y: float, rule: str | None) -> None:
    """CC-7.1, CC-7.2: less than 20.0, in the French edition less than 8.0."""
    laid = battle(RED_FOOT, f"BI1 12m/6f @100,{y} b180", switches=switches)
    then, told = fought(laid, "RI1", "BI1", "K", "2")
    assert refusal(told) == rule
    assert counts(then.units["BI1"]) == ("k0/c0/r12" if rule else "k1/c1/r10")


@pytest.mark.parametrize(
    ("red", "blue", "rule"),
    [
        ("RI1 12m/6f @100,100 b180", "BI1 12m/6f @100,111 b0", "CC-7.3"),
        ("RI1 12m/6f @100,100 b0", "BI1 12m/6f @100,116.5 b0", None),
        ("RI1 12m/6f @100,100 b180", "BI1 12m/6f @100,118 b180", None),
    ],
)
def test_ex_7_03_one_of_both_must_face_the_other(red: str, blue: str, rule: str | None) -> None:
    """CC-7.3: whichever; and all arms fight all arms."""
    assert refusal(fought(battle(red, blue), "RI1", "BI1", "K", "2")[1]) == rule


def test_ex_7_06_one_against_several() -> None:
    """CC-7.6, CC-7.5, A-62, A-88: one card for the active unit, its card first, and one for each enemy."""
    lines = RED_FOOT, "BI1 12m/6f @93,109 b180", "BI2 12m/6f @107,109 b180"
    then, told = fought(battle(*lines, switches=FR), "RI1", "BI1 BI2", "9", "5 J")
    assert [counts(then.units[id]) for id in ("RI1", "BI1", "BI2")] == ["k1/c1/r10", "k1/c1/r10", "k0/c0/r12"]
    assert [each.facts["card"] for each in said(told, "card")] == ["9H", "5H", "JH"]
    assert (then.cards[RED].left, then.cards[BLUE].left) == (51, 50)
    assert refusal(fought(battle(*lines), "RI1", "BI1 BI2", "9", "5 J")[1]) == "CC-7.5"
    assert refusal(fought(battle(*lines, switches=FR), "RI1", "BI1 BI1", "9", "5 J")[1]) == "CC-7.6"


def test_a_62_who_has_nobody_left_in_ranks_settles_with_no_more() -> None:
    """CC-7.6: the cards lie all the same."""
    lines = "RI1 2m/2f @100,100 b0", "BI1 12m/6f @93,109 b180", "BI2 12m/6f @107,109 b180"
    then, told = fought(battle(*lines, switches=FR), "RI1", "BI1 BI2", "2", "5 J")
    assert [each.facts["enemy"] for each in said(told, "fought")] == ["BI1"]
    assert then.units["RI1"].mob
    assert then.cards[BLUE].left == 50


HORSE = "RC1 8m/4f @100,100 b0"
REDOUBT = area(
    "redoubt",
    80,
    111,
    120,
    125,
    parapet=(Point(80, 125), Point(80, 111), Point(120, 111), Point(120, 125)),
)


@pytest.mark.parametrize(
    ("ground", "rule"),
    [
        (area("wall", 80, 111, 120, 112), "CC-7.7"),
        (area("woods", 80, 110, 120, 125), "CC-7.7"),
        (REDOUBT, None),
        (area("trench", 80, 111, 120, 125), None),
        (area("fence", 80, 111, 120, 112), None),
        (area("village", 80, 110, 120, 125), None),
    ],
)
def test_ex_7_07_cavalry_attacks_neither_walls_nor_woods(ground: Terrain, rule: str | None) -> None:
    """CC-7.7, CC-7.32, A-70, A-71: but it may be attacked from there, and attack works."""
    laid = battle(HORSE, "BI1 12m/6f @100,115.5 b180", terrain=[ground])
    assert distance(laid.units["RC1"], laid.units["BI1"]) == 12
    assert refusal(fought(laid, "RC1", "BI1", "K", "2")[1]) == rule
    assert refusal(fought(laid, "BI1", "RC1", "2", "K")[1]) is None
    # A combat fought before does not lift the ban.
    assert refusal(fought(bound(laid, ("RC1", "BI1")), "RC1", "BI1", "K", "2")[1]) == rule


def test_ex_7_08_who_fights_has_men_in_ranks() -> None:
    """CC-7.8: one is enough."""
    assert refusal(fought(battle(mob("RI1 5m/5f @100,100 b0"), BLUE_FOOT), "RI1", "BI1")[1]) == "CC-7.8"
    one = battle("RI1 7m/7f @100,100 b0 k0/c6", BLUE_FOOT)
    assert refusal(fought(one, "RI1", "BI1", "K", "2")[1]) is None


def test_cc_7_5_only_enemy_units_are_fought() -> None:
    """CC-7.4, and CC-3.26: nobody fights a commander."""
    laid = battle(RED_FOOT, "RI2 12m/6f @115,100 b0", "BG @100,110", BLUE_FOOT)
    for target, why in (("BG", "commander"), ("RI2", "friend"), ("BI9", "gone")):
        refused = may_not_fight(laid, "RI1", [target])
        assert refused is not None
        assert refused.code == why
    then, told = fought(laid, "RI1", "RI2", "K", "2")
    assert (then.cards[RED].left, told[0].heard_by) == (52, frozenset({RED}))


def test_ex_4_12_a_mob_attacked_runs() -> None:
    """CC-4.12, A-42: no cards; the combat is spent."""
    laid = battle(RED_FOOT, mob("BI1 6m/6f @100,118 b180"))
    then, told = fought(laid, "RI1", "BI1", "K", "2")
    assert [each.code for each in told] == ["declared", "fled"]
    assert at(then.units["BI1"]) == (100, 148)
    assert then.units["RI1"].fought
    assert then.cards[RED].left == 52
    assert refusal(fought(battle(RED_FOOT, mob("BI1 6m/6f @100,130 b180")), "RI1", "BI1")[1]) == "CC-7.1"


# --- cards


@pytest.mark.parametrize(
    ("red", "blue", "winner"),
    [("K", "5", "RI1"), ("A", "2", "BI1"), ("J", "Q", "BI1"), ("K", "Q", "RI1"), ("10", "J", "BI1")],
)
def test_ex_7_09_the_higher_card_wins(red: str, blue: str, winner: str) -> None:
    """CC-7.9, CC-7.10: one man killed, and the winner loses nothing."""
    told = fought(pair(), "RI1", "BI1", red, blue)
    loser = "BI1" if winner == "RI1" else "RI1"
    assert each_of(told, winner, loser) == ("k0/c0/r12", "k1/c1/r10")
    assert said(told[1], "fought")[0].facts["winner"] == winner


def test_ex_7_10_cover_counts_three() -> None:
    """CC-7.11."""
    assert each_of(fought(pair(WALL), "RI1", "BI1", "9", "7"), "RI1", "BI1") == ("k1/c1/r10", "k0/c0/r12")
    assert each_of(fought(pair(), "RI1", "BI1", "9", "7"), "RI1", "BI1") == ("k0/c0/r12", "k1/c1/r10")


def test_ex_7_11_covers_do_not_add_up() -> None:
    """CC-7.11, CC-7.31."""
    both = pair(WALL, area("trench", 90, 114, 110, 120))
    assert judged(both, "RI1", "BI1", ("2H", "KH")).totals == (2, 16)
    trench = pair(area("trench", 90, 114, 110, 120))
    assert judged(trench, "RI1", "BI1", ("2H", "KH")).totals == (2, 16)


def test_ex_7_12_cover_depends_on_position_alone() -> None:
    """CC-7.12, CC-7.32, A-75: in one's own turn too, and on both sides of one wall."""
    assert judged(pair(WALL), "BI1", "RI1", ("7H", "9H")).totals == (10, 9)
    across = battle("RI1 12m/6f @100,106 b0", BLUE_FOOT, terrain=[area("wall", 80, 110, 120, 111)])
    assert judged(across, "RI1", "BI1", ("7H", "9H")).bonuses == (3, 3)
    far = battle(RED_FOOT, "BI1 12m/6f @100,117.1 b180", terrain=[area("wall", 80, 110, 120, 111)])
    assert judged(far, "RI1", "BI1", ("7H", "9H")).bonuses == (0, 0)


@pytest.mark.parametrize("kind", ["woods", "village", "hill", "fence", "field", "bridge"])
def test_ex_7_13_other_ground_gives_nothing(kind: str) -> None:
    """CC-7.13."""
    laid = pair(area(kind, 80, 110, 120, 125))  # type: ignore[arg-type]
    assert judged(laid, "RI1", "BI1", ("9H", "7H")).totals == (9, 7)


def test_ex_7_13_cavalry_has_no_cover() -> None:
    """CC-7.13."""
    laid = battle(RED_FOOT, "BC1 8m/4f @100,117.5 b180", terrain=[WALL])
    assert each_of(fought(laid, "RI1", "BC1", "9", "7"), "RI1", "BC1") == ("k0/c0/r12", "k1/c1/r6")


# --- who falls


@pytest.mark.parametrize("switches", [EN, FR])
def test_ex_7_14_ex_7_15_each_kill_shakes_more(switches: Switches) -> None:
    """CC-7.14, CC-7.15, CC-7.16, A-66: 1, 2, 3, and then as many as are left."""
    laid = pair(switches=switches)
    for expected in ("k1/c1/r10", "k2/c3/r7", "k3/c6/r3"):
        laid, _ = fought(laid, "RI1", "BI1", "K", "5")
        assert counts(laid.units["BI1"]) == expected
    assert counts(clashed(laid, "RI1", "BI1", "K", "5").units["BI1"]) == "k4/c8/r0"
    last, _ = fought(laid, "RI1", "BI1", "K", "5")
    assert (last.units["BI1"].mob, last.units["BI1"].strength, last.units["RI1"].bound_to) == (True, 8, ())


def test_ex_7_05_several_fight_the_same_enemy() -> None:
    """CC-7.5, CC-7.15, A-65: its bodies count, whoever killed them."""
    laid = battle("RI1 12m/6f @92,100 b0", "RI2 12m/6f @108,100 b0", BLUE_FOOT)
    laid, _ = fought(laid, "RI1", "BI1", "K", "5")
    assert counts(laid.units["BI1"]) == "k1/c1/r10"
    laid, _ = fought(laid, "RI2", "BI1", "K", "5")
    assert counts(laid.units["BI1"]) == "k2/c3/r7"
    assert laid.units["BI1"].bound_to == ("RI1", "RI2")


def test_ex_7_16_a_shaken_front_keeps_the_engagement() -> None:
    """CC-7.15, CC-7.27, A-91: the nearest three die and the confused of the front rank still count."""
    laid = battle(RED_FOOT, "BI1 12m/6f @100,120.5 b180")
    for _ in range(3):
        laid, _ = fought(laid, "RI1", "BI1", "K", "5")
    unit = laid.units["BI1"]
    assert counts(unit) == "k3/c6/r3"
    assert [man.number for man in unit.in_ranks] == [10, 11, 12]
    assert {2, 4, 5} <= {man.number for man in unit.confused}
    assert (distance(laid.units["RI1"], unit), unit.bound_to) == (18.5, ("RI1",))


def test_ex_7_16_so_do_the_bodies_of_a_column() -> None:
    """A-91: for this pair alone."""
    laid = battle(RED_FOOT, "RI2 12m/6f @114,100 b0", "BI1 12m/3f @100,120.5 b180")
    for _ in range(3):
        laid, _ = fought(laid, "RI1", "BI1", "K", "5", wanting("FRONT", "REAR"))
    unit = laid.units["BI1"]
    assert counts(unit) == "k3/c6/r3"
    assert [man.number for man in unit.bodies] == [1, 2, 3]
    assert (distance(laid.units["RI1"], unit), unit.bound_to) == (20.5, ("RI1",))
    elsewhere = laid.with_units(replace(laid.units["RI2"], x=100.0), replace(laid.units["RI1"], x=86.0))
    assert refusal(fought(elsewhere, "RI2", "BI1", "K", "5")[1]) == "CC-7.1"
    assert counts(clashed(laid, "RI1", "BI1", "K", "5").units["BI1"]) == "k4/c8/r0"
    last, told = fought(laid, "RI1", "BI1", "K", "5", wanting("FRONT", "REAR"))
    assert counts(last.units["BI1"]) == "k0/c8/r0"
    assert said(told, "bodies-removed")[0].facts["bodies"] == 4


def test_ex_7_17_the_winner_chooses() -> None:
    """CC-7.17, A-67, A-78: by number; and a confused man may be killed."""
    then, told = fought(pair(), "RI1", "BI1", "K", "5", wanting("MAN 8", "MAN 2"))
    unit = then.units["BI1"]
    assert ([man.number for man in unit.bodies], [man.number for man in unit.confused]) == ([8], [2])
    again, _ = fought(then, "RI1", "BI1", "K", "5", wanting("MAN 2"))
    assert [man.number for man in again.units["BI1"].bodies] == [2, 8]
    shaken, _ = fought(then, "RI1", "BI1", "K", "5", wanting("CONFUSED"))
    assert [man.number for man in shaken.units["BI1"].bodies] == [2, 8]
    steady, _ = fought(then, "RI1", "BI1", "K", "5", wanting("FAR"))
    assert 2 not in [man.number for man in steady.units["BI1"].bodies]
    # A private wish is not told.
    assert "MAN" not in str([each.facts for each in told])


def test_ex_7_18_a_tie_costs_both() -> None:
    """CC-7.18, A-64, A-92: each its own n, this combat's body included."""
    laid, told = fought(pair(), "RI1", "BI1", "8", "8")
    assert each_of((laid, ()), "RI1", "BI1") == ("k1/c1/r10", "k1/c1/r10")
    assert said(told, "fought")[0].rule == "CC-7.18"
    laid, _ = fought(laid, "RI1", "BI1", "9", "3")
    assert counts(laid.units["BI1"]) == "k2/c3/r7"
    laid, _ = fought(laid, "RI1", "BI1", "4", "4")
    assert each_of((laid, ()), "RI1", "BI1") == ("k2/c3/r7", "k3/c6/r3")


def test_cc_7_18_both_choose_on_the_position_before() -> None:
    """Who dies of one side is nearest those who stood on the other before anybody fell."""
    laid = battle("RI1 2m/2f @100,100 b0", "BI1 4m/4f @101,116 b180")
    then = clashed(laid, "RI1", "BI1", "8", "8")
    # Blue's men stand at 104, 102, 100 and 98, Red's at 99 and 101. Red's first dies, and its second is confused.
    assert [man.number for man in then.units["RI1"].bodies] == [1]
    assert [man.number for man in then.units["BI1"].bodies] == [2]


def test_ex_7_19_totals_are_compared() -> None:
    """CC-7.18, CC-7.11, A-64."""
    assert each_of(fought(pair(WALL), "RI1", "BI1", "10", "7"), "RI1", "BI1") == ("k1/c1/r10", "k1/c1/r10")
    assert each_of(fought(pair(WALL), "RI1", "BI1", "7", "7"), "RI1", "BI1") == ("k1/c1/r10", "k0/c0/r12")


def test_ex_7_20_ties_have_no_additions() -> None:
    """CC-7.18, CC-7.26, A-76: neither horse, flank nor guns."""
    flank = battle("RC1 8m/4f @80,100 b90", "BI1 12m/6f @100,100 b0")
    assert each_of(fought(flank, "RC1", "BI1", "6", "6"), "RC1", "BI1") == ("k1/c1/r6", "k1/c1/r10")
    guns = battle("RA1 5m/1g @100,100 b0", BLUE_FOOT)
    assert each_of(fought(guns, "RA1", "BI1", "10", "10"), "RA1", "BI1") == ("k1/c1/r3", "k1/c1/r10")


def test_ex_7_21_the_last_two_men_may_kill_each_other() -> None:
    """CC-7.18, CC-8.10: a draw."""
    laid = battle("RI1 1m/1f @100,100 b0", "BI1 1m/1f @100,110 b180")
    then, _ = fought(laid, "RI1", "BI1", "6", "6")
    assert (then.units, then.result) == ({}, Result(None, "both armies are destroyed"))


def test_ex_7_22_officers_go_last() -> None:
    """CC-7.19, A-68."""
    laid = battle(RED_FOOT, "BI1 5m/5f @100,116 b180 O:2 F:3")
    then, _ = fought(laid, "RI1", "BI1", "K", "5")
    unit = then.units["BI1"]
    assert counts(unit) == "k1/c1/r3"
    assert {man.role for man in (*unit.bodies, *unit.confused)} == {"o"}
    assert {2, 3} <= {man.number for man in unit.in_ranks}


def test_ex_7_23_a_confused_man_dies_before_an_officer_in_ranks() -> None:
    """CC-7.19, A-67, A-68; and musicians are spared like them."""
    for roles in ("O:3 F:4", "D:3 D:4"):
        laid = battle(RED_FOOT, f"BI1 6m/6f @100,116 b180 ~:1,2,5,6 {roles}")
        then, _ = fought(laid, "RI1", "BI1", "K", "5", wanting("MAN 3", "MAN 1"))
        unit = then.units["BI1"]
        assert counts(unit) == "k1/c4/r1"
        assert unit.bodies[0].role == "o"
        assert not unit.mob


def test_ex_7_24_in_french_they_do_not() -> None:
    """CC-7.20, A-69."""
    laid = battle(RED_FOOT, "BI1 6m/6f @100,109 b180 ~:1,2,5,6 O:3 F:4", switches=FR)
    unit = clashed(laid, "RI1", "BI1", "K", "5").units["BI1"]
    assert counts(unit) == "k1/c5/r0"
    assert unit.bodies[0].role == "O"


# --- artillery, cavalry, flanks

GUNS = "RA1 5m/1g @100,100 b0"


def test_ex_7_25_english_guns_confuse_by_half_the_card() -> None:
    """CC-7.21, A-72, A-73."""
    laid = battle(GUNS, BLUE_FOOT)
    assert each_of(fought(laid, "RA1", "BI1", "9", "5"), "BI1") == ("k1/c5/r6",)
    ranks = CARD_RANKS
    assert [confused_by_artillery(rank + "H", "half_up") for rank in ranks] == [
        *(1, 1, 2, 2, 3, 3, 4, 4, 5, 5),
        *(4, 4, 4),
    ]


def test_ex_7_26_french_guns_by_the_whole() -> None:
    """CC-7.22, A-77, A-72: capped by those in ranks."""
    blue = "BI1 12m/6f @100,109 b180"
    assert each_of(fought(battle(GUNS, blue, switches=FR), "RA1", "BI1", "9", "5"), "BI1") == ("k1/c9/r2",)
    ranks = CARD_RANKS
    assert [confused_by_artillery(rank + "H", "full") for rank in ranks] == [*range(1, 11), 4, 4, 4]
    eight = battle(GUNS, "BI1 8m/4f @100,109 b180", switches=FR)
    assert counts(clashed(eight, "RA1", "BI1", "10", "5").units["BI1"]) == "k1/c7/r0"


def test_ex_7_27_the_card_stands_instead_of_n() -> None:
    """CC-7.21, CC-7.15, A-72: but the body counts for those who come after."""
    laid = battle(GUNS, "RI1 12m/6f @110,100 b0", "BI1 12m/6f @100,116 b180 x:1,2")
    laid = bound(laid, ("RA1", "BI1"), ("RI1", "BI1"))
    laid, _ = fought(laid, "RA1", "BI1", "4", "2")
    assert counts(laid.units["BI1"]) == "k3/c2/r7"
    laid, told = fought(laid, "RI1", "BI1", "4", "2")
    assert said(told, "fought")[0].facts["losses"][0]["n"] == 4
    assert counts(laid.units["BI1"]) == "k4/c6/r2"


@pytest.mark.parametrize(("switches", "expected"), [(EN, "k1/c3/r8"), (FR, "k1/c6/r5")])
def test_ex_7_28_the_printed_card_counts(switches: Switches, expected: str) -> None:
    """CC-7.23: never the total with cover."""
    blue = BLUE_FOOT if switches is EN else "BI1 12m/6f @100,110.9 b180"
    laid = battle(GUNS, blue, switches=switches, terrain=[area("wall", 80, 103, 120, 104)])
    then, told = fought(laid, "RA1", "BI1", "6", "8")
    assert said(told, "fought")[0].facts["totals"] == [9, 8]
    assert counts(then.units["BI1"]) == expected


def test_ex_7_29_cavalry_confuses_one_more() -> None:
    """CC-7.24."""
    laid = battle(HORSE, "BI1 12m/6f @100,118 b180")
    assert distance(laid.units["RC1"], laid.units["BI1"]) == 14.5
    assert each_of(fought(laid, "RC1", "BI1", "9", "5"), "BI1") == ("k1/c2/r9",)


@pytest.mark.parametrize(
    ("red", "blue", "card", "expected"),
    [
        ("RI1 12m/6f @80,100 b90", "BI1 12m/6f @100,100 b0", "9", "k1/c5/r6"),
        ("RC1 8m/4f @80,100 b90", "BI1 12m/6f @100,100 b0", "9", "k1/c6/r5"),
        ("RC1 8m/4f @100,100 b0", "BI1 12m/6f @100,118 b0", "9", "k1/c6/r5"),
        ("RA1 5m/1g @100,100 b0", "BI1 12m/6f @100,118 b0", "10", "k1/c9/r2"),
        ("RI1 12m/6f @125,112 b270", "BI1 12m/6f @100,100 b0", "9", "k1/c5/r6"),
        ("RI1 12m/6f @120,116 b225", "BI1 12m/6f @100,100 b0", "9", "k1/c1/r10"),
    ],
)
def test_ex_7_30_ex_7_31_ex_7_33_flank_and_rear(red: str, blue: str, card: str, expected: str) -> None:
    """CC-7.25, CC-7.26: four more, on top of what else there is; in front of it there are none."""
    laid = battle(red, blue)
    assert each_of(fought(laid, red[:3], "BI1", card, "5"), "BI1") == (expected,)


def test_ex_7_32_the_loser_must_face_whoever_beats_him() -> None:
    """CC-7.25, A-74: whoever declared."""
    laid = battle("RC1 8m/4f @80,100 b90", "BI1 12m/6f @100,100 b0")
    assert each_of(fought(laid, "RC1", "BI1", "6", "9"), "RC1") == ("k1/c1/r6",)
    assert each_of(fought(laid, "BI1", "RC1", "9", "6"), "BI1") == ("k1/c6/r5",)


# --- engagements


def test_ex_7_34_who_has_fought_is_engaged() -> None:
    """CC-7.27, A-90: neither moves until one of them breaks."""
    laid = battle(RED_FOOT, "BI1 12m/6f @100,121.9 b180")
    assert move(laid, "BI1", bearing=0.0, cm=5.0)[1][0].code == "moved"
    then, _ = fought(laid, "RI1", "BI1", "K", "5")
    for id in ("RI1", "BI1"):
        assert move(then, id, bearing=0.0, cm=5.0)[1][0].rule == "CC-3.17"
    while not then.units["BI1"].mob:
        then, _ = fought(then, "RI1", "BI1", "K", "5")
    assert move(then, "RI1", bearing=180.0, cm=5.0)[1][0].code == "moved"
    assert not then.units["BI1"].bodies


def test_ex_7_35_the_last_man_takes_his_unit_with_him() -> None:
    """CC-7.28: nobody is left to be confused; a cannon stays that nobody can use (A-60)."""
    laid = battle(RED_FOOT, "BI1 1m/1f @100,112 b180", "BI2 3m/3f @30,200 b180")
    then, told = fought(laid, "RI1", "BI1", "K", "5")
    assert ("BI1" in then.units, then.units["RI1"].bound_to) == (False, ())
    assert said(told, "fought")[0].facts["losses"][0]["confused"] == []
    guns = battle(RED_FOOT, "BA1 1m/1g @100,112 b180", "BI2 3m/3f @30,200 b180")
    gone, _ = fought(guns, "RI1", "BA1", "K", "5")
    assert gone.fallen["BA1"].cannons[0].markers == 4
    assert refusal(fought(gone, "RI1", "BA1", "K", "5")[1]) == "CC-7.28"


def test_a_combat_is_told_whole() -> None:
    """CC-7.30: folding what was told gives the same battle."""
    laid = pair(WALL)
    then, told = fought(laid, "RI1", "BI1", "K", "5")
    folded = laid
    for each in told:
        folded = after(folded, each)
    assert folded == then
    assert settled(then, told[-1]) == (then, ())
