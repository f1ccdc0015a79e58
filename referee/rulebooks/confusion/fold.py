"""Builds the board, the truth and a seat's view from happenings, one by one, with no other source."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.rulebooks.branches import Course
from referee.rulebooks.confusion.compass import WHITE, far_rank
from referee.rulebooks.confusion.edition import CLASSIC, Edition
from referee.rulebooks.confusion.happenings import (
    ATTEMPTED,
    BEGAN,
    DEALT,
    ENDED,
    PASSED,
    REVEALED,
    played_with_sheets,
    read_attempt,
    read_began,
    read_dealt,
    read_ended,
    read_revealed,
)
from referee.rulebooks.confusion.memory import remembered
from referee.rulebooks.confusion.position import (
    Z_START,
    Attempt,
    Board,
    Piece,
    Position,
    View,
)
from referee.rulebooks.confusion.table import MovementTable
from referee.rulebooks.rulebook import OBSERVER, Happening, Seat


def start_board(first: Seat, table: MovementTable, edition: Edition = CLASSIC) -> Board:
    """Return the board before the first turn (CF-1.4)."""
    pieces = {
        square: Piece(seat, letter, square)
        for seat, squares in edition.start.items()
        for letter, square in squares.items()
    }
    return Board(
        table=table,
        first=first,
        pieces=pieces,
        z=Z_START,
        to_move=first,
        row=1,
        attempts=(),
        captured=dict.fromkeys(edition.seats, ()),
        threat=None,
        result=None,
        edition=edition,
    )


def board_after(board: Board, attempt: Attempt) -> Board:
    """Return the board after an attempt or a passed turn, with the next seat to move.

    Only a side's own turn makes the threat of CF-6.1 (CF-11.2), which lasts for one turn of the other side.
    """
    pieces, captured, z = board.pieces, board.captured, board.z
    if attempt.answer and attempt.start and attempt.end:
        if not attempt.passes_z:
            moved = dict(pieces)
            mover = moved.pop(attempt.start)
            if attempt.captured:
                loser = board.edition.other(attempt.seat)
                captured = {**captured, loser: (*captured[loser], attempt.captured)}
            promoted = mover.promoted or attempt.promoted is True
            moved[attempt.end] = Piece(mover.seat, mover.letter, attempt.end, promoted)
            pieces = moved
        if attempt.passes_z or attempt.with_z:
            z = attempt.end
    holder = pieces.get(z)
    threatens = holder is not None and holder.seat == attempt.seat and z[1] == far_rank(attempt.seat)
    # Spelt out: `replace` takes three times as long, and a game is folded again for every letter.
    return Board(
        table=board.table,
        first=board.first,
        pieces=pieces,
        z=z,
        to_move=board.edition.other(attempt.seat),
        # The record's left column is the southern side's: a row is complete after White's turn.
        row=board.row + 1 if attempt.seat == WHITE else board.row,
        attempts=(*board.attempts, attempt),
        captured=captured,
        threat=(holder.seat, holder.letter) if holder and threatens else None,
        result=board.result,
        edition=board.edition,
    )


@remembered(1)
def fold_board(board: Board | None, happening: Happening) -> Board:
    """Return the board after a happening; those that don't affect the board leave it unchanged."""
    if happening.code == BEGAN:
        first, table = read_began(happening)
        return start_board(first, table)
    if board is None:
        raise ValueError(f"a game starts with `{BEGAN}`, not with `{happening.code}`")
    if happening.code in (ATTEMPTED, PASSED):
        return board_after(board, read_attempt(happening))
    if happening.code == ENDED:
        return replace(board, result=read_ended(happening), threat=None)
    return board


def fold_position(position: Position | None, happening: Happening) -> Position:
    """Return the whole truth after a happening; None is the truth before the first."""
    board = fold_board(position.board if position else None, happening)
    deals = position.deals if position else {}
    if happening.code == DEALT:
        seat, deal = read_dealt(happening)
        deals = {**deals, seat: deal}
    return Position(board, deals)


def hear(view: View | None, happening: Happening, seat: Seat) -> View:
    """Return what a seat knows after one more happening; None is before the first, which is the beginning."""
    board = fold_board(view.board if view else None, happening)
    if view is None:
        return View(seat, board, {}, None, seat != OBSERVER and played_with_sheets(happening))
    side, theirs, own = view.side, view.opponent_types, view.own_types
    if happening.code == DEALT:
        owner, deal = read_dealt(happening)
        theirs, own = (theirs, deal) if owner == side else (deal, own)
    elif happening.code == REVEALED:
        deals = read_revealed(happening)
        theirs, own = deals.get(board.edition.other(side), theirs), deals.get(side, own)
    return View(seat, board, theirs, own, view.sheets)


def fold_view(heard: Iterable[Happening], seat: Seat) -> View:
    """Return what a seat knows from what it heard. Raises ValueError when it did not hear the beginning."""
    view: View | None = None
    for happening in COURSE.standing(tuple(heard)):
        view = hear(view, happening, seat)
    if view is None:
        raise ValueError("nothing was heard of this game")
    return view


def _is_due(board: Board, seat: Seat, row: int) -> bool:
    """Return whether a seat's turn in a row of the record is in play."""
    return board.result is None and (board.to_move, board.row) == (seat, row)


COURSE: Course[Board] = Course(fold_board, _is_due, frozenset((DEALT,)))
"""The order of the game's turns (CF-8.6)."""
