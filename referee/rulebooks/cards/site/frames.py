"""A battle's table after each step, as its page shows it: one frame after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import shapely

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import GONE, SIDES, Commander, Unit, id_order
from referee.rulebooks.cards.ground import Ground
from referee.rulebooks.cards.marks import Box, box_of
from referee.rulebooks.cards.position import Table
from referee.rulebooks.cards.site.table_map import millimetres, numbers_along, spot
from referee.rulebooks.cards.site.tags import Written, body_of, number_box, tags, title_box, title_spot
from referee.rulebooks.stages.battle import (
    BODY,
    CONFUSED,
    MM,
    RANKS,
    Ends,
    Frame,
    Look,
    Stood,
    Thing,
    Type,
    type_for,
)

_STATES = {"ranks": RANKS, "confused": CONFUSED, "body": BODY}
_NO_LOOK = Look()


class Watching:
    """Follows a battle from frame to frame.

    things: everything that ever stands on the table, nothing before both armies were shown.
    markers: the guns whose markers are counted, or the sides where a side's guns share them.
    titles: where the objectives' titles are written.
    """

    def __init__(self, battle: Battle | None, tables: Sequence[Table]) -> None:
        self._ground = ground = tables[0].battle.ground
        bodies = list(_bodies(ground, tables)) if battle is not None else []
        self._letters = type_for(millimetres(ground.width))
        self._numbers = tuple(_numbers(ground, self._letters))
        self.titles = tuple(
            title_spot(box_of([spot(ground, point) for point in each.points]), each.id, bodies, self._letters)
            for each in ground.objectives
        )
        self._title_boxes = [
            title_box(middle, each.id, self._letters)
            for middle, each in zip(self.titles, ground.objectives, strict=True)
        ]
        self._table = Box(0, 0, millimetres(ground.width), millimetres(ground.height))
        self.things = tuple(_things(battle)) if battle is not None else ()
        self.markers: tuple[str, ...] = ()
        if battle is not None:
            shared = battle.switches.markers.how == "per_side"
            guns = tuple(each.id for each in self.things if each.kind == "gun")
            self.markers = tuple(map(str, SIDES)) if shared and guns else guns
        self._places = {each.id: place for place, each in enumerate(self.things)}
        self._stood: dict[int, tuple[Unit, Stood]] = {}
        self._bodies: dict[int, tuple[str, Box, float]] = {}
        self._names: dict[int, Written] = {}
        self._battle = battle

    def places(self, ids: Iterable[str]) -> tuple[int, ...]:
        """Return the positions in `things` of these ids, each once."""
        return tuple(dict.fromkeys(self._places[id] for id in ids if id in self._places))

    def frame(self, table: Table) -> Frame:
        """Return the present frame."""
        battle = self._battle = table.battle
        standing = [self._standing(battle, place, each) for place, each in enumerate(self.things)]
        written = self._written(battle, standing)
        return Frame(
            things=tuple(
                Stood(each.x, each.y, each.bearing, each.look, at.tag if (at := written.get(place)) else None)
                if each
                else None
                for place, each in enumerate(standing)
            ),
            holders=tuple(str(battle.holders.get(each.id, "")) for each in battle.ground.objectives),
            turned=(battle.cards[SIDES[0]].discards, battle.cards[SIDES[1]].discards),
            left=(battle.cards[SIDES[0]].left, battle.cards[SIDES[1]].left),
            markers=tuple(self._count(battle, name) for name in self.markers),
            engaged=tuple(_engaged(battle)),
        )

    def line(self, gun: str, target: str) -> Ends | None:
        """Return the line from a gun to a unit, as both stood after the previous frame."""
        from_place, to_place = self._places.get(gun), self._places.get(target)
        if self._battle is None or from_place is None or to_place is None:
            return None
        start = self._standing(self._battle, from_place, self.things[from_place])
        unit = self._battle.units.get(target)
        if start is None or unit is None or not unit.living:
            return None
        return (start.x, start.y, *spot(self._ground, unit.formation.middle))

    def _standing(self, battle: Battle, place: int, thing: Thing) -> Stood | None:
        if thing.kind == "commander":
            commander = battle.commanders.get(thing.id)
            return _commander(self._ground, commander) if commander else None
        id, _, number = thing.id.partition(".")
        unit = battle.units.get(id)
        if thing.kind == "gun":
            owner = unit or battle.fallen.get(id)
            return _gun(self._ground, owner, int(number) - 1) if owner else None
        if unit is None:
            return None
        known = self._stood.get(place)
        if known is None or known[0] is not unit:
            self._stood[place] = unit, _unit(self._ground, unit)
        return self._stood[place][1]

    def _written(self, battle: Battle, standing: list[Stood | None]) -> dict[int, Written]:
        """Return where the names of units and commanders are written; guns have none."""
        bodies: dict[int, tuple[str, Box, float]] = {}
        guns: list[Box] = []
        for place, (thing, stood) in enumerate(zip(self.things, standing, strict=True)):
            if stood is None:
                continue
            if thing.kind == "gun":
                guns.append(body_of([(stood.x, stood.y)], max(thing.base) / 2))
            elif thing.kind == "commander":
                behind = self._ground.homeward(battle.commanders[thing.id].side)
                bodies[place] = thing.id, body_of([(stood.x, stood.y)], thing.base[0] / 2), behind
            else:
                unit = battle.units[thing.id]
                bodies[place] = thing.id, _body(self._ground, unit), (unit.bearing + 180) % 360
        if bodies != self._bodies:
            taken = [*guns, *self._numbers]
            self._names = tags(bodies, taken, self._title_boxes, self._table, self._letters, self._names)
            self._bodies = bodies
        return self._names

    @staticmethod
    def _count(battle: Battle, name: str) -> int:
        side = next((side for side in SIDES if side == name), None)
        if side is not None:
            return battle.markers.get(side, 0)
        id = name.partition(".")[0]
        unit = battle.units.get(id) or battle.fallen[id]
        return next(gun.markers for gun in unit.cannons if gun.id == name)


def _numbers(ground: Ground, letters: Type) -> Iterator[Box]:
    """Yield the boxes of the numbers along the southern and the western edge."""
    for cm in numbers_along(ground.width):
        yield number_box(str(cm), (cm * MM, millimetres(ground.height)), "n", letters)
    for cm in numbers_along(ground.height):
        yield number_box(str(cm), (0, millimetres(ground.height) - cm * MM), "e", letters)


def _bodies(ground: Ground, tables: Iterable[Table]) -> Iterator[Box]:
    """Yield the boxes that units have filled in a battle, each once for as long as the unit stood there."""
    before: Mapping[str, Unit] = {}
    for table in tables:
        yield from (
            _body(ground, unit) for id, unit in table.battle.units.items() if before.get(id) is not unit
        )
        before = table.battle.units


def _body(ground: Ground, unit: Unit) -> Box:
    """Return the box that a unit's men fill, fallen ones included; the last may have gone a moment ago."""
    points = [spot(ground, unit.formation.centre(man)) for man in unit.men if man.place in _STATES]
    return body_of(points or [spot(ground, unit.place)], millimetres(max(unit.base)) / 2)


