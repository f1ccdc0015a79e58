"""The heading that may stand above a letter's orders (E2): `GAME CC17 TURN 5 RED`, and the `END` below them.

They order nothing, so the desk reads no command in them. But a heading says for which game and turn the lines below it
are meant, and where that is not so, none of them is to be believed; and what stands above the one or below the other is
no order.
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
"""Digits of a number that are told apart; there is no game and no turn of so many."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a heading says. turn: None where it names none; set_up: it names the set-up instead. side: in English and
    small letters; "" where it names none that there is in any game."""

    line: OwnLine
    game: int
    turn: int | None = None
    set_up: bool = False
    side: str = ""

    @property
    def whole(self) -> bool:
        """True for one that names more than a game: what stands above it is not meant for it (E2)."""
        return self.turn is not None or self.set_up


@dataclass(frozen=True, slots=True)
class Frame:
    """Between which lines of a letter its orders stand. first, last: numbers of lines; None where there is no bound."""

    first: int | None = None
    last: int | None = None

    def holds(self, line: OwnLine) -> bool:
        """Return whether a line stands within it."""
        above = self.first is not None and line.number < self.first
        return not above and (self.last is None or line.number <= self.last)


def is_heading(line: OwnLine) -> bool:
    """Return whether a line is a heading."""
    return _form().fullmatch(line.text) is not None


def read_headings(lines: Iterable[OwnLine]) -> tuple[Heading, ...]:
    """Return the headings among lines that are no commands, in whichever language that letters have, up to the END of
    the orders: what stands below that says nothing of them (E2)."""
    kept = tuple(lines)
    end = _end(kept)
    return tuple(each for each in _all_headings(kept) if end is None or each.line.number < end)


def read_frame(lines: Iterable[OwnLine]) -> Frame:
    """Return the frame that headings and END, among lines that are no commands, put around a letter's orders. Either
    may be missing (E2)."""
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
    """Return the number of the line that ends the orders: the first END below a heading, where there is one."""
    above = next((each.line.number for each in _all_headings(lines)), 0)
    return next((each.number for each in lines if each.number > above and _END.fullmatch(each.text)), None)


_DRAWN = r"(?:[^\w#]|_)"
"""A sign of what people draw around a heading; a `#` begins a comment (E2)."""
_END = re.compile(rf"{_DRAWN}*(?:end|fin){_DRAWN}*(?:#.*)?", re.IGNORECASE)


@cache
def _form() -> re.Pattern[str]:
    words = "|".join(dict.fromkeys(vocabulary(language).tables.game for language in LANGUAGES))
    sides = "|".join(map(re.escape, sorted(_sides(), key=len, reverse=True)))
    number = r"(?:(?:no|nr|n[°º.]|№|number|num[ée]ro|#)[.:]?\s*)?"
    part, word = f"{_DRAWN}+", r"[^\W\d_]+"
    return re.compile(
        # A `#` before the form makes all of the line a comment; behind it, the rest.
        rf"{_DRAWN}*(?:{words})[\s:=]*(?:cc[\s-]?)?{number}(?P<game>\d+)"
        rf"(?:{part}(?:(?:turn|tour|round)[\s:=]*{number}(?P<turn>\d+)|(?P<setup>set[\s-]?up|placement))"
        # A word that is no side's says nothing ("please"), and two of them are a sentence.
        rf"(?:{part}(?:(?P<side>{sides})\b(?:{part}{word})?|{word}))?)?"
        rf"{_DRAWN}*(?:#.*)?",
        re.IGNORECASE,
    )


@cache
def _sides() -> Mapping[str, str]:
    """Return each way to write a side of a game, in any language, and its English name."""
    named = {side: side for side in SIDES}
    for language in LANGUAGES:
        for side, ways in vocabulary(language).tables.sides.items():
            named |= {way: side for said in ways for way in (tidy(said), without_accents(said))}
    return named


def _number(digits: str) -> int:
    return int(digits.lstrip("0")[:_MOST_DIGITS] or "0")
