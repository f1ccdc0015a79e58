"""The table a battle is fought on: its size, its terrain, its objectives (CC-1.2, CC-1.3, E9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import shapely
from shapely import Geometry

from referee.rulebooks.cards.figures import BASES, RED, Bases
from referee.rulebooks.cards.shapes import Base, Coordinates, Point
from referee.rulebooks.rulebook import Json, Seat

TerrainKind = Literal[
    "hill", "woods", "village", "field", "fence", "wall", "redoubt", "trench", "water", "bridge", "ford"
]
LINES: tuple[TerrainKind, ...] = ("wall", "fence")
"""What may be drawn as a line with a thickness."""

INSIDE = 1e-6
"""Tolerance of a point in a polygon: on the edge is inside."""
EDGE = 0.01 + INSIDE
"""Tolerance of the dry ground: kept positions are rounded to 0.01, and that much over the edge is on it."""


@dataclass(frozen=True)
class Terrain:
    """A piece of terrain. points: a ring, not closed; or a line with its thickness. parapet: a line, of a redoubt."""

    id: str
    name: str
    kind: TerrainKind
    points: tuple[Point, ...]
    thickness: float | None = None
    parapet: tuple[Point, ...] = ()
    note: str = ""

    @cached_property
    def shape(self) -> Geometry:
        """What it covers; a line is half its thickness wide on either side, with flat ends."""
        if self.thickness is None:
            return shapely.Polygon(self.points)
        return shapely.buffer(shapely.LineString(self.points), self.thickness / 2, cap_style="flat")

    @cached_property
    def inside(self) -> Geometry:
        """Its shape, for points: on the edge is inside."""
        return _prepared(shapely.buffer(self.shape, INSIDE))

    def holds(self, point: Point) -> bool:
        """Return whether a point is on it, the edge included."""
        return bool(shapely.intersects_xy(self.inside, *point))


@dataclass(frozen=True)
class Objective:
    """One of the four objectives. points: a ring, not closed. on: the terrain it lies on, for information."""

    id: str
    name: str
    points: tuple[Point, ...]
    on: str = ""

    @cached_property
    def shape(self) -> Geometry:
        return shapely.Polygon(self.points)

    @cached_property
    def inside(self) -> Geometry:
        """Its shape, for base centres: on the edge is inside (CC-8.2)."""
        return _prepared(shapely.buffer(self.shape, INSIDE))

    @cached_property
    def middle(self) -> Point:
        centroid = shapely.centroid(self.shape)
        return Point(centroid.x, centroid.y)

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """The bounds of its inside: west, south, east, north."""
        west, south, east, north = map(float, shapely.bounds(self.inside))
        return west, south, east, north

    def holds(self, point: Point) -> bool:
        """Return whether a base centre is inside, the edge included."""
        return bool(shapely.intersects_xy(self.inside, *point))

    def holds_any(self, points: Coordinates, around: tuple[float, float, float, float]) -> bool:
        """Return whether one of these base centres is inside. around: their bounds, for mostly all are far off."""
        west, south, east, north = self.box
        w, s, e, n = around
        if west > e or east < w or south > n or north < s:
            return False
        return bool(shapely.intersects_xy(self.inside, points[:, 0], points[:, 1]).any())


@dataclass(frozen=True)
class Ground:
    """The table, x from 0 to width and y from 0 to height. Back lines are the edges y = 0 and y = height.

    south: the side whose back line is y = 0.
    """

    width: float
    height: float
    terrain: tuple[Terrain, ...] = ()
    objectives: tuple[Objective, ...] = ()
    bases: Bases = BASES["standard"]
    south: Seat = RED
    grid: float = 10.0
    deploy_depth: float = 30.0
    deploy_gap: float = 2.0

    @cached_property
    def table(self) -> Geometry:
        return shapely.box(0, 0, self.width, self.height)

    @cached_property
    def dry(self) -> Geometry:
        """The table without water, bridges and fords being dry (CC-3.21)."""
        water = [each.shape for each in self.terrain if each.kind == "water"]
        crossings = [each.shape for each in self.terrain if each.kind in ("bridge", "ford")]
        wet = shapely.difference(shapely.union_all(water), shapely.union_all(crossings))
        return shapely.difference(self.table, wet)

    @cached_property
    def footing(self) -> Geometry:
        """Where a footprint may lie: dry ground with its tolerance."""
        return _prepared(shapely.buffer(self.dry, EDGE, join_style="mitre"))

    @cached_property
    def no_footing(self) -> Geometry:
        """All around the footing, far beyond the edge: how far off it is tells how far one may go."""
        around = shapely.box(-200, -200, self.width + 200, self.height + 200)
        return _prepared(shapely.difference(around, self.footing))

    @cached_property
    def thick(self) -> Geometry:
        """Woods and villages, through which one does not see far (CC-6.20)."""
        return shapely.union_all([each.shape for each in self.of_kind("woods", "village")])

    def over_edge(self, shape: Geometry) -> bool:
        """Return whether a shape lies over the edge of the table (CC-3.20)."""
        west, south, east, north = shapely.bounds(shape)
        return bool(west < -EDGE or south < -EDGE or east > self.width + EDGE or north > self.height + EDGE)

    def back_line(self, side: Seat) -> float:
        """Return the y of a side's own back line."""
        return 0.0 if side == self.south else self.height

    def homeward(self, side: Seat) -> float:
        """Return the bearing that leads straight to a side's own back line."""
        return 180.0 if side == self.south else 0.0

    def objective(self, id: str) -> Objective:
        """Return the objective of this id. Raises KeyError where there is none."""
        return {each.id: each for each in self.objectives}[id]

    def of_kind(self, *kinds: TerrainKind) -> tuple[Terrain, ...]:
        """Return all terrain of these kinds, in its order."""
        return tuple(each for each in self.terrain if each.kind in kinds)


