"""A battle's table as a page draws it: the land.

The land uses the same marks as the picture in letters, many in one path, in colours that the page's style
names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from referee.rulebooks.cards.ground import Ground
from referee.rulebooks.cards.marks import (
    BROWN,
    CORN,
    GREEN,
    GRID,
    GRID_STRONG,
    LEAF,
    SAND,
    STONE,
    WATER,
    Area,
    Disc,
    Line,
    Mark,
    Pixel,
    Words,
)
from referee.rulebooks.cards.picture import MARGIN, NUMBERED, SCALE, land_marks
from referee.rulebooks.drawing import INK, MUTED
from referee.rulebooks.stages.battle import MM, Land, Spotted

_COLOURS = {
    INK: "ink",
    MUTED: "stone-edge",
    GRID: "grid",
    GRID_STRONG: "grid-strong",
    SAND: "sand",
    BROWN: "brown",
    LEAF: "leaf",
    GREEN: "green",
    CORN: "corn",
    WATER: "water",
    STONE: "stone",
}
"""The colours of the land in the page's style: for day, night and paper."""


def millimetres(cm: float) -> int:
    """Return a length in whole millimetres, half up."""
    return int(cm * MM + 0.5 + 1e-6) if cm >= 0 else -int(-cm * MM + 0.5 + 1e-6)


def spot(ground: Ground, point: Sequence[float]) -> tuple[int, int]:
    """Return where a point of the table is drawn."""
    return millimetres(point[0]), millimetres(ground.height - point[1])


def land_of(ground: Ground, title: str, titles: Sequence[tuple[int, int]]) -> Land:
    """Return a table as drawn. titles: where its objectives' titles are written."""
    return Land(
        title=title,
        width=millimetres(ground.width),
        height=millimetres(ground.height),
        drawn=_drawn(land_marks(ground)),
        objectives=tuple(
            Spotted(
                each.id,
                each.name,
                _path(tuple(spot(ground, point) for point in each.points), closed=True),
                *at,
            )
            for each, at in zip(ground.objectives, titles, strict=True)
        ),
        across=numbers_along(ground.width),
        up=numbers_along(ground.height),
        south=str(ground.south),
    )


def numbers_along(length: float) -> tuple[int, ...]:
    """Return the numbers, in cm, along an edge of this length."""
    return tuple(range(NUMBERED, int(length), NUMBERED))


# --- the land


def _drawn(marks: Iterable[Mark]) -> str:
    """Return marks as SVG; adjacent ones that look alike become one path."""
    size = 1 / SCALE * MM
    off = -MARGIN * size
    inside = "".join(
        f'<path{look} d="{"".join(map(_mark_path, alike))}"/>'
        for look, alike in groupby(marks, _look)
        if look
    )
    return f'<g transform="translate({off:g} {off:g}) scale({size:g})">{inside}</g>'


def _look(mark: Mark) -> str:
    """Return the attributes that draw a mark, "" for words, which the page writes itself."""
    match mark:
        case Area(_, fill, edge, width):
            return _fill(fill) + (_stroke(edge, width) if edge else "")
        case Line(_, colour, width, dash):
            dashes = f' stroke-dasharray="{dash[0]:g} {dash[1]:g}"' if dash else ""
            return _fill("") + _stroke(colour, width) + dashes + ' stroke-linejoin="round"'
        case Disc(_, radius, fill):
            # A line of no length with round ends is a disc, and many of them are one path.
            return _fill("") + _stroke(fill, 2 * radius) + ' stroke-linecap="round"'
        case Words():
            return ""


def _fill(colour: str) -> str:
    return f' fill="var(--m-{_COLOURS[colour]})"' if colour else ' fill="none"'


def _stroke(colour: str, width: float) -> str:
    return f' stroke="var(--m-{_COLOURS[colour]})" stroke-width="{width:g}"'


def _mark_path(mark: Mark) -> str:
    match mark:
        case Area(points):
            return _path(points, closed=True)
        case Line(points):
            return _path(points, closed=False)
        case Disc((x, y)):
            return f"M{round(x)} {round(y)}h0"
    return ""


def _path(points: Sequence[Pixel], *, closed: bool) -> str:
    """Return a line from point to point as a path, in whole units."""
    whole = [(round(x), round(y)) for x, y in points]
    (x, y), steps = whole[0], ""
    for (x0, y0), (x1, y1) in pairwise(whole):
        across, down = x1 - x0, y1 - y0
        steps += f"h{across}" if not down else f"v{down}" if not across else _pair("l", across, down)
    return f"{_pair('M', x, y)}{steps}{'z' if closed else ''}"


def _pair(letter: str, x: int, y: int) -> str:
    return f"{letter}{x}{'' if y < 0 else ' '}{y}"
