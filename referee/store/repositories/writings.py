"""Players' texts during a game other than moves."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import bindparam, delete, insert, select

from referee.store.repositories.repository import Repository
from referee.store.tables import WRITINGS
from referee.store.values import Writing, WritingKind

_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_WRITTEN = (
    select(
        WRITINGS.c.number,
        WRITINGS.c.game,
        WRITINGS.c.player,
        WRITINGS.c.kind,
        WRITINGS.c.turn,
        WRITINGS.c.at,
        WRITINGS.c.text,
    )
    .where(
        WRITINGS.c.game == bindparam("which"),
        WRITINGS.c.kind == bindparam("kind"),
        WRITINGS.c.at > bindparam("since"),
    )
    .order_by(WRITINGS.c.number)
)


class WritingQueries(Repository):
    """Queries about texts other than moves."""

    def of_kind(self, game: int, kind: WritingKind, since: datetime | None = None) -> list[Writing]:
        """Return both players' texts of a kind in a game, oldest first. since: leave out older ones."""
        asked = {"which": game, "kind": kind, "since": since or _LONG_AGO}
        return [Writing(*row) for row in self._connection.execute(_WRITTEN, asked)]


class Writings(WritingQueries):
    """Texts other than moves."""

    def add(self, game: int, player: int, kind: WritingKind, turn: int, text: str) -> int:
        """Store a player's text during a game; return its number."""
        return self._transaction.insert(
            insert(WRITINGS), game=game, player=player, kind=kind, turn=turn, at=self._clock.now(), text=text
        )

    def forget(self, player: int) -> None:
        """Erase a player's texts."""
        self._connection.execute(delete(WRITINGS).where(WRITINGS.c.player == player))
