"""What an overview of many games asks of the store: a few questions, however many games there are.

Which games are looked into is chosen from rows alone; only of those chosen are events and letters looked up.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, func, literal_column, not_, or_, select, true, union

from referee.common.errors import GameUnreadable
from referee.games.cases import Case
from referee.games.events import DAMAGED, read_event
from referee.games.summary import Outline, read_outline
from referee.games.tournaments.officers import Duty
from referee.rulebooks.rulebook import Seat
from referee.store.repositories.cases import cases_or_damage, changed_since
from referee.store.tables import CLOCKS, EVENTS, FORMER_SEATS, GAMES, LETTERS, OUTGOING, PERSONS, SEATS
from referee.store.values import StoredEvent

_OPEN_SEATS = {"sqlite": SEATS.c.done == literal_column("0"), "postgresql": not_(SEATS.c.done)}
"""Written out as the index of open rows has it."""


@dataclass(frozen=True, slots=True)
class Side:
    """Who sits somewhere, with the latest deadline that he was told for the move he is on. name: "" for none.

    unreachable: since when letters to him do not count as arriving.
    """

    player: int
    name: str = field(repr=False)
    promised: datetime | None
    unreachable: datetime | None


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game that is being played, as its rows have it. turned: since when somebody is to move; None where that was
    never kept. outline: None where what was kept is not of its last event. former: who sat there once."""

    number: int
    rules: str
    title: str = field(repr=False)
    created: datetime
    competition: int | None
    turned: datetime | None
    last_event: int
    outline: Outline | None
    sides: Mapping[Seat, Side]
    former: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class OpenCase:
    """A case that waits for a ruling, or for what follows from it. duty: what kind; to_change: it was upheld, and the
    game has not been changed since. appealed: it is an appeal, or somebody has appealed in it. ruled: who has ruled on
    what is appealed against. over: so is its game, which is of that event. players: who sits there, or has."""

    game: int
    number: int
    seat: Seat
    since: datetime
    duty: Duty
    ruled: tuple[int, ...]
    over: bool
    competition: int | None
    players: tuple[int, ...]
    to_change: bool = False
    appealed: bool = False


@dataclass(frozen=True, slots=True)
class Docket:
    """The cases that wait, and the games of which the cases cannot be read, where one may wait. over, players: of such
    a game, as of a case."""

    waiting: tuple[OpenCase, ...] = ()
    unread: tuple[UnreadCases, ...] = ()


