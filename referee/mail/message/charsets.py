"""Bytes become text, whatever their label says."""

from __future__ import annotations

import codecs
import re

_LOOSE = {"ascii", "utf-8", "iso8859-1", "cp1252"}
"""Labels that are wrong so often that the bytes themselves are asked: UTF-8 where they are, else Windows-1252."""

_NO_LETTERS = {"idna", "punycode", "unicode_escape", "raw-unicode-escape", "unicode-escape", "undefined"}
"""Codecs of Python's that are no character sets of letters."""

_OTHER_NAMES = {"windows-874": "cp874", "gb2312": "gb18030", "gbk": "gb18030", "iso-8859-8-i": "iso-8859-8"}

_BY_BYTE = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}
"""What each byte that is not UTF-8 stands for: `surrogateescape` marks them, Windows-1252 names them."""
_NO_UTF_8 = re.compile("[\\udc80-\\udcff]+")

_MARKS = (
    (codecs.BOM_UTF8, ""),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks and what they say, the longer ones first: "" for UTF-8, as for a label that is not believed."""


def decode_text(octets: bytes, charset: str) -> str:
    """Return the text of `octets`; never raises. A byte order mark is believed before the label. Unknown or lying
    labels: UTF-8, then Windows-1252 byte by byte."""
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
    """Return Python's name for a charset that must be believed, "" for the others."""
    name = charset.strip().lower()
    if not name or len(name) > 40 or not name.isascii() or not name.isprintable():
        return ""
    try:
        found = codecs.lookup(_OTHER_NAMES.get(name, name)).name
    except (LookupError, ValueError):
        return ""
    return "" if found in _LOOSE or found in _NO_LETTERS else found
