"""The settings that processing a letter needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from referee.handlers.game_clocks import TimeRules
from referee.rulebooks.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class ServiceConfig:
    """The settings that processing a letter needs. trust, authserv_ids, aliases: see mail.message.authentication.

    size_limit: bytes, of incoming letters.
    letters_an_hour: how many letters of one sender are heard.
    operator: an address, "" for none.
    keep_letters: how long the bytes of letters are stored, None for ever.
    digest_hour: when digests are written, in each reader's zone.
    """

    name: str
    address: str
    language: str
    trust: Literal["verified", "header"]
    authserv_ids: tuple[str, ...]
    rulebooks: Mapping[str, Rulebook] = field(repr=False)
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
