"""Scenario files: what they hold, and everything that can be wrong with one, at once (CC-1.2 to CC-1.8, E9)."""

from __future__ import annotations

from dataclasses import replace

import pytest
import shapely

from referee.common.faults import Fault
from referee.rulebooks.cards.battle import Battle, read_battle, write_battle
from referee.rulebooks.cards.figures import BLUE, RED, Commander
from referee.rulebooks.cards.scenarios.scenario import (
    Scenario,
    check_in,
    given_scenario,
    given_scenarios,
    read_scenario,
    warnings,
)
from referee.rulebooks.cards.shapes import Base, Point, rounded
from referee.rulebooks.cards.switches import EN, FR, Switches
from tests.rulebooks.cards.tables import objective

SKIRMISH = """
format = 1

[scenario]
id = "a-field"
title = "A field"

[table]
long_cm = 300.0
wide_cm = 200.0

[[terrain]]
id = "T1"
kind = "redoubt"
polygon = [[90, 90], [110, 90], [110, 110], [90, 110]]
parapet = [[90, 90], [90, 110], [110, 110]]

[[objective]]
id = "K1"
polygon = [[20, 60], [40, 60], [40, 80], [20, 80]]
on = "T1"

[[objective]]
id = "K2"
polygon = [[80, 60], [100, 60], [100, 80], [80, 80]]

[[objective]]
id = "K3"
polygon = [[20, 150], [40, 150], [40, 170], [20, 170]]

[[objective]]
id = "K4"
polygon = [[80, 150], [100, 150], [100, 170], [80, 170]]

[[side]]
id = "R"
back_line = "south"

[[side]]
id = "B"
back_line = "north"

[[commander]]
id = "RG"
side = "R"
aide = true
start = [100, 4]

[[commander]]
id = "BG"
side = "B"
aide = true
start = [100, 296]

[[unit]]
id = "RI1"
side = "R"
type = "infantry"
men = 12
files = 6
officers = [3]
flags = [4]
musicians = [9]
start = [60, 4, 0]

[[unit]]
id = "RA1"
side = "R"
type = "artillery"
men = 5
cannons = 1
start = [140, 5, 0]

[[unit]]
id = "BI1"
side = "B"
type = "infantry"
men = 12
files = 6
start = [60, 296, 180]

[[unit]]
id = "BA1"
side = "B"
type = "artillery"
men = 5
cannons = 1
start = [140, 295, 180]
"""


def read(text: str = SKIRMISH) -> Scenario:
    scenario = read_scenario(text)
    assert isinstance(scenario, Scenario), [fault.sentence() for fault in scenario]
    return scenario


def faults(*changes: tuple[str, str]) -> list[Fault]:
    """Return what is wrong with the file once these pieces are changed, each where it first stands."""
    text = SKIRMISH
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    found = read_scenario(text)
    assert isinstance(found, tuple)
    return list(found)


def rules(scenario: Scenario, switches: Switches = EN) -> list[str]:
    return [fault.rule for fault in check_in(scenario, switches)]


def sized(width: float, height: float, *, free: bool = False) -> Scenario:
    scenario = read()
    return replace(scenario, ground=replace(scenario.ground, width=width, height=height), free_table=free)


def table_faults(scenario: Scenario, switches: Switches) -> bool:
    return "CC-1.2" in rules(scenario, switches)


def test_ex_1_02_the_english_table() -> None:
    """CC-1.2, A-04: and it may lie either way."""
    assert not table_faults(sized(200, 300), EN)
    assert not table_faults(sized(300, 200), EN)
    assert table_faults(sized(200, 290), EN)
    assert not table_faults(sized(200, 290, free=True), EN)


def test_ex_1_03_the_french_table_is_long_and_of_any_width() -> None:
    """CC-1.2."""
    assert not table_faults(sized(120, 300), FR)
    assert not table_faults(sized(300, 120), FR)
    assert table_faults(sized(120, 280), FR)


