"""Reply tags and threads: how an answer finds what it is about."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from types import ModuleType
from typing import Any

from sqlalchemy import ColumnElement, bindparam, func, insert, literal_column, select, update
from sqlalchemy.dialects import postgresql, sqlite

from referee.store import letter_ordering
from referee.store.repositories.repository import Repository
from referee.store.tables import TAGS, THREADS
from referee.store.transaction import Transaction
from referee.store.values import Purpose, Tag, Thread

_TAG = select(
    TAGS.c.tag,
    TAGS.c.purpose,
    TAGS.c.player,
    TAGS.c.game,
    TAGS.c.letter,
    TAGS.c.revoked.is_not(None),
    TAGS.c.created,
).where(TAGS.c.tag == bindparam("which"))
_TAGS_SINCE = select(func.count()).where(
    TAGS.c.player == bindparam("who"),
    TAGS.c.purpose == bindparam("purpose"),
    TAGS.c.created.between(bindparam("since"), bindparam("until")),
)
_QUESTIONS = select(func.count()).where(
    TAGS.c.player == bindparam("who"),
    TAGS.c.purpose.in_([literal_column(f"'{purpose}'") for purpose in ("hold", "address", "bye", "deed")]),
    TAGS.c.revoked.is_(None),
    TAGS.c.created.between(bindparam("since"), bindparam("until")),
)
_THREAD = select(
    THREADS.c.letters,
    THREADS.c.told,
    THREADS.c.tag,
    THREADS.c.root,
    THREADS.c.last,
    THREADS.c.resent,
    THREADS.c.entries,
    THREADS.c.entered,
).where(THREADS.c.player == bindparam("who"), THREADS.c.game == bindparam("which"))
_THREAD_LOCKED = _THREAD.with_for_update()


def _save_thread(dialect: ModuleType) -> Any:
    """Return the statement that inserts or changes a thread, in a database's own dialect."""
    inserting = dialect.insert(THREADS)
    changed = {
        name: inserting.excluded[name]
        for name in ("letters", "told", "tag", "root", "last", "resent", "entries", "entered")
    }
    return inserting.on_conflict_do_update(index_elements=["player", "game"], set_=changed)


_SAVE_THREAD = {"sqlite": _save_thread(sqlite), "postgresql": _save_thread(postgresql)}


class TagQueries(Repository):
    """Queries about reply tags; several steps of a letter's way ask about the same one."""

    def __init__(self, transaction: Transaction) -> None:
        super().__init__(transaction)
        self._read: dict[str, Tag | None] = {}

    def get(self, text: str) -> Tag | None:
        """Return what a reply tag is about, revoked or not; None when it is none of ours."""
        found = self._find(text)
        if found is not None and found.game is not None:
            self._transaction.reserve(letter_ordering.game(found.game))
        return found

    def forget_known(self) -> None:
        """Clear the tags read up to now."""
        self._read.clear()

    def _find(self, text: str) -> Tag | None:
        if text not in self._read:
            row = self._connection.execute(_TAG, {"which": text}).first()
            self._read[text] = None if row is None else Tag(*row)
        return self._read[text]

    def own(self, player: int, texts: Collection[str]) -> list[Tag]:
        """Return those of some reply tags that were made for a player, revoked or not; no game is reserved for it."""
        return [tag for tag in map(self._find, texts) if tag is not None and tag.player == player]

    def held_since(self, player: int, since: datetime) -> bool:
        """Return whether a player was asked since then about a letter in their name."""
        return self.count_since(player, "hold", since) > 0

    def count_since(self, player: int, purpose: Purpose, since: datetime) -> int:
        """Return how many reply tags of a purpose were made for a player since then."""
        asked = {"who": player, "purpose": purpose, "since": since, "until": self._transaction.present()}
        return self._connection.execute(_TAGS_SINCE, asked).scalar_one()

    def awaits_confirmation(self, player: int, since: datetime) -> bool:
        """Return whether a player was asked since then to confirm something that is about no game.

        That is letters in their name, an address, or that they leave.
        """
        asked = {"who": player, "since": since, "until": self._transaction.present()}
        return self._connection.execute(_QUESTIONS, asked).scalar_one() > 0


class Tags(TagQueries):
    """The reply tags."""

    def add(
        self, text: str, purpose: Purpose, *, player: int, game: int | None = None, letter: int | None = None
    ) -> None:
        """Store a new reply tag and what it is about."""
        self.forget_known()
        self._connection.execute(
            insert(TAGS).values(
                tag=text, purpose=purpose, player=player, game=game, letter=letter, created=self._clock.now()
            )
        )

    def revoke(self, text: str) -> None:
        """Revoke a reply tag."""
        self.revoke_where(TAGS.c.tag == text)

    def revoke_all(self, player: int) -> None:
        """Revoke all reply tags of a player."""
        self.revoke_where(TAGS.c.player == player)

    def revoke_where(self, *which: ColumnElement[bool]) -> None:
        """Revoke the reply tags that meet all these conditions."""
        self.forget_known()
        self._connection.execute(
            update(TAGS).where(TAGS.c.revoked.is_(None), *which).values(revoked=self._clock.now())
        )


class ThreadQueries(Repository):
    """Queries about threads: a player's letters about one game."""

    def get(self, player: int, game: int) -> Thread:
        """Return a player's letters about a game (0: about none); in a unit of work they are locked."""
        asked = _THREAD_LOCKED if self._transaction.locks else _THREAD
        row = self._connection.execute(asked, {"who": player, "which": game}).first()
        if row is None:
            return Thread(player, game)
        letters, told, tag, root, last, *others = row
        return Thread(player, game, letters, told, tag, root, tuple(last.split()), *others)


class Threads(ThreadQueries):
    """The threads."""

    def save(self, thread: Thread) -> None:
        """Store the state of a player's thread about a game."""
        self._connection.execute(
            _SAVE_THREAD[self._connection.dialect.name],
            {
                "player": thread.player,
                "game": thread.game,
                "letters": thread.letters,
                "told": thread.told,
                "tag": thread.tag,
                "root": thread.root,
                "last": " ".join(thread.last),
                "resent": thread.resent,
                "entries": thread.entries,
                "entered": thread.entered,
            },
        )
