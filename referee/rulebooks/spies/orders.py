"""What a player can order: a turn, an action before it, an answer for the opponent's double agent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from referee.rulebooks.confusion.compass import Square
from referee.rulebooks.confusion.notation import Move

__all__ = [
    "Action",
    "Answer",
    "Double",
    "Eliminate",
    "Instruct",
    "Move",
    "Order",
    "Pass",
    "Reveal",
    "SetUp",
    "Swap",
    "Turn",
    "Unmask",
]


@dataclass(frozen=True, slots=True)
class Double:
    """Two attempts with two spies, by the token Move 2 (CF-10.9)."""

    first: Move
    second: Move


@dataclass(frozen=True, slots=True)
class Pass:
    """No attempt is possible, and the turn is passed (CF-11.3)."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """Where a side's spies begin, as their owner sees them: letter to (file, rank), rank 1 or 2 (CF-10.11)."""

    squares: Mapping[str, Square]


@dataclass(frozen=True, slots=True)
class Reveal:
    """The player is shown one of their own spies, by the token Reveal 1 (CF-10.9)."""

    letter: str


@dataclass(frozen=True, slots=True)
class Swap:
    """Two of the player's own spies change places, by the token Swap 2 (CF-10.9)."""

    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Eliminate:
    """The player removes one of their own spies (CF-10.4)."""

    letter: str


@dataclass(frozen=True, slots=True)
class Unmask:
    """The player removes the opponent's double agent (CF-10.5). letter: "" where the order does not name it."""

    letter: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The opponent's answer to an attempt of a double agent (CF-10.3).

    takes_z: the opponent would take the briefcase of a double agent that is unmasked by accepting promotion
        (CF-10.11).
    """

    allow: bool
    takes_z: bool = True


@dataclass(frozen=True, slots=True)
class Instruct:
    """A standing instruction for answering the opponent's double agent (CF-10.8). number: the type for "as"."""

    how: Literal["always", "never", "ask", "as"]
    number: int = 0


Turn = Move | Double | Pass | SetUp
"""The orders that make a turn by themselves."""
Action = Reveal | Swap | Eliminate | Unmask
"""The actions that may precede a move, at most one in a turn (CF-10.4, CF-10.5, CF-10.9)."""
Order = Turn | Action | Answer | Instruct
