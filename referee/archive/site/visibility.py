"""Which games a site may show, and how much of them.

A game that is over is shown whole: its end has shown everything to both players. Of a game that is being played nothing
is shown, not even that there is one, unless it belongs to an event that lets others watch, by the terms that the game
began with and by those that the event has now. Then the board is shown, as those see it who watch, so many turns late
as these say, and one turn at least: who watches by letter is known to the players by name, and who reads a site is not.
"""

from __future__ import annotations

from referee.games.game import Game
from referee.games.game_options import WATCHERS, watchers_of
from referee.games.tournaments.tournament import Competition

LEAST_DELAY = 1
"""Turns that a site is behind a game that is being played, at least."""


def turns_late(game: Game, event: Competition | None) -> int | None:
    """Return how many turns late a game that is being played may be shown, None where nothing of it may.

    event: the terms, as they are now, of the event that it belongs to; None for none.
    """
    if event is None or game.status != "playing":
        return None
    agreed, now = watchers_of(game.options), lets_watch(event)
    if agreed is None or now is None:
        return None
    return max(agreed, now, LEAST_DELAY)


def lets_watch(event: Competition) -> int | None:
    """Return how many turns late an event lets others watch its games, by its present terms; None where it does not."""
    return watchers_of({WATCHERS: event.watchers})
