"""The service's stored past, for rebuilding its letters; see archive.rebuild.

It may be larger than the memory. So everything is listed without its long parts (the bytes of letters, the
bodies of events, texts), and each of these is read on demand.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, literal_column, select, update

from referee.games.tournaments.officers import Office
from referee.mail.message.message import RawLetter
from referee.store.connections import Connections
from referee.store.tables import (
    EVENTS,
    GAMES,
    HOUSE,
    LETTER_CONTENTS,
    LETTERS,
    OFFICERS,
    OUTAGES,
    OUTGOING,
    OUTGOING_CONTENTS,
    PERSONS,
    TAGS,
    TERMS,
    WRITINGS,
)

_TOGETHER = 100
"""Rows in memory at once where each is long."""


@dataclass(frozen=True, slots=True)
class CameIn:
    """A recorded letter.

    erased: its bytes are no longer here.
    whole: all of its bytes are here.
    read: it was read at least far enough to know the sender.
    again, held_for: see tables.
    reason: why it has its outcome.
    """

    number: int
    recorded: datetime
    outcome: str | None
    erased: bool
    whole: bool
    read: bool
    again: int | None
    held_for: int | None
    game: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class WentOut:
    """An outgoing letter. accepted: when, and the mail host's answer. erased: its bytes are no longer here."""

    id: int
    message_id: str
    recipient: str
    kind: str
    game: int | None
    player: int | None
    answers: int | None
    created: datetime
    accepted: tuple[datetime, str] | None
    erased: bool


@dataclass(frozen=True, slots=True)
class KeptEvent:
    """An event of a game, without its body. letter: its cause, None for the service or the umpire."""

    game: int
    number: int
    kind: str
    at: datetime
    letter: int | None


@dataclass(frozen=True, slots=True)
class Held:
    """An office in a tournament and its holder, present or past. until: None for a present one."""

    event: int
    office: Office
    player: int
    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Kept:
    """Everything stored, each part in order.

    secrets: of games, in the order in which they were drawn.
    titles: of games, by number.
    persons: name and address of players who have not left.
    terms: tournament, date, plain data, reason.
    """

    letters: tuple[CameIn, ...]
    outgoing: tuple[WentOut, ...]
    events: tuple[KeptEvent, ...]
    secrets: tuple[bytes, ...] = field(repr=False)
    tags: tuple[str, ...] = field(repr=False)
    titles: dict[int, str]
    persons: dict[int, tuple[str, str]] = field(repr=False)
    terms: tuple[tuple[int, datetime, dict[str, Any], str], ...]
    officers: tuple[Held, ...]
    outages: tuple[tuple[datetime, datetime], ...]
    looked: bool


def read_kept(connection: Connection) -> Kept:
    """Return all of it, as of one instant."""

    def rows(*columns: Any, order: Any) -> Any:
        return connection.execute(select(*columns).order_by(order)).all()

    looked = connection.execute(select(HOUSE.c.value).where(HOUSE.c.name == "mailbox looked into")).first()
    return Kept(
        letters=_came_in(connection),
        outgoing=_went_out(connection),
        events=tuple(
            KeptEvent(*row)
            for row in connection.execute(
                select(EVENTS.c.game, EVENTS.c.number, EVENTS.c.kind, EVENTS.c.at, EVENTS.c.letter).order_by(
                    EVENTS.c.at, EVENTS.c.game, EVENTS.c.number
                )
            )
        ),
        secrets=_secrets(connection),
        tags=tuple(
            connection.execute(select(TAGS.c.tag).order_by(TAGS.c.created, *_as_put(connection))).scalars()
        ),
        titles={row.number: row.title for row in rows(GAMES.c.number, GAMES.c.title, order=GAMES.c.number)},
        persons={row.player: (row.name, row.address) for row in connection.execute(select(PERSONS))},
        terms=tuple(
            (row.competition, row.at, json.loads(row.body), row.reason)
            for row in connection.execute(select(TERMS).order_by(TERMS.c.at, TERMS.c.competition))
        ),
        officers=tuple(
            Held(row.competition, row.office, row.player, row.since, row.until)
            for row in connection.execute(select(OFFICERS).order_by(OFFICERS.c.number))
        ),
        outages=tuple(
            (row.began, row.ended) for row in rows(OUTAGES.c.began, OUTAGES.c.ended, order=OUTAGES.c.began)
        ),
        looked=looked is not None,
    )


def _came_in(connection: Connection) -> tuple[CameIn, ...]:
    length = func.length(LETTER_CONTENTS.c.content).label("length")
    asked = (
        select(LETTERS, length)
        .join_from(LETTERS, LETTER_CONTENTS, LETTER_CONTENTS.c.letter == LETTERS.c.number, isouter=True)
        .order_by(LETTERS.c.number)
    )
    return tuple(
        CameIn(
            row.number,
            row.recorded,
            row.outcome,
            # A letter that was never available has no digest, and can be recorded like that again.
            erased=row.length is None and row.digest != "",
            whole=row.length is not None and row.length >= row.size,
            read=bool(row.sender) or row.held_for is not None,
            again=row.again,
            held_for=row.held_for,
            game=row.game,
            reason=row.reason,
        )
        for row in connection.execute(asked)
    )


