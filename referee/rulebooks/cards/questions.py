"""What a side owes: its set-up, a turn, a choice in the middle of one (E3, E4)."""

from __future__ import annotations

from collections.abc import Mapping

from referee.common.faults import Fault
from referee.common.i18n import N_
from referee.rulebooks.cards.examples import answers_to_phase_one, set_up_examples
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.orders import Action, Fight, Fire, Move, Pass, Rally, Station
from referee.rulebooks.cards.position import Own, Position, Table, View
from referee.rulebooks.cards.writing import write_order, write_orders
from referee.rulebooks.rulebook import Draft, Question, Seat

CARRY_OUT = "CARRY OUT"
SAID = CARRY_OUT.lower()
"""The same as a word of the desk, which letters in another language write otherwise."""


def due(position: Position) -> Mapping[Seat, Question]:
    """Return who owes what. Who does is plain to everybody; what would answer it is for that seat alone."""
    table = position.table
    if table.battle.result is not None:
        return {}
    if table.stage == "set-up":
        owing = [seat for seat in SIDES if position.own[seat].stations is None]
        return {seat: Question("set-up", _set_ups(table, seat, position.own[seat])) for seat in owing}
    if table.chooser is not None:
        asked = position.own[table.chooser].asked
        return {table.chooser: Question("choice", tuple(asked["forms"]) if asked else ())}
    seat = table.battle.active
    return {seat: Question("order", _orders(table, seat, position.own[seat]))}


def _set_ups(table: Table, seat: Seat, own: Own) -> tuple[str, ...]:
    if any(isinstance(each, Station) for each in own.draft):
        return (SAID,)
    return set_up_examples(table.battle, seat)[0], SAID


def _orders(table: Table, seat: Seat, own: Own) -> tuple[str, ...]:
    """Return lines that could be sent: what carries the draft out, or a move of the first unit that could make one."""
    if any(isinstance(each, Action | Fire | Fight) for each in own.draft):
        return (SAID,)
    if table.halfway:
        return answers_to_phase_one(table.battle)
    forms: list[str] = []
    for unit in table.battle.of(seat):
        if unit.in_ranks and not unit.bound_to:
            order = Rally(unit.id) if unit.mixed else Move(unit.id, None, unit.allowance)
            forms.append(write_order(order))
            break
    return (*forms, write_order(Pass()))


def draft(view: View) -> Draft | None:
    """Return what a seat has drafted of a turn or a set-up that it owes; of a choice, what its standing wish does."""
    own = view.own
    if not view.is_due:
        return None
    if view.table.chooser is not None:
        return Draft((), own.asked["forms"][0]) if own.asked else None
    return Draft(write_orders(own.draft), CARRY_OUT) if own.draft else None


PLANS_ARE_LINES = Fault(
    "plan-by-line",
    N_("here plans are lines of their own, such as {example}: an order that is repeated in your next turns"),
    {"example": "PLAN 3 MV RI1 A20"},
    suggestion="PLAN 3 MV RI1 A20",
)
"""Why there are no plans beside those of this game's own notation (E3)."""
