"""What a draft, or one order, would bring, as a letter tells it to who would give it (E2). Plain values, no prose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.common.faults import Fault
from referee.rulebooks.cards.fold import as_order
from referee.rulebooks.cards.orders import Order
from referee.rulebooks.cards.position import View
from referee.rulebooks.cards.rehearsal import Behind, Foretold, Reach, Rehearsal, When
from referee.rulebooks.cards.rehearsal import preview as rehearse_line
from referee.rulebooks.cards.telling import Told, telling
from referee.rulebooks.rulebook import OrderLine


@dataclass(frozen=True, slots=True)
class Line:
    """An order line, and the order that it is. kind: the name of its class, by which templates tell them apart."""

    text: str
    order: Order

    @property
    def kind(self) -> str:
        return type(self.order).__name__


@dataclass(frozen=True, slots=True)
class Step:
    """What one line would bring: see `rehearsal.Foretold`. line: None for what comes by itself.

    told: nothing where whom one could fight says more.
    """

    line: Line | None
    when: When = "order"
    told: tuple[Told, ...] = ()
    flees: tuple[str, ...] = ()
    reach: tuple[Reach, ...] = ()
    asked: bool = False
    behind: Behind = ""


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What a draft, or one order, would bring, step by step. over: of one order, that the battle has ended."""

    steps: tuple[Step, ...]
    over: bool = False


def rehearsed(view: View, rehearsal: Rehearsal) -> Rehearsed:
    """Return what orders would bring, as a letter tells it to who would give them."""

    def step(each: Foretold) -> Step:
        line = Line(each.order, as_order(each.order)) if each.order else None
        told = () if each.reach else tuple(telling(each.told, view.seat, view.battle.switches))
        return Step(line, each.when, told, each.flees, each.reach, each.asked, each.behind)

    return Rehearsed(tuple(map(step, rehearsal.lines)))


def preview(view: View, line: OrderLine) -> Rehearsed | Fault:
    """Return what one order would bring, for the template `preview.j2`, or what is wrong with it."""
    found = rehearse_line(view, line)
    if isinstance(found, Fault):
        return found
    return replace(rehearsed(view, found), over=view.battle.result is not None)


def lines_of(texts: Sequence[str]) -> tuple[Line, ...]:
    """Return canonical lines with the orders that they are."""
    return tuple(Line(text, as_order(text)) for text in texts)
