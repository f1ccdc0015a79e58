"""Units and commanders move (CC-3): one pivot, then straight ahead as far as nothing stops them.

All functions are pure: a battle and what is wanted give the battle after it, and what happened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import shapely
from shapely import Geometry

from referee.rulebooks.cards.battle import Battle, Outcome, happened
from referee.rulebooks.cards.figures import ARTILLERY, CAVALRY, INFANTRY, Arm, Commander, Unit, other_side
from referee.rulebooks.cards.measuring import distance, facing_each_other
from referee.rulebooks.cards.shapes import (
    STEP,
    TINY,
    Place,
    Point,
    apart,
    kept,
    rounded,
    shifted,
    tenths,
    turned,
)
from referee.rulebooks.cards.tracks import (
    SLACK,
    Facing,
    Gap,
    Track,
    first_off_footing,
    first_wet,
    overlap,
    shared,
    steps_still_shared,
    straight,
    trodden,
    way_to,
)
from referee.rulebooks.rulebook import Happening, Json, Seat

CLEAR = 1.0
"""What is always left open between enemies, in cm (CC-3.16)."""
COMMANDER_ALLOWANCE = 60.0
"""How far a commander moves, in cm (CC-3.8)."""
NEXT_TO = 5.0
"""How near a commander is to a unit that he is next to, in cm (CC-5.5, A-46)."""

ALLOWANCE_RULE: Mapping[Arm, str] = {INFANTRY: "CC-3.1", ARTILLERY: "CC-3.2", CAVALRY: "CC-3.3"}

MOVED, STOOD, COMMANDER_MOVED, COMMANDER_CLEARED = "moved", "refused", "commander-moved", "commander-cleared"
AS_ORDERED = "as-ordered"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an order cannot be carried out: what kind of reason, the rule, and plain facts for its sentence."""

    code: str
    rule: str
    facts: Mapping[str, Json] = field(default_factory=dict)


def refused(battle: Battle, unit: Unit, refusal: Refusal) -> Outcome:
    """A unit stands as it was; its owner alone hears why (E7)."""
    return battle, (
        happened(
            battle,
            battle,
            STOOD,
            refusal.rule,
            heard_by=frozenset({unit.side}),
            unit=unit.id,
            why=refusal.code,
            **refusal.facts,
        ),
    )


def as_ordered(
    battle: Battle, side: Seat, actor: str, why: str, rule: str, asked: Json, **facts: Json
) -> Happening:
    """An order came to less than it said, for a reason that is its owner's alone: he alone hears it (CC-3.22, E7).

    actor: a unit or a commander. why: "allowance", "keep" or "no-room". asked: what was ordered; None for all it may.
    """
    whose = "commander" if actor in battle.commanders else "unit"
    said = {whose: actor, "why": why, "asked": asked, **facts}
    return happened(battle, battle, AS_ORDERED, rule, heard_by=frozenset({side}), **said)


def barred(unit: Unit) -> Refusal | None:
    """Return why a unit can neither move nor change formation now; None where it may try."""
    if unit.acted:
        return Refusal("acted", "CC-2.3")
    if unit.bound_to:
        return Refusal("engaged", "CC-3.17", {"with": list(unit.bound_to)})
    if unit.mixed:
        return Refusal("mixed", "CC-3.18", {"confused": len(unit.confused)})
    if unit.formation.cannons_left and not unit.mob:
        return Refusal("gunners-away", "CC-5.10")
    return None


TOUCHING = 0.1
"""The least distance, as it is read, at which two footprints do not touch, in cm."""


def no_room(battle: Battle, unit: Unit) -> Refusal | None:
    """Return why a unit cannot stand as it is laid here: off dry ground, or too near to an enemy (CC-3.4, CC-3.24)."""
    if not shapely.covers(battle.ground.footing, unit.formation.footprint):
        over_edge = battle.ground.over_edge(unit.formation.footprint)
        return Refusal("edge", "CC-3.20") if over_edge else Refusal("water", "CC-3.21")
    for enemy in battle.enemies(unit):
        if distance(unit, enemy) < CLEAR:
            return Refusal("enemy", "CC-3.16", {"by": enemy.id})
        if overlap(unit.formation.footprint, enemy.formation.footprint):
            return Refusal("enemy", "CC-3.4", {"by": enemy.id})  # a cannon, its own or the enemy's
    return None


def friend_under(battle: Battle, unit: Unit) -> Unit | None:
    """Return a friend on whom a unit would lie as it stands here (CC-3.15); None where there is none."""
    return next(
        (
            each
            for each in battle.friends(unit)
            if overlap(unit.formation.footprint, each.formation.footprint)
        ),
        None,
    )


