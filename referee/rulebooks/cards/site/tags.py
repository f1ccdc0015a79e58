"""Where names are written on a battle's map: next to each thing, or, in a crowd, a little way off.

Everything is calculated for a phone, where names are largest relative to the table, so they have room on
every other screen. A name stays on its side as long as it covers nothing there, so that names do not jump
from step to step. A line joins a distant name to its thing, and should not run through other names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from referee.rulebooks.cards.marks import Box, box_of
from referee.rulebooks.stages.battle import OFF, Beside, Type

_ROUND: Final[tuple[Beside, ...]] = ("n", "e", "s", "w")
_NAMES, _TABLE = 20.0, 40.0
"""How much worse it is to cover another name, or to be cut off at the table's edge, than to cover a body."""


class Slide(NamedTuple):
    """How far a name is from the middle of its side.

    along: in halves of its width, or of its height.
    away: in lines.
    """

    along: int = 0
    away: int = 0


_SLIDES: Final[tuple[tuple[Slide, ...], ...]] = (
    (Slide(),),
    (Slide(1), Slide(-1)),
    (Slide(0, 1),),
    (Slide(1, 1), Slide(-1, 1)),
    (Slide(0, 2),),
    (Slide(1, 2), Slide(-1, 2), Slide(2, 1), Slide(-2, 1)),
    (Slide(2, 2), Slide(-2, 2), Slide(3, 2), Slide(-3, 2)),
)
"""The slides that are tried, the nearest first."""


class Written(NamedTuple):
    """The position of a name: a point, and the side of it; and the slide that led there."""

    x: int
    y: int
    side: Beside
    slide: Slide

    @property
    def is_off(self) -> bool:
        """Whether it does not touch its thing."""
        return self.slide.away > 0

    @property
    def tag(self) -> tuple[int, int, str]:
        """The position in the form of a stage."""
        return self.x, self.y, f"{self.side} {OFF}" if self.is_off else self.side


def tags(
    bodies: Mapping[int, tuple[str, Box, float]],
    taken: Sequence[Box],
    names: Sequence[Box],
    table: Box,
    letters: Type,
    before: Mapping[int, Written],
) -> dict[int, Written]:
    """Return where names are written, for each thing.

    bodies: of each thing its name, the box that it fills, and the preferred bearing of its name.
    taken: other boxes that names should not cover.
    names: boxes of what is written already.
    before: the previous positions.
    """
    filled = [*taken, *(box for _, box, _ in bodies.values())]
    found: dict[int, tuple[Written, list[Box]]] = {}
    covering: set[int] = set()
    # A name that covers something, or is distant, may find room once all others are written.
    for again in (False, True, True):
        # The smallest first: next to them it is least clear whose name it is.
        for place, (name, box, bearing) in sorted(bodies.items(), key=lambda each: _breadth(each[1][1])):
            if again and place not in covering and not found[place][0].is_off:
                continue
            wide, least = letters.wide(name), float("inf")
            reach = box.wider(2 * wide + 3 * letters.high)
            near = [each for each in filled if reach.shared(each)]
            others = (each for other, (_, own) in found.items() if other != place for each in own)
            written = [each for each in (*names, *others) if reach.shared(each)]
            for spot in _spots(box, wide, letters.high, bearing, before.get(place)):
                own = [_box(spot, wide, letters.high), *_line(box, spot, letters.high)]
                cost = _covered(own, near, written, table, least)
                if cost < least:
                    found[place], least = (spot, own), cost
                if not cost:
                    break
            covering = covering - {place} if not least else covering | {place}
    return {place: spot for place, (spot, _) in found.items()}


def _breadth(box: Box) -> float:
    return max(box.right - box.left, box.bottom - box.top)


def _spots(box: Box, wide: float, high: float, bearing: float, was: Written | None) -> Iterator[Written]:
    """Yield possible positions of a name: the nearest first, and among equally near ones the previous one first."""
    best = round(bearing / 90) % 4
    sides = [_ROUND[(best + turn) % 4] for turn in (0, 1, 3, 2)]
    for ring in _SLIDES:
        spots = [_slid(box, side, slide, wide, high) for slide in ring for side in sides]
        if was is not None:
            spots.sort(key=lambda spot: (spot.side, spot.slide) != (was.side, was.slide))
        yield from spots


def _slid(box: Box, side: Beside, slide: Slide, wide: float, high: float) -> Written:
    """Return a position next to a box, slid along its side, and away from it."""
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    across, down = slide.along * wide / 2, slide.along * high / 2
    off = slide.away * high
    at = {
        "n": (x + across, box.top - off),
        "s": (x + across, box.bottom + off),
        "e": (box.right + off, y + down),
        "w": (box.left - off, y + down),
    }[side]
    return Written(round(at[0]), round(at[1]), side, slide)


def _box(spot: Written, wide: float, high: float) -> Box:
    """Return the box that a name fills at a position."""
    x, y = spot.x, spot.y
    left = {"n": x - wide / 2, "s": x - wide / 2, "e": x, "w": x - wide}[spot.side]
    top = {"n": y - high, "s": y, "e": y - high / 2, "w": y - high / 2}[spot.side]
    return Box(left, top, left + wide, top + high)


def _line(box: Box, spot: Written, high: float) -> list[Box]:
    """Return boxes along the line that joins a name to its thing; none where they touch."""
    if not spot.is_off:
        return []
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    along = ((x + (spot.x - x) * part, y + (spot.y - y) * part) for part in (0.3, 0.5, 0.7, 0.9))
    return [box_of([point], high / 6) for point in along]


def _covered(
    own: Sequence[Box], filled: Sequence[Box], written: Sequence[Box], table: Box, enough: float
) -> float:
    """Return how much a name and its line cover, or some value of at least `enough` where that is too much.

    own: the name's box first. Its part off the table counts as well. Of the line, only the part on other
        names and lines counts.
    """
    name = own[0]
    area = (name.right - name.left) * (name.bottom - name.top)
    cost = _TABLE * round(area - name.shared(table))
    for weight, ones, others in ((_NAMES, own, written), (1.0, own[:1], filled)):
        for one in ones:
            if cost >= enough:
                return cost
            cost += weight * sum([one.shared(each) for each in others])
    return cost


def title_spot(outline: Box, title: str, bodies: Sequence[Box], letters: Type) -> tuple[int, int]:
    """Return the position of an objective's title: inside it, or on its edge, where the fewest units stand.

    outline: the objective's box.
    bodies: the boxes that units have filled during the battle.
    """
    x, y = round((outline.left + outline.right) / 2), round((outline.top + outline.bottom) / 2)
    spots = [(x, y), (x, round(outline.bottom)), (x, round(outline.top))]
    spots += [(round(outline.left), y), (round(outline.right), y)]
    return min(spots, key=lambda spot: sum(title_box(spot, title, letters).shared(each) for each in bodies))


def title_box(middle: tuple[int, int], title: str, letters: Type) -> Box:
    """Return the box of an objective's title, with room for its holder's initial."""
    (x, y), half = middle, letters.wide(f"{title} R") / 2
    return Box(x - half, y - letters.high / 2, x + half, y + letters.high / 2)


def number_box(number: str, at: tuple[int, int], side: Beside, letters: Type) -> Box:
    """Return the box of a number at the table's edge. at: the point of the edge that it marks."""
    return _box(Written(*at, side, Slide()), letters.wide(number), letters.high)


def body_of(points: Sequence[tuple[float, float]], reach: float) -> Box:
    """Return the box around points, extended by `reach`."""
    return box_of(points, reach)
