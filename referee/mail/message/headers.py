"""The header fields of a letter or of a part, as safe plain text.

Python's header classes fail on fields that people really send. So the fields are split here and stored
unchanged, and each is decoded on its own when it is needed. Only a line feed ends a line: a mail host that
checked the letter read it the same way.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import decode_header
from itertools import islice

from referee.common.characters import visible
from referee.mail.message.charsets import decode_text
from referee.mail.message.limits import FIELD_OCTETS, PARAMETERS, STRUCTURED_FIELD_CHARACTERS

_FIELD_NAME = re.compile(rb"([!-9;-~]{1,100})[ \t]*:")
_FIELD_END = re.compile(rb"\n(?![ \t])")
_PARAMETER = re.compile(r';\s*([^\s=;"]+)\s*=\s*("(?:[^"\\]|\\.?)*(?:"|$)|[^\s;]*)')
_ESCAPED = re.compile(r"\\(.)")
_CUTTING = dict.fromkeys(map(ord, "\r\0"), "\x1a")


@dataclass(frozen=True, slots=True)
class Headers:
    """Header fields by lower-case name; each value unfolded, with its encoded words unchanged.

    too_long: the names, as written, of fields that were dropped as too long to be read.
    """

    fields: Mapping[str, tuple[str, ...]]
    too_long: tuple[str, ...] = ()

    def all(self, name: str) -> tuple[str, ...]:
        """Return the values of every field of that name, topmost first."""
        return self.fields.get(name, ())

    def first(self, name: str) -> str:
        """Return the topmost value of that name, "" when there is none."""
        values = self.fields.get(name)
        return values[0] if values else ""

    def lacks(self, name: str) -> bool:
        """Return whether a field of that name was dropped for its length, so that the others are incomplete."""
        return any(left_out.lower() == name for left_out in self.too_long)


def read_headers(block: bytes) -> tuple[Headers, bytes]:
    """Read a block of header lines; return the fields and the rest of the block, which is no header.

    The rest is where the text begins when a letter lacks the empty line above it.
    """
    fields: dict[str, list[str]] = {}
    too_long: list[str] = []
    at = 0
    while at < len(block):
        end = _FIELD_END.search(block, at)
        field_end, next_at = (end.start(), end.end()) if end else (len(block), len(block))
        named = _FIELD_NAME.match(block, at, field_end)
        if named:
            name = named.group(1).decode("ascii").lower()
            if field_end - named.end() > FIELD_OCTETS:
                too_long.append(named.group(1).decode("ascii")[:40])
            else:
                fields.setdefault(name, []).append(_plain(block[named.end() : field_end]))
        elif at or block[:5] not in (b"From ", b">From"):
            # A mailbox file's own first line may come first; any other line without a name begins the text.
            break
        at = next_at
    return Headers({name: tuple(values) for name, values in fields.items()}, tuple(too_long)), block[at:]


def has_field(letter: bytes, name: str) -> bool:
    """Return whether a letter has a header field of that name."""
    head = letter.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    return bool(read_headers(head)[0].all(name))


def decode_words(value: str, limit: int) -> str:
    """Decode the encoded words (`=?utf-8?q?…?=`) of a field; those that cannot be decoded stay unchanged.

    limit: characters of the field that are read. The result is one line without invisible characters.
    """
    value = value[:limit]
    if "=?" in value:
        try:
            pieces = decode_header(value)
        except (HeaderParseError, binascii.Error, ValueError):
            pieces = [(value, None)]
        value = "".join(
            piece if isinstance(piece, str) else decode_text(piece, charset or "")
            for piece, charset in pieces
        )
    return " ".join(visible(value).split())


def read_parameters(value: str) -> tuple[str, Mapping[str, str]]:
    """Read a field like Content-Type: its first word and its parameters, names in lower case.

    No more of a field is read than an honest one has.
    """
    value = value[:STRUCTURED_FIELD_CHARACTERS]
    head = value.partition(";")[0].strip().lower()
    parameters: dict[str, str] = {}
    for match in islice(_PARAMETER.finditer(value), PARAMETERS):
        name, text = match.group(1).lower(), match.group(2)
        if text.startswith('"'):
            text = _ESCAPED.sub(r"\1", text[1:].removesuffix('"'))
        parameters.setdefault(name, text)
    return head, parameters


def _plain(value: bytes) -> str:
    """Unfold a raw value. Bytes beyond ASCII, which no field should have, are read as UTF-8 or Windows-1252.

    Blanks at both ends go, but nothing else: where a mail host saw a character before a name, it stays. A
    carriage return or a zero within the value becomes SUB, so that a name it cuts in two is not made whole.
    """
    unfolded = b" " + value.replace(b"\r\n", b"").replace(b"\n", b"").rstrip(b"\r")
    text = unfolded.decode("ascii") if unfolded.isascii() else decode_text(unfolded, "utf-8")
    return text.translate(_CUTTING).strip(" \t")
