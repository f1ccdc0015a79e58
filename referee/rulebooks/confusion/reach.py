"""Where a player's own pieces can go, as far as they can know: what the board's picture marks (CF-7.1, CF-7.2).

It is a function of the view's board and seat and of whether the game has deduction sheets, and thus of the
position and of the answers that both players heard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from referee.rulebooks.confusion.compass import DIRECTIONS, Square, heading, square_after
from referee.rulebooks.confusion.deduction import Sheet, sheet
from referee.rulebooks.confusion.position import Board, Piece, Seen


@dataclass(frozen=True, slots=True)
class Reach:
    """A square to which an own piece may be able to go.

    direction: the compass point in which it would go there.
    known: every type that the piece can still be goes there; otherwise only some do.
    """

    letter: str
    square: Square
    direction: str
    known: bool


def reach(view: Seen) -> tuple[Reach, ...]:
    """Return where the reader's own pieces can or may go, by letter, direction and length.

    Empty in a game without deduction sheets, and after the end. Pieces of which hardly anything is known are
    left out: every way is open to them, and a board full of marks would say less. A promoted piece's moves
    are all known, by the promoted row (CF-4.4). By CF-4.2, at most one piece reaches a square from each
    direction, the first one there.
    """
    board = view.board
    return reach_by(view, lambda: sheet(board.table, board.attempts, view.seat))


def reach_by(view: Seen, own: Callable[[], Sheet]) -> tuple[Reach, ...]:
    """Return the same from the player's own sheet, if there is one.

    A piece that may be the double agent can go nowhere for certain, and as the double agent it goes where the
    opponent decides, which is not marked.
    """
    board = view.board
    if not view.sheets or board.result is not None:
        return ()
    known = own()
    standing = {piece.letter: piece for piece in board.pieces.values() if piece.seat == view.seat}
    found: list[Reach] = []
    for letter in sorted(standing):
        piece = standing[letter]
        if piece.promoted:
            found += _promoted(board, piece)
        elif not _hardly_known(known, letter):
            found += _unpromoted(board, piece, known.open[letter])
    return tuple(found)


def _hardly_known(known: Sheet, letter: str) -> bool:
    """Return whether a piece's own answers rule out nothing, and those of the others leave it most types."""
    types = len(known.own)
    return known.own[letter].bit_count() == types and len(known.open[letter]) > types // 2


def _promoted(board: Board, piece: Piece) -> Iterator[Reach]:
    for direction in DIRECTIONS:
        for length, square in _free_way(board, piece, direction):
            if not board.table.promoted.can(heading(piece.seat, direction), length):
                break
            yield Reach(piece.letter, square, direction, known=True)


def _unpromoted(board: Board, piece: Piece, left: tuple[int, ...]) -> Iterator[Reach]:
    types = sum(1 << number - 1 for number in left)
    for direction in DIRECTIONS:
        for length, square in _free_way(board, piece, direction):
            go = types & board.table.goes(heading(piece.seat, direction), length)
            if not go:
                break  # a type that cannot go this far cannot go farther
            yield Reach(piece.letter, square, direction, known=go == types)


def _free_way(board: Board, piece: Piece, direction: str) -> Iterator[tuple[int, Square]]:
    """Yield the squares up to the edge or the first obstacle, which is included unless it is an own piece."""
    length, square = 1, square_after(piece.square, direction, 1)
    while board.edition.on_board(square):
        there = board.pieces.get(square)
        if there is not None and there.seat == piece.seat:
            return
        yield length, square
        if there is not None or square == board.z:
            return
        length, square = length + 1, square_after(piece.square, direction, length + 1)
