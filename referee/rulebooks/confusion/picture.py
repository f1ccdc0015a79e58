"""Draws a view: PNG for letters, SVG for keeping and printing.

A picture shows what the reader's view holds, with their side at the bottom. Own pieces are discs, the
opponent's are squares with the type below the letter: the sides differ by shape, not by colour alone. Z is
the filled dark square, alone or behind its holder. The last attempt is a line: from a dot to the piece that
moved, or dashed from the piece that stayed to a cross where it would have gone. Where a turn waits for its
answer, the line is dashed and ends in a ring with a question mark.

Small triangles mark where own pieces can go, as far as the reader can know: each is at the edge or corner by
which the first piece behind it would enter, and points away from that piece. A filled one is certain, an
outlined one is possible. The line of the last attempt is interrupted around them.

Size and palette are the same for every view of an edition, and the same view gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from math import hypot
from xml.etree import ElementTree as ET

from PIL import Image, ImageDraw

from referee.rulebooks.confusion.compass import DIRECTIONS, STEPS, WHITE, YELLOW, Square
from referee.rulebooks.confusion.edition import LETTERS, Edition
from referee.rulebooks.confusion.position import Board, Piece, Seen, View
from referee.rulebooks.confusion.reach import Reach, reach
from referee.rulebooks.drawing import (
    INK,
    MUTED,
    PAPER,
    SUPER,
    WHITE_FILL,
    YELLOW_FILL,
    blank,
    halfway,
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
from referee.rulebooks.rulebook import OBSERVER, Seat

FILES = 11
TILE = 64
"""Pixels per square."""
MARGIN = 32
"""Pixels for the numbers of files and ranks, on all four sides."""
FRAME = 2
"""Pixels of the surrounding line. The picture is opaque, so that it needs no dark variant."""
SIZE = FILES * TILE + 2 * (MARGIN + FRAME)
"""Pixels, width and height."""

LIGHT = "#f1ecdf"
DARK = "#e0d8c5"
NEUTRAL = "#2c3f73"
"""The square of Z."""
TRACE = "#b3261e"
"""The last attempt."""
MOVES = "#1d6b45"
"""Where the reader's pieces can go."""
OUT_OF_PLAY = "#857d6e"
"""A square of a file that is out of play."""


@dataclass(frozen=True, slots=True)
class Look:
    """The differences between the pictures of two editions.

    title: of the SVG drawing.
    south: the southern seat.
    fill: the colour of its pieces.
    trace: the colour of an attempt's line.
    """

    title: str
    south: Seat
    fill: str
    letters: str
    trace: str
    files_out_of_play: bool = False

    def fill_of(self, seat: Seat) -> str:
        """Return the colour of a side's pieces."""
        return WHITE_FILL if seat == WHITE else self.fill


LOOK = Look("Confusion", YELLOW, YELLOW_FILL, LETTERS, TRACE)


@dataclass(frozen=True, slots=True)
class Trace:
    """The line of an attempt.

    answer: None while it waits for one.
    sealed: the viewer knows the answer, which has not been told yet.
    """

    start: Square
    end: Square
    answer: bool | None
    sealed: bool = False


Point = tuple[int, int]
_LEG, _HALF, _STROKE = 17, 12, 3
"""The dimensions of a mark in pixels: its sides, half its base (for the diagonal one), its line."""
_INSET = {(False, False): 2, (False, True): 2, (True, False): -4, (True, True): 0}
"""Pixels from the edge to a mark's base: a piece to be captured must stay legible; on Z the mark needs the dark ground.
"""
_Place = tuple[Point, bool, bool]
"""The position of a mark: its direction on the picture, on a piece or not, on Z or not."""
_CLEAR = 2
"""Pixels around a mark where the line of the last attempt is interrupted: no more than to the edge of its square."""
_EFFORT, _MORE_EFFORT = 3, 7
"""zlib's levels: the higher one saves a quarter of the bytes for twice the time."""


