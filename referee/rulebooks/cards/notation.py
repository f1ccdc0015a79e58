"""Orders as players write them, both ways (E2).

Reading is lenient: any case, long words for short ones, blanks where one likes. Writing is canonical (`writing`), and
reading what was written gives the same order. Nothing here knows the table: `checking` holds orders against it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches

from referee.common.faults import Fault, Place
from referee.common.i18n import N_
from referee.rulebooks.cards.chunks import CANNON, COMMANDER, LONGEST, UNIT, Slip
from referee.rulebooks.cards.grammar import FORMS, LONG, MAP_LAYERS, WISHES, read_whole, verb_of
from referee.rulebooks.cards.order_fragments import is_fragment
from referee.rulebooks.cards.orders import ALL, CarryOut, Order, Pass
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import OrderLine

FRENCH: Mapping[str, CarryOut | Pass] = {
    **dict.fromkeys(("EXÉCUTER", "EXÉCUTEZ", "EXECUTER", "EXECUTEZ"), CarryOut()),
    "PASSER": Pass(),
}
"""Whole lines as letters in French write them (`referee/commands/french.py`)."""
ALONE = re.compile(rf"(carry\s+out|pass|check|clear(\s+all)?|{'|'.join(FRENCH)})[\s.,;!]*", re.IGNORECASE)
"""Words that people use otherwise, too: they are orders where nothing else stands in the line."""
_UNIT_FIRST = re.compile(
    # "RI2A20", too; but "RI2nd" is no unit, and "BDs" no commander.
    rf"(?:{CANNON.pattern}|{UNIT.pattern}(?!\.?[0-9])|(?P<commander>{COMMANDER.pattern}))(?=$|\W|[A-Z]+[0-9])",
    re.IGNORECASE | re.ASCII,
)
POLITELY = re.compile(
    r"(?:(?:ok|okay|yes|please|now|then|so)[\s.,!]+)*(?:(carry\s+out)(?:\s+(?:it|them|all|everything|the\s+turn))?|i\s+pass)"
    r"(?:[\s,]+(?:please|now|then|thanks|thank\s+you))*[\s.,;!]*",
    re.IGNORECASE,
)
"""How people say that their turn is to be carried out, or goes by, in a line that says nothing else."""
JOINT = re.compile(
    r"\s*[;/]+\s*(?:(?:and|then|et|puis)\s+)*|,?\s+(?:(?:and|then|et|puis)\s+)+|,\s+(?=[^\W\d_]{2})",
    re.IGNORECASE,
)
"""What people put between two orders in one line."""
MOST_JOINED = 12
"""So many parts of a line are asked whether each is an order."""


def looks_like_order(text: str) -> bool:
    """Return whether a line is meant as an order: it begins with the word of one or with a unit, or names a unit behind
    its first word, or is the rest of one that was broken.

    A word in small letters that people use otherwise ("at", "go") needs something behind it that no prose has: a digit,
    a sign of aiming, ALL behind CO or PR, what a map can show. A sign that only looks like another (`Ⓡ`) makes no order
    prose: its writer is asked.
    """
    text = unicodedata.normalize("NFKC", text[:LONGEST]) + text[LONGEST:]
    text = text.split("#", 1)[0].strip()
    if ALONE.fullmatch(text) or POLITELY.fullmatch(text) or is_fragment(text):
        return True
    if ";" in text and (parts := _joined(text)) and all(map(looks_like_order, parts[:MOST_JOINED])):
        return True  # "PASS; WAKE 60"
    if _begins_with_unit(text):
        return True
    words = text.split(maxsplit=2)
    if len(words) < 2:
        return False
    second = words[1].upper()
    if any(form.match(second) for form in (UNIT, CANNON, COMMANDER)) and words[0].isalpha():
        return True
    verb = verb_of(words[0])
    if verb == "CHOOSE":
        return words[0].isupper() or second in WISHES
    if verb in ("CARRY", "PASS", "CLEAR", "CHECK"):
        return False
    if (verb in ("CO", "PR") and second == ALL) or (verb == "MAP" and second in MAP_LAYERS):
        return True
    return verb in FORMS and (words[0].isupper() or ">" in text or any(map(str.isdigit, text)))


def _begins_with_unit(text: str) -> bool:
    """Return whether a line begins with what can be ordered, and says something of it. A commander's two letters are
    others' initials, too: they stand in capitals, or above a number."""
    found = _UNIT_FIRST.match(text)
    if found is None:
        return False
    if found["commander"] is None:
        return True
    said = text[found.end() :]
    return any(map(str.isalnum, said)) and (found[0].isupper() or any(map(str.isdigit, said)))


