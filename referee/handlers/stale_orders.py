"""Moves that were meant for another turn than the present one: `V-NW2 @14`, `V-NW2 @letter 14`.

The move says so itself. When the game is no longer there, it is refused, and its writer is shown both the
board as it was then, from what they had heard by then, and what has happened since.
"""

from __future__ import annotations

from dataclasses import replace

from referee.commands.command import Guard, Order
from referee.games.decisions import decide_order
from referee.games.game import Game
from referee.handlers.handler_context import HandlerContext
from referee.reports.report import Note
from referee.rulebooks.branches import TAKEN_BACK
from referee.rulebooks.rulebook import OrderLine, Seat


def is_for_another_turn(
    work: HandlerContext, command: Order, game: Game, seat: Seat, *, of_a_turn: bool
) -> bool:
    """Return whether an order was meant for another turn than the present one; record the fault.

    of_a_turn: the order belongs to a turn, and is not known to be meant for now.
    """
    return _is_stale(work, command, game, seat) or (
        of_a_turn
        and (
            _answers_what_was_taken_back(work, command, game, seat)
            or _answers_an_earlier_half(work, command, game, seat)
        )
    )


def _is_stale(work: HandlerContext, command: Order, game: Game, seat: Seat) -> bool:
    """Return whether the game is no longer where a move was meant to be made; record the fault.

    False if the move does not say.
    """
    guard = command.guard
    if guard is None or game.status != "playing":
        return False
    number = str(guard.number)
    turn = game.rulebook.rules.turn(game.view(seat))
    heard = game.heard(seat)
    if guard.what == "turn":
        if guard.number == turn:
            return False
        then = game.rulebook.rules.turn_of(heard, seat, guard.number)
        message = "this was meant for turn {meant}, and turn {turn} is being played; nothing was done"
        if guard.number > turn:
            message = "turn {meant} has not come yet, turn {turn} is being played; nothing was done"
        work.outcome.reject(command, "stale", message, about=game.number, meant=number, turn=str(turn))
    else:
        letters = work.unit.threads.get(work.request.player.number, game.number).letters
        if not 1 <= guard.number <= letters:
            message = "there is no letter {meant} to you about game {game}, the newest is {newest}; nothing was done"
            facts = {"meant": number, "game": str(game.number), "newest": str(letters)}
            work.outcome.reject(command, "stale-letter", message, about=game.number, **facts)
            return True
        then = work.unit.outbox.told_by(work.request.player.number, game.number, guard.number)
        if then is not None and all(each.heard_by == {seat} for each in heard[then:]):
            return False  # all that is new is what he has said himself
        message = "the game has gone on since letter {meant}, for which this was meant; nothing was done"
        work.outcome.reject(command, "stale", message, about=game.number, meant=number)
    if then:
        _show(work, game, seat, guard, then)
    return True


def _answers_what_was_taken_back(work: HandlerContext, command: Order, game: Game, seat: Seat) -> bool:
    """Return whether a move answers a letter from before a take-back, so it was meant for that; record the fault.

    False if it states its turn.
    """
    backs = [place for place, each in enumerate(game.heard(seat)) if each.code == TAKEN_BACK]
    if not backs or command.guard is not None or seat not in game.due:
        return False
    answered = work.request.answered()
    if answered is None or answered.game != game.number or answered.number is None:
        return False
    told = work.unit.outbox.told_by(work.request.player.number, game.number, answered.number)
    if told is None or told > backs[-1]:
        return False
    turn = str(game.rulebook.rules.turn(game.view(seat)))
    message = (
        "this answers a letter from before the umpire took the game back, and may be meant for another position; "
        "nothing was done. If it is for turn {turn}, say so"
    )
    work.outcome.reject(
        command,
        "taken-back-meanwhile",
        message,
        about=game.number,
        suggestion=f"{command.text} @{turn}",
        turn=turn,
    )
    return True


def _answers_an_earlier_half(work: HandlerContext, command: Order, game: Game, seat: Seat) -> bool:
    """Return whether an order answers a letter from before the seat's last orders were carried out; record the fault.

    In a game with several letters to a turn it may repeat those orders. False if it names a letter of ours;
    naming the turn does not help, since that has more letters than one.
    """
    if seat not in game.due or (command.guard is not None and command.guard.what == "letter"):
        return False
    drafts = game.rulebook.drafts
    done = drafts.letter_done(game.heard(seat), seat) if drafts is not None else 0
    answered = work.request.answered_about(game.number) if done else 0
    told = work.unit.outbox.told_by(work.request.player.number, game.number, answered) if answered else None
    if told is None or told >= done:
        return False
    newest = work.unit.threads.get(work.request.player.number, game.number).letters
    meant = replace(command, guard=Guard("letter", newest))
    possible = decide_order(game, seat, OrderLine(command.line.number, command.text)).fault is None
    message = (
        "this answers a letter from before your last orders were carried out, and may be these once more; nothing was "
        "done. If it is new, send it in answer to the newest letter"
    )
    suggestion = meant.write() if possible else ""
    work.outcome.reject(command, "ordered-meanwhile", message, about=game.number, suggestion=suggestion)
    return True


def _show(work: HandlerContext, game: Game, seat: Seat, guard: Guard, then: int) -> None:
    """Add a note with the position after the first `then` happenings, and what has happened since."""
    heard = game.heard(seat)
    at = game.rulebook.rules.view(heard[:then], seat)
    note = Note(
        "as-it-was",
        {
            "what": guard.what,
            "number": guard.number,
            "then": game.rulebook.presentation.scene(at, heard[:then], then),
            "later": game.rulebook.presentation.scene(game.view(seat), heard, then),
        },
    )
    part = work.outcome.of(game.number)
    if note not in part.notes:
        part.notes.append(note)
