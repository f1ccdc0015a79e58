"""The table as a sketch in plain text: one sign is 5 cm wide, one line 10 cm high, north is up (E6).

Red's labels are capitals, Blue's small letters: `I1^` is an infantry unit that looks north, `G` and `D` are general and
aide, `K1` an objective. In a throng labels stand a little aside, or cover each other; the list of units has them all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import shapely

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import RED, id_order
from referee.rulebooks.cards.ground import INSIDE, LINES, Ground, Terrain, TerrainKind
from referee.rulebooks.cards.shapes import Point
from referee.rulebooks.rulebook import Seat

WIDE, HIGH = 5.0, 10.0
"""What one sign stands for, in cm."""
COVERED = 0.4
"""How much of a cell terrain covers to be seen in it."""
ASIDE = 4
"""How many signs a label is moved aside so that it covers no other."""
RULER = 50.0
"""A number above the map every so many cm."""

SIGNS: Mapping[TerrainKind, str] = {
    "hill": "^",
    "woods": "%",
    "field": ":",
    "village": "+",
    "water": "~",
    "bridge": "=",
    "ford": "_",
    "redoubt": "n",
    "trench": "u",
    "fence": "-",
    "wall": "#",
}
"""How each kind of terrain looks, what lies above after what lies below it."""
ARROWS = "^>v<"


def text_map(battle: Battle) -> str:
    """Return the map of a battle as lines of text, the northernmost first, with a ruler above."""
    ground = battle.ground
    rows = _terrain(ground)
    taken: set[tuple[int, int]] = set()
    for at, label in _labels(battle):
        _write(rows, taken, at, label)
    return "\n".join(
        [_ruler(ground), *(f"{row * HIGH:4.0f} {''.join(rows[row])}" for row in reversed(range(len(rows))))]
    )


def _terrain(ground: Ground) -> list[list[str]]:
    """Return the ground's signs, rows from south to north."""
    columns, rows = math.ceil(ground.width / WIDE), math.ceil(ground.height / HIGH)
    signs = [["."] * columns for _ in range(rows)]
    for kind, sign in SIGNS.items():
        for terrain in ground.of_kind(kind):
            for column, row in _cells(terrain, columns, rows):
                signs[row][column] = sign
    return signs


def _cells(terrain: Terrain, columns: int, rows: int) -> Iterator[tuple[int, int]]:
    """Yield the cells that a piece of terrain marks: those it covers to two fifths, of a line those it runs through.

    What is too small for any marks the cell of its own.
    """
    line = terrain.kind in LINES and terrain.thickness is not None
    shape = shapely.LineString(terrain.points) if line else terrain.shape
    west, south, east, north = shapely.bounds(shape)
    found = False
    for row in range(max(int(south / HIGH) - 1, 0), min(int(north / HIGH) + 1, rows)):
        for column in range(max(int(west / WIDE) - 1, 0), min(int(east / WIDE) + 1, columns)):
            cell = shapely.box(column * WIDE, row * HIGH, (column + 1) * WIDE, (row + 1) * HIGH)
            inside = shapely.intersection(shape, cell)
            if (shapely.length(inside) > INSIDE) if line else (shapely.area(inside) >= COVERED * WIDE * HIGH):
                found = True
                yield column, row
    if not found:
        x, y = shapely.get_coordinates(shapely.point_on_surface(terrain.shape))[0]
        yield min(int(x / WIDE), columns - 1), min(int(y / HIGH), rows - 1)


def _labels(battle: Battle) -> Iterator[tuple[Point, str]]:
    """Yield what is written over the ground, in this order: objectives, units, commanders."""
    for objective in battle.ground.objectives:
        yield objective.middle, objective.id
    for unit in sorted(battle.units.values(), key=lambda each: id_order(each.id)):
        arrow = ARROWS[math.floor(unit.bearing / 90 + 0.5) % 4]
        yield unit.place.point, _cased(unit.id[1:], unit.side) + arrow
    for _, commander in sorted(battle.commanders.items()):
        yield commander.point, _cased(commander.id[1], commander.side)


def _cased(label: str, side: Seat) -> str:
    return label.upper() if side == RED else label.lower()


def _write(rows: list[list[str]], taken: set[tuple[int, int]], at: Point, label: str) -> None:
    """Write a label so that its middle is where the thing is, or a little aside where another one stands there."""
    row = min(max(int(at.y / HIGH), 0), len(rows) - 1)
    most = len(rows[row]) - len(label)
    middle = min(max(int(at.x / WIDE) - len(label) // 2, 0), most)
    near = (middle + aside for off in range(ASIDE + 1) for aside in (off, -off))
    free = (
        first
        for first in near
        if 0 <= first <= most and not any((row, first + n) in taken for n in range(len(label)))
    )
    first = next(free, middle)
    for offset, sign in enumerate(label):
        rows[row][first + offset] = sign
        taken.add((row, first + offset))


def _ruler(ground: Ground) -> str:
    each = int(RULER / WIDE)
    marks = [f"{number * RULER:.0f}" for number in range(math.ceil(ground.width / RULER))]
    return (" " * 5 + "".join(mark.ljust(each) for mark in marks)).rstrip()
