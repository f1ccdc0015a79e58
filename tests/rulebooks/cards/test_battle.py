"""The open table is folded from what happened, without measuring anything; and it comes out the same everywhere."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
import shapely

from referee.rulebooks.cards.battle import (
    BOTH,
    Battle,
    DeckState,
    after,
    happened,
    read_battle,
    with_changes,
    write_battle,
    write_changes,
)
from referee.rulebooks.cards.figures import BLUE, RED, id_order, men_grid, placed_men
from referee.rulebooks.cards.ground import Terrain, read_ground, write_ground
from referee.rulebooks.cards.mobs import flee
from referee.rulebooks.cards.orders import Flight
from referee.rulebooks.cards.shapes import Point, direction
from referee.rulebooks.rulebook import Json, Result
from tests.rulebooks.cards.fields import scattered
from tests.rulebooks.cards.tables import battle, bound, mob, unit
from tests.rulebooks.cards.test_actions import ordered_by_lot, phase_one


def told(plain: Mapping[str, Json]) -> Json:
    """Return plain data as it comes back from where it is kept."""
    return json.loads(json.dumps(plain))


@pytest.mark.parametrize("seed", range(6))
def test_a_battle_is_written_and_read_again(seed: int) -> None:
    """E8.9."""
    laid = scattered(seed)
    assert read_battle(told(write_battle(laid))) == laid


def test_a_ground_is_written_and_read_again() -> None:
    laid = scattered(2)
    wall = Terrain("T9", "wall", "wall", (Point(1, 2), Point(30, 4)), 1.0, note="low")
    redoubt = Terrain(
        "T8", "r", "redoubt", (Point(1, 1), Point(9, 1), Point(9, 9)), None, (Point(1, 1), Point(9, 9))
    )
    ground = replace(laid.ground, terrain=(*laid.ground.terrain, wall, redoubt), south=BLUE)
    assert read_ground(told(write_ground(ground))) == ground


def test_a_happening_carries_only_what_it_changed() -> None:
    before = battle("RI1 12m/6f @100,100 b0", "RI2 12m/6f @50,100 b0", "RG @20,20")
    then = replace(
        before.with_units(replace(before.units["RI1"], acted=True)),
        holders={"K1": RED},
        markers={RED: 4, BLUE: 3},
        cards={**before.cards, BLUE: DeckState(51, ("KH",), 1)},
        turn=2,
        active=BLUE,
        phase=3,
    )
    changes = write_changes(before, then)
    assert set(changes["units"]) == {"RI1"}
    assert "commanders" not in changes
    assert with_changes(before, told(changes)) == then
    over = replace(then, result=Result(None, "both armies are gone"))
    assert with_changes(then, told(write_changes(then, over))) == over
    assert write_changes(then, then) == {}


def test_what_changed_nothing_carries_nothing() -> None:
    laid = battle("RI1 12m/6f @100,100 b0")
    happening = happened(laid, laid, "refused", "CC-3.17", heard_by=frozenset({RED}), unit="RI1")
    assert dict(happening.facts) == {"unit": "RI1"}
    assert after(laid, happening) is laid
    assert happened(laid, laid, "moved", "CC-3.1").heard_by == BOTH


def test_a_unit_taken_off_is_bound_to_nobody_and_leaves_its_cannons() -> None:
    """CC-7.28 in the battle's own bookkeeping; E8.1: its men are gone, all of them."""
    laid = bound(battle("RI1 12m/6f @100,100 b0", "BA1 5m/1g @100,112 b180"), ("RI1", "BA1"))
    then = laid.without("BA1")
    assert then.units["RI1"].bound_to == ()
    assert "BA1" not in then.units
    fallen = then.fallen["BA1"]
    assert {man.place for man in fallen.men} == {"gone"}
    assert fallen.battery.cannon_place(0) == (100, 112, 180)
    assert with_changes(laid, told(write_changes(laid, then))) == then


