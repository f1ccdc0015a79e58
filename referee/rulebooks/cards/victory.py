"""Who holds the objectives, and who has won (CC-8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace

from referee.rulebooks.cards.battle import Battle, Outcome, happened
from referee.rulebooks.cards.figures import SIDES, other_side
from referee.rulebooks.cards.ground import Objective
from referee.rulebooks.rulebook import Happening, Result, Seat

HELD, ENDED = "held", "ended"
ENOUGH = 3
"""How many of the four objectives win (CC-8.1)."""

BY_PLAYERS = ("by resignation", "by agreement")
BY_OBJECTIVES = "by three objectives"
BY_DESTRUCTION = "by destroying the enemy's army"
BOTH_DESTROYED = "both armies are destroyed"
BY_MORE_OBJECTIVES = "by more objectives at the turn limit"
AS_MANY_OBJECTIVES = "as many objectives at the turn limit"


def occupy(battle: Battle, mover: Seat | None = None, through: Collection[str] = ()) -> Outcome:
    """Give objectives to the side that occupies them (CC-8.2 to CC-8.7).

    through: those that men in ranks of the side `mover` have just passed through (CC-8.4).
    """
    happenings: list[Happening] = []
    for objective in battle.ground.objectives:
        inside = occupants(battle, objective)
        rule = "CC-8.2"
        if mover is not None and objective.id in through and other_side(mover) not in inside:
            rule = "CC-8.2" if mover in inside else "CC-8.4"
            inside = {mover}
        if len(inside) != 1:
            continue
        (side,) = inside
        if battle.holders.get(objective.id) != side:
            then = replace(battle, holders={**battle.holders, objective.id: side})
            was = battle.holders.get(objective.id)
            happenings.append(happened(battle, then, HELD, rule, objective=objective.id, side=side, was=was))
            battle = then
    return battle, tuple(happenings)


def occupants(battle: Battle, objective: Objective) -> set[Seat]:
    """Return the sides with a man in ranks inside an objective (CC-8.2, CC-8.5)."""
    return {
        unit.side
        for unit in battle.units.values()
        if unit.in_ranks and objective.holds_any(unit.formation.ranks_points, unit.formation.ranks_box)
    }


def holding(battle: Battle) -> Counter[Seat]:
    """Return how many objectives each side holds."""
    return Counter(battle.holders.values())


def decided(battle: Battle) -> tuple[Result, str] | None:
    """Return the result that stands as the battle lies, and its rule; None while it goes on (CC-8.1, CC-8.10)."""
    held = holding(battle)
    for side in SIDES:
        if held[side] >= ENOUGH:
            return Result(side, BY_OBJECTIVES), "CC-8.1"
    alive = [side for side in SIDES if any(unit.living for unit in battle.of(side))]
    if len(alive) == 1:
        return Result(alive[0], BY_DESTRUCTION), "CC-8.10"
    if not alive:
        return Result(None, BOTH_DESTROYED), "CC-8.10"
    return None


def at_limit(battle: Battle) -> tuple[Result, str] | None:
    """Return the result after the last turn of both sides, where there is a limit and it is reached (CC-8.11).

    Asked as the second side's turn ends, with `battle.turn` still the number of that turn.
    """
    if not battle.turn_limit or battle.turn < battle.turn_limit:
        return None
    held = holding(battle)
    red, blue = SIDES
    if held[red] == held[blue]:
        return Result(None, AS_MANY_OBJECTIVES), "CC-8.11"
    return Result(max(SIDES, key=lambda side: held[side]), BY_MORE_OBJECTIVES), "CC-8.11"


def off_the_table(result: Result) -> tuple[Result, str]:
    """Return a result that came from off the table, and its rule: players resign and agree by CC-8.12; what else ends a
    battle (time, an umpire) is no rule of the sheets."""
    return result, "CC-8.12" if result.how in BY_PLAYERS else ""


def end(battle: Battle, decision: tuple[Result, str] | None) -> Outcome:
    """End the battle with a result, where there is one and it has none yet."""
    if decision is None or battle.result is not None:
        return battle, ()
    result, rule = decision
    then = replace(battle, result=result)
    return then, (happened(battle, then, ENDED, rule, winner=result.winner, how=result.how),)
