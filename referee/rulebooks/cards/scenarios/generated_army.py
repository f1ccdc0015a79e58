"""Armies of made-up scenarios: how many men go to which units, and how these stand on their back line.

Both sides have the same units, and Blue's stand as Red's do, turned half around (CC-1.5, CC-1.6).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import shapely

from referee.common.chance import Chance
from referee.rulebooks.cards.figures import (
    ARTILLERY,
    BLUE,
    CAVALRY,
    INFANTRY,
    RED,
    Arm,
    Commander,
    Role,
    Unit,
    new_unit,
)
from referee.rulebooks.cards.scenarios.generated_shapes import Lots
from referee.rulebooks.cards.shapes import Place, bearing_kept, kept

MEN: dict[Arm, tuple[int, int, int]] = {INFANTRY: (4, 12, 40), CAVALRY: (4, 8, 24), ARTILLERY: (2, 4, 6)}
"""Men of a unit, and gunners of a gun: at the least, as recommended (A-08), and at the most."""
MOST_UNITS, MOST_GUNS, MOST_OF_A_BATTERY = 20, 20, 10
MOST_FILES: dict[Arm, int] = {INFANTRY: 8, CAVALRY: 6}
"""So many files and no more, for that is how broad bridges are."""
MOST_RANKS = 5
GAP_TO_BACK_LINE = 1.0
BETWEEN_LEAST, BETWEEN_MOST = 4.0, 26.0
"""How far units stand apart, in cm."""
OFF_SIDES = 6.0
FOR_THE_GENERAL = 13.0
"""How much of the line is left to the general and his aide."""
LETTERS: dict[Arm, str] = {INFANTRY: "I", CAVALRY: "C", ARTILLERY: "A"}


@dataclass(frozen=True, slots=True)
class Muster:
    """How many units of each arm a side has. guns: of each battery."""

    foot: int
    horse: int
    guns: tuple[int, ...]

    @property
    def units(self) -> int:
        return self.foot + self.horse + len(self.guns)

    def men(self, level: int) -> int:
        """Return how many men these units have at the least (0), as recommended (1), and at the most (2)."""
        gunners = MEN[ARTILLERY][level] * sum(self.guns)
        return MEN[INFANTRY][level] * self.foot + MEN[CAVALRY][level] * self.horse + gunners


def muster(chance: Chance, units: int, guns: int) -> Muster:
    """Return what arms a side's units are of. guns: a third of the units are batteries at the most, as long as ten guns
    for each are enough.

    units: two at the least where there are guns.
    """
    batteries = min(guns, max(units // 3, math.ceil(guns / MOST_OF_A_BATTERY)))
    each = tuple(guns // batteries + (number < guns % batteries) for number in range(batteries))
    rest = units - batteries
    horse = Lots(chance, "horse").between(rest // 4, (rest + 1) // 3)
    return Muster(rest - horse, horse, each)


def strengths(mustered: Muster, men: int) -> tuple[list[int], list[int], list[int]]:
    """Return how many men each unit of foot, each of horse and each battery has. men: what is possible."""
    places: list[tuple[Arm, int]] = [
        *[(INFANTRY, 1)] * mustered.foot,
        *[(CAVALRY, 1)] * mustered.horse,
        *[(ARTILLERY, guns) for guns in mustered.guns],
    ]
    least, usual, most = ([MEN[arm][level] * times for arm, times in places] for level in range(3))
    level = 0 if men < sum(usual) else 1
    low, high = (least, usual) if level == 0 else (usual, most)
    given = [*low]
    room = [top - bottom for bottom, top in zip(low, high, strict=True)]
    over = men - sum(given)
    shares = [over * each // max(1, sum(room)) for each in room]
    given = [a + b for a, b in zip(given, shares, strict=True)]
    # What is left over goes man by man to the first units that have room.
    for index in range(len(given)):
        spare = min(high[index] - given[index], 1, men - sum(given))
        given[index] += spare
    first, second = mustered.foot, mustered.foot + mustered.horse
    return given[:first], given[first:second], given[second:]


def drawn_up(
    chance: Chance, mustered: Muster, men: int, width: int, height: int
) -> tuple[tuple[Unit, ...], tuple[Commander, ...]] | None:
    """Return both armies on their back lines, and their generals; None where they have no room side by side."""
    order = _in_line(Lots(chance, "line"), mustered)
    for ranks in range(2, MOST_RANKS + 1):
        units = {unit.id: unit for unit in _units(mustered, men, ranks)}
        line = [units.get(id) for id in order]
        if (placed := _placed(line, width)) is not None:
            red, general = placed
            blue = [_other(unit, width, height) for unit in red]
            x, y = kept(width - general.x), kept(height - general.y)
            return (*red, *blue), (general, Commander("BG", BLUE, "general", x, y))
    return None


def _in_line(lots: Lots, mustered: Muster) -> list[str]:
    """Return the ids of Red's units from left to right; an empty one is the general's place."""
    foot = [f"RI{number}" for number in range(1, mustered.foot + 1)]
    for number in range(len(mustered.guns)):
        # Batteries stand between the foot, as evenly as may be.
        every = (number + 1) * (mustered.foot + len(mustered.guns)) // (len(mustered.guns) + 1)
        foot.insert(every, f"RA{number + 1}")
    foot.insert((len(foot) + 1) // 2, "")
    horse = [f"RC{number}" for number in range(1, mustered.horse + 1)]
    left = lots.one((len(horse) // 2, (len(horse) + 1) // 2, 0, len(horse)))
    return [*horse[:left], *foot, *horse[left:]]


def _units(mustered: Muster, men: int, ranks: int) -> Iterator[Unit]:
    """Yield Red's units, not placed yet."""
    foot, horse, gunners = strengths(mustered, men)
    for arm, some in ((INFANTRY, foot), (CAVALRY, horse)):
        for number, strength in enumerate(some, start=1):
            files = min(MOST_FILES[arm], math.ceil(strength / ranks))
            id = f"R{LETTERS[arm]}{number}"
            yield new_unit(id, RED, arm, strength, _NOWHERE, files=files, roles=_roles(strength, files))
    for number, (strength, guns) in enumerate(zip(gunners, mustered.guns, strict=True), start=1):
        yield new_unit(f"RA{number}", RED, ARTILLERY, strength, _NOWHERE, cannons=guns, roles={strength: "O"})


