"""What a player can order, as values (E2). How orders are written is no matter here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from referee.rulebooks.cards.shapes import Point

NEAR, ANY, ALL = "NEAR", "ANY", "ALL"
"""In place of a target: the nearest that is legal, men in ranks only or mobs as well. ALL: in place of a unit."""


# --- set-up


@dataclass(frozen=True, slots=True)
class Station:
    """Where a unit stands at the start (CC-1.11 to CC-1.13). files: None for those of the scenario."""

    unit: str
    x: float
    y: float
    bearing: float
    files: int | None = None


@dataclass(frozen=True, slots=True)
class StationCommander:
    """Where a commander stands at the start."""

    commander: str
    x: float
    y: float


Placing: TypeAlias = Station | StationCommander


# --- phase 1


@dataclass(frozen=True, slots=True)
class PivotBy:
    """A pivot by so many degrees, clockwise."""

    degrees: float


@dataclass(frozen=True, slots=True)
class Bearing:
    """A pivot to a bearing."""

    degrees: float


@dataclass(frozen=True, slots=True)
class Towards:
    """A pivot towards a point, or a unit's pivot point (a mob's centre), or the middle of an objective, by id."""

    target: Point | str


Pivot: TypeAlias = PivotBy | Bearing | Towards


@dataclass(frozen=True, slots=True)
class Move:
    """A unit in ranks pivots and goes ahead (CC-3). cm: None for as far as it may. keep: no enemy nearer than that."""

    unit: str
    pivot: Pivot | None = None
    cm: float | None = 0.0
    keep: float | None = None


@dataclass(frozen=True, slots=True)
class MoveMob:
    """A mob moves on a bearing (CC-4.2)."""

    unit: str
    bearing: float
    cm: float


@dataclass(frozen=True, slots=True)
class Form:
    """A unit takes a number of files, or turns about: files None (CC-3.23)."""

    unit: str
    files: int | None = None


@dataclass(frozen=True, slots=True)
class Rally:
    """A unit rallies (CC-5). pick: who returns first. bearing: of a mob."""

    unit: str
    pick: tuple[int, ...] = ()
    bearing: float | None = None


@dataclass(frozen=True, slots=True)
class Go:
    """A commander goes to a point, or next to a unit, by id (CC-3.8)."""

    commander: str
    target: Point | str


# --- phases 2 and 3


@dataclass(frozen=True, slots=True)
class Fire:
    """A cannon fires at the first of these targets that is possible (CC-6); none: it holds its fire."""

    cannon: str
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guard:
    """When a combat is declared at all: with so many men in ranks, on a flank, or as another's combat went."""

    kind: Literal["min", "flank", "won", "lost"]
    number: int = 0
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Fight:
    """A unit declares a combat against the first of these groups that is possible (CC-7).

    unit: ALL for each that has no order of its own. groups: enemies taken on together, alternatives in order.
    """

    unit: str
    groups: tuple[tuple[str, ...], ...]
    guards: tuple[Guard, ...] = ()


# --- standing wishes


How: TypeAlias = Literal[
    "NEAR", "FAR", "FRONT", "REAR", "LEFT", "RIGHT", "CENTRE", "OBJ", "GUN", "CONFUSED", "MAN"
]
Way: TypeAlias = Literal["AWAY", "HOME", "GENERAL", "BEARING"]
Ask: TypeAlias = Literal["NEVER", "MATTER", "ALWAYS"]


@dataclass(frozen=True, slots=True)
class Choice:
    """By what men are chosen (E2). men: numbers, for MAN."""

    how: How
    men: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Flight:
    """Which way a player's mobs run if they can (CC-4.9). bearing: for BEARING."""

    way: Way = "AWAY"
    bearing: float | None = None


AWAY = Flight()


@dataclass(frozen=True, slots=True)
class Prefer:
    """What a player wishes for a unit of his, or for ALL, from now on; None leaves a wish as it was (E4)."""

    unit: str
    kill: Choice | None = None
    confuse: Choice | None = None
    flee: Flight | None = None
    rally: Choice | None = None
    ask: Ask | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """An order that is repeated in the next turns of its side (E3). order: None drops a unit's plan, with turns 0."""

    turns: int
    unit: str
    order: Move | Form | Go | None = None


@dataclass(frozen=True, slots=True)
class Wake:
    """Plans are not played on when an enemy is within this of a unit of one's own (E3)."""

    cm: float


@dataclass(frozen=True, slots=True)
class ShowMap:
    """What the map shows besides: the arcs of one's guns, or the front zones; OFF: neither any more."""

    what: Literal["ARCS", "ZONES", "OFF"]


# --- what is done with the lines that a player has drafted


@dataclass(frozen=True, slots=True)
class CarryOut:
    """All that is drafted is carried out now."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Nothing is ordered for this turn; what is drafted is dropped, and plans go on (CC-2.2, E3)."""


@dataclass(frozen=True, slots=True)
class Clear:
    """The drafted lines for a unit or a commander are dropped; None: all of them."""

    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """What would come of the draft's first phase is told, and nothing is done (E2)."""


@dataclass(frozen=True, slots=True)
class Choose:
    """The answer to a question in the middle of a turn (E4). None leaves a choice to the standing wish."""

    kill: Choice | None = None
    confuse: Choice | None = None
    flee: Flight | None = None
    rally: Choice | None = None


Action: TypeAlias = Move | MoveMob | Form | Rally | Go
Order: TypeAlias = (
    Placing
    | Action
    | Fire
    | Fight
    | Prefer
    | Plan
    | Wake
    | ShowMap
    | CarryOut
    | Pass
    | Clear
    | Check
    | Choose
)
