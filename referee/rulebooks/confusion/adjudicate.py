"""Rulings: the piece's type answers a possible attempt, and the answer changes the game."""

from __future__ import annotations

from collections.abc import Mapping

from referee.common.i18n import N_
from referee.rulebooks.confusion.compass import far_rank, heading, square_after
from referee.rulebooks.confusion.fold import fold_board
from referee.rulebooks.confusion.happenings import ENDED, PASS, attempted, ended, passed, revealed
from referee.rulebooks.confusion.notation import Move, write_move
from referee.rulebooks.confusion.position import Attempt, Board, Deal, Piece, Position
from referee.rulebooks.confusion.possible import can_attempt, complete, mover, refusal
from referee.rulebooks.confusion.table import Row
from referee.rulebooks.rulebook import Happening, Result, Seat

HELD_ON_FAR_RANK = N_("by holding Z on the opponent's first rank")
NO_MOVE_LEFT = N_("because neither side can move")
ON_THE_BOARD = (HELD_ON_FAR_RANK, NO_MOVE_LEFT)
"""Ends that the rules themselves cause; all others come from off the board."""


def type_of(board: Board, piece: Piece, deal: Deal) -> Row:
    """Return the table row by which a piece moves: that of its deal, or the promoted one (CF-4.4)."""
    return board.table.promoted if piece.promoted else board.table.row(deal[piece.letter])


def answer_to(position: Position, seat: Seat, move: Move) -> tuple[bool, bool | None]:
    """Return the answer to a possible attempt, and whether it promotes (None: the question does not arise).

    Raises ValueError when there is no such piece (CF-4.2).
    """
    board = position.board
    piece = mover(board, seat, move)
    if piece is None:
        raise ValueError(f"{write_move(move)} cannot be attempted")
    row = type_of(board, piece, position.deals[seat])
    yes = row.can(heading(seat, move.direction), move.length)
    return yes, row.promotes if yes and arrives(board, seat, move) else None


def arrives(board: Board, seat: Seat, move: Move) -> bool:
    """Return whether a move would bring an unpromoted piece to the far rank (CF-4.4)."""
    piece = mover(board, seat, move)
    if piece is None or piece.promoted or not move.letter:
        return False
    return square_after(piece.square, move.direction, move.length)[1] == far_rank(seat)


def answered(
    board: Board, seat: Seat, move: Move, *, yes: bool, promotes: bool | None
) -> tuple[Happening, ...]:
    """Return the happenings of an answered attempt: the attempt, turns passed because nothing can be tried, the end.

    An end is not followed by a reveal, which callers with the deals add.

    move: possible.
    """
    attempt = attempt_at(board, board.row, seat, move, yes=yes, promoted=promotes, plus=bool(promotes))
    return _and_what_follows(board, attempted(attempt))


def attempt_at(
    board: Board, row: int, seat: Seat, move: Move, *, yes: bool, promoted: bool | None, plus: bool
) -> Attempt:
    """Return an attempt as it was answered. Raises ValueError where no piece could attempt it.

    row: of the record, in which it was ordered.
    plus: it is written with a `+`.
    """
    piece = mover(board, seat, move)
    if piece is None:
        raise ValueError(f"{write_move(move)} cannot be attempted")
    whole = complete(board, seat, move)
    end = square_after(piece.square, move.direction, move.length)
    there = board.pieces.get(end)
    text = write_move(whole) + ("+" if plus else "")
    return Attempt(
        row=row,
        seat=seat,
        text=text,
        answer=yes,
        start=piece.square,
        end=end,
        captured=whole.captures if yes else "",
        took_z=whole.takes_z and yes,
        passed_to=whole.passed_to if yes else "",
        passed_seat=there.seat if there and whole.passed_to and yes else None,
        promoted=promoted,
        letter=piece.letter,
        with_z=move.with_z,
        passes_z=not move.letter,
    )


def _and_what_follows(board: Board, turn: Happening) -> tuple[Happening, ...]:
    """Return a turn, and the end or the passes that follow it."""
    after = fold_board(board, turn)
    if winner := _winner(board, after):
        return turn, ended(Result(winner, HELD_ON_FAR_RANK), "CF-6.1")
    return turn, *passes(after)


def passes(board: Board) -> tuple[Happening, ...]:
    """Return the passes of players without a possible attempt, and the end if there is one (CF-11.3).

    When both in turn have none, nothing can ever move again, and the game is drawn.
    """
    if can_attempt(board, board.to_move):
        return ()
    if board.attempts and board.attempts[-1].text == PASS:
        return (ended(Result(None, NO_MOVE_LEFT), "CF-11.3"),)
    return _and_what_follows(board, passed(board.row, board.to_move))


def _winner(before: Board, after: Board) -> Seat | None:
    """Return the side whose threat survived the one turn that the other side had (CF-6.1); None for none."""
    if before.threat is None:
        return None
    seat, letter = before.threat
    return seat if before.to_move != seat and after.piece(seat, letter) is not None else None


def adjudicate(position: Position, seat: Seat, move: Move) -> tuple[Happening, ...]:
    """Return the happenings of an attempt, in order, including the reveal after an end (CF-4.1, CF-6.3).

    Raises ValueError if it is not an attempt, is out of turn or comes after the end; orders are
    checked against the view before they are ruled on.
    """
    board = position.board
    if board.result is not None or board.to_move != seat:
        raise ValueError(f"it is not {seat}'s turn")
    if (fault := refusal(board, seat, move)) is not None:
        raise ValueError(f"{write_move(move)}: {fault.reason()}")
    yes, promotes = answer_to(position, seat, move)
    return with_reveal(answered(board, seat, move, yes=yes, promotes=promotes), position.deals)


def with_reveal(happenings: tuple[Happening, ...], deals: Mapping[Seat, Deal]) -> tuple[Happening, ...]:
    """Return the happenings, followed by both deals if they end the game (CF-3.3)."""
    if happenings and happenings[-1].code == ENDED:
        return *happenings, revealed(deals)
    return happenings


def conclude(position: Position, result: Result) -> tuple[Happening, ...]:
    """Return the happenings of an end off the board: resignation, agreement, time (CF-6.3).

    Empty if the game is over.
    """
    if position.board.result is not None:
        return ()
    return with_reveal((ended(result, "CF-6.3"),), position.deals)
