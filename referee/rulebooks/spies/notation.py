"""Reads and writes orders (CF-8.1, CF-10.4 to CF-10.12): lenient in spelling, strict in meaning.

Moves are written as in Confusion, and read by its code. What precedes a move has a sign in records and
receipts, and words for people: `#H` is `eliminate H`, `#xH` the opponent's, `?H` is `reveal H`, `A<>H` is
`swap A H`, and `V-N1 & H-E1` is `move V-N1, H-E1`. Answers and instructions are words only. French words are
read as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from referee.common.characters import as_it_looks, fault_of_another
from referee.common.faults import Fault, Grade, Place
from referee.common.i18n import N_
from referee.rulebooks.confusion import notation as shared
from referee.rulebooks.confusion.notation import (
    Move,
    Plain,
    nearest_letter,
    read_move_before_notes,
    write_move,
)
from referee.rulebooks.rulebook import OrderLine
from referee.rulebooks.spies import words
from referee.rulebooks.spies.edition import LETTERS
from referee.rulebooks.spies.orders import (
    Action,
    Answer,
    Double,
    Eliminate,
    Instruct,
    Order,
    Pass,
    Reveal,
    SetUp,
    Swap,
    Unmask,
)
from referee.rulebooks.spies.setting_up import read_loosely, words_end, write_set_up
from referee.rulebooks.spies.words import Said, Word, kind_of

TWO_MOVES = re.compile(
    r"(?:(?:I|WE|JE|PLEASE|DOUBLE|TOKEN|JETON) )*(?:MOVE|DEPLACER|DEPLACE|DEPLACEZ)(?P<two> ?2)?(?: ?[:=]| ) ?"
)
"""The beginning of two attempts by the token Move 2, in words: "move V-N1, H-E1", "move 2 V-N1 and H-E1"."""
_BETWEEN = re.compile(r"[ ,;&/]*(?:\b(?:AND|ET)\b)?[ ,;&/]*")
_JOINED = re.compile(r" ?& ?| (?:AND|ET) ")
_SIGNS = re.compile(
    r"# ?(?:(?P<theirs>X) ?(?P<unmasked>[^\W_]{1,2}|\?)|(?P<own>[^\W_]{1,2}|\?)?)$"
    r"|\? ?(?P<shown>[^\W\d_]{1,2})$"
    r"|(?P<one>[^\W_]) ?<[-=]?> ?(?P<other>[^\W_])?$"
)
_ACTION = re.compile(
    r"#(?P<own>[A-Z])|#x(?P<unmasked>[A-Z?])|\?(?P<shown>[A-Z])|(?P<one>[A-Z])<>(?P<other>[A-Z])"
)


def write_order(order: Order) -> str:
    """Return an order in canonical text, as in records and receipts: `V-N1`, `#H`, `A<>H`, `agent as 4`."""
    match order:
        case Move():
            return write_move(order)
        case Double(first, second):
            return f"{write_move(first)} & {write_move(second)}"
        case Pass():
            return "pass"
        case SetUp():
            return f"setup {write_set_up(order)}"
        case Reveal(letter):
            return f"?{letter}"
        case Swap(one, other):
            return f"{one}<>{other}"
        case Eliminate(letter):
            return f"#{letter}"
        case Unmask(letter):
            return f"#x{letter or '?'}"
        case Answer(allow, takes_z):
            return ("allow" if takes_z else "allow without Z") if allow else "deny"
        case Instruct(how, number):
            return f"agent as {number}" if how == "as" else f"agent {how}"


def in_words(order: Order) -> str:
    """Return an order in words, where records have a sign: `eliminate H`, `swap A H`."""
    match order:
        case Double(first, second):
            return f"move {write_move(first)}, {write_move(second)}"
        case Reveal(letter):
            return f"reveal {letter}"
        case Swap(one, other):
            return f"swap {one} {other}"
        case Eliminate(letter):
            return f"eliminate {letter}"
        case Unmask(letter):
            return f"eliminate their {letter or 'agent'}"
    return write_order(order)


def read_move(text: str) -> Move:
    """Read a canonical move. Raises ValueError for any other text."""
    read = shared.read_move(text, letters=LETTERS)
    if isinstance(read, Fault):
        raise ValueError(f"{text} is no move")  # noqa: TRY004  (what was read is no move)
    return read


def read_action(text: str) -> Action:
    """Read a canonical action. Raises ValueError for any other text."""
    found = _ACTION.fullmatch(text)
    if found is None:
        raise ValueError(f"{text} is no action")
    if found["own"]:
        return Eliminate(found["own"])
    if found["unmasked"]:
        return Unmask(found["unmasked"].strip("?"))
    if found["shown"]:
        return Reveal(found["shown"])
    return Swap(found["one"], found["other"])


def read_order(line: OrderLine) -> Order | Fault:
    """Read one order that fills the line; a Fault names the position in it and what was probably meant.

    A set-up is read only as far as possible without knowing the game's variants.
    """
    if (another := fault_of_another(line.text, line.number)) is not None:
        folded = read_order(OrderLine(line.number, as_it_looks(line.text)))
        meant = "" if isinstance(folded, Fault | SetUp) else in_words(folded)
        return replace(another, suggestion=meant, rule="CF-8.1")
    reader = _Reader(_Line(line, words.bare(line.text)))
    try:
        return reader.whole()
    except _Slip as slip:
        return slip.fault


class _Slip(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class _Line:
    """A line as it was written, and in plain capitals, which are read. Positions are those of the plain text."""

    written: OrderLine
    plain: Plain

    @property
    def text(self) -> str:
        """The text to read, without punctuation at its end."""
        return self.plain.text.rstrip(" .,;!")

    def column(self, place: int) -> int:
        """Return the column of a position in the text, in the written line."""
        return self.plain.columns[place]

    def said(self, word: Word) -> str:
        """Return a word as it was written."""
        return self.between(word.at, word.at + len(word.text))

    def between(self, start: int, end: int | None = None) -> str:
        """Return the writer's own text from one position to another."""
        last = len(self.written.text) if end is None else self.plain.columns[end] - 1
        return self.written.text[self.plain.columns[start] - 1 : last].strip()

    def slip(
        self,
        code: str,
        message: str,
        at: int,
        meant: str = "",
        grade: Grade = "unreadable",
        *,
        rule: str = "",
        **facts: Any,
    ) -> _Slip:
        place = Place(self.written.number, self.column(at))
        return _Slip(Fault(code, message, facts, grade, self.written.text.strip(), place, meant, rule))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one line; raises _Slip where it cannot."""

    line: _Line

    def whole(self) -> Order:
        """Return the order that fills the line."""
        if words_end(self.line.text) is not None:
            return self._set_up()
        if found := _SIGNS.match(self.line.text):
            return self._by_sign(found)
        if found := TWO_MOVES.match(self.line.text):
            return self._two(found.end(), token=found["two"] is not None)
        said = words.said_in(self.line.text)
        if said is not None and said.about != words.TWO:
            order = self._in_words(said)
            if said.near:
                message = N_("there is no order {word}")
                raise self.line.slip(
                    "no-word", message, said.verb.at, in_words(order), word=said.verb.text.lower()
                )
            return order
        if found := _JOINED.search(self.line.text):
            return self._joined(found)
        return self._move()

    def _set_up(self) -> SetUp:
        read = read_loosely(self.line.written)
        if isinstance(read, Fault):
            raise _Slip(read)
        return read

    def _move(self) -> Move:
        read = shared.read_move(self.line.written.text, self.line.written.number, letters=LETTERS)
        if isinstance(read, Fault) and read.code == "rest" and (both := self._both(0)) is not None:
            message = N_("two attempts in one turn, by the token Move 2, are written as in {two}")
            raise self.line.slip(
                "two-moves", message, 0, in_words(both), two=write_order(both), rule="CF-10.9"
            )
        if isinstance(read, Fault):
            raise _Slip(read)
        return read

    # Two attempts

    def _two(self, start: int, *, token: bool) -> Order:
        """Read two attempts after the word for them."""
        both = self._both(start)
        if both is not None:
            return both
        rest = self.line.between(start)
        first = read_move_before_notes(rest, LETTERS)
        if first is None:
            raise _Slip(
                self._own(
                    shared.read_move(rest, self.line.written.number, self.line.column(start), LETTERS), "move"
                )
            )
        move, end = first
        behind = re.sub(
            r"^[\s,;&/]*(?:(?:and|et)\b)?[\s,;&/]*", "", rest[end:].rstrip(" .,;!"), flags=re.IGNORECASE
        )
        if not behind and not token:
            message = N_("a move stands alone on its line, the words beside it are not read")
            raise self.line.slip("words-beside", message, start, write_move(move), rule="CF-8.1")
        if not behind:
            message = N_("the token Move 2 takes two attempts with two spies, and only {move} is there")
            raise self.line.slip("two-moves", message, start, "", move=write_move(move), rule="CF-10.9")
        column = self.line.column(start) + len(rest.rstrip(" .,;!")) - len(behind)
        fault = shared.read_move(behind, self.line.written.number, column, LETTERS)
        raise _Slip(self._own(fault, f"move {write_move(move)},"))

    def _both(self, start: int) -> Double | None:
        """Return two moves from a position on, with any separator between them; None where they are not there."""
        rest = self.line.between(start)
        first = read_move_before_notes(rest, LETTERS)
        if first is None:
            return None
        move, end = first
        behind = words.bare(rest[end:]).text
        second = shared.read_move(behind[_end(_BETWEEN, behind) :], letters=LETTERS)
        return Double(move, second) if isinstance(second, Move) else None

    def _joined(self, sign: re.Match[str]) -> Order:
        """Read two attempts with their sign between them."""
        parts = (self.line.between(0, sign.start()), self.line.between(sign.end()))
        columns = (self.line.column(0), self.line.column(sign.end()))
        first, second = (
            shared.read_move(part, self.line.written.number, column, LETTERS)
            for part, column in zip(parts, columns, strict=True)
        )
        if isinstance(first, Fault):
            raise _Slip(
                self._own(first, "", f" & {write_move(second)}" if isinstance(second, Move) else None)
            )
        if isinstance(second, Fault):
            raise _Slip(self._own(second, f"{write_move(first)} &"))
        return Double(first, second)

    def _own(self, read: Move | Fault, before: str, behind: str | None = "") -> Fault:
        """Return the fault of a part of the line as one of the whole line.

        behind: the text after the part, None where that has a fault, too.
        """
        assert isinstance(read, Fault)  # callers only pass faults
        whole = (
            f"{before} {read.suggestion}{behind}".strip() if read.suggestion and behind is not None else ""
        )
        if whole and isinstance(read_order(OrderLine(1, whole)), Fault):
            whole = ""
        return replace(read, excerpt=self.line.written.text.strip(), suggestion=whole)

    # By signs

    def _by_sign(self, found: re.Match[str]) -> Order:
        if found["theirs"]:
            named = found["unmasked"]
            return Unmask(
                ""
                if named == "?"
                else self._letter(Word(named, found.start("unmasked")), "eliminate their {}")
            )
        if found["shown"]:
            return Reveal(self._letter(Word(found["shown"], found.start("shown")), "reveal {}"))
        if found["one"]:
            one = Word(found["one"], found.start("one"))
            if not found["other"]:
                raise self.line.slip(
                    "two-spies", N_("two spies change places; name both"), one.at, rule="CF-10.9"
                )
            return self._swap(one, Word(found["other"], found.start("other")))
        if not found["own"] or found["own"] == "?":
            raise self.line.slip("no-letter", N_("name the spy by his letter"), 0, rule="CF-10.4")
        return Eliminate(self._letter(Word(found["own"], found.start("own")), "eliminate {}"))

    def _letter(self, word: Word, order: str = "") -> str:
        """Return the letter of a spy. order: the suggestion's text, for a better letter."""
        if word.text in LETTERS:
            return word.text
        meant = nearest_letter(word.text) if len(word.text) == 1 else ""
        known = " ".join(LETTERS)
        message = N_("there is no spy {letter}; the letters are {letters}")
        if len(word.text) > 1:
            message = N_("one spy is named by his letter, not {letter}; the letters are {letters}")
        suggestion = order.format(meant) if meant and order else ""
        said = self.line.said(word)
        raise self.line.slip(
            "no-such-letter", message, word.at, suggestion, rule="CF-1.3", letter=said, letters=known
        )

    def _swap(self, first: Word, second: Word) -> Swap:
        given = [first, second]
        letters = [nearest_letter(each.text) if each.text not in LETTERS else each.text for each in given]
        meant = "swap " + " ".join(letters) if all(letters) and letters[0] != letters[1] else ""
        one, other = sorted(self._letter(each, meant.replace("{", "").replace("}", "")) for each in given)
        if one == other:
            message = N_("{letter} cannot change places with itself")
            raise self.line.slip("two-spies", message, second.at, rule="CF-10.9", letter=one)
        return Swap(one, other)

    # In words

    def _in_words(self, said: Said) -> Order:
        match said.about:
            case words.ALLOW | words.DENY:
                return self._answer(said)
            case words.AGENT:
                return self._instruction(said)
            case words.PASS:
                return self._pass(said)
            case words.SWAP:
                return self._swap_in_words(said)
            case words.REVEAL:
                letters = self._own_spies(said)
                return Reveal(self._one(said, letters, "reveal {}", "CF-10.9"))
        return self._elimination(said)

    def _answer(self, said: Said) -> Order:
        allow = said.about == words.ALLOW
        rest = list(said.rest)
        while rest and words.names_it(rest[0].text):
            rest.pop(0)
        leaves_z = words.without_briefcase(tuple(rest)) if rest else False
        if leaves_z is None:
            message = N_("an answer stands alone on its line, as `allow`, `deny` or `allow without Z`")
            raise self.line.slip("answer-alone", message, rest[0].at, said.about, rule="CF-10.8")
        if leaves_z and not allow:
            message = N_("the briefcase is taken or left where a promotion is allowed; `deny` stands alone")
            raise self.line.slip("answer-alone", message, rest[0].at, "deny", rule="CF-10.11")
        return Answer(allow, takes_z=not leaves_z)

    def _instruction(self, said: Said) -> Order:
        message = N_(
            "an instruction is `agent always`, `agent never`, `agent ask`, or `agent as` and a type's number"
        )
        if not said.rest:
            raise self.line.slip("no-instruction", message, said.verb.at, rule="CF-10.8")
        first, *others = said.rest
        match words.HOW.get(first.text):
            case "as":
                return self._as_type(first, tuple(others))
            case "always" | "never" | "ask" as how if all(each.text in ("ME", "MOI") for each in others):
                return Instruct(how)
        meant = self._instruction_meant(first, tuple(others))
        raise self.line.slip("no-instruction", message, first.at, meant, rule="CF-10.8")

    def _instruction_meant(self, first: Word, others: tuple[Word, ...]) -> str:
        """Return what an invalid instruction was probably meant to be, "" where nothing is similar."""
        how = words.HOW.get(first.text)
        if how in ("always", "never"):
            # "agent always deny" has one meaning; "agent never deny" has two.
            meant = {words.HOW_MEANT.get(each.text) for each in others} - {None, "as", "ask"}
            return f"agent {min(filter(None, meant))}" if how == "always" and len(meant) == 1 else ""
        near = words.HOW_MEANT.get(first.text) or next(
            (words.HOW[each] for each in get_close_matches(first.text, list(words.HOW), 1, 0.75)), how
        )
        if near in ("always", "never", "ask"):
            return f"agent {near}"
        number = self._type(others if near == "as" else (first, *others))
        return f"agent as {number}" if number else ""

    def _as_type(self, word: Word, behind: tuple[Word, ...]) -> Order:
        named = tuple(words.without_articles(behind))
        if not named:
            raise self.line.slip(
                "no-type", N_("the number of a type is missing, 1 to 12"), word.at, rule="CF-10.8"
            )
        number = self._type(behind, near=False)
        if number is not None:
            return Instruct("as", number)
        near = self._type(behind)
        message = N_("there is no type {said}; the types are 1 to 12, or their names")
        suggestion = f"agent as {near}" if near is not None else ""
        said = self.line.between(named[0].at, len(self.line.text))
        raise self.line.slip("no-type", message, named[0].at, suggestion, rule="CF-10.8", said=said)

    def _type(self, behind: tuple[Word, ...], *, near: bool = True) -> int | None:
        """Return the number of the type that words name; near: also for a similar name."""
        named = tuple(words.without_articles(behind))
        if len(named) == 1 and re.fullmatch(r"0*(?:[1-9]|1[0-2])", named[0].text):
            return int(named[0].text)
        names = words.type_names()
        said = " ".join(each.text for each in named)
        if said in names:
            return names[said]
        found = get_close_matches(said, names, 1, 0.7) if near and said else []
        return names[found[0]] if found else None

    def _pass(self, said: Said) -> Order:
        if [each.text for each in said.rest] not in ([], ["MY", "TURN"], ["MON", "TOUR"]):
            message = N_("`pass` stands alone on its line")
            raise self.line.slip("words-beside", message, said.rest[0].at, "pass", rule="CF-11.3")
        return Pass()

    def _spies(self, said: Said, rule: str) -> tuple[list[str], list[Word]]:
        """Return the kinds of the words after the verb, and the letters among them."""
        kinds, letters = [], []
        for number, word in enumerate(said.rest):
            kind = kind_of(word.text)
            behind = said.rest[number + 1 :]
            if kind == "" or (kind == "letter" and behind and kind_of(behind[0].text) in ("filler", "agent")):
                message = N_(
                    "behind {verb} stands the letter of a spy, and nothing else; `{said}` is not read"
                )
                verb = self.line.said(said.verb).lower()
                raise self.line.slip(
                    "rest", message, word.at, "", rule=rule, verb=verb, said=self.line.said(word)
                )
            kinds.append(kind)
            if kind == "their letter":
                letters.append(Word(word.text[1:], word.at + 1))
            elif kind == "letter":
                letters.append(word)
        return kinds, letters

    def _own_spies(self, said: Said) -> list[Word]:
        """Return the letters after the word of a token."""
        kinds, letters = self._spies(said, "CF-10.9")
        if "theirs" in kinds or "their letter" in kinds:
            raise self.line.slip(
                "own-spies", N_("this token is for one's own spies"), said.verb.at, rule="CF-10.9"
            )
        return letters

    def _one(self, said: Said, letters: list[Word], order: str, rule: str) -> str:
        """Return the one letter that is named."""
        if not letters:
            raise self.line.slip("no-letter", N_("name the spy by his letter"), said.verb.at, rule=rule)
        if len(letters) > 1:
            message = N_("only one spy a turn; {one} and {other} are named")
            one, other = letters[0].text, letters[1].text
            raise self.line.slip("one-spy", message, letters[1].at, rule=rule, one=one, other=other)
        return self._letter(letters[0], order)

    def _elimination(self, said: Said) -> Order:
        kinds, letters = self._spies(said, "CF-10.4")
        theirs = "theirs" in kinds or "their letter" in kinds
        mine = "mine" in kinds
        if theirs and not mine:
            return Unmask(self._one(said, letters, "eliminate their {}", "CF-10.5") if letters else "")
        if "agent" in kinds and not mine and not theirs:
            if not letters:
                return Unmask()
            letter = self._one(said, letters, "eliminate {}", "CF-10.4")
            message = N_(
                "this can be your own {letter}, or your opponent's: `eliminate {letter}` or `eliminate their {letter}`"
            )
            raise self.line.slip(
                "two-readings",
                message,
                said.verb.at,
                f"eliminate {letter}",
                "ambiguous",
                rule="CF-10.4",
                letter=letter,
            )
        if theirs:
            message = N_("one spy is removed, your own or your opponent's double agent; write which")
            raise self.line.slip("two-readings", message, said.verb.at, "", "ambiguous", rule="CF-10.4")
        return Eliminate(self._one(said, letters, "eliminate {}", "CF-10.4"))

    def _swap_in_words(self, said: Said) -> Order:
        letters = self._own_spies(said)
        if len(letters) != 2:
            raise self.line.slip(
                "two-spies", N_("two spies change places; name both"), said.verb.at, rule="CF-10.9"
            )
        return self._swap(*letters)


def _end(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0
