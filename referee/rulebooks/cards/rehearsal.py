"""What orders would bring, as far as their side can know it: measured on the open table, and nothing is done (E2).

Cards are not foretold, nor whither an enemy mob would run, which its owner wishes in secret. Whatever is ordered behind
such a flight is not foretold either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.faults import Fault
from referee.rulebooks.cards.actions import Course, act
from referee.rulebooks.cards.battle import Battle, Told
from referee.rulebooks.cards.checking import check_order
from referee.rulebooks.cards.fighting import combat_distance, may_not_fight
from referee.rulebooks.cards.firing import fire
from referee.rulebooks.cards.fold import as_order
from referee.rulebooks.cards.mobs import alarmed, flee, must_run
from referee.rulebooks.cards.moving import Refusal, refused
from referee.rulebooks.cards.notation import read_order, write_order
from referee.rulebooks.cards.orders import (
    ALL,
    Action,
    Fight,
    Fire,
    Flight,
    Go,
    MoveMob,
    Order,
    Station,
    StationCommander,
)
from referee.rulebooks.cards.position import View
from referee.rulebooks.cards.preferences import Wishes
from referee.rulebooks.cards.reading import read_orders
from referee.rulebooks.cards.settling import settled
from referee.rulebooks.cards.turn import named
from referee.rulebooks.rulebook import Happening, OrderLine, Seat


@dataclass(frozen=True, slots=True)
class Reach:
    """An enemy that a unit might fight. distance: in cm, as it would be then. refusal: why it could not, or None."""

    target: str
    distance: float
    refusal: Refusal | None


@dataclass(frozen=True, slots=True)
class Foretold:
    """What an order would bring.

    told: what would happen by it. flees: enemy mobs that would run, nobody can say whither. reach: of a combat, whom it
    could be fought with. certain: False behind a flight that cannot be foretold; then there is nothing else.
    """

    order: str
    told: tuple[Happening, ...] = ()
    flees: tuple[str, ...] = ()
    reach: tuple[Reach, ...] = ()
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What a draft, or a single order, would bring, in the order in which it would be done.

    first: what happens before any order: mobs that must run (CC-4.10).
    """

    lines: tuple[Foretold, ...]
    first: tuple[Happening, ...] = ()


def preview(view: View, line: OrderLine) -> Rehearsal | Fault:
    """Return what one order would bring, or what is wrong with it; whether it is the seat's turn or not."""
    order = read_order(line)
    if isinstance(order, Fault):
        return order
    if view.is_due:
        reading = read_orders(view, [line])
        if reading.faults:
            return reading.faults[0]
    elif (fault := check_order(view.battle, view.seat, order, line)) is not None:
        return fault
    return rehearse(view, [order])


def rehearse_draft(view: View) -> Rehearsal:
    """Return what the seat's draft would bring, with the plans that would go on beside it."""
    lines = list(map(as_order, view.own.draft))
    if view.second_half:
        return rehearse(view, lines)
    busy = {
        each.commander if isinstance(each, Go) else each.unit for each in lines if isinstance(each, Action)
    }
    there = view.battle.units.keys() | view.battle.commanders.keys()
    plans = view.own.plans
    return rehearse(view, [*lines, *plans.orders(busy | (plans.of_units.keys() - there))])


def rehearse(view: View, orders: Sequence[Order]) -> Rehearsal:
    """Return what orders would bring, phase after phase, had the seat the move now."""
    run = _Run(view)
    first = () if view.second_half else run.first(orders)
    actions = [run.act(each) for each in orders if isinstance(each, Action)]
    fires = [run.fire(each) for each in orders if isinstance(each, Fire)]
    fights = [run.fight(each) for each in orders if isinstance(each, Fight)]
    others = [Foretold(write_order(each)) for each in orders if isinstance(each, Station | StationCommander)]
    return Rehearsal((*others, *actions, *fires, *fights), first)


class _Run:
    """A turn that is played in thought."""

    def __init__(self, view: View) -> None:
        self._side: Seat = view.seat
        self._wishes: Wishes = view.own.wishes
        phase = view.battle.phase if view.second_half else 1
        self._course = Course(replace(view.battle, active=view.seat, phase=phase), settled)
        self._certain = True

    @property
    def _battle(self) -> Battle:
        return self._course.battle

    def _then(self, told: Told) -> tuple[Happening, ...]:
        before = len(self._course.happenings)
        self._course.go_on(told)
        return tuple(self._course.happenings[before:])

    def first(self, orders: Sequence[Order]) -> tuple[Happening, ...]:
        """Let the side's own mobs run that must."""
        ways = {each.unit: Flight("BEARING", each.bearing) for each in orders if isinstance(each, MoveMob)}
        found: list[Happening] = []
        for unit in self._battle.of(self._side):
            approaching = must_run(self._battle, unit.id)
            if approaching is not None:
                way = ways.get(unit.id, self._wishes.flight(unit.id))
                found += self._then(flee(self._battle, unit.id, approaching, way, own_turn=True))
        return tuple(found)

    def act(self, order: Action) -> Foretold:
        line = write_order(order)
        if not self._certain:
            return Foretold(line, certain=False)
        before = self._battle
        id = order.commander if isinstance(order, Go) else order.unit
        if id not in before.units and id not in before.commanders:
            return Foretold(line)
        told = self._then(act(before, order))
        flees = (
            () if isinstance(order, Go) or id not in self._battle.units else alarmed(before, self._battle, id)
        )
        self._certain = not flees
        return Foretold(line, told, tuple(flees))

    def fire(self, order: Fire) -> Foretold:
        line, id = write_order(order), order.cannon.partition(".")[0]
        if not self._certain or id not in self._battle.units:
            return Foretold(line, certain=self._certain)
        told = fire(replace(self._battle, phase=2), order.cannon, order.targets, self._wishes.taste(id).kill)
        return Foretold(line, self._then(told))

    def fight(self, order: Fight) -> Foretold:
        line = write_order(order)
        unit = self._battle.units.get(order.unit)
        if not self._certain or order.unit == ALL or unit is None:
            return Foretold(line, certain=self._certain)
        battle = replace(self._battle, phase=3)
        reach: list[Reach] = []
        refusals: list[Refusal] = []
        for group in order.groups:
            targets = named(battle, unit, group)
            if isinstance(targets, Refusal):
                refusals.append(targets)
                continue
            refusal = may_not_fight(battle, unit.id, targets)
            reach += [
                Reach(target, combat_distance(unit, battle.units[target]), refusal)
                for target in targets
                if target in battle.units
            ]
        if not reach and refusals:
            return Foretold(line, refused(battle, unit, refusals[0])[1])
        return Foretold(line, reach=tuple(reach))
