"""What may be read from the store within one transaction, without a change."""

from __future__ import annotations

from referee.store.repositories.addresses import AddressQueries, PartingQueries
from referee.store.repositories.cases import CaseQueries
from referee.store.repositories.clocks import ClockQueries, LeaveQueries
from referee.store.repositories.comments import CommentQueries
from referee.store.repositories.deliveries import DeliveryQueries
from referee.store.repositories.digests import DigestQueries, OverviewQueries
from referee.store.repositories.drafts import DraftQueries
from referee.store.repositories.events import EventQueries
from referee.store.repositories.games import GameQueries
from referee.store.repositories.held import HeldQueries
from referee.store.repositories.letters import LetterQueries
from referee.store.repositories.news import NewsQueries
from referee.store.repositories.outbox import OutboxQueries
from referee.store.repositories.players import PlayerQueries
from referee.store.repositories.tags import TagQueries, ThreadQueries
from referee.store.repositories.tournaments import TournamentQueries
from referee.store.repositories.writings import WritingQueries
from referee.store.transaction import Transaction


class Lookup:
    """Queries of the store, by subject. The transaction decides whether they lock what they find."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self.tags = TagQueries(transaction)
        self.partings = PartingQueries(transaction)
        self.players = PlayerQueries(transaction)
        self.addresses = AddressQueries(transaction)
        self.letters = LetterQueries(transaction, self.partings)
        self.held = HeldQueries(transaction)
        self.digests = DigestQueries(transaction)
        self.overviews = OverviewQueries(transaction)
        self.news = NewsQueries(transaction)
        self.games = GameQueries(transaction, self.players, self.partings)
        self.events = EventQueries(transaction)
        self.writings = WritingQueries(transaction)
        self.cases = CaseQueries(transaction, self.writings)
        self.comments = CommentQueries(transaction, self.events, self.cases)
        self.clocks = ClockQueries(transaction)
        self.leaves = LeaveQueries(transaction)
        self.drafts = DraftQueries(transaction)
        self.tournaments = TournamentQueries(transaction)
        self.threads = ThreadQueries(transaction)
        self.outbox = OutboxQueries(transaction, self.players)
        self.deliveries = DeliveryQueries(transaction)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def service_key(self) -> bytes:
        """Return the service's key: 32 bytes, drawn once for this database."""
        return self._transaction.key
