"""Actions on the table, replayed from their effects in a record (E5), each by the rule that once ruled on its order.

What a player chose is taken from the effect: how far, which men, which way. All else follows by the rules, and
`replayed_turn` compares it with the record. Orders are not needed, since they are not public.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import shapely

from referee.rulebooks.cards.battle import Battle, Outcome, happened
from referee.rulebooks.cards.figures import SIDE_OF, Commander, Unit, other_side
from referee.rulebooks.cards.firing import FIRED, aimed, may_not_serve, shoot
from referee.rulebooks.cards.forming import FORMED, form, turn_about
from referee.rulebooks.cards.measuring import distance_to_commander
from referee.rulebooks.cards.mobs import FLED, LOST, MOB_MOVED, flee, move_mob
from referee.rulebooks.cards.moving import (
    CLEAR,
    COMMANDER_ALLOWANCE,
    COMMANDER_MOVED,
    MOVED,
    Refusal,
    move,
)
from referee.rulebooks.cards.orders import Choice, Flight
from referee.rulebooks.cards.rallying import RALLIED, rally
from referee.rulebooks.cards.record_text.effects import TURNED_ABOUT
from referee.rulebooks.cards.record_text.templates import Values
from referee.rulebooks.cards.shapes import STEP, TINY, Point, apart


class Impossible(Exception):
    """The rules do not allow an action here. The text says why."""


def unit_called(battle: Battle, id: str) -> Unit:
    """Return a unit on the table. Raises Impossible where there is none."""
    unit = battle.units.get(id)
    if unit is None:
        raise Impossible(f"there is no {id} on the table")
    return unit


def must_be_active(battle: Battle, id: str) -> None:
    """Raise Impossible where it is not the turn of a unit's, a commander's or a cannon's side."""
    if SIDE_OF[id[0]] != battle.active:
        raise Impossible(f"it is {battle.active.capitalize()}'s turn, and {id} is not his (CC-2.6)")


def _bearing(told: Values) -> float:
    bearing = float(told["bearing"])
    if bearing >= 360:
        raise Impossible("bearings go from 0 to 359.9")
    return bearing


# --- phase 1


def _move(battle: Battle, told: Values) -> Outcome:
    unit, gone, stop = unit_called(battle, told["unit"]), told["gone"] or 0.0, told["stop"]
    # How far it was sent is not public. Where it was stopped, it would have been on its next step; to be kept from
    # passing too near it must have been sent on far enough to leave the belt again.
    asked = unit.allowance if stop == "belt" else gone + STEP if stop else gone
    return move(battle, unit.id, bearing=_bearing(told), cm=asked)


def _move_mob(battle: Battle, told: Values) -> Outcome:
    unit = unit_called(battle, told["unit"])
    return move_mob(battle, unit.id, _bearing(told), told["gone"] + (STEP if told["stop"] else 0))


def _flee(battle: Battle, told: Values) -> Outcome:
    mob, enemy = _mob_and_enemy(battle, told)
    way = Flight("BEARING", _bearing(told))
    return flee(battle, mob.id, enemy.id, way, own_turn=mob.side == battle.active)


def _lose(battle: Battle, told: Values) -> Outcome:
    mob, enemy = _mob_and_enemy(battle, told)
    # Which bearings were tried depends on a wish, which is not public: the record is believed that it was lost.
    rule = "CC-4.6" if battle.switches.mob_lost_if == "short_of_30" else "CC-4.7"
    then = battle.without(mob.id)
    return then, (happened(battle, then, LOST, rule, unit=mob.id, fleeing=enemy.id, men=mob.strength),)


def _mob_and_enemy(battle: Battle, told: Values) -> tuple[Unit, Unit]:
    mob, enemy = unit_called(battle, told["unit"]), unit_called(battle, told["fleeing"])
    if not mob.mob or enemy.side == mob.side:
        raise Impossible(f"{mob.id} is no mob, or {enemy.id} no enemy of its (CC-4.4)")
    return mob, enemy


def _move_commander(battle: Battle, told: Values) -> Outcome:
    id, gone, stop = told["commander"], told["gone"], told["stop"]
    commander = battle.commanders.get(id)
    if commander is None:
        raise Impossible(f"there is no {id} on the table")
    place = Point(*told["place"])
    # Each coordinate is kept to 0.01 cm, and the way is read to 0.1.
    if gone > COMMANDER_ALLOWANCE or abs(apart(commander.point, place) - gone) > 0.07:
        raise Impossible(f"{id} goes up to 60 cm, and as far as from his place to the next (CC-3.8)")
    moved = replace(commander, x=place.x, y=place.y)
    if place != commander.point and not _may_stand(battle, moved):
        raise Impossible(f"{id} cannot stand there: on dry ground, clear of enemies (CC-3.8, CC-3.26)")
    rule = {"water": "CC-3.21", "enemy": "CC-3.26"}.get(stop, "CC-3.8")
    then = battle.with_commanders(moved)
    happening = happened(
        battle,
        then,
        COMMANDER_MOVED,
        rule,
        commander=id,
        origin=list(commander.point),
        place=list(place),
        gone=gone,
        stop={"code": stop, "rule": rule, "by": None} if stop else None,
    )
    return then, (happening,)


def _may_stand(battle: Battle, commander: Commander) -> bool:
    """Return whether a commander is on dry ground and clear of enemies, as he is wherever he stops."""
    gap = shapely.distance(commander.shape, battle.ground.no_footing) - battle.ground.bases.commander
    clear = (
        distance_to_commander(commander, each) >= CLEAR for each in battle.of(other_side(commander.side))
    )
    return bool(gap >= -TINY) and all(clear)


def _form(battle: Battle, told: Values) -> Outcome:
    return form(battle, unit_called(battle, told["unit"]).id, told["files"])


def _turn_about(battle: Battle, told: Values) -> Outcome:
    return turn_about(battle, unit_called(battle, told["unit"]).id)


def _rally(battle: Battle, told: Values) -> Outcome:
    unit = unit_called(battle, told["unit"])
    bearing = unit.bearing if told["bearing"] is None else _bearing(told)
    return rally(battle, unit.id, pick=told["men"], bearing=bearing if bearing != unit.bearing else None)


# --- phase 2


def _fire(battle: Battle, told: Values) -> Outcome:
    cannon = told["cannon"]
    id, _, number = cannon.partition(".")
    unit, gun = unit_called(battle, id), int(number) - 1
    if not 0 <= gun < len(unit.cannons):
        raise Impossible(f"there is no cannon {cannon}")
    shot = may_not_serve(unit, gun) or aimed(battle, unit, gun, told["target"])
    if isinstance(shot, Refusal):
        raise Impossible(f"by the rules {cannon} cannot fire so here ({shot.rule})")
    return shoot(battle, shot, Choice("MAN", (told["killed"],)))


ACTIONS: Mapping[str, tuple[int, Callable[[Battle, Values], Outcome]]] = {
    MOVED: (1, _move),
    MOB_MOVED: (1, _move_mob),
    FLED: (0, _flee),
    LOST: (0, _lose),
    COMMANDER_MOVED: (1, _move_commander),
    FORMED: (1, _form),
    TURNED_ABOUT: (1, _turn_about),
    RALLIED: (1, _rally),
    FIRED: (2, _fire),
}
"""The phase of each action, 0 for any, and how it is replayed. The active side does those that have a phase."""
