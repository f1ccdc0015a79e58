"""Lines of a TOML file whose keys have so many parts that reading the file would take too long.

A key `a.b.c` makes a table within a table, and a parser walks down again for each part. Our own files have
keys of two or three parts at most.
"""

from __future__ import annotations

import re

MOST_DOTS = 20
"""Most dots in a line, not counting those in texts, numbers and comments."""

_LEFT_ASIDE = re.compile(
    # Unclosed texts end with the line, or the file, so that nothing is searched twice. Up to two quotes may
    # come before the
    # three that close a text of several lines.
    r'"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)'
    r"|'''.*?(?:'{3,5}|\Z)"
    r'|"(?:\\[^\n]|[^"\\\n])*"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*",
    re.DOTALL,
)
_NUMBER = re.compile(r"(?<![\w.+-])[+-]?[0-9][0-9_]*\.[0-9][0-9_]*(?:[eE][+-]?[0-9_]+)?(?![\w.])")


def line_of_dots(text: str) -> int | None:
    """Return the number of the first line with more than MOST_DOTS dots in its keys; None where there is none."""
    # A text becomes one character, so that its neighbours stay apart.
    rest = _LEFT_ASIDE.sub(lambda found: "_" + "\n" * found[0].count("\n"), text)
    for number, line in enumerate(rest.split("\n"), start=1):
        if line.count(".") > MOST_DOTS and _NUMBER.sub("0", line).count(".") > MOST_DOTS:
            return number
    return None
