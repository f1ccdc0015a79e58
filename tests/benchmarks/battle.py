"""What a turn of a large battle costs: twenty units a side, all moving, ruled on and drawn."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial, reduce
from pathlib import Path
from statistics import median
from typing import TypeVar

import shapely

from referee.common.chance import Chance
from referee.rulebooks.cards import picture
from referee.rulebooks.cards.adjudicate import adjudicate
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.fold import fold_position
from referee.rulebooks.cards.options import opening
from referee.rulebooks.cards.orders import CarryOut, Move, Order, Pass
from referee.rulebooks.cards.position import Position
from referee.rulebooks.cards.scenarios.making import ScenarioSettings, make_scenario
from referee.rulebooks.rulebook import Seat
from tests.benchmarks.figures import Goal, Progress, Reading

UNITS, MEN = 20, 240
TURNS = 4
"""So many turns of each side are measured, each from where the one before has left the armies."""
STEPS = 200
"""As many steps as a unit of foot goes in a turn."""
SECRET = bytes(range(32))


class BattleTurn:
    """Turns of a battle, each with its map, against one look of every unit at every enemy for each of its steps, and
    the drawing of the map alone."""

    name = "battle"
    once = False

    def prepare(self, folder: Path, progress: Progress) -> None:
        progress("a scenario is made up")
        made = make_scenario(ScenarioSettings("benchmark", units=UNITS, men=MEN, guns=4, table=(300, 200)))
        self._chance = Chance(SECRET)
        happenings = opening({"scenario": made, "first": "red"}, self._chance)
        position = reduce(fold_position, happenings, None)
        assert position is not None
        for seat in SIDES:
            position = after(position, seat, [Pass()], self._chance)
        assert all(len(position.battle.of(side)) == UNITS for side in SIDES)
        self._begun = position

    def measure(self, progress: Progress) -> Sequence[Reading]:
        position = self._begun
        took: list[float] = []
        floors: list[float] = []
        for number in range(2 * TURNS):
            progress(f"turn {number // 2 + 1}")
            seat = position.battle.active
            orders = [*march(position.battle, seat), CarryOut()]
            ms, _ = timed(partial(floor, position.battle, seat))
            floors.append(ms)
            ms, position = timed(partial(turn, position, seat, orders, self._chance))
            took.append(ms)
        goal = Goal("value", must=400, aim=150)
        return [Reading("a turn of twenty units, with its map", "ms", goal, median(took), median(floors))]


T = TypeVar("T")


def timed(do: Callable[[], T]) -> tuple[float, T]:
    """Return how many milliseconds something took, and what it gave."""
    begin = time.perf_counter()
    found = do()
    return 1000 * (time.perf_counter() - begin), found


def march(battle: Battle, seat: Seat) -> list[Order]:
    """Return orders by which all units of a side go ahead as far as they may."""
    return [Move(unit.id, None, None) for unit in battle.of(seat)]


def after(position: Position, seat: Seat, orders: Sequence[Order], chance: Chance) -> Position:
    for order in orders:
        position = reduce(fold_position, adjudicate(position, seat, order, chance), position)
    return position


def turn(position: Position, seat: Seat, orders: Sequence[Order], chance: Chance) -> Position:
    """Rule on a turn, and draw the map after it."""
    then = after(position, seat, orders, chance)
    picture.png(then.battle, before=position.battle)
    return then


def floor(battle: Battle, seat: Seat) -> bytes:
    """Measure from each unit of a side to all enemies, once for every step of a move, and draw the map."""
    enemies = shapely.union_all([each.formation.footprint for each in battle.enemies(battle.of(seat)[0])])
    shapely.prepare(enemies)
    for unit in battle.of(seat):
        shapely.distance([unit.formation.footprint] * STEPS, enemies)
    return picture.png(battle)
