"""Both deduction sheets as one picture: PNG for letters, SVG for keeping and printing.

It looks like the sheets that players of the game fill in with a pencil. Letters stand down the side, types across; each
cell is a small diagram of how that type moves, forward being up: a stroke in every direction in which it goes, with a
bead for each square of its reach. What a letter cannot be any more is pale, with a stroke through it; the last type
left is tinted and framed. So the eye finds first what is still open, and no colour is needed to read it.

It is as wide as letters show it, and its diagrams are drawn pixel by pixel: they are sharp, and 24 rows of them weigh
no more than a letter can carry beside the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal
from xml.etree import ElementTree as ET

from PIL import Image, ImageDraw

from referee.languages import N_, SOURCE, translate
from referee.rulebooks.confusion.compass import COLOURS, HEADINGS, opponent
from referee.rulebooks.confusion.drawing import (
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
from referee.rulebooks.confusion.knowledge import SheetLine, SheetShown, sheets_after
from referee.rulebooks.confusion.picture import SIZE
from referee.rulebooks.confusion.position import LETTERS, View
from referee.rulebooks.confusion.table import NUMBERS, MovementTable, Row
from referee.rulebooks.rulebook import Seat

WIDTH = 480
"""Pixels across: as many as a letter shows."""
FRAME = 1
SIDE = 43
"""Room for the letters, on the left."""
CELL = 36
ROW = 28
"""Pixels a cell, across and down, the lines on its left and above it among them. Across, a cell begins where a byte of
four pixels does: only so are the bytes of equal cells equal, and packed well."""
TITLE = 28
TYPES = 18
"""Pixels of the title of a sheet, and of the line of types below it."""
SHEET = TITLE + TYPES + len(LETTERS) * ROW + 1
"""Pixels down."""
HEIGHT = 2 * (SHEET + FRAME)

GREY = "#8a8375"
"""What strikes out, and the lines between the cells."""
PALE = "#d8c9a0"
"""A diagram that is struck out, and the ground of the last type left."""

_MIDDLE = ((CELL - 1) // 2, (ROW - 1) // 2)
"""The pixel in the middle of a cell, without the lines around it."""
_STEPS = {
    "F": ((0, -1),),
    "FD": ((-1, -1), (1, -1)),
    "S": ((-1, 0), (1, 0)),
    "BD": ((-1, 1), (1, 1)),
    "B": ((0, 1),),
}
"""Where a heading leads on paper: x to the right, y down."""
_BEADS = {1: (6,), 2: (5, 9), 3: (3, 6, 9), 4: (3, 6, 9, 12)}
"""How many pixels from the middle the beads are, by reach. Longer reaches are written as a number in the middle."""
_LONG = 11
"""Pixels of a stroke of a longer reach."""
_NUMBER = 13
"""Pixels that its number takes, across and down."""
_STRIKE = (10, 4)
"""Pixels from the middle of what strikes out to its ends: flatter than the slant of a move, so as not to hide it."""
_NAME = 9
"""Signs of a name that have room over a column of the drawing for keeping."""
_EFFORT = 7
"""zlib's level."""

State = Literal["open", "struck", "certain"]


@dataclass(frozen=True, slots=True)
class Diagram:
    """How a type goes, as far as it is drawn. number and name stand over its column."""

    number: str
    name: str
    reach: int
    headings: tuple[str, ...]

    @property
    def beads(self) -> tuple[int, ...]:
        """Where on a stroke the beads are, in pixels from the middle; none where the reach is written."""
        return _BEADS.get(self.reach, ())

    @property
    def strokes(self) -> Iterator[tuple[int, int]]:
        """Yield the direction of each stroke: x to the right, y down."""
        for heading in self.headings:
            yield from _STEPS[heading]

    @property
    def length(self) -> int:
        """How many pixels a stroke is long, across or down."""
        return self.beads[-1] if self.beads else _LONG


def diagrams(table: MovementTable) -> tuple[Diagram, ...]:
    """Return the diagrams of the twelve types."""
    return tuple(_diagram(table.row(number)) for number in NUMBERS)


def _diagram(row: Row) -> Diagram:
    headings = tuple(heading for heading in HEADINGS if heading in row.headings)
    name = "".join(sign for sign in row.name() if sign.isprintable())
    return Diagram(row.number, name, row.reach, headings)


def states(line: SheetLine) -> tuple[State, ...]:
    """Return what becomes of each diagram in a letter's row."""
    last: State = "certain" if line.certain else "open"
    return tuple(last if number else "struck" for number in line.cells)


def titles(seat: Seat, language: str = SOURCE) -> tuple[str, str]:
    """Return what stands over the two sheets that a seat reads."""
    said = translate(language)
    colour = said(COLOURS[opponent(seat)])
    return said(N_("Your pieces")), said(N_("{colour}'s pieces, as {colour} can know them")).format(
        colour=colour
    )


def _sheets(view: View) -> tuple[SheetShown, SheetShown]:
    shown = sheets_after(view.board)
    return shown[view.seat], shown[opponent(view.seat)]


