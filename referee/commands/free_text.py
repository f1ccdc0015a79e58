"""Reads texts to other players, to oneself and to the umpire: a command word, followed by any text.

Mail programs wrap lines, so a text continues on the following lines until an empty line, a quotation, or a
line that is a command by itself. Where the mail program may have broken a line, the next one is text whatever
it looks like: nobody should resign because of a line break. Only orders that must stay secret never become
part of a text for others.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from referee.commands.command import Appeal, Claim, Command, Diary, Order, Press, Umpire, Written
from referee.common.faults import Fault, Place
from referee.mail.message.message import OwnLine
from referee.mail.message.normalisation import normalise
from referee.mail.message.wrapping import may_be_broken

WORDS: dict[str, type[Written]] = {"press": Press, "diary": Diary, "claim": Claim, "appeal": Appeal}

_TO_ALL = re.compile(r"(?:to |à |a )?(?:all|tous)(?:[:,]|\b)\s*", re.IGNORECASE)
_OF_CASE = re.compile(
    r"\[?(?:(?:case|affaire)\s+)?#?(\d{1,9})(?:\s*/\s*(\d{1,9}))?\]?[:,.]?(?:\s+|$)", re.IGNORECASE
)
"""The optional start of an appeal: a game, or a case of it."""
_OF_ACT = re.compile(r"(?:acte?\s+#?(\d{1,6})|(?:acte?\s+)?(\d{4}-\d\d-\d\d))[:,.]?(?:\s+|$)", re.IGNORECASE)
"""What may follow: the number of an umpire's act, or the day on which it was done."""
_LIKE_A_CASE = re.compile(
    r"\[?(?:(?:case|affaire)\s+)?#?([-+]?\d+)(\s*/\s*#?[-+]?\d\S*)?\]?[:,.]?(?:\s+|$)", re.IGNORECASE
)
_LIKE_AN_ACT = re.compile(r"acte?\s+(?:#|n[o°]\.?\s*)?[-+]?\d\S*(?:\s+|$)", re.IGNORECASE)
"""A failed attempt to write one of these. It is not read as text, since an appeal is heard only once."""
NO_NUMBER = 0
"""The number of a case or an act that cannot exist."""
MOST_GAMES = 999_999_999
THE_TIME = "time"
"""A claim of this alone means that the opponent's time is up."""
_THE_TIME = re.compile(r"(?:time|temps)[ .!]*", re.IGNORECASE)
_PLAIN_WORD = re.compile(r"[^\W\d_]{3,}")
_A_MOVE = re.compile(r"(?<!\w)[^\W\d_] ?z?(?: ?[-:] ?[^\W\d_]| [nsew]{1,2} ?\d|[nsew]{1,2}\d)", re.IGNORECASE)

ReadLine = Callable[[OwnLine], Command | Fault | None]


def read_written(line: OwnLine, game: int | None, word: str, behind: str) -> Written:
    """Read a line that begins with a word of WORDS.

    The command keeps the text as it was written, including the writer's dashes and crosses.

    behind: the normalised text after the word.
    """
    said = as_written(line, behind)
    if word == "press" and (to_all := _TO_ALL.match(said)):
        return Press(line=line, game=game, text=said[to_all.end() :], to_all=True)
    if word == "appeal":
        return _read_appeal(line, game, said)
    if word == "claim" and _THE_TIME.fullmatch(said):
        said = THE_TIME
    return WORDS[word](line=line, game=game, text=said)


