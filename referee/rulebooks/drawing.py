"""Drawing functions that all pictures share: colours, letters, and the writing of PNG and SVG files.

Rasterising a drawing for each letter would cost more than everything else about the letter. The parts of a
picture are therefore drawn once per process in a larger size, reduced to their final size and to one small
palette, and then only pasted.
"""

from __future__ import annotations

import struct
import unicodedata
import zlib
from collections.abc import Sequence
from functools import cache
from xml.etree import ElementTree as ET

from PIL import Image, ImageDraw, ImageFont

INK = "#1c1c1c"
PAPER = "#fbf9f4"
MUTED = "#5a564e"
WHITE_FILL = "#ffffff"
YELLOW_FILL = "#ffd54a"

SUPER = 4
"""The factor by which parts are drawn larger."""
BOLD = 0.06
"""The stroke around letters, as a fraction of their size: Pillow's own font has only one weight."""

ACCENTS = {
    "\u0300": ((-0.13, -0.14), (0.07, 0.0)),
    "\u0301": ((0.13, -0.14), (-0.07, 0.0)),
    "\u0302": ((-0.13, 0.0), (0.0, -0.13), (0.13, 0.0)),
}
"""Grave, acute and circumflex, which Pillow's own font lacks.

Each is the corners of a line, as fractions of a letter's size, measured from the middle above the letter.
"""
_ABOVE = 0.08
"""The distance above a letter, as a fraction of its size."""

Colour = tuple[int, int, int]


def rgb(colour: str) -> Colour:
    """Return the three components, 0 to 255, of "#rrggbb"."""
    return (int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16))


def halfway(one: str, other: str) -> Colour:
    """Return the colour half-way between two others, for the edges between them."""
    a, b = rgb(one), rgb(other)
    return ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2, (a[2] + b[2]) // 2)


def palette_of(colours: Sequence[Colour]) -> Image.Image:
    """Return a palette image for Pillow's colour reduction. With up to 16 colours a pixel takes half a byte."""
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in colours for part in colour])
    return image


def blank(width: float, height: float, colour: str) -> Image.Image:
    """Return an empty drawing. width, height: in pixels of the finished picture."""
    return Image.new("RGB", (round(width * SUPER), round(height * SUPER)), colour)


def reduced(image: Image.Image, palette: Image.Image) -> Image.Image:
    """Return a drawing in its final size and palette."""
    small = image.resize((image.width // SUPER, image.height // SUPER), Image.Resampling.BOX)
    return small.quantize(palette=palette, dither=Image.Dither.NONE)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise TypeError("this Pillow was built without FreeType, which the letters of pictures need")
    return font


def write(
    image: Image.Image,
    text: str,
    size: int,
    centre: tuple[float, float],
    colour: str,
    squeeze: float = 1.0,
    bold: float = BOLD,
) -> None:
    """Draw text into a drawing, centred by its ink. size, centre: in pixels of the finished picture."""
    font, stroke = _font(size * SUPER), round(size * SUPER * bold)
    text, accents = _apart(text)
    left, top, right, bottom = font.getbbox(text, stroke_width=stroke)
    # The letters stay centred, with or without accents.
    room = round(size * SUPER * 0.3) if accents else 0
    mask = Image.new("L", (round(right - left), round(bottom - top) + 2 * room))
    draw = ImageDraw.Draw(mask)
    draw.text((-left, room - top), text, fill=255, font=font, stroke_width=stroke)
    for place, corners in accents:
        begins, above, ends, _ = font.getbbox(text[place], stroke_width=stroke)
        x = font.getlength(text[:place]) + (begins + ends) / 2 - left
        y = above + room - top - size * SUPER * _ABOVE
        line = [(x + across * size * SUPER, y + down * size * SUPER) for across, down in corners]
        draw.line(line, fill=255, width=round(size * SUPER * 0.08) + 2 * stroke, joint="curve")
    if squeeze != 1:
        mask = mask.resize((round(mask.width * squeeze), mask.height), Image.Resampling.LANCZOS)
    at = (round(centre[0] * SUPER - mask.width / 2), round(centre[1] * SUPER - mask.height / 2))
    image.paste(Image.new("RGB", mask.size, colour), at, mask)


def _apart(text: str) -> tuple[str, list[tuple[int, tuple[tuple[float, float], ...]]]]:
    """Return a text without its accents, and the accents, each with the position of its letter."""
    letters: list[str] = []
    accents = []
    for sign in unicodedata.normalize("NFD", text):
        if sign in ACCENTS:
            accents.append((len(letters) - 1, ACCENTS[sign]))
        else:
            letters.append(sign)
    return "".join(letters), accents


def write_png(picture: Image.Image, effort: int) -> bytes:
    """Return a picture of at most 16 colours as a PNG with unfiltered rows.

    A pixel takes four bits, or two with up to four colours. Pillow's own writer takes three times as long and
    saves no bytes.

    effort: zlib's level.
    """
    colours = bytes(picture.getpalette() or ())
    bits = 2 if len(colours) <= 3 * 4 else 4
    # A row begins with a filter byte, 0 for unfiltered: pixels of colour 0 on the left that fill one byte.
    before = 8 // bits
    rows = Image.new("P", (picture.width + before, picture.height))
    rows.paste(picture, (before, 0))
    head = struct.pack(">IIBBBBB", picture.width, picture.height, bits, 3, 0, 0, 0)
    chunks = (
        (b"IHDR", head),
        (b"PLTE", colours),
        (b"IDAT", zlib.compress(rows.tobytes("raw", f"P;{bits}"), effort)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(said)) + kind + said + struct.pack(">I", zlib.crc32(kind + said))
        for kind, said in chunks
    )


def svg_root(size: tuple[int, int], shown: int, title: str, told: str) -> ET.Element:
    """Return an empty SVG drawing.

    size: width and height of its coordinates.
    shown: the width at which it is shown, in pixels.
    title, told: its title and description for screen readers.
    """
    width, height = size
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {height}",
            "width": str(shown),
            "height": str(shown * height // width),
            "role": "img",
            "font-family": "Arial, Helvetica, sans-serif",
            "font-weight": "bold",
            "text-anchor": "middle",
        },
    )
    ET.SubElement(root, "title").text = title
    ET.SubElement(root, "desc").text = told
    return root


def svg_shape(root: ET.Element, tag: str, **attributes: object) -> ET.Element:
    """Add a shape; stroke_width becomes stroke-width."""
    said = {
        name.replace("_", "-"): f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in attributes.items()
    }
    return ET.SubElement(root, tag, said)


def svg_text(root: ET.Element, text: str, x: float, y: float, size: int, fill: str = INK) -> ET.Element:
    """Add a line of text, centred on x; y: its baseline."""
    element = svg_shape(root, "text", x=float(x), y=float(y), font_size=size, fill=fill)
    element.text = text
    return element


def write_svg(root: ET.Element) -> str:
    """Return a drawing as a document."""
    return ET.tostring(root, encoding="unicode") + "\n"
