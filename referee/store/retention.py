"""What is kept no longer, for a clock that can be trusted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta

from referee.common.clock import Clock
from referee.store import clock_regularity, erasure
from referee.store.connections import Connections
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import CLOCKS_APART


class Retention:
    """What is erased in its time; each method is at least one transaction of its own."""

    def __init__(
        self, connections: Connections, clock: Clock, unit: Callable[[], AbstractContextManager[UnitOfWork]]
    ) -> None:
        """unit: opens a unit of work."""
        self._connections = connections
        self._clock = clock
        self._unit = unit
        self._erased_in = self._erased_out = 0

    def regular_for(self) -> timedelta:
        """Look at the clock; return how long it has gone regularly by now (see clock_regularity)."""
        with self._connections.transaction(writing=True) as connection:
            return clock_regularity.regular_for(connection, self._clock.now())

    def ask_again(self, proved: timedelta, within: timedelta) -> None:
        """Let players be asked once more what a clock that was wrong has asked them (see clock_regularity)."""
        with self._connections.transaction(writing=True) as connection:
            clock_regularity.ask_again(connection, self._clock.now(), proved, within)

    def erase_left(self) -> None:
        """Erase what is left of players who have left, as far as it can go by now."""
        more = True
        while more:
            with self._connections.transaction(writing=True) as connection:
                more = erasure.erase_left(connection)

    def forget_addresses(self, before: datetime) -> None:
        """Forget addresses that were asked for before that time and not confirmed, or given up before."""
        with self._connections.transaction() as connection:
            lapsed = erasure.lapsed_addresses(connection, before, self._clock.now() + CLOCKS_APART)
        for player, use, address in lapsed:
            with self._unit() as unit:
                unit.addresses.drop(player, use)
                if use == "former":
                    unit.letters.unlink_from(address, player)

    def erase_stale(self, counted: datetime, partings: datetime) -> None:
        """Erase counts that began before the first time, and what is kept of players who left before the second."""
        with self._unit() as unit:
            unit.limits.erase_stale(counted)
            unit.partings.erase_stale(partings)
            unit.pending_actions.erase_stale(counted)

    def erase_letters(self, before: datetime) -> None:
        """Erase the bytes of letters that are older and no longer needed: up to a thousand of either direction, and
        the next time those that follow."""
        with self._connections.transaction(writing=True) as connection:
            self._erased_in = erasure.erase_letters_in(connection, self._erased_in, before)
            self._erased_out = erasure.erase_letters_out(connection, self._erased_out, before)
