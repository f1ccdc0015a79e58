"""A scenario made up from a few words: the same words give the same scenario, byte for byte (CC-1.2 to CC-1.8).

Ground, armies and names are drawn by lot from the seed. The ground follows from seed and table alone, so that the
same table can be fought over with other armies. Both sides are alike, and the ground is the same from either.
"""

from __future__ import annotations

import hashlib
import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from referee.common.chance import Chance
from referee.common.errors import UsageError
from referee.rulebooks.cards.ground import Ground
from referee.rulebooks.cards.scenarios.generated_army import (
    MOST_GUNS,
    MOST_OF_A_BATTERY,
    MOST_UNITS,
    Muster,
    drawn_up,
    muster,
)
from referee.rulebooks.cards.scenarios.generated_ground import MadeGround, lay_ground
from referee.rulebooks.cards.scenarios.scenario import TABLE_LENGTH, Scenario
from referee.rulebooks.cards.scenarios.scenario_text import write_scenario
from referee.rulebooks.cards.switches import EDITIONS

DOMAIN = "referee scenario 1"
"""Lots are drawn from this and the seed; another number when other scenarios come of the same words."""
LONGEST_SEED = 60
LEAST_WIDTH, LEAST_HEIGHT, MOST_SIZE = 150, 180, 400
"""Sizes of a table, in cm: along the back lines, between them, and either at the most."""
USUAL_TABLE = (300, 200)
"""The armies near each other: they meet after four turns or five."""
USUAL_UNITS = 6
TURNS_BEFORE, CM_A_TURN = 10, 20
"""So many turns at the least for each side, and one more for so many cm between the armies."""


@dataclass(frozen=True, slots=True)
class ScenarioSettings:
    """What is wished for; None where it is left to the making. men, guns, units: of either side.

    table: along the back lines, and between them, in cm. editions: in which it must be playable.
    """

    seed: str
    units: int | None = None
    men: int | None = None
    guns: int | None = None
    table: tuple[int, int] = USUAL_TABLE
    editions: tuple[str, ...] = ()


def make_scenario(settings: ScenarioSettings) -> str:
    """Return the file of a scenario as it is wished for. Raises UsageError where there can be none."""
    _check_seed(settings.seed)
    width, height = settings.table
    if not (LEAST_WIDTH <= width <= MOST_SIZE and LEAST_HEIGHT <= height <= MOST_SIZE):
        raise UsageError(
            f"a table of {width}x{height}: expected {LEAST_WIDTH} to {MOST_SIZE} cm along the back lines, and "
            f"{LEAST_HEIGHT} to {MOST_SIZE} cm between them, such as 300x200"
        )
    chance = Chance(hashlib.sha256(f"{DOMAIN}\n{settings.seed}".encode()).digest())
    mustered, men = _muster(chance, settings)
    editions = _editions(settings.editions, sum(mustered.guns))
    made = lay_ground(chance, width, height)
    if made is None:
        raise UsageError(f"four objectives found no room on a table of {width}x{height} cm: try another seed")
    armies = drawn_up(chance, mustered, men, width, height)
    if armies is None:
        raise UsageError(
            f"{mustered.units} units with {men} men have no room side by side on {width} cm: fewer, or a wider table"
        )
    units, generals = armies
    scenario = Scenario(
        id=f"made-{_mark(settings)}",
        title=_title(made),
        blurb=_blurb(mustered, men, made),
        edition=editions[0],
        editions_ok=editions,
        turn_limit=TURNS_BEFORE + height // CM_A_TURN,
        free_table=not all(_fits(width, height, name) for name in editions),
        ground=Ground(float(width), float(height), made.terrain, made.objectives),
        units=units,
        generals=generals,
        # Aides only where every edition of the scenario has them (CC-1.8).
        aides=frozenset(each.side for each in generals if all(EDITIONS[name].aide for name in editions)),
    )
    return write_scenario(scenario, [*_remarks(settings)])


# --- what is wished for


def _check_seed(seed: str) -> None:
    if not seed.strip() or len(seed) > LONGEST_SEED or not seed.isprintable():
        raise UsageError(f"a seed is a word or a few on one line, {LONGEST_SEED} characters at the most")


