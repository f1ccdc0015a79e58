"""What everything that is done for players shares: the store, settings, clock, random draws, and games in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

import structlog

from referee.common.chance import Draws, SystemDraws
from referee.common.clock import Clock
from referee.common.errors import Contested, StoreUnreachable
from referee.games.game import Game
from referee.games.player import Player
from referee.handlers.composer import Composer
from referee.handlers.handler_context import HandlerContext, open_context
from referee.handlers.request import Request
from referee.handlers.service_config import ServiceConfig
from referee.reports.report import Note
from referee.store.database import Store
from referee.store.unit_of_work import UnitOfWork

log = structlog.get_logger()

GAMES_KEPT = 500
"""How many games are kept in memory as last committed, so that a move need not fold its game again.

Folding one takes a few milliseconds; keeping one takes up to a hundred or two hundred kilobytes.
"""


class Runtime:
    """What letters, jobs and the umpire's work share."""

    def __init__(
        self, store: Store, service: ServiceConfig, clock: Clock, draws: Draws | None = None
    ) -> None:
        self.store = store
        self.service = service
        self.clock = clock
        self.draws = draws or SystemDraws()
        self.games: OrderedDict[int, Game] = OrderedDict()
        """Games as last committed; see `remember`."""

    def work(
        self,
        unit: UnitOfWork,
        now: datetime,
        player: Player,
        cause: str,
        *,
        received: datetime | None = None,
        heard: datetime | None = None,
    ) -> HandlerContext:
        """Return a handlers' context for work that no letter asks for; see HandlerContext."""
        received = received or now
        request = Request(unit, now, player, received, heard or received)
        return open_context(unit, self.service, request, self.games, self.draws, cause)

    def remember(self, games: Mapping[int, Game]) -> None:
        """Keep games as committed; only after the commit."""
        for number, game in games.items():
            self.games[number] = game
            self.games.move_to_end(number)
        while len(self.games) > GAMES_KEPT:
            self.games.popitem(last=False)

    def tell_operator(self, note: Note) -> None:
        """Write to the operator, if the settings name one; at most once an hour about one kind of event."""
        if not self.service.operator:
            return
        with self.store.unit() as unit:
            now = self.clock.now()
            Composer(unit, self.service, now, self.draws, note.code).to_operator(note)

    @contextmanager
    def apart(
        self, failed: str, put_off: Callable[[UnitOfWork, str], object] | None = None, **which: object
    ) -> Iterator[None]:
        """Do one of several things without letting its failure prevent the others; the failure is logged.

        Raises StoreUnreachable.

        put_off: stores that it failed, so that it does not fail every minute; it gets the kind of the error.
        """
        try:
            yield
        except Contested:
            return  # another process does it
        except StoreUnreachable:
            raise
        except Exception as error:
            kind = type(error).__name__
            log.exception(failed, error=kind, exc_info=False, **which)
            if put_off is not None:
                with self.store.unit() as unit:
                    put_off(unit, kind)
