"""Scenarios made up by lot: fair, playable at once, and the same from the same words on every machine."""

from __future__ import annotations

import hashlib
import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from referee.common.chance import Chance
from referee.common.errors import UsageError
from referee.rulebooks.cards.battle import read_battle, write_battle
from referee.rulebooks.cards.figures import ARTILLERY, BLUE, CAVALRY, INFANTRY, RED, SIDES, STANDARD
from referee.rulebooks.cards.ground import Terrain
from referee.rulebooks.cards.scenarios.generated_army import (
    MEN,
    MOST_FILES,
    MOST_GUNS,
    MOST_UNITS,
    muster,
    strengths,
)
from referee.rulebooks.cards.scenarios.generated_ground import CLEAR_OF_ARMIES
from referee.rulebooks.cards.scenarios.making import (
    LEAST_HEIGHT,
    LEAST_WIDTH,
    MOST_SIZE,
    ScenarioSettings,
    make_scenario,
)
from referee.rulebooks.cards.scenarios.scenario import (
    Scenario,
    check_in,
    given_scenario,
    given_scenarios,
    given_text,
    read_scenario,
    warnings,
)
from referee.rulebooks.cards.scenarios.scenario_text import write_scenario
from referee.rulebooks.cards.shapes import Base, Point
from referee.rulebooks.cards.switches import EDITIONS

TABLES = (
    *((300, 200), (200, 300), (300, 200), (240, 180), (LEAST_WIDTH, LEAST_HEIGHT)),
    *((MOST_SIZE, MOST_SIZE), (LEAST_WIDTH, MOST_SIZE), (MOST_SIZE, LEAST_HEIGHT), (211, 257)),
)
ARMIES: tuple[dict[str, Any], ...] = (
    {},
    {"units": 4},
    {"units": 8, "men": 70, "guns": 3},
    {"units": 3, "guns": 0},
    {"units": 2, "guns": 1, "men": 6},
    {"units": 5, "guns": 2, "editions": ("fr",)},
    {"units": 7, "guns": 5},
    {"units": 1, "men": 40},
    {"units": 6, "editions": ("en",)},
    {"units": 5, "men": 99, "editions": ("fr", "en")},
    {"units": 9, "men": 51},
)


def wishes(number: int) -> ScenarioSettings:
    """Return one of many different wishes: as there are 9 tables and 11 armies, 99 go by before both come again."""
    return ScenarioSettings(
        f"seed {number}", table=TABLES[number % len(TABLES)], **ARMIES[number % len(ARMIES)]
    )


def read(text: str) -> Scenario:
    scenario = read_scenario(text)
    assert isinstance(scenario, Scenario), [fault.sentence() for fault in scenario]
    return scenario


def made(seed: str = "Autumn rain", **wished: Any) -> Scenario:
    return read(make_scenario(ScenarioSettings(seed, **wished)))


@pytest.mark.telling(number=range(10))
@pytest.mark.parametrize("number", range(300))
def test_what_is_made_up_is_playable_and_fair(number: int) -> None:
    """CC-1.2 to CC-1.8, CC-1.11 to CC-1.13: nothing is wrong with it, nothing odd, and both sides are alike."""
    wished = wishes(number)
    text = make_scenario(wished)
    scenario = read(text)
    for name in scenario.editions_ok:
        assert list(check_in(scenario, EDITIONS[name])) == []
        battle = scenario.battle(EDITIONS[name])
        assert read_battle(write_battle(battle)) == battle
    assert list(warnings(scenario)) == []
    assert set(wished.editions) <= set(scenario.editions_ok)
    assert scenario.ground.width == wished.table[0]
    assert scenario.ground.height == wished.table[1]
    for side in SIDES:
        units = [unit for unit in scenario.units if unit.side == side]
        assert as_wished(wished.units, len(units))
        assert as_wished(wished.men, sum(len(unit.men) for unit in units))
        assert as_wished(wished.guns, sum(len(unit.cannons) for unit in units))
    assert_same_turned_half_around(scenario)
    assert_well_laid(scenario)
    head = text[: text.index("format = 1")].splitlines()
    assert write_scenario(scenario, [line.removeprefix("# ") for line in head]) == text
    assert read(write_scenario(scenario)) == scenario


def as_wished(wish: int | None, found: int) -> bool:
    return wish is None or wish == found


