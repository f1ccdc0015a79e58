"""Instants as the command line writes them: one form for programs, one for people."""

from __future__ import annotations

from datetime import UTC, datetime


def for_programs(at: datetime) -> str:
    """Return an aware instant as ISO 8601 in UTC, to the second: "2026-11-27T17:00:00Z"."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def for_people(at: datetime | str) -> str:
    """Return an instant to the minute: "2026-11-27 17:00 UTC".

    at: an instant, or the text that `for_programs` wrote.
    """
    instant = datetime.fromisoformat(at) if isinstance(at, str) else at
    return f"{instant.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
