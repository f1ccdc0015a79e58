"""The draft of a turn: order lines that wait until they are carried out together.

A unit acts once in phase 1 (CC-2.3), a commander moves once (CC-2.4), a cannon fires once (CC-6.1), a unit declares one
combat (CC-7.4), and everybody starts in one place (CC-1.13). Of two lines for the same in one letter the second is
refused; the line of a later letter takes the place of an earlier one's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar

from referee.rulebooks.cards.orders import (
    Clear,
    Fight,
    Fire,
    Form,
    Go,
    Move,
    MoveMob,
    Order,
    Placing,
    Rally,
    Station,
    StationCommander,
)

D = TypeVar("D", bound=Order)
Duty: TypeAlias = tuple[str, str]
"""What an order is for: a kind of doing, and who does it."""


def duty_of(order: Order) -> Duty | None:
    """Return what a drafted order is for; None for an order that is not drafted."""
    match order:
        case Station(unit):
            return "stand", unit
        case StationCommander(commander):
            return "stand", commander
        case Move(unit) | MoveMob(unit) | Form(unit) | Rally(unit):
            return "act", unit
        case Go(commander):
            return "go", commander
        case Fire(cannon):
            return "fire", cannon
        case Fight(unit):
            return "fight", unit
    return None


RULES: Mapping[str, str] = {
    "act": "CC-2.3",
    "go": "CC-2.4",
    "fire": "CC-6.1",
    "fight": "CC-7.4",
    "stand": "CC-1.13",
}
"""By which rule each kind of doing is done once."""


def actor(order: Order) -> str:
    """Return the unit, commander or cannon that an order is for; "" for an order that is not drafted."""
    duty = duty_of(order)
    return duty[1] if duty is not None else ""


def placings(orders: Iterable[Order]) -> tuple[Placing, ...]:
    """Return those of these orders that say where somebody starts."""
    return tuple(each for each in orders if isinstance(each, Placing))


def in_the_way(order: Order, others: Iterable[Order]) -> Iterator[Order]:
    """Yield the orders that cannot be done beside another one, itself among them."""
    duty = duty_of(order)
    return (each for each in others if duty is not None and duty_of(each) == duty)


def standing(orders: Iterable[Order]) -> list[Order]:
    """Return the orders of a letter that would be drafted by it: those that it does not clear again."""
    left: list[Order] = []
    for order in orders:
        if isinstance(order, Clear):
            left = [each for each in left if not clears(order.unit, each)]
        elif duty_of(order) is not None:
            left.append(order)
    return left


def clears(unit: str | None, order: Order) -> bool:
    """Return whether CLEAR drops an order. unit: for whom, a unit with its cannons or a commander; None for
    everybody."""
    return unit is None or actor(order).partition(".")[0] == unit


def with_draft(draft: Iterable[D], order: D, replaced: Collection[Order]) -> tuple[D, ...]:
    """Return a draft with one order more, behind all others. replaced: those whose place it takes (E2)."""
    return (*without(draft, replaced), order)


def with_draft_in_place(
    draft: Sequence[Order], order: Order, instead: Collection[Order]
) -> tuple[Order, ...]:
    """Return a draft with one order more, as earlier services have kept it: it stood where the first of those had stood
    whose place it took."""
    place = next((place for place, each in enumerate(draft) if each in instead), len(draft))
    return (*draft[:place], order, *without(draft[place:], instead))


def without(draft: Iterable[D], dropped: Collection[Order]) -> tuple[D, ...]:
    """Return a draft without these orders."""
    return tuple(each for each in draft if each not in dropped)
