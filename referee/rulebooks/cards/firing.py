"""Phase 2: long-range fire of single cannons (CC-6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.rulebooks.cards.battle import Battle, Outcome, happened
from referee.rulebooks.cards.casualties import NEAREST, nearness, to_kill
from referee.rulebooks.cards.figures import BODY, GONE, Man, Unit, placed_men
from referee.rulebooks.cards.measuring import distance_to_men
from referee.rulebooks.cards.moving import Refusal
from referee.rulebooks.cards.orders import ANY, NEAR, Choice
from referee.rulebooks.cards.sight import Cover, covers, in_range, men_in_arc, seen_men

FIRED = "fired"
MARKERS = {Cover.TRENCH: 3, Cover.REDOUBT: 3, Cover.WALL: 2}
"""What a shot costs at a target in cover; of several the dearest counts (CC-6.13, CC-6.14)."""
IN_THE_OPEN = 1
"""What it costs at others, soft cover or none (CC-6.12, A-56)."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot that can be fired. exposed: those in the arc and visible. cost: in markers."""

    unit: str
    gun: int
    target: str
    exposed: tuple[Man, ...]
    cover: Cover
    cost: int
    rule: str


def crew(unit: Unit) -> tuple[Man, ...]:
    """Return the gunners in ranks who are at their guns (CC-6.10, CC-5.11)."""
    return tuple(man for man in unit.in_ranks if unit.battery.at_gun(man))


def may_not_serve(unit: Unit, gun: int) -> Refusal | None:
    """Return why a cannon of a battery cannot fire at all now; None where it can (CC-6.1, CC-6.10, CC-6.11)."""
    cannon = unit.cannons[gun]
    if cannon.fired:
        return Refusal("fired", "CC-6.1", {"cannon": cannon.id})
    men = len(crew(unit))
    if not men:
        return Refusal("no-gunner", "CC-6.10", {"cannon": cannon.id})
    if sum(each.fired for each in unit.cannons) >= men:
        return Refusal("few-gunners", "CC-6.11", {"cannon": cannon.id, "gunners": men})
    return None


def aimed(battle: Battle, unit: Unit, gun: int, target: str) -> Shot | Refusal:
    """Return the shot of a cannon at a target, or why there is none (CC-6.2 to CC-6.5, CC-6.12 to CC-6.16)."""
    cannon = unit.cannons[gun]
    facts = {"cannon": cannon.id, "target": target}
    if target in battle.commanders:
        return Refusal("commander", "CC-3.26", facts)
    enemy = battle.units.get(target)
    if enemy is None:
        return Refusal("gone", "CC-7.28", facts)
    if enemy.side == unit.side:
        return Refusal("friend", "CC-6.6", facts)
    place = unit.battery.cannon_place(gun)
    if not in_range(place, enemy):
        away = distance_to_men(place.point, enemy, enemy.living)
        return Refusal("out-of-range", "CC-6.2", {**facts, "distance": away})
    if not men_in_arc(place, enemy):
        return Refusal("out-of-arc", "CC-6.3", facts)
    exposed = seen_men(battle, unit, place, enemy)
    if not exposed:
        return Refusal("no-line", "CC-6.4", facts)
    cover = covers(battle.ground, enemy, place.point)
    cost = max((number for kind, number in MARKERS.items() if kind in cover), default=IN_THE_OPEN)
    left = markers_left(battle, unit, gun)
    if cost > left:
        return Refusal("no-markers", "CC-6.15", {**facts, "cost": cost, "left": left})
    rule = {1: "CC-6.12", 2: "CC-6.13", 3: "CC-6.14"}[cost]
    return Shot(unit.id, gun, target, exposed, cover, cost, rule)


def markers_left(battle: Battle, unit: Unit, gun: int) -> int:
    """Return how many shot markers a cannon may still spend: its own, or its side's (CC-6.16)."""
    if battle.switches.markers.how == "per_side":
        return battle.markers.get(unit.side, 0)
    return unit.cannons[gun].markers


