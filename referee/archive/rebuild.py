"""Rebuilds letters: whether the sent bytes follow from the stored data.

A letter depends on more than its game: on what its reader has written and read before, on their settings, on
the day's other letters. So no letter is rebuilt on its own. The whole history of the service is repeated
(`rebuild_history`) in a new service that knows nothing. No outgoing letter and no event is copied: the new
service makes its own, and they are compared at the end, one by one.

Whatever cannot be repeated is reported, not ignored: erased letters, and what depends on them. Some notices
to the operator (an unreachable mailbox, a full disk, a letter that was set aside) follow from the machine and
not from the stored data: they are counted. The rebuild needs the release that sent the letters, with the same
settings.
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
"""Bytes of a line that are shown."""


@dataclass(frozen=True, slots=True)
class Differs:
    """A letter that was rebuilt differently.

    why: in words.
    line: the number of the first different line, from 1; 0 where the letter is missing or was never sent.
    sent, made: that line, or its beginning.
    """

    message_id: str
    recipient: str
    game: int | None
    why: str
    line: int = 0
    sent: str = field(default="", repr=False)
    made: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class MadeAgain:
    """The result of a rebuild.

    equal: letters that are identical, byte for byte.
    erased: outgoing letters that cannot be compared.
    unheard: incoming letters that are erased.
    differs: oldest first.
    undone: what could not be repeated.
    told: the service's notices about itself, which are not rebuilt.
    """

    equal: int
    erased: int
    unheard: tuple[int, ...]
    differs: tuple[Differs, ...]
    undone: tuple[str, ...]
    told: int = 0


def make_again(
    application: Application, progress: Callable[[int, int], object] = lambda done, of: None
) -> MadeAgain:
    """Repeat the whole history of a service, and compare the letters. Nothing is changed in it."""
    kept = application.store.history.kept()
    with application.store.reading() as lookup:
        key = lookup.service_key()
    with TemporaryDirectory() as folder:
        clock = FixedClock(kept.letters[0].recorded if kept.letters else application.clock.now())
        store = Store(f"sqlite:///{Path(folder) / 'again.db'}", clock)
        try:
            store.upgrade()
            store.open(create=False)
            store.take_key(key)
            course = Course(kept, application, store, clock)
            course.go(progress)
            compared = _Compared(application, store)
            differs = tuple(compared.differences(kept.outgoing, store.history.kept().outgoing))
        finally:
            store.close()
    unheard = tuple(each.number for each in kept.letters if each.outcome is not None and each.erased)
    erased = sum(each.erased for each in kept.outgoing)
    return MadeAgain(compared.equal, erased, unheard, differs, tuple(course.undone), compared.told)


class _Compared:
    """The comparison of two services' letters, with at most one of each in memory."""

    def __init__(self, application: Application, again: Store) -> None:
        self._operator = application.service.operator
        self._here, self._there = application.store, again
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
        """Return whether a letter is a notice to the operator that neither a letter nor a game has caused."""
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
