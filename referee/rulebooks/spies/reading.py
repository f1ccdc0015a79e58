"""Reads order lines: orders that may be ruled on, and faults. Only the view is consulted (CF-4.2, CF-10.8).

A turn is checked against the board that its player will find when closing it (`outlook`): they know the
outcome of the other side's turn before anybody is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.common.faults import Fault, Place
from referee.common.i18n import N_, Phrase
from referee.rulebooks.confusion.compass import COLOURS
from referee.rulebooks.confusion.notation import write_move
from referee.rulebooks.confusion.position import Deal
from referee.rulebooks.rulebook import OrderLine, Reading
from referee.rulebooks.spies.allowed import TOKEN_NAMES, action_fault, turn_fault
from referee.rulebooks.spies.answering import DENIED
from referee.rulebooks.spies.edition import MOVE, REVEAL
from referee.rulebooks.spies.happenings import rule_of
from referee.rulebooks.spies.notation import in_words, read_order, write_order
from referee.rulebooks.spies.orders import (
    Action,
    Answer,
    Double,
    Instruct,
    Move,
    Order,
    Pass,
    Reveal,
    SetUp,
    Turn,
    Unmask,
)
from referee.rulebooks.spies.outlook import outlook, outlook_of
from referee.rulebooks.spies.position import Table, View
from referee.rulebooks.spies.setting_up import read_set_up
from referee.rulebooks.spies.tries import completed

ANSWERS = (DENIED, Answer(allow=True), Answer(allow=True, takes_z=False))
"""All possible answers to an attempt of a double agent."""


def is_turn(order: Order) -> bool:
    """Return whether an order by itself makes a turn; other orders are confided to the referee alone."""
    return isinstance(order, Move | Double | Pass | SetUp)


def read_orders(view: View, lines: Sequence[OrderLine]) -> Reading:
    """Read lines against a view: confided orders, then at most one order that makes a turn; and the faults.

    What is confided applies to the order that closes the turn, wherever it is in the letter. A repeated order
    is no fault.
    """
    taken: list[Order] = []
    faults: dict[int, Fault] = {}
    read = [read_order(line) for line in lines]
    confided = [place for place, order in enumerate(read) if not (isinstance(order, Fault) or is_turn(order))]
    closing = [place for place in range(len(read)) if place not in confided]
    for place in (*confided, *closing):
        line, order = lines[place], read[place]
        held = order if isinstance(order, Fault) else _held(view, order, line)
        if isinstance(held, Fault):
            faults[place] = held if held.place is not None else _placed(held, line)
            continue
        closed = next((each for each in taken if is_turn(each)), None)
        if closed is not None and is_turn(held):
            if held != closed:
                message = N_("a turn is one attempt, and {move} was taken")
                fault = Fault("one-attempt", message, {"move": write_order(closed)}, rule="CF-4.1")
                faults[place] = _placed(fault, line)
        elif held not in taken:
            taken.append(held)
            view = _confiding(view, held)
    return Reading(tuple(taken), tuple(faults[place] for place in sorted(faults)))


def agent_of(table: Table, deal: Deal) -> str:
    """Return the letter of the double agent among a side's types, "" where there is none or the types are unknown."""
    number = table.board.table.agent_number
    return next((letter for letter, its in deal.items() if its == number), "")


def move_fault(view: View, move: Move) -> Fault | None:
    """Return why a move could not be attempted on the board as its player knows it, None where it could.

    The fault is that of a real order, whether or not it is the player's turn.
    """
    now = outlook(view)
    if now.unanswered:
        return _answer_due(view)
    return turn_fault(now.acted, view.seat, view.own.action, (move,))


def _confiding(view: View, order: Order) -> View:
    """Return a view after its owner has confided an order, for the following lines of the same letter."""
    match order:
        case Answer():
            return replace(view, own=replace(view.own, answer=order))
        case Instruct():
            return replace(view, own=replace(view.own, instruction=order))
        case Move() | Double() | Pass() | SetUp():
            return view
    answer = view.own.answer or outlook(view).answer
    return replace(view, own=replace(view.own, action=order, answer=answer))


def _held(view: View, order: Order, line: OrderLine) -> Order | Fault:
    """Return an order in the form in which it may be ruled on, or why it may not be."""
    table = view.table
    if table.board.result is not None:
        return Fault("over", N_("the game is over"), rule="CF-6.1")
    match order:
        case Instruct():
            return _instruction(view, order)
        case SetUp():
            return _arrangement(view, line)
    if not table.set_up:
        message = N_("first both sides arrange their spies; then the first turn begins")
        return Fault("set-up-first", message, rule="CF-10.11")
    if table.board.to_move != view.seat:
        facts = {"colour": Phrase(COLOURS[table.board.to_move])}
        return Fault("not-your-turn", N_("it is {colour}'s turn, not yours"), facts, rule="CF-4.1")
    match order:
        case Answer():
            return _answer(view, order)
        case Move() | Double() | Pass():
            return _turn(view, order)
    return _action(view, order)


def _instruction(view: View, order: Instruct) -> Order | Fault:
    if not view.table.variants.double_agent:
        message = N_("by the code of honour there is no double agent in this game")
        return Fault("no-double-agent", message, rule="CF-10.8")
    types = len(view.board.table.rows)
    if order.how == "as" and not 1 <= order.number <= types:
        facts = {"number": str(order.number), "types": str(types)}
        return Fault(
            "no-such-type", N_("there is no type {number}; the types are 1 to {types}"), facts, rule="CF-10.8"
        )
    return order


