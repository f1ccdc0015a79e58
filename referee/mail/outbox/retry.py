"""What becomes of a letter after a try: pure functions of answers and times."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timedelta

from referee.common.errors import DeliveryRefused
from referee.mail.outbox.transport import Posting

FIRST_PAUSE = timedelta(seconds=75)
LONGEST_PAUSE = timedelta(minutes=200)
SPREAD = 0.2
"""Pauses are up to a fifth shorter or longer, so they lie between a minute and four hours."""

PATIENCE = timedelta(days=5)
UNCERTAIN_TRIES = 4
"""A letter that perhaps arrived each time is not sent more often than this."""

# "Daily sending limit exceeded" and its like: 5.4.5 means congestion, whatever the first digit makes of it.
_CONGESTION = re.compile(r"\b5\.4\.5\b")


def is_temporary(code: int, answer: str) -> bool:
    """Return whether it makes sense to try again after a refusal. code: the server's, three digits."""
    return not 500 <= code <= 599 or bool(_CONGESTION.search(answer))


def nominal_pause(tries: int) -> timedelta:
    """Return the pause after the given number of tries (1 or more), before it is spread."""
    doublings = min(tries - 1, 20)
    return min(LONGEST_PAUSE, FIRST_PAUSE * (1 << doublings))


def pause(tries: int, id_: int) -> timedelta:
    """Return how long to wait after the given number of tries (1 or more): 1 minute to 4 hours, growing.

    It is spread by the letter's id, so that letters refused together do not come back together, and it is the
    same for the same letter.
    """
    digest = hashlib.sha256(f"{id_} {tries}".encode()).digest()
    share = int.from_bytes(digest[:4], "big") / 0xFFFFFFFF
    return nominal_pause(tries) * (1 - SPREAD + 2 * SPREAD * share)


def pause_by_age(age: timedelta) -> timedelta | None:
    """Return how long to wait before a letter of some age is tried again that was refused, but must arrive: as long as
    it has waited already; None: it is given up."""
    return min(max(FIRST_PAUSE, age), LONGEST_PAUSE) if age < PATIENCE else None


def _waited(tries: int) -> timedelta:
    return sum((nominal_pause(number) for number in range(1, tries)), timedelta())


def next_try(posting: Posting, refusal: DeliveryRefused, now: datetime) -> datetime | None:
    """Return when to try a letter again after the try that was just refused; None: it is given up.

    A temporary refusal is borne for about five days, an uncertain one a few times.
    """
    tries = posting.tries + 1
    if not refusal.temporary:
        return None
    if refusal.uncertain and posting.uncertain + 1 >= UNCERTAIN_TRIES:
        return None
    if _waited(tries) >= PATIENCE:
        return None
    return now + pause(tries, posting.id)
