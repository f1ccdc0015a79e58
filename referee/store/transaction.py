"""The shared state of one transaction's repositories."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Insert

from referee.common.clock import Clock
from referee.store.letter_ordering import Turn
from referee.store.values import CLOCK_SKEW_TOLERANCE


class Transaction:
    """A connection, the clock, the service's key, and the turn of the letter in hand."""

    def __init__(
        self,
        connection: Connection,
        key: bytes,
        clock: Clock,
        *,
        writes: bool = False,
        turn: Turn | None = None,
    ) -> None:
        """turn: of a letter that must not be processed before earlier ones; see letter_ordering."""
        self.connection = connection
        self.clock = clock
        self._key = key
        self._writes = writes
        self._turn = turn

    @property
    def key(self) -> bytes:
        """The service's key: 32 bytes, drawn once for this database."""
        if not self._key:
            raise RuntimeError("the store was not opened")
        return self._key

    @property
    def locks(self) -> bool:
        """Whether found rows are locked until the end of the transaction.

        A letter that has to wait its turn must not wait for those that it waits for, so it locks nothing.
        """
        return self._writes and (self._turn is None or self._turn.free)

    def present(self) -> datetime:
        """Return the latest instant that counts as now: a wrong clock wrote later ones."""
        return self.clock.now() + CLOCK_SKEW_TOLERANCE

    def reserve(self, what: str) -> None:
        """Declare what the letter in hand concerns; see letter_ordering.

        Raises Contested when its turn was taken already, and this is reserved for another letter.
        """
        if self._turn is not None:
            self._turn.reserve(what)

    def take_turn(self) -> None:
        """Declare that everything is known that the letter in hand concerns, so that others may be processed.

        Nothing slow should happen before. Raises Contested when the letter has to wait for an earlier one.
        """
        if self._turn is not None:
            self._turn.take()

    def insert(self, inserting: Insert, **values: Any) -> int:
        """Insert a row and return the number that the database gave it."""
        key: Any = self.connection.execute(inserting, values).inserted_primary_key
        return int(key[0])
