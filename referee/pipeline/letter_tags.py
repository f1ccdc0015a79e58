"""The reply tags of ours that a letter was written to, and what they say of it."""

from __future__ import annotations

import re

from referee.games.player import Player
from referee.mail.message.message import Letter
from referee.store.repositories.tags import TagQueries
from referee.store.values import Tag

_TAG = re.compile(r"[a-z0-9]{16,}")
_NAME_A_GAME = ("seat", "watch", "hold")
"""What a tag is for which names the game of a letter, whosever it is."""
UNSUBSCRIBE_PREFIX = "off-"
"""Before a reply tag in the address that mail programs write to when somebody wants fewer letters."""


class LetterTags:
    """Looks up the tags of letters."""

    def __init__(self, tags: TagQueries) -> None:
        self._tags = tags

    def valid(self, letter: Letter) -> list[Tag]:
        """Return the reply tags of ours that a letter was written to and that still count."""
        return [tag for tag in self.all(letter) if not tag.revoked]

    def naming(self, letter: Letter, player: Player) -> list[Tag]:
        """Return the tags that say what a player's letter is about: his own, or where it has none, those of others that
        name a game and ask nobody for a word which only he may say."""
        tags = self.used(letter, player)
        mine = [tag for tag in tags if tag.player == player.number]
        return mine or [tag for tag in tags if tag.purpose in _NAME_A_GAME]

    def used(self, letter: Letter, player: Player | None) -> list[Tag]:
        """Return the tags that still count; in a player's letter to none of these, those of others that count no more.

        Such a letter is not one without a tag: what was meant for another's game is not done in one of his own. A
        former tag of his own makes it one, whatever stands beside it; a stranger has no game in which it could count.
        """
        if (tags := self.valid(letter)) or player is None:
            return tags
        former = self.former(letter)
        return [] if any(tag.player == player.number for tag in former) else former

    def former(self, letter: Letter) -> list[Tag]:
        """Return the reply tags of ours that a letter was written to and that count no more."""
        return [tag for tag in self.all(letter) if tag.revoked]

    def names_a_lost_one(self, letter: Letter) -> bool:
        """Return whether a letter was written to what looks like a reply tag of ours, and to none that is known: that
        of a game which was lost, as by restoring an old backup."""
        return any(map(_TAG.fullmatch, letter.tags)) and not self.all(letter)

    def all(self, letter: Letter) -> list[Tag]:
        """Return the reply tags of ours that a letter was written to, also those that count no more."""
        found = (self._tags.get(text) for text in letter.tags if not text.startswith(UNSUBSCRIBE_PREFIX))
        return [tag for tag in found if tag is not None]

    def silencing(self, letter: Letter) -> list[Tag]:
        """Return the reply tags in whose address for fewer letters a letter was written, revoked or not."""
        texts = (
            text.removeprefix(UNSUBSCRIBE_PREFIX)
            for text in letter.tags
            if text.startswith(UNSUBSCRIBE_PREFIX)
        )
        return [tag for tag in map(self._tags.get, texts) if tag is not None]


def asks_for_fewer(letter: Letter) -> bool:
    """Return whether a mail program wrote a letter since somebody pressed its button to unsubscribe: the address for
    that stands in no other header, so that no program answers to it by itself."""
    return any(text.startswith(UNSUBSCRIBE_PREFIX) for text in letter.tags)
