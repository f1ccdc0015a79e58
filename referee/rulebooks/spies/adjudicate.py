"""Rulings: what an order does. Orders are checked against the view before they are ruled on."""

from __future__ import annotations

from referee.rulebooks.rulebook import Happening, Result, Seat
from referee.rulebooks.spies.allowed import turn_fault
from referee.rulebooks.spies.answering import opened, with_reveal
from referee.rulebooks.spies.fold import fold_table, with_action
from referee.rulebooks.spies.happenings import (
    ENDED,
    answering,
    ended,
    instructed,
    intended,
    placed,
    sealed,
    set_up,
    shown,
)
from referee.rulebooks.spies.notation import write_order
from referee.rulebooks.spies.orders import (
    Action,
    Answer,
    Double,
    Eliminate,
    Instruct,
    Move,
    Order,
    Pass,
    Reveal,
    SetUp,
    Swap,
    Unmask,
)
from referee.rulebooks.spies.outlook import outlook_in
from referee.rulebooks.spies.position import Position, Sealed, Table
from referee.rulebooks.spies.setting_up import on_the_board


def adjudicate(position: Position, seat: Seat, order: Order) -> tuple[Happening, ...]:
    """Return the happenings of an order that read_orders accepted, in order.

    What precedes a move is confided: its seat alone hears it, and it takes effect with the move (CF-10.8). A
    move opens the other side's seal and, if that does not end the game, is sealed itself; otherwise it is
    void (CF-10.2). Raises ValueError after the end, and for a turn that is not the seat's.
    """
    if position.table.board.result is not None:
        raise ValueError("the game is over")
    match order:
        case Instruct():
            return (instructed(seat, order),)
        case SetUp():
            return _arranged(position, seat, order)
    if position.table.board.to_move != seat or not position.table.set_up:
        raise ValueError(f"it is not {seat}'s turn")
    match order:
        case Answer():
            return (answering(seat, order),)
        case Reveal(letter):
            return *_intended(position, seat, order), shown(seat, letter, position.deals[seat][letter])
        case Swap() | Eliminate() | Unmask():
            return _intended(position, seat, order)
        case Move():
            return _closed(position, seat, (order,))
        case Double(first, second):
            return _closed(position, seat, (first, second))
        case Pass():
            return _closed(position, seat, ())
    raise ValueError(f"{write_order(order)} is no order")


def _intended(position: Position, seat: Seat, action: Action) -> tuple[Happening, ...]:
    """Return the happening of an action that precedes the move, with the answer that it relies on.

    An answer by a standing instruction is fixed from now on, whatever the instruction says later.
    """
    now = outlook_in(position)
    if now.answer is None or position.confided[seat].answer is not None:
        return (intended(seat, action),)
    return answering(seat, now.answer), intended(seat, action)


def _closed(position: Position, seat: Seat, tries: tuple[Move, ...]) -> tuple[Happening, ...]:
    happenings = unsealed(position)
    table = table_after(position.table, happenings)
    if table.board.result is not None:
        return happenings
    row, action = table.board.row, position.confided[seat].action
    acted = with_action(table, seat, action, row) if action is not None else table
    if (fault := turn_fault(acted, seat, action, tries)) is not None:
        raise ValueError(f"{' & '.join(map(write_order, tries)) or 'pass'}: {fault.reason()}")
    return *happenings, sealed(Sealed(row, seat, action, tries))


def unsealed(position: Position) -> tuple[Happening, ...]:
    """Return the happenings of opening the seal, including a reveal; () where nothing is sealed (CF-10.8)."""
    table = position.table
    if table.sealed is None:
        return ()
    own = position.confided[table.board.to_move]
    found = opened(table, position.deals[table.sealed.seat], own.answer, own.instruction)
    return with_reveal(found, position.deals)


def _arranged(position: Position, seat: Seat, order: SetUp) -> tuple[Happening, ...]:
    """Return the happening of a side's set-up; once the other side is set up too, both are shown (CF-10.11)."""
    edition = position.table.board.edition
    squares = on_the_board(edition, seat, order.squares)
    other = edition.other(seat)
    theirs = position.confided[other].placed
    if theirs is None:
        return (placed(seat, squares),)
    return (set_up({seat: squares, other: theirs}),)


def conclude(position: Position, result: Result) -> tuple[Happening, ...]:
    """Return the happenings of an end off the board: resignation, agreement, time (CF-6.3).

    Empty if the game is over.

    A turn that waits is answered first: if it wins, it won at once, even if its player has resigned since
    (CF-10.2).
    """
    if position.table.board.result is not None:
        return ()
    happenings = unsealed(position)
    if any(each.code == ENDED for each in happenings):
        return happenings
    return with_reveal((*happenings, ended(result, "CF-6.3")), position.deals)


def table_after(table: Table, happenings: tuple[Happening, ...]) -> Table:
    """Return the table after some happenings."""
    for happening in happenings:
        table = fold_table(table, happening)
    return table
