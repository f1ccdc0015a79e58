"""Men, cannons, units and commanders, and how they stand (CC-1.7, CC-1.8, CC-1.15, CC-1.16, CC-1.20).

All are values that never change; what follows from one (who lives, what its men cover) is worked out once and kept
with it. Nothing here knows another unit.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

import numpy as np
import shapely
from shapely import Geometry

from referee.rulebooks.cards.shapes import (
    Base,
    Coordinates,
    Place,
    Point,
    apart,
    kept,
    laid_out,
    placed,
    rounded,
)
from referee.rulebooks.rulebook import Json, Seat

RED, BLUE = Seat("red"), Seat("blue")
SIDES = (RED, BLUE)
INITIALS: Mapping[Seat, str] = {RED: "R", BLUE: "B"}
SIDE_OF: Mapping[str, Seat] = {initial: side for side, initial in INITIALS.items()}

Arm = Literal["infantry", "cavalry", "artillery"]
INFANTRY: Arm = "infantry"
CAVALRY: Arm = "cavalry"
ARTILLERY: Arm = "artillery"
ARM_LETTERS: Mapping[str, Arm] = {"I": INFANTRY, "C": CAVALRY, "A": ARTILLERY}
ALLOWANCE: Mapping[Arm, float] = {INFANTRY: 20.0, ARTILLERY: 20.0, CAVALRY: 40.0}
"""How far a unit moves, in cm (CC-3.1 to CC-3.3)."""

Role = Literal["o", "O", "F", "D"]
"""Ordinary man, officer, flag bearer, musician."""
Where = Literal["ranks", "confused", "body", "gone"]
RANKS: Where = "ranks"
CONFUSED: Where = "confused"
BODY: Where = "body"
GONE: Where = "gone"


def other_side(side: Seat) -> Seat:
    """Return the opponent."""
    return BLUE if side == RED else RED


class Bases(NamedTuple):
    """The bases of a scenario, in cm (CC-1.15). commander: radius of his disc."""

    name: str
    foot: Base
    horse: Base
    gunner: Base
    cannon: Base
    commander: float

    def of_man(self, arm: Arm) -> Base:
        """Return the base of a man of this arm."""
        return {INFANTRY: self.foot, CAVALRY: self.horse, ARTILLERY: self.gunner}[arm]


STANDARD = Bases("standard", Base(2, 2), Base(2.5, 5), Base(2, 2), Base(4, 6), 1.5)
SMALL = Bases("small", Base(1.5, 1.5), Base(1.5, 3.5), Base(1.5, 1.5), Base(3, 4), 1.5)
LARGE = Bases("large", Base(3, 3), Base(4, 8), Base(3, 3), Base(6, 9), 1.5)
BASES: Mapping[str, Bases] = {each.name: each for each in (STANDARD, SMALL, LARGE)}
"""The sets that a scenario may name (A-18)."""


@dataclass(frozen=True, slots=True)
class Man:
    """A man of a unit. number: from 1, never given again.

    rank, file: his cell from 0, front rank and left man first. A gunner's cell is the row beside the cannon with this
    index, and 0 right or 1 left of it. at: where a gunner stands who is not in his cell (CC-5.10).
    """

    number: int
    role: Role
    place: Where
    rank: int
    file: int
    cannon: int | None = None
    at: Point | None = None

    @property
    def living(self) -> bool:
        return self.place in (RANKS, CONFUSED)


@dataclass(frozen=True, slots=True)
class Cannon:
    """A cannon: "RA1.1". markers: its own, 0 where a side shares them. left: where it stands without its gunners."""

    id: str
    markers: int = 0
    fired: bool = False
    left: Place | None = None


@dataclass(frozen=True)
class Formation:
    """How the men and cannons of a unit stand round its pivot point, and what they cover.

    place: of the pivot point. base: of one of its men. cannon_base: of one of its cannons. widths: as in Unit.
    in_ranks, living: those of its men.
    """

    place: Place
    base: Base
    cannon_base: Base
    widths: tuple[int, ...]
    men: tuple[Man, ...]
    cannons: tuple[Cannon, ...]
    in_ranks: tuple[Man, ...]
    living: tuple[Man, ...]

    @property
    def cannons_left(self) -> bool:
        """Whether its gunners have run, and are not all back yet (CC-4.13, CC-5.10)."""
        return any(cannon.left for cannon in self.cannons)

    def cell(self, man: Man) -> Point:
        """Return the centre of a man's own cell as the unit sees it: to the right and ahead of its pivot point."""
        if man.cannon is None:
            middle = (self.widths[man.rank] - 1) / 2
            return Point((man.file - middle) * self.base.front, -man.rank * self.base.depth)
        beside = (self.cannon_base.front + self.base.front) / 2
        return Point(
            self.axle(man.cannon) + (beside if man.file == 0 else -beside), (0.5 - man.rank) * self.base.depth
        )

    def axle(self, index: int) -> float:
        """Return how far right of the pivot point a cannon's axle is: they lie three cannon widths apart (CC-1.20)."""
        return (index - (len(self.cannons) - 1) / 2) * 3 * self.cannon_base.front

    @cached_property
    def local(self) -> Mapping[int, Point]:
        """The base centres of its men and bodies as the unit sees them (right, ahead), by number."""
        return {
            man.number: self.place.seen(man.at) if man.at else self.cell(man)
            for man in self.men
            if man.place != GONE
        }

    def centre(self, man: Man) -> Point:
        """Return the centre of a man's base on the table, not rounded."""
        return man.at or self.place.at(*self.local[man.number])

    def centres(self, men: Iterable[Man]) -> list[Point]:
        """Return the base centres of men on the table, in their order."""
        return [self.centre(man) for man in men]

    @cached_property
    def ranks_points(self) -> Coordinates:
        """The base centres of its men in ranks on the table, one row each."""
        return np.array(self.centres(self.in_ranks)).reshape(-1, 2)

    @cached_property
    def ranks_box(self) -> tuple[float, float, float, float]:
        """The bounds of these centres: west, south, east, north. It has men in ranks."""
        low, high = self.ranks_points.min(axis=0).tolist(), self.ranks_points.max(axis=0).tolist()
        return low[0], low[1], high[0], high[1]

    @cached_property
    def middle(self) -> Point:
        """The mean of its living men's base centres: a mob's centre (CC-4.9), not rounded."""
        points = self.centres(self.living)
        return Point(sum(p.x for p in points) / len(points), sum(p.y for p in points) / len(points))

    def outline(self, men: Iterable[Man], cannons: Iterable[int] = ()) -> Geometry:
        """Return what the bases of these men and cannons (by index) cover, as the unit sees it."""
        pieces = [(*self.local[man.number], self.base) for man in men]
        guns = [(self.axle(index), 0.0, self.cannon_base) for index in cannons]
        return laid_out((*pieces, *guns))

    def covering(self, men: Iterable[Man]) -> Geometry:
        """Return what the bases of these men cover on the table."""
        return placed(self.outline(men), self.place)

    @cached_property
    def living_shape(self) -> Geometry:
        """What its living men's bases cover: from here distances are measured (CC-1.17, A-03)."""
        return self.covering(self.living)

    @cached_property
    def living_box(self) -> tuple[float, float, float, float]:
        """The bounds of its living men's bases: west, south, east, north. It has living men."""
        west, south, east, north = map(float, shapely.bounds(self.living_shape))
        return west, south, east, north

    @cached_property
    def ranks_shape(self) -> Geometry:
        """What the bases of its men in ranks cover."""
        return self.covering(self.in_ranks)

    @cached_property
    def local_footprint(self) -> Geometry:
        """Its footprint as the unit sees it."""
        return self.outline(self.living, () if self.cannons_left else range(len(self.cannons)))

    @cached_property
    def footprint(self) -> Geometry:
        """What its living men's bases cover, and its cannons as long as it has not left them (A-60)."""
        return placed(self.local_footprint, self.place)

    @cached_property
    def front(self) -> tuple[float, float, float]:
        """The front edge as the unit sees it: how far ahead, its left end, its right end (CC-1.18).

        Across its foremost men in ranks, as wide as all its men in ranks; a mob has none.
        """
        across = [self.local[man.number].x for man in self.in_ranks]
        ahead = max(self.local[man.number].y for man in self.in_ranks)
        return (
            ahead + self.base.depth / 2,
            min(across) - self.base.front / 2,
            max(across) + self.base.front / 2,
        )


