"""Letters in one file that mail programs open: the format mboxrd, written and read.

Before each letter there is a line `From SENDER DATE`, after it an empty line. The letters' own lines that
look like that line, with any number of `>` before it, get one `>` more, and lose it when they are read. So
every letter is restored unchanged. Lines end with LF in the file and with CRLF in letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

_LIKE_FROM = re.compile(rb"^(>*From )", re.MULTILINE)
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)
_FROM_LINE = re.compile(rb"^From .*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mailed:
    """A letter that was sent: its sender's address, when, and its bytes, whose lines end with CRLF."""

    sender: str
    at: datetime
    content: bytes = field(repr=False)


def write_mbox(letters: Iterable[Mailed]) -> Iterator[bytes]:
    """Yield a file's pieces, one per letter."""
    for letter in letters:
        date = letter.at.astimezone(UTC).ctime()
        lines = letter.content.replace(b"\r\n", b"\n")
        if not lines.endswith(b"\n"):
            lines += b"\n"
        yield f"From {letter.sender} {date}\n".encode() + _LIKE_FROM.sub(rb">\1", lines) + b"\n"


def read_mbox(content: bytes) -> list[bytes]:
    """Return the letters of a file in this format, as they were sent. Raises ValueError for any other file."""
    begins = list(_FROM_LINE.finditer(content))
    if content.strip() and (not begins or begins[0].start()):
        raise ValueError("the file does not begin with a line `From SENDER DATE`")
    ends = [*(found.start() for found in begins), len(content)][1:]
    letters = []
    for found, end in zip(begins, ends, strict=True):
        lines = content[found.end() : end].removesuffix(b"\n")
        letters.append(_QUOTED.sub(rb"\1", lines).replace(b"\n", b"\r\n"))
    return letters
