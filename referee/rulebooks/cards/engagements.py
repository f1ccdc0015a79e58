"""Who is engaged with whom: from their first combat on, as long as they could fight on (CC-7.27, A-32, A-91)."""

from __future__ import annotations

from dataclasses import replace

from referee.rulebooks.cards.battle import Battle, Outcome, happened
from referee.rulebooks.cards.figures import GONE, Unit, id_order, placed_men
from referee.rulebooks.cards.measuring import distance_with_bodies, faces
from referee.rulebooks.rulebook import Happening

PARTED, BODIES_REMOVED = "parted", "bodies-removed"


def bind(battle: Battle, one: str, other: str) -> Battle:
    """Return the battle with two units engaged: they have fought."""
    for here, there in ((one, other), (other, one)):
        unit = battle.units[here]
        if there not in unit.bound_to:
            bound_to = tuple(sorted((*unit.bound_to, there), key=id_order))
            battle = battle.with_units(replace(unit, bound_to=bound_to))
    return battle


def could_fight_on(battle: Battle, one: Unit, other: Unit) -> bool:
    """Return whether two engaged units still are: both with men in ranks, near enough, one facing the other (CC-7.27).

    The bodies that lie there count for their distance, for this pair alone (A-91).
    """
    return (
        bool(one.in_ranks)
        and bool(other.in_ranks)
        and distance_with_bodies(one, other) < battle.switches.combat_below
        and (faces(one, other) or faces(other, one))
    )


def part(battle: Battle) -> Outcome:
    """End the engagements that are over, and remove the bodies of units that are engaged no more (CC-7.15, CC-7.27)."""
    happenings: list[Happening] = []
    for unit in [*battle.units.values()]:
        mine = battle.units[unit.id]
        for id in mine.bound_to:
            if unit.id < id and not could_fight_on(battle, mine, battle.units[id]):
                then = _parted(battle, unit.id, id)
                pair = [unit.id, id]
                happenings.append(happened(battle, then, PARTED, "CC-7.27", units=pair))
                battle = then
    for unit in [*battle.units.values()]:
        if unit.bodies and not unit.bound_to:
            cleared = placed_men(unit, [man.number for man in unit.bodies], GONE)
            then = battle.with_units(cleared)
            bodies = len(unit.bodies)
            happenings.append(happened(battle, then, BODIES_REMOVED, "CC-7.15", unit=unit.id, bodies=bodies))
            battle = then
    return battle, tuple(happenings)


def _parted(battle: Battle, one: str, other: str) -> Battle:
    for here, there in ((one, other), (other, one)):
        unit = battle.units[here]
        bound_to = tuple(id for id in unit.bound_to if id != there)
        battle = battle.with_units(replace(unit, bound_to=bound_to))
    return battle
