"""The table from above as a picture: PNG for letters, SVG for keeping and printing (E6).

North is up for both players. Each man is drawn: filled in ranks, hollow confused, a cross where one lies dead; O, F
and D are officers, flag bearers and musicians. A thick edge with an arrow is a unit's front, which a mob has not.
Objectives bear their id, and R or B for who holds them. Engaged units are joined by a line; a dashed one leads from
where somebody stood before the last turn. It holds no words in any language, and nothing but what its reader's
view shows.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import shapely
from shapely import Geometry

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import (
    BODY,
    CONFUSED,
    INITIALS,
    RED,
    Commander,
    Man,
    Unit,
    id_order,
    other_side,
)
from referee.rulebooks.cards.ground import Ground, Objective, Terrain, TerrainKind
from referee.rulebooks.cards.marks import (
    BLUE_INK,
    BROWN,
    CORN,
    GREEN,
    GRID,
    GRID_STRONG,
    LEAF,
    RED_INK,
    SAND,
    STONE,
    WATER,
    Area,
    Box,
    Disc,
    Line,
    Mark,
    Pixel,
    Words,
    add_to_svg,
    box_of,
    png_of,
    words_box,
)
from referee.rulebooks.cards.shapes import Base, Place, Point, direction
from referee.rulebooks.drawing import INK, MUTED, PAPER, svg_root, write_svg
from referee.rulebooks.rulebook import Seat

SCALE = 3.5
"""Pixels to a cm."""
MARGIN = 44
"""Pixels around the table, for the numbers."""
FOOT = 40
"""Pixels below, for the scale bar."""
NUMBERED = 50
"""A thick line and a number every so many cm."""
LABEL, SMALL_LABEL, NUMBER, ROLE = 28, 23, 26, 9
"""Sizes of letters in pixels: units, commanders, the table's numbers, a man's role."""
ARROW = 3.2
"""How far ahead of a front its arrow reaches, in cm."""
RANGE_LEAST, RANGE_MOST = 10.0, 130.0
"""How near and how far cannons fire, in cm (CC-6.2)."""

_FILLS: dict[TerrainKind, str] = {
    "hill": SAND,
    "woods": LEAF,
    "field": CORN,
    "village": STONE,
    "water": WATER,
    "bridge": STONE,
    "ford": WATER,
    "redoubt": SAND,
    "trench": SAND,
    "fence": "",
    "wall": STONE,
}
"""The ground of each kind, what lies above after what lies below it."""


def ink_of(side: Seat) -> str:
    """Return the colour of a side."""
    return RED_INK if side == RED else BLUE_INK


def size_of(ground: Ground) -> tuple[int, int]:
    """Return how many pixels wide and high the picture of a table is."""
    width, height = (math.ceil(cm * SCALE) + 2 * MARGIN for cm in (ground.width, ground.height))
    return width, height + FOOT


def png(
    battle: Battle,
    *,
    before: Battle | None = None,
    arcs: Collection[Seat] = (),
    zones: Collection[Seat] = (),
) -> bytes:
    """Return a battle as a PNG.

    before: how it stood before the last turn, for the trails. arcs, zones: the sides whose cannons' arcs and ranges,
    and whose units' front zones, are shown.
    """
    return png_of(
        size_of(battle.ground), _ground_marks(battle.ground), _battle_marks(battle, before, arcs, zones)
    )


def svg(
    battle: Battle,
    *,
    before: Battle | None = None,
    arcs: Collection[Seat] = (),
    zones: Collection[Seat] = (),
) -> str:
    """Return a battle as an SVG document; arguments as of `png`."""
    size = size_of(battle.ground)
    told = (
        "Men are squares: filled in ranks, hollow confused, a cross where one lies dead. A thick edge with an "
        "arrow is a unit's front. North is up."
    )
    root = svg_root(size, size[0], "Cards and Confusion, the table from above", told)
    add_to_svg(root, (Area(_box(0, 0, *size), PAPER), *_ground_marks(battle.ground)))
    add_to_svg(root, _battle_marks(battle, before, arcs, zones))
    return write_svg(root)


# --- from the table to the picture


def _spot(ground: Ground, point: Sequence[float]) -> Pixel:
    return round(MARGIN + point[0] * SCALE, 2), round(MARGIN + (ground.height - point[1]) * SCALE, 2)


def _spots(ground: Ground, points: Iterable[Sequence[float]]) -> tuple[Pixel, ...]:
    return tuple(_spot(ground, point) for point in points)


def _box(left: float, top: float, right: float, bottom: float) -> tuple[Pixel, ...]:
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _rings(shape: Geometry) -> Iterator[list[Sequence[float]]]:
    """Yield the outlines of all polygons in a shape, not closed."""
    for part in shapely.get_parts(shape):
        if shapely.get_type_id(part) == shapely.GeometryType.POLYGON and not shapely.is_empty(part):
            yield list(shapely.get_coordinates(shapely.get_exterior_ring(part)))[:-1]


def _lines(shape: Geometry) -> Iterator[list[Sequence[float]]]:
    """Yield all lines in a shape."""
    for part in shapely.get_parts(shape):
        if shapely.get_dimensions(part) == 1 and not shapely.is_empty(part):
            yield list(shapely.get_coordinates(part))


# --- the ground


@lru_cache(maxsize=16)
def _ground_marks(ground: Ground) -> tuple[Mark, ...]:
    """Return what is the same in every picture of a table."""
    return (*land_marks(ground), *_rim(ground))


def land_marks(ground: Ground) -> tuple[Mark, ...]:
    """Return the land itself, without what is written around it."""
    pieces = [terrain for kind in _FILLS for terrain in ground.of_kind(kind)]
    areas = [piece for piece in pieces if piece.thickness is None]
    fills = [Area(_spots(ground, piece.points), _FILLS[piece.kind] or CORN) for piece in areas]
    return (
        *fills,
        *_grid(ground),
        *(mark for piece in pieces for mark in _texture(ground, piece)),
    )


def _grid(ground: Ground) -> Iterator[Mark]:
    """Yield thin lines as the scenario wants them, and thick ones over them."""
    for step, colour, width in ((ground.grid, GRID, 1.0), (float(NUMBERED), GRID_STRONG, 2.0)):
        for number in range(1, math.ceil(ground.width / step)):
            yield Line(_spots(ground, ((number * step, 0), (number * step, ground.height))), colour, width)
        for number in range(1, math.ceil(ground.height / step)):
            yield Line(_spots(ground, ((0, number * step), (ground.width, number * step))), colour, width)


def _rim(ground: Ground) -> Iterator[Mark]:
    """Yield the table's edge, its back lines in their sides' colours, the numbers around it and the scale bar."""
    corners = ((0, 0), (ground.width, 0), (ground.width, ground.height), (0, ground.height))
    yield Area(_spots(ground, corners), "", INK, 2.0)
    for side in (ground.south, other_side(ground.south)):
        y = ground.back_line(side)
        yield Line(_spots(ground, ((0, y), (ground.width, y))), ink_of(side), 5.0)
    off = MARGIN / 2 / SCALE
    for x in range(0, math.floor(ground.width) + 1, NUMBERED):
        for beyond in (-off, ground.height + off):
            yield Words(str(x), _spot(ground, (x, beyond)), NUMBER, MUTED)
    # In the corners stand the numbers of the other edges.
    for y in range(NUMBERED, math.ceil(ground.height), NUMBERED):
        for beside in (-off, ground.width + off):
            yield Words(str(y), _spot(ground, (beside, y)), NUMBER - 4, MUTED)
    yield from _scale_bar(ground)


def _scale_bar(ground: Ground) -> Iterator[Mark]:
    """Yield a bar of 50 cm, divided into tens."""
    left, top = _spot(ground, (0, 0))
    top += MARGIN + 4
    ten = 10 * SCALE
    for number in range(5):
        box = _box(left + number * ten, top, left + (number + 1) * ten, top + 12)
        yield Area(box, INK if number % 2 == 0 else PAPER, INK, 2.0)
    yield Words("50 cm", (left + 5 * ten + 56, top + 6), NUMBER)


def _texture(ground: Ground, piece: Terrain) -> Iterator[Mark]:
    """Yield what tells one kind of terrain from another beside its colour."""
    ring = _spots(ground, piece.points)
    match piece.kind:
        case "hill":
            yield Area(ring, "", BROWN, 2.0)
            for inset in (4, 8):
                for inner in _rings(shapely.buffer(piece.shape, -inset)):
                    yield Area(_spots(ground, inner), "", BROWN, 1.5)
        case "woods":
            yield Area(ring, "", GREEN, 2.0)
            for x, y in _lattice(shapely.buffer(piece.shape, -1.2), 6.0):
                yield Disc(_spot(ground, (x, y)), 4.0, GREEN)
        case "field":
            yield from _hatching(ground, piece, 8.0, BROWN, 1.0)
        case "village":
            yield Area(ring, "", MUTED, 2.0)
            for x, y in _lattice(shapely.buffer(piece.shape, -2), 9.0):
                corner = _spot(ground, (x, y))
                yield Area(
                    _box(corner[0] - 6, corner[1] - 5, corner[0] + 6, corner[1] + 5), BROWN, MUTED, 1.0
                )
        case "ford":
            yield from _hatching(ground, piece, 3.0, BROWN, 1.5)
        case "bridge":
            yield Area(ring, "", MUTED, 3.0)
        case "redoubt":
            yield Area(ring, "", BROWN, 1.5)
            yield Line(_spots(ground, piece.parapet), BROWN, 6.0)
            yield from _ticks(ground, piece, piece.parapet)
        case "trench":
            yield Area(ring, "", BROWN, 4.0)
            yield from _ticks(ground, piece, (*piece.points, piece.points[0]))
        case "wall":
            if piece.thickness is None:
                yield Area(ring, STONE, INK, 2.0)
            else:
                width = max(piece.thickness * SCALE, 6.0)
                yield Line(ring, INK, width)
                yield Line(ring, STONE, width - 3)
        case "fence":
            if piece.thickness is None:
                yield Area(ring, "", BROWN, 2.0)
            else:
                yield Line(ring, BROWN, 2.0)
                for one, other in pairwise(piece.points):
                    for x, y, _ in _along(one, other, 4.0):
                        yield Disc(_spot(ground, (x, y)), 3.0, BROWN)


def _lattice(shape: Geometry, step: float) -> Iterator[Point]:
    """Yield the points of a lattice, every other row aside, that lie in a shape."""
    if shapely.is_empty(shape):
        return
    west, south, east, north = shapely.bounds(shape)
    for row in range(math.ceil(south / step), math.floor(north / step) + 1):
        aside = step / 2 if row % 2 else 0.0
        for column in range(math.floor(west / step) - 1, math.ceil(east / step) + 1):
            x, y = column * step + aside, row * step
            if shapely.intersects_xy(shape, x, y):
                yield Point(x, y)


def _hatching(ground: Ground, piece: Terrain, step: float, colour: str, width: float) -> Iterator[Mark]:
    """Yield slanting lines over a piece of terrain."""
    west, south, east, north = shapely.bounds(piece.shape)
    high = north - south
    for number in range(math.ceil((west - high) / step), math.floor(east / step) + 1):
        x = number * step
        line = shapely.LineString(((x, south), (x + high, north)))
        for part in _lines(shapely.intersection(line, piece.shape)):
            yield Line(_spots(ground, part), colour, width)


def _ticks(ground: Ground, piece: Terrain, line: Sequence[Point]) -> Iterator[Mark]:
    """Yield short strokes outward from a line on the edge of a piece of terrain."""
    for one, other in pairwise(line):
        for x, y, (east, north) in _along(one, other, 3.0):
            # Left of the line, or right of it: whichever is outside.
            sign = -1 if piece.holds(Point(x - north * 0.1, y + east * 0.1)) else 1
            tip = (x - sign * north * 1.8, y + sign * east * 1.8)
            yield Line(_spots(ground, ((x, y), tip)), BROWN, 2.0)


def _along(one: Point, other: Point, step: float) -> Iterator[tuple[float, float, tuple[float, float]]]:
    """Yield points evenly along a line, about a step apart, each with the line's direction."""
    length = math.hypot(other[0] - one[0], other[1] - one[1])
    count = max(1, round(length / step))
    if not length:
        return
    east, north = (other[0] - one[0]) / length, (other[1] - one[1]) / length
    for number in range(count):
        part = (number + 0.5) * length / count
        yield one[0] + east * part, one[1] + north * part, (east, north)


