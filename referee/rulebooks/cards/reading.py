"""Order lines become orders that may be ruled on, and faults. Only the view is asked (E2).

What is readable but cannot be done is no fault: it is ruled on when it is carried out, and told then (CC-3.22).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.common.faults import Fault, Place
from referee.common.i18n import N_, Phrase
from referee.rulebooks.cards.asking import unfit
from referee.rulebooks.cards.checking import check_order
from referee.rulebooks.cards.drafting import RULES, actor, duty_of, in_the_way, placings, standing
from referee.rulebooks.cards.examples import answers_to_phase_one
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.notation import read_order
from referee.rulebooks.cards.orders import (
    ALL,
    Action,
    CarryOut,
    Check,
    Choose,
    Clear,
    Order,
    Pass,
    Placing,
    Plan,
    Prefer,
    ShowMap,
    Station,
    StationCommander,
    Wake,
)
from referee.rulebooks.cards.position import View
from referee.rulebooks.cards.setting_up import set_up
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import OrderLine, Reading


def is_turn(order: Order) -> bool:
    """Return whether an order makes a turn by itself: all others are drafted, or wished, and told to nobody else."""
    return isinstance(order, CarryOut | Pass | Choose)


def at_any_time(order: Order) -> bool:
    """Return whether an order may be given out of turn: wishes, plans, what one's own map shows; and where units start,
    which may be changed as long as the other side's set-up is not in (A-13)."""
    return isinstance(order, Prefer | Plan | Wake | ShowMap | Placing)


def read_orders(view: View, lines: Sequence[OrderLine]) -> Reading:
    """Read lines against a view: the orders that may be ruled on, in order, and a fault for each bad line.

    Behind an order that makes a turn no other such can stand; the same order again is no fault.
    """
    taken: list[Order] = []
    faults: list[Fault] = []
    for line in lines:
        read = read_order(line)
        held = read if isinstance(read, Fault) else _held(view, read, line, taken)
        if isinstance(held, Fault):
            faults.append(_placed(held, line))
            continue
        closed = next((each for each in taken if is_turn(each)), None)
        if closed is not None and is_turn(held):
            if held != closed:
                message = N_("a turn is carried out once, and {order} was taken")
                fault = Fault("one-turn", message, {"order": write_order(closed)}, rule="CC-2.1")
                faults.append(_placed(fault, line))
        elif held not in taken:
            taken.append(held)
    return Reading(tuple(taken), tuple(faults))


def check_further(view: View, line: OrderLine, order: Order, earlier: Sequence[Order]) -> Order | Fault:
    """Return one further order of a letter as it may be ruled on, or why it may not.

    earlier: the letter's orders that were ruled on. Those of a turn that was carried out since are not in its way.
    """
    held = _held(view, order, line, [each for each in earlier if _timely(view, each) is None])
    return _placed(held, line) if isinstance(held, Fault) else held


def _held(view: View, order: Order, line: OrderLine, before: Sequence[Order]) -> Order | Fault:
    """Return an order as it may be ruled on, or why it may not. before: those of the same lines that were taken."""
    table = view.table
    if table.battle.result is not None:
        return Fault("over", N_("the battle is over"), rule="CC-8.6")
    if (fault := check_order(table.battle, view.seat, order, line)) is not None:
        return fault
    if (fault := _second(order, before)) is not None:
        return fault
    if (fault := _timely(view, order)) is not None:
        return fault
    match order:
        case Station() | StationCommander():
            return _station(view, order)
        case CarryOut() | Pass() | Clear() | Check():
            return _closing(view, order, before)
        case Choose():
            return _choice(view, order)
    return order


def _timely(view: View, order: Order) -> Fault | None:
    """Return why an order is for another time than now, None where it is not; of what closes or clears a draft nothing
    is said here."""
    table = view.table
    if isinstance(order, Placing):
        message = N_("the armies are set up already, and the battle has begun")
        return Fault("set-up-over", message, rule="CC-1.13") if table.stage != "set-up" else None
    if at_any_time(order) or isinstance(order, CarryOut | Pass | Clear | Check):
        return None
    if table.stage == "set-up":
        message = N_("first both armies are set up, by lines such as {example}; then the first turn begins")
        return Fault("set-up-first", message, {"example": _example(view)}, rule="CC-1.13")
    if isinstance(order, Choose):
        return None
    if table.chooser is not None:
        return _waits(view)
    if not view.is_due:
        return _not_due(view)
    return _phase_over(view) if table.halfway and isinstance(order, Action) else None


def _second(order: Order, before: Sequence[Order]) -> Fault | None:
    """Return that an order cannot be done beside one above it in the same letter; the same once more is no fault."""
    other = next((each for each in in_the_way(order, standing(before)) if each != order), None)
    if other is None:
        return None
    kind, who = duty_of(order) or ("", "")
    message = _SECOND["all" if who == ALL else kind]
    return Fault("second-order", message, {"who": who, "order": write_order(other)}, rule=RULES[kind])


