"""Directions: the record's compass, which is the same for both players, and headings as the owner sees them.

North is the way Yellow looks (CF-1.2). The movement table uses forward and backward; each seat translates
these into compass points.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from referee.common.i18n import N_
from referee.rulebooks.rulebook import Seat

Square = tuple[int, int]
"""(file, rank), both 1..11 from the south-west corner (CF-1.1)."""

SIZE = 11
"""Files and ranks of the board (CF-1.1)."""

WHITE = Seat("white")
YELLOW = Seat("yellow")

DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""The eight directions, clockwise from north."""

HEADINGS = ("F", "FD", "S", "BD", "B")
"""Directions as the owner sees them: forward, diagonally forward, sideways, diagonally backward, backward."""

STEPS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "N": (0, 1),
        "NE": (1, 1),
        "E": (1, 0),
        "SE": (1, -1),
        "S": (0, -1),
        "SW": (-1, -1),
        "W": (-1, 0),
        "NW": (-1, 1),
    }
)
"""The change of file and rank by one square in each direction."""

_DIRECTION_OF = {step: direction for direction, step in STEPS.items()}

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "N": N_("north"),
        "NE": N_("north-east"),
        "E": N_("east"),
        "SE": N_("south-east"),
        "S": N_("south"),
        "SW": N_("south-west"),
        "W": N_("west"),
        "NW": N_("north-west"),
    }
)
"""The directions in words."""
COLOURS: Mapping[Seat, str] = MappingProxyType(
    {WHITE: N_("White"), YELLOW: N_("Yellow"), Seat("red"): N_("Red")}
)
"""The names of the seats of both editions."""

_SOUTHERN_HEADINGS = {"N": "F", "NE": "FD", "NW": "FD", "E": "S", "W": "S", "SE": "BD", "SW": "BD", "S": "B"}


def turned(direction: str) -> str:
    """Return the direction as the player opposite names it: north becomes south (CF-8.4)."""
    return DIRECTIONS[(DIRECTIONS.index(direction) + 4) % 8]


_WHITE_HEADINGS = {direction: _SOUTHERN_HEADINGS[turned(direction)] for direction in DIRECTIONS}


def heading(seat: Seat, direction: str) -> str:
    """Return a compass direction as a seat's heading: north is B for White and F for the southern seat."""
    return _WHITE_HEADINGS[direction] if seat == WHITE else _SOUTHERN_HEADINGS[direction]


def opponent(seat: Seat) -> Seat:
    """Return the other seat of the classic edition; other editions have `Edition.other`."""
    return YELLOW if seat == WHITE else WHITE


def far_rank(seat: Seat) -> int:
    """Return the opponent's first rank: 1 for White, 11 for the southern seat (CF-1.1)."""
    return 1 if seat == WHITE else SIZE


def square_after(start: Square, direction: str, length: int) -> Square:
    """Return the square `length` squares away; it may be off the board."""
    east, north = STEPS[direction]
    return (start[0] + east * length, start[1] + north * length)


def way(start: Square, end: Square) -> tuple[str, int]:
    """Return the direction and the number of squares between two squares. Raises ValueError off the eight lines."""
    east, north = end[0] - start[0], end[1] - start[1]
    length = max(abs(east), abs(north))
    if not length or east % length or north % length:
        raise ValueError(f"no straight way leads from {start} to {end}")
    return _DIRECTION_OF[east // length, north // length], length
