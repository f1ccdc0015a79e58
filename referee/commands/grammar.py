"""Own lines → commands, and faults where a line is nearly one.

One command a line. A line is read as a command only when all of it fits: prose that happens to begin with
a word of the desk ("Open your eyes!") is passed over. A line that looks like an order of the game is always
an order, well written or not, so that a mistyped move is never passed over in silence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, cached_property
from typing import Literal

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
    SetAddress,
    SetPreference,
    ShowChoices,
    Status,
    Try,
    Umpire,
    Watch,
    Why,
    Written,
)
from referee.commands.command_table import ABOUT_THE_GAME, ALSO_CALLED, SIDES, THE_GAME, THE_SHEETS, WORDS
from referee.commands.decorations import cores, undecorated
from referee.commands.headings import is_heading
from referee.commands.options import (
    WITH_TERMS,
    begins_option,
    in_its_line,
    is_options,
    options_alone,
    read_options,
    takes_none,
    terms_unread,
    with_options_below,
)
from referee.commands.set_up_lines import with_ranks_below
from referee.commands.vocabulary import Vocabulary, tidy, vocabulary
from referee.common.faults import Fault, Place
from referee.common.i18n import LANGUAGES, SOURCE
from referee.common.nearest import Nearest, Suggestions, Words, nearest_word
from referee.games.clocks.time_zones import find_zone, nearest_zone
from referee.games.player_names import better_name, check_name, tidy_name
from referee.mail.message.addresses import read_address, why_no_address
from referee.mail.message.message import OwnLine

OTHER_LANGUAGES = ("de", "es", "it", "nl", "pt")
"""Languages that one may ask for and not get: told apart from the end of a name."""

PREFERENCES = {
    "reports": ("text", "html", "json"),
    "sheets": ("grid", "list", "picture"),
    "language": tuple(LANGUAGES),
    "picture": ("on", "off"),
    "compass": ("record", "own"),
    "letters": ("each", "daily", "urgent"),
    "calendar": ("on", "off"),
    "overview": ("off", "daily", "weekly"),
    "hold": ("15m", "1h", "6h", "1d", "wait"),
}
"""What `set` knows: each key with its values."""
NOT_OFFERED = {"letters": ("quiet",)}
"""Values that `set` knows as well and offers to nobody: what pressing unsubscribe in a mail program sets."""

ZONE = "zone"
"""What `set` knows, too: a time zone, whose values are in `zones`."""
LONGEST_ZONE = 4
"""Words of a city's name."""

_SWITCHES = {"yes": "on", "no": "off", "none": "off"}
"""Other words for what is on or off."""

_ADDRESSES: dict[str, Literal["main", "second"]] = {"address": "main", "second": "second"}
"""What else `set` knows: an address of one's own, and what it is to be."""

MOST_COMMANDS = 100
"""So many commands of one letter are read, and so many lines that are nearly commands: a letter is no program."""

_MOST_ASKED = 10
"""So many doubtful lines are shown to their writer."""
PERHAPS_QUOTED = "perhaps-quoted"
"""The fault of lines that may be pieces of a quotation. facts: the lines, where there are several."""
PASSED_OVER = "passed-over"
"""The fault of a line that has a word of the desk in it and is no command, beside lines that are some."""

_FAREWELL = "bye"
"""A word that many letters end with: it is a command only where it is the whole letter."""
_COMMON = ("why", "try")
"""Words that so many sentences begin with that only a short one which names a piece is asked about."""
_NEAREST = 0.8
"""How alike a first word must be to one of the desk's to be asked about (difflib's ratio)."""
_GUARDED = re.compile(
    r"(?P<move>.*\S)\s*@\s*"
    r"(?:(?:turn|tour|coup)\s*#?\s*|(?P<letter>(?:letter|lettre)\s*#?|#)\s*)?(?P<number>\d{1,6})[ .!]*",
    re.IGNORECASE,
)
"""A move that is only meant for one turn, or as a letter told the game: "V-NW2 @14", "V-NW2 @letter 14"."""
_STEP = re.compile(r"(?:if\s+[^\W\d_]+|then|else)\s+\(?\s*(?P<rest>\S.*)", re.IGNORECASE)
"""A step of a plan."""
_STEP_CUT = re.compile(r"(?:^|[;(\s])(?:try|then|else|if|if\s+[^\W\d_]+)$", re.IGNORECASE)
"""The end of a line that was broken off within a step of a plan."""
_RULE = re.compile(r"[a-z]{1,4}-\d+(?:\.\d+)?\.?", re.IGNORECASE)
"""The number of a rule, as faults name it: "CF-4.2"."""
ENDS = (*sorted(SIDES), "draw", "none")
"""What `agree` knows: the side that has won, a draw, and giving a game up without a result."""
_ENDS_MEANT = {
    **dict.fromkeys(("tie", "drawn", "remis", "half", "even"), "draw"),
    **dict.fromkeys(("nothing", "nobody", "void", "abandon", "abandoned", "cancelled", "off"), "none"),
}
"""Other words for an end, that are asked about."""
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


