"""What is passed over in a walk changes nothing: it ends where a walk ends that looks at every step (A-01, E5).

The naive walks here measure at each step what the rules say, and know nothing of belts, spells or bounds.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
import shapely

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import Unit
from referee.rulebooks.cards.ground import EDGE
from referee.rulebooks.cards.measuring import distance, distance_to_commander, facing_each_other
from referee.rulebooks.cards.mobs import away_from, flee, move_mob
from referee.rulebooks.cards.moving import move, move_commander, no_room
from referee.rulebooks.cards.orders import Flight
from referee.rulebooks.cards.shapes import Place, Point, apart, bearing_to, between, kept
from referee.rulebooks.cards.tracks import overlap, straight
from tests.rulebooks.cards.fields import scattered, steadied


def naive_end(battle: Battle, unit: Unit, cm: float, keep: float | None) -> int | None:
    """Return after how many steps an advance ends, None where it lies on friends all the way."""
    switches = battle.switches
    enemies = battle.enemies(unit)
    steps = round(min(cm, unit.allowance) * 10)
    at_start = {enemy.id: distance(unit, enemy) for enemy in enemies}
    closing = {
        enemy.id
        for enemy in enemies
        if switches.close_in
        and at_start[enemy.id] <= switches.close_in.start
        and facing_each_other(unit, enemy)
    }
    entered: dict[str, int] = {}
    end = steps
    for step in range(steps + 1):
        there = unit.standing(unit.place.ahead(step / 10))
        apart = {enemy.id: distance(there, enemy) for enemy in enemies}
        if step > 0:
            nearest = max(1.0, keep or 0.0)
            forbidden = not shapely.covers(battle.ground.footing, there.formation.footprint)
            for id, cm_off in apart.items():
                forbidden |= cm_off < min(nearest, at_start[id])
            if forbidden:
                end = step - 1
                break
        stop: int | None = None
        for enemy in enemies:
            if not facing_each_other(there, enemy):
                continue
            if enemy.id in closing:
                assert switches.close_in is not None
                if apart[enemy.id] < switches.close_in.stop_below:
                    stop = step
            elif apart[enemy.id] < switches.halt.cm:
                here = step if switches.halt.how == "first_below" else max(step - 1, 0)
                stop = here if stop is None else min(stop, here)
        if stop is not None and stop < step:
            end = stop
            break
        left = []
        if switches.pass_by is not None:
            for id, cm_off in apart.items():
                inside = cm_off < switches.pass_by
                if inside and id not in entered:
                    entered[id] = step
                elif not inside and id in entered and entered[id] > 0:
                    left.append(entered[id] - 1)
                elif not inside:
                    entered.pop(id, None)
        if left:
            end = min(left)
            break
        if stop is not None:
            end = stop
            break
    for step in range(end, -1, -1):
        there = unit.standing(unit.place.ahead(step / 10))
        if not any(
            overlap(there.formation.footprint, friend.formation.footprint) for friend in battle.friends(unit)
        ):
            return step
    return None


def compare_advances(seed: int) -> set[str]:
    """Hold all advances of a battle by lot against the naive walk; return what stopped them."""
    lot = random.Random(f"advance {seed}")
    battle = scattered(seed)
    rules: set[str] = set()
    for unit in [*battle.units.values()]:
        ready = steadied(unit)
        laid = battle.with_units(ready)
        # Towards somebody, most often.
        target = lot.choice([*battle.units.values()])
        bearing = lot.choice(
            [ready.bearing, round(lot.uniform(0, 359.9), 1), _towards(ready, target), _towards(ready, target)]
        )
        cm = lot.choice([5.0, ready.allowance, ready.allowance])
        keep = lot.choice([None, None, None, 12.5])
        pivoted = ready.standing(ready.place._replace(bearing=bearing))
        then, (happening, *private) = move(laid, unit.id, bearing=bearing, cm=cm, keep=keep)
        rules |= {happening.rule, *(each.rule for each in private)}
        if bearing != ready.bearing and no_room(laid, pivoted):
            assert happening.code == "refused"
            continue
        end = naive_end(laid, pivoted, cm, keep)
        if end is None:
            assert (happening.code, happening.rule) == ("refused", "CC-3.15")
            continue
        assert happening.code == "moved"
        assert then.units[unit.id].place == pivoted.place.ahead(end / 10), (
            seed,
            unit.id,
            end,
            happening.facts,
        )
        assert happening.facts["gone"] == end / 10
        _holds(then, then.units[unit.id])
        _trodden(laid, pivoted, end, happening.facts["through"])
    return rules


def _towards(unit: Unit, target: Unit) -> float:
    bearing = bearing_to(unit.place.point, target.place.point)
    return unit.bearing if bearing is None else bearing


def _holds(battle: Battle, moved: Unit) -> None:
    """E8.4: after a move nobody is off dry ground, on a friend, or nearer than 1.0 cm to an enemy."""
    assert no_room(battle, moved) is None
    assert not any(
        overlap(moved.formation.footprint, friend.formation.footprint) for friend in battle.friends(moved)
    )


def _trodden(battle: Battle, unit: Unit, end: int, through: list[str]) -> None:
    inside = set()
    for step in range(end + 1):
        there = unit.standing(unit.place.ahead(step / 10))
        for objective in battle.ground.objectives:
            if any(objective.holds(point) for point in there.formation.centres(there.in_ranks)):
                inside.add(objective.id)
    assert sorted(inside) == sorted(through)


@pytest.mark.slow
def test_e5_advances_end_where_a_naive_walk_ends() -> None:
    """CC-3.9 to CC-3.16, CC-3.20, CC-3.21, CC-8.4, in both editions."""
    rules = set().union(*map(compare_advances, (13, 18)))
    assert {"CC-3.9", "CC-3.10", "CC-3.11", "CC-3.12", "CC-3.15", "CC-3.16", "CC-3.20", "CC-3.21"} <= rules


@pytest.mark.full
@pytest.mark.timeout(3000)
def test_e5_three_hundred_battles_of_advances() -> None:
    rules = set().union(*map(compare_advances, range(100, 400)))
    assert {"CC-3.9", "CC-3.10", "CC-3.11", "CC-3.12", "CC-3.15", "CC-3.16", "CC-3.20", "CC-3.21"} <= rules


# --- mobs


def naive_run(battle: Battle, mob: Unit, bearing: float, cm: float) -> int:
    """Return after how many steps a mob's run ends."""
    enemies = battle.enemies(mob)
    limits = {enemy.id: min(15.0, distance(mob, enemy)) for enemy in enemies}
    steps = round(min(cm, 30.0) * 10)
    for step in range(1, steps + 1):
        there = mob.standing(mob.place.towards(bearing, step / 10))
        if not shapely.covers(battle.ground.footing, there.formation.living_shape):
            return step - 1
        if any(distance(there, enemy) < limits[enemy.id] for enemy in enemies):
            return step - 1
    return steps


