"""A queue in a list and a letter to put into it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from referee.common.errors import StoreUnreachable
from tests.support.waiting import PATIENCE

NOW = datetime(2026, 11, 27, 12, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Waiting:
    """A finished letter."""

    id: int
    recipient: str = ""
    content: bytes = b"Subject: report\r\n\r\nYour move.\r\n"
    sender: str = "referee@example.org"
    message_id: str = ""
    tries: int = 0
    uncertain: int = 0
    due: datetime = NOW
    forms: Mapping[str, bytes] = field(default_factory=dict)

    def smaller(self) -> Iterator[tuple[str, Waiting]]:
        for name, content in self.forms.items():
            yield name, replace(self, content=content)

    @classmethod
    def make(cls, number: int, recipient: str = "", **changes: object) -> Waiting:
        recipient = recipient or f"player{number}@example.net"
        letter = cls(number, recipient, message_id=f"letter{number}@example.org")
        return replace(letter, **changes)  # type: ignore[arg-type]


@dataclass
class ListQueue:
    """Keeps its promises as the store does, in memory. log: each call that was told a result."""

    letters: dict[int, Waiting] = field(default_factory=dict)
    claimed: set[int] = field(default_factory=set)
    sent: dict[int, str] = field(default_factory=dict)
    given_up: dict[int, str] = field(default_factory=dict)
    put_off: list[tuple[int, datetime, str, bool]] = field(default_factory=list)
    released: list[int] = field(default_factory=list)
    accepted_calls: list[int] = field(default_factory=list)
    claims: int = 0
    unreachable: int = 0
    """How many calls are going to find the queue unreachable."""
    changed: threading.Condition = field(default_factory=threading.Condition)

    def put(self, *letters: Waiting) -> None:
        with self.changed:
            self.letters |= {letter.id: letter for letter in letters}

    def wait_until_empty(self, seconds: float = PATIENCE) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: not self.letters, seconds), f"left: {self.letters}"

    def _check(self) -> None:
        if self.unreachable:
            self.unreachable -= 1
            raise StoreUnreachable("the database is away")

    def claim(self, now: datetime, limit: int) -> list[Waiting]:
        with self.changed:
            self._check()
            self.claims += 1
            held = {self.letters[id_].recipient for id_ in self.claimed}
            held |= {letter.recipient for letter in self.letters.values() if letter.due > now}
            due = [letter for letter in self.letters.values() if letter.recipient not in held][:limit]
            self.claimed |= {letter.id for letter in due}
            return due

    def holds(self, id_: int) -> bool:
        return id_ in self.claimed

    def accepted(self, results: Sequence[tuple[int, str]]) -> None:
        with self.changed:
            self._check()
            self.accepted_calls.append(len(results))
            for id_, answer in results:
                self.claimed.remove(id_)
                del self.letters[id_]
                self.sent[id_] = answer
            self.changed.notify_all()

    def refused(self, id_: int, answer: str) -> None:
        with self.changed:
            self._check()
            self.claimed.remove(id_)
            del self.letters[id_]
            self.given_up[id_] = answer
            self.changed.notify_all()

    def again(self, id_: int, at: datetime, answer: str, uncertain: bool) -> None:
        with self.changed:
            self._check()
            self.claimed.remove(id_)
            letter = self.letters[id_]
            self.letters[id_] = replace(
                letter, due=at, tries=letter.tries + 1, uncertain=letter.uncertain + uncertain
            )
            self.put_off.append((id_, at, answer, uncertain))
            self.changed.notify_all()

    def release(self, ids: Sequence[int]) -> None:
        with self.changed:
            self._check()
            self.claimed.difference_update(ids)
            self.released.extend(ids)
            self.changed.notify_all()
