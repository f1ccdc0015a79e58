"""A pause by consent: one player offers it, it begins when the other wants it too, and either may end it (TM-6)."""

from __future__ import annotations

from typing import Any

from referee.commands.command import Command, Pause, Resume
from referee.games.clocks.consent import CAUSE
from referee.games.events import Paused, PauseOffered, PauseWithdrawn, Resumed
from referee.games.game import Game
from referee.handlers.handler_context import HandlerContext
from referee.handlers.orders import find_seat, opponent, time_was_up
from referee.handlers.resting import begun_note, ends_note
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat


def pause(work: HandlerContext, command: Pause, number: int | None) -> None:
    """Offer a pause, or agree to the one that is offered."""
    seated = _find(work, command, number)
    if seated is None or time_was_up(work, command, *seated):
        return
    game, seat = seated
    if game.consent.on(work.heard):
        message = "game {game} rests already, as you have agreed"
        work.wrong(command, "pause-on", message, about=game.number, game=str(game.number))
        return
    if seat in game.consent.agreed and not game.consent.paused:
        message = "you have offered a pause already; it begins as soon as your opponent wants it too"
        work.wrong(command, "pause-offered-already", message, about=game.number)
        return
    _, agreed = game.consent.want(seat, game.seats, work.heard)
    if agreed is None:
        work.happen(game, PauseOffered(seat, work.heard))
        work.took(command, game.number, Note("pause-offered", _told(work, game, seat)))
    else:
        game = work.happen(game, Paused(CAUSE, agreed.at, agreed.until))
        work.took(command, game.number, begun_note(work, game, seat))


def resume(work: HandlerContext, command: Resume, number: int | None) -> None:
    """End a pause, a day from now; or take back that one has offered it."""
    seated = _find(work, command, number)
    if seated is None:
        return
    game, seat = seated
    if not game.consent.on(work.now):
        if seat in game.consent.agreed and not game.consent.paused:
            work.happen(game, PauseWithdrawn(seat))
            work.took(command, game.number, Note("pause-withdrawn", _told(work, game, seat)))
            return
        message = "game {game} does not rest by an agreement of yours"
        work.wrong(command, "no-pause", message, about=game.number, game=str(game.number))
        return
    _, ends = game.consent.end(seat, work.now)
    if ends is not None:
        game = work.happen(game, Resumed(CAUSE, ends.at))
    at = ends.at if ends is not None else game.consent.ends or work.now
    at = work.clocks.runs_again(game, at)
    work.took(command, game.number, ends_note(work, game, seat, at))


def _find(work: HandlerContext, command: Command, number: int | None) -> tuple[Game, Seat] | None:
    """Return the game that is meant and the writer's seat, if time is counted in it."""
    seated = find_seat(work, command, number, running=True)
    if seated is not None and not seated[0].timed:
        message = "no time is counted in game {game}, so there is nothing to stop"
        work.wrong(command, "not-timed", message, about=seated[0].number, game=str(seated[0].number))
        return None
    return seated


def _told(work: HandlerContext, game: Game, seat: Seat) -> dict[str, Any]:
    """Return what tells a player with whom, and in which game, he has to do."""
    return {"game": game.number, "who": opponent(work, game, seat)}
