"""Incoming letters: recorded once, byte for byte, before they are read."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from types import ModuleType
from typing import Any

from sqlalchemy import (
    Connection,
    bindparam,
    func,
    insert,
    literal_column,
    not_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from referee.common.clock import Clock
from referee.mail.message.limits import HEADER_OCTETS
from referee.mail.message.message import RawLetter
from referee.store import missing_letters, service_runs
from referee.store.connections import Connections
from referee.store.content_hash import Written, digest
from referee.store.service_runs import SUSPECT
from referee.store.tables import LETTER_CONTENTS, LETTERS, clean_place
from referee.store.values import Identity, Known, identity, is_same

_KNOWN = select(
    LETTERS.c.uid, LETTERS.c.number, LETTERS.c.outcome.is_not(None), LETTERS.c.received, LETTERS.c.digest
).where(
    LETTERS.c.mailbox == bindparam("mailbox"),
    LETTERS.c.uidvalidity == bindparam("uidvalidity"),
    LETTERS.c.uid.in_(bindparam("uids", expanding=True)),
)
TOGETHER = 500
"""Letters per query, since a database accepts only a limited number of values."""

_WAITING = (
    select(LETTERS.c.number)
    .where(LETTERS.c.outcome.is_(None), not_(SUSPECT), LETTERS.c.number > bindparam("after"))
    .order_by(LETTERS.c.number)
    .limit(bindparam("most"))
)
_HEAD = select(func.substr(LETTER_CONTENTS.c.content, 1, HEADER_OCTETS)).where(
    LETTER_CONTENTS.c.letter == bindparam("which")
)
_SUSPECTS = select(LETTERS.c.number).where(LETTERS.c.outcome.is_(None), SUSPECT).order_by(LETTERS.c.number)


_counted = LETTERS.alias("counted")
NEXT_LETTER = select(func.max(_counted.c.number) + literal_column("1")).scalar_subquery()
"""The number of the next letter."""
_COMPLETE = (
    update(LETTERS)
    .where(LETTERS.c.number == bindparam("which"), LETTERS.c.digest == "", LETTERS.c.outcome == "set-aside")
    .values(outcome=None, reason="", attempts=0, again=NEXT_LETTER)
)


def _record(dialect: ModuleType) -> Any:
    """Return the statement that inserts letters unless another process has, in a database's own dialect."""
    inserting = dialect.insert(LETTERS).on_conflict_do_nothing(
        index_elements=["mailbox", "uidvalidity", "uid"]
    )
    return inserting.returning(LETTERS.c.number, LETTERS.c.mailbox, LETTERS.c.uidvalidity, LETTERS.c.uid)


_RECORD = {"sqlite": _record(sqlite), "postgresql": _record(postgresql)}


def record(connection: Connection, letters: Sequence[RawLetter], now: datetime) -> list[int]:
    """Record new letters in order; return their numbers.

    A letter counts as recorded when its mailbox, UIDVALIDITY and UID are known, and it is the same
    (Known.is_same). A server that restarts its UIDs without saying so breaks the standard, but no letter is
    lost. Another letter in the same place, recorded earlier or among these, is stored under its digest. A
    letter that is unavailable (content None) is recorded by its size alone. When it becomes available, it is
    completed and counts as new.
    """
    here = known(connection, letters)
    completed: list[int] = []
    new: dict[Identity, tuple[dict[str, Any], bytes | None]] = {}
    for letter in letters:
        written = None if letter.content is None else Written(letter.content)
        content = "" if written is None else written.digest(letter.received)
        mailbox, uid = clean_place(letter.mailbox), clean_place(letter.uid)
        place = (mailbox, letter.uidvalidity, uid)
        earlier = here.get(identity(letter))
        if earlier is not None:
            # Its time of arrival may be reported differently now, and counts only where a letter has nothing
            # of its own.
            if earlier.is_same(_digest(letter, earlier.received)):
                completed += _complete(connection, earlier, letter)
                continue
        elif place in new and is_same(new[place][0]["digest"], content):
            continue
        if earlier is not None or place in new:
            place = (mailbox, letter.uidvalidity, clean_place(f"{uid} {content}"))
        row = {
            **dict(zip(("mailbox", "uidvalidity", "uid"), place, strict=True)),
            "received": letter.received,
            "recorded": now,
            "size": letter.size,
            "digest": content,
            "words": "" if written is None else written.words(),
            "sender": "",
            "reason": letter.why,
            "commands": "[]",
            "attempts": 0,
        }
        new.setdefault(place, (row, letter.content))
    if not new:
        return completed
    rows = connection.execute(_RECORD[connection.dialect.name], [row for row, _ in new.values()])
    recorded = {(mailbox, uidvalidity, uid): number for number, mailbox, uidvalidity, uid in rows}
    contents = [
        {"letter": number, "content": bytes_of_it}
        for place, number in recorded.items()
        if (bytes_of_it := new[place][1]) is not None
    ]
    if contents:
        connection.execute(insert(LETTER_CONTENTS), contents)
    return sorted([*completed, *recorded.values()])


