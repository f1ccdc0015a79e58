"""Our letters that did not arrive, or perhaps did not."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, func, literal_column, or_, select, update

from referee.store.repositories.repository import Repository
from referee.store.tables import OUTGOING, PERSONS
from referee.store.undelivered import Unreached, unreached
from referee.store.values import SentLetter

_RETURNED = (
    select(OUTGOING.c.game, OUTGOING.c.number)
    .where(
        OUTGOING.c.player == bindparam("who"),
        OUTGOING.c.returned.is_not(None),
        OUTGOING.c.number.is_not(None),
    )
    .order_by(OUTGOING.c.id.desc())
    .limit(bindparam("most"))
)
_SENT_COLUMNS = (
    OUTGOING.c.message_id,
    OUTGOING.c.kind,
    OUTGOING.c.game,
    OUTGOING.c.player,
    OUTGOING.c.seat,
    OUTGOING.c.number,
    OUTGOING.c.recipient,
    OUTGOING.c.created,
)
"""The columns of a SentLetter, in order."""
_REFUSED = (
    select(*_SENT_COLUMNS, OUTGOING.c.answer, OUTGOING.c.tries)
    .where(OUTGOING.c.state == literal_column("'refused'"), OUTGOING.c.returned.is_(None))
    .order_by(OUTGOING.c.id)
    .limit(bindparam("most"))
)
_PUT_OFF = (
    select(*_SENT_COLUMNS, OUTGOING.c.answer)
    .where(OUTGOING.c.state == literal_column("'queued'"), OUTGOING.c.tries >= bindparam("tries"))
    .order_by(OUTGOING.c.next_try, OUTGOING.c.id)
    .limit(bindparam("most"))
)
_PERHAPS_TAKEN = (
    select(*_SENT_COLUMNS)
    .where(OUTGOING.c.state == literal_column("'queued'"), OUTGOING.c.uncertain >= bindparam("times"))
    .order_by(OUTGOING.c.next_try, OUTGOING.c.id)
    .limit(bindparam("most"))
)
_newest = OUTGOING.alias("newest")
_RETURNED_ONCE = (
    select(OUTGOING.c.player, OUTGOING.c.game, OUTGOING.c.number, OUTGOING.c.message_id)
    .join_from(PERSONS, OUTGOING, OUTGOING.c.player == PERSONS.c.player)
    .where(
        PERSONS.c.returns > literal_column("0"),
        PERSONS.c.unreachable.is_(None),
        or_(OUTGOING.c.returned < bindparam("before"), OUTGOING.c.returned > bindparam("until")),
        OUTGOING.c.id
        == select(func.max(_newest.c.id)).where(_newest.c.player == PERSONS.c.player).scalar_subquery(),
        OUTGOING.c.number.is_not(None),
    )
    .limit(bindparam("most"))
)


class DeliveryQueries(Repository):
    """Queries about our undelivered letters."""

    def returned(self, player: int, limit: int) -> list[tuple[int, int]]:
        """Return the newest undelivered letters to a player, oldest first: game (0: none) and number."""
        rows = self._connection.execute(_RETURNED, {"who": player, "most": limit})
        return [(game or 0, number) for game, number in rows][::-1]

    def returned_once(self, before: datetime, limit: int) -> list[tuple[int, int, int, str]]:
        """Return letters that bounced before a time and were the last to players who are not given up.

        Each has player, game (0: none), number and Message-ID.
        """
        asked = {"before": before, "until": self._transaction.present(), "most": limit}
        rows = self._connection.execute(_RETURNED_ONCE, asked)
        return [(player, game or 0, number, lost) for player, game, number, lost in rows]

    def refused(self, limit: int) -> list[tuple[SentLetter, str, int]]:
        """Return unprocessed letters that a mail host refused for good, with its answer, and the tries."""
        rows = self._connection.execute(_REFUSED, {"most": limit})
        return [(SentLetter(*sent), answer, tries) for *sent, answer, tries in rows]

    def unreached(self) -> tuple[Unreached, ...]:
        """Return the games whose newest letters reached none of their players."""
        return unreached(self._connection)

    def perhaps_taken(self, times: int, limit: int) -> list[SentLetter]:
        """Return letters that wait for another try and were perhaps accepted this often, oldest first."""
        rows = self._connection.execute(_PERHAPS_TAKEN, {"times": times, "most": limit})
        return [SentLetter(*row) for row in rows]

    def put_off(self, tries: int, limit: int) -> list[tuple[SentLetter, str]]:
        """Return letters that a mail host has refused temporarily at least `tries` times, with its answer."""
        rows = self._connection.execute(_PUT_OFF, {"tries": tries, "most": limit})
        return [(SentLetter(*sent), answer) for *sent, answer in rows]


class Deliveries(DeliveryQueries):
    """Our undelivered letters."""

    def mark_returned(self, message_id: str) -> bool:
        """Record that a letter did not arrive; return whether that is news. message_id: as in OutboxQueries.get."""
        marked = self._connection.execute(
            update(OUTGOING)
            .where(
                or_(OUTGOING.c.message_id == message_id, OUTGOING.c.renamed == message_id),
                OUTGOING.c.returned.is_(None),
            )
            .values(returned=self._clock.now())
        )
        return marked.rowcount > 0

    def post_again(self, message_id: str, at: datetime) -> None:
        """Queue a refused or bounced letter again, to be tried `at`: the same bytes as before."""
        self._connection.execute(
            update(OUTGOING)
            .where(OUTGOING.c.message_id == message_id, OUTGOING.c.state.in_(("refused", "sent")))
            .values(state="queued", next_try=at, returned=None)
        )
