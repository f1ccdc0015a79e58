"""The draft of a turn: order lines that wait until they are carried out together.

A line takes the place of an earlier one where both cannot be done: a unit acts once in phase 1 (CC-2.3), a commander
moves once (CC-2.4), a cannon fires once (CC-6.1), a unit declares one combat (CC-7.4), and stands in one place.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from referee.rulebooks.cards.orders import (
    Fight,
    Fire,
    Form,
    Go,
    Move,
    MoveMob,
    Order,
    Rally,
    Station,
    StationCommander,
)

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
            return "act", commander
        case Fire(cannon):
            return "fire", cannon
        case Fight(unit):
            return "fight", unit
    return None


def doer(order: Order) -> str:
    """Return the unit, commander or cannon that an order is for; "" for an order that is not drafted."""
    duty = duty_of(order)
    return duty[1] if duty is not None else ""


def with_draft(draft: Sequence[str], line: str, instead: Collection[str]) -> tuple[str, ...]:
    """Return a draft with one line more. instead: those whose place it takes; it stands where the first of them did."""
    places = [place for place, each in enumerate(draft) if each in instead]
    if not places:
        return (*draft, line)
    kept = [each for place, each in enumerate(draft) if place not in places]
    kept.insert(places[0], line)
    return tuple(kept)


def without_lines(draft: Sequence[str], lines: Collection[str]) -> tuple[str, ...]:
    """Return a draft without these lines."""
    return tuple(each for each in draft if each not in lines)
