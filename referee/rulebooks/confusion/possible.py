"""What may be attempted, by public facts alone (CF-4.2, CF-5, CF-11.1): refusals, tails, examples.

Nothing here knows a deal, so nothing here can tell players anything about their own pieces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from referee.common.faults import Fault
from referee.common.i18n import N_, Phrase
from referee.rulebooks.confusion.compass import (
    DIRECTIONS,
    WORDS,
    Square,
    far_rank,
    heading,
    square_after,
)
from referee.rulebooks.confusion.notation import Move, write_move
from referee.rulebooks.confusion.position import Board, Piece
from referee.rulebooks.rulebook import Seat


def mover(board: Board, seat: Seat, move: Move) -> Piece | None:
    """Return the piece whose type answers: the one moved, or for a pass of Z its holder; None if there is none."""
    if move.letter:
        return board.piece(seat, move.letter)
    holder = board.holder()
    return holder if holder and holder.seat == seat else None


def refusal(board: Board, seat: Seat, move: Move, *, any_length: bool = False) -> Fault | None:
    """Return why a move is no attempt in this position, None when it is one (CF-4.2, CF-11.1).

    any_length: accept a direction and length that no type has, as a record may have in brackets.
    """
    piece = mover(board, seat, move)
    if piece is None:
        return _nobody(board, seat, move)
    if move.with_z and piece.square != board.z:
        return _refused("not-holding-z", N_("{letter} does not hold Z"), {"letter": piece.letter}, "CF-5.2")
    return (
        (None if any_length else _length_fault(board, seat, move, piece))
        or _way_fault(board, seat, move, piece)
        or _tail_fault(board, seat, move, piece)
    )


def complete(board: Board, seat: Seat, move: Move) -> Move:
    """Return a possible move with the tails that the position gives it, written or not; `+` is left out."""
    piece = mover(board, seat, move)
    if piece is None:
        raise ValueError(f"{write_move(move)} cannot be attempted")
    end = square_after(piece.square, move.direction, move.length)
    there = board.pieces.get(end)
    if not move.letter:
        return replace(
            move, passed_to=there.letter if there else "", captures="", takes_z=False, promotes=False
        )
    return replace(
        move,
        captures=there.letter if there else "",
        takes_z=end == board.z,
        passed_to="",
        promotes=False,
    )


def can_attempt(board: Board, seat: Seat, barred: Collection[str] = ()) -> bool:
    """Return whether a seat has any possible attempt (CF-11.3). barred: see possible_moves."""
    return next(possible_moves(board, seat, barred), None) is not None


def possible_moves(board: Board, seat: Seat, barred: Collection[str] = ()) -> Iterator[Move]:
    """Yield all that a seat could attempt, tails included, in a fixed order: by letter, direction and length.

    barred: letters of pieces that may attempt nothing in this turn, in editions that have such.
    """
    for letter in board.edition.letters:
        piece = board.piece(seat, letter)
        if piece is None or letter in barred:
            continue
        for direction in _forward_first(seat):
            for length in range(1, _free(board, piece.square, direction, heading(seat, direction)) + 1):
                end = square_after(piece.square, direction, length)
                there = board.pieces.get(end)
                if there is None or there.seat != seat:
                    yield complete(board, seat, Move(letter, direction, length))
                if piece.square == board.z:
                    if there is None or there.seat != seat:
                        yield complete(board, seat, Move(letter, direction, length, with_z=True))
                    yield complete(board, seat, Move("", direction, length))


def examples(board: Board, seat: Seat, barred: Collection[str] = ()) -> tuple[str, ...]:
    """Return moves that a seat could attempt: a plain one, then one with Z and one of Z if it holds Z."""
    found: dict[str, str] = {}
    for move in possible_moves(board, seat, barred):
        kind = "plain" if move.letter and not move.with_z else "with z" if move.letter else "of z"
        found.setdefault(kind, write_move(move))
        holder = board.holder()
        if len(found) == 3 or (found and (holder is None or holder.seat != seat)):
            break
    return tuple(found[kind] for kind in ("plain", "with z", "of z") if kind in found)


@cache
def _forward_first(seat: Seat) -> tuple[str, ...]:
    order = ("F", "FD", "S", "BD", "B")
    return tuple(sorted(DIRECTIONS, key=lambda direction: order.index(heading(seat, direction))))


def _free(board: Board, start: Square, direction: str, way: str) -> int:
    """Return how far something may go: to the edge, to the first obstacle, to the longest reach."""
    farthest = min(board.table.farthest(way), board.edition.room(start, direction))
    for length in range(1, farthest):
        square = square_after(start, direction, length)
        if square in board.pieces or square == board.z:
            return length
    return farthest


def _nobody(board: Board, seat: Seat, move: Move) -> Fault:
    if not move.letter:
        holder = board.holder()
        if holder is None:
            return _refused("not-holding-z", N_("nobody holds Z, so it cannot be passed"), {}, "CF-5.2")
        facts = {"piece": _piece(holder.seat, holder.letter)}
        return _refused("not-holding-z", N_("Z is held by {piece}"), facts, "CF-5.2")
    taken = [
        attempt for attempt in board.attempts if attempt.captured == move.letter and attempt.seat != seat
    ]
    if not taken:
        return _refused("removed", N_("{letter} is not in the game any more"), {"letter": move.letter})
    return _refused(
        "captured",
        N_("{letter} was captured in row {row}"),
        {"letter": move.letter, "row": str(taken[-1].row)},
    )


def _way_fault(board: Board, seat: Seat, move: Move, piece: Piece) -> Fault | None:
    """Return the fault of a move off the board, past an obstacle, or onto an own piece; None for none."""
    end = square_after(piece.square, move.direction, move.length)
    facts: dict[str, Any] = {
        "thing": move.letter or "Z",
        "start": _place(piece.square),
        "end": _place(end),
        "direction": Phrase(WORDS[move.direction]),
    }
    if not board.edition.on_board(end):
        facts["room"] = _squares(board.edition.room(piece.square, move.direction))
        message = N_(
            "{thing} would leave the board: from {start} there is room for {room} to the {direction}"
        )
        return _refused("off-board", message, facts, meant=_shorter(board, seat, move, piece))
    for length in range(1, move.length):
        square = square_after(piece.square, move.direction, length)
        facts["square"] = _place(square)
        if (obstacle := board.pieces.get(square)) is not None:
            facts["piece"] = _piece(obstacle.seat, obstacle.letter)
            message = N_("{piece} on {square} stands in the way of {thing}")
            return _refused("way-blocked", message, facts, meant=_shorter(board, seat, move, piece))
        if square == board.z:
            message = N_("Z on {square} stands in the way of {thing}")
            return _refused("way-blocked", message, facts, "CF-5.4", meant=_shorter(board, seat, move, piece))
    there = board.pieces.get(end)
    if move.letter and there is not None and there.seat == seat:
        facts["letter"] = there.letter
        message = N_("{letter} of the same side stands on {end}")
        return _refused("own-piece", message, facts, meant=_shorter(board, seat, move, piece))
    return None


def _length_fault(board: Board, seat: Seat, move: Move, piece: Piece) -> Fault | None:
    way = heading(seat, move.direction)
    farthest = board.table.farthest(way)
    if move.length <= farthest:
        return None
    facts = {
        "letter": piece.letter,
        "direction": Phrase(WORDS[move.direction]),
        "asked": _squares(move.length),
        "farthest": _squares(farthest),
    }
    message = N_("no type goes {asked} {direction} (farthest: {farthest}), so {letter} cannot try it")
    if farthest == 0:
        message = N_("no type goes {direction}, so {letter} cannot try it")
    return _refused("no-type-goes-so", message, facts, meant=_shorter(board, seat, move, piece))


def _tail_fault(board: Board, seat: Seat, move: Move, piece: Piece) -> Fault | None:
    """Return the fault of a tail that the position contradicts; a missing one is no fault (CF-11.1)."""
    end = square_after(piece.square, move.direction, move.length)
    true = complete(board, seat, move)
    facts: dict[str, Any] = {"end": _place(end), "letter": move.captures or move.passed_to}
    message = ""
    if move.captures and move.captures != true.captures:
        facts["piece"] = _no_piece(board.edition.other(seat), move.captures)
        message = N_("there is nothing to capture: {piece} stands on {end}")
        if true.captures:
            facts["piece"] = _piece(board.edition.other(seat), true.captures)
            message = N_("on {end} stands {piece}, not the {letter}")
    elif move.takes_z and move.with_z:
        facts["letter"] = piece.letter
        message = N_("{letter} has Z with it already")
    elif move.takes_z and not true.takes_z:
        message = N_("Z is not on {end}")
    elif move.passed_to and move.passed_to != true.passed_to:
        message = N_("there is no {letter} on {end} to pass Z to")
    elif move.promotes and piece.promoted:
        facts["letter"] = piece.letter
        message = N_("{letter} is promoted already")
    elif move.promotes and end[1] != far_rank(seat):
        facts["rank"] = str(far_rank(seat))
        message = N_("{end} is not on rank {rank}, so nothing is promoted there")
    if not message:
        return None
    return _refused("tail", message, facts, "CF-11.1", meant=write_move(true))


def _shorter(board: Board, seat: Seat, move: Move, piece: Piece) -> str:
    """Return the longest shorter move in the same direction that may be attempted, "" for none."""
    free = _free(board, piece.square, move.direction, heading(seat, move.direction))
    for length in range(min(move.length - 1, free), 0, -1):
        there = board.pieces.get(square_after(piece.square, move.direction, length))
        if not (move.letter and there and there.seat == seat):
            return write_move(
                complete(board, seat, Move(move.letter, move.direction, length, with_z=move.with_z))
            )
    return ""


def _refused(
    code: str, message: str, facts: Mapping[str, Any], rule: str = "CF-4.2", *, meant: str = ""
) -> Fault:
    return Fault(code, message, facts, "not-allowed", suggestion=meant, rule=rule)


def _place(square: Square) -> str:
    return f"({square[0]},{square[1]})"


def _squares(count: int) -> Phrase:
    return Phrase(N_("1 square") if count == 1 else N_("{count} squares"), {"count": count})


_THE = {"white": N_("the white {letter}"), "yellow": N_("the yellow {letter}"), "red": N_("the red {letter}")}
_NO = {"white": N_("no white {letter}"), "yellow": N_("no yellow {letter}"), "red": N_("no red {letter}")}


def _piece(seat: Seat, letter: str) -> Phrase:
    return Phrase(_THE[seat], {"letter": letter})


def _no_piece(seat: Seat, letter: str) -> Phrase:
    return Phrase(_NO[seat], {"letter": letter})
