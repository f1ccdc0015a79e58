"""The happenings of a game of spies, written and read.

Confusion's code writes what is the same: the beginning, the deals, attempts that were answered, the end. This
module alone decides who hears what: only the seat itself hears what it confides to the referee (CF-10.8).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.rulebooks.confusion import happenings as shared
from referee.rulebooks.confusion.compass import Square
from referee.rulebooks.confusion.position import Attempt, Deal
from referee.rulebooks.confusion.table import MovementTable
from referee.rulebooks.rulebook import Happening, Json, Result, Seat, other_seat
from referee.rulebooks.spies.edition import BOTH, SEATS, Variants, variants_from
from referee.rulebooks.spies.notation import read_action, read_move, write_order
from referee.rulebooks.spies.orders import Action, Answer, Instruct
from referee.rulebooks.spies.position import Sealed

BEGAN, DEALT, ENDED, REVEALED = shared.BEGAN, shared.DEALT, shared.ENDED, shared.REVEALED
ATTEMPTED, PASSED = shared.ATTEMPTED, shared.PASSED
SEALED = "sealed"
LAPSED = "lapsed"
UNMASKED = "unmasked"
SET_UP = "set-up"
ANSWERING = "answering"
INSTRUCTED = "instructed"
INTENDED = "intended"
SHOWN = "shown"
PLACED = "placed"

CONFIDED = frozenset((ANSWERING, INSTRUCTED, INTENDED, SHOWN, PLACED))
"""What is heard by one seat alone."""


def began(
    first: Seat, table: MovementTable, variants: Variants, options: Mapping[str, str], *, deal_set: bool
) -> Happening:
    """The game began. options: those of the game, without the deal."""
    said = shared.began(first, table, options, deal_set=deal_set)
    return replace(said, heard_by=BOTH, facts={**said.facts, "variants": variants.plain()}, rule="CF-10.1")


def read_began(happening: Happening) -> tuple[Seat, MovementTable, Variants]:
    """Return the seat with the first turn, the movement table, and the variants."""
    first, table = shared.read_began(happening)
    return first, table, variants_from(happening.facts["variants"])


def dealt(seat: Seat, deal: Deal) -> Happening:
    """A side's types were dealt; only the other side sees them (CF-3.2)."""
    return Happening(
        DEALT, frozenset((other_seat(SEATS, seat),)), {"seat": seat, "types": dict(deal)}, "CF-3.1"
    )


def placed(seat: Seat, squares: Mapping[str, Square]) -> Happening:
    """A side was set up, and the other is not yet; nobody else hears of it (CF-10.11). squares: of the board."""
    return Happening(
        PLACED, frozenset((seat,)), {"seat": seat, "squares": _plain_squares(squares)}, "CF-10.11"
    )


def set_up(squares: Mapping[Seat, Mapping[str, Square]]) -> Happening:
    """Both sides are set up, and see each other (CF-10.11)."""
    facts = {"squares": {str(seat): _plain_squares(squares[seat]) for seat in SEATS}}
    return Happening(SET_UP, BOTH, facts, "CF-10.11")


def read_placed(happening: Happening) -> tuple[Seat, dict[str, Square]]:
    """Return the seat that was set up, and the squares of its spies."""
    return Seat(happening.facts["seat"]), _squares(happening.facts["squares"])


def read_set_up(happening: Happening) -> dict[Seat, dict[str, Square]]:
    """Return the squares of both sides."""
    return {Seat(seat): _squares(squares) for seat, squares in happening.facts["squares"].items()}


def answering(seat: Seat, answer: Answer) -> Happening:
    """A seat gave its answer to the attempt of the other side's double agent (CF-10.3)."""
    facts = {"seat": seat, "allow": answer.allow, "takes_z": answer.takes_z}
    return Happening(ANSWERING, frozenset((seat,)), facts, "CF-10.3")


def read_answering(happening: Happening) -> tuple[Seat, Answer]:
    """Return the seat and its answer."""
    facts = happening.facts
    return Seat(facts["seat"]), Answer(facts["allow"], facts["takes_z"])


def instructed(seat: Seat, instruction: Instruct) -> Happening:
    """A seat said how its opponent's double agent is answered from now on (CF-10.8)."""
    facts = {"seat": seat, "how": instruction.how, "number": instruction.number}
    return Happening(INSTRUCTED, frozenset((seat,)), facts, "CF-10.8")


