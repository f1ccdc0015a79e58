"""Where a mail program may have broken one line into two."""

from __future__ import annotations

SHORTEST_WRAP, LONGEST_WRAP = 60, 80
"""Mail programs break lines at a length between these two numbers of characters."""


def may_be_broken(above: str, below: str) -> bool:
    """Return whether one line may have been broken into these two, neither of which is blank."""
    return len(above) <= LONGEST_WRAP and len(above) + 1 + len(below.split(maxsplit=1)[0]) > SHORTEST_WRAP
