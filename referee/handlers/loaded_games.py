"""The games that a letter concerns, each read once and locked until the end of the letter's transaction."""

from __future__ import annotations

from collections.abc import Mapping

from referee.common.chance import Draws
from referee.common.errors import GameUnreadable
from referee.games.events import Event, read_event
from referee.games.game import Game, fold_game
from referee.handlers.game_clocks import GameClocks
from referee.rulebooks.rulebook import Rulebook
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import StoredEvent, StoredGame


class LoadedGames:
    """Loads games as they are now.

    committed: games as last committed, by number: a cache, never written here.
    clocks: the clocks of the games.
    draws: the source of new games' secrets.
    """

    def __init__(
        self,
        unit: UnitOfWork,
        rulebooks: Mapping[str, Rulebook],
        committed: Mapping[int, Game],
        clocks: GameClocks,
        draws: Draws,
    ) -> None:
        self.clocks = clocks
        self.by_number: dict[int, Game] = {}
        """The games loaded so far, with the letter's effects in them."""
        self.titles: dict[int, str] = {}
        self._unit = unit
        self._rulebooks = rulebooks
        self._committed = committed
        self._draws = draws
        self._rows: dict[int, StoredGame | None] = {}

    def row(self, number: int) -> StoredGame | None:
        """Return a game without its events; None when there is none."""
        if number not in self._rows:
            self._rows[number] = self._unit.games.get(number)
        return self._rows[number]

    def load(self, number: int) -> Game | None:
        """Return a game as it is now; None when there is none. Raises GameUnreadable where it is damaged."""
        if number in self.by_number:
            return self.by_number[number]
        row = self.row(number)
        if row is None:
            return None
        game = self._committed.get(number)
        if game is not None and game.last_event > row.last_event:
            game = None
        if game is None or game.last_event < row.last_event:
            stored = self._unit.events.of_game(number, after=game.last_event if game else 0)
            game = fold_game(number, map(_event, stored), self._rulebooks.__getitem__, game)
        if game is not None:
            self.by_number[number] = game
            self.titles[number] = row.title
        return game

    def readable(self, number: int) -> Game | None:
        """Return a game as `load` does, but None for one that cannot be read.

        Use it to search several games: a letter about another game must not be affected.
        """
        try:
            game = self.load(number)
            if game is not None and game.timed and game.status == "playing":
                self.clocks.terms(game)  # without them nobody's time can be determined
        except GameUnreadable:
            return None
        return game

    def forget(self, number: int) -> None:
        """Forget a loaded game, so that it is read again as it is stored."""
        self.by_number.pop(number, None)
        self.titles.pop(number, None)
        self.clocks.forget(number)

    def draw_secret(self) -> bytes:
        """Draw the secret of a new game."""
        return self._draws.secret()


def _event(stored: StoredEvent) -> Event:
    return read_event(stored.kind, stored.body)
