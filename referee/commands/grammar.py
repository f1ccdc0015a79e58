"""Reads a letter's own lines: commands, and faults for lines that are nearly commands.

Each line holds one command. A line is a command only if all of it fits: prose that happens to begin with a
command word ("Open your eyes!") is ignored. A line that looks like an order of the game is always an order,
correct or not, so that a mistyped move is never ignored silently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from referee.commands import free_text, umpire_grammar
from referee.commands.command import (
    Bye,
    Command,
    Help,
    Register,
    SetPreference,
    Try,
    Umpire,
    Written,
)
from referee.commands.decorations import cores, undecorated
from referee.commands.headings import is_heading
from referee.commands.line_reader import LineReader, Looks
from referee.commands.options import (
    WITH_TERMS,
    in_its_line,
    is_options,
    options_alone,
    terms_unread,
    with_options_below,
)
from referee.commands.set_up_lines import with_ranks_below
from referee.common.faults import Fault, Place
from referee.common.i18n import SOURCE
from referee.common.nearest import Nearest, Suggestions, nearest_word
from referee.mail.message.message import OwnLine

MOST_COMMANDS = 100
"""How many commands of a letter are read, and how many lines that are nearly commands."""

_MOST_ASKED = 10
"""The most doubtful lines that are shown to their writer."""
PERHAPS_QUOTED = "perhaps-quoted"
"""The fault of lines that may be parts of a quotation. facts: the lines, where there are several."""
PASSED_OVER = "passed-over"
"""The fault of a line that contains a command word and is no command, in a letter with commands."""
_STEP_CUT = re.compile(r"(?:^|[;(\s])(?:try|then|else|if|if\s+[^\W\d_]+)$", re.IGNORECASE)
"""The end of a line that was broken within a step of a plan."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """The reading of a letter's own lines. Each line, up to the last that is read, is in exactly one of the three."""

    commands: tuple[Command, ...]
    faults: tuple[Fault, ...]
    passed_over: tuple[OwnLine, ...]

    @property
    def empty(self) -> bool:
        """True when there was neither a command nor a line that resembles one."""
        return not self.commands and not self.faults


