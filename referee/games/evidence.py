"""How a game and its letters stood when a case was opened; stored with the case and never recomputed.

It consists of plain numbers and times and names nobody, so it remains when a player leaves. It records that
letters were written and when, never their contents; of the game, what everybody may know, and a receipt that
proves it.
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
"""How many of the newest letters are listed for each seat, in each direction."""


@dataclass(frozen=True, slots=True)
class CameIn:
    """A letter from a seat.

    number: in the service's list of letters, 0 for a reader who may not know it.
    received: by the mail host.
    recorded: by the service.
    held: it waits for its writer to confirm it.
    brought: its effects that an officer may know: orders, as they were read, and "claim", "appeal", "end",
        "pause".
    """

    seat: Seat
    number: int
    received: datetime
    recorded: datetime
    held: bool = False
    brought: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WentOut:
    """A letter from the service to a seat.

    number: as in the letter's last line.
    accepted: when it was accepted for delivery, None before that.
    """

    seat: Seat
    number: int
    written: datetime
    accepted: datetime | None


@dataclass(frozen=True, slots=True)
class ClockRead:
    """A seat's clock as it stood.

    used: in all, None for a reader who may not know it.
    left: of the seat's time.
    deadline: for its move, None where no time runs.
    """

    seat: Seat
    used: timedelta | None
    left: timedelta
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence stored with a case. Letters are the newest ones, oldest first.

    at: when it was gathered.
    turn, to_move, status, frozen, receipt: the game's, as everybody may know them.
    still: the causes for which its clocks stood still, as in events.
    unreachable: seats whose mail bounced.
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
        """Return the part that a player may see: their own letters, their own clock, and what is public.

        Numbers in the service's list of letters are left out, since they would reveal how many letters others
        have written.

        seat: None for an umpire, who sees everything.
        """
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
        """Return the evidence as plain data for storage; `read` reads it."""
        return {key: _plain(value) for key, value in asdict(self).items()}

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Self | None:
        """Return the evidence that `plain` wrote; None for a case of an earlier release, which has none."""
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
    """Return the evidence of a game as it stands; the game has begun and may be over."""
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
    """Return the effects of a seat's letter in a game; see CameIn.

    The other seat's planned order that follows as a consequence does not count.

    happened: the game's events.
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
    """Return the causes for which both clocks stand still, other than a freeze."""
    causes: dict[str, datetime | None] = {}
    for fact in times:
        match fact:
            case Paused(cause=cause, until=until, seats=None) if cause != FROZEN:
                causes[cause] = until
            case Resumed(cause=cause, at=at) if at <= now:
                causes.pop(cause, None)
    return tuple(cause for cause, until in causes.items() if until is None or until > now)