def png(view: View, *, small: bool = False) -> bytes:
    """Return the view as a PNG of SIZE by SIZE pixels with a palette of at most 16 colours.

    small: take more time for a smaller file, for a letter that carries another picture.
    """
    return png_of(view, LOOK, last_trace(view.board), reach(view), small=small)


def last_trace(board: Board) -> tuple[Trace, ...]:
    """Return the line of the last attempt, () where nothing was tried in the last turn."""
    attempt = board.attempts[-1] if board.attempts else None
    if attempt is None or attempt.start is None or attempt.end is None:
        return ()
    return (Trace(attempt.start, attempt.end, attempt.answer),)


def png_of(
    view: Seen, look: Look, traces: Sequence[Trace], shown: Sequence[Reach], *, small: bool = False
) -> bytes:
    """Return a view as a PNG. traces: lines of attempts. shown: where the reader's pieces can go."""
    parts = _parts(look)
    turned = view.seat == WHITE
    board = view.board
    picture = parts.boards[turned, board.edition.files].copy()
    if board.holder() is None:
        picture.paste(parts.lone_z, _corner(board.z, turned))
    for square, piece in board.pieces.items():
        picture.paste(_tile(view, piece, look), _corner(square, turned))
    for trace in traces:
        _draw_trace(picture, trace, board, turned, look)
    colours = _palette(look)[1]
    for found in shown:
        place = _place(found, board, turned)
        if _free(place):
            x, y = _corner(found.square, turned)
            left, top, cut = parts.clearings[place]
            box = (x + left, y + top, x + left + cut.width, y + top + cut.height)
            picture.paste(colours[_shade(found.square)], box, cut)
    for found in shown:
        mark = parts.marks[_place(found, board, turned), found.known]
        x, y = _corner(found.square, turned)
        picture.paste(mark.drawn, (x + mark.at[0], y + mark.at[1]), mark.shape)
    return write_png(picture, _MORE_EFFORT if small else _EFFORT)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A triangle. at: its position in a tile. shape: the mask for pasting it."""

    drawn: Image.Image
    at: Point
    shape: Image.Image


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts that pictures are pasted from; all share one palette."""

    boards: Mapping[tuple[bool, tuple[int, int]], Image.Image]
    """By whether White is the viewer, and the files in play."""
    lone_z: Image.Image
    bases: dict[tuple[Seat, bool, str], Image.Image]
    """By seat, own or not, and the colour of the ground: a piece without letters, one tile large."""
    own_letters: dict[tuple[Seat, str], Image.Image]
    letters: dict[tuple[Seat, str], Image.Image]
    types: dict[tuple[Seat, str], Image.Image]
    badge: Image.Image
    ring: Image.Image
    """Drawn at the end of an attempt that waits."""
    marks: dict[tuple[_Place, bool], _Mark]
    """By their position, and certain or not."""
    clearings: dict[_Place, tuple[int, int, Image.Image]]
    """The area around a mark on a free square: its position in the tile, and its shape."""


@cache
def _palette(look: Look) -> tuple[Image.Image, dict[str, int]]:
    """Return the palette, and the indices of the plain colours.

    Edges have a single shade between ink and each ground. Mail programs show the picture scaled down, so more
    shades would cost bytes that nobody sees.
    """
    plain = [INK, PAPER, MUTED, LIGHT, DARK, NEUTRAL, look.trace, WHITE_FILL, look.fill, MOVES]
    plain += [OUT_OF_PLAY] if look.files_out_of_play else []
    colours = [
        *map(rgb, plain),
        halfway(INK, WHITE_FILL),
        halfway(INK, look.fill),
        halfway(NEUTRAL, WHITE_FILL),
    ]
    return palette_of(colours), {colour: place for place, colour in enumerate(plain)}


def _glyph(text: str, size: int, box: tuple[int, int], fill: str, squeeze: float, look: Look) -> Image.Image:
    image = blank(*box, fill)
    write(image, text, size, (box[0] / 2, box[1] / 2), INK, squeeze)
    return _small(image, look)


def _small(image: Image.Image, look: Look) -> Image.Image:
    return reduced(image, _palette(look)[0])


