"""Bytes become text, whatever their label says; text loses what nobody can see."""

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


_UNSEEN = re.compile(
    "[\\0-\\x08\\x0a-\\x1f\\x7f-\\x9f"  # control characters but the tab
    "\\ud800-\\udfff"  # halves of characters
    "\\ufe00-\\ufe0f\\U000e0100-\\U000e01ef"  # variation selectors
    "\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b-\\u200f\\u202a-\\u202e"
    "\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\U000110bd\\U000110cd\\U00013430-\\U0001343f"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0001\\U000e0020-\\U000e007f]+"  # format (Cf)
)


def decode_text(octets: bytes, charset: str) -> str:
    """Return the text of `octets`; never raises. Unknown or lying labels: UTF-8, then Windows-1252 byte by byte."""
    codec = _find_codec(charset)
    if octets.startswith(codecs.BOM_UTF8):
        codec = ""
    if codec:
        try:
            return octets.decode(codec).removeprefix("\ufeff")
        except (UnicodeError, LookupError, ValueError):
            pass
    text = octets.decode("utf-8", "surrogateescape")
    return (text if octets.isascii() else text.translate(_BY_BYTE)).removeprefix("\ufeff")


def visible(text: str) -> str:
    """Drop what cannot be seen or kept: format and control characters (tabs stay), selectors, lone surrogates."""
    return text if text.isprintable() and text.isascii() else _UNSEEN.sub("", text)


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
