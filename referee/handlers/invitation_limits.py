"""Limits letters to people who did not ask for any: nobody may use the service to send mail to the world.

What the sender of an invitation is told never depends on whether it was delivered: otherwise they could learn
whose an address is, or what others have sent there.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.common.durations import DAY
from referee.store.unit_of_work import UnitOfWork

MOST_AN_HOUR = 100
"""The most invitations by address, questions to new addresses and help for strangers in an hour, all together."""
STRANGER_EVERY = timedelta(days=7)
"""How often, at most, somebody who takes no part is written to unasked, whoever is the cause."""
MOST_INVITATIONS_A_DAY = 20
"""The most invitations to a player in a day, from all others."""
MOST_INVITATIONS_OF_ONE = 5
"""The most invitations to a player in a day from one other, each after the previous one was answered."""


def one_more(unit: UnitOfWork) -> bool:
    """Count one more letter to somebody who did not ask for it; False when there were enough within the hour."""
    return unit.limits.count("letters to strangers", MOST_AN_HOUR, timedelta(hours=1))


def may_invite_stranger(unit: UnitOfWork, address: str, now: datetime) -> bool:
    """Return whether an invitation may go to somebody who takes no part.

    Not if one was sent recently, nor to somebody who left recently, or left at any time without having
    played.
    """
    since = now - STRANGER_EVERY
    left = unit.partings.of_address(address)
    if left is not None and (not left.played or since < left.at <= now):
        return False
    return not unit.outbox.invitations(address, since)


def may_invite_player(unit: UnitOfWork, address: str, by: int, now: datetime) -> bool:
    """Return whether an invitation may go to a player.

    Not while one from the same sender is unanswered, or was withdrawn within the day.

    by: the sender's number.
    """
    lately = unit.outbox.invitations(address, now - DAY)
    his = [status for sender, status in lately if sender == by]
    if not {"proposed", "withdrawn"}.isdisjoint(his):
        return False
    return len(lately) < MOST_INVITATIONS_A_DAY and len(his) < MOST_INVITATIONS_OF_ONE


def may_ask_address(unit: UnitOfWork, address: str) -> bool:
    """Return whether an address may be named as a player's: once a week by all players, even by its owner."""
    return unit.limits.count(f"address {unit.partings.pseudonym(address)} named", 1, STRANGER_EVERY)