# --- what is on it


def _battle_marks(
    battle: Battle, before: Battle | None, arcs: Collection[Seat], zones: Collection[Seat]
) -> list[Mark]:
    """Return what is drawn on the ground: zones, arcs, trails, objectives, cannons, units, commanders, and labels."""
    ground = battle.ground
    # A unit whose last man has just been removed is still to be taken off, and covers nothing.
    there = [each for each in battle.units.values() if each.living or each.bodies]
    units = sorted(there, key=lambda each: id_order(each.id))
    commanders = [each for _, each in sorted(battle.commanders.items())]
    marks = [_outline(ground, each, battle.holders.get(each.id)) for each in ground.objectives]
    for unit in units:
        if unit.side in zones and unit.in_ranks:
            marks += _zone(ground, unit)
        if unit.side in arcs:
            for index in range(len(unit.cannons)):
                marks += _arc(ground, unit.battery.cannon_place(index), ink_of(unit.side))
    if before is not None:
        marks += _trails(battle, before)
    for _, fallen in sorted(battle.fallen.items()):
        marks += _cannons(ground, fallen)
    for unit in units:
        marks += _unit(ground, unit)
    marks += _engaged(battle, units)
    for each in commanders:
        marks.append(
            Disc(_spot(ground, each.point), ground.bases.commander * SCALE, ink_of(each.side), INK, 2.0)
        )
    return marks + _labels(battle, units, commanders)


