"""A view as a picture: PNG for letters, SVG for keeping and printing.

A picture has the reader's side below and shows what his view holds. His own pieces are discs, his opponent's
are squares with the type in the corner: the sides differ by shape, not by colour alone. Z is the filled dark
square, alone or behind its holder. The last attempt is a line: from a dot to the piece that went, or in
dashes from the piece that stayed to a cross where it would have gone.

Rasterising a drawing for each letter would cost more than all the rest of it. So the parts are drawn once a
process, four times too large, reduced, brought to one small palette, and then only pasted. Size and palette
are the same for every view, and the same view gives the same bytes.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from xml.etree import ElementTree as ET

from PIL import Image, ImageDraw, ImageFont

from referee.rulebooks.confusion.position import LETTERS, WHITE, Attempt, Piece, Square, View
from referee.rulebooks.rulebook import Seat

FILES = 11
TILE = 64
"""Pixels a square."""
MARGIN = 32
"""Room for the numbers of files and ranks, on all four sides."""
FRAME = 2
SIZE = FILES * TILE + 2 * (MARGIN + FRAME)
"""Pixels, width and height."""

INK = "#1c1c1c"
PAPER = "#fbf9f4"
MUTED = "#5a564e"
LIGHT = "#f1ecdf"
DARK = "#e0d8c5"
NEUTRAL = "#2c3f73"
"""The square of Z."""
TRACE = "#b3261e"
"""The last attempt."""
FILL = {"white": "#ffffff", "yellow": "#ffd54a"}

_EFFORT = 3
"""zlib's level: the next ones take twice as long and save nothing, or a tenth."""
_SUPER = 4
_BOLD = 0.06
"""Stroke around letters, in parts of their size: the font that Pillow brings has one weight."""

Colour = tuple[int, int, int]


def png(view: View) -> bytes:
    """Return the view as a PNG of SIZE by SIZE pixels with a palette of at most 16 colours."""
    parts = _parts()
    turned = view.seat == WHITE
    picture = parts.boards[turned].copy()
    board = view.board
    if board.holder() is None:
        picture.paste(parts.lone_z, _corner(board.z, turned))
    for square, piece in board.pieces.items():
        _paste_piece(picture, parts, view, piece, _corner(square, turned), on_z=square == board.z)
    if board.attempts:
        _draw_trace(picture, board.attempts[-1], view, turned)
    return _write_png(picture)


def _write_png(picture: Image.Image) -> bytes:
    """Write a picture of at most 16 colours as a PNG of four bits a pixel, its rows unfiltered.

    Pillow's own writer would take three times as long for a picture that is no smaller.
    """
    packed = picture.tobytes("raw", "P;4")
    across = (picture.width + 1) // 2
    rows = b"".join(b"\0" + packed[start : start + across] for start in range(0, len(packed), across))
    colours = bytes(picture.getpalette() or ())
    head = struct.pack(">IIBBBBB", picture.width, picture.height, 4, 3, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"PLTE", colours), (b"IDAT", zlib.compress(rows, _EFFORT)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(said)) + kind + said + struct.pack(">I", zlib.crc32(kind + said))
        for kind, said in chunks
    )


@dataclass(frozen=True, slots=True)
class _Parts:
    """What pictures are pasted from; all share one palette."""

    boards: dict[bool, Image.Image]
    lone_z: Image.Image
    bases: dict[tuple[Seat, bool, str], Image.Image]
    """By seat, own or not, and the colour below: a piece without letters, one tile large."""
    own_letters: dict[tuple[Seat, str], Image.Image]
    letters: dict[tuple[Seat, str], Image.Image]
    types: dict[tuple[Seat, str], Image.Image]
    badges: dict[bool, Image.Image]


def _rgb(colour: str) -> Colour:
    return (int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16))


def _halfway(one: str, other: str) -> Colour:
    a, b = _rgb(one), _rgb(other)
    return ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2, (a[2] + b[2]) // 2)


@cache
def _palette() -> tuple[Image.Image, dict[str, int]]:
    """Return the one palette (as Pillow wants it for reducing colours) and the places of the plain colours.

    Edges have a single shade between ink and each ground. Mail programs show the picture smaller than it is, so
    more would cost bytes that nobody sees; up to 16 colours, a pixel is half a byte.
    """
    plain = [INK, PAPER, MUTED, LIGHT, DARK, NEUTRAL, TRACE, FILL["white"], FILL["yellow"]]
    colours = [_rgb(colour) for colour in plain]
    colours += [_halfway(INK, FILL["white"]), _halfway(INK, FILL["yellow"]), _halfway(NEUTRAL, FILL["white"])]
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in colours for part in colour])
    return image, {colour: colours.index(_rgb(colour)) for colour in plain}


