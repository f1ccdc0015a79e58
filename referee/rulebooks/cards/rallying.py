"""Confused men return to the ranks, and gunners who had run to their cannon (CC-5.1 to CC-5.11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.rulebooks.cards.battle import Battle, Outcome, happened
from referee.rulebooks.cards.casualties import listed_places, wished_first
from referee.rulebooks.cards.figures import RANKS, Commander, Man, Unit, id_order, placed_men
from referee.rulebooks.cards.measuring import (
    distance,
    distance_to_commander,
    distance_to_ranks,
    faces,
    facing_each_other,
)
from referee.rulebooks.cards.moving import CLEAR, NEXT_TO, Refusal, as_ordered, no_room, refused
from referee.rulebooks.cards.orders import Choice
from referee.rulebooks.cards.shapes import Place, Point, bearing_kept, kept
from referee.rulebooks.cards.tracks import Gap, Track, first_off_footing, trodden, way_to

WALK = 25.0
"""How far a gunner goes back to his cannon in each of his own turns, in cm (CC-5.10)."""

RALLIED, WALKED = "rallied", "gunners-walked"

ROLE_ORDER = {"O": 0, "F": 1, "D": 2, "o": 3}
"""Who returns first unless his owner names others (CC-5.9)."""


def rally(
    battle: Battle,
    id: str,
    *,
    pick: Sequence[int] = (),
    bearing: float | None = None,
    wish: Choice | None = None,
) -> Outcome:
    """Confused men return to their own cells: as many as are in ranks, and one more by a helper (CC-5.1 to CC-5.9).

    pick: the men who return first, by number; then as is wished. bearing: which way a rallied mob looks from now on;
    no other unit turns.
    """
    unit = battle.units[id]
    if refusal := may_not_rally(battle, unit):
        return refused(battle, unit, refusal)
    count = returning(battle, unit)
    numbers = first_to_return(battle, unit, pick, wish)[:count]
    rallied = replace(placed_men(unit, numbers, RANKS), acted=True)
    unturned = False
    if unit.mob and bearing is not None:
        turned = rallied.standing(unit.place._replace(bearing=bearing_kept(bearing)))
        # A new bearing is tested like a pivot; where there is no room for it, the old one stays.
        if no_room(battle, turned):
            unturned = True
        else:
            rallied = turned
    then = battle.with_units(rallied)
    happening = happened(
        battle,
        then,
        RALLIED,
        "CC-5.8" if unit.mob else "CC-5.3",
        unit=id,
        men=list(numbers),
        helped=[] if unit.mob else [each.id for each in helpers(battle, unit)],
        bearing=rallied.bearing if unit.mob else None,
    )
    if unturned:
        return then, (happening, as_ordered(then, unit.side, id, "no-room", "CC-3.4", bearing))
    return then, (happening,)


def may_not_rally(battle: Battle, unit: Unit) -> Refusal | None:
    """Return why a unit cannot rally now; None where it can."""
    if unit.acted:
        return Refusal("acted", "CC-2.3")
    if not unit.confused:
        return Refusal("none-confused", "CC-5.4")
    if unit.mob:
        return _mob_may_not_rally(battle, unit)
    ban = battle.switches.rally_ban
    for enemy in battle.enemies(unit):
        if enemy.in_ranks and distance_to_ranks(unit, enemy) <= ban and faces(enemy, unit):
            return Refusal("enemy-near", "CC-5.2", {"by": enemy.id, "cm": ban})
    return None


def _mob_may_not_rally(battle: Battle, mob: Unit) -> Refusal | None:
    far = battle.switches.mob_rally
    rule = "CC-5.6" if far.enemies == "ranks" else "CC-5.7"
    if not any(each.role == "general" for each in next_to(battle, mob)):
        return Refusal("no-general", rule)
    for enemy in battle.enemies(mob):
        if far.enemies == "living":
            near = distance(mob, enemy) < far.cm
        else:
            near = bool(enemy.in_ranks) and distance_to_ranks(mob, enemy) < far.cm
        if near:
            return Refusal("enemy-near", rule, {"by": enemy.id, "cm": far.cm})
    return None


def next_to(battle: Battle, unit: Unit) -> tuple[Commander, ...]:
    """Return the commanders of its own side who are next to a unit (CC-5.5, A-46)."""
    return tuple(
        each
        for _, each in sorted(battle.commanders.items())
        if each.side == unit.side and distance_to_commander(each, unit) <= NEXT_TO
    )


def helpers(battle: Battle, unit: Unit) -> tuple[Commander, ...]:
    """Return the commanders by whom one man more returns; however many they are, it is one man (CC-5.5, A-45)."""
    alone = battle.switches.rally_helper == "general"
    return tuple(each for each in next_to(battle, unit) if each.role == "general" or not alone)


def returning(battle: Battle, unit: Unit) -> int:
    """Return how many men a rally brings back into ranks (CC-5.3 to CC-5.5, CC-5.8)."""
    if unit.mob:
        return 1
    return min(len(unit.in_ranks) + bool(helpers(battle, unit)), len(unit.confused))


def leaves_a_choice(battle: Battle, id: str) -> bool:
    """Return whether a unit may rally now and not all of its confused men return, so that some are chosen (CC-5.9)."""
    unit = battle.units[id]
    return may_not_rally(battle, unit) is None and returning(battle, unit) < len(unit.confused)


def first_to_return(
    battle: Battle, unit: Unit, pick: Sequence[int] = (), wish: Choice | None = None
) -> tuple[int, ...]:
    """Return a unit's confused men in the order in which they return, by number (CC-5.9).

    Those picked come first, then those who are wished for; NEAR is to the enemies' men in ranks. Else officers, flag
    bearers, musicians, and the lowest numbers.
    """
    picked = {number: place for place, number in enumerate(dict.fromkeys(pick))}
    named_men = listed_places(wish) if wish else {}
    eyes = [point for enemy in battle.enemies(unit) for point in enemy.formation.centres(enemy.in_ranks)]
    wanted = wished_first(battle, unit, wish, eyes) if wish and wish.how != "MAN" else _by_role

    def key(man: Man) -> tuple[float, ...]:
        listed = named_men.get(man.number, len(named_men))
        return (picked.get(man.number, len(picked)), listed, *wanted(man))

    return tuple(man.number for man in sorted(unit.confused, key=key))


def _by_role(man: Man) -> tuple[float, ...]:
    return ROLE_ORDER[man.role], man.number


# --- gunners


def walk_gunners(battle: Battle, id: str) -> Outcome:
    """The gunners in ranks who had run go back to their cannons, up to 25 cm, as phase 1 ends (CC-5.10, A-49).

    Each goes straight to his own place, and halts before enemies as a unit does. As soon as all are back the battery
    stands again where its cannons are. Where they pass through objectives they count as any man in ranks (CC-8.4).
    """
    unit = battle.units[id]
    walking = (
        [man.number for man in unit.in_ranks if not unit.battery.at_gun(man)]
        if unit.formation.cannons_left
        else []
    )
    then, through = unit, set[str]()
    for number in walking:
        then, trod = _walked(battle, then, then.man(number))
        through |= {*trod}
    if unit.formation.cannons_left and all(
        man.place == RANKS and then.battery.at_gun(man) for man in then.living
    ):
        then = _back_at_guns(then)
    if then == unit:
        return battle, ()
    new = battle.with_units(then)
    to_go = {str(number): then.battery.to_go(then.man(number)) for number in walking}
    happening = happened(
        battle, new, WALKED, "CC-5.10", unit=id, to_go=to_go, through=sorted(through, key=id_order)
    )
    return new, (happening,)


def _walked(battle: Battle, unit: Unit, man: Man) -> tuple[Unit, tuple[str, ...]]:
    """Return a battery after one gunner has gone as far towards his place as he comes this turn, and through what."""
    centre = unit.formation.centre(man)
    here = Point(kept(centre.x), kept(centre.y))
    track = way_to(Place(*here, unit.bearing), unit.battery.post(man), WALK)
    alone = unit.with_men([replace(man, at=here)])
    shape = alone.formation.covering([alone.man(man.number)])
    last = track.last
    if (off := first_off_footing(battle.ground, track, shape, last)) is not None:
        last = off - 1
    for enemy in battle.enemies(unit):
        gap = Gap(track, shape, enemy.formation.living_shape)
        nearer = gap.first_below(min(CLEAR, gap.read(0)), last)
        last = last if nearer is None else nearer - 1
        last = _halted(battle, alone, man, enemy, track, gap, last)
    through = trodden(battle.ground, track, alone, (alone.man(man.number),), last)
    return unit.with_men([replace(man, at=track.place(last).point)]), through


def _halted(battle: Battle, unit: Unit, man: Man, enemy: Unit, track: Track, gap: Gap, last: int) -> int:
    """Return where a gunner ends because his unit and an enemy near him are face to face (CC-3.9 to CC-3.11, A-49)."""
    halt, close_in = battle.switches.halt, battle.switches.close_in
    below, at_step = halt.cm, halt.how == "first_below"
    if close_in is not None and gap.read(0) <= close_in.start and facing_each_other(unit, enemy):
        below, at_step = close_in.stop_below, True
    for first, end in gap.spells(below, last):
        for step in range(first, end + 1):
            there = unit.with_men([replace(man, at=track.place(step).point)])
            if facing_each_other(there, enemy):
                return step if at_step else max(step - 1, 0)
    return last


def _back_at_guns(unit: Unit) -> Unit:
    """Return a battery whose gunners are all back: it stands where its cannons are, and may move again."""
    men = tuple(replace(man, at=None) for man in unit.men)
    cannons = tuple(replace(cannon, left=None) for cannon in unit.cannons)
    return replace(unit.standing(unit.battery.place), men=men, cannons=cannons)
