"""Draws both deduction sheets as one picture: PNG for letters, SVG for keeping and printing.

It looks like the sheets that players of the game fill in with a pencil, with letters down the side and types
across. Each cell is a small diagram of how that type moves, with forward at the top: a stroke in every
direction in which it goes, with a bead for each square of its reach. Types that a letter cannot be any more
are pale and crossed out; the last type left is tinted and framed. What is still open is therefore seen first,
and no colour is needed to read it.

The picture is as wide as letters show it, and its diagrams are drawn pixel by pixel: they are sharp, and 24
rows of them are small enough for a letter that also carries the board. The edition of thirteen spies has one
column more, whose diagram is a question mark, and one row more on each sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal
from xml.etree import ElementTree as ET

from PIL import Image, ImageDraw

from referee.common.i18n import N_, SOURCE, translate
from referee.rulebooks.confusion.compass import COLOURS, HEADINGS
from referee.rulebooks.confusion.knowledge import SheetLine, SheetShown, sheets_after
from referee.rulebooks.confusion.picture import SIZE
from referee.rulebooks.confusion.position import LETTERS, Seen, View
from referee.rulebooks.confusion.table import DOUBLE_AGENT, MovementTable, Row
from referee.rulebooks.drawing import (
    INK,
    PAPER,
    blank,
    palette_of,
    reduced,
    rgb,
    svg_root,
    svg_shape,
    svg_text,
    write,
    write_png,
    write_svg,
)
from referee.rulebooks.rulebook import Seat

WIDTH = 480
"""Pixels across: the width at which a letter shows it."""
FRAME = 1
ROW = 28
"""Pixels per cell, down, including the line above it."""
TITLE = 28
TYPES = 18
"""Pixels of the title of a sheet, and of the line of types below it."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How the sheets divide the width.

    A cell begins at a multiple of a byte of four pixels: only then are the bytes of equal cells equal, and
    compress well.

    types: as many as letters.
    side: pixels for the letters, on the left.
    cell: pixels per cell, across, including the line on its left.
    """

    types: int
    side: int
    cell: int

    @property
    def sheet(self) -> int:
        """Pixels of a sheet, down."""
        return TITLE + TYPES + self.types * ROW + 1

    @property
    def height(self) -> int:
        """Pixels of both."""
        return 2 * (self.sheet + FRAME)

    @property
    def middle(self) -> tuple[int, int]:
        """The pixel in the middle of a cell, without the lines around it."""
        return (self.cell - 1) // 2, (ROW - 1) // 2

    def corner(self, place: int, row: int, column: int) -> tuple[int, int]:
        """Return the top left pixel of a cell. place: 0 for the upper sheet. row, column: from 0."""
        return FRAME + self.side + column * self.cell, FRAME + place * self.sheet + TITLE + TYPES + row * ROW


TWELVE = Layout(types=len(LETTERS), side=43, cell=36)
THIRTEEN = Layout(types=len(LETTERS) + 1, side=59, cell=32)
_LAYOUTS = {layout.types: layout for layout in (TWELVE, THIRTEEN)}

GREY = "#8a8375"
"""The lines that cross out types, and those between the cells."""
PALE = "#d8c9a0"
"""A diagram that is crossed out, and the ground of the last type left."""

_STEPS = {
    "F": ((0, -1),),
    "FD": ((-1, -1), (1, -1)),
    "S": ((-1, 0), (1, 0)),
    "BD": ((-1, 1), (1, 1)),
    "B": ((0, 1),),
}
"""The steps of a heading on paper: x to the right, y down."""
_BEADS = {1: (6,), 2: (5, 9), 3: (3, 6, 9), 4: (3, 6, 9, 12)}
"""The distance of beads from the middle in pixels, by reach. Longer reaches are written as a number in the middle."""
_LONG = 11
"""Pixels of a stroke of a longer reach."""
_NUMBER = 13
"""Pixels that its number takes, across and down."""
_SIZES = ((_NUMBER, 12), (23, 19))
"""Pixels of a number in the middle, across and down, and its font size; then those of the question mark."""
_STRIKE = (10, 4)
"""Pixels from the middle of a crossing line to its ends: flatter than a diagonal move, so as not to hide it."""
_NAME = 9
"""The most characters of a name over a column of the SVG drawing."""
_EFFORT = 7
"""zlib's level."""

State = Literal["open", "struck", "certain"]