_SECOND: Mapping[str, str] = {
    "act": N_("{who} acts once in phase 1, and {order} above in this letter is taken"),
    "go": N_("{who} moves once in a turn, and {order} above in this letter is taken"),
    "fire": N_("{who} fires once in a turn, and {order} above in this letter is taken"),
    "fight": N_("{who} declares one combat in a turn, and {order} above in this letter is taken"),
    "all": N_("each unit declares one combat in a turn, and {order} above in this letter is taken"),
    "stand": N_("{who} starts in one place, and {order} above in this letter is taken"),
}


def _phase_over(view: View) -> Fault:
    """Say that nobody moves any more in the second half of a turn (E3)."""
    example = answers_to_phase_one(view.battle)[0]
    message = N_(
        "phase 1 of this turn is over; now cannons fire and units fight, by lines such as {example}, or PASS ends it"
    )
    return Fault("phase-over", message, {"example": example}, "not-allowed", rule="CC-2.1")


def _example(view: View) -> str:
    unit = next(iter(view.battle.of(view.seat)), None)
    return f"AT {unit.id} {unit.x:g},{unit.y:g} B{unit.bearing:g}" if unit else "CARRY OUT"


def _station(view: View, order: Placing) -> Order | Fault:
    """Where a unit starts, held against the table together with what is drafted already (CC-1.11 to CC-1.13)."""
    given = view.own.stations is not None
    found = set_up(view.battle, view.seat, latest((*view.own.placed, order)) if given else [order])
    for fault in found if isinstance(found, tuple) else ():
        # What a line has to do with others shows when all are in.
        if given or (fault.code != "station-overlap" and fault.excerpt == actor(order)):
            return replace(fault, excerpt="", place=None)
    return order


def _closing(view: View, order: Order, before: Sequence[Order]) -> Order | Fault:
    table = view.table
    if table.stage == "set-up":
        if isinstance(order, CarryOut):
            found = set_up(view.battle, view.seat, latest((*view.own.placed, *placings(before))))
            if isinstance(found, tuple):
                return replace(found[0], place=None)
        return order
    if not view.is_due:
        return _not_due(view)
    if table.chooser is not None:
        return _waits(view)
    if isinstance(order, Pass) and any(map(duty_of, before)):
        message = N_(
            "here are orders and PASS: carry out has the orders done, PASS alone lets the turn go by"
        )
        return Fault("pass-beside", message, suggestion="CARRY OUT", rule="CC-2.2")
    if isinstance(order, CarryOut) and not (view.own.draft or any(map(duty_of, before))):
        message = N_("nothing is drafted that could be carried out; PASS lets the turn go by")
        return Fault("nothing-drafted", message, suggestion="PASS", rule="CC-2.2")
    return order


def latest(drafted: Sequence[Placing]) -> tuple[Placing, ...]:
    """Return the last word on where each stands."""
    return tuple({duty_of(each): each for each in drafted}.values())


def _choice(view: View, order: Choose) -> Order | Fault:
    if view.own.asked is None or view.table.chooser != view.seat:
        return Fault("nothing-asked", N_("no choice of yours is waited for"), rule="CC-7.17")
    return unfit(view.own.asked, order) or order


def _waits(view: View) -> Fault:
    if view.table.chooser == view.seat:
        asked = view.own.asked
        forms = asked["forms"] if asked else ("CHOOSE KILL NEAR",)
        message = N_("first a choice of yours is waited for; answer it by a line such as {example}")
        return Fault("choice-first", message, {"example": forms[0]}, suggestion=forms[0], rule="CC-7.17")
    message = N_("the turn waits for a choice of {side}'s; it goes on when that is in")
    chooser = str(view.table.chooser)
    return Fault("their-choice", message, {"side": Phrase(chooser.capitalize())}, rule="CC-7.17")


def _not_due(view: View) -> Fault:
    if view.table.stage == "set-up":
        other = next(side for side in SIDES if side != view.seat)
        message = N_("your set-up is in; {side}'s is waited for")
        return Fault("set-up-in", message, {"side": Phrase(other.capitalize())}, rule="CC-1.13")
    facts = {"side": Phrase(view.battle.active.capitalize())}
    return Fault("not-your-turn", N_("it is {side}'s turn, not yours"), facts, rule="CC-2.6")


def _placed(fault: Fault, line: OrderLine) -> Fault:
    """Return a fault with the line that it is in, where it does not say that itself."""
    if fault.place is not None:
        return fault
    return replace(fault, excerpt=fault.excerpt or line.text, place=Place(line.number, 1))
