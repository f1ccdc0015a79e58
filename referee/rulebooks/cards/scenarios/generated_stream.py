"""A stream that winds across the table from its west edge to its east edge, and what crosses it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from referee.rulebooks.cards.scenarios.generated_shapes import Lots
from referee.rulebooks.cards.shapes import Point

HALF = 5.0
"""Half of how broad it is, in cm, from south to north."""
EACH = 24
"""About so far apart, in cm, it is drawn by lot where it winds to."""
BEYOND = 3.0
"""How far a crossing goes beyond either bank."""


@dataclass(frozen=True, slots=True)
class Stream:
    """middle: points of its middle line from west to east; turned half around the table's middle it is the same."""

    middle: tuple[Point, ...]

    @staticmethod
    def drawn(lots: Lots, width: int, height: int) -> Stream:
        """Draw a stream by lot for a table, through the middle of it."""
        parts = max(2, width // 2 // EACH)
        most = min(16, height // 14)
        off, slope = 0, 0
        east = [Point(width / 2, height / 2)]
        for part in range(1, parts + 1):
            # It goes on as it went, somewhat turned, and comes back from where it has strayed too far.
            slope = max(-9, min(9, slope + lots.between(-7, 7)))
            if abs(off + slope) > most:
                slope = -slope // 2
            off += slope
            east.append(Point(width / 2 + width / 2 * part / parts, height / 2 + off))
        line = _smoothed(_smoothed([*_other(east[1:], width, height), *east]))
        half = [Point(round(x, 1), round(y, 1)) for x, y in line if x > width / 2]
        return Stream((*_other(half, width, height), Point(width / 2, height / 2), *half))

    def outline(self) -> tuple[Point, ...]:
        """Return its banks as a ring: the southern one from west to east, the northern one back."""
        south = [Point(x, round(y - HALF, 1)) for x, y in self.middle]
        north = [Point(x, round(y + HALF, 1)) for x, y in reversed(self.middle)]
        return (*south, *north)

    def crossing(self, x: float, broad: int) -> tuple[Point, ...]:
        """Return a rectangle from bank to bank, and a little beyond either, in whole cm: south-west corner first."""
        low, high = self._banks(x - broad / 2, x + broad / 2)
        south, north = float(math.floor(low - BEYOND)), float(math.ceil(high + BEYOND))
        west, east = x - broad / 2, x + broad / 2
        if 2 * x == self.middle[0].x + self.middle[-1].x:
            # On the middle of the table it must be the same turned half around.
            both = self.middle[0].y + self.middle[-1].y
            north = max(north, both - south)
            south = both - north
        return tuple(
            Point(float(a), float(b)) for a, b in ((west, south), (east, south), (east, north), (west, north))
        )

    def clear_of(self, x: float, y: float, reach: int) -> bool:
        """Return whether a circle is all on one bank, and off the water."""
        low, high = self._banks(x - reach, x + reach)
        return y + reach + 2 < low or y - reach - 2 > high

    def _banks(self, west: float, east: float) -> tuple[float, float]:
        """Return how far south and north it comes between two places, and somewhat beyond them."""
        ys = [y for x, y in self.middle if west - EACH / 2 <= x <= east + EACH / 2]
        return min(ys) - HALF, max(ys) + HALF


def _smoothed(line: Sequence[Point]) -> list[Point]:
    """Return a line with its corners cut, at a quarter of the way from each to the next; its ends stay."""
    cut = [line[0]]
    for (ax, ay), (bx, by) in pairwise(line):
        cut += [Point((3 * ax + bx) / 4, (3 * ay + by) / 4), Point((ax + 3 * bx) / 4, (ay + 3 * by) / 4)]
    return [*cut, line[-1]]


def _other(points: Sequence[Point], width: int, height: int) -> list[Point]:
    """Return points turned half around the table's middle, the last first."""
    return [Point(round(width - x, 1), round(height - y, 1)) for x, y in reversed(points)]
