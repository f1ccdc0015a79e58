"""A line cut into its words, numbers and signs, and the smallest things that are read from it (E2).

What cannot be read is a Slip: it says where, what should stand there, and how the line was perhaps meant.

A comma stands between the numbers of a point, `110,4`, and between those of men, `3,4`. Where a single length or angle
stands it can only be a decimal one: `A7,5` is 7.5 cm. So it is the place in the order that tells them apart, and never
the number. What stands behind a blank is no decimal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from referee.common.faults import Fault, Place
from referee.common.i18n import N_, Phrase
from referee.rulebooks.cards.shapes import Point
from referee.rulebooks.rulebook import OrderLine

UNIT = re.compile(r"[RB][ICA][1-9][0-9]?")
CANNON = re.compile(r"[RB]A[1-9][0-9]?\.[1-9][0-9]?")
COMMANDER = re.compile(r"[RB][GD]")
UNIT_OR_COMMANDER = re.compile(f"{UNIT.pattern}|{COMMANDER.pattern}")

MARKS: Mapping[str, str] = {
    "ADVANCE": "A",
    "AHEAD": "A",
    "RIGHT": "R",
    "LEFT": "L",
    "BEARING": "B",
    "FILES": "W",
    "WIDE": "W",
    "DISTANCE": "D",
}
"""Longer words for the letters before a number."""

MOST_CM, MOST_DEGREES, MOST_TURNS = 999.9, 360.0, 20
LONGEST = 400
"""Signs of an order line, as it is sent and as it is written: a line of a record holds it with room to spare."""
MOST_MEN = 40
"""Men's numbers in a list of them."""
FINAL = frozenset(".,;!")
"""Signs that end a sentence. Behind an order they say nothing."""

_CHUNK = re.compile(
    r"\s*(?:(?P<word>[A-Za-z]+)(?P<after>[0-9]+(?:\.[0-9]+)?)?|(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<sign>[>|&,]))"
)
_DECIMALS = re.compile(r",([0-9]{1,2})(?![0-9]|\.[0-9])")


