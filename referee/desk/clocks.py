"""The clocks of games: when they are to be looked at, and whether somebody's time is up."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from referee.desk.work import Work
from referee.games.agreements import lapse_of
from referee.games.ends import ON_TIME
from referee.games.events import Ended, Event, Opened, Replaced, Ruled, TakenBack
from referee.games.game import Game
from referee.rulebooks.rulebook import Result, Seat
from referee.timing.reminders import Reminder, reminders

CLOCK_PROVED = timedelta(days=1)
"""So long the house's clock must have gone regularly before anybody loses by it."""
HELD_FOR = timedelta(days=30)
"""So long a letter that is held may be confirmed, and then counts as of when it came in."""
AT_ONCE = timedelta(microseconds=1)


def keep(work: Work, game: Game, events: Collection[Event]) -> None:
    """Keep when the clocks of a game are to be looked at, after events that have just happened."""
    for seat, player in game.seats.items():
        anew = any(
            isinstance(each, Opened | TakenBack) or (isinstance(each, Ruled | Replaced) and each.seat == seat)
            for each in events
        )
        work.unit.set_clock(
            game.number, seat, player, None if anew else next_look(work, game, seat), anew=anew
        )
        work.post.clocks.forget(game.number)
        if anew and (due := next_look(work, game, seat)) is not None:
            work.unit.set_clock(game.number, seat, player, due, anew=True)
            work.post.clocks.forget(game.number)


def next_look(work: Work, game: Game, seat: Seat) -> datetime | None:
    """Return when a seat's clock is to be looked at, None for not at all as things are."""
    if game.status != "playing" or seat not in game.due:
        return None
    ledger = work.post.clocks.ledger(game)
    if ledger.since(seat) is None:
        return work.now
    deadline = work.post.clocks.deadline(game, seat)
    if deadline is None or seat in game.time_up:
        return None
    marks = reminders(ledger, seat, work.post.clocks.marks(game), reminded(work, game, seat))
    return min([each.at for each in marks if each.at <= deadline], default=deadline + AT_ONCE)


def reminded(work: Work, game: Game, seat: Seat) -> tuple[Reminder, ...]:
    """Return the reminders that a seat's player got for the move he is on."""
    kept = work.post.clocks.kept(game).get(seat)
    return tuple(Reminder(mark, at) for mark, at in kept.reminded) if kept else ()


def may_be_over(work: Work, game: Game, seat: Seat) -> bool:
    """Tell whether a seat's time is up for certain: the deadline has passed, the mailbox was looked into since, no
    letter that came in by then waits or is held for the player, and the house's clock has gone regularly."""
    since = work.post.clocks.ledger(game).since(seat)
    deadline = work.post.clocks.deadline(game, seat)
    if since is None or deadline is None or deadline >= work.received:
        return False
    looked = work.unit.last_look()
    if looked is None or looked <= deadline or work.unit.regular_by(work.now) < CLOCK_PROVED:
        return False
    return not work.unit.may_be_in_time(game.seats[seat], max(since, work.now - HELD_FOR), deadline)


def is_late(work: Work, game: Game, seat: Seat) -> bool:
    """Tell whether a move of a seat's does not count any more, since its time was up when the letter came in."""
    if not game.timed or lapse_of(game.options) == "soft":
        return False
    deadline = work.post.clocks.deadline(game, seat)
    running = work.post.clocks.ledger(game).since(seat) is not None
    late = running and deadline is not None and work.received > deadline
    return late and work.unit.regular_by(work.now) >= CLOCK_PROVED


def over_on_time(game: Game, seat: Seat) -> Ended:
    """Return the end of a game in which a seat's time was up."""
    (other,) = (each for each in game.seats if each != seat)
    result = Result(other, ON_TIME)
    return Ended(result, game.rulebook.conclude(game.position, result))
