"""What happens to a letter after a try: pure functions of answers and times."""

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
"""Most tries of a letter that perhaps arrived each time."""

# "Daily sending limit exceeded" and the like: 5.4.5 means congestion, whatever the first digit says.
_CONGESTION = re.compile(r"\b5\.4\.5\b")


def is_temporary(code: int, answer: str) -> bool:
    """Return whether another try after a refusal makes sense. code: the server's, three digits."""
    return not 500 <= code <= 599 or bool(_CONGESTION.search(answer))


def nominal_pause(tries: int) -> timedelta:
    """Return the pause after the given number of tries (1 or more), before it is spread."""
    doublings = min(tries - 1, 20)
    return min(LONGEST_PAUSE, FIRST_PAUSE * (1 << doublings))


def pause(tries: int, id_: int) -> timedelta:
    """Return how long to wait after the given number of tries (1 or more): 1 minute to 4 hours, growing.

    The pause is spread by the letter's id, so that letters refused together do not come back together. It is
    always the same for the same letter.
    """
    digest = hashlib.sha256(f"{id_} {tries}".encode()).digest()
    share = int.from_bytes(digest[:4], "big") / 0xFFFFFFFF
    return nominal_pause(tries) * (1 - SPREAD + 2 * SPREAD * share)


def pause_by_age(age: timedelta) -> timedelta | None:
    """Return how long to wait before a refused letter that must arrive is tried again; None: it is given up.

    The pause is as long as the letter has waited already.
    """
    return min(max(FIRST_PAUSE, age), LONGEST_PAUSE) if age < PATIENCE else None


def _waited(tries: int) -> timedelta:
    return sum((nominal_pause(number) for number in range(1, tries)), timedelta())


def next_try(posting: Posting, refusal: DeliveryRefused, now: datetime) -> datetime | None:
    """Return when to try a letter again after a refusal; None: it is given up.

    A temporary refusal is tolerated for about five days, an uncertain one a few times.
    """
    tries = posting.tries + 1
    if not refusal.temporary:
        return None
    if refusal.uncertain and posting.uncertain + 1 >= UNCERTAIN_TRIES:
        return None
    if _waited(tries) >= PATIENCE:
        return None
    return now + pause(tries, posting.id)
