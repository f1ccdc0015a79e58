"""What can be wrong in the house itself: settings, servers, disk.

A player's slip is a `Fault` (see `faults`), never an exception. Everything here derives from
`RefereeError`, carries the exit status of the command line (1: what was asked about is wrong,
2: usage or settings, 3: not now),
and its text is one sentence that an operator can act on.
"""

from __future__ import annotations


class RefereeError(Exception):
    """Something in the house is wrong; the text says what, where and the cure."""

    exit_status = 3


class SettingsError(RefereeError):
    """The settings cannot be used. Cure: mend the key that the text names."""

    exit_status = 2


class UsageError(RefereeError):
    """A command was asked for something that cannot be. Cure: as the text says."""

    exit_status = 2


class RecordRefused(RefereeError):
    """A record cannot become a game: it does not agree with the rules, or with itself. Cure: mend the row that the text
    names."""

    exit_status = 1


class SchemaError(RefereeError):
    """The database is of another release. Cure: `referee init`, or the newer release."""

    exit_status = 2


class StoreUnreachable(RefereeError):
    """The database cannot be reached or written. Cure: disk, rights, server; nothing was lost."""


class DatabaseGone(RefereeError):
    """The database's file is no longer where it was opened. Cure: stop, put it back, start again."""


class GameUnreadable(RefereeError):
    """A game cannot be made from what was kept of it. Cure: a backup, or the release that it was played with."""

    def __init__(self, game: int, why: Exception) -> None:
        """game: its number. why: what was met; its text may quote a hidden fact, so that only its kind is told."""
        super().__init__(
            f"game {game} cannot be made from what was kept of it ({type(why).__name__}): the database was changed "
            "from outside, or this release cannot read it; go back to the release before, or restore a backup"
        )


class EventUnreadable(RefereeError):
    """The terms of an event cannot be made from what was kept of them. Cure: as for a game."""

    def __init__(self, name: str, why: Exception) -> None:
        """name: of the event. why: what was met."""
        self.name = name
        super().__init__(
            f"the terms of the event {name} cannot be made from what was kept of them ({type(why).__name__}): the "
            "database was changed from outside, or this release cannot read them; go back to the release before, or "
            "restore a backup"
        )


class AnotherDaemon(RefereeError):
    """Another `referee run` works on this database. Cure: stop it, or use PostgreSQL for several."""


class Contested(RefereeError):
    """Another process wrote the same thing first, and nothing was kept. Cure: take the letter again."""


class TokenRefused(RefereeError):
    """The token command gave no token. Cure: run it by hand as the service's user, and see what it says."""


class MailboxClosed(RefereeError):
    """The incoming mailbox cannot be reached now. Cure: server, network or login."""

    def __init__(self, text: str, *, permanent: bool = False) -> None:
        super().__init__(text)
        self.permanent = permanent
        """True when waiting will not help: a wrong password, a folder that is not there."""


class DeliveryRefused(RefereeError):
    """A letter could not be handed over.

    code: the server's answer, 0 when there was none. temporary: try again later. uncertain: it may have been accepted
    all the same (lost after its last line). status: RFC 3463's; "" where only the code says what is wrong. The text
    holds it, so that it can be found there by whoever hears of the refusal later. too_large: the same letter in a
    smaller form may be taken.
    """

    def __init__(
        self,
        text: str,
        *,
        code: int = 0,
        temporary: bool,
        uncertain: bool = False,
        status: str = "",
        too_large: bool = False,
    ) -> None:
        super().__init__(text)
        self.code = code
        self.temporary = temporary
        self.uncertain = uncertain
        self.status = status
        self.too_large = too_large
