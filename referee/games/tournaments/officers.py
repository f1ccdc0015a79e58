"""Who acts for an event, and which officer acts in one of its games: never one who plays in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal, get_args

Office = Literal["director", "umpire", "deputy", "appeals"]
"""Runs an event; rules in its games; rules where the umpire cannot; hears appeals against rulings."""
OFFICES: tuple[Office, ...] = get_args(Office)

Duty = Literal["ruling", "appeal"]
_IN_TURN: dict[Duty, tuple[Office, ...]] = {
    "ruling": ("umpire", "deputy", "director"),
    "appeal": ("appeals", "director", "umpire", "deputy"),
}
"""The order in which offices are tried for a duty."""


@dataclass(frozen=True, slots=True)
class Officer:
    """A player with an office in an event. player: their number."""

    office: Office
    player: int


def office_called(office: Office) -> str:
    """Return the name of an office, for an operator."""
    return "officer for appeals" if office == "appeals" else office


def officer_for(
    officers: Iterable[Officer],
    seats: Collection[int],
    *,
    away: Collection[int] = (),
    duty: Duty = "ruling",
    ruled: Collection[int] = (),
) -> Officer | None:
    """Return the officer who acts in a game; None when none can, and the service's operator has to.

    seats: the numbers of the game's players, who never act in it.
    away: players who are on leave or unreachable.
    ruled: for an appeal, those who ruled on its subject; another officer hears it.
    """
    kept = (*seats, *away, *(ruled if duty == "appeal" else ()))
    in_office = {each.office: each for each in officers if each.player not in kept}
    return next((in_office[office] for office in _IN_TURN[duty] if office in in_office), None)


Barred = Literal["no office", "plays", "appeals alone", "umpire there"]
"""Why a player does not act in a game.

They have no office in its event; they play in it, or did; they hear appeals alone; or they are the deputy,
and the umpire can act.
"""


def office_to_act(
    officers: Iterable[Officer], player: int, seats: Collection[int], *, away: Collection[int] = ()
) -> Office | Barred:
    """Return the office by which a player acts in a game of an event, or why they don't act.

    seats: the numbers of the game's present and former players.
    away: as in `officer_for`.
    """
    held = {each.office: each.player for each in officers}
    mine = [office for office, who in held.items() if who == player]
    if not mine:
        return "no office"
    if player in seats:
        return "plays"
    if "umpire" in mine:
        return "umpire"
    if "director" in mine:
        return "director"
    if "deputy" not in mine:
        return "appeals alone"
    umpire = held.get("umpire")
    return "deputy" if umpire is None or umpire in (*seats, *away) else "umpire there"