class Slip(Exception):
    """A line cannot be read from here on."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Chunk:
    """A word, a number or a sign, and its column from 1. number: also the one that stands right behind a word."""

    word: str
    number: str
    column: int

    @property
    def text(self) -> str:
        return self.word + self.number


class Reader:
    """Reads one line from left to right."""

    def __init__(self, line: OrderLine) -> None:
        self.line, self.next = line, 0
        text = line.text.split("#", 1)[0]
        self.chunks: list[Chunk] = []
        at = 0
        while at < len(text.rstrip()):
            found = _CHUNK.match(text, at)
            if found is None:
                column = at + len(text[at:]) - len(text[at:].lstrip()) + 1
                self.chunks.append(Chunk(text[column - 1], "", column))
                at = column
                continue
            start = found.start(found.lastgroup or 0) if found["word"] is None else found.start("word")
            word = (found["word"] or found["sign"] or "").upper()
            self.chunks.append(Chunk(word, found["after"] or found["number"] or "", start + 1))
            at = found.end()

    # --- the smallest things

    @property
    def here(self) -> Chunk:
        """The next chunk; an empty one behind the last."""
        if self.next < len(self.chunks):
            return self.chunks[self.next]
        end = len(self.line.text.split("#", 1)[0].rstrip())
        return Chunk("", "", end + 1)

    def slip(self, code: str, message: str, near: str = "", rule: str = "", **facts: str | Phrase) -> Slip:
        """near: what was perhaps meant in place of the next chunk, or the line up to it where the rest is too much."""
        here, text = self.here, self.line.text
        place = Place(self.line.number, here.column)
        before = text[: here.column - 1]
        if near and near != before.rstrip():
            gap = "" if here.text or not before.strip() else " "
            near = f"{before.rstrip() if gap else before}{gap}{near}{text[here.column - 1 + len(here.text) :]}".rstrip()
        return Slip(Fault(code, message, facts, "unreadable", here.text, place, near, rule))

    def taken(self, word: str) -> bool:
        """Take a word or sign, if it comes next."""
        if self.here.word == word and not self.here.number:
            self.next += 1
            return True
        return False

    def mark(self, *letters: str) -> str | None:
        """Take a letter that stands before a number, and return it; the number comes next. None where none does."""
        here = self.here
        letter = MARKS.get(here.word, here.word)
        if letter not in letters:
            return None
        if here.number:
            self.chunks[self.next] = Chunk("", here.number, here.column + len(here.word))
        else:
            self.next += 1
        return letter

    def _decimals(self) -> None:
        """Take a decimal comma that stands in the next number, and what follows it, as part of that number."""
        here = self.here
        behind = here.column - 1 + len(here.text)
        found = _DECIMALS.match(self.line.text, behind)
        if here.word or not here.number or "." in here.number or found is None:
            return
        self.chunks[self.next : self.next + 3] = [Chunk("", f"{here.number}.{found[1]}", here.column)]

    def number(self, what: Phrase, most: float, *, least: float = 0.0) -> float:
        here = self.here
        if here.word or not here.number:
            raise self.slip("no-number", N_("there should be {what}"), what=what)
        number = round(float(here.number), 2)
        if not least <= number <= most:
            message = N_("{what} is {least} to {most}")
            raise self.slip("number", message, what=what, least=f"{least:g}", most=f"{most:g}")
        self.next += 1
        return number

    def cm(self) -> float:
        self._decimals()
        return round(self.number(Phrase("a length in cm"), MOST_CM), 1)

    def degrees(self) -> float:
        self._decimals()
        return round(self.number(Phrase("an angle in degrees"), MOST_DEGREES), 1)

    def count(self, what: Phrase, most: int, least: int = 1) -> int:
        number = self.number(what, most, least=least)
        if number != int(number):
            self.next -= 1
            raise self.slip("whole", N_("{what} is a whole number"), what=what)
        return int(number)

    def numbers(self, what: Phrase) -> tuple[int, ...]:
        """Read a list. A comma behind it is no final one: the list was to go on."""
        numbers = [self.count(what, 100)]
        while self.taken(","):
            self.room(numbers, MOST_MEN, Phrase("men"))
            numbers.append(self.count(what, 100))
        return tuple(numbers)

    def room(self, listed: Sequence[object], most: int, what: Phrase) -> None:
        """See that one more may be listed."""
        if len(listed) >= most:
            raise self.slip(
                "list-long", N_("at most {most} {what} may be listed here"), most=str(most), what=what
            )

    def point(self) -> Point:
        x = self.number(Phrase("a point, x and y in cm"), MOST_CM)
        self.taken(",")
        return Point(x, self.number(Phrase("a point, x and y in cm"), MOST_CM))

    def id(self, form: re.Pattern[str], what: Phrase, example: str) -> str:
        here = self.here
        if not form.fullmatch(here.text):
            near = example if not here.text else ""
            raise self.slip(
                "no-id", N_("there should be {what}, such as {example}"), near, what=what, example=example
            )
        self.next += 1
        return here.text

    def unit(self) -> str:
        return self.id(UNIT, Phrase("a unit"), "RI1")

    def one_of(self, words: Sequence[str], what: Phrase) -> str:
        here = self.here
        if here.word not in words or here.number:
            near = next(iter(get_close_matches(here.word, words, 1)), "")
            raise self.slip("no-word", N_("{what} is {words}"), near, what=what, words=", ".join(words))
        self.next += 1
        return here.word

    @property
    def more(self) -> bool:
        """Whether anything is left to read but the end of a sentence."""
        return any(chunk.number or chunk.word not in FINAL for chunk in self.chunks[self.next :])

    def end(self) -> None:
        """See that nothing is left."""
        if self.more:
            before = self.line.text[: self.here.column - 1].rstrip()
            raise self.slip("too-much", N_("nothing more can stand here"), before)
