"""What people write to one another, to themselves and to the umpire: a word of the desk, and any text behind it.

Mail programs wrap lines, so a text goes on over the following lines: until an empty line, a quotation, or a line that
is a command by itself. Where a line may have been broken by the mail program, what comes next is text whatever it
looks like: nobody is to resign by a line end. Only what is confided to the referee never gets into a text for others.
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
"""What an appeal may begin with: a game, or a case of it."""
_OF_ACT = re.compile(r"(?:acte?\s+#?(\d{1,6})|(?:acte?\s+)?(\d{4}-\d\d-\d\d))[:,.]?(?:\s+|$)", re.IGNORECASE)
"""And then: which act of an umpire's, or on which day it was done."""
_LIKE_A_CASE = re.compile(
    r"\[?(?:(?:case|affaire)\s+)?#?([-+]?\d+)(\s*/\s*#?[-+]?\d\S*)?\]?[:,.]?(?:\s+|$)", re.IGNORECASE
)
_LIKE_AN_ACT = re.compile(r"acte?\s+(?:#|n[o°]\.?\s*)?[-+]?\d\S*(?:\s+|$)", re.IGNORECASE)
"""What was meant for one of these, and is none that there can be. It is not taken for text: an appeal is heard once."""
NO_NUMBER = 0
"""Of a case or an act that there cannot be."""
MOST_GAMES = 999_999_999
THE_TIME = "time"
"""A claim of this and nothing else is that the opponent's time is up."""
_THE_TIME = re.compile(r"(?:time|temps)[ .!]*", re.IGNORECASE)
_PLAIN_WORD = re.compile(r"[^\W\d_]{3,}")
_A_MOVE = re.compile(r"(?<!\w)[^\W\d_] ?z?(?: ?[-:] ?[^\W\d_]| [nsew]{1,2} ?\d|[nsew]{1,2}\d)", re.IGNORECASE)

ReadLine = Callable[[OwnLine], Command | Fault | None]


def read_written(line: OwnLine, game: int | None, word: str, behind: str) -> Written:
    """Read a line that begins with a word of WORDS. behind: what stands behind it, as it is read.

    What the command keeps stands as it was written: dashes and crosses are the writer's.
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
    """Read what an appeal is against, as far as it says so, and its text."""
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
        except ValueError:  # a day that there is not is a word of the text
            return Appeal(line=line, game=game, text=said)
        said = said[which.end() :]
    elif case is None and (unlike := _LIKE_AN_ACT.match(said)) is not None:
        act, said = NO_NUMBER, said[unlike.end() :]
    return Appeal(line=line, game=game, case=case, act=act, day=day, text=said)


def as_written(line: OwnLine, behind: str) -> str:
    """Return the end of a line, as it is read, as it was written."""
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
    """Return a command with the following lines that its text goes on in, which are taken from `rest`.

    is_confided: whether a line is an order of which nobody else is to hear, in whichever game: it never gets into a
    text, though a mail program may have broken the line above, and though it may be none in the letter's own game.
    A bare `diary` asks for what was noted, and `claim time` says all that there is to say: neither has a text. Returns
    a fault where there is nothing to be passed on.
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
        if isinstance(command, Umpire) and not wrapped and (":" not in text or _is_deed(found)):
            break  # its reason has not begun, or another deed is misspelt
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
    """Return whether a line of prose may go on in the next: then that does not begin a text of its own."""
    return below.number == above.number + 1 and _may_be_wrapped(above, below)


def _is_deed(found: Command | Fault | None) -> bool:
    return isinstance(found, Fault) and found.code == "no-deed"


def is_bare_order(found: Command) -> bool:
    """Return whether a line is an order and says nothing else."""
    return isinstance(found, Order) and _alone(found)


def _alone(found: Command) -> bool:
    """Return whether a line says nothing but the command: "V-NW2 was good, I think" only looks like a move.

    An order without a move in it is in words, and looks like one as a whole.
    """
    if not isinstance(found, Order):
        return True
    return not (_PLAIN_WORD.search(found.text) and _A_MOVE.search(found.text))


def before_move(text: str) -> str:
    """Return what stands before the first piece with a direction behind it; all where there is none."""
    found = _A_MOVE.search(text)
    return (text[: found.start()] if found else text).strip(" ,:;")


def _may_be_wrapped(above: OwnLine, below: OwnLine) -> bool:
    """Return whether a mail program may have broken one line into these two."""
    return may_be_broken(above.written or above.text, below.written or below.text)
