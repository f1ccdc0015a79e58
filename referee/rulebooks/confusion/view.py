"""A seat's view, and the umpire's, as plain data for letters' JSON part and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.rulebooks.confusion.compass import WHITE, YELLOW, opponent
from referee.rulebooks.confusion.deduction import Sheet, sheet
from referee.rulebooks.confusion.happenings import answer_of
from referee.rulebooks.confusion.position import Attempt, Board, Position, View


def view_data(view: View) -> dict[str, Any]:
    """Return the view as plain data. `own_types` is None until the types are revealed at the end.

    In a game with deduction sheets it includes `mine` and `theirs` and the numbers of assignments. An
    observer's data has `types` instead of all of these: both sides', None until they are revealed.
    """
    if view.observed:
        types = {
            str(opponent(view.side)): dict(view.opponent_types),
            str(view.side): dict(view.own_types or {}),
        }
        return {**board_data(view.board), "types": types if view.own_types is not None else None}
    return {
        **board_data(view.board),
        **(knowledge_data(*_sheets(view)) if view.sheets else {}),
        "opponent_types": dict(view.opponent_types),
        "own_types": dict(view.own_types) if view.own_types is not None else None,
    }


def _sheets(view: View) -> tuple[Sheet, Sheet]:
    table, attempts = view.board.table, view.board.attempts
    return sheet(table, attempts, view.seat), sheet(table, attempts, opponent(view.seat))


def knowledge_data(mine: Sheet, theirs: Sheet) -> dict[str, Any]:
    """Return both sheets: what the reader can know of their pieces, and what the opponent can know of theirs."""
    return {
        "mine": sheet_data(mine),
        "theirs": sheet_data(theirs),
        "assignments": {"mine": mine.assignments, "theirs": theirs.assignments},
        "shares": {"mine": _shares_data(mine), "theirs": _shares_data(theirs)},
    }


def sheet_data(known: Sheet) -> dict[str, list[int]]:
    """Return the types that each letter can still be."""
    return {letter: list(types) for letter, types in known.open.items()}


def _shares_data(known: Sheet) -> dict[str, dict[str, int]]:
    """Return for each letter the number of assignments by type."""
    return {
        letter: {str(number): ways for number, ways in shares.items()}
        for letter, shares in known.shares.items()
    }


def truth_data(position: Position) -> dict[str, Any]:
    """Return the whole truth as plain data: the board, and in "types" both deals. For the umpire alone."""
    types = {str(seat): dict(position.deals[seat]) for seat in (WHITE, YELLOW)}
    return {**board_data(position.board), "types": types}


def board_data(board: Board) -> dict[str, Any]:
    """Return what everybody sees as plain data; pieces by seat and letter, squares as [file, rank]."""
    result = board.result
    return {
        "turn": board.row,
        "to_move": None if result else str(board.to_move),
        "status": "over" if result else "playing",
        "board": [
            {
                "seat": str(piece.seat),
                "letter": piece.letter,
                "square": list(piece.square),
                "promoted": piece.promoted,
                "holds_z": piece.square == board.z,
            }
            for piece in sorted(board.pieces.values(), key=lambda piece: (piece.seat, piece.letter))
        ],
        "z": list(board.z),
        "attempts": [_attempt_data(attempt) for attempt in board.attempts],
        "captured": {str(seat): list(board.captured[seat]) for seat in board.edition.seats},
        "result": result.plain() if result else None,
    }


def _attempt_data(attempt: Attempt) -> Mapping[str, Any]:
    said: dict[str, Any] = {
        "turn": attempt.row,
        "seat": str(attempt.seat),
        "text": attempt.text,
        "answer": answer_of(attempt),
    }
    if attempt.promoted is not None:
        said["promoted"] = attempt.promoted
    return said
