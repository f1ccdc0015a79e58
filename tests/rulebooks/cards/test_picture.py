"""The table from above (E6)."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from referee.rulebooks.cards.figures import BLUE, GONE, RED, placed_men
from referee.rulebooks.cards.marks import BLUE_INK, RED_INK
from referee.rulebooks.cards.picture import png, size_of, svg
from referee.rulebooks.cards.scenarios.scenario import given_scenario, given_scenarios
from referee.rulebooks.cards.switches import EN
from referee.rulebooks.drawing import PAPER
from tests.rulebooks.cards.tables import battle, bound, mob

SPACE = "{http://www.w3.org/2000/svg}"


def words(drawing: str) -> list[str]:
    return [each.text or "" for each in ET.fromstring(drawing).iter(f"{SPACE}text")]


def count(drawing: str, tag: str, **style: str) -> int:
    """Count the marks of a drawing that look so."""
    found = ET.fromstring(drawing).iter(f"{SPACE}{tag}")
    return sum(all(each.get(key) == value for key, value in style.items()) for each in found)


@pytest.mark.parametrize("id", given_scenarios())
def test_a_picture_names_everybody_and_is_the_same_each_time(id: str) -> None:
    laid = given_scenario(id).battle(EN)
    named = words(svg(laid))
    for each in (*laid.units, *laid.commanders, "K1", "K2", "K3", "K4", "50 cm"):
        assert named.count(each) == 1
    drawn = png(laid)
    assert drawn == png(laid)
    image = Image.open(BytesIO(drawn))
    assert image.size == size_of(laid.ground)
    assert len(drawn) < 32_000


def test_men_are_filled_hollow_or_crossed_and_a_mob_has_no_front() -> None:
    drawn = svg(battle("RI1 12m/6f @100,100 b30 k2/c3", mob("BI1 8m/4f @100,200 b180")))
    assert count(drawn, "polygon", fill=RED_INK) == 7
    assert count(drawn, "polygon", fill=PAPER, stroke=RED_INK) == 3
    assert count(drawn, "polygon", fill=PAPER, stroke=BLUE_INK) == 8
    # Two strokes for each body; the back lines are of their sides' colours too.
    assert count(drawn, "polyline", stroke=RED_INK) == 2 * 2 + 1
    assert count(drawn, "polyline", stroke=BLUE_INK) == 1


def test_an_objective_tells_who_holds_it() -> None:
    laid = given_scenario("cc-skirmish").battle(EN)
    held = type(laid)(laid.switches, laid.ground, holders={"K1": RED, "K4": BLUE})
    assert {"K1 R", "K2", "K3", "K4 B"} <= set(words(svg(held)))


def test_arcs_zones_trails_and_engagements_are_drawn_where_there_are_any() -> None:
    before = battle("RI1 12m/6f @100,100 b0", "BI1 12m/6f @100,120 b180", "RA1 5m/1g @50,50 b0")
    now = bound(
        battle("RI1 12m/6f @100,105 b0", "BI1 12m/6f @100,120 b180", "RA1 5m/1g @50,50 b0"), ("RI1", "BI1")
    )
    plain = count(svg(now), "polyline")
    assert count(svg(now, before=before), "polyline") == plain + 1
    assert count(svg(now, arcs=[RED]), "polyline") > plain
    assert count(svg(now, arcs=[BLUE]), "polyline") == plain
    assert count(svg(now, zones=[BLUE]), "polyline") > plain
    assert count(svg(before), "polyline") == plain - 1
    assert png(now, before=before, arcs=[RED], zones=[RED, BLUE]) != png(now)


def test_a_unit_of_which_nothing_is_left_is_not_drawn() -> None:
    """CC-7.28: between its last man's fall and its being taken off."""
    laid = battle("RI1 2m/2f @50,50 b0", "BI1 4m/2f @50,80 b180")
    gone = placed_men(laid.units["RI1"], [1, 2], GONE)
    laid = bound(laid, ("RI1", "BI1"))
    left = laid.with_units(replace(gone, bound_to=("BI1",)))
    assert png(left).startswith(b"\x89PNG")
    assert "RI1" not in svg(left)
