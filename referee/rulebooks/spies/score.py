"""Reads a cell of a record in this edition: the action before the move, then the attempts with their answers.

`#H V-N1`, `?H (V-N1)`, `A<>H V-N1`, `V-N1 & [H-E1]`, `V-N1+?>A`; unanswered parts are in square brackets.
"""

from __future__ import annotations

import re

from referee.common.faults import Fault
from referee.rulebooks.confusion.notation import read_move, read_move_before_notes
from referee.rulebooks.confusion.score import LONGEST_CELL, Cell, Layout, Tried
from referee.rulebooks.spies.edition import LETTERS, Variants
from referee.rulebooks.spies.likeness import looks_like_order
from referee.rulebooks.spies.options import SEAT_WORDS
from referee.rulebooks.spies.record import OWN_KEYS

_LETTER = r"[^\W\d_]"
_ACTION = re.compile(
    rf"(?:#[xX×](?P<unmasked>{_LETTER})|#\s?(?P<removed>{_LETTER})|\?\s?(?P<shown>{_LETTER})"
    rf"|(?P<one>{_LETTER})\s?<\s?>\s?(?P<other>{_LETTER}))(?:\s(?!\s)|(?=[(\[])|\s*$)"
)
_REFUSED = re.compile(rf"\(([^()\t]{{0,{LONGEST_CELL}}})\)")
_UNANSWERED = re.compile(rf"\[([^\[\]\t]{{0,{LONGEST_CELL}}})\]")
_UNMASKED = re.compile(rf"\?(?:\s?>\s?(?P<taken_by>{_LETTER}))?")
_AND = re.compile(r"\s?&\s?")
_PASS = re.compile(r"pass[e]?\b", re.IGNORECASE)
_GAP = re.compile(r"\s{2,}|\t")


class _Slip(Exception):
    """The text at a position is no part of a turn. end: of the unreadable text."""

    def __init__(self, fault: Fault, end: int) -> None:
        super().__init__(fault.code)
        self.fault = fault
        self.end = end


def turn_at(text: str, column: int) -> tuple[Cell, int]:
    """Return the turn at the beginning of a text, which notes may follow, and its end."""
    try:
        action, place = _action_at(text)
        rest = text[place:]
        if found := _PASS.match(rest):
            end = place + found.end()
            return Cell(text[:end], column, action=action, passes=True), end
        if (found := _UNANSWERED.match(rest)) and _PASS.fullmatch(found[1].strip()):
            end = place + found.end()
            return Cell(text[:end], column, action=action, passes=True, unanswered=True), end
        tried, place = _tried_at(text, place)
        tries = [tried]
        if joint := _AND.match(text, place):
            tried, place = _tried_at(text, joint.end())
            tries.append(tried)
    except _Slip as slip:
        return Cell(text[: slip.end].rstrip(), column, fault=slip.fault), slip.end
    return Cell(text[:place], column, tuple(tries), action), place


def _action_at(text: str) -> tuple[str, int]:
    """Return the action before a move in canonical text, and the position after it; "" for none."""
    found = _ACTION.match(text)
    if found is None:
        return "", 0
    letters = [letter.upper() for letter in found.groups() if letter]
    for letter in letters:
        if letter not in LETTERS:
            reason = f"there is no piece {letter}; the letters are {' '.join(LETTERS)}"
            raise _Slip(Fault("no-such-letter", reason, rule="CF-1.3"), found.end())
    if found["unmasked"]:
        action = f"#x{letters[0]}"
    elif found["removed"]:
        action = f"#{letters[0]}"
    elif found["shown"]:
        action = f"?{letters[0]}"
    else:
        action = "<>".join(sorted(letters))
    return action, found.end()


def _tried_at(text: str, place: int) -> tuple[Tried, int]:
    """Return the attempt at a position, and the position after it."""
    rest = text[place:]
    for pattern in (_REFUSED, _UNANSWERED):
        if found := pattern.match(rest):
            move = read_move(found[1], letters=LETTERS)
            if isinstance(move, Fault):
                raise _Slip(move, place + found.end())
            refused = pattern is _REFUSED
            return Tried(move, refused=refused, unanswered=not refused), place + found.end()
    near = _GAP.split(rest, maxsplit=1)[0]  # what follows is no tail, though it may begin with the letter X
    if (read := read_move_before_notes(near[:LONGEST_CELL], LETTERS)) is None:
        if place and not near.strip():
            raise _Slip(Fault("record", "behind this an attempt is missing"), place)
        whole = read_move(near[:LONGEST_CELL], letters=LETTERS)
        if isinstance(whole, Fault):
            raise _Slip(whole, place + len(near))
        return Tried(whole), place + len(near)
    move, end = read
    if move.promotes and (found := _UNMASKED.match(rest, end)):
        taken_by = (found["taken_by"] or "").upper()
        return Tried(move, unmasked=True, taken_by=taken_by), place + found.end()
    return Tried(move), place + end


LAYOUT = Layout(
    Variants().edition,
    SEAT_WORDS,
    tuple(key.lower() for key in OWN_KEYS),
    turn_at,
    looks_like_order,
)
"""The layout of this edition. The variants determine the letters and files."""
