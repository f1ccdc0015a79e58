"""Letters made again: whether what was sent follows, byte for byte, from what was kept.

A letter hangs on more than its game: on what its reader has written and read before, on his settings, on the other
letters of the day. So no letter is made again by itself, but the whole course of the house is gone through once more
(`course`), in a new house that knows nothing. No letter of ours and no event is copied: both are the new house's own,
and are compared at last, one after the other.

What cannot be gone through is said and not passed over: letters that were erased, and what hangs on them. What the
service has told its operator of itself (a mailbox that is out of reach, a disk that is full, a letter that was set
aside) follows from the machine and not from what is kept: it is counted. All must be done by the release that has sent
the letters, with the same settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.archive.rebuild_history import Course
from referee.common.clock import FixedClock
from referee.service.bootstrap import Application
from referee.store.database import Store
from referee.store.history import WentOut

_SHOWN = 1000
"""Octets that are shown of a line."""


@dataclass(frozen=True, slots=True)
class Differs:
    """A letter that was made otherwise. why: in words; line: the number of the first line that is another one, from 1,
    0 where the letter is missing or was never sent; sent, made: that line, or its begin."""

    message_id: str
    recipient: str
    game: int | None
    why: str
    line: int = 0
    sent: str = field(default="", repr=False)
    made: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class MadeAgain:
    """What came of it. equal: letters that are the same, byte for byte. erased: of ours, which cannot be compared.
    unheard: letters that came in and are erased. differs: oldest first. undone: what could not be done again. told:
    notices of the service about itself, which are not made again."""

    equal: int
    erased: int
    unheard: tuple[int, ...]
    differs: tuple[Differs, ...]
    undone: tuple[str, ...]
    told: int = 0


def make_again(
    premises: Application, progress: Callable[[int, int], object] = lambda done, of: None
) -> MadeAgain:
    """Go through a house's whole course once more, and compare the letters. Nothing is changed in it."""
    kept = premises.store.history.kept()
    with premises.store.reading() as lookup:
        key = lookup.house_key()
    with TemporaryDirectory() as folder:
        clock = FixedClock(kept.letters[0].recorded if kept.letters else premises.clock.now())
        store = Store(f"sqlite:///{Path(folder) / 'again.db'}", clock)
        try:
            store.upgrade()
            store.open(create=False)
            store.take_key(key)
            course = Course(kept, premises, store, clock)
            course.go(progress)
            compared = _Compared(premises, store)
            differs = tuple(compared.differences(kept.outgoing, store.history.kept().outgoing))
        finally:
            store.close()
    unheard = tuple(each.number for each in kept.letters if each.outcome is not None and each.erased)
    erased = sum(each.erased for each in kept.outgoing)
    return MadeAgain(compared.equal, erased, unheard, differs, tuple(course.undone), compared.told)


class _Compared:
    """The comparison of two houses' letters, of which no more than one of each is in memory."""

    def __init__(self, premises: Application, again: Store) -> None:
        self._operator = premises.service.operator
        self._here, self._there = premises.store, again
        self.equal = self.told = 0

    def differences(self, sent: tuple[WentOut, ...], made: tuple[WentOut, ...]) -> Iterator[Differs]:
        again = {each.message_id: each for each in made}
        for each in sent:
            other = again.pop(each.message_id, None)
            if each.erased:
                continue
            if other is None or other.erased:
                if self._is_of_the_service(each):
                    self.told += 1
                else:
                    yield _differs(each, "it was not made again")
                continue
            here, there = self._here.history.sent_bytes(each.id), self._there.history.sent_bytes(other.id)
            if here == there:
                self.equal += 1
            else:
                yield _difference(each, here, there)
        for each in again.values():
            yield _differs(each, "it was never sent")

    def _is_of_the_service(self, letter: WentOut) -> bool:
        """Return whether a letter is a notice to the operator that no letter and no game has brought about."""
        nobodys = letter.player is None and letter.game is None and letter.answers is None
        return nobodys and letter.kind == "notice" and letter.recipient == self._operator


def _differs(letter: WentOut, why: str) -> Differs:
    return Differs(letter.message_id, letter.recipient, letter.game, why)


def _difference(letter: WentOut, sent: bytes, made: bytes) -> Differs:
    ours, theirs = sent.split(b"\r\n"), made.split(b"\r\n")
    pairs = enumerate(zip((*ours, b""), (*theirs, b""), strict=False), 1)
    line, (here, there) = next((line, pair) for line, pair in pairs if pair[0] != pair[1])
    said, again = (each[:_SHOWN].decode(errors="replace") for each in (here, there))
    why = f"line {line} is {again!r}, and was sent as {said!r}"
    return Differs(letter.message_id, letter.recipient, letter.game, why, line, said, again)
