"""Days by a player's own clock, and when the letter with the news of one is due to him."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from referee.common.durations import DAY
from referee.handlers.handler_context import HandlerContext
from referee.handlers.observers import watched_games

DIGEST_HORIZON = timedelta(hours=50)
"""Nothing is planned for later by a clock that is right, however clocks are set in between."""
APART = timedelta(hours=12)
"""So long, at least, lies between two letters with the news of a day: one that comes late, since the service stood
still or a clock was wrong, is not followed by the next at once."""


def next_hour(after: datetime, zone: str, hour: int) -> datetime:
    """Return the first instant after another at which a day's hour strikes in a zone. after: aware UTC.

    On a day whose hour is left out or comes twice, since clocks are set there, it strikes once all the same.
    """
    there = ZoneInfo(zone)
    day = after.astimezone(there).date() - DAY
    while (strikes := datetime.combine(day, time(hour), there).astimezone(after.tzinfo)) <= after:
        day += DAY
    return strikes


def is_close(now: datetime, last: datetime | None) -> bool:
    """Return whether a letter was written so lately that there is to be no other yet; last: when, None for never."""
    return last is not None and abs(now - last) < APART


def next_time(now: datetime, last: datetime | None, zone: str, hour: int) -> datetime:
    """Return when the next letter is due.

    last: when one was written. Where that lies ahead of now a clock was wrong, and it may have been just now.
    """
    if last is not None and is_close(now, last):
        return next_hour(last + APART, zone, hour)
    return next_hour(now + APART if last is not None and last > now else now, zone, hour)


def write(work: HandlerContext) -> bool:
    """Write a player the letter with the news that wait of all games which he plays or watches; tell whether there were
    any."""
    me = work.player.number
    rows = work.unit.games.of_player(me, ("playing",))
    games = filter(None, (work.readable(row.number) for row in rows))
    playing = [game for game in games if game.status == "playing"]
    told = [game for game in (*playing, *watched_games(work)) if work.clocks.can_read(game)]
    return work.post.of_the_day(me, [(game, work.titles[game.number]) for game in told])


def change(work: HandlerContext, frequency: str) -> None:
    """Write what has waited when it is to wait no more, since the writer chooses to have his letters more often."""
    before = work.player.letters
    if frequency != before and (before == "daily" or frequency == "each"):
        write(work)


def plan(work: HandlerContext) -> None:
    """Plan the writer's next letter with the news of a day, since he has chosen how often letters come, or his zone."""
    player, hour = work.player, work.service.digest_hour
    if player.letters != "daily":
        work.unit.digests.plan(player.number, None)
        return
    last = work.unit.digests.last(player.number)
    work.unit.digests.plan(player.number, next_time(work.now, last, player.zone, hour))
