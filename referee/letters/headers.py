"""The header fields of a letter or of a part, as plain text that nothing can be wrong with.

Python's modern header classes fail on fields that people really send, so the fields are kept as the bytes
that came (the compat32 policy) and each is decoded here, by itself, when it is asked for.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email import policy
from email.errors import HeaderParseError
from email.header import decode_header
from email.parser import BytesParser

from referee.letters.charsets import decode_text, visible
from referee.letters.limits import FIELD_OCTETS, STRUCTURED_FIELD_CHARACTERS

_PARSER = BytesParser(policy=policy.compat32)
_PARAMETER = re.compile(r';\s*([^\s=;"]+)\s*=\s*("(?:[^"\\]|\\.?)*(?:"|$)|[^\s;]*)')
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class Headers:
    """Header fields by lower-case name; each value unfolded, with its encoded words as they came.

    too_long: the names of fields that were left out because nobody would read them to the end.
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


def read_headers(block: bytes) -> tuple[Headers, bytes]:
    """Read a block of header lines; return the fields and whatever of the block is no header.

    The second is where the text begins when a letter lacks the empty line above it.
    """
    message = _PARSER.parsebytes(block, headersonly=True)
    fields: dict[str, list[str]] = {}
    too_long: list[str] = []
    for name, value in message.raw_items():
        if len(value) > FIELD_OCTETS:
            too_long.append(visible(name[:40]))
        else:
            fields.setdefault(name.lower(), []).append(_plain(value))
    rest = message.get_payload()
    leftover = rest.encode("ascii", "surrogateescape") if isinstance(rest, str) else b""
    return Headers({name: tuple(values) for name, values in fields.items()}, tuple(too_long)), leftover


def decode_words(value: str, limit: int) -> str:
    """Decode the encoded words (`=?utf-8?q?…?=`) of a field; what cannot be decoded stays as it is.

    limit: characters of the field that are looked at. The result is one line without invisible characters.
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

    A field that is too long to be honest gives ("", {}).
    """
    if len(value) > STRUCTURED_FIELD_CHARACTERS:
        return "", {}
    head = value.partition(";")[0].strip().lower()
    parameters: dict[str, str] = {}
    for match in _PARAMETER.finditer(value):
        name, text = match.group(1).lower(), match.group(2)
        if text.startswith('"'):
            text = _ESCAPED.sub(r"\1", text[1:].removesuffix('"'))
        parameters.setdefault(name, text)
    return head, parameters


def _plain(value: str) -> str:
    """Unfold a raw value. Bytes beyond ASCII, which no field should have, are read as UTF-8 or Windows-1252."""
    if not value.isascii():
        value = decode_text(value.encode("utf-8", "surrogateescape"), "utf-8")
    if "\n" in value or "\r" in value:
        value = value.replace("\r", "").replace("\n", "")
    return value.replace("\0", "").strip()
