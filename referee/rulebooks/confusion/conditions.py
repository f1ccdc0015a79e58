"""The conditions of plans: what a player has heard since their own attempt (`if no`, `if captured`)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.rulebooks.confusion.happenings import ATTEMPTED, read_attempt
from referee.rulebooks.rulebook import Happening

CONDITIONS = ("yes", "no", "captured", "lost", "promoted", "z")
"""yes, no: the answer.

captured: it took a piece. lost: a piece of the player was captured since. promoted: it was promoted. z: it
    took Z.
"""


def heard_conditions(heard: Iterable[Happening]) -> frozenset[str]:
    """Return the conditions that hold.

    heard: what the player has heard from their own attempt on, which is the first attempt in it.
    """
    attempts = [read_attempt(each) for each in heard if each.code == ATTEMPTED]
    if not attempts:
        return frozenset()
    own, *later = attempts
    met = {
        "yes": own.answer,
        "no": not own.answer,
        "captured": bool(own.captured),
        "lost": any(each.captured and each.seat != own.seat for each in later),
        "promoted": own.promoted is True,
        "z": own.took_z,
    }
    return frozenset(condition for condition, holds in met.items() if holds)
