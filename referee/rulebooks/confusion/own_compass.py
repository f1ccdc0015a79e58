"""Moves as a player sees them: `V-NW2 (FL)` shows both compasses, `V-FL2` uses the player's own.

F is forward, B backward, R and L are right and left of it (CF-1.2). The record uses its own compass alone:
what is written here is translated before it is read, and letters show it after each move to players who have
asked for it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from referee.common.faults import Fault
from referee.common.i18n import N_
from referee.rulebooks.confusion.compass import DIRECTIONS, WHITE, turned
from referee.rulebooks.confusion.notation import read_move, write_move
from referee.rulebooks.rulebook import Seat

OWN = ("F", "FR", "R", "BR", "B", "BL", "L", "FL")
"""The eight directions as their player sees them, clockwise from forward."""

_WORDS = {
    "FORWARD": "F",
    "FORWARDS": "F",
    "BACK": "B",
    "BACKWARD": "B",
    "BACKWARDS": "B",
    "LEFT": "L",
    "RIGHT": "R",
}
"""The direction that was probably meant by another word: suggested, never assumed."""

_SOUTHERN = dict(zip(DIRECTIONS, OWN, strict=True))
_NORTHERN = {turned(direction): own for direction, own in _SOUTHERN.items()}


def _seen(seat: Seat) -> Mapping[str, str]:
    """Return each compass direction as a seat sees it: White from the north, the other seat from the south."""
    return _NORTHERN if seat == WHITE else _SOUTHERN


def _meant(seat: Seat) -> Mapping[str, str]:
    return {own: direction for direction, own in _seen(seat).items()}


TOGETHER = " & "
"""The separator of two moves of one turn, in the edition that has such turns."""
_CANONICAL = re.compile(r"((?:\d+: )?[A-Z]Z?-)([NS][EW]?|[EW])(\d+[A-Zx>+]*)")
_ANYWHERE = re.compile(rf"(?<![\w-]){_CANONICAL.pattern}(?![\w-])")
_WRITTEN = re.compile(
    r"(?<![^\W_])(?P<thing>[^\W\d_](?: ?[Zz])?(?: ?[-‐‑–—−]+|(?<![-‐‑–—−].)(?<![-‐‑–—−] .)) ?)"
    r"(?P<own>[FfBb][RrLl]?|[RrLl])(?= ?-? ?\d{1,2}(?!\d))"
)
"""A move by the writer's own compass, anywhere in a line."""
_BESIDE = re.compile(
    r"(?P<move>[^\W\d_](?: ?[Zz])? ?[-‐‑–—−]+ ?(?P<direction>[NSns][EWew]?|[EWew]) ?\d{1,2}[^\s()]*)"
    r" ?\((?P<own>[FfBb][RrLl]?|[RrLl])\)"
)
"""A move by the record's compass followed by the player's own direction, as letters show it."""


def beside(order: str, seat: Seat) -> str:
    """Return a canonical move, or two of one turn, each followed by its direction as a seat sees it.

    Any other text is returned unchanged.
    """
    moves = [_CANONICAL.fullmatch(each) for each in order.split(TOGETHER)]
    if not all(moves):
        return order
    return TOGETHER.join(f"{move[0]} ({_seen(seat)[move[2]]})" for move in moves if move)


def to_own(order: str, seat: Seat) -> str:
    """Return a line whose canonical moves are replaced by those of a seat's own compass: `try V-FL2; if no V-F1`."""
    return _ANYWHERE.sub(lambda move: f"{move[1]}{_seen(seat)[move[2]]}{move[3]}", order)


def from_own(text: str, seat: Seat) -> str:
    """Return a line with its moves by the record's compass; moves that use it already stay unchanged.

    Nothing changes its position, since each direction has as many letters in both compasses. A correct
    direction in brackets, as in letters, is left out.
    """

    def meant(found: re.Match[str]) -> str:
        return found["thing"] + _meant(seat)[found["own"].upper()]

    def bare(found: re.Match[str]) -> str:
        right = _seen(seat)[found["direction"].upper()] == found["own"].upper()
        return found["move"] if right else found[0]

    return _BESIDE.sub(bare, _WRITTEN.sub(meant, text))


def one_move(text: str) -> str:
    """Return a move in canonical text, "" if it is not a move."""
    order = read_move(text)
    return "" if isinstance(order, Fault) else write_move(order)


def slip_as_seen(fault: Fault, text: str, seat: Seat, tidy: Callable[[str], str] = one_move) -> Fault:
    """Return the fault of an unknown direction worded for the player's own compass, if it is nearer to that one.

    Any other fault is returned unchanged.

    text: the order; the fault's column refers to it.
    tidy: returns an order in canonical text, "" if the text is not one.
    """
    if fault.code != "no-such-direction" or fault.place is None:
        return fault
    said = str(fault.facts["said"])
    word = re.sub(r"[^A-Z]", "", said.upper())
    if fault.suggestion and not set(word) & set("FBRL"):
        return fault  # a slip in the record's compass, which the writer may also use
    at = fault.place.column - 1
    before, behind = text[:at], text[at + len(said) :]
    if word in OWN:
        message = N_("the number of squares is missing after {direction}")
        meant = _if_readable(f"{before}{said}1{behind}", seat, tidy)
        return replace(fault, code="no-length", message=message, facts={"direction": word}, suggestion=meant)
    turned_round = word[::-1] if word[::-1] in OWN else ""
    near = turned_round or _WORDS.get(word) or next(iter(get_close_matches(word, OWN, 1, 0.5)), "")
    return replace(
        fault,
        message=N_("there is no direction {said}; as you see the board, the directions are {directions}"),
        facts={**fault.facts, "directions": " ".join(OWN)},
        suggestion=_if_readable(f"{before}{near}{behind}", seat, tidy) if near else "",
    )


def _if_readable(text: str, seat: Seat, tidy: Callable[[str], str]) -> str:
    """Return an order by the player's own compass, in capitals, if it can be read; else ""."""
    return to_own(tidy(from_own(text.strip(), seat)), seat)


def beside_all(shown: Any, seat: Seat) -> Any:
    """Return a template's values with every move in them treated by `beside`; without moves, the same object."""
    match shown:
        case str():
            return beside(shown, seat)
        case tuple() | list():
            made = [beside_all(each, seat) for each in shown]
            return shown if all(map(_is, made, shown)) else type(shown)(made)
        case Mapping():
            values = {key: beside_all(value, seat) for key, value in shown.items()}
            return shown if all(values[key] is value for key, value in shown.items()) else values
    if not dataclasses.is_dataclass(shown) or isinstance(shown, type):
        return shown
    changes = {}
    for each in dataclasses.fields(shown):
        value = getattr(shown, each.name)
        if (changed := beside_all(value, seat)) is not value:
            changes[each.name] = changed
    return dataclasses.replace(shown, **changes) if changes else shown


def _is(one: object, other: object) -> bool:
    return one is other
