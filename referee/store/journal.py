"""Letters as they come in: recorded once, byte for byte, before anybody reads them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, insert, select

from referee.letters.letter import RawLetter
from referee.store.digest import digest
from referee.store.records import Identity, Known, identity
from referee.store.tables import LETTER_CONTENTS, LETTERS, LONGEST_UID, clean
from referee.store.unit import upsert


def record(connection: Connection, letters: Sequence[RawLetter], now: datetime) -> list[int]:
    """Record the letters that are not recorded yet, in their order; return the numbers of these.

    A letter counts as recorded when its mailbox, UIDVALIDITY and UID are known. One too large to be taken in
    (content None) is recorded by its size alone.
    """
    here = known(connection, letters)
    numbers = []
    contents = []
    for letter in letters:
        if identity(letter) in here:
            continue
        number = connection.execute(
            upsert(connection, LETTERS)
            .values(
                mailbox=letter.mailbox,
                uidvalidity=letter.uidvalidity,
                uid=letter.uid,
                received=letter.received,
                recorded=now,
                size=letter.size,
                digest="" if letter.content is None else digest(letter.content),
                sender="",
                reason="",
                commands="[]",
                attempts=0,
            )
            # another process, or the same letter twice in one batch
            .on_conflict_do_nothing(index_elements=["mailbox", "uidvalidity", "uid"])
            .returning(LETTERS.c.number)
        ).scalar()
        if number is None:
            continue
        numbers.append(number)
        if letter.content is not None:
            contents.append({"letter": number, "content": letter.content})
    if contents:
        connection.execute(insert(LETTER_CONTENTS), contents)
    return numbers


def known(connection: Connection, letters: Sequence[RawLetter]) -> dict[Identity, Known]:
    """Return which of these letters are recorded, by where they lie."""
    found: dict[Identity, Known] = {}
    for (mailbox, uidvalidity), lying in itertools.groupby(
        sorted(map(identity, letters)), lambda each: each[:2]
    ):
        by_uid = {clean(each[2], LONGEST_UID): each for each in lying}
        rows = connection.execute(
            select(LETTERS.c.uid, LETTERS.c.number, LETTERS.c.outcome).where(
                LETTERS.c.mailbox == mailbox, LETTERS.c.uidvalidity == uidvalidity, LETTERS.c.uid.in_(by_uid)
            )
        )
        found |= {by_uid[row.uid]: Known(row.number, row.outcome is not None) for row in rows}
    return found


def waiting(connection: Connection, limit: int) -> list[int]:
    """Return the numbers of letters that have no outcome, oldest first."""
    return list(
        connection.execute(
            select(LETTERS.c.number)
            .where(LETTERS.c.outcome.is_(None))
            .order_by(LETTERS.c.number)
            .limit(limit)
        ).scalars()
    )
