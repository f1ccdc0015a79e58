"""Since when the clock has run regularly, in a row of its own: data erased by age is gone for good.

A clock that is a year ahead, for a minute after a machine has started without a battery, must not cost
letters. So each check stores its time. The next check must come later, but by no more than LONGEST_GAP,
whether one service keeps running or short ones are started now and then. Anything else starts over.

A question that such a clock put to a player cannot be answered once the clock is right: it was asked too long
ago, or in the future. So the last check before the jump is stored as well. Once the clock has run regularly
for a while, such questions are asked again.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, and_, insert, or_, select, update

from referee.store.tables import HOUSE, LETTERS, TAGS
from referee.store.values import CLOCK_SKEW_TOLERANCE

LONGEST_GAP = timedelta(days=2)
"""Longest gap between two checks."""

_NAME = "clock"
_ROW = HOUSE.c.name == _NAME


def regular_for(connection: Connection, now: datetime) -> timedelta:
    """Check the clock; return how long it has run regularly by now: zero at the first check.

    Several machines may check, each by its own clock, so a check may seem to be a little before the last one.
    """
    said = _said(connection)
    last, since, *before = said or (now, now)
    if not -CLOCK_SKEW_TOLERANCE <= now - last <= LONGEST_GAP:
        last, since, before = now, now, [last]
    value = " ".join(each.isoformat() for each in (max(last, now), since, *before))
    if not said:
        connection.execute(insert(HOUSE).values(name=_NAME, value=value))
    else:
        connection.execute(update(HOUSE).where(_ROW).values(value=value))
    return now - since


def known(connection: Connection, now: datetime) -> timedelta:
    """Return how long the clock has run regularly, by the stored checks; zero where it does not at the moment."""
    said = connection.execute(select(HOUSE.c.value).where(_ROW)).scalar()
    if said is None:
        return timedelta(0)
    last, since = (datetime.fromisoformat(each) for each in said.split()[:2])
    return now - since if -CLOCK_SKEW_TOLERANCE <= now - last <= LONGEST_GAP else timedelta(0)


def ask_again(connection: Connection, now: datetime, proved: timedelta, within: timedelta) -> None:
    """Let players be asked again about held letters whose question an irregular clock has expired.

    proved: how long the clock must have run regularly since it started over.
    within: how long a question can be answered.
    """
    last, since, *before = _said(connection) or (now, now)
    if not before or last - since < proved:
        return
    shut = [TAGS.c.created > now + CLOCK_SKEW_TOLERANCE]
    waited = [LETTERS.c.recorded > now + CLOCK_SKEW_TOLERANCE]
    if since - before[0] > within:
        earliest, latest = before[0] - within, before[0] + CLOCK_SKEW_TOLERANCE
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
    """Return the last check, the start of the regular period, and perhaps the last check before that."""
    said = connection.execute(select(HOUSE.c.value).where(_ROW).with_for_update()).scalar()
    return [] if said is None else [datetime.fromisoformat(each) for each in said.split()]
