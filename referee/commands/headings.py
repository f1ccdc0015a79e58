"""The heading that may stand above a letter's orders (E2): `GAME CC17 TURN 5 RED`, `GAME 17 SETUP RED`.

It orders nothing, so the desk reads no command in it. But it says for which game and turn the lines below it are meant,
and where that is not so, none of them is to be believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from referee.commands.spellings import vocabulary
from referee.languages import LANGUAGES
from referee.letters.letter import OwnLine


@dataclass(frozen=True, slots=True)
class Heading:
    """What a heading says. turn: None where it names none; set_up: it names the set-up instead. side: in English and
    small letters, as far as it is a side's name; "" for none."""

    line: OwnLine
    game: int
    turn: int | None = None
    set_up: bool = False
    side: str = ""


def read_headings(lines: Iterable[OwnLine]) -> tuple[Heading, ...]:
    """Return the headings among lines that are no commands, in whichever language that letters have."""
    found = ((line, _form().fullmatch(line.text)) for line in lines)
    return tuple(
        Heading(
            line,
            int(said["game"]),
            int(said["turn"]) if said["turn"] else None,
            said["setup"] is not None,
            _side(said["side"] or ""),
        )
        for line, said in found
        if said is not None
    )


@cache
def _form() -> re.Pattern[str]:
    words = "|".join(dict.fromkeys(vocabulary(language).game for language in LANGUAGES))
    return re.compile(
        rf"(?:{words})(?:[\s:]+[a-z]{{1,4}}[\s-]?|[\s:]*)#?(?P<game>\d{{1,9}})"
        r"(?:[\s,:;.-]+(?:(?:turn|tour)\s*#?(?P<turn>\d{1,6})|(?P<setup>set-?up|placement))"
        r"(?:[\s,:;.-]+(?P<side>[^\W\d_]+))?)?[\s.:;,]*",
        re.IGNORECASE,
    )


def _side(said: str) -> str:
    for language in LANGUAGES:
        if (side := vocabulary(language).read_side(said)) != said.lower():
            return side
    return said.lower()
