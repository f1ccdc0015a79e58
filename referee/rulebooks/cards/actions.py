"""Phase 1 of a turn: units act, commanders move, mobs run (CC-2.1 to CC-2.4, CC-4.4, CC-4.10, CC-5.10).

Orders are carried out one after the other, in the order in which they stand. After each event the battle is settled:
what follows from it (gaps closed, commanders put clear, objectives, victory) comes before the next.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from referee.rulebooks.cards.battle import Battle, Outcome, happened
from referee.rulebooks.cards.choices import BY_THE_RULES, Choices
from referee.rulebooks.cards.forming import form, turn_about
from referee.rulebooks.cards.mobs import alarmed, flee, move_mob, must_run
from referee.rulebooks.cards.moving import AS_ORDERED, STOOD, beside_unit, move, move_commander
from referee.rulebooks.cards.orders import (
    Action,
    Bearing,
    Fight,
    Fire,
    Flight,
    Form,
    Go,
    Move,
    MoveMob,
    Pivot,
    PivotBy,
    Rally,
    Towards,
)
from referee.rulebooks.cards.rallying import leaves_a_choice, rally, walk_gunners
from referee.rulebooks.cards.settling import settled
from referee.rulebooks.cards.shapes import Point, bearing_kept, bearing_to, turned
from referee.rulebooks.rulebook import Happening

Settle: TypeAlias = Callable[[Battle, Happening], Outcome]
"""What follows at once from an event that has just happened in a battle."""
Cause: TypeAlias = Action | Fire | Fight | Literal["first", "walk", "turn"]
"""What brings something about: an order, the flights before any order (CC-4.10), the gunners' walk (CC-5.10), or the
turn itself, whose phases begin and end."""


def phase_one(resolution: Resolution, orders: Sequence[Action], choices: Choices = BY_THE_RULES) -> None:
    """Carry out the active side's orders for phase 1, forced flights and the gunners' walk included.

    orders: of units and commanders that were the side's own as the turn began. Ends early with the battle's result.
    """
    ran = _run_first(resolution, orders, choices)
    for order in orders:
        if resolution.over:
            break
        resolution.begin(order)
        if isinstance(order, MoveMob) and order.unit in ran and order.unit in resolution.battle.units:
            continue
        _carry_out(resolution, order, choices)
    resolution.begin("walk")
    for unit in resolution.battle.of(resolution.battle.active):
        if not resolution.over and unit.id in resolution.battle.units:
            resolution.take(walk_gunners(resolution.battle, unit.id))


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a resolution that one cause brings about.

    battle: as it begins.
    told: how many happenings came before it.
    """

    cause: Cause
    battle: Battle
    told: int


class Resolution:
    """The resolution of a turn: the battle after each event, and all that happened.

    steps: what has brought it about, in order.
    """

    def __init__(self, battle: Battle, settle: Settle = settled) -> None:
        self.battle, self.happenings, self._settle = battle, list[Happening](), settle
        self.steps: list[Step] = []

    @property
    def over(self) -> bool:
        """Whether the battle has a result: then nothing more is carried out (CC-8.6)."""
        return self.battle.result is not None

    def begin(self, cause: Cause) -> None:
        """Say what brings about all that happens from here on."""
        self.steps.append(Step(cause, self.battle, len(self.happenings)))

    def take(self, outcome: Outcome) -> None:
        """Take the outcome of a rule, and what follows from it at once."""
        self.battle, happenings = outcome
        self.happenings += happenings
        for happening in happenings:
            if self.over or happening.code in (STOOD, AS_ORDERED):
                continue
            self.battle, more = self._settle(self.battle, happening)
            self.happenings += more


