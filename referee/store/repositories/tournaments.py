"""Events as they are kept: their names, their terms in all versions, and who holds which office."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    exists,
    insert,
    or_,
    select,
    update,
)

from referee.common.errors import EventUnreadable
from referee.games.events import DAMAGED
from referee.games.player_names import skeleton
from referee.games.tournaments.officers import OFFICES, Office, Officer
from referee.games.tournaments.tournament import Competition, from_plain, tidy_title
from referee.store.tables import COMPETITIONS, GAMES, OFFICERS, SEATS, TERMS
from referee.store.values import StoredCompetition, TermsChanged

_ALL: Select[Any] = (
    select(
        COMPETITIONS.c.number,
        COMPETITIONS.c.version,
        COMPETITIONS.c.created,
        COMPETITIONS.c.name,
        TERMS.c.body,
        OFFICERS.c.office,
        OFFICERS.c.player,
    )
    .join_from(
        COMPETITIONS,
        TERMS,
        and_(TERMS.c.competition == COMPETITIONS.c.number, TERMS.c.version == COMPETITIONS.c.version),
    )
    .outerjoin(
        OFFICERS,
        and_(OFFICERS.c.competition == COMPETITIONS.c.number, OFFICERS.c.until.is_(None)),
    )
    .order_by(COMPETITIONS.c.number)
)
_ONE = _ALL.where(COMPETITIONS.c.number == bindparam("which"))
_NAMED = _ALL.where(COMPETITIONS.c.name_key == bindparam("which"))
_IN_OFFICE = select(OFFICERS.c.competition).where(
    OFFICERS.c.player == bindparam("who"), OFFICERS.c.until.is_(None)
)
_PLAYING = (
    select(GAMES.c.competition)
    .join_from(SEATS, GAMES, SEATS.c.game == GAMES.c.number)
    .where(SEATS.c.player == bindparam("who"), ~SEATS.c.done, GAMES.c.competition.is_not(None))
)
_OF_PLAYER = _ALL.where(or_(COMPETITIONS.c.number.in_(_IN_OFFICE), COMPETITIONS.c.number.in_(_PLAYING)))


def find(connection: Connection, number: int) -> StoredCompetition:
    """Return an event. Raises LookupError for none."""
    found = _read(connection.execute(_ONE, {"which": number}).all())
    if not found:
        raise LookupError(f"there is no event {number}")
    return found[0]


def find_named(connection: Connection, name: str) -> StoredCompetition | None:
    """Return the event whose name looks like this one, None for none."""
    key = skeleton(tidy_title(name))
    found = _read(connection.execute(_NAMED, {"which": key}).all()) if key else []
    return found[0] if found else None


def all_of_them(connection: Connection) -> list[StoredCompetition]:
    """Return all events, oldest first."""
    return _read(connection.execute(_ALL).all())


def of_player(connection: Connection, player: int) -> list[StoredCompetition]:
    """Return the events with which a player has to do at present."""
    return _read(connection.execute(_OF_PLAYER, {"who": player}).all())


def played(connection: Connection, player: int) -> list[int]:
    """Return the numbers of the events that go on, in which a player has a game or has had one."""
    running = GAMES.alias()
    goes_on = exists().where(running.c.competition == GAMES.c.competition, running.c.status == "playing")
    asked = (
        select(GAMES.c.competition)
        .join_from(SEATS, GAMES, SEATS.c.game == GAMES.c.number)
        .where(SEATS.c.player == player, GAMES.c.competition.is_not(None), goes_on)
        .distinct()
        .order_by(GAMES.c.competition)
    )
    return list(connection.execute(asked).scalars())


def history(connection: Connection, competition: int) -> list[TermsChanged]:
    """Return an event's terms in all versions, oldest first. Raises EventUnreadable where one is damaged."""
    asked = select(TERMS.c.version, TERMS.c.at, TERMS.c.reason, TERMS.c.body, COMPETITIONS.c.name).join_from(
        TERMS, COMPETITIONS, TERMS.c.competition == COMPETITIONS.c.number
    )
    rows = connection.execute(asked.where(TERMS.c.competition == competition).order_by(TERMS.c.version))
    found = []
    for version, at, reason, body, name in rows:
        terms = _terms(name, body)
        if isinstance(terms, EventUnreadable):
            raise terms
        found.append(TermsChanged(version, at, reason, terms))
    return found


