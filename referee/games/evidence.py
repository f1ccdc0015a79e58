"""How a game and its letters stood when a case was opened: kept with the case, and never looked up again.

It is plain numbers and times, and names nobody: so it stays, whoever leaves. Of the letters it tells that they were
written and when, never what they say; of the game what everybody may know, and a receipt by which that can be proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Self

from referee.games.cases import Happened
from referee.games.clock_events import FROZEN
from referee.games.clocks.ledger import Fact, Paused, Resumed
from referee.games.events import (
    Appealed,
    Claimed,
    Ended,
    EndOffered,
    Event,
    OfferWithdrawn,
    PauseOffered,
    PauseWithdrawn,
    Ruled,
)
from referee.games.game import Game
from referee.rulebooks.rulebook import OBSERVER, Json, Seat

MOST_LETTERS = 5
"""The newest so many of each seat, both ways."""


@dataclass(frozen=True, slots=True)
class CameIn:
    """A letter of a seat's. number: in the service's list of letters, 0 for who may not know it. received: by the mail
    host; recorded: by the house. held: it waits for its writer to say that it is his. brought: what it has brought
    about that an officer may know: orders, as they were read, and "claim", "appeal", "end", "pause"."""

    seat: Seat
    number: int
    received: datetime
    recorded: datetime
    held: bool = False
    brought: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WentOut:
    """A letter of ours to a seat. number: as its last line says. written: when. accepted: for delivery, None while it
    was not."""

    seat: Seat
    number: int
    written: datetime
    accepted: datetime | None


@dataclass(frozen=True, slots=True)
class ClockRead:
    """A seat's clock as it stood. used: in all, None for who may not know it; left: of its time; deadline: for its
    move, None where nothing runs."""

    seat: Seat
    used: timedelta | None
    left: timedelta
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is kept with a case. at: when it was gathered; of letters the newest, oldest of them first.

    turn, to_move, status, frozen, receipt: of the game, as everybody may know them. still: by what causes its clocks
    stood still, as in events. unreachable: seats whose letters came back.
    """

    at: datetime
    status: str
    turn: int
    to_move: tuple[Seat, ...]
    receipt: str
    came_in: tuple[CameIn, ...] = ()
    went_out: tuple[WentOut, ...] = ()
    clocks: tuple[ClockRead, ...] = ()
    still: tuple[str, ...] = ()
    frozen: bool = False
    unreachable: tuple[Seat, ...] = field(default=())

    def seen_by(self, seat: Seat | None) -> Evidence:
        """Return what a player may see of it: his own letters, his own clock, and what is public; None for an umpire,
        who sees all of it. What number the service gave to a letter would tell him how many others have written."""
        if seat is None:
            return self
        clocks = (
            each if each.seat == seat else replace(each, used=None)
            for each in self.clocks
            if each.seat == seat or each.seat in self.to_move
        )
        return replace(
            self,
            came_in=tuple(replace(each, number=0, brought=()) for each in self.came_in if each.seat == seat),
            went_out=tuple(each for each in self.went_out if each.seat == seat),
            clocks=tuple(clocks),
        )

    def plain(self) -> dict[str, Json]:
        """Return it as plain data, to be kept; `read` reads it."""
        return {key: _plain(value) for key, value in asdict(self).items()}

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Self | None:
        """Return what `plain` wrote; None for a case of an earlier release, which has none."""
        if not said:
            return None
        return cls(
            at=datetime.fromisoformat(said["at"]),
            status=said["status"],
            turn=said["turn"],
            to_move=tuple(map(Seat, said["to_move"])),
            receipt=said["receipt"],
            came_in=tuple(CameIn(**_read(each)) for each in said["came_in"]),
            went_out=tuple(WentOut(**_read(each)) for each in said["went_out"]),
            clocks=tuple(ClockRead(**_read(each)) for each in said["clocks"]),
            still=tuple(said["still"]),
            frozen=said["frozen"],
            unreachable=tuple(map(Seat, said["unreachable"])),
        )


_INSTANTS = frozenset(("received", "recorded", "written", "accepted", "deadline"))
_TIMES = frozenset(("used", "left"))


def _plain(value: Any) -> Json:
    match value:
        case datetime():
            return value.isoformat()
        case timedelta():
            return int(value.total_seconds())
        case tuple() | list():
            return [_plain(each) for each in value]
        case dict():
            return {key: _plain(each) for key, each in value.items()}
    return value


def _read(said: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(said)
    for key, value in said.items():
        if value is not None and key in _INSTANTS:
            made[key] = datetime.fromisoformat(value)
        elif value is not None and key in _TIMES:
            made[key] = timedelta(seconds=value)
        elif key == "brought":
            made[key] = tuple(value)
    return made


def gather(
    game: Game,
    at: datetime,
    came_in: Iterable[CameIn] = (),
    went_out: Iterable[WentOut] = (),
    clocks: Iterable[ClockRead] = (),
) -> Evidence:
    """Return the evidence of a game that is being played, or is over, as it stands."""
    return Evidence(
        at=at.replace(microsecond=0),
        status=game.status,
        turn=game.rulebook.rules.turn(game.view(OBSERVER)),
        to_move=tuple(sorted(game.due)),
        receipt=game.receipt,
        came_in=tuple(came_in),
        went_out=tuple(went_out),
        clocks=tuple(clocks),
        still=_causes(game.times, at),
        frozen=bool(game.frozen),
        unreachable=tuple(sorted(game.unreachable)),
    )


def brought_by(happened: Iterable[Happened], letter: int, seat: Seat) -> tuple[str, ...]:
    """Return what a letter of a seat's has brought about in a game; see CameIn. happened: the game's events.

    Another's order that was planned ahead and follows from it is none of it.
    """
    events = (each.event for each in happened if each.letter == letter)
    return tuple(dict.fromkeys(filter(None, (_brought(event, seat) for event in events))))


def _brought(event: Event, seat: Seat) -> str:
    match event:
        case Ruled(seat=whose, by=None, order=order) if whose == seat:
            return order
        case Claimed(against=against):
            return "appeal" if against else "claim"
        case Appealed():
            return "appeal"
        case EndOffered() | OfferWithdrawn() | Ended():
            return "end"
        case PauseOffered() | PauseWithdrawn():
            return "pause"
    return ""


def _causes(times: Iterable[Fact], now: datetime) -> tuple[str, ...]:
    """Return by what causes everybody's clocks stand still, save that the umpire has stopped the game."""
    causes: dict[str, datetime | None] = {}
    for fact in times:
        match fact:
            case Paused(cause=cause, until=until, seats=None) if cause != FROZEN:
                causes[cause] = until
            case Resumed(cause=cause, at=at) if at <= now:
                causes.pop(cause, None)
    return tuple(cause for cause, until in causes.items() if until is None or until > now)
