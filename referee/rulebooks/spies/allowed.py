"""What may be ordered, by public facts: what precedes a move, and the attempts of a turn.

Nothing here knows a deal, so nothing here can tell players anything about their own spies. A player can see
whether a spy to be unmasked is the double agent; `reading` checks that against the view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.common.faults import Fault
from referee.common.i18n import N_, Phrase
from referee.rulebooks.confusion.compass import COLOURS, SIZE, WHITE, Square, square_after
from referee.rulebooks.confusion.fold import board_after
from referee.rulebooks.confusion.notation import Move, write_move
from referee.rulebooks.confusion.position import Attempt, Board, Piece
from referee.rulebooks.confusion.possible import can_attempt, complete, mover, refusal
from referee.rulebooks.rulebook import Seat
from referee.rulebooks.spies.edition import MOVE, REVEAL, SWAP
from referee.rulebooks.spies.orders import Action, Eliminate, Reveal, Swap, Unmask
from referee.rulebooks.spies.position import Table

HALF = 5
"""How many ranks are a side's own half of the board: those nearest to it (CF-10.9)."""
TOKEN_NAMES = {
    REVEAL: Phrase(N_("Reveal 1")),
    MOVE: Phrase(N_("Move 2")),
    SWAP: Phrase(N_("Swap 2")),
}
"""The names of the action tokens."""


def action_fault(table: Table, seat: Seat, action: Action) -> Fault | None:
    """Return why a side cannot take an action before its move, None where it can, by public facts.

    table: before the action, with the other side's turn answered.
    """
    match action:
        case Reveal(letter):
            return _token_fault(table, seat, REVEAL) or _letter_fault(table, letter, "CF-10.9")
        case Swap(one, other):
            if one == other:
                return _refused("same-spy", N_("two different spies change places"), {}, "CF-10.9")
            return (
                _token_fault(table, seat, SWAP)
                or _home_fault(table, seat, one)
                or _home_fault(table, seat, other)
            )
        case Eliminate(letter):
            return _no_agent(table, "CF-10.4") or absence(table, seat, letter, "CF-10.4")
        case Unmask(letter):
            owner = table.board.edition.other(seat)
            return _no_agent(table, "CF-10.5") or absence(table, owner, letter, "CF-10.5")


def turn_fault(
    table: Table, seat: Seat, action: Action | None, tries: Sequence[Move], *, any_length: bool = False
) -> Fault | None:
    """Return why a side cannot close its turn with these attempts, None where it can, by public facts.

    table: with the other side's turn answered, and `action` done.
    action: precedes the attempts.
    tries: none for a passed turn, two for the token Move 2.
    any_length: as in possible.refusal.
    """
    if not tries:
        if can_attempt(table.board, seat, barred(table, seat, action)):
            message = N_("nobody passes who has something to attempt")
            return _refused("no-passing", message, {}, "CF-11.3")
        return None
    if len(tries) == 1:
        return _attempt_fault(table, seat, action, tries[0], any_length=any_length)
    first, second = tries
    return _double_fault(table, seat, action, first, second, any_length=any_length)


def barred(table: Table, seat: Seat, action: Action | None) -> frozenset[str]:
    """Return the spies that may attempt nothing in this turn (CF-10.9).

    They were shown to their player, or have changed places, in this turn.

    table: after that.
    """
    match action:
        case Reveal(letter):
            return frozenset((letter,))
        case Swap(one, other):
            both = frozenset((one, other))
            left = {piece.letter for piece in table.board.pieces.values() if piece.seat == seat}
            return both if left - both else frozenset()
    return frozenset()


def absence(table: Table, seat: Seat, letter: str, rule: str = "CF-4.2") -> Fault | None:
    """Return why a side's spy is not on the board, None where it is."""
    board = table.board
    if board.piece(seat, letter) is not None:
        return None
    if (fault := _letter_fault(table, letter, rule)) is not None:
        return fault
    taken = [each for each in board.attempts if each.captured == letter and each.seat != seat]
    if taken:
        facts = {"letter": letter, "row": str(taken[-1].row)}
        return _refused("captured", N_("{letter} was captured in row {row}"), facts, rule)
    return _refused("removed", N_("{letter} is not in the game any more"), {"letter": letter}, rule)


def after_yes(board: Board, seat: Seat, move: Move) -> Board:
    """Return the board after a possible attempt of a spy that was allowed."""
    piece = mover(board, seat, move)
    if piece is None:
        raise ValueError(f"{write_move(move)} cannot be attempted")
    whole = complete(board, seat, move)
    end = square_after(piece.square, move.direction, move.length)
    allowed = Attempt(
        row=board.row,
        seat=seat,
        text=write_move(whole),
        answer=True,
        start=piece.square,
        end=end,
        captured=whole.captures,
        took_z=whole.takes_z,
        letter=piece.letter,
        with_z=move.with_z,
        passes_z=not move.letter,
    )
    return board_after(board, allowed)


