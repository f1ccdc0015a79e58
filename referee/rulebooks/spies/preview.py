"""What an attempt would do, as far as its player can know beforehand (`preview V-NW2`): see Confusion's.

It is computed on the board that the player will find when closing the turn, which they know (CF-10.8).
"""

from __future__ import annotations

from dataclasses import replace

from referee.common.faults import Fault, Place
from referee.common.i18n import N_
from referee.rulebooks.confusion.adjudicate import arrives
from referee.rulebooks.confusion.knowledge import Types
from referee.rulebooks.confusion.notation import write_move
from referee.rulebooks.confusion.preview import Preview, preview_on
from referee.rulebooks.rulebook import OrderLine
from referee.rulebooks.spies.deduction import mine
from referee.rulebooks.spies.notation import read_order
from referee.rulebooks.spies.orders import Double, Move, Order
from referee.rulebooks.spies.outlook import outlook
from referee.rulebooks.spies.position import View
from referee.rulebooks.spies.reading import move_fault

__all__ = ["Preview", "preview"]


def preview(view: View, line: OrderLine) -> Preview | Fault:
    """Return what public facts, the opponent's types and the player's own sheet say of an attempt, in any turn.

    A move that would be refused has the same fault as a real one, except that it need not be the player's
    turn.
    """
    move = read_order(line)
    if isinstance(move, Fault):
        return move
    place = Place(line.number, 1)
    if not isinstance(move, Move):
        return replace(_no_single_move(move), excerpt=line.text, place=place)
    if (fault := _refusal(view, move)) is not None:
        return replace(fault, excerpt=line.text, place=place)
    variants, board = view.table.variants, outlook(view).acted.board
    found = preview_on(view, board, move, lambda: mine(view))
    found = replace(found, at_once=found.far_rank and not variants.late_contact)
    if not variants.comrade:
        return found
    wished = move.promotes and arrives(board, view.seat, move)
    return replace(
        found,
        text=found.text + ("+" if wished else ""),
        wished=wished,
        rising=found.yes if wished else Types(),
    )


def _refusal(view: View, move: Move) -> Fault | None:
    if view.board.result is not None:
        return Fault("over", N_("the game is over"), rule="CF-6.1")
    if outlook(view).over:
        message = N_("the turn that your opponent has ordered ends the game, so no move follows it")
        return Fault("over", message, rule="CF-10.2")
    if not view.table.set_up:
        message = N_("first both sides arrange their spies; then the first turn begins")
        return Fault("set-up-first", message, rule="CF-10.11")
    return move_fault(view, move)


def _no_single_move(order: Order) -> Fault:
    meant = write_move(order.first) if isinstance(order, Double) else ""
    message = N_("one attempt at a time can be looked at before it is made")
    return Fault("no-move", message, {}, "unreadable", suggestion=meant)