# --- units in ranks


@dataclass(frozen=True, slots=True)
class Stop:
    """Where an advance ends before its time: after how many steps, what for, by which rule, by which unit if any."""

    steps: int
    code: str = ""
    rule: str = ""
    by: str | None = None

    def plain(self) -> dict[str, Json]:
        return {"code": self.code, "rule": self.rule, "by": self.by}

    def or_at(self, steps: int, code: str, rule: str, by: str | None = None) -> Stop:
        """Return this stop, or the other one where that comes earlier."""
        return Stop(steps, code, rule, by) if steps < self.steps else self


def move(
    battle: Battle,
    id: str,
    *,
    bearing: float | None = None,
    cm: float | None = 0.0,
    keep: float | None = None,
) -> Outcome:
    """A unit pivots to a bearing, where one is given, and goes straight ahead (CC-3.1 to CC-3.7, CC-3.9 to CC-3.22).

    cm: how far it is ordered to go, None for as far as it may; above its allowance it is cut. keep: it stops so that no
    enemy comes nearer. That it was cut or has kept off its owner alone hears.
    """
    unit = battle.units[id]
    if refusal := barred(unit) or _mob_is_no_unit(unit):
        return refused(battle, unit, refusal)
    pivoted = unit if bearing is None else unit.standing(unit.place._replace(bearing=bearing))
    if pivoted.bearing != unit.bearing and (refusal := no_room(battle, pivoted)):
        return refused(battle, unit, replace(refusal, facts={**refusal.facts, "pivot": pivoted.bearing}))
    allowed = unit.allowance if cm is None else min(cm, unit.allowance)
    track = straight(pivoted.place, pivoted.bearing, tenths(allowed))
    stop = stopped(battle, pivoted, track, keep)
    steps = last_free(battle, pivoted, track, stop.steps)
    if steps is None:
        return refused(battle, unit, Refusal("friends", "CC-3.15"))
    stop = stop.or_at(steps, "friends", "CC-3.15")
    through = trodden(battle.ground, track, pivoted, pivoted.in_ranks, steps)
    moved = replace(pivoted.standing(track.place(steps)), acted=True)
    then = battle.with_units(moved)
    kept_off = steps < track.last and stop.code == "keep"
    shown = stop if steps < track.last and not kept_off else None
    happening = happened(
        battle,
        then,
        MOVED,
        shown.rule if shown else _rule_of_move(unit, track.cm(steps)),
        unit=id,
        origin=list(unit.place),
        place=list(moved.place),
        gone=track.cm(steps),
        stop=shown.plain() if shown else None,
        through=list(through),
    )
    if kept_off:
        facts = {"gone": track.cm(steps), "by": stop.by}
        return then, (happening, as_ordered(then, unit.side, id, "keep", stop.rule, cm, **facts))
    if cm is not None and cm > unit.allowance:
        cut = as_ordered(then, unit.side, id, "allowance", "CC-3.22", cm, gone=track.cm(steps))
        return then, (happening, cut)
    return then, (happening,)


def _mob_is_no_unit(unit: Unit) -> Refusal | None:
    return Refusal("mob", "CC-4.2") if unit.mob else None


def _rule_of_move(unit: Unit, cm: float) -> str:
    if cm > 0:
        return ALLOWANCE_RULE[unit.arm]
    return "CC-3.5" if unit.arm == ARTILLERY else "CC-3.4"


def stopped(battle: Battle, unit: Unit, track: Track, keep: float | None = None) -> Stop:
    """Return where a unit in ranks ends on its track, friends left out of account.

    What forbids a step ends the walk one step before; what halts a unit ends it there; and whoever has entered and left
    the belt around an enemy ends before it (CC-3.12).
    """
    stop = Stop(track.last)
    if (off := first_off_footing(battle.ground, track, unit.formation.footprint, stop.steps)) is not None:
        over_edge = battle.ground.over_edge(shifted(unit.formation.footprint, *track.offsets[off]))
        stop = Stop(off - 1, "edge", "CC-3.20") if over_edge else Stop(off - 1, "water", "CC-3.21")
    gaps = {
        enemy.id: Gap(track, unit.formation.living_shape, enemy.formation.living_shape)
        for enemy in _in_reach(battle, unit, track, keep)
    }
    for id, gap in gaps.items():
        if keep is not None:
            stop = stop.or_at(last_outside(gap, keep, stop.steps), "keep", "CC-2.2", id)
        stop = stop.or_at(last_outside(gap, CLEAR, stop.steps), "enemy", "CC-3.16", id)
        if ARTILLERY in (unit.arm, battle.units[id].arm):
            # Where gunners have fallen, a cannon may reach the enemy before any man does (CC-3.4, A-24).
            whole = Gap(track, unit.formation.footprint, battle.units[id].formation.footprint)
            stop = stop.or_at(last_outside(whole, TOUCHING, stop.steps), "enemy", "CC-3.4", id)
        stop = _halted(battle, unit, battle.units[id], track, gap, stop)
    return _pass_by(battle, gaps, stop)