def assert_same_turned_half_around(scenario: Scenario) -> None:
    ground = scenario.ground

    def other(points: Iterable[Point]) -> frozenset[tuple[float, float]]:
        return frozenset((round(ground.width - x, 2), round(ground.height - y, 2)) for x, y in points)

    lying = Counter((each.kind, frozenset(each.points), frozenset(each.parapet)) for each in ground.terrain)
    turned = Counter((each.kind, other(each.points), other(each.parapet)) for each in ground.terrain)
    assert lying == turned
    objectives = {frozenset(each.points) for each in ground.objectives}
    assert objectives == {other(each.points) for each in ground.objectives}
    standing = {unit.id: unit for unit in scenario.units}
    for unit in scenario.units:
        enemy = standing[("B" if unit.side == RED else "R") + unit.id[1:]]
        assert (enemy.x, enemy.y) == (round(ground.width - unit.x, 2), round(ground.height - unit.y, 2))
        assert enemy.bearing == (unit.bearing + 180) % 360
        assert (enemy.men, enemy.files, enemy.arm) == (unit.men, unit.files, unit.arm)
    general, enemy_general = scenario.generals
    assert other([general.point]) == {enemy_general.point}


def assert_well_laid(scenario: Scenario) -> None:
    """What a wargamer would expect of a table: pieces lie clear of each other and of the armies, and there is a way."""
    ground = scenario.ground
    zones = shapely.union_all(
        [
            shapely.box(0, 0, ground.width, CLEAR_OF_ARMIES - 1),
            shapely.box(0, ground.height - CLEAR_OF_ARMIES + 1, ground.width, ground.height),
        ]
    )
    for piece in ground.terrain:
        assert shapely.is_valid(piece.shape)
        assert not shapely.intersects(piece.shape, zones), piece.id
    for one, another in combinations(ground.terrain, 2):
        assert belong_together(one, another) or shapely.distance(one.shape, another.shape) > 2, (one, another)
    assert len({each.name for each in ground.terrain}) == len(ground.terrain)
    assert len(ground.terrain) >= 6
    assert shapely.get_num_geometries(ground.dry) == 1
    assert {each.on for each in ground.objectives} <= {each.id for each in ground.terrain}
    if ground.of_kind("water"):
        crossings = ground.of_kind("bridge")
        assert len(crossings) == 2
        bounds = [shapely.bounds(each.shape) for each in crossings]
        broadest = min(east - west for west, _, east, _ in bounds)
        fronts = {INFANTRY: STANDARD.foot.front, CAVALRY: STANDARD.horse.front}
        assert all(most * fronts[arm] <= broadest for arm, most in MOST_FILES.items())
        assert all(unit.files <= MOST_FILES[unit.arm] for unit in scenario.units if unit.arm != ARTILLERY)


def belong_together(one: Terrain, another: Terrain) -> bool:
    """A field has its wall, and a stream its bridges."""
    return another.id[:-1] == one.id or (one.kind == "water" and another.kind in ("bridge", "ford"))


@pytest.mark.parametrize(
    ("wished", "digest"),
    [
        (ScenarioSettings("Autumn rain"), "fb384f4e7277eb44a5428664659d81e5d867ed40695942440ac9810c52a2c437"),
        (
            ScenarioSettings("Pluie d'été", 9, 110, 3, (200, 300), ("fr",)),
            "309278b5d96b086b823e23644e8a45ee5a3d0b399a95e479d9f142ec4f98f6e3",
        ),
    ],
)
def test_the_same_words_make_the_same_bytes_on_every_machine(wished: ScenarioSettings, digest: str) -> None:
    """Players may have shown each other no more than the words: see `making.DOMAIN` before this is changed."""
    text = make_scenario(wished)
    assert text == make_scenario(wished)
    assert hashlib.sha256(text.encode()).hexdigest() == digest


def test_its_head_says_the_words_with_which_it_is_made_again() -> None:
    text = make_scenario(ScenarioSettings('it\'s "odd" #1', 8, 80, 2, (200, 300), ("en", "fr")))
    (line,) = re.findall(r"^# Made up by: (.*)$", text, re.MULTILINE)
    assert shlex.split(line) == [
        *("referee", "scenario", "make", "--seed", 'it\'s "odd" #1', "--units", "8", "--men", "80"),
        *("--guns", "2", "--table", "200x300", "--edition", "en", "--edition", "fr"),
    ]
    assert tomllib.loads(text)["format"] == 1


def test_the_ground_follows_from_seed_and_table_alone() -> None:
    """So the same table can be fought over with other armies."""
    first, second = made(units=4), made(units=9, men=120, guns=4, editions=("en",))
    assert first.ground == second.ground
    assert first.units != second.units
    assert first.id != second.id
    assert made("another").ground != first.ground
    assert made(table=(300, 210)).ground != first.ground


