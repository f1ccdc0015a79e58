"""Decides whether a line is meant as a move: broad enough to catch every mistyped move, narrow enough to exclude prose.

`YNW2`, `V-NW`, `v nw 2`, `V:NW2`, `V-north 2`, `My move: V-NW2` are meant as moves; `See you on Sunday`,
`N.`, `S2 is fine`, `On 2 December`, `NW1 6XE`, `Last turn: A-S1` are not.
"""

from __future__ import annotations

import re
from functools import cache

from referee.rulebooks.confusion.notation import plain_text
from referee.rulebooks.confusion.position import LETTERS

_ANY = r"[^\W_](?: ?Z)?"
_COMPASS = r"(?:[NS][ -]*[EW]|[NSEW])"
_WORD = r"(?:NORTH|SOUTH|EAST|WEST|NORD|SUD|EST|OUEST)"
_TAILS = r"(?: *(?:-* *[X>] *[^\W_](?![^\W_X])|\+))*"
_STOP = rf"{_TAILS}[ .,;!?)]*$"
_LEAD = r"(?:I |WE |JE |MY )?(?:MOVE|PLAY|ORDER|TURN|ATTEMPT|JOUE|COUP)S?(?: IS)? *[:=]? "

_TOLD = (
    r"(?![\w' ]*\b(?:(?<!AT )LAST|PREVIOUS|EARLIER|YESTERDAY|WROTE|SAID|DERNIER|DERNIÈRE|ÉCRIT)\b[\w' ]*[:=])"
)
"""Words before a colon that refer to an earlier move or letter: the move after them is not meant to be made."""


@cache
def _form(letters: str) -> re.Pattern[str]:
    """Return the forms in which moves may be meant. letters: of the edition's pieces."""
    piece = rf"[{letters}Z](?: ?Z)?"
    return re.compile(
        "|".join(
            (
                # A piece, a sign and a direction: a move, whatever follows. "V-NW2 thanks", "V-NW", "V:NW2".
                rf"\(? *{piece} *-[ -]*{_COMPASS}(?![^\W\d_X])",
                rf"\(? *{_ANY} ?[^\w\s] ?{_COMPASS} *-? *\d",
                # By the writer's own compass: "V-FL2xZ", "V-R1".
                rf"\(? *{piece} *-[ -]*(?:[FB][RL]?|[RL])[ -]?\d{{1,2}}(?!\d)",
                # The same without its number, where no initials look like it: "V-FL".
                rf"\(? *{piece} *-[ -]*[FB][RL]{_STOP}",
                rf"\(? *{piece} *-[ -]*(?:FORWARDS?|BACK(?:WARDS?)?|LEFT|RIGHT)[ -]*\d{{1,2}}(?!\d)",
                # And without a sign, where nothing else is on the line: "V FL2", "VFL2".
                rf"\(? *{piece} ?(?:[FBRL]{{1,3}}|(?:[FB][RL]?|[RL]) )\d{{1,2}}{_STOP}",
                # Directions that do not exist, with a number: "V-NNW2", "V-UP2", "V-2NW".
                rf"\(? *{_ANY} *-[ -]*[^\W\d_]{{1,4}}\d{{1,2}}(?!\w)",
                rf"\(? *{piece} *-[ -]*\d{{1,2}} *(?:{_COMPASS})?{_STOP}",
                rf"\(? *{_ANY}[ -]+{_WORD}(?:[ -]*{_WORD})?[ -]*(?:\d|[X>]|$)",
                # Without a sign: written in one word, or spaced out and alone on the line.
                rf"\(? *(?!{_COMPASS}\d){piece}[NSEW]{{1,3}}\d{{1,2}}(?= *$|[^\w\s]| +[^\W\d]|[X>+])",
                rf"\(? *{_ANY} ?(?:[NSEW]{{1,3}}|{_COMPASS} )\d{{1,2}}{_STOP}",
                rf"\(? *{piece} +{_COMPASS} *\d{{1,2}}(?!\w)",
                rf"\(? *{_ANY} +{_COMPASS} *\d{{1,2}}{_STOP}",
                # Incomplete: "V2", "VxZ", "Z>T"; a passed turn.
                rf"\(? *[^\W\d_] ?\d{{1,2}}{_STOP}",
                rf"\(? *{piece} ?[X>] ?[^\W_][ .!?)]*$",
                r"\(? *PASS[ .!)]*$",
                # A sentence before the move: "My move is V-NW2.", and "My move: V-NW2", whatever follows.
                rf"{_LEAD}*{piece} ?- ?{_COMPASS} ?\d{{1,2}}{_STOP}",
                rf"(?=[\w' ]{{1,30}}[:=]){_TOLD}[\w' ]{{1,30}}[:=] *{piece} ?- ?{_COMPASS} ?\d{{1,2}}(?!\d)",
            )
        )
    )


def looks_like_order(text: str, letters: str = LETTERS) -> bool:
    """Return whether a line of a letter is meant as a move, correct or not. letters: of the edition's pieces."""
    return _form(letters).match(plain_text(text[:200])) is not None
