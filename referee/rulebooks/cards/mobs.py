"""Mobs: how they move, when they must run, and when they are lost (CC-4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.rulebooks.cards.battle import Battle, Outcome, happened
from referee.rulebooks.cards.figures import Man, Unit
from referee.rulebooks.cards.measuring import distance
from referee.rulebooks.cards.moving import Refusal, Stop, as_ordered, barred, last_outside, refused
from referee.rulebooks.cards.orders import AWAY, Flight
from referee.rulebooks.cards.shapes import (
    TINY,
    Point,
    bearing_kept,
    bearing_to,
    between,
    kept,
    shifted,
    tenths,
)
from referee.rulebooks.cards.tracks import Gap, Track, first_off_footing, straight

MOB_ALLOWANCE = 30.0
"""How far a mob moves, and how far it runs, in cm (CC-4.2, CC-4.5)."""
BELT = 15.0
"""No mob passes nearer to an enemy, and none ends a flight nearer, in cm (CC-4.3, CC-4.5)."""
FAN = 5
"""Flights are tried on bearings so many degrees apart (CC-4.9)."""

MOB_MOVED, FLED, LOST = "mob-moved", "fled", "mob-lost"


def move_mob(battle: Battle, id: str, bearing: float, cm: float) -> Outcome:
    """A mob moves on a bearing, as its owner likes: any length up to 30 cm, never fatal (CC-4.2, CC-4.3)."""
    unit = battle.units[id]
    if refusal := barred(unit):
        return refused(battle, unit, refusal)
    if not unit.mob:
        return refused(battle, unit, Refusal("no-mob", "CC-4.2"))
    run = _run(battle, unit, bearing, min(cm, MOB_ALLOWANCE))
    moved = replace(_carried(unit, run.track, run.stop.steps), acted=True)
    then = battle.with_units(moved)
    happening = happened(
        battle,
        then,
        MOB_MOVED,
        run.stop.rule or "CC-4.2",
        unit=id,
        origin=list(unit.place),
        place=list(moved.place),
        bearing=bearing,
        gone=run.cm,
        stop=run.stop.plain() if run.stop.rule else None,
    )
    if cm > MOB_ALLOWANCE:
        return then, (happening, as_ordered(then, unit.side, id, "allowance", "CC-3.22", cm, gone=run.cm))
    return then, (happening,)


# --- forced flights


def alarmed(before: Battle, battle: Battle, id: str) -> tuple[str, ...]:
    """Return the mobs that a unit's move or formation has alarmed, in the order of their ids (CC-4.4, A-38).

    before: the battle in which that began. A rally is neither, also where the ranks that close up by it come nearer.
    """
    mover = battle.units[id]
    if not mover.in_ranks or id not in before.units:
        return ()
    return tuple(
        mob.id
        for mob in battle.enemies(mover)
        if mob.mob
        and distance(mover, mob) < battle.switches.alarm
        and distance(mover, mob) < distance(before.units[id], mob)
    )


def must_run(battle: Battle, id: str) -> str | None:
    """Return the enemy before which a mob must run as its turn begins, the nearest under the alarm (CC-4.10)."""
    mob = battle.units[id]
    if not mob.mob:
        return None
    # The least distance; of equal ones the first id, for they come in the order of ids.
    near = [(distance(mob, enemy), enemy.id) for enemy in battle.enemies(mob) if enemy.in_ranks]
    least = min(near, key=lambda each: each[0], default=None)
    return least[1] if least and least[0] < battle.switches.alarm else None


def flee(battle: Battle, id: str, approaching: str, way: Flight = AWAY, *, own_turn: bool = False) -> Outcome:
    """A mob runs from an approaching unit, or is lost (CC-4.4 to CC-4.9). own_turn: it is its action (CC-4.10)."""
    mob = battle.units[id]
    away = away_from(battle.units[approaching], mob)
    permitted = tuple(bearings(preferred(battle, mob, way, away), away))
    runs = []
    for bearing in permitted:
        run = _run(battle, mob, bearing, MOB_ALLOWANCE)
        if run.full and _ends_clear(battle, run):
            return _fled(battle, mob, run, approaching, "CC-4.5", own_turn=own_turn)
        runs.append(run)
    if battle.switches.mob_lost_if == "short_of_30":
        return _lost(battle, mob, approaching, "CC-4.6")
    if all(_leaves_table(battle, mob, bearing) for bearing in permitted):
        return _lost(battle, mob, approaching, "CC-4.7")
    longest = max(runs, key=lambda run: run.stop.steps)
    return _fled(battle, mob, longest, approaching, "CC-4.8", own_turn=own_turn)


def away_from(enemy: Unit, mob: Unit) -> float:
    """Return the bearing from an approaching unit's pivot point to a mob's centre (CC-4.9)."""
    bearing = bearing_to(enemy.place.point, mob.formation.middle)
    return enemy.bearing if bearing is None else bearing


def preferred(battle: Battle, mob: Unit, way: Flight, away: float) -> float:
    """Return the bearing that a mob would take if all were permitted (CC-4.9)."""
    if way.way == "HOME":
        return battle.ground.homeward(mob.side)
    if way.way == "BEARING" and way.bearing is not None:
        return bearing_kept(way.bearing)
    if way.way == "GENERAL":
        general = next(
            (c for c in battle.commanders.values() if c.side == mob.side and c.role == "general"), None
        )
        bearing = bearing_to(mob.formation.middle, general.point) if general else None
        return away if bearing is None else bearing
    return away


def bearings(wanted: float, away: float) -> Iterator[float]:
    """Yield the bearings of a flight as they are tried: from the wanted one in steps of 5 degrees, the nearest first,
    clockwise before counter-clockwise; none over 90 degrees from away (CC-4.9)."""
    for off in range(0, 181, FAN):
        for turn in (off, -off) if 0 < off < 180 else (off,):
            bearing = bearing_kept(wanted + turn)
            if between(bearing, away) <= 90 + TINY:
                yield bearing


@dataclass(frozen=True, slots=True)
class _Run:
    """How far a mob comes on a bearing. full: all the way."""

    mob: Unit
    bearing: float
    track: Track
    stop: Stop

    @property
    def full(self) -> bool:
        return self.stop.steps == self.track.last

    @property
    def cm(self) -> float:
        return self.track.cm(self.stop.steps)


def _run(battle: Battle, mob: Unit, bearing: float, cm: float) -> _Run:
    """Return how far a mob comes: to the edge, to water, to the belt around an enemy (CC-4.2, CC-4.3)."""
    track = straight(mob.place, bearing, tenths(cm))
    ground = battle.ground
    footprint = mob.formation.living_shape
    stop = Stop(track.last)
    if (off := first_off_footing(ground, track, footprint, stop.steps)) is not None:
        over_edge = ground.over_edge(shifted(footprint, *track.offsets[off]))
        stop = Stop(off - 1, "edge", "CC-4.2") if over_edge else Stop(off - 1, "water", "CC-3.21")
    for enemy in battle.enemies(mob):
        gap = Gap(track, mob.formation.living_shape, enemy.formation.living_shape)
        stop = stop.or_at(last_outside(gap, BELT, stop.steps), "belt", "CC-4.3", enemy.id)
    return _Run(mob, bearing, track, stop)


def _ends_clear(battle: Battle, run: _Run) -> bool:
    """Return whether a run ends 15.0 cm or more from every enemy (CC-4.5)."""
    gaps = (
        Gap(run.track, run.mob.formation.living_shape, enemy.formation.living_shape)
        for enemy in battle.enemies(run.mob)
    )
    return all(gap.read(run.stop.steps) >= BELT for gap in gaps)


def _leaves_table(battle: Battle, mob: Unit, bearing: float) -> bool:
    """Return whether the straight 30 cm lead off the table, enemies and water left out of account (CC-4.7, A-41)."""
    track = straight(mob.place, bearing, tenths(MOB_ALLOWANCE))
    return battle.ground.over_edge(shifted(mob.formation.living_shape, *track.offsets[-1]))


def _carried(mob: Unit, track: Track, steps: int) -> Unit:
    """Return a mob carried along a track as a rigid group; its cannons stay where they are (CC-4.13)."""
    if steps == 0:
        return mob
    cannons = tuple(
        replace(cannon, left=mob.battery.cannon_place(index)) for index, cannon in enumerate(mob.cannons)
    )
    end = track.place(steps)
    east, north = end.x - mob.x, end.y - mob.y

    def along(man: Man) -> Man:
        return (
            man if man.at is None else replace(man, at=Point(kept(man.at.x + east), kept(man.at.y + north)))
        )

    return replace(mob.standing(end), men=tuple(map(along, mob.men)), cannons=cannons)


def _fled(battle: Battle, mob: Unit, run: _Run, approaching: str, rule: str, *, own_turn: bool) -> Outcome:
    moved = replace(_carried(mob, run.track, run.stop.steps), acted=mob.acted or own_turn)
    then = battle.with_units(moved)
    happening = happened(
        battle,
        then,
        FLED,
        rule,
        unit=mob.id,
        fleeing=approaching,
        origin=list(mob.place),
        place=list(moved.place),
        bearing=run.bearing,
        gone=run.cm,
    )
    return then, (happening,)


def _lost(battle: Battle, mob: Unit, approaching: str, rule: str) -> Outcome:
    then = battle.without(mob.id)
    return then, (happened(battle, then, LOST, rule, unit=mob.id, fleeing=approaching, men=mob.strength),)
