"""Umpires' acts in a game that still apply: reported to those who come after they were done.

They are public; earlier observers were told when they were done. Observers with a delay are told of none
before the end.
"""

from __future__ import annotations

from datetime import timedelta

from referee.games.clocks.durations import duration_phrase
from referee.games.game import Game
from referee.games.umpire_actions import is_paused
from referee.handlers.handler_context import HandlerContext
from referee.reports.report import Note

MOST_RULINGS = 5
"""The most statements that are reported, the latest ones."""


def standing_note(work: HandlerContext, game: Game, *, frozen: bool = False) -> Note | None:
    """Return the note on umpires' acts that still apply in a running game; None for none.

    Records whose words it shows.

    frozen: include a freeze, which observers are not told.
    """
    if game.status != "playing":
        return None
    paused = game.paused if is_paused(game, work.request.now) else None
    rulings = work.unit.writings.of_kind(game.number, "ruling")[-MOST_RULINGS:]
    facts = {
        "paused": paused is not None,
        "until": paused.until if paused is not None else None,
        "zone": work.request.player.zone,
        "given": tuple(
            {"seat": each.seat, "time": duration_phrase(timedelta(seconds=each.seconds))}
            for each in game.given
        ),
        "rulings": tuple(each.lines for each in rulings),
        "stopped": game.frozen if frozen else "",
    }
    if not (facts["paused"] or facts["given"] or facts["rulings"] or facts["stopped"]):
        return None
    work.outcome.of(game.number).speaks_of += [each.player for each in rulings]
    return Note("acts-hold", facts)