def _read_appeal(line: OwnLine, game: int | None, said: str) -> Appeal:
    """Read what an appeal is against, as far as it is stated, and its text."""
    case, act, day = None, None, None
    if about := _OF_CASE.match(said):
        game, said = int(about[1]), said[about.end() :]
        case = int(about[2]) if about[2] else None
    elif like := _LIKE_A_CASE.match(said):
        game, said = max(0, min(int(like[1][:12]), MOST_GAMES)), said[like.end() :]
        case = NO_NUMBER if like[2] else None
    if case is None and (which := _OF_ACT.match(said)) is not None:
        act = int(which[1]) if which[1] else None
        try:
            day = date.fromisoformat(which[2]) if which[2] else None
        except ValueError:  # a date that does not exist is part of the text
            return Appeal(line=line, game=game, text=said)
        said = said[which.end() :]
    elif case is None and (unlike := _LIKE_AN_ACT.match(said)) is not None:
        act, said = NO_NUMBER, said[unlike.end() :]
    return Appeal(line=line, game=game, case=case, act=act, day=day, text=said)


def as_written(line: OwnLine, behind: str) -> str:
    """Return the end of a line as it was written. behind: that end, normalised."""
    words = line.written.split()
    said = " ".join(words[len(words) - len(behind.split()) :]) if behind else ""
    return said if normalise(said) == normalise(behind) else behind


def whole_text(
    command: Written,
    rest: list[OwnLine],
    read: ReadLine,
    is_order: Callable[[str], bool],
    is_confided: Callable[[str], bool],
) -> Command | Fault:
    """Return a command with the following lines of its text, which are removed from `rest`.

    A bare `diary` asks for the diary, and `claim time` is complete: neither has a text. Returns a fault where
    there is no text to pass on.

    is_confided: whether a line is an order that nobody else may hear, in any game; such a line never becomes
        part of a text, even where a mail program may have broken the line above, and even if it is no order
        of the letter's own game.
    """
    if (isinstance(command, Diary) and not command.text) or (
        isinstance(command, Claim) and command.text == THE_TIME
    ):
        return command
    text, last = command.text, command.line
    unread = [text] if is_order(text) else []
    while rest and rest[0].number == last.number + 1:
        line = rest[0]
        wrapped = _may_be_wrapped(last, line)
        found = read(line)
        if isinstance(found, Command) and not wrapped and _alone(found):
            break
        if is_confided(found.text if isinstance(found, Order) else line.text):
            break
        if isinstance(command, Umpire) and not wrapped and (":" not in text or _is_action(found)):
            break  # its reason has not begun, or another action is misspelt
        if found is not None:
            unread.append(line.text)
        said = (line.written or line.text).strip()
        text = f"{text} {said}" if wrapped and text else f"{text}\n{said}"
        last = rest.pop(0)
    if not text.strip():
        return Fault(
            "text-missing",
            "the text is missing; write it behind the word",
            grade="unreadable",
            excerpt=command.line.text,
            place=Place(command.line.number, len(command.line.text) + 1),
        )
    return replace(command, text=text.strip(), unread=tuple(unread))


def goes_on(above: OwnLine, below: OwnLine) -> bool:
    """Return whether a line of prose may continue on the next line, which then begins no text of its own."""
    return below.number == above.number + 1 and _may_be_wrapped(above, below)


def _is_action(found: Command | Fault | None) -> bool:
    return isinstance(found, Fault) and found.code == "no-deed"


def is_bare_order(found: Command) -> bool:
    """Return whether a line is an order and nothing else."""
    return isinstance(found, Order) and _alone(found)


def _alone(found: Command) -> bool:
    """Return whether a line is nothing but the command: "V-NW2 was good, I think" only looks like a move.

    An order that contains no move is in words, and looks like one as a whole.
    """
    if not isinstance(found, Order):
        return True
    return not (_PLAIN_WORD.search(found.text) and _A_MOVE.search(found.text))


def before_move(text: str) -> str:
    """Return the text before the first piece that is followed by a direction; all of it where there is none."""
    found = _A_MOVE.search(text)
    return (text[: found.start()] if found else text).strip(" ,:;")


def _may_be_wrapped(above: OwnLine, below: OwnLine) -> bool:
    """Return whether a mail program may have broken one line into these two."""
    return may_be_broken(above.written or above.text, below.written or below.text)
