"""Which games a site may show, and how much of them.

A finished game is shown whole: its end has shown everything to both players. Of a running game nothing is
shown, not even that it exists, unless its tournament lets others watch. Both the terms that the game began
with and the tournament's present ones must do so. Then the board is shown as observers see it, with their
delay in turns, but one turn at least: the players know an observer by letter by name, but not the reader of a
site.
"""

from __future__ import annotations

from referee.games.game import Game
from referee.games.game_options import WATCHERS, watchers_of
from referee.games.tournaments.tournament import Competition

LEAST_DELAY = 1
"""Least delay, in turns, of a site behind a running game."""


def turns_late(game: Game, event: Competition | None) -> int | None:
    """Return the delay in turns with which a running game may be shown, None where it may not.

    event: the present terms of its tournament; None for none.
    """
    if event is None or game.status != "playing":
        return None
    agreed, now = watchers_of(game.options), lets_watch(event)
    if agreed is None or now is None:
        return None
    return max(agreed, now, LEAST_DELAY)


def lets_watch(event: Competition) -> int | None:
    """Return the delay in turns with which a tournament lets others watch its games now; None where it does not."""
    return watchers_of({WATCHERS: event.watchers})
