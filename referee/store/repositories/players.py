"""Players: who they are and how their letters are to look."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Select,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    literal_column,
    or_,
    select,
    update,
)

from referee.games.player import Player
from referee.games.player_names import folded, skeleton
from referee.store import erasure
from referee.store.repositories.repository import Repository
from referee.store.repositories.tags import Tags
from referee.store.tables import ADDRESSES, GAMES, PERSONS, PLAYERS, SEATS, TAGS
from referee.store.transaction import Transaction
from referee.store.values import address_key

_KEYS_AT_A_TIME = 500
"""Names per query."""
_PLAYERS = select(
    PLAYERS.c.number,
    PERSONS.c.name,
    PERSONS.c.address,
    PLAYERS.c.language,
    PLAYERS.c.zone,
    PLAYERS.c.form,
    PLAYERS.c.sheets,
    PLAYERS.c.picture,
    PLAYERS.c.compass,
    PLAYERS.c.letters,
    func.coalesce(PERSONS.c.returns, 0),
    PERSONS.c.unreachable.is_not(None),
    PLAYERS.c.calendar,
    PLAYERS.c.overview,
    PLAYERS.c.hold,
).outerjoin_from(PLAYERS, PERSONS, PLAYERS.c.number == PERSONS.c.player)
_PLAYER = _PLAYERS.where(PLAYERS.c.number == bindparam("which"))
_SECOND = ADDRESSES.c.use == literal_column("'second'")
_PLAYER_AT = _PLAYERS.where(
    # One after the other, each by its index; the second is searched only where the first finds nobody.
    PLAYERS.c.number
    == func.coalesce(
        select(PERSONS.c.player).where(PERSONS.c.address_key == bindparam("which")).scalar_subquery(),
        select(ADDRESSES.c.player)
        .where(ADDRESSES.c.address_key == bindparam("which"), _SECOND)
        .scalar_subquery(),
    )
)
_WHO_LEFT = (
    select(ADDRESSES.c.player)
    .where(
        ADDRESSES.c.address_key == bindparam("which"),
        ADDRESSES.c.use == literal_column("'former'"),
        ADDRESSES.c.created.between(bindparam("since"), bindparam("until")),
    )
    .order_by(ADDRESSES.c.created)
    .limit(1)
)
_PLAYERS_NAMED = _PLAYERS.where(PERSONS.c.name_key == bindparam("which")).order_by(PLAYERS.c.number)
_PERSONAL: Mapping[str, Mapping[str, Callable[[str], str]]] = {
    "name": {"name_key": skeleton, "name_folded": folded},
    "address": {"address_key": address_key},
}
"""The columns of the erasable row, with the columns derived from them for searches."""


class PlayerQueries(Repository):
    """Queries about players."""

    def find(self, number: int) -> Player:
        """Return a player; a departed one has neither name nor address. Raises LookupError for none."""
        players = self._read(_PLAYER, number)
        if not players:
            raise LookupError(f"there is no player {number}")
        return players[0]

    def by_address(self, address: str) -> Player | None:
        """Return the player of a mail address, main or second, in any case."""
        players = self._read(_PLAYER_AT, address_key(address))
        return players[0] if players else None

    def formerly_at(self, address: str, since: datetime) -> Player | None:
        """Return the player whose main address this was until they took another one since then."""
        asked = {"which": address_key(address), "since": since, "until": self._transaction.present()}
        player = self._connection.execute(_WHO_LEFT, asked).scalar()
        return None if player is None else self.find(player)

    def named(self, name: str) -> list[Player]:
        """Return the players of a name, however it is written.

        Look-alikes are the same name; an empty one belongs to nobody.
        """
        alike = skeleton(name)
        return self._read(_PLAYERS_NAMED, alike) if alike else []

    def mentioned(
        self, games: Collection[int], names: Collection[str], addresses: Collection[str]
    ) -> set[int]:
        """Return the players involved in some games, or with one of these names or addresses."""
        found: set[int] = set()
        if games:
            numbers = sorted(games)
            seated = select(SEATS.c.player).where(SEATS.c.game.in_(numbers))
            proposed = select(GAMES.c.proposed_by, GAMES.c.proposed_to).where(GAMES.c.number.in_(numbers))
            found.update(self._connection.execute(seated).scalars())
            found.update(who for row in self._connection.execute(proposed) for who in row if who is not None)
        keys = sorted({each for each in map(skeleton, names) if each})
        for first in range(0, len(keys), _KEYS_AT_A_TIME):
            some = keys[first : first + _KEYS_AT_A_TIME]
            called = select(PERSONS.c.player).where(PERSONS.c.name_key.in_(some))
            found.update(self._connection.execute(called).scalars())
        if addresses:
            written = sorted(map(address_key, addresses))
            for table in (PERSONS, ADDRESSES):
                there = select(table.c.player).where(table.c.address_key.in_(written))
                found.update(self._connection.execute(there).scalars())
        return found

    def names(self) -> list[str]:
        """Return the names of all players who gave one."""
        asked = select(PERSONS.c.name).where(PERSONS.c.name != "").order_by(PERSONS.c.name_key)
        return list(self._connection.execute(asked).scalars())

    def reached(self, players: Collection[int]) -> dict[int, tuple[str, bool]]:
        """Return players' names, and whether letters reach them."""
        asked = select(PERSONS.c.player, PERSONS.c.name, PERSONS.c.unreachable.is_(None))
        rows = self._connection.execute(asked.where(PERSONS.c.player.in_(sorted(players)))) if players else ()
        return {player: (name, arrives) for player, name, arrives in rows}

    def _read(self, asked: Select[Any], which: int | str) -> list[Player]:
        return [
            Player(number, name or "", address or "", *ways)
            for number, name, address, *ways in self._connection.execute(asked, {"which": which})
        ]


