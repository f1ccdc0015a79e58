"""Agreements on the end of a game: `draw`, which is `agree draw`, and `agree` with any other result or alone."""

from __future__ import annotations

from referee.commands.command import Agree, Draw
from referee.games.decisions import decide_agree, decide_offer
from referee.games.events import Ended
from referee.games.game import Game
from referee.games.results import DRAW, NONE
from referee.handlers.cancel import only_what_stands
from referee.handlers.handler_context import HandlerContext
from referee.handlers.orders import decided, find_seat, time_was_up
from referee.reports.report import Note
from referee.rulebooks.rulebook import other_seat


def agree(work: HandlerContext, command: Agree | Draw, number: int | None) -> None:
    """Propose how the game is to end, or agree to the other player's proposal."""
    seated = find_seat(work, command, number, timely=True)
    if seated is None or time_was_up(work, command, *seated):
        return
    game, seat = seated
    end = DRAW if isinstance(command, Draw) else command.end
    if end and end not in (DRAW, NONE, *game.seats):
        message = "nobody plays {side} in game {game}"
        work.outcome.reject(
            command, "no-such-side", message, about=game.number, side=end, game=str(game.number)
        )
        return
    other = other_seat(game.seats, seat)
    reader = game.seats[other]
    if end:
        after, told = (
            work.unit.threads.get(who, game.number).letters for who in (reader, work.request.player.number)
        )
        decision = decide_offer(game, seat, end, after=after, told=told + 1)
    else:
        decision = decide_agree(game, seat, seen=_has_seen(work, game))
    if decision.fault and decision.fault.code == "other-offer":
        work.outcome.of(game.number).overtaken = True
    who = work.composer.player(reader).name or other.capitalize()
    instead = game.offer is not None and game.offer.by == other
    facts = {"game": game.number, "who": who, "end": end, "seat": seat, "instead": instead}
    ends = any(isinstance(event, Ended) for event in decision.events)
    if decision.events:
        only_what_stands(work, game.number, end)
    decided(work, command, game, decision, None if ends else Note("offered", facts))


def _has_seen(work: HandlerContext, game: Game) -> bool:
    """Return whether the letter that the writer answers states the present proposal."""
    return game.offer is not None and work.request.answered_about(game.number) > game.offer.after