def _corner(place: int, row: int, column: int) -> tuple[int, int]:
    """Return the pixel at the top left of a cell. place: 0 for the upper sheet; row and column from 0."""
    return FRAME + SIDE + column * CELL, FRAME + place * SHEET + TITLE + TYPES + row * ROW


def png(view: View, language: str = SOURCE) -> bytes | None:
    """Return both sheets as a PNG of WIDTH by HEIGHT pixels, None in a game without. Same view, same bytes.

    language: that of its two titles.
    """
    if not view.sheets:
        return None
    kinds = diagrams(view.board.table)
    tiles = _tiles(kinds)
    picture = _form(titles(view.seat, language), kinds).copy()
    draw = ImageDraw.Draw(picture)
    for place, known in enumerate(_sheets(view)):
        for row, line in enumerate(known.lines):
            _, top = _corner(place, row, 0)
            picture.paste(_mark(line.mark), (FRAME, top + 1))
            for column, state in enumerate(states(line)):
                if state == "struck":
                    continue
                x, y = _corner(place, row, column)
                picture.paste(tiles[column, state], (x + 1, y + 1))
                if state == "certain":
                    draw.rectangle((x, y, x + CELL, y + ROW), outline=_INK, width=2)
    return write_png(picture, _EFFORT)


_COLOURS = (PAPER, INK, GREY, PALE)
"""No more than four: so a pixel is a quarter of a byte."""
_PAPER, _INK, _GREY, _PALE = range(4)


@cache
def _palette() -> Image.Image:
    return palette_of([rgb(colour) for colour in _COLOURS])


@cache
def _plain() -> Image.Image:
    """Return the palette of what would only weigh more with softer edges."""
    return palette_of([rgb(PAPER), rgb(INK)])


@lru_cache(maxsize=8)
def _form(titles: tuple[str, str], kinds: tuple[Diagram, ...]) -> Image.Image:
    """Return the picture without letters, everything struck out as most will be soon."""
    image = blank(WIDTH, HEIGHT, PAPER)
    for place, title in enumerate(titles):
        write(image, title, 15, (WIDTH / 2, FRAME + place * SHEET + TITLE / 2 + 1), INK, bold=0.03)
        for column, number in enumerate(NUMBERS):
            x, y = _corner(place, 0, column)
            write(image, str(number), 12, (x + CELL / 2, y - TYPES / 2), INK, bold=0.03)
    form = reduced(image, _palette())
    draw, tiles = ImageDraw.Draw(form), _tiles(kinds)
    for place in range(2):
        left, top = _corner(place, 0, 0)
        right, bottom = _corner(place, len(LETTERS), len(NUMBERS))
        for column in range(len(NUMBERS) + 1):
            draw.line((left + column * CELL, top, left + column * CELL, bottom), fill=_GREY)
        for row in range(len(LETTERS) + 1):
            draw.line((left, top + row * ROW, right, top + row * ROW), fill=_GREY)
        for row in range(len(LETTERS)):
            for column in range(len(kinds)):
                x, y = _corner(place, row, column)
                form.paste(tiles[column, "struck"], (x + 1, y + 1))
    draw.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), outline=_INK, width=FRAME)
    return form


@cache
def _mark(mark: str) -> Image.Image:
    """Return a letter as it stands beside its row: "H", "(H)" or "H+"."""
    image = blank(SIDE, ROW - 1, PAPER)
    write(image, mark, 15, (SIDE / 2, ROW / 2), INK)
    return reduced(image, _plain())


@lru_cache(maxsize=4)
def _tiles(kinds: tuple[Diagram, ...]) -> dict[tuple[int, State], Image.Image]:
    """Return the diagrams of a table in all their states, by column."""
    wanted: tuple[State, ...] = ("open", "struck", "certain")
    return {(column, state): _tile(kind, state) for column, kind in enumerate(kinds) for state in wanted}


