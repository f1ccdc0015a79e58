"""Letters of one game are heard in the order in which they came in, however many processes hear them.

SQLite has one writer, and one process that settles letters: nothing is needed there. On PostgreSQL one process could
read a later letter faster than another reads an earlier one. So what a letter is about is found out one letter at a
time, behind a gate that all processes share: who holds it takes a letter, reserves what it is about, and lets the
next one in. To rule, to write reports and to commit then goes on side by side. A letter is about its game and about
its writer, so that one that has come twice is not heard twice: the same bytes have the same writer.

A letter that is about something reserved waits its turn: its transaction is given up, and it is looked at again soon.
Whoever gave it up also passes over all later letters about the same in this going-through of the waiting ones, since
what was reserved may be free by then. So no game waits for another.

All this ends with the transactions, however they end. A letter that makes the house fail, or whose process dies, may
be overtaken until it is tried again, as when there is one process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection

from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.exc import DBAPIError

from referee.errors import Contested, StoreUnreachable
from referee.store.locks import Lock, take
from referee.store.troubles import LOCK_TIMEOUT

_RESERVE = select(func.pg_try_advisory_xact_lock(bindparam("key")))


def enter_gate(connection: Connection) -> None:
    """Wait until no other process finds out what a letter is about; until the end of this transaction.

    Raises StoreUnreachable when that takes too long: then no letter can be heard, whatever it is about.
    """
    try:
        take(connection, Lock.GATE)
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", "") != LOCK_TIMEOUT:
            raise
        raise StoreUnreachable(
            "another process has stood still while it held the letters; `referee doctor` names it, and the database "
            "ends its transaction in a minute"
        ) from error


class PassedOver:
    """The letters that had to wait their turn, and what they are about."""

    def __init__(self) -> None:
        self.about: set[str] = set()
        """What is waited for in this going-through."""
        self._letters: dict[int, frozenset[str]] = {}

    def begin(self, first: int) -> None:
        """Begin to go through the letters that wait, from the first on."""
        self.about.clear()
        self._letters = {number: about for number, about in self._letters.items() if number >= first}

    def has(self, number: int) -> bool:
        """Tell whether a letter has to wait its turn in this going-through."""
        return bool(self._letters.get(number, frozenset()) & self.about)

    def add(self, number: int, about: Collection[str]) -> None:
        """Pass over a letter, and what it is about."""
        self._letters[number] = frozenset(about)
        self.about.update(about)

    def check(self, number: int) -> None:
        """Raise Contested when a letter has to wait, as it is known since it was last looked at: that costs nothing."""
        known = self._letters.get(number, frozenset())
        if known & self.about:
            self.about.update(known)
            raise Contested("an earlier letter about the same waits its turn; this one is behind it")


class Turn:
    """A letter's place among the others.

    about: what the letter is about, as far as it is known. passed_over: what earlier letters are about that could not
    be heard yet.
    """

    def __init__(
        self, connection: Connection, passed_over: Collection[str], open_gate: Callable[[], None]
    ) -> None:
        """connection: of the transaction that the letter belongs to. open_gate: lets the next letter in."""
        self._connection = connection
        self._passed_over = passed_over
        self._open_gate = open_gate
        self._free = True
        self._decided = False
        self.about: set[str] = set()

    def reserve(self, what: str) -> None:
        """Reserve what the letter is about until the end of its transaction.

        Before `take` it only notes whether that could be had, so that all that the letter is about is known when it
        is passed over; afterwards it raises Contested when it could not.
        """
        if what in self.about:
            return
        self.about.add(what)
        reserved = self._connection.execute(_RESERVE, {"key": _number_of(what)}).scalar_one()
        self._free = self._free and reserved and what not in self._passed_over
        if self._decided:
            self._check()

    @property
    def free(self) -> bool:
        """Whether all that the letter is about could be reserved so far."""
        return self._free

    def take(self) -> None:
        """Let the next letter in, since it is known what this one is about. Raises Contested when it has to wait."""
        self._check()
        if not self._decided:
            self._decided = True
            self._open_gate()

    def _check(self) -> None:
        if not self._free:
            raise Contested("an earlier letter about the same is being heard; this one waits its turn")


def _number_of(what: str) -> int:
    """Return a number for PostgreSQL's locks: 64 bits, so that no two things share one."""
    return int.from_bytes(hashlib.sha256(what.encode()).digest()[:8], "big", signed=True)
