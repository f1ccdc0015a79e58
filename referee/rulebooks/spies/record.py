"""Writes the record file: a game in the book's notation, with this edition's additions. `replay` reads it.

A cell is written when its turn is ordered, in square brackets until it is answered (CF-10.8). What a player
confides to the referee is in no record; what they were shown of their own spies is in their own record, and
at the end follows from the deals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from referee.rulebooks.branches import TAKEN_BACK, read_taken_back
from referee.rulebooks.confusion import record as shared
from referee.rulebooks.confusion.compass import Square
from referee.rulebooks.confusion.happenings import PASS, read_attempt
from referee.rulebooks.confusion.notation import write_move
from referee.rulebooks.confusion.options import write_deal
from referee.rulebooks.confusion.record import (
    VIEW,
    Part,
    deals_in,
    further_lines,
    seen_from,
    viewer_in,
    write_parts,
    write_result,
)
from referee.rulebooks.rulebook import Happening, Seat
from referee.rulebooks.spies.edition import SEATS, TOKENS, Variants
from referee.rulebooks.spies.fold import COURSE
from referee.rulebooks.spies.happenings import (
    ATTEMPTED,
    LAPSED,
    PASSED,
    PLACED,
    SEALED,
    SET_UP,
    SHOWN,
    UNMASKED,
    read_placed,
    read_sealed,
    read_set_up,
    read_shown,
    read_unmasked,
)
from referee.rulebooks.spies.notation import write_order
from referee.rulebooks.spies.options import VARIANTS
from referee.rulebooks.spies.orders import SetUp
from referee.rulebooks.spies.position import Sealed, Table
from referee.rulebooks.spies.setting_up import on_the_board, write_set_up

PLAYED_WITH, TOKENS_OF, SET_UP_OF, SHOWN_TO = "Variants", "Tokens", "SetUp", "Shown"
"""Lines of the head that only this edition has; the last three follow the name of a seat, as in `WhiteTokens`."""
OWN_KEYS = (
    *("White", "Red", "First", "Table", PLAYED_WITH, VIEW, "Result"),
    *(f"{seat.capitalize()}{key}" for seat in SEATS for key in (TOKENS_OF, SET_UP_OF, SHOWN_TO)),
)
"""Lines of the head that the game itself fills in."""


def write_record(happenings: Sequence[Happening], head: Mapping[str, str]) -> str:
    """Return the record of the game of these happenings.

    head: further lines; `View` = White turns the compass (CF-8.4).

    What is not among the happenings is left out: a seat's record before the end lacks its own deal, and of
    its own spies it has only those types that it was shown.
    """
    if not happenings:
        raise ValueError("a record needs a game that began")
    _, tables = COURSE.along(happenings)
    table = tables[-1]
    viewer = viewer_in(head, table.board.edition)
    lines = [
        f"; Spies. Directions are {viewer.capitalize()}'s. A cell '-' is empty; ( ) is a refused attempt, "
        "[ ] one without an answer.",
        *(f"{key:<6} = {value}" for key, value in _head(happenings, table, viewer)),
        *further_lines(head, OWN_KEYS),
        *write_parts(_parts(happenings, tables, viewer), table.board.edition),
    ]
    return "\n".join(lines) + "\n"


def _head(happenings: Sequence[Happening], table: Table, viewer: Seat) -> list[tuple[str, str]]:
    """Return the lines of the head that the game itself fills in, as keys and values."""
    board, variants = table.board, table.variants
    deals, squares, shown = deals_in(happenings), _set_ups(happenings), _shown(happenings)
    lines = [(seat.capitalize(), write_deal(deals[seat], board.edition)) for seat in SEATS if seat in deals]
    lines += [("First", board.first.capitalize()), ("Table", board.table.name)]
    if named := write_variants(variants):
        lines.append((PLAYED_WITH, named))
    for seat in SEATS:
        whose = seat.capitalize()
        if tokens := [each for each in TOKENS if each in variants.tokens.get(seat, ())]:
            lines.append((whose + TOKENS_OF, " ".join(tokens)))
        if seat in squares:
            lines.append((whose + SET_UP_OF, squares[seat]))
        if seat in shown and seat not in deals:
            lines.append((whose + SHOWN_TO, write_deal(shown[seat], board.edition)))
    lines.append((VIEW, viewer.capitalize()))
    if board.result is not None:
        lines.append(("Result", write_result(board.result)))
    return lines


def write_variants(variants: Variants) -> str:
    """Return the variants of a game, without the tokens: `small-world comrade`."""
    return " ".join(name for name, key in VARIANTS.items() if getattr(variants, key))


def _shown(happenings: Sequence[Happening]) -> dict[Seat, dict[str, int]]:
    """Return which of their own spies players were shown, in turns that count and are closed."""
    found: dict[Seat, dict[str, int]] = {}
    waiting: dict[Seat, tuple[str, int]] = {}
    for happening in COURSE.standing(happenings):
        if happening.code == SHOWN:
            seat, letter, number = read_shown(happening)
            waiting[seat] = (letter, number)
        elif happening.code == SEALED and (turn := read_sealed(happening)).seat in waiting:
            letter, number = waiting.pop(turn.seat)
            found.setdefault(turn.seat, {})[letter] = number
    return found


def _set_ups(happenings: Sequence[Happening]) -> dict[Seat, str]:
    """Return the set-ups by players, as they see them (CF-10.11)."""
    squares: dict[Seat, dict[str, Square]] = {}
    for happening in COURSE.standing(happenings):
        if happening.code == PLACED:
            seat, stands = read_placed(happening)
            squares[seat] = stands
        elif happening.code == SET_UP:
            squares.update(read_set_up(happening))
    return {seat: _write_squares(seat, stands) for seat, stands in squares.items()}


@dataclass
class _Told:
    """A turn, and the happenings of its answers so far."""

    turn: Sealed
    heard: list[Happening] = field(default_factory=list)

    def cell(self, viewer: Seat, table: Table) -> str:
        """Return the turn's cell in the record."""
        edition = table.board.edition
        said: list[str] = []
        for happening in self.heard:
            if happening.code == UNMASKED:
                taken_by = read_unmasked(happening)[2]
                said[-1] += f"?>{taken_by}" if taken_by else "?"
            elif happening.code == LAPSED:
                said.append(f"[{seen_from(viewer, happening.facts['text'], edition)}]")
            else:
                attempt = read_attempt(happening)
                text = PASS if attempt.text == PASS else seen_from(viewer, attempt.text, edition)
                said.append(text if attempt.answer or text == PASS else f"({text})")
        if not self.turn.tries and not said:
            said = [f"[{PASS}]"]
        said += [f"[{seen_from(viewer, write_move(move), edition)}]" for move in self.turn.tries[len(said) :]]
        attempts = " & ".join(said)
        return f"{write_order(self.turn.action)} {attempts}" if self.turn.action else attempts