@dataclass(frozen=True)
class Battery:
    """Where the cannons of a unit are, and how far its gunners are from them."""

    formation: Formation

    @cached_property
    def place(self) -> Place:
        """Where the middle of its axles is, and which way its cannons look; its own place while they are not left."""
        left = self.formation.cannons[0].left if self.formation.cannons else None
        if left is None:
            return self.formation.place
        middle = left.at(-self.formation.axle(0), 0)
        return Place(kept(middle.x), kept(middle.y), left.bearing)

    def cannon_place(self, index: int) -> Place:
        """Return where a cannon's axle is, and which way the cannon looks."""
        left = self.formation.cannons[index].left
        if left is not None:
            return left
        axle = self.formation.place.at(self.formation.axle(index), 0)
        return Place(kept(axle.x), kept(axle.y), self.formation.place.bearing)

    def post(self, man: Man) -> Point:
        """Return where a gunner belongs, at his cannon, as it is kept."""
        point = self.place.at(*self.formation.cell(man))
        return Point(kept(point.x), kept(point.y))

    def to_go(self, man: Man) -> float:
        """Return how far a gunner has to go to his place at the cannon, in cm to 0.1 (CC-5.10)."""
        return (
            rounded(apart(self.formation.centre(man), self.post(man))) if self.formation.cannons_left else 0.0
        )

    def at_gun(self, man: Man) -> bool:
        """Return whether a gunner is at his cannon (CC-5.11, CC-6.10)."""
        return self.to_go(man) == 0


