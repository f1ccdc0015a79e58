"""A battle as its page plays it: the table, the things on it, and their state after each step. Plain data.

Lengths are whole millimetres, x to the east and y to the south of the table's north-west corner. Bearings are
degrees clockwise from north. The page knows no rules: it only puts things where the data says, and counts
letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from referee.rulebooks.stages.board import Back

ThingKind: TypeAlias = Literal["unit", "gun", "commander"]
MM = 10
"""Millimetres per cm."""
THING_KINDS: tuple[ThingKind, ...] = ("unit", "gun", "commander")
Beside: TypeAlias = Literal["n", "s", "e", "w"]
"""The side of a thing on which its name is written."""
OFF = "off"
"""Marks a name that does not touch its thing."""
Ends: TypeAlias = tuple[int, int, int, int]
"""A line from one point to another."""
RANKS, CONFUSED, BODY = "r", "c", "k"
"""The states of men in a look."""


@dataclass(frozen=True, slots=True)
class Type:
    """The size of names on a phone, in millimetres of the table. size: of the type."""

    size: float

    @property
    def high(self) -> float:
        return self.size

    def wide(self, name: str) -> float:
        """Return a name's width, including the gap to the next."""
        return self.size * (0.78 * len(name) + 0.2)


def type_for(width: int) -> Type:
    """Return the type for names on a table of this width."""
    return Type(round(0.0355 * (width + 40), 1))


