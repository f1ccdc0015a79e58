"""The door through which letters come in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Protocol

from referee.mail.message.message import RawLetter

TOGETHER = 20_000_000
"""Octets of letters that are looked at together: more would fill the memory. One letter may be larger."""


EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
"""A letter that seems to have come before or after bears no date: in some time zones there is no such day."""


def when_it_came(told: datetime | float | None, now: datetime) -> datetime:
    """Return when a letter came in, in UTC, as its mailbox tells it; now, when that is no date.

    told: a time, seconds since 1970, or None. Anything may be told: a file's time can be set, and letters are put into
    mailboxes by all kinds of programs.
    """
    try:
        at = told.astimezone(UTC) if isinstance(told, datetime) else datetime.fromtimestamp(told or 0.0, UTC)
    except (ValueError, OverflowError, OSError):
        return now
    return at if told is not None and EARLIEST <= at < LATEST else now


class Mailbox(Protocol):
    """A place where letters wait. Looking at a letter does not change it; only `handled` does.

    Every method may raise MailboxClosed; after that the same object may be used again, and reconnects.
    """

    def unread(self, limit: int = 50, besides: Collection[RawLetter] = ()) -> list[RawLetter]:
        """Return up to `limit` waiting letters that this door has not yet been told are handled, oldest first.

        besides: letters that were returned before, and are left out now. Never more than TOGETHER is returned, but
        at least one letter when any waits. One that cannot be had now comes without content, and keeps no other from
        coming.

        The truth of the mailbox is asked each time; nothing is remembered by flags or dates. Letters that
        were returned before and not handled come again.
        """
        ...

    def handled(self, letters: Sequence[RawLetter]) -> None:
        """Move these letters to the `done` folder, in one batch. Called only after their outcome is committed."""
        ...

    def wait(self, seconds: float) -> bool:
        """Wait until something seems to have arrived, at most `seconds`. A hint only: ask `unread` for the truth."""
        ...

    def interrupt(self) -> None:
        """Make a blocked call in another thread end soon (for stopping); safe from any thread."""
        ...

    def close(self) -> None:
        """Let go of the server; the object may be used again."""
        ...