@dataclass(frozen=True)
class Unit:
    """A unit of one arm. x, y: its pivot point (CC-3.4, CC-3.5). files: 0 for artillery, which has none.

    widths: how many cells each rank has, from the front; a short rank is centred. acted, fought: this turn.
    bound_to: the enemies that it is engaged with, by id (CC-7.27).
    """

    id: str
    side: Seat
    arm: Arm
    x: float
    y: float
    bearing: float
    files: int
    widths: tuple[int, ...]
    men: tuple[Man, ...]
    cannons: tuple[Cannon, ...] = ()
    bases: Bases = STANDARD
    acted: bool = False
    fought: bool = False
    bound_to: tuple[str, ...] = ()

    # --- who there is

    @cached_property
    def living(self) -> tuple[Man, ...]:
        return tuple(man for man in self.men if man.living)

    @cached_property
    def in_ranks(self) -> tuple[Man, ...]:
        return self._in(RANKS)

    @cached_property
    def confused(self) -> tuple[Man, ...]:
        return self._in(CONFUSED)

    @cached_property
    def bodies(self) -> tuple[Man, ...]:
        return self._in(BODY)

    def _in(self, place: Where) -> tuple[Man, ...]:
        return tuple(man for man in self.men if man.place == place)

    @property
    def strength(self) -> int:
        """How many of its men live, officers, musicians and flag bearers among them (CC-1.7)."""
        return len(self.living)

    @property
    def mob(self) -> bool:
        """Whether its men live, but none is in ranks (CC-4.1)."""
        return bool(self.living) and not self.in_ranks

    @property
    def mixed(self) -> bool:
        """Whether some men are in ranks and some confused."""
        return bool(self.in_ranks) and bool(self.confused)

    @property
    def allowance(self) -> float:
        return ALLOWANCE[self.arm]

    def man(self, number: int) -> Man:
        """Return the man of this number. Raises KeyError where there is none."""
        for man in self.men:
            if man.number == number:
                return man
        raise KeyError(number)

    # --- where it is

    @cached_property
    def place(self) -> Place:
        return Place(self.x, self.y, self.bearing)

    @property
    def base(self) -> Base:
        """The base of one of its men."""
        return self.bases.of_man(self.arm)

    @cached_property
    def formation(self) -> Formation:
        """How its men and cannons stand."""
        return Formation(
            self.place,
            self.base,
            self.bases.cannon,
            self.widths,
            self.men,
            self.cannons,
            self.in_ranks,
            self.living,
        )

    @cached_property
    def battery(self) -> Battery:
        """Its cannons, and where its gunners belong."""
        return Battery(self.formation)

    # --- changed

    def standing(self, place: Place) -> Unit:
        """Return it standing elsewhere. The place is kept as it is given."""
        return replace(self, x=place.x, y=place.y, bearing=place.bearing)

    def with_men(self, changed: Iterable[Man]) -> Unit:
        """Return it with these men in place of those of the same numbers."""
        new = {man.number: man for man in changed}
        return replace(self, men=tuple(new.get(man.number, man) for man in self.men))


