"""Days and hours in text: `3d`, `1d12h`, "3 days and 12 hours"."""

from __future__ import annotations

import re
from datetime import timedelta

from referee.common.durations import DAY, HOUR, MINUTE, ZERO
from referee.common.i18n import N_, Phrase, both

DAYS = r"(?:d|days?|j|jours?)"
HOURS = r"(?:h|hours?|heures?)"
"""Units as they are written, in lower case."""
DURATION = rf"(?:[0-9]{{1,6}}{DAYS}(?:[0-9]{{1,6}}{HOURS})?|[0-9]{{1,6}}{HOURS})"
"""A duration in lower case, as part of a longer expression."""
_PART = re.compile(rf"([0-9]+)(?:({DAYS})|{HOURS})")


def read_duration(text: str) -> timedelta | None:
    """Read `3d`, `12h`, `1d12h`, `3days`, `3jours`; None for anything else, including a number without a unit."""
    if not re.fullmatch(DURATION, text):
        return None
    parts = _PART.findall(text)
    return sum((int(number) * (DAY if days else HOUR) for number, days in parts), ZERO)


def write_duration(time: timedelta) -> str:
    """Return whole hours in canonical text: `3d`, `12h`, `1d12h`, `0h`. Raises ValueError for other times."""
    if time < ZERO or time % HOUR:
        raise ValueError(f"{time} is not a number of hours")
    days, hours = time.days, time % DAY // HOUR
    return (f"{days}d" if days else "") + (f"{hours}h" if hours or not days else "")


def duration_phrase(time: timedelta) -> str | Phrase:
    """Return "3 days", "1 day and 12 hours", "5 hours and 20 minutes", "no time".

    It is rounded down to minutes, and from one day to hours, so that it never overstates the time.
    """
    days, hours, minutes = time.days, time % DAY // HOUR, time % HOUR // MINUTE
    parts = [
        _counted(days, N_("1 day"), N_("{number} days")),
        _counted(hours, N_("1 hour"), N_("{number} hours")),
        _counted(0 if days else minutes, N_("1 minute"), N_("{number} minutes")),
    ]
    said = [each for each in parts if each is not None]
    if time < ZERO or not said:
        return Phrase(N_("less than a minute")) if time > ZERO else Phrase(N_("no time"))
    return both(said)


def _counted(number: int, one: str, several: str) -> Phrase | None:
    if number < 1:
        return None
    return Phrase(one) if number == 1 else Phrase(several, {"number": number})
