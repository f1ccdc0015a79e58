"""Ground drawn by lot: hills, woods, fields, a stream with its crossings, and four objectives (CC-1.3, CC-1.4).

Whatever lies on it lies there twice, the second time turned half around the middle of the table, so that neither side
has the better of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from referee.common.chance import Chance
from referee.rulebooks.cards.ground import Objective, Terrain, TerrainKind
from referee.rulebooks.cards.scenarios import generated_shapes
from referee.rulebooks.cards.scenarios.generated_names import Names
from referee.rulebooks.cards.scenarios.generated_room import Room, Spot
from referee.rulebooks.cards.scenarios.generated_shapes import HILL, VILLAGE, WOODS, Look, Lots
from referee.rulebooks.cards.scenarios.generated_stream import Stream
from referee.rulebooks.cards.shapes import Point

ATTEMPTS = 40
BACK_LINE_MARGIN = 42
"""No objective comes nearer to a back line: two more than it must be (CC-1.4)."""
CLEAR_OF_ARMIES = 35
"""No terrain comes nearer to a back line than that, so that armies have the whole zone to stand in."""
AREA_OF_A_PAIR = 8_000
"""There is a pair of pieces for so many square cm, besides the objectives and the middle."""
LEAST_FOR_A_STREAM = (160, 180)
"""A smaller table has none."""

_LOOKS: Mapping[TerrainKind, Look] = {"hill": HILL, "woods": WOODS, "village": VILLAGE}
_REACHES: Mapping[TerrainKind, tuple[int, int]] = {
    "hill": (17, 30),
    "woods": (16, 29),
    "village": (12, 17),
    "field": (15, 22),
    "wall": (11, 18),
    "fence": (11, 18),
    "redoubt": (15, 17),
}
_THICKNESS: Mapping[TerrainKind, float] = {"wall": 1.0, "fence": 0.5}
_BROAD: Mapping[TerrainKind, int] = {"bridge": 16, "ford": 14}
_CROSSED: Mapping[TerrainKind, str] = {
    "bridge": "wide enough for eight files of foot, or six of horse",
    "ford": "wide enough for seven files of foot, or five of horse",
}
# What stands here twice is drawn twice as often.
_WORTH_HOLDING: tuple[TerrainKind, ...] = ("hill", "hill", "village", "village", "field", "woods", "redoubt")
_NEEDED: tuple[TerrainKind, ...] = ("woods", "hill", "field")
_SCATTERED: tuple[TerrainKind, ...] = (
    "woods", "woods", "woods", "hill", "hill", "field", "field", "field", "wall", "fence", "village",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MadeGround:
    """What lies on a table. stream: its name; empty where there is none."""

    terrain: tuple[Terrain, ...]
    objectives: tuple[Objective, ...]
    stream: str


def lay_ground(chance: Chance, width: int, height: int) -> MadeGround | None:
    """Return ground for a table, back lines south and north; None where four objectives found no room on it."""
    for attempt in range(ATTEMPTS):
        # What found no room is tried again, and smaller after a while.
        laying = _Laying(width, height, Lots(chance, f"ground {attempt}"), smaller=attempt // 4)
        if (made := laying.lay()) is not None:
            return made
    return None


class _Laying:
    """Ground that is being laid."""

    def __init__(self, width: int, height: int, lots: Lots, smaller: int) -> None:
        self.width, self.height = width, height
        self.lots = lots
        self.smaller = smaller
        self.names = Names(lots)
        self.room = Room(width, height, lots)
        self.terrain: list[Terrain] = []
        self.objectives: list[Terrain] = []
        self._number = 0

    def lay(self) -> MadeGround | None:
        stream = ""
        least_width, least_height = LEAST_FOR_A_STREAM
        large_enough = self.width >= least_width and self.height >= least_height
        if large_enough and self.lots.one((True, False)):
            stream = self._lay_stream()
        else:
            self._lay_middle()
        held = tuple(dict.fromkeys(self.lots.shuffled(_WORTH_HOLDING)))
        for kind in held[: 1 if stream else 2]:
            if not self._lay_objectives(kind):
                return None
        self._scatter()
        objectives = tuple(
            Objective(f"K{number}", each.name, each.points, each.id)
            for number, each in enumerate(self.objectives, start=1)
        )
        return MadeGround(tuple(self.terrain), objectives, stream)

    # --- the middle of the table

    def _lay_stream(self) -> str:
        """Lay a stream across the table, two bridges over it, and where there is room fords; return its name."""
        stream = self.room.stream = Stream.drawn(self.lots, self.width, self.height)
        name = self.names.of("water")
        note = "crossed on bridges and fords alone"
        self.terrain.append(Terrain(self._id(), name, "water", stream.outline(), note=note))
        bridge = self.lots.between(max(20, self.width // 8), (self.width - 60) // 2)
        self._cross(stream, "bridge", bridge)
        if self.width - 2 * bridge >= 90:
            self._cross(stream, "ford", self.width / 2)
        elif bridge >= 70:
            self._cross(stream, "ford", bridge // 2 - 5)
        return name

    def _cross(self, stream: Stream, kind: TerrainKind, x: float) -> None:
        """Lead a bridge or a ford across, and another one at the other end; bridges are objectives."""
        crossing = stream.crossing(x, _BROAD[kind])
        spot = Spot(x, (crossing[0].y + crossing[2].y) / 2, 16, objective=kind == "bridge")
        piece = Terrain(self._id(), self.names.of(kind), kind, crossing, note=_CROSSED[kind])
        self._add_with_other(piece, spot)

    def _lay_middle(self) -> None:
        """Lay something on the middle of the table that is the same when it is turned half around, or nothing."""
        kind: TerrainKind | None = self.lots.one(("hill", "woods", "field", "village", None))
        if kind is None:
            return
        reach = self._reach(kind)
        if kind == "field":
            ring = generated_shapes.four_sided(self.lots, reach, even=True)
        else:
            ring = generated_shapes.rounded_outline(self.lots, reach, _LOOKS[kind], even=True)
        spot = Spot(self.width / 2, self.height / 2, reach + 1)
        self._add_with_other(Terrain(self._id(), self.names.of(kind), kind, _at(ring, spot)), spot)

    # --- pieces that lie there twice

    def _lay_objectives(self, kind: TerrainKind) -> bool:
        """Lay a pair of objectives of a kind; tell whether there was room. Of the first pair each side has one near."""
        fair = min(19, self.width // 11, (self.height - 2 * BACK_LINE_MARGIN) // 6)
        reach = self._reach(kind, most=max(8, fair - self.smaller))
        low = BACK_LINE_MARGIN + reach
        near = kind == "redoubt" or not self.objectives
        high = max(low, self.height * 42 // 100) if near else self.height - low
        spot = self.room.find(reach + 1, (low, high), objective=True)
        if spot is not None:
            self._lay_pair(kind, spot)
        return spot is not None

    def _scatter(self) -> None:
        """Lay what is there besides: what it needs before anything else, for without that it is a bare plain."""
        kinds = {piece.kind for piece in self.terrain}
        some = [*(kind for kind in _NEEDED if kind not in kinds), *self.lots.shuffled(_SCATTERED)]
        for kind in some[: max(2, self.width * self.height // AREA_OF_A_PAIR)]:
            # What finds no room is tried once more as small as its kind is, and then smaller still.
            least = _REACHES[kind][0]
            for most in (99, least, least * 2 // 3):
                reach = self._reach(kind, most)
                low = CLEAR_OF_ARMIES + reach
                if (spot := self.room.find(reach + 1, (low, self.height - low))) is not None:
                    self._lay_pair(kind, spot)
                    break

    def _lay_pair(self, kind: TerrainKind, spot: Spot) -> None:
        """Lay a piece of a kind, and the same turned half around."""
        reach = spot.reach - 1
        piece = Terrain(self._id(), self.names.of(kind), kind, (), _THICKNESS.get(kind))
        if kind in _LOOKS:
            points = generated_shapes.rounded_outline(self.lots, reach, _LOOKS[kind])
        elif kind == "field":
            points = generated_shapes.four_sided(self.lots, reach)
        elif kind == "redoubt":
            points = generated_shapes.redoubt(reach)
            piece = replace(piece, parapet=_at(points, spot), note="open to its own side")
        else:
            points = generated_shapes.bent_line(self.lots, reach)
        piece = replace(piece, points=_at(points, spot))
        self._add_with_other(piece, spot)
        if kind == "field":
            self._enclose(piece, self.terrain[-1], held=spot.objective)

    def _enclose(self, piece: Terrain, other: Terrain, *, held: bool) -> None:
        """Put a wall or a fence around a field and its other, with a gate; or leave them open.

        held: it is an objective, which is worth a wall.
        """
        kind: TerrainKind | None = "wall" if held else self.lots.one(("wall", "fence", "fence", None))
        if kind is None:
            return
        # The gate is towards the nearer back line.
        ring = piece.points if piece.points[0].y < self.height / 2 else (*piece.points[2:], *piece.points[:2])
        line = generated_shapes.with_gate(ring)
        for each, points in ((piece, line), (other, self.room.turned(line))):
            id, name = f"{each.id}{kind[0]}", f"{each.name} {kind}"
            self.terrain.append(Terrain(id, name, kind, points, _THICKNESS[kind]))

    def _add_with_other(self, piece: Terrain, spot: Spot) -> None:
        """Add a piece that lies on a spot, and the same turned half around, unless that is itself."""
        added = [piece]
        if self.room.take(spot):
            points, parapet = map(self.room.turned, (piece.points, piece.parapet))
            name = self.names.of(piece.kind)
            added.append(replace(piece, id=self._id(), name=name, points=points, parapet=parapet))
        self.terrain += added
        if spot.objective:
            self.objectives += added

    def _id(self) -> str:
        self._number += 1
        return f"T{self._number}"

    def _reach(self, kind: TerrainKind, most: int = 99) -> int:
        """Return how far a piece of a kind reaches: at the most as told, and an eighth of the table."""
        least, largest = _REACHES[kind]
        largest = min(largest, most, min(self.width, self.height) // 8)
        return self.lots.between(min(least, largest), largest)


def _at(points: Sequence[Point], spot: Spot) -> tuple[Point, ...]:
    return tuple(Point(spot.x + x, spot.y + y) for x, y in points)
