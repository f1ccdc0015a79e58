"""What a letter's way needs of the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from referee.handlers.game_clocks import TimeRules
from referee.rulebooks.catalogue import AnyRulebook


@dataclass(frozen=True, slots=True)
class ServiceConfig:
    """What a letter's way needs of the settings. trust, authserv_ids and aliases: see mail.message.authentication.

    size_limit: octets, of letters that come in. letters_an_hour: so many of one sender are heard. operator: an
    address, "" for none. keep_letters: how long the bytes of letters are kept, None for ever. digest_hour: at which
    the news of a day are written to whoever wants them so, in his own zone.
    """

    name: str
    address: str
    language: str
    trust: Literal["verified", "header"]
    authserv_ids: tuple[str, ...]
    rulebooks: Mapping[str, AnyRulebook] = field(repr=False)
    aliases: tuple[str, ...] = ()
    size_limit: int = 10_000_000
    letters_an_hour: int = 200
    operator: str = field(default="", repr=False)
    keep_letters: timedelta | None = None
    digest_hour: int = 18
    time: TimeRules = field(default_factory=TimeRules)

    @property
    def domain(self) -> str:
        """The domain of the service's address, for Message-IDs."""
        return self.address.rpartition("@")[2]
