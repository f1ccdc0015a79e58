"""The heading that may precede a letter's orders (E2), `GAME CC17 TURN 5 RED`, and the `END` that may follow them.

Both order nothing, so no command is read in them. But a heading states the game and turn of the lines below
it, and if that is not the present one, none of them is carried out; lines above the heading or below END are
no orders.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from referee.commands.command_table import SIDES
from referee.commands.language_words import tidy, without_accents
from referee.commands.vocabulary import vocabulary
from referee.common.i18n import LANGUAGES
from referee.mail.message.message import OwnLine

_MOST_DIGITS = 18
"""The most digits of a number that are read; no game and no turn has as many."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The content of a heading.

    turn: None where it states none.
    set_up: it states the set-up instead.
    side: in English and lower case; "" where it states none that exists in any game.
    """

    line: OwnLine
    game: int
    turn: int | None = None
    set_up: bool = False
    side: str = ""

    @property
    def whole(self) -> bool:
        """True for a heading that states more than a game: lines above it are not meant for the game (E2)."""
        return self.turn is not None or self.set_up


@dataclass(frozen=True, slots=True)
class Frame:
    """The range of lines that holds a letter's orders. first, last: numbers of lines; None for no limit."""

    first: int | None = None
    last: int | None = None

    def holds(self, line: OwnLine) -> bool:
        """Return whether a line is within the frame."""
        above = self.first is not None and line.number < self.first
        return not above and (self.last is None or line.number <= self.last)


def is_heading(line: OwnLine) -> bool:
    """Return whether a line is a heading."""
    return _form().fullmatch(line.text) is not None


def read_headings(lines: Iterable[OwnLine]) -> tuple[Heading, ...]:
    """Return the headings among lines that are no commands, in any supported language.

    Only those before the END of the orders count: later ones say nothing about them (E2).
    """
    kept = tuple(lines)
    end = _end(kept)
    return tuple(each for each in _all_headings(kept) if end is None or each.line.number < end)


def read_frame(lines: Iterable[OwnLine]) -> Frame:
    """Return the frame set by headings and END among lines that are no commands. Either may be missing (E2)."""
    kept = tuple(lines)
    first = next((each.line.number for each in read_headings(kept) if each.whole), None)
    return Frame(first, _end(kept))


def _all_headings(lines: Sequence[OwnLine]) -> tuple[Heading, ...]:
    found = ((line, _form().fullmatch(line.text)) for line in lines)
    return tuple(
        Heading(
            line,
            _number(said["game"]),
            _number(said["turn"]) if said["turn"] else None,
            said["setup"] is not None,
            _sides().get(tidy(said["side"] or ""), ""),
        )
        for line, said in found
        if said is not None
    )


def _end(lines: Sequence[OwnLine]) -> int | None:
    """Return the number of the line that ends the orders: the first END below a heading, if any."""
    above = next((each.line.number for each in _all_headings(lines)), 0)
    return next((each.number for each in lines if each.number > above and _END.fullmatch(each.text)), None)


_DRAWN = r"(?:[^\w#]|_)"
"""A character that people draw around a heading; a `#` begins a comment (E2)."""
_END = re.compile(rf"{_DRAWN}*(?:end|fin){_DRAWN}*(?:#.*)?", re.IGNORECASE)


@cache
def _form() -> re.Pattern[str]:
    words = "|".join(dict.fromkeys(vocabulary(language).tables.game for language in LANGUAGES))
    sides = "|".join(map(re.escape, sorted(_sides(), key=len, reverse=True)))
    number = r"(?:(?:no|nr|n[°º.]|№|number|num[ée]ro|#)[.:]?\s*)?"
    part, word = f"{_DRAWN}+", r"[^\W\d_]+"
    return re.compile(
        # A `#` before the form makes the whole line a comment; after it, the rest.
        rf"{_DRAWN}*(?:{words})[\s:=]*(?:cc[\s-]?)?{number}(?P<game>\d+)"
        rf"(?:{part}(?:(?:turn|tour|round)[\s:=]*{number}(?P<turn>\d+)|(?P<setup>set[\s-]?up|placement))"
        # A word that is no side's means nothing ("please"), and two of them are a sentence.
        rf"(?:{part}(?:(?P<side>{sides})\b(?:{part}{word})?|{word}))?)?"
        rf"{_DRAWN}*(?:#.*)?",
        re.IGNORECASE,
    )


@cache
def _sides() -> Mapping[str, str]:
    """Return each spelling of a side of any game, in any language, with its English name."""
    named = {side: side for side in SIDES}
    for language in LANGUAGES:
        for side, ways in vocabulary(language).tables.sides.items():
            named |= {way: side for said in ways for way in (tidy(said), without_accents(said))}
    return named


def _number(digits: str) -> int:
    return int(digits.lstrip("0")[:_MOST_DIGITS] or "0")
