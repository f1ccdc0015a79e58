"""Bases, cells, distances and front zones (CC-1.15 to CC-1.20), by the rules' own examples."""

from __future__ import annotations

import math

import pytest
import shapely
from shapely import Geometry

from referee.rulebooks.cards.figures import BASES, LARGE, SMALL, Unit, men_grid
from referee.rulebooks.cards.measuring import (
    distance,
    distance_to_ranks,
    faces,
    facing_each_other,
    in_arc,
    in_zone,
)
from referee.rulebooks.cards.shapes import (
    Place,
    Point,
    bearing_kept,
    bearing_to,
    direction,
    kept,
    rounded,
    seen_from,
)
from tests.rulebooks.cards.tables import mob, unit


def in_front_zone(unit: Unit, point: Point) -> bool:
    """Return whether a point is in a unit's front zone; a mob has none."""
    return bool(unit.in_ranks) and bool(in_zone(unit.formation.front, seen_from(unit.place, [point]))[0])


def covered(shape: Geometry) -> tuple[float, ...]:
    return tuple(round(float(edge), 9) for edge in shapely.bounds(shape))


@pytest.mark.parametrize(
    ("line", "bounds"),
    [
        ("RI1 12m/6f @100,100 b0", (94, 97, 106, 101)),
        ("RI1 12m/3f @100,100 b0", (97, 93, 103, 101)),
        ("RI1 12m/12f @100,100 b0", (88, 99, 112, 101)),
        ("RC1 8m/4f @100,100 b0", (95, 92.5, 105, 102.5)),
        ("RA1 5m/1g @100,100 b0", (96, 96, 104, 103)),
        ("RA1 8m/2g @100,100 b0", (90, 97, 110, 103)),
    ],
)
def test_ex_1_16_what_a_unit_covers(line: str, bounds: tuple[float, ...]) -> None:
    """CC-1.15, CC-1.16, CC-1.20, A-18, A-19: bases touch in files and ranks, gunners stand beside their cannon."""
    assert covered(unit(line).formation.footprint) == bounds


def test_ex_1_16_a_short_last_rank_is_centred() -> None:
    """CC-1.16: twelve men in five files stand 5, 5 and 2."""
    laid = unit("RI1 12m/5f @100,100 b0")
    assert laid.widths == (5, 5, 2)
    assert laid.formation.centre(laid.man(11)) == (99, 96)
    assert laid.formation.centre(laid.man(12)) == (101, 96)
    assert men_grid(laid) == ("#####", "#####", "##")


def test_ex_1_16_axles_lie_three_cannon_widths_apart() -> None:
    """CC-1.20: and odd gunners go to the first cannons, numbered cannon by cannon."""
    laid = unit("RA1 8m/2g @100,100 b0")
    assert [laid.battery.cannon_place(index)[:2] for index in (0, 1)] == [(94, 100), (106, 100)]
    nine = unit("RA1 9m/2g @100,100 b0")
    assert [man.cannon for man in nine.men] == [0] * 5 + [1] * 4
    assert nine.formation.centre(nine.man(1)) == (97, 101)
    assert nine.formation.centre(nine.man(2)) == (91, 101)


def test_a_18_the_other_sets_of_bases() -> None:
    small, large = unit("RI1 12m/6f @100,100 b0", SMALL), unit("RC1 8m/4f @100,100 b0", LARGE)
    assert covered(small.formation.footprint) == (95.5, 97.75, 104.5, 100.75)
    assert covered(large.formation.footprint) == (92, 88, 108, 104)
    assert set(BASES) == {"standard", "small", "large"}


def test_ex_1_17_the_distance_is_read_to_a_tenth() -> None:
    """CC-1.17, A-01, A-02: the least distance between two bases, half up."""
    assert distance(unit("RI1 12m/6f @100,100 b0"), unit("BI1 12m/6f @100,116 b180")) == 14.0
    assert rounded(19.949) == 19.9
    assert rounded(19.95) == 20.0
    # 19.95 as arithmetic may leave it.
    assert rounded(math.nextafter(19.95, 0)) == 20.0


