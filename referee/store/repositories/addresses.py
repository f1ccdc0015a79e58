"""Players' further addresses, and what is stored about addresses whose player has left."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select

from referee.store.repositories.repository import Repository
from referee.store.repositories.tags import Tags
from referee.store.tables import ADDRESSES, PARTINGS
from referee.store.transaction import Transaction
from referee.store.values import AddressUse, FurtherAddress, Parting, address_key

_FURTHER = select(
    ADDRESSES.c.player, ADDRESSES.c.use, ADDRESSES.c.address, ADDRESSES.c.tag, ADDRESSES.c.created
).where(ADDRESSES.c.player == bindparam("who"))
_PARTING = select(
    PARTINGS.c.at, PARTINGS.c.letter, PARTINGS.c.played, PARTINGS.c.letters, PARTINGS.c.challenges
).where(PARTINGS.c.who == bindparam("who"))


class AddressQueries(Repository):
    """Queries about players' further addresses."""

    def get(self, player: int, use: AddressUse) -> FurtherAddress | None:
        """Return a player's further address of that use, None when there is none."""
        found = [each for each in self.of_player(player) if each.use == use]
        return found[0] if found else None

    def of_player(self, player: int) -> list[FurtherAddress]:
        """Return all addresses of a player except the main one, whatever their use."""
        return [FurtherAddress(*row) for row in self._connection.execute(_FURTHER, {"who": player})]


class Addresses(AddressQueries):
    """Players' further addresses."""

    def __init__(self, transaction: Transaction, tags: Tags) -> None:
        super().__init__(transaction)
        self._tags = tags

    def add(self, player: int, use: AddressUse, address: str, tag: str | None = None) -> None:
        """Store a further address of a player; it replaces one of the same use, whose tag expires.

        Raises Contested when a second address is another player's.
        """
        self.drop(player, use)
        self._connection.execute(
            insert(ADDRESSES).values(
                player=player,
                use=use,
                address=address,
                address_key=address_key(address),
                tag=tag,
                created=self._clock.now(),
            )
        )

    def drop(self, player: int, use: AddressUse) -> None:
        """Delete a further address; its tag expires too."""
        dropped = delete(ADDRESSES).where(ADDRESSES.c.player == player, ADDRESSES.c.use == use)
        tag = self._connection.execute(dropped.returning(ADDRESSES.c.tag)).scalar()
        if tag is not None:
            self._tags.revoke(tag)

    def erase(self, player: int) -> None:
        """Erase all further addresses of a player."""
        self._connection.execute(delete(ADDRESSES).where(ADDRESSES.c.player == player))


class PartingQueries(Repository):
    """Queries about addresses whose player has left."""

    def of_address(self, address: str) -> Parting | None:
        """Return what is stored about the last departed player of an address; None for none."""
        row = self._connection.execute(_PARTING, {"who": self.pseudonym(address)}).first()
        return None if row is None else Parting(*row)

    def pseudonym(self, address: str) -> str:
        """Return a pseudonym of an address: only this service can recognise it."""
        said = f"address {address_key(address)}".encode()
        return hmac.new(self._transaction.key, said, hashlib.sha256).hexdigest()


class Partings(PartingQueries):
    """What is stored about addresses whose player has left, each read once."""

    def __init__(self, transaction: Transaction) -> None:
        super().__init__(transaction)
        self._known: dict[str, Parting | None] = {}

    def of_address(self, address: str) -> Parting | None:
        """Return what is stored about the last departed player of an address, read once; None for none."""
        key = address_key(address)
        if key not in self._known:
            self._known[key] = super().of_address(address)
        return self._known[key]

    def replace(self, address: str, parting: Parting) -> None:
        """Store the departure from an address, in place of an earlier one."""
        who = self.pseudonym(address)
        self._connection.execute(delete(PARTINGS).where(PARTINGS.c.who == who))
        self._connection.execute(insert(PARTINGS).values(who=who, **asdict(parting)))
        self._known.clear()

    def erase_stale(self, before: datetime) -> None:
        """Erase departures from before a time."""
        self._connection.execute(delete(PARTINGS).where(PARTINGS.c.at < before))

    def forget_known(self) -> None:
        """Clear the departures read up to now."""
        self._known.clear()