@pytest.mark.parametrize("count", [3, 4, 5])
def test_ex_1_04_four_objectives(count: int) -> None:
    """CC-1.3, A-06."""
    scenario = read()
    fifth = objective("K5", 150, 100, 160, 110)
    some = (*scenario.ground.objectives, fifth)[:count]
    changed = replace(scenario, ground=replace(scenario.ground, objectives=some))
    assert ("CC-1.3" in rules(changed)) is (count != 4)


@pytest.mark.parametrize(
    ("east", "north", "fair"),
    [(50.1, 0, False), (50.0, 0, True), (0, 239.9 - 150 + 0.2, False), (0, 260 - 170, True)],
)
def test_ex_1_05_objectives_lie_spread(east: float, north: float, fair: bool) -> None:
    """CC-1.4, A-05: 30.0 apart, 40.0 off the back lines."""
    scenario = read()
    first, second, third, fourth = scenario.ground.objectives
    if east:
        # K1 moves east towards K2, which begins at 80.
        first = objective("K1", 20, 60, east, 80)
    if north:
        fourth = objective("K4", 80, 150, 100, 170 + north)
    changed = replace(scenario, ground=replace(scenario.ground, objectives=(first, second, third, fourth)))
    assert ("CC-1.4" not in rules(changed)) is fair


def test_ex_1_05_the_skirmish_is_fair() -> None:
    objectives = given_scenario("cc-skirmish").ground.objectives
    gaps = [shapely.distance(a.shape, b.shape) for a in objectives for b in objectives if a.id < b.id]
    assert rounded(min(gaps)) == 40.0
    bounds = [shapely.bounds(each.shape) for each in objectives]
    assert rounded(min(min(south, 200 - north) for _, south, _, north in bounds)) == 55.0


def test_ex_1_06_both_sides_have_as_many_men() -> None:
    """CC-1.5, A-07, A-08, A-09: whatever their arms; a warning tells where those differ."""
    short = read_scenario(SKIRMISH.replace("men = 12\nfiles = 6\nstart", "men = 11\nfiles = 6\nstart"))
    assert isinstance(short, tuple)
    assert [fault.rule for fault in short] == ["CC-1.5"]
    assert short[0].reason() == "Red has 17 men and Blue 16; both must have as many"
    mixed = SKIRMISH.replace("men = 12\nfiles = 6\nstart", "men = 10\nfiles = 5\nstart")
    mixed += (
        '\n[[unit]]\nid = "BC1"\nside = "B"\ntype = "cavalry"\nmen = 2\nfiles = 2\nstart = [30, 296, 180]\n'
    )
    told = list(warnings(read(mixed)))
    assert "Red has 12 men of infantry and Blue 10; only the totals must be equal (CC-1.5)." in told
    assert list(warnings(given_scenario("cc-skirmish"))) == []


def test_ex_1_07_both_sides_have_as_many_cannons() -> None:
    """CC-1.6."""
    (fault,) = faults(("cannons = 1", "cannons = 2"))
    assert (fault.rule, fault.reason()) == ("CC-1.6", "Red has 2 cannons and Blue 1; both must have as many")


def test_ex_1_08_a_unit_is_of_one_arm_and_its_officers_are_in_its_strength() -> None:
    """CC-1.7."""
    (fault,) = faults(('type = "infantry"', 'type = "infantry and cavalry"'))
    assert (fault.code, fault.place and fault.place.line) == ("scenario-value", 58)
    (fault,) = faults(('type = "infantry"', 'type = "cavalry"'))
    assert (fault.rule, fault.suggestion) == ("CC-1.7", "infantry")
    first = next(unit for unit in read().units if unit.id == "RI1")
    assert first.strength == 12
    assert [first.man(number).role for number in (3, 4, 9, 1)] == ["O", "F", "D", "o"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("officers = [3]", "officers = [13]"),
        ("officers = [3]", "officers = [4]"),
        ("flags = [4]", "flags = [4, 4]"),
    ],
)
def test_cc_1_7_each_officer_is_one_man_of_the_unit(old: str, new: str) -> None:
    assert {fault.rule for fault in faults((old, new))} == {"CC-1.7"}


