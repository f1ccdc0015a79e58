"""The open table: all that both players see, and how happenings change it.

What rules and measures is done once, when something comes to pass: the happening carries whole in its facts what it
changed, and folding only puts that in place. So truth and views show the same battle, and a replay measures nothing.
Hidden things (the decks' order, set-ups not shown, preferences, plans) are not here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from referee.rulebooks.cards.figures import (
    GONE,
    RED,
    SIDES,
    Commander,
    Unit,
    id_order,
    other_side,
    read_commander,
    read_unit,
    write_commander,
    write_unit,
)
from referee.rulebooks.cards.ground import Ground, read_ground, write_ground
from referee.rulebooks.cards.switches import Switches, switches_from
from referee.rulebooks.rulebook import Happening, Json, Result, Seat

BOTH = frozenset(SIDES)
CHANGES = "changes"
"""The fact of a happening that says what it changed."""


@dataclass(frozen=True, slots=True)
class DeckState:
    """What is known of a side's deck: how many cards are left, and those turned, oldest first ("KH").

    generation: from 1, one more each time that it is shuffled (CC-7.29).
    """

    left: int = 52
    discards: tuple[str, ...] = ()
    generation: int = 1


@dataclass(frozen=True)
class Battle:
    """All that lies open. units: those with living men, by id. holders: of objectives that somebody has held.

    markers: those that a side shares (CC-1.10), none where each cannon has its own. turn: of the side that is active,
    from 1. phase: 1 actions, 2 artillery, 3 combats. fallen: units without living men, which are off; their cannons
    stay as markers that nobody can use (CC-7.28). turn_limit: turns of each side, 0 for none (CC-8.11).
    """

    switches: Switches
    ground: Ground
    units: Mapping[str, Unit] = field(default_factory=dict)
    commanders: Mapping[str, Commander] = field(default_factory=dict)
    holders: Mapping[str, Seat] = field(default_factory=dict)
    markers: Mapping[Seat, int] = field(default_factory=dict)
    cards: Mapping[Seat, DeckState] = field(default_factory=lambda: dict.fromkeys(SIDES, DeckState()))
    turn: int = 1
    active: Seat = RED
    phase: int = 1
    fallen: Mapping[str, Unit] = field(default_factory=dict)
    result: Result | None = None
    turn_limit: int = 0

    def of(self, side: Seat) -> tuple[Unit, ...]:
        """Return a side's units, in the order of their ids."""
        mine = [unit for unit in self.units.values() if unit.side == side]
        return tuple(sorted(mine, key=lambda unit: id_order(unit.id)))

    def enemies(self, unit: Unit) -> tuple[Unit, ...]:
        """Return the units of the other side, in the order of their ids."""
        return self.of(other_side(unit.side))

    def friends(self, unit: Unit) -> tuple[Unit, ...]:
        """Return the other units of its own side, in the order of their ids."""
        return tuple(each for each in self.of(unit.side) if each.id != unit.id)

    def with_units(self, *units: Unit) -> Battle:
        """Return the battle with these units in place of those of the same ids."""
        return replace(self, units={**self.units, **{unit.id: unit for unit in units}})

    def without(self, id: str) -> Battle:
        """Return the battle without a unit: all its men are gone, and nobody is bound to it any more (CC-7.28)."""
        unit = replace(self.units[id], bound_to=())
        rest = {
            each.id: replace(each, bound_to=tuple(one for one in each.bound_to if one != id))
            if id in each.bound_to
            else each
            for each in self.units.values()
            if each.id != id
        }
        unit = unit.with_men(replace(man, place=GONE) for man in unit.men)
        return replace(self, units=rest, fallen={**self.fallen, id: unit})

    def with_commanders(self, *commanders: Commander) -> Battle:
        """Return the battle with these commanders in place of those of the same ids."""
        return replace(self, commanders={**self.commanders, **{each.id: each for each in commanders}})


Outcome: TypeAlias = tuple[Battle, tuple[Happening, ...]]
"""What a rule brings: the battle after it, and what happened. Folding the happenings gives that battle."""