def _outline(ground: Ground, objective: Objective, holder: Seat | None) -> Mark:
    ring = _spots(ground, (*objective.points, objective.points[0]))
    return Line(ring, INK, 3.0, (8, 6)) if holder is None else Line(ring, ink_of(holder), 5.0)


def _zone(ground: Ground, unit: Unit) -> Iterator[Mark]:
    """Yield the edges of a unit's front zone, as far as the table reaches (CC-1.18)."""
    ahead, left, right = unit.formation.front
    far = ground.width + ground.height
    corners = [unit.place.at(u, v) for u, v in ((left - far, ahead + far), (left, ahead))]
    corners += [unit.place.at(u, v) for u, v in ((right, ahead), (right + far, ahead + far))]
    for part in _lines(shapely.intersection(shapely.LineString(corners), ground.table)):
        yield Line(_spots(ground, part), ink_of(unit.side), 2.0, (3, 5))


def _arc(ground: Ground, gun: Place, colour: str) -> Iterator[Mark]:
    """Yield the arc of a cannon between its least and its greatest range, as far as it is on the table (CC-6.2)."""
    bearings = [(gun.bearing + turn) % 360 for turn in range(-45, 46, 3)]
    near, far = (
        [(gun.x + cm * east, gun.y + cm * north) for east, north in map(direction, bearings)]
        for cm in (RANGE_LEAST, RANGE_MOST)
    )
    ring = shapely.LineString((*near, *reversed(far), near[0]))
    for part in _lines(shapely.line_merge(shapely.intersection(ring, ground.table))):
        yield Line(_spots(ground, part), colour, 2.0, (12, 5))


