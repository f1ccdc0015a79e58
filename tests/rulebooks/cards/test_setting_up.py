"""Where armies may stand before the first turn (CC-1.11 to CC-1.13), by the rules' own examples."""

from __future__ import annotations

import pytest

from referee.common.faults import Fault
from referee.rulebooks.cards.figures import BLUE, RED
from referee.rulebooks.cards.measuring import distance
from referee.rulebooks.cards.orders import Station, StationCommander
from referee.rulebooks.cards.scenarios.scenario import given_scenario
from referee.rulebooks.cards.setting_up import SetUp, set_up
from referee.rulebooks.cards.switches import EN, FR, Switches
from tests.rulebooks.cards.tables import area, battle

LAID = ("RI1 12m/6f @100,4 b0", "RA1 5m/1g @50,5 b0", "RG @150,4", "BI1 12m/6f @100,296 b180", "BG @150,296")


def stood(*stations: Station | StationCommander, switches: Switches = EN) -> SetUp:
    found = set_up(battle(*LAID, switches=switches), RED, stations)
    assert isinstance(found, SetUp), [fault.sentence() for fault in found]
    return found


def faults(*stations: Station | StationCommander, switches: Switches = EN) -> list[Fault]:
    found = set_up(battle(*LAID, switches=switches), RED, stations)
    assert isinstance(found, tuple)
    return list(found)


def test_ex_1_12_near_the_back_line() -> None:
    """CC-1.11, A-12: the whole footprint within 30.0."""
    assert stood(Station("RI1", 100, 29.0, 0)).units["RI1"].y == 29.0
    (fault,) = faults(Station("RI1", 100, 29.1, 0))
    assert (fault.rule, fault.reason()) == (
        "CC-1.11",
        "RI1 reaches 30.1 cm from its back line, and may reach 30.0",
    )


def test_ex_1_13_on_the_back_line() -> None:
    """CC-1.12, A-12: within 2.0 of it, in French."""
    assert stood(Station("RI1", 100, 5.0, 0), switches=FR).units["RI1"].y == 5.0
    (fault,) = faults(Station("RI1", 100, 5.1, 0), switches=FR)
    assert (fault.rule, fault.facts["cm"]) == ("CC-1.12", "2.1")
    assert stood(Station("RI1", 100, 5.1, 0), switches=EN).units["RI1"].y == 5.1


def test_cc_1_13_facing_and_files_are_free() -> None:
    """A-13: who is not named stands as the scenario has him."""
    standing = stood(Station("RI1", 120, 15, 47.3, files=4), StationCommander("RG", 20, 28.5))
    unit = standing.units["RI1"]
    assert (unit.x, unit.y, unit.bearing) == (120, 15, 47.3)
    assert (unit.files, unit.widths) == (4, (4, 4, 4))
    assert (standing.commanders["RG"].x, standing.commanders["RG"].y) == (20, 28.5)
    assert standing.units["RA1"].y == 5
    assert set(standing.units) == {"RI1", "RA1"}


@pytest.mark.parametrize(
    ("station", "code", "rule"),
    [
        (Station("RI1", 100, 2.0, 0), "station-edge", "CC-1.13"),
        (Station("RI1", 3, 10, 0), "station-edge", "CC-1.13"),
        (Station("RI1", 52, 10, 0), "station-overlap", "CC-1.13"),
        (Station("RI1", 100, 10, 0, files=13), "files", "CC-1.16"),
        (Station("RI1", 100, 10, 0, files=0), "files", "CC-1.16"),
        (Station("RA1", 100, 10, 0, files=2), "no-files", "CC-3.23"),
        (StationCommander("RG", 100, 28.6), "station-far", "CC-1.11"),
        (StationCommander("RG", 100, 1.4), "station-disc", "CC-1.13"),
        (StationCommander("RG", 100, -3), "station-disc", "CC-1.13"),
    ],
)
def test_cc_1_13_on_the_table_and_on_nobody(
    station: Station | StationCommander, code: str, rule: str
) -> None:
    """CC-1.11 for commanders in both editions (A-12)."""
    for switches in (EN, FR):
        found = [(fault.code, fault.rule) for fault in faults(station, switches=switches)]
        assert (code, rule) in found


def test_nobody_stands_in_water() -> None:
    wet = battle(*LAID, terrain=[area("water", 90, 10, 110, 20)])
    found = set_up(wet, RED, [Station("RI1", 100, 14, 0), StationCommander("RG", 100, 21)])
    assert isinstance(found, tuple)
    assert [fault.code for fault in found] == ["station-water", "station-disc"]


def test_all_that_is_wrong_is_named_at_once() -> None:
    found = faults(
        Station("RI2", 1, 1, 0),
        Station("BI1", 100, 290, 0),
        Station("RI1", 100, 9, 0),
        Station("RI1", 1, 1, 0),
    )
    assert [fault.code for fault in found] == ["no-unit", "no-unit", "station-twice"]
    assert found[0].suggestion == "RI1"
    assert found[0].reason() == "you have no RI2; yours are RA1, RI1, RG"


def test_a_12_armies_begin_out_of_gun_range() -> None:
    """A-12: at least 140 cm apart, whichever way the table lies."""
    for id in ("cc-skirmish", "cc-standard", "cc-guns"):
        laid = given_scenario(id).battle(EN)
        apart = [distance(red, blue) for red in laid.of(RED) for blue in laid.of(BLUE)]
        assert min(apart) > 130
