"""The head of a record: scenario, edition, decks and proof, and how the battle begins by them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.options import (
    DEAL,
    FIRST,
    HOW_FIRST,
    SCENARIO,
    check_options,
    find_scenario,
    opening,
)
from referee.rulebooks.cards.record_text.layout import Mismatch, side_in
from referee.rulebooks.cards.record_text.record import OPTIONS
from referee.rulebooks.cards.scenarios.scenario import Scenario, given_scenarios, read_scenario
from referee.rulebooks.cards.switches import CUSTOM, EDITION, Switches, read_switches
from referee.rulebooks.record_ends import read_how
from referee.rulebooks.rulebook import Happening, Result, Seat

NO_SECRET = bytes(32)
_END = re.compile(r"(?:(?P<side>[^\W\d]+)\s+wins?|(?P<draw>draw)|no\s+result)\b(?P<how>.*)", re.IGNORECASE)
_UNFINISHED = ("", "*", "-", "unfinished", "open")


@dataclass(frozen=True)
class Beginning:
    """What a record's head says. secret: None where it is not published. first: who moves first, None where it does
    not say. result: of the head; None where it has none."""

    happenings: tuple[Happening, ...]
    first: Seat | None
    secret: bytes | None = field(repr=False)
    result: Result | None


def read_beginning(head: Mapping[str, str], table: str | None, *, how_first: str) -> Beginning:
    """Return how the battle of a record begins. head: keys in small letters. Raises Mismatch, with row 0.

    table: the text of the scenario's file, where it is none of those given. how_first: how who is first was settled, as
    row 0 says it: "set", "lot" or "cut"; "" where it does not say yet.
    """
    options = {key: head[key].strip() for key in OPTIONS if key in head}
    first = _side_at(head, "first")
    options[SCENARIO] = _scenario(head, table)
    if how_first not in HOW_FIRST and first is not None:
        options[FIRST] = str(first)
    elif how_first in HOW_FIRST and options.get(EDITION) == CUSTOM and how_first != _how_first(options):
        # Of an edition of one's own the rows alone say how, where its base has it otherwise; the head says the side.
        options[FIRST] = how_first
    if deal := _deal(head):
        options[DEAL] = deal
    for fault in check_options(options):
        raise Mismatch(0, None, _line_of(head, fault), fault.reason())
    secret = _secret(head)
    happenings = opening(options, Chance(secret or NO_SECRET))
    return Beginning(happenings, first, secret, _result(head))


def _how_first(options: Mapping[str, str]) -> str | None:
    """Return how the edition settles who is first; None for options that cannot be played."""
    scenario = find_scenario(options)
    switches = read_switches(options, scenario.edition) if isinstance(scenario, Scenario) else None
    return switches.first if isinstance(switches, Switches) else None


def _line_of(head: Mapping[str, str], fault: Fault) -> str:
    """Return the line of the head that a fault of the options is about."""
    key = fault.excerpt.partition("=")[0].lower()
    return f"{key.capitalize()} = {head[key]}" if key in head else fault.excerpt.partition("\n")[0]


def _side_at(head: Mapping[str, str], key: str) -> Seat | None:
    said = head.get(key)
    if said is None:
        return None
    side = side_in(said)
    if side is None:
        reason = f"{key.capitalize()} is Red or Blue, not {said or 'nothing'}"
        raise Mismatch(0, None, f"{key.capitalize()} = {said}", reason)
    return side


def _scenario(head: Mapping[str, str], table: str | None) -> str:
    """Return the name of the scenario, or the text of its file: given with the record, or among its options."""
    name = head.get("scenario", "").strip()
    for text in (table, _in_options(head)):
        scenario = read_scenario(text) if text is not None and "\n" in text else None
        if isinstance(scenario, Scenario) and scenario.id == name:
            return str(text)
    if name.lower() in given_scenarios():
        return name.lower()
    text = f"Scenario = {name}" if "scenario" in head else ""
    if not name:
        raise Mismatch(0, None, text, "the record has no line `Scenario = …` with the id of its scenario")
    known = ", ".join(given_scenarios())
    reason = f"the scenario {name} is none of those given ({known}); give its file as the table"
    raise Mismatch(0, None, text, reason)


def _in_options(head: Mapping[str, str]) -> str | None:
    """Return the scenario that the options of the proof hold, None where they hold none."""
    try:
        options = json.loads(head.get("options", ""))
    except (ValueError, RecursionError):
        return None
    said = options.get(SCENARIO) if isinstance(options, dict) else None
    return said if isinstance(said, str) else None


def _deal(head: Mapping[str, str]) -> str:
    """Return the decks that were set; the head has a line for each, and its proof may have one for both."""
    if own := "; ".join(f"{side.capitalize()}={head[side]}" for side in SIDES if side in head):
        return own
    return head.get("deal", "")


def _secret(head: Mapping[str, str]) -> bytes | None:
    said = head.get("secret")
    if said is None:
        return None
    if not re.fullmatch("[0-9a-f]{64}", said):
        raise Mismatch(0, None, f"Secret = {said}", "64 digits of 0-9 and a-f are expected")
    return bytes.fromhex(said)


def _result(head: Mapping[str, str]) -> Result | None:
    said = head.get("result", "").split(";", 1)[0].strip()
    if said.lower() in _UNFINISHED:
        return None
    found = _END.fullmatch(said)
    side = side_in(found["side"]) if found and found["side"] else None
    how = read_how(found["how"]) if found else None
    if found is None or how is None or (found["side"] and side is None):
        reason = "a result is written as in `Red wins: by three objectives` or `Draw: by agreement`"
        raise Mismatch(0, None, f"Result = {said}", reason)
    return Result(side, how, side is None and not found["draw"])