def _prepared(shape: Geometry) -> Geometry:
    shapely.prepare(shape)
    return shape


# --- as plain data


def write_ground(ground: Ground) -> dict[str, Json]:
    """Return a ground as plain data; `read_ground` gives it back."""
    return {
        "size": [ground.width, ground.height],
        "terrain": [
            {
                "id": each.id,
                "name": each.name,
                "kind": each.kind,
                "points": _write_points(each.points),
                "thickness": each.thickness,
                "parapet": _write_points(each.parapet),
                "note": each.note,
            }
            for each in ground.terrain
        ],
        "objectives": [
            {"id": each.id, "name": each.name, "points": _write_points(each.points), "on": each.on}
            for each in ground.objectives
        ],
        "bases": {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in ground.bases._asdict().items()
        },
        "south": ground.south,
        "grid": ground.grid,
        "deploy": [ground.deploy_depth, ground.deploy_gap],
    }


def read_ground(plain: Mapping[str, Json]) -> Ground:
    """Return the ground that `write_ground` wrote."""
    bases = plain["bases"]
    sizes = {name: Base(*bases[name]) for name in ("foot", "horse", "gunner", "cannon")}
    width, height = plain["size"]
    depth, gap = plain["deploy"]
    return Ground(
        width,
        height,
        tuple(
            Terrain(
                **{**each, "points": _read_points(each["points"]), "parapet": _read_points(each["parapet"])}
            )
            for each in plain["terrain"]
        ),
        tuple(Objective(**{**each, "points": _read_points(each["points"])}) for each in plain["objectives"]),
        Bases(name=bases["name"], commander=bases["commander"], **sizes),
        Seat(plain["south"]),
        plain["grid"],
        depth,
        gap,
    )


def _write_points(points: tuple[Point, ...]) -> list[list[float]]:
    return [list(point) for point in points]


def _read_points(plain: list[list[float]]) -> tuple[Point, ...]:
    return tuple(Point(*point) for point in plain)