def _trails(battle: Battle, before: Battle) -> Iterator[Mark]:
    """Yield a dashed line for all who stood elsewhere before."""
    ground = battle.ground
    stood: dict[str, Unit | Commander] = {**before.units, **before.commanders}
    stand: dict[str, Unit | Commander] = {**battle.units, **battle.commanders}
    for id, now in stand.items():
        then = stood.get(id, now)
        start, end = (then.x, then.y), (now.x, now.y)
        if start != end:
            yield Line(_spots(ground, (start, end)), ink_of(now.side), 3.0, (6, 6))
            yield Disc(_spot(ground, start), 5.0, PAPER, ink_of(now.side), 2.0)


def _unit(ground: Ground, unit: Unit) -> Iterator[Mark]:
    yield from _cannons(ground, unit)
    for man in unit.men:
        if man.number in unit.formation.local:
            yield from _man(ground, unit, man)
    if unit.in_ranks and not unit.cannons:
        yield from _front(ground, unit)


def _man(ground: Ground, unit: Unit, man: Man) -> Iterator[Mark]:
    colour, place = ink_of(unit.side), Place(*unit.formation.centre(man), unit.bearing)
    if man.place == BODY:
        reach = min(unit.base) / 2 - 0.2
        for slant in (-1, 1):
            ends = (place.at(-reach, -reach * slant), place.at(reach, reach * slant))
            yield Line(_spots(ground, ends), colour, 2.0)
        return
    confused = man.place == CONFUSED
    # A little smaller than the base, so that each man is seen by himself.
    yield Area(
        _rectangle(ground, place, unit.base, 0.3 if confused else 0.12),
        PAPER if confused else colour,
        colour if confused else "",
        1.5,
    )
    if man.role != "o":
        yield Words(man.role, _spot(ground, place), ROLE, colour if confused else PAPER)


