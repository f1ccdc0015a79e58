"""Files named on the command line or in the settings: none is read beyond the size that such a file can have.

A name may lead to anything: a file of many gigabytes, or a device that never ends. A file that is too large
is refused in a sentence before it takes time or memory.
"""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import BinaryIO

from referee.common.errors import UsageError


def read_file(path: Path, most: int, what: str) -> bytes:
    """Return a file's bytes.

    most: largest size in bytes.
    what: the kind of file, as in "a scenario".
    Raises UsageError for a larger file, OSError for one that cannot be read.
    """
    with path.open("rb") as file:
        return read_stream(file, most, what, str(path))


def read_stream(file: BinaryIO, most: int, what: str, name: str = "") -> bytes:
    """Return what an open file holds, standard input included; see read_file.

    name: what to call it, if not its own name.
    """
    content = file.read(most + 1)
    if len(content) > most:
        called = name or getattr(file, "name", "the file")
        raise UsageError(f"{called}: this has more than {most:,} bytes, and {what} never has so many.")
    return content


def read_text(content: bytes) -> str:
    """Return a file's text: UTF-8 or UTF-16 with a mark, else UTF-8, else Windows-1252."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
