"""Since when the clock has gone regularly, in a row of its own: what is erased by its age is erased for good.

A clock that is a year ahead, for a minute after a machine has started without a battery, must not cost letters. So
each look keeps when it was. Some time has passed until the next one, but no more than from one day to the day after
the next, whoever looks: a service that goes on, or one that is started now and then. Anything else begins anew.

What such a clock asked a player cannot be answered when it is set right: it was asked too long ago, or will be. So the
last look before is kept as well, and once the clock has gone regularly for a while, such questions are asked again.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, and_, insert, or_, select, update

from referee.store.tables import HOUSE, LETTERS, TAGS
from referee.store.values import CLOCKS_APART

LONGEST_GAP = timedelta(days=2)
"""Between two looks."""

_NAME = "clock"
_ROW = HOUSE.c.name == _NAME


def regular_for(connection: Connection, now: datetime) -> timedelta:
    """Look at the clock; return how long it has gone regularly by now: zero at the first look.

    Several machines may look, each by its own clock: a look may seem to be a little before the last one.
    """
    said = _said(connection)
    last, since, *before = said or (now, now)
    if not -CLOCKS_APART <= now - last <= LONGEST_GAP:
        last, since, before = now, now, [last]
    value = " ".join(each.isoformat() for each in (max(last, now), since, *before))
    if not said:
        connection.execute(insert(HOUSE).values(name=_NAME, value=value))
    else:
        connection.execute(update(HOUSE).where(_ROW).values(value=value))
    return now - since


def known(connection: Connection, now: datetime) -> timedelta:
    """Return how long the clock has gone regularly, by the looks that were kept; zero where it does not just now."""
    said = connection.execute(select(HOUSE.c.value).where(_ROW)).scalar()
    if said is None:
        return timedelta(0)
    last, since = (datetime.fromisoformat(each) for each in said.split()[:2])
    return now - since if -CLOCKS_APART <= now - last <= LONGEST_GAP else timedelta(0)


def ask_again(connection: Connection, now: datetime, proved: timedelta, within: timedelta) -> None:
    """Let players be asked once more about held letters, when a clock that is regular by now has shut the question.

    proved: so long it has to have gone regularly since it began anew. within: how long a question can be answered.
    """
    last, since, *before = _said(connection) or (now, now)
    if not before or last - since < proved:
        return
    shut = [TAGS.c.created > now + CLOCKS_APART]
    waited = [LETTERS.c.recorded > now + CLOCKS_APART]
    if since - before[0] > within:
        earliest, latest = before[0] - within, before[0] + CLOCKS_APART
        shut.append(and_(TAGS.c.created > earliest, TAGS.c.created <= latest))
        waited.append(and_(LETTERS.c.recorded > earliest, LETTERS.c.recorded <= latest))
    questions = select(TAGS.c.tag).where(TAGS.c.purpose == "hold", TAGS.c.revoked.is_(None), or_(*shut))
    unanswered = or_(
        LETTERS.c.asked_by.in_(questions.scalar_subquery()), and_(LETTERS.c.asked_by.is_(None), or_(*waited))
    )
    connection.execute(
        update(LETTERS).where(LETTERS.c.outcome == "held", unanswered).values(asked_by=None, recorded=now)
    )
    connection.execute(update(HOUSE).where(_ROW).values(value=f"{last.isoformat()} {since.isoformat()}"))


def _said(connection: Connection) -> list[datetime]:
    """Return the last look, since when the clock has gone regularly, and perhaps the last look before that."""
    said = connection.execute(select(HOUSE.c.value).where(_ROW).with_for_update()).scalar()
    return [] if said is None else [datetime.fromisoformat(each) for each in said.split()]
