"""A scenario's file → table, armies and terms of a battle, or all that is wrong with it (E9, CC-1.2 to CC-1.8)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from importlib import resources
from itertools import combinations
from typing import Annotated, Any, Literal

import shapely
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from referee.common.faults import Fault, Place
from referee.common.long_keys import MOST_DOTS, line_of_dots
from referee.rulebooks.cards import setting_up
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import (
    ARM_LETTERS,
    ARTILLERY,
    BASES,
    INITIALS,
    RED,
    SIDE_OF,
    SIDES,
    Arm,
    Bases,
    Commander,
    Role,
    Unit,
    new_unit,
)
from referee.rulebooks.cards.ground import EDGE, Ground, Objective, Terrain, TerrainKind
from referee.rulebooks.cards.shapes import Base, Point, bearing_kept, kept, rounded
from referee.rulebooks.cards.shapes import Place as Standing
from referee.rulebooks.cards.switches import EDITIONS, Switches
from referee.rulebooks.limits import LARGEST_SCENARIO
from referee.rulebooks.rulebook import Seat

FORMAT = 1
TABLE_LENGTH = 300.0
"""How long the table is, in cm (CC-1.2)."""
BETWEEN_OBJECTIVES, OFF_BACK_LINES = 30.0, 40.0
"""How far objectives lie apart, and off the back lines, in cm (CC-1.4)."""
AIDE_OFF = 4.0
"""How far right of his general an aide starts, in cm."""


@dataclass(frozen=True)
class Scenario:
    """What a battle is set up from. aides: the sides that have one where the edition knows them (CC-1.8)."""

    id: str
    title: str
    blurb: str
    edition: str
    editions_ok: tuple[str, ...]
    turn_limit: int
    free_table: bool
    ground: Ground
    units: tuple[Unit, ...]
    generals: tuple[Commander, ...]
    aides: frozenset[Seat] = frozenset()
    secret: bool = True

    def commanders(self, switches: Switches) -> tuple[Commander, ...]:
        """Return generals and, where the edition has them, aides, where they start."""
        aides = [self._aide(each) for each in self.generals if switches.aide and each.side in self.aides]
        return (*self.generals, *aides)

    def _aide(self, general: Commander) -> Commander:
        """His aide stands to his right as he looks away from his own back line."""
        right = AIDE_OFF if self.ground.homeward(general.side) == 180 else -AIDE_OFF
        return Commander(
            f"{INITIALS[general.side]}D", general.side, "aide", kept(general.x + right), general.y
        )

    def battle(self, switches: Switches) -> Battle:
        """Return the battle as it stands before anybody has set up otherwise (A-13), with its markers (CC-1.10)."""
        each = switches.markers.number if switches.markers.how == "per_cannon" else 0
        units = [
            replace(unit, cannons=tuple(replace(cannon, markers=each) for cannon in unit.cannons))
            for unit in self.units
        ]
        shared = {} if each else dict.fromkeys(SIDES, switches.markers.number)
        battle = Battle(switches, self.ground, markers=shared, turn_limit=self.turn_limit)
        return battle.with_units(*units).with_commanders(*self.commanders(switches))


# --- the file as it is written


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


Id = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9-]{0,19}$")]
Text = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
Cm = Annotated[float, Field(ge=-1000, le=1000)]
Length = Annotated[float, Field(gt=0, le=1000)]
Pair = Annotated[list[Cm], Field(min_length=2, max_length=2)]
Triple = Annotated[list[Cm], Field(min_length=3, max_length=3)]
Ring = Annotated[list[Pair], Field(min_length=3, max_length=200)]
Polyline = Annotated[list[Pair], Field(min_length=2, max_length=200)]
Numbers = Annotated[list[Annotated[int, Field(ge=1)]], Field(max_length=100)]
EditionName = Literal["en", "fr"]


class _Head(_Part):
    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
    title: Annotated[Text, Field(min_length=1)]
    blurb: Text = ""
    edition: EditionName = "en"
    editions_ok: Annotated[list[EditionName], Field(min_length=1)] = ["en", "fr"]
    sources: list[Text] = []
    turn_limit_per_side: Annotated[int, Field(ge=0, le=1000)] = 0
    free_table: bool = False


class _Table(_Part):
    long_cm: Length
    wide_cm: Length
    back_lines: Literal["short", "long"] = "short"
    grid_cm: Annotated[float, Field(ge=1, le=100)] = 10.0


class _Deploy(_Part):
    depth_cm: Length = 30.0
    max_gap_to_back_line_cm: Length = 2.0
    secret: bool = True


BaseSize = Annotated[list[Annotated[float, Field(ge=0.5, le=20)]], Field(min_length=2, max_length=2)]


class _Bases(_Part):
    set: Literal["standard", "small", "large"] = "standard"
    foot: BaseSize | None = None
    horse: BaseSize | None = None
    gunner: BaseSize | None = None
    cannon: BaseSize | None = None
    commander: Length | None = None


class _Terrain(_Part):
    id: Id
    name: Text = ""
    kind: TerrainKind
    polygon: Ring | None = None
    line: Polyline | None = None
    thickness: Length | None = None
    parapet: Polyline | None = None
    note: Text = ""


class _Objective(_Part):
    id: Id
    name: Text = ""
    polygon: Ring
    on: str = ""


class _Side(_Part):
    id: Literal["R", "B"]
    name: Text = ""
    back_line: Literal["south", "north"]


class _Commander(_Part):
    id: Literal["RG", "BG"]
    side: Literal["R", "B"]
    aide: bool = False
    start: Pair


class _Unit(_Part):
    id: Annotated[str, Field(pattern=r"^[RB][ICA][1-9][0-9]?$")]
    side: Literal["R", "B"]
    type: Literal["infantry", "cavalry", "artillery"]
    men: Annotated[int, Field(ge=1, le=100)]
    files: Annotated[int, Field(ge=1)] | None = None
    cannons: Annotated[int, Field(ge=1, le=10)] | None = None
    officers: Numbers = []
    flags: Numbers = []
    musicians: Numbers = []
    start: Triple


class _File(_Part):
    format: Literal[1]
    scenario: _Head
    table: _Table
    deploy: _Deploy = _Deploy()
    bases: _Bases = _Bases()
    terrain: Annotated[list[_Terrain], Field(max_length=200)] = []
    objective: Annotated[list[_Objective], Field(max_length=20)] = []
    side: Annotated[list[_Side], Field(max_length=10)] = []
    commander: Annotated[list[_Commander], Field(max_length=10)] = []
    unit: Annotated[list[_Unit], Field(max_length=100)] = []


# --- reading


def read_scenario(text: str) -> Scenario | tuple[Fault, ...]:
    """Read a scenario's file: the scenario, or every fault in it, in the order of its lines.

    It must be playable in each edition that it allows.
    """
    if len(text) > LARGEST_SCENARIO:
        return (
            Fault(
                "scenario-long", "a scenario has at most {most} characters", {"most": f"{LARGEST_SCENARIO:,}"}
            ),
        )
    if (long := line_of_dots(text)) is not None:
        return (
            Fault(
                "scenario-dots",
                "this line has more than {most} dots outside of texts and numbers",
                {"most": str(MOST_DOTS)},
                "unreadable",
                place=Place(long, 1),
            ),
        )
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        return (_no_toml(error),)
    lines = _Lines(text)
    try:
        file = _File.model_validate(document)
    except ValidationError as error:
        return tuple(sorted((_misread(each, lines) for each in error.errors()), key=_line))
    reading = _Reading(file, lines)
    reading.check()
    if reading.faults:
        return tuple(sorted(reading.faults, key=_line))
    scenario = reading.scenario()
    faults = [*check_scenario(scenario, lines)]
    return tuple(sorted(faults, key=_line)) if faults else scenario


def given_scenarios() -> tuple[str, ...]:
    """Return the ids of the scenarios that come with the game."""
    folder = resources.files("referee.rulebooks.cards") / "scenarios"
    return tuple(
        sorted(each.name.removesuffix(".toml") for each in folder.iterdir() if each.name.endswith(".toml"))
    )


def given_text(id: str) -> str:
    """Return the file of a scenario that comes with the game, comments and all. id: one of `given_scenarios`."""
    path = resources.files("referee.rulebooks.cards") / "scenarios" / f"{id}.toml"
    return path.read_text(encoding="utf-8")


def given_scenario(id: str) -> Scenario:
    """Return a scenario that comes with the game. Raises KeyError where there is none of this id."""
    if id not in given_scenarios():
        raise KeyError(id)
    scenario = read_scenario(given_text(id))
    assert isinstance(scenario, Scenario), scenario
    return scenario


@dataclass
class _Reading:
    """A file whose parts are all of the right kind, and what is wrong between them."""

    file: _File
    lines: _Lines
    faults: list[Fault] = field(default_factory=list)

    def check(self) -> None:
        self._ids()
        self._sides()
        for number, terrain in enumerate(self.file.terrain):
            self._terrain(number, terrain)
        for number, objective in enumerate(self.file.objective):
            self._polygon(("objective", number, "polygon"), objective.id, objective.polygon)
            if objective.on and objective.on not in {each.id for each in self.file.terrain}:
                self._wrong(
                    ("objective", number, "on"),
                    "scenario-on",
                    "{id} is on {on}, and there is no terrain of that id",
                    {"id": objective.id, "on": objective.on},
                    near=_near(objective.on, [each.id for each in self.file.terrain]),
                )
        for number, unit in enumerate(self.file.unit):
            self._unit(number, unit)

    def _ids(self) -> None:
        seen: set[str] = set()
        for kind in ("terrain", "objective", "side", "commander", "unit"):
            for number, each in enumerate(getattr(self.file, kind)):
                # Sides are called otherwise than anything else.
                id = f"side {each.id}" if kind == "side" else each.id
                if id in seen:
                    self._wrong(
                        (kind, number, "id"), "scenario-id", "there are two of the id {id}", {"id": each.id}
                    )
                seen.add(id)

    def _sides(self) -> None:
        sides = {each.id: each.back_line for each in self.file.side}
        if set(sides) != {"R", "B"}:
            self._wrong(("side",), "scenario-sides", "a scenario has two sides, R and B", {}, rule="CC-1.1")
        elif sides["R"] == sides["B"]:
            message = "both sides have the back line {line}; one is south, the other north"
            self._wrong(("side", 1, "back_line"), "scenario-back-lines", message, {"line": sides["R"]})
        for side in ("R", "B"):
            count = sum(each.side == side for each in self.file.commander)
            if count != 1:
                message = "side {side} has {count} generals; each has one"
                self._wrong(
                    ("commander",), "scenario-general", message, {"side": side, "count": count}, rule="CC-1.8"
                )
        for number, each in enumerate(self.file.commander):
            if each.id[0] != each.side:
                self._wrong_side(("commander", number, "side"), each.id, each.side)

    def _wrong_side(self, path: tuple[str | int, ...], id: str, side: str) -> None:
        message = "{id} begins with {letter}, but is of side {side}"
        self._wrong(path, "scenario-side", message, {"id": id, "letter": id[0], "side": side}, near=id[0])

    def _terrain(self, number: int, terrain: _Terrain) -> None:
        at: tuple[str | int, ...] = ("terrain", number)
        if (terrain.polygon is None) == (terrain.line is None):
            message = "{id} has a polygon, or a line with its thickness, and not both"
            self._wrong((*at, "id"), "scenario-shape", message, {"id": terrain.id})
            return
        if (terrain.line is None) != (terrain.thickness is None):
            message = "{id}: a line has a thickness, and nothing else has"
            self._wrong((*at, "id"), "scenario-thickness", message, {"id": terrain.id})
            return
        if terrain.line is not None and terrain.kind not in ("wall", "fence"):
            message = "{id} is a line; only walls and fences are, and a {kind} has a polygon"
            self._wrong((*at, "line"), "scenario-line", message, {"id": terrain.id, "kind": terrain.kind})
        if terrain.parapet is not None and terrain.kind != "redoubt":
            message = "{id} is a {kind}; only a redoubt has a parapet"
            self._wrong(
                (*at, "parapet"), "scenario-parapet", message, {"id": terrain.id, "kind": terrain.kind}
            )
        if terrain.kind == "redoubt" and terrain.parapet is None:
            self._wrong(
                (*at, "id"), "scenario-parapet", "{id} is a redoubt without a parapet", {"id": terrain.id}
            )
        if terrain.polygon is not None:
            good = self._polygon((*at, "polygon"), terrain.id, terrain.polygon)
            if good and terrain.parapet is not None:
                edge = shapely.buffer(shapely.boundary(shapely.Polygon(terrain.polygon)), EDGE)
                if not shapely.covers(edge, shapely.LineString(terrain.parapet)):
                    message = "the parapet of {id} leaves its edge"
                    self._wrong((*at, "parapet"), "scenario-parapet", message, {"id": terrain.id})
        elif terrain.line is not None:
            self._on_table((*at, "line"), terrain.id, shapely.LineString(terrain.line))

    def _polygon(self, path: tuple[str | int, ...], id: str, points: Sequence[Sequence[float]]) -> bool:
        shape = shapely.Polygon(points)
        if not shape.is_valid or shape.area < 1:
            message = "the polygon of {id} crosses itself, or covers nothing"
            self._wrong(path, "scenario-polygon", message, {"id": id})
            return False
        return self._on_table(path, id, shape)

    def _on_table(self, path: tuple[str | int, ...], id: str, shape: shapely.Geometry) -> bool:
        width, height = self._size()
        if shapely.covers(shapely.box(-EDGE, -EDGE, width + EDGE, height + EDGE), shape):
            return True
        message = "{id} reaches off the table, which is {width} by {height} cm"
        facts = {"id": id, "width": f"{width:g}", "height": f"{height:g}"}
        self._wrong(path, "scenario-off-table", message, facts)
        return False

    def _unit(self, number: int, unit: _Unit) -> None:
        at: tuple[str | int, ...] = ("unit", number)
        if unit.id[0] != unit.side:
            self._wrong_side((*at, "side"), unit.id, unit.side)
        if ARM_LETTERS[unit.id[1]] != unit.type:
            message = "{id} is called as {arm}, but is {type}"
            facts = {"id": unit.id, "arm": ARM_LETTERS[unit.id[1]], "type": unit.type}
            self._wrong(
                (*at, "type"), "scenario-arm", message, facts, near=ARM_LETTERS[unit.id[1]], rule="CC-1.7"
            )
        if unit.type == ARTILLERY:
            if unit.files is not None:
                self._wrong(
                    (*at, "files"), "scenario-files", "{id} is artillery, which has no files", {"id": unit.id}
                )
            if unit.cannons is None:
                self._wrong(
                    (*at, "id"), "scenario-cannons", "{id} is artillery without cannons", {"id": unit.id}
                )
            elif unit.men < unit.cannons:
                message = "{id} has {men} gunners for {cannons} cannons; each needs one at least"
                facts = {"id": unit.id, "men": str(unit.men), "cannons": str(unit.cannons)}
                self._wrong((*at, "men"), "scenario-gunners", message, facts)
        else:
            if unit.cannons is not None:
                message = "{id} is {type}, which has no cannons"
                self._wrong((*at, "cannons"), "scenario-cannons", message, {"id": unit.id, "type": unit.type})
            if unit.files is None or unit.files > unit.men:
                message = "{id} has 1 to {men} files"
                key = "id" if unit.files is None else "files"
                self._wrong((*at, key), "scenario-files", message, {"id": unit.id, "men": str(unit.men)})
        roles = [*unit.officers, *unit.flags, *unit.musicians]
        for key in ("officers", "flags", "musicians"):
            for man in getattr(unit, key):
                if man > unit.men or roles.count(man) > 1:
                    message = "{id} has men 1 to {men}, each with one part; {man} is none, or has two"
                    facts = {"id": unit.id, "men": str(unit.men), "man": str(man)}
                    self._wrong((*at, key), "scenario-roles", message, facts, rule="CC-1.7")

    def _size(self) -> tuple[float, float]:
        table = self.file.table
        sizes = table.wide_cm, table.long_cm
        return sizes if table.back_lines == "short" else sizes[::-1]

    def _wrong(
        self,
        path: tuple[str | int, ...],
        code: str,
        message: str,
        facts: Mapping[str, Any],
        *,
        near: str = "",
        rule: str = "",
    ) -> None:
        place = self.lines.place(path)
        self.faults.append(Fault(code, message, facts, place=place, suggestion=near, rule=rule))

    def scenario(self) -> Scenario:
        """Return the scenario, all parts being right by themselves."""
        head, deploy = self.file.scenario, self.file.deploy
        south = next(SIDE_OF[each.id] for each in self.file.side if each.back_line == "south")
        width, height = self._size()
        ground = Ground(
            width,
            height,
            tuple(map(_terrain_of, self.file.terrain)),
            tuple(Objective(o.id, o.name or o.id, _points(o.polygon), o.on) for o in self.file.objective),
            _bases_of(self.file.bases),
            south,
            self.file.table.grid_cm,
            deploy.depth_cm,
            deploy.max_gap_to_back_line_cm,
        )
        generals = [
            Commander(c.id, SIDE_OF[c.side], "general", kept(c.start[0]), kept(c.start[1]))
            for c in self.file.commander
        ]
        return Scenario(
            head.id,
            head.title,
            head.blurb,
            head.edition,
            tuple(dict.fromkeys(head.editions_ok)),
            head.turn_limit_per_side,
            head.free_table,
            ground,
            tuple(_unit_of(unit, ground.bases) for unit in self.file.unit),
            tuple(generals),
            frozenset(SIDE_OF[c.side] for c in self.file.commander if c.aide),
            deploy.secret,
        )


def _terrain_of(part: _Terrain) -> Terrain:
    points = part.polygon if part.polygon is not None else part.line or []
    parapet = _points(part.parapet or [])
    return Terrain(
        part.id, part.name or part.id, part.kind, _points(points), part.thickness, parapet, part.note
    )


def _bases_of(part: _Bases) -> Bases:
    bases = BASES[part.set]
    if part.model_fields_set <= {"set"}:
        return bases
    return Bases(
        "own",
        Base(*part.foot) if part.foot else bases.foot,
        Base(*part.horse) if part.horse else bases.horse,
        Base(*part.gunner) if part.gunner else bases.gunner,
        Base(*part.cannon) if part.cannon else bases.cannon,
        part.commander or bases.commander,
    )


def _unit_of(part: _Unit, bases: Bases) -> Unit:
    roles: dict[int, Role] = dict.fromkeys(part.officers, "O")
    roles |= dict.fromkeys(part.flags, "F")
    roles |= dict.fromkeys(part.musicians, "D")
    x, y, bearing = part.start
    arm: Arm = part.type
    return new_unit(
        part.id,
        SIDE_OF[part.side],
        arm,
        part.men,
        Standing(kept(x), kept(y), bearing_kept(bearing)),
        files=part.files or 0,
        cannons=part.cannons or 0,
        roles=roles,
        bases=bases,
    )


def _points(points: Sequence[Sequence[float]]) -> tuple[Point, ...]:
    return tuple(Point(x, y) for x, y in points)


# --- whether it can be played


def check_scenario(scenario: Scenario, lines: _Lines | None = None) -> Iterator[Fault]:
    """Yield what is wrong with a scenario by the rules, in each edition that it allows (CC-1.2 to CC-1.8, CC-1.11)."""
    editions = dict.fromkeys((scenario.edition, *scenario.editions_ok))
    seen: set[tuple[str, str]] = set()
    for name in editions:
        for fault in check_in(scenario, EDITIONS[name]):
            key = (fault.code, fault.reason())
            if key not in seen:
                seen.add(key)
                yield replace(fault, place=lines.of_id(fault.excerpt)) if lines else fault


def check_in(scenario: Scenario, switches: Switches) -> Iterator[Fault]:
    """Yield what is wrong with a scenario in one edition."""
    yield from _check_table(scenario, switches)
    yield from _check_objectives(scenario.ground)
    yield from _check_armies(scenario)
    yield from setting_up.check_deployment(
        scenario.ground, switches, scenario.units, scenario.commanders(switches)
    )


def _check_table(scenario: Scenario, switches: Switches) -> Iterator[Fault]:
    sizes = sorted((scenario.ground.width, scenario.ground.height))
    wide = sizes[0] if switches.table is None else switches.table
    if not scenario.free_table and sizes != sorted((wide, TABLE_LENGTH)):
        yield Fault(
            "scenario-table",
            "the table is {width} by {height} cm; in the edition {edition} it is {right}",
            {
                "width": f"{scenario.ground.width:g}",
                "height": f"{scenario.ground.height:g}",
                "edition": switches.edition,
                "right": f"{TABLE_LENGTH:g} cm long"
                if switches.table is None
                else f"{wide:g} by {TABLE_LENGTH:g} cm",
            },
            excerpt="table",
            suggestion="free_table = true",
            rule="CC-1.2",
        )


def _check_objectives(ground: Ground) -> Iterator[Fault]:
    if len(ground.objectives) != 4:
        count = str(len(ground.objectives))
        message = "there are {count} objectives; there must be four"
        yield Fault("scenario-objectives", message, {"count": count}, excerpt="objective", rule="CC-1.3")
    for one, other in combinations(ground.objectives, 2):
        gap = rounded(float(shapely.distance(one.shape, other.shape)))
        if gap < BETWEEN_OBJECTIVES:
            message = "{id} and {other} lie {cm} cm apart; it must be {least}"
            facts = {
                "id": one.id,
                "other": other.id,
                "cm": f"{gap:.1f}",
                "least": f"{BETWEEN_OBJECTIVES:.1f}",
            }
            yield Fault("scenario-spread", message, facts, excerpt=other.id, rule="CC-1.4")
    for each in ground.objectives:
        _, south, _, north = map(float, shapely.bounds(each.shape))
        gap = rounded(min(south, ground.height - north))
        if gap < OFF_BACK_LINES:
            message = "{id} lies {cm} cm off a back line; it must be {least}"
            facts = {"id": each.id, "cm": f"{gap:.1f}", "least": f"{OFF_BACK_LINES:.1f}"}
            yield Fault("scenario-spread", message, facts, excerpt=each.id, rule="CC-1.4")


def _check_armies(scenario: Scenario) -> Iterator[Fault]:
    men = [sum(len(unit.men) for unit in scenario.units if unit.side == side) for side in SIDES]
    if men[0] != men[1]:
        message = "Red has {red} men and Blue {blue}; both must have as many"
        facts = {"red": str(men[0]), "blue": str(men[1])}
        yield Fault("scenario-men", message, facts, excerpt="unit", rule="CC-1.5")
    guns = [sum(len(unit.cannons) for unit in scenario.units if unit.side == side) for side in SIDES]
    if guns[0] != guns[1]:
        message = "Red has {red} cannons and Blue {blue}; both must have as many"
        facts = {"red": str(guns[0]), "blue": str(guns[1])}
        yield Fault("scenario-guns", message, facts, excerpt="unit", rule="CC-1.6")
    if not min(men):
        yield Fault("scenario-armies", "a side has no men", {}, excerpt="unit", rule="CC-1.5")


def warnings(scenario: Scenario) -> Iterator[str]:
    """Yield, as sentences, what is odd about a scenario but no fault (A-07, D-07, CC-1.8)."""
    for arm in ("infantry", "cavalry", "artillery"):
        red, blue = (
            sum(len(unit.men) for unit in scenario.units if unit.side == side and unit.arm == arm)
            for side in SIDES
        )
        if red != blue:
            yield f"Red has {red} men of {arm} and Blue {blue}; only the totals must be equal (CC-1.5)."
    for name in dict.fromkeys((scenario.edition, *scenario.editions_ok)):
        switches = EDITIONS[name]
        if scenario.aides and not switches.aide:
            yield f"In the edition {name} there are no aides: those of this scenario are not placed (CC-1.8)."
        guns = sum(len(unit.cannons) for unit in scenario.units if unit.side == RED)
        if switches.markers.how == "per_side" and guns > switches.markers.number:
            yield (
                f"In the edition {name} {guns} cannons of a side share {switches.markers.number} shot markers "
                "(CC-1.10)."
            )


# --- places in the file


class _Lines:
    """Where in a file's text its parts stand."""

    def __init__(self, text: str) -> None:
        self._places: dict[tuple[str | int, ...], Place] = {}
        self._ids: dict[str, Place] = {}
        table: tuple[str | int, ...] = ()
        counts: dict[str, int] = {}
        for number, line in enumerate(text.splitlines(), start=1):
            if header := re.match(r"\s*(\[\[?)\s*([\w.-]+)\s*\]", line):
                name = header[2]
                table = (name,)
                if header[1] == "[[":
                    table = (name, counts.get(name, 0))
                    counts[name] = counts.get(name, 0) + 1
                place = Place(number, header.start(1) + 1)
                self._places.setdefault((name,), place)
                self._places.setdefault(table, place)
            elif key := re.match(r"\s*([\w-]+)\s*=\s*(\"([^\"]*)\")?", line):
                place = Place(number, key.start(1) + 1)
                self._places.setdefault((*table, key[1]), place)
                if key[1] == "id" and key[3]:
                    self._ids.setdefault(key[3], place)

    def place(self, path: Sequence[str | int]) -> Place | None:
        """Return where a part stands, or else the part that it is in; None where that cannot be told."""
        for length in range(len(path), 0, -1):
            if (found := self._places.get(tuple(path[:length]))) is not None:
                return found
        return None

    def of_id(self, id: str) -> Place | None:
        """Return where the part of this id, or the table of this name, begins."""
        # An aide stands where his general is.
        id = f"{id[0]}G" if re.fullmatch("[RB]D", id) else id
        return self._ids.get(id) or self._places.get((id,))


