"""Reads one line in one language: a command, a fault where it is nearly one, or None for prose.

A line may name its game before its word. The word decides which function reads what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, cached_property
from typing import NamedTuple

from referee.commands import free_text, umpire_grammar
from referee.commands.command import (
    Accept,
    Agree,
    Bye,
    Cancel,
    Challenge,
    Command,
    Confirm,
    Decline,
    Draw,
    Events,
    Games,
    Guard,
    Help,
    Join,
    Leave,
    Mute,
    NewTag,
    Open,
    Order,
    Overview,
    Pause,
    Preview,
    Record,
    Register,
    Rematch,
    Resend,
    Resign,
    Resume,
    Status,
    Try,
    Umpire,
    Watch,
    Why,
)
from referee.commands.command_table import ABOUT_THE_GAME, ALSO_CALLED, SIDES, THE_GAME, THE_SHEETS, WORDS
from referee.commands.language_words import tidy
from referee.commands.options import (
    begins_option,
    read_options,
    takes_none,
)
from referee.commands.preferences import read_set
from referee.commands.vocabulary import Vocabulary, vocabulary
from referee.common.faults import Fault, Place
from referee.common.i18n import LANGUAGES
from referee.common.nearest import Nearest, Words, cached_words
from referee.games.player_names import better_name, check_name, tidy_name
from referee.mail.message.message import OwnLine

OTHER_LANGUAGES = ("de", "es", "it", "nl", "pt")
"""Languages that people may ask for but that are not supported; they are not part of a name."""

_FAREWELL = "bye"
"""A word that many letters end with: it is a command only as the whole letter."""
_COMMON = ("why", "try")
"""Words that begin so many sentences that their writer is only asked about a short one that names a piece."""
_NEAREST = 0.8
"""The least similarity of a first word to a command word for a suggestion (difflib's ratio)."""
_GUARDED = re.compile(
    r"(?P<move>.*\S)\s*@\s*"
    r"(?:(?:turn|tour|coup)\s*#?\s*|(?P<letter>(?:letter|lettre)\s*#?|#)\s*)?(?P<number>\d{1,6})[ .!]*",
    re.IGNORECASE,
)
"""A move for one turn only, or as of a certain letter: "V-NW2 @14", "V-NW2 @letter 14"."""
_STEP = re.compile(r"(?:if\s+[^\W\d_]+|then|else)\s+\(?\s*(?P<rest>\S.*)", re.IGNORECASE)
"""A step of a plan."""
_RULE = re.compile(r"[a-z]{1,4}-\d+(?:\.\d+)?\.?", re.IGNORECASE)
"""The number of a rule, as in faults: "CF-4.2"."""
ENDS = (*sorted(SIDES), "draw", "none")
"""The ends in `agree`: the winning side, a draw, and no result."""
_ENDS_MEANT = {
    **dict.fromkeys(("tie", "drawn", "remis", "half", "even"), "draw"),
    **dict.fromkeys(("nothing", "nobody", "void", "abandon", "abandoned", "cancelled", "off"), "none"),
}
"""Other words for an end, which lead to a suggestion."""
_WITH_GAME: dict[str, type[Command]] = {
    "status": Status,
    "accept": Accept,
    "decline": Decline,
    "resign": Resign,
    "draw": Draw,
    "agree": Agree,
    "record": Record,
    "join": Join,
    "cancel": Cancel,
    "confirm": Confirm,
    "mute": Mute,
    "pause": Pause,
    "resume": Resume,
    "rematch": Rematch,
}

_NAMES = tuple(word.name for word in WORDS)
_FIRST_WORDS = frozenset(name.split()[0] for name in _NAMES)
_STEPS = frozenset(("if", "then", "else"))
"""The words that steps of a plan begin with."""
LONGEST_EVENT = 80
"""The most characters of an event's name."""


@cache
def _game_first(game: str) -> re.Pattern[str]:
    """Return the pattern of a line that names its game before its word. game: a language's word for a game."""
    word = rf"(?:game|{game})"
    return re.compile(
        rf"(?:{word}\s*)?#?(\d{{1,9}})\s*:\s*(\S.*)|{word}\s*#?(\d{{1,9}})\s*[:,]?\s+(\S.*)", re.IGNORECASE
    )


Looks = Callable[[str], bool]
"""Returns whether a line looks like an order."""


class _Said(NamedTuple):
    """A line that begins with a command word.

    text: from that word on.
    words: its words, without the last full stop or exclamation mark.
    """

    line: OwnLine
    game: int | None
    text: str
    words: list[str]

    @property
    def word(self) -> str:
        return self.words[0].lower()

    @property
    def rest(self) -> list[str]:
        """The words after the first."""
        return self.words[1:]

    @property
    def behind(self) -> str:
        """The text after the first word, with its final punctuation."""
        return self.text.partition(" ")[2].strip()


@dataclass(frozen=True)
class LineReader:
    """Reads single lines in English and one other language. Fields: see Grammar."""

    looks_like_order: Looks
    rules: Collection[str]
    topics: Collection[str]
    language: str
    of_game: Callable[[int], Looks] | None
    nearest: Nearest

    @cached_property
    def spelt(self) -> Vocabulary:
        """The language's spellings of the command words."""
        return vocabulary(self.language)

    @cached_property
    def _first_words(self) -> Words:
        """Everything that a command line may begin with."""
        return Words((*_NAMES, *self.spelt.read))

    @cached_property
    def all_topics(self) -> Words:
        """Everything that help may be asked about."""
        ways = (*self.spelt.read, *self.spelt.read_topics)
        return Words((*self.topics, *ABOUT_THE_GAME, *ALSO_CALLED, THE_SHEETS, *ways))

    @cached_property
    def names_of_rules(self) -> Words:
        return Words(self.rules)

    def split_game(self, text: str) -> tuple[int | None, str]:
        """Return the game that a line names before its word, None for none, and the rest of the line."""
        named = _game_first(self.spelt.tables.game).fullmatch(text)
        return (int(named[1] or named[3]), named[2] or named[4]) if named else (None, text)

    def word_of(self, line: OwnLine) -> str:
        """Return the command word at the start of a line, after a game's number if any; or the word that is there."""
        _, text = self.split_game(line.text)
        first = self.spelt.read_word(text).split(maxsplit=1)[:1]
        return first[0].lower().rstrip(".,:!") if first else ""

    def orders_in(self, game: int | None) -> Looks:
        """Return the test for orders in a line that names a game, or none."""
        return self.looks_like_order if game is None or self.of_game is None else self.of_game(game)

    def read(self, line: OwnLine) -> Command | Fault | None:
        """Read a line as it is."""
        game, text = self.split_game(line.text)
        is_order = self.orders_in(game)
        found = self._read_spelt(line, game, text)
        if (
            found is None
            and "@" in text
            and (guarded := _GUARDED.fullmatch(text))
            and is_order(guarded["move"])
        ):
            guard = Guard("letter" if guarded["letter"] else "turn", int(guarded["number"]))
            return Order(line=line, game=game, text=guarded["move"], guard=guard)
        if found is None and is_order(text):
            return Order(line=line, game=game, text=text)
        if found is None and self.is_step(text, is_order):
            return Fault(
                "step-alone",
                "a step that begins with {word} belongs to a plan, which is written in one line behind the word try",
                {"word": text.split()[0].lower()},
                grade="unreadable",
                excerpt=line.text,
                place=Place(line.number, 1),
                suggestion="help try",
            )
        return self._ask_about_word(line, game, text) if found is None else found

    def is_step(self, text: str, is_order: Looks) -> bool:
        """Return whether a line begins with a condition and a move, as a plan continues."""
        word = _first_word(text)
        if word.lower() not in _STEPS and not self.spelt.is_of_steps(word):
            return False
        step = _STEP.fullmatch(self.spelt.read_steps(text)[0])
        if step is None:
            return False
        move = re.split(r"[;()]", step["rest"])[0]
        return len(move.split()) <= 4 and is_order(move)

    def half_a_command(self, text: str) -> str:
        """Return the command word of a line that holds hardly more ("why", "set sheets"), otherwise ""."""
        word, *rest = self.spelt.read_word(text).lower().rstrip(".!? ").split() or [""]
        return word if word in _NAMES and len(rest) <= 1 else ""

    def seems_meant(self, text: str) -> bool:
        """Return whether a line that is no command may have been meant as one."""
        if self.spelt.tables.grave.search(text):
            return True
        first, *rest = self.spelt.read_word(text).split() or [""]
        word = first.lower().rstrip(".,:!?")
        names_a_piece = len(rest) <= 2 and any(len(each.rstrip("?,")) == 1 and each != "I" for each in rest)
        return word in _NAMES and word != _FAREWELL and (word not in _COMMON or names_a_piece)

    def _read_spelt(self, line: OwnLine, game: int | None, text: str) -> Command | Fault | None:
        """Read a line in English, or else in the writer's language."""
        begins = _first_word(text).lower().rstrip(".!:,") in _FIRST_WORDS
        found = self._read_words(line, game, text) if begins else None
        if found is None and (meant := self.spelt.read_word(text)) != text:
            return self._read_words(line, game, meant)
        return found

    def _ask_about_word(self, line: OwnLine, game: int | None, text: str) -> Fault | None:
        """Return the fault of a line that would be a command if its first word were spelt correctly; else None."""
        word = tidy(_first_word(text.rstrip(".!")).lower().strip("?!.,:;\"'()"))
        near = self.nearest(word, self._first_words, _NEAREST)
        if not near or near == word:
            return None
        words = text.rstrip(".!").split()
        near = self.spelt.read.get(near, near)
        if near == "register" and len(words) > 3:
            return None
        meant = " ".join([near, *words[1:]])
        if not isinstance(self._read_words(line, game, meant), Command):
            return None
        return Fault(
            "no-word",
            "there is no word {word} here",
            {"word": words[0]},
            grade="unreadable",
            excerpt=line.text,
            place=Place(line.number, line.text.find(words[0]) + 1),
            suggestion=meant if game is None else f"{game}: {meant}",
        )

    def _read_words(self, line: OwnLine, game: int | None, text: str) -> Command | Fault | None:
        """Read a line whose words are English."""
        words = text.rstrip(".!").split()
        if not words:
            return None
        said = _Said(line, game, text, words)
        if (found := self._about_a_game(said)) is not None:
            return found
        read = _READ.get(said.word) or _READ_TEXTS.get(said.word.rstrip(":,"))
        return read(self, said) if read else None

    def _about_a_game(self, said: _Said) -> Command | Fault | None:
        """Read a word that is alone or followed by a game's number; None for any other line."""
        line, game, word, rest = said.line, said.game, said.word, said.rest
        if word not in _WITH_GAME:
            return None
        if word == "accept" and any(map(begins_option, rest)):
            return _read_terms(line, game, rest, self.spelt)
        if word in ("join", "rematch") and (fault := takes_none(line, word, rest)):
            return fault
        if (number := _game_number(rest, self.spelt)) is not False:
            return _two_games(line, game, number) or _WITH_GAME[word](line=line, game=_the_one(number, game))
        if self.orders_in(game)(" ".join(rest)):
            return Fault(
                "two-in-one",
                "a move and the word {word} need a line each; nothing in this line was done",
                {"word": self.spelt.writer.write(word)},
                grade="unreadable",
                excerpt=line.text,
                place=Place(line.number, max(1, line.text.find(rest[0]) + 1)),
            )
        return None


def _read_text(reader: LineReader, said: _Said) -> Command | Fault | None:
    return free_text.read_written(said.line, said.game, said.word.rstrip(":,"), said.behind)


def _read_action(reader: LineReader, said: _Said) -> Command | Fault | None:
    behind = free_text.as_written(said.line, said.behind)
    found = umpire_grammar.read_action(said.line, behind, reader.spelt, reader.nearest)
    return replace(found, game=said.game) if isinstance(found, Umpire) else found


def _read_preview(reader: LineReader, said: _Said) -> Command | None:
    if not said.rest:
        return None
    move = said.text.split(maxsplit=1)[1]
    return Preview(line=said.line, game=said.game, text=move) if reader.orders_in(said.game)(move) else None


def _read_try(reader: LineReader, said: _Said) -> Command | None:
    """Read a plan as far as one line goes: it begins with a move, or has more than one step."""
    if not said.rest:
        return None
    line, steps = said.line, said.text.split(maxsplit=1)[1]
    if ";" not in steps and not reader.orders_in(said.game)(re.split(r"[()]", steps)[0]):
        return None
    text, moved = reader.spelt.read_steps(steps)
    first = line.text.rfind(steps) + 1
    starts = tuple((here, line.number, first + there) for here, there in moved)
    return Try(line=line, game=said.game, text=text, starts=starts)


def _read_new_tag(reader: LineReader, said: _Said) -> Command | Fault | None:
    which = _game_number(said.rest[1:], reader.spelt)
    if not said.rest or said.rest[0].lower() != "tag" or which is False:
        return None
    return _two_games(said.line, said.game, which) or NewTag(line=said.line, game=_the_one(which, said.game))


def _read_resend(reader: LineReader, said: _Said) -> Command | None:
    which = _game_number(said.rest, reader.spelt)
    return None if which is False else Resend(line=said.line, game=said.game, number=which)


def _read_mute(reader: LineReader, said: _Said) -> Command | Fault | None:
    """Read `mute off`, `mute on`; a line that names only a game was read before."""
    switch, which = reader.spelt.read_value(said.rest[0]), _game_number(said.rest[1:], reader.spelt)
    if switch not in ("off", "on") or which is False:
        return None
    return _two_games(said.line, said.game, which) or Mute(
        line=said.line, game=_the_one(which, said.game), off=switch == "off"
    )


def _read_help(reader: LineReader, said: _Said) -> Command | Fault | None:
    """Read what help is asked about: a topic, or several words of which the first is a topic."""
    line, rest = said.line, said.rest
    for asked in (" ".join(rest), *rest[:1]):
        topic = reader.spelt.read_topic(asked)
        topic = ALSO_CALLED.get(topic, topic)
        if topic == THE_SHEETS:
            return Help(line=line, topic=THE_SHEETS)
        if topic in ABOUT_THE_GAME or _RULE.fullmatch(topic):
            return Help(line=line, topic=THE_GAME)
        if not topic or topic in reader.topics:
            return Help(line=line, topic=topic)
    if len(rest) > 1:
        return None
    ways = {**reader.spelt.read, **reader.spelt.read_topics}
    near = reader.nearest(topic, reader.all_topics, 0.7)
    return Fault(
        "no-topic",
        "there is no page about {topic}; {help} alone names all words, and {rules} brings the page of the game",
        {
            "topic": rest[0],
            "help": reader.spelt.writer.write("help"),
            "rules": reader.spelt.writer.write("help rules"),
        },
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, max(1, line.text.find(rest[0]) + 1)),
        suggestion=f"help {ways.get(near, near)}" if near else "help",
    )


