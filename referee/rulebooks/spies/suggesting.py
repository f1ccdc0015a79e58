"""Suggests orders in letters: possible ones that are not obviously pointless.

They follow from what everybody has heard, so that they reveal nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.rulebooks.confusion.compass import way
from referee.rulebooks.confusion.notation import Move, write_move
from referee.rulebooks.confusion.position import Attempt, Board
from referee.rulebooks.confusion.possible import mover, possible_moves
from referee.rulebooks.rulebook import Seat
from referee.rulebooks.spies.allowed import barred
from referee.rulebooks.spies.orders import Action
from referee.rulebooks.spies.position import Table

_KINDS = ("plain", "with z", "of z")


def suggest(table: Table, seat: Seat, action: Action | None) -> tuple[str, ...]:
    """Return possible orders of a side: a plain move, then one with Z and one of Z if it holds Z.

    Moves like those that its spy was refused before are returned only where there is nothing else.

    action: what precedes its move.
    """
    holder = table.board.holder()
    kinds = _KINDS if holder is not None and holder.seat == seat else _KINDS[:1]
    found: dict[str, str] = {}
    in_vain: dict[str, str] = {}
    for move in possible_moves(table.board, seat, barred(table, seat, action)):
        to = in_vain if _was_refused(table.board, seat, move) else found
        to.setdefault(_kind(move), write_move(move))
        if len(found) == len(kinds):
            break
    proposed = found or in_vain
    return tuple(proposed[kind] for kind in kinds if kind in proposed)


def suggest_on_each(tables: Sequence[Table], seat: Seat, action: Action | None) -> str:
    """Return an order that a side could give on any of these boards; "" where there is none."""
    if not tables:
        return ""
    first, *others = tables
    also = [{write_move(move) for move in _moves(each, seat, action)} for each in others]
    common = [move for move in _moves(first, seat, action) if all(write_move(move) in each for each in also)]
    common.sort(key=lambda move: (_was_refused(first.board, seat, move), _KINDS.index(_kind(move))))
    return next(map(write_move, common), "")


def _moves(table: Table, seat: Seat, action: Action | None) -> Iterator[Move]:
    return possible_moves(table.board, seat, barred(table, seat, action))


def _kind(move: Move) -> str:
    return "plain" if move.letter and not move.with_z else "with z" if move.letter else "of z"


def _was_refused(board: Board, seat: Seat, move: Move) -> bool:
    """Return whether a spy was refused the same direction before, at no greater distance.

    A promoted spy moves differently, so only what came after its promotion counts.
    """
    piece = mover(board, seat, move)
    if piece is None:
        return False
    own = [each for each in board.attempts if each.seat == seat and each.letter == piece.letter]
    risen = next((place for place, each in enumerate(own) if each.promoted), -1)
    return any(not each.answer and _as_far(each, move) for each in own[risen + 1 :])


def _as_far(attempt: Attempt, move: Move) -> bool:
    """Return whether an attempt went in the direction of a move, and no farther."""
    if attempt.start is None or attempt.end is None:
        return False
    direction, length = way(attempt.start, attempt.end)
    return direction == move.direction and length <= move.length