class Players(PlayerQueries):
    """The players. A player that was read is cached until something of theirs changes."""

    def __init__(self, transaction: Transaction, tags: Tags) -> None:
        super().__init__(transaction)
        self._tags = tags
        self._known: dict[int, Player] = {}

    def find(self, number: int) -> Player:
        """Return a player, cached until something of theirs changes."""
        if number not in self._known:
            self._known[number] = super().find(number)
        return self._known[number]

    def by_address(self, address: str) -> Player | None:
        """Return the player of a mail address, and cache them for `find`."""
        found = super().by_address(address)
        if found is not None:
            self._known[found.number] = found
        return found

    def add(self, name: str, address: str, language: str) -> Player:
        """Register a person.

        name: "" until they give one.
        address: "" for a placeholder with only a place in a game.
        Raises Contested when the address is registered.
        """
        number = self._transaction.insert(
            insert(PLAYERS),
            language=language,
            zone="UTC",
            form="html",
            sheets="grid",
            picture="on",
            compass="record",
            letters="each",
            joined=self._clock.now(),
        )
        if address:
            self._connection.execute(
                insert(PERSONS).values(
                    player=number,
                    name=name,
                    name_key=skeleton(name),
                    name_folded=folded(name),
                    address=address,
                    address_key=address_key(address),
                    returns=0,
                )
            )
        return Player(number=number, name=name, address=address, language=language)

    def change(self, number: int, **changes: str) -> None:
        """Change a player's name, address, language, or one of their choices (see `Player`).

        A person who reads the player's letters at the old address must no longer confirm anything. So with
        another address, the tags of questions that went to the old one expire.
        """
        self._known.pop(number, None)
        if "address" in changes:
            self._tags.revoke_where(TAGS.c.player == number, TAGS.c.purpose.in_(("hold", "bye", "deed")))
        person: dict[str, Any] = {key: value for key, value in changes.items() if key in _PERSONAL}
        for what, keys in _PERSONAL.items():
            if what in person:
                person |= {column: key_of(person[what]) for column, key_of in keys.items()}
        ways = {key: value for key, value in changes.items() if key not in _PERSONAL}
        if person:
            self._connection.execute(update(PERSONS).where(PERSONS.c.player == number).values(person))
        if ways:
            self._connection.execute(update(PLAYERS).where(PLAYERS.c.number == number).values(ways))

    def count_return(self, player: int) -> datetime:
        """Count a bounced letter to a player; return when the first since their last letter became known.

        That is this one where it is the first, or where a clock that was ahead dated the first.
        """
        self._known.pop(player, None)
        now = self._clock.now()
        since = PERSONS.c.returns_since
        first = case((or_(since.is_(None), since > now), literal(now, since.type)), else_=since)
        known: datetime | None = self._connection.execute(
            update(PERSONS)
            .where(PERSONS.c.player == player)
            .values(returns=PERSONS.c.returns + 1, returns_since=first)
            .returning(since)
        ).scalar()
        return known or now

    def mark_unreachable(self, player: int) -> None:
        """Record that letters do not reach a player."""
        self._known.pop(player, None)
        self._connection.execute(
            update(PERSONS).where(PERSONS.c.player == player).values(unreachable=self._clock.now())
        )

    def mark_reachable(self, player: int) -> None:
        """Record that a player has written: earlier bounces no longer count."""
        self._known.pop(player, None)
        self._connection.execute(
            update(PERSONS)
            .where(PERSONS.c.player == player)
            .values(returns=0, returns_since=None, unreachable=None)
        )

    def erase(self, number: int) -> None:
        """Erase name and main address of a player; their number stays."""
        self._known.pop(number, None)
        self._connection.execute(delete(PERSONS).where(PERSONS.c.player == number))

    def begin_erasure(self, number: int) -> None:
        """Record that something of a player is left to erase; see `erasure`."""
        erasure.begin(self._connection, number)

    def forget_known(self) -> None:
        """Clear the cached players."""
        self._known.clear()