def _reduced(image: Image.Image) -> Image.Image:
    """Return a drawing in its final size and palette."""
    small = image.resize((image.width // _SUPER, image.height // _SUPER), Image.Resampling.BOX)
    return small.quantize(palette=_palette()[0], dither=Image.Dither.NONE)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise TypeError("this Pillow was built without FreeType, which the board's letters need")
    return font


def _write(
    image: Image.Image,
    text: str,
    size: int,
    centre: tuple[float, float],
    colour: str,
    squeeze: float = 1.0,
    bold: float = _BOLD,
) -> None:
    """Write text, centred by its own ink, into a drawing. size and centre: in pixels of the finished picture."""
    font, stroke = _font(size * _SUPER), round(size * _SUPER * bold)
    left, top, right, bottom = font.getbbox(text, stroke_width=stroke)
    mask = Image.new("L", (round(right - left), round(bottom - top)))
    ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=font, stroke_width=stroke)
    if squeeze != 1:
        mask = mask.resize((round(mask.width * squeeze), mask.height), Image.Resampling.LANCZOS)
    at = (round(centre[0] * _SUPER - mask.width / 2), round(centre[1] * _SUPER - mask.height / 2))
    image.paste(Image.new("RGB", mask.size, colour), at, mask)


def _drawing(width: float, height: float, colour: str) -> Image.Image:
    return Image.new("RGB", (round(width * _SUPER), round(height * _SUPER)), colour)


def _glyph(
    text: str, size: int, box: tuple[int, int], fill: str, squeeze: float, colour: str = INK
) -> Image.Image:
    image = _drawing(*box, fill)
    _write(image, text, size, (box[0] / 2, box[1] / 2), colour, squeeze)
    return _reduced(image)


_OWN_BOX, _LETTER_BOX, _TYPE_BOX, _BADGE = (32, 30), (24, 26), (28, 24), 20


@cache
def _parts() -> _Parts:
    seats = [Seat(name) for name in FILL]
    grounds = (LIGHT, DARK, NEUTRAL)
    types = [*map(str, range(1, 13)), "?"]
    lone = _drawing(TILE, TILE, NEUTRAL)
    _write(lone, "Z", 42, (TILE / 2, TILE / 2), FILL["white"])
    return _Parts(
        boards={turned: _empty_board(turned) for turned in (False, True)},
        lone_z=_reduced(lone),
        bases={
            (seat, own, ground): _base(FILL[seat], own, ground)
            for seat in seats
            for own in (True, False)
            for ground in grounds
        },
        own_letters={(s, c): _glyph(c, 40, _OWN_BOX, FILL[s], 0.92) for s in seats for c in LETTERS},
        letters={(s, c): _glyph(c, 32, _LETTER_BOX, FILL[s], 0.84) for s in seats for c in LETTERS},
        types={(s, t): _glyph(t, 28, _TYPE_BOX, FILL[s], 0.8) for s in seats for t in types},
        badges={own: _badge() for own in (True, False)},
    )


def _badge() -> Image.Image:
    image = _drawing(_BADGE, _BADGE, INK)
    draw = ImageDraw.Draw(image)
    middle, arm, half = _BADGE * _SUPER / 2, 6.5 * _SUPER, 1.6 * _SUPER
    draw.rectangle((middle - arm, middle - half, middle + arm, middle + half), fill="white")
    draw.rectangle((middle - half, middle - arm, middle + half, middle + arm), fill="white")
    return _reduced(image)


def _base(fill: str, own: bool, ground: str) -> Image.Image:
    image = _drawing(TILE, TILE, ground)
    draw = ImageDraw.Draw(image)
    edge = (6 if ground == NEUTRAL else 4) * _SUPER  # Z shows all around its holder
    box = (edge, edge, TILE * _SUPER - edge - 1, TILE * _SUPER - edge - 1)
    if own:
        draw.ellipse(box, fill=fill, outline=INK, width=3 * _SUPER)
    else:
        draw.rectangle(box, fill=fill, outline=INK, width=3 * _SUPER)
    return _reduced(image)


def _empty_board(turned: bool) -> Image.Image:
    image = _drawing(SIZE, SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    end = SIZE * _SUPER - 1
    draw.rectangle((0, 0, end, end), outline=INK, width=FRAME * _SUPER)
    for file in range(1, FILES + 1):
        for rank in range(1, FILES + 1):
            x, y = (part * _SUPER for part in _corner((file, rank), turned))
            tile = TILE * _SUPER
            shade = DARK if (file + rank) % 2 == 0 else LIGHT
            draw.rectangle((x, y, x + tile - 1, y + tile - 1), fill=shade)
    near, far = FRAME + MARGIN / 2, SIZE - FRAME - MARGIN / 2
    for number in range(1, FILES + 1):
        x, y = _corner((number, number), turned)
        for edge in (near, far):
            _write(image, str(number), 22, (x + TILE / 2, edge), MUTED, bold=0.04)
            _write(image, str(number), 22, (edge, y + TILE / 2), MUTED, bold=0.04)
    names = ("SE", "SW", "NE", "NW") if turned else ("NW", "NE", "SW", "SE")
    for name, at in zip(names, ((near, near), (far, near), (near, far), (far, far)), strict=True):
        _write(image, name, 18, at, NEUTRAL, 0.9)
    return _reduced(image)


def _corner(square: Square, turned: bool) -> tuple[int, int]:
    """Return the pixel at the top left of a square. turned: White looks at the board from the north."""
    file, rank = square
    column, row = (FILES - file, rank - 1) if turned else (file - 1, FILES - rank)
    return FRAME + MARGIN + column * TILE, FRAME + MARGIN + row * TILE


def _middle(square: Square, turned: bool) -> tuple[int, int]:
    x, y = _corner(square, turned)
    return x + TILE // 2, y + TILE // 2


def _paste_piece(
    picture: Image.Image, parts: _Parts, view: View, piece: Piece, at: tuple[int, int], *, on_z: bool
) -> None:
    own = piece.seat == view.seat
    shade = DARK if sum(piece.square) % 2 == 0 else LIGHT
    x, y = at
    picture.paste(parts.bases[piece.seat, own, NEUTRAL if on_z else shade], at)
    if own:
        picture.paste(parts.own_letters[piece.seat, piece.letter], (x + 16, y + 17))
        if piece.promoted:
            picture.paste(parts.badges[own], (x + TILE - _BADGE, y))
        return
    picture.paste(parts.letters[piece.seat, piece.letter], (x + 10, y + 10))
    if piece.promoted:
        picture.paste(parts.badges[own], (x + TILE - _BADGE, y))
    kind = view.opponent_types.get(piece.letter)
    picture.paste(parts.types[piece.seat, "?" if kind is None else str(kind)], (x + 26, y + 30))


def _draw_trace(picture: Image.Image, attempt: Attempt, view: View, turned: bool) -> None:
    """Draw the last attempt over the board, leaving the pieces themselves free."""
    if attempt.start is None or attempt.end is None:
        return
    draw = ImageDraw.Draw(picture)
    index = _palette()[1]
    colour = index[TRACE]
    pieces = view.board.pieces
    (x0, y0), (x1, y1) = _middle(attempt.start, turned), _middle(attempt.end, turned)
    dx, dy = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
    # A piece stays free for 29 pixels from its middle; on a slant the corner of a square needs them each way.
    gap = TILE // 2 - 1
    if attempt.start in pieces or attempt.start == view.board.z:
        x0, y0 = x0 + dx * gap, y0 + dy * gap
    if attempt.end in pieces or attempt.end == view.board.z:
        x1, y1 = x1 - dx * gap, y1 - dy * gap
    if attempt.answer:
        draw.line((x0, y0, x1, y1), fill=colour, width=7)
        draw.ellipse((x0 - 11, y0 - 11, x0 + 11, y0 + 11), fill=colour)
        return
    steps = max(abs(x1 - x0), abs(y1 - y0))
    for start in range(0, steps, 18):
        stop = min(start + 10, steps)
        draw.line((x0 + dx * start, y0 + dy * start, x0 + dx * stop, y0 + dy * stop), fill=colour, width=5)
    arm = 13
    for slant in (-1, 1):
        draw.line((x1 - arm, y1 - arm * slant, x1 + arm, y1 + arm * slant), fill=colour, width=7)


def svg(view: View) -> str:
    """Return the view as an SVG document of the same layout, with a title that says whose view it is."""
    turned = view.seat == WHITE
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {SIZE} {SIZE}",
            "width": str(SIZE),
            "height": str(SIZE),
            "role": "img",
            "font-family": "Arial, Helvetica, sans-serif",
            "font-weight": "bold",
            "text-anchor": "middle",
        },
    )
    ET.SubElement(root, "title").text = f"Confusion, the board as {view.seat.capitalize()} sees it"
    _svg_board(root, turned)
    board = view.board
    if board.holder() is None:
        x, y = _corner(board.z, turned)
        _svg(root, "rect", x=x, y=y, width=TILE, height=TILE, fill=NEUTRAL)
        _svg_text(root, "Z", x + 32, y + 47, 42, "#ffffff")
    for square in sorted(board.pieces):
        _svg_piece(root, view, board.pieces[square], turned)
    if board.attempts:
        _svg_trace(root, board.attempts[-1], turned)
    return ET.tostring(root, encoding="unicode") + "\n"


