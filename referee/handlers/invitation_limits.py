"""How many letters go to people who did not ask for any: nobody may make the house write to the world.

What is told to whoever caused such a letter never depends on whether it was sent: else he would learn whose an
address is, or what others have written there.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.common.durations import DAY
from referee.store.unit_of_work import UnitOfWork

MOST_AN_HOUR = 100
"""Invitations by address, questions to new addresses and help for strangers, all of them together."""
STRANGER_EVERY = timedelta(days=7)
"""How often, at most, somebody who takes no part is written to unasked, whoever is the cause."""
MOST_INVITATIONS_A_DAY = 20
"""Invitations that a player gets in a day, from all others."""
MOST_INVITATIONS_OF_ONE = 5
"""Invitations that a player gets in a day from one other, each after the one before was answered."""


def one_more(unit: UnitOfWork) -> bool:
    """Count one more letter to somebody who did not ask for it; False when there were enough within the hour."""
    return unit.limits.count("letters to strangers", MOST_AN_HOUR, timedelta(hours=1))


def may_invite_stranger(unit: UnitOfWork, address: str, now: datetime) -> bool:
    """Return whether an invitation may go to somebody who takes no part: not where one went lately, and not to somebody
    who has left lately, or ever, without having played."""
    since = now - STRANGER_EVERY
    left = unit.partings.of_address(address)
    if left is not None and (not left.played or since < left.at <= now):
        return False
    return not unit.outbox.invitations(address, since)


def may_invite_player(unit: UnitOfWork, address: str, by: int, now: datetime) -> bool:
    """Return whether an invitation may go to a player; not as long as one of the same sender's was not answered, or was
    taken back within the day. by: the sender's number."""
    lately = unit.outbox.invitations(address, now - DAY)
    his = [status for sender, status in lately if sender == by]
    if not {"proposed", "withdrawn"}.isdisjoint(his):
        return False
    return len(lately) < MOST_INVITATIONS_A_DAY and len(his) < MOST_INVITATIONS_OF_ONE


def may_ask_address(unit: UnitOfWork, address: str) -> bool:
    """Return whether an address may be named as a player's: once a week, by whomever, and whosesoever it may be."""
    return unit.limits.count(f"address {unit.partings.pseudonym(address)} named", 1, STRANGER_EVERY)
