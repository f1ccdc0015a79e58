"""The happenings of a game of Confusion, written and read.

Facts are plain data (squares are [file, rank]). This module alone decides who hears what: everything on the
board is heard by both (CF-3.4), a deal by the opponent alone (CF-3.2), both deals at the end (CF-6.3).
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.rulebooks.confusion.compass import WHITE, YELLOW, Square, opponent
from referee.rulebooks.confusion.position import Attempt, Deal
from referee.rulebooks.confusion.table import MovementTable, table_from
from referee.rulebooks.rulebook import Happening, Json, Result, Seat

BEGAN = "began"
DEALT = "dealt"
ATTEMPTED = "attempted"
PASSED = "passed"
ENDED = "ended"
REVEALED = "revealed"

BOTH = frozenset((WHITE, YELLOW))
PASS = "pass"  # noqa: S105  (a turn passed, no password)
"""The record's text where a player had no possible attempt (CF-11.3)."""


def began(first: Seat, table: MovementTable, options: Mapping[str, str], *, deal_set: bool) -> Happening:
    """The game began. options: those of the game, without the deal. deal_set: an umpire set the deal."""
    facts = {
        "first": first,
        "table": table.plain(),
        "table_name": table.name,
        "options": dict(options),
        "deal_set": deal_set,
    }
    return Happening(BEGAN, BOTH, facts, "CF-3.5")


def read_began(happening: Happening) -> tuple[Seat, MovementTable]:
    """Return the seat with the first turn, and the table of this game."""
    return Seat(happening.facts["first"]), table_from(happening.facts["table"])


def played_with_sheets(happening: Happening) -> bool:
    """Return whether the game is played with deduction sheets: yes, unless an option says off."""
    return bool(happening.facts["options"].get("sheets", "on") != "off")


def dealt(seat: Seat, deal: Deal) -> Happening:
    """A side's types were dealt; only the other side sees them (CF-3.2)."""
    return Happening(DEALT, frozenset((opponent(seat),)), {"seat": seat, "types": dict(deal)}, "CF-3.1")


def read_dealt(happening: Happening) -> tuple[Seat, Deal]:
    """Return the seat and its deal."""
    return Seat(happening.facts["seat"]), dict(happening.facts["types"])


def attempted(attempt: Attempt) -> Happening:
    """An attempt was made and answered, or a turn was passed because nothing could be tried."""
    facts = {
        "row": attempt.row,
        "seat": attempt.seat,
        "text": attempt.text,
        "answer": attempt.answer,
        "letter": attempt.letter,
        "with_z": attempt.with_z,
        "passes_z": attempt.passes_z,
        "start": _plain(attempt.start),
        "end": _plain(attempt.end),
        "captured": attempt.captured,
        "took_z": attempt.took_z,
        "passed_to": attempt.passed_to,
        "passed_seat": attempt.passed_seat,
        "promoted": attempt.promoted,
    }
    return Happening(ATTEMPTED, BOTH, facts, "CF-5.3" if attempt.with_z or attempt.passes_z else "CF-4.1")


def passed(row: int, seat: Seat) -> Happening:
    """A player had no possible attempt and passed (CF-11.3)."""
    return Happening(PASSED, BOTH, {"row": row, "seat": seat}, "CF-11.3")


def read_attempt(happening: Happening) -> Attempt:
    """Return the attempt of an `attempted` or `passed` happening."""
    facts = happening.facts
    if happening.code == PASSED:
        return Attempt(facts["row"], Seat(facts["seat"]), PASS, answer=False)
    return Attempt(
        row=facts["row"],
        seat=Seat(facts["seat"]),
        text=facts["text"],
        answer=facts["answer"],
        start=_square(facts["start"]),
        end=_square(facts["end"]),
        captured=facts["captured"],
        took_z=facts["took_z"],
        passed_to=facts["passed_to"],
        passed_seat=Seat(facts["passed_seat"]) if facts["passed_seat"] else None,
        promoted=facts["promoted"],
        letter=facts["letter"],
        with_z=facts["with_z"],
        passes_z=facts["passes_z"],
    )


def order_and_answer(happening: Happening) -> dict[str, str]:
    """Return the order and the answer of an `attempted` or `passed` happening; see answer_of."""
    if happening.code == PASSED:
        return {"order": PASS, "answer": "pass"}
    facts = happening.facts
    return {"order": facts["text"], "answer": "yes" if facts["answer"] else "no"}


def answer_of(attempt: Attempt) -> str:
    """Return the answer to an attempt: "yes" or "no"; "pass" for a turn without one."""
    if attempt.text == PASS:
        return "pass"
    return "yes" if attempt.answer else "no"


def ended(result: Result, rule: str) -> Happening:
    """The game ended."""
    return Happening(ENDED, BOTH, result.plain(), rule)


def read_ended(happening: Happening) -> Result:
    """Return how the game ended."""
    winner = happening.facts["winner"]
    return Result(
        Seat(winner) if winner else None, happening.facts["how"], happening.facts.get("void", False)
    )


def revealed(deals: Mapping[Seat, Deal]) -> Happening:
    """All types were shown to both (CF-3.3, CF-6.3)."""
    types = {seat: dict(deals[seat]) for seat in (WHITE, YELLOW) if seat in deals}
    return Happening(REVEALED, BOTH, {"types": types}, "CF-6.3")


def read_revealed(happening: Happening) -> Mapping[Seat, Deal]:
    """Return the deals that were shown."""
    return {Seat(seat): dict(types) for seat, types in happening.facts["types"].items()}


def _plain(square: Square | None) -> Json:
    return list(square) if square else None


def _square(plain: Json) -> Square | None:
    return (plain[0], plain[1]) if plain else None