def _read_challenge(reader: LineReader, said: _Said) -> Command | Fault | None:
    line, rest = said.line, said.rest
    if not rest:
        return None
    named, options = read_options(line, rest, reader.spelt)
    if isinstance(options, Fault):
        return options
    if not named:
        return _no_rules(reader, line, "", "WHOM")
    if len(named) >= 2 and named[-1].lower() in reader.rules:
        return Challenge(line=line, whom=" ".join(named[:-1]), rules=named[-1].lower(), options=options)
    if len(named) == 1 or "@" in named[0]:
        return _no_rules(reader, line, named[-1] if len(named) > 1 else "", named[0])
    near = _nearest_rules(reader, named[-1])
    if near or len(named) == 2:
        return _no_rules(reader, line, named[-1], " ".join(named[:-1]), near)
    return None


def _read_open(reader: LineReader, said: _Said) -> Command | Fault | None:
    line, rest = said.line, said.rest
    if not rest:
        return None
    named, options = read_options(line, rest, reader.spelt)
    if isinstance(options, Fault):
        return options
    if options and not named:
        return _no_rules(reader, line, "", "")
    if len(named) != 1:
        return None
    if named[0].lower() in reader.rules:
        return Open(line=line, rules=named[0].lower(), options=options)
    if near := _nearest_rules(reader, named[0]):
        return _no_rules(reader, line, named[0], "", near)
    return None


