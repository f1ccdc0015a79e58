"""Trials of choices: whether it matters which men are hit, or where a mob runs (E4).

Each choice is tried with all that follows from it at once. Then the battles are compared: who is in combat distance,
who is engaged, who holds what, which cannons are served, and, where officers are not protected, which of them are hit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import get_args

from referee.rulebooks.cards.battle import BOTH, Battle, Outcome
from referee.rulebooks.cards.casualties import Hit, Loss, Taste, choose_hit, hit
from referee.rulebooks.cards.engagements import bind
from referee.rulebooks.cards.fighting import combat_distance
from referee.rulebooks.cards.figures import Unit
from referee.rulebooks.cards.firing import Shot, crew, shoot
from referee.rulebooks.cards.mobs import away_from, flee
from referee.rulebooks.cards.orders import Choice, Choose, Flight, How
from referee.rulebooks.cards.rallying import rally
from referee.rulebooks.cards.settling import settled
from referee.rulebooks.cards.shapes import turned
from referee.rulebooks.rulebook import Happening, Json

SELECTIONS: tuple[Choice, ...] = tuple(
    Choice(how) for how in get_args(How) if how not in ("CENTRE", "CONFUSED", "MAN")
)
"""What is tried: NEAR, FAR, FRONT, REAR, LEFT, RIGHT, OBJ, GUN."""
SIDEWAYS = (45.0, -45.0, 90.0, -90.0)
"""Bearings of flights that are tried besides the named ways, off the one that leads away."""

_TRIED = Happening("tried", BOTH, {}, "CC-7.17")


@dataclass(frozen=True, slots=True)
class Trial:
    """A choice that is tried. effect: what it would do, as plain data. after: the battle that follows."""

    choice: Choose
    effect: dict[str, Json]
    after: Battle


def casualties_tried(battle: Battle, loss: Loss, standing: Taste) -> Iterator[Trial]:
    """Yield what a loss would do by the standing wish, which comes first, and by each selection."""
    for taste in (standing, *(Taste(each, each) for each in SELECTIONS)):
        suffered: Hit = choose_hit(battle, loss, taste)
        then = _followed(bind(hit(battle, suffered), loss.by, loss.unit))
        effect = {"killed": suffered.killed, "confused": sorted(suffered.confused)}
        yield Trial(Choose(kill=taste.kill, confuse=taste.confuse), effect, then)


def shot_tried(battle: Battle, shot: Shot, standing: Choice) -> Iterator[Trial]:
    """Yield whom a shot would kill by the standing wish, which comes first, and by each selection."""
    for choice in (standing, *SELECTIONS):
        then, (fired,) = shoot(battle, shot, choice)
        yield Trial(Choose(kill=choice), {"killed": fired.facts["killed"]}, _followed(then))


def flight_tried(battle: Battle, mob: str, approaching: str, standing: Flight) -> Iterator[Trial]:
    """Yield whither a mob would run by the standing wish, which comes first, and by other ways."""
    away = away_from(battle.units[approaching], battle.units[mob])
    sideways = (Flight("BEARING", turned(away, off)) for off in SIDEWAYS)
    for way in (standing, Flight("AWAY"), Flight("HOME"), Flight("GENERAL"), *sideways):
        told: Outcome = flee(battle, mob, approaching, way)
        facts = told[1][0].facts
        effect = {name: facts[name] for name in ("bearing", "gone", "place") if name in facts}
        yield Trial(Choose(flee=way), effect, _followed(told[0]))


def rally_tried(battle: Battle, unit: str, standing: Choice | None) -> Iterator[Trial]:
    """Yield who would return by the standing wish, which comes first, and by each selection."""
    for choice in (standing, *SELECTIONS):
        then, (rallied,) = rally(battle, unit, wish=choice)
        men = rallied.facts["men"]
        # What the rules or his own list would have is said man by man, so that it can be sent as it stands.
        said = choice if choice is not None and choice.how != "MAN" else Choice("MAN", tuple(men))
        yield Trial(Choose(rally=said), {"men": men}, _followed(then))


def _followed(battle: Battle) -> Battle:
    return settled(battle, _TRIED)[0]


def matters(trials: Iterable[Trial], id: str) -> bool:
    """Return whether two of these differ in what counts for this unit, or for the battle (E4)."""
    trials = iter(trials)
    first = stakes(next(trials).after, id)
    return any(stakes(trial.after, id) != first for trial in trials)


def stakes(battle: Battle, id: str) -> tuple[object, ...]:
    """Return all that counts for a unit in a battle; two choices matter where it differs (E4)."""
    unit = battle.units.get(id)
    # Who holds what and who has won counts for everybody.
    shared = (sorted(battle.holders.items()), battle.result)
    if unit is None:
        return shared
    below = battle.switches.combat_below
    near = [enemy.id for enemy in battle.enemies(unit) if combat_distance(unit, enemy) < below]
    return (*shared, near, unit.bound_to, _served(unit), _marked(battle, unit))


def _served(unit: Unit) -> tuple[int, set[int | None]]:
    """Return how many cannons of a unit can be fired, and which have a gunner of their own (CC-6.10, CC-6.11)."""
    gunners = crew(unit) if unit.cannons else ()
    return min(len(gunners), len(unit.cannons)), {man.cannon for man in gunners}


def _marked(battle: Battle, unit: Unit) -> list[tuple[int, str]]:
    """Return what became of officers, musicians and flag bearers, where nothing protects them (CC-7.20)."""
    if battle.switches.officers_last:
        return []
    return [(man.number, man.place) for man in unit.men if man.role != "o"]
