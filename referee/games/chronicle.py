"""What umpires have done in a game, as whoever runs the service reads it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from referee.games.clocks import BY_UMPIRE
from referee.games.ends import ruling_of
from referee.games.events import (
    Ended,
    Event,
    Frozen,
    Paused,
    Replaced,
    Resumed,
    Ruled,
    TakenBack,
    Thawed,
    TimeAdded,
)
from referee.rulebooks.rulebook import Json
from referee.timing.durations import duration_phrase


@dataclass(frozen=True, slots=True)
class Done:
    """An act of an umpire's. at: aware UTC. by: the number of the officer, None for whoever runs the service. reason:
    his words, "" where none were asked for."""

    at: datetime
    what: str
    by: int | None = None
    reason: str = ""

    def plain(self) -> dict[str, Json]:
        """Return it as plain data."""
        return {"at": self.at.isoformat(), "by": self.by, "act": self.what, "reason": self.reason}


def acts_among(events: Iterable[tuple[datetime, Event]]) -> Iterator[Done]:
    """Find what umpires have done among the events of a game, each with its date. (Rulings in words and on cases are
    not among them: these were written, and can be erased.)"""
    for at, event in events:
        match event:
            case TakenBack():
                where = f"turn {event.turn} of {event.seat.capitalize()}"
                yield Done(at, f"taken back to {where}", event.by, event.reason)
            case Ruled(again=True):
                put = f"put back: {event.seat.capitalize()} {event.order}"
                yield Done(at, put, event.by or None, event.reason)
            case Ruled(by=int(by)):
                tried = f"tried for {event.seat.capitalize()}: {event.order}"
                yield Done(at, tried, by or None, event.reason)
            case Paused(cause=cause) if cause == BY_UMPIRE:
                until = f" until {event.until.isoformat()}" if event.until else ""
                yield Done(at, f"clocks stopped{until}", event.by, event.reason)
            case Resumed(cause=cause) if cause == BY_UMPIRE:
                yield Done(at, "clocks go on", event.by, event.reason)
            case TimeAdded():
                time = duration_phrase(timedelta(seconds=event.seconds))
                yield Done(at, f"given to {event.seat.capitalize()}: {time}", event.by, event.reason)
            case Replaced():
                yield Done(at, f"another player for {event.seat.capitalize()}", event.by, event.reason)
            case Frozen():
                yield Done(at, "frozen", None, event.reason)
            case Thawed():
                yield Done(at, "thawed")
            case Ended() if reason := ruling_of(event.result):
                yield Done(at, "ended by a ruling", event.by, reason)
