"""Erases expired data, with a clock that can be trusted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta

from referee.common.clock import Clock
from referee.store import clock_regularity, erasure
from referee.store.connections import Connections
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import CLOCK_SKEW_TOLERANCE


class Retention:
    """Erasure of expired data; each method is at least one transaction of its own."""

    def __init__(
        self, connections: Connections, clock: Clock, unit: Callable[[], AbstractContextManager[UnitOfWork]]
    ) -> None:
        """unit: opens a unit of work."""
        self._connections = connections
        self._clock = clock
        self._unit = unit
        self._erased_in = self._erased_out = 0

    def regular_for(self) -> timedelta:
        """Check the clock; return how long it has run regularly by now (see clock_regularity)."""
        with self._connections.transaction(writing=True) as connection:
            return clock_regularity.regular_for(connection, self._clock.now())

    def ask_again(self, proved: timedelta, within: timedelta) -> None:
        """Let players be asked again what a wrong clock has asked them (see clock_regularity)."""
        with self._connections.transaction(writing=True) as connection:
            clock_regularity.ask_again(connection, self._clock.now(), proved, within)

    def erase_left(self) -> None:
        """Erase the remains of departed players, as far as it is possible by now."""
        more = True
        while more:
            with self._connections.transaction(writing=True) as connection:
                more = erasure.erase_left(connection)

    def forget_addresses(self, before: datetime) -> None:
        """Forget addresses requested before a time and not confirmed, or given up before it."""
        with self._connections.transaction() as connection:
            lapsed = erasure.lapsed_addresses(connection, before, self._clock.now() + CLOCK_SKEW_TOLERANCE)
        for player, use, address in lapsed:
            with self._unit() as unit:
                unit.addresses.drop(player, use)
                if use == "former":
                    unit.letters.unlink_from(address, player)

    def erase_stale(self, counted: datetime, partings: datetime) -> None:
        """Erase counts that began before the first time, and departures from before the second."""
        with self._unit() as unit:
            unit.limits.erase_stale(counted)
            unit.partings.erase_stale(partings)
            unit.pending_actions.erase_stale(counted)

    def erase_letters(self, before: datetime) -> None:
        """Erase the bytes of older letters that are no longer needed.

        Each run erases up to a thousand in either direction, and the next one continues.
        """
        with self._connections.transaction(writing=True) as connection:
            self._erased_in = erasure.erase_letters_in(connection, self._erased_in, before)
            self._erased_out = erasure.erase_letters_out(connection, self._erased_out, before)
