"""A player's previous address: for some time it can reverse the change, and is nobody else's."""

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
"""How long a new address can be confirmed, and how long the old one can reverse the change."""


def former_address(unit: Lookup, player: int, now: datetime) -> FurtherAddress | None:
    """Return a player's old address while it can reverse the change."""
    former = unit.addresses.get(player, "former")
    return former if former is not None and former.is_within(ADDRESS_CHANGE_TTL, now) else None


def who_left(unit: Lookup, address: str, now: datetime) -> Player | None:
    """Return the player whose old address that is, while it can reverse the change."""
    return unit.players.formerly_at(address, now - ADDRESS_CHANGE_TTL)


def move(
    work: HandlerContext,
    address: str,
    why: Literal["address-left", "address-lost"] = "address-left",
    *,
    stays_second: bool = False,
) -> None:
    """Change the player's address, and tell the old one.

    The address that was left first can reverse the change for the whole time: somebody who has redirected a
    player's letters could otherwise, by changing to yet another address, take that away. Once the player is
    back there, this ends: the address in between cannot reverse anything.

    stays_second: what they write from the old one is still theirs.
    """
    unit, me, old = work.unit, work.request.player.number, work.request.player.address
    former, second = unit.addresses.get(me, "former"), unit.addresses.get(me, "second")
    if second is not None and address_key(second.address) == address_key(address):
        unit.addresses.drop(me, "second")
    lasting = former_address(unit, me, work.request.now)
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
        tag = work.composer.new_tag("former", me)
        unit.addresses.add(me, "former", old, tag)
    left = Note(why, {"days": ADDRESS_CHANGE_TTL.days if tag else 0})
    work.composer.to_address(old, LetterContent(kind="notice", notes=(left,)), player=me, reply_tag=tag)
    if not tag:
        unit.letters.unlink_from(old, me)
