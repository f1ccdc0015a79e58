"""What a report tables of a battle: units, objectives, cards (E6). Plain values, of what lies open to both sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.decks import CARD_RANKS
from referee.rulebooks.cards.fighting import combat_distance, may_not_declare, may_not_strike
from referee.rulebooks.cards.figures import ARTILLERY, SIDES, Arm, Unit, men_grid
from referee.rulebooks.cards.firing import Shot, aimed, crew, may_not_serve
from referee.rulebooks.cards.measuring import distance, faces
from referee.rulebooks.cards.mobs import must_run
from referee.rulebooks.cards.moving import barred
from referee.rulebooks.cards.rallying import helpers, may_not_rally, returning
from referee.rulebooks.rulebook import Seat

NoteKind = Literal[
    "bound", "mixed", "guns-left", "mob", "flees", "rally", "rally-barred", "attack", "near", "fire"
]


@dataclass(frozen=True, slots=True)
class Note:
    """Something that is worth knowing of a unit.

    other: the enemy it is about. number: men who would return to ranks. gun: the cannon it is about; shots: whom it
    may fire at, and the markers that this costs. by: general or aide who helps; of `rally-barred` the enemy. flank: a
    win there would be one on flank or rear.
    """

    what: NoteKind
    other: str = ""
    number: int = 0
    gun: str = ""
    by: str = ""
    flank: bool = False
    shots: tuple[tuple[str, int], ...] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True)
class GunRow:
    """A cannon. markers: those it may spend, its own ones; None where its side shares them."""

    id: str
    markers: int | None
    left: bool


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit as a report tables it.

    killed: bodies on the field. lost: all men that it has lost so far. grid: its men as printed, the front rank first.
    near: the nearest enemy, "" where there is none, and the distance in cm.
    """

    id: str
    side: Seat
    arm: Arm
    x: float
    y: float
    bearing: float
    files: int
    killed: int
    confused: int
    ranks: int
    lost: int
    grid: tuple[str, ...]
    guns: tuple[GunRow, ...]
    near: str
    apart: float
    notes: tuple[Note, ...]

    @property
    def counts(self) -> str:
        """Its men as the rules count them: "k1/c3/r8"."""
        return f"k{self.killed}/c{self.confused}/r{self.ranks}"


@dataclass(frozen=True, slots=True)
class CommanderRow:
    """A general or an aide, and the units of his side that he is next to."""

    id: str
    side: Seat
    role: Literal["general", "aide"]
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class ObjectiveRow:
    """An objective. holder: None while nobody has held it. inside: the sides that have men in ranks in it."""

    id: str
    name: str
    x: float
    y: float
    holder: Seat | None


@dataclass(frozen=True, slots=True)
class DeckRow:
    """What is known of a deck. turned: how many of the cards turned have each value, the ace first; none left out."""

    side: Seat
    left: int
    turned: tuple[tuple[str, int], ...]
    generation: int


def unit_rows(battle: Battle, side: Seat) -> tuple[UnitRow, ...]:
    """Return a side's units, in the order of their ids."""
    return tuple(unit_row(battle, unit) for unit in battle.of(side))


def unit_row(battle: Battle, unit: Unit) -> UnitRow:
    """Return one unit as a report tables it."""
    gaps = [(distance(unit, enemy), enemy) for enemy in battle.enemies(unit)]
    apart, nearest = min(gaps, key=lambda each: each[0], default=(0.0, None))
    shared = battle.switches.markers.how == "per_side"
    return UnitRow(
        unit.id,
        unit.side,
        unit.arm,
        *unit.place,
        unit.files,
        len(unit.bodies),
        len(unit.confused),
        len(unit.in_ranks),
        len(unit.men) - unit.strength,
        men_grid(unit),
        tuple(GunRow(gun.id, None if shared else gun.markers, gun.left is not None) for gun in unit.cannons),
        nearest.id if nearest else "",
        apart,
        tuple(_notes(battle, unit)),
    )


