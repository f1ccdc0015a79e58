"""Games, cases and letters as an overview of many games needs them: what is asked of the store for all at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from referee.games.summary import Outline
from referee.games.tournaments.officers import Duty
from referee.rulebooks.rulebook import Seat


@dataclass(frozen=True, slots=True)
class Side:
    """Who sits somewhere, with the latest deadline that he was told for the move he is on. name: "" for none.

    unreachable: since when letters to him do not count as arriving.
    """

    player: int
    name: str = field(repr=False)
    promised: datetime | None
    unreachable: datetime | None


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game that is being played, as its rows have it. turned: since when somebody is to move; None where that was
    never kept. outline: None where what was kept is not of its last event. former: who sat there once."""

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
    """A case that waits for a ruling, or for what follows from it. duty: what kind; to_change: it was upheld, and the
    game has not been changed since. appealed: it is an appeal, or somebody has appealed in it. ruled: who has ruled on
    what is appealed against. over: so is its game, which is of that event. players: who sits there, or has."""

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
    """The cases that wait, and the games of which the cases cannot be read, where one may wait. over, players: of such
    a game, as of a case."""

    waiting: tuple[OpenCase, ...] = ()
    unread: tuple[UnreadCases, ...] = ()


@dataclass(frozen=True, slots=True)
class UnreadCases:
    """A game of which the cases cannot be read. title: its own."""

    game: int
    title: str = field(repr=False)
    over: bool
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Waits:
    """A letter in a player's name that is held. number: of `referee letters`."""

    game: int
    player: int
    number: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Passed:
    """The newest letters about a game between a player and the house: when his came in, when ours was written, and when
    it was accepted for delivery."""

    came_in: datetime | None = None
    went_out: datetime | None = None
    accepted: datetime | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A game that waits for somebody to take it up. is_open: anybody may join."""

    game: int
    title: str = field(repr=False)
    is_open: bool
    since: datetime