@dataclass(frozen=True, slots=True)
class Diagram:
    """How a type moves, as far as it is drawn. number and name are written over its column."""

    number: str
    name: str
    reach: int
    headings: tuple[str, ...]

    @property
    def beads(self) -> tuple[int, ...]:
        """The distances of the beads on a stroke from the middle, in pixels; empty where the reach is written."""
        return _BEADS.get(self.reach, ())

    @property
    def strokes(self) -> Iterator[tuple[int, int]]:
        """Yield the direction of each stroke: x to the right, y down."""
        for heading in self.headings:
            yield from _STEPS[heading]

    @property
    def length(self) -> int:
        """Pixels of a stroke, across or down."""
        return self.beads[-1] if self.beads else _LONG

    @property
    def middle(self) -> str:
        """The text in the middle where there are no beads: a long reach, or the double agent's sign."""
        return DOUBLE_AGENT if self.number == DOUBLE_AGENT else str(self.reach)


def diagrams(table: MovementTable, *, double_agent: bool = False) -> tuple[Diagram, ...]:
    """Return the diagrams of the types, the double agent's last where there is one."""
    agent = (table.double_agent,) if double_agent and table.double_agent is not None else ()
    return tuple(map(_diagram, (*table.rows, *agent)))


def _diagram(row: Row) -> Diagram:
    headings = tuple(heading for heading in HEADINGS if heading in row.headings)
    name = "".join(sign for sign in row.name() if sign.isprintable())
    return Diagram(row.number, name, row.reach, headings)


def states(line: SheetLine) -> tuple[State, ...]:
    """Return the state of each diagram in a letter's row."""
    last: State = "certain" if line.certain else "open"
    return tuple(last if number else "struck" for number in line.cells)


def titles(opponent: Seat, language: str = SOURCE) -> tuple[str, str]:
    """Return the titles of the two sheets of a player. opponent: the player's opponent."""
    said = translate(language)
    colour = said(COLOURS[opponent])
    return said(N_("Your pieces")), said(N_("{colour}'s pieces, as {colour} can know them")).format(
        colour=colour
    )


def png(view: View, language: str = SOURCE) -> bytes | None:
    """Return both sheets as a PNG, None in a game without. Same view, same bytes.

    language: of the two titles.
    """
    return png_of(view, sheets_after(view.board), language) if view.sheets else None


def svg(view: View) -> str | None:
    """Return both sheets as an SVG document, with the types' names, None in a game without sheets."""
    return svg_of(view, sheets_after(view.board), "Confusion") if view.sheets else None


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two sheets for drawing. titles: see titles. known: the upper one first."""

    titles: tuple[str, str]
    kinds: tuple[Diagram, ...]
    known: tuple[SheetShown, SheetShown]

    @property
    def layout(self) -> Layout:
        return _LAYOUTS[len(self.kinds)]


def _pair(view: Seen, shown: Mapping[Seat, SheetShown], language: str) -> _Pair:
    edition = view.board.edition
    other = edition.other(view.seat)
    return _Pair(
        titles(other, language),
        diagrams(view.board.table, double_agent=edition.double_agent),
        (shown[view.seat], shown[other]),
    )


def png_of(view: Seen, shown: Mapping[Seat, SheetShown], language: str = SOURCE) -> bytes:
    """Return the sheets of both sides as a seat reads them, as a PNG of WIDTH by its layout's height."""
    pair = _pair(view, shown, language)
    layout = pair.layout
    tiles = _tiles(pair.kinds)
    picture = _form(pair.titles, pair.kinds).copy()
    draw = ImageDraw.Draw(picture)
    for place, known in enumerate(pair.known):
        for row, line in enumerate(known.lines):
            _, top = layout.corner(place, row, 0)
            picture.paste(_mark(line.mark, layout.side), (FRAME, top + 1))
            for column, state in enumerate(states(line)):
                if state == "struck":
                    continue
                x, y = layout.corner(place, row, column)
                picture.paste(tiles[column, state], (x + 1, y + 1))
                if state == "certain":
                    draw.rectangle((x, y, x + layout.cell, y + ROW), outline=_INK, width=2)
    return write_png(picture, _EFFORT)


_COLOURS = (PAPER, INK, GREY, PALE)
"""At most four, so that a pixel takes a quarter of a byte."""
_PAPER, _INK, _GREY, _PALE = range(4)


@cache
def _palette() -> Image.Image:
    return palette_of([rgb(colour) for colour in _COLOURS])


@cache
def _plain() -> Image.Image:
    """Return the palette for parts that softer edges would only make larger."""
    return palette_of([rgb(PAPER), rgb(INK)])