@dataclass(frozen=True, slots=True)
class Commander:
    """A general ("RG") or an aide ("RD"): a disc, no man of any unit (CC-1.8)."""

    id: str
    side: Seat
    role: Literal["general", "aide"]
    x: float
    y: float

    @property
    def point(self) -> Point:
        return Point(self.x, self.y)

    @property
    def shape(self) -> Geometry:
        """The middle of his disc."""
        return shapely.Point(self.x, self.y)


@lru_cache(maxsize=1024)
def id_order(id: str) -> tuple[str, int, str]:
    """Return what sorts ids as players count: RI2 before RI10."""
    found = re.fullmatch(r"([A-Z]*)(\d*)(.*)", id)
    assert found is not None
    return found[1], int(found[2] or 0), found[3]


def new_unit(
    id: str,
    side: Seat,
    arm: Arm,
    men: int,
    place: Place,
    *,
    files: int = 0,
    cannons: int = 0,
    roles: Mapping[int, Role] | None = None,
    bases: Bases = STANDARD,
    markers: int = 0,
) -> Unit:
    """Return a unit with all its men in ranks. files: of foot and horse. cannons: of artillery; markers: of each.

    roles: of those who are no ordinary men, by number.
    """
    roles = roles or {}
    cells: list[tuple[int, int, int | None]]
    if arm == ARTILLERY:
        cells = [
            (row // 2, row % 2, gun) for gun, crew in enumerate(_crews(men, cannons)) for row in range(crew)
        ]
    else:
        cells = [(index // files, index % files, None) for index in range(men)]
    ranks = tuple(
        Man(number, roles.get(number, "o"), RANKS, rank, file, gun)
        for number, (rank, file, gun) in enumerate(cells, start=1)
    )
    guns = tuple(Cannon(f"{id}.{number}", markers) for number in range(1, cannons + 1))
    widths = full_ranks(men, files) if files else ()
    return Unit(id, side, arm, place.x, place.y, place.bearing, files, widths, ranks, guns, bases)


def full_ranks(men: int, files: int) -> tuple[int, ...]:
    """Return how wide the ranks of so many men are: all full but perhaps the last (CC-1.16)."""
    return tuple(min(files, men - first) for first in range(0, men, files))


def _crews(gunners: int, cannons: int) -> list[int]:
    """How many gunners each cannon has: odd ones go to the first cannons (CC-1.20)."""
    each, odd = divmod(gunners, cannons)
    return [each + 1] * odd + [each] * (cannons - odd)


def in_cells(men: Sequence[Man], files: int) -> tuple[Man, ...]:
    """Return men standing in full ranks, in the order in which they are given."""
    return tuple(
        replace(man, rank=index // files, file=index % files, at=None) for index, man in enumerate(men)
    )


def placed_men(unit: Unit, numbers: Collection[int], where: Where) -> Unit:
    """Return a unit with the men of these numbers in another place: in ranks, confused, bodies or gone."""
    return unit.with_men(replace(man, place=where) for man in unit.men if man.number in numbers)


def men_grid(unit: Unit) -> tuple[str, ...]:
    """Return the men of a unit as printed, one text a rank, the front rank first (E1).

    `#OFD` are in ranks, `~ofd` confused, `x` is a body, `.` an empty cell. A battery has a rank for each cannon.
    """
    rows: dict[int, dict[int, str]] = {}
    for man in unit.men:
        row, column = (
            (man.cannon, 2 * man.rank + man.file) if man.cannon is not None else (man.rank, man.file)
        )
        sign = "." if man.place == GONE else _sign(man)
        # A man who is gone may have had the cell that another has now.
        if rows.setdefault(row, {}).get(column, ".") == "." and (man.place != GONE or man.cannon is not None):
            rows[row][column] = sign
    for row, width in enumerate(unit.widths):
        for column in range(width):
            rows.setdefault(row, {}).setdefault(column, ".")
    return tuple("".join(cells[column] for column in sorted(cells)) for _, cells in sorted(rows.items()))


def _sign(man: Man) -> str:
    if man.place == BODY:
        return "x"
    if man.place == CONFUSED:
        return "~" if man.role == "o" else man.role.lower()
    return "#" if man.role == "o" else man.role


# --- as plain data


def write_unit(unit: Unit) -> dict[str, Json]:
    """Return a unit as plain data; `read_unit` gives it back. Its bases are the ground's, and not among it."""
    return {
        "side": unit.side,
        "arm": unit.arm,
        "place": list(unit.place),
        "files": unit.files,
        "widths": list(unit.widths),
        "men": [_write_man(man) for man in unit.men],
        "cannons": [
            {"id": c.id, "markers": c.markers, "fired": c.fired, "left": list(c.left) if c.left else None}
            for c in unit.cannons
        ],
        "acted": unit.acted,
        "fought": unit.fought,
        "bound_to": list(unit.bound_to),
    }


def read_unit(id: str, plain: Mapping[str, Json], bases: Bases) -> Unit:
    """Return the unit that `write_unit` wrote."""
    x, y, bearing = plain["place"]
    cannons = tuple(
        Cannon(c["id"], c["markers"], c["fired"], Place(*c["left"]) if c["left"] else None)
        for c in plain["cannons"]
    )
    return Unit(
        id,
        Seat(plain["side"]),
        plain["arm"],
        x,
        y,
        bearing,
        plain["files"],
        tuple(plain["widths"]),
        tuple(map(_read_man, plain["men"])),
        cannons,
        bases,
        plain["acted"],
        plain["fought"],
        tuple(plain["bound_to"]),
    )


def _write_man(man: Man) -> list[Json]:
    return [man.number, man.role, man.place, man.rank, man.file, man.cannon, list(man.at) if man.at else None]


def _read_man(plain: Sequence[Json]) -> Man:
    number, role, place, rank, file, cannon, at = plain
    return Man(number, role, place, rank, file, cannon, Point(*at) if at else None)


def write_commander(commander: Commander) -> dict[str, Json]:
    """Return a commander as plain data; `read_commander` gives him back."""
    return {"side": commander.side, "role": commander.role, "place": [commander.x, commander.y]}


def read_commander(id: str, plain: Mapping[str, Json]) -> Commander:
    """Return the commander that `write_commander` wrote."""
    x, y = plain["place"]
    return Commander(id, Seat(plain["side"]), plain["role"], x, y)