def test_units_come_in_the_order_in_which_players_count() -> None:
    laid = battle("RI10 1m/1f @20,20 b0", "RI2 1m/1f @40,20 b0", "RA1 1m/1g @60,20 b0", "BI1 1m/1f @60,60 b0")
    assert [each.id for each in laid.of(RED)] == ["RA1", "RI2", "RI10"]
    assert [each.id for each in laid.friends(laid.units["RI2"])] == ["RA1", "RI10"]
    assert [each.id for each in laid.enemies(laid.units["BI1"])] == ["RA1", "RI2", "RI10"]
    assert sorted(["RA10.2", "RA2.1", "RA10.1"], key=id_order) == ["RA2.1", "RA10.1", "RA10.2"]


def test_the_men_grid_as_printed() -> None:
    """E1: in ranks `#OFD`, confused `~ofd`, bodies `x`, empty cells `.`."""
    laid = unit("RI1 11m/6f @100,100 b0 O:3 F:4 D:9 x:1 ~:2,7,8")
    assert men_grid(laid) == ("x~OF##", "~~D##")
    assert men_grid(unit("RI1 11m/6f @100,100 b0 O:3 F:4 D:9 ~:3,4,9")) == ("##of##", "##d##")
    assert men_grid(placed_men(laid, (5,), "gone")) == ("x~OF.#", "~~D##")
    assert men_grid(unit("RA1 9m/2g @100,100 b0 O:5 ~:1 x:9")) == ("~###O", "###x")


def walked(seed: int) -> str:
    """Return the places, one after the other, of all that moved in some turns by lot."""
    lot = random.Random(f"digest {seed}")
    laid = scattered(seed, each=7)
    places: list[object] = []
    for turn in range(6):
        active = (RED, BLUE)[turn % 2]
        fresh = (replace(each, acted=False) for each in laid.units.values())
        laid = replace(laid.with_units(*fresh), active=active)
        laid, happenings = phase_one(laid, ordered_by_lot(laid, lot))
        places += [each.facts["place"] for each in happenings if "place" in each.facts]
    return repr([[round(number, 4) for number in place] for place in places])  # type: ignore[attr-defined]


def test_e5_places_are_the_same_on_every_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A-01: what arithmetic leaves in the last digits, here far more than any machine does, decides nothing."""
    seeds = range(30, 33)
    as_here = [walked(seed) for seed in seeds]
    noise = random.Random(7)
    distance, set_coordinates, area = shapely.distance, shapely.set_coordinates, shapely.area
    sin, cos, atan2, sqrt = math.sin, math.cos, math.atan2, math.sqrt

    def off(number: Any) -> Any:
        return number * (1 + noise.uniform(-1e-13, 1e-13)) + noise.uniform(-1e-13, 1e-13)

    monkeypatch.setattr("math.sin", lambda angle: off(sin(angle)))
    monkeypatch.setattr("math.cos", lambda angle: off(cos(angle)))
    monkeypatch.setattr("math.atan2", lambda east, north: off(atan2(east, north)))
    monkeypatch.setattr("math.sqrt", lambda number: off(sqrt(number)))
    monkeypatch.setattr("shapely.distance", lambda one, other: max(0.0, off(distance(one, other))))
    monkeypatch.setattr("shapely.area", lambda shape: off(area(shape)))
    monkeypatch.setattr("shapely.set_coordinates", lambda shape, to: set_coordinates(shape, off(to)))
    direction.cache_clear()
    assert [walked(seed) for seed in seeds] == as_here
    direction.cache_clear()


def test_e8_9_a_replay_measures_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """E8.9: folding needs no geometry at all, and gives the same battle."""
    laid = battle("RI1 12m/6f @100,190 b0", mob("BI1 6m/6f @100,200 b180"))
    then, happenings = flee(laid, "BI1", "RI1", Flight("BEARING", 33.3))
    monkeypatch.setattr("shapely.lib.distance", None)
    monkeypatch.setattr("referee.rulebooks.cards.figures.laid_out", None)
    monkeypatch.setattr("referee.rulebooks.cards.figures.placed", None)
    there: Battle = laid
    for happening in happenings:
        there = after(there, happening)
    assert there == then