def _attempt_fault(
    table: Table, seat: Seat, action: Action | None, move: Move, *, any_length: bool
) -> Fault | None:
    if move.letter and (fault := absence(table, seat, move.letter)) is not None:
        return fault
    if (fault := refusal(table.board, seat, move, any_length=any_length)) is not None:
        return fault
    piece = mover(table.board, seat, move)
    if piece is None or piece.letter not in barred(table, seat, action):
        return None
    message = N_("{letter} has changed places in this turn, so another spy moves")
    if isinstance(action, Reveal):
        message = N_("{letter} was shown to you in this turn, so another spy moves")
    return _refused("barred", message, {"letter": piece.letter}, "CF-10.9")


def _double_fault(
    table: Table, seat: Seat, action: Action | None, first: Move, second: Move, *, any_length: bool
) -> Fault | None:
    """Return why two attempts are not possible, None where they are (CF-10.9).

    They need two spies on the own half that do not hold Z, and the second must be possible after at least one
    answer to the first.
    """
    if action is not None:
        message = N_("the token {token} is not played in a turn in which something else goes before the move")
        return _refused("one-action", message, {"token": TOKEN_NAMES[MOVE]}, "CF-10.9")
    if (fault := _token_fault(table, seat, MOVE)) is not None:
        return fault
    if not (first.letter and second.letter):
        message = N_("the token {token} moves spies, and neither of them may hold Z")
        return _refused("holds-z", message, {"token": TOKEN_NAMES[MOVE]}, "CF-10.9")
    if first.letter == second.letter:
        facts = {"token": TOKEN_NAMES[MOVE]}
        return _refused("same-spy", N_("the token {token} moves two different spies"), facts, "CF-10.9")
    for move in (first, second):
        if (fault := _home_fault(table, seat, move.letter)) is not None:
            return fault
    board = table.board
    if (fault := refusal(board, seat, first, any_length=any_length)) is not None:
        return fault
    fault = refusal(board, seat, second, any_length=any_length)
    if (
        fault is not None
        and refusal(after_yes(board, seat, first), seat, second, any_length=any_length) is None
    ):
        return None
    return fault


def _token_fault(table: Table, seat: Seat, token: str) -> Fault | None:
    if token in table.tokens[seat]:
        return None
    facts = {"colour": Phrase(COLOURS[seat]), "token": TOKEN_NAMES[token]}
    message = N_("the token {token} of {colour} is used up")
    if token not in table.variants.tokens.get(seat, frozenset()):
        message = N_("{colour} has no token {token} in this game")
    return _refused("no-token", message, facts, "CF-10.9")


def _home_fault(table: Table, seat: Seat, letter: str) -> Fault | None:
    """Return why a spy is not one of those on the own half that do not hold Z (CF-10.9)."""
    piece = table.board.piece(seat, letter)
    if piece is None:
        return absence(table, seat, letter, "CF-10.9")
    if not _at_home(piece):
        facts = {"letter": letter, "ranks": str(HALF), "square": _place(piece.square)}
        message = N_("{letter} on {square} is not on its own half, the {ranks} ranks nearest to its side")
        return _refused("not-own-half", message, facts, "CF-10.9")
    if piece.square == table.board.z:
        return _refused("holds-z", N_("{letter} holds Z"), {"letter": letter}, "CF-10.9")
    return None


def _at_home(piece: Piece) -> bool:
    rank = piece.square[1]
    return (SIZE + 1 - rank if piece.seat == WHITE else rank) <= HALF


def _no_agent(table: Table, rule: str) -> Fault | None:
    if table.variants.double_agent:
        return None
    message = N_("by the code of honour there is no double agent in this game")
    return _refused("no-double-agent", message, {}, rule)


def _letter_fault(table: Table, letter: str, rule: str) -> Fault | None:
    letters = table.board.edition.letters
    if letter in letters:
        return None
    message = N_("there is no piece {letter}; the letters are {letters}")
    return _refused("no-such-letter", message, {"letter": letter, "letters": " ".join(letters)}, rule)


def _refused(code: str, message: str, facts: dict[str, Any], rule: str) -> Fault:
    return Fault(code, message, facts, "not-allowed", rule=rule)


def _place(square: Square) -> str:
    return f"({square[0]},{square[1]})"
