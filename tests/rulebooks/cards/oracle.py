"""A second reading of two rules, from their words and in plain arithmetic: bases are rectangles, commanders are discs.

It measures with no line of the referee's own: it takes from a unit where its men stand and how large their bases are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from referee.rulebooks.cards.figures import Commander, Unit

Spot = tuple[float, float]
RADIUS = 1.5
"""Of a commander's disc (CC-1.15)."""


def bases(unit: Unit) -> list[list[Spot]]:
    """Return the four corners of the base of each living man."""
    b = math.radians(unit.bearing)
    right, ahead = (math.cos(b), -math.sin(b)), (math.sin(b), math.cos(b))
    half = unit.base.front / 2, unit.base.depth / 2
    return [
        [
            (
                x + across * half[0] * right[0] + along * half[1] * ahead[0],
                y + across * half[0] * right[1] + along * half[1] * ahead[1],
            )
            for across, along in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        for x, y in unit.formation.centres(unit.living)
    ]


def apart(one: Unit, other: Unit) -> float:
    """Return the least distance between two units' living men, read to 0.1 cm, half up (CC-1.17)."""
    return read(min(_between(a, b) for a in bases(one) for b in bases(other)))


def read(cm: float) -> float:
    return math.floor(10 * cm + 0.5 + 1e-7) / 10


def gap(commander: Commander, unit: Unit) -> float:
    """Return how far a commander's disc is from a unit's living men; below 0 where a base lies on it."""
    return min(_to_base((commander.x, commander.y), base) for base in bases(unit)) - RADIUS


def _between(one: list[Spot], other: list[Spot]) -> float:
    """Return the distance of two rectangles that lie apart: a corner of one is nearest to the other."""
    return min(*(_to_base(corner, other) for corner in one), *(_to_base(corner, one) for corner in other))


def _to_base(spot: Spot, base: list[Spot]) -> float:
    """Return the distance of a point from a rectangle; 0 inside."""
    sides = [*zip(base, (*base[1:], base[0]), strict=True)]
    if all((b[0] - a[0]) * (spot[1] - a[1]) >= (b[1] - a[1]) * (spot[0] - a[0]) for a, b in sides):
        return 0.0
    return min(_to_side(spot, a, b) for a, b in sides)


def _to_side(spot: Spot, a: Spot, b: Spot) -> float:
    wide, high = b[0] - a[0], b[1] - a[1]
    along = ((spot[0] - a[0]) * wide + (spot[1] - a[1]) * high) / (wide * wide + high * high)
    along = min(1.0, max(0.0, along))
    return math.dist(spot, (a[0] + along * wide, a[1] + along * high))


def alarmed_by(mover: Unit, before: Unit, mobs: Iterable[Unit], alarm: float) -> list[str]:
    """Return the mobs that a move or a change of formation alarms (CC-4.4, A-38). before: the unit as it began."""
    if not mover.in_ranks:
        return []
    return [mob.id for mob in mobs if apart(mover, mob) < alarm and apart(mover, mob) < apart(before, mob)]
