"""Where the names of things are written on a battle's map: beside each, where they cover least.

A name stays on the side on which it is as long as it covers nothing there, so that names do not jump about from step to
step. How large a name is depends on the screen; this reckons with names of a middling size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from referee.archive.site.battle_stage import Beside
from referee.rulebooks.cards.marks import Box, box_of

HIGH, WIDE = 70.0, 46.0
"""A name's height, and the width of a letter of it, in millimetres of the table."""
_ROUND: Final[tuple[Beside, ...]] = ("n", "e", "s", "w")


def tags(
    bodies: Mapping[int, tuple[str, Box, float]],
    taken: Sequence[Box],
    table: Box,
    before: Mapping[int, Beside],
) -> dict[int, tuple[int, int, Beside]]:
    """Return where names are written, for each thing the point beside which, and on which side of the thing.

    bodies: of each thing its name, the box that it fills, and the bearing on which its name is best. taken: other boxes
    that names had better not cover. before: on which sides they were.
    """
    filled = [*taken, *(box for _, box, _ in bodies.values())]
    found: dict[int, tuple[int, int, Beside]] = {}
    for place, (name, box, bearing) in bodies.items():
        best = round(bearing / 90) % 4
        sides = [_ROUND[(best + turn) % 4] for turn in (0, 1, 3, 2)]
        if place in before:
            sides.sort(key=lambda side, was=before[place]: side != was)  # type: ignore[misc]
        covered = {side: _covered(_box(name, box, side), filled, table) for side in sides}
        side = min(sides, key=covered.__getitem__)
        filled.append(_box(name, box, side))
        found[place] = (*_point(box, side), side)
    return found


def _point(box: Box, side: Beside) -> tuple[int, int]:
    """Return the middle of a box's edge on one side."""
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    at = {"n": (x, box.top), "s": (x, box.bottom), "e": (box.right, y), "w": (box.left, y)}[side]
    return round(at[0]), round(at[1])


def _box(name: str, box: Box, side: Beside) -> Box:
    """Return what a name fills that is written there."""
    x, y = _point(box, side)
    wide = WIDE * len(name)
    left = {"n": x - wide / 2, "s": x - wide / 2, "e": x, "w": x - wide}[side]
    top = {"n": y - HIGH, "s": y, "e": y - HIGH / 2, "w": y - HIGH / 2}[side]
    return Box(left, top, left + wide, top + HIGH)


def _covered(own: Box, filled: Sequence[Box], table: Box) -> float:
    """Return how much a name covers there; what is off the table counts as well."""
    area = (own.right - own.left) * (own.bottom - own.top)
    return sum(own.shared(each) for each in filled) + area - own.shared(table)


def title_spot(outline: Box, title: str, bodies: Sequence[Box]) -> tuple[int, int]:
    """Return where in a battle an objective's title is written: inside it, or on its edge, where over the whole battle
    the fewest units stand. outline: the objective's box; bodies: the boxes that units have filled."""
    x, y = round((outline.left + outline.right) / 2), round((outline.top + outline.bottom) / 2)
    spots = [(x, y), (x, round(outline.bottom)), (x, round(outline.top))]
    spots += [(round(outline.left), y), (round(outline.right), y)]
    return min(spots, key=lambda spot: sum(title_box(spot, title).shared(each) for each in bodies))


def title_box(middle: tuple[int, int], title: str) -> Box:
    """Return what an objective's title fills, with room for the initial of who holds it."""
    (x, y), half = middle, WIDE * (len(title) + 2) / 2
    return Box(x - half, y - HIGH / 2, x + half, y + HIGH / 2)


def body_of(points: Sequence[tuple[float, float]], reach: float) -> Box:
    """Return the box around points, and so far around each."""
    return box_of(points, reach)
