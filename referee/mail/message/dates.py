"""When a letter says it was written."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from referee.mail.message.headers import Headers
from referee.mail.message.limits import DATE_CHARACTERS


def read_date(headers: Headers) -> datetime | None:
    """Return the Date of a letter, aware UTC; None for a missing or unreadable one."""
    value = headers.first("date")
    if not value or len(value) > DATE_CHARACTERS:
        return None
    try:
        written = parsedate_to_datetime(value)
        # "-0000" is UTC at an unknown place (RFC 5322 section 3.3).
        return written.replace(tzinfo=UTC) if written.tzinfo is None else written.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
