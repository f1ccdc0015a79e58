"""Umpires' actions by letter: those to be confirmed, and those in all games of a tournament."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import delete, insert, or_, select, true, update

from referee.store.repositories.repository import Repository
from referee.store.repositories.tags import Tags
from referee.store.tables import ASKED_ACTIONS, ERRANDS, FORMER_SEATS, GAMES, SEATS
from referee.store.transaction import Transaction
from referee.store.values import AskedAction, Errand


class PendingActions(Repository):
    """Actions that umpires are to confirm by a reply tag."""

    def __init__(self, transaction: Transaction, tags: Tags) -> None:
        super().__init__(transaction)
        self._tags = tags

    def ask(
        self, tag: str, player: int, line: str, stands: Mapping[int, str], newcomer: int | None = None
    ) -> None:
        """Store an action that an umpire is to confirm by a tag; see AskedDeed."""
        written = json.dumps({str(game): said for game, said in stands.items()})
        kept = insert(ASKED_ACTIONS).values(
            tag=tag, player=player, line=line, stands=written, newcomer=newcomer, created=self._clock.now()
        )
        self._connection.execute(kept)

    def get(self, tag: str) -> AskedAction | None:
        """Return the action to be confirmed by a tag, None when it is outdated."""
        found = ASKED_ACTIONS.c
        row = self._connection.execute(
            select(found.player, found.line, found.stands, found.created, found.newcomer).where(
                found.tag == tag
            )
        ).first()
        if row is None:
            return None
        stands = {int(game): said for game, said in json.loads(row.stands).items()}
        return AskedAction(row.player, row.line, stands, row.created, row.newcomer)

    def drop(self, tag: str) -> None:
        """Withdraw the action to be confirmed by a tag."""
        self._drop(tag)
        self._tags.revoke(tag)

    def forget(self, player: int) -> None:
        """Delete the requests of a departing player, and questions that may name them."""
        of_him = or_(ASKED_ACTIONS.c.player == player, ASKED_ACTIONS.c.newcomer == player)
        self._connection.execute(delete(ASKED_ACTIONS).where(of_him))
        sits = select(SEATS.c.game).where(SEATS.c.player == player)
        sat = select(FORMER_SEATS.c.game).where(FORMER_SEATS.c.player == player)
        his = {str(game) for game in self._connection.execute(sits.union(sat)).scalars()}
        for tag, stands in self._connection.execute(
            select(ASKED_ACTIONS.c.tag, ASKED_ACTIONS.c.stands)
        ).all():
            if his & json.loads(stands).keys():
                self._drop(tag)
        self._connection.execute(delete(ERRANDS).where(ERRANDS.c.player == player))

    def erase_stale(self, before: datetime) -> None:
        """Delete unconfirmed requests from before a time: they may name people."""
        self._connection.execute(delete(ASKED_ACTIONS).where(ASKED_ACTIONS.c.created < before))

    def _drop(self, tag: str) -> None:
        self._connection.execute(delete(ASKED_ACTIONS).where(ASKED_ACTIONS.c.tag == tag))


class BulkActions(Repository):
    """Actions in all games of a tournament, one game after the other."""

    def begin(self, competition: int, player: int, line: str) -> None:
        """Store an action for all games of a tournament."""
        begun = insert(ERRANDS).values(
            competition=competition, player=player, line=line, after=0, done="[]", created=self._clock.now()
        )
        self._connection.execute(begun)

    def next(self, player: int | None = None) -> Errand | None:
        """Return the oldest unfinished bulk action, locked. player: whose, None for anybody's."""
        found = ERRANDS.c
        row = self._connection.execute(
            select(
                found.number,
                found.competition,
                found.player,
                found.line,
                found.after,
                found.done,
                found.created,
            )
            .where(true() if player is None else found.player == player)
            .order_by(found.number)
            .limit(1)
            .with_for_update(skip_locked=True)
        ).first()
        if row is None:
            return None
        return Errand(
            row.number,
            row.competition,
            row.player,
            row.line,
            row.after,
            tuple(json.loads(row.done)),
            row.created,
        )

    def next_playing(self, competition: int, after: int) -> int | None:
        """Return the next running game of a tournament after a number; None after the last."""
        asked = select(GAMES.c.number).where(
            GAMES.c.competition == competition, GAMES.c.status == "playing", GAMES.c.number > after
        )
        found: int | None = self._connection.execute(asked.order_by(GAMES.c.number).limit(1)).scalar()
        return found

    def keep_progress(self, errand: Errand) -> None:
        """Store the progress of a bulk action."""
        which = update(ERRANDS).where(ERRANDS.c.number == errand.number)
        self._connection.execute(which.values(after=errand.after, done=json.dumps(list(errand.done))))

    def end(self, number: int) -> None:
        """Delete a finished bulk action."""
        self._connection.execute(delete(ERRANDS).where(ERRANDS.c.number == number))