@dataclass(frozen=True, slots=True)
class UnreadCases:
    """A game of which the cases cannot be read. title: its own."""

    game: int
    title: str = field(repr=False)
    over: bool
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Waits:
    """A letter in a player's name that is held. number: of `referee letters`."""

    game: int
    player: int
    number: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Passed:
    """The newest letters about a game between a player and the house: when his came in, when ours was written, and when
    it was accepted for delivery."""

    came_in: datetime | None = None
    went_out: datetime | None = None
    accepted: datetime | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A game that waits for somebody to take it up. is_open: anybody may join."""

    game: int
    title: str = field(repr=False)
    is_open: bool
    since: datetime


def _within(competitions: Collection[int] | None) -> ColumnElement[bool]:
    """Return the condition that a game is of these events; None: of any, or of none."""
    return true() if competitions is None else GAMES.c.competition.in_(sorted(competitions))


def running(connection: Connection, competitions: Collection[int] | None) -> list[RunningGame]:
    """Return the games of some events that are being played, or all there are, by their numbers."""
    asked = (
        select(
            GAMES.c.number,
            GAMES.c.rules,
            GAMES.c.title,
            GAMES.c.created,
            GAMES.c.competition,
            GAMES.c.turned,
            GAMES.c.last_event,
            GAMES.c.outline,
            SEATS.c.seat,
            SEATS.c.player,
            PERSONS.c.name,
            PERSONS.c.unreachable,
            CLOCKS.c.promised,
        )
        .join_from(SEATS, GAMES, SEATS.c.game == GAMES.c.number)
        .outerjoin(PERSONS, PERSONS.c.player == SEATS.c.player)
        .outerjoin(CLOCKS, and_(CLOCKS.c.game == SEATS.c.game, CLOCKS.c.seat == SEATS.c.seat))
        .where(
            _OPEN_SEATS[connection.dialect.name],
            GAMES.c.status == literal_column("'playing'"),
            _within(competitions),
        )
        .order_by(GAMES.c.number, SEATS.c.seat)
    )
    once = select(FORMER_SEATS.c.game, FORMER_SEATS.c.player).join_from(
        FORMER_SEATS, GAMES, FORMER_SEATS.c.game == GAMES.c.number
    )
    former: dict[int, list[int]] = {}
    for game, player in connection.execute(
        once.where(GAMES.c.status == literal_column("'playing'"), _within(competitions))
    ):
        former.setdefault(game, []).append(player)
    found: dict[int, RunningGame] = {}
    sides: dict[int, dict[Seat, Side]] = {}
    for row in connection.execute(asked):
        mine = sides.setdefault(row.number, {})
        mine[Seat(row.seat)] = Side(row.player, row.name or "", row.promised, row.unreachable)
        if row.number not in found:
            outline = read_outline(row.outline)
            if outline is not None and outline.last_event != row.last_event:
                outline = None
            found[row.number] = RunningGame(
                row.number,
                row.rules,
                row.title,
                row.created,
                row.competition,
                row.turned,
                row.last_event,
                outline,
                mine,
                former.get(row.number, ()),
            )
    return list(found.values())


def open_cases(connection: Connection, competitions: Collection[int] | None) -> Docket:
    """Return the cases of the games of some events, or of all games, in which somebody has to rule, or to change the
    game since an appeal was upheld; and which games are damaged."""
    asked = (
        select(GAMES.c.number, GAMES.c.title, GAMES.c.status, GAMES.c.competition)
        .join_from(EVENTS, GAMES, EVENTS.c.game == GAMES.c.number)
        .where(EVENTS.c.kind == literal_column("'Claimed'"), _within(competitions))
        .distinct()
    )
    games = {row.number: row for row in connection.execute(asked)}
    if not games:
        return Docket()
    waiting: list[tuple[int, Case]] = []
    unread = []
    for game, some in cases_or_damage(connection, games).items():
        if isinstance(some, GameUnreadable):
            unread.append(game)
        else:
            waiting += [(game, each) for each in some if each.duty or _to_change(connection, game, each)]
    which = {*unread, *(game for game, _ in waiting)}
    seats = union(
        select(SEATS.c.game, SEATS.c.player).where(SEATS.c.game.in_(which)),
        select(FORMER_SEATS.c.game, FORMER_SEATS.c.player).where(FORMER_SEATS.c.game.in_(which)),
    )
    players: dict[int, tuple[int, ...]] = {}
    for game, player in connection.execute(seats) if which else ():
        players[game] = (*players.get(game, ()), player)
    damaged = (
        UnreadCases(game, games[game].title, games[game].status != "playing", players.get(game, ()))
        for game in unread
    )
    found = (
        OpenCase(
            game,
            each.number,
            each.seat,
            each.since,
            each.duty or "ruling",
            each.ruled,
            games[game].status != "playing",
            games[game].competition,
            players.get(game, ()),
            to_change=each.duty is None,
            appealed=each.appeal is not None or each.against is not None,
        )
        for game, each in waiting
    )
    return Docket(tuple(found), tuple(damaged))


def _to_change(connection: Connection, game: int, case: Case) -> bool:
    """Tell whether the game is still to be changed since a case was upheld; where that is damaged, it is."""
    try:
        return case.remedy is not None and not changed_since(connection, game, case.remedy)
    except GameUnreadable:
        return True


def reached(connection: Connection, players: Collection[int]) -> dict[int, tuple[str, bool]]:
    """Return what players are called, and whether letters to them arrive; those who have left are not among them."""
    asked = select(PERSONS.c.player, PERSONS.c.name, PERSONS.c.unreachable.is_(None))
    rows = connection.execute(asked.where(PERSONS.c.player.in_(sorted(players)))) if players else ()
    return {player: (name, arrives) for player, name, arrives in rows}


def held(connection: Connection, since: datetime, games: Collection[int] | None) -> list[Waits]:
    """Return the letters about games that are held for their players and were recorded after a time; games: about
    these, None for all."""
    asked = select(LETTERS.c.game, LETTERS.c.held_for, LETTERS.c.number, LETTERS.c.recorded).where(
        LETTERS.c.held_for.is_not(None),
        LETTERS.c.outcome == "held",
        LETTERS.c.recorded > since,
        LETTERS.c.game.is_not(None),
    )
    wanted = None if games is None else frozenset(games)
    rows = connection.execute(asked.order_by(LETTERS.c.number))
    return [Waits(*row) for row in rows if wanted is None or row.game in wanted]


def events_of(
    connection: Connection, dated: Collection[int], others: Collection[int], kinds: Collection[str]
) -> dict[int, list[StoredEvent]]:
    """Return events of these kinds of several games, oldest first: of `dated` with what they say; of others only that,
    and when, they happened. It takes one question for hundreds of games. One that is damaged is not among them."""
    found: dict[int, list[StoredEvent]] = {}
    damaged = set()
    for number in (*dated, *others):
        found[number] = []
    for games, columns in ((dated, EVENTS.c.body), (others, literal_column("'{}'"))):
        if not games:
            continue
        asked = (
            select(EVENTS.c.game, EVENTS.c.number, EVENTS.c.kind, EVENTS.c.at, columns)
            .where(EVENTS.c.game.in_(sorted(games)), EVENTS.c.kind.in_(sorted(kinds)))
            .order_by(EVENTS.c.game, EVENTS.c.number)
        )
        for game, number, kind, at, body in connection.execute(asked):
            try:
                found[game].append(StoredEvent(number, kind, at, json.loads(body), None))
            except (ValueError, RecursionError):
                damaged.add(game)
    return {game: events for game, events in found.items() if game not in damaged}


def damaged(connection: Connection, games: Collection[int]) -> set[int]:
    """Return those of several games of which an event cannot be read. Nothing of what they say leaves this room."""
    asked = select(EVENTS.c.game, EVENTS.c.kind, EVENTS.c.body).where(EVENTS.c.game.in_(sorted(games)))
    found = set()
    for game, kind, body in connection.execute(asked) if games else ():
        try:
            read_event(kind, json.loads(body))
        except DAMAGED:
            found.add(game)
    return found


def all_events_of(connection: Connection, games: Collection[int]) -> dict[int, list[StoredEvent]]:
    """Return all events of several games, oldest first; a game that is damaged has none."""
    asked = (
        select(EVENTS.c.game, EVENTS.c.number, EVENTS.c.kind, EVENTS.c.at, EVENTS.c.body, EVENTS.c.letter)
        .where(EVENTS.c.game.in_(sorted(games)))
        .order_by(EVENTS.c.game, EVENTS.c.number)
    )
    found: dict[int, list[StoredEvent]] = {game: [] for game in games}
    damaged = set()
    for game, number, kind, at, body, letter in connection.execute(asked) if games else ():
        try:
            found[game].append(StoredEvent(number, kind, at, json.loads(body), letter))
        except (ValueError, RecursionError):
            damaged.add(game)
    return {game: [] if game in damaged else events for game, events in found.items()}


def passed(connection: Connection, games: Collection[int]) -> dict[tuple[int, int], Passed]:
    """Return the newest letters between the players of several games and the house, by game and player."""
    if not games:
        return {}
    newest = (
        select(
            OUTGOING.c.game,
            OUTGOING.c.player,
            func.max(OUTGOING.c.id).label("ours"),
            func.max(OUTGOING.c.answers).label("theirs"),
        )
        .join_from(
            SEATS, OUTGOING, and_(OUTGOING.c.game == SEATS.c.game, OUTGOING.c.player == SEATS.c.player)
        )
        .where(SEATS.c.game.in_(sorted(games)))
        .group_by(OUTGOING.c.game, OUTGOING.c.player)
        .subquery()
    )
    asked = (
        select(newest.c.game, newest.c.player, LETTERS.c.received, OUTGOING.c.created, OUTGOING.c.sent)
        .join_from(newest, OUTGOING, OUTGOING.c.id == newest.c.ours)
        .outerjoin(LETTERS, LETTERS.c.number == newest.c.theirs)
    )
    return {(game, player): Passed(*times) for game, player, *times in connection.execute(asked)}


def proposals(connection: Connection, most: int) -> tuple[int, list[Proposal]]:
    """Return how many games wait for somebody to take them up, and the oldest of them."""
    waits = GAMES.c.status == literal_column("'proposed'")
    count = connection.execute(select(func.count()).where(waits)).scalar_one()
    asked = select(GAMES.c.number, GAMES.c.title, GAMES.c.proposed_to.is_(None), GAMES.c.created).where(
        waits, or_(GAMES.c.proposed_by.is_not(None), GAMES.c.proposed_to.is_not(None))
    )
    rows = connection.execute(asked.order_by(GAMES.c.created, GAMES.c.number).limit(most))
    return count, [Proposal(*row) for row in rows]