@cache
def _game_first(game: str) -> re.Pattern[str]:
    """Return the pattern of a line that names its game before its word. game: a language's word for it."""
    word = rf"(?:game|{game})"
    return re.compile(
        rf"(?:{word}\s*)?#?(\d{{1,9}})\s*:\s*(\S.*)|{word}\s*#?(\d{{1,9}})\s*[:,]?\s+(\S.*)", re.IGNORECASE
    )


@dataclass(frozen=True, slots=True)
class Understanding:
    """What was made of a letter's own lines. Every line is in exactly one of the three, up to the last that is read."""

    commands: tuple[Command, ...]
    faults: tuple[Fault, ...]
    passed_over: tuple[OwnLine, ...]

    @property
    def empty(self) -> bool:
        """True when there was neither a command nor a line like one."""
        return not self.commands and not self.faults


Looks = Callable[[str], bool]
"""Whether a line looks so."""


@dataclass(frozen=True)
class Grammar:
    """What the desk can read.

    looks_like_order: see Notation. rules: names of the games. topics: help pages. language: the writer's, whose
    spellings are read beside the English ones. others: further languages, for whoever has not chosen one yet.
    of_game: how the orders of a game look that a line names; None where they all look alike. is_confided: whether a
    line is an order of which nobody else is to hear, in whichever game. nearest: what finds the word that a slip was
    perhaps meant to be.
    """

    looks_like_order: Looks
    rules: Collection[str]
    topics: Collection[str]
    language: str = SOURCE
    others: tuple[str, ...] = ()
    of_game: Callable[[int], Looks] | None = None
    is_confided: Looks = lambda text: False
    nearest: Nearest = nearest_word

    def in_language(self, language: str) -> Grammar:
        """Return what reads another language's spellings, and no others."""
        known = language == self.language and not self.others
        return self if known else replace(self, language=language, others=())

    def beside(self, languages: Iterable[str]) -> Grammar:
        """Return what reads the spellings of these languages, too; English ones are always read."""
        known = (SOURCE, self.language, *self.others)
        further = tuple(dict.fromkeys(each for each in languages if each and each not in known))
        return replace(self, others=(*self.others, *further)) if further else self

    @cached_property
    def _each(self) -> tuple[Grammar, ...]:
        """One for each language that is read."""
        return (self, *map(self.in_language, self.others))

    @cached_property
    def _first_words(self) -> Words:
        """All that a line of the desk may begin with."""
        return Words((*_NAMES, *self.spelt.read))

    @cached_property
    def _all_topics(self) -> Words:
        """All that help may be wanted about."""
        ways = (*self.spelt.read, *self.spelt.read_topics)
        return Words((*self.topics, *ABOUT_THE_GAME, *ALSO_CALLED, THE_SHEETS, *ways))

    @cached_property
    def _names_of_rules(self) -> Words:
        return Words(self.rules)

    @cached_property
    def spelt(self) -> Vocabulary:
        """How the writer's language spells the desk's words."""
        return vocabulary(self.language)

    def read(self, lines: Sequence[OwnLine]) -> Understanding:
        """Read a letter's own lines, in order. Where one chooses another language, all may be written in it as well."""
        once = self._for_one_letter()
        meant = [line for line in lines if line.certain is not False]
        read = once._read(meant)
        both = once.beside(map(_chosen_language, read.commands))
        read = read if both is once else both._read(meant)
        return read if len(meant) == len(lines) else both._beside_doubtful(read, lines)

    def _for_one_letter(self) -> Grammar:
        """Return the same for the lines of one letter: none is asked about twice whether it is an order, though it is
        read in several languages and as the rest of another one; and suggestions are bounded."""
        of_game = self.of_game
        return replace(
            self,
            looks_like_order=cache(self.looks_like_order),
            of_game=of_game and cache(lambda game: cache(of_game(game))),
            is_confided=cache(self.is_confided),
            nearest=Suggestions().nearest,
        )

    def _read(self, lines: Sequence[OwnLine]) -> Understanding:
        commands: list[Command] = []
        faults: list[Fault] = []
        passed_over: list[OwnLine] = []
        rest = list(lines)
        while rest:
            line, found = self._next_line(rest)
            if isinstance(found, Try):
                found = self._whole_plan(found, rest)
            if isinstance(found, Written) and passed_over and free_text.goes_on(passed_over[-1], line):
                found = None  # "… and my wife had to / press on without me"
            if isinstance(found, Written):
                found = self._whole_text(found, rest)
            if isinstance(found, Umpire):
                found = self._whole_deed(found)
            if found is None and is_options(line):
                found = _apart(line, commands, faults)
            kept = commands if isinstance(found, Command) else faults
            if found is not None and len(kept) >= MOST_COMMANDS:
                faults.append(_too_many(line, found))
                break
            match found:
                case Command():
                    commands.append(found)
                case Fault():
                    faults.append(found)
                case None:
                    passed_over.append(line)
        if len(lines) > 1:
            said = [command for command in commands if isinstance(command, Bye)]
            commands = [command for command in commands if command not in said]
            passed_over = sorted([*passed_over, *(each.line for each in said)], key=lambda each: each.number)
        halves = (
            _half_a_command(each.spelt.read_word(line.text)) for each in self._each for line in lines[:1]
        )
        if len(lines) == len(passed_over) == 1 and (topic := next(filter(None, halves), "")):
            if topic in ("resign", "draw") and sum(map(_has_letters, lines[0].text.split())) > 1:
                return Understanding((), (_more_than_a_word(lines[0]),), ())
            return Understanding((Help(line=lines[0], topic=topic),), (), ())
        if commands:
            meant = [
                line
                for line in passed_over
                if not is_heading(line) and any(each._seems_meant(line.text) for each in self._each)
            ]
            named = meant[:MOST_COMMANDS]
            faults += map(not_read, named)
            numbers = {line.number for line in named}
            passed_over = [line for line in passed_over if line.number not in numbers]
        return Understanding(tuple(commands), tuple(faults), tuple(passed_over))

    def _beside_doubtful(self, read: Understanding, lines: Sequence[OwnLine]) -> Understanding:
        """Return what was read with what the doubtful lines would say. They are asked about, and not done; where the
        writer says the same in another line, there is nothing to ask."""
        said = {command.line.text.casefold() for command in read.commands}
        doubtful = [line for line in lines if line.certain is False]
        meant = [
            line for line in doubtful if line.text.casefold() not in said and self.read_line(line) is not None
        ]
        passed_over = [*read.passed_over, *(line for line in doubtful if line not in meant)]
        faults = (*read.faults, _perhaps_quoted(meant)) if meant else read.faults
        return Understanding(read.commands, faults, tuple(sorted(passed_over, key=_number)))

    def _next_line(self, rest: list[OwnLine]) -> tuple[OwnLine, Command | Fault | None]:
        """Take the next line out of the rest, with the options below it where it may have some, and read it."""
        before = tuple(rest)
        line = rest.pop(0)
        if rest and is_options(rest[0]) and any(each._word_of(line) in WITH_TERMS for each in self._each):
            line = with_options_below(line, rest)
        named = _game_first(self.spelt.game).fullmatch(line.text)
        line = with_ranks_below(line, (named[2] or named[4]) if named else line.text, rest)
        found = self.read_line(line)
        if isinstance(found, Fault):
            found = in_its_line(found, before[: len(before) - len(rest)])
        return line, found

    def _word_of(self, line: OwnLine) -> str:
        """Return the word of the desk that a line begins with, behind a game's number or not, or another word."""
        named = _game_first(self.spelt.game).fullmatch(line.text)
        text = (named[2] or named[4]) if named else line.text
        first = self.spelt.read_word(text).split(maxsplit=1)[:1]
        return first[0].lower().rstrip(".,:!") if first else ""

    def read_line(self, line: OwnLine) -> Command | Fault | None:
        """Read one line; None for prose, and for a heading, whatever its comment looks like."""
        if is_heading(line):
            return None
        found = self._read_plainly(line)
        return found if isinstance(found, Command) else self._read_decorated(line) or found

    def _read_plainly(self, line: OwnLine) -> Command | Fault | None:
        """Read one line in each language, as it stands."""
        found = self._read_line(line)
        for other in self._each[1:]:
            if isinstance(found, Command):
                break
            again = other._read_line(line)
            if isinstance(again, Command) or (found is None and again is not None and _tells_what(again)):
                found = again
        return found

    def _read_decorated(self, line: OwnLine) -> Command | Fault | None:
        """Read a line that says nothing as it stands without what stands around it: emphasis, arrows, brackets."""
        named = _game_first(self.spelt.game).fullmatch(line.text)
        said = (named[2] or named[4]) if named else line.text
        before = line.text[: len(line.text) - len(said)]
        if (bare := undecorated(said)) is not None:
            found = self._read_plainly(replace(line, text=before + bare.text))
            if isinstance(found, Command) and bare.cited and not free_text.is_bare_order(found):
                return _decorated(line, before + bare.text)
            if isinstance(found, Command) or (isinstance(found, Fault) and not bare.cited):
                return found
        is_order = self._orders_in(int(named[1] or named[3]) if named else None)
        meant = next(filter(is_order, cores(said)), "")
        return _decorated(line, before + meant) if meant else None

    def _read_line(self, line: OwnLine) -> Command | Fault | None:
        text, game = line.text, None
        if named := _game_first(self.spelt.game).fullmatch(text):
            game = int(named[1] or named[3])
            text = named[2] or named[4]
        is_order = self._orders_in(game)
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
        if found is None and self._is_step(text, is_order):
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

    def _orders_in(self, game: int | None) -> Looks:
        """Return how orders look in a line that names a game, or none."""
        return self.looks_like_order if game is None or self.of_game is None else self.of_game(game)

    def _whole_text(self, begun: Written, rest: list[OwnLine]) -> Command | Fault:
        """Take the lines in which a text goes on out of the rest, and return all of it."""
        return free_text.whole_text(
            begun, rest, self._read_in_text, self._orders_in(begun.game), self._confides
        )

    def _read_in_text(self, line: OwnLine) -> Command | Fault | None:
        """Read a line below the beginning of a text: in quotation marks or brackets, nothing ends it."""
        found = self.read_line(line)
        bare = undecorated(line.text)
        cited = bare is not None and bare.cited and self._read_plainly(line) is None
        return _decorated(line, line.text) if cited and isinstance(found, Command) else found

    def _confides(self, text: str) -> bool:
        """Return whether a line is an order of which nobody else is to hear, whatever stands around it."""
        text = text.lstrip("# ")  # a comment would be read as well
        bare = undecorated(text)
        return any(map(self.is_confided, filter(None, (text, bare.text if bare else "", *cores(text)))))

    def _whole_plan(self, begun: Try, rest: list[OwnLine]) -> Try:
        """Take the lines into which a mail program has broken a plan out of the rest, and return all of it."""
        text, starts = begun.text, list(begun.starts)
        number = begun.line.number
        is_order = self._orders_in(begun.game)
        while rest and rest[0].number == number + 1 and self._goes_on(text, rest[0].text, is_order):
            line = rest.pop(0)
            number = line.number
            further, moved = self.spelt.read_steps(line.text)
            starts += [(len(text) + 1 + here, number, 1 + there) for here, there in moved]
            text = f"{text} {further}"
        return replace(begun, text=text, starts=tuple(starts))

    def _whole_deed(self, begun: Umpire) -> Umpire | Fault:
        """Read all of what an umpire writes, in whichever language that can be done."""
        read = [umpire_grammar.read_whole(begun, each.spelt) for each in self._each]
        return next((each for each in read if isinstance(each, Umpire)), read[0])

    def _goes_on(self, text: str, after: str, is_order: Looks) -> bool:
        """Return whether a plan goes on in the line after it."""
        if text.count("(") > text.count(")") or _STEP_CUT.search(text) or after[:1] in (";", ")"):
            return True
        return self._is_step(after, is_order)

    def _is_step(self, text: str, is_order: Looks) -> bool:
        """Return whether a line begins with a condition and a move, as a plan goes on."""
        word = _first_word(text)
        if word.lower() not in _STEPS and not self.spelt.is_of_steps(word):
            return False
        step = _STEP.fullmatch(self.spelt.read_steps(text)[0])
        if step is None:
            return False
        move = re.split(r"[;()]", step["rest"])[0]
        return len(move.split()) <= 4 and is_order(move)

    def _read_spelt(self, line: OwnLine, game: int | None, text: str) -> Command | Fault | None:
        """Read a line in English, or else in the writer's language."""
        begins = _first_word(text).lower().rstrip(".!:,") in _FIRST_WORDS
        found = self._read_words(line, game, text) if begins else None
        if found is None and (meant := self.spelt.read_word(text)) != text:
            return self._read_words(line, game, meant)
        return found

    def _seems_meant(self, text: str) -> bool:
        """Return whether a line that is no command may have been meant as one."""
        if self.spelt.grave.search(text):
            return True
        first, *rest = self.spelt.read_word(text).split() or [""]
        word = first.lower().rstrip(".,:!?")
        names_a_piece = len(rest) <= 2 and any(len(each.rstrip("?,")) == 1 and each != "I" for each in rest)
        return word in _NAMES and word != _FAREWELL and (word not in _COMMON or names_a_piece)

    def _ask_about_word(self, line: OwnLine, game: int | None, text: str) -> Fault | None:
        """Return the fault of a line that would be a command if its first word were one of the desk's; else None."""
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
        words = text.rstrip(".!").split()
        if not words:
            return None
        word, rest = words[0].lower(), words[1:]
        if word == "games" and not rest:
            return Games(line=line)
        if word == "events" and not rest:
            return Events(line=line)
        if (written := word.rstrip(":,")) in free_text.WORDS:
            return free_text.read_written(line, game, written, text.partition(" ")[2].strip())
        if written == "umpire":
            behind = free_text.as_written(line, text.partition(" ")[2].strip())
            found = umpire_grammar.read_deed(line, behind, self.spelt, self.nearest)
            return replace(found, game=game) if isinstance(found, Umpire) else found
        if word == "accept" and any(map(begins_option, rest)):
            return _read_terms(line, game, rest, self.spelt)
        if word in ("join", "rematch") and (fault := takes_none(line, word, rest)):
            return fault
        if word in _WITH_GAME and (number := _game_number(rest, self.spelt)) is not False:
            return _two_games(line, game, number) or _WITH_GAME[word](line=line, game=_the_one(number, game))
        if word in _WITH_GAME and self._orders_in(game)(" ".join(rest)):
            return Fault(
                "two-in-one",
                "a move and the word {word} need a line each; nothing in this line was done",
                {"word": self.spelt.write(word)},
                grade="unreadable",
                excerpt=line.text,
                place=Place(line.number, max(1, line.text.find(rest[0]) + 1)),
            )
        match word:
            case "preview" | "preview:" if rest:
                move = text.split(maxsplit=1)[1]
                return Preview(line=line, game=game, text=move) if self._orders_in(game)(move) else None
            case "try" | "try:" if rest:
                return self._read_try(line, game, text.split(maxsplit=1)[1])
            case "help":
                return self._read_help(line, rest)
            case "register" | "register:" if rest:
                return _read_register(line, words, text)
            case "register" | "register:":
                return Fault(
                    "name-missing",
                    "the name is missing; write it behind the word",
                    grade="unreadable",
                    excerpt=line.text,
                    place=Place(line.number, len(line.text) + 1),
                )
            case "challenge" if rest:
                return self._read_challenge(line, rest)
            case "open" if rest:
                return self._read_open(line, rest)
            case "new" if (
                rest
                and rest[0].lower() == "tag"
                and (which := _game_number(rest[1:], self.spelt)) is not False
            ):
                return _two_games(line, game, which) or NewTag(line=line, game=_the_one(which, game))
            case "resend" if (which := _game_number(rest, self.spelt)) is not False:
                return Resend(line=line, game=game, number=which)
            case "why" | "why:" | "why,":
                return _read_why(line, game, text.rstrip(".!?").split()[1:], self.spelt)
            case "leave" if (taken := _read_leave(line, rest, self.spelt)) is not None:
                return taken
            case "set" if not rest:
                return ShowChoices(line=line)
            case "set" if 1 < len(rest) <= LONGEST_ZONE + 1 and self.spelt.read_key(rest[0]) == ZONE:
                return _read_zone(line, " ".join(rest[1:]), self.nearest)
            case "set" if len(rest) == 1 and (fault := _value_missing(line, rest[0], self.spelt)):
                return fault
            case "set" if len(rest) == 2:
                return _read_set(line, rest, self.spelt, self.nearest)
            case "mute" if self.spelt.read_value(rest[0]) in ("off", "on") and (
                (which := _game_number(rest[1:], self.spelt)) is not False
            ):
                off = self.spelt.read_value(rest[0]) == "off"
                return _two_games(line, game, which) or Mute(line=line, game=_the_one(which, game), off=off)
            case "agree":
                return _read_agree(line, game, rest, self.spelt, self.nearest)
            case "watch" if (watched := _read_watch(line, game, rest, self.spelt)) is not None:
                return watched
            case "overview":
                return _read_overview(line, rest, self.spelt)
            case "bye" if not rest:
                return Bye(line=line)
        return None

    def _read_try(self, line: OwnLine, game: int | None, steps: str) -> Command | None:
        """Read a plan as far as one line goes: it begins with a move, or has more steps than one."""
        if ";" not in steps and not self._orders_in(game)(re.split(r"[()]", steps)[0]):
            return None
        text, moved = self.spelt.read_steps(steps)
        first = line.text.rfind(steps) + 1
        starts = tuple((here, line.number, first + there) for here, there in moved)
        return Try(line=line, game=game, text=text, starts=starts)

    def _read_help(self, line: OwnLine, rest: list[str]) -> Command | Fault | None:
        """Read what help is wanted about: a topic, or more words of which the first is one."""
        for said in (" ".join(rest), *rest[:1]):
            topic = self.spelt.read_topic(said)
            topic = ALSO_CALLED.get(topic, topic)
            if topic == THE_SHEETS:
                return Help(line=line, topic=THE_SHEETS)
            if topic in ABOUT_THE_GAME or _RULE.fullmatch(topic):
                return Help(line=line, topic=THE_GAME)
            if not topic or topic in self.topics:
                return Help(line=line, topic=topic)
        if len(rest) > 1:
            return None
        ways = {**self.spelt.read, **self.spelt.read_topics}
        near = self.nearest(topic, self._all_topics, 0.7)
        return Fault(
            "no-topic",
            "there is no page about {topic}; {help} alone names all words, and {rules} brings the page of the game",
            {"topic": rest[0], "help": self.spelt.write("help"), "rules": self.spelt.write("help rules")},
            grade="unreadable",
            excerpt=line.text,
            place=Place(line.number, max(1, line.text.find(rest[0]) + 1)),
            suggestion=f"help {ways.get(near, near)}" if near else "help",
        )

    def _read_challenge(self, line: OwnLine, rest: list[str]) -> Command | Fault | None:
        said, options = read_options(line, rest, self.spelt)
        if isinstance(options, Fault):
            return options
        if not said:
            return self._no_rules(line, "", "WHOM")
        if len(said) >= 2 and said[-1].lower() in self.rules:
            return Challenge(line=line, whom=" ".join(said[:-1]), rules=said[-1].lower(), options=options)
        if len(said) == 1 or "@" in said[0]:
            return self._no_rules(line, said[-1] if len(said) > 1 else "", said[0])
        near = self._nearest_rules(said[-1])
        if near or len(said) == 2:
            return self._no_rules(line, said[-1], " ".join(said[:-1]), near)
        return None

    def _read_open(self, line: OwnLine, rest: list[str]) -> Command | Fault | None:
        said, options = read_options(line, rest, self.spelt)
        if isinstance(options, Fault):
            return options
        if options and not said:
            return self._no_rules(line, "", "")
        if len(said) != 1:
            return None
        if said[0].lower() in self.rules:
            return Open(line=line, rules=said[0].lower(), options=options)
        if near := self._nearest_rules(said[0]):
            return self._no_rules(line, said[0], "", near)
        return None

    def _nearest_rules(self, name: str) -> str:
        return self.nearest(name.lower(), self._names_of_rules, 0.6)

    def _no_rules(self, line: OwnLine, name: str, whom: str, near: str = "") -> Fault:
        near = near or self._nearest_rules(name) or next(iter(self.rules))
        word = f"challenge {whom}" if whom else "open"
        return Fault(
            "no-rules",
            "there is no game called {name}; I know {known}"
            if name
            else "the game is missing; I know {known}",
            {"name": name, "known": ", ".join(self.rules)},
            grade="unreadable",
            excerpt=line.text,
            place=Place(line.number, max(1, line.text.find(name) + 1) if name else len(line.text) + 1),
            suggestion=f"{word} {near}",
        )


