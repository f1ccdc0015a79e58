"""Checks records from elsewhere before they become games, and words their refusals. Pure.

What a refusal quotes from a file is short and harmless wherever it is displayed. Nothing enters a game that
could not have been written here: no control characters, no overlong reason.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from referee.common.errors import RecordRefused
from referee.rulebooks.catalogue import CATALOGUE
from referee.rulebooks.record_text import too_long
from referee.rulebooks.rulebook import Happening, Json, RecordError, Rulebook

_RULES_LINE = re.compile(r"^[ \t]*Rules[ \t]*=[ \t]*(\S+)", re.MULTILINE)
_NOTHING = "nothing was started"
LONGEST_FACT = 2000
"""The most characters of any text that a record brings into a game, such as the reason for a take-back."""
_MOST_SHOWN = 40
_LONGEST_REASON = 300


def check_text(text: str) -> None:
    """Raise RecordRefused if a text has control characters other than tabs, or more or longer lines than any record."""
    if why := too_long(text):
        raise RecordRefused(f"{why}; {_NOTHING}")
    for number, line in enumerate(text.splitlines(), 1):
        control = next(
            (sign for sign in line if unicodedata.category(sign) in ("Cc", "Cs") and sign != "\t"), None
        )
        if control is not None:
            raise RecordRefused(
                f"line {number} holds the control sign U+{ord(control):04X}, and a record is plain text; {_NOTHING}"
            )


def check_rules(text: str, rulebook: Rulebook) -> None:
    """Raise RecordRefused for a record that states other rules."""
    said = _RULES_LINE.search(text)
    if said is not None and said[1] != rulebook.name:
        raise RecordRefused(f"{_of_other_rules('its line `Rules`', said[1], rulebook)}; {_NOTHING}")


def check_facts(happenings: Sequence[Happening]) -> None:
    """Raise RecordRefused where a text would enter the game that would be refused in a letter."""
    for said in (said for each in happenings for said in _texts(dict(each.facts))):
        if not said.isprintable() or len(said) > LONGEST_FACT:
            raise RecordRefused(
                f"{shown(said)}: what a record says is one line of at most {LONGEST_FACT:,} signs; {_NOTHING}"
            )


def _texts(facts: Json) -> Iterator[str]:
    match facts:
        case str():
            yield facts
        case dict():
            for value in facts.values():
                yield from _texts(value)
        case list() | tuple():
            for value in facts:
                yield from _texts(value)


def refusal(rulebook: Rulebook, text: str, error: RecordError) -> str:
    """Return a record's error as a sentence that can be displayed anywhere."""
    row = f"row {error.row}" if error.row else ""  # a head line begins with its own name
    who = error.seat.capitalize() if error.seat and row else ""
    where = " ".join(filter(None, (row, who, shown(error.text))))
    said = f"{where}: " * bool(where) + f"{shown(error.reason, _LONGEST_REASON)}; {_NOTHING}"
    other = _rules_by_look(text, rulebook)
    return f"{_of_other_rules('its look', other, rulebook)}; {said}" if other else said


def shown(text: str, most: int = _MOST_SHOWN) -> str:
    """Return at most `most` characters of any text, in a form that cannot control a terminal."""
    plain = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[: most + 1])
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def _of_other_rules(by: str, rules: str, rulebook: Rulebook) -> str:
    known = any(each.name == rules for each in CATALOGUE)
    cure = f"try `referee new {rules} --from …`" if known else "this release does not know them"
    return (
        f"the record is probably of other rules, by {by} of {shown(rules)} and not of {rulebook.name}: {cure}"
    )


def _rules_by_look(text: str, rulebook: Rulebook) -> str:
    """Return the other rules that a record seems to be of, "" for none.

    The record's title line or the line above its rows shows it.
    """
    lines = [" ".join(line.split()).casefold() for line in text.splitlines()]
    for other in CATALOGUE:
        title = f"; {other.title.casefold()}. "
        heads = {" ".join(seats).casefold() for seats in (other.seats, other.seats[::-1])}
        ours = {" ".join(seats).casefold() for seats in (rulebook.seats, rulebook.seats[::-1])}
        if other.name != rulebook.name and any(
            line.startswith(title) or line in heads - ours for line in lines
        ):
            return other.name
    return ""


def printable(line: str) -> str:
    """Return a line without unprintable characters; tabs become spaces."""
    return "".join(sign for sign in line.replace("\t", " ") if sign.isprintable())
