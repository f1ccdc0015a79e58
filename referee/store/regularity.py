"""Since when the clock has gone regularly, in a row of its own: what is erased by its age is erased for good.

A clock that is a year ahead, for a minute after a machine has started without a battery, must not cost letters. So
each look keeps when it was. Some time has passed until the next one, but no more than from one day to the day after
the next, whoever looks: a service that goes on, or one that is started now and then. Anything else begins anew.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, insert, select, update

from referee.store.records import CLOCKS_APART
from referee.store.tables import HOUSE

LONGEST_GAP = timedelta(days=2)
"""Between two looks."""

_NAME = "clock"


def regular_for(connection: Connection, now: datetime) -> timedelta:
    """Look at the clock; return how long it has gone regularly by now: zero at the first look.

    Several machines may look, each by its own clock: a look may seem to be a little before the last one.
    """
    row = HOUSE.c.name == _NAME
    said = connection.execute(select(HOUSE.c.value).where(row).with_for_update()).scalar()
    last = since = now
    if said is not None:
        last, since = map(datetime.fromisoformat, said.split())
        if not -CLOCKS_APART <= now - last <= LONGEST_GAP:
            last = since = now
    value = f"{max(last, now).isoformat()} {since.isoformat()}"
    if said is None:
        connection.execute(insert(HOUSE).values(name=_NAME, value=value))
    else:
        connection.execute(update(HOUSE).where(row).values(value=value))
    return now - since