def _run_first(resolution: Resolution, orders: Iterable[Action], choices: Choices) -> set[str]:
    """The mobs that begin close to an enemy run before anything else; their orders may say whither (CC-4.10).

    Return which have run: an order to move that said whither is used up by it (A-43).
    """
    ordered = {order.unit: Flight("BEARING", order.bearing) for order in orders if isinstance(order, MoveMob)}
    ran: set[str] = set()
    resolution.begin("first")
    for unit in resolution.battle.of(resolution.battle.active):
        if resolution.over or unit.id not in resolution.battle.units:
            continue
        approaching = must_run(resolution.battle, unit.id)
        if approaching is not None:
            way = ordered.get(unit.id) or choices.flight(resolution.battle, unit.id, approaching)
            resolution.take(flee(resolution.battle, unit.id, approaching, way, own_turn=True))
            ran.add(unit.id)
    return ran


def _carry_out(resolution: Resolution, order: Action, choices: Choices) -> None:
    """Carry out one order, and let the mobs run that a move or a change of formation alarms (CC-4.4, A-38)."""
    before = resolution.battle
    id = order.commander if isinstance(order, Go) else order.unit
    if id not in before.units and id not in before.commanders:
        resolution.take(gone(before, id, id))
        return
    resolution.take(act(before, order, choices))
    if not isinstance(order, Move | Form) or resolution.over:
        return
    for mob in alarmed(before, resolution.battle, id) if id in resolution.battle.units else ():
        if not resolution.over and mob in resolution.battle.units:
            way = choices.flight(resolution.battle, mob, id)
            resolution.take(flee(resolution.battle, mob, id, way))


def gone(battle: Battle, id: str, lost: str) -> Outcome:
    """An order cannot be carried out because a unit in it, its own or another, has been lost since (CC-7.28).

    The active side alone hears it, whose order it was.
    """
    told = happened(
        battle,
        battle,
        STOOD,
        "CC-7.28",
        heard_by=frozenset({battle.active}),
        unit=id,
        why="gone",
        gone=lost,
    )
    return battle, (told,)


def act(battle: Battle, order: Action, choices: Choices = BY_THE_RULES) -> Outcome:
    """Return what one order brings by itself."""
    match order:
        case Move(unit, Towards(str(target)), _, _) if target in battle.fallen:
            return gone(battle, unit, target)
        case Move(unit, pivot, cm, keep):
            bearing = None if pivot is None else bearing_of(battle, unit, pivot)
            return move(battle, unit, bearing=bearing, cm=cm, keep=keep)
        case MoveMob(unit, bearing, cm):
            return move_mob(battle, unit, bearing, cm)
        case Form(unit, files):
            return turn_about(battle, unit) if files is None else form(battle, unit, files)
        case Rally(unit, pick, bearing):
            # Whoever is named in the order returns first; a wish is for those of whom it says nothing.
            wish = None if pick or not leaves_a_choice(battle, unit) else choices.rally(battle, unit)
            return rally(battle, unit, pick=pick, bearing=bearing, wish=wish)
        case Go(commander, target):
            if isinstance(target, Point):
                return move_commander(battle, commander, target)
            unit_there = battle.units.get(target)
            if unit_there is None:
                return gone(battle, commander, target)
            end = beside_unit(battle, commander, unit_there)
            return move_commander(battle, commander, end, next_to=target)


def bearing_of(battle: Battle, id: str, pivot: Pivot) -> float:
    """Return the bearing that a pivot leads to; towards where the unit stands itself it stays as it is."""
    unit = battle.units[id]
    match pivot:
        case PivotBy(degrees):
            return turned(unit.bearing, math.remainder(degrees, 360))
        case Bearing(degrees):
            return bearing_kept(degrees)
        case Towards(target):
            bearing = bearing_to(unit.place.point, point_of(battle, target))
            return unit.bearing if bearing is None else bearing


def point_of(battle: Battle, target: Point | str) -> Point:
    """Return the point that `TO` names: itself, a unit's pivot point or a mob's centre, an objective's middle.

    Raises KeyError for an id that is neither.
    """
    if isinstance(target, Point):
        return target
    if target in battle.units:
        unit = battle.units[target]
        return unit.formation.middle if unit.mob else unit.place.point
    return battle.ground.objective(target).middle