def _rectangle(ground: Ground, place: Place, base: Base, inset: float) -> tuple[Pixel, ...]:
    across, along = base.front / 2 - inset, base.depth / 2 - inset
    corners = ((-across, along), (across, along), (across, -along), (-across, -along))
    return _spots(ground, (place.at(u, v) for u, v in corners))


def _front(ground: Ground, unit: Unit) -> Iterator[Mark]:
    """Yield a thick line along a unit's front and an arrow ahead of it."""
    ahead, left, right = unit.formation.front
    middle = (left + right) / 2
    yield Line(_spots(ground, (unit.place.at(left, ahead), unit.place.at(right, ahead))), INK, 3.0)
    arrow = ((middle - 1.6, ahead + 0.4), (middle, ahead + ARROW), (middle + 1.6, ahead + 0.4))
    yield Area(_spots(ground, (unit.place.at(u, v) for u, v in arrow)), INK)


def _cannons(ground: Ground, unit: Unit) -> Iterator[Mark]:
    """Yield a unit's cannons, each with its barrel; with numbers from left to right where there are several."""
    base = unit.bases.cannon
    for index in range(len(unit.cannons)):
        place = unit.battery.cannon_place(index)
        yield Area(_rectangle(ground, place, base, 0.2), STONE, INK, 1.5)
        barrel = (place.at(0, -base.depth / 6), place.at(0, base.depth / 2 + 1.2))
        yield Line(_spots(ground, barrel), INK, 5.0)
        if len(unit.cannons) > 1:
            yield Words(str(index + 1), _spot(ground, place.at(0, -base.depth / 3)), ROLE + 2)


def _engaged(battle: Battle, units: Sequence[Unit]) -> Iterator[Mark]:
    """Yield a line between the nearest men of each engaged pair (CC-7.27)."""
    for unit in units:
        for id in unit.bound_to:
            enemy = battle.units.get(id)
            if unit.id < id and enemy is not None and unit.living and enemy.living:
                line = shapely.shortest_line(unit.formation.living_shape, enemy.formation.living_shape)
                ends = _spots(battle.ground, shapely.get_coordinates(line))
                yield Line(ends, INK, 4.0)
                for end in ends:
                    yield Disc(end, 5.0, INK)


# --- labels


