"""Small positions for tests: a few pieces, what they are, where Z stands, and whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from referee.common.chance import Chance
from referee.rulebooks.confusion import Confusion
from referee.rulebooks.confusion.adjudicate import adjudicate
from referee.rulebooks.confusion.fold import fold_position
from referee.rulebooks.confusion.notation import Move, read_move
from referee.rulebooks.confusion.orders import read_orders
from referee.rulebooks.confusion.position import (
    LETTERS,
    WHITE,
    YELLOW,
    Board,
    Piece,
    Position,
    Square,
    View,
    opponent,
)
from referee.rulebooks.confusion.table import NUMBERS, MovementTable, Row, default_table
from referee.rulebooks.rulebook import Happening, OrderLine, Reading, Seat

RECORDS = Path(__file__).parent.parent / "records"
CONFUSION = Confusion()
IDENTITY = {letter: number for number, letter in enumerate(LETTERS, 1)}
"""A1 C2 E3 H4 K5 L6 N7 O8 P9 S10 T11 V12."""


def position(
    *,
    white: Mapping[str, Square] | None = None,
    yellow: Mapping[str, Square] | None = None,
    z: Square = (6, 6),
    to_move: Seat = YELLOW,
    promoted: Sequence[tuple[Seat, str]] = (),
    deals: Mapping[Seat, Mapping[str, int]] | None = None,
    threat: tuple[Seat, str] | None = None,
    table: MovementTable | None = None,
) -> Position:
    """Return a position with these pieces; their types are IDENTITY's unless `deals` says otherwise."""
    pieces = {
        square: Piece(seat, letter, square, promoted=(seat, letter) in promoted)
        for seat, squares in ((WHITE, white or {}), (YELLOW, yellow or {}))
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
        captured={WHITE: (), YELLOW: ()},
        threat=threat,
        result=None,
    )
    return Position(board, {WHITE: IDENTITY, YELLOW: IDENTITY, **(deals or {})})


def move(text: str) -> Move:
    """Return the move that a text says."""
    read = read_move(text)
    assert isinstance(read, Move), read
    return read


def play(where: Position, *texts: str) -> tuple[Position, list[Happening]]:
    """Play moves in turn; return the position after them and all that happened."""
    heard: list[Happening] = []
    for text in texts:
        for happening in adjudicate(where, where.board.to_move, move(text)):
            heard.append(happening)
            where = fold_position(where, happening)
    return where, heard


def read(where: Position, *lines: str, seat: Seat | None = None) -> Reading:
    """Hold lines against the view of the seat to move (or another)."""
    seat = seat or where.board.to_move
    view = View(seat, where.board, where.deals[opponent(seat)], None)
    return read_orders(view, [OrderLine(number, line) for number, line in enumerate(lines, 1)])


def refused(where: Position, line: str, rule: str = "CF-4.2") -> str:
    """Return the reason for which a line is refused, checking that it costs no turn and cites the rule."""
    reading = read(where, line)
    assert reading.orders == ()
    assert [fault.rule for fault in reading.faults] == [rule], reading.faults
    return reading.faults[0].reason()


def opened(secret: int = 1, **options: str) -> tuple[Position, list[Happening]]:
    """Open a game whose secret is 32 times the byte given."""
    happenings = CONFUSION.rules.opening(options, Chance(bytes([secret]) * 32))
    where: Position | None = None
    for happening in happenings:
        where = fold_position(where, happening)
    assert where is not None
    return where, list(happenings)


def uniform_table(reach: int, *headings: str) -> MovementTable:
    """Return a table in which all types move alike, which no table for play may be: it makes stuck positions easy."""
    row = Row("+", {"en": "Pawn"}, reach, dict.fromkeys(headings, "text"), promotes=False)
    return MovementTable("uniform", tuple(replace(row, number=str(number)) for number in NUMBERS), row)
