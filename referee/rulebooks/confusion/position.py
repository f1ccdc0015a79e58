"""The board of Confusion: what everybody sees, and the whole truth.

`Board` is public: it is folded from happenings that both seats hear. `Position` is the truth: the board
and both deals. `View` is a seat's knowledge: the board, the opponent's deal, and its own deal only when that
was revealed at the end.
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
"""Where the neutral piece stands at the start (CF-1.4)."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece on the board, as everybody sees it."""

    seat: Seat
    letter: str
    square: Square
    promoted: bool = False


@dataclass(frozen=True, slots=True)
class Attempt:
    """One turn taken. row: the record's row (from 1). text: canonical, without brackets, tails included.

    answer: True for yes. start and end: the squares of the thing tried (piece or Z). captured: letter of the
    enemy piece taken, "" for none. took_z: Z came under control. passed_to: letter of the piece that Z was
    passed to (of seat passed_seat). promoted: True or False when the piece arrived unpromoted on
    the far rank (CF-4.4), None otherwise. A turn without a possible attempt has text "pass" (CF-11.3).
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

    z: the square of the neutral piece; it is controlled by the piece standing there, if one does.
    threat: the seat that wins unless its Z holder is captured in the turn now due (CF-6.1), and that piece's letter.
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
        """Return the piece that controls Z, None when nobody does."""
        return self.pieces.get(self.z)

    def piece(self, seat: Seat, letter: str) -> Piece | None:
        """Return a seat's piece, None once it was captured."""
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
    """What is asked of a seat's view in either edition: see View."""

    @property
    def seat(self) -> Seat:
        """Whose view it is."""

    @property
    def side(self) -> Seat:
        """The side that is drawn below."""

    @property
    def board(self) -> Board:
        """The board as far as everybody was answered."""

    @property
    def opponent_types(self) -> Deal:
        """The types that the seat sees."""

    @property
    def own_types(self) -> Deal | None:
        """Its own, once they are revealed."""

    @property
    def sheets(self) -> bool:
        """Whether the game is played with deduction sheets."""


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows: the board, the opponent's types, its own types once revealed (CF-3.2, CF-3.3).

    sheets: the game is played with deduction sheets, so its letters say what can be known (CF-7). An observer's view
    (seat OBSERVER) is drawn as from Yellow's side: without types until all are revealed, and without sheets.
    """

    seat: Seat
    board: Board
    opponent_types: Deal = field(repr=False)
    own_types: Deal | None = field(repr=False)
    sheets: bool = True

    @property
    def side(self) -> Seat:
        """The side that is drawn below, whose letters are the capitals: the seat's own, an observer's the southern."""
        return self.board.edition.side_of(self.seat)

    @property
    def observed(self) -> bool:
        """Whether nobody's pieces are the viewer's own."""
        return self.seat == OBSERVER