@dataclass(frozen=True)
class Grammar:
    """Everything that can be read in a letter.

    looks_like_order: see Notation.
    rules: names of the games.
    topics: help pages.
    language: the writer's, whose spellings are read as well as the English ones.
    others: further languages, for a writer who has not chosen one yet.
    of_game: returns the form of orders in a given game; None where all games have the same.
    is_confided: whether a line is an order that nobody else may hear, in any game.
    nearest: finds the word that a misspelt word was probably meant to be.
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
        """Return the grammar that reads one language's spellings, and no others."""
        known = language == self.language and not self.others
        return self if known else replace(self, language=language, others=())

    def beside(self, languages: Iterable[str]) -> Grammar:
        """Return the grammar that also reads these languages; English is always read."""
        known = (SOURCE, self.language, *self.others)
        further = tuple(dict.fromkeys(each for each in languages if each and each not in known))
        return replace(self, others=(*self.others, *further)) if further else self

    @cached_property
    def _readers(self) -> tuple[LineReader, ...]:
        """One for each language that is read, the writer's first."""
        return tuple(
            LineReader(self.looks_like_order, self.rules, self.topics, language, self.of_game, self.nearest)
            for language in (self.language, *self.others)
        )

    @property
    def _writers(self) -> LineReader:
        """The reader of the writer's own language."""
        return self._readers[0]

    def read(self, lines: Sequence[OwnLine]) -> Understanding:
        """Read a letter's own lines, in order. If one chooses another language, all may be written in it too."""
        once = self._for_one_letter()
        meant = [line for line in lines if line.certain is not False]
        read = once._read(meant)
        both = once.beside(map(_chosen_language, read.commands))
        read = read if both is once else both._read(meant)
        return read if len(meant) == len(lines) else both._beside_doubtful(read, lines)

    def _for_one_letter(self) -> Grammar:
        """Return the grammar for the lines of one letter, with caches and a limit on suggestions.

        A line may be read in several languages and as the continuation of another, but is tested only once
        for being an order.
        """
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
                found = self._whole_action(found)
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
        halves = (each.half_a_command(line.text) for each in self._readers for line in lines[:1])
        if len(lines) == len(passed_over) == 1 and (topic := next(filter(None, halves), "")):
            if topic in ("resign", "draw") and sum(map(_has_letters, lines[0].text.split())) > 1:
                return Understanding((), (_more_than_a_word(lines[0]),), ())
            return Understanding((Help(line=lines[0], topic=topic),), (), ())
        if commands:
            meant = [
                line
                for line in passed_over
                if not is_heading(line) and any(each.seems_meant(line.text) for each in self._readers)
            ]
            named = meant[:MOST_COMMANDS]
            faults += map(not_read, named)
            numbers = {line.number for line in named}
            passed_over = [line for line in passed_over if line.number not in numbers]
        return Understanding(tuple(commands), tuple(faults), tuple(passed_over))

    def _beside_doubtful(self, read: Understanding, lines: Sequence[OwnLine]) -> Understanding:
        """Return the reading together with the doubtful lines that would be read.

        Their writer is asked about them, and they are not carried out; nothing is asked where another line
        says the same.
        """
        said = {command.line.text.casefold() for command in read.commands}
        doubtful = [line for line in lines if line.certain is False]
        meant = [
            line for line in doubtful if line.text.casefold() not in said and self.read_line(line) is not None
        ]
        passed_over = [*read.passed_over, *(line for line in doubtful if line not in meant)]
        faults = (*read.faults, _perhaps_quoted(meant)) if meant else read.faults
        return Understanding(read.commands, faults, tuple(sorted(passed_over, key=_number)))

    def _next_line(self, rest: list[OwnLine]) -> tuple[OwnLine, Command | Fault | None]:
        """Take the next line from the rest, with the options below it where it may have some, and read it."""
        before = tuple(rest)
        line = rest.pop(0)
        if rest and is_options(rest[0]) and any(each.word_of(line) in WITH_TERMS for each in self._readers):
            line = with_options_below(line, rest)
        _, text = self._writers.split_game(line.text)
        line = with_ranks_below(line, text, rest)
        found = self.read_line(line)
        if isinstance(found, Fault):
            found = in_its_line(found, before[: len(before) - len(rest)])
        return line, found

    def read_line(self, line: OwnLine) -> Command | Fault | None:
        """Read one line; None for prose, and for a heading, whatever its comment looks like."""
        if is_heading(line):
            return None
        found = self._read_plainly(line)
        return found if isinstance(found, Command) else self._read_decorated(line) or found

    def _read_plainly(self, line: OwnLine) -> Command | Fault | None:
        """Read one line as it is, in each language."""
        found = self._writers.read(line)
        for other in self._readers[1:]:
            if isinstance(found, Command):
                break
            again = other.read(line)
            if isinstance(again, Command) or (found is None and again is not None and _tells_what(again)):
                found = again
        return found

    def _read_decorated(self, line: OwnLine) -> Command | Fault | None:
        """Read a line without its decorations, if it means nothing with them."""
        game, said = self._writers.split_game(line.text)
        before = line.text[: len(line.text) - len(said)]
        if (bare := undecorated(said)) is not None:
            found = self._read_plainly(replace(line, text=before + bare.text))
            if isinstance(found, Command) and bare.cited and not free_text.is_bare_order(found):
                return _decorated(line, before + bare.text)
            if isinstance(found, Command) or (isinstance(found, Fault) and not bare.cited):
                return found
        is_order = self._writers.orders_in(game)
        meant = next(filter(is_order, cores(said)), "")
        return _decorated(line, before + meant) if meant else None

    def _whole_text(self, begun: Written, rest: list[OwnLine]) -> Command | Fault:
        """Take the lines that continue a text from the rest, and return the whole text."""
        return free_text.whole_text(
            begun, rest, self._read_in_text, self._writers.orders_in(begun.game), self._confides
        )

    def _read_in_text(self, line: OwnLine) -> Command | Fault | None:
        """Read a line within a text: in quotation marks or brackets, nothing ends the text."""
        found = self.read_line(line)
        bare = undecorated(line.text)
        cited = bare is not None and bare.cited and self._read_plainly(line) is None
        return _decorated(line, line.text) if cited and isinstance(found, Command) else found

    def _confides(self, text: str) -> bool:
        """Return whether a line is an order that nobody else may hear, whatever its decorations."""
        text = text.lstrip("# ")  # a comment would be read as well
        bare = undecorated(text)
        return any(map(self.is_confided, filter(None, (text, bare.text if bare else "", *cores(text)))))

    def _whole_plan(self, begun: Try, rest: list[OwnLine]) -> Try:
        """Take the lines into which a mail program has broken a plan from the rest, and return the whole plan."""
        text, starts = begun.text, list(begun.starts)
        number = begun.line.number
        is_order = self._writers.orders_in(begun.game)
        while rest and rest[0].number == number + 1 and self._goes_on(text, rest[0].text, is_order):
            line = rest.pop(0)
            number = line.number
            further, moved = self._writers.spelt.read_steps(line.text)
            starts += [(len(text) + 1 + here, number, 1 + there) for here, there in moved]
            text = f"{text} {further}"
        return replace(begun, text=text, starts=tuple(starts))

    def _whole_action(self, begun: Umpire) -> Umpire | Fault:
        """Read all of an umpire's command, in whichever language this succeeds."""
        read = [umpire_grammar.read_whole(begun, each.spelt) for each in self._readers]
        return next((each for each in read if isinstance(each, Umpire)), read[0])

    def _goes_on(self, text: str, after: str, is_order: Looks) -> bool:
        """Return whether a plan continues on the line after it."""
        if text.count("(") > text.count(")") or _STEP_CUT.search(text) or after[:1] in (";", ")"):
            return True
        return self._writers.is_step(after, is_order)