def read_instructed(happening: Happening) -> tuple[Seat, Instruct]:
    """Return the seat and its instruction."""
    return Seat(happening.facts["seat"]), Instruct(happening.facts["how"], happening.facts["number"])


def intended(seat: Seat, action: Action) -> Happening:
    """A seat wants an action done before its move; it takes effect with the move (CF-10.4, CF-10.5, CF-10.9)."""
    facts = {"seat": seat, "action": write_order(action)}
    return Happening(INTENDED, frozenset((seat,)), facts, rule_of(action))


def read_intended(happening: Happening) -> tuple[Seat, Action]:
    """Return the seat and the action."""
    return Seat(happening.facts["seat"]), read_action(happening.facts["action"])


def shown(seat: Seat, letter: str, number: int) -> Happening:
    """A seat was shown one of its own spies (CF-10.9). number: of its type, 13 for the double agent."""
    return Happening(SHOWN, frozenset((seat,)), {"seat": seat, "letter": letter, "number": number}, "CF-10.9")


def read_shown(happening: Happening) -> tuple[Seat, str, int]:
    """Return the seat, the spy that it was shown, and its type."""
    return Seat(happening.facts["seat"]), happening.facts["letter"], happening.facts["number"]


def sealed(turn: Sealed) -> Happening:
    """A turn was ordered; its action is done, and its move waits for the answer (CF-10.8)."""
    facts = {
        "row": turn.row,
        "seat": turn.seat,
        "action": write_order(turn.action) if turn.action else None,
        "tries": [write_order(move) for move in turn.tries],
    }
    return Happening(SEALED, BOTH, facts, rule_of(turn.action) if turn.action else "CF-10.8")


def read_sealed(happening: Happening) -> Sealed:
    """Return the turn that waits."""
    facts = happening.facts
    return Sealed(
        facts["row"],
        Seat(facts["seat"]),
        read_action(facts["action"]) if facts["action"] else None,
        tuple(map(read_move, facts["tries"])),
    )


def attempted(attempt: Attempt) -> Happening:
    """An attempt was answered."""
    return replace(shared.attempted(attempt), heard_by=BOTH)


def passed(row: int, seat: Seat) -> Happening:
    """A player had no possible attempt and passed (CF-11.3)."""
    return replace(shared.passed(row, seat), heard_by=BOTH)


def lapsed(row: int, seat: Seat, text: str) -> Happening:
    """The second of two attempts was made impossible by the first (CF-10.9). text: canonical."""
    return Happening(LAPSED, BOTH, {"row": row, "seat": seat, "text": text}, "CF-10.9")


def unmasked(row: int, seat: Seat, letter: str, taken_by: str | None) -> Happening:
    """A double agent accepted promotion, and is removed (CF-10.11).

    seat: its owner.
    taken_by: the opponent's spy that takes the briefcase, None for none.
    """
    facts = {"row": row, "seat": seat, "letter": letter, "taken_by": taken_by}
    return Happening(UNMASKED, BOTH, facts, "CF-10.11")


def read_unmasked(happening: Happening) -> tuple[Seat, str, str | None]:
    """Return the double agent's owner, its letter, and the spy that took the briefcase."""
    return Seat(happening.facts["seat"]), happening.facts["letter"], happening.facts["taken_by"]


def ended(result: Result, rule: str) -> Happening:
    """The game ended."""
    return replace(shared.ended(result, rule), heard_by=BOTH)


def revealed(deals: Mapping[Seat, Deal]) -> Happening:
    """All types were shown to both (CF-3.3, CF-6.3)."""
    types = {seat: dict(deals[seat]) for seat in SEATS if seat in deals}
    return Happening(REVEALED, BOTH, {"types": types}, "CF-6.3")


def rule_of(action: Action) -> str:
    """Return the id of the rule that an action follows."""
    return {"Eliminate": "CF-10.4", "Unmask": "CF-10.5"}.get(type(action).__name__, "CF-10.9")


def _plain_squares(squares: Mapping[str, Square]) -> Json:
    return {letter: list(square) for letter, square in squares.items()}


def _squares(plain: Json) -> dict[str, Square]:
    return {letter: (square[0], square[1]) for letter, square in plain.items()}
