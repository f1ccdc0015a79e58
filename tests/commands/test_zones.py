"""Time zones are found by their names and by their cities, however they are written."""

from __future__ import annotations

from zoneinfo import ZoneInfo, available_timezones

import pytest

from referee.commands.command import SetPreference
from referee.commands.grammar import Grammar
from referee.common.faults import Fault, Place
from referee.games.clocks.time_zones import find_zone, nearest_zone
from referee.mail.message.message import OwnLine

GRAMMAR = Grammar(lambda text: False, ("confusion",), ())


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("Europe/Paris", "Europe/Paris"),
        ("EUROPE/PARIS", "Europe/Paris"),
        ("paris", "Europe/Paris"),
        ("Paris.", "Europe/Paris"),
        ("New York", "America/New_York"),
        ("new_york", "America/New_York"),
        ("Sao Paulo", "America/Sao_Paulo"),
        ("São Paulo", "America/Sao_Paulo"),
        ("Port au Prince", "America/Port-au-Prince"),
        ("St John's", "America/St_Johns"),
        ("Indianapolis", "America/Indianapolis"),
        ("America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("Istanbul", "Europe/Istanbul"),
        ("Singapore", "Asia/Singapore"),
        ("Londres", "Europe/London"),
        ("utc", "UTC"),
        ("GMT", "UTC"),
    ],
)
def test_a_zone_is_found_by_its_name_or_its_city(said: str, zone: str) -> None:
    assert find_zone(said) == zone
    read = GRAMMAR.read_line(OwnLine(1, f"set zone {said}"))
    assert isinstance(read, SetPreference)
    assert read.write() == f"set zone {zone}"


@pytest.mark.parametrize("said", ["EST", "GMT+1", "UTC+2", "US/Eastern", "Etc/GMT+5", "Nowhere", "x"])
def test_what_is_no_place_is_no_zone(said: str) -> None:
    """Offsets least of all: the list counts them the other way round than people do."""
    assert find_zone(said) == ""


def test_every_place_of_the_list_is_found_by_its_whole_name() -> None:
    areas = {
        "Africa",
        "America",
        "Antarctica",
        "Asia",
        "Atlantic",
        "Australia",
        "Europe",
        "Indian",
        "Pacific",
    }
    places = [zone for zone in available_timezones() if zone.partition("/")[0] in areas]
    assert len(places) > 400
    for zone in places:
        assert find_zone(zone.lower()) == zone
        assert ZoneInfo(find_zone(zone.rpartition("/")[2])), zone


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Pariss", "Europe/Paris"),
        ("Europe/Pariss", "Europe/Paris"),
        ("Newyork", "America/New_York"),
        ("GMT+1", ""),
    ],
)
def test_a_misspelt_zone_is_named_with_its_place_and_what_was_meant(said: str, meant: str) -> None:
    assert nearest_zone(said) == meant
    fault = GRAMMAR.read_line(OwnLine(4, f"set zone {said}"))
    assert isinstance(fault, Fault)
    assert (fault.code, fault.place) == ("no-zone", Place(4, 10))
    assert fault.suggestion == (f"set zone {meant}" if meant else "")


@pytest.mark.parametrize("prose", ["Set zone defence aside for a moment please", "zone Paris", "set zones"])
def test_prose_about_zones_is_passed_over(prose: str) -> None:
    assert not isinstance(GRAMMAR.read_line(OwnLine(1, prose)), SetPreference)