def test_ex_1_09_each_side_has_a_commander() -> None:
    """CC-1.8: an aide where the edition knows one; neither counts among the men."""
    (fault,) = faults(('[[commander]]\nid = "RG"\nside = "R"\naide = true\nstart = [100, 4]\n', ""))
    assert fault.rule == "CC-1.8"
    scenario = read()
    assert [each.id for each in scenario.commanders(EN)] == ["RG", "BG", "RD", "BD"]
    assert [each.id for each in scenario.commanders(FR)] == ["RG", "BG"]
    assert any("no aides" in told for told in warnings(scenario))
    # To his right, as he looks away from his own back line.
    assert Commander("RD", RED, "aide", 104.0, 4.0) in scenario.commanders(EN)
    assert Commander("BD", BLUE, "aide", 96.0, 296.0) in scenario.commanders(EN)


def test_ex_1_11_shot_markers() -> None:
    """CC-1.10, A-11: four for each cannon, or four for each side."""
    guns = given_scenario("cc-guns")
    english, french = guns.battle(EN), guns.battle(FR)
    assert [sum(c.markers for unit in english.of(side) for c in unit.cannons) for side in (RED, BLUE)] == [
        20,
        20,
    ]
    assert english.markers == {}
    assert french.markers == {RED: 4, BLUE: 4}
    assert all(c.markers == 0 for unit in french.units.values() for c in unit.cannons)


# --- the files


@pytest.mark.parametrize("id", ["cc-guns", "cc-skirmish", "cc-standard"])
def test_the_given_scenarios_are_right_in_every_edition(id: str) -> None:
    assert id in given_scenarios()
    scenario = given_scenario(id)
    assert scenario.id == id
    for switches in (EN, FR):
        assert list(check_in(scenario, switches)) == []
        laid = scenario.battle(switches)
        assert read_battle(write_battle(laid)) == laid
        assert laid.turn_limit == scenario.turn_limit > 0
    assert _turned(scenario.battle(EN)) == _stands(scenario.battle(EN))


def _stands(laid: Battle) -> set[tuple[object, ...]]:
    return {(u.side, u.arm, len(u.men), u.x, u.y, u.bearing) for u in laid.units.values()} | {
        (shapely.to_wkt(shapely.normalize(o.shape)),) for o in laid.ground.objectives
    }


def _turned(laid: Battle) -> set[tuple[object, ...]]:
    """Return how it stands turned half around, with the sides exchanged."""
    ground = laid.ground
    turned = [
        replace(o, points=tuple(Point(ground.width - x, ground.height - y) for x, y in o.points))
        for o in ground.objectives
    ]
    other = {RED: BLUE, BLUE: RED}
    return {
        (
            other[u.side],
            u.arm,
            len(u.men),
            ground.width - u.x,
            ground.height - u.y,
            (u.bearing + 180) % 360,
        )
        for u in laid.units.values()
    } | {(shapely.to_wkt(shapely.normalize(o.shape)),) for o in turned}


def test_there_is_no_scenario_of_another_id() -> None:
    with pytest.raises(KeyError):
        given_scenario("cc-nowhere")


