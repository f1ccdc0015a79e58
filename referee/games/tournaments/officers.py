"""Who acts for an event, and who of them in one of its games: never one who plays in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal, get_args

Office = Literal["director", "umpire", "deputy", "appeals"]
"""Who runs an event; rules in its games; rules where the umpire cannot; hears appeals against rulings."""
OFFICES: tuple[Office, ...] = get_args(Office)

Duty = Literal["ruling", "appeal"]
_IN_TURN: dict[Duty, tuple[Office, ...]] = {
    "ruling": ("umpire", "deputy", "director"),
    "appeal": ("appeals", "director", "umpire", "deputy"),
}
"""Whose turn it is for a duty: the first who can."""


@dataclass(frozen=True, slots=True)
class Officer:
    """A player with an office in an event. player: his number."""

    office: Office
    player: int


def office_called(office: Office) -> str:
    """Return what whoever holds an office is called, to an operator."""
    return "officer for appeals" if office == "appeals" else office


def officer_for(
    officers: Iterable[Officer],
    seats: Collection[int],
    *,
    away: Collection[int] = (),
    duty: Duty = "ruling",
    ruled: Collection[int] = (),
) -> Officer | None:
    """Return who acts in a game; None when no officer can, and it falls to whoever runs the service.

    seats: the players who sit in the game; none of them acts in it, whatever his office. away: players who are on leave
    or out of reach. ruled: for an appeal, who has ruled on what it is about; another hears it.
    """
    kept = (*seats, *away, *(ruled if duty == "appeal" else ()))
    in_office = {each.office: each for each in officers if each.player not in kept}
    return next((in_office[office] for office in _IN_TURN[duty] if office in in_office), None)


Barred = Literal["no office", "plays", "appeals alone", "umpire there"]
"""Why somebody does not act in a game: he has no office in its event; he plays in it, or has; he hears appeals alone;
or he is the deputy, and the umpire can act."""


def office_to_act(
    officers: Iterable[Officer], player: int, seats: Collection[int], *, away: Collection[int] = ()
) -> Office | Barred:
    """Return by which office a player acts in a game of an event, or why he does not.

    seats: the players who sit in the game, or have. away: as in `officer_for`.
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