@lru_cache(maxsize=8)
def _form(titles: tuple[str, str], kinds: tuple[Diagram, ...]) -> Image.Image:
    """Return the picture without letters and with everything crossed out, as most types soon are."""
    layout = _LAYOUTS[len(kinds)]
    image = blank(WIDTH, layout.height, PAPER)
    for place, title in enumerate(titles):
        write(image, title, 15, (WIDTH / 2, FRAME + place * layout.sheet + TITLE / 2 + 1), INK, bold=0.03)
        for column, kind in enumerate(kinds):
            x, y = layout.corner(place, 0, column)
            write(image, kind.number, 12, (x + layout.cell / 2, y - TYPES / 2), INK, bold=0.03)
    form = reduced(image, _palette())
    draw, tiles = ImageDraw.Draw(form), _tiles(kinds)
    for place in range(2):
        left, top = layout.corner(place, 0, 0)
        right, bottom = layout.corner(place, layout.types, layout.types)
        for column in range(layout.types + 1):
            x = left + column * layout.cell
            draw.line((x, top, x, bottom), fill=_GREY)
        for row in range(layout.types + 1):
            draw.line((left, top + row * ROW, right, top + row * ROW), fill=_GREY)
        for row in range(layout.types):
            for column in range(layout.types):
                x, y = layout.corner(place, row, column)
                form.paste(tiles[column, "struck"], (x + 1, y + 1))
    draw.rectangle((0, 0, WIDTH - 1, layout.height - 1), outline=_INK, width=FRAME)
    return form


@cache
def _mark(mark: str, side: int) -> Image.Image:
    """Return a row's letter: "H", "(H)", "[H]" or "H+". side: pixels for it."""
    image = blank(side, ROW - 1, PAPER)
    write(image, mark, 15, (side / 2, ROW / 2), INK)
    return reduced(image, _plain())


@lru_cache(maxsize=4)
def _tiles(kinds: tuple[Diagram, ...]) -> dict[tuple[int, State], Image.Image]:
    """Return the diagrams of a table in all their states, by column."""
    wanted: tuple[State, ...] = ("open", "struck", "certain")
    layout = _LAYOUTS[len(kinds)]
    return {
        (column, state): _tile(kind, state, layout) for column, kind in enumerate(kinds) for state in wanted
    }


