"""Games without their events: their rows, seats and observers."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Row,
    Select,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    not_,
    or_,
    select,
    true,
    update,
)

from referee.games.game import Status
from referee.games.summary import read_outline
from referee.rulebooks.rulebook import Seat
from referee.store import game_search, letter_ordering
from referee.store.game_search import Search
from referee.store.overview_values import Proposal, RunningGame, Side
from referee.store.repositories.addresses import PartingQueries, Partings
from referee.store.repositories.players import PlayerQueries, Players
from referee.store.repositories.repository import Repository
from referee.store.repositories.tags import Tags
from referee.store.tables import CLOCKS, FORMER_SEATS, GAMES, GATHERED, PERSONS, SEATS, TAGS, THREADS, WATCHES
from referee.store.transaction import Transaction
from referee.store.values import RUNNING, StoredGame

_PROPOSED = GAMES.c.status == literal_column("'proposed'")
"""Written out, since the databases use an index of open rows only where they see its condition."""
_GAMES = (
    select(GAMES, SEATS.c.seat, SEATS.c.player)
    .outerjoin_from(GAMES, SEATS, GAMES.c.number == SEATS.c.game)
    .order_by(GAMES.c.number)
)
_GAME = _GAMES.where(GAMES.c.number == bindparam("which"))
_GAME_LOCKED = _GAME.with_for_update(of=GAMES, key_share=True)
_SEATED = select(SEATS.c.game).where(SEATS.c.player == bindparam("who"))
_PROPOSED_BY = select(GAMES.c.number).where(GAMES.c.proposed_by == bindparam("who"), _PROPOSED)
_PROPOSED_TO = select(GAMES.c.number).where(GAMES.c.proposed_to == bindparam("who"), _PROPOSED)
_STATUSES: BindParameter[Any] = bindparam("statuses", expanding=True)
_GAMES_OF = _GAMES.where(
    GAMES.c.number.in_(_SEATED.union(_PROPOSED_BY, _PROPOSED_TO)), GAMES.c.status.in_(_STATUSES)
)
_RUNNING_GAMES_OF = _GAMES.where(
    GAMES.c.number.in_(_SEATED.where(~SEATS.c.done).union(_PROPOSED_BY, _PROPOSED_TO)),
    GAMES.c.status.in_(_STATUSES),
)
_OPEN_GAMES = _GAMES.where(_PROPOSED, GAMES.c.proposed_by.is_not(None), GAMES.c.proposed_to.is_(None))
_WATCHED_GAMES = _GAMES.where(
    GAMES.c.number.in_(select(WATCHES.c.game).where(WATCHES.c.player == bindparam("who"), ~WATCHES.c.over))
)
_WATCHES = select(WATCHES.c.game).where(
    WATCHES.c.player == bindparam("who"), WATCHES.c.game == bindparam("which")
)
_CHALLENGES = select(func.count()).where(
    GAMES.c.proposed_by == bindparam("who"),
    GAMES.c.proposed_to.is_not(None),
    GAMES.c.created.between(bindparam("since"), bindparam("until")),
)
_UPDATE_GAME = update(GAMES).where(GAMES.c.number == bindparam("which"))


_OPEN_SEATS = {"sqlite": SEATS.c.done == literal_column("0"), "postgresql": not_(SEATS.c.done)}
"""Written out as in the index of open rows."""


class GameQueries(Repository):
    """Queries about games."""

    def __init__(self, transaction: Transaction, players: PlayerQueries, partings: PartingQueries) -> None:
        super().__init__(transaction)
        self._players = players
        self._partings = partings

    def get(self, number: int) -> StoredGame | None:
        """Return a game without its events, None when there is none.

        In a unit of work it is reserved and locked, after waiting its turn.
        """
        self._transaction.reserve(letter_ordering.game(number))
        games = self._read(_GAME_LOCKED if self._transaction.locks else _GAME, {"which": number})
        return games[0] if games else None

    def of_player(self, player: int, statuses: Collection[str] = RUNNING) -> list[StoredGame]:
        """Return the games in these statuses that a player plays, has proposed or is invited to."""
        asked = _RUNNING_GAMES_OF if set(statuses) <= set(RUNNING) else _GAMES_OF
        return self._read(asked, {"who": player, "statuses": tuple(statuses)})

    def watched_by(self, player: int) -> list[StoredGame]:
        """Return the running games that a player watches."""
        return self._read(_WATCHED_GAMES, {"who": player})

    def has_watched(self, player: int, game: int) -> bool:
        """Return whether a player watches a game or has watched it."""
        return self._connection.execute(_WATCHES, {"who": player, "which": game}).first() is not None

    def count_finished(self, player: int, most: int) -> int:
        """Return how many games a player has finished; no more than `most` are counted."""
        ended = (
            select(GAMES.c.number)
            .join_from(SEATS, GAMES, SEATS.c.game == GAMES.c.number)
            .where(SEATS.c.player == player, GAMES.c.status == "ended")
            .limit(most)
        )
        return self._connection.execute(select(func.count()).select_from(ended.subquery())).scalar_one()

    def open(self) -> list[StoredGame]:
        """Return the proposed games that anybody may join."""
        return self._read(_OPEN_GAMES)

    def count_challenges(self, player: int, since: datetime) -> int:
        """Return how many games a player has offered to one other since then, whatever became of them.

        What they offered as another player, before they left, counts too.
        """
        asked = {"who": player, "since": since, "until": self._transaction.present()}
        offered: int = self._connection.execute(_CHALLENGES, asked).scalar_one()
        left = self._partings.of_address(self._players.find(player).address)
        return offered + (
            left.challenges if left is not None and since < left.at <= self._transaction.present() else 0
        )

    def all(
        self, statuses: Collection[str] | None = None, competition: int | None = None
    ) -> list[StoredGame]:
        """Return all games, or those in these statuses, or of a tournament."""
        asked = _GAMES if statuses is None else _GAMES.where(GAMES.c.status.in_(statuses))
        return self._read(asked if competition is None else asked.where(GAMES.c.competition == competition))

    def search(self, search: Search, most: int) -> tuple[list[StoredGame], int]:
        """Return the newest matching games, at most `most`, newest first; and how many match."""
        numbers, count = game_search.find(self._connection, search, most)
        rows = {each.number: each for each in self._read(_GAMES.where(GAMES.c.number.in_(numbers)))}
        return [rows[number] for number in numbers], count

    def lost_by(self, player: int, since: datetime) -> list[int]:
        """Return the games in which another player took over a player's seat, later than a time."""
        lost = FORMER_SEATS.c.player == player, FORMER_SEATS.c.until > since
        asked = select(FORMER_SEATS.c.game).where(*lost).order_by(FORMER_SEATS.c.game)
        return list(self._connection.execute(asked).scalars())

    def running(self, competitions: Collection[int] | None) -> list[RunningGame]:
        """Return the running games of some tournaments, or all running games; see overview_values."""
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
                _OPEN_SEATS[self._connection.dialect.name],
                GAMES.c.status == literal_column("'playing'"),
                _within(competitions),
            )
            .order_by(GAMES.c.number, SEATS.c.seat)
        )
        once = select(FORMER_SEATS.c.game, FORMER_SEATS.c.player).join_from(
            FORMER_SEATS, GAMES, FORMER_SEATS.c.game == GAMES.c.number
        )
        former: dict[int, list[int]] = {}
        for game, player in self._connection.execute(
            once.where(GAMES.c.status == literal_column("'playing'"), _within(competitions))
        ):
            former.setdefault(game, []).append(player)
        found: dict[int, RunningGame] = {}
        sides: dict[int, dict[Seat, Side]] = {}
        for row in self._connection.execute(asked):
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

    def proposals(self, most: int) -> tuple[int, list[Proposal]]:
        """Return how many games wait for an opponent, and the oldest of them."""
        waits = GAMES.c.status == literal_column("'proposed'")
        count = self._connection.execute(select(func.count()).where(waits)).scalar_one()
        asked = select(GAMES.c.number, GAMES.c.title, GAMES.c.proposed_to.is_(None), GAMES.c.created).where(
            waits, or_(GAMES.c.proposed_by.is_not(None), GAMES.c.proposed_to.is_not(None))
        )
        rows = self._connection.execute(asked.order_by(GAMES.c.created, GAMES.c.number).limit(most))
        return count, [Proposal(*row) for row in rows]

    def count_playing(self, competition: int) -> int:
        """Return how many games of a tournament are being played."""
        asked = select(func.count()).where(GAMES.c.competition == competition, GAMES.c.status == "playing")
        return self._connection.execute(asked).scalar_one()

    def _read(self, asked: Select[Any], parameters: Mapping[str, Any] | None = None) -> list[StoredGame]:
        return list(_read_games(self._connection.execute(asked, parameters)))


