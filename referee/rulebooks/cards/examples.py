"""Order lines that could be sent as they stand, for whoever wonders how to write his (E6)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.fighting import may_not_fight
from referee.rulebooks.cards.figures import ARTILLERY, Unit
from referee.rulebooks.cards.firing import may_not_serve, nearest_target
from referee.rulebooks.cards.forming import form
from referee.rulebooks.cards.mobs import must_run
from referee.rulebooks.cards.moving import MOVED, barred, move
from referee.rulebooks.cards.orders import (
    ALL,
    NEAR,
    Fight,
    Fire,
    Form,
    Go,
    Move,
    MoveMob,
    Order,
    Pass,
    Rally,
    Station,
    StationCommander,
)
from referee.rulebooks.cards.rallying import may_not_rally
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import Seat


def examples(battle: Battle, side: Seat, *, split: bool = False) -> tuple[str, ...]:
    """Return one line of each kind that is possible for a side now, each for another unit where it can be.

    split: of turns of two letters, what the letter that is due is for; where nothing is, that the rest may go by.
    """
    found: dict[str, str] = {}
    used: set[str] = set()
    for make in _KINDS:
        if split and (make in (_fight, _fire)) != (battle.phase > 1):
            continue
        line = next((each for each in make(battle, side) if each[0] not in used), None)
        line = line or next(make(battle, side), None)
        if line is not None:
            used.add(line[0])
            found[make.__name__] = write_order(line[1])
    if split and battle.phase > 1 and not found:
        return (write_order(Pass()),)
    return tuple(
        found[name]
        for name in ("_go", "_rally", "_move", "_mob", "_form", "_fire", "_fight")
        if name in found
    )


def answers_to_phase_one(battle: Battle) -> tuple[str, ...]:
    """Return lines that may be sent once phase 1 is over, whatever they would bring: a shot or combats, or nothing."""
    guns = [unit for unit in battle.of(battle.active) if unit.cannons and unit.in_ranks]
    line: Order = Fire(guns[0].cannons[0].id, (NEAR,)) if guns else Fight(ALL, ((NEAR,),))
    return write_order(line), write_order(Pass())


def set_up_examples(battle: Battle, side: Seat) -> tuple[str, ...]:
    """Return the set-up of the scenario as lines, of all units and commanders of a side."""
    units = [
        Station(unit.id, unit.x, unit.y, unit.bearing, None if unit.arm == ARTILLERY else unit.files)
        for unit in battle.of(side)
    ]
    commanders = [
        StationCommander(id, each.x, each.y)
        for id, each in sorted(battle.commanders.items())
        if each.side == side
    ]
    return (*map(write_order, units), *map(write_order, commanders))


def _move(battle: Battle, side: Seat) -> Iterator[tuple[str, Order]]:
    for unit in battle.of(side):
        if barred(unit) is None and not unit.mob:
            told = move(battle, unit.id, cm=unit.allowance)[1][0]
            if told.code == MOVED and told.facts["gone"] > 0:
                yield unit.id, Move(unit.id, None, told.facts["gone"])


def _mob(battle: Battle, side: Seat) -> Iterator[tuple[str, Order]]:
    for unit in battle.of(side):
        # Who has to flee as the turn begins does nothing else in it (CC-4.10).
        if unit.mob and not unit.acted and must_run(battle, unit.id) is None:
            yield unit.id, MoveMob(unit.id, battle.ground.homeward(side), 30.0)


def _form(battle: Battle, side: Seat) -> Iterator[tuple[str, Order]]:
    for unit in battle.of(side):
        files = _narrower(unit)
        if files and form(battle, unit.id, files)[1][0].code != "refused":
            yield unit.id, Form(unit.id, files)


def _narrower(unit: Unit) -> int:
    """Return the files of a column, half as wide as the unit is; 0 for artillery, which has none."""
    return 0 if unit.arm == ARTILLERY or unit.files < 2 else unit.files // 2


def _rally(battle: Battle, side: Seat) -> Iterator[tuple[str, Order]]:
    for unit in battle.of(side):
        if may_not_rally(battle, unit) is None:
            yield unit.id, Rally(unit.id)


def _go(battle: Battle, side: Seat) -> Iterator[tuple[str, Order]]:
    shaken = [unit.id for unit in battle.of(side) if unit.confused]
    others = [unit.id for unit in battle.of(side)]
    for commander in battle.commanders.values():
        if commander.side == side and (shaken or others):
            yield commander.id, Go(commander.id, (shaken or others)[0])


def _fire(battle: Battle, side: Seat) -> Iterator[tuple[str, Order]]:
    for unit in battle.of(side):
        for index, cannon in enumerate(unit.cannons):
            if may_not_serve(unit, index) is None and (target := nearest_target(battle, unit, index)):
                yield unit.id, Fire(cannon.id, (target, NEAR))


def _fight(battle: Battle, side: Seat) -> Iterator[tuple[str, Order]]:
    for unit in battle.of(side):
        for enemy in battle.enemies(unit):
            if may_not_fight(battle, unit.id, [enemy.id]) is None:
                yield unit.id, Fight(unit.id, ((enemy.id,),))


# The rarest first, so that each finds a unit that no other line has taken.
_KINDS = (_rally, _fight, _fire, _move, _form, _go, _mob)
