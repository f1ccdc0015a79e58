"""What orders would bring, as far as their side can know it: the turn itself, played on the open table (E2).

It is carried out as any turn is, and nothing of it is kept. It stops where it would need what the side does not know:
a card, or whither an enemy mob runs, which its owner wishes in secret. Behind such a flight nothing is foretold; from
the first card on it is told who could be fought as the table lies before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from referee.common.faults import Fault
from referee.rulebooks.cards.actions import Resolution, Step
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.checking import check_order
from referee.rulebooks.cards.drafting import actor, placings
from referee.rulebooks.cards.fighting import DECLARED, combat_distance
from referee.rulebooks.cards.mobs import alarmed
from referee.rulebooks.cards.moving import Refusal
from referee.rulebooks.cards.notation import read_order
from referee.rulebooks.cards.orders import (
    ALL,
    Action,
    Fight,
    Fire,
    Order,
)
from referee.rulebooks.cards.position import View
from referee.rulebooks.cards.reading import read_orders
from referee.rulebooks.cards.side_knowledge import CardTurned, MobRuns, SideKnowledge, UnknownDeck
from referee.rulebooks.cards.turn import (
    HALFWAY,
    PHASE,
    TURN,
    begin_turn,
    carry_out,
    fighters,
    tried,
)
from referee.rulebooks.rulebook import Happening, OrderLine

When: TypeAlias = Literal["first", "order", "walk", "turn"]
"""When something happens: before any order, by an order, as phase 1 ends, as the turn itself goes on."""
Behind: TypeAlias = Literal["", "flight", "end"]
"""Behind what nothing can be foretold of an order: a flight whose way is secret, or the end of the battle (CC-8.6)."""


@dataclass(frozen=True, slots=True)
class Reach:
    """An enemy that a unit might fight. distance: in cm, as it would be then. refusal: why it could not, or None."""

    unit: str
    target: str
    distance: float
    refusal: Refusal | None


@dataclass(frozen=True, slots=True)
class Foretold:
    """What an order would bring, or what would come by itself.

    order: None for what comes by itself. told: what would happen. flees: enemy mobs that would run, nobody
    can say whither. reach: of a combat, whom it could be fought with. asked: the side would be asked to choose; its
    standing wish is told. behind: why nothing can be foretold.
    """

    order: Order | None = None
    when: When = "order"
    told: tuple[Happening, ...] = ()
    flees: tuple[str, ...] = ()
    reach: tuple[Reach, ...] = ()
    asked: bool = False
    behind: Behind = ""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What a draft, or a single order, would bring, in the order in which it would be done."""

    lines: tuple[Foretold, ...]


def rehearse_line(view: View, line: OrderLine) -> Rehearsal | Fault:
    """Return what one order would bring, or what is wrong with it; whether it is the seat's turn or not."""
    order = read_order(line)
    if isinstance(order, Fault):
        return order
    if view.is_due or view.table.stage == "set-up":
        reading = read_orders(view, [line])
        if reading.faults:
            return reading.faults[0]
    elif (fault := check_order(view.battle, view.seat, order, line)) is not None:
        return fault
    return rehearse(view, [order])


def rehearse_draft(view: View) -> Rehearsal:
    """Return what the seat's draft would bring, with the plans that would go on beside it."""
    draft = view.own.draft
    planned = () if view.second_half else view.own.plans.beside(draft, view.battle)
    return rehearse(view, [*draft, *planned])


def rehearse(view: View, orders: Sequence[Order]) -> Rehearsal:
    """Return what orders would bring, phase after phase, had the seat the move now."""
    others = tuple(map(Foretold, placings(orders)))
    turn = [each for each in orders if isinstance(each, Action | Fire | Fight)]
    return Rehearsal((*others, *_Run(view, turn).told()) if turn else others)