def test_what_a_file_leaves_out_is_as_usual() -> None:
    """E9, A-18."""
    scenario = read()
    assert (scenario.edition, scenario.editions_ok, scenario.turn_limit) == ("en", ("en", "fr"), 0)
    assert (scenario.ground.width, scenario.ground.height, scenario.ground.south) == (200, 300, RED)
    assert scenario.ground.bases.name == "standard"
    own = read(SKIRMISH.replace("[[terrain]]", '[bases]\nset = "small"\nhorse = [1, 2]\n\n[[terrain]]', 1))
    assert (own.ground.bases.horse, own.ground.bases.foot, own.ground.bases.name) == (
        Base(1, 2),
        Base(1.5, 1.5),
        "own",
    )
    long = SKIRMISH.replace("wide_cm = 200.0", 'wide_cm = 200.0\nback_lines = "long"')
    found = read_scenario(long)
    # Laid the other way, half of it is off the table.
    assert isinstance(found, tuple)
    assert {fault.code for fault in found} <= {
        "scenario-off-table",
        "station-edge",
        "scenario-spread",
        "station-disc",
    }


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "suggestion"),
    [
        ("format = 1", "format = 2", "scenario-value", 2, ""),
        ("[scenario]", "[scenari]", "scenario-key", 4, "scenario"),
        ('title = "A field"', 'titel = "A field"', "scenario-key", 6, "title"),
        ("wide_cm = 200.0", 'wide_cm = "200"', "scenario-value", 10, ""),
        ("wide_cm = 200.0", "wide_cm = nan", "scenario-value", 10, ""),
        ('kind = "redoubt"', 'kind = "redout"', "scenario-value", 14, "redoubt"),
        ("[110, 90], [110, 110], [90", "[110, 110], [110, 90], [90", "scenario-polygon", 15, ""),
        ("[110, 110], [90, 110]]", "[110, 110], [90, 400]]", "scenario-off-table", 15, ""),
        ("[90, 110], [110, 110]]\n", "[90, 110], [105, 105]]\n", "scenario-parapet", 16, ""),
        ('on = "T1"', 'on = "T11"', "scenario-on", 21, "T1"),
        ('id = "K2"', 'id = "K1"', "scenario-id", 24, ""),
        ('back_line = "north"', 'back_line = "south"', "scenario-back-lines", 41, ""),
        ('id = "RI1"\nside = "R"', 'id = "RI1"\nside = "B"', "scenario-side", 57, "R"),
        ("files = 6", "files = 13", "scenario-files", 60, ""),
        ("cannons = 1", "files = 1", "scenario-files", 71, ""),
        ("men = 5", "men = 0", "scenario-value", 70, ""),
        ("start = [60, 4, 0]", "start = [60, 4]", "scenario-value", 64, ""),
        ("start = [60, 4, 0]", "start = [60, 40, 0]", "station-far", 56, ""),
        ("start = [140, 5, 0]", "start = [66, 5, 0]", "station-overlap", 56, ""),
    ],
)
def test_each_fault_is_named_with_its_place(
    old: str, new: str, code: str, line: int, suggestion: str
) -> None:
    found = faults((old, new))
    match = [fault for fault in found if fault.code == code]
    assert match, [fault.sentence() for fault in found]
    assert match[0].place is not None
    assert (match[0].place.line, match[0].suggestion) == (line, suggestion)


def test_all_faults_are_named_at_once_in_the_order_of_the_lines() -> None:
    found = faults(("format = 1", "format = 3"), ("wide_cm", "width_cm"), ("men = 12", 'men = "12"'))
    assert [fault.place and fault.place.line for fault in found] == [2, 8, 10, 59]
    found = faults(
        ("start = [60, 4, 0]", "start = [60, 1, 0]"), ("start = [140, 5, 0]", "start = [140, 45, 0]")
    )
    assert [(fault.code, fault.rule) for fault in found] == [
        ("station-edge", "CC-1.13"),
        ("station-far", "CC-1.11"),
    ]


def test_what_is_no_toml_is_said_to_be_none() -> None:
    for text in ("format = ", "[[[", "a" * 300_000, "when = 2027-02-30", "\x00"):
        found = read_scenario(text)
        assert isinstance(found, tuple)
        assert len(found) == 1


def test_lines_are_walls_and_fences() -> None:
    line = (
        '[[terrain]]\nid = "T2"\nkind = "hill"\nline = [[10, 100], [20, 100]]\nthickness = 1\n\n[[objective]]'
    )
    assert [fault.code for fault in faults(("[[objective]]", line))] == ["scenario-line"]
    bare = '[[terrain]]\nid = "T2"\nkind = "wall"\nline = [[10, 100], [20, 100]]\n\n[[objective]]'
    assert [fault.code for fault in faults(("[[objective]]", bare))] == ["scenario-thickness"]
    none = '[[terrain]]\nid = "T2"\nkind = "wall"\n\n[[objective]]'
    assert [fault.code for fault in faults(("[[objective]]", none))] == ["scenario-shape"]
