"""Moves that were meant for another turn than that which is being played: `V-NW2 @14`, `V-NW2 @letter 14`.

A move says so itself. When the game is not there any more, it is refused, and its writer sees both: the board as it was
then, added up from what he had heard by then, and what has happened since.
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


def is_stale(work: HandlerContext, command: Order, game: Game, seat: Seat) -> bool:
    """Note that the game is not where a move was meant to be made; False where it is, or the move does not say."""
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
        work.wrong(command, "stale", message, about=game.number, meant=number, turn=str(turn))
    else:
        letters = work.unit.threads.get(work.player.number, game.number).letters
        if not 1 <= guard.number <= letters:
            message = "there is no letter {meant} to you about game {game}, the newest is {newest}; nothing was done"
            facts = {"meant": number, "game": str(game.number), "newest": str(letters)}
            work.wrong(command, "stale-letter", message, about=game.number, **facts)
            return True
        then = work.unit.outbox.told_by(work.player.number, game.number, guard.number)
        if then is not None and all(each.heard_by == {seat} for each in heard[then:]):
            return False  # all that is new is what he has said himself
        message = "the game has gone on since letter {meant}, for which this was meant; nothing was done"
        work.wrong(command, "stale", message, about=game.number, meant=number)
    if then:
        _show(work, game, seat, guard, then)
    return True


def answers_what_was_taken_back(work: HandlerContext, command: Order, game: Game, seat: Seat) -> bool:
    """Note that a move answers a letter from before the game was taken back, and was meant for what stands no more;
    False where it does not, or says its turn itself."""
    backs = [place for place, each in enumerate(game.heard(seat)) if each.code == TAKEN_BACK]
    if not backs or command.guard is not None or seat not in game.due:
        return False
    answered = work.answered()
    if answered is None or answered.game != game.number or answered.number is None:
        return False
    told = work.unit.outbox.told_by(work.player.number, game.number, answered.number)
    if told is None or told > backs[-1]:
        return False
    turn = str(game.rulebook.rules.turn(game.view(seat)))
    message = (
        "this answers a letter from before the umpire took the game back, and may be meant for another position; "
        "nothing was done. If it is for turn {turn}, say so"
    )
    work.wrong(
        command,
        "taken-back-meanwhile",
        message,
        about=game.number,
        suggestion=f"{command.text} @{turn}",
        turn=turn,
    )
    return True


def answers_an_earlier_half(work: HandlerContext, command: Order, game: Game, seat: Seat) -> bool:
    """Note that an order answers a letter from before the seat's last letter of orders was carried out, in a game whose
    turns take several, and may be that one sent once more; False where it does not, or names a letter of ours itself.

    The turn that it names says nothing here: it has more letters than one.
    """
    if seat not in game.due or (command.guard is not None and command.guard.what == "letter"):
        return False
    drafts = game.rulebook.drafts
    done = drafts.letter_done(game.heard(seat), seat) if drafts is not None else 0
    answered = work.answered_about(game.number) if done else 0
    told = work.unit.outbox.told_by(work.player.number, game.number, answered) if answered else None
    if told is None or told >= done:
        return False
    newest = work.unit.threads.get(work.player.number, game.number).letters
    meant = replace(command, guard=Guard("letter", newest))
    possible = decide_order(game, seat, OrderLine(command.line.number, command.text)).fault is None
    message = (
        "this answers a letter from before your last orders were carried out, and may be these once more; nothing was "
        "done. If it is new, send it in answer to the newest letter"
    )
    suggestion = meant.write() if possible else ""
    work.wrong(command, "ordered-meanwhile", message, about=game.number, suggestion=suggestion)
    return True


def _show(work: HandlerContext, game: Game, seat: Seat, guard: Guard, then: int) -> None:
    """Note the position as it was when so many happenings had been heard, and what has happened since."""
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
    part = work.part(game.number)
    if note not in part.notes:
        part.notes.append(note)