def last_outside(gap: Gap, belt: float, last: int) -> int:
    """Return the last step before one comes nearer than a belt; who begins inside comes no nearer than he began."""
    nearer = gap.first_below(min(belt, gap.read(0)), last)
    return last if nearer is None else nearer - 1


def _in_reach(battle: Battle, unit: Unit, track: Track, keep: float | None) -> tuple[Unit, ...]:
    """The enemies that a walk can have to do with at all: all others are too far off."""
    belts = (battle.switches.halt.cm, battle.switches.pass_by or 0.0, keep or 0.0)
    reach = track.length + max(belts) + 1
    return tuple(
        enemy
        for enemy in battle.enemies(unit)
        if _within(unit.formation.living_shape, enemy.formation.living_shape, reach)
    )


def _within(one: Geometry, other: Geometry, reach: float) -> bool:
    """Return whether the boxes around two shapes are so near, along either axis."""
    west, south, east, north = shapely.bounds(one)
    w, s, e, n = shapely.bounds(other)
    return bool(max(w - east, west - e, s - north, south - n) < reach)


def _halted(battle: Battle, unit: Unit, enemy: Unit, track: Track, gap: Gap, stop: Stop) -> Stop:
    """Return where the walk ends because both come face to face, or what stopped it before (CC-3.9 to CC-3.11)."""
    halt, close_in = battle.switches.halt, battle.switches.close_in
    below, at_step = halt.cm, halt.how == "first_below"
    rule = "CC-3.9" if at_step else "CC-3.10"
    if close_in is not None and gap.read(0) <= close_in.start and facing_each_other(unit, enemy):
        below, at_step, rule = close_in.stop_below, True, "CC-3.11"
    facing = Facing(track, unit, enemy)
    for first, last in gap.spells(below, stop.steps):
        met = facing.first(first, last)
        if met is not None:
            return stop.or_at(met if at_step else max(met - 1, 0), "face-to-face", rule, enemy.id)
    return stop


def _pass_by(battle: Battle, gaps: Mapping[str, Gap], stop: Stop) -> Stop:
    """Return where a walk ends that may not enter and leave the belt around an enemy (CC-3.12)."""
    belt = battle.switches.pass_by
    if belt is None:
        return stop
    # Of each enemy, the first step at which a belt that was entered on this walk has been left again.
    left: list[tuple[int, int, str]] = []
    for id, gap in gaps.items():
        for first, last in gap.spells(belt, stop.steps):
            if first > 0 and last < stop.steps:
                left.append((last + 1, first - 1, id))
                break
    if not left:
        return stop
    _, before, id = min(left)
    return Stop(before, "belt", "CC-3.12", id)


def last_free(battle: Battle, unit: Unit, track: Track, steps: int) -> int | None:
    """Return the last step up to `steps` at which a unit lies on no friend (CC-3.14, CC-3.15), None for none."""
    reach = track.cm(steps) + 1
    friends = [
        each.formation.footprint
        for each in battle.friends(unit)
        if _within(unit.formation.footprint, each.formation.footprint, reach)
    ]
    gaps = [Gap(track, unit.formation.footprint, friend) for friend in friends]
    step = steps
    while step >= 0:
        under = (shared(gap.shape(step), friend) for gap, friend in zip(gaps, friends, strict=True))
        both = next((each for each in under if each is not None), None)
        if both is None:
            return step
        step -= 1 + steps_still_shared(both)
    return None


# --- commanders


