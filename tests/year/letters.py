"""What a letter of the service's says of time, read from its bytes: there are too many to be parsed as mail."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

_HEADER = re.compile(r"^([\w-]+): (.*?)(?=\r\n\S|\Z)", re.MULTILINE | re.DOTALL)
_UNTIL = re.compile(r"You\s+have\s+until\s+([^.]*?)\.\s")
_UTC = re.compile(r"(?:(\d+) (\w{3})(?: (\d{4}))?, )?(\d\d):(\d\d) UTC")
_DAY = re.compile(r"(\d+) (\w{3})(?: (\d{4}))?,")
_LEFT = re.compile(r"\[((?:\d+ \w+(?: and )?)+) left\]")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def headers(head: str) -> dict[str, str]:
    """Return the headers of a letter."""
    return {name: re.sub(r"\r\n\s+", " ", value) for name, value in _HEADER.findall(head)}


def dated(said: dict[str, str]) -> datetime:
    """Return when a letter was written, as it says."""
    return parsedate_to_datetime(said["Date"]).astimezone(UTC)


def deadline_told(body: bytes, written: datetime) -> datetime | None:
    """Return until when a letter says that its reader has, None where it says nothing of it."""
    found = _UNTIL.search(body.replace(b"=\r\n", b"").decode())
    if found is None:
        return None
    said = " ".join(found[1].split())
    utc = _UTC.search(said)
    assert utc is not None, said
    day, month, year, hour, minute = utc.groups()
    if day is None:  # it is the same day there
        there = _DAY.search(said)
        assert there is not None, said
        day, month, year = there.groups()
    years = (int(year),) if year else (written.year - 1, written.year, written.year + 1)
    meant = [
        datetime(each, _MONTHS.index(month) + 1, int(day), int(hour), int(minute), tzinfo=UTC)
        for each in years
    ]
    return min(meant, key=lambda at: abs(at - written))


def time_left(subject: str) -> timedelta | None:
    """Return how much time a reminder's subject says is left, None where it is not said in English."""
    found = _LEFT.search(subject)
    if found is None:
        return None
    time = timedelta(0)
    for number, unit in re.findall(r"(\d+) (day|hour|minute)s?", found[1]):
        time += timedelta(**{f"{unit}s": int(number)})
    return time
