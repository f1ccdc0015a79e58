"""Single deeds on the table, done again as a record tells them (E5), each by the rule that once ruled on its order.

What a player chose is taken from the saying: how far, which men, which way. All else the rules work out, and
`retelling` holds what they say against the record. Orders are not asked for, since they are not public.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

import shapely

from referee.rulebooks.cards.battle import Battle, Told, happened
from referee.rulebooks.cards.effects import STOPS
from referee.rulebooks.cards.figures import Commander, Unit, other_side
from referee.rulebooks.cards.firing import aimed, may_not_serve, shoot
from referee.rulebooks.cards.forming import form, turn_about
from referee.rulebooks.cards.measuring import distance_to_commander
from referee.rulebooks.cards.mobs import LOST, flee, move_mob
from referee.rulebooks.cards.moving import CLEAR, COMMANDER_ALLOWANCE, COMMANDER_MOVED, Refusal, move
from referee.rulebooks.cards.orders import Choice, Flight
from referee.rulebooks.cards.rallying import rally
from referee.rulebooks.cards.shapes import STEP, TINY, Point, apart

UNIT, COMMANDER, CANNON = r"[RB][ICA]\d{1,2}", r"[RB][GD]", r"[RB]A\d{1,2}\.\d{1,2}"
NUMBER = r"\d{1,4}"
MEN = rf"{NUMBER}(?:,{NUMBER})*"
_N = r"\d{1,4}(?:\.\d{1,2})?"
_AT = rf"(?P<x>-?{_N}),(?P<y>-?{_N})"
_GONE = rf"(?P<gone>{_N})"
_STOP = rf"(?:: (?P<stop>{'|'.join(STOPS.values())})(?: (?P<by>{UNIT}))?)?"

Deed = Callable[[Battle, re.Match[str]], Told]


class Impossible(Exception):
    """The rules let no such deed be done here. The text says why."""


def pattern(text: str) -> re.Pattern[str]:
    """Return a pattern in which it does not matter how many blanks there are, nor capitals."""
    return re.compile(text.replace(" ", r"\s+"), re.IGNORECASE)


def men(said: str | None) -> tuple[int, ...]:
    """Read men by their numbers: `3,4`."""
    return tuple(map(int, said.split(","))) if said else ()


def unit_called(battle: Battle, id: str) -> Unit:
    """Return a unit that is on the table. Raises Impossible where there is none."""
    unit = battle.units.get(id.upper())
    if unit is None:
        raise Impossible(f"there is no {id.upper()} on the table")
    return unit


def _mine(battle: Battle, found: re.Match[str]) -> Unit:
    unit = unit_called(battle, found["unit"])
    must_be_active(battle, unit.side, unit.id)
    return unit


def must_be_active(battle: Battle, side: str, id: str) -> None:
    """Raise Impossible where it is not the turn of whoever does something."""
    if side != battle.active:
        raise Impossible(f"it is {battle.active.capitalize()}'s turn, and {id} is not his (CC-2.6)")


# --- phase 1


def _moved(battle: Battle, found: re.Match[str]) -> Told:
    unit, gone, stop = _mine(battle, found), float(found["gone"] or 0), _stop(found)
    # How far it was sent is not public. Where it was stopped, it would have been on its next step; to be kept from
    # passing too near it must have been sent on far enough to leave the belt again.
    asked = unit.allowance if stop == "belt" else gone + STEP if stop else gone
    return move(battle, unit.id, bearing=_bearing(found), cm=asked)


def _bearing(found: re.Match[str]) -> float:
    bearing = float(found["bearing"])
    if bearing >= 360:
        raise Impossible("bearings go from 0 to 359.9")
    return bearing


def _stop(found: re.Match[str]) -> str:
    """Return the code of what stopped somebody, "" where nothing did."""
    said = " ".join((found["stop"] or "").lower().split())
    return next((code for code, words in STOPS.items() if words == said), "")


def _mob_moved(battle: Battle, found: re.Match[str]) -> Told:
    unit = _mine(battle, found)
    asked = float(found["gone"]) + (STEP if _stop(found) else 0)
    return move_mob(battle, unit.id, _bearing(found), asked)


def _fled(battle: Battle, found: re.Match[str]) -> Told:
    mob, enemy = _mob(battle, found), unit_called(battle, found["enemy"])
    way = Flight("BEARING", _bearing(found))
    return flee(battle, mob.id, enemy.id, way, own_turn=mob.side == battle.active)


def _lost(battle: Battle, found: re.Match[str]) -> Told:
    mob, enemy = _mob(battle, found), unit_called(battle, found["enemy"])
    # Which bearings were tried hangs on a wish, which is not public: that it was lost is taken as told.
    rule = "CC-4.6" if battle.switches.mob_lost_if == "short_of_30" else "CC-4.7"
    then = battle.without(mob.id)
    return then, (happened(battle, then, LOST, rule, unit=mob.id, fleeing=enemy.id, men=mob.strength),)


def _mob(battle: Battle, found: re.Match[str]) -> Unit:
    mob = unit_called(battle, found["unit"])
    enemy = unit_called(battle, found["enemy"])
    if not mob.mob or enemy.side == mob.side:
        raise Impossible(f"{mob.id} is no mob, or {enemy.id} no enemy of its (CC-4.4)")
    return mob


def _commander_moved(battle: Battle, found: re.Match[str]) -> Told:
    id = found["commander"].upper()
    commander = battle.commanders.get(id)
    if commander is None:
        raise Impossible(f"there is no {id} on the table")
    must_be_active(battle, commander.side, id)
    place, gone, stop = Point(float(found["x"]), float(found["y"])), float(found["gone"]), _stop(found)
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


def _formed(battle: Battle, found: re.Match[str]) -> Told:
    return form(battle, _mine(battle, found).id, int(found["files"]))


def _turned_about(battle: Battle, found: re.Match[str]) -> Told:
    return turn_about(battle, _mine(battle, found).id)


def _rallied(battle: Battle, found: re.Match[str]) -> Told:
    unit = _mine(battle, found)
    bearing = _bearing(found) if found["bearing"] else unit.bearing
    turned = bearing if bearing != unit.bearing else None
    return rally(battle, unit.id, pick=men(found["men"]), bearing=turned)


# --- phase 2


def _fired(battle: Battle, found: re.Match[str]) -> Told:
    cannon = found["cannon"].upper()
    id, _, number = cannon.partition(".")
    unit, gun = unit_called(battle, id), int(number) - 1
    must_be_active(battle, unit.side, cannon)
    if not 0 <= gun < len(unit.cannons):
        raise Impossible(f"there is no cannon {cannon}")
    shot = may_not_serve(unit, gun) or aimed(battle, unit, gun, found["target"].upper())
    if isinstance(shot, Refusal):
        raise Impossible(f"by the rules {cannon} cannot fire so here ({shot.rule})")
    return shoot(battle, shot, Choice("MAN", (int(found["man"]),)))


DEEDS: Mapping[re.Pattern[str], tuple[int, Deed]] = {
    pattern(rf"(?P<unit>{UNIT}) B(?P<bearing>{_N})(?: A{_GONE})? to {_AT}{_STOP}"): (1, _moved),
    pattern(rf"(?P<unit>{UNIT}) as a mob B(?P<bearing>{_N}) D{_GONE} to {_AT}{_STOP}"): (1, _mob_moved),
    pattern(rf"(?P<unit>{UNIT}) flees (?P<enemy>{UNIT}) B(?P<bearing>{_N}) D{_GONE} to {_AT}"): (0, _fled),
    pattern(rf"(?P<unit>{UNIT}) flees (?P<enemy>{UNIT}) and is lost"): (0, _lost),
    pattern(rf"(?P<commander>{COMMANDER}) A{_GONE} to {_AT}{_STOP}"): (1, _commander_moved),
    pattern(rf"(?P<unit>{UNIT}) forms W(?P<files>{NUMBER})"): (1, _formed),
    pattern(rf"(?P<unit>{UNIT}) turns about to {_AT} B{_N}"): (1, _turned_about),
    pattern(
        rf"(?P<unit>{UNIT}) rallies (?P<men>{MEN})(?: B(?P<bearing>{_N}))?"
        rf"(?: by {COMMANDER}(?: and {COMMANDER})?)?"
    ): (1, _rallied),
    pattern(
        rf"(?P<cannon>{CANNON}) fires at (?P<target>{UNIT}): kills (?P<man>{NUMBER}) for {NUMBER} markers?"
    ): (
        2,
        _fired,
    ),
}
"""What each deed is like, in which phase it is done (0 for any), and how it is done again."""
