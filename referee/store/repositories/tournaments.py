"""Tournaments: their terms and their officers."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, exists, insert, or_, select, update

from referee.common.errors import EventUnreadable, UsageError
from referee.games.events import DAMAGED
from referee.games.player_names import skeleton
from referee.games.tournaments.officers import OFFICES, Office, Officer
from referee.games.tournaments.tournament import Competition, from_plain, tidy_title
from referee.store.repositories.repository import Repository
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


class TournamentQueries(Repository):
    """Queries about tournaments."""

    def find(self, number: int) -> StoredCompetition:
        """Return a tournament with its officers. Raises LookupError for none."""
        found = _read(self._connection.execute(_ONE, {"which": number}).all())
        if not found:
            raise LookupError(f"there is no event {number}")
        return found[0]

    def named(self, name: str) -> StoredCompetition | None:
        """Return the tournament of a name, however it is written: look-alikes are the same name; None for none."""
        key = skeleton(tidy_title(name))
        found = _read(self._connection.execute(_NAMED, {"which": key}).all()) if key else []
        return found[0] if found else None

    def find_named(self, name: str) -> StoredCompetition:
        """Return the tournament of a name, as `named` does. Raises UsageError, naming the nearest, for none."""
        found = self.named(name)
        if found is not None:
            return found
        names = {each.name.casefold(): each.name for each in self.all()}
        near = next(iter(difflib.get_close_matches(name.strip().casefold(), names, 1)), "")
        meant = f"did you mean {names[near]!r}?" if near else "`referee event list` lists all there are"
        raise UsageError(f"there is no event {name.strip()!r}; {meant}")

    def all(self) -> list[StoredCompetition]:
        """Return all tournaments, oldest first."""
        return _read(self._connection.execute(_ALL).all())

    def of_player(self, player: int) -> list[StoredCompetition]:
        """Return the tournaments in which a player holds an office or has a running game, oldest first."""
        return _read(self._connection.execute(_OF_PLAYER, {"who": player}).all())

    def played_by(self, player: int) -> list[int]:
        """Return the numbers of the running tournaments in which a player has, or had, a game."""
        running = GAMES.alias()
        goes_on = exists().where(running.c.competition == GAMES.c.competition, running.c.status == "playing")
        asked = (
            select(GAMES.c.competition)
            .join_from(SEATS, GAMES, SEATS.c.game == GAMES.c.number)
            .where(SEATS.c.player == player, GAMES.c.competition.is_not(None), goes_on)
            .distinct()
            .order_by(GAMES.c.competition)
        )
        return list(self._connection.execute(asked).scalars())

    def history(self, competition: int) -> list[TermsChanged]:
        """Return the versions of a tournament's terms, oldest first."""
        asked = select(
            TERMS.c.version, TERMS.c.at, TERMS.c.reason, TERMS.c.body, COMPETITIONS.c.name
        ).join_from(TERMS, COMPETITIONS, TERMS.c.competition == COMPETITIONS.c.number)
        rows = self._connection.execute(
            asked.where(TERMS.c.competition == competition).order_by(TERMS.c.version)
        )
        found = []
        for version, at, reason, body, name in rows:
            terms = _terms(name, body)
            if isinstance(terms, EventUnreadable):
                raise terms
            found.append(TermsChanged(version, at, reason, terms))
        return found

    def held_office(self, competition: int, player: int, *, since: datetime) -> bool:
        """Return whether a player has held an office in a tournament at any time since then."""
        held = OFFICERS.c.competition == competition, OFFICERS.c.player == player
        lately = or_(OFFICERS.c.until.is_(None), OFFICERS.c.until >= since)
        return (
            self._connection.execute(select(OFFICERS.c.number).where(*held, lately).limit(1)).first()
            is not None
        )


class Tournaments(TournamentQueries):
    """The tournaments."""

    def add(self, terms: Competition) -> int:
        """Create a tournament; return its number. Raises Contested when another one has a similar-looking name."""
        now = self._clock.now()
        key = skeleton(terms.name)
        made = insert(COMPETITIONS).values(name=terms.name, name_key=key, version=1, created=now)
        (number,) = self._connection.execute(made).inserted_primary_key or (0,)
        _keep(self._connection, number, 1, terms, "", now)
        return int(number)

    def change(self, number: int, terms: Competition, reason: str) -> None:
        """Give a tournament other terms from now on; the earlier ones stay."""
        version = self._connection.execute(
            update(COMPETITIONS)
            .where(COMPETITIONS.c.number == number)
            .values(name=terms.name, name_key=skeleton(terms.name), version=COMPETITIONS.c.version + 1)
            .returning(COMPETITIONS.c.version)
        ).scalar_one()
        _keep(self._connection, number, version, terms, reason, self._clock.now())

    def appoint(self, competition: int, office: Office, player: int, at: datetime | None = None) -> None:
        """Give a player an office in a tournament, in place of its holder. at: default now."""
        now = at or self._clock.now()
        self.dismiss(competition, office, now)
        self._connection.execute(
            insert(OFFICERS).values(
                competition=competition, office=office, player=player, since=now, until=None
            )
        )

    def dismiss(self, competition: int, office: Office, at: datetime | None = None) -> int | None:
        """Take an office in a tournament from its holder; return the holder. at: default now."""
        held = OFFICERS.c.competition == competition, OFFICERS.c.office == office, OFFICERS.c.until.is_(None)
        player: int | None = self._connection.execute(
            update(OFFICERS).where(*held).values(until=at or self._clock.now()).returning(OFFICERS.c.player)
        ).scalar()
        return player

    def dismiss_player(self, player: int) -> None:
        """Take all offices in all tournaments from a player."""
        held = OFFICERS.c.player == player, OFFICERS.c.until.is_(None)
        self._connection.execute(update(OFFICERS).where(*held).values(until=self._clock.now()))


def _keep(
    connection: Connection, number: int, version: int, terms: Competition, reason: str, now: datetime
) -> None:
    body = json.dumps(terms.plain(), separators=(",", ":"))
    connection.execute(
        insert(TERMS).values(competition=number, version=version, body=body, reason=reason, at=now)
    )


def _terms(name: str, body: str) -> Competition | EventUnreadable:
    """Return a tournament's terms, or why they cannot be read: that must not hide the others."""
    try:
        return from_plain(json.loads(body))
    except DAMAGED as error:
        return EventUnreadable(name, error)


def _read(rows: Sequence[Any]) -> list[StoredCompetition]:
    """Combine rows into tournaments: a row for each officer, or one without any."""
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
