"""Errors of the service itself: settings, servers, disk.

A player's slip is a `Fault` (see `faults`), never an exception. Every error here derives from `RefereeError`.
Its text is one sentence that an operator can act on. It carries the exit status of the command line:
1: the thing asked about is wrong
2: usage or settings
3: not possible now
"""

from __future__ import annotations


class RefereeError(Exception):
    """Something in the service is wrong. The text says what, where and the cure."""

    exit_status = 3


class SettingsError(RefereeError):
    """The settings cannot be used. Cure: correct the key that the text names."""

    exit_status = 2


class UsageError(RefereeError):
    """A command was asked for something impossible. Cure: as the text says."""

    exit_status = 2


class RecordRefused(RefereeError):
    """A record contradicts the rules or itself. Cure: correct the row that the text names."""

    exit_status = 1


class SchemaError(RefereeError):
    """The database is of another release. Cure: `referee init`, or the newer release."""

    exit_status = 2


class StoreUnreachable(RefereeError):
    """The database cannot be reached or written. Cure: disk, rights, server; nothing was lost."""


class DatabaseGone(RefereeError):
    """The database file is no longer where it was opened. Cure: stop, put it back, start again."""


class RulesUnusable(KeyError):
    """The rules of a game are not there, or cannot be loaded."""

    def __init__(self, name: str, reason: str) -> None:
        """reason: why, as a clause; "" where there are none of this name."""
        super().__init__(name)
        self.reason = reason or "no package with them is installed"


class GameUnreadable(RefereeError):
    """A game cannot be rebuilt from its stored events. Cure: a backup, or the release that it was played with."""

    def __init__(self, game: int, why: Exception) -> None:
        """Only the kind of `why` goes into the text, since its message may quote a hidden fact.

        game: its number.
        why: the exception met.
        """
        if isinstance(why, RulesUnusable):
            super().__init__(
                f"game {game} cannot be read: its rules {why.args[0]} cannot be used ({why.reason}); "
                "`referee rulebooks` lists what is installed"
            )
            return
        super().__init__(
            f"game {game} cannot be made from what was kept of it ({type(why).__name__}): the database was changed "
            "from outside, or this release cannot read it; go back to the release before, or restore a backup"
        )


class EventUnreadable(RefereeError):
    """The settings of a tournament cannot be rebuilt from what is stored. Cure: as for a game."""

    def __init__(self, name: str, why: Exception) -> None:
        """name: of the tournament. why: the exception met."""
        self.name = name
        super().__init__(
            f"the terms of the event {name} cannot be made from what was kept of them ({type(why).__name__}): the "
            "database was changed from outside, or this release cannot read them; go back to the release before, or "
            "restore a backup"
        )


class AnotherDaemon(RefereeError):
    """Another `referee run` uses this database. Cure: stop it, or use PostgreSQL for several."""


class Contested(RefereeError):
    """Another process wrote the same thing first, and nothing was stored. Cure: process the letter again."""


class TokenRefused(RefereeError):
    """The token command printed no token. Cure: run it by hand as the service's user and read its output."""


class MailboxClosed(RefereeError):
    """The incoming mailbox is unreachable at the moment. Cure: check server, network or login."""

    def __init__(self, text: str, *, permanent: bool = False) -> None:
        super().__init__(text)
        self.permanent = permanent
        """True when waiting will not help: a wrong password, or a missing folder."""


class DeliveryRefused(RefereeError):
    """A letter was not accepted for delivery.

    code: the server's answer, 0 when there was none.
    temporary: try again later.
    uncertain: the server may have accepted it (the connection was lost after the last line).
    status: RFC 3463's status; "" where only the code says what is wrong. The text contains it, for later
        readers.
    too_large: the same letter in a smaller form may be accepted.
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
