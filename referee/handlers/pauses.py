"""Pauses by consent: one player offers, the pause begins when the other wants it too, and either may end it (TM-6)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from referee.commands.command import Command, Pause, Resume
from referee.common.i18n import Phrase
from referee.games.clocks.consent import CAUSE
from referee.games.clocks.durations import duration_phrase
from referee.games.events import Paused, PauseOffered, PauseWithdrawn, Resumed
from referee.games.game import Game
from referee.handlers.handler_context import HandlerContext
from referee.handlers.orders import find_seat, opponent, time_was_up
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat


def pause(work: HandlerContext, command: Pause, number: int | None) -> None:
    """Offer a pause, or agree to the one that is offered."""
    seated = _find(work, command, number)
    if seated is None or time_was_up(work, command, *seated):
        return
    game, seat = seated
    if game.consent.on(work.request.heard):
        message = "game {game} rests already, as you have agreed"
        work.outcome.reject(command, "pause-on", message, about=game.number, game=str(game.number))
        return
    if seat in game.consent.agreed and not game.consent.paused:
        message = "you have offered a pause already; it begins as soon as your opponent wants it too"
        work.outcome.reject(command, "pause-offered-already", message, about=game.number)
        return
    _, agreed = game.consent.want(seat, game.seats, work.request.heard)
    if agreed is None:
        work.apply_events(game, PauseOffered(seat, work.request.heard))
        work.outcome.accept(command, game.number, Note("pause-offered", _told(work, game, seat)))
    else:
        game = work.apply_events(game, Paused(CAUSE, agreed.at, agreed.until))
        work.outcome.accept(command, game.number, begun_note(work, game, seat))


def resume(work: HandlerContext, command: Resume, number: int | None) -> None:
    """End a pause, a day from now; or withdraw the writer's offer of one."""
    seated = _find(work, command, number)
    if seated is None:
        return
    game, seat = seated
    if not game.consent.on(work.request.now):
        if seat in game.consent.agreed and not game.consent.paused:
            work.apply_events(game, PauseWithdrawn(seat))
            work.outcome.accept(command, game.number, Note("pause-withdrawn", _told(work, game, seat)))
            return
        message = "game {game} does not rest by an agreement of yours"
        work.outcome.reject(command, "no-pause", message, about=game.number, game=str(game.number))
        return
    _, ends = game.consent.end(seat, work.request.now)
    if ends is not None:
        game = work.apply_events(game, Resumed(CAUSE, ends.at))
    at = ends.at if ends is not None else game.consent.ends or work.request.now
    at = work.games.clocks.runs_again(game, at)
    work.outcome.accept(command, game.number, ends_note(work, game, seat, at))


def _find(work: HandlerContext, command: Command, number: int | None) -> tuple[Game, Seat] | None:
    """Return the game that is meant and the writer's seat, if time is counted in it."""
    seated = find_seat(work, command, number, running=True)
    if seated is not None and not seated[0].timed:
        message = "no time is counted in game {game}, so there is nothing to stop"
        work.outcome.reject(command, "not-timed", message, about=seated[0].number, game=str(seated[0].number))
        return None
    return seated


def _told(work: HandlerContext, game: Game, seat: Seat) -> dict[str, Any]:
    """Return the game and opponent, for a note to a player."""
    return {"game": game.number, "who": opponent(work, game, seat)}


def begun_note(work: HandlerContext, game: Game, reader: Seat) -> Note:
    """Return a note on a pause that has begun, with the time left for the move that is due when it ends."""
    seat = next(iter(game.due), None)
    face = work.games.clocks.face(game, seat) if seat is not None else None
    who = work.composer.player(game.seats[seat]).name or Phrase(seat.capitalize()) if seat is not None else ""
    facts = {
        "game": game.number,
        "mine": seat == reader,
        "who": who,
        "opponent": opponent(work, game, reader),
        "time": duration_phrase(face.left) if face is not None and not face.up else "",
    }
    return Note("pause-begun", facts)


def ends_note(work: HandlerContext, game: Game, reader: Seat, at: datetime) -> Note:
    """Return a note on a pause that ends. at: when time runs again."""
    zone = work.composer.player(game.seats[reader]).zone
    facts = {"game": game.number, "opponent": opponent(work, game, reader), "at": at, "zone": zone}
    return Note("pause-ends", facts)
