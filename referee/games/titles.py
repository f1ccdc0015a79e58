"""The title of a game, as the subjects of its letters bear it: its rules and its number, a colon, and who plays it.

The name of the rules may hold a colon itself, as in "Confusion: Spies 3: Anna - Bert"; so a title is taken apart behind
its number, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable

_BETWEEN = " - "
"""No name of a player holds a dash between blanks."""


def write_title(rules: str, number: int, names: Iterable[str]) -> str:
    """Return the title of a game. rules: what its rulebook is called; names: those of its players that may be told."""
    head, called = f"{rules} {number}", _BETWEEN.join(names)
    return f"{head}: {called}" if called else head


def who_plays(title: str, number: int) -> str:
    """Return what the title of a game says behind its number: "Anna - Bert", "" where it names nobody."""
    return title.partition(f" {number}: ")[2]


def names_in(title: str, number: int) -> tuple[str, ...]:
    """Return the names that the title of a game holds, in its order."""
    called = who_plays(title, number)
    return tuple(called.split(_BETWEEN)) if called else ()
