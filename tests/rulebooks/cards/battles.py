"""Whole battles by lot, for the tests: orders such as players give, sensible and foolish ones, wishes and plans too."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from referee.rulebooks.cards.asking import PARTS, Asking
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import SIDES, Commander, Unit, other_side
from referee.rulebooks.cards.ground import Ground, Terrain, TerrainKind
from referee.rulebooks.cards.measuring import distance
from referee.rulebooks.cards.orders import (
    ALL,
    ANY,
    NEAR,
    Action,
    Ask,
    Bearing,
    Choice,
    Choose,
    Fight,
    Fire,
    Flight,
    Form,
    Go,
    Guard,
    How,
    Move,
    MoveMob,
    Order,
    Pivot,
    PivotBy,
    Plan,
    Prefer,
    Rally,
    Towards,
    Wake,
    Way,
)
from referee.rulebooks.cards.shapes import Point
from referee.rulebooks.cards.switches import EN, FR, CloseIn, Markers, MobRally, Switches
from referee.rulebooks.rulebook import Seat
from tests.rulebooks.cards.fields import scattered
from tests.rulebooks.cards.tables import box

CUSTOM: tuple[Switches, ...] = (
    replace(FR, edition="custom", markers=Markers("per_cannon", 4), close_in=None, officers_last=True),
    replace(EN, edition="custom", rally_ban=7.9, mob_lost_if="off_table", enemies_per_combat="many"),
    replace(
        EN,
        edition="custom",
        combat_below=8.0,
        close_in=CloseIn(20.0, 8.0),
        mob_rally=MobRally(50.0, "living"),
        markers=Markers("per_side", 4),
    ),
)
"""Games that mix what the editions say."""
EDITIONS = (EN, FR, *CUSTOM)


def battle_by_lot(seed: int, *, each: int = 5, turn_limit: int = 6) -> Battle:
    """Return a battle as it begins: in any edition, some units shaken, with officers, flag bearers and musicians."""
    lot = random.Random(f"battle {seed}")
    switches = EDITIONS[seed % len(EDITIONS)]
    laid = scattered(seed, each=each, switches=switches)
    ground = replace(laid.ground, terrain=(*laid.ground.terrain, *_pieces(laid.ground, lot)))
    laid = replace(laid, ground=ground, turn_limit=turn_limit, active=lot.choice(SIDES))
    if switches.markers.how == "per_side":
        laid = replace(laid, markers=dict.fromkeys(SIDES, switches.markers.number))
    return laid.with_units(*(_with_roles(unit, switches, lot) for unit in laid.units.values()))


def _pieces(ground: Ground, lot: random.Random) -> list[Terrain]:
    """Return what covers and stops sight, here and there; nobody is stopped by it on his way."""
    pieces = []
    kinds: list[TerrainKind] = ["woods", "hill", "village", "field", "redoubt", "trench", "wall", "fence"]
    for number, kind in enumerate(lot.sample(kinds, 4), start=5):
        x, y = lot.randint(0, int(ground.width) - 30), lot.randint(0, int(ground.height) - 30)
        wide, long = lot.randint(8, 30), lot.randint(8, 30)
        points = box(x, y, x + wide, y + long)
        if kind in ("wall", "fence"):
            pieces.append(Terrain(f"T{number}", kind, kind, points[:2], thickness=1.0))
        else:
            parapet = points[:3] if kind == "redoubt" else ()
            pieces.append(Terrain(f"T{number}", kind, kind, points, parapet=parapet))
    return pieces


def _with_roles(unit: Unit, switches: Switches, lot: random.Random) -> Unit:
    """Return a unit some of whose living men are no ordinary ones; its cannons have their markers."""
    some = {man.number: lot.choice("OFD") for man in unit.living if lot.random() < 0.2}
    own = switches.markers.number if switches.markers.how == "per_cannon" else 0
    return replace(
        unit,
        men=tuple(replace(man, role=some.get(man.number, "o")) for man in unit.men),  # type: ignore[arg-type]
        cannons=tuple(replace(cannon, markers=own) for cannon in unit.cannons),
    )


# --- orders


def random_orders(battle: Battle, side: Seat, lot: random.Random) -> list[Order]:
    """Return the lines of one letter for a turn of a side's, in any order: all name what there is (`check_order`).

    Among them are wishes and plans; no two are for the same doing of the same unit.
    """
    orders: list[Order] = [
        *_actions(battle, side, lot),
        *_fires(battle, side, lot),
        *_fights(battle, side, lot),
    ]
    if lot.random() < 0.3:
        orders.append(random_wish(battle, side, lot))
    orders += _plans(battle, side, lot) if lot.random() < 0.2 else []
    lot.shuffle(orders)
    return orders


def _actions(battle: Battle, side: Seat, lot: random.Random) -> list[Action]:
    actions: list[Action] = [
        action for unit in battle.of(side) if (action := _action(battle, unit, lot)) is not None
    ]
    mine = sorted(
        (each for each in battle.commanders.values() if each.side == side), key=lambda each: each.id
    )
    return actions + [_go(battle, each, lot) for each in mine if lot.random() < 0.7]


def _action(battle: Battle, unit: Unit, lot: random.Random) -> Action | None:
    """Return what a unit is ordered to do: mostly what it can do."""
    if lot.random() < 0.1:
        return None
    usual = lot.random() < 0.9
    if unit.mob == usual:
        if lot.random() < 0.5:
            return Rally(unit.id, bearing=lot.choice([None, _degrees(lot)]))
        return MoveMob(unit.id, _degrees(lot), lot.choice([30.0, 35.0, 8.4]))
    if unit.mixed == usual:
        men = [man.number for man in unit.men]
        return Rally(unit.id, tuple(lot.sample(men, min(2, len(men)))) if lot.random() < 0.4 else ())
    return _move(battle, unit, lot)


def _move(battle: Battle, unit: Unit, lot: random.Random) -> Action:
    kind = lot.random()
    if kind < 0.12:
        return Form(unit.id, lot.choice([None, lot.randint(1, 12)]))
    keep = lot.choice([None, None, None, 22.0])
    return Move(unit.id, _pivot(battle, unit, lot), lot.choice([None, None, 12.3, 55.0]), keep)


def _pivot(battle: Battle, unit: Unit, lot: random.Random) -> Pivot | None:
    """Return a pivot: mostly towards the nearest enemy or an objective."""
    enemies = sorted(battle.enemies(unit), key=lambda enemy: distance(unit, enemy))
    toward: list[Pivot | None] = [
        *(Towards(enemy.id) for enemy in enemies[:2]),
        *(Towards(each.id) for each in battle.ground.objectives),
        None,
        PivotBy(lot.choice([-90.0, 30.0, 180.0])),
        Bearing(_degrees(lot)),
        Towards(_point(battle, lot)),
    ]
    return lot.choice(toward[:6] if lot.random() < 0.7 else toward)


def _go(battle: Battle, commander: Commander, lot: random.Random) -> Go:
    mine = battle.of(commander.side)
    shaken = [unit.id for unit in mine if unit.confused] or [unit.id for unit in mine]
    if shaken and lot.random() < 0.7:
        return Go(commander.id, lot.choice(shaken))
    return Go(commander.id, _point(battle, lot))


def _fires(battle: Battle, side: Seat, lot: random.Random) -> list[Fire]:
    theirs = [unit.id for unit in battle.of(other_side(side))]
    choices = [(NEAR,), (ANY,), (), *(((lot.choice(theirs), NEAR)) for _ in range(3) if theirs)]
    guns = [cannon.id for unit in battle.of(side) for cannon in unit.cannons]
    return [Fire(gun, lot.choice(choices)) for gun in guns if lot.random() < 0.8]


def _fights(battle: Battle, side: Seat, lot: random.Random) -> list[Fight]:
    theirs = battle.of(other_side(side))
    fights = [Fight(ALL, ((NEAR,),))] if lot.random() < 0.3 else []
    for unit in battle.of(side):
        if not theirs or lot.random() < 0.3:
            continue
        near = sorted(theirs, key=lambda enemy: distance(unit, enemy))[:3]
        groups: list[tuple[str, ...]] = [(near[0].id,), (NEAR,)]
        if lot.random() < 0.3:
            groups = [(lot.choice(near).id,), (ANY,)]
        if battle.switches.enemies_per_combat == "many" and len(near) > 1 and lot.random() < 0.5:
            groups.insert(0, (near[0].id, lot.choice([near[1].id, NEAR])))
        guards = (_guard(battle, side, lot),) if lot.random() < 0.2 else ()
        fights.append(Fight(unit.id, tuple(groups), guards))
    return fights


def _guard(battle: Battle, side: Seat, lot: random.Random) -> Guard:
    other = lot.choice(battle.of(side)).id
    guards = [
        Guard("min", lot.randint(1, 6)),
        Guard("flank"),
        Guard("won", unit=other),
        Guard("lost", unit=other),
    ]
    return lot.choice(guards)


# --- wishes and plans


def random_wish(battle: Battle, side: Seat, lot: random.Random) -> Prefer:
    """Return a standing wish of a side's, for a unit or for all; often it wants to be asked."""
    mine = [unit.id for unit in battle.of(side)]
    way: Way = lot.choice(get_args(Way))
    return Prefer(
        lot.choice([ALL, ALL, *mine]),
        _choice(lot),
        _choice(lot, confused=False),
        lot.choice([None, Flight(way, _degrees(lot) if way == "BEARING" else None)]),
        lot.choice([None, _choice(lot, confused=False)]),
        lot.choice([None, *get_args(Ask)]),
    )


