"""What is due from a side: a turn, an answer before it, a set-up; and whether a plan may do it (CF-10.8)."""

from __future__ import annotations

from collections.abc import Mapping

from referee.common.faults import Fault
from referee.common.i18n import N_
from referee.rulebooks.rulebook import Question, Seat
from referee.rulebooks.spies.edition import SEATS
from referee.rulebooks.spies.notation import write_order
from referee.rulebooks.spies.orders import Answer, Pass
from referee.rulebooks.spies.outlook import outlook_in
from referee.rulebooks.spies.position import Position, View
from referee.rulebooks.spies.setting_up import usual
from referee.rulebooks.spies.suggesting import suggest


def due(position: Position) -> Mapping[Seat, Question]:
    """Return the question that each seat has to answer.

    Everybody may know whom something is due from. The examples are for that seat alone, which sees the other
    side's types and therefore whether its own answer is needed first.
    """
    table = position.table
    if table.board.result is not None:
        return {}
    if not table.set_up:
        usually = write_order(usual(table.board.edition))
        owing = [seat for seat in SEATS if position.confided[seat].placed is None]
        return {seat: Question("set-up", (usually,)) for seat in owing}
    return {table.board.to_move: Question("order", _forms(position))}


def _forms(position: Position) -> tuple[str, ...]:
    now = outlook_in(position)
    if now.unanswered:
        return tuple(write_order(Answer(allow)) for allow in (True, False))
    seat = position.table.board.to_move
    moves = suggest(now.acted, seat, position.confided[seat].action)
    return moves or (write_order(Pass()),)


def may_plan(view: View) -> Fault | None:
    """Return why a seat can leave no plan; None where it can (CF-10.8).

    If the player would have to be asked first, the plan would wait for that, and the delay would tell the
    other side that an answer was needed.
    """
    known_gone = view.board.edition.other(view.side) in view.table.unmasked
    if not view.table.variants.double_agent or known_gone or view.own.instruction.how != "ask":
        return None
    message = N_(
        "a plan needs a standing instruction for the opponent's double agent, for it cannot wait until you are asked: "
        "say agent always, agent never or agent as TYPE first"
    )
    return Fault("plan-needs-instruction", message, rule="CF-10.8")