_OWN_BOX, _LETTER_BOX, _TYPE_BOX, _BADGE, _RING = (32, 30), (26, 26), (30, 24), 20, 15
_TOP_OF_LETTER, _TOP_OF_TYPE = 7, 32
"""Pixels from the top of a tile to a piece's letter, and to the number of its type below it."""
ALL_FILES = (1, FILES)


@cache
def _parts(look: Look) -> _Parts:
    seats = (WHITE, look.south)
    grounds = (LIGHT, DARK, NEUTRAL)
    types = [*map(str, range(1, 13)), "?"]
    steps = [_step(direction, False) for direction in DIRECTIONS]
    lone = blank(TILE, TILE, NEUTRAL)
    write(lone, "Z", 42, (TILE / 2, TILE / 2), WHITE_FILL)
    fill = {seat: look.fill_of(seat) for seat in seats}
    in_play = {ALL_FILES, (2, FILES - 1)} if look.files_out_of_play else {ALL_FILES}
    return _Parts(
        boards={
            (turned, files): _empty_board(turned, files, look)
            for turned in (False, True)
            for files in in_play
        },
        lone_z=_small(lone, look),
        bases={
            (seat, own, ground): _base(fill[seat], own, ground, look)
            for seat in seats
            for own in (True, False)
            for ground in grounds
        },
        own_letters={
            (s, c): _glyph(c, 40, _OWN_BOX, fill[s], 0.92, look) for s in seats for c in look.letters
        },
        letters={(s, c): _glyph(c, 26, _LETTER_BOX, fill[s], 0.9, look) for s in seats for c in look.letters},
        types={(s, t): _glyph(t, 24, _TYPE_BOX, fill[s], 0.86, look) for s in seats for t in types},
        badge=_badge(look),
        ring=_ring(look),
        marks={
            (place, known): _mark(place, look, known=known)
            for place in product(steps, *((True, False),) * 2)
            for known in (True, False)
        },
        clearings={place: _clearing(place) for place in product(steps, (False,), (False,))},
    )


def _step(direction: str, turned: bool) -> Point:
    """Return a compass direction on the picture: x to the right, y down."""
    east, north = STEPS[direction]
    return (-east, north) if turned else (east, -north)


def _place(found: Reach, board: Board, turned: bool) -> _Place:
    return _step(found.direction, turned), found.square in board.pieces, found.square == board.z


def _free(place: _Place) -> bool:
    """Return whether the square holds only the mark. The line of the last attempt ends before pieces and Z anyway."""
    return not place[1] and not place[2]