def _nearest_rules(reader: LineReader, name: str) -> str:
    return reader.nearest(name.lower(), reader.names_of_rules, 0.6)


def _no_rules(reader: LineReader, line: OwnLine, name: str, whom: str, near: str = "") -> Fault:
    near = near or _nearest_rules(reader, name) or next(iter(reader.rules))
    word = f"challenge {whom}" if whom else "open"
    return Fault(
        "no-rules",
        "there is no game called {name}; I know {known}" if name else "the game is missing; I know {known}",
        {"name": name, "known": ", ".join(reader.rules)},
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, max(1, line.text.find(name) + 1) if name else len(line.text) + 1),
        suggestion=f"{word} {near}",
    )


def _read_register(reader: LineReader, said: _Said) -> Command | Fault:
    line, words = said.line, said.words
    if not said.rest:
        return Fault(
            "name-missing",
            "the name is missing; write it behind the word",
            grade="unreadable",
            excerpt=line.text,
            place=Place(line.number, len(line.text) + 1),
        )
    language = words[-1].lower() if len(words) > 2 and words[-1].lower() in LANGUAGES else ""
    name = tidy_name(" ".join(words[1:-1] if language else words[1:]))
    if len(words) > 2 and words[-1] in OTHER_LANGUAGES:
        return Fault(
            "no-language",
            "letters cannot be written in the language {language} yet; I write {known}",
            {"language": words[-1], "known": ", ".join(LANGUAGES)},
            "unreadable",
            excerpt=line.text,
            place=Place(line.number, line.text.rfind(words[-1]) + 1),
            suggestion=f"register {' '.join(words[1:-1])}",
        )
    if fault := check_name(name):
        return Fault(
            fault.code,
            fault.message,
            fault.facts,
            "unreadable",
            excerpt=line.text,
            place=Place(line.number, max(1, line.text.find(words[1]) + 1)),
            suggestion=f"register {better}" if (better := better_name(name)) else "",
        )
    return Register(line=line, name=name, language=language)


