"""The table as a sketch in plain text (E6)."""

from __future__ import annotations

import pytest

from referee.rulebooks.cards.scenarios.scenario import given_scenario
from referee.rulebooks.cards.switches import EN, FR
from referee.rulebooks.cards.text_map import SIGNS, text_map
from tests.rulebooks.cards.tables import area, battle, objective

SKIRMISH = """\
     0         50        100       150       200       250
 190 ..........................i2v.g.a1v..i1v.......c1v..........
 180 ............................................................
 170 ............................................................
 160 ............................................................
 150 .........%%%%%%.............................................
 140 ........%%%%%%%........###::###.............................
 130 .........%%%%%.........##:K2:##.............^^^^............
 120 .......................########...........^^K4^^^...........
 110 ........................######.............^^^^^............
 100 .............................................^..............
  90 ..............^.............................................
  80 ............^^^^^.............######........................
  70 ...........^^K1^^^...........########.......................
  60 ............^^^^.............##:K3:##.........%%%%%.........
  50 .............................###::###........%%%%%%%........
  40 .............................................%%%%%%.........
  30 ............................................................
  20 ............................................................
  10 ............................................................
   0 ...........C1^.......I1^..A1^.G.I2^........................."""


def test_e6_the_map_of_the_skirmish_comes_out_as_printed() -> None:
    assert text_map(given_scenario("cc-skirmish").battle(FR)) == SKIRMISH


@pytest.mark.parametrize("id", ["cc-standard", "cc-guns"])
def test_every_map_is_as_large_as_its_table_and_names_everybody(id: str) -> None:
    laid = given_scenario(id).battle(EN)
    ruler, *rows = text_map(laid).splitlines()
    assert len(rows) == laid.ground.height / 10
    assert {len(row) for row in rows} == {5 + laid.ground.width / 5}
    text = "\n".join(rows)
    for unit in laid.units.values():
        label = unit.id[1:] if unit.side == "red" else unit.id[1:].lower()
        assert label in text
    for each in laid.ground.objectives:
        assert each.id in text
    assert ruler.split()[:2] == ["0", "50"]


def test_signs_of_all_terrain() -> None:
    """E6, and what is small is not lost; lines, crossings and works lie above fields and water."""
    terrain = [
        area("water", 0, 100, 200, 120),
        area("bridge", 50, 100, 60, 120),
        area("ford", 100, 100, 110, 120),
        area("village", 0, 0, 10, 10),
        area("trench", 20, 0, 30, 10),
        area("redoubt", 40, 0, 50, 10),
        area("field", 60, 0, 80, 20),
        area("fence", 61, 1, 62, 2),
    ]
    lines = text_map(battle(terrain=terrain, objectives=[objective("K1", 150, 200, 160, 210)])).splitlines()
    south = lines[-1][5:]
    assert south[:16] == "++..uu..nn..-:::"
    assert lines[-11][5:].startswith("~~~~~~~~~~==~~~~~~~~__~~")
    assert set(SIGNS.values()) == set("^%:+~=_nu-#")


@pytest.mark.parametrize(
    ("bearing", "arrow"),
    [(0, "^"), (44.9, "^"), (45, ">"), (90, ">"), (180, "v"), (300, "<"), (315, "^"), (359.9, "^")],
)
def test_an_arrow_tells_the_quarter_in_which_a_unit_looks(bearing: float, arrow: str) -> None:
    assert f"I1{arrow}" in text_map(battle(f"RI1 12m/6f @100,100 b{bearing}"))


def test_labels_at_the_edge_stay_on_the_map() -> None:
    laid = battle("RI12 1m/1f @1,299 b0", "BI1 1m/1f @199,1 b0", "BD @198,250")
    lines = text_map(laid).splitlines()
    assert lines[1][5:].startswith("I12^")
    assert lines[-1].endswith("i1^")
    assert lines[5].endswith("d")