def _triangle(place: _Place) -> tuple[Point, Point, Point]:
    """Return the corners of a mark in its tile: base, apex, base. Each is the same triangle, rotated."""
    step, *on = place
    x, y = (TILE // 2 - part * (TILE // 2 - _INSET[on[0], on[1]]) for part in step)
    if all(step):
        return (x + step[0] * _LEG, y), (x + step[0] * _LEG, y + step[1] * _LEG), (x, y + step[1] * _LEG)
    across, high = step[1] * _HALF, step[0] * _HALF
    return (x - across, y - high), (x + step[0] * _HALF, y + step[1] * _HALF), (x + across, y + high)


def _mark(place: _Place, look: Look, *, known: bool) -> _Mark:
    left, top, shape = _shape(place)
    line, ground = _line_and_ground(place)
    image = Image.new("RGB", (shape.width * SUPER, shape.height * SUPER), line)
    if not known:
        at = [((x - left) * SUPER, (y - top) * SUPER) for x, y in _triangle(place)]
        ImageDraw.Draw(image).polygon(_within(at, _STROKE * SUPER), fill=ground)
    return _Mark(_small(image, look), (left, top), shape)


def _clearing(place: _Place) -> tuple[int, int, Image.Image]:
    left, top, shape = _shape(place)
    wide = Image.new("1", (shape.width + 2 * _CLEAR, shape.height + 2 * _CLEAR))
    for x, y in product(range(2 * _CLEAR + 1), repeat=2):
        wide.paste(1, (x, y), shape)
    return left - _CLEAR, top - _CLEAR, wide


def _shape(place: _Place) -> tuple[int, int, Image.Image]:
    """Return the top left pixel of a mark in its tile, and the mark as a mask."""
    corners = _triangle(place)
    left, top = (min(corner[axis] for corner in corners) for axis in (0, 1))
    right, bottom = (max(corner[axis] for corner in corners) for axis in (0, 1))
    shape = Image.new("L", ((right - left) * SUPER, (bottom - top) * SUPER))
    ImageDraw.Draw(shape).polygon([((x - left) * SUPER, (y - top) * SUPER) for x, y in corners], fill=255)
    small = shape.resize((right - left, bottom - top), Image.Resampling.BOX)
    return left, top, small.point(lambda part: part >= 128 and 255, "1")


def _line_and_ground(place: _Place) -> tuple[str, str]:
    return (WHITE_FILL, NEUTRAL) if place[2] else (MOVES, PAPER)


def _within(corners: Sequence[tuple[float, float]], stroke: float) -> list[tuple[float, float]]:
    """Return the triangle inside a line of this width along the sides of a triangle."""
    (ax, ay), (bx, by), (cx, cy) = corners
    a, b, c = hypot(bx - cx, by - cy), hypot(cx - ax, cy - ay), hypot(ax - bx, ay - by)
    x, y = ((a * ax + b * bx + c * cx) / (a + b + c), (a * ay + b * by + c * cy) / (a + b + c))
    radius = abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / (a + b + c)
    rest = max(0.0, 1 - stroke / radius)
    return [(x + (px - x) * rest, y + (py - y) * rest) for px, py in corners]


def _badge(look: Look) -> Image.Image:
    image = blank(_BADGE, _BADGE, INK)
    draw = ImageDraw.Draw(image)
    middle, arm, half = _BADGE * SUPER / 2, 6.5 * SUPER, 1.6 * SUPER
    draw.rectangle((middle - arm, middle - half, middle + arm, middle + half), fill="white")
    draw.rectangle((middle - half, middle - arm, middle + half, middle + arm), fill="white")
    return _small(image, look)


def _ring(look: Look) -> Image.Image:
    image = blank(2 * _RING + 1, 2 * _RING + 1, look.trace)
    draw, edge = ImageDraw.Draw(image), 3 * SUPER
    draw.ellipse((edge, edge, image.width - edge - 1, image.height - edge - 1), fill=PAPER)
    write(image, "?", 22, (_RING + 0.5, _RING + 0.5), INK, 0.9)
    return _small(image, look)


def _base(fill: str, own: bool, ground: str, look: Look) -> Image.Image:
    image = blank(TILE, TILE, ground)
    draw = ImageDraw.Draw(image)
    edge = (6 if ground == NEUTRAL else 4) * SUPER  # Z remains visible all around its holder
    box = (edge, edge, TILE * SUPER - edge - 1, TILE * SUPER - edge - 1)
    if own:
        draw.ellipse(box, fill=fill, outline=INK, width=3 * SUPER)
    else:
        draw.rectangle(box, fill=fill, outline=INK, width=3 * SUPER)
    return _small(image, look)


def _empty_board(turned: bool, files: tuple[int, int], look: Look) -> Image.Image:
    image = blank(SIZE, SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    end = SIZE * SUPER - 1
    draw.rectangle((0, 0, end, end), outline=INK, width=FRAME * SUPER)
    for file in range(1, FILES + 1):
        for rank in range(1, FILES + 1):
            x, y = (part * SUPER for part in _corner((file, rank), turned))
            tile = TILE * SUPER
            draw.rectangle((x, y, x + tile - 1, y + tile - 1), fill=_ground((file, rank), files))
    near, far = FRAME + MARGIN / 2, SIZE - FRAME - MARGIN / 2
    for number in range(1, FILES + 1):
        x, y = _corner((number, number), turned)
        for edge in (near, far):
            write(image, str(number), 22, (x + TILE / 2, edge), MUTED, bold=0.04)
            write(image, str(number), 22, (edge, y + TILE / 2), MUTED, bold=0.04)
    names = ("SE", "SW", "NE", "NW") if turned else ("NW", "NE", "SW", "SE")
    for name, at in zip(names, ((near, near), (far, near), (near, far), (far, far)), strict=True):
        write(image, name, 18, at, NEUTRAL, 0.9)
    return _small(image, look)


def _shade(square: Square) -> str:
    return DARK if sum(square) % 2 == 0 else LIGHT


def _ground(square: Square, files: tuple[int, int]) -> str:
    return _shade(square) if files[0] <= square[0] <= files[1] else OUT_OF_PLAY


def _corner(square: Square, turned: bool) -> tuple[int, int]:
    """Return the top left pixel of a square. turned: White looks at the board from the north."""
    file, rank = square
    column, row = (FILES - file, rank - 1) if turned else (file - 1, FILES - rank)
    return FRAME + MARGIN + column * TILE, FRAME + MARGIN + row * TILE


def _middle(square: Square, turned: bool) -> tuple[int, int]:
    x, y = _corner(square, turned)
    return x + TILE // 2, y + TILE // 2


def _tile(view: Seen, piece: Piece, look: Look) -> Image.Image:
    """Return a piece on its square, as the view shows it.

    An observer sees letters alone, each side in its shape, until all types are revealed.
    """
    own = piece.seat == view.side
    ground = NEUTRAL if piece.square == view.board.z else _shade(piece.square)
    return _composed(look, piece.seat, piece.letter, own, _kind(view, piece), ground, piece.promoted)


def _kind(view: Seen, piece: Piece) -> str:
    """Return the number of a piece's type if it is shown, "" if not.

    The opponent's types are shown; to an observer all types, once they are revealed.
    """
    own = piece.seat == view.side
    if view.own_types is None if view.seat == OBSERVER else own:
        return ""
    types = (view.own_types or {}) if own else view.opponent_types
    number = types.get(piece.letter)
    return "?" if number is None else view.board.table.row(number).number


def ink_of(glyph: Image.Image) -> Image.Image:
    """Return the ink of a letter or a number as a mask."""
    ground = glyph.getpixel((0, 0))
    return glyph.point(lambda part: 255 * (part != ground), "1")


@lru_cache(maxsize=2000)
def _composed(
    look: Look, seat: Seat, letter: str, own: bool, kind: str, ground: str, promoted: bool
) -> Image.Image:
    """Return a cached picture of a piece on its square. kind: the number of its type, "" to show none."""
    parts = _parts(look)
    tile = parts.bases[seat, own, ground].copy()
    if kind:
        # One below the other, ink only, so that neither covers the other or the edge of the piece.
        said = (parts.letters[seat, letter], _TOP_OF_LETTER), (parts.types[seat, kind], _TOP_OF_TYPE)
        for glyph, top in said:
            tile.paste(glyph, ((TILE - glyph.width) // 2, top), ink_of(glyph))
    else:
        tile.paste(parts.own_letters[seat, letter], (16, 17))
    if promoted:
        tile.paste(parts.badge, (TILE - _BADGE, 0))
    return tile


def _ends(trace: Trace, board: Board, turned: bool) -> tuple[Point, Point]:
    """Return where the line of an attempt begins and ends; pieces and Z stay free."""
    (x0, y0), (x1, y1) = _middle(trace.start, turned), _middle(trace.end, turned)
    dx, dy = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
    # A piece takes 29 pixels from its middle; on a diagonal the corner of a square needs them in both
    # directions.
    gap = TILE // 2 - 1
    if trace.start in board.pieces or trace.start == board.z:
        x0, y0 = x0 + dx * gap, y0 + dy * gap
    elif not (dx and dy):
        gap = TILE // 2 - _INSET[True, False] + _CLEAR  # keeps clear of a mark on the piece that arrived
    if trace.end in board.pieces or trace.end == board.z:
        x1, y1 = x1 - dx * gap, y1 - dy * gap
    return (x0, y0), (x1, y1)


def _draw_trace(picture: Image.Image, trace: Trace, board: Board, turned: bool, look: Look) -> None:
    draw, colour = ImageDraw.Draw(picture), _palette(look)[1][look.trace]
    (x0, y0), (x1, y1) = _ends(trace, board, turned)
    dx, dy = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
    if trace.answer:
        draw.ellipse((x0 - 11, y0 - 11, x0 + 11, y0 + 11), fill=colour)
    if trace.answer and not trace.sealed:
        draw.line((x0, y0, x1, y1), fill=colour, width=7)
        return
    steps = max(abs(x1 - x0), abs(y1 - y0))
    for start in range(0, steps, 18):
        stop = min(start + 10, steps)
        draw.line((x0 + dx * start, y0 + dy * start, x0 + dx * stop, y0 + dy * stop), fill=colour, width=5)
    if trace.answer is None:
        picture.paste(_parts(look).ring, (x1 - _RING, y1 - _RING), _disc())
    if trace.answer is not False:
        return
    arm = 13
    for slant in (-1, 1):
        draw.line((x1 - arm, y1 - arm * slant, x1 + arm, y1 + arm * slant), fill=colour, width=7)


@cache
def _disc() -> Image.Image:
    """Return the shape of a ring with its inside."""
    shape = Image.new("L", ((2 * _RING + 1) * SUPER,) * 2)
    ImageDraw.Draw(shape).ellipse((0, 0, shape.width - 1, shape.height - 1), fill=255)
    small = shape.resize((2 * _RING + 1,) * 2, Image.Resampling.BOX)
    return small.point(lambda part: part >= 128 and 255, "1")


def svg(view: View) -> str:
    """Return the view as an SVG document of the same layout, with a title that says whose view it is."""
    return svg_of(view, LOOK, last_trace(view.board), reach(view))


def svg_of(view: Seen, look: Look, traces: Sequence[Trace], found: Sequence[Reach]) -> str:
    """Return a view as an SVG document. traces, found: as in png_of."""
    turned = view.seat == WHITE
    title = f"{look.title}, the board as {view.seat.capitalize()} sees it"
    told = "Own pieces are discs, the opponent's are squares with letter and type. Z is the dark square."
    if view.seat == OBSERVER:
        title = f"{look.title}, the board as an observer sees it"
        told = f"{look.south.capitalize()}'s pieces are discs, White's are squares. Z is the dark square."
        if view.own_types is not None:
            title = f"{look.title}, the board with all types"
    if found:
        told += " Triangles show where own pieces can go: filled, for certain; outlined, perhaps."
    root = svg_root((SIZE, SIZE), SIZE, title, told)
    board = view.board
    _svg_board(root, turned, board.edition)
    if board.holder() is None:
        x, y = _corner(board.z, turned)
        svg_shape(root, "rect", x=x, y=y, width=TILE, height=TILE, fill=NEUTRAL)
        svg_text(root, "Z", x + 32, y + 47, 42, "#ffffff")
    for square in sorted(board.pieces):
        _svg_piece(root, view, board.pieces[square], turned, look)
    for trace in traces:
        _svg_trace(root, trace, board, turned, look)
    for shade in (LIGHT, DARK):
        _svg_clearings(root, [each for each in found if _shade(each.square) == shade], shade, board, turned)
    for each in found:
        _svg_mark(root, _place(each, board, turned), each.known, _corner(each.square, turned))
    return write_svg(root)


def _svg_clearings(root: ET.Element, found: Sequence[Reach], shade: str, board: Board, turned: bool) -> None:
    """Interrupt the line of the last attempt around the marks on free squares of a shade."""
    around = []
    for each in found:
        place = _place(each, board, turned)
        if _free(place):
            left, top = _corner(each.square, turned)
            around.append("M" + " ".join(f"{left + x},{top + y}" for x, y in _triangle(place)) + "z")
    if around:
        line = {"stroke": shade, "stroke_width": 2 * _CLEAR, "stroke_linejoin": "round"}
        svg_shape(root, "path", d="".join(around), fill=shade, **line)


def _svg_mark(root: ET.Element, place: _Place, known: bool, tile: Point) -> None:
    line, ground = _line_and_ground(place)
    corners = _within(_triangle(place), _STROKE / 2)
    points = " ".join(f"{tile[0] + x:.1f},{tile[1] + y:.1f}" for x, y in corners)
    svg_shape(
        root, "polygon", points=points, fill=line if known else ground, stroke=line, stroke_width=_STROKE
    )


def _svg_board(root: ET.Element, turned: bool, edition: Edition) -> None:
    svg_shape(
        root, "rect", x=1, y=1, width=SIZE - 2, height=SIZE - 2, fill=PAPER, stroke=INK, stroke_width=FRAME
    )
    for file in range(1, FILES + 1):
        for rank in range(1, FILES + 1):
            x, y = _corner((file, rank), turned)
            svg_shape(
                root, "rect", x=x, y=y, width=TILE, height=TILE, fill=_ground((file, rank), edition.files)
            )
    near, far = FRAME + MARGIN / 2, SIZE - FRAME - MARGIN / 2
    for number in range(1, FILES + 1):
        x, y = _middle((number, number), turned)
        for edge in (near, far):
            svg_text(root, str(number), x, edge + 8, 22, MUTED)
            svg_text(root, str(number), edge, y + 8, 22, MUTED)
    names = ("SE", "SW", "NE", "NW") if turned else ("NW", "NE", "SW", "SE")
    for name, at in zip(names, ((near, near), (far, near), (near, far), (far, far)), strict=True):
        svg_text(root, name, at[0], at[1] + 6, 18, NEUTRAL)


def _svg_piece(root: ET.Element, view: Seen, piece: Piece, turned: bool, look: Look) -> None:
    x, y = _corner(piece.square, turned)
    if piece.square == view.board.z:
        svg_shape(root, "rect", x=x, y=y, width=TILE, height=TILE, fill=NEUTRAL)
    shape = {"fill": look.fill_of(piece.seat), "stroke": INK, "stroke_width": 3}
    own, kind = piece.seat == view.side, _kind(view, piece)
    if own:
        svg_shape(root, "circle", cx=x + 32, cy=y + 32, r=26.5, **shape)
    else:
        svg_shape(root, "rect", x=x + 5.5, y=y + 5.5, width=53, height=53, **shape)
    if not kind:
        svg_text(root, piece.letter, x + 32, y + 46, 40)
    else:
        svg_text(root, piece.letter, x + 32, y + 31, 30)
        svg_text(root, kind, x + 32, y + 54, 26)
    if piece.promoted:
        svg_shape(root, "rect", x=x + TILE - _BADGE, y=y, width=_BADGE, height=_BADGE, fill=INK)
        svg_text(root, "+", x + TILE - 10, y + 17, 22, "#ffffff")


def _svg_trace(root: ET.Element, trace: Trace, board: Board, turned: bool, look: Look) -> None:
    (x0, y0), (x1, y1) = _ends(trace, board, turned)
    line = {"x1": x0, "y1": y0, "x2": x1, "y2": y1, "stroke": look.trace, "stroke_width": 6, "opacity": 0.8}
    if trace.answer and not trace.sealed:
        svg_shape(root, "line", **line)
    else:
        svg_shape(root, "line", **line, stroke_dasharray="10 8")
    if trace.answer:
        svg_shape(root, "circle", cx=x0, cy=y0, r=11, fill=look.trace)
    elif trace.answer is None:
        svg_shape(root, "circle", cx=x1, cy=y1, r=14, fill=PAPER, stroke=look.trace, stroke_width=3)
        svg_text(root, "?", x1, y1 + 8, 22)
    else:
        for slant in (-1, 1):
            cross = {"x1": x1 - 13, "y1": y1 - 13 * slant, "x2": x1 + 13, "y2": y1 + 13 * slant}
            svg_shape(root, "line", **cross, stroke=look.trace, stroke_width=6)