def _read_terms(
    line: OwnLine, game: int | None, rest: list[str], spelt: Vocabulary
) -> Command | Fault | None:
    """Read an acceptance with options: all in one line, after the game's number."""
    said, options = read_options(line, rest, spelt)
    if isinstance(options, Fault):
        return options
    number = _game_number(said, spelt)
    if number is False:
        return None
    return _two_games(line, game, number) or Accept(line=line, game=_the_one(number, game), options=options)


def _read_why(reader: LineReader, said: _Said) -> Command | Fault | None:
    """Read what is asked about: one letter, with or without a side; anything else is prose ("why not?")."""
    line, game, spelt = said.line, said.game, reader.spelt
    rest = said.text.rstrip(".!?").split()[1:]
    side = spelt.read_side(rest[0]) if rest else ""
    side = side if side in SIDES else ""
    letter, *more = rest[bool(side) :] or [""]
    letter = letter.rstrip("?,")
    if _names_a_piece(letter) and (number := _game_number(more, spelt)) is not False:
        subject = f"{side} {letter.upper()}".lstrip()
        return _two_games(line, game, number) or Why(line=line, game=_the_one(number, game), subject=subject)
    words = [word.strip("?,").lower() for word in rest]
    pieces = [word for word in words if _names_a_piece(word)]
    others = [word for word in words if word and not _names_a_piece(word)]
    if not pieces or any(
        spelt.read_side(word) not in SIDES and word not in spelt.tables.small for word in others
    ):
        return None
    return Fault(
        "one-piece",
        "ask about one piece a line: a letter, and before it its colour, if it is not yours",
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, 1),
        suggestion=f"why {pieces[0].upper()}" if game is None else f"{game}: why {pieces[0].upper()}",
    )


