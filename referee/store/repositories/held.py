"""Letters that are held until the player in whose name they are confirms them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import bindparam, literal_column, select, update

from referee.store.overview_values import Waits
from referee.store.repositories.repository import Repository
from referee.store.tables import LETTER_CONTENTS, LETTERS, PERSONS
from referee.store.values import HeldLetter, Tag

_HELD = select(
    LETTERS.c.number,
    LETTERS.c.received,
    LETTERS.c.game,
    LETTER_CONTENTS.c.content,
    LETTERS.c.outcome,
    LETTERS.c.sender,
    LETTERS.c.tagged,
    LETTERS.c.reason,
).outerjoin_from(LETTERS, LETTER_CONTENTS, LETTERS.c.number == LETTER_CONTENTS.c.letter)
_HELD_UNASKED = _HELD.where(
    LETTERS.c.outcome == literal_column("'held'"),
    LETTERS.c.held_for == bindparam("who"),
    LETTERS.c.asked_by.is_(None),
    LETTERS.c.tagged == bindparam("tagged"),
    LETTERS.c.recorded > bindparam("since"),
    LETTER_CONTENTS.c.letter.is_not(None),
).limit(bindparam("most"))
_OLDEST_UNASKED = _HELD_UNASKED.order_by(LETTERS.c.number)
_NEWEST_UNASKED = _HELD_UNASKED.order_by(LETTERS.c.number.desc())
_ASKED_ABOUT = _HELD.where(LETTERS.c.asked_by == bindparam("tag")).order_by(LETTERS.c.number)
_TO_BE_ASKED = (
    select(LETTERS.c.held_for)
    .join_from(LETTERS, PERSONS, LETTERS.c.held_for == PERSONS.c.player)
    .where(
        LETTERS.c.outcome == literal_column("'held'"),
        LETTERS.c.asked_by.is_(None),
        LETTERS.c.recorded > bindparam("since"),
    )
    .distinct()
)


class HeldQueries(Repository):
    """Queries about held letters."""

    def unasked(self, player: int, since: datetime, limit: int) -> list[HeldLetter]:
        """Return letters held for a player and recorded after a time, not yet asked about, oldest first.

        Letters to one of their reply tags come before the others, which get a fifth of the places. Of each
        kind half are the oldest and half the newest. So no flood of forged letters, before or after it, hides
        a genuine one for long.
        """
        found = self._unasked(player, since, limit - limit // 5, tagged=True)
        found += self._unasked(player, since, limit - len(found), tagged=False)
        return sorted(found, key=lambda each: each.number)

    def _unasked(self, player: int, since: datetime, most: int, *, tagged: bool) -> list[HeldLetter]:
        asked = {"who": player, "since": since, "tagged": tagged}
        found = {}
        for ordered, share in ((_OLDEST_UNASKED, (most + 1) // 2), (_NEWEST_UNASKED, most // 2)):
            for row in self._connection.execute(ordered, {**asked, "most": share}):
                found[row.number] = HeldLetter(*row)
        return list(found.values())

    def asked_about(self, tag: Tag) -> list[HeldLetter]:
        """Return the letters that a player was asked about by a tag, oldest first; some may be processed by now."""
        return [HeldLetter(*row) for row in self._connection.execute(_ASKED_ABOUT, {"tag": tag.text})]

    def players_to_ask(self, since: datetime) -> list[int]:
        """Return the players for whom letters are held, recorded after a time, that they were not asked about."""
        return list(self._connection.execute(_TO_BE_ASKED, {"since": since}).scalars())

    def about(self, since: datetime, games: Collection[int] | None) -> list[Waits]:
        """Return the held letters about these games, or any, that were recorded after a time."""
        asked = select(LETTERS.c.game, LETTERS.c.held_for, LETTERS.c.number, LETTERS.c.recorded).where(
            LETTERS.c.held_for.is_not(None),
            LETTERS.c.outcome == "held",
            LETTERS.c.recorded > since,
            LETTERS.c.game.is_not(None),
        )
        wanted = None if games is None else frozenset(games)
        rows = self._connection.execute(asked.order_by(LETTERS.c.number))
        return [Waits(*row) for row in rows if wanted is None or row.game in wanted]


class Held(HeldQueries):
    """The held letters."""

    def mark_tagged(self, letter: int) -> None:
        """Record that a held letter came to a reply tag of the player it is held for."""
        self._connection.execute(update(LETTERS).where(LETTERS.c.number == letter).values(tagged=True))

    def mark_asked(self, letters: Collection[int], tag: str) -> None:
        """Record that a player was asked by a tag about letters held for them."""
        self._connection.execute(update(LETTERS).where(LETTERS.c.number.in_(letters)).values(asked_by=tag))
