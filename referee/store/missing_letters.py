"""Letters in a mailbox that were not handed over: how often each was requested, by any process.

A letter that was requested often enough is recorded without its content and set aside. Until then it is no
letter yet, and its tries are counted in a row of its own. See rate_counters, which forgets the row by age.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from referee.mail.message.message import RawLetter
from referee.store import rate_counters
from referee.store.tables import HOUSE, LETTERS, clean_place
from referee.store.values import Identity

_KIND = "not handed over "
_WITHIN = timedelta(days=30)
_COUNTED = select(HOUSE.c.name).where(
    HOUSE.c.name.startswith(f"{rate_counters.COUNTED}{_KIND}", autoescape=True)
)
_RECORDED = select(LETTERS.c.mailbox, LETTERS.c.uidvalidity, LETTERS.c.uid).where(LETTERS.c.digest == "")


def count(connection: Connection, letter: RawLetter, now: datetime) -> int:
    """Record that a letter was not handed over; return how often that has happened."""
    return rate_counters.add(connection, _kind(letter), 1, _WITHIN, now)


def forget(connection: Connection, letter: RawLetter) -> None:
    """Forget how often a letter was requested."""
    rate_counters.forget(connection, _kind(letter))


def on_trial(connection: Connection) -> list[Identity]:
    """Return the places of letters that were not handed over, and not requested often enough yet."""
    names = connection.execute(_COUNTED).scalars()
    return [tuple(json.loads(name.removeprefix(f"{rate_counters.COUNTED}{_KIND}"))) for name in names]


def recorded(connection: Connection) -> list[Identity]:
    """Return the places of letters recorded without their content."""
    return [(row.mailbox, row.uidvalidity, row.uid) for row in connection.execute(_RECORDED)]


def _kind(letter: RawLetter) -> str:
    return _KIND + json.dumps([clean_place(letter.mailbox), letter.uidvalidity, clean_place(letter.uid)])
