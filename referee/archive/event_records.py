"""Many games in one file: joining their records, and splitting such a file again.

An empty line separates two records. Another record begins where `KEY = VALUE` lines stand below the rows of
the one before, or below their heading. One of these keys must have occurred already, since no record gives a
key twice, and rows or their heading must follow. Otherwise it begins where rows follow that start with row 1
again. The comments right above these lines, up to an empty line, belong to it. This holds for the records of
every rulebook.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from referee.common.characters import visible
from referee.rulebooks.record_text import head_line

_ROW_LINE = re.compile(r"\s*([0-9]{1,6})(?:\s*[.):]|\s|$)")


def join_records(records: Iterable[str]) -> Iterator[str]:
    """Yield the pieces of a file with these records."""
    for place, record in enumerate(records):
        yield ("\n" if place else "") + record.rstrip("\n") + "\n"


@dataclass
class _Block:
    """Lines of a head, and what is below them.

    first: number of its first line.
    has_body: there is anything below.
    begins_with: number of the first row, None where there is none.
    """

    first: int
    keys: set[str] = field(default_factory=set)
    has_body: bool = False
    begins_with: int | None = None


def split_records(text: str) -> list[str]:
    """Return the records of a file, at least one; `join_records` restores the file that it wrote."""
    lines = text.removeprefix("\ufeff").splitlines(keepends=True)
    begins = [0]
    known: set[str] = set()
    has_rows = False
    for block in _blocks(lines):
        if (block.has_body and block.keys & known) or (has_rows and block.begins_with == 1):
            begins.append(_with_comments(lines, block.first))
            known, has_rows = set(), False
        known |= block.keys
        has_rows = has_rows or block.begins_with is not None
    if len(begins) == 1:
        return [text]
    parts = ("".join(lines[begin:end]) for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True))
    return [part.rstrip("\r\n") + "\n" for part in parts]


def _blocks(lines: Iterable[str]) -> list[_Block]:
    """Return the blocks of a file: each begins with a head line that stands below something other than a head."""
    blocks = [_Block(0)]
    for number, line in enumerate(lines):
        said = visible(line).split(";", 1)[0]
        if head := head_line(said):
            if blocks[-1].has_body:
                blocks.append(_Block(number))
            blocks[-1].keys.add(head[0].casefold())
        elif said.strip():
            blocks[-1].has_body = True
            if blocks[-1].begins_with is None and (found := _ROW_LINE.match(said)):
                blocks[-1].begins_with = int(found[1])
    return blocks


def _with_comments(lines: list[str], first: int) -> int:
    """Return where the comments right above a line begin; the line itself, where there are none."""
    while first and lines[first - 1].lstrip().startswith(";"):
        first -= 1
    return first