def _notes(battle: Battle, unit: Unit) -> list[Note]:
    if battle.result is not None:
        return []
    notes = [Note("bound", other, rule="CC-7.27") for other in unit.bound_to]
    refusal = barred(unit)
    if refusal and refusal.code in ("mixed", "gunners-away"):
        notes.append(Note("mixed" if refusal.code == "mixed" else "guns-left", rule=refusal.rule))
    if unit.mob:
        notes.append(Note("mob", rule="CC-4.1"))
        if (before := must_run(battle, unit.id)) is not None:
            notes.append(Note("flees", before, rule="CC-4.10"))
    if unit.confused and not unit.acted:
        notes.append(_rally_note(battle, unit))
    if unit.in_ranks:
        notes += _combat_notes(battle, unit)
    if unit.arm == ARTILLERY:
        notes += _fire_notes(battle, unit)
    return notes


def _rally_note(battle: Battle, unit: Unit) -> Note:
    refusal = may_not_rally(battle, unit)
    if refusal is not None:
        return Note("rally-barred", by=refusal.facts.get("by", ""), rule=refusal.rule)
    by = "" if unit.mob else ", ".join(each.id for each in helpers(battle, unit))
    return Note("rally", number=returning(battle, unit), by=by, rule="CC-5.8" if unit.mob else "CC-5.3")


def _combat_notes(battle: Battle, unit: Unit) -> list[Note]:
    """The enemies in combat distance: those that it may attack, and those that it may not but that stand so near."""
    notes = []
    for enemy in battle.enemies(unit):
        if combat_distance(unit, enemy) >= battle.switches.combat_below:
            continue
        refusal = may_not_declare(unit) or may_not_strike(battle, unit, enemy.id)
        flank = not enemy.mob and not faces(enemy, unit)
        if refusal is None:
            notes.append(Note("attack", enemy.id, flank=flank, rule="CC-7.25" if flank else ""))
        elif refusal.code != "fought":
            notes.append(Note("near", enemy.id, rule=refusal.rule))
    return notes


def _fire_notes(battle: Battle, unit: Unit) -> list[Note]:
    """What each cannon could fire at; nothing where no gunner is at the guns."""
    notes = []
    for index, gun in enumerate(unit.cannons):
        if not crew(unit) or may_not_serve(unit, index):
            continue
        aims = [aimed(battle, unit, index, enemy.id) for enemy in battle.enemies(unit)]
        shots = tuple((shot.target, shot.cost) for shot in aims if isinstance(shot, Shot))
        if shots:
            notes.append(Note("fire", gun=gun.id, shots=shots))
    return notes


def commander_rows(battle: Battle, side: Seat) -> tuple[CommanderRow, ...]:
    """Return a side's general and aide."""
    return tuple(
        CommanderRow(each.id, each.side, each.role, each.x, each.y)
        for each in sorted(battle.commanders.values(), key=lambda each: each.role != "general")
        if each.side == side
    )


def objective_rows(battle: Battle) -> tuple[ObjectiveRow, ...]:
    """Return the four objectives, and who holds them."""
    return tuple(
        ObjectiveRow(
            each.id, each.name, round(each.middle.x, 1), round(each.middle.y, 1), battle.holders.get(each.id)
        )
        for each in battle.ground.objectives
    )


def deck_rows(battle: Battle) -> tuple[DeckRow, ...]:
    """Return how many cards each side has left, and those that it has turned, by value (CC-7.30)."""
    return tuple(_deck_row(battle, side) for side in SIDES)


def _deck_row(battle: Battle, side: Seat) -> DeckRow:
    cards = battle.cards[side]
    ranks = [card[:-1] for card in cards.discards]
    turned = tuple((rank, ranks.count(rank)) for rank in CARD_RANKS if rank in ranks)
    return DeckRow(side, cards.left, turned, cards.generation)
