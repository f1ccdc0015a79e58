"""Lists what umpires have done in a game, for the service's operator. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from referee.games.clock_events import BY_UMPIRE
from referee.games.clocks.durations import duration_phrase
from referee.games.events import (
    Ended,
    Event,
    Frozen,
    Paused,
    Replaced,
    Resumed,
    Ruled,
    Stated,
    TakenBack,
    Thawed,
    TimeAdded,
)
from referee.games.game import happenings_of, turn_for_all
from referee.games.results import ruling_of
from referee.rulebooks.rulebook import Happening, Json, Rulebook, heard_by_all


@dataclass(frozen=True, slots=True)
class Done:
    """An act of an umpire.

    at: aware UTC.
    by: the number of the officer, None for the service's operator.
    reason: the umpire's words, "" where none were asked for.
    turn: the turn in play, 0 where it was not asked for.
    public: observers may hear of it, and not only the players.
    heard: the number of happenings that everyone had heard by then.
    """

    at: datetime
    what: str
    by: int | None = None
    reason: str = ""
    turn: int = 0
    public: bool = True
    heard: int = 0

    def plain(self) -> dict[str, Json]:
        """Return the act as plain data."""
        return {"at": self.at.isoformat(), "by": self.by, "act": self.what, "reason": self.reason}


def acts_among(events: Iterable[tuple[datetime, Event]]) -> Iterator[Done]:
    """Yield the acts of umpires among dated events of a game.

    Statements and rulings on cases are left out: their texts can be erased.
    """
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
                until = f" until {event.until:%Y-%m-%dT%H:%M:%SZ}" if event.until else ""
                yield Done(at, f"clocks stopped{until}", event.by, event.reason)
            case Resumed(cause=cause) if cause == BY_UMPIRE:
                yield Done(at, "clocks go on", event.by, event.reason)
            case TimeAdded():
                time = duration_phrase(timedelta(seconds=event.seconds))
                yield Done(at, f"given to {event.seat.capitalize()}: {time}", event.by, event.reason)
            case Replaced():
                yield Done(at, f"another player for {event.seat.capitalize()}", event.by, event.reason)
            case Frozen():
                yield Done(at, "frozen", None, event.reason, public=False)
            case Thawed():
                yield Done(at, "thawed", public=False)
            case Ended() if reason := ruling_of(event.result):
                yield Done(at, "ended by a ruling", event.by, reason)


def acts_beside_the_moves(events: Iterable[tuple[datetime, Event]], rulebook: Rulebook) -> Iterator[Done]:
    """Yield the acts of umpires that a game's record lists beside its moves, each with its turn.

    A take-back has a row of its own, and a ruling that ended the game is the result.

    events: all of the game.
    """
    happenings: list[Happening] = []
    for at, event in events:
        if not isinstance(event, TakenBack | Ended):
            for done in acts_among([(at, event)]):
                heard = len(heard_by_all(happenings, rulebook.seats))
                yield replace(done, turn=turn_for_all(rulebook, happenings), heard=heard)
        happenings += happenings_of(event)


def rulings_among(events: Iterable[tuple[datetime, Event]], rulebook: Rulebook) -> dict[int, int]:
    """Return the umpires' statements among all events of a game.

    The keys are the numbers of their texts, the values how many happenings everyone had heard by then.
    """
    heard, found = 0, {}
    for _, event in events:
        if isinstance(event, Stated):
            found[event.text] = heard
        heard += len(heard_by_all(happenings_of(event), rulebook.seats))
    return found
