"""Games, cases and letters as an overview of many games reads them from the store, all at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from referee.games.summary import Outline
from referee.games.tournaments.officers import Duty
from referee.rulebooks.rulebook import Seat


@dataclass(frozen=True, slots=True)
class Side:
    """A seat's player, with the latest deadline that they were told for the present move.

    name: "" for none.
    unreachable: since when letters to them bounce.
    """

    player: int
    name: str = field(repr=False)
    promised: datetime | None
    unreachable: datetime | None


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game that is being played, as in its rows.

    turned: when the side to move became due; None where that was never stored.
    outline: None where the stored one is not of its last event.
    former: earlier players.
    """

    number: int
    rules: str
    title: str = field(repr=False)
    created: datetime
    competition: int | None
    turned: datetime | None
    last_event: int
    outline: Outline | None
    sides: Mapping[Seat, Side]
    former: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class OpenCase:
    """A case that waits for a ruling, or for what follows from it.

    duty: what kind of action is due.
    ruled: who has ruled on what is appealed against.
    over: its game is over.
    competition: the game's tournament.
    players: the game's players, present and former.
    to_change: it was upheld, and the game has not been changed since.
    appealed: it is an appeal, or was appealed.
    """

    game: int
    number: int
    seat: Seat
    since: datetime
    duty: Duty
    ruled: tuple[int, ...]
    over: bool
    competition: int | None
    players: tuple[int, ...]
    to_change: bool = False
    appealed: bool = False


@dataclass(frozen=True, slots=True)
class Docket:
    """The waiting cases, and the games whose cases cannot be read, where one may wait."""

    waiting: tuple[OpenCase, ...] = ()
    unread: tuple[UnreadCases, ...] = ()


@dataclass(frozen=True, slots=True)
class UnreadCases:
    """A game whose cases cannot be read. title: its own. over, players: as for a case."""

    game: int
    title: str = field(repr=False)
    over: bool
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Waits:
    """A held letter in a player's name. number: as in `referee letters`."""

    game: int
    player: int
    number: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Passed:
    """The newest letters about a game between a player and the service.

    came_in: when the player's arrived.
    went_out, accepted: when ours was written, and accepted for delivery.
    """

    came_in: datetime | None = None
    went_out: datetime | None = None
    accepted: datetime | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A game that waits for an opponent. is_open: anybody may join."""

    game: int
    title: str = field(repr=False)
    is_open: bool
    since: datetime
