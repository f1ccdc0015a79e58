"""Searches for games in the archive: by player, tournament, dates, rules and result.

One query returns the numbers of games, and only the listed ones are read. It needs only indexed columns,
however wide the rows of games are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    exists,
    func,
    literal_column,
    or_,
    select,
    true,
    union,
)

from referee.games.player_names import folded
from referee.games.results import DRAW, NONE
from referee.store.tables import ADDRESSES, FORMER_SEATS, GAMES, PERSONS, SEATS

PLAYING = "playing"
"""A result to search for: none yet."""
Fared = Literal["won", "lost"]
FARED: tuple[Fared, ...] = ("won", "lost")
"""A player's results to search for."""


FEW = 500
"""Most players that are named to the database one by one."""


@dataclass(frozen=True, slots=True)
class Search:
    """What games must have in common; a field left out may be anything.

    player: a part of the name of a player of the game, present or former, or invited; case and accents do not
        count.
    by_address: a part of the player's address matches as well, for the operator only.
    competition: the number of a tournament.
    since, until: when the game began, or was proposed, including the first and excluding the last.
    result: an end as in games.results, PLAYING, or one of FARED, which is the player's.
    """

    player: str = field(default="", repr=False)
    by_address: bool = False
    competition: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    rules: str = ""
    result: str = ""

    @property
    def is_narrow(self) -> bool:
        """Whether the search leaves any game out."""
        return self != Search(by_address=self.by_address)


def find(connection: Connection, search: Search, most: int) -> tuple[list[int], int]:
    """Return the numbers of the newest matching games, newest first, at most `most`; and how many match."""
    wanted = _conditions(search)
    if search.player:
        players = connection.execute(_meant(search).limit(FEW + 1)).scalars().all()
        if not players:
            return [], 0
        wanted.append(_played_by_any(search) if len(players) > FEW else _played_by(players, search.result))
    which = and_(true(), *wanted)
    newest = select(GAMES.c.number).where(which).order_by(GAMES.c.number.desc()).limit(most)
    found = list(connection.execute(newest).scalars())
    if len(found) < most:
        return found, len(found)
    count = connection.execute(select(func.count()).select_from(GAMES).where(which)).scalar_one()
    return found, count


def _conditions(search: Search) -> list[ColumnElement[bool]]:
    wanted: list[ColumnElement[bool]] = []
    if search.competition is not None:
        wanted.append(GAMES.c.competition == search.competition)
    if search.since is not None:
        wanted.append(GAMES.c.created >= search.since)
    if search.until is not None:
        wanted.append(GAMES.c.created < search.until)
    if search.rules:
        wanted.append(GAMES.c.rules == search.rules)
    if search.result == PLAYING:
        wanted += [GAMES.c.result.is_(None), GAMES.c.status == PLAYING]
    elif search.result and search.result not in FARED:
        wanted.append(GAMES.c.result == search.result)
    return wanted


def _played_by(players: Sequence[int], result: str) -> ColumnElement[bool]:
    """Return the condition that a game is of one of a few players, whose games are found first."""
    if result in FARED:
        ended = GAMES.alias("ended")
        seats = select(SEATS.c.game).join_from(SEATS, ended, ended.c.number == SEATS.c.game)
        return GAMES.c.number.in_(seats.where(SEATS.c.player.in_(players), _fared(result, ended.c.result)))
    proposed = GAMES.alias("proposed")
    waits = proposed.c.status == literal_column("'proposed'")  # written as in the index of open rows
    games = union(
        select(SEATS.c.game).where(SEATS.c.player.in_(players)),
        select(FORMER_SEATS.c.game).where(FORMER_SEATS.c.player.in_(players)),
        select(proposed.c.number).where(proposed.c.proposed_by.in_(players), waits),
        select(proposed.c.number).where(proposed.c.proposed_to.in_(players), waits),
    )
    return GAMES.c.number.in_(games)


def _played_by_any(search: Search) -> ColumnElement[bool]:
    """Return the condition that a game is of one of many players; each game is visited, since they have most."""
    meant = _meant(search)
    sits = SEATS.c.game == GAMES.c.number, SEATS.c.player.in_(meant)
    if search.result in FARED:
        return exists().where(*sits, _fared(search.result, GAMES.c.result))
    return or_(
        exists().where(*sits),
        exists().where(FORMER_SEATS.c.game == GAMES.c.number, FORMER_SEATS.c.player.in_(meant)),
        and_(
            GAMES.c.status == "proposed", or_(GAMES.c.proposed_by.in_(meant), GAMES.c.proposed_to.in_(meant))
        ),
    )


def _fared(how: str, result: ColumnElement[str | None]) -> ColumnElement[bool]:
    """Return the condition that a seat has won or lost a game."""
    return (
        result == SEATS.c.seat
        if how == "won"
        else and_(result != SEATS.c.seat, result.not_in((DRAW, NONE, "")))
    )


def _meant(search: Search) -> Select[Any]:
    """Return the query for the matching players. Departed players have no name and no address."""
    called = PERSONS.c.name_folded.contains(folded(search.player), autoescape=True)
    if search.by_address:
        part = search.player.strip().lower()
        second = exists().where(
            ADDRESSES.c.player == PERSONS.c.player,
            ADDRESSES.c.use == "second",
            ADDRESSES.c.address_key.contains(part, autoescape=True),
        )
        called = or_(called, PERSONS.c.address_key.contains(part, autoescape=True), second)
    return select(PERSONS.c.player).where(called)
