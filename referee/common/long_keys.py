"""Lines of a TOML file whose keys have so many parts that the file could not be read in any useful time.

A key `a.b.c` makes a table in a table; a reader goes down to it again for each part. No file here has keys of more
than two or three.
"""

from __future__ import annotations

import re

MOST_DOTS = 20
"""Dots in a line, texts, numbers and comments left aside."""

_LEFT_ASIDE = re.compile(
    # What is not closed ends with the line, or the file: nothing is searched through twice. Up to two quotes may stand
    # before the three that close a text of several lines.
    r'"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)'
    r"|'''.*?(?:'{3,5}|\Z)"
    r'|"(?:\\[^\n]|[^"\\\n])*"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*",
    re.DOTALL,
)
_NUMBER = re.compile(r"(?<![\w.+-])[+-]?[0-9][0-9_]*\.[0-9][0-9_]*(?:[eE][+-]?[0-9_]+)?(?![\w.])")


def line_of_dots(text: str) -> int | None:
    """Return the number of the first line with more than MOST_DOTS dots in its keys, None where there is none."""
    # A text stays one sign, so that no two things beside it become one.
    rest = _LEFT_ASIDE.sub(lambda found: "_" + "\n" * found[0].count("\n"), text)
    for number, line in enumerate(rest.split("\n"), start=1):
        if line.count(".") > MOST_DOTS and _NUMBER.sub("0", line).count(".") > MOST_DOTS:
            return number
    return None
