"""Our advisory locks in PostgreSQL; on SQLite, which has one writer, nothing is locked."""

from __future__ import annotations

from enum import IntEnum, unique

from sqlalchemy import Connection, bindparam, func, select

_TAKE = select(func.pg_advisory_xact_lock(bindparam("lock")))


@unique
class Lock(IntEnum):
    """What only one process at a time may do. Letters' reservations use numbers far from these (letter_ordering)."""

    CLAIMING = 7_203_114
    """Claiming letters for sending, so that two processes do not both take the next letter to a reader."""
    MIGRATING = 7_203_115
    """Migrating, so that two processes do not both create the tables."""
    GATE = 7_203_116
    """Determining what a letter concerns; see letter_ordering."""


def take(connection: Connection, lock: Lock) -> None:
    """Wait for a lock, and hold it until the end of the transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(_TAKE, {"lock": int(lock)})