def _arrangement(view: View, line: OrderLine) -> Order | Fault:
    """Return a set-up or its fault; it is read again here, since its faults depend on the game (CF-10.11)."""
    variants = view.table.variants
    if not variants.variable_setup:
        message = N_("in this game the spies begin where they always do; nobody arranges them")
        return Fault("no-set-up", message, rule="CF-10.11")
    if view.table.set_up:
        message = N_("the spies are arranged already, and the game has begun")
        return Fault("set-up-over", message, rule="CF-10.11")
    if view.own.placed is not None:
        message = N_("your set-up is in, and stands; the game begins when the other side's is in as well")
        return Fault("set-up-given", message, rule="CF-10.11")
    return read_set_up(line.text, view.board.edition, line.number)


def _answer(view: View, order: Answer) -> Order | Fault:
    """Return an answer to the double agent's attempt, or its fault.

    An answer cannot be changed, as over the board (CF-10.3).
    """
    if outlook(view).asked is None:
        message = N_("no attempt of the opponent's double agent waits for an answer of yours")
        return Fault("nothing-asked", message, rule="CF-10.3")
    said = view.own.answer
    if said is not None and said != order:
        message = N_("you have said {answer} already, and that stands")
        return Fault("answered", message, {"answer": write_order(said)}, rule="CF-10.3")
    return order


def _action(view: View, order: Action) -> Order | Fault:
    """Return the action before a move, or its fault.

    There is one action a turn, and it must be possible whatever is still to be answered (CF-10.4, CF-10.9).
    """
    if isinstance(order, Unmask):
        filled = _unmasking(view, order)
        if isinstance(filled, Fault):
            return filled
        order = filled
    stands = view.own.action
    if stands is not None:
        if stands == order:
            return order
        message = N_("only one thing goes before the move of a turn, and {action} stands already")
        return Fault("one-action", message, {"action": in_words(stands)}, rule=rule_of(stands))
    faults = [action_fault(table, view.seat, order) for table in _tables(view)]
    if all(fault is None for fault in faults):
        return _unseen(view, order) or order
    if any(fault is None for fault in faults):
        return _answer_due(view)
    return next(fault for fault in faults if fault is not None)


def _unseen(view: View, action: Action) -> Fault | None:
    """Return why a player is not shown a spy, None where there is no reason (CF-10.9).

    In a turn that was taken back they were shown another spy. They have the token again, but never see two
    spies for one token.
    """
    if not isinstance(action, Reveal) or not view.own.seen or action.letter in view.own.seen:
        return None
    seen = min(view.own.seen)
    message = N_(
        "you were shown {letter} in a turn that was taken back, so {token} shows {letter} and no other"
    )
    facts = {"letter": seen, "token": TOKEN_NAMES[REVEAL]}
    return Fault("seen-another", message, facts, suggestion=in_words(Reveal(seen)), rule="CF-10.9")


def _unmasking(view: View, order: Unmask) -> Unmask | Fault:
    """Return the order to remove the opponent's double agent with its letter; no other spy can be named (CF-10.5)."""
    agent = agent_of(view.table, view.opponent_types)
    if not agent:
        message = N_("by the code of honour there is no double agent in this game")
        return Fault("no-double-agent", message, rule="CF-10.5")
    if order.letter not in ("", agent):
        facts = {"letter": order.letter, "agent": agent}
        message = N_("{letter} is not the opponent's double agent, {agent} is")
        return Fault("not-double-agent", message, facts, suggestion=in_words(Unmask(agent)), rule="CF-10.5")
    return Unmask(agent)


def _tables(view: View) -> list[Table]:
    """Return the tables that a player may find when closing the turn: one, or one for each answer still to be given.

    Tables on which the game has ended are left out, since the turn then has no effect.
    """
    now = outlook(view)
    if not now.unanswered:
        return [] if now.over else [now.table]
    owns = [replace(view.own, answer=answer) for answer in ANSWERS]
    found = [outlook_of(view.table, view.seat, view.opponent_types, own) for own in owns]
    return [each.table for each in found if not each.over]


def _answer_due(view: View) -> Fault:
    asked = outlook(view).asked
    facts = {"move": write_move(asked)} if asked is not None else {}
    message = N_("first say allow or deny to {move}: the opponent's double agent attempts it")
    return Fault("answer-due", message, facts, rule="CF-10.8")


def _turn(view: View, order: Turn) -> Order | Fault:
    """Return an order that closes the turn, or its fault.

    If the other side's turn ends the game the order is void, so any order is accepted.
    """
    now = outlook(view)
    if now.unanswered:
        return _answer_due(view)
    if now.over:
        return order
    stands = view.own.action
    match order:
        case Move():
            tries: tuple[Move, ...] = (order,)
        case Double(first, second):
            tries = (first, second)
        case _:
            tries = ()
    if stands is not None and isinstance(order, Double):
        facts = {"action": in_words(stands), "token": TOKEN_NAMES[MOVE]}
        message = N_("the token {token} is not played in a turn in which {action} goes before the move")
        return Fault("one-action", message, facts, rule="CF-10.9")
    if (fault := turn_fault(now.acted, view.seat, stands, tries)) is not None:
        return fault
    wishes = view.table.variants.comrade
    whole = completed(now.acted.board, view.seat, tries, wishes=wishes)
    match whole:
        case (move,):
            return move
        case (one, other):
            return Double(one, other)
    return order


def _placed(fault: Fault, line: OrderLine) -> Fault:
    return replace(fault, excerpt=line.text, place=Place(line.number, 1))