def naive_flight(battle: Battle, mob: Unit, wanted: float, away: float) -> tuple[float, int] | None:
    """Return the bearing and the steps of a flight, None for a mob that is lost."""
    tried = [(wanted + turn) % 360 for off in range(0, 181, 5) for turn in dict.fromkeys((off, -off))]
    tried = [*dict.fromkeys(round(bearing, 1) % 360 for bearing in tried)]
    tried = [bearing for bearing in tried if between(bearing, away) <= 90 + 1e-7]
    runs = []
    for bearing in tried:
        steps = naive_run(battle, mob, bearing, 30.0)
        there = mob.standing(mob.place.towards(bearing, steps / 10))
        if steps == 300 and all(distance(there, enemy) >= 15.0 for enemy in battle.enemies(mob)):
            return bearing, 300
        runs.append((steps, bearing))
    if battle.switches.mob_lost_if == "short_of_30":
        return None
    table = shapely.buffer(battle.ground.table, EDGE, join_style="mitre")
    if not any(
        shapely.covers(table, mob.standing(mob.place.towards(bearing, 30.0)).formation.living_shape)
        for _, bearing in runs
    ):
        return None
    most = max(steps for steps, _ in runs)
    return next(bearing for steps, bearing in runs if steps == most), most


def compare_mobs(seed: int) -> set[str]:
    """Hold the moves and flights of the mobs of a battle by lot against the naive ones; return the rules met."""
    lot = random.Random(f"mobs {seed}")
    battle = scattered(seed)
    rules: set[str] = set()
    for mob in [unit for unit in battle.units.values() if unit.mob]:
        bearing = round(lot.uniform(0, 359.9), 1)
        then, (happening,) = move_mob(battle, mob.id, bearing, 30.0)
        steps = naive_run(battle, mob, bearing, 30.0)
        assert then.units[mob.id].place == mob.place.towards(bearing, steps / 10)
        rules.add(happening.rule)
        for enemy in [each for each in battle.enemies(mob) if each.in_ranks][:1]:
            away = away_from(enemy, mob)
            way = lot.choice([None, bearing])
            flight = naive_flight(battle, mob, away if way is None else way, away)
            then, (happening,) = flee(
                battle, mob.id, enemy.id, Flight("BEARING", way) if way is not None else Flight()
            )
            rules.add(happening.rule)
            if flight is None:
                assert (happening.code, mob.id in then.units) == ("mob-lost", False)
            else:
                assert happening.code == "fled"
                assert (happening.facts["bearing"], happening.facts["gone"]) == (flight[0], flight[1] / 10)
                assert then.units[mob.id].place == mob.place.towards(flight[0], flight[1] / 10)
    return rules


