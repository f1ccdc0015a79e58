"""Row 0 of a record: both set-ups and who is first, compared with the scenario and the secret (CC-1.11 to CC-1.14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.decks import PACK, First, first_by_cut, who_is_first
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.happenings import FIRST_SETTLED, first, shown, stationed
from referee.rulebooks.cards.notation import read_order
from referee.rulebooks.cards.orders import Order, Pass, Placing
from referee.rulebooks.cards.record_text.effects import TEMPLATES, code_of, effect_text, set_up_orders
from referee.rulebooks.cards.record_text.head import Beginning
from referee.rulebooks.cards.record_text.layout import Cell, Mismatch, WrittenOrder, side_in
from referee.rulebooks.cards.record_text.replayed_turn import ReplayedTurn, WrongEffect
from referee.rulebooks.cards.record_text.templates import FIRST_WITHOUT_CARDS, same_text
from referee.rulebooks.cards.setting_up import SetUp, set_up
from referee.rulebooks.cards.victory import ENDED
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import Happening, OrderLine, Seat

_FIRST = TEMPLATES[FIRST_SETTLED]


def order_in(cell: Cell, line: WrittenOrder) -> Order:
    """Return the order that a line of a cell is. Raises Mismatch where it is none."""
    order = read_order(OrderLine(1, line.text))
    if isinstance(order, Fault):
        raise Mismatch(cell.row or 0, line.side, line.text, order.reason())
    return order


def how_first_was_settled(cells: Sequence[Cell]) -> Literal["set", "lot", "cut", ""]:
    """Return how row 0 says that it was settled who is first: agreed on, by lot or by cards; "" while it does not."""
    read = [told["how"] for cell in cells for text in cell.effects if (told := _FIRST.read(text))]
    if not read:
        return ""
    return read[-1] if read[-1] in FIRST_WITHOUT_CARDS else "cut"


def check_row_zero(battle: Battle, cells: Sequence[Cell], beginning: Beginning) -> tuple[Happening, ...]:
    """Return the happenings of row 0: a set-up that is in and not shown, or both and who is first. Raises Mismatch.

    battle: all stand where the scenario has them.
    cells: of row 0.
    """
    stations = {cell.side: _stations(cell) for cell in cells}
    if len(stations) < len(cells):
        raise Mismatch(0, cells[-1].side, "", "this side was set up above")
    settled = [(cell, text) for cell in cells for text in cell.effects]
    given = tuple(stationed(cell.side, stations[cell.side]) for cell in cells if cell.orders)
    if not settled:
        return given
    cell, text = settled[-1]
    if code_of(text) == ENDED and len(settled) == 1:
        return given + _end(battle, cell, text, beginning)
    if len(settled) > 1 or cell is not cells[-1]:
        raise Mismatch(
            0, settled[0][0].side, settled[0][1], "behind both set-ups stands who is first, and no more"
        )
    after = _set_up(battle, stations)
    both = shown(battle, after)
    _compare(both, stations)
    return both, _first(cell, text, after, beginning)


def _end(battle: Battle, cell: Cell, text: str, beginning: Beginning) -> tuple[Happening, ...]:
    """End a battle that was over before both set-ups were in; they are not shown then."""
    how = beginning.result.how if beginning.result else ""
    try:
        return ReplayedTurn(battle, cell.side).replay([text], how)
    except WrongEffect as wrong:
        raise Mismatch(0, cell.side, wrong.text, wrong.reason) from None


def _stations(cell: Cell) -> list[Placing]:
    stations: list[Placing] = []
    for line in cell.orders:
        order = order_in(cell, line)
        if isinstance(order, Placing) and line.side == cell.side:
            stations.append(order)
        elif not isinstance(order, Pass):
            raise Mismatch(
                0, line.side, line.text, "row 0 has the set-ups, in lines such as AT RI1 110,4 B0 W6"
            )
    return stations


def _set_up(battle: Battle, stations: Mapping[Seat, Sequence[Placing]]) -> Battle:
    after = battle
    for side in SIDES:
        standing = set_up(battle, side, stations.get(side, ()))
        if not isinstance(standing, SetUp):
            raise Mismatch(0, side, standing[0].excerpt, standing[0].reason())
        after = after.with_units(*standing.units.values()).with_commanders(*standing.commanders.values())
    return after


def _compare(both: Happening, stations: Mapping[Seat, Sequence[Placing]]) -> None:
    """Check that row 0 names each that stands otherwise than in the scenario, and no other."""
    for side, orders in set_up_orders(both).items():
        for line in sorted({*map(write_order, orders)} ^ {*map(write_order, stations.get(side, ()))}):
            reason = (
                "row 0 names each that stands otherwise than in the scenario, with its files, and no other"
            )
            raise Mismatch(0, side, line, reason)


def _first(cell: Cell, text: str, battle: Battle, beginning: Beginning) -> Happening:
    told = _FIRST.read(text)
    side = side_in(told["side"]) if told else None
    if told is None or side is None:
        raise Mismatch(
            0, cell.side, text, "behind both set-ups stands who is first, as in `Red is first: KH to 5C`"
        )
    how = "set" if told["how"] == "set" else battle.switches.first
    if how == "set":
        true = First(beginning.first or side)
    elif beginning.secret is not None:
        true = who_is_first(Chance(beginning.secret), how)
    else:
        true = First(side) if how == "lot" else _by_cards(cell, text, told["how"])
    settled = first(battle, replace(battle, active=true.side), true, how)
    if not same_text(effect_text(settled), text):
        by = "the secret" if beginning.secret is not None else "the rules"
        raise Mismatch(0, cell.side, text, f"by {by} it is `{effect_text(settled)}` (CC-1.14)")
    if beginning.first not in (None, true.side):
        head = f"First = {str(beginning.first).capitalize()}"
        raise Mismatch(0, None, head, f"by row 0 {true.side.capitalize()} is first")
    return settled


def _by_cards(cell: Cell, text: str, cuts: Sequence[tuple[str, ...]]) -> First:
    if any(len(pair) != 2 or any(card not in PACK for card in pair) for pair in cuts):
        raise Mismatch(0, cell.side, text, "cards are cut in pairs, Red's first, as in `KH to 5C`")
    try:
        return first_by_cut((red, blue) for red, blue in cuts)
    except ValueError:
        raise Mismatch(
            0, cell.side, text, "equal cards are cut again, and here that is missing (CC-1.14)"
        ) from None
