"""All that a house has kept of its own course, for making its letters again; see archive.again."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, literal_column, select, update

from referee.competitions.officers import Office
from referee.letters.letter import RawLetter
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


@dataclass(frozen=True, slots=True)
class CameIn:
    """A letter as it was recorded. raw: None where its bytes are no more here."""

    number: int
    recorded: datetime
    settled: bool
    raw: RawLetter | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class WentOut:
    """A letter of ours. accepted: when, and what the mail host said. content: None where it was erased."""

    id: int
    message_id: str
    recipient: str
    kind: str
    game: int | None
    player: int | None
    answers: int | None
    created: datetime
    accepted: tuple[datetime, str] | None
    content: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeptEvent:
    """An event of a game. letter: by which it came, None where it was the house's or the umpire's."""

    game: int
    number: int
    kind: str
    at: datetime
    letter: int | None
    body: dict[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Kept:
    """What was kept, each in its order. titles: of games; persons: name and address of players who have not left;
    writings: texts by their numbers; terms: event, date, plain data, reason; officers: event, office, player, date."""

    letters: tuple[CameIn, ...]
    outgoing: tuple[WentOut, ...]
    events: tuple[KeptEvent, ...]
    tags: tuple[str, ...] = field(repr=False)
    titles: dict[int, str]
    persons: dict[int, tuple[str, str]] = field(repr=False)
    writings: dict[int, str] = field(repr=False)
    terms: tuple[tuple[int, datetime, dict[str, Any], str], ...]
    officers: tuple[tuple[int, Office, int, datetime], ...]
    outages: tuple[tuple[datetime, datetime], ...]
    looked: bool


def read_kept(connection: Connection) -> Kept:
    """Return all of it, as one look has it."""

    def rows(*columns: Any, order: Any) -> Any:
        return connection.execute(select(*columns).order_by(order)).all()

    letters = connection.execute(
        select(LETTERS, LETTER_CONTENTS.c.content)
        .join_from(LETTERS, LETTER_CONTENTS, LETTER_CONTENTS.c.letter == LETTERS.c.number, isouter=True)
        .order_by(LETTERS.c.number)
    ).all()
    outgoing = connection.execute(
        select(OUTGOING, OUTGOING_CONTENTS.c.content)
        .join_from(OUTGOING, OUTGOING_CONTENTS, OUTGOING_CONTENTS.c.id == OUTGOING.c.id, isouter=True)
        .order_by(OUTGOING.c.id)
    ).all()
    looked = connection.execute(select(HOUSE.c.value).where(HOUSE.c.name == "mailbox looked into")).first()
    return Kept(
        letters=tuple(
            CameIn(row.number, row.recorded, row.outcome is not None, _raw(row)) for row in letters
        ),
        outgoing=tuple(
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
                row.content,
            )
            for row in outgoing
        ),
        events=tuple(
            KeptEvent(row.game, row.number, row.kind, row.at, row.letter, json.loads(row.body))
            for row in connection.execute(
                select(EVENTS).order_by(EVENTS.c.at, EVENTS.c.game, EVENTS.c.number)
            )
        ),
        tags=tuple(
            connection.execute(select(TAGS.c.tag).order_by(TAGS.c.created, *_as_put(connection))).scalars()
        ),
        titles={row.number: row.title for row in rows(GAMES.c.number, GAMES.c.title, order=GAMES.c.number)},
        persons={row.player: (row.name, row.address) for row in connection.execute(select(PERSONS))},
        writings={
            row.number: row.text for row in rows(WRITINGS.c.number, WRITINGS.c.text, order=WRITINGS.c.number)
        },
        terms=tuple(
            (row.competition, row.at, json.loads(row.body), row.reason)
            for row in connection.execute(select(TERMS).order_by(TERMS.c.at, TERMS.c.competition))
        ),
        officers=tuple(
            (row.competition, row.office, row.player, row.since)
            for row in connection.execute(select(OFFICERS).order_by(OFFICERS.c.number))
        ),
        outages=tuple(
            (row.began, row.ended) for row in rows(OUTAGES.c.began, OUTAGES.c.ended, order=OUTAGES.c.began)
        ),
        looked=looked is not None,
    )


def _as_put(connection: Connection) -> list[Any]:
    """Return what tells in which order rows were put in that are of the same instant, where a database tells it."""
    name = {"sqlite": "rowid", "postgresql": "ctid"}[connection.dialect.name]
    return [literal_column(f"tag.{name}")]


def _raw(row: Any) -> RawLetter | None:
    if row.content is None and row.digest:
        return None  # it was erased; one that could never be had has no digest, and can be taken in like that again
    return RawLetter(
        mailbox=row.mailbox,
        uidvalidity=row.uidvalidity,
        uid=row.uid,
        received=row.received,
        size=row.size,
        content=row.content,
    )


def numbers_of(connection: Connection, message_ids: Collection[str]) -> dict[str, int]:
    """Return the numbers in the outbox of letters of ours, by their Message-IDs."""
    asked = select(OUTGOING.c.message_id, OUTGOING.c.id).where(OUTGOING.c.message_id.in_(message_ids))
    return {row.message_id: row.id for row in connection.execute(asked)}


def take_key(connection: Connection, key: bytes) -> None:
    """Give an empty house the key of another, on which the Message-IDs hang."""
    connection.execute(update(HOUSE).where(HOUSE.c.name == "key").values(value=key.hex()))