class _Run:
    """A turn that is played in thought. orders: of the turn, in the order in which they would be carried out inside
    their phases."""

    def __init__(self, view: View, orders: Sequence[Action | Fire | Fight]) -> None:
        battle = view.battle
        if not view.is_due:
            battle = begin_turn(replace(battle, result=None), view.seat, battle.turn)
        self._orders = orders
        self._resolution = Resolution(battle)
        self._knowledge = SideKnowledge(self._resolution, view.seat, view.own.wishes)
        self._stop: CardTurned | MobRuns | None = None
        try:
            carry_out(
                self._resolution, orders, UnknownDeck(), self._knowledge, first=view.table.first or view.seat
            )
        except (CardTurned, MobRuns) as stop:
            self._stop = stop

    def told(self) -> Iterator[Foretold]:
        """Yield what would come of it, step by step, and then the orders to which it does not come."""
        steps, all_told = self._resolution.steps, self._resolution.happenings
        ends = [*(step.told for step in steps[1:]), len(all_told)]
        for number, (step, end) in enumerate(zip(steps, ends, strict=True)):
            told = tuple(
                each for each in all_told[step.told : end] if each.code not in (PHASE, HALFWAY, TURN)
            )
            foretold = self._step(step, told, last=number == len(steps) - 1)
            if foretold.order or foretold.told:
                yield replace(foretold, asked=number in self._knowledge.asked)
        yield from map(self._not_come_to, self._rest())

    def _step(self, step: Step, told: tuple[Happening, ...], *, last: bool) -> Foretold:
        stop = self._stop if last else None
        match step.cause:
            case "first" | "walk" | "turn" as when:
                return Foretold(when=when, told=told)
            case Fight() as order if isinstance(stop, CardTurned):
                return Foretold(order, reach=tuple(self._reach(step.battle, order)))
            case Fight() as order:
                flees = self._attacked_mobs(told) if stop else ()
                guarded = any(str(each.facts.get("why", "")).startswith("guard") for each in told)
                reach = () if stop or guarded else tuple(self._reach(step.battle, order))
                return Foretold(order, told=told, flees=flees, reach=reach)
            case order:
                flees = alarmed(step.battle, self._resolution.battle, actor(order)) if stop else ()
                return Foretold(order, told=told, flees=flees)

    def _attacked_mobs(self, told: Sequence[Happening]) -> tuple[str, ...]:
        """Return the mobs among those whom a combat that was declared last is against (CC-4.12)."""
        targets = next(each.facts["targets"] for each in reversed(told) if each.code == DECLARED)
        return tuple(each for each in targets if self._resolution.battle.units[each].mob)

    def _rest(self) -> Sequence[Action | Fire | Fight]:
        """Return the orders to which the turn does not come."""
        began = self._resolution.steps[0].battle.phase
        kinds = (Action, Fire, Fight) if began == 1 else (Fire, Fight)
        in_turn = [each for kind in kinds for each in self._orders if isinstance(each, kind)]
        return in_turn[sum(not isinstance(step.cause, str) for step in self._resolution.steps) :]

    def _not_come_to(self, order: Action | Fire | Fight) -> Foretold:
        if isinstance(order, Fight) and isinstance(self._stop, CardTurned):
            return Foretold(order, reach=tuple(self._reach(self._resolution.steps[-1].battle, order)))
        return Foretold(order, behind="end" if self._resolution.over else "flight")

    def _reach(self, battle: Battle, order: Fight) -> Iterator[Reach]:
        """Yield whom an order to fight could be carried out against in a battle; of ALL, those who have somebody."""
        fights = [each for each in self._orders if isinstance(each, Fight)]
        for id in fighters(battle, order, fights):
            unit = battle.units.get(id)
            if unit is None:
                continue
            for targets, refusal in tried(battle, unit, order):
                if refusal and order.unit == ALL:
                    continue
                for target in targets:
                    if target in battle.units:
                        apart = combat_distance(unit, battle.units[target])
                        yield Reach(id, target, apart, refusal)
