"""Fragments of orders: lines that end an order which was broken in two, by a mail program or by its writer (E2).

The first half of such an order is often a valid order with another meaning: a combat without its guard, a pivot without
its advance. So the second half must not be ignored like a greeting.
"""

from __future__ import annotations

import re
from typing import get_args

from referee.rulebooks.cards.chunks import CANNON, COMMANDER, LONGEST, MARKS, UNIT
from referee.rulebooks.cards.orders import ANY, NEAR, Ask, How, Way


def _one_of(*words: str) -> str:
    return f"(?:{'|'.join(words)})"


_NUMBER = r"[0-9]+(?:[.,][0-9]+)?"
_LIST = r"[0-9]+(?:\s*,\s*[0-9]+)*"
_LETTER = _one_of("R", "L", "B", "A", "W", "D", *MARKS)
_TARGET = _one_of(UNIT.pattern, NEAR, ANY)
_HOW = rf"(?:MAN\s+{_LIST}|{_one_of(*(how for how in get_args(How) if how != 'MAN'))})"
_WAY = (
    rf"(?:BEARING\s*{_NUMBER}|B\s*{_NUMBER}|{_one_of(*(way for way in get_args(Way) if way != 'BEARING'))})"
)
_PLACE = rf"(?:{_NUMBER}\s*,\s*{_NUMBER}|{COMMANDER.pattern}|[A-Z][A-Z-]*[0-9]+)"
_PART = _one_of(
    rf"{_LETTER}\s*{_NUMBER}",
    r"(?:A|ADVANCE|AHEAD)\s+MAX",
    rf"KEEP\s*{_NUMBER}",
    rf"TO\s+{_PLACE}",
    rf"BY\s+{UNIT.pattern}",
    rf"PICK\s+{_LIST}",
    rf"[>|&]\s*{_TARGET}",
    r"MIN\s*[0-9]+",
    "FLANK",
    rf"IF\s+(?:WON|LOST)\s+{UNIT.pattern}",
    rf"(?:KILL|CONF|RALLY)\s+{_HOW}",
    rf"FLEE\s+{_WAY}",
    rf"ASK\s+{_one_of(*get_args(Ask))}",
    "HOLD",
    "ABOUT",
)
_HEAD = _one_of(CANNON.pattern, UNIT.pattern, COMMANDER.pattern)
_FRAGMENT = re.compile(
    # A unit and its action without the verb; or a unit alone, after CLEAR.
    rf"(?:{_HEAD}\s+(?=\S)|{_TARGET}\s*(?=[|&]))?(?:{_PART}(?:\s+|(?=[>|&])|$))+|{UNIT.pattern}",
    re.IGNORECASE | re.ASCII,
)
_FINAL = " .,;!"


def is_fragment(text: str) -> bool:
    """Return whether a whole line is a fragment: all of it can follow the first words of an order."""
    return len(text) <= LONGEST and _FRAGMENT.fullmatch(text.strip().rstrip(_FINAL)) is not None