_words = cache(Words)
"""Of words that stand in the code, so that it holds a few."""


def _first_word(text: str) -> str:
    """Return what stands before the first blank of a text."""
    first = text.split(maxsplit=1)[:1]
    return first[0] if first else ""


def _apart(line: OwnLine, commands: list[Command], faults: list[Fault]) -> Fault | None:
    """Return the fault of options that do not stand behind the word that they belong to, and undo that word; None for
    what may have nothing to do with a game."""
    last = next((each for each in reversed(commands) if each.word in WITH_TERMS), None)
    if last is not None:
        commands.remove(last)
        faults.append(terms_unread(last.line, line))
    return options_alone(line) if last is not None or line.text.lower().startswith("option") else None


def _tells_what(fault: Fault) -> bool:
    """Return whether a fault of a line in a language that its writer may not write in is more than a likeness of words:
    of these only that of the word by which everybody begins is asked about."""
    return fault.code != "no-word" or fault.suggestion.startswith("register ")


def _chosen_language(command: Command) -> str:
    """Return the language that a command chooses for the letters to its writer; "" where it chooses none."""
    match command:
        case Register(language=language):
            return language
        case SetPreference(key="language", value=language):
            return language
    return ""


def _decorated(line: OwnLine, meant: str) -> Fault:
    """Return the fault of a line around which signs stand that leave open whether it is meant."""
    return Fault(
        "decorated",
        "this line was not read because of the signs around it",
        grade="ambiguous",
        excerpt=line.text,
        place=Place(line.number, 1),
        suggestion=meant,
    )


