"""What a map is drawn of: areas, lines, discs and words, each of which can be written as SVG and as PNG.

All coordinates are pixels of the finished picture, x to the right, y down. The PNG has one palette of sixteen colours.
What stays the same in a whole game, the ground, is drawn once, larger than it is; what is drawn on it for a letter is
drawn on a copy, and only where something was drawn the copy is brought down to size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias
from xml.etree import ElementTree as ET

from PIL import Image, ImageDraw, ImageFont

from referee.rulebooks.drawing import (
    INK,
    MUTED,
    PAPER,
    halfway,
    palette_of,
    rgb,
    svg_shape,
    svg_text,
    write_png,
)

RED_INK, BLUE_INK = "#b3261e", "#1f4e9e"
GRID, GRID_STRONG = "#e4ddcc", "#cbc2ab"
SAND, BROWN = "#ead7ab", "#a98446"
LEAF, GREEN = "#d2e3c1", "#668f52"
CORN, WATER, STONE = "#f4eab8", "#b5d5e9", "#cbc6be"

COLOURS = (
    PAPER,
    INK,
    MUTED,
    GRID,
    GRID_STRONG,
    SAND,
    BROWN,
    LEAF,
    GREEN,
    CORN,
    WATER,
    STONE,
    RED_INK,
    BLUE_INK,
)
"""All that a mark may be drawn in; the PNG has two shades more, for the edges of the sides' colours."""
SUPER = 3
"""How many times larger a picture is drawn."""
EFFORT = 9
"""zlib's level: a letter with a map is to stay small, and the highest makes it a tenth smaller than the usual one."""

Pixel: TypeAlias = tuple[float, float]


class Box(NamedTuple):
    """A rectangle along the edges of the picture."""

    left: float
    top: float
    right: float
    bottom: float

    def shared(self, other: Box) -> float:
        """Return how large a part two boxes have in common, in square pixels."""
        left, top, right, bottom = self
        left2, top2, right2, bottom2 = other
        if left2 >= right or left >= right2 or top2 >= bottom or top >= bottom2:
            return 0.0  # as most are, so that is found out first
        return (min(right, right2) - max(left, left2)) * (min(bottom, bottom2) - max(top, top2))

    def wider(self, by: float) -> Box:
        """Return the box with a margin around it."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass(frozen=True, slots=True)
class Area:
    """A polygon. fill, edge: "" for none; width: of the edge, which lies half within."""

    points: tuple[Pixel, ...]
    fill: str = ""
    edge: str = ""
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Line:
    """A line from point to point. dash: how long its strokes and its gaps are, () for none."""

    points: tuple[Pixel, ...]
    colour: str
    width: float = 1.0
    dash: tuple[float, float] | tuple[()] = ()


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc; fill, edge and width as of an area."""

    at: Pixel
    radius: float
    fill: str = ""
    edge: str = ""
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Words:
    """A line of words around a point. halo: the colour around the letters, "" for none."""

    text: str
    at: Pixel
    size: int
    colour: str = INK
    halo: str = ""


Mark: TypeAlias = Area | Line | Disc | Words

_HALO = 3.0
_CAPITAL = 0.36
"""From the middle of a capital to its base line, in parts of the letters' size."""


def box_of(points: Sequence[Pixel], margin: float = 0.0) -> Box:
    """Return the least box around points, with a margin."""
    across, down = [x for x, _ in points], [y for _, y in points]
    return Box(min(across), min(down), max(across), max(down)).wider(margin)


def words_box(words: Words) -> Box:
    """Return the box of a line of words, its halo included."""
    left, top, right, bottom = _font(words.size).getbbox(words.text, anchor="mm")
    (x, y), halo = words.at, _HALO if words.halo else 0.0
    return Box(x + left, y + top, x + right, y + bottom).wider(halo)


def _box(mark: Mark) -> Box:
    match mark:
        case Words():
            return words_box(mark).wider(2)
        case Disc(at, radius):
            return box_of([at], radius + mark.width)
        case _:
            return box_of(mark.points, mark.width + 1)


# --- SVG


def add_to_svg(root: ET.Element, marks: Sequence[Mark]) -> None:
    """Add marks to a drawing, one over the other."""
    for mark in marks:
        match mark:
            case Area(points, fill, edge, width):
                svg_shape(root, "polygon", points=_pairs(points), **_style(fill, edge, width))
            case Line(points, colour, width, dash):
                more = {"stroke_dasharray": f"{dash[0]:g} {dash[1]:g}"} if dash else {}
                style = _style("", colour, width) | {"stroke_linejoin": "round"} | more
                svg_shape(root, "polyline", points=_pairs(points), **style)
            case Disc((x, y), radius, fill, edge, width):
                svg_shape(
                    root, "circle", cx=round(x, 1), cy=round(y, 1), r=radius, **_style(fill, edge, width)
                )
            case Words(text, (x, y), size, colour, halo):
                said = svg_text(root, text, round(x, 1), round(y + size * _CAPITAL, 1), size, colour)
                if halo:
                    said.attrib |= {
                        "stroke": halo,
                        "stroke-width": f"{2 * _HALO:g}",
                        "stroke-linejoin": "round",
                        "paint-order": "stroke",
                    }


def _style(fill: str, edge: str, width: float) -> dict[str, object]:
    return {"fill": fill or "none"} | ({"stroke": edge, "stroke_width": float(width)} if edge else {})