def move_commander(battle: Battle, id: str, end: Point, *, next_to: str | None = None) -> Outcome:
    """A commander moves straight towards a point, up to 60 cm, at any time of phase 1 (CC-3.8, A-16).

    Troops never block him; water does, and he ends 1.0 cm off enemies. next_to: he stops as soon as he is next to
    this unit (A-46).
    """
    commander = battle.commanders[id]
    track = way_to(Place(*commander.point, 0.0), end, COMMANDER_ALLOWANCE)
    stop = Stop(track.last)
    if next_to is not None:
        unit = battle.units[next_to]
        beside = Gap(track, commander.shape, unit.formation.living_shape, unit.bases.commander)
        # Next to is 5.0 or less: below 5.1, in tenths.
        met = beside.first_below(NEXT_TO + STEP, stop.steps)
        stop = Stop(stop.steps if met is None else met)
    wet = first_wet(battle.ground, track, stop.steps)
    if wet is not None:
        stop = stop.or_at(wet - 1, "water", "CC-3.21")
    stop = stop.or_at(_last_clear(battle, commander, track, stop.steps), "enemy", "CC-3.26")
    place = track.place(stop.steps)
    then = battle.with_commanders(replace(commander, x=place.x, y=place.y))
    cut = apart(commander.point, end) > track.length + TINY and stop.steps == track.last
    gone = rounded(track.cm(stop.steps))
    happening = happened(
        battle,
        then,
        COMMANDER_MOVED,
        stop.rule or "CC-3.8",
        commander=id,
        origin=list(commander.point),
        place=[place.x, place.y],
        gone=gone,
        stop=stop.plain() if stop.rule else None,
    )
    if cut:
        return then, (
            happening,
            as_ordered(then, commander.side, id, "allowance", "CC-3.22", list(end), gone=gone),
        )
    return then, (happening,)


def beside_unit(battle: Battle, id: str, unit: Unit) -> Point:
    """Return the point on a unit's edge towards which a commander goes who is to be next to it (`GO RG BY RI2`)."""
    commander = battle.commanders[id]
    line = shapely.shortest_line(unit.formation.living_shape, commander.shape)
    end = shapely.get_coordinates(line)[0]
    return Point(kept(float(end[0])), kept(float(end[1])))


def _last_clear(battle: Battle, commander: Commander, track: Track, last: int) -> int:
    """Return the last step at which a commander is clear of all enemies; 0 if he is at none."""
    gaps = [
        Gap(track, commander.shape, enemy.formation.living_shape, enemy.bases.commander)
        for enemy in battle.of(other_side(commander.side))
    ]
    step = last
    while step > 0 and any(gap.read(step) < CLEAR for gap in gaps):
        step -= 1
    return step


def clear_commanders(battle: Battle) -> Outcome:
    """Put every commander on whom an enemy has ended 1.0 cm clear, by the shortest way (CC-3.26, A-51).

    An enemy beside him, however near, is not on him. He is put clear of all enemies. The ways tried lead in steps of 5
    degrees all around, from the bearing of the enemy that is on him; of equal ones the first.
    """
    told: list[Happening] = []
    for id in sorted(battle.commanders):
        commander = battle.commanders[id]
        on_him = [enemy for enemy in battle.of(other_side(commander.side)) if _lies_on(enemy, commander)]
        if not on_him or (place := _nearest_clear(battle, commander, on_him[0].bearing)) is None:
            continue
        then = battle.with_commanders(replace(commander, x=place.x, y=place.y))
        told.append(
            happened(
                battle,
                then,
                COMMANDER_CLEARED,
                "CC-3.26",
                commander=id,
                origin=list(commander.point),
                place=list(place.point),
                by=on_him[0].id,
            )
        )
        battle = then
    return battle, tuple(told)


def _lies_on(unit: Unit, commander: Commander) -> bool:
    """Return whether the base of a living man of a unit's lies on a commander's disc: to touch is not to lie on."""
    west, south, east, north = unit.formation.living_box
    reach = unit.bases.commander
    # Where the disc does not reach the box around the unit, there is nothing to measure.
    if not (west - reach <= commander.x <= east + reach and south - reach <= commander.y <= north + reach):
        return False
    return bool(shapely.distance(commander.shape, unit.formation.living_shape) < reach - TINY)


def _nearest_clear(battle: Battle, commander: Commander, first: float) -> Place | None:
    """Return the nearest place where a commander is clear of all enemies and on dry ground; None if there is none."""
    best: tuple[int, Place] | None = None
    for turn in range(0, 360, 5):
        last = tenths(COMMANDER_ALLOWANCE) if best is None else best[0] - 1
        track = straight(Place(*commander.point, 0.0), turned(first, turn), last)
        steps = _first_clear(battle, commander, track)
        if steps is not None and first_wet(battle.ground, track, steps) is None:
            best = (steps, track.place(steps))
    return best[1] if best else None


def _first_clear(battle: Battle, commander: Commander, track: Track) -> int | None:
    gaps = [
        Gap(track, commander.shape, enemy.formation.living_shape, enemy.bases.commander)
        for enemy in battle.of(other_side(commander.side))
    ]
    step = 0
    while step <= track.last:
        short = max((CLEAR - STEP / 2 - gap.raw(step) for gap in gaps), default=0.0)
        if all(gap.read(step) >= CLEAR for gap in gaps):
            return step
        step += 1 + max(0, tenths(short - SLACK))
    return None