def test_a_03_living_men_are_measured_and_men_in_ranks_for_rallies() -> None:
    front_confused = unit("BI1 12m/6f @100,116 b180 ~:1,2,3,4,5,6")
    front_dead = unit("BI1 12m/6f @100,116 b180 x:1,2,3,4,5,6")
    red = unit("RI1 12m/6f @100,100 b0")
    assert distance(red, front_confused) == 14.0
    assert distance_to_ranks(red, front_confused) == 16.0
    assert distance(red, front_dead) == 16.0


@pytest.mark.parametrize(
    ("point", "inside"),
    [
        (Point(106, 101), True),
        (Point(111, 106), True),
        (Point(112, 106), False),
        (Point(100, 100.5), False),
        (Point(93, 101.5), False),
    ],
)
def test_ex_1_18_the_front_zone(point: Point, inside: bool) -> None:
    """CC-1.18, A-21: 45 degrees outward from the ends of the front edge, the lines included."""
    assert in_front_zone(unit("RI1 12m/6f @100,100 b0"), point) is inside


def test_cc_1_18_the_front_edge_lies_across_the_foremost_men_in_ranks() -> None:
    laid = unit("RI1 12m/6f @100,100 b0 ~:1,2,3,4,5,6 x:7")
    assert list(laid.formation.front) == [-1, -4, 6]
    assert not in_front_zone(mob("RI1 12m/6f @100,100 b0"), Point(100, 120))


@pytest.mark.parametrize(
    ("red", "apart", "red_faces", "blue_faces"),
    [
        ("RI1 12m/6f @100,116 b180", 12.0 + 2.0, True, True),
        ("RI1 12m/6f @125,112 b270", 18.7, True, False),
        ("RI1 12m/6f @120,116 b225", 19.5, True, True),
        ("RI1 12m/6f @100,116 b0", None, False, True),
    ],
)
def test_ex_1_19_who_faces_whom(red: str, apart: float | None, red_faces: bool, blue_faces: bool) -> None:
    """CC-1.19, A-21, A-22."""
    mine, theirs = unit(red), unit("BI1 12m/6f @100,100 b0")
    if apart is not None:
        assert distance(mine, theirs) == apart
    assert faces(mine, theirs) is red_faces
    assert faces(theirs, mine) is blue_faces
    assert facing_each_other(mine, theirs) is (red_faces and blue_faces)


def test_ex_1_19_the_men_in_the_zone() -> None:
    laid, blue = unit("RI1 12m/6f @120,116 b225"), unit("BI1 12m/6f @100,100 b0")
    inside = [man.number for man in laid.men if in_front_zone(blue, laid.formation.centre(man))]
    assert inside == [4, 5, 6, 10, 11, 12]


def test_cc_1_19_a_mob_faces_nobody_and_is_faced() -> None:
    """CC-4.11: whoever faces a mob is not faced by it."""
    red, blue = unit("RI1 12m/6f @100,100 b0"), mob("BI1 12m/6f @100,116 b180")
    assert faces(red, blue)
    assert not faces(blue, red)


def test_cc_1_19_confused_men_alone_in_the_zone_do_not_count() -> None:
    blue = unit("BI1 12m/6f @100,100 b0")
    red = unit("RI1 12m/6f @120,116 b225 ~:4,5,6,10,11,12")
    assert not faces(blue, red)


def test_the_arc_of_a_cannon_includes_its_lines() -> None:
    gun = Place(100, 50, 0)
    assert in_arc(gun, Point(160, 110))
    assert not in_arc(gun, Point(161, 110))
    assert in_arc(gun, Point(40, 110))
    assert not in_arc(gun, Point(100, 40))


def test_a_01_kept_numbers_do_not_hang_on_a_machines_last_digit() -> None:
    """No sine of a bearing is so near to the middle between two kept digits that machines could differ."""
    for tenth in range(3600):
        for number in (math.sin, math.cos):
            raw = number(math.radians(tenth / 10)) * 1e10
            assert abs(raw - math.floor(raw) - 0.5) > 1e-5
    sine, cosine = direction(30.0)
    assert (sine, kept(100 + cosine)) == (0.5, 100.87)


def test_bearings_are_kept_to_a_tenth_of_a_degree() -> None:
    assert bearing_kept(-0.04) == 0.0
    assert bearing_kept(359.96) == 0.0
    assert bearing_kept(-90) == 270.0
    assert bearing_to(Point(0, 0), Point(1, 1)) == 45.0
    assert bearing_to(Point(0, 0), Point(0, 0)) is None