def _number(line: OwnLine) -> int:
    return line.number


def _perhaps_quoted(lines: Sequence[OwnLine]) -> Fault:
    """Return the fault of lines that would be read if they were certainly no pieces of a quotation."""
    first, *others = lines
    message = (
        "this line stands within a quotation and may be a part of it, so it was not done; if it is yours, send it "
        "again, above the quotation"
    )
    facts: Mapping[str, tuple[str, ...]] = {}
    if others:
        message = (
            "this line and others stand within a quotation and may be a part of it, so they were not done; if they "
            "are yours, send them again, above the quotation"
        )
        facts = {"lines": tuple(line.text for line in lines[:_MOST_ASKED])}
    return Fault(PERHAPS_QUOTED, message, facts, "ambiguous", first.text, Place(first.number, 1))


def _too_many(line: OwnLine, found: Command | Fault) -> Fault:
    """Return the fault of the line at which reading stops."""
    message = "one letter may hold {most} commands; this one and what follows was left out"
    if isinstance(found, Fault):
        message = "{most} lines before this one could not be read; this one and what follows was left out"
    return Fault(
        "too-many",
        message,
        {"most": str(MOST_COMMANDS)},
        excerpt=line.text,
        place=Place(line.number, 1),
    )


def _half_a_command(text: str) -> str:
    """Return the word of the desk that a line begins with and says hardly more than ("why", "set sheets"), else ""."""
    word, *rest = text.lower().rstrip(".!? ").split() or [""]
    return word if word in _NAMES and len(rest) <= 1 else ""


