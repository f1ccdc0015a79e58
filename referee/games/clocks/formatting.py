"""Writes instants, above all deadlines, in the reader's zone and in UTC (TM-9.1).

They are rounded down to the minute, so that readers never see a later instant than the one that counts.
"""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from referee.common.i18n import N_, translate, write_city, write_day, write_day_of_week


def to_the_minute(at: datetime) -> datetime:
    """Return the beginning of an instant's minute."""
    return at.replace(second=0, microsecond=0)


def write_moment(at: datetime, zone: str, language: str, *, seconds: bool = False) -> str:
    """Return an instant as in every letter: "Thu 3 Dec 2026, 18:00 in Paris (17:00 UTC)".

    The day in UTC is added where it differs.

    zone: the reader's, an IANA name.
    seconds: shows the seconds of the UTC time, to tell close instants apart.
    """
    there = at.astimezone(ZoneInfo(zone))
    in_utc = at.astimezone(UTC)
    utc = f"{in_utc:%H:%M:%S}" if seconds else f"{in_utc:%H:%M}"
    if zone == "UTC":
        return f"{write_day(in_utc, language)}, {utc} UTC"
    if in_utc.date() != there.date():
        utc = f"{write_day(in_utc, language)}, {utc}"
    said = translate(language)(N_("{day}, {time} in {city} ({utc} UTC)"))
    return said.format(
        day=write_day(there, language),
        time=f"{there:%H:%M}",
        city=write_city(zone, language),
        utc=utc,
    )


def write_briefly(at: datetime, zone: str, language: str, now: datetime) -> str:
    """Return an instant in a zone that is named nearby: "Thu 3 Dec, 18:00".

    The year is omitted where it is less than half a year away.
    """
    there = at.astimezone(ZoneInfo(zone))
    day = write_day_of_week(there, language) if abs((at - now).days) < 180 else write_day(there, language)
    return f"{day}, {there:%H:%M}"
