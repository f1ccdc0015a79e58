"""The board of Confusion, which everybody sees, the whole truth, and views.

`Board` is public: it is folded from happenings that both seats hear. `Position` is the truth: the board and
both deals. `View` is a seat's knowledge: the board, the opponent's deal, and its own deal once that is
revealed at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from referee.rulebooks.confusion.compass import WHITE, YELLOW, Square, far_rank, opponent
from referee.rulebooks.confusion.edition import CLASSIC, LETTERS, START, Edition
from referee.rulebooks.confusion.table import MovementTable
from referee.rulebooks.rulebook import OBSERVER, Result, Seat

__all__ = [
    "LETTERS",
    "START",
    "WHITE",
    "YELLOW",
    "Z_START",
    "Attempt",
    "Board",
    "Deal",
    "Piece",
    "Position",
    "Seen",
    "Square",
    "View",
    "far_rank",
    "opponent",
]

Z_START: Square = (6, 6)
"""The square of the neutral piece at the start (CF-1.4)."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on the board, as everybody sees it."""

    seat: Seat
    letter: str
    square: Square
    promoted: bool = False


@dataclass(frozen=True, slots=True)
class Attempt:
    """A turn. A turn without a possible attempt has text "pass" (CF-11.3).

    row: of the record, from 1.
    text: canonical, without brackets, tails included.
    answer: True for yes.
    start, end: the squares of what was tried (piece or Z).
    captured: letter of the captured enemy piece, "" for none.
    took_z: Z came under control.
    passed_to: letter of the piece that Z was passed to (of seat passed_seat).
    promoted: True or False when the piece arrived unpromoted on the far rank (CF-4.4), None otherwise.
    """

    row: int
    seat: Seat
    text: str
    answer: bool
    start: Square | None = None
    end: Square | None = None
    captured: str = ""
    took_z: bool = False
    passed_to: str = ""
    passed_seat: Seat | None = None
    promoted: bool | None = None
    letter: str = ""
    with_z: bool = False
    passes_z: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """What both players see.

    z: the square of the neutral piece, which the piece on that square controls, if there is one.
    threat: the seat that wins unless its Z holder is captured in the present turn (CF-6.1), and that piece's
        letter.
    """

    table: MovementTable = field(repr=False)
    first: Seat
    pieces: Mapping[Square, Piece]
    z: Square
    to_move: Seat
    row: int
    attempts: tuple[Attempt, ...]
    captured: Mapping[Seat, tuple[str, ...]]
    threat: tuple[Seat, str] | None
    result: Result | None
    edition: Edition = CLASSIC

    def holder(self) -> Piece | None:
        """Return the piece that controls Z, None for none."""
        return self.pieces.get(self.z)

    def piece(self, seat: Seat, letter: str) -> Piece | None:
        """Return a seat's piece, None once it is captured."""
        for piece in self.pieces.values():
            if piece.letter == letter and piece.seat == seat:
                return piece
        return None


Deal = Mapping[str, int]
"""A side's letters, each with its type's number (CF-3.1)."""


@dataclass(frozen=True, slots=True)
class Position:
    """The whole truth. Never given to reports, templates or logs."""

    board: Board
    deals: Mapping[Seat, Deal] = field(repr=False)


class Seen(Protocol):
    """What both editions' views have in common: see View."""

    @property
    def seat(self) -> Seat:
        """The seat whose view it is."""

    @property
    def side(self) -> Seat:
        """The side that is drawn at the bottom."""

    @property
    def board(self) -> Board:
        """The board after all answers that were told to everybody."""

    @property
    def opponent_types(self) -> Deal:
        """The types that the seat sees."""

    @property
    def own_types(self) -> Deal | None:
        """Its own types, once they are revealed."""

    @property
    def sheets(self) -> bool:
        """Whether the game is played with deduction sheets."""


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows: the board, the opponent's types, its own types once revealed (CF-3.2, CF-3.3).

    An observer's view (seat OBSERVER) is drawn from Yellow's side: without types until all are revealed, and
    without sheets.

    sheets: the game is played with deduction sheets, so its letters state what can be known (CF-7).
    """

    seat: Seat
    board: Board
    opponent_types: Deal = field(repr=False)
    own_types: Deal | None = field(repr=False)
    sheets: bool = True

    @property
    def side(self) -> Seat:
        """The side at the bottom, whose letters are capitals: the seat's own, an observer's the southern."""
        return self.board.edition.side_of(self.seat)

    @property
    def observed(self) -> bool:
        """Whether the viewer has no pieces."""
        return self.seat == OBSERVER
