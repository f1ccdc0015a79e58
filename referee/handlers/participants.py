"""Which officer of an event rules in one of its games, or hears an appeal, at present."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from referee.games.clocks.calendar import day_of
from referee.games.game import Game
from referee.games.tournaments.officers import Duty, Officer, officer_for
from referee.store.queries import Lookup
from referee.store.values import StoredCompetition


def away(lookup: Lookup, event: StoredCompetition, now: datetime) -> frozenset[int]:
    """Return the officers of an event who are on leave or unreachable."""
    players = {each.player: lookup.players.find(each.player) for each in event.officers}
    gone = {number for number, player in players.items() if not player.address or player.unreachable}
    for each in lookup.leaves.of_players(list(players)):
        if each.kept is None:
            continue
        today = day_of(now, each.leave.zone)
        if each.competition in (None, event.number) and each.leave.first <= today <= each.leave.last:
            gone.add(each.player)
    return frozenset(gone)


def oversees(lookup: Lookup, game: Game, player: int) -> bool:
    """Return whether a player may see a game by an office in its event, which shows only what is public.

    Its present and former players see it from their seats or not at all.
    """
    if game.competition is None or not game.seats or player in (*game.seats.values(), *game.former):
        return False
    return holds_office(lookup, game.competition, player)


def holds_office(lookup: Lookup, competition: int | None, player: int) -> bool:
    """Return whether a player holds an office in an event at present."""
    if competition is None:
        return False
    return any(each.player == player for each in lookup.tournaments.find(competition).officers)


def who_hears(
    lookup: Lookup,
    competition: int | None,
    seats: Collection[int],
    now: datetime,
    duty: Duty = "ruling",
    ruled: Collection[int] = (),
) -> Officer | None:
    """Return the officer who is to rule in an event's game, or on an appeal; None for the service's operator.

    seats: the numbers of the game's present and former players.
    ruled: those who ruled on what is appealed against.
    """
    if competition is None:
        return None
    event = lookup.tournaments.find(competition)
    return officer_for(event.officers, seats, away=away(lookup, event, now), duty=duty, ruled=ruled)
