"""The reply tags that a letter was sent to, and what they say about it."""

from __future__ import annotations

import re

from referee.games.player import Player
from referee.mail.message.message import Letter
from referee.store.repositories.tags import TagQueries
from referee.store.values import Tag

_TAG = re.compile(r"[a-z0-9]{16,}")
_NAME_A_GAME = ("seat", "watch", "hold")
"""The purposes of tags that name a letter's game, no matter who owns the tag."""
UNSUBSCRIBE_PREFIX = "off-"
"""Precedes a reply tag in the address that mail programs write to when somebody wants fewer letters."""


class LetterTags:
    """Looks up the tags of letters."""

    def __init__(self, tags: TagQueries) -> None:
        self._tags = tags

    def valid(self, letter: Letter) -> list[Tag]:
        """Return the valid reply tags that a letter was sent to."""
        return [tag for tag in self.all(letter) if not tag.revoked]

    def naming(self, letter: Letter, player: Player) -> list[Tag]:
        """Return the tags that say what a player's letter is about.

        They are the player's own or, where there are none, those of others that name a game and don't ask for
        a word which only their owner may say.
        """
        tags = self.used(letter, player)
        mine = [tag for tag in tags if tag.player == player.number]
        return mine or [tag for tag in tags if tag.purpose in _NAME_A_GAME]

    def used(self, letter: Letter, player: Player | None) -> list[Tag]:
        """Return the valid tags; in a player's letter without any, the revoked tags of others.

        Such a letter does not count as one without a tag: what was meant for another's game is not done in
        one of the player's own. With a former tag of their own it does, whatever other tags there are. A
        stranger has no game in which it could count.
        """
        if (tags := self.valid(letter)) or player is None:
            return tags
        former = self.former(letter)
        return [] if any(tag.player == player.number for tag in former) else former

    def former(self, letter: Letter) -> list[Tag]:
        """Return the revoked reply tags that a letter was sent to."""
        return [tag for tag in self.all(letter) if tag.revoked]

    def names_a_lost_one(self, letter: Letter) -> bool:
        """Return whether a letter was sent to what looks like a reply tag, and to none that is known.

        The tag's game may have been lost, for instance by restoring an old backup.
        """
        return any(map(_TAG.fullmatch, letter.tags)) and not self.all(letter)

    def all(self, letter: Letter) -> list[Tag]:
        """Return the reply tags that a letter was sent to, including revoked ones."""
        found = (self._tags.get(text) for text in letter.tags if not text.startswith(UNSUBSCRIBE_PREFIX))
        return [tag for tag in found if tag is not None]

    def silencing(self, letter: Letter) -> list[Tag]:
        """Return the reply tags in the address for fewer letters that a letter was sent to, revoked or not."""
        texts = (
            text.removeprefix(UNSUBSCRIBE_PREFIX)
            for text in letter.tags
            if text.startswith(UNSUBSCRIBE_PREFIX)
        )
        return [tag for tag in map(self._tags.get, texts) if tag is not None]


def asks_for_fewer(letter: Letter) -> bool:
    """Return whether a mail program wrote a letter because somebody pressed its unsubscribe button.

    The address for that is in no other header, so no program writes to it by itself.
    """
    return any(text.startswith(UNSUBSCRIBE_PREFIX) for text in letter.tags)
