"""Reads an umpire's command: `umpire`, an action, a game or an event, its arguments, and the reason after a colon.

    umpire take back 17 to 12 White: the order was misread

The reason continues on the following lines, as other texts do. Everything before the colon is read strictly:
a line that is only partly understood is a fault, with the form that was probably meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from typing import Any

from referee.commands.command import ActionName, Umpire
from referee.commands.command_table import SIDES
from referee.commands.language_words import tidy
from referee.commands.vocabulary import Vocabulary
from referee.common.faults import Fault, Place
from referee.common.i18n import N_
from referee.common.nearest import Nearest, Words, nearest_word
from referee.games.clocks.durations import read_duration
from referee.mail.message.message import OwnLine
from referee.mail.message.normalisation import normalise

FORMS: Mapping[ActionName, str] = {
    "pause": "umpire pause GAME until DATE: REASON",
    "resume": "umpire resume GAME: REASON",
    "add": "umpire add GAME COLOUR TIME: REASON",
    "take back": "umpire take back GAME to TURN COLOUR: REASON",
    "correct": "umpire correct GAME [TURN COLOUR] MOVE: REASON",
    "act": "umpire act GAME COLOUR MOVE: REASON",
    "rule": "umpire rule GAME: TEXT",
    "replace": "umpire replace GAME COLOUR PERSON: REASON",
    "close": "umpire close GAME: REASON",
    "adjudicate": "umpire adjudicate GAME RESULT: REASON",
    "restore": "umpire restore GAME: REASON",
}
"""The form of each action."""
OF_CASES = "umpire rule GAME/CASE upheld: TEXT"
"""The form of a ruling on a case."""
OF_EVENTS: frozenset[ActionName] = frozenset(("pause", "resume", "add", "close"))
"""Actions that are possible for all games of an event."""
VERDICTS = ("upheld", "rejected")
OF_THE_OPERATOR: Mapping[str, str] = {
    "freeze": N_(
        "only whoever runs this service freezes a game, so that no move is taken; an umpire stops its clocks by {pause}"
    ),
    "thaw": N_(
        "only whoever runs this service lets a frozen game go on; an umpire ends the pauses of umpires"
    ),
}
"""Acts that officers may ask for but cannot do, with the explanation."""
MOST_WORDS = 60
"""The most words before the colon that are examined, since each might be one of the action's arguments."""
_GAME = re.compile(r"#?(\d{1,9})(?:/(\d{1,9}))?")
_NUMBER = re.compile(r"[\[@#]?\d{1,9}[\],]?")
_NEAREST = 0.75


def read_action(
    line: OwnLine, behind: str, spelt: Vocabulary, nearest: Nearest = nearest_word
) -> Umpire | Fault | None:
    """Read what follows the word `umpire` in its line, as far as the action; None for prose.

    `read_whole` reads the action's arguments once its text is complete.

    behind: as it was written.
    """
    words = behind.split()
    if not words:
        return None
    action, _ = _begins(words, spelt)
    if action:
        return Umpire(line=line, text=behind, action=action)  # type: ignore[arg-type]
    if (fault := _of_the_operator(line, behind, spelt)) is not None:
        return fault
    if words[0][-1:] in ",.!?" or ":" not in behind:
        return None
    said = words[0].rstrip(":")
    known = _known(spelt)
    near = nearest(said.lower(), _words(spelt), _NEAREST)
    return Fault(
        "no-deed",
        "{said} is nothing that an umpire does by letter; what can be done is {known}",
        {"said": said, "known": ", ".join([*known][: len(FORMS)])},
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, max(1, line.text.find(said) + 1)),
        suggestion=f"umpire {known[near]} {' '.join(words[1:])}" if near else "help umpire",
    )


@cache
def _known(spelt: Vocabulary) -> Mapping[str, str]:
    """Return each action as written in a language and, after those, in English, with its English name."""
    return {spelt.writer.write_action(each): each for each in FORMS} | {each: each for each in FORMS}


@cache
def _words(spelt: Vocabulary) -> Words:
    return Words(_known(spelt))


def _begins(words: Sequence[str], spelt: Vocabulary) -> tuple[str, int]:
    """Return the action that a line begins with, and its number of words; "" and 0 for none."""
    for count in (3, 2, 1):
        action = spelt.read_action(" ".join(words[:count]).rstrip(":,."))
        if action in FORMS:
            return action, min(count, len(words))
    return "", 0


