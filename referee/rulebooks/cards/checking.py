"""Orders held against the open table: whether they name units that there are, and of the right side (E2).

What is readable but cannot be done is ruled on when it is carried out; here only ids are looked at, so that a slip of
the pen is told before anything is done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from referee.common.faults import Fault, Place
from referee.common.i18n import Phrase
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import id_order, other_side
from referee.rulebooks.cards.orders import (
    ALL,
    ANY,
    NEAR,
    Clear,
    Fight,
    Fire,
    Form,
    Go,
    Move,
    MoveMob,
    Order,
    Plan,
    Prefer,
    Rally,
    Station,
    StationCommander,
    Towards,
)
from referee.rulebooks.rulebook import OrderLine, Seat


def check_order(battle: Battle, side: Seat, order: Order, line: OrderLine) -> Fault | None:
    """Return what is wrong with the ids in an order of a side's, None where all are right. line: where it was read."""
    for id, known, what in _named(battle, side, order):
        if id not in known:
            return _unknown(id, known, what, line)
    if isinstance(order, Fight) and battle.switches.enemies_per_combat == "one":
        for group in order.groups:
            if len(group) > 1:
                return Fault(
                    "one-enemy",
                    "a combat is against one enemy here; write | for another one in its place",
                    grade="not-allowed",
                    excerpt=" & ".join(group),
                    place=_place(line, group[1]),
                    suggestion=" | ".join(group),
                    rule="CC-7.5",
                )
    return None


def _named(battle: Battle, side: Seat, order: Order) -> Iterator[tuple[str, list[str], Phrase]]:
    """Yield each id in an order, those that it may be, and what that is."""
    # A unit lost in the meantime is still a unit that one may have meant.
    units = {**battle.fallen, **battle.units}
    mine = [unit.id for unit in units.values() if unit.side == side]
    theirs = [unit.id for unit in units.values() if unit.side == other_side(side)]
    commanders = [each.id for each in battle.commanders.values() if each.side == side]
    cannons = [cannon.id for unit in units.values() if unit.side == side for cannon in unit.cannons]
    match order:
        case Move(unit, pivot) | Plan(_, _, Move(unit, pivot)):
            yield unit, mine, Phrase("unit of yours")
            if isinstance(pivot, Towards) and isinstance(pivot.target, str):
                objectives = [each.id for each in battle.ground.objectives]
                yield pivot.target, [*mine, *theirs, *objectives], Phrase("unit or objective")
        case Go(commander, target) | Plan(_, _, Go(commander, target)):
            yield commander, commanders, Phrase("commander of yours")
            if isinstance(target, str):
                yield target, mine, Phrase("unit of yours")
        case MoveMob(unit) | Form(unit) | Rally(unit) | Station(unit) | Plan(_, _, Form(unit)):
            yield unit, mine, Phrase("unit of yours")
        case StationCommander(commander):
            yield commander, commanders, Phrase("commander of yours")
        case Fire(cannon, targets):
            yield cannon, cannons, Phrase("cannon of yours")
            yield from ((each, theirs, Phrase("enemy unit")) for each in targets if each not in (NEAR, ANY))
        case Fight(unit, groups, guards):
            if unit != ALL:
                yield unit, mine, Phrase("unit of yours")
            ids = (each for group in groups for each in group if each not in (NEAR, ANY))
            yield from ((each, theirs, Phrase("enemy unit")) for each in ids)
            yield from ((guard.unit, mine, Phrase("unit of yours")) for guard in guards if guard.unit)
        case Prefer(unit):
            if unit != ALL:
                yield unit, mine, Phrase("unit of yours")
        case Plan(_, unit, None) | Clear(str(unit)):
            yield unit, [*mine, *commanders], Phrase("unit of yours")


def _unknown(id: str, known: Iterable[str], what: Phrase, line: OrderLine) -> Fault:
    some = sorted(known, key=id_order)
    near = get_close_matches(id, some, 1, 0.5)
    return Fault(
        "no-such-id",
        "there is no {what} called {id}; there are {known}",
        {"what": what, "id": id, "known": ", ".join(some) or Phrase("none")},
        excerpt=id,
        place=_place(line, id),
        suggestion=_with(line.text, id, near[0]) if near else "",
    )


def _with(text: str, id: str, meant: str) -> str:
    """Return a line with another id in the place of one."""
    at = text.upper().find(id)
    return f"{text[:at]}{meant}{text[at + len(id) :]}" if at >= 0 else meant


def _place(line: OrderLine, id: str) -> Place:
    return Place(line.number, max(line.text.upper().find(id), 0) + 1)
