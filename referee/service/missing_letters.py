"""Letters that lie in the mailbox and that it does not hand over: when each is asked for again.

They are asked for when all others have come in, one at a time, so that they keep nobody waiting. One that was asked for
several times, by whatever process, is set aside; it stays where it lies, and is heard when it can be had at last.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from referee.common.clock import steady
from referee.mail.message.message import RawLetter
from referee.store.database import Store
from referee.store.values import Identity, identity

MOST_TRIES = 3
"""How often a letter is asked for before it is set aside."""
TRIED_EVERY, SET_ASIDE_EVERY = 10.0, 3600.0
"""Seconds after which a letter is asked for again: until it is set aside, and from then on."""


@dataclass(slots=True)
class _Missing:
    """A letter that was not handed over. at: when it is asked for again (steady seconds)."""

    letter: RawLetter
    at: float
    on_trial: bool


class MissingLetters:
    """What one process knows of them; that of others is read when it begins."""

    def __init__(self, store: Store, ticks: Callable[[], float] = steady) -> None:
        self._store = store
        self._ticks = ticks
        self._known: dict[Identity, _Missing] | None = None
        self.once = False
        """Whether none is asked for again by this process, however long it takes."""
        self.tried: set[Identity] = set()
        """Those on trial that this process has asked for in vain."""

    @property
    def _missing(self) -> dict[Identity, _Missing]:
        if self._known is None:
            on_trial, recorded = self._store.incoming.missing()
            self._known = {where: _Missing(_at(where), 0.0, on_trial=False) for where in recorded}
            self._known |= {where: _Missing(_at(where), 0.0, on_trial=True) for where in on_trial}
        return self._known

    @property
    def any_on_trial(self) -> bool:
        """Whether there is one that may still be handed over before it is set aside."""
        return any(each.on_trial for each in self._missing.values())

    def all(self) -> list[RawLetter]:
        """Return all of them, without content."""
        return [each.letter for each in self._missing.values()]

    def resting(self) -> list[RawLetter] | None:
        """Return those whose time has not come yet; None when no other's has."""
        now = self._ticks()
        resting = [each.letter for each in self._missing.values() if each.at > now]
        return None if len(resting) == len(self._missing) else resting

    def gone(self) -> None:
        """Keep that none of those whose time has come lies in the mailbox any more."""
        now = self._ticks()
        for where, each in list(self._missing.items()):
            if each.at <= now and each.on_trial:
                self._store.incoming.handed_over(each.letter)
                self._forget(where)
            elif each.at <= now:
                each.at = self._next(SET_ASIDE_EVERY)

    def sort_out(self, letters: Sequence[RawLetter]) -> list[RawLetter]:
        """Return which of these letters are to be recorded now: those that were handed over, and those without content
        that were asked for often enough."""
        return [letter for letter in letters if self._is_due(letter)]

    def _is_due(self, letter: RawLetter) -> bool:
        where = identity(letter)
        known = self._missing.get(where)
        if letter.content is not None:
            if known is not None:
                self._store.incoming.handed_over(letter)
                self._forget(where)
            return True
        if known is not None and not known.on_trial:
            known.at = self._next(SET_ASIDE_EVERY)
            return False
        often = self._store.incoming.not_handed_over(letter, MOST_TRIES)
        at = self._next(SET_ASIDE_EVERY if often else TRIED_EVERY)
        self._missing[where] = _Missing(letter, at, on_trial=not often)
        (self.tried.discard if often else self.tried.add)(where)
        return often

    def _next(self, seconds: float) -> float:
        """Return when to ask again after so many seconds."""
        return math.inf if self.once else self._ticks() + seconds

    def _forget(self, where: Identity) -> None:
        del self._missing[where]
        self.tried.discard(where)


def _at(where: Identity) -> RawLetter:
    """Return a letter of which nothing is known but where it lies."""
    mailbox, uidvalidity, uid = where
    return RawLetter(mailbox, uidvalidity, uid, datetime.fromtimestamp(0, UTC), 0, None)