def _choice(lot: random.Random, *, confused: bool = True) -> Choice:
    how: How = lot.choice([each for each in get_args(How) if confused or each != "CONFUSED"])
    return Choice(how, tuple(lot.sample(range(1, 15), 3)) if how == "MAN" else ())


def _plans(battle: Battle, side: Seat, lot: random.Random) -> list[Order]:
    """Return plans for about half of a side's units, and when to wake its player."""
    plans: list[Order] = [Wake(lot.choice([10.0, 40.0]))]
    for unit in battle.of(side):
        if lot.random() < 0.5:
            order = _move(battle, unit, lot)
            if isinstance(order, Move | Form):
                plans.append(Plan(lot.randint(1, 3), unit.id, order))
    return plans


# --- answers


def random_answer(asked: Asking, lot: random.Random) -> Choose:
    """Return an answer to a question: any that fits, the standing wish at times."""
    if lot.random() < 0.2:
        return Choose()
    if asked.what == "flight":
        return Choose(flee=Flight("BEARING", _degrees(lot)))
    parts = {part: _among(asked.facts[part], lot) for part in PARTS[asked.what]}
    return Choose(**parts)  # type: ignore[arg-type]


def _among(men: Sequence[dict[str, int]], lot: random.Random) -> Choice:
    numbers = sorted(man["number"] for man in men)
    if numbers and lot.random() < 0.6:
        return Choice("MAN", tuple(lot.sample(numbers, min(2, len(numbers)))))
    return Choice(lot.choice(["NEAR", "FAR", "FRONT", "REAR", "LEFT", "RIGHT", "CENTRE", "OBJ", "GUN"]))


def _degrees(lot: random.Random) -> float:
    return lot.randint(0, 3599) / 10


def _point(battle: Battle, lot: random.Random) -> Point:
    """Return a point on the table."""
    x = lot.randint(0, int(battle.ground.width * 100)) / 100
    return Point(x, lot.randint(0, int(battle.ground.height * 100)) / 100)
