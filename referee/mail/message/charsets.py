"""Bytes become text, whatever their label says."""

from __future__ import annotations

import codecs
import re

_LOOSE = {"ascii", "utf-8", "iso8859-1", "cp1252"}
"""Labels that are often wrong, so the bytes decide: UTF-8 if they are valid, else Windows-1252."""

_NO_LETTERS = {"idna", "punycode", "unicode_escape", "raw-unicode-escape", "unicode-escape", "undefined"}
"""Codecs of Python that are no character sets of letters."""

_OTHER_NAMES = {"windows-874": "cp874", "gb2312": "gb18030", "gbk": "gb18030", "iso-8859-8-i": "iso-8859-8"}

_BY_BYTE = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}
"""The replacement of each byte that is not UTF-8: `surrogateescape` marks it, Windows-1252 names it."""
_NO_UTF_8 = re.compile("[\\udc80-\\udcff]+")

_MARKS = (
    (codecs.BOM_UTF8, ""),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks and their codecs, the longer ones first: "" for UTF-8, like a label that is not trusted."""


def decode_text(octets: bytes, charset: str) -> str:
    """Return the text of `octets`; never raises.

    A byte order mark takes precedence over the label. Unknown or wrong labels: UTF-8, then Windows-1252 byte
    by byte.
    """
    codec = next((codec for mark, codec in _MARKS if octets.startswith(mark)), None)
    if codec:
        return octets.decode(codec, "replace").removeprefix("\ufeff")
    if codec is None:
        codec = _find_codec(charset)
    if codec:
        try:
            return octets.decode(codec).removeprefix("\ufeff")
        except (UnicodeError, LookupError, ValueError):
            pass
    text = octets.decode("utf-8", "surrogateescape")
    return _NO_UTF_8.sub(lambda each: each[0].translate(_BY_BYTE), text).removeprefix("\ufeff")


def _find_codec(charset: str) -> str:
    """Return Python's name for a charset whose label must be trusted, "" for the others."""
    name = charset.strip().lower()
    if not name or len(name) > 40 or not name.isascii() or not name.isprintable():
        return ""
    try:
        found = codecs.lookup(_OTHER_NAMES.get(name, name)).name
    except (LookupError, ValueError):
        return ""
    return "" if found in _LOOSE or found in _NO_LETTERS else found
