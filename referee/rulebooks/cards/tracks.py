"""Straight moves, walked in steps of 0.1 cm (A-01).

At each step a thing stands where it would be kept if it stopped there. A naive walk would measure at all steps; but in
a step a distance changes by no more than the step is long, so that from afar many steps can be passed over at once:
none of them can be the one at which a belt is entered or left. The result is that of the naive walk.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import shapely
from shapely import Geometry

from referee.rulebooks.cards.figures import Man, Unit
from referee.rulebooks.cards.ground import Ground
from referee.rulebooks.cards.measuring import in_zone, shown_men
from referee.rulebooks.cards.shapes import (
    STEP,
    TINY,
    Coordinates,
    Place,
    Point,
    apart,
    direction,
    rounded,
    seen_from,
)

SLACK = 0.0143
"""Two kept places may be that much farther apart than the steps between them: each is off by half a diagonal."""
SLIVER = 1e-6
"""Bases that share less than this, in square cm, only touch."""


@dataclass(frozen=True)
class Track:
    """Where a thing stands after 0, 1, 2 … steps. offsets: one row each, from its start, which is the first row."""

    start: Place
    offsets: Coordinates
    length: float

    @property
    def last(self) -> int:
        return len(self.offsets) - 1

    def place(self, step: int) -> Place:
        """Return where the thing stands after so many steps."""
        east, north = self.offsets[step].tolist()
        # The sum of two kept coordinates may be off in its last digit.
        return Place(round(self.start.x + east, 2), round(self.start.y + north, 2), self.start.bearing)

    def cm(self, step: int) -> float:
        """Return how far so many steps are: to 0.1 cm, but for the last one of a way to a point."""
        return min(step / 10, self.length)


def straight(start: Place, bearing: float, steps: int) -> Track:
    """Return the track of so many steps on a bearing."""
    return _track(start, direction(bearing), np.arange(steps + 1) / 10)


def way_to(start: Place, end: Point, at_most: float) -> Track:
    """Return the track to a point, cut to a length; its last step may be a shorter one."""
    whole = apart(start.point, end)
    if whole == 0:
        return _track(start, (0.0, 0.0), np.zeros(1))
    length = min(whole, at_most)
    steps = np.arange(math.floor(length * 10 + TINY) + 1) / 10
    if length - steps[-1] > TINY:
        steps = np.append(steps, length)
    return _track(start, ((end.x - start.x) / whole, (end.y - start.y) / whole), steps)


def _track(start: Place, ahead: tuple[float, float], lengths: npt.NDArray[np.float64]) -> Track:
    points = np.column_stack((start.x + lengths * ahead[0], start.y + lengths * ahead[1]))
    offsets = np.floor(points * 100 + 0.5 + TINY) / 100 - (start.x, start.y)
    return Track(start, offsets, float(lengths[-1]))


class Gap:
    """The distance of a shape that goes along a track from one that stays. less: subtracted, the radius of a disc."""

    def __init__(self, track: Track, shape: Geometry, other: Geometry, less: float = 0.0) -> None:
        self._track, self._shape, self._other, self._less = track, np.array([shape]), other, less
        self._corners = shapely.get_coordinates(shape)

    def shape(self, step: int) -> Geometry:
        """Return the shape after so many steps."""
        shape: Geometry = shapely.set_coordinates(self._shape, self._corners + self._track.offsets[step])[0]
        return shape

    def raw(self, step: int) -> float:
        """Return the distance after so many steps, not rounded."""
        return float(shapely.distance(self.shape(step), self._other)) - self._less

    def read(self, step: int) -> float:
        """Return the distance after so many steps as it is read, R(d)."""
        return rounded(max(self.raw(step), 0.0))

    def spells(self, below: float, last: int) -> Iterator[tuple[int, int]]:
        """Yield the spells of steps, first and last one, at which R(d) is below a distance, up to the step `last`."""
        edge = below - STEP / 2
        entered: int | None = None
        step = 0
        while step <= last:
            raw = self.raw(step)
            inside = rounded(max(raw, 0.0)) < below
            if inside and entered is None:
                entered = step
            elif not inside and entered is not None:
                yield entered, step - 1
                entered = None
            step += 1 + max(0, math.floor((abs(raw - edge) - SLACK) / STEP))
        if entered is not None:
            yield entered, last

    def first_below(self, below: float, last: int) -> int | None:
        """Return the first step at which R(d) is below a distance; None if there is none up to `last`."""
        return next((first for first, _ in self.spells(below, last)), None)


class Facing:
    """Whether a unit on a track and an enemy that stays face each other, step by step (CC-1.19, A-22)."""

    def __init__(self, track: Track, unit: Unit, enemy: Unit) -> None:
        self._track, self._unit, self._enemy = track, unit, enemy

    def first(self, first: int, last: int) -> int | None:
        """Return the first step from `first` up to `last` at which they face each other, None where there is none."""
        if not (self._unit.in_ranks and self._enemy.in_ranks):
            return None
        # The first step of a spell is the likeliest, and by far the cheapest to look at.
        for end in dict.fromkeys((min(first, last), last)):
            found = np.flatnonzero(self._at(first, end))
            if len(found):
                return first + int(found[0])
        return None

    def _at(self, first: int, last: int) -> npt.NDArray[np.bool_]:
        offsets = self._track.offsets[first : last + 1]
        origin = Place(0.0, 0.0, self._unit.bearing)
        theirs = self._theirs[None] - _seen(origin, offsets)[:, None]
        ours = self._ours[None] + _seen(origin._replace(bearing=self._enemy.bearing), offsets)[:, None]
        mutual = in_zone(self._unit.formation.front, theirs).any(axis=1) & in_zone(
            self._enemy.formation.front, ours
        ).any(axis=1)
        return np.asarray(mutual)

    @cached_property
    def _theirs(self) -> Coordinates:
        return seen_from(self._unit.place, self._enemy.formation.centres(shown_men(self._enemy)))

    @cached_property
    def _ours(self) -> Coordinates:
        return seen_from(self._enemy.place, self._unit.formation.centres(shown_men(self._unit)))


def _seen(place: Place, offsets: Coordinates) -> Coordinates:
    sine, cosine = direction(place.bearing)
    east, north = offsets[:, 0], offsets[:, 1]
    return np.column_stack((east * cosine - north * sine, east * sine + north * cosine))


def first_off_footing(ground: Ground, track: Track, footprint: Geometry, last: int) -> int | None:
    """Return the first step from 1 at which a footprint is not all on dry ground (CC-3.20, CC-3.21), None for none."""
    gap = Gap(track, footprint, ground.no_footing)
    step = 1
    while step <= last:
        raw = gap.raw(step)
        if raw <= TINY and not shapely.covers(ground.footing, gap.shape(step)):
            return step
        step += 1 + max(0, math.floor((raw - SLACK) / STEP))
    return None


def first_wet(ground: Ground, track: Track, last: int) -> int | None:
    """Return the first step from 1 at which a commander's disc is not all on dry ground; None where there is none."""
    gap = Gap(track, shapely.Point(*track.start.point), ground.no_footing, ground.bases.commander)
    step = 1
    while step <= last:
        raw = gap.raw(step)
        if raw < -TINY:
            return step
        step += 1 + max(0, math.floor((raw - SLACK) / STEP))
    return None


