"""Games that are looked for in the archive: by player, event, dates, rules and result.

All of it is one question to the database, whose answer is numbers of games; only those that are listed are read. What
is asked here needs no column but those of an index, however wide the rows of games are.
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
"""A result to look for: there is none yet."""
Fared = Literal["won", "lost"]
FARED: tuple[Fared, ...] = ("won", "lost")
"""Results to look for of a player's."""


FEW = 500
"""So many players are named to the database one by one."""


@dataclass(frozen=True, slots=True)
class Search:
    """What games must have in common; what is left out may be anything.

    player: a part of the name of somebody who plays in it, has played there, or is asked to; case and accents do not
    count. by_address: a part of his address will do as well, which is for whoever runs the service. competition: the
    number of an event. since, until: when it began, or was proposed, with the first and without the last. result: an
    end as in games.results, PLAYING, or one of FARED, which is the player's.
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
        """Whether it leaves anything out."""
        return self != Search(by_address=self.by_address)


def find(connection: Connection, search: Search, most: int) -> tuple[list[int], int]:
    """Return the numbers of the newest games that are meant, at most so many, newest first; and how many there are."""
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
    waits = proposed.c.status == literal_column("'proposed'")  # as the index of open rows has it
    games = union(
        select(SEATS.c.game).where(SEATS.c.player.in_(players)),
        select(FORMER_SEATS.c.game).where(FORMER_SEATS.c.player.in_(players)),
        select(proposed.c.number).where(proposed.c.proposed_by.in_(players), waits),
        select(proposed.c.number).where(proposed.c.proposed_to.in_(players), waits),
    )
    return GAMES.c.number.in_(games)


def _played_by_any(search: Search) -> ColumnElement[bool]:
    """Return the condition that a game is of one of many players, for which each game is looked at: they have most."""
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
    """Return the question for the players who are meant. Whoever has left has no name and no address any more."""
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
