"""Builds the table, the truth and a seat's view from happenings, one by one, with no other source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from referee.rulebooks.branches import Course
from referee.rulebooks.confusion.compass import far_rank
from referee.rulebooks.confusion.fold import board_after, start_board
from referee.rulebooks.confusion.happenings import (
    played_with_sheets,
    read_attempt,
    read_dealt,
    read_ended,
    read_revealed,
)
from referee.rulebooks.confusion.memory import remembered
from referee.rulebooks.confusion.position import Attempt, Board, Piece
from referee.rulebooks.rulebook import OBSERVER, Happening, Seat
from referee.rulebooks.spies.edition import MOVE, REVEAL, SEATS, SWAP
from referee.rulebooks.spies.happenings import (
    ANSWERING,
    ATTEMPTED,
    BEGAN,
    DEALT,
    ENDED,
    INSTRUCTED,
    INTENDED,
    LAPSED,
    PASSED,
    PLACED,
    REVEALED,
    SEALED,
    SET_UP,
    SHOWN,
    UNMASKED,
    read_answering,
    read_began,
    read_instructed,
    read_intended,
    read_placed,
    read_sealed,
    read_set_up,
    read_shown,
    read_unmasked,
)
from referee.rulebooks.spies.orders import Action, Eliminate, Reveal, Swap, Unmask
from referee.rulebooks.spies.position import Confided, Position, Sealed, Table, Taken, View

TOKEN_OF: Mapping[type, str] = {Reveal: REVEAL, Swap: SWAP}
"""The token that an action uses up."""


@remembered(2)
def fold_table(table: Table | None, happening: Happening) -> Table:
    """Return the table after a happening; confided happenings leave it unchanged."""
    if happening.code == BEGAN:
        first, movements, variants = read_began(happening)
        return Table(
            board=start_board(first, movements, variants.edition),
            variants=variants,
            set_up=not variants.variable_setup,
            tokens={seat: variants.tokens.get(seat, frozenset()) for seat in SEATS},
            removed=dict.fromkeys(SEATS, ()),
            cleared=dict.fromkeys(SEATS, frozenset()),
        )
    if table is None:
        raise ValueError(f"a game starts with `{BEGAN}`, not with `{happening.code}`")
    match happening.code:
        case c if c == SET_UP:
            return _set_up(table, read_set_up(happening))
        case c if c == SEALED:
            return _ordered(table, read_sealed(happening))
        case c if c in (ATTEMPTED, PASSED):
            return _answered(table, read_attempt(happening))
        case c if c == LAPSED:
            return replace(table, sealed=None)
        case c if c == UNMASKED:
            return _unmasked(table, *read_unmasked(happening))
        case c if c == ENDED:
            return replace(table, board=replace(table.board, result=read_ended(happening), threat=None))
    return table


def _set_up(table: Table, squares: Mapping[Seat, Mapping[str, tuple[int, int]]]) -> Table:
    pieces = {
        square: Piece(seat, letter, square)
        for seat, stands in squares.items()
        for letter, square in stands.items()
    }
    return replace(table, set_up=True, board=replace(table.board, pieces=pieces))


def _ordered(table: Table, turn: Sealed) -> Table:
    """Return the table after a turn is closed: its action takes effect, its move waits, the other side is to move."""
    board = table.board
    if turn.action is not None:
        table = with_action(table, turn.seat, turn.action, turn.row)
        board = table.board
    tokens = table.tokens
    if len(turn.tries) > 1:
        tokens = {**tokens, turn.seat: tokens[turn.seat] - {MOVE}}
    other = board.edition.other(turn.seat)
    # The record's left column is the southern side's: a row is complete after White's turn.
    row = turn.row + 1 if turn.seat != board.edition.south else turn.row
    return replace(table, sealed=turn, tokens=tokens, board=replace(board, to_move=other, row=row))


def with_action(table: Table, seat: Seat, action: Action, row: int) -> Table:
    """Return the table after the action that precedes a move (CF-10.4, CF-10.5, CF-10.9)."""
    board, tokens, unmasked = table.board, table.tokens, table.unmasked
    if (token := TOKEN_OF.get(type(action))) is not None:
        tokens = {**tokens, seat: tokens[seat] - {token}}
    match action:
        case Eliminate(letter):
            table = without(table, seat, letter)
        case Unmask(letter):
            owner = board.edition.other(seat)
            table = without(table, owner, letter)
            unmasked = {**unmasked, owner: letter}
        case Swap(one, other):
            table = replace(table, board=_swapped(board, seat, one, other))
    return replace(table, tokens=tokens, unmasked=unmasked, taken=(*table.taken, Taken(row, seat, action)))


def without(table: Table, owner: Seat, letter: str) -> Table:
    """Return the table after a spy was removed; a briefcase that it held stays on its square (CF-10.6)."""
    board = table.board
    pieces = {
        square: piece
        for square, piece in board.pieces.items()
        if (piece.seat, piece.letter) != (owner, letter)
    }
    threat = None if board.threat == (owner, letter) else board.threat
    removed = {**table.removed, owner: (*table.removed[owner], letter)}
    return replace(table, removed=removed, board=replace(board, pieces=pieces, threat=threat))


def _swapped(board: Board, seat: Seat, one: str, other: str) -> Board:
    first, second = board.piece(seat, one), board.piece(seat, other)
    if first is None or second is None:
        raise ValueError(f"{one} and {other} do not both stand on the board")
    pieces = {
        **board.pieces,
        first.square: replace(second, square=first.square),
        second.square: replace(first, square=second.square),
    }
    return replace(board, pieces=pieces)


def _answered(table: Table, attempt: Attempt) -> Table:
    """Return the table after an attempt of the waiting turn is answered; the seat to move does not change."""
    board = table.board
    moved = board_after(replace(board, to_move=attempt.seat, row=attempt.row), attempt)
    left = table.sealed.tries[1:] if table.sealed is not None else ()
    sealed = replace(table.sealed, tries=left) if table.sealed is not None and left else None
    cleared = table.cleared
    if attempt.promoted:
        cleared = {**cleared, attempt.seat: cleared[attempt.seat] | {attempt.letter}}
    return replace(
        table, board=replace(moved, to_move=board.to_move, row=board.row), sealed=sealed, cleared=cleared
    )


def _unmasked(table: Table, owner: Seat, letter: str, taken_by: str | None) -> Table:
    table = without(table, owner, letter)
    board = table.board
    if taken_by is not None:
        taker = board.piece(board.edition.other(owner), taken_by)
        if taker is None:
            raise ValueError(f"{taken_by} does not stand on the board")
        # A spy that has just brought it to the far rank loses it by this, and threatens nothing.
        board = replace(board, z=taker.square, threat=None)
    return replace(table, board=board, unmasked={**table.unmasked, owner: letter})


def confided_after(own: Confided, happening: Happening) -> Confided:
    """Return what a seat has confided after a happening that it hears."""
    match happening.code:
        case c if c == ANSWERING:
            return replace(own, answer=read_answering(happening)[1])
        case c if c == INSTRUCTED:
            return replace(own, instruction=read_instructed(happening)[1])
        case c if c == INTENDED:
            return replace(own, action=read_intended(happening)[1])
        case c if c == SHOWN:
            _, letter, number = read_shown(happening)
            return replace(own, shown={**own.shown, letter: number}, seen=own.seen | {letter})
        case c if c == PLACED:
            return replace(own, placed=read_placed(happening)[1])
        case c if c == SET_UP:
            return replace(own, placed=None)
        case c if c in (ATTEMPTED, PASSED, LAPSED):
            # What waited is answered; an answer that was given for it is used up, even if the clock asked for
            # it.
            return replace(own, answer=None)
        case c if c == SEALED:
            # What was said for a turn ends with it.
            return replace(own, answer=None, action=None)
    return own


def _is_due(table: Table, seat: Seat, row: int) -> bool:
    """Return whether a seat's turn in a row of the record is in play."""
    board = table.board
    return table.set_up and board.result is None and (board.to_move, board.row) == (seat, row)


