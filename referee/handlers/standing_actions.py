"""What umpires have done in a game and still holds: told to whoever comes when it was done already.

It is public; those who have watched since were told when it was done. Who hears late is told of none before the end.
"""

from __future__ import annotations

from datetime import timedelta

from referee.games.clocks.durations import duration_phrase
from referee.games.game import Game
from referee.games.umpire_actions import is_paused
from referee.handlers.handler_context import HandlerContext
from referee.reports.report import Note

MOST_RULINGS = 5
"""Rulings in words that are told: the newest so many."""


def standing_note(work: HandlerContext, game: Game, *, frozen: bool = False) -> Note | None:
    """Return what umpires have done in a game that is being played and still holds; None where it is nothing. Notes
    whose words it shows. frozen: that it is, too, which those who watch are not told."""
    if game.status != "playing":
        return None
    paused = game.paused if is_paused(game, work.now) else None
    rulings = work.unit.writings.of_kind(game.number, "ruling")[-MOST_RULINGS:]
    facts = {
        "paused": paused is not None,
        "until": paused.until if paused is not None else None,
        "zone": work.player.zone,
        "given": tuple(
            {"seat": each.seat, "time": duration_phrase(timedelta(seconds=each.seconds))}
            for each in game.given
        ),
        "rulings": tuple(each.lines for each in rulings),
        "stopped": game.frozen if frozen else "",
    }
    if not (facts["paused"] or facts["given"] or facts["rulings"] or facts["stopped"]):
        return None
    work.part(game.number).speaks_of += [each.player for each in rulings]
    return Note("acts-hold", facts)
