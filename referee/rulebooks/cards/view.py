"""A seat's view, and the umpire's, as plain data, for letters' JSON part and for programs. Only what the view holds.

Lengths in cm, bearings in degrees clockwise from north. The table is what everybody sees.
"""

from __future__ import annotations

from typing import Any

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import SIDES, Unit, id_order
from referee.rulebooks.cards.fold import confided_lines
from referee.rulebooks.cards.position import Ordered, Own, Position, Table, View
from referee.rulebooks.cards.scene import as_seen
from referee.rulebooks.cards.writing import write_orders


def view_data(view: View) -> dict[str, Any]:
    """Return the view as plain data. `confided`: what the seat has said to the referee alone, which an observer has
    not. `orders`: those of all turns, None until they are published after the end."""
    data = table_data(view.table, as_seen(view))
    over = view.battle.result is not None
    data["orders"] = [_orders_data(each) for each in view.log] if over else None
    return data if view.observed else {**data, "confided": _own_data(view.own)}


def truth_data(position: Position) -> dict[str, Any]:
    """Return the whole truth as plain data, but the decks, which follow from the secret. For the umpire alone."""
    return {
        **table_data(position.table, position.battle),
        "confided": {side: _own_data(position.own[side]) for side in SIDES},
        "dealt": {side: list(cards) for side, cards in position.dealt.items()},
        "orders": [_orders_data(each) for each in position.log],
    }


def table_data(table: Table, battle: Battle) -> dict[str, Any]:
    """Return what lies open. battle: as its reader sees it; while both set up, no more than his own army."""
    playing = table.stage == "playing" and battle.result is None
    units = sorted((*battle.units.values(), *battle.fallen.values()), key=lambda each: id_order(each.id))
    return {
        "scenario": table.scenario["id"],
        "edition": battle.switches.edition,
        "stage": table.stage,
        "turn": battle.turn,
        "to_move": battle.active if playing else None,
        "waits_for_choice_of": table.chooser,
        **({"waits_for_second_letter": playing and table.halfway} if table.split else {}),
        "first": table.first,
        "table": [battle.ground.width, battle.ground.height],
        "units": [_unit_data(each) for each in units],
        "commanders": [
            {"id": each.id, "seat": each.side, "role": each.role, "at": [each.x, each.y]}
            for _, each in sorted(battle.commanders.items())
        ],
        "objectives": [
            {
                "id": each.id,
                "name": each.name,
                "at": [each.middle.x, each.middle.y],
                "held_by": battle.holders.get(each.id),
            }
            for each in battle.ground.objectives
        ],
        "markers": dict(battle.markers),
        "cards": {
            side: {"left": battle.cards[side].left, "discards": list(battle.cards[side].discards)}
            for side in SIDES
        },
        "result": battle.result.plain() if battle.result else None,
    }


def _unit_data(unit: Unit) -> dict[str, Any]:
    return {
        "id": unit.id,
        "seat": unit.side,
        "arm": unit.arm,
        "at": [unit.x, unit.y],
        "bearing": unit.bearing,
        "files": unit.files,
        "ranks": len(unit.in_ranks),
        "confused": len(unit.confused),
        "bodies": len(unit.bodies),
        "men": [[man.number, man.role, man.place] for man in unit.men],
        "cannons": [{"id": each.id, "markers": each.markers, "fired": each.fired} for each in unit.cannons],
        "bound_to": list(unit.bound_to),
        "acted": unit.acted,
        "fought": unit.fought,
    }


def _orders_data(each: Ordered) -> dict[str, Any]:
    """Return the orders of a turn, or of a half of one that took two letters."""
    half = {"half": each.half} if each.half else {}
    return {
        "turn": each.turn,
        **half,
        "seat": each.side,
        "orders": list(each.orders),
        "by_plan": list(each.planned),
    }


def _own_data(own: Own) -> dict[str, Any]:
    lines = {name: list(each) for name, each in confided_lines(own).items()}
    return {
        **lines,
        "set_up": None if own.stations is None else list(write_orders(own.stations)),
        "asked": dict(own.asked) if own.asked is not None else None,
    }
