"""What an attempt would bring, as far as its player can know it before he makes it (`preview V-NW2`; CF-4.2, CF-7.1).

It is a function of the view alone: of the board, of the opponent's types that the player sees, and of the answers that
both have heard. So it says nothing that he could not work out, and no more to whoever asks twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.faults import Fault, Place
from referee.rulebooks.confusion.adjudicate import arrives
from referee.rulebooks.confusion.compass import Square, far_rank, heading, opponent, square_after
from referee.rulebooks.confusion.deduction import numbers_of, sheet, types_dealt
from referee.rulebooks.confusion.knowledge import Types
from referee.rulebooks.confusion.notation import read_move, write_move
from referee.rulebooks.confusion.position import Piece, View
from referee.rulebooks.confusion.possible import complete, mover, refusal
from referee.rulebooks.confusion.table import Row
from referee.rulebooks.rulebook import OrderLine, Seat


@dataclass(frozen=True, slots=True)
class Preview:
    """An attempt as it would go on the board as it stands.

    text: canonical, with the tails that the position gives it. letter: the piece whose type would answer; passes_z: it
    stays, and Z alone goes. over: the squares passed on the way. captured, kind: the enemy piece on the end square, ""
    for none, and its type, None once it is promoted. passed_to: the piece there that would control Z.
    far_rank: a yes would leave Z under its side's control there, which wins unless the holder is captured (CF-6.1).
    promoted: the piece answers by the promoted row. known: yes and no are the types that it can still be, as the
    sheets have them; else all types of the table, since the game is played without sheets. yes, no: those that would
    be answered so, both empty where the piece is promoted; certain: the answer, where all say the same. rising: those
    of `yes` that would be promoted on arrival (CF-4.4).
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


def preview(view: View, line: OrderLine) -> Preview | Fault:
    """Return what public facts and his own sheet tell a player of an attempt, his turn or not.

    What a real move would be refused for is refused with the same fault, save that it need not be his turn.
    """
    board, seat = view.board, view.seat
    move = read_move(line.text, line.number)
    if isinstance(move, Fault):
        return move
    over = Fault("over", "the game is over", rule="CF-6.1") if board.result is not None else None
    if (fault := over or refusal(board, seat, move)) is not None:
        return replace(fault, excerpt=line.text, place=Place(line.number, 1))
    piece = mover(board, seat, move)
    if piece is None:
        raise ValueError(f"{write_move(move)} cannot be attempted")
    whole = complete(board, seat, move)
    end = square_after(piece.square, move.direction, move.length)
    there = board.pieces.get(end)
    way = heading(seat, move.direction)
    known, yes, no, certain = _answers(view, piece, way, move.length)
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
        kind=_kind(view, there) if there is not None and there.seat == opponent(seat) else None,
        takes_z=whole.takes_z,
        passed_to=whole.passed_to,
        passed_seat=there.seat if there is not None and whole.passed_to else None,
        far_rank=holds and rank == far_rank(seat),
        promoted=piece.promoted,
        known=known,
        yes=yes,
        no=no,
        certain=certain,
        rising=Types(row for row in yes if row.promotes and arrives(board, seat, move)),
    )


def _answers(view: View, piece: Piece, way: str, length: int) -> tuple[bool, Types, Types, bool | None]:
    """Return whether the sheets were asked, the types that say yes and that say no, and the answer if it is certain."""
    table = view.board.table
    if piece.promoted:
        return False, Types(), Types(), table.promoted.can(way, length)
    goes = table.goes(way, length)
    left = types_dealt(table)
    if view.sheets:
        # Nothing is deduced where the players want to do it themselves.
        left = _bits(sheet(table, view.board.attempts, view.seat).open[piece.letter])
    yes, no = (Types(map(table.row, numbers_of(each))) for each in (left & goes, left & ~goes))
    return view.sheets, yes, no, None if yes and no else bool(yes)


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number - 1 for number in numbers)


def _kind(view: View, piece: Piece) -> Row | None:
    number = view.opponent_types.get(piece.letter)
    return None if piece.promoted or number is None else view.board.table.row(number)
