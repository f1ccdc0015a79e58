"""Small positions for tests of the thirteen spies, and turns played in them as letters would bring them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.common.faults import Fault
from referee.rulebooks.confusion.compass import WHITE, Square
from referee.rulebooks.confusion.position import Board, Piece
from referee.rulebooks.confusion.table import MovementTable, default_table
from referee.rulebooks.rulebook import Happening, OrderLine, Reading, Seat
from referee.rulebooks.spies.adjudicate import adjudicate, unsealed
from referee.rulebooks.spies.edition import LETTERS, RED, SEATS, TOKENS, Variants
from referee.rulebooks.spies.fold import fold_position, fold_view
from referee.rulebooks.spies.happenings import began, dealt
from referee.rulebooks.spies.position import Confided, Position, Table, View
from referee.rulebooks.spies.reading import is_turn, read_orders

IDENTITY = {letter: number for number, letter in enumerate(LETTERS, 1)}
"""A1 Rocket, C2 Probe, E3 Hen's Foot, H4 Tower, K5 Novice, L6 King, N7 Sprinkler, O8 Wimp, P9 Crab, S10 Bishop,
T11 Cardinal, V12 Abbot, X13 the double agent."""
ALL_TOKENS = dict.fromkeys(SEATS, frozenset(TOKENS))


def position(
    *,
    white: Mapping[str, Square] | None = None,
    red: Mapping[str, Square] | None = None,
    z: Square = (6, 6),
    to_move: Seat = RED,
    promoted: Sequence[tuple[Seat, str]] = (),
    deals: Mapping[Seat, Mapping[str, int]] | None = None,
    threat: tuple[Seat, str] | None = None,
    tokens: Mapping[Seat, frozenset[str]] = ALL_TOKENS,
    table: MovementTable | None = None,
    **variants: bool,
) -> Position:
    """Return a position with these spies; their types are IDENTITY's unless `deals` says otherwise. Every token is
    there, unless `tokens` says otherwise."""
    played = Variants(tokens=tokens, **variants)
    pieces = {
        square: Piece(seat, letter, square, promoted=(seat, letter) in promoted)
        for seat, squares in ((WHITE, white or {}), (RED, red or {}))
        for letter, square in squares.items()
    }
    board = Board(
        table=table or default_table(),
        first=to_move,
        pieces=pieces,
        z=z,
        to_move=to_move,
        row=1,
        attempts=(),
        captured=dict.fromkeys(SEATS, ()),
        threat=threat,
        result=None,
        edition=played.edition,
    )
    seen = Table(
        board,
        played,
        set_up=not played.variable_setup,
        tokens=dict(tokens),
        removed=dict.fromkeys(SEATS, ()),
        cleared=dict.fromkeys(SEATS, frozenset()),
    )
    return Position(seen, {WHITE: IDENTITY, RED: IDENTITY, **(deals or {})}, dict.fromkeys(SEATS, Confided()))


def opened(
    variants: Variants,
    *,
    first: Seat = RED,
    deals: Mapping[Seat, Mapping[str, int]] | None = None,
    options: Mapping[str, str] | None = None,
) -> list[Happening]:
    """Return how a game begins with these variants and deals."""
    types = deals or {
        seat: {letter: IDENTITY[letter] for letter in variants.edition.letters} for seat in SEATS
    }
    return [
        began(first, default_table(), variants, options or {}, deal_set=deals is not None),
        *(dealt(seat, types[seat]) for seat in SEATS),
    ]


def folded(happenings: Iterable[Happening]) -> Position:
    """Return the truth after some happenings."""
    where: Position | None = None
    for happening in happenings:
        where = fold_position(where, happening)
    assert where is not None
    return where


def heard_by(happenings: Iterable[Happening], seat: Seat) -> list[Happening]:
    """Return what a seat has heard."""
    return [happening for happening in happenings if seat in happening.heard_by]


def view_of(where: Position, seat: Seat | None = None) -> View:
    """Return what a seat knows in a position, the side to move's unless another is named."""
    seat = seat or where.table.board.to_move
    return View(
        seat, where.table, where.deals[where.table.board.edition.other(seat)], None, where.confided[seat]
    )


def view_after(happenings: Iterable[Happening], seat: Seat) -> View:
    """Return what a seat knows after happenings from the beginning on."""
    return fold_view(heard_by(happenings, seat), seat)


def read(where: Position, *lines: str, seat: Seat | None = None) -> Reading:
    """Hold lines against the view of the seat to move (or another)."""
    return read_orders(
        view_of(where, seat), [OrderLine(number, line) for number, line in enumerate(lines, 1)]
    )


def say(where: Position, *lines: str, seat: Seat | None = None) -> tuple[Position, list[Happening]]:
    """Give orders of one seat as its letters bring them, one after the other; return what comes of them."""
    seat = seat or where.table.board.to_move
    heard: list[Happening] = []
    for line in lines:
        reading = read(where, line, seat=seat)
        assert reading.faults == (), [fault.sentence() for fault in reading.faults]
        (order,) = reading.orders
        found = adjudicate(where, seat, order)
        if not is_turn(order):
            assert {each.heard_by for each in found} == {frozenset((seat,))}
        where, heard = after(where, found), [*heard, *found]
    return where, heard


def play(where: Position, *turns: str) -> tuple[Position, list[Happening]]:
    """Play turns of both sides alternately; a turn is its orders with semicolons between."""
    heard: list[Happening] = []
    for turn in turns:
        where, found = say(where, *(line.strip() for line in turn.split(";")))
        heard += found
    return where, heard


def by_the_clock(where: Position) -> tuple[Position, list[Happening]]:
    """Open the seal as the clock does."""
    found = unsealed(where)
    return after(where, found), list(found)


def after(where: Position, happenings: Iterable[Happening]) -> Position:
    """Return the truth after some more happenings."""
    for happening in happenings:
        where = fold_position(where, happening)
    return where


def refused(where: Position, line: str, rule: str, seat: Seat | None = None) -> str:
    """Return the reason for which a line is refused, checking that it costs nothing and cites the rule."""
    reading = read(where, line, seat=seat)
    assert reading.orders == (), reading.orders
    assert [fault.rule for fault in reading.faults] == [rule], [each.sentence() for each in reading.faults]
    return reading.faults[0].reason()


def codes(happenings: Iterable[Happening]) -> list[str]:
    """Return what kinds of things came to pass, in order."""
    return [happening.code for happening in happenings]


def facts(happenings: Iterable[Happening], code: str) -> list[Mapping[str, Any]]:
    """Return the facts of all that came to pass of one kind."""
    return [happening.facts for happening in happenings if happening.code == code]


def ordered(order: Any) -> Any:
    """Return an order that was read, and not a fault."""
    assert not isinstance(order, Fault), order.sentence()
    return order