def shared(one: Geometry, other: Geometry) -> Geometry | None:
    """Return what two shapes both cover; None where they do not overlap. Touching is not overlapping."""
    if not shapely.intersects(one, other):
        return None
    both: Geometry = shapely.intersection(one, other)
    return both if shapely.area(both) > SLIVER else None


def overlap(one: Geometry, other: Geometry) -> bool:
    """Return whether two shapes lie on each other."""
    return shared(one, other) is not None


def steps_still_shared(both: Geometry) -> int:
    """Return for how many steps, whichever way, one of two shapes that share this goes on lying on the other.

    In what they share there is room for a disc of its area divided by the length of its edge, and a disc carried on by
    no more than its radius lies on where it was.
    """
    return max(0, math.floor((float(shapely.area(both) / shapely.length(both)) - SLACK) / STEP))


def trodden(ground: Ground, track: Track, unit: Unit, men: tuple[Man, ...], last: int) -> tuple[str, ...]:
    """Return the objectives in which the base centre of one of these men was, at any step up to `last` (CC-8.4).

    unit: as it stands at the start of the track.
    """
    if not men:
        return ()
    points = (np.array(unit.formation.centres(men))[None] + track.offsets[: last + 1, None]).reshape(-1, 2)
    low, high = points.min(axis=0), points.max(axis=0)
    found = []
    for each in ground.objectives:
        west, south, east, north = shapely.bounds(each.inside)
        if west > high[0] or east < low[0] or south > high[1] or north < low[1]:
            continue
        if shapely.intersects_xy(each.inside, points[:, 0], points[:, 1]).any():
            found.append(each.id)
    return tuple(found)
