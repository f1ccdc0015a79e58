"""Which men are hit: by the standing wishes of whoever chooses, officers last where the edition has it so (E2, E4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import BODY, CONFUSED, Man, Unit, placed_men
from referee.rulebooks.cards.orders import Choice
from referee.rulebooks.cards.shapes import Point, apart

NEAREST = Choice("NEAR")


@dataclass(frozen=True, slots=True)
class Taste:
    """Whom a player wants to hit: to kill, and to confuse (CC-7.17, A-78)."""

    kill: Choice = NEAREST
    confuse: Choice = NEAREST


def to_kill(
    battle: Battle, unit: Unit, among: Iterable[Man], choice: Choice, eyes: Sequence[Point]
) -> tuple[Man, ...]:
    """Return men in the order in which they would be killed: the first is hit (CC-7.17, CC-7.19).

    eyes: the winner's men in ranks, or the axle that fires. Men in ranks come before confused ones unless the choice
    says otherwise.
    """
    wanted, listed = wished_first(battle, unit, choice, eyes), listed_places(choice)

    def key(man: Man) -> tuple[float, ...]:
        shaken = float(man.place == CONFUSED)
        if choice.how == "CONFUSED":
            shaken = 1 - shaken
        place = listed.get(man.number, len(listed))
        return (_spared(battle, man), place, 0.0 if man.number in listed else shaken, *wanted(man))

    return tuple(sorted(among, key=key))


def to_confuse(battle: Battle, unit: Unit, choice: Choice, eyes: Sequence[Point]) -> tuple[Man, ...]:
    """Return a unit's men in ranks in the order in which they would be confused (CC-7.16, CC-7.19)."""
    wanted, listed = wished_first(battle, unit, choice, eyes), listed_places(choice)
    return tuple(
        sorted(
            unit.in_ranks,
            key=lambda man: (_spared(battle, man), listed.get(man.number, len(listed)), *wanted(man)),
        )
    )


def _spared(battle: Battle, man: Man) -> float:
    """Officers, musicians and flag bearers go last, where the edition says so (CC-7.19, CC-7.20)."""
    return float(battle.switches.officers_last and man.role != "o")


def listed_places(choice: Choice) -> Mapping[int, int]:
    """Return the places of the men whom a choice names, by their numbers."""
    return {number: place for place, number in enumerate(choice.men)} if choice.how == "MAN" else {}


def wished_first(
    battle: Battle, unit: Unit, choice: Choice, eyes: Sequence[Point]
) -> Callable[[Man], tuple[float, ...]]:
    """Return what sorts men as a choice wishes, all ties by nearness and then by number."""
    middle = unit.formation.middle

    def first(man: Man) -> float:
        match choice.how:
            case "FAR":
                return -nearness(unit, man, eyes)[0]
            case "FRONT":
                return man.rank
            case "REAR":
                return -man.rank
            case "LEFT":
                return _length(unit.formation.local[man.number].x)
            case "RIGHT":
                return _length(-unit.formation.local[man.number].x)
            case "CENTRE":
                return _length(apart(unit.formation.centre(man), middle))
            case "OBJ":
                inside = any(each.holds(unit.formation.centre(man)) for each in battle.ground.objectives)
                return float(not inside)
            case "GUN":
                return float(man.cannon is None or not unit.battery.at_gun(man))
            case _:
                return 0.0

    return lambda man: (first(man), *nearness(unit, man, eyes))


def nearness(unit: Unit, man: Man, eyes: Sequence[Point]) -> tuple[float, int]:
    """Return what sorts men by how near they are to the nearest of these points, of equal ones the lower number."""
    return _length(min((apart(unit.formation.centre(man), eye) for eye in eyes), default=0.0)), man.number


def _length(cm: float) -> float:
    """Return a length for comparing alone: the last digits of the arithmetic make no man nearer."""
    return round(cm, 6)


@dataclass(frozen=True, slots=True)
class Loss:
    """What one unit has to suffer in a combat: one man killed, and so many confused.

    by: the unit whose owner chooses. count: how many are confused; None for n, the unit's own bodies with this one
    (CC-7.15). more: on top of that (CC-7.24, CC-7.25).
    """

    unit: str
    by: str
    count: int | None = None
    more: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """Who is hit. killed: by number. confused: in the order in which they were chosen. n: bodies with this one."""

    unit: str
    killed: int
    confused: tuple[int, ...]
    n: int


def choose_hit(battle: Battle, loss: Loss, taste: Taste) -> Hit:
    """Return whom a loss hits, in the battle as it is before it (CC-7.14 to CC-7.19)."""
    unit, by = battle.units[loss.unit], battle.units[loss.by]
    eyes = by.formation.centres(by.in_ranks)
    killed = to_kill(battle, unit, unit.living, taste.kill, eyes)[0].number
    left = placed_men(unit, [killed], BODY)
    n = len(left.bodies)
    count = (n if loss.count is None else loss.count) + loss.more
    # More than are left in ranks cannot be confused; the rest is lost (CC-7.16).
    confused = to_confuse(battle, left, taste.confuse, eyes)[:count] if left.living else ()
    return Hit(unit.id, killed, tuple(man.number for man in confused), n)


def hit(battle: Battle, *hits: Hit) -> Battle:
    """Return the battle with the men of these hits as bodies and confused."""
    for each in hits:
        unit = placed_men(battle.units[each.unit], [each.killed], BODY)
        battle = battle.with_units(placed_men(unit, each.confused, CONFUSED))
    return battle
