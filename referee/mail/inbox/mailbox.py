"""The protocol of mailboxes, through which letters arrive."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Protocol

from referee.mail.message.message import RawLetter

TOGETHER = 20_000_000
"""Most bytes of letters read together: more would fill the memory. A single letter may be larger."""


EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
"""A date outside these limits is ignored: in some time zones that day does not exist."""


def when_it_came(told: datetime | float | None, now: datetime) -> datetime:
    """Return when a letter arrived, in UTC; now, when the mailbox gives no usable date.

    told: a time, seconds since 1970, or None. Any value may come: a file's time can be set, and all kinds of
        programs put letters into mailboxes.
    """
    try:
        at = told.astimezone(UTC) if isinstance(told, datetime) else datetime.fromtimestamp(told or 0.0, UTC)
    except (ValueError, OverflowError, OSError):
        return now
    return at if told is not None and EARLIEST <= at < LATEST else now


class Mailbox(Protocol):
    """A place where letters wait. Reading a letter does not change it; only `handled` does.

    Every method may raise MailboxClosed. Afterwards the same object may be used again, and reconnects.
    """

    def unread(self, limit: int = 50, besides: Collection[RawLetter] = ()) -> list[RawLetter]:
        """Return up to `limit` waiting letters that are not yet handled, oldest first.

        besides: letters that were returned before, and are left out now.

        At most TOGETHER bytes are returned, but at least one letter when any waits. A letter that is
        unavailable now comes without content, and holds up no other.

        The mailbox is asked each time; nothing is remembered by flags or dates. Letters that were returned
        before and not handled come again.
        """
        ...

    def handled(self, letters: Sequence[RawLetter]) -> None:
        """Move these letters to the `done` folder, in one batch. Called only after their outcome is committed."""
        ...

    def wait(self, seconds: float) -> bool:
        """Wait until something seems to have arrived, at most `seconds`.

        It is only a hint: `unread` gives the truth.
        """
        ...

    def interrupt(self) -> None:
        """End a blocked call in another thread soon (for stopping); safe from any thread."""
        ...

    def close(self) -> None:
        """Disconnect from the server; the object may be used again."""
        ...
