"""The comments in a game's record: what was written, its cases, and umpires' actions."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import bindparam, func, select

from referee.common.errors import GameUnreadable
from referee.games.events import DAMAGED, read_event
from referee.games.umpire_log import acts_beside_the_moves, rulings_among
from referee.reports.comments import Comment, comments_on
from referee.rulebooks.rulebook import Rulebook, Seat
from referee.store.repositories.cases import CaseQueries
from referee.store.repositories.events import EventQueries
from referee.store.repositories.repository import Repository
from referee.store.tables import FORMER_SEATS, SEATS, WRITINGS
from referee.store.transaction import Transaction

_COMMENTS = (
    select(
        WRITINGS.c.number,
        WRITINGS.c.kind,
        func.coalesce(SEATS.c.seat, FORMER_SEATS.c.seat, "").label("seat"),
        WRITINGS.c.turn,
        WRITINGS.c.at,
        WRITINGS.c.text,
        SEATS.c.seat.is_(None).label("former"),
    )
    .outerjoin_from(
        WRITINGS, SEATS, (SEATS.c.game == WRITINGS.c.game) & (SEATS.c.player == WRITINGS.c.player)
    )
    .outerjoin(
        FORMER_SEATS,
        (FORMER_SEATS.c.game == WRITINGS.c.game) & (FORMER_SEATS.c.player == WRITINGS.c.player),
    )
    .where(WRITINGS.c.game == bindparam("which"), WRITINGS.c.kind.in_(("press", "diary", "ruling")))
    .order_by(WRITINGS.c.number)
)


class CommentQueries(Repository):
    """The comments in a game's record."""

    def __init__(self, transaction: Transaction, events: EventQueries, cases: CaseQueries) -> None:
        super().__init__(transaction)
        self._events = events
        self._cases = cases

    def of_game(self, game: int) -> list[Comment]:
        """Return all comments of a game by either player and in its cases, oldest first; see `readable_by`."""
        return [comment for _, comment in self._numbered(game)]

    def _numbered(self, game: int) -> list[tuple[int, Comment]]:
        """Return the same, each with its number."""
        rows = self._connection.execute(_COMMENTS, {"which": game})
        found = [
            (number, Comment(kind, seat, turn, at, text, former=former))
            if kind != "ruling"  # by an officer, who has no seat
            else (number, Comment(kind, Seat(""), turn, at, text))
            for number, kind, seat, turn, at, text, former in rows
        ]
        found += self._cases.comments(game)
        return sorted(found, key=lambda each: each[0])

    def beside_the_moves(self, game: int, rulebook: Rulebook) -> list[Comment]:
        """Return all comments in a game's record, oldest first: those of `of_game`, and umpires' actions.

        See `readable_by`. Raises GameUnreadable.
        """
        try:
            events = [(each.at, read_event(each.kind, each.body)) for each in self._events.of_game(game)]
            acts, rulings = (
                comments_on(acts_beside_the_moves(events, rulebook)),
                rulings_among(events, rulebook),
            )
        except DAMAGED as error:
            raise GameUnreadable(game, error) from error
        written = [replace(each, heard=rulings.get(number, 0)) for number, each in self._numbered(game)]
        return sorted([*written, *acts], key=lambda each: each.at)