@dataclass(frozen=True, slots=True)
class Thing:
    """A unit, a gun or a commander.

    size: men of a unit.
    base: of a man or a gun, along the front and from front to rear; of a commander the disc's width, twice.
    role: of a commander.
    """

    id: str
    side: str
    kind: ThingKind
    base: tuple[int, int]
    size: int = 0
    role: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """A unit as it would look if it stood at 0, 0 and faced north.

    men: the middles of their bases.
    states: a letter for each of them.
    front: how far ahead its front edge lies, and from where to where; None for a mob or a battery.
    """

    men: tuple[tuple[int, int], ...] = ()
    states: str = ""
    front: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Stood:
    """The position of a thing.

    tag: the position of its name: the point, and the side of it ("n"). OFF follows ("n off") where the name
        does not touch its thing and a line joins them.
    """

    x: int
    y: int
    bearing: float
    look: Look
    tag: tuple[int, int, str] | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """Everything that lies open after a step.

    things: in the order of the stage's; None for one that is not on the table.
    holders: of each objective, "" for nobody.
    turned: each side's cards turned from its present deck.
    left: how many cards each side has left.
    markers: of each that the stage names.
    engaged: lines between engaged units.
    """

    things: tuple[Stood | None, ...] = field(repr=False)
    holders: tuple[str, ...]
    turned: tuple[tuple[str, ...], tuple[str, ...]]
    left: tuple[int, int]
    markers: tuple[int, ...] = ()
    engaged: tuple[Ends, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """A step.

    key: the end of a link to it ("3r2").
    said: a sentence or two.
    rules: the rules applied.
    shot: the line of a shot.
    acting: positions of the things involved.
    """

    key: str
    said: str
    rules: tuple[str, ...] = ()
    shot: Ends | None = None
    acting: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ordered:
    """A line of a turn's orders. by: "plan", or the side whose answer it was."""

    text: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A turn, or what came before the first.

    side: "" before the first turn.
    begins: the step that shows the table at its beginning.
    rows: its events, and headings between them as plain texts.
    orders: once they are published.
    """

    turn: int
    side: str
    begins: Event | None
    rows: tuple[Event | str, ...] = ()
    orders: tuple[Ordered, ...] = ()

    def events(self) -> Iterator[Event]:
        """Yield the chapter's steps."""
        if self.begins is not None:
            yield self.begins
        yield from (row for row in self.rows if isinstance(row, Event))


@dataclass(frozen=True, slots=True)
class Spotted:
    """An objective: its id, name and outline as a path, and where its id is written."""

    id: str
    name: str
    path: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Land:
    """The table without movable things.

    drawn: the land as SVG.
    across, up: the numbers along its edges, in cm.
    """

    title: str
    width: int
    height: int
    drawn: str = field(repr=False)
    objectives: tuple[Spotted, ...]
    across: tuple[int, ...]
    up: tuple[int, ...]
    south: str


@dataclass(frozen=True, slots=True)
class BattleStage:
    """A battle to be played on its page.

    markers: the guns or sides whose markers are counted.
    wished: what each side had wished and planned at the end, once it is published.
    """

    sides: tuple[str, str]
    land: Land
    things: tuple[Thing, ...]
    markers: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    frames: tuple[Frame, ...] = field(repr=False)
    wished: tuple[tuple[str, tuple[str, ...]], ...] = ()
    backs: tuple[Back, ...] = ()

    @property
    def steps(self) -> tuple[Event, ...]:
        """All its steps, one per frame."""
        return tuple(event for chapter in self.chapters for event in chapter.events())

    def of(self, side: str, kind: ThingKind) -> Iterator[tuple[int, Thing]]:
        """Yield a side's things of a kind, each with its position in `things`."""
        for place, thing in enumerate(self.things):
            if (thing.side, thing.kind) == (side, kind):
                yield place, thing

    def plain(self) -> dict[str, Any]:
        """Return the data that the page's script plays: for each step the changes since the previous one.

        Looks are stored once in a pool, and so are the positions of their men. Keys and sentences are in the
        page itself.
        """
        pool = _Pool()
        steps, before = [], None
        for event, frame in zip(self.steps, self.frames, strict=True):
            steps.append({**_changes(before, frame, pool), **_marks(event)})
            before = frame
        return {
            "sides": list(self.sides),
            "things": [
                [self.sides.index(each.side), THING_KINDS.index(each.kind), *each.base, each.size]
                for each in self.things
            ],
            "ids": [each.id for each in self.things],
            "objectives": [each.id for each in self.land.objectives],
            "height": self.land.height,
            "layouts": list(pool.layouts),
            "looks": [list(look) for look in pool.looks],
            "steps": steps,
        }


class _Pool:
    """Looks and layouts that are written once, each identified by its index."""

    def __init__(self) -> None:
        self.layouts: dict[str, int] = {}
        self.looks: dict[tuple[Any, ...], int] = {}

    def place(self, look: Look) -> int:
        layout = " ".join(f"{x} {y}" for x, y in look.men)
        where = self.layouts.setdefault(layout, len(self.layouts))
        return self.looks.setdefault((where, look.states, *(look.front or ())), len(self.looks))


def _changes(before: Frame | None, now: Frame, pool: _Pool) -> dict[str, Any]:
    """Return the changes from one frame to the next: t things, h holders, c cards, m markers, e engaged."""
    said: dict[str, Any] = {}
    was: Sequence[Stood | None] = before.things if before else (None,) * len(now.things)
    moved = [
        [place, *_stood(thing, pool)]
        for place, (earlier, thing) in enumerate(zip(was, now.things, strict=True))
        if thing != earlier
    ]
    if moved:
        said["t"] = moved
    if before is None or before.holders != now.holders:
        said["h"] = list(now.holders)
    if before is None or (before.turned, before.left) != (now.turned, now.left):
        said["c"] = [[left, " ".join(cards)] for left, cards in zip(now.left, now.turned, strict=True)]
    if before is None or before.markers != now.markers:
        said["m"] = list(now.markers)
    if now.engaged != (before.engaged if before else ()):
        said["e"] = [list(each) for each in now.engaged]
    return said


def _stood(thing: Stood | None, pool: _Pool) -> list[Any]:
    if thing is None:
        return []
    bearing = int(thing.bearing) if thing.bearing == int(thing.bearing) else thing.bearing
    return [thing.x, thing.y, bearing, pool.place(thing.look), *(thing.tag or ())]


def _marks(event: Event) -> Mapping[str, Any]:
    """Return what is drawn only for a step: s a shot, a the things involved."""
    said: dict[str, Any] = {}
    if event.shot is not None:
        said["s"] = list(event.shot)
    if event.acting:
        said["a"] = list(event.acting)
    return said
