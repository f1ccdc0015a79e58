"""What a seat's plan does in its turn: the order that it gives, or why it ends. Pure; uses the seat's view alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from referee.common.faults import Fault
from referee.games.conditional_orders import Plan, next_step, read_plan, write_plan
from referee.games.decisions import Decision, decide_order
from referee.games.events import Event, PlanDropped, Ruled
from referee.games.game import Game
from referee.rulebooks.rulebook import OrderLine, Seat

Why = Literal["nothing-fits", "refused"]
NO_TURN = Fault("plan-no-turn", "a plan holds moves alone; send this by itself")


@dataclass(frozen=True, slots=True)
class Followed:
    """The outcome of a plan in a turn.

    order: the order given, "" where no branch applies.
    why: why the plan ended, None if it did not.
    fault: why the order could not be tried.
    used_up: nothing is left of the plan after this order.
    """

    event: Event
    order: str = ""
    why: Why | None = None
    fault: Fault | None = None
    used_up: bool = False


def plan_waits(game: Game, seat: Seat) -> bool:
    """Return whether a seat's plan waits because of the other seat's proposal.

    A move would answer the proposal, which the plan's owner had not read when leaving the plan.
    """
    standing = game.plans.get(seat)
    return standing is not None and standing.waits_for is not None and standing.waits_for == game.offer


def may_plan(game: Game, seat: Seat) -> Fault | None:
    """Return why a seat can leave no plan for its coming turns; None where it can."""
    planning = game.rulebook.planning
    return planning if isinstance(planning, Fault) else planning.may_plan(game.view(seat))


def follow_plan(game: Game, seat: Seat) -> Followed | None:
    """Return what a seat's plan does now; None where it does nothing.

    It does nothing where there is no plan, it is not the seat's turn, the game is frozen, or the plan waits
    (see plan_waits). The rules may also forbid that it continues now.
    """
    standing = game.plans.get(seat)
    if standing is None or seat not in game.due or game.frozen or plan_waits(game, seat):
        return None
    planning = game.rulebook.planning
    if isinstance(planning, Fault):
        return _refused(seat, standing.plan, planning)
    plan = read_plan(standing.plan, game.rulebook.notation, planning.conditions)
    if isinstance(plan, Fault):  # written by a release that could read it
        return _refused(seat, standing.plan, plan)
    step: Plan | None = plan
    if standing.since is not None:
        heard = [each for each in game.happenings[standing.since :] if seat in each.heard_by]
        step = next_step(plan, planning.heard_conditions(heard, game.view(seat)))
    if step is None:
        return Followed(PlanDropped(seat, "nothing-fits"), why="nothing-fits")
    fault = planning.may_plan(game.view(seat))
    decision = decide_order(game, seat, OrderLine(1, step.order)) if fault is None else Decision(fault=fault)
    if decision.fault is not None:
        fault = replace(decision.fault, excerpt="", place=None)
        return _refused(seat, step.order, fault)
    (ruled,) = decision.events
    if not isinstance(ruled, Ruled):  # nobody else hears of the order, so it makes no turn
        return _refused(seat, step.order, NO_TURN)
    left = write_plan(step) if step.branches else ""
    return Followed(replace(ruled, plan=left), decision.order, used_up=not left)


def _refused(seat: Seat, order: str, fault: Fault) -> Followed:
    return Followed(PlanDropped(seat, "refused"), order, "refused", fault)
