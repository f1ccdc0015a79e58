"""Records from elsewhere may be anything: what is looked at before one becomes a game, and how one is refused. Pure.

What a refusal repeats of a file is short, and harmless wherever it is shown. Nothing comes into a game that could not
have been written here: no control signs, no reason that is longer than one may be.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from referee.common.errors import RecordRefused
from referee.games.game import AnyRulebook
from referee.rulebooks.catalogue import CATALOGUE
from referee.rulebooks.record_text import too_long
from referee.rulebooks.rulebook import Happening, Json, RecordError

_RULES_LINE = re.compile(r"^[ \t]*Rules[ \t]*=[ \t]*(\S+)", re.MULTILINE)
_NOTHING = "nothing was started"
LONGEST_FACT = 2000
"""Signs of any text that a record brings into a game, such as the reason why turns were taken back."""
_MOST_SHOWN = 40
_LONGEST_REASON = 300


def check_text(text: str) -> None:
    """Raise RecordRefused for what is no text, or has more or longer lines than any record."""
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


def check_rules(text: str, rulebook: AnyRulebook) -> None:
    """Raise RecordRefused for a record that says of itself that it is of other rules."""
    said = _RULES_LINE.search(text)
    if said is not None and said[1] != rulebook.name:
        raise RecordRefused(f"{_of_other_rules('its line `Rules`', said[1], rulebook)}; {_NOTHING}")


def check_facts(happenings: Sequence[Happening]) -> None:
    """Raise RecordRefused where a text comes into the game that would not do in a letter."""
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


def refusal(rulebook: AnyRulebook, text: str, error: RecordError) -> str:
    """Return what is wrong with a record, in a sentence that can be shown anywhere."""
    row = f"row {error.row}" if error.row else ""  # a line of the head begins with its own name
    who = error.seat.capitalize() if error.seat and row else ""
    where = " ".join(filter(None, (row, who, shown(error.text))))
    said = f"{where}: " * bool(where) + f"{shown(error.reason, _LONGEST_REASON)}; {_NOTHING}"
    other = _rules_by_look(text, rulebook)
    return f"{_of_other_rules('its look', other, rulebook)}; {said}" if other else said


def shown(text: str, most: int = _MOST_SHOWN) -> str:
    """Return what is shown of a text that may be anything: so many signs of it, none of which steers a terminal."""
    plain = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[: most + 1])
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def _of_other_rules(by: str, rules: str, rulebook: AnyRulebook) -> str:
    known = any(each.name == rules for each in CATALOGUE)
    cure = f"try `referee new {rules} --from …`" if known else "this release does not know them"
    return (
        f"the record is probably of other rules, by {by} of {shown(rules)} and not of {rulebook.name}: {cure}"
    )


def _rules_by_look(text: str, rulebook: AnyRulebook) -> str:
    """Return of which other rules a record looks: by the title that it begins with, or what stands above its rows."""
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
    """Return a line without signs that cannot be seen; a tab is a space."""
    return "".join(sign for sign in line.replace("\t", " ") if sign.isprintable())
