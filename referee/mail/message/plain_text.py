"""Plain text becomes lines as their writer saw them, with quoted lines marked."""

from __future__ import annotations

import re
from typing import NamedTuple

from referee.mail.message.limits import QUOTATIONS, TEXT_LINES

_LINE_END = re.compile("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_OTHER_MARKS = re.compile(r"\s{0,3}(?:[A-Za-z]{1,4}> |[|¦](?:\s|$)|»(?!.*«)|＞)")
"""Marks of some programs: the writer's initials (`AB> text`), bars or `»`; in German `»text«` is speech."""


class SeenLine(NamedTuple):
    """A line of a letter's text as its writer saw it. quoted: it is marked as somebody else's."""

    text: str
    quoted: bool = False


def plain_lines(text: str) -> list[SeenLine]:
    """Split text into lines; lines that begin with `>`, perhaps after blanks, are quoted."""
    return [SeenLine(line, is_quoted(line)) for line in _cut(text)]


def flowed_lines(text: str, *, delete_space: bool) -> list[SeenLine]:
    """Split text of format=flowed (RFC 3676) into the paragraphs that its writer saw as lines.

    A line that ends with a blank continues in the next one of the same quotation depth. A blank at the start
    was added by the writer's program.

    delete_space: the blank at the join was the program's too (DelSp).
    """
    lines: list[SeenLine] = []
    pieces: list[str] = []
    depth_so_far = 0
    cut = _cut(text)
    for raw in cut:
        content = raw.lstrip(">")
        depth = len(raw) - len(content)
        content = content.removeprefix(" ")
        signature = content in {"-- ", "--"}
        if pieces and (depth != depth_so_far or signature):
            lines.append(_paragraph(pieces, depth_so_far))
            pieces = []
        depth_so_far = depth
        flows = content.endswith(" ") and not signature
        pieces.append(content[:-1] if flows and delete_space else content)
        if not flows:
            lines.append(_paragraph(pieces, depth))
            pieces = []
    if pieces and len(cut) < TEXT_LINES:
        lines.append(_paragraph(pieces, depth_so_far))
    return lines


def _paragraph(pieces: list[str], depth: int) -> SeenLine:
    text = "".join(pieces)
    return SeenLine(text, depth > 0 or bool(_OTHER_MARKS.match(text)))


def is_quoted(line: str) -> bool:
    """Return whether a line has a quotation mark."""
    return line.startswith(">") or line.lstrip().startswith(">") or bool(_OTHER_MARKS.match(line))


_QUOTATION = re.compile(rb"(?:^[ \t]*>[^\n]*\n)+", re.MULTILINE)


def without_quotations(octets: bytes) -> bytes:
    """Return a text with each quotation marked by `>` reduced to one empty quoted line.

    The charset may be any that has ASCII's characters in ASCII's places.
    """
    return _QUOTATION.sub(b">\n", octets, QUOTATIONS)


def _cut(text: str) -> list[str]:
    """Split text at its line ends; lines beyond the limit are not read."""
    return _LINE_END.split(text, TEXT_LINES)[:TEXT_LINES]