def _roles(men: int, files: int) -> dict[int, Role]:
    """An officer and a flag in the middle of the front rank, a musician behind them."""
    officer = max(1, files // 2)
    roles: dict[int, Role] = {officer: "O"}
    if files > 1:
        roles[officer + 1] = "F"
    if (musician := officer + files) <= men and musician not in roles:
        roles[musician] = "D"
    return roles


_NOWHERE = Place(0.0, 0.0, 0.0)


def _placed(line: list[Unit | None], width: int) -> tuple[list[Unit], Commander] | None:
    """Return Red's units side by side on the south edge, and their general; None where they have no room."""
    boxes = [
        None if unit is None else [*map(float, shapely.bounds(unit.formation.footprint))] for unit in line
    ]
    breadths = [FOR_THE_GENERAL if box is None else box[2] - box[0] for box in boxes]
    free = width - 2 * OFF_SIDES - sum(breadths)
    gap = min(BETWEEN_MOST, math.floor(2 * free / max(1, len(line) - 1)) / 2)
    if gap < BETWEEN_LEAST and len(line) > 1:
        return None
    west = (width - sum(breadths) - gap * (len(line) - 1)) / 2
    units, general = [], None
    for unit, box, broad in zip(line, boxes, breadths, strict=True):
        if unit is None or box is None:
            general = Commander("RG", RED, "general", _half(west + broad / 2), 4.0)
        else:
            units.append(replace(unit, x=_half(west - box[0]), y=kept(GAP_TO_BACK_LINE - box[1])))
        west += broad + gap
    assert general is not None
    return units, general


def _half(cm: float) -> float:
    """Return a place that can be laid out with a ruler: in halves of a cm."""
    return math.floor(2 * cm + 0.5) / 2


def _other(unit: Unit, width: int, height: int) -> Unit:
    """Return the unit of Blue that stands as this one of Red does, turned half around."""
    cannons = tuple(replace(gun, id="B" + gun.id[1:]) for gun in unit.cannons)
    return replace(
        unit,
        id="B" + unit.id[1:],
        side=BLUE,
        x=kept(width - unit.x),
        y=kept(height - unit.y),
        bearing=bearing_kept(unit.bearing + 180),
        cannons=cannons,
    )
