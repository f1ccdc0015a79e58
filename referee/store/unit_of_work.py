"""One transaction: everything that a letter caused, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime

from referee.store import letter_ordering
from referee.store.queries import Lookup
from referee.store.repositories.actions import BulkActions, PendingActions
from referee.store.repositories.addresses import Addresses, Partings
from referee.store.repositories.cases import Cases
from referee.store.repositories.clocks import Clocks, Leaves
from referee.store.repositories.deliveries import Deliveries
from referee.store.repositories.digests import Digests, Overviews
from referee.store.repositories.drafts import Drafts
from referee.store.repositories.events import Events
from referee.store.repositories.games import Games
from referee.store.repositories.held import Held
from referee.store.repositories.letters import Letters
from referee.store.repositories.limits import Limits
from referee.store.repositories.news import News
from referee.store.repositories.outbox import Outbox
from referee.store.repositories.players import Players
from referee.store.repositories.tags import Tags, Threads
from referee.store.repositories.tournaments import Tournaments
from referee.store.repositories.writings import Writings
from referee.store.transaction import Transaction


class UnitOfWork(Lookup):
    """A transaction that writes. It locks what it reads in order to change it."""

    def __init__(self, transaction: Transaction) -> None:
        super().__init__(transaction)
        self.tags: Tags = Tags(transaction)
        self.partings: Partings = Partings(transaction)
        self.players: Players = Players(transaction, self.tags)
        self.addresses: Addresses = Addresses(transaction, self.tags)
        self.letters: Letters = Letters(transaction, self.partings, self.players)
        self.held: Held = Held(transaction)
        self.digests: Digests = Digests(transaction)
        self.overviews: Overviews = Overviews(transaction)
        self.news: News = News(transaction)
        self.games: Games = Games(transaction, self.players, self.partings, self.tags)
        self.events: Events = Events(transaction)
        self.writings: Writings = Writings(transaction)
        self.cases: Cases = Cases(transaction, self.writings)
        self.clocks: Clocks = Clocks(transaction)
        self.leaves: Leaves = Leaves(transaction)
        self.drafts: Drafts = Drafts(transaction)
        self.tournaments: Tournaments = Tournaments(transaction)
        self.threads: Threads = Threads(transaction)
        self.outbox: Outbox = Outbox(transaction, self.players)
        self.deliveries: Deliveries = Deliveries(transaction)
        self.pending_actions: PendingActions = PendingActions(transaction, self.tags)
        self.bulk_actions: BulkActions = BulkActions(transaction)
        self.limits: Limits = Limits(transaction)

    def now(self) -> datetime:
        """Return what the store's clock says."""
        return self._transaction.clock.now()

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Do something that may fail on its own: its writes are then rolled back, and all others stay."""
        queued = len(self.outbox.queued)
        savepoint = self._transaction.connection.begin_nested()
        try:
            yield
        except BaseException:
            savepoint.rollback()
            del self.outbox.queued[queued:]
            self.players.forget_known()
            self.partings.forget_known()
            self.tags.forget_known()
            raise
        savepoint.commit()

    def reserve(self, what: str) -> None:
        """Declare what the letter in hand concerns; see Transaction.reserve."""
        self._transaction.reserve(what)

    def take_turn(self, games: Iterable[int] = ()) -> None:
        """Declare that everything is known that the letter in hand concerns, these games too.

        See Transaction.take_turn.
        """
        for game in games:
            self._transaction.reserve(letter_ordering.game(game))
        self._transaction.take_turn()