def _pairs(points: Sequence[Pixel]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


# --- PNG


@cache
def _palette() -> Image.Image:
    edges = [halfway(colour, PAPER) for colour in (RED_INK, BLUE_INK)]
    return palette_of([*map(rgb, COLOURS), *edges])


@cache
def _font(size: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont), "this Pillow was built without FreeType"
    return font


def png_of(size: tuple[int, int], ground: tuple[Mark, ...], marks: Sequence[Mark]) -> bytes:
    """Return a picture as a PNG. ground: what lies below, and is the same in every picture of a game."""
    large, small = (image.copy() for image in _ground(size, ground))
    draw = _pen(large)
    for mark in marks:
        _draw(draw, mark)
    whole = Box(0, 0, *size)
    for box in _together([_box(mark) for mark in marks], whole):
        small.paste(_reduced(large, box), (int(box.left), int(box.top)))
    return write_png(small, EFFORT)


@lru_cache(maxsize=4)
def _ground(size: tuple[int, int], marks: tuple[Mark, ...]) -> tuple[Image.Image, Image.Image]:
    """Return the ground, large and in its size."""
    large = Image.new("P", (size[0] * SUPER, size[1] * SUPER), 0)
    large.putpalette(_palette().getpalette() or ())
    draw = _pen(large)
    for mark in marks:
        _draw(draw, mark)
    return large, _reduced(large, Box(0, 0, *size))


def _pen(image: Image.Image) -> ImageDraw.ImageDraw:
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"
    return draw


def _reduced(large: Image.Image, box: Box) -> Image.Image:
    """Return a part of a large drawing in its size. box: in whole pixels."""
    left, top, right, bottom = (int(edge) * SUPER for edge in box)
    part = large.crop((left, top, right, bottom)).convert("RGB").reduce(SUPER)
    return part.quantize(palette=_palette(), dither=Image.Dither.NONE)


def _together(boxes: Sequence[Box], whole: Box) -> list[Box]:
    """Return boxes of whole pixels that hold all these, those that touch each other as one."""
    joined: list[Box] = []
    for box in boxes:
        new = Box(*map(math.floor, box[:2]), *map(math.ceil, box[2:]))
        new = Box(
            max(new.left, whole.left),
            max(new.top, whole.top),
            min(new.right, whole.right),
            min(new.bottom, whole.bottom),
        )
        if new.left >= new.right or new.top >= new.bottom:
            continue
        while touching := [each for each in joined if each.shared(new)]:
            joined = [each for each in joined if each not in touching]
            new = Box(
                min(each.left for each in (new, *touching)),
                min(each.top for each in (new, *touching)),
                max(each.right for each in (new, *touching)),
                max(each.bottom for each in (new, *touching)),
            )
        joined.append(new)
    return joined


def _draw(draw: ImageDraw.ImageDraw, mark: Mark) -> None:
    match mark:
        case Area(points, fill, edge, width):
            corners = _large(points)
            if fill:
                draw.polygon(corners, fill=_index(fill))
            if edge:
                _stroke(draw, [*corners, *corners[:2]], edge, width)
        case Line(points, colour, width, dash):
            for part in _dashes(points, dash) if dash else (points,):
                _stroke(draw, _large(part), colour, width)
        case Disc((x, y), radius, fill, edge, width):
            reach = radius + (width / 2 if edge else 0)
            circle = [
                (at - reach) * SUPER if end == 0 else (at + reach) * SUPER - 1
                for end in (0, 1)
                for at in (x, y)
            ]
            draw.ellipse(
                circle,
                fill=_index(fill) if fill else None,
                outline=_index(edge) if edge else None,
                width=max(1, round(width * SUPER)),
            )
        case Words(text, (x, y), size, colour, halo):
            # The halo first, so that the letters have the same weight with it and without.
            font, at = _font(size * SUPER), (x * SUPER, y * SUPER)
            bold = max(1, round(size * SUPER * 0.03))
            if halo:
                wide = bold + round(_HALO * SUPER)
                draw.text(at, text, _index(halo), font, "mm", stroke_width=wide)
            draw.text(at, text, _index(colour), font, "mm", stroke_width=bold)


def _stroke(draw: ImageDraw.ImageDraw, points: Sequence[Pixel], colour: str, width: float) -> None:
    draw.line(list(points), fill=_index(colour), width=max(1, round(width * SUPER)), joint="curve")


def _large(points: Sequence[Pixel]) -> list[Pixel]:
    return [(x * SUPER, y * SUPER) for x, y in points]


@cache
def _index(colour: str) -> int:
    return COLOURS.index(colour)


def _dashes(points: Sequence[Pixel], dash: tuple[float, float]) -> list[tuple[Pixel, ...]]:
    """Cut a line into its strokes; a stroke that goes round a corner has the corner in it."""
    strokes: list[list[Pixel]] = []
    drawing, left = True, dash[0]
    current = [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        length, done = math.hypot(x1 - x0, y1 - y0), 0.0
        while length - done > left:
            done += left
            cut = (x0 + (x1 - x0) * done / length, y0 + (y1 - y0) * done / length)
            if drawing:
                strokes.append([*current, cut])
            drawing = not drawing
            current, left = [cut], dash[0] if drawing else dash[1]
        left -= length - done
        current.append((x1, y1))
    if drawing and len(current) > 1:
        strokes.append(current)
    return [tuple(stroke) for stroke in strokes]
