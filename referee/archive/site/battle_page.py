"""A battle's page before any script has run: the map at the end, and the tables next to it. Plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.archive.site.battle_paths import paths_of, turned_cards
from referee.rulebooks.stages.battle import (
    BODY,
    CONFUSED,
    MM,
    OFF,
    RANKS,
    BattleStage,
    Frame,
    Stood,
    Thing,
    type_for,
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn thing: its position, its paths, and the position of its name. at: "" for a thing off the table."""

    thing: Thing
    at: str
    paths: tuple[str, ...]
    tag: str
    beside: str


@dataclass(frozen=True, slots=True)
class Row:
    """A unit or a commander in its side's table: its position, and the counts of its men by state."""

    thing: Thing
    at: str
    looks: str
    ranks: int
    confused: int
    bodies: int
    lost: int


@dataclass(frozen=True, slots=True)
class Army:
    """A side's table. lost: men of all its units."""

    side: str
    rows: tuple[Row, ...]
    lost: int
    men: int


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards that a side has turned, as they are written, each with whether it is red."""

    side: str
    left: int
    cards: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class BattleShown:
    """The whole page.

    type_size: of names on the map, on a phone.
    joined: the lines from things to their names, as a path.
    """

    drawn: tuple[Drawn, ...]
    engaged: str
    armies: tuple[Army, ...]
    objectives: tuple[tuple[Any, str], ...]
    markers: tuple[tuple[str, int], ...]
    decks: tuple[Deck, ...]
    type_size: float
    joined: str


def battle_shown(stage: BattleStage) -> BattleShown:
    """Return what the page of a battle shows at its last step."""
    frame = stage.frames[-1]
    return BattleShown(
        drawn=tuple(_drawn(thing, stood) for thing, stood in zip(stage.things, frame.things, strict=True)),
        engaged="".join(f"M{x0} {y0}L{x1} {y1}" for x0, y0, x1, y1 in frame.engaged),
        armies=tuple(_army(stage, side) for side in stage.sides) if stage.things else (),
        objectives=tuple(zip(stage.land.objectives, frame.holders, strict=True)),
        markers=tuple(zip(stage.markers, frame.markers, strict=True)),
        decks=tuple(
            Deck(side, left, tuple(turned_cards(cards)))
            for side, left, cards in zip(stage.sides, frame.left, frame.turned, strict=True)
        ),
        type_size=type_for(stage.land.width).size,
        joined=_joined(frame),
    )


def _joined(frame: Frame) -> str:
    tags = ((each, each.tag) for each in frame.things if each is not None and each.tag is not None)
    return "".join(f"M{each.x} {each.y}L{x} {y}" for each, (x, y, beside) in tags if beside.endswith(OFF))


def _drawn(thing: Thing, stood: Stood | None) -> Drawn:
    if stood is None:
        return Drawn(thing, "", ("",) * 4, "", "")
    at = f"translate({stood.x} {stood.y}) rotate({stood.bearing:g})"
    tag, beside = (f"translate({stood.tag[0]} {stood.tag[1]})", stood.tag[2]) if stood.tag else ("", "")
    return Drawn(thing, at, paths_of(thing, stood.look) if thing.kind == "unit" else (), tag, beside)


def _army(stage: BattleStage, side: str) -> Army:
    frame = stage.frames[-1]
    rows = tuple(
        _row(thing, frame.things[place], stage.land.height)
        for kind in ("unit", "commander")
        for place, thing in stage.of(side, kind)
    )
    return Army(side, rows, sum(row.lost for row in rows), sum(row.thing.size for row in rows))


def _row(thing: Thing, stood: Stood | None, height: int) -> Row:
    if stood is None:
        return Row(thing, "off", "", 0, 0, 0, thing.size)
    ranks, confused, bodies = (stood.look.states.count(state) for state in (RANKS, CONFUSED, BODY))
    at = f"({stood.x / MM:g},{(height - stood.y) / MM:g})"
    looks = f"{stood.bearing:g}°" if thing.kind == "unit" else ""
    return Row(thing, at, looks, ranks, confused, bodies, thing.size - ranks - confused)
