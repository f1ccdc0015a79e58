"""Letters of one game are heard in the order in which they came in, however many processes hear them.

A letter is about its game and about its writer: so that none overtakes an earlier one of its game, and one that has
come twice is not heard twice, since the same bytes have the same writer.

On PostgreSQL one process could read a later letter faster than another reads an earlier one. So what a letter is about
is found out one letter at a time, behind a gate that all processes share: who holds it takes a letter, reserves what it
is about, and lets the next one in. To rule, to write reports and to commit then goes on side by side. SQLite has one
process that settles letters: nothing needs to be reserved there.

A letter that is about something reserved waits its turn: its transaction is given up, and it is looked at again soon.
Whoever gave it up also passes over all later letters about the same in this going-through of the waiting ones, since
what was reserved may be free by then. So no game waits for another.

All this ends with the transactions, however they end. A letter that makes the house fail, or whose process dies, is
not overtaken by that: until it is tried again it is put off, and later letters about the same wait for it. What it is
about its header tells, without the reading by which the service may end; see `game_resolver.seems_about`. When a
process finds that another has a letter in hand, and that one gives it up or dies, the letter comes first all the same:
before a later one is heard, it is asked whether those that were in hand elsewhere still are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping

from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.exc import DBAPIError

from referee.common.errors import Contested, StoreUnreachable
from referee.store.database_errors import LOCK_TIMEOUT
from referee.store.locks import Lock, take
from referee.store.tables import LETTERS

_RESERVE = select(func.pg_try_advisory_xact_lock(bindparam("key")))
_GIVEN_UP = (
    # Whoever hears a letter has it locked FOR UPDATE; this finds those that nobody hears.
    select(LETTERS.c.number)
    .where(LETTERS.c.number.in_(bindparam("numbers", expanding=True)), LETTERS.c.outcome.is_(None))
    .limit(1)
    .with_for_update(read=True, key_share=True, skip_locked=True)
)


def game(number: int) -> str:
    """Return what a letter about a game is about."""
    return f"game {number}"


def writer(address: str) -> str:
    """Return what a letter from an address is about."""
    return f"writer {address.lower()}"


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
    """The letters that have to wait, what they are about, and so which later ones wait for them."""

    def __init__(self) -> None:
        self.contested = False
        """Whether another process had something in hand in this going-through: it will soon be done."""
        self._first: dict[str, int] = {}
        """For all that is waited for, the earliest letter about it."""
        self._about: dict[int, frozenset[str]] = {}
        """What letters were about that had to wait, when they were last looked at."""
        self._waiting: set[int] = set()
        self._elsewhere: set[int] = set()

    @property
    def any_waits(self) -> bool:
        """Whether any letter is put off, or has to wait, in this going-through."""
        return bool(self._first)

    def begin(self, first: int, put_off: Mapping[int, Collection[str]]) -> None:
        """Begin to go through the letters that wait, from the first on.

        put_off: the letters that are heard later, and what each of them is about.
        """
        self.contested = False
        self._first.clear()
        self._waiting.clear()
        self._elsewhere.clear()
        self._about = {number: about for number, about in self._about.items() if number >= first}
        for number, about in put_off.items():
            self.add(number, about)

    def add(self, number: int, about: Collection[str]) -> None:
        """Let later letters about the same wait for a letter."""
        for what in about:
            self._first[what] = min(number, self._first.get(what, number))

    def let_wait(self, number: int, about: Collection[str]) -> None:
        """Keep that a letter has to wait its turn, and all later ones about the same with it."""
        self._about[number] = frozenset(about)
        self._waiting.add(number)
        self.add(number, about)

    def in_hand_elsewhere(self, number: int) -> None:
        """Keep that another process has a letter in hand, or has decided it."""
        self._elsewhere.add(number)

    def has(self, number: int) -> bool:
        """Return whether a letter has to wait its turn in this going-through."""
        return number in self._waiting

    def stands_before(self, number: int, what: str) -> bool:
        """Return whether an earlier letter about this has to wait, so that this one has to, too."""
        return self._first.get(what, number) < number

    def check(self, number: int) -> None:
        """Raise Contested when a letter has to wait, as it is known since it was last looked at: that costs nothing."""
        known = self._about.get(number, frozenset())
        if any(self.stands_before(number, what) for what in known):
            self.let_wait(number, known)
            raise Contested("an earlier letter about the same waits its turn; this one is behind it")

    def given_up(self, connection: Connection, number: int) -> bool:
        """Return whether nobody hears an earlier letter any more that was in hand elsewhere, and is not decided."""
        earlier = [each for each in self._elsewhere if each < number]
        if not earlier:
            return False
        return connection.execute(_GIVEN_UP, {"numbers": earlier}).first() is not None


class Turn:
    """A letter's place among the others.

    about: what the letter is about, as far as it is known.
    """

    def __init__(
        self, connection: Connection, number: int, passed_over: PassedOver, open_gate: Callable[[], None]
    ) -> None:
        """connection: of the transaction that the letter belongs to. open_gate: lets the next letter in."""
        self._connection = connection
        self._number = number
        self._passed_over = passed_over
        self._open_gate = open_gate
        self._is_shared = connection.dialect.name == "postgresql"
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
        if self._passed_over.stands_before(self._number, what):
            self._free = False
        elif (
            self._is_shared and not self._connection.execute(_RESERVE, {"key": _number_of(what)}).scalar_one()
        ):
            self._free = False
            self._passed_over.contested = True
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
            if self._passed_over.given_up(self._connection, self._number):
                self._free = False
                self._passed_over.contested = True
                self._check()
            self._decided = True
            self._open_gate()

    def _check(self) -> None:
        if not self._free:
            raise Contested("an earlier letter about the same is being heard; this one waits its turn")


def _number_of(what: str) -> int:
    """Return a number for PostgreSQL's locks: 64 bits, so that no two things share one."""
    return int.from_bytes(hashlib.sha256(what.encode()).digest()[:8], "big", signed=True)
