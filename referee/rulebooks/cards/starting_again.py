"""Row 0 of a record: both set-ups, and who is first, held against the scenario and the secret (CC-1.11 to CC-1.14)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.beginning import Beginning
from referee.rulebooks.cards.decks import PACK, First, first_by_cut, who_is_first
from referee.rulebooks.cards.effects import AGREED, BY_LOT, alike, say, set_up_lines
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.fold import as_order
from referee.rulebooks.cards.happenings import first, shown, stationed
from referee.rulebooks.cards.notation import read_order, write_order
from referee.rulebooks.cards.orders import Order, Pass, Station, StationCommander
from referee.rulebooks.cards.retelling import END, Retelling, Untrue
from referee.rulebooks.cards.rows import Cell, Parting, Spoken, side_in
from referee.rulebooks.cards.setting_up import SetUp, set_up
from referee.rulebooks.rulebook import Happening, OrderLine, Seat

_FIRST = re.compile(r"(?P<side>[^\W\d]+)\s+is\s+first:\s*(?P<how>.+)", re.IGNORECASE)


def order_in(cell: Cell, spoken: Spoken) -> Order:
    """Return the order that a line of a cell is. Raises Parting where it is none."""
    order = read_order(OrderLine(1, spoken.text))
    if isinstance(order, Fault):
        raise Parting(cell.row or 0, spoken.side, spoken.text, order.reason())
    return order


def how_first_was_settled(cells: Sequence[Cell]) -> Literal["set", "lot", "cut", ""]:
    """Return how it was settled who is first, as row 0 says it: agreed on, by lot or by cards; "" while it does not."""
    said = [found["how"] for cell in cells for each in cell.sayings if (found := _FIRST.fullmatch(each))]
    if not said:
        return ""
    ways: dict[str, Literal["set", "lot"]] = {alike(AGREED): "set", alike(BY_LOT): "lot"}
    return ways.get(alike(said[-1]), "cut")


def start_again(battle: Battle, cells: Sequence[Cell], beginning: Beginning) -> tuple[Happening, ...]:
    """Return what row 0 tells: a set-up that is in and not shown, or both and who is first. Raises Parting.

    battle: all stand where the scenario has them. cells: of row 0.
    """
    stations = {cell.side: _stations(cell) for cell in cells}
    if len(stations) < len(cells):
        raise Parting(0, cells[-1].side, "", "this side was set up above")
    settled = [(cell, said) for cell in cells for said in cell.sayings]
    given = tuple(
        stationed(cell.side, list(map(write_order, stations[cell.side]))) for cell in cells if cell.spoken
    )
    if not settled:
        return given
    cell, said = settled[-1]
    if END.fullmatch(said) and len(settled) == 1:
        return given + _end(battle, cell, said, beginning)
    if len(settled) > 1 or cell is not cells[-1]:
        raise Parting(
            0, settled[0][0].side, settled[0][1], "behind both set-ups stands who is first, and no more"
        )
    after = _set_up(battle, stations)
    told = shown(battle, after)
    _hold_against(told, stations)
    return told, _first(cell, said, after, beginning)


def _end(battle: Battle, cell: Cell, said: str, beginning: Beginning) -> tuple[Happening, ...]:
    """The battle was over before both set-ups were in; they are not shown then."""
    try:
        return Retelling(battle, cell.side).tell([said], beginning.result.how if beginning.result else "")
    except Untrue as untrue:
        raise Parting(0, cell.side, untrue.saying, untrue.reason) from None


def _stations(cell: Cell) -> list[Station | StationCommander]:
    stations: list[Station | StationCommander] = []
    for spoken in cell.spoken:
        order = order_in(cell, spoken)
        if isinstance(order, Station | StationCommander) and spoken.side == cell.side:
            stations.append(order)
        elif not isinstance(order, Pass):
            raise Parting(
                0, spoken.side, spoken.text, "row 0 has the set-ups, in lines such as AT RI1 110,4 B0 W6"
            )
    return stations


def _set_up(battle: Battle, stations: Mapping[Seat, Sequence[Station | StationCommander]]) -> Battle:
    after = battle
    for side in SIDES:
        standing = set_up(battle, side, stations.get(side, ()))
        if not isinstance(standing, SetUp):
            raise Parting(0, side, standing[0].excerpt, standing[0].reason())
        after = after.with_units(*standing.units.values()).with_commanders(*standing.commanders.values())
    return after


def _hold_against(told: Happening, stations: Mapping[Seat, Sequence[Station | StationCommander]]) -> None:
    """Row 0 names each that stands otherwise than the scenario has him, and nobody else."""
    for side, lines in set_up_lines(told).items():
        true, here = {as_order(line) for line in lines}, {*stations.get(side, ())}
        for order in sorted(map(write_order, true ^ here)):
            reason = (
                "row 0 names each that stands otherwise than in the scenario, with its files, and no other"
            )
            raise Parting(0, side, order, reason)


def _first(cell: Cell, said: str, battle: Battle, beginning: Beginning) -> Happening:
    found = _FIRST.fullmatch(said)
    side = side_in(found["side"]) if found else None
    if found is None or side is None:
        raise Parting(
            0, cell.side, said, "behind both set-ups stands who is first, as in `Red is first: KH to 5C`"
        )
    how = "set" if alike(found["how"]) == alike(AGREED) else battle.switches.first
    if how == "set":
        true = First(beginning.first or side)
    elif beginning.secret is not None:
        true = who_is_first(Chance(beginning.secret), how)
    else:
        true = First(side) if how == "lot" else _by_cards(cell, said, found["how"])
    told = first(battle, replace(battle, active=true.side), true, how)
    if alike(say(told)) != alike(said):
        by = "the secret" if beginning.secret is not None else "the rules"
        raise Parting(0, cell.side, said, f"by {by} it is `{say(told)}` (CC-1.14)")
    if beginning.first not in (None, true.side):
        head = f"First = {str(beginning.first).capitalize()}"
        raise Parting(0, None, head, f"by row 0 {true.side.capitalize()} is first")
    return told


def _by_cards(cell: Cell, said: str, cuts: str) -> First:
    pairs = [
        tuple(card.upper() for card in re.split(r"\s+to\s+", cut.strip(), flags=re.I))
        for cut in cuts.split(",")
    ]
    if any(len(pair) != 2 or any(card not in PACK for card in pair) for pair in pairs):
        raise Parting(0, cell.side, said, "cards are cut in pairs, Red's first, as in `KH to 5C`")
    try:
        return first_by_cut((red, blue) for red, blue in pairs)
    except ValueError:
        raise Parting(
            0, cell.side, said, "equal cards are cut again, and here that is missing (CC-1.14)"
        ) from None
