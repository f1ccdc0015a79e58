"""A seat's view, and the umpire's, as plain data for letters' JSON part and for programs.

It adds this edition's parts to Confusion's. The board shows what was answered for everybody: the turn in
`sealed` waits (CF-10.8). The double agent's type is the number after the last, 13.
"""

from __future__ import annotations

from typing import Any

from referee.rulebooks.confusion.notation import write_move
from referee.rulebooks.confusion.view import board_data, knowledge_data
from referee.rulebooks.spies.deduction import mine, theirs
from referee.rulebooks.spies.edition import SEATS, TOKENS
from referee.rulebooks.spies.notation import write_order
from referee.rulebooks.spies.position import Confided, Position, Sealed, Table, View


def view_data(view: View) -> dict[str, Any]:
    """Return the view as plain data. `own_types` is None until the types are revealed at the end.

    In a game with deduction sheets it includes `mine` and `theirs`. `confided` is what the seat has told the
    referee alone. An observer's data has `types` instead of all these: both sides', None until they are
    revealed.
    """
    public = {**board_data(view.board), **table_data(view.table)}
    if not view.table.set_up:
        public["to_move"] = None
    if view.observed:
        other = view.board.edition.other(view.side)
        types = {str(other): dict(view.opponent_types), str(view.side): dict(view.own_types or {})}
        return {**public, "types": types if view.own_types is not None else None}
    return {
        **public,
        **(knowledge_data(mine(view), theirs(view)) if view.sheets else {}),
        "opponent_types": dict(view.opponent_types),
        "own_types": dict(view.own_types) if view.own_types is not None else None,
        "confided": _confided_data(view.own),
    }


def truth_data(position: Position) -> dict[str, Any]:
    """Return the whole truth as plain data: what all see, both deals, what each has confided. For the umpire alone."""
    table = position.table
    return {
        **board_data(table.board),
        **table_data(table),
        "types": {str(seat): dict(position.deals[seat]) for seat in SEATS},
        "confided": {str(seat): _confided_data(position.confided[seat]) for seat in SEATS},
    }


def table_data(table: Table) -> dict[str, Any]:
    """Return what everybody sees besides the board: the variants, and what was done before moves."""
    variants = table.variants.plain()
    del variants["tokens"]
    return {
        "variants": variants,
        "set_up": table.set_up,
        "sealed": None if table.sealed is None else _sealed_data(table.sealed),
        "tokens": {str(seat): [each for each in TOKENS if each in table.tokens[seat]] for seat in SEATS},
        "actions": [
            {"turn": taken.row, "seat": str(taken.seat), "action": write_order(taken.action)}
            for taken in table.taken
        ],
        "removed": {str(seat): list(table.removed[seat]) for seat in SEATS},
        "unmasked": {str(seat): table.unmasked.get(seat) for seat in SEATS},
    }


def _sealed_data(turn: Sealed) -> dict[str, Any]:
    return {
        "turn": turn.row,
        "seat": str(turn.seat),
        "action": write_order(turn.action) if turn.action else None,
        "tries": list(map(write_move, turn.tries)),
    }


def _confided_data(own: Confided) -> dict[str, Any]:
    """Return what a seat has confided.

    Its orders are as it would write them, and its set-up uses squares of the board.
    """
    return {
        "instruction": write_order(own.instruction),
        "answer": write_order(own.answer) if own.answer else None,
        "action": write_order(own.action) if own.action else None,
        "shown": dict(own.shown),
        "placed": None if own.placed is None else {each: list(square) for each, square in own.placed.items()},
    }