def nearest_target(battle: Battle, unit: Unit, gun: int) -> str | None:
    """Return the nearest enemy at which a cannon could fire, mobs included; of equal ones the first by id (E2)."""
    axle = unit.battery.cannon_place(gun).point
    # Sorting leaves those that are equally near in the order of their ids.
    nearest_first = sorted(battle.enemies(unit), key=lambda enemy: distance_to_men(axle, enemy, enemy.living))
    return next(
        (enemy.id for enemy in nearest_first if isinstance(aimed(battle, unit, gun, enemy.id), Shot)), None
    )


def aimed_first(battle: Battle, cannon: str, targets: Sequence[str]) -> Shot | Refusal | None:
    """Return the shot of a cannon at the first of these targets that is possible, or why there is none (CC-6.1).

    None where no target is given: it holds its fire. The unit of the cannon is on the field.
    """
    id, _, number = cannon.partition(".")
    unit, gun = battle.units[id], int(number) - 1
    if not targets:
        return None
    if refusal := may_not_serve(unit, gun):
        return refusal
    refusals: list[Refusal] = []
    for target in targets:
        there = nearest_target(battle, unit, gun) if target in (NEAR, ANY) else target
        shot = (
            Refusal("no-target", "CC-6.4", {"cannon": cannon})
            if there is None
            else aimed(battle, unit, gun, there)
        )
        if isinstance(shot, Shot):
            return shot
        refusals.append(shot)
    return refusals[0]


def shoot(battle: Battle, shot: Shot, kill: Choice = NEAREST) -> Outcome:
    """One man of the target dies and no card is turned; nobody is confused (CC-6.6 to CC-6.9, CC-6.17)."""
    unit, target = battle.units[shot.unit], battle.units[shot.target]
    cannon = unit.cannons[shot.gun]
    axle = unit.battery.cannon_place(shot.gun).point
    victim = _victim(battle, target, shot, kill)
    # Only where he counts for the escalation does he lie there (CC-6.8, CC-6.9).
    where = BODY if target.bound_to else GONE
    then = battle.with_units(_spent(battle, unit, shot), placed_men(target, [victim.number], where))
    if battle.switches.markers.how == "per_side":
        left = markers_left(battle, unit, shot.gun) - shot.cost
        then = replace(then, markers={**battle.markers, unit.side: left})
    happening = happened(
        battle,
        then,
        FIRED,
        "CC-6.6",
        unit=unit.id,
        cannon=cannon.id,
        target=target.id,
        killed=victim.number,
        role=victim.role,
        body=where == BODY,
        distance=distance_to_men(axle, target, target.living),
        cover=[each.name.lower() for each in Cover if each in shot.cover and each.name],
        cost=shot.cost,
        cost_rule=shot.rule,
        left=markers_left(then, then.units[unit.id], shot.gun),
    )
    return then, (happening,)


def _spent(battle: Battle, unit: Unit, shot: Shot) -> Unit:
    own = shot.cost if battle.switches.markers.how == "per_cannon" else 0
    cannons = tuple(
        replace(each, fired=True, markers=each.markers - own) if index == shot.gun else each
        for index, each in enumerate(unit.cannons)
    )
    return replace(unit, cannons=cannons)


def _victim(battle: Battle, target: Unit, shot: Shot, kill: Choice) -> Man:
    """Return who dies: one of those exposed, or the ordinary man nearest the axle where only others are (CC-6.17)."""
    axle = [battle.units[shot.unit].battery.cannon_place(shot.gun).point]
    first = to_kill(battle, target, shot.exposed, kill, axle)[0]
    ordinary = [man for man in target.living if man.role == "o"]
    if battle.switches.officers_last and first.role != "o" and ordinary:
        return min(ordinary, key=lambda man: nearness(target, man, axle))
    return first
