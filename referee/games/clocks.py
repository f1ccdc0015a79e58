"""The clocks of a game: what its events say of time, and the ledger that follows from it (see timing.ledger)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from referee.games.events import (
    ClockStarted,
    Ended,
    Event,
    Frozen,
    Paused,
    Reachable,
    Resumed,
    Ruled,
    Thawed,
    TimeAdded,
    Unreachable,
)
from referee.rulebooks.rulebook import Seat
from referee.timing import ledger
from referee.timing.calendar import EVERY_DAY, Calendar
from referee.timing.controls import Control
from referee.timing.ledger import Fact, Ledger

FROZEN = "frozen"
"""The cause of a pause while the umpire has stopped the game."""
Facts = tuple[Fact, ...]


def dated(event: Event, at: datetime, received: datetime) -> Event:
    """Return an event of a game with time control, with its date. at: now. received: when the letter was recorded by
    which it comes to pass; now where there is none."""
    match event:
        case Ruled(received=None):
            return replace(event, received=received)
        case Ended(at=None):
            return replace(event, at=received)
        case Frozen(at=None) | Thawed(at=None) | Unreachable(at=None) | Reachable(at=None):
            return replace(event, at=at)
    return event


def facts_after(facts: Facts, event: Event, seats: Collection[Seat]) -> Facts:
    """Return what bears on the clocks of a game after one more event; nothing that is not dated does."""
    match event:
        case Ruled(seat=seat, received=datetime() as at):
            return (*facts, ledger.Moved(seat, at))
        case ClockStarted(seat=seat, at=at):
            return (*_not_started(facts, seat), ledger.Started(seat, at))
        case Ended(at=datetime() as at):
            return (*facts, ledger.Ended(at))
        case Paused(cause=cause, at=at, until=until):
            return (*facts, ledger.Paused(cause, at, until))
        case Resumed(cause=cause, at=at):
            return (*facts, ledger.Resumed(cause, at))
        case TimeAdded(seat=seat, at=at, seconds=seconds):
            return (*facts, ledger.Added(seat, at, timedelta(seconds=seconds)))
        case Frozen(at=datetime() as at):
            return (*facts, ledger.Paused(FROZEN, at))
        case Thawed(at=datetime() as at):
            return (*facts, ledger.Resumed(FROZEN, at))
        case Unreachable(seat=seat, at=datetime() as at):
            others = frozenset(each for each in seats if each != seat)
            return (*facts, ledger.Paused(f"{seat} unreachable", at, None, others))  # TM-3.4
        case Reachable(seat=seat, at=datetime() as at):
            return (*facts, ledger.Resumed(f"{seat} unreachable", at))
    return facts


def _not_started(facts: Facts, seat: Seat) -> Facts:
    """Return facts without that by which a seat's clock runs, where it does."""
    for number in range(len(facts) - 1, -1, -1):
        match facts[number]:
            case ledger.Moved(seat=who) if who == seat:
                return facts
            case ledger.Started(seat=who) if who == seat:
                return (*facts[:number], *facts[number + 1 :])
    return facts


def clocks_of(
    control: Control,
    seats: Iterable[Seat],
    facts: Sequence[Fact],
    *,
    calendar: Calendar = EVERY_DAY,
    outside: Iterable[Fact] = (),
    now: datetime | None = None,
) -> Ledger:
    """Return the clocks of a game. outside: what bears on them and is no event of the game's: outages and leave.

    now: nothing that has happened is dated later; without it, that is not looked at.
    """
    return ledger.fold(ledger.open_ledger(control, seats, calendar), (*outside, *_in_order(facts, now)))


def _in_order(facts: Sequence[Fact], now: datetime | None) -> list[Fact]:
    """Return facts as a right clock would have dated them, as far as that is known.

    The log has them in the order in which they came to be known. A start, a move, or the end that is dated later than
    one behind it was dated by a clock that was ahead: it was no later than that (TM-3.7).
    """
    latest, kept = now, []
    for fact in reversed(facts):
        if isinstance(fact, ledger.Started | ledger.Moved | ledger.Ended):
            if latest is not None and fact.at > latest:
                fact = replace(fact, at=latest)  # noqa: PLW2901
            latest = fact.at
        kept.append(fact)
    return kept[::-1]