def _of_the_operator(line: OwnLine, behind: str, spelt: Vocabulary) -> Fault | None:
    """Return the fault of a line that asks for an act which only the operator can do."""
    head = behind.partition(":")[0].split()
    said = spelt.read_action(head[0]) if head else ""
    rest = head[1:]
    if rest and spelt.read_action(rest[0]) in ("game", spelt.tables.game):
        rest.pop(0)
    names_a_game = len(rest) == 1 and _GAME.fullmatch(rest[0].strip("[],.")) is not None
    if said not in OF_THE_OPERATOR or not (names_a_game or len(head) == 1 or ":" in behind):
        return None
    return Fault(
        "deed-operators",
        OF_THE_OPERATOR[said],
        {"pause": f"{spelt.writer.write('umpire')} {spelt.writer.write_action('pause')}"},
        grade="not-allowed",
        excerpt=line.text,
        place=Place(line.number, 1),
    )


def read_whole(begun: Umpire, spelt: Vocabulary) -> Umpire | Fault:
    """Read the arguments of an action whose text is complete."""
    head, colon, reason = begun.text.partition(":")
    if not colon and (asked := _asked_case(begun, spelt)) is not None:
        return asked
    if not colon or not reason.strip():
        message = N_("an umpire says why: the reason stands behind a colon")
        return replace(
            _wrong(begun, "no-reason", message, spelt), suggestion=_with_a_reason(begun, head, spelt)
        )
    facts = _Reading(begun, _words_behind(head, spelt), spelt).facts()
    if isinstance(facts, Fault):
        return facts
    return replace(begun, **facts, reason=reason.strip())


def _words_behind(text: str, spelt: Vocabulary) -> list[str]:
    """Return the words after those that name the action."""
    words = normalise(text).split()
    return words[_begins(words, spelt)[1] :]


def _with_a_reason(begun: Umpire, head: str, spelt: Vocabulary) -> str:
    """Return a line as it could be read with a reason added; its form where it could not."""
    facts = _Reading(begun, _words_behind(head, spelt), spelt).facts()
    if isinstance(facts, Fault):
        return spelt.writer.write_form(FORMS[begun.action])
    reason = spelt.writer.write_form("REASON")
    return replace(begun, **facts, reason=reason).write()


def _asked_case(begun: Umpire, spelt: Vocabulary) -> Umpire | None:
    """Read "rule 17/2" alone, without a ruling: it asks for the case."""
    words = _words_behind(begun.text, spelt)
    while len(words) > 1 and _joins(words[0], spelt, "game", "case", spelt.tables.game):
        words.pop(0)
    if begun.action != "rule" or not words:
        return None
    found = _GAME.fullmatch(words[0].strip("[],.")) if len(words) == 1 else None
    if found is None or not found[2]:
        return None
    return replace(begun, game=int(found[1]), case=int(found[2]))


def _joins(word: str, spelt: Vocabulary, *more: str) -> bool:
    """Return whether a word means nothing by itself: a small word, or one of `more`."""
    return tidy(word) in spelt.tables.joints or spelt.read_action(word) in more