def _read_agree(reader: LineReader, said: _Said) -> Command | Fault | None:
    """Read the end of a game, and which game: "white", "draw 17"; anything else is prose ("agree with you")."""
    line, game, rest, spelt = said.line, said.game, said.rest, reader.spelt
    for count in (2, 1):
        end, number = spelt.read_end(" ".join(rest[:count])), _game_number(rest[count:], spelt)
        if end in ENDS and number is not False:
            return _two_games(line, game, number) or Agree(line=line, game=_the_one(number, game), end=end)
    word = tidy(rest[0].strip("?,:"))
    known = {spelt.writer.write_end(end): end for end in ENDS} | {end: end for end in ENDS} | _ENDS_MEANT
    near = reader.nearest(word, cached_words(tuple(known)), _NEAREST)
    if not near or _game_number(rest[1:], spelt) is False:
        return None
    names = [spelt.writer.write_end(end) for end in ENDS]
    return Fault(
        "no-end",
        "there is no result {said}; a game ends with {known}",
        {"said": rest[0].strip("?,:"), "known": ", ".join(names)},
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, max(1, line.text.find(rest[0]) + 1)),
        suggestion=" ".join(["agree", known[near], *rest[1:]]),
    )


_UNIT = re.compile(r"[RB][ICA][1-9]\d?", re.ASCII | re.IGNORECASE)
"""A unit in a battle: its side, its arm and its number."""


def _names_a_piece(word: str) -> bool:
    return (len(word.upper()) == 1 and word.isalpha()) or _UNIT.fullmatch(word) is not None


_LEAVE_BETWEEN = frozenset(("from", "to", "until", "till", "-", "du", "de", "au", "à", "jusqu'au"))
"""Words that may accompany the dates of a leave."""


