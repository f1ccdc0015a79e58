"""Players who were only ever invited: they lose their address to somebody who proves that it is theirs.

Anybody can create such a player for any address by a challenge, and could otherwise keep others from using
their own mailbox.
"""

from __future__ import annotations

from referee.games.player import Player
from referee.handlers import replies
from referee.handlers.handler_context import HandlerContext
from referee.handlers.proposals import take_back, turn_down
from referee.store.departures import give_address_up
from referee.store.queries import Lookup

_EVERY_STATUS = ("proposed", "playing", "ended")
"""The statuses of games that can have players, or wait for one."""


def is_only_invited(unit: Lookup, player: Player) -> bool:
    """Return whether a player has neither a name nor ever played a game."""
    games = unit.games.of_player(player.number, _EVERY_STATUS)
    return not player.name and not any(player.number in row.seats.values() for row in games)


def give_way(work: HandlerContext, letter: int) -> bool:
    """Remove the address of a player who was only invited, and decline their invitations; False for any other player.

    letter: the one that proved whose the address is.
    """
    unit, me = work.unit, work.request.player.number
    if not is_only_invited(unit, work.request.player):
        return False
    for row in unit.games.of_player(me, ("proposed",)):
        game = work.games.readable(row.number)
        if game is not None and game.proposed_by == me:
            take_back(work, game)
        elif game is not None and game.proposed_by is not None:
            turn_down(work, game, game.proposed_by)
    replies.tell_others(work, letter)
    give_address_up(unit, me)
    return True
