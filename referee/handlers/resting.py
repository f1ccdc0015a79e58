"""What both players are told of a pause that they have agreed on."""

from __future__ import annotations

from datetime import datetime

from referee.common.i18n import Phrase
from referee.games.clocks.durations import duration_phrase
from referee.games.game import Game
from referee.handlers.handler_context import HandlerContext
from referee.handlers.orders import opponent
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat


def begun_note(work: HandlerContext, game: Game, reader: Seat) -> Note:
    """Return a note on a pause that has begun, with the time that is left for the move that is due when it ends."""
    seat = next(iter(game.due), None)
    face = work.clocks.face(game, seat) if seat is not None else None
    who = work.post.player(game.seats[seat]).name or Phrase(seat.capitalize()) if seat is not None else ""
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
    zone = work.post.player(game.seats[reader]).zone
    facts = {"game": game.number, "opponent": opponent(work, game, reader), "at": at, "zone": zone}
    return Note("pause-ends", facts)
