"""The address that a player's letters went to until lately: it can take the change back, and is nobody else's."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.games.player import Player
from referee.store.lookup import Lookup
from referee.store.records import FurtherAddress

CONFIRMED_WITHIN = timedelta(days=7)
"""How long a new address can be confirmed, and how long the old one can take the change back."""


def former_address(unit: Lookup, player: int, now: datetime) -> FurtherAddress | None:
    """Return a player's old address as long as it can take the change back."""
    former = unit.further_address(player, "former")
    return former if former is not None and former.is_within(CONFIRMED_WITHIN, now) else None


def who_left(unit: Lookup, address: str, now: datetime) -> Player | None:
    """Return the player whose old address that is, as long as it can take the change back."""
    return unit.player_who_left(address, now - CONFIRMED_WITHIN)