def _has_letters(text: str) -> bool:
    return any(map(str.isalnum, text))


def _more_than_a_word(line: OwnLine) -> Fault:
    """Say that a word which nobody wants done by mistake stands with another, so that it was not done."""
    word = line.text.split()[0].lower()
    return Fault(
        "grave-word",
        "the word {word} counts alone on its line, or with a game's number; nothing was done",
        {"word": word},
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, 1),
        suggestion=word,
    )


def not_read(line: OwnLine) -> Fault:
    """Return the fault of a line that is told to be none of the commands beside it; it holds none of them up."""
    return Fault(
        PASSED_OVER,
        "this line was not read as a command",
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, 1),
    )


def _game_number(rest: list[str], spelt: Vocabulary) -> int | bool | None:
    """Read what may follow a word: nothing (None), `17`, `game 17`, `[game 17]`; False for anything else."""
    if not rest:
        return None
    said = " ".join(rest).lower().strip("[]")
    digits = said.removeprefix("game").removeprefix(spelt.game).strip().removeprefix("#")
    if digits.isascii() and digits.isdigit() and len(digits) < 10:
        return int(digits)
    return False


def _read_terms(
    line: OwnLine, game: int | None, rest: list[str], spelt: Vocabulary
) -> Command | Fault | None:
    """Read with which options a challenge is accepted: all in one, the game's number before them."""
    said, options = read_options(line, rest, spelt)
    if isinstance(options, Fault):
        return options
    number = _game_number(said, spelt)
    if number is False:
        return None
    return _two_games(line, game, number) or Accept(line=line, game=_the_one(number, game), options=options)


