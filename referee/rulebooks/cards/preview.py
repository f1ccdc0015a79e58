"""A preview of a draft, or of one order, as a letter shows it to its writer (E2). Plain values, no prose."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.common.faults import Fault
from referee.rulebooks.cards.event_report import ReportedEvent, report_events
from referee.rulebooks.cards.orders import Order
from referee.rulebooks.cards.position import View
from referee.rulebooks.cards.rehearsal import Behind, Foretold, Reach, Rehearsal, When, rehearse_line
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import OrderLine


@dataclass(frozen=True, slots=True)
class OrderText:
    """An order with its text. kind: the name of its class, for templates."""

    order: Order

    @property
    def text(self) -> str:
        return write_order(self.order)

    @property
    def kind(self) -> str:
        return type(self.order).__name__


@dataclass(frozen=True, slots=True)
class PreviewStep:
    """The preview of one line; see `rehearsal.Foretold`.

    line: None for what happens by itself.
    told: empty where `reach` says more.
    """

    line: OrderText | None
    when: When = "order"
    told: tuple[ReportedEvent, ...] = ()
    flees: tuple[str, ...] = ()
    reach: tuple[Reach, ...] = ()
    asked: bool = False
    behind: Behind = ""


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """The preview of a draft, or of one order, step by step. over: of one order, that the battle has ended."""

    steps: tuple[PreviewStep, ...]
    over: bool = False


def rehearsed(view: View, rehearsal: Rehearsal) -> Rehearsed:
    """Return the preview of orders as a letter shows it."""

    def step(each: Foretold) -> PreviewStep:
        line = OrderText(each.order) if each.order else None
        told = () if each.reach else tuple(report_events(each.told, view.seat, view.battle.switches))
        return PreviewStep(line, each.when, told, each.flees, each.reach, each.asked, each.behind)

    return Rehearsed(tuple(map(step, rehearsal.lines)))


def preview(view: View, line: OrderLine) -> Rehearsed | Fault:
    """Return the preview of one order for the template `preview.j2`, or what is wrong with the order."""
    found = rehearse_line(view, line)
    if isinstance(found, Fault):
        return found
    return replace(rehearsed(view, found), over=view.battle.result is not None)