def _svg(root: ET.Element, tag: str, **attributes: object) -> None:
    ET.SubElement(root, tag, {name.replace("_", "-"): str(value) for name, value in attributes.items()})


def _svg_text(root: ET.Element, text: str, x: float, y: float, size: int, fill: str = INK) -> None:
    element = ET.SubElement(
        root, "text", {"x": f"{x:g}", "y": f"{y:g}", "font-size": str(size), "fill": fill}
    )
    element.text = text


def _svg_board(root: ET.Element, turned: bool) -> None:
    _svg(root, "rect", x=1, y=1, width=SIZE - 2, height=SIZE - 2, fill=PAPER, stroke=INK, stroke_width=FRAME)
    for file in range(1, FILES + 1):
        for rank in range(1, FILES + 1):
            x, y = _corner((file, rank), turned)
            shade = DARK if (file + rank) % 2 == 0 else LIGHT
            _svg(root, "rect", x=x, y=y, width=TILE, height=TILE, fill=shade)
    near, far = FRAME + MARGIN / 2, SIZE - FRAME - MARGIN / 2
    for number in range(1, FILES + 1):
        x, y = _middle((number, number), turned)
        for edge in (near, far):
            _svg_text(root, str(number), x, edge + 8, 22, MUTED)
            _svg_text(root, str(number), edge, y + 8, 22, MUTED)
    names: Sequence[str] = ("SE", "SW", "NE", "NW") if turned else ("NW", "NE", "SW", "SE")
    for name, at in zip(names, ((near, near), (far, near), (near, far), (far, far)), strict=True):
        _svg_text(root, name, at[0], at[1] + 6, 18, NEUTRAL)