def _read_register(line: OwnLine, words: list[str], text: str) -> Command | Fault:
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


def _read_why(line: OwnLine, game: int | None, rest: list[str], spelt: Vocabulary) -> Command | Fault | None:
    """Read what is asked about: one letter, a side before it or not; anything else is prose ("why not?")."""
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
    if not pieces or any(spelt.read_side(word) not in SIDES and word not in spelt.small for word in others):
        return None
    return Fault(
        "one-piece",
        "ask about one piece a line: a letter, and before it its colour, if it is not yours",
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, 1),
        suggestion=f"why {pieces[0].upper()}" if game is None else f"{game}: why {pieces[0].upper()}",
    )


def _read_agree(
    line: OwnLine, game: int | None, rest: list[str], spelt: Vocabulary, nearest: Nearest
) -> Command | Fault | None:
    """Read what a game is to end with, and which: "white", "draw 17"; anything else is prose ("agree with you")."""
    for count in (2, 1):
        end, number = spelt.read_end(" ".join(rest[:count])), _game_number(rest[count:], spelt)
        if end in ENDS and number is not False:
            return _two_games(line, game, number) or Agree(line=line, game=_the_one(number, game), end=end)
    said = tidy(rest[0].strip("?,:"))
    known = {spelt.write_end(end): end for end in ENDS} | {end: end for end in ENDS} | _ENDS_MEANT
    near = nearest(said, _words(tuple(known)), _NEAREST)
    if not near or _game_number(rest[1:], spelt) is False:
        return None
    names = [spelt.write_end(end) for end in ENDS]
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
"""A unit of a battle: its side, its arm and its number."""


