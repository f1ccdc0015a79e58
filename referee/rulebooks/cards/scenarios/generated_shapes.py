"""Outlines of hills, woods, villages, fields and lines as they are drawn by lot, around the point (0, 0).

All corners are whole centimetres, and none lies farther off than the reach that was asked for and one more: so the
ground is the same on every machine, and whether two pieces keep apart is settled with whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from referee.common.chance import Chance
from referee.rulebooks.cards.shapes import Point, direction

T = TypeVar("T")


class Lots:
    """Lots drawn one after the other for one purpose; what is drawn for another does not change them."""

    def __init__(self, chance: Chance, purpose: str) -> None:
        self._chance = chance
        self._purpose = purpose
        self._drawn = 0

    def one(self, things: Sequence[T]) -> T:
        """Return one of these, each as likely as the next."""
        self._drawn += 1
        return self._chance.lot(things, f"{self._purpose} {self._drawn}")

    def between(self, least: int, most: int) -> int:
        """Return a whole number, both ends included; `least` where there is none between them."""
        return self.one(range(least, max(least, most) + 1))

    def shuffled(self, things: Sequence[T]) -> tuple[T, ...]:
        """Return all of these, in any order."""
        self._drawn += 1
        return self._chance.shuffle(things, f"{self._purpose} {self._drawn}")


class Look(NamedTuple):
    """How rounded outlines of a kind look.

    corners: an even number. least: how far out each is at the least, and broad: how broad the whole is at the least for
    its length, in hundredths. round: whether the corners are cut.
    """

    corners: int
    least: int
    broad: int
    round: bool


HILL = Look(8, 84, 48, round=True)
WOODS = Look(8, 62, 50, round=True)
VILLAGE = Look(6, 86, 66, round=False)


def rounded_outline(lots: Lots, reach: int, look: Look, *, even: bool = False) -> tuple[Point, ...]:
    """Return an oblong outline without long edges. even: it is the same when it is turned half around."""
    lie = lots.between(0, 179)
    broad = lots.between(look.broad, 95)
    turn = lots.between(0, 360 // look.corners - 1)
    far = [lots.between(look.least, 100) for _ in range(look.corners)]
    if even:
        far = 2 * far[: look.corners // 2]
    # The farthest reaches as far as may be, so that all are about as large as they are meant to be.
    far = [each * 100 // max(far) for each in far]
    ring = []
    for corner in range(look.corners):
        east, north = direction(float(turn + corner * 360 // look.corners))
        cm = reach * far[corner] / 100
        ring.append(_turned(east * cm * broad / 100, north * cm, lie))
    if look.round:
        ring = _cut(ring)
    half = ring[: len(ring) // 2]
    return (*half, *(Point(-x, -y) for x, y in half)) if even else tuple(ring)


def _cut(ring: Sequence[Point]) -> list[Point]:
    """Return a ring with its corners cut, a quarter of the way to the next ones."""
    cut = []
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        for near, far in ((3, 1), (1, 3)):
            cut.append(Point(_whole((near * ax + far * bx) / 4), _whole((near * ay + far * by) / 4)))
    return list(dict.fromkeys(cut))


def four_sided(lots: Lots, reach: int, *, even: bool = False) -> tuple[Point, ...]:
    """Return a field: a rectangle that lies somewhat askew, its corners in order from the south-west one."""
    long = lots.between(72, 84)
    # By Pythagoras the other half side reaches the same corner.
    wide, high = reach * long // 100, math.isqrt(reach * reach - (reach * long // 100) ** 2)
    if lots.one((True, False)):
        wide, high = high, wide
    lie = lots.one((0, 0, *range(-20, 21, 5)))
    ring = tuple(_turned(x, y, lie) for x, y in ((-wide, -high), (wide, -high), (wide, high), (-wide, high)))
    return (*ring[:2], *(Point(-x, -y) for x, y in ring[:2])) if even else ring


def bent_line(lots: Lots, reach: int) -> tuple[Point, ...]:
    """Return a line with a bend in the middle, mostly across the table."""
    lie = lots.between(60, 120)
    bend = lots.between(-reach // 4, reach // 4)
    return tuple(_turned(x, y, lie) for x, y in ((0, -reach), (bend, 0), (0, reach)))


def redoubt(reach: int) -> tuple[Point, ...]:
    """Return a work with five corners, open to the south: from its open side's left end clockwise."""
    side, back = reach * 9 // 10, reach * 4 // 10
    return tuple(Point(*p) for p in ((-side, -back), (-side, back), (0, reach), (side, back), (side, -back)))


def with_gate(ring: Sequence[Point]) -> tuple[Point, ...]:
    """Return a line around a field, but for a third of its first side: a gate."""
    (ax, ay), (bx, by) = ring[0], ring[1]
    gate = [Point(_whole(ax + (bx - ax) * third / 3), _whole(ay + (by - ay) * third / 3)) for third in (1, 2)]
    return (gate[1], *ring[1:], ring[0], gate[0])


def _turned(east: float, north: float, lie: int) -> Point:
    """Return a point turned clockwise about (0, 0), in whole cm."""
    sine, cosine = direction(float(lie % 360))
    return Point(_whole(east * cosine + north * sine), _whole(north * cosine - east * sine))


def _whole(cm: float) -> float:
    return float(math.floor(cm + 0.5))