def _svg_piece(root: ET.Element, view: View, piece: Piece, turned: bool) -> None:
    x, y = _corner(piece.square, turned)
    if piece.square == view.board.z:
        _svg(root, "rect", x=x, y=y, width=TILE, height=TILE, fill=NEUTRAL)
    shape = {"fill": FILL[piece.seat], "stroke": INK, "stroke_width": 3}
    if piece.seat == view.seat:
        _svg(root, "circle", cx=x + 32, cy=y + 32, r=26.5, **shape)
        _svg_text(root, piece.letter, x + 32, y + 46, 40)
    else:
        _svg(root, "rect", x=x + 5.5, y=y + 5.5, width=53, height=53, **shape)
        kind = view.opponent_types.get(piece.letter)
        _svg_text(root, piece.letter, x + 22, y + 34, 34)
        _svg_text(root, "?" if kind is None else str(kind), x + 41, y + 55, 28)
    if piece.promoted:
        _svg(root, "rect", x=x + TILE - _BADGE, y=y, width=_BADGE, height=_BADGE, fill=INK)
        _svg_text(root, "+", x + TILE - 10, y + 17, 22, "#ffffff")


def _svg_trace(root: ET.Element, attempt: Attempt, turned: bool) -> None:
    if attempt.start is None or attempt.end is None:
        return
    (x0, y0), (x1, y1) = _middle(attempt.start, turned), _middle(attempt.end, turned)
    line = {"x1": x0, "y1": y0, "x2": x1, "y2": y1, "stroke": TRACE, "stroke_width": 6, "opacity": 0.8}
    if attempt.answer:
        _svg(root, "line", **line)
        _svg(root, "circle", cx=x0, cy=y0, r=11, fill=TRACE)
        return
    _svg(root, "line", **line, stroke_dasharray="10 8")
    for slant in (-1, 1):
        cross = {"x1": x1 - 13, "y1": y1 - 13 * slant, "x2": x1 + 13, "y2": y1 + 13 * slant}
        _svg(root, "line", **cross, stroke=TRACE, stroke_width=6)
