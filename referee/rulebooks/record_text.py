"""What is the same in the records of all rulebooks: lines `KEY = VALUE` above the rows, and how long they can be.

A record may come from anywhere. Whatever is in it, reading it takes time in proportion to its length: where a line is
taken apart, no pattern tries blanks anew from each place, and rows, which are read more thoroughly, are short.
"""

from __future__ import annotations

import re

LARGEST_RECORD = 2_000_000
"""Signs of a record; the longest games of all, with all that was written beside them, have less than half of that."""
LONGEST_LINE = 50_000
"""Signs of a line `KEY = VALUE`."""
LONGEST_ROW = 1000
"""Signs of any other line, without the comment; real ones have less than a tenth of that."""
_KEY = re.compile(r"[^\W\d]\w*")


def head_line(line: str) -> tuple[str, str] | None:
    """Return the key and the value of a line `KEY = VALUE`; None for any other line."""
    key, sign, said = line.partition("=")
    return (key, said.strip()) if sign and _KEY.fullmatch(key := key.strip()) else None


def too_long(text: str) -> str:
    """Return why a text is too long for a record, or one of its lines is; "" where none is. Comments may be of any
    length."""
    if len(text) > LARGEST_RECORD:
        return f"it has {len(text):,} signs, and no record has more than {LARGEST_RECORD:,}"
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) <= LONGEST_ROW:
            continue
        is_head = head_line(line) is not None
        said = line if is_head else line.split(";", 1)[0].rstrip()
        most = LONGEST_LINE if is_head else LONGEST_ROW
        if len(said) > most:
            return f"line {number} has {len(said):,} signs, and here no record has more than {most:,}"
    return ""
