"""Forgets players who leave, or who have never done anything.

What cannot go at once is left to `erasure`: our unsent letters, and mentions of a player in others' letters
and in the titles of games.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from referee.store.unit_of_work import UnitOfWork
from referee.store.values import Parting

MOST_COUNTED = 10_000
"""Most letters of a departing player that are counted: more than any limit allows in an hour."""


def forget_player(unit: UnitOfWork, number: int, *, letter: int) -> None:
    """Erase who a player is: name and addresses, their letters, and ours to them that need no longer be sent.

    Their games, events and outcomes stay, under their number alone, and a `Parting` for each address.

    letter: their last one, by which they left.
    """
    address = unit.players.find(number).address
    if not address:
        return
    further = unit.addresses.of_player(number)
    # An address that they only asked for need not be theirs.
    addresses = [address, *(each.address for each in further if each.use in ("second", "former"))]
    parting = _parting(unit, number, letter, addresses)
    unit.players.erase(number)
    unit.addresses.erase(number)
    unit.writings.forget(number)
    for each in addresses:
        if unit.players.by_address(each) is not None:
            continue  # another player's by now
        unit.letters.forget_from(each)
        unit.games.forget_invited(each)
        unit.partings.replace(each, parting)
        # Letters from there before they were a player, or on account of others, go with the rest.
        unit.outbox.assign(each, number)
    unit.letters.forget_held_for(number)
    unit.tournaments.dismiss_player(number)
    unit.news.forget(number)
    unit.leaves.forget(number)
    unit.pending_actions.forget(number)
    unit.letters.forget_heard(number)
    unit.digests.plan(number, None)
    unit.overviews.plan(number, None)
    unit.players.begin_erasure(number)
    unit.outbox.erase_posted(number)
    unit.tags.revoke_all(number)


def _parting(unit: UnitOfWork, number: int, letter: int, addresses: Sequence[str]) -> Parting:
    """Return what is stored of a departing player, for each of their addresses."""
    now = unit.now()
    an_hour = now - timedelta(hours=1)
    return Parting(
        at=now,
        letter=letter,
        played=unit.games.has_seat(number),
        letters=1 + sum(unit.letters.count_heard(each, an_hour, now, MOST_COUNTED) for each in addresses),
        challenges=unit.games.count_challenges(number, now - timedelta(days=1)),
    )


def give_address_up(unit: UnitOfWork, number: int) -> None:
    """Remove the address of a player who has done nothing yet, since it is another player's.

    All letters from and to that address go with it.
    """
    unit.players.erase(number)
    unit.addresses.erase(number)
    unit.tags.revoke_all(number)
