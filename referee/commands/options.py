"""Options after a command word: `challenge Bert confusion option sheets=off option colour=white`.

Mail programs break long lines, and people begin new ones. So options alone on a line belong to the word
before them. Where they cannot be read, or no such word precedes them, nothing is done: a game on terms other
than those meant would be worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from referee.commands.vocabulary import Vocabulary
from referee.common.faults import Fault, Place
from referee.games.clocks.controls import TIME, read_control, write_control
from referee.mail.message.message import OwnLine

OPTION = "option"
WITH_TERMS = ("challenge", "open", "accept", "join", "rematch")
"""Words by which a game is proposed or accepted."""
_KEY_AND_VALUE = re.compile(r"[^\W\d_]+(?:[-._][^\W\d_]+)*=[^\s@]+")
_SPELT = {"color": "colour"}
LOT = "lot"
"""The value that leaves a choice to lots; the game's rules decide whether this differs from no option."""


def begins_option(word: str) -> bool:
    """Return whether a word begins the options of a line."""
    return word.lower() == OPTION or _KEY_AND_VALUE.fullmatch(word) is not None


def is_options(line: OwnLine) -> bool:
    """Return whether a line consists of options, correct or not: "Option two would be nicer" does not."""
    words = line.text.rstrip(".!").split(maxsplit=1)
    if not words or not begins_option(words[0]):
        return False
    words = line.text.rstrip(".!").split()
    if all(map(begins_option, words)):
        return True
    return words[0].lower() == OPTION and ("=" in line.text or (words[0] == OPTION and len(words) <= 3))


def with_options_below(line: OwnLine, rest: list[OwnLine]) -> OwnLine:
    """Return a line with the options of the lines below it, which are removed from `rest`."""
    while rest and is_options(rest[0]):
        below = rest.pop(0)
        written = f"{line.written or line.text} {below.written or below.text}"
        line = replace(line, text=f"{line.text} {below.text}", written=written)
    return line


def in_its_line(fault: Fault, lines: Sequence[OwnLine]) -> Fault:
    """Return the fault of a joined line with its place in the original one."""
    if fault.place is None or fault.place.line != lines[0].number:
        return fault
    column = fault.place.column
    for line in lines[:-1]:
        if column <= len(line.text):
            return replace(fault, place=Place(line.number, column))
        column -= len(line.text) + 1
    return replace(fault, place=Place(lines[-1].number, max(column, 1)))


def read_options(
    line: OwnLine, words: list[str], spelt: Vocabulary
) -> tuple[list[str], dict[str, str] | Fault]:
    """Split the options off the end of a line: return the words before them, and the options as written.

    The word `option` may be missing, since nothing else is written KEY=VALUE.

    spelt: of the writer's language.
    """
    start = next((at for at, word in enumerate(words) if begins_option(word)), None)
    if start is None:
        return words, {}
    options: dict[str, str] = {}
    given: dict[str, str] = {}
    read: set[str] = set()
    for at, word in enumerate(words[start:], start):
        if word in read:
            continue
        if word.lower() == OPTION and at + 1 < len(words):
            continue
        key, sign, value = word.rstrip(",").partition("=")
        if not sign or not key or not value:
            return words[:start], Fault(
                "option",
                "an option is written KEY=VALUE",
                grade="unreadable",
                excerpt=word,
                place=Place(line.number, max(1, line.text.rfind(word) + 1)),
                suggestion=_time_meant(words[start:]) or _list_meant(words[start:]) or "option sheets=off",
            )
        key, value = spelt.read_option(key, value)
        name = _SPELT.get(key.lower(), key.lower())
        said = given.setdefault(name, _tidy(name, value.lower()))
        if said != _tidy(name, value.lower()):
            return words[:start], _given_twice(line, word, name, said, value.lower())
        options[name] = said
        read.add(word)
    return words[:start], options


def _given_twice(line: OwnLine, word: str, name: str, said: str, other: str) -> Fault:
    """Return the fault of an option that was given with two values; neither is preferred."""
    return Fault(
        "option-twice",
        "{option} is given twice, as {said} and as {other}; say which you mean",
        {"option": name, "said": said, "other": other},
        grade="unreadable",
        excerpt=word,
        place=Place(line.number, max(1, line.text.rfind(word) + 1)),
    )


_TIME_IN_WORDS = re.compile(
    r"(?:^|\s)(?:time|temps|cadence)\s*[=:]\s*(?P<said>.+?)(?=\s+option\s|\s+[^\W\d_]+\s*=|$)"
)
"""A time control among options, with blanks in it or around the sign."""


def _time_meant(words: Sequence[str]) -> str:
    """Return the option of a time control that was written in several words, "" where there is none."""
    found = _TIME_IN_WORDS.search(" ".join(words).casefold())
    if found is None:
        return ""
    control = read_control("".join(re.sub(r"\b(?:per|par)\b", "/", found["said"]).rstrip(",.").split()))
    if isinstance(control, Fault):
        return f"{OPTION} {control.suggestion}" if control.suggestion else ""
    return f"{OPTION} {TIME}={write_control(control)}"


def _list_meant(words: Sequence[str]) -> str:
    """Return the options without the blanks around their signs and commas, "" where this doesn't help."""
    closed = re.sub(r"\s*([=,])\s*", r"\1", " ".join(words)).rstrip(",").split()
    if not all(map(begins_option, closed)):
        return ""
    return " ".join(f"{OPTION} {each}" for each in closed if each.lower() != OPTION)


def _tidy(name: str, value: str) -> str:
    """Return a time control in canonical text; any other option unchanged."""
    control = read_control(value) if name == TIME else None
    return value if control is None or isinstance(control, Fault) else write_control(control)


def takes_none(line: OwnLine, word: str, rest: Sequence[str]) -> Fault | None:
    """Return the fault of options after a word that takes none; None where there are no options."""
    at = next((each for each in rest if begins_option(each)), None)
    if at is None:
        return None
    message = "an open game is joined as it was offered, without options of your own; nothing was done"
    if word == "rematch":
        message = (
            "a rematch has the options of the game before it; nothing was done, challenge with others instead"
        )
    return Fault(
        "takes-no-options",
        message,
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, max(1, line.text.find(at) + 1)),
    )


def options_alone(line: OwnLine) -> Fault:
    """Return the fault of options without a word before them."""
    return Fault(
        "options-alone",
        "options stand behind the word that they belong to, on its line or on the next one",
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, 1),
    )


def terms_unread(line: OwnLine, options: OwnLine) -> Fault:
    """Return the fault of a proposal, or an answer to one, whose terms may be on another line."""
    return Fault(
        "terms-unread",
        "the terms on line {number} do not stand behind it, so this was not done",
        {"number": str(options.number)},
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, 1),
    )