def happened(
    before: Battle,
    after: Battle,
    code: str,
    rule: str,
    /,
    *,
    heard_by: frozenset[Seat] = BOTH,
    **facts: Json,
) -> Happening:
    """Return a happening that brings one battle to the other. facts: plain data, beside what changed."""
    changes = write_changes(before, after)
    return Happening(code, heard_by, {**facts, **({CHANGES: changes} if changes else {})}, rule)


def after(battle: Battle, happening: Happening) -> Battle:
    """Return the battle after a happening."""
    changes = happening.facts.get(CHANGES)
    return with_changes(battle, changes) if changes else battle


def write_changes(before: Battle, after: Battle) -> dict[str, Json]:
    """Return what is otherwise in `after`, as plain data: whole units and commanders, None for one that is off."""
    changes: dict[str, Json] = {}
    for name, write in _THINGS.items():
        old, new = getattr(before, name), getattr(after, name)
        if old is new:
            continue
        changed = {
            id: write(thing) for id, thing in new.items() if thing is not old.get(id) and thing != old.get(id)
        }
        changed |= {id: None for id in old if id not in new}
        if changed:
            changes[name] = changed
    for name in ("turn", "active", "phase"):
        if getattr(before, name) != getattr(after, name):
            changes[name] = getattr(after, name)
    if before.result != after.result and after.result is not None:
        changes["result"] = after.result.plain()
    return changes


def with_changes(battle: Battle, changes: Mapping[str, Json]) -> Battle:
    """Return the battle with what `write_changes` wrote."""
    new: dict[str, Json] = {name: changes[name] for name in ("turn", "active", "phase") if name in changes}
    for name in ("units", "fallen"):
        if name in changes:
            new[name] = _changed(
                getattr(battle, name),
                changes[name],
                lambda id, plain: read_unit(id, plain, battle.ground.bases),
            )
    if "commanders" in changes:
        new["commanders"] = _changed(battle.commanders, changes["commanders"], read_commander)
    if "holders" in changes:
        new["holders"] = _changed(battle.holders, changes["holders"], lambda id, side: Seat(side))
    if "markers" in changes:
        new["markers"] = _changed(battle.markers, changes["markers"], lambda side, count: count)
    if "cards" in changes:
        new["cards"] = _changed(battle.cards, changes["cards"], lambda side, plain: _read_cards(plain))
    if "active" in new:
        new["active"] = Seat(new["active"])
    if "result" in changes:
        told = changes["result"]
        winner = Seat(told["winner"]) if told["winner"] else None
        new["result"] = Result(winner, told["how"], told.get("void", False))
    return replace(battle, **new)


def _changed(things: Mapping[Json, Json], changes: Mapping[str, Json], read: Json) -> dict[Json, Json]:
    kept = {id: thing for id, thing in things.items() if changes.get(id, thing) is not None}
    return {**kept, **{id: read(id, plain) for id, plain in changes.items() if plain is not None}}


def _write_cards(cards: DeckState) -> dict[str, Json]:
    return {"left": cards.left, "discards": list(cards.discards), "generation": cards.generation}


def _read_cards(plain: Mapping[str, Json]) -> DeckState:
    return DeckState(plain["left"], tuple(plain["discards"]), plain["generation"])


_THINGS: Mapping[str, Json] = {
    "units": write_unit,
    "fallen": write_unit,
    "commanders": write_commander,
    "holders": str,
    "markers": int,
    "cards": _write_cards,
}


def write_battle(battle: Battle) -> dict[str, Json]:
    """Return a whole battle as plain data: how one begins, and what the umpire's truth shows."""
    empty = Battle(battle.switches, battle.ground)
    return {
        "switches": battle.switches.plain(),
        "ground": write_ground(battle.ground),
        "turn_limit": battle.turn_limit,
        CHANGES: write_changes(empty, battle),
    }


def read_battle(plain: Mapping[str, Json]) -> Battle:
    """Return the battle that `write_battle` wrote."""
    ground = read_ground(plain["ground"])
    empty = Battle(switches_from(plain["switches"]), ground, turn_limit=plain["turn_limit"])
    return with_changes(empty, plain[CHANGES])