def _misread(error: Any, lines: _Lines) -> Fault:
    """Return a fault for what pydantic found wrong with a part."""
    path = tuple(error["loc"])
    named = _path(path)
    key = str(path[-1])
    place = lines.place(path)
    known: list[str] = []
    if error["type"] == "extra_forbidden":
        known = _keys_at(path[:-1])
        message = "{where} is not known; known there are {keys}"
        facts = {"where": named, "keys": ", ".join(known)}
        return Fault("scenario-key", message, facts, "unreadable", key, place, _near(key, known))
    if error["type"] == "missing":
        return Fault("scenario-missing", "{where} is missing", {"where": named}, "unreadable", "", place)
    given = error["input"]
    if error["type"] == "literal_error":
        known = re.findall(r"'([^']*)'", error["ctx"]["expected"])
    near = _near(given, known) if isinstance(given, str) else ""
    excerpt = given if isinstance(given, str) and len(given) <= 40 else ""
    facts = {"where": named, "why": _wanted(error)}
    return Fault("scenario-value", "{where}: it should be {why}", facts, "unreadable", excerpt, place, near)


def _wanted(error: Any) -> str:
    """Return what should stand there, in words."""
    context = error.get("ctx", {})
    match error["type"]:
        case "too_short":
            return f"a list of {context['min_length']} or more"
        case "too_long":
            return f"a list of {context['max_length']} or fewer"
        case "string_pattern_mismatch":
            return f"a text of the form {context['pattern']}"
    return str(error["msg"]).removeprefix("Input ").removeprefix("should be ")


