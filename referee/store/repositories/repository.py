"""What all repositories have in common."""

from __future__ import annotations

from referee.store.transaction import Transaction


class Repository:
    """What is kept of one kind of thing, as one transaction sees it."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection
        self._clock = transaction.clock

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"