def _labels(battle: Battle, units: Sequence[Unit], commanders: Sequence[Commander]) -> list[Mark]:
    """Return labels where they cover least: neither men nor each other, nor the table's edge if that can be."""
    ground = battle.ground
    labels = _Labels(ground)
    bodies = {unit.id: box_of(_spots(ground, _corners(unit))) for unit in units}
    labels.taken += bodies.values()
    reach = ground.bases.commander * SCALE
    for each in commanders:
        labels.taken.append(box_of([_spot(ground, each.point)], reach))
    for objective in ground.objectives:
        labels.objective(objective, battle.holders.get(objective.id))
    for unit in units:
        labels.beside(unit.id, bodies[unit.id], unit.bearing + 180, LABEL, ink_of(unit.side))
    for each in commanders:
        box = box_of([_spot(ground, each.point)], reach)
        labels.beside(each.id, box, ground.homeward(each.side) + 90, SMALL_LABEL, ink_of(each.side))
    return labels.marks


def _corners(unit: Unit) -> list[Sequence[float]]:
    """Return points around all that is drawn of a unit."""
    shape = shapely.union(unit.formation.footprint, unit.formation.covering((*unit.living, *unit.bodies)))
    west, south, east, north = shapely.bounds(shape)
    corners: list[Sequence[float]] = [(west, south), (east, north)]
    if unit.in_ranks:
        ahead, left, right = unit.formation.front
        corners.append(unit.place.at((left + right) / 2, ahead + ARROW))
    return corners


class _Labels:
    """Labels that are put one after the other, each where it covers least of what stands there already."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.taken: list[Box] = []
        self.marks: list[Mark] = []
        width, height = size_of(ground)
        self.table = Box(MARGIN, MARGIN, width - MARGIN, height - MARGIN - FOOT)

    def objective(self, objective: Objective, holder: Seat | None) -> None:
        """Put an objective's id, with the initial of who holds it, inside it."""
        text = objective.id if holder is None else f"{objective.id} {INITIALS[holder]}"
        west, south, east, north = shapely.bounds(objective.shape)
        x, y = objective.middle
        spots = [(x, y), (x, (y + north) / 2), (x, (y + south) / 2), ((x + west) / 2, y), ((x + east) / 2, y)]
        words = [Words(text, _spot(self.ground, spot), LABEL, PAPER if holder else INK) for spot in spots]
        best = min(words, key=lambda each: self._covered(words_box(each).wider(6)))
        box = words_box(best).wider(6)
        fill = ink_of(holder) if holder else PAPER
        self.marks += [Area(_box(*box), fill, INK, 2.0), best]
        self.taken.append(box)

    def beside(self, text: str, box: Box, bearing: float, size: int, colour: str) -> None:
        """Put a label beside a box, on this bearing of it if there is room."""
        left, top, right, bottom = box
        middle = ((left + right) / 2, (top + bottom) / 2)
        best: tuple[float, Words] | None = None
        for off in (4.0, 18.0, 34.0):
            for turn in (0, 90, -90, 180, 45, -45, 135, -135):
                east, north = direction(round((bearing + turn) % 360, 1))
                own = words_box(Words(text, (0, 0), size, colour, PAPER))
                across = (right - left) / 2 + (own.right - own.left) / 2 + off
                down = (bottom - top) / 2 + (own.bottom - own.top) / 2 + off
                # As far as the label is clear of the box, across or down, whichever is sooner.
                far = min(
                    across / abs(east) if abs(east) > 1e-6 else math.inf,
                    down / abs(north) if abs(north) > 1e-6 else math.inf,
                )
                words = Words(text, (middle[0] + far * east, middle[1] - far * north), size, colour, PAPER)
                covered = self._covered(words_box(words))
                if best is None or covered < best[0]:
                    best = covered, words
                if not covered:
                    break
            if best is not None and not best[0]:
                break
        assert best is not None
        self.marks.append(best[1])
        self.taken.append(words_box(best[1]))

    def _covered(self, box: Box) -> float:
        """Return how much a label there covers; what is off the table counts as well."""
        area = (box.right - box.left) * (box.bottom - box.top)
        return sum(box.shared(each) for each in self.taken) + area - box.shared(self.table)