def _read_leave(reader: LineReader, said: _Said) -> Command | Fault | None:
    """Read `leave`, `leave off`, `leave 2027-07-01 2027-07-14`; None for prose."""
    line, rest = said.line, said.rest
    if not rest:
        return Leave(line=line)
    if len(rest) == 1 and reader.spelt.read_value(rest[0]) == "off":
        return Leave(line=line, off=True)
    dates = [each.strip(",.;") for each in rest if each.lower() not in _LEAVE_BETWEEN]
    if not 1 <= len(dates) <= 2 or not any(re.match(r"[0-9]{1,4}[-./][0-9]", each) for each in dates):
        return None
    try:
        first, *last = map(date.fromisoformat, dates)
    except ValueError:
        return Fault(
            "leave-date",
            "days of leave are written as in 2027-07-01, the first and the last",
            grade="unreadable",
            excerpt=line.text,
            place=Place(line.number, max(1, line.text.find(rest[0]) + 1)),
        )
    return Leave(line=line, first=first, last=last[0] if last else first)


def _read_overview(reader: LineReader, said: _Said) -> Command | None:
    """Read `overview`, `overview late`, with or without the name of an event; None for prose."""
    line, rest = said.line, said.rest
    late = bool(rest) and reader.spelt.read_value(rest[0]) == "late"
    event = " ".join(rest[1:] if late else rest)
    return Overview(line=line, late=late, event=event) if len(event) <= LONGEST_EVENT else None


def _read_watch(reader: LineReader, said: _Said) -> Command | Fault | None:
    """Read `watch 17`, `watch off`, `watch off 17`; None for prose."""
    line, game, rest, spelt = said.line, said.game, said.rest, reader.spelt
    off = bool(rest) and spelt.read_value(rest[0]) == "off"
    number = _game_number(rest[1:] if off else rest, spelt)
    if number is False or not (off or number or game):
        return None
    return _two_games(line, game, number) or Watch(line=line, game=_the_one(number, game), off=off)


def _game_number(rest: list[str], spelt: Vocabulary) -> int | bool | None:
    """Read what may follow a word: nothing (None), `17`, `game 17`, `[game 17]`; False for anything else."""
    if not rest:
        return None
    said = " ".join(rest).lower().strip("[]")
    digits = said.removeprefix("game").removeprefix(spelt.tables.game).strip().removeprefix("#")
    if digits.isascii() and digits.isdigit() and len(digits) < 10:
        return int(digits)
    return False


def _the_one(behind: int | bool | None, before: int | None) -> int | None:
    """Return the game that a line names after its word, or else before it; 0 counts, although no game has it."""
    return before if behind is None else int(behind)


def _two_games(line: OwnLine, first: int | None, last: int | bool | None) -> Fault | None:
    """Return the fault of a line that names one game before its word and another after it."""
    if first is None or last is None or last is False or first == last:
        return None
    return Fault(
        "two-games",
        "this line names game {first} and game {last}; nothing in it was done",
        {"first": str(first), "last": str(last)},
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, 1),
    )


def _first_word(text: str) -> str:
    """Return the text before the first blank."""
    first = text.split(maxsplit=1)[:1]
    return first[0] if first else ""


_Read = Callable[[LineReader, _Said], Command | Fault | None]


def _alone(command: type[Games | Events | Bye]) -> _Read:
    """Return the reader of a word that must be alone on its line."""
    return lambda reader, said: None if said.rest else command(line=said.line)


_READ: Mapping[str, _Read] = {
    "games": _alone(Games),
    "events": _alone(Events),
    "bye": _alone(Bye),
    **dict.fromkeys(("preview", "preview:"), _read_preview),
    **dict.fromkeys(("try", "try:"), _read_try),
    "help": _read_help,
    **dict.fromkeys(("register", "register:"), _read_register),
    "challenge": _read_challenge,
    "open": _read_open,
    "new": _read_new_tag,
    "resend": _read_resend,
    **dict.fromkeys(("why", "why:", "why,"), _read_why),
    "leave": _read_leave,
    "set": lambda reader, said: read_set(said.line, said.rest, reader.spelt, reader.nearest),
    "mute": _read_mute,
    "agree": _read_agree,
    "watch": _read_watch,
    "overview": _read_overview,
}
"""The reader of a line, by the word that it begins with."""
_READ_TEXTS: Mapping[str, _Read] = {**dict.fromkeys(free_text.WORDS, _read_text), "umpire": _read_action}
"""The same for words with a text, which a colon or a comma may follow."""