def _names_a_piece(word: str) -> bool:
    return (len(word.upper()) == 1 and word.isalpha()) or _UNIT.fullmatch(word) is not None


_LEAVE_BETWEEN = frozenset(("from", "to", "until", "till", "-", "du", "de", "au", "à", "jusqu'au"))
"""What may stand beside the dates of a leave."""


def _read_leave(line: OwnLine, rest: list[str], spelt: Vocabulary) -> Command | Fault | None:
    """Read `leave`, `leave off`, `leave 2027-07-01 2027-07-14`; None for prose."""
    if not rest:
        return Leave(line=line)
    if len(rest) == 1 and spelt.read_value(rest[0]) == "off":
        return Leave(line=line, off=True)
    said = [each.strip(",.;") for each in rest if each.lower() not in _LEAVE_BETWEEN]
    if not 1 <= len(said) <= 2 or not any(re.match(r"[0-9]{1,4}[-./][0-9]", each) for each in said):
        return None
    try:
        first, *last = map(date.fromisoformat, said)
    except ValueError:
        return Fault(
            "leave-date",
            "days of leave are written as in 2027-07-01, the first and the last",
            grade="unreadable",
            excerpt=line.text,
            place=Place(line.number, max(1, line.text.find(rest[0]) + 1)),
        )
    return Leave(line=line, first=first, last=last[0] if last else first)


LONGEST_EVENT = 80
"""Signs of an event's name."""


def _read_overview(line: OwnLine, rest: list[str], spelt: Vocabulary) -> Command | None:
    """Read `overview`, `overview late`, with the name of an event behind it or not; None for prose."""
    late = bool(rest) and spelt.read_value(rest[0]) == "late"
    event = " ".join(rest[1:] if late else rest)
    return Overview(line=line, late=late, event=event) if len(event) <= LONGEST_EVENT else None


def _read_watch(
    line: OwnLine, game: int | None, rest: list[str], spelt: Vocabulary
) -> Command | Fault | None:
    """Read `watch 17`, `watch off`, `watch off 17`; None for prose."""
    off = bool(rest) and spelt.read_value(rest[0]) == "off"
    number = _game_number(rest[1:] if off else rest, spelt)
    if number is False or not (off or number or game):
        return None
    return _two_games(line, game, number) or Watch(line=line, game=_the_one(number, game), off=off)