def _things(battle: Battle) -> Iterator[Thing]:
    """Yield everything that ever stands on the table, by sides, guns before their units, which are drawn above."""
    bases = battle.ground.bases
    units = sorted((*battle.units.values(), *battle.fallen.values()), key=lambda each: id_order(each.id))
    gun = (millimetres(bases.cannon.front), millimetres(bases.cannon.depth))
    for side in SIDES:
        mine = [unit for unit in units if unit.side == side]
        yield from (Thing(each.id, str(side), "gun", gun) for unit in mine for each in unit.cannons)
        for unit in mine:
            base = millimetres(unit.base.front), millimetres(unit.base.depth)
            yield Thing(unit.id, str(side), "unit", base, len(unit.men))
        wide = millimetres(2 * bases.commander)
        for _, each in sorted(battle.commanders.items()):
            if each.side == side:
                yield Thing(each.id, str(side), "commander", (wide, wide), role=each.role)


def _commander(ground: Ground, commander: Commander) -> Stood:
    return Stood(*spot(ground, commander.point), 0, _NO_LOOK)


def _gun(ground: Ground, unit: Unit, index: int) -> Stood:
    place = unit.battery.cannon_place(index)
    return Stood(*spot(ground, place), place.bearing, _NO_LOOK)


def _unit(ground: Ground, unit: Unit) -> Stood:
    men = [man for man in unit.men if man.place != GONE]
    points = [unit.formation.local[man.number] for man in men]
    front = None
    if unit.in_ranks and not unit.cannons:
        ahead, left, right = map(millimetres, unit.formation.front)
        front = ahead, left, right
    look = Look(
        tuple((millimetres(x), -millimetres(y)) for x, y in points),
        "".join(_STATES[man.place] for man in men),
        front,
    )
    return Stood(*spot(ground, unit.place), unit.bearing, look)


def _engaged(battle: Battle) -> Iterator[Ends]:
    """Yield a line between the nearest men of each engaged pair (CC-7.27)."""
    for id, unit in sorted(battle.units.items()):
        for other in unit.bound_to:
            enemy = battle.units.get(other)
            if id < other and enemy is not None and unit.living and enemy.living:
                line = shapely.shortest_line(unit.formation.living_shape, enemy.formation.living_shape)
                (x0, y0), (x1, y1) = (
                    spot(battle.ground, each) for each in shapely.get_coordinates(line).tolist()
                )
                yield x0, y0, x1, y1
