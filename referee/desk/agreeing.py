"""Agreeing on how a game is to end: `draw`, which is `agree draw`, and `agree` with any other result or alone."""

from __future__ import annotations

from referee.commands.command import Agree, Draw
from referee.desk.play import decided, find_seat, too_late
from referee.desk.work import Work
from referee.games.decide import decide_agree, decide_offer
from referee.games.ends import DRAW, NONE
from referee.games.events import Ended
from referee.games.game import Game
from referee.reports.report import Note


def agree(work: Work, command: Agree | Draw, number: int | None) -> None:
    """Propose how the game is to end, or agree to what the other player has proposed."""
    seated = find_seat(work, command, number, running=True)
    if seated is None:
        return
    game, seat = seated
    if too_late(work, command, game):
        return
    end = DRAW if isinstance(command, Draw) else command.end
    if end and end not in (DRAW, NONE, *game.seats):
        message = "nobody plays {side} in game {game}"
        work.wrong(command, "no-such-side", message, about=game.number, side=end, game=str(game.number))
        return
    other = next(each for each in game.seats if each != seat)
    reader = game.seats[other]
    if end:
        decision = decide_offer(game, seat, end, after=work.unit.thread(reader, game.number).letters)
    else:
        decision = decide_agree(game, seat, seen=_has_seen(work, game))
    if decision.fault and decision.fault.code == "other-offer":
        work.part(game.number).overtaken = True
    who = work.post.player(reader).name or other.capitalize()
    instead = game.offer is not None and game.offer.by == other
    facts = {"game": game.number, "who": who, "end": end, "seat": seat, "instead": instead}
    ends = any(isinstance(event, Ended) for event in decision.events)
    decided(work, command, game, decision, None if ends else Note("offered", facts))


def _has_seen(work: Work, game: Game) -> bool:
    """Tell whether the letter that the writer answers says what is proposed now."""
    answered, offer = work.answered(), game.offer
    return (
        answered is not None
        and offer is not None
        and answered.game == game.number
        and (answered.number or 0) > offer.after
    )