def _tile(kind: Diagram, state: State) -> Image.Image:
    """Return what is in a cell, without the lines around it."""
    tile = Image.new("P", (CELL - 1, ROW - 1), _PALE if state == "certain" else _PAPER)
    tile.putpalette(_palette().getpalette() or ())
    draw = ImageDraw.Draw(tile)
    ink = _PALE if state == "struck" else _INK
    for step in kind.strokes:
        _line(draw, (0, 0), (step[0] * kind.length, step[1] * kind.length), ink)
        for bead in kind.beads:
            x, y = step[0] * bead, step[1] * bead
            _line(draw, (x - 1, y), (x + 1, y), ink)
            _line(draw, (x, y - 1), (x, y + 1), ink)
    x, y = _MIDDLE
    if kind.beads:
        draw.rectangle((x - 2, y - 2, x + 2, y + 2), fill=ink)
    else:
        tile.paste(_number(kind.reach, state), (x - _NUMBER // 2, y - _NUMBER // 2))
    if state == "struck":
        across, down = _STRIKE
        for shift in (0, 1):
            _line(draw, (-across, down + shift), (across, shift - down), _GREY)
    return tile


def _number(reach: int, state: State) -> Image.Image:
    """Return what stands in the middle of the diagram of a type that goes farther than beads can show."""
    image = blank(_NUMBER, _NUMBER, PALE if state == "certain" else PAPER)
    colour = PALE if state == "struck" else INK
    write(image, str(reach), 12, (_NUMBER / 2, _NUMBER / 2), colour, 0.9, bold=0.02)
    return reduced(image, _palette())


def _line(draw: ImageDraw.ImageDraw, start: tuple[int, int], end: tuple[int, int], ink: int) -> None:
    x, y = _MIDDLE
    draw.line((x + start[0], y + start[1], x + end[0], y + end[1]), fill=ink)


def svg(view: View) -> str | None:
    """Return the same as an SVG document, with the types' names, None in a game without sheets."""
    if not view.sheets:
        return None
    kinds, sheets = diagrams(view.board.table), _sheets(view)
    told = " ".join(_told(title, known) for title, known in zip(titles(view.seat), sheets, strict=True))
    title = f"Confusion, the deduction sheets as {view.seat.capitalize()} sees them"
    root = svg_root((WIDTH, HEIGHT), SIZE, title, told)
    svg_shape(root, "rect", width=WIDTH, height=HEIGHT, fill=PAPER)
    parts = svg_shape(root, "defs")
    for kind in kinds:
        _svg_diagram(parts, kind)
    across, down = _STRIKE
    strike = {"x1": -across, "y1": down, "x2": across, "y2": -down}
    svg_shape(parts, "line", id="strike", **strike, stroke=GREY, stroke_width=1.5)
    for place, (title, known) in enumerate(zip(titles(view.seat), sheets, strict=True)):
        _svg_form(root, place, title, kinds)
        cells = []
        for row, line in enumerate(known.lines):
            svg_text(root, line.mark, FRAME + SIDE / 2, _corner(place, row, 0)[1] + ROW / 2 + 6, 16)
            for column, (kind, state) in enumerate(zip(kinds, states(line), strict=True)):
                cells.append((state, kind, _corner(place, row, column)))
        for state, kind, at in sorted(cells, key=lambda cell: cell[0] == "certain"):
            _svg_cell(root, kind, state, at)
    svg_shape(root, "rect", x=0.5, y=0.5, width=WIDTH - 1, height=HEIGHT - 1, fill="none", stroke=INK)
    return write_svg(root)


def _told(title: str, known: SheetShown) -> str:
    """Return a sheet in words: "Your pieces: A 1 2 5; (C) 8." """
    lines = (
        f"{line.mark} {' '.join(str(number) for number in line.cells if number)}" for line in known.lines
    )
    return f"{title}: {'; '.join(lines)}."


def _svg_diagram(parts: ET.Element, kind: Diagram) -> None:
    group = svg_shape(
        parts,
        "g",
        id=f"type{kind.number}",
        stroke="currentColor",
        fill="currentColor",
    )
    for x, y in kind.strokes:
        start = 0 if kind.beads else _NUMBER / 2
        line = {"x1": x * start, "y1": y * start, "x2": x * kind.length, "y2": y * kind.length}
        svg_shape(group, "line", **line)
        for bead in kind.beads:
            svg_shape(group, "circle", cx=x * bead, cy=y * bead, r=1.5, stroke="none")
    if kind.beads:
        svg_shape(group, "circle", cx=0, cy=0, r=2.5, stroke="none")
    else:
        svg_text(group, str(kind.reach), 0, 4, 12, "currentColor").set("stroke", "none")


def _svg_form(root: ET.Element, place: int, title: str, kinds: tuple[Diagram, ...]) -> None:
    svg_text(root, title, WIDTH / 2, FRAME + place * SHEET + TITLE - 8, 16)
    for column, kind in enumerate(kinds):
        x, y = _corner(place, 0, column)
        svg_text(root, kind.number, x + CELL / 2, y - 9, 12)
        named = svg_text(root, kind.name, x + CELL / 2, y - 2, 6)
        if len(kind.name) > _NAME:
            named.set("textLength", str(CELL - 2))
            named.set("lengthAdjust", "spacingAndGlyphs")


def _svg_cell(root: ET.Element, kind: Diagram, state: State, at: tuple[int, int]) -> None:
    x, y = at[0] + 0.5, at[1] + 0.5
    ground = PALE if state == "certain" else "none"
    svg_shape(root, "rect", x=x, y=y, width=CELL, height=ROW, fill=ground, stroke=GREY)
    middle = {"x": x + CELL / 2, "y": y + ROW / 2}
    svg_shape(root, "use", href=f"#type{kind.number}", **middle, color=PALE if state == "struck" else INK)
    if state == "struck":
        svg_shape(root, "use", href="#strike", **middle)
    if state == "certain":
        frame = {"x": x + 0.5, "y": y + 0.5, "width": CELL - 1, "height": ROW - 1}
        svg_shape(root, "rect", **frame, fill="none", stroke=INK, stroke_width=2)
