"""Centimetres and bearings: how positions are kept, distances read, and bases laid on the table (CC-1.15 to CC-1.17).

x runs east, y north, bearings clockwise from north in degrees. Whatever is kept is rounded, and whatever is compared
is rounded or has a tolerance, so that the last digit of a machine's arithmetic never decides anything.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import shapely
from shapely import Geometry

STEP = 0.1
"""Moves are walked in steps of this length (A-01)."""

TINY = 1e-7
"""Tolerance of zones, arcs and of reading a distance."""

Coordinates: TypeAlias = npt.NDArray[np.float64]
"""Points as rows of x and y."""


class Point(NamedTuple):
    """A place on the table, in cm."""

    x: float
    y: float


class Place(NamedTuple):
    """Where something stands and which way it looks. The point is a unit's pivot point (CC-3.4, CC-3.5)."""

    x: float
    y: float
    bearing: float

    @property
    def point(self) -> Point:
        return Point(self.x, self.y)

    def ahead(self, cm: float) -> Place:
        """Return the place so far straight ahead, as it would be kept."""
        return self.towards(self.bearing, cm)

    def towards(self, bearing: float, cm: float) -> Place:
        """Return the place so far on a bearing, looking as before, as it would be kept."""
        across, up = direction(bearing)
        return Place(kept(self.x + cm * across), kept(self.y + cm * up), self.bearing)

    def at(self, u: float, v: float) -> Point:
        """Return the point u to the right and v ahead of here, not rounded."""
        sine, cosine = direction(self.bearing)
        return Point(self.x + u * cosine + v * sine, self.y - u * sine + v * cosine)

    def seen(self, point: Point) -> Point:
        """Return a point as seen from here: how far to the right, how far ahead."""
        sine, cosine = direction(self.bearing)
        east, north = point[0] - self.x, point[1] - self.y
        return Point(east * cosine - north * sine, east * sine + north * cosine)


class Base(NamedTuple):
    """A rectangular base in cm: along the front, and from front to rear."""

    front: float
    depth: float


def kept(cm: float) -> float:
    """Return a coordinate as it is kept, to 0.01 cm, half up."""
    return math.floor(cm * 100 + 0.5 + TINY) / 100


def rounded(cm: float) -> float:
    """Return R(d), a distance as it is read off: to 0.1 cm, half up (CC-1.17)."""
    return math.floor(cm * 10 + 0.5 + TINY) / 10


def tenths(cm: float) -> int:
    """Return how many whole steps of 0.1 cm a length has (A-01)."""
    return math.floor(cm * 10 + TINY)


def bearing_kept(degrees: float) -> float:
    """Return a bearing as it is kept: to 0.1 degree, from 0 up to 359.9."""
    return math.floor(degrees * 10 + 0.5 + TINY) % 3600 / 10


def turned(bearing: float, degrees: float) -> float:
    """Return a bearing turned clockwise."""
    return bearing_kept(bearing + degrees)


def between(one: float, other: float) -> float:
    """Return the angle between two bearings, 0 to 180 degrees."""
    apart = abs(one - other) % 360
    return min(apart, 360 - apart)


def bearing_to(start: Point, end: Point) -> float | None:
    """Return the bearing from a point to another, as it is kept; None where they are the same."""
    east, north = end[0] - start[0], end[1] - start[1]
    if east == north == 0:
        return None
    return bearing_kept(math.degrees(math.atan2(east, north)))


@lru_cache(maxsize=3600)
def direction(bearing: float) -> tuple[float, float]:
    """Return sine and cosine of a bearing: one cm ahead is so far east and north.

    To ten digits, which are the same on every machine; the sixteenth is not.
    """
    angle = math.radians(bearing)
    return round(math.sin(angle), 10), round(math.cos(angle), 10)


def apart(one: Point, other: Point) -> float:
    """Return the distance of two points, not rounded."""
    return math.sqrt((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


@lru_cache(maxsize=4096)
def laid_out(pieces: tuple[tuple[float, float, Base], ...]) -> Geometry:
    """Return what rectangles cover together. pieces: centre (right, ahead) and base, as their unit sees them."""
    boxes = [
        shapely.box(u - b.front / 2, v - b.depth / 2, u + b.front / 2, v + b.depth / 2) for u, v, b in pieces
    ]
    together = shapely.union_all(boxes)
    # Whole cells side by side are one rectangle: the fewer its corners, the faster everything is measured.
    shapely.prepare(outline := shapely.simplify(together, 0))
    return outline


def placed(local: Geometry, place: Place) -> Geometry:
    """Return a shape that is given as its unit sees it (right, ahead) as it lies on the table."""
    sine, cosine = direction(place.bearing)

    def lie(points: Coordinates) -> Coordinates:
        u, v = points[:, 0], points[:, 1]
        return np.column_stack((place.x + u * cosine + v * sine, place.y - u * sine + v * cosine))

    return shapely.transform(local, lie)


def shifted(shape: Geometry, east: float, north: float) -> Geometry:
    """Return a shape moved without turning."""
    return shapely.transform(shape, lambda points: points + np.array((east, north)))


def seen_from(place: Place, points: Sequence[Point]) -> Coordinates:
    """Return points as seen from a place, one row each: how far to the right, how far ahead."""
    sine, cosine = direction(place.bearing)
    table = np.array(points, dtype=np.float64).reshape(-1, 2) - (place.x, place.y)
    return np.column_stack(
        (table[:, 0] * cosine - table[:, 1] * sine, table[:, 0] * sine + table[:, 1] * cosine)
    )
