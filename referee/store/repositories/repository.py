"""The base of all repositories."""

from __future__ import annotations

from referee.store.transaction import Transaction


class Repository:
    """The stored things of one kind, as one transaction sees them."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection
        self._clock = transaction.clock

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"
