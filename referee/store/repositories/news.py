"""News that wait for a player's next letter."""

from __future__ import annotations

import json

from sqlalchemy import delete, insert, select

from referee.store.repositories.repository import Repository
from referee.store.tables import GAMES, GATHERED
from referee.store.values import Gathered


class NewsQueries(Repository):
    """Queries about waiting news."""

    def texts(self, player: int, game: int) -> set[int]:
        """Return the numbers of players' texts that an observer of a game is yet to be sent."""
        which = GATHERED.c.player == player, GATHERED.c.game == game, GATHERED.c.code == "overheard"
        rows = self._connection.execute(select(GATHERED.c.facts).where(*which)).scalars()
        return {int(json.loads(facts)["text"]) for facts in rows}


class News(NewsQueries):
    """The waiting news."""

    def add(self, player: int, news: Gathered) -> None:
        """Store news for a player's next letter."""
        facts = json.dumps({**news.facts, "who": news.who} if news.who is not None else dict(news.facts))
        self._connection.execute(
            insert(GATHERED).values(
                player=player, game=news.game, code=news.code, facts=facts, at=self._clock.now()
            )
        )

    def drop(self, player: int, game: int, code: str) -> None:
        """Delete news of a kind about a game for a player who does not want them."""
        which = GATHERED.c.player == player, GATHERED.c.game == game, GATHERED.c.code == code
        self._connection.execute(delete(GATHERED).where(*which))

    def take(self, player: int, game: int | None = None) -> list[Gathered]:
        """Return the news gathered for a player, oldest first, and delete them.

        game: about this one; 0 for all that are not being played; None for all.
        """
        which = [GATHERED.c.player == player]
        if game:
            which.append(GATHERED.c.game == game)
        elif game is not None:
            over = select(GAMES.c.number).where(GAMES.c.status != "playing")
            which.append(GATHERED.c.game.in_(over))
        rows = self._connection.execute(
            select(GATHERED.c.game, GATHERED.c.code, GATHERED.c.facts)
            .where(*which)
            .order_by(GATHERED.c.number)
        ).all()
        if rows:
            self._connection.execute(delete(GATHERED).where(*which))
        told = []
        for about, code, written in rows:
            facts = json.loads(written)
            who = facts.pop("who") if isinstance(facts.get("who"), int) else None
            told.append(Gathered(about, code, facts, who))
        return told

    def forget(self, player: int) -> None:
        """Delete all news for a player."""
        self._connection.execute(delete(GATHERED).where(GATHERED.c.player == player))
