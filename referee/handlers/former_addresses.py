"""The address that a player's letters went to until lately: it can take the change back, and is nobody else's."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from referee.games.player import Player
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent
from referee.reports.report import Note
from referee.store.queries import Lookup
from referee.store.values import FurtherAddress, address_key

ADDRESS_CHANGE_TTL = timedelta(days=7)
"""How long a new address can be confirmed, and how long the old one can take the change back."""


def former_address(unit: Lookup, player: int, now: datetime) -> FurtherAddress | None:
    """Return a player's old address as long as it can take the change back."""
    former = unit.addresses.get(player, "former")
    return former if former is not None and former.is_within(ADDRESS_CHANGE_TTL, now) else None


def who_left(unit: Lookup, address: str, now: datetime) -> Player | None:
    """Return the player whose old address that is, as long as it can take the change back."""
    return unit.players.formerly_at(address, now - ADDRESS_CHANGE_TTL)


def move(
    work: HandlerContext,
    address: str,
    why: Literal["address-left", "address-lost"] = "address-left",
    *,
    stays_second: bool = False,
) -> None:
    """Have the player's letters go to another address, and tell the old one.

    The address that was left first keeps its word for the whole time: whoever has taken a player's letters to one
    address could else, by going on to another, take that word away. Once the player is back there, it is over: the
    address in between has no word in it. stays_second: what he writes from the old one is still his.
    """
    unit, me, old = work.unit, work.player.number, work.player.address
    former, second = unit.addresses.get(me, "former"), unit.addresses.get(me, "second")
    if second is not None and address_key(second.address) == address_key(address):
        unit.addresses.drop(me, "second")
    lasting = former_address(unit, me, work.now)
    back = lasting is not None and address_key(lasting.address) == address_key(address)
    if former is not None and (back or lasting is None):
        unit.addresses.drop(me, "former")
    work.change_player(address=address)
    if stays_second:
        unit.addresses.add(me, "second", old)
    if former is not None and lasting is None:
        unit.letters.unlink_from(former.address, me)
    tag = ""
    if lasting is None:
        tag = work.draws.tag()
        unit.tags.add(tag, "former", player=me)
        unit.addresses.add(me, "former", old, tag)
    left = Note(why, {"days": ADDRESS_CHANGE_TTL.days if tag else 0})
    work.post.to_address(old, LetterContent(kind="notice", notes=(left,)), player=me, reply_tag=tag)
    if not tag:
        unit.letters.unlink_from(old, me)