def _apart(line: OwnLine, commands: list[Command], faults: list[Fault]) -> Fault | None:
    """Return the fault of options that don't follow the word they belong to, and undo that word's command.

    None for a line that may have nothing to do with a game.
    """
    last = next((each for each in reversed(commands) if each.word in WITH_TERMS), None)
    if last is not None:
        commands.remove(last)
        faults.append(terms_unread(last.line, line))
    return options_alone(line) if last is not None or line.text.lower().startswith("option") else None


def _tells_what(fault: Fault) -> bool:
    """Return whether a fault in a language that the writer may not use is worth reporting.

    A mere resemblance of words is not, except to the word with which everybody begins.
    """
    return fault.code != "no-word" or fault.suggestion.startswith("register ")


def _chosen_language(command: Command) -> str:
    """Return the language that a command chooses for its writer's letters; "" where it chooses none."""
    match command:
        case Register(language=language):
            return language
        case SetPreference(key="language", value=language):
            return language
    return ""


def _decorated(line: OwnLine, meant: str) -> Fault:
    """Return the fault of a line whose decorations leave open whether it is meant."""
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
    """Return the fault of lines that would be read if they were certainly not parts of a quotation."""
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


def _has_letters(text: str) -> bool:
    return any(map(str.isalnum, text))


def _more_than_a_word(line: OwnLine) -> Fault:
    """Return the fault of a serious command that was not alone on its line, so that it was not carried out."""
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
    """Return the fault of a line that is reported as ignored; it doesn't hold up the commands around it."""
    return Fault(
        PASSED_OVER,
        "this line was not read as a command",
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, 1),
    )