def add(connection: Connection, terms: Competition, now: datetime) -> int:
    """Make an event; return its number."""
    key = skeleton(terms.name)
    made = insert(COMPETITIONS).values(name=terms.name, name_key=key, version=1, created=now)
    (number,) = connection.execute(made).inserted_primary_key or (0,)
    _keep(connection, number, 1, terms, "", now)
    return int(number)


def change(connection: Connection, number: int, terms: Competition, reason: str, now: datetime) -> None:
    """Keep other terms of an event, which hold from now on."""
    version = connection.execute(
        update(COMPETITIONS)
        .where(COMPETITIONS.c.number == number)
        .values(name=terms.name, name_key=skeleton(terms.name), version=COMPETITIONS.c.version + 1)
        .returning(COMPETITIONS.c.version)
    ).scalar_one()
    _keep(connection, number, version, terms, reason, now)


def _keep(
    connection: Connection, number: int, version: int, terms: Competition, reason: str, now: datetime
) -> None:
    body = json.dumps(terms.plain(), separators=(",", ":"))
    connection.execute(
        insert(TERMS).values(competition=number, version=version, body=body, reason=reason, at=now)
    )


def appoint(connection: Connection, competition: int, office: Office, player: int, now: datetime) -> None:
    """Give a player an office, which whoever held it holds no more."""
    dismiss(connection, competition, office, now)
    connection.execute(
        insert(OFFICERS).values(competition=competition, office=office, player=player, since=now, until=None)
    )


def dismiss(connection: Connection, competition: int, office: Office, now: datetime) -> int | None:
    """Let nobody hold an office any more; return who did, None for nobody."""
    held = OFFICERS.c.competition == competition, OFFICERS.c.office == office, OFFICERS.c.until.is_(None)
    player: int | None = connection.execute(
        update(OFFICERS).where(*held).values(until=now).returning(OFFICERS.c.player)
    ).scalar()
    return player


def dismiss_player(connection: Connection, player: int, now: datetime) -> None:
    """Let a player hold no office in any event any more."""
    held = OFFICERS.c.player == player, OFFICERS.c.until.is_(None)
    connection.execute(update(OFFICERS).where(*held).values(until=now))


def held_office(connection: Connection, competition: int, player: int, since: datetime) -> bool:
    """Tell whether a player has held an office in an event at some time since then."""
    held = OFFICERS.c.competition == competition, OFFICERS.c.player == player
    lately = or_(OFFICERS.c.until.is_(None), OFFICERS.c.until >= since)
    return connection.execute(select(OFFICERS.c.number).where(*held, lately).limit(1)).first() is not None


def named_in(player: int) -> ColumnElement[bool]:
    """Return the condition that a game is of an event in which a player holds an office, or held one: its letters may
    name him."""
    office = exists().where(OFFICERS.c.competition == GAMES.c.competition, OFFICERS.c.player == player)
    return and_(GAMES.c.competition.is_not(None), office)


def _terms(name: str, body: str) -> Competition | EventUnreadable:
    """Return an event's terms, or why they cannot be read: that must not keep others from being."""
    try:
        return from_plain(json.loads(body))
    except DAMAGED as error:
        return EventUnreadable(name, error)


def _read(rows: Sequence[Any]) -> list[StoredCompetition]:
    """Put events together: a row for each officer, or one without any."""
    found: dict[int, StoredCompetition] = {}
    officers: dict[int, list[Officer]] = {}
    for number, version, created, name, body, office, player in rows:
        if number not in found:
            found[number] = StoredCompetition(number, _terms(name, body), version, created)
        if office is not None:
            officers.setdefault(number, []).append(Officer(office, player))
    return [
        StoredCompetition(
            each.number,
            each.kept,
            each.version,
            each.created,
            tuple(sorted(officers.get(each.number, ()), key=lambda held: OFFICES.index(held.office))),
        )
        for each in found.values()
    ]