def _went_out(connection: Connection) -> tuple[WentOut, ...]:
    asked = (
        select(OUTGOING, OUTGOING_CONTENTS.c.id.label("here"))
        .join_from(OUTGOING, OUTGOING_CONTENTS, OUTGOING_CONTENTS.c.id == OUTGOING.c.id, isouter=True)
        .order_by(OUTGOING.c.id)
    )
    return tuple(
        WentOut(
            row.id,
            row.message_id,
            row.recipient,
            row.kind,
            row.game,
            row.player,
            row.answers,
            row.created,
            (row.sent, row.answer) if row.sent is not None else None,
            erased=row.here is None,
        )
        for row in connection.execute(asked)
    )


def _secrets(connection: Connection) -> tuple[bytes, ...]:
    """Return the secrets of games in the order in which they were drawn."""
    asked = select(EVENTS.c.body).where(EVENTS.c.kind == "Opened")
    bodies = connection.execution_options(yield_per=_TOGETHER).execute(
        asked.order_by(EVENTS.c.at, EVENTS.c.game, EVENTS.c.number)
    )
    return tuple(bytes.fromhex(json.loads(body)["secret"]) for body in bodies.scalars())


def _as_put(connection: Connection) -> list[Any]:
    """Return the columns that order rows of the same instant by insertion, where a database has them.

    PostgreSQL has them only for rows not changed since; but its clock advances from row to row.
    """
    name = {"sqlite": "rowid", "postgresql": "ctid"}[connection.dialect.name]
    return [literal_column(f"tag.{name}")]


def raw_letter(connection: Connection, number: int) -> RawLetter:
    """Return a letter as it was in the mailbox. Its content is None where it was never available."""
    asked = (
        select(LETTERS, LETTER_CONTENTS.c.content)
        .join_from(LETTERS, LETTER_CONTENTS, LETTER_CONTENTS.c.letter == LETTERS.c.number, isouter=True)
        .where(LETTERS.c.number == number)
    )
    row = connection.execute(asked).one()
    return RawLetter(
        mailbox=row.mailbox,
        uidvalidity=row.uidvalidity,
        uid=row.uid,
        received=row.received,
        size=row.size,
        content=row.content,
    )


def bodies_of(
    connection: Connection, game: int, numbers: Collection[int]
) -> list[tuple[str, dict[str, Any]]]:
    """Return kind and body of some events of a game, in order."""
    asked = select(EVENTS.c.kind, EVENTS.c.body).where(EVENTS.c.game == game, EVENTS.c.number.in_(numbers))
    return [(kind, json.loads(body)) for kind, body in connection.execute(asked.order_by(EVENTS.c.number))]


def writing(connection: Connection, number: int) -> str:
    """Return a player's comment. Raises LookupError where it is erased."""
    text: str | None = connection.execute(select(WRITINGS.c.text).where(WRITINGS.c.number == number)).scalar()
    if text is None:
        raise LookupError(f"what was written as number {number} is erased")
    return text


def sent_bytes(connection: Connection, id_: int) -> bytes:
    """Return the bytes of an outgoing letter that is not erased."""
    asked = select(OUTGOING_CONTENTS.c.content).where(OUTGOING_CONTENTS.c.id == id_)
    return bytes(connection.execute(asked).scalar_one())


def numbers_of(connection: Connection, message_ids: Collection[str]) -> dict[str, int]:
    """Return the numbers in the outbox of our letters, by their Message-IDs."""
    asked = select(OUTGOING.c.message_id, OUTGOING.c.id).where(OUTGOING.c.message_id.in_(message_ids))
    return {row.message_id: row.id for row in connection.execute(asked)}


def take_key(connection: Connection, key: bytes) -> None:
    """Give an empty service the key of another; the Message-IDs depend on it."""
    connection.execute(update(HOUSE).where(HOUSE.c.name == "key").values(value=key.hex()))


class History:
    """The store's past; each method is a transaction of its own."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def kept(self) -> Kept:
        """Return the service's stored past, without its long parts."""
        with self._connections.transaction() as connection:
            return read_kept(connection)

    def raw_letter(self, number: int) -> RawLetter:
        """Return a letter as it was in the mailbox; see history."""
        with self._connections.transaction() as connection:
            return raw_letter(connection, number)

    def bodies_of(self, game: int, numbers: Collection[int]) -> list[tuple[str, dict[str, Any]]]:
        """Return kind and body of some events of a game, in order."""
        with self._connections.transaction() as connection:
            return bodies_of(connection, game, numbers)

    def writing(self, number: int) -> str:
        """Return a player's comment. Raises LookupError where it is erased."""
        with self._connections.transaction() as connection:
            return writing(connection, number)

    def sent_bytes(self, id_: int) -> bytes:
        """Return the bytes of an outgoing letter that is not erased."""
        with self._connections.transaction() as connection:
            return sent_bytes(connection, id_)

    def numbers_of(self, message_ids: Collection[str]) -> dict[str, int]:
        """Return the numbers in the outbox of our letters, by their Message-IDs."""
        with self._connections.transaction() as connection:
            return numbers_of(connection, message_ids)