def _path(path: Sequence[str | int]) -> str:
    """Return where something stands as people say it: unit 3: start."""
    words: list[str] = []
    for part in path:
        if isinstance(part, int):
            words[-1] = f"{words[-1]} {part + 1}"
        else:
            words.append(part)
    return ": ".join(words)


def _keys_at(path: Sequence[str | int]) -> list[str]:
    parts: Mapping[str, type[_Part]] = {
        "scenario": _Head,
        "table": _Table,
        "deploy": _Deploy,
        "bases": _Bases,
        "terrain": _Terrain,
        "objective": _Objective,
        "side": _Side,
        "commander": _Commander,
        "unit": _Unit,
    }
    return [*(parts[str(path[0])] if path else _File).model_fields]


def _near(text: str, known: Sequence[str]) -> str:
    return next(iter(get_close_matches(text, known, 1)), "")


def _no_toml(error: Exception) -> Fault:
    found = re.search(r"line (\d+), column (\d+)", str(error))
    return Fault(
        "scenario-toml",
        "a scenario is TOML, with lines such as format = 1; it cannot be read from here on",
        grade="unreadable",
        place=Place(int(found[1]), int(found[2])) if found else None,
    )


def _line(fault: Fault) -> tuple[int, int]:
    return (fault.place.line, fault.place.column) if fault.place else (0, 0)
