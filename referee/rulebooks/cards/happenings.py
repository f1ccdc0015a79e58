"""Happenings around the battle: how a game opens, what players tell the referee alone, how that is published.

Codes of happenings on the table stand where their rules are (moving, firing, fighting, …).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.rulebooks.cards.battle import BOTH, Battle, happened, write_battle
from referee.rulebooks.cards.decks import First, name
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.orders import Choose, Order, Placing, Plan, Prefer, ShowMap, Wake
from referee.rulebooks.cards.position import Ordered
from referee.rulebooks.cards.writing import write_order, write_orders
from referee.rulebooks.rulebook import Happening, Json, Seat

OPENED, DEALT, SHOWN, FIRST_SETTLED = "opened", "dealt", "shown", "first"
DRAFTED, CLEARED, CHECKED, WISHED, STATIONED = "drafted", "cleared", "checked", "wished", "stationed"
ORDERED, WAITING, ASKED, CHOSEN, REVEALED = "ordered", "waiting", "asked", "chosen", "revealed"

AROUND = frozenset(
    (
        OPENED,
        DEALT,
        SHOWN,
        FIRST_SETTLED,
        DRAFTED,
        CLEARED,
        CHECKED,
        WISHED,
        STATIONED,
        ORDERED,
        WAITING,
        ASKED,
        CHOSEN,
        REVEALED,
    )
)
"""All of these. Every other happening is part of a turn."""


def opened(battle: Battle, scenario: Mapping[str, Json], options: Mapping[str, str]) -> Happening:
    """A game begins. options: those played with, without what is drawn or secret."""
    facts = {"battle": write_battle(battle), "scenario": dict(scenario), "options": dict(options)}
    return Happening(OPENED, BOTH, facts, "CC-1.1")


def dealt(cards: Mapping[Seat, Sequence[str]]) -> Happening:
    """The umpire has set the top of a deck. Nobody hears it."""
    return Happening(DEALT, frozenset(), {"cards": {side: list(each) for side, each in cards.items()}})


def drafted(seat: Seat, order: Order, replaced: Iterable[Order]) -> Happening:
    """An order is drafted, behind all others. replaced: the orders that it replaces.

    Events of earlier services have `instead` for that: there the order stood where the first of those had stood.
    """
    return Happening(DRAFTED, frozenset({seat}), {"order": write_order(order), "replaced": _lines(replaced)})


def cleared(seat: Seat, orders: Iterable[Order]) -> Happening:
    """Drafted orders are dropped."""
    return Happening(CLEARED, frozenset({seat}), {"orders": _lines(orders)})


def checked(seat: Seat) -> Happening:
    """The owner has looked at the draft, and nothing is done."""
    return Happening(CHECKED, frozenset({seat}), {})


def wished(seat: Seat, order: Prefer | Plan | Wake | ShowMap) -> Happening:
    """A standing wish, a plan, or what the map shows, from now on."""
    return Happening(WISHED, frozenset({seat}), {"order": write_order(order)})


def stationed(seat: Seat, orders: Iterable[Placing]) -> Happening:
    """A set-up is in, and sealed until the other is (A-13)."""
    return Happening(STATIONED, frozenset({seat}), {"side": seat, "orders": _lines(orders)}, "CC-1.13")


def shown(before: Battle, after: Battle) -> Happening:
    """Both set-ups are in and shown."""
    return happened(before, after, SHOWN, "CC-1.13")


def first(before: Battle, after: Battle, settled: First, how: str) -> Happening:
    """It is settled who moves first (CC-1.14). how: "cut", "lot", or "set" by the options."""
    cuts = [[red, blue] for red, blue in settled.cuts]
    names = [[name(red), name(blue)] for red, blue in settled.cuts]
    return happened(
        before, after, FIRST_SETTLED, "CC-1.14", side=settled.side, how=how, cuts=cuts, names=names
    )


def ordered(each: Ordered) -> Happening:
    """A turn, or a half of one, is carried out by these orders; their owner alone hears them."""
    facts = {
        "turn": each.turn,
        "side": each.side,
        "orders": list(each.orders),
        "planned": list(each.planned),
        **({"half": each.half} if each.half else {}),
    }
    return Happening(ORDERED, frozenset({each.side}), facts, "CC-2.1")


def waiting(side: Seat) -> Happening:
    """The turn waits for a side's choice. Both hear which side's, and nothing else."""
    return Happening(WAITING, BOTH, {"side": side})


def asked(seat: Seat, question: Mapping[str, Json]) -> Happening:
    """The question, for the side that chooses."""
    return Happening(ASKED, frozenset({seat}), dict(question))


def chosen(seat: Seat, order: Choose) -> Happening:
    """A choice was made; it shows by its effect."""
    return Happening(CHOSEN, frozenset({seat}), {"side": seat, "order": write_order(order)})


def revealed(log: Sequence[Ordered], wishes: Mapping[Seat, Sequence[str]]) -> Happening:
    """After the end, all orders are published, and the wishes and plans of both sides."""
    facts = {
        "orders": [
            [
                each.turn,
                each.side,
                list(each.orders),
                list(each.planned),
                {side: list(each.wishes.get(side, ())) for side in SIDES},
                [list(answer) for answer in each.answers],
                *([each.half] if each.half else []),
            ]
            for each in log
        ],
        "wishes": {side: list(wishes[side]) for side in SIDES},
    }
    return Happening(REVEALED, BOTH, facts)


def read_ordered(facts: Mapping[str, Json]) -> Ordered:
    """Return the orders of an `ordered` happening."""
    return Ordered(
        facts["turn"],
        Seat(facts["side"]),
        tuple(facts["orders"]),
        tuple(facts["planned"]),
        half=facts.get("half", 0),
    )


def read_revealed(facts: Mapping[str, Json]) -> tuple[Ordered, ...]:
    """Return the orders of all turns in a `revealed` happening."""
    return tuple(
        Ordered(
            turn,
            Seat(side),
            tuple(orders),
            tuple(planned),
            {Seat(whose): tuple(lines) for whose, lines in wishes.items()},
            tuple((Seat(whose), answer) for whose, answer in answers),
            *half,
        )
        for turn, side, orders, planned, wishes, answers, *half in facts["orders"]
    )


def _lines(orders: Iterable[Order]) -> list[str]:
    return list(write_orders(orders))