class _Reading:
    """Reads the words of one action, from the left."""

    def __init__(self, begun: Umpire, words: Sequence[str], spelt: Vocabulary) -> None:
        self.begun, self.words, self.spelt = begun, [*words], spelt
        self.no_colour = ""
        """The word found where a colour is expected, after a game."""

    def facts(self) -> dict[str, Any] | Fault:
        """Return the command's fields that the words state, by name; or the fault."""
        if len(self.words) > MOST_WORDS:
            return self._wrong()
        action = self.begun.action
        found: dict[str, Any] = {}
        if action == "pause":
            until = self._until()
            if isinstance(until, Fault):
                return until
            found["until"] = until
        if action == "add":
            found["time"] = self._last_time()
        which = self._which()
        if which is None:
            return self._wrong()
        found |= which
        said = self.words[0].rstrip(",") if self.words else ""
        if "event" not in found and said.isalpha() and not self._is_side(said):
            self.no_colour = said
        match action:
            case "add":
                found |= self._seat_of(found)
                good = found["time"] is not None
            case "take back":
                found["turn"], found["seat"] = self._number(), self._seat()
                good = found["turn"] is not None
            case "correct":
                found["turn"], found["seat"] = self._number(), self._seat()
                if not found["turn"] and not self._turn_behind(found):
                    return self._wrong()
                found["order"] = self._rest()
                good = bool(found["order"])
            case "act":
                found["seat"], found["order"] = self._seat(), self._rest()
                good = bool(found["seat"] and found["order"])
            case "replace":
                found["seat"] = self._seat()
                if len(self.words) > 1 and _joins(self.words[0], self.spelt):
                    self.words.pop(0)
                found["whom"] = self._as_written(self._rest())
                good = bool(found["seat"] and found["whom"])
            case "adjudicate":
                self._come_to(lambda said: self.spelt.read_end(said) in (*SIDES, "draw", "none"))
                end = self.spelt.read_end(self._rest())
                found["end"] = end
                good = end in (*SIDES, "draw", "none")
            case "rule":
                self._verdict(found)
                if "case" in found and self.words:
                    return self._wrong(OF_CASES)
                good = True
            case _:
                good = True
        return found if good and not self.words else self._wrong()

    def _verdict(self, found: dict[str, Any]) -> None:
        """Read how a case is decided: "upheld", "upheld unchanged", "rejected"."""
        verdict = self.spelt.read_action(self.words[0]) if self.words else ""
        if "case" in found and verdict in VERDICTS:
            found["verdict"] = verdict
            self.words.pop(0)
        if verdict == "upheld" and self.words and self.spelt.read_action(self.words[0]) == "unchanged":
            found["unchanged"] = True
            self.words.pop(0)

    def _wrong(self, form: str = "") -> Fault:
        message = N_("that is written differently: {form}")
        if self.begun.action in ("add", "act", "replace") and self.no_colour:
            message = N_("{said} is no colour, and a side is named by its colour: {form}")
            wrong = _wrong(self.begun, "deed-colour", message, self.spelt, FORMS[self.begun.action])
            return replace(wrong, facts={**wrong.facts, "said": self.no_colour}, suggestion="")
        return _wrong(self.begun, "deed-form", message, self.spelt, form or FORMS[self.begun.action])

    def _which(self) -> dict[str, Any] | None:
        """Read the game, with or without a case of it, or else the event, which takes all remaining words."""
        if self.begun.action == "add":
            self._pass_over("time")
        self._come_to(self._is_game)
        if self.words and self.spelt.read_action(self.words[0]) in ("game", self.spelt.tables.game):
            self.words.pop(0)
        if not self.words:
            return {"game": self.begun.game} if self.begun.game is not None else None
        found = _GAME.fullmatch(self.words[0].strip("[],"))
        if found is not None:
            self.words.pop(0)
            case = {"case": int(found[2])} if found[2] else {}
            return {"game": int(found[1]), **case} if not case or self.begun.action == "rule" else None
        if self.begun.game is not None:
            return {"game": self.begun.game}
        return {"event": self._rest()} if self.begun.action in OF_EVENTS else None

    def _names_a_game(self) -> bool:
        """Return whether a game is named, and not an event."""
        self._come_to(self._is_game)
        is_game = self.spelt.read_action(self.words[0]) in ("game", self.spelt.tables.game)
        first = "".join(self.words[1:2]) if is_game else self.words[0]
        return self.begun.game is not None or _GAME.fullmatch(first.strip("[],")) is not None

    def _come_to(self, is_it: Callable[[str], bool]) -> None:
        """Remove small words before what is wanted; if that does not follow, they may belong to a name and stay."""
        at = next(
            (at for at, each in enumerate(self.words) if not _joins(each, self.spelt, "case")),
            len(self.words),
        )
        if at < len(self.words) and is_it(self.words[at]):
            del self.words[:at]

    def _is_game(self, word: str) -> bool:
        """Return whether a word is a game's number, or announces one."""
        return self.spelt.read_action(word) in ("game", self.spelt.tables.game) or bool(
            _GAME.fullmatch(word.strip("[],"))
        )

    def _is_side(self, word: str) -> bool:
        return self.spelt.read_side(word.rstrip(",")) in SIDES

    def _pass_over(self, word: str) -> None:
        """Remove a word that announces the number or the game after it; elsewhere it may belong to an event's name."""
        self._come_to(lambda said: self.spelt.read_action(said) == word)
        if not self.words or self.spelt.read_action(self.words[0]) != word:
            return
        following = [each for each in self.words[1:] if not _joins(each, self.spelt)]
        behind = following[0] if following else ""
        is_game = self.spelt.read_action(behind) in ("game", self.spelt.tables.game)
        if is_game or self.begun.game is not None or _NUMBER.fullmatch(behind) is not None:
            self.words.pop(0)

    def _number(self) -> int | None:
        self._pass_over("turn")
        self._come_to(lambda said: said.strip("@#,").isdigit())
        said = self.words[0].strip("@#,") if self.words else ""
        if not (said.isascii() and said.isdigit() and len(said) < 7):
            return None
        self.words.pop(0)
        return int(said)

    def _turn_behind(self, found: dict[str, Any]) -> bool:
        """Read a turn and a colour that follow a move; return whether what follows can be read.

        A move is one word, although it may contain blanks, and has no number of its own besides its steps.
        """
        behind = next(
            (
                at
                for at, each in enumerate(self.words)
                if at and self._begins_a_turn(each, self.words[at + 1 :])
            ),
            None,
        )
        if behind is None:
            return not any(each.strip("@#,").isdigit() for each in self.words[1:])
        self.words, rest = self.words[:behind], self.words[behind:]
        move, self.words = self.words, rest
        seat = self._seat()
        turn = self._number()
        seat = seat or self._seat()
        rest, self.words = self.words, move
        if rest or turn is None or (seat and found["seat"] and seat != found["seat"]):
            return False
        found["turn"], found["seat"] = turn, seat or found["seat"]
        return True

    def _begins_a_turn(self, word: str, behind: Sequence[str]) -> bool:
        """Return whether a word after a move begins the turn: "@9", "turn", "in turn 9", "White 9"."""
        if re.fullmatch(r"[@#]\d*", word) or self.spelt.read_action(word.rstrip(",")) == "turn":
            return True
        return bool(behind) and (
            self._is_side(word) or _joins(word, self.spelt, "in", "of", "dans", "de", "du", "au")
        )

    def _seat(self) -> str:
        self._come_to(self._is_side)
        said = self.spelt.read_side(self.words[0].rstrip(",")) if self.words else ""
        if said not in SIDES:
            return ""
        self.words.pop(0)
        return said

    def _seat_of(self, which: Mapping[str, Any]) -> dict[str, Any]:
        """Read the seat; after an event it is the last word."""
        name, _, last = which.get("event", "").rpartition(" ")
        seat = self.spelt.read_side(last) if name else ""
        if seat in SIDES:
            return {"event": name, "seat": seat}
        return {"seat": self._seat()}

    def _rest(self) -> str:
        said, self.words = " ".join(self.words), []
        return said

    def _as_written(self, said: str) -> str:
        """Return a name as it was written, since normalised text has other dashes."""
        head, _, _ = self.begun.text.partition(":")
        words = head.split()
        written = " ".join(words[len(words) - len(said.split()) :])
        return written if normalise(written) == said else said

    def _last_time(self) -> timedelta | None:
        for count in (2, 1):
            said = "".join(self.words[-count:]).lower()
            fits = len(self.words) > count or (self.begun.game is not None and len(self.words) == count)
            if fits and (time := read_duration(said)) is not None:
                del self.words[-count:]
                return time
        return None

    def _until(self) -> date | Fault | None:
        """Read the date of `until` at the end of the line."""
        ends = [at for at, each in enumerate(self.words) if self.spelt.read_action(each) == "until"]
        if not ends:
            return None
        said = self.words[ends[-1] + 1 :]
        if not any(map(str.isdigit, "".join(said))) and not self._names_a_game():
            return None  # "Spring until Summer" may be an event's name; whether it is, is decided later
        del self.words[ends[-1] :]
        try:
            return date.fromisoformat(" ".join(said))
        except ValueError:
            message = "until when is a day, written as in 2027-01-03"
            return _wrong(self.begun, "deed-day", message, self.spelt)


def _wrong(begun: Umpire, code: str, message: str, spelt: Vocabulary, form: str = "") -> Fault:
    return Fault(
        code,
        message,
        {"form": spelt.writer.write_form(form)} if form else {},
        grade="unreadable",
        excerpt=begun.line.text,
        place=Place(begun.line.number, 1),
        suggestion="help umpire",
    )
