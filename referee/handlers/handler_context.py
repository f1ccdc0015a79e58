"""The context in which a handler works.

Games change in memory, as values, and are stored together at the end (`replies.save_and_reply`): all or
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.common.chance import Draws
from referee.games.clock_events import dated
from referee.games.events import Confided, Event, Ruled
from referee.games.game import Game
from referee.handlers.composer import Composer
from referee.handlers.game_clocks import GameClocks
from referee.handlers.letter_outcome import LetterOutcome
from referee.handlers.loaded_games import LoadedGames
from referee.handlers.request import Request
from referee.handlers.service_config import ServiceConfig
from referee.store.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class HandlerContext:
    """The context in which a handler works, within one transaction.

    unit: the transaction.
    service: the settings.
    request: what is asked, by whom, and when it counts.
    games: the games that the request concerns.
    outcome: the effects so far.
    composer: writes the letters.
    """

    unit: UnitOfWork
    service: ServiceConfig
    request: Request
    games: LoadedGames
    outcome: LetterOutcome
    composer: Composer

    def apply_events(self, game: Game, *events: Event) -> Game:
        """Apply events to a game and record them; return the game after them."""
        request, part = self.request, self.outcome.of(game.number)
        if not part.events:
            part.offer_before = game.offer
        for event in events:
            if isinstance(event, Ruled) and game.newcomers:
                part.newcomers = game.newcomers
            if isinstance(event, Ruled):
                part.sealed_by = event.seat if _is_sealed(game, event) else None
            if isinstance(event, Confided) and not (event.received or event.again):
                event = replace(event, received=request.received)  # noqa: PLW2901
            if game.timed:
                moves = any(map(_is_move, (*part.events, event)))
                event = dated(event, request.now, request.received if moves else request.heard)  # noqa: PLW2901
            game = game.after(event)
            part.events.append(event)
        self.games.by_number[game.number] = game
        return game

    def forget(self, number: int) -> None:
        """Read a game again as it is stored, discarding what was done in it, since that has failed."""
        self.games.forget(number)
        self.outcome.by_game.pop(number, None)
        self.composer.forget_standpoints()

    def change_player(self, **changes: str) -> None:
        """Change the writer's stored data."""
        self.unit.players.change(self.request.player.number, **changes)
        self.reload_player()

    def reload_player(self) -> None:
        """Read the writer's stored data again, after a change."""
        number = self.request.player.number
        self.composer.forget(number)
        self.request.player = self.composer.player(number)


def open_context(
    unit: UnitOfWork,
    service: ServiceConfig,
    request: Request,
    committed: Mapping[int, Game],
    draws: Draws,
    cause: str,
) -> HandlerContext:
    """Return a context without effects so far. committed: see LoadedGames. cause: see Composer."""
    clocks = GameClocks(unit, service.time, request.now)
    return HandlerContext(
        unit,
        service,
        request,
        LoadedGames(unit, service.rulebooks, committed, clocks, draws),
        LetterOutcome(),
        Composer(unit, service, request.now, draws, cause, clocks),
    )


def _is_move(event: Event) -> bool:
    return isinstance(event, Ruled) or (isinstance(event, Confided) and event.moved)


def _is_sealed(game: Game, ruled: Ruled) -> bool:
    """Return whether a turn's outcome is told with the next one; a set-up has none."""
    question = game.due.get(ruled.seat)
    return game.rulebook.sealed is not None and question is not None and question.kind != "set-up"
