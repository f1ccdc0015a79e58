"""When a player's digest is due, by the player's own clock."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from referee.common.durations import DAY
from referee.handlers.handler_context import HandlerContext
from referee.handlers.observers import watched_games

DIGEST_HORIZON = timedelta(hours=50)
"""No later time is planned by a correct clock, whatever clock changes there are in between."""
APART = timedelta(hours=12)
"""The least time between two digests.

One that is late because of an outage or a wrong clock is not followed by the next one at once.
"""


def next_hour(after: datetime, zone: str, hour: int) -> datetime:
    """Return the first instant after another at which an hour begins in a zone. after: aware UTC.

    On a day on which clock changes skip or repeat the hour, it begins once.
    """
    there = ZoneInfo(zone)
    day = after.astimezone(there).date() - DAY
    while (strikes := datetime.combine(day, time(hour), there).astimezone(after.tzinfo)) <= after:
        day += DAY
    return strikes


def is_close(now: datetime, last: datetime | None) -> bool:
    """Return whether a digest was written too recently for another. last: when, None for never."""
    return last is not None and abs(now - last) < APART


def next_time(now: datetime, last: datetime | None, zone: str, hour: int) -> datetime:
    """Return when the next digest is due.

    last: when one was written. If that is in the future a clock was wrong, and it may have been just now.
    """
    if last is not None and is_close(now, last):
        return next_hour(last + APART, zone, hour)
    return next_hour(now + APART if last is not None and last > now else now, zone, hour)


def write(work: HandlerContext) -> bool:
    """Write a player's digest with the waiting news of all games they play or watch; return whether there was any."""
    me = work.request.player.number
    rows = work.unit.games.of_player(me, ("playing",))
    games = filter(None, (work.games.readable(row.number) for row in rows))
    playing = [game for game in games if game.status == "playing"]
    told = [game for game in (*playing, *watched_games(work)) if work.games.clocks.can_read(game)]
    return work.composer.of_the_day(me, [(game, work.games.titles[game.number]) for game in told])


def change(work: HandlerContext, frequency: str) -> None:
    """Write the news that has waited, if the writer now chooses more frequent letters."""
    before = work.request.player.letters
    if frequency != before and (before == "daily" or frequency == "each"):
        write(work)


def plan(work: HandlerContext) -> None:
    """Plan the writer's next digest, since they have chosen another frequency or zone."""
    player, hour = work.request.player, work.service.digest_hour
    if player.letters != "daily":
        work.unit.digests.plan(player.number, None)
        return
    last = work.unit.digests.last(player.number)
    work.unit.digests.plan(player.number, next_time(work.request.now, last, player.zone, hour))