def _tile(kind: Diagram, state: State, layout: Layout) -> Image.Image:
    """Return the content of a cell, without the lines around it."""
    tile = Image.new("P", (layout.cell - 1, ROW - 1), _PALE if state == "certain" else _PAPER)
    tile.putpalette(_palette().getpalette() or ())
    draw = ImageDraw.Draw(tile)
    ink = _PALE if state == "struck" else _INK
    x, y = layout.middle

    def line(start: tuple[int, int], end: tuple[int, int], ink: int) -> None:
        draw.line((x + start[0], y + start[1], x + end[0], y + end[1]), fill=ink)

    for step in kind.strokes:
        line((0, 0), (step[0] * kind.length, step[1] * kind.length), ink)
        for bead in kind.beads:
            across, down = step[0] * bead, step[1] * bead
            line((across - 1, down), (across + 1, down), ink)
            line((across, down - 1), (across, down + 1), ink)
    if kind.beads:
        draw.rectangle((x - 2, y - 2, x + 2, y + 2), fill=ink)
    else:
        middle = _middle(kind.middle, _SIZES[kind.number == DOUBLE_AGENT], state)
        tile.paste(middle, (x - middle.width // 2, y - middle.height // 2))
    if state == "struck":
        across, down = _STRIKE
        for shift in (0, 1):
            line((-across, down + shift), (across, shift - down), _GREY)
    return tile


def _middle(sign: str, size: tuple[int, int], state: State) -> Image.Image:
    """Return the text in the middle of a diagram. size: pixels across and down, and of the text.

    Its edges are hard, like those of the strokes: a pixel between ink and paper would look crossed out.
    """
    room, height = size
    image = blank(room, room, PAPER)
    write(image, sign, height, (room / 2, room / 2), INK, 0.9, bold=0.02)
    ground, ink = _PALE if state == "certain" else _PAPER, _PALE if state == "struck" else _INK
    return reduced(image, _plain()).point([ground, ink, *(254 * [_PAPER])])


def svg_of(view: Seen, shown: Mapping[Seat, SheetShown], game: str) -> str:
    """Return the sheets as an SVG document, with the types' names. game: the name of the edition."""
    pair = _pair(view, shown, SOURCE)
    layout, kinds = pair.layout, pair.kinds
    sheets = tuple(zip(pair.titles, pair.known, strict=True))
    told = " ".join(_told(title, known) for title, known in sheets)
    title = f"{game}, the deduction sheets as {view.seat.capitalize()} sees them"
    root = svg_root((WIDTH, layout.height), SIZE, title, told)
    svg_shape(root, "rect", width=WIDTH, height=layout.height, fill=PAPER)
    parts = svg_shape(root, "defs")
    for kind in kinds:
        _svg_diagram(parts, kind)
    across, down = _STRIKE
    strike = {"x1": -across, "y1": down, "x2": across, "y2": -down}
    svg_shape(parts, "line", id="strike", **strike, stroke=GREY, stroke_width=1.5)
    for place, (title, known) in enumerate(sheets):
        _svg_form(root, layout, place, title, kinds)
        cells = []
        for row, line in enumerate(known.lines):
            top = layout.corner(place, row, 0)[1]
            svg_text(root, line.mark, FRAME + layout.side / 2, top + ROW / 2 + 6, 16)
            for column, (kind, state) in enumerate(zip(kinds, states(line), strict=True)):
                cells.append((state, kind, layout.corner(place, row, column)))
        for state, kind, at in sorted(cells, key=lambda cell: cell[0] == "certain"):
            _svg_cell(root, layout.cell, kind, state, at)
    frame = {"width": WIDTH - 1, "height": layout.height - 1}
    svg_shape(root, "rect", x=0.5, y=0.5, **frame, fill="none", stroke=INK)
    return write_svg(root)


def _told(title: str, known: SheetShown) -> str:
    """Return a sheet in words: `Your pieces: A 1 2 5; (C) 8.`"""
    lines = (f"{line.mark} {' '.join(filter(None, line.signs))}" for line in known.lines)
    return f"{title}: {'; '.join(lines)}."


def _svg_diagram(parts: ET.Element, kind: Diagram) -> None:
    group = svg_shape(parts, "g", id=_svg_id(kind), stroke="currentColor", fill="currentColor")
    for x, y in kind.strokes:
        start = 0 if kind.beads else _NUMBER / 2
        line = {"x1": x * start, "y1": y * start, "x2": x * kind.length, "y2": y * kind.length}
        svg_shape(group, "line", **line)
        for bead in kind.beads:
            svg_shape(group, "circle", cx=x * bead, cy=y * bead, r=1.5, stroke="none")
    if kind.beads:
        svg_shape(group, "circle", cx=0, cy=0, r=2.5, stroke="none")
    else:
        _, height = _SIZES[kind.number == DOUBLE_AGENT]
        svg_text(group, kind.middle, 0, height / 3, height, "currentColor").set("stroke", "none")


def _svg_id(kind: Diagram) -> str:
    return "type-agent" if kind.number == DOUBLE_AGENT else f"type{kind.number}"


def _svg_form(root: ET.Element, layout: Layout, place: int, title: str, kinds: tuple[Diagram, ...]) -> None:
    svg_text(root, title, WIDTH / 2, FRAME + place * layout.sheet + TITLE - 8, 16)
    for column, kind in enumerate(kinds):
        x, y = layout.corner(place, 0, column)
        svg_text(root, kind.number, x + layout.cell / 2, y - 9, 12)
        named = svg_text(root, kind.name, x + layout.cell / 2, y - 2, 6)
        if len(kind.name) > _NAME * layout.cell // TWELVE.cell:
            named.set("textLength", str(layout.cell - 2))
            named.set("lengthAdjust", "spacingAndGlyphs")


def _svg_cell(root: ET.Element, cell: int, kind: Diagram, state: State, at: tuple[int, int]) -> None:
    x, y = at[0] + 0.5, at[1] + 0.5
    ground = PALE if state == "certain" else "none"
    svg_shape(root, "rect", x=x, y=y, width=cell, height=ROW, fill=ground, stroke=GREY)
    middle = {"x": x + cell / 2, "y": y + ROW / 2}
    svg_shape(root, "use", href=f"#{_svg_id(kind)}", **middle, color=PALE if state == "struck" else INK)
    if state == "struck":
        svg_shape(root, "use", href="#strike", **middle)
    if state == "certain":
        frame = {"x": x + 0.5, "y": y + 0.5, "width": cell - 1, "height": ROW - 1}
        svg_shape(root, "rect", **frame, fill="none", stroke=INK, stroke_width=2)