def _parts(happenings: Sequence[Happening], tables: Sequence[Table], viewer: Seat) -> list[Part]:
    """Return the parts of a record. tables: after each of the happenings.

    A take-back seals the turn before it again, so that turn is repeated in the next part, since its answer
    may differ (CF-10.3).
    """
    parts: list[Part] = []
    row, seat = 1, tables[0].board.first
    turns: list[_Told] = []
    for happening, table in zip(happenings, tables, strict=True):
        match happening.code:
            case c if c == SEALED:
                turns.append(_Told(read_sealed(happening)))
            case c if c in (ATTEMPTED, PASSED, LAPSED, UNMASKED):
                turns[-1].heard.append(happening)
            case c if c == TAKEN_BACK:
                back = read_taken_back(happening)
                cells = tuple(told.cell(viewer, table) for told in turns)
                parts.append(Part(row, seat, cells, back=back))
                turns = [_Told(table.sealed)] if table.sealed else []
                row, seat = (table.sealed.row, table.sealed.seat) if table.sealed else (back.turn, back.seat)
    last = tables[-1]
    parts.append(Part(row, seat, tuple(told.cell(viewer, last) for told in turns), result=last.board.result))
    return parts


def recorded(happening: Happening) -> dict[str, str]:
    """Return what the record states of a happening that both have heard; empty where it states nothing.

    An order is stated when it is sealed, its answer when it is given. The words are those of the record, with
    Red's compass, whatever `View` says.
    """
    match happening.code:
        case c if c == SEALED:
            turn = read_sealed(happening)
            return {"seat": str(turn.seat), "sealed": _write_turn(turn)}
        case c if c == LAPSED:
            return {"seat": str(happening.facts["seat"]), "lapsed": happening.facts["text"]}
        case c if c == UNMASKED:
            seat, letter, taken_by = read_unmasked(happening)
            return {"seat": str(seat), "unmasked": f"{letter}>{taken_by}" if taken_by else letter}
        case c if c == SET_UP:
            squares = read_set_up(happening)
            written = (f"{seat.capitalize()}={_write_squares(seat, squares[seat])}" for seat in SEATS)
            return {"set_up": "; ".join(written)}
    return shared.recorded(happening)


def _write_turn(turn: Sealed) -> str:
    """Return a turn as it was ordered: its cell, without answers."""
    attempts = " & ".join(map(write_move, turn.tries)) or PASS
    return f"{write_order(turn.action)} {attempts}" if turn.action else attempts


def _write_squares(seat: Seat, squares: Mapping[str, Square]) -> str:
    """Return the set-up of a side, as its player sees it. squares: of the board."""
    return write_set_up(SetUp(on_the_board(Variants().edition, seat, squares)))