@pytest.mark.slow
def test_seeds_give_many_kinds_of_ground() -> None:
    grounds = [made(f"kind {number}").ground for number in range(40)]
    assert {piece.kind for ground in grounds for piece in ground.terrain} == {
        *("hill", "woods", "village", "field", "fence", "wall", "redoubt", "water", "bridge", "ford"),
    }
    assert 10 <= sum(bool(ground.of_kind("water")) for ground in grounds) <= 30
    # No bare plain: a dozen pieces, woods and high ground among them.
    for ground in grounds:
        assert len(ground.terrain) >= 10
        assert ground.of_kind("woods")
        assert ground.of_kind("hill")


def test_the_table_is_free_only_where_an_edition_does_not_know_it() -> None:
    """CC-1.2."""
    assert not made(table=(200, 300)).free_table
    assert not made(table=(300, 250), editions=("fr",)).free_table
    assert made(table=(300, 250), editions=("en",)).free_table
    assert made(table=(250, 250), editions=("fr",)).free_table


def test_where_guns_are_too_many_for_an_edition_it_is_left_out() -> None:
    """CC-1.10: in the French one the cannons of a side share four markers."""
    assert made(units=8, guns=4).editions_ok == ("en", "fr")
    assert made(units=8, guns=5).editions_ok == ("en",)
    with pytest.raises(UsageError, match=r"share 4 shot markers"):
        make_scenario(ScenarioSettings("x", 8, guns=5, editions=("fr",)))


def test_there_are_aides_only_where_every_edition_has_them() -> None:
    """CC-1.8."""
    assert made(editions=("en",)).aides == {RED, BLUE}
    assert made().aides == made(editions=("fr",)).aides == frozenset()


@pytest.mark.parametrize(
    ("wished", "said"),
    [
        ({"seed": " "}, "a seed is a word"),
        ({"seed": "a\nformat = 2"}, "a seed is a word"),
        ({"seed": "x" * 61}, "60 characters"),
        ({"units": 0}, "expected 1 to 20"),
        ({"units": 21}, "expected 1 to 20"),
        ({"units": 1, "guns": 1}, "0 to 0"),
        ({"guns": -1}, "0 to 20"),
        ({"guns": 21}, "0 to 20"),
        ({"men": 3}, "men: 6 units with 1 guns? have"),
        ({"men": 10_000}, "men: 6 units"),
        ({"table": (149, 200)}, "150 to 400 cm along"),
        ({"table": (300, 401)}, "180 to 400 cm between"),
        ({"units": 20, "table": (150, 180)}, "no room side by side"),
        ({"editions": ("de",)}, "no edition 'de'"),
    ],
)
def test_what_cannot_be_made_is_refused_with_its_reason(wished: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        make_scenario(ScenarioSettings(**{"seed": "x", **wished}))


@given(st.data())
def test_men_are_divided_so_that_all_are_there(data: st.DataObject) -> None:
    """CC-1.5, A-08: whatever number of men is possible, each unit has what is possible for it."""
    units = data.draw(st.integers(1, MOST_UNITS))
    guns = data.draw(st.integers(0, min(MOST_GUNS, units // 2 * 10)))
    mustered = muster(Chance(bytes(32)), units, guns)
    assert (mustered.units, sum(mustered.guns)) == (units, guns)
    assert all(1 <= each <= 10 for each in mustered.guns)
    men = data.draw(st.integers(mustered.men(0), mustered.men(2)))
    foot, horse, gunners = strengths(mustered, men)
    assert sum(foot) + sum(horse) + sum(gunners) == men
    for arm, some, times in (
        (INFANTRY, foot, [1] * mustered.foot),
        (CAVALRY, horse, [1] * mustered.horse),
        (ARTILLERY, gunners, mustered.guns),
    ):
        least, _, most = MEN[arm]
        assert len(some) == len(times)
        assert all(
            least * each <= strength <= most * each for strength, each in zip(some, times, strict=True)
        )
    assert max(foot) - min(foot) <= 1


@pytest.mark.parametrize("id", ["cc-guns", "cc-skirmish", "cc-standard"])
def test_a_scenario_that_is_written_is_read_as_it_was(id: str) -> None:
    """E9: with its bases, aides, notes and parapets."""
    assert id in given_scenarios()
    scenario = given_scenario(id)
    assert read(given_text(id)) == scenario
    assert read(write_scenario(scenario, ["A remark."])) == scenario


def test_bases_of_its_own_are_written_one_by_one() -> None:
    """A-18."""
    text = given_text("cc-standard").replace('set = "standard"', 'set = "standard"\nfoot = [1.5, 1.5]')
    scenario = read(text)
    assert (scenario.ground.bases.name, scenario.ground.bases.foot) == ("own", Base(1.5, 1.5))
    assert read(write_scenario(scenario)) == scenario
