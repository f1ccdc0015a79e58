"""Files that somebody names on the command line or in the settings: no more of one is read than such a file can have.

A name may stand for anything: a file of many gigabytes, a device that never ends. What is too large is refused in a
sentence before it takes time or memory.
"""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import BinaryIO

from referee.common.errors import UsageError


def read_file(path: Path, most: int, what: str) -> bytes:
    """Return a file's bytes. most: how many it may have. what: the kind of file, as in "a scenario".

    Raises UsageError for a larger one, OSError for one that cannot be read.
    """
    with path.open("rb") as file:
        return read_stream(file, most, what, str(path))


def read_stream(file: BinaryIO, most: int, what: str, name: str = "") -> bytes:
    """Return what an open file holds, standard input too; see read_file. name: what it is called, if not by itself."""
    content = file.read(most + 1)
    if len(content) > most:
        called = name or getattr(file, "name", "the file")
        raise UsageError(f"{called}: this has more than {most:,} bytes, and {what} never has so many.")
    return content


def read_text(content: bytes) -> str:
    """Return a file's text, whatever program wrote it: UTF-8 or UTF-16 with a mark, UTF-8, else Windows' Western."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
