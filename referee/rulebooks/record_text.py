"""What the records of all rulebooks share: their lines, including `KEY = VALUE` lines, and their size limits.

A record may come from anywhere. Reading it takes time in proportion to its length, whatever it contains: no
pattern tries blanks again from each position, and rows, which are examined more closely, are short.
"""

from __future__ import annotations

import re

from referee.common.characters import visible

LARGEST_RECORD = 2_000_000
"""The most characters in a record; the longest games, with all their comments, have less than half of that."""
MOST_RETURNS = 500
"""The most take-backs in a game."""
LONGEST_LINE = 50_000
"""The most characters in a line `KEY = VALUE`."""
LONGEST_ROW = 1000
"""The most characters in any other line without its comment; real ones have less than a tenth of that."""
_KEY = re.compile(r"[^\W\d]\w*")
_RETURN = re.compile(r"[\s\[>]*(?:taken\s{1,9}back|repris)\b", re.IGNORECASE)
_QUOTED = re.compile(r"\s*>+ ?")
_ROW_IN = re.compile(r"(?<!\w)\d{1,6}[.)]\s.*\S")
_COMMENT = re.compile(r"\{[^{}]*\}|;.*")


def record_lines(text: str) -> list[str]:
    """Return the lines of a record for reading.

    Invisible characters are removed, as in letters, and the `>` of a quotation if every non-empty line has
    one.
    """
    lines = [visible(line) for line in text.splitlines()]
    if all(map(_QUOTED.match, filter(str.strip, lines))):
        return [_QUOTED.sub("", line, count=1) for line in lines]
    return lines


def head_line(line: str) -> tuple[str, str] | None:
    """Return the key and the value of a line `KEY = VALUE`; None for any other line."""
    key, sign, said = line.partition("=")
    return (key, said.strip()) if sign and _KEY.fullmatch(key := key.strip()) else None


def without_comments(line: str) -> str:
    """Return a line with its notes in braces and its comment replaced by blanks, without trailing blanks."""
    return _COMMENT.sub(lambda found: " " * len(found[0]), line).rstrip()


def hides_row(line: str) -> bool:
    """Return whether a line may contain a row after a quotation mark or words."""
    return _QUOTED.match(line) is not None or _ROW_IN.search(line) is not None


def no_line(number: int, line: str) -> str:
    """Return why a line is not a line of a record."""
    if _QUOTED.match(line):
        meant = _QUOTED.sub("", line, count=1).strip()
        reason = f"the `>` of a quotation stands before line {number}, but not before every line"
        return f"{reason}; perhaps `{meant}` is meant"
    reason = (
        f"line {number} is neither a comment (;), nor KEY = VALUE, nor a heading, nor a numbered row; "
        "a note stands behind ; or in { }"
    )
    row = _ROW_IN.search(line)
    return f"{reason}; perhaps `{row[0]}` is meant" if row else reason


def too_long(text: str) -> str:
    """Return why a text is too long for a record, "" where it is not.

    One of its lines may be too long, or it may contain too many take-backs. Comments may have any length.
    """
    if len(text) > LARGEST_RECORD:
        return f"it has {len(text):,} signs, and no record has more than {LARGEST_RECORD:,}"
    returns = 0
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) <= LONGEST_ROW:
            returns += _RETURN.match(line) is not None
            if returns > MOST_RETURNS:
                return f"by line {number} it is taken back more than {MOST_RETURNS} times, and no game is"
            continue
        is_head = head_line(line) is not None
        said = line if is_head else line.split(";", 1)[0].rstrip()
        most = LONGEST_LINE if is_head else LONGEST_ROW
        if len(said) > most:
            return f"line {number} has {len(said):,} signs, and here no record has more than {most:,}"
    return ""