def _the_one(behind: int | bool | None, before: int | None) -> int | None:
    """Return the game that a line names behind its word, or else before it. No game has the number 0, yet it is one."""
    return before if behind is None else int(behind)


def _two_games(line: OwnLine, first: int | None, last: int | bool | None) -> Fault | None:
    """Return the fault of a line that names one game before its word and another behind it."""
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


def _read_set_address(
    line: OwnLine, use: Literal["main", "second"], said: str, spelt: Vocabulary
) -> Command | Fault:
    if use == "second" and spelt.read_value(said) in ("none", "off", "no"):
        return SetAddress(line=line, use=use, address="")
    written = re.sub(r"^<?(?:mailto:)?|[>,;]+$", "", said, flags=re.IGNORECASE)
    if address := read_address(written):
        return SetAddress(line=line, use=use, address=address)
    return Fault(
        "no-address",
        why_no_address(written),
        {"whom": said},
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, max(1, line.text.rfind(said) + 1)),
    )


def _value_missing(line: OwnLine, said: str, spelt: Vocabulary) -> Fault | None:
    """Return the fault of a key of `set` alone, with what it can be; None for what is no key."""
    key = spelt.read_key(said)
    values = PREFERENCES.get(key, ())
    if key == ZONE:
        message = "the city is missing; name a large one in your time zone behind it, as in `set zone Paris`"
    elif key in _ADDRESSES:
        message = "the address is missing; write it behind {key}"
    elif values:
        message = "{key} can be {values}; write which behind it"
    else:
        return None
    return Fault(
        "value-missing",
        message,
        {"key": spelt.write_key(key), "values": ", ".join(map(spelt.write_value, values))},
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, len(line.text) + 1),
    )


def _read_zone(line: OwnLine, said: str, nearest: Nearest) -> Command | Fault:
    if zone := find_zone(said):
        return SetPreference(line=line, key=ZONE, value=zone)
    near = nearest_zone(said, nearest)
    return Fault(
        "no-zone",
        "there is no time zone {zone}; name a large city in yours, as in `set zone Paris`",
        {"zone": said},
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, max(1, line.text.rfind(said.split(maxsplit=1)[0]) + 1)),
        suggestion=f"set zone {near}" if near else "",
    )


def _read_set(line: OwnLine, rest: list[str], spelt: Vocabulary, nearest: Nearest) -> Command | Fault:
    key, value = spelt.read_key(rest[0]), spelt.read_value(rest[1])
    if key in _ADDRESSES:
        return _read_set_address(line, _ADDRESSES[key], rest[1], spelt)
    if key not in PREFERENCES:
        fitting = (each for each in PREFERENCES if value in PREFERENCES[each])
        meant = nearest(key, _words(tuple(PREFERENCES)), 0.7) or next(fitting, "")
        return Fault(
            "no-preference",
            "there is nothing called {key} to set; what can be set is {known}",
            {"key": rest[0], "known": ", ".join(map(spelt.write_key, (*PREFERENCES, ZONE, *_ADDRESSES)))},
            grade="unreadable",
            excerpt=line.text,
            place=Place(line.number, max(1, line.text.find(rest[0]) + 1)),
            suggestion=f"set {meant} {value if value in PREFERENCES[meant] else PREFERENCES[meant][0]}"
            if meant
            else "help set",
        )
    if key == "sheets" and value in ("on", "off", "none", "no"):
        return Fault(
            "sheets-of-a-game",
            "whether a game has sheets is agreed before it starts, by option sheets=off; "
            "what you can set is how they look: {values}",
            {"values": ", ".join(map(spelt.write_value, PREFERENCES[key]))},
            grade="unreadable",
            excerpt=line.text,
            place=Place(line.number, max(1, line.text.rfind(rest[1]) + 1)),
        )
    if "off" in PREFERENCES[key]:
        value = _SWITCHES.get(value, value)
    if key == "language" and value not in LANGUAGES:
        return Fault(
            "no-language",
            "letters cannot be written in the language {language} yet; I write {known}",
            {"language": rest[1], "known": ", ".join(LANGUAGES)},
            grade="unreadable",
            excerpt=line.text,
            place=Place(line.number, max(1, line.text.rfind(rest[1]) + 1)),
            suggestion=f"set language {SOURCE}",
        )
    if value not in (*PREFERENCES[key], *NOT_OFFERED.get(key, ())):
        near = nearest(value, _words(PREFERENCES[key]), 0.5) or PREFERENCES[key][0]
        return Fault(
            "no-preference-value",
            "{key} can be {values}",
            {"key": spelt.write_key(key), "values": ", ".join(map(spelt.write_value, PREFERENCES[key]))},
            grade="unreadable",
            excerpt=line.text,
            place=Place(line.number, max(1, line.text.rfind(rest[1]) + 1)),
            suggestion=f"set {key} {near}",
        )
    return SetPreference(line=line, key=key, value=value)