def _complete(connection: Connection, earlier: Known, letter: RawLetter) -> list[int]:
    """Add the content of a letter that was set aside without it, and release it; return its number, if so."""
    if earlier.digest or letter.content is None:
        return []
    written = Written(letter.content)
    facts = {
        "which": earlier.number,
        "digest": written.digest(earlier.received),
        "words": written.words(),
        "size": letter.size,
    }
    if connection.execute(_COMPLETE, facts).rowcount != 1:
        return []  # the operator has given it up, or another process was faster
    connection.execute(insert(LETTER_CONTENTS).values(letter=earlier.number, content=letter.content))
    return [earlier.number]


def _digest(letter: RawLetter, received: datetime) -> str:
    return "" if letter.content is None else digest(letter.content, received)


def known(connection: Connection, letters: Sequence[RawLetter]) -> dict[Identity, Known]:
    """Return which of these letters are recorded, by their place."""
    found: dict[Identity, Known] = {}
    for start in range(0, len(letters), TOGETHER):
        found |= _known(connection, letters[start : start + TOGETHER])
    return found


def _known(connection: Connection, letters: Sequence[RawLetter]) -> dict[Identity, Known]:
    found: dict[Identity, Known] = {}
    for (mailbox, uidvalidity), lying in itertools.groupby(
        sorted(map(identity, letters)), lambda each: each[:2]
    ):
        by_uid: defaultdict[str, list[Identity]] = defaultdict(list)
        for each in lying:
            by_uid[clean_place(each[2])].append(each)
        rows = connection.execute(
            _KNOWN, {"mailbox": mailbox, "uidvalidity": uidvalidity, "uids": list(by_uid)}
        )
        found |= {each: Known(*rest) for uid, *rest in rows for each in by_uid[uid]}
    return found


def waiting(connection: Connection, limit: int, after: int) -> list[int]:
    """Return the numbers of letters after `after` without an outcome, oldest first, without suspects."""
    return list(connection.execute(_WAITING, {"most": limit, "after": after}).scalars())


def suspects(connection: Connection) -> list[int]:
    """Return the numbers of letters without an outcome that were in hand at three unclean ends, oldest first."""
    return list(connection.execute(_SUSPECTS).scalars())


def head(connection: Connection, number: int) -> bytes:
    """Return the first bytes of a letter, which hold its header."""
    found = connection.execute(_HEAD, {"which": number}).scalar()
    return bytes(found or b"")


class Incoming:
    """Incoming letters until they have an outcome; each method is a transaction of its own."""

    def __init__(self, connections: Connections, clock: Clock) -> None:
        self._connections = connections
        self._clock = clock

    def record(self, letters: Sequence[RawLetter]) -> list[int]:
        """Record letters as they were in the mailbox, each once; return the numbers of the new ones."""
        with self._connections.transaction(writing=True) as connection:
            return record(connection, letters, self._clock.now())

    def not_handed_over(self, letter: RawLetter, most: int) -> bool:
        """Record that the mailbox did not hand a letter over.

        Return whether that was `most` times; the count then starts over.
        """
        with self._connections.transaction(writing=True) as connection:
            often = missing_letters.count(connection, letter, self._clock.now()) >= most
            if often:
                missing_letters.forget(connection, letter)
        return often

    def handed_over(self, letter: RawLetter) -> None:
        """Record that the mailbox has handed a letter over at last."""
        with self._connections.transaction(writing=True) as connection:
            missing_letters.forget(connection, letter)

    def missing(self) -> tuple[list[Identity], list[Identity]]:
        """Return the places of letters that were not handed over: on trial, and recorded without content."""
        with self._connections.transaction() as connection:
            return missing_letters.on_trial(connection), missing_letters.recorded(connection)

    def known(self, letters: Sequence[RawLetter]) -> dict[Identity, Known]:
        """Return which of these letters are recorded, by their place (`records.identity`)."""
        with self._connections.transaction() as connection:
            return known(connection, letters)

    def waiting(self, limit: int = 50, *, after: int = 0) -> list[int]:
        """Return the numbers of up to `limit` letters after `after` without an outcome, oldest first, no
        `suspects`.
        """
        with self._connections.transaction() as connection:
            return waiting(connection, limit, after)

    def suspects(self) -> list[int]:
        """Return the numbers of letters without an outcome that were in hand at three unclean ends, oldest first."""
        with self._connections.transaction() as connection:
            return suspects(connection)

    @contextmanager
    def trying(self, suspect: int) -> Iterator[int | None]:
        """Record, as long as this lasts, that this process has a suspect in hand, in case it crashes.

        Yields how often the suspect was in hand at an unclean end, this time included until its end is known.
        Yields None when the suspect is decided by now, or another process has recorded something about it.
        """
        with self._connections.transaction(writing=True) as connection:
            ends = service_runs.try_suspect(connection, self._connections.process, suspect)
        try:
            yield ends
        finally:
            if ends is not None:
                with self._connections.transaction(writing=True) as connection:
                    service_runs.survive_suspect(connection, self._connections.process, suspect)

    def head(self, number: int) -> bytes:
        """Return the first bytes of a letter, which hold its header; nothing for an unavailable letter."""
        with self._connections.transaction() as connection:
            return head(connection, number)
