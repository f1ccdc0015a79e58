"""Reads and writes moves (CF-8.1): lenient in spelling, strict in meaning.

`V-NW2xZ`: piece, hyphen, direction, squares, tails. Case, blanks, all kinds of dashes, `×`, wide and
invisible characters and full stops at the end do not matter; a character that only resembles a plain one
(`²`) is refused. Ambiguous moves are not guessed: `NE1` can be N going east, or a move north-east without its
piece, while `N E 1` and `N-E1` are the former.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache

from referee.common.characters import Becoming, as_it_looks, fault_of_another
from referee.common.faults import Fault, Grade, Place
from referee.common.i18n import N_
from referee.rulebooks.confusion.compass import DIRECTIONS, SIZE
from referee.rulebooks.confusion.position import LETTERS

Z = "Z"
LONGEST = SIZE - 1
"""The longest move on the board."""

_LOOK_ALIKES = dict(zip("BDFGIJMQRUWXY015АСЕНКОРТΑΕΗΚΝΟΡΤ", "POECLLNOPVVKVOLSACEHKOPTAEHKNOPT", strict=True))
"""The piece that was probably meant by another letter; includes Cyrillic and Greek capitals of the same shape."""

_DIRECTION_WORDS = {
    "NORTH": "N",
    "NORTHEAST": "NE",
    "EAST": "E",
    "SOUTHEAST": "SE",
    "SOUTH": "S",
    "SOUTHWEST": "SW",
    "WEST": "W",
    "NORTHWEST": "NW",
    "NORD": "N",
    "NORDEST": "NE",
    "EST": "E",
    "SUDEST": "SE",
    "SUD": "S",
    "SUDOUEST": "SW",
    "OUEST": "W",
    "NORDOUEST": "NW",
    "O": "W",
    "NO": "NW",
    "SO": "SW",
    "EN": "NE",
    "ES": "SE",
    "WN": "NW",
    "WS": "SW",
    "UP": "N",
    "DOWN": "S",
    "LEFT": "W",
    "RIGHT": "E",
}
"""The direction that was probably meant by another word: suggested, never assumed."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move as written. Z alone can only have the tail `>T`, a piece any other.

    letter: the piece, "" for a pass of Z alone.
    direction: a compass point.
    length: 1..10.
    with_z: the piece takes Z along (`VZ-…`).
    captures, takes_z, passed_to, promotes: the tails `xA`, `xZ`, `>T`, `+`.
    """

    letter: str
    direction: str
    length: int
    with_z: bool = False
    captures: str = ""
    takes_z: bool = False
    passed_to: str = ""
    promotes: bool = False


def write_move(move: Move) -> str:
    """Return a move in canonical text: `O-E2xTxZ`, `VZ-NW1`, `Z-S1>T`, `V-NW2xS+`."""
    thing = (move.letter + (Z if move.with_z else "")) or Z
    tails = (
        (f"x{move.captures}" if move.captures else "")
        + ("xZ" if move.takes_z else "")
        + (f">{move.passed_to}" if move.passed_to else "")
        + ("+" if move.promotes else "")
    )
    return f"{thing}-{move.direction}{move.length}{tails}"


@dataclass(frozen=True, slots=True)
class Plain:
    """Text made plain: capitals, one kind of dash, "X" for the cross, single blanks, nothing invisible.

    columns: for each character of `text` its original column (from 1), and one more for the end.
    """

    text: str
    columns: tuple[int, ...]


def plain(text: str) -> Plain:
    """Make a line plain, one character at a time, so that every position in it can be shown to the writer."""
    characters: list[str] = []
    columns: list[int] = []
    for column, written in enumerate(text, 1):
        for made in _plain_characters(written):
            if not (made == " " and characters[-1:] in ([], [" "])):
                characters.append(made)
                columns.append(column)
    while characters and characters[-1] == " ":
        characters.pop()
        columns.pop()
    return Plain("".join(characters), (*columns, len(text) + 1))


@lru_cache(maxsize=256)
def plain_text(text: str) -> str:
    """Return a line made plain, without the positions; common characters are converted all at once."""
    if text.isascii():
        made = text.upper()
    elif unicodedata.is_normalized("NFKC", text):
        made = text.upper()
        if len(made) != len(text):
            made = "".join(map(_upper, text))
    else:
        made = text.translate(_MADE_PLAIN)
        return " ".join(made.split())
    return " ".join(_ODD.sub(lambda sign: _plain_character(sign[0]), made).split())


@lru_cache(maxsize=8192)
def _plain_characters(written: str) -> tuple[str, ...]:
    """Return the characters that one becomes: usually one, several for a ligature, none for an invisible one."""
    made = map(_plain_character, unicodedata.normalize("NFKC", written))
    return tuple(character for character in made if character)


_MADE_PLAIN = Becoming(lambda sign: "".join(_plain_characters(sign)))


@lru_cache(maxsize=8192)
def _plain_character(character: str) -> str:
    """Return one character made plain, "" for an invisible one."""
    if character.isspace():
        return " "
    category = unicodedata.category(character)
    if category in ("Cf", "Cc"):
        return ""
    if category == "Pd" or character == "−":
        return "-"
    if character == "×":
        return "X"
    if category == "Nd":
        return str(unicodedata.decimal(character))
    return _upper(character)


def _upper(character: str) -> str:
    """Return a character as a capital if that is a single character, so that columns hold: `ß` stays unchanged."""
    upper = character.upper()
    return upper if len(upper) == 1 else character


_ODD = re.compile(
    "[\0-\x08\x0e-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001-\U000e007f"  # invisible
    "\u058a\u05be\u1400\u1806\u2010-\u2015\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0"
    "\ufe31\ufe32\ufe58\ufe63\uff0d\U00010ead\u2212"  # dashes
    "\xd7]|[^\\D0-9]"
)
"""All characters that become another or none, apart from small letters and blanks."""
_BESIDE = re.compile(
    r"(?!. ?Z? ?-)(?=[^:=]*[^\W\d_]{2})[^\W\d_][^:=]*?(?:[:=] *| )"
    r"(?P<move>[^\W\d_] ?Z? ?-+ ?[NSEW][ -]?[EW]? ?\d{1,2}(?!\d)[^:=]*)$"
)
"""A move after other words: "My move: V-NW2"."""
_BRACKETED = re.compile(r"\( *(?P<inside>[^()]+?) *\)?[ .,;!]*$")
_CLOSING = re.compile(r"[ .,;!]*$")
_WORD = re.compile(r"[^\W\d_](?:[ -]*[^\W\d_])*")
_DIGITS = re.compile(r"\d+")
_BLANKS = re.compile(r" *")
_GAP = re.compile(r"[ -]*")
_SIGN = re.compile(r" *(?:(?P<plus>\+)|-* *(?P<sign>[X>]) *(?P<letter>[^\W_])(?![^\W_X]))")


def read_move(text: str, line: int = 1, first_column: int = 1, letters: str = LETTERS) -> Move | Fault:
    """Read one move that fills the text; a Fault names the position in it and what was probably meant.

    line: the number to name in a fault.
    first_column: the column in that line where `text` begins.
    letters: of the edition's pieces.
    """
    if (another := fault_of_another(text, line, first_column)) is not None:
        meant = read_move(as_it_looks(text), letters=letters)
        return replace(
            another, suggestion=write_move(meant) if isinstance(meant, Move) else "", rule="CF-8.1"
        )
    reader = _Reader(text, line, first_column, letters)
    try:
        return reader.whole()
    except _Slip as slip:
        return slip.fault


def read_move_before_notes(text: str, letters: str = LETTERS) -> tuple[Move, int] | None:
    """Read a move at the start of a text in which notes may follow (CF-8.3).

    Returns the move and the number of characters up to its end, None when the text starts with no move.
    """
    reader = _Reader(text, 1, 1, letters)
    try:
        move, end = reader.start()
    except _Slip:
        return None
    return move, reader.plain.columns[end - 1]


def nearest_letter(letter: str) -> str:
    """Return the piece that was probably meant by a letter (made plain) of no piece, "" where none is similar."""
    return _LOOK_ALIKES.get(letter, "")


class _Slip(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault


class _Reader:
    """Reads a text as a move, from left to right; raises _Slip where it cannot."""

    def __init__(self, text: str, line: int, first_column: int, letters: str) -> None:
        self.written = text
        self.line = line
        self.first_column = first_column
        self.letters = letters
        self.plain = plain(text)
        self.text = self.plain.text

    def whole(self) -> Move:
        """Return the move that fills the text."""
        if bracketed := _BRACKETED.match(self.text):
            message = N_("brackets mark a refused move in a record; an order is written without them")
            raise self._slip("brackets", message, 0, meant=self._meant(bracketed["inside"]))
        if self.text.rstrip(" .,;!") == "PASS":
            message = N_("nobody passes of his own will, a turn is an attempt")
            raise self._slip("no-passing", message, 0, rule="CF-11.3")
        try:
            move, end = self.start()
        except _Slip:
            if (beside := _BESIDE.match(self.text)) and (meant := self._meant(beside["move"])):
                message = N_("a move stands alone on its line, the words beside it are not read")
                raise self._slip("words-beside", message, beside.start("move"), meant=meant) from None
            raise
        rest = self.text[end:]
        if not _CLOSING.match(rest):
            place = end + len(rest) - len(rest.lstrip())
            facts = {"move": write_move(move), "rest": self._written_from(place)}
            message = N_("after {move} nothing more is expected, but there is `{rest}`")
            raise self._slip("rest", message, place, meant=write_move(move), facts=facts)
        return move

    def start(self) -> tuple[Move, int]:
        """Return the move at the start and the position after its last character."""
        letter, with_z, after = self._piece()
        gap = _end(_GAP, self.text, after)
        if gap < len(self.text) and not self.text[gap].isalnum():
            facts = {"sign": self.text[gap]}
            message = N_("between the piece and its direction stands a hyphen, not `{sign}`")
            raise self._slip("sign", message, gap, meant=self._with(gap, gap + 1, "-"), facts=facts)
        direction, after_direction = self._direction(gap)
        length, after_length = self._length(after_direction, direction)
        move, end = self._tails(Move("" if letter == Z else letter, direction, length, with_z), after_length)
        if gap == after and letter + direction in DIRECTIONS and not with_z:
            # "NE1": the piece N, or a direction without its piece.
            one = write_move(move)
            other = f"{letter}{direction}{length}"
            facts = {"one": one, "other": other}
            message = N_("this can be {one}, or a move {other} whose piece is missing")
            raise self._slip("two-readings", message, 0, meant=one, facts=facts, grade="ambiguous")
        return move, end

    def _piece(self) -> tuple[str, bool, int]:
        """Return the letter (Z for a pass), whether it takes Z along, and the position after them."""
        text = self.text
        if not text or not text[0].isalnum():
            raise self._slip("no-move", N_("a move begins with the letter of a piece"), 0)
        letter = text[0]
        if letter != Z and letter not in self.letters:
            if re.match(r"W *\d", text):
                message = N_("the piece is missing before the direction")
                raise self._slip("no-piece", message, 0)
            facts = {"letter": self._written_from(0)[:1], "letters": " ".join(self.letters)}
            meant = self._with(0, 1, _LOOK_ALIKES[letter]) if letter in _LOOK_ALIKES else ""
            message = N_("there is no piece {letter}; the letters are {letters}")
            raise self._slip("no-such-letter", message, 0, meant=meant, facts=facts, rule="CF-1.3")
        after = _end(_BLANKS, text, 1)
        if letter != Z and text[after : after + 1] == Z:
            return letter, True, after + 1
        return letter, False, 1

    def _direction(self, place: int) -> tuple[str, int]:
        word = _WORD.match(self.text, place)
        if word is None:
            message = N_("the direction is missing; it is one of {directions}")
            facts = {"directions": " ".join(DIRECTIONS)}
            raise self._slip("no-direction", message, place, meant=self._inverted(place), facts=facts)
        said = re.sub(r"[ -]", "", word[0])
        end = word.end()
        if said in DIRECTIONS:
            return said, end
        if (tail := re.match(r"([NSEW][ -]*[EW]?)[ -]*X", word[0])) and not self.text[
            end : end + 1
        ].isdigit():
            # "V-NWxZ": the length is missing, so that the tail merged with the direction.
            return re.sub(r"[ -]", "", tail[1]), place + len(tail[1])
        near = _DIRECTION_WORDS.get(said) or next(iter(get_close_matches(said, DIRECTIONS, 1, 0.5)), "")
        facts = {"said": self._written_from(place, end), "directions": " ".join(DIRECTIONS)}
        message = N_("there is no direction {said}; the directions are {directions}")
        meant = self._with(place, end, near) if near else ""
        raise self._slip("no-such-direction", message, place, meant=meant, facts=facts)

    def _length(self, place: int, direction: str) -> tuple[int, int]:
        start = _end(_GAP, self.text, place)
        digits = _DIGITS.match(self.text, start)
        if digits is None:
            message = N_("the number of squares is missing after {direction}")
            facts = {"direction": direction}
            meant = self._with(place, place, "1")
            raise self._slip("no-length", message, place, meant=meant, facts=facts)
        length = int(digits[0][:4])
        if len(digits[0]) > 4 or not 1 <= length <= LONGEST:
            facts = {"longest": str(LONGEST)}
            message = N_("a move goes from 1 to {longest} squares")
            meant = self._with(digits.start(), digits.end(), digits[0].lstrip("0")[:1] or "1")
            raise self._slip("no-such-length", message, digits.start(), meant=meant, facts=facts)
        return length, digits.end()

    def _tails(self, move: Move, place: int) -> tuple[Move, int]:
        while sign := _SIGN.match(self.text, place):
            at = sign.start("plus") if sign["plus"] else sign.start("sign")
            move = (
                self._plus(move, at) if sign["plus"] else self._tail(move, at, sign["sign"], sign["letter"])
            )
            place = sign.end()
        return move, place

    def _plus(self, move: Move, at: int) -> Move:
        if not move.letter:
            raise self._slip("tail", N_("Z is never promoted"), at, meant=write_move(move))
        if move.promotes:
            raise self._slip("tail", N_("one + is enough"), at, meant=write_move(move))
        return replace(move, promotes=True)

    def _tail(self, move: Move, at: int, sign: str, letter: str) -> Move:
        if letter not in self.letters and not (letter == Z and sign == "X"):
            facts = {"letter": letter, "letters": " ".join(self.letters)}
            place = self.text.index(letter, at + 1)
            meant = self._with(place, place + 1, _LOOK_ALIKES[letter]) if letter in _LOOK_ALIKES else ""
            message = N_("there is no piece {letter}; the letters are {letters}")
            raise self._slip("no-such-letter", message, place, meant=meant, facts=facts, rule="CF-1.3")
        facts = {"letter": letter}
        if sign == ">":
            if move.letter:
                message = N_("only Z alone is passed, as in Z-{direction}{length}>{letter}")
                facts |= {"direction": move.direction, "length": str(move.length)}
                passing = Move("", move.direction, move.length, passed_to=letter)
                meant = write_move(passing if move.with_z else replace(move, captures=letter))
                raise self._slip("tail", message, at, meant=meant, facts=facts)
            if move.passed_to:
                message = N_("Z is passed to one piece, {passed_to} or {letter}")
                facts["passed_to"] = move.passed_to
                raise self._slip("tail", message, at, meant=write_move(move), facts=facts)
            return replace(move, passed_to=letter)
        if not move.letter:
            passing = move if letter == Z else replace(move, passed_to=letter)
            message = N_("Z alone captures nothing; a pass to a piece is written with >")
            raise self._slip("tail", message, at, meant=write_move(passing), facts=facts)
        if letter == Z:
            if move.takes_z:
                raise self._slip("tail", N_("xZ stands there twice"), at, meant=write_move(move))
            return replace(move, takes_z=True)
        if move.captures:
            message = N_("a move captures one piece, {captured} or {letter}")
            facts["captured"] = move.captures
            raise self._slip("tail", message, at, meant=write_move(move), facts=facts)
        return replace(move, captures=letter)

    def _inverted(self, place: int) -> str:
        """Return the move that was meant by `V-2NW`, "" where there is none."""
        found = re.match(r"(\d+) *([NSEW]{1,2})", self.text[place:])
        return self._with(place, place + found.end(), found[2] + found[1]) if found else ""

    def _with(self, start: int, end: int, better: str) -> str:
        """Return how the text would be read with `better` in place of a part, "" if it could not be."""
        return self._meant(self.text[:start] + better + self.text[end:])

    def _meant(self, repaired: str) -> str:
        """Return how a corrected text is read; where it still has a fault, that fault's suggestion."""
        read = read_move(repaired, letters=self.letters)
        return write_move(read) if isinstance(read, Move) else read.suggestion

    def _written_from(self, start: int, end: int | None = None) -> str:
        """Return the writer's own text from one position to another."""
        last = len(self.written) if end is None else self.plain.columns[end] - 1
        return self.written[self.plain.columns[start] - 1 : last].strip()

    def _slip(
        self,
        code: str,
        message: str,
        at: int,
        *,
        meant: str = "",
        facts: dict[str, str] | None = None,
        grade: Grade = "unreadable",
        rule: str = "CF-8.1",
    ) -> _Slip:
        place = Place(self.line, self.first_column + self.plain.columns[at] - 1)
        return _Slip(Fault(code, message, facts or {}, grade, self.written.strip(), place, meant, rule))


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place
