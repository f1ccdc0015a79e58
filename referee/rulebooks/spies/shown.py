"""The board that a letter shows: as its reader will find it when closing the turn, with what waits for its answer.

A side that is to move knows how the other's turn will be answered, or gives the answer itself, so its board
is one turn ahead of what everybody was told (CF-10.8). All others see what everybody sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.rulebooks.confusion.compass import Square, square_after
from referee.rulebooks.confusion.happenings import ATTEMPTED, read_attempt
from referee.rulebooks.confusion.position import Attempt, Piece
from referee.rulebooks.confusion.possible import mover
from referee.rulebooks.rulebook import Seat
from referee.rulebooks.spies.outlook import outlook
from referee.rulebooks.spies.position import View


def as_shown(view: View) -> View:
    """Return the view with the board that its owner is shown."""
    if view.table.set_up:
        return replace(view, table=outlook(view).acted)
    return _arranging(view)


def is_ahead(view: View) -> bool:
    """Return whether that board is ahead of what everybody was told."""
    now = outlook(view)
    return view.table.set_up and now.acted is not view.table


def foreseen(view: View) -> tuple[Attempt, ...]:
    """Return the answers to the waiting turn, where the reader knows them."""
    return tuple(read_attempt(each) for each in outlook(view).brings if each.code == ATTEMPTED)


def waiting(view: View) -> tuple[tuple[Square, Square], ...]:
    """Return the start and end of attempts whose answers the reader does not know, or has still to give."""
    turn = view.table.sealed
    if turn is None or outlook(view).brings:
        return ()
    board = view.board
    ways = []
    for move in turn.tries:
        piece = mover(board, turn.seat, move)
        if piece is not None:
            ways.append((piece.square, square_after(piece.square, move.direction, move.length)))
    return tuple(ways)


def _arranging(view: View) -> View:
    """Return the view before both sides are set up: only with what its owner has placed."""
    placed: Mapping[str, Square] = view.own.placed or {}
    seat: Seat = view.side
    pieces = {square: Piece(seat, letter, square) for letter, square in placed.items()}
    return replace(view, table=replace(view.table, board=replace(view.board, pieces=pieces)))
