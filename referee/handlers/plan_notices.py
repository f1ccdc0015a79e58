"""Notes on a player's plan, for that player alone."""

from __future__ import annotations

from collections.abc import Sequence

from referee.common.faults import Fault
from referee.games.conditional_orders import conditions_of, read_plan, steps
from referee.games.game import Game
from referee.handlers.handler_context import HandlerContext
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat


def left_note(game: Game, seat: Seat) -> Note | None:
    """Return the note on what is left of a seat's plan, None where there is none."""
    standing = game.plans.get(seat)
    if standing is None or game.status != "playing":
        return None
    plan = read_plan(standing.plan, game.rulebook.notation, conditions_of(game.rulebook))
    if isinstance(plan, Fault):
        return None
    facts = {"rulebook": game.rulebook.name, "steps": steps(plan), "tried": standing.since is not None}
    return Note("plan", facts)


def dropped_note(why: str, order: str = "", fault: Fault | None = None) -> Note:
    """Return the note on why a plan ended early. order: the one that the fault made impossible."""
    return Note("plan-dropped", {"why": why, "order": order, "fault": fault})


def used_note(orders: Sequence[str], *, used_up: bool) -> Note:
    """Return the note on the orders that were tried as planned. used_up: nothing is left of the plan."""
    return Note("plan-used", {"orders": tuple(orders), "used_up": used_up})


def whisper(work: HandlerContext, game: Game, seat: Seat, note: Note) -> None:
    """Tell a seat alone: in the answer, if it is the writer's, otherwise in what it hears of this letter."""
    part = work.outcome.of(game.number)
    if game.seats[seat] == work.request.player.number:
        part.notes.append(note)
    else:
        part.whispers.append((seat, note))
