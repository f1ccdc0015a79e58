"""What a gun sees, and what covers a unit from a point: for shots and for cards alike (CC-6.2 to CC-6.5, CC-7.12)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Flag, auto

import shapely
from shapely import Geometry

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import Man, Unit
from referee.rulebooks.cards.ground import Ground, Terrain
from referee.rulebooks.cards.measuring import distance_to_men, in_arc, shown_men
from referee.rulebooks.cards.shapes import Place, Point, apart, rounded

NEAREST_RANGE, FARTHEST_RANGE = 10.0, 130.0
"""How near and how far a target may be, in cm, both included (CC-6.2)."""
SEEN_THROUGH = 10.0
"""Through how much of woods and villages one sees, in cm (CC-6.20)."""
AT_WALL = 5.0
"""How near to a wall those are who are behind it, in cm (CC-7.12)."""
ON_LINE = 1e-6
"""What a line has in common with a shape at most when it only touches it, in cm."""


class Cover(Flag):
    """What covers a unit as it is seen from a point."""

    NONE = 0
    WALL = auto()
    REDOUBT = auto()
    TRENCH = auto()


STRONG = Cover.WALL | Cover.REDOUBT | Cover.TRENCH
"""What makes a card count more, and a shot cost more."""


# --- lines of sight


def in_range(gun: Place, target: Unit) -> bool:
    """Return whether the nearest living man's base is neither too near to the axle nor too far off (CC-6.2, A-53)."""
    return NEAREST_RANGE <= distance_to_men(gun.point, target, target.living) <= FARTHEST_RANGE


def men_in_arc(gun: Place, target: Unit) -> tuple[Man, ...]:
    """Return the target's living men within 45 degrees of the cannon's bearing (CC-6.3)."""
    return tuple(man for man in target.living if in_arc(gun, target.formation.centre(man)))


def seen_men(battle: Battle, firer: Unit, gun: Place, target: Unit) -> tuple[Man, ...]:
    """Return the target's living men who are in the arc and visible: those exposed (CC-6.4, CC-6.17)."""
    between = [each for each in battle.units.values() if each.id not in (firer.id, target.id)]
    return tuple(
        man
        for man in men_in_arc(gun, target)
        if is_clear(battle.ground, gun.point, target.formation.centre(man), between)
    )


def is_clear(ground: Ground, axle: Point, man: Point, between: Sequence[Unit]) -> bool:
    """Return whether a line of sight is clear, past the living men of these units and the terrain (A-54)."""
    line = shapely.LineString([axle, man])
    hills = ground.of_kind("hill")
    if any(_on(line, hill.shape) and not (hill.holds(axle) or hill.holds(man)) for hill in hills):
        return False
    if rounded(_length(line, ground.thick)) > SEEN_THROUGH:
        return False
    from_hill = any(hill.holds(axle) or hill.holds(man) for hill in hills)
    return not any(_stands_in(line, unit, hills if from_hill else None) for unit in between)


def _stands_in(line: Geometry, unit: Unit, hills: Sequence[Terrain] | None) -> bool:
    """Return whether a living man's base is on the line. hills: one sees over men who are on none of these (CC-6.5)."""
    if not _on(line, unit.formation.living_shape):
        return False
    if hills is None:
        return True
    up = [man for man in unit.living if any(hill.holds(unit.formation.centre(man)) for hill in hills)]
    return bool(up) and _on(line, unit.formation.covering(up))


def _length(line: Geometry, shape: Geometry) -> float:
    return float(shapely.length(shapely.intersection(line, shape)))


def _on(line: Geometry, shape: Geometry) -> bool:
    return bool(shapely.intersects(line, shape)) and _length(line, shape) > ON_LINE


# --- cover


def nearest_eye(watcher: Unit, watched: Unit) -> Point:
    """Return the base centre of a unit's man in ranks nearest another unit: from there its cover is judged (CC-7.32).

    Nearest by base centres, of equal ones the lower number.
    """
    aims = watched.formation.centres(shown_men(watched))
    men = shown_men(watcher)
    near = min(
        men,
        key=lambda man: (
            round(min(apart(watcher.formation.centre(man), aim) for aim in aims), 6),
            man.number,
        ),
    )
    return watcher.formation.centre(near)


def covers(ground: Ground, unit: Unit, eye: Point) -> Cover:
    """Return all that covers a unit as it is seen from a point; of a mob its living men count (CC-7.12, CC-7.31)."""
    found = Cover.WALL if behind_wall(ground, unit, eye) else Cover.NONE
    for work in ground.of_kind("redoubt", "trench"):
        if _inside(unit, [work]) and not work.holds(eye):
            edge = (
                shapely.LineString(work.parapet) if work.kind == "redoubt" else shapely.boundary(work.shape)
            )
            if shapely.intersects(_line_to(unit, eye), edge):
                found |= Cover.REDOUBT if work.kind == "redoubt" else Cover.TRENCH
    return found


def behind_wall(ground: Ground, unit: Unit, eye: Point) -> bool:
    """Return whether a unit is behind a wall, seen from a point: half its men near it, the wall between (CC-7.12)."""
    return any(
        _half(unit, [man for man in shown_men(unit) if _near(unit, man, wall)])
        and _on(_line_to(unit, eye), wall.shape)
        for wall in ground.of_kind("wall")
    )


def in_woods(ground: Ground, unit: Unit) -> bool:
    """Return whether at least half a unit's base centres are in woods (CC-7.32)."""
    return _inside(unit, ground.of_kind("woods"))


def _near(unit: Unit, man: Man, wall: Terrain) -> bool:
    return rounded(float(shapely.distance(unit.formation.covering([man]), wall.shape))) <= AT_WALL


def _inside(unit: Unit, pieces: Sequence[Terrain]) -> bool:
    return _half(
        unit,
        [man for man in shown_men(unit) if any(piece.holds(unit.formation.centre(man)) for piece in pieces)],
    )


def _half(unit: Unit, men: Sequence[Man]) -> bool:
    return 2 * len(men) >= len(shown_men(unit))


def _line_to(unit: Unit, eye: Point) -> Geometry:
    """Return the line from a point to the base centre of the unit's man nearest it, of equal ones the lower number."""
    near = min(
        shown_men(unit), key=lambda man: (round(apart(unit.formation.centre(man), eye), 6), man.number)
    )
    return shapely.LineString([eye, unit.formation.centre(near)])
