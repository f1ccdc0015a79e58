"""A deadline as it is told: in the reader's zone and in UTC (TM-9.1).

Told times are rounded down to the minute, so that nobody is told of a later instant than counts.
"""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from referee.languages import N_, translate, write_city, write_day


def to_the_minute(at: datetime) -> datetime:
    """Return the minute that an instant lies in."""
    return at.replace(second=0, microsecond=0)


def write_deadline(at: datetime, zone: str, language: str, now: datetime | None = None) -> str:
    """Write a deadline: "Thu 3 Dec, 18:00 in Paris (17:00 UTC)".

    zone: the reader's, an IANA name. The day in UTC is said where it is another one. now: the year is left out where
    the deadline is less than half a year off; without it, the year is always told.
    """
    soon = now is not None and abs((at - now).days) < 180
    there = at.astimezone(ZoneInfo(zone))
    in_utc = at.astimezone(UTC)
    utc = f"{in_utc:%H:%M}"
    if zone == "UTC":
        return f"{_day(in_utc, language, soon)}, {utc} UTC"
    if in_utc.date() != there.date():
        utc = f"{_day(in_utc, language, soon)}, {utc}"
    said = translate(language)(N_("{day}, {time} in {city} ({utc} UTC)"))
    return said.format(
        day=_day(there, language, soon),
        time=f"{there:%H:%M}",
        city=write_city(zone, language),
        utc=utc,
    )


def _day(at: datetime, language: str, soon: bool) -> str:
    if not soon:
        return write_day(at, language)
    from babel.dates import format_date  # noqa: PLC0415

    return format_date(at, "EEE d MMM", locale=language)


def write_briefly(at: datetime, zone: str, language: str, now: datetime) -> str:
    """Write an instant by the clock of a zone that is named beside it: "Thu 3 Dec, 18:00". The year is left out where
    it is less than half a year off."""
    there = at.astimezone(ZoneInfo(zone))
    return f"{_day(there, language, abs((at - now).days) < 180)}, {there:%H:%M}"
