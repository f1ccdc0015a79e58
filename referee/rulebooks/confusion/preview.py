"""What an attempt would do, as far as its player can know beforehand (`preview V-NW2`; CF-4.2, CF-7.1).

It is a function of the view alone: the board, the opponent's types that the player sees, and the answers that
both have heard. It therefore tells players only what they could work out, and nothing more when they ask
again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from referee.common.faults import Fault, Place
from referee.rulebooks.confusion.adjudicate import arrives
from referee.rulebooks.confusion.compass import Square, far_rank, heading, square_after
from referee.rulebooks.confusion.deduction import Sheet, numbers_of, sheet, types_dealt
from referee.rulebooks.confusion.knowledge import Types
from referee.rulebooks.confusion.notation import Move, read_move, write_move
from referee.rulebooks.confusion.position import Board, Piece, Seen, View
from referee.rulebooks.confusion.possible import complete, mover, refusal
from referee.rulebooks.confusion.table import Row
from referee.rulebooks.rulebook import OrderLine, Seat


@dataclass(frozen=True, slots=True)
class Preview:
    """An attempt as it would go on the present board.

    text: canonical, with the tails that the position gives it.
    letter: the piece whose type would answer.
    passes_z: that piece stays, and Z alone moves.
    over: the squares passed on the way.
    captured, kind: the enemy piece on the end square, "" for none, and its type, None once it is promoted.
    passed_to: the piece there that would control Z.
    far_rank: a yes would leave Z there under its side's control, which wins unless the holder is captured
        (CF-6.1).
    promoted: the piece answers by the promoted row.
    known: yes and no come from the types that it can still be, as on the sheets; otherwise from all types of
        the table, since the game is played without sheets.
    yes, no: the types with this answer, both empty where the piece is promoted.
    certain: the answer, where all types have the same.
    rising: those of `yes` that would be promoted on arrival (CF-4.4).
    agent: in the edition of thirteen spies, it can be the double agent, which is in neither yes nor no and
        would be answered as the opponent decides (CF-10.3).
    at_once: in that edition, far_rank wins without a turn of the opponent (CF-10.2).
    wished: in that edition, the player would accept the promotion that every piece may be offered, which
        would unmask the double agent (CF-10.11).
    """

    text: str
    letter: str
    seat: Seat
    with_z: bool
    passes_z: bool
    start: Square
    end: Square
    over: tuple[Square, ...]
    captured: str
    kind: Row | None
    takes_z: bool
    passed_to: str
    passed_seat: Seat | None
    far_rank: bool
    promoted: bool
    known: bool
    yes: Types
    no: Types
    certain: bool | None
    rising: Types
    agent: bool = False
    at_once: bool = False
    wished: bool = False


def preview(view: View, line: OrderLine) -> Preview | Fault:
    """Return what public facts and the player's own sheet say of an attempt, whether or not it is their turn.

    A move that would be refused has the same fault as a real one, except that it need not be the player's
    turn.
    """
    board, seat = view.board, view.seat
    move = read_move(line.text, line.number)
    if isinstance(move, Fault):
        return move
    over = Fault("over", "the game is over", rule="CF-6.1") if board.result is not None else None
    if (fault := over or refusal(board, seat, move)) is not None:
        return replace(fault, excerpt=line.text, place=Place(line.number, 1))
    return preview_on(view, board, move, lambda: sheet(board.table, board.attempts, seat))


def preview_on(view: Seen, board: Board, move: Move, known: Callable[[], Sheet]) -> Preview:
    """Return a preview of a possible move on a board. known: the player's own sheet, if there is one."""
    seat, other = view.seat, board.edition.other(view.seat)
    piece = mover(board, seat, move)
    if piece is None:
        raise ValueError(f"{write_move(move)} cannot be attempted")
    whole = complete(board, seat, move)
    end = square_after(piece.square, move.direction, move.length)
    there = board.pieces.get(end)
    way = heading(seat, move.direction)
    left = 0 if piece.promoted else _left(view, board, piece, known)
    regular, goes = types_dealt(board.table), board.table.goes(way, move.length)
    yes, no = (
        Types(map(board.table.row, numbers_of(each)))
        for each in (left & regular & goes, left & regular & ~goes)
    )
    agent = bool(left & ~regular)
    certain = None if agent or (yes and no) else bool(yes)
    if piece.promoted:
        certain = board.table.promoted.can(way, move.length)
    holds = whole.takes_z or move.with_z or (there is not None and there.seat == seat and not move.letter)
    rank = end[1] if not move.letter or whole.takes_z or move.with_z else 0
    return Preview(
        text=write_move(whole),
        letter=piece.letter,
        seat=seat,
        with_z=move.with_z,
        passes_z=not move.letter,
        start=piece.square,
        end=end,
        over=tuple(square_after(piece.square, move.direction, length) for length in range(1, move.length)),
        captured=whole.captures,
        kind=_kind(view, there) if there is not None and there.seat == other else None,
        takes_z=whole.takes_z,
        passed_to=whole.passed_to,
        passed_seat=there.seat if there is not None and whole.passed_to else None,
        far_rank=holds and rank == far_rank(seat),
        promoted=piece.promoted,
        known=view.sheets and not piece.promoted,
        yes=yes,
        no=no,
        certain=certain,
        rising=Types(row for row in yes if row.promotes and arrives(board, seat, move)),
        agent=agent,
    )


def _left(view: Seen, board: Board, piece: Piece, known: Callable[[], Sheet]) -> int:
    """Return the types that a piece can still be, as bits."""
    if view.sheets:
        return _bits(known().open[piece.letter])
    # Nothing is deduced where the players want to do it themselves.
    return types_dealt(board.table, double_agent=board.edition.double_agent)


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number - 1 for number in numbers)


def _kind(view: Seen, piece: Piece) -> Row | None:
    number = view.opponent_types.get(piece.letter)
    return None if piece.promoted or number is None else view.board.table.row(number)
