"""The umpire's ruler: distances, front zones, who faces whom (CC-1.17 to CC-1.19)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import shapely

from referee.rulebooks.cards.figures import Commander, Man, Unit
from referee.rulebooks.cards.shapes import TINY, Coordinates, Place, Point, rounded, seen_from


def distance(one: Unit, other: Unit) -> float:
    """Return R of the least distance between the bases of two units' living men (CC-1.17, A-03)."""
    return rounded(float(shapely.distance(one.formation.living_shape, other.formation.living_shape)))


def distance_to_ranks(one: Unit, other: Unit) -> float:
    """Return R of the distance from a unit's living men to another's men in ranks, as rallies measure it (A-03)."""
    return rounded(float(shapely.distance(one.formation.living_shape, other.formation.ranks_shape)))


def distance_with_bodies(one: Unit, other: Unit) -> float:
    """Return R of the distance between two engaged units: the bodies lying there count like living men (A-91)."""
    return rounded(float(shapely.distance(_with_bodies(one), _with_bodies(other))))


def _with_bodies(unit: Unit) -> shapely.Geometry:
    return (
        unit.formation.covering((*unit.living, *unit.bodies)) if unit.bodies else unit.formation.living_shape
    )


def distance_to_commander(commander: Commander, unit: Unit) -> float:
    """Return R of the distance from a commander's disc to the nearest living man's base (CC-5.5)."""
    off = float(shapely.distance(commander.shape, unit.formation.living_shape)) - unit.bases.commander
    return rounded(max(off, 0.0))


def distance_to_men(point: Point, unit: Unit, men: Iterable[Man]) -> float:
    """Return R of the distance from a point, an axle, to the nearest base of these men."""
    return rounded(float(shapely.distance(shapely.Point(point), unit.formation.covering(men))))


def in_zone(front: tuple[float, float, float], seen: Coordinates) -> np.typing.NDArray[np.bool_]:
    """Return for each point, as the unit sees it, whether it is in the zone ahead of this front edge (CC-1.18)."""
    edge, left, right = front
    ahead = seen[..., 1] - edge
    reach = ahead + TINY
    return (ahead >= -TINY) & (seen[..., 0] >= left - reach) & (seen[..., 0] <= right + reach)


def shown_men(unit: Unit) -> tuple[Man, ...]:
    """Return the men by whom a unit is faced: those in ranks, a mob's living men (CC-1.19)."""
    return unit.in_ranks or unit.living


def faces(one: Unit, other: Unit) -> bool:
    """Return whether one unit faces another: a man of it is in its front zone (CC-1.19). A mob faces nobody."""
    if not one.in_ranks:
        return False
    return bool(
        in_zone(one.formation.front, seen_from(one.place, other.formation.centres(shown_men(other)))).any()
    )


def facing_each_other(one: Unit, other: Unit) -> bool:
    """Return whether two units face each other (A-22)."""
    return faces(one, other) and faces(other, one)


def in_arc(gun: Place, point: Point) -> bool:
    """Return whether a point lies within 45 degrees of a cannon's bearing, lines included (CC-6.3)."""
    seen = gun.seen(point)
    return seen.y >= abs(seen.x) - TINY and seen.y > -TINY