COURSE: Course[Table] = Course(fold_table, _is_due, frozenset((DEALT,)))
"""The order of the game's turns.

A take-back also undoes what was confided for the turn, and the seal that it opened.
"""


def fold_position(position: Position | None, happening: Happening) -> Position:
    """Return the whole truth after a happening; None is the truth before the first."""
    table = fold_table(position.table if position else None, happening)
    deals = position.deals if position else {}
    confided = position.confided if position else dict.fromkeys(SEATS, Confided())
    if happening.code == DEALT:
        seat, deal = read_dealt(happening)
        deals = {**deals, seat: deal}
    heard_by = [seat for seat in SEATS if seat in happening.heard_by]
    changed = {seat: confided_after(confided[seat], happening) for seat in heard_by}
    return Position(table, deals, {**confided, **changed})


def hear(view: View | None, happening: Happening, seat: Seat) -> View:
    """Return what a seat knows after one more happening; None is before the first, which is the beginning."""
    table = fold_table(view.table if view else None, happening)
    if view is None:
        return View(seat, table, {}, None, Confided(), seat != OBSERVER and played_with_sheets(happening))
    side, theirs, own = view.side, view.opponent_types, view.own_types
    if happening.code == DEALT:
        owner, deal = read_dealt(happening)
        theirs, own = (theirs, deal) if owner == side else (deal, own)
    elif happening.code == REVEALED:
        deals = read_revealed(happening)
        theirs = deals.get(table.board.edition.other(side), theirs)
        own = deals.get(side, own)
    return View(seat, table, theirs, own, confided_after(view.own, happening), view.sheets)


def fold_view(heard: Iterable[Happening], seat: Seat) -> View:
    """Return what `seat` knows from what it heard. Raises ValueError when it did not hear the beginning."""
    view: View | None = None
    told = tuple(heard)
    for happening in COURSE.standing(told):
        view = hear(view, happening, seat)
    if view is None:
        raise ValueError("nothing was heard of this game")
    shown = (read_shown(each) for each in told if each.code == SHOWN)
    seen = frozenset(letter for whose, letter, _ in shown if whose == seat)
    return replace(view, own=replace(view.own, seen=seen)) if seen else view


def holder_at_home(board: Board) -> Piece | None:
    """Return the spy that holds the briefcase on the opponent's first rank, None for none (CF-10.2, CF-10.7).

    The double agent counts like any other.
    """
    holder = board.holder()
    return holder if holder is not None and holder.square[1] == far_rank(holder.seat) else None