def _joined(text: str) -> list[str]:
    """Return the parts of a line of several, nothing for one of a single part, or of more than are looked at."""
    parts = [part for part in JOINT.split(text[: LONGEST + 1]) if part.strip(" .,;!")]
    return parts if len(parts) > 1 else []


def read_order(line: OrderLine) -> Order | Fault:
    """Read one line; a Fault names the place in it and what was perhaps meant."""
    text = line.text.split("#", 1)[0]
    if said := POLITELY.fullmatch(text.strip()):
        return CarryOut() if said[1] else Pass()
    if order := FRENCH.get(text.strip().rstrip(".,;! ").upper()):
        return order
    if (fault := _beforehand(line, text)) is not None:
        return fault
    try:
        read = read_whole(line)
    except Slip as slip:
        return _several(line, text) or _with_verb(slip.fault, line)
    # A line without blanks may be longer as it is written.
    return _too_long(line) if len(write_order(read)) > LONGEST else read


def _several(line: OrderLine, text: str) -> Fault | None:
    """Return the fault of a line into which several orders were put, with the lines that they should be; None where it
    is not just that."""
    parts = _joined(text)
    read = [read_order(OrderLine(line.number, part)) for part in parts]
    orders = [write_order(each) for each in read if not isinstance(each, Fault)]
    if not orders or len(orders) < len(parts):
        return None
    message = N_("each order stands on a line of its own, so none of these was taken; write them like this")
    place = Place(line.number, line.text.find(parts[1]) + 1)
    return Fault("several-orders", message, {"lines": tuple(orders)}, "unreadable", line.text.strip(), place)


def _with_verb(fault: Fault, line: OrderLine) -> Fault:
    """Return the fault of a line with what was perhaps meant by it, where it begins with what it is for."""
    found = _UNIT_FIRST.match(line.text.lstrip())
    if fault.code != "no-order" or found is None:
        return fault
    return replace(fault, suggestion=_meant_of_unit(line) or _form_for(found[0].upper()))


def _beforehand(line: OrderLine, text: str) -> Fault | None:
    """Return what is wrong with a line before any of it is read as an order. text: the line without its comment."""
    if len(line.text) > LONGEST:
        return _too_long(line)
    for column, sign in enumerate(text, start=1):
        if sign.isnumeric() and not sign.isascii():
            # A small 2 behind another digit is a power, or a note: whoever reads it as a digit reads another number.
            message = N_("{sign} is not read as a number; numbers are written with the digits 0 to 9")
            place = Place(line.number, column)
            return Fault("no-digit", message, {"sign": sign}, "unreadable", sign, place)
    if is_fragment(text.strip()):
        message = N_("this is the rest of an order; write it on the order's own line")
        place = Place(line.number, len(text) - len(text.lstrip()) + 1)
        meant = _meant_of_unit(line) if _begins_with_unit(text.strip()) else ""
        return Fault("rest-of-order", message, {}, "unreadable", text.strip(), place, meant)
    return None


def _too_long(line: OrderLine) -> Fault:
    message = N_("an order has at most {most} signs")
    excerpt = line.text.strip()[:40]
    return Fault("order-long", message, {"most": str(LONGEST)}, "unreadable", excerpt, Place(line.number, 1))


def _meant_of_unit(line: OrderLine) -> str:
    """Return what a line was perhaps meant as that begins with a unit, where the word for what that is to do belongs:
    with this word before it, or put before it from behind; "" where neither makes an order."""
    text = line.text.split("#", 1)[0].strip()
    found = _UNIT_FIRST.match(text)
    unit = found[0].upper() if found else ""
    behind = text[len(unit) :].strip(" :,.-")
    said, _, rest = behind.partition(" ")
    moved = next(iter(get_close_matches(said.upper(), [*FORMS, *LONG], 1, 0.7)), "") if said else ""
    likely = [f"{moved} {unit} {rest}"] if moved else []
    verbs = ("FI",) if CANNON.fullmatch(unit) else ("GO",) if COMMANDER.fullmatch(unit) else _OF_UNITS
    likely += [f"{verb} {unit} {behind}" for verb in verbs if behind]
    for each in likely:
        read = read_order(OrderLine(line.number, each))
        if not isinstance(read, Fault):
            return write_order(read)
    return ""


def _form_for(unit: str) -> str:
    """Return an order as one is written for this unit, commander or cannon."""
    form = FORMS["FI" if CANNON.fullmatch(unit) else "GO" if COMMANDER.fullmatch(unit) else "MV"]
    word, _, rest = form.split(" ", 2)
    return f"{word} {unit} {rest}"


_OF_UNITS = ("MV", "FM", "RL", "CO", "PR", "AT")
"""Words for what a unit is to do, the likeliest first."""
