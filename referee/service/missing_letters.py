"""Letters that the mailbox lists but does not hand over, and when each is requested again.

They are requested after all others, one at a time, so that they keep nobody waiting. A letter that was
requested several times, by any process, is set aside. It stays where it is, and is processed when it arrives
at last.
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
"""How often a letter is requested before it is set aside."""
TRIED_EVERY, SET_ASIDE_EVERY = 10.0, 3600.0
"""Seconds after which a letter is requested again: until it is set aside, and from then on."""


@dataclass(slots=True)
class _Missing:
    """A letter that was not handed over. at: when it is requested again (steady seconds)."""

    letter: RawLetter
    at: float
    on_trial: bool


class MissingLetters:
    """What one process knows of them; the knowledge of others is read at the start."""

    def __init__(self, store: Store, ticks: Callable[[], float] = steady) -> None:
        self._store = store
        self._ticks = ticks
        self._known: dict[Identity, _Missing] | None = None
        self.once = False
        """Whether this process requests none again, however long it runs."""
        self.tried: set[Identity] = set()
        """Letters on trial that this process has requested in vain."""

    @property
    def _missing(self) -> dict[Identity, _Missing]:
        if self._known is None:
            on_trial, recorded = self._store.incoming.missing()
            self._known = {where: _Missing(_at(where), 0.0, on_trial=False) for where in recorded}
            self._known |= {where: _Missing(_at(where), 0.0, on_trial=True) for where in on_trial}
        return self._known

    @property
    def any_on_trial(self) -> bool:
        """Whether any letter may still be handed over before it is set aside."""
        return any(each.on_trial for each in self._missing.values())

    def all(self) -> list[RawLetter]:
        """Return all of them, without content."""
        return [each.letter for each in self._missing.values()]

    def resting(self) -> list[RawLetter] | None:
        """Return those that are not yet due; None when none is due."""
        now = self._ticks()
        resting = [each.letter for each in self._missing.values() if each.at > now]
        return None if len(resting) == len(self._missing) else resting

    def gone(self) -> None:
        """Record that those that are due are no longer in the mailbox."""
        now = self._ticks()
        for where, each in list(self._missing.items()):
            if each.at <= now and each.on_trial:
                self._store.incoming.handed_over(each.letter)
                self._forget(where)
            elif each.at <= now:
                each.at = self._next(SET_ASIDE_EVERY)

    def sort_out(self, letters: Sequence[RawLetter]) -> list[RawLetter]:
        """Return the letters that are to be recorded now.

        These are letters that were handed over, and letters without content that were requested often enough.
        """
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
        """Return when to request again after `seconds`."""
        return math.inf if self.once else self._ticks() + seconds

    def _forget(self, where: Identity) -> None:
        del self._missing[where]
        self.tried.discard(where)


def _at(where: Identity) -> RawLetter:
    """Return a letter of which only the place is known."""
    mailbox, uidvalidity, uid = where
    return RawLetter(mailbox, uidvalidity, uid, datetime.fromtimestamp(0, UTC), 0, None)