@pytest.mark.slow
def test_e5_mobs_run_where_naive_ones_run() -> None:
    """CC-4.2, CC-4.3, CC-4.5 to CC-4.9, in both editions."""
    rules = set().union(*map(compare_mobs, (20, 23)))
    assert {"CC-4.2", "CC-4.3", "CC-4.5", "CC-4.6", "CC-4.7", "CC-4.8"} <= rules


@pytest.mark.full
@pytest.mark.timeout(3000)
def test_e5_a_hundred_battles_of_mobs() -> None:
    rules = set().union(*map(compare_mobs, range(2000, 2100)))
    assert {"CC-4.2", "CC-4.3", "CC-4.5", "CC-4.6", "CC-4.8"} <= rules


# --- commanders


def compare_commanders(seed: int) -> None:
    lot = random.Random(f"commanders {seed}")
    battle = scattered(seed)
    for commander in [*battle.commanders.values()]:
        if shapely.distance(commander.shape, battle.ground.no_footing) < 1.5:
            continue
        if any(
            distance_to_commander(commander, u) < 1 for u in battle.units.values() if u.side != commander.side
        ):
            continue
        end = Point(kept(lot.uniform(0, battle.ground.width)), kept(lot.uniform(0, battle.ground.height)))
        whole = apart(commander.point, end)
        lengths = [step / 10 for step in range(int(min(whole, 60.0) * 10 + 1e-7) + 1)]
        if min(whole, 60.0) - lengths[-1] > 1e-7:
            lengths.append(min(whole, 60.0))
        ahead = ((end.x - commander.x) / whole, (end.y - commander.y) / whole)
        places = [
            Place(kept(commander.x + cm * ahead[0]), kept(commander.y + cm * ahead[1]), 0) for cm in lengths
        ]
        last = len(places) - 1
        for step, place in enumerate(places):
            if (
                step
                and shapely.distance(shapely.Point(place.x, place.y), battle.ground.no_footing) < 1.5 - 1e-7
            ):
                last = step - 1
                break
        foes = [unit for unit in battle.units.values() if unit.side != commander.side]
        while last and any(
            distance_to_commander(type(commander)("", commander.side, commander.role, *places[last][:2]), foe)
            < 1.0
            for foe in foes
        ):
            last -= 1
        then, _ = move_commander(battle, commander.id, end)
        assert then.commanders[commander.id].point == places[last].point, (seed, commander.id)


def test_e5_commanders_end_where_naive_ones_end() -> None:
    """CC-3.8, CC-3.21, CC-3.26, A-16."""
    for seed in range(40, 50):
        compare_commanders(seed)


def test_a_01_kept_places_are_the_same_singly_and_in_a_row() -> None:
    lot = random.Random(1)
    for _ in range(50):
        start = Place(kept(lot.uniform(0, 200)), kept(lot.uniform(0, 300)), round(lot.uniform(0, 359.9), 1))
        track = straight(start, start.bearing, 400)
        for step in (0, 1, 7, 100, 399, 400):
            assert track.place(step) == start.ahead(step / 10)
            assert np.allclose(
                track.offsets[step], np.subtract(track.place(step).point, start.point), atol=1e-9
            )
