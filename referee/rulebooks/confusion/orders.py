"""Reads order lines: moves that may be ruled on, and faults. Only the view is consulted (CF-4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.common.faults import Fault, Place
from referee.common.i18n import N_, Phrase
from referee.rulebooks.confusion.compass import COLOURS
from referee.rulebooks.confusion.notation import Move, read_move, write_move
from referee.rulebooks.confusion.position import View
from referee.rulebooks.confusion.possible import complete, refusal
from referee.rulebooks.rulebook import OrderLine, Reading


def read_orders(view: View, lines: Sequence[OrderLine]) -> Reading:
    """Read lines against a view: at most one move, since a turn is one attempt (CF-4.1), and a fault for each bad line.

    The first line that may be attempted is accepted, completed by the tails that the position gives it. The
    same move written again is no fault; a different one is.
    """
    taken: Move | None = None
    faults: list[Fault] = []
    for line in lines:
        read = read_move(line.text, line.number)
        if isinstance(read, Fault):
            faults.append(read)
        elif (fault := _out_of_turn(view) or refusal(view.board, view.seat, read)) is not None:
            faults.append(_placed(fault, line))
        elif taken is None:
            taken = complete(view.board, view.seat, read)
        elif complete(view.board, view.seat, read) != taken:
            message = N_("a turn is one attempt, and {move} was taken")
            fault = Fault("one-attempt", message, {"move": write_move(taken)}, rule="CF-4.1")
            faults.append(_placed(fault, line))
    return Reading((taken,) if taken else (), tuple(faults))


def _out_of_turn(view: View) -> Fault | None:
    board = view.board
    if board.result is not None:
        return Fault("over", "the game is over", rule="CF-6.1")
    if board.to_move != view.seat:
        facts = {"colour": Phrase(COLOURS[board.to_move])}
        return Fault("not-your-turn", "it is {colour}'s turn, not yours", facts, rule="CF-4.1")
    return None


def _placed(fault: Fault, line: OrderLine) -> Fault:
    return replace(fault, excerpt=line.text, place=Place(line.number, 1))
