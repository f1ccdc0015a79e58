"""The event logs of games."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import bindparam, func, insert, literal_column, select

from referee.common.errors import GameUnreadable
from referee.games.events import (
    DAMAGED,
    Countered,
    EndOffered,
    OfferWithdrawn,
    Opened,
    PlanDropped,
    Planned,
    Proposed,
    ResignationAsked,
    ResignationDropped,
    Ruled,
    TakenBack,
    read_event,
)
from referee.rulebooks.rulebook import Json
from referee.store.repositories.repository import Repository
from referee.store.tables import EVENTS, LETTERS
from referee.store.values import StoredEvent

_EVENTS = (
    select(EVENTS.c.number, EVENTS.c.kind, EVENTS.c.at, EVENTS.c.body, EVENTS.c.letter)
    .where(EVENTS.c.game == bindparam("which"), EVENTS.c.number > bindparam("after"))
    .order_by(EVENTS.c.number)
)
_CAUSES = (
    select(EVENTS.c.letter)
    .where(EVENTS.c.game == bindparam("which"), EVENTS.c.letter.is_not(None))
    .group_by(EVENTS.c.letter)
    .order_by(func.max(EVENTS.c.number).desc())
    .limit(bindparam("most"))
)
_MOVED_SINCE = (
    select(EVENTS.c.number)
    .join_from(EVENTS, LETTERS, EVENTS.c.letter == LETTERS.c.number)
    .where(
        EVENTS.c.game == bindparam("which"),
        EVENTS.c.kind == literal_column(f"'{Ruled.__name__}'"),
        func.coalesce(LETTERS.c.again, LETTERS.c.number) > bindparam("letter"),
    )
    .limit(1)
)
_CHANGES = (
    Proposed,
    Countered,
    Opened,
    Ruled,
    EndOffered,
    OfferWithdrawn,
    Planned,
    PlanDropped,
    ResignationAsked,
    ResignationDropped,
)
"""After these events, what can be accepted or taken back differs from before."""
_CHANGED_SINCE = (
    select(EVENTS.c.number)
    .join_from(EVENTS, LETTERS, EVENTS.c.letter == LETTERS.c.number)
    .where(
        EVENTS.c.game == bindparam("which"),
        EVENTS.c.kind.in_([literal_column(f"'{kind.__name__}'") for kind in _CHANGES]),
        func.coalesce(LETTERS.c.again, LETTERS.c.number) > bindparam("letter"),
    )
    .limit(1)
)
_TURN_SINCE = (
    select(EVENTS.c.at)
    .where(
        EVENTS.c.game == bindparam("which"),
        EVENTS.c.kind.in_([literal_column(f"'{kind.__name__}'") for kind in (Ruled, TakenBack, Opened)]),
    )
    .order_by(EVENTS.c.number.desc())
    .limit(1)
)
_APPEND = insert(EVENTS)


class EventQueries(Repository):
    """Queries about events of games."""

    def of_game(self, game: int, after: int = 0) -> list[StoredEvent]:
        """Return the events of a game, oldest first; `after` leaves out the events up to that number.

        Raises GameUnreadable when one of them is damaged.
        """
        rows = self._connection.execute(_EVENTS, {"which": game, "after": after})
        try:
            return [
                StoredEvent(number, kind, at, json.loads(body), by) for number, kind, at, body, by in rows
            ]
        except (ValueError, RecursionError) as error:
            raise GameUnreadable(game, error) from error

    def causes(self, game: int, limit: int) -> list[int]:
        """Return the numbers of the newest letters that caused an event in a game, oldest first."""
        return list(self._connection.execute(_CAUSES, {"which": game, "most": limit}).scalars())[::-1]

    def moved_since(self, game: int, letter: int) -> bool:
        """Return whether an order that came in, or was processed again, after a letter was adjudicated in a
        game.

        The letters' numbers decide, since the mailbox has another clock than this machine, and either may be
        set.
        """
        return self._connection.execute(_MOVED_SINCE, {"which": game, "letter": letter}).first() is not None

    def changed_since(self, game: int, letter: int) -> bool:
        """Return whether what can be accepted or taken back in a game has changed since a letter; see
        `moved_since`.

        These are its terms, its turn, an offer, a plan, a resignation that was asked about.
        """
        return self._connection.execute(_CHANGED_SINCE, {"which": game, "letter": letter}).first() is not None

    def turn_since(self, game: int) -> datetime | None:
        """Return since when the side to move is due; None before the game begins.

        It is due since the newest order was adjudicated or taken back, or since the game began.
        """
        at: datetime | None = self._connection.execute(_TURN_SINCE, {"which": game}).scalar()
        return at

    def of_kinds(
        self, dated: Collection[int], others: Collection[int], kinds: Collection[str]
    ) -> dict[int, list[StoredEvent]]:
        """Return events of these kinds of several games, oldest first; those of `others` without their bodies."""
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
            for game, number, kind, at, body in self._connection.execute(asked):
                try:
                    found[game].append(StoredEvent(number, kind, at, json.loads(body), None))
                except (ValueError, RecursionError):
                    damaged.add(game)
        return {game: events for game, events in found.items() if game not in damaged}

    def of_games(self, games: Collection[int]) -> dict[int, list[StoredEvent]]:
        """Return all events of several games, oldest first; none for a damaged game."""
        asked = (
            select(EVENTS.c.game, EVENTS.c.number, EVENTS.c.kind, EVENTS.c.at, EVENTS.c.body, EVENTS.c.letter)
            .where(EVENTS.c.game.in_(sorted(games)))
            .order_by(EVENTS.c.game, EVENTS.c.number)
        )
        found: dict[int, list[StoredEvent]] = {game: [] for game in games}
        damaged = set()
        for game, number, kind, at, body, letter in self._connection.execute(asked) if games else ():
            try:
                found[game].append(StoredEvent(number, kind, at, json.loads(body), letter))
            except (ValueError, RecursionError):
                damaged.add(game)
        return {game: [] if game in damaged else events for game, events in found.items()}

    def damaged(self, games: Collection[int]) -> set[int]:
        """Return those of several games with an unreadable event."""
        asked = select(EVENTS.c.game, EVENTS.c.kind, EVENTS.c.body).where(EVENTS.c.game.in_(sorted(games)))
        found = set()
        for game, kind, body in self._connection.execute(asked) if games else ():
            try:
                read_event(kind, json.loads(body))
            except DAMAGED:
                found.add(game)
        return found


class Events(EventQueries):
    """The event logs of games."""

    def append(
        self,
        game: int,
        events: Sequence[tuple[int, str, Json]],
        *,
        at: datetime,
        letter: int | None = None,
    ) -> None:
        """Append events to a game, each with its number, kind and body (plain data).

        Raises Contested when they do not follow the last event: another process has appended meanwhile.
        """
        self._connection.execute(
            _APPEND,
            [
                {
                    "game": game,
                    "number": number,
                    "kind": kind,
                    "at": at,
                    "body": json.dumps(body, separators=(",", ":")),
                    "letter": letter,
                }
                for number, kind, body in events
            ],
        )
