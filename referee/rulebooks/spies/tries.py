"""Completes the attempts of a turn with the tails that their player could know when ordering them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.rulebooks.confusion.compass import square_after
from referee.rulebooks.confusion.notation import Move
from referee.rulebooks.confusion.position import Board
from referee.rulebooks.confusion.possible import complete, mover
from referee.rulebooks.rulebook import Seat


def completed(board: Board, seat: Seat, tries: Sequence[Move], *, wishes: bool) -> tuple[Move, ...]:
    """Return attempts with the tails that the board gives them, written or not.

    The second of two attempts may end where the first spy is now: without that spy the square is empty, so it
    has no tail.

    wishes: a `+` says that promotion would be accepted, and stays (CF-10.12); otherwise it says no more than
        the position, and is left out.
    """
    whole: list[Move] = []
    for move in tries:
        now = board
        piece = mover(board, seat, move)
        if whole and piece is not None:
            end = square_after(piece.square, move.direction, move.length)
            there = board.pieces.get(end)
            if there is not None and there.seat == seat and there.letter == tries[0].letter:
                now = replace(board, pieces={at: each for at, each in board.pieces.items() if at != end})
        done = complete(now, seat, move)
        whole.append(replace(done, promotes=move.promotes) if wishes else done)
    return tuple(whole)
