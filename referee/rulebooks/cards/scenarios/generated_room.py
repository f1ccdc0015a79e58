"""Where there is room on a table for another piece of terrain, and the same turned half around (CC-1.4).

Each piece has a circle that it keeps within, and circles keep apart: that is settled with whole and half centimetres,
so it comes out the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from referee.rulebooks.cards.scenarios.generated_shapes import Lots
from referee.rulebooks.cards.scenarios.generated_stream import Stream
from referee.rulebooks.cards.shapes import Point

OFF_EDGES = 4
"""How far circles keep off the east and the west edge, in cm."""
GAP, OBJECTIVE_GAP = 8, 33
"""How far circles keep apart, in cm: any two, and those of two objectives, three more than must be (CC-1.4)."""
TRIES, CHOICE = 60, 3
"""So many places are tried at the most, until so many are found of which the roomiest is taken."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A circle on the table. objective: whether what lies in it is one."""

    x: float
    y: float
    reach: int
    objective: bool = False

    def square(self, other: Spot) -> float:
        """Return how far apart the middles are, squared."""
        return (self.x - other.x) ** 2 + (self.y - other.y) ** 2

    def apart(self, other: Spot) -> bool:
        """Return whether two circles keep apart as they should."""
        between = OBJECTIVE_GAP if self.objective and other.objective else GAP
        return self.square(other) >= (self.reach + other.reach + between) ** 2


@dataclass
class Room:
    """A table, and what of it is taken."""

    width: int
    height: int
    lots: Lots
    stream: Stream | None = None
    spots: list[Spot] = field(default_factory=list)

    def take(self, spot: Spot) -> bool:
        """Take a spot, and the one turned half around; tell whether that is another one."""
        other = self.other(spot)
        self.spots += [spot] if other == spot else [spot, other]
        return other != spot

    def find(self, reach: int, between: tuple[int, int], *, objective: bool = False) -> Spot | None:
        """Return the roomiest of some free places of this reach; None where none was found.

        between: how far north of the south edge its middle is, at the least and at the most.
        """
        places = [*self._places(reach, between, objective=objective)]
        return max(places, key=self._gap) if places else None

    def _places(self, reach: int, between: tuple[int, int], *, objective: bool) -> Iterator[Spot]:
        found = 0
        for _ in range(TRIES):
            x = self.lots.between(OFF_EDGES + reach, self.width - OFF_EDGES - reach)
            spot = Spot(x, self.lots.between(*between), reach, objective)
            if self._free(spot):
                yield spot
                found += 1
            if found == CHOICE:
                return

    def _free(self, spot: Spot) -> bool:
        if self.stream is not None and not self.stream.clear_of(spot.x, spot.y, spot.reach):
            return False
        return all(map(spot.apart, (*self.spots, self.other(spot))))

    def _gap(self, spot: Spot) -> float:
        """Return how far, squared, the nearest other middle is."""
        return min(map(spot.square, (*self.spots, self.other(spot))))

    def other(self, spot: Spot) -> Spot:
        """Return a spot turned half around the middle of the table."""
        return replace(spot, x=self.width - spot.x, y=self.height - spot.y)

    def turned(self, points: Sequence[Point]) -> tuple[Point, ...]:
        """Return points turned half around the middle of the table."""
        return tuple(Point(self.width - x, self.height - y) for x, y in points)
