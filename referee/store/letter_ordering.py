"""Letters of one game are processed in order of arrival, however many processes there are.

A letter concerns its game and its writer. So none overtakes an earlier one of its game, and one that has come
twice is not processed twice, since the same bytes have the same writer.

On PostgreSQL one process could read a later letter faster than another reads an earlier one. So what a letter
concerns is determined one letter at a time, behind a gate that all processes share. The process in the gate
takes a letter, reserves what it concerns, and opens the gate. Adjudication, reports and commits then run in
parallel. On SQLite, one process handles all letters, and nothing needs to be reserved.

A letter that concerns something reserved waits its turn: its transaction is rolled back, and it is soon tried
again. In the same pass the process also skips all later letters about the same, since the reservation may be
gone by then. So no game waits for another.

All this ends with the transactions, however they end. A letter that makes the service fail, or whose process
crashes, is not overtaken. It is put off until the next try, and later letters about the same wait for it. Its
header shows what it concerns, without the full reading that may crash the service; see
`game_resolver.seems_about`. Another process may have a letter in hand and then give it up or crash. The
letter still comes first: before a later one is processed, a check shows whether the letters in hand elsewhere
still are.
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
    # A letter being processed is locked FOR UPDATE; this finds those that are not.
    select(LETTERS.c.number)
    .where(LETTERS.c.number.in_(bindparam("numbers", expanding=True)), LETTERS.c.outcome.is_(None))
    .limit(1)
    .with_for_update(read=True, key_share=True, skip_locked=True)
)


def game(number: int) -> str:
    """Return what a letter about a game concerns."""
    return f"game {number}"


def writer(address: str) -> str:
    """Return what a letter from an address concerns."""
    return f"writer {address.lower()}"


def enter_gate(connection: Connection) -> None:
    """Wait until no other process determines what a letter concerns; until the end of this transaction.

    Raises StoreUnreachable when that takes too long: then no letter can be processed, whatever it concerns.
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
    """The letters that have to wait, what they concern, and so which later ones wait for them."""

    def __init__(self) -> None:
        self.contested = False
        """Whether another process had something in hand in this pass: it will soon be done."""
        self._first: dict[str, int] = {}
        """For everything that is waited for, the earliest letter about it."""
        self._about: dict[int, frozenset[str]] = {}
        """What waiting letters concerned, when they were last tried."""
        self._waiting: set[int] = set()
        self._elsewhere: set[int] = set()

    @property
    def any_waits(self) -> bool:
        """Whether any letter is put off, or has to wait, in this pass."""
        return bool(self._first)

    def begin(self, first: int, put_off: Mapping[int, Collection[str]]) -> None:
        """Begin a pass through the waiting letters, from the first on.

        put_off: the letters that are processed later, and what each of them concerns.
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
        """Record that a letter has to wait its turn, and all later ones about the same with it."""
        self._about[number] = frozenset(about)
        self._waiting.add(number)
        self.add(number, about)

    def in_hand_elsewhere(self, number: int) -> None:
        """Record that another process has a letter in hand, or has decided it."""
        self._elsewhere.add(number)

    def has(self, number: int) -> bool:
        """Return whether a letter has to wait its turn in this pass."""
        return number in self._waiting

    def stands_before(self, number: int, what: str) -> bool:
        """Return whether an earlier letter about this has to wait, so that this one has to, too."""
        return self._first.get(what, number) < number

    def check(self, number: int) -> None:
        """Raise Contested when a letter has to wait by what is known from its last try; this costs nothing."""
        known = self._about.get(number, frozenset())
        if any(self.stands_before(number, what) for what in known):
            self.let_wait(number, known)
            raise Contested("an earlier letter about the same waits its turn; this one is behind it")

    def given_up(self, connection: Connection, number: int) -> bool:
        """Return whether an undecided earlier letter, formerly in hand elsewhere, is no longer being processed."""
        earlier = [each for each in self._elsewhere if each < number]
        if not earlier:
            return False
        return connection.execute(_GIVEN_UP, {"numbers": earlier}).first() is not None


class Turn:
    """A letter's place among the others. about: what the letter concerns, as far as it is known."""

    def __init__(
        self, connection: Connection, number: int, passed_over: PassedOver, open_gate: Callable[[], None]
    ) -> None:
        """Take part in the ordering of letters.

        connection: of the letter's transaction.
        open_gate: lets the next letter in.
        """
        self._connection = connection
        self._number = number
        self._passed_over = passed_over
        self._open_gate = open_gate
        self._is_shared = connection.dialect.name == "postgresql"
        self._free = True
        self._decided = False
        self.about: set[str] = set()

    def reserve(self, what: str) -> None:
        """Reserve what the letter concerns until the end of its transaction.

        Before `take` it only notes a failure, so that everything the letter concerns is known when it is
        skipped. Afterwards it raises Contested.
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
        """Whether everything the letter concerns could be reserved up to now."""
        return self._free

    def take(self) -> None:
        """Let the next letter in, since it is known what this one concerns. Raises Contested when it has to wait."""
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
