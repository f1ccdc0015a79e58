"""Phase 1 of a turn: units act, commanders move, mobs run (CC-2.1 to CC-2.4, CC-4.4, CC-4.10, CC-5.10).

Orders are carried out one after the other, in the order in which they stand. After each event the battle is settled:
what follows from it (gaps closed, commanders put clear, objectives, victory) comes before the next.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from referee.rulebooks.cards.battle import Battle, Told, happened
from referee.rulebooks.cards.figures import Unit
from referee.rulebooks.cards.forming import dress, form, turn_about
from referee.rulebooks.cards.mobs import AWAY, alarmed, flee, move_mob, must_run
from referee.rulebooks.cards.moving import STOOD, beside_unit, clear_commanders, move, move_commander
from referee.rulebooks.cards.orders import (
    Action,
    Bearing,
    Flight,
    Form,
    Go,
    Move,
    MoveMob,
    Pivot,
    Rally,
    Towards,
    Turn,
)
from referee.rulebooks.cards.rallying import rally, walk_gunners
from referee.rulebooks.cards.shapes import Point, bearing_kept, bearing_to, turned
from referee.rulebooks.rulebook import Happening

Settle: TypeAlias = Callable[[Battle, Happening], Told]
"""What follows at once from an event that has just happened in a battle."""
Wish: TypeAlias = Callable[[Unit], Flight]
"""Which way a unit's owner wants it to run as a mob."""


def tidied(battle: Battle, happening: Happening) -> Told:
    """Close gaps, and put commanders clear of enemies, as must be after every event (CC-3.25, CC-3.26)."""
    battle, dressed = dress(battle)
    battle, cleared = clear_commanders(battle)
    return battle, (*dressed, *cleared)


def run_away(unit: Unit) -> Flight:
    """The wish of whoever has said nothing: away from the enemy."""
    return AWAY


def phase_one(
    battle: Battle, orders: Sequence[Action], *, wish: Wish = run_away, settle: Settle = tidied
) -> Told:
    """Return what the active side's orders for phase 1 bring, forced flights and the gunners' walk included.

    orders: of units and commanders that were the side's own as the turn began. Ends early with the battle's result.
    """
    course = Course(battle, settle)
    _run_first(course, orders, wish)
    for order in orders:
        if course.over:
            break
        _carry_out(course, order, wish)
    if not course.over:
        course.go_on(walk_gunners(course.battle, battle.active))
    return course.battle, tuple(course.happenings)


class Course:
    """How a battle goes on, event after event, settled after each."""

    def __init__(self, battle: Battle, settle: Settle) -> None:
        self.battle, self.happenings, self._settle = battle, list[Happening](), settle

    @property
    def over(self) -> bool:
        """Whether the battle has a result: then nothing more is carried out (CC-8.6)."""
        return self.battle.result is not None

    def go_on(self, told: Told) -> None:
        """Take what a rule brings, and what follows from it at once."""
        self.battle, happenings = told
        self.happenings += happenings
        for happening in happenings:
            if self.over or happening.code == STOOD:
                continue
            self.battle, more = self._settle(self.battle, happening)
            self.happenings += more


def _run_first(course: Course, orders: Iterable[Action], wish: Wish) -> None:
    """The mobs that begin close to an enemy run before anything else; their orders may say whither (CC-4.10)."""
    ordered = {order.unit: Flight("BEARING", order.bearing) for order in orders if isinstance(order, MoveMob)}
    for unit in course.battle.of(course.battle.active):
        approaching = must_run(course.battle, unit.id)
        if approaching is not None and not course.over:
            way = ordered.get(unit.id, wish(unit))
            course.go_on(flee(course.battle, unit.id, approaching, way, own_turn=True))


def _carry_out(course: Course, order: Action, wish: Wish) -> None:
    """Carry out one order, and let the mobs run that it alarms (CC-4.4)."""
    before = course.battle
    id = order.commander if isinstance(order, Go) else order.unit
    if id not in before.units and id not in before.commanders:
        course.go_on(_gone(before, id, id))
        return
    course.go_on(act(before, order))
    if isinstance(order, Go):
        return
    for mob in alarmed(before, course.battle, id) if id in course.battle.units else ():
        if not course.over and mob in course.battle.units:
            way = wish(course.battle.units[mob])
            course.go_on(flee(course.battle, mob, id, way))


def _gone(battle: Battle, id: str, gone: str) -> Told:
    """An order cannot be carried out because a unit in it, its own or another, has been lost since."""
    told = happened(
        battle,
        battle,
        STOOD,
        "CC-7.28",
        heard_by=frozenset({battle.active}),
        unit=id,
        why="gone",
        gone=gone,
    )
    return battle, (told,)


def act(battle: Battle, order: Action) -> Told:
    """Return what one order brings by itself."""
    match order:
        case Move(unit, Towards(str(target)), _, _) if target in battle.fallen:
            return _gone(battle, unit, target)
        case Move(unit, pivot, cm, keep):
            bearing = None if pivot is None else bearing_of(battle, unit, pivot)
            asked = battle.units[unit].allowance if cm is None else cm
            return move(battle, unit, bearing=bearing, cm=asked, keep=keep)
        case MoveMob(unit, bearing, cm):
            return move_mob(battle, unit, bearing, cm)
        case Form(unit, files):
            return turn_about(battle, unit) if files is None else form(battle, unit, files)
        case Rally(unit, pick, bearing):
            return rally(battle, unit, pick=pick, bearing=bearing)
        case Go(commander, target):
            if isinstance(target, Point):
                return move_commander(battle, commander, target)
            unit_there = battle.units.get(target)
            if unit_there is None:
                return _gone(battle, commander, target)
            end = beside_unit(battle, commander, unit_there)
            return move_commander(battle, commander, end, next_to=target)


def bearing_of(battle: Battle, id: str, pivot: Pivot) -> float:
    """Return the bearing that a pivot leads to; towards where the unit stands itself it stays as it is."""
    unit = battle.units[id]
    match pivot:
        case Turn(degrees):
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
        return unit.middle if unit.mob else unit.place.point
    return battle.ground.objective(target).middle
