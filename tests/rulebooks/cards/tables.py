"""Battles for the tests, laid out in the short notation of the rules' own examples.

`RI1 12m/6f @100,120 b0` is Red's infantry 1: 12 men in 6 files, pivot point at (100,120), bearing 0. Instead of files a
battery has guns: `RA1 5m/1g @50,50 b0`. Then may follow what became of its men, `k1/c3` (bodies, confused; the highest
numbers first in ranks), men by number, `x:1,2` (bodies) `~:3,4` (confused), and roles, `O:3 F:4 D:9`.
A general or an aide is `RG @100,8`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import (
    ARM_LETTERS,
    BLUE,
    BODY,
    CONFUSED,
    RED,
    STANDARD,
    Bases,
    Commander,
    Unit,
    new_unit,
    placed_men,
)
from referee.rulebooks.cards.ground import Ground, Objective, Terrain, TerrainKind
from referee.rulebooks.cards.shapes import Place, Point
from referee.rulebooks.cards.switches import EN, Switches

SIDE = {"R": RED, "B": BLUE}
UNIT = re.compile(
    r"(?P<id>(?P<side>[RB])(?P<arm>[ICA])\d+) (?P<men>\d+)m/(?P<wide>\d+)(?P<what>[fg]) "
    r"@(?P<x>[\d.]+),(?P<y>[\d.]+) b(?P<b>[\d.]+)(?P<rest>.*)"
)
COMMANDER = re.compile(r"(?P<id>(?P<side>[RB])(?P<role>[GD])) @(?P<x>[\d.]+),(?P<y>[\d.]+)")


def unit(text: str, bases: Bases = STANDARD, markers: int = 4) -> Unit:
    """Return the unit that a line of the notation describes."""
    found = UNIT.fullmatch(text)
    assert found, text
    rest = found["rest"].split()
    roles = {number: word[0] for word in rest if re.match("[OFD]:", word) for number in _numbers(word)}
    wide = int(found["wide"])
    place = Place(float(found["x"]), float(found["y"]), float(found["b"]))
    laid = new_unit(
        found["id"],
        SIDE[found["side"]],
        ARM_LETTERS[found["arm"]],
        int(found["men"]),
        place,
        files=wide if found["what"] == "f" else 0,
        cannons=wide if found["what"] == "g" else 0,
        roles=roles,  # type: ignore[arg-type]
        bases=bases,
        markers=markers if found["what"] == "g" else 0,
    )
    for word in rest:
        if word.startswith("x:"):
            laid = placed_men(laid, _numbers(word), BODY)
        elif word.startswith("~:"):
            laid = placed_men(laid, _numbers(word), CONFUSED)
        elif counts := re.fullmatch(r"k(\d+)/c(\d+)", word):
            killed, confused = map(int, counts.groups())
            laid = placed_men(laid, range(1, killed + 1), BODY)
            laid = placed_men(laid, range(killed + 1, killed + confused + 1), CONFUSED)
        else:
            assert re.match("[OFD]:", word), word
    return laid


def _numbers(word: str) -> list[int]:
    return [int(number) for number in word.split(":")[1].split(",")]


def mob(text: str) -> Unit:
    """Return the unit that a line describes with all its living men confused."""
    laid = unit(text)
    return placed_men(laid, [man.number for man in laid.in_ranks], CONFUSED)


def commander(text: str) -> Commander:
    found = COMMANDER.fullmatch(text)
    assert found, text
    role = "general" if found["role"] == "G" else "aide"
    return Commander(found["id"], SIDE[found["side"]], role, float(found["x"]), float(found["y"]))  # type: ignore[arg-type]


def battle(
    *lines: str | Unit,
    switches: Switches = EN,
    terrain: Iterable[Terrain] = (),
    objectives: Iterable[Objective] = (),
    size: tuple[float, float] = (200.0, 300.0),
    bases: Bases = STANDARD,
) -> Battle:
    """Return a battle on an empty table of 200 by 300, with what the lines describe on it."""
    ground = Ground(*size, tuple(terrain), tuple(objectives), bases)
    laid = Battle(switches, ground)
    for line in lines:
        if isinstance(line, Unit):
            laid = laid.with_units(line)
        elif COMMANDER.fullmatch(line):
            laid = laid.with_commanders(commander(line))
        else:
            shared = switches.markers.how == "per_side"
            laid = laid.with_units(unit(line, bases, 0 if shared else switches.markers.number))
    return laid


def bound(laid: Battle, *pairs: tuple[str, str]) -> Battle:
    """Return the battle with these pairs of units engaged."""
    for one, other in pairs:
        for here, there in ((one, other), (other, one)):
            mine = laid.units[here]
            laid = laid.with_units(replace(mine, bound_to=(*mine.bound_to, there)))
    return laid


def area(kind: TerrainKind, west: float, south: float, east: float, north: float, **more: object) -> Terrain:
    """Return a rectangle of terrain."""
    return Terrain("T", kind, kind, box(west, south, east, north), **more)  # type: ignore[arg-type]


def objective(id: str, west: float, south: float, east: float, north: float) -> Objective:
    """Return a rectangular objective."""
    return Objective(id, id, box(west, south, east, north))


def box(west: float, south: float, east: float, north: float) -> tuple[Point, ...]:
    return Point(west, south), Point(east, south), Point(east, north), Point(west, north)


def at(thing: Unit | Commander) -> tuple[float, float]:
    """Return where a unit or commander stands."""
    return thing.x, thing.y


def counts(thing: Unit) -> str:
    """Return a unit's men as the examples write them: k1/c3/r8."""
    return f"k{len(thing.bodies)}/c{len(thing.confused)}/r{len(thing.in_ranks)}"
