"""Games of spies in the states that letters tell of, and reports about them to either side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from referee.reports.report import GameFace, Report
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.rulebook import OBSERVER, Happening, Result, Seat, heard_by_all
from referee.rulebooks.spies.adjudicate import conclude
from referee.rulebooks.spies.edition import RED, SEATS, Variants
from referee.rulebooks.spies.rulebook import Spies
from tests.reports.material import COMMITMENT, RECEIPT, SENT, reader
from tests.rulebooks.spies.tables import ALL_TOKENS, after, folded, opened, say

SPIES = Spies()
SET_UP = "setup A3-2 C4-2 E5-2 H7-2 K8-2 L9-2 N3-1 O4-1 P5-1 S7-1 T8-1 V9-1 X6-1"


@dataclass(frozen=True, slots=True)
class State:
    """A game as far as it went. new: so many happenings at its end are news to whoever hears them."""

    happenings: tuple[Happening, ...]
    new: int


def game(
    variants: Variants, *turns: tuple[Seat, str], deals: Any = None, ends: Result | None = None
) -> State:
    """Play a game from its beginning. turns: seats with their lines, with semicolons between; the last is news."""
    happenings = opened(variants, deals=deals)
    where, new = folded(happenings), len(happenings)
    for seat, lines in turns:
        where, found = say(where, *(line.strip() for line in lines.split(";")), seat=seat)
        happenings, new = [*happenings, *found], len(found)
    if ends is not None:
        found = list(conclude(where, ends))
        happenings, new = [*happenings, *found], len(found)
        after(where, found)
    return State(tuple(happenings), new)


RESIGNED = Result(WHITE, "by resignation")


@cache
def states() -> dict[str, State]:
    """Return a game in each state that letters tell of otherwise than of the others."""
    plain, tokens = Variants(), Variants(tokens=ALL_TOKENS)
    small, comrade = Variants(small_world=True), Variants(comrade=True)
    arranged = Variants(variable_setup=True)
    # White's A is the Rocket, which goes straight ahead alone: its attempts to go aside are always refused.
    promoting = (
        *((RED, "X-N1"), (WHITE, "agent always; A-E1"), (RED, "X-N1"), (WHITE, "A-E1"), (RED, "X-NE2")),
        *((WHITE, "A-E1"), (RED, "X-NE2"), (WHITE, "A-E1"), (RED, "X-N3"), (WHITE, "allow; agent ask; A-E1")),
        (RED, "X-N1+"),
    )
    return {
        "begins": game(plain),
        "sealed": game(plain, (RED, "L-N1")),
        "asked": game(plain, (RED, "X-N1")),
        "answer confided": game(plain, (RED, "X-N1"), (WHITE, "allow")),
        "answered by instruction": game(plain, (RED, "X-N1"), (WHITE, "agent never")),
        "action confided": game(plain, (RED, "L-N1"), (WHITE, "#A")),
        "a round": game(plain, (RED, "L-N1"), (WHITE, "#A; L-S1"), (RED, "#xX; L-N1"), (WHITE, "C-S1")),
        "tokens": game(tokens, (RED, "A<>C; L-N1"), (WHITE, "?V"), (WHITE, "C-S1"), (RED, "E-N1 & H-NE1")),
        "tokens told": game(
            tokens, (RED, "A<>C; L-N1"), (WHITE, "?V; C-S1"), (RED, "L-N1 & K-E2"), (WHITE, "E-S1")
        ),
        "small world": game(small, (RED, "L-N1"), (WHITE, "L-S1")),
        "arranging": game(arranged),
        "one arranged": game(arranged, (RED, SET_UP)),
        "arranged": game(arranged, (RED, SET_UP), (WHITE, SET_UP)),
        "comrade asked": game(comrade, *promoting),
        "comrade unmasked": game(comrade, *promoting, (WHITE, "allow; A-E1")),
        "honour": game(Variants(code_of_honour=True, late_contact=True), (RED, "L-N1"), (WHITE, "L-S1")),
        "over": game(plain, (RED, "L-N1"), (WHITE, "#A; L-S1"), ends=RESIGNED),
    }


def report(state: State, seat: Seat, **changes: Any) -> Report:
    """Return a report to a seat, or to somebody who watches."""
    position = folded(state.happenings)
    before = state.happenings[: len(state.happenings) - state.new]
    face: dict[str, Any] = {
        "number": 17,
        "title": "Confusion: Spies 17: Anna - Bert",
        "rulebook": SPIES,
        "names": {WHITE: "Bert", RED: "Anna"},
        "commitment": COMMITMENT,
        "receipt": RECEIPT,
    }
    result = SPIES.rules.result(position)
    facts: dict[str, Any] = {
        "kind": "result" if result else "report",
        "reader": reader(),
        "sent": SENT,
        "service": "Referee",
        "address": "referee@example.org",
        "game": GameFace(**face),
        "seat": seat,
        "number": 9,
        "news": "your move 31",
        "heard": heard(state.happenings, seat),
        "told": len(heard(before, seat)),
        "due": SPIES.rules.due(position),
        "result": result,
    }
    return Report(**(facts | changes))


def heard(happenings: Sequence[Happening], seat: Seat) -> tuple[Happening, ...]:
    """Return what a seat has heard of these, or somebody who watches."""
    if seat == OBSERVER:
        return tuple(heard_by_all(happenings, SEATS))
    return tuple(each for each in happenings if seat in each.heard_by)
