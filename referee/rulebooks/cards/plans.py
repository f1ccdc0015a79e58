"""Plans: orders that are repeated in a player's next turns, and when the umpire plays such turns at once (E3).

A plan is for one unit or commander. A direct order takes its place; each turn of its side uses up one of its turns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.drafting import actor
from referee.rulebooks.cards.fighting import FOUGHT
from referee.rulebooks.cards.figures import Unit, other_side
from referee.rulebooks.cards.firing import FIRED
from referee.rulebooks.cards.measuring import distance
from referee.rulebooks.cards.mobs import FLED, LOST
from referee.rulebooks.cards.moving import barred
from referee.rulebooks.cards.orders import Action, Order, Plan, Wake
from referee.rulebooks.cards.rallying import may_not_rally
from referee.rulebooks.cards.victory import HELD
from referee.rulebooks.cards.writing import write_orders
from referee.rulebooks.rulebook import Happening, Seat

WAKING = frozenset({FIRED, FOUGHT, HELD, FLED, LOST})
"""What wakes a player whenever it happens: a hit, a combat, an objective that changes hands, a mob (E3)."""


@dataclass(frozen=True)
class Plans:
    """A side's plans. of_units: by unit or commander, in the order in which they were given. wake: in cm."""

    of_units: Mapping[str, Plan] = field(default_factory=dict)
    wake: float | None = None

    def with_plan(self, plan: Plan | Wake) -> Plans:
        """Return the plans with one more, the last of all; it takes the place of one for the same unit.

        A plan for no turns only drops that one.
        """
        if isinstance(plan, Wake):
            return replace(self, wake=plan.cm)
        others = {id: each for id, each in self.of_units.items() if id != plan.unit}
        kept = {plan.unit: plan} if plan.turns and plan.order is not None else {}
        return replace(self, of_units={**others, **kept})

    def orders(self, besides: Collection[str] = ()) -> tuple[Action, ...]:
        """Return what the plans order this turn. besides: units and commanders that have direct orders, or are lost."""
        return tuple(
            plan.order for id, plan in self.of_units.items() if id not in besides and plan.order is not None
        )

    def beside(self, orders: Iterable[Order], battle: Battle) -> tuple[Action, ...]:
        """Return what the plans order beside the orders of a letter: nothing for whoever has an action among these, or
        has been lost."""
        busy = {actor(order) for order in orders if isinstance(order, Action)}
        return self.orders(busy | (self.of_units.keys() - battle.units.keys() - battle.commanders.keys()))

    def after_turn(self, direct: Collection[str] = ()) -> Plans:
        """Return the plans after a turn of their side, one turn fewer each.

        direct: units and commanders that had direct orders, or are lost; their plans are dropped.
        """
        left = {
            id: replace(plan, turns=plan.turns - 1)
            for id, plan in self.of_units.items()
            if id not in direct and plan.turns > 1
        }
        return replace(self, of_units=left)

    def given(self) -> tuple[Plan | Wake, ...]:
        """Return the orders that gave the plans, in their order; given again they are the same plans."""
        wake = () if self.wake is None else (Wake(self.wake),)
        return (*self.of_units.values(), *wake)

    def lines(self) -> tuple[str, ...]:
        """Return the plans as lines of a letter."""
        return write_orders(self.given())

    def goes_on(self, battle: Battle, side: Seat, happenings: Sequence[Happening]) -> bool:
        """Return whether a side's turn, which begins now, is played by its plans alone, without waiting for a letter.

        happenings: all since the side's last letter was carried out. It is played so if something is planned, no unit
        could do more than is planned for it, and nothing wakes the player. A unit with a plan needs nobody; one
        without could act if it might move, change formation or rally now. Who is engaged or has a mob is always waited
        for: combats are declared and mobs are sent by letter alone.
        """
        return bool(self.of_units) and not (
            any(_idle(battle, unit) for unit in battle.of(side) if unit.id not in self.of_units)
            or any(unit.bound_to or unit.mob for unit in battle.of(side))
            or any(happening.code in WAKING for happening in happenings)
            or self._too_near(battle, side)
        )

    def _too_near(self, battle: Battle, side: Seat) -> bool:
        """Return whether an enemy is within the distance at which the player wants to be woken."""
        return self.wake is not None and any(
            distance(mine, theirs) <= self.wake
            for mine in battle.of(side)
            for theirs in battle.of(other_side(side))
        )


def _idle(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit could move, change formation or rally."""
    return barred(unit) is None or may_not_rally(battle, unit) is None


NO_PLANS = Plans()