def _muster(chance: Chance, settings: ScenarioSettings) -> tuple[Muster, int]:
    """Return a side's units and how many men they have together."""
    units = USUAL_UNITS if settings.units is None else settings.units
    guns = units // 4 if settings.guns is None else settings.guns
    if not 1 <= units <= MOST_UNITS:
        raise UsageError(f"{units} units: expected 1 to {MOST_UNITS} on either side")
    most = min(MOST_GUNS, units // 2 * MOST_OF_A_BATTERY)
    if not 0 <= guns <= most:
        raise UsageError(
            f"{guns} guns: {units} units can have 0 to {most}, as half of them at the most serve guns"
        )
    mustered = muster(chance, units, guns)
    least, usual, most = map(mustered.men, range(3))
    men = usual if settings.men is None else settings.men
    if not least <= men <= most:
        raise UsageError(f"{men} men: {units} units with {guns} guns have {least} to {most} on either side")
    return mustered, men


def _editions(named: tuple[str, ...], guns: int) -> tuple[str, ...]:
    """Return in which editions it is to be played: where none is named, in all whose shot markers are enough."""
    for name in named:
        if name not in EDITIONS:
            raise UsageError(f"there is no edition {name!r}; there are {', '.join(EDITIONS)}")
        if not _enough_markers(name, guns):
            raise UsageError(
                f"in the edition {name} a side's cannons share {EDITIONS[name].markers.number} shot markers, which "
                f"are too few for {guns}"
            )
    return tuple(dict.fromkeys(named)) or tuple(name for name in EDITIONS if _enough_markers(name, guns))


def _enough_markers(edition: str, guns: int) -> bool:
    markers = EDITIONS[edition].markers
    return markers.how == "per_cannon" or guns <= markers.number


def _fits(width: int, height: int, edition: str) -> bool:
    """Return whether a table is as an edition wants it (CC-1.2)."""
    wide = EDITIONS[edition].table
    return TABLE_LENGTH in (width, height) and (
        wide is None or sorted((width, height)) == sorted((wide, TABLE_LENGTH))
    )


def _words(settings: ScenarioSettings) -> Iterator[str]:
    """Yield the words with which the same is made again."""
    yield from ("--seed", settings.seed)
    for name in ("units", "men", "guns"):
        if (number := getattr(settings, name)) is not None:
            yield from (f"--{name}", str(number))
    if settings.table != USUAL_TABLE:
        yield from ("--table", "{}x{}".format(*settings.table))
    for name in settings.editions:
        yield from ("--edition", name)


def _mark(settings: ScenarioSettings) -> str:
    """Return a short mark that no scenario of other words has."""
    return hashlib.sha256("\n".join((DOMAIN, *_words(settings))).encode()).hexdigest()[:10]


# --- what is said of it


def _remarks(settings: ScenarioSettings) -> Iterator[str]:
    yield "A scenario of Cards and Confusion. Lengths in cm, bearings in degrees clockwise from north, which is +y."
    yield "Turned half around, the ground is the same, and both sides have the same units."
    yield f"Made up by: referee scenario make {shlex.join(_words(settings))}"
    yield "Change what you like; `referee scenario check` tells whether it can still be played."


def _title(made: MadeGround) -> str:
    if made.stream:
        crossings = sum(each.kind in ("bridge", "ford") for each in made.terrain)
        return f"{_NUMBERS[crossings].capitalize()} Ways over {made.stream}"
    one, other = (each.name for each in made.objectives[:2])
    return f"{one} and {other}"


def _blurb(mustered: Muster, men: int, made: MadeGround) -> str:
    units = [_count(mustered.foot, "of foot", "of foot"), _count(mustered.horse, "of horse", "of horse")]
    if guns := sum(mustered.guns):
        units.append(_count(guns, "gun", "guns"))
    kinds = Counter(
        next(piece.kind for piece in made.terrain if piece.id == each.on) for each in made.objectives
    )
    held = [
        _count(number, kind, "woods" if kind == "woods" else f"{kind}s") for kind, number in kinds.items()
    ]
    has = f"{_count(mustered.units, 'unit', 'units').capitalize()} and {men} men a side"
    return f"{has}: {_listed([*filter(None, units)])}. To be held: {_listed(held)}."


_NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def _count(number: int, one: str, many: str) -> str:
    """Return "two hills"; nothing for none."""
    said = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{said} {one if number == 1 else many}" if number else ""


def _listed(things: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(things[:-1]), *things[-1:])))
