"""The title of a game, as in the subjects of its letters: its rules and number, a colon, and its players.

The name of the rules may contain a colon itself, as in "Confusion: Spies 3: Anna - Bert", so a title is only
ever split after its number.
"""

from __future__ import annotations

from collections.abc import Iterable

_BETWEEN = " - "
"""The separator of names; no player's name contains a dash between blanks."""


def write_title(rules: str, number: int, names: Iterable[str]) -> str:
    """Return the title of a game.

    rules: the title of its rulebook.
    names: those of its players that may be shown.
    """
    head, called = f"{rules} {number}", _BETWEEN.join(names)
    return f"{head}: {called}" if called else head


def who_plays(title: str, number: int) -> str:
    """Return the players' part of a game's title: "Anna - Bert", "" where it names nobody."""
    return title.partition(f" {number}: ")[2]


def names_in(title: str, number: int) -> tuple[str, ...]:
    """Return the names in a game's title, in their order."""
    called = who_plays(title, number)
    return tuple(called.split(_BETWEEN)) if called else ()