class Games(GameQueries):
    """The games."""

    def __init__(self, transaction: Transaction, players: Players, partings: Partings, tags: Tags) -> None:
        super().__init__(transaction, players, partings)
        self._tags = tags

    def add(
        self,
        rules: str,
        now: datetime,
        *,
        proposed_by: int | None = None,
        proposed_to: int | None = None,
        invited: str = "",
        competition: int | None = None,
    ) -> int:
        """Create a game that has not begun; return its number. Its first event must follow in the same unit.

        proposed_by, proposed_to: players; proposed_to None lets anybody join. An umpire's game has neither.
        invited: the address by which the proposer named the opponent.
        competition: the game's tournament.
        """
        return self._transaction.insert(
            insert(GAMES),
            rules=rules,
            title="",
            status="proposed",
            last_event=0,
            proposed_by=proposed_by,
            proposed_to=proposed_to,
            created=now,
            invited=invited,
            competition=competition,
        )

    def reverse_proposal(self, number: int, *, by: int, to: int) -> None:
        """Reverse a proposal: it is another player's now, and waits for the one who made it."""
        turned = update(GAMES).where(GAMES.c.number == number)
        self._connection.execute(turned.values(proposed_by=by, proposed_to=to))

    def set_title(self, number: int, title: str) -> None:
        """Store a game's title, as its letters' subjects have it."""
        self._connection.execute(update(GAMES).where(GAMES.c.number == number).values(title=title))

    def update(
        self,
        number: int,
        *,
        status: Status,
        last_event: int,
        at: datetime,
        outline: str = "",
        turned: bool = False,
        result: str = "",
    ) -> None:
        """Store a game's state after its last event. When nothing more can happen, it ended `at`.

        outline: as games.summary writes it.
        turned: the side to move has been due since then.
        result: its end, as in games.results.
        """
        running = status in RUNNING
        ended = None if running else at
        values: dict[str, Any] = {
            "which": number,
            "status": status,
            "last_event": last_event,
            "ended": ended,
            "outline": outline,
        }
        if turned:
            values["turned"] = at
        if status != "proposed":
            values["invited"] = ""
        if not running:  # else every letter would rewrite the search's indexes
            values["result"] = result
        self._connection.execute(_UPDATE_GAME, values)
        if not running:
            self._connection.execute(update(SEATS).where(SEATS.c.game == number).values(done=True))
            self._connection.execute(update(WATCHES).where(WATCHES.c.game == number).values(over=True))

    def add_seat(self, game: int, seat: Seat, player: int) -> None:
        """Seat a player."""
        self._connection.execute(insert(SEATS).values(game=game, seat=seat, player=player, done=False))

    def replace_player(self, game: int, seat: Seat, player: int, before: int) -> None:
        """Give a seat to another player.

        The first player's thread about the game loses its reply tag, and their pending news of it is dropped.
        The new player is told everything the seat has heard.
        """
        here = SEATS.c.game == game, SEATS.c.seat == seat
        self._connection.execute(update(SEATS).where(*here).values(player=player))
        sat = FORMER_SEATS.c.game == game, FORMER_SEATS.c.player.in_((player, before))
        self._connection.execute(delete(FORMER_SEATS).where(*sat))
        self._connection.execute(
            insert(FORMER_SEATS).values(game=game, player=before, seat=seat, until=self._clock.now())
        )
        left = THREADS.c.game == game, THREADS.c.player == before
        self._connection.execute(update(THREADS).where(*left).values(tag=""))
        came = THREADS.c.game == game, THREADS.c.player == player
        self._connection.execute(update(THREADS).where(*came).values(tag="", told=0))
        self._connection.execute(delete(WATCHES).where(WATCHES.c.game == game, WATCHES.c.player == player))
        self._connection.execute(delete(GATHERED).where(GATHERED.c.game == game, GATHERED.c.player == before))
        which = TAGS.c.player == before, TAGS.c.game == game, TAGS.c.purpose == "seat"
        self._tags.revoke_where(*which)

    def set_watched(self, game: int, player: int, *, over: bool) -> None:
        """Record that a player watches a game from now on, or no longer."""
        which = WATCHES.c.game == game, WATCHES.c.player == player
        known = self._connection.execute(update(WATCHES).where(*which).values(over=over))
        if not known.rowcount:
            self._connection.execute(insert(WATCHES).values(game=game, player=player, over=over))

    def has_seat(self, player: int) -> bool:
        """Return whether a player has a seat in any game, or had one at its end."""
        seat = select(SEATS.c.game).where(SEATS.c.player == player).limit(1)
        return self._connection.execute(seat).first() is not None

    def forget_invited(self, address: str) -> None:
        """Remove an address from the proposals that name it as the opponent's."""
        named = GAMES.c.status == "proposed", func.lower(GAMES.c.invited) == address.lower()
        self._connection.execute(update(GAMES).where(*named).values(invited=""))


def _read_games(rows: Iterable[Row[Any]]) -> Iterable[StoredGame]:
    """Combine the rows of `_GAMES` into games: a row for each seat, or one without seats."""
    for _, of_game in itertools.groupby(rows, key=lambda row: row.number):
        seats = {}
        for row in of_game:
            if row.seat is not None:
                seats[Seat(row.seat)] = row.player
        yield StoredGame(
            row.number,
            row.rules,
            row.title,
            row.status,
            row.last_event,
            row.proposed_by,
            row.proposed_to,
            row.created,
            row.ended,
            seats,
            row.invited,
            row.competition,
            row.outline,
            row.result,
        )


def _within(competitions: Collection[int] | None) -> ColumnElement[bool]:
    """Return the condition that a game is of these tournaments; None: of any, or of none."""
    return true() if competitions is None else GAMES.c.competition.in_(sorted(competitions))
