"""Battles by lot, for the tests: units of both sides scattered over broken ground, some of them shaken."""

from __future__ import annotations

import random
from dataclasses import replace

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import (
    ARM_LETTERS,
    CONFUSED,
    GONE,
    INITIALS,
    SIDES,
    Commander,
    Unit,
    new_unit,
    placed_men,
)
from referee.rulebooks.cards.ground import Ground, Objective, Terrain
from referee.rulebooks.cards.moving import friend_under, no_room
from referee.rulebooks.cards.shapes import Place
from referee.rulebooks.cards.switches import EN, FR, Switches
from referee.rulebooks.cards.tracks import overlap
from tests.rulebooks.cards.tables import box


def scattered(seed: int, *, each: int = 6, switches: Switches | None = None) -> Battle:
    """Return a battle by lot: so many units a side, none on another, no enemies nearer than 1.0, all on dry ground."""
    lot = random.Random(seed)
    wide, long = lot.choice([(120.0, 160.0), (90.0, 120.0), (200.0, 200.0)])
    terrain: list[Terrain] = []
    if lot.random() < 0.6:
        y = round(lot.uniform(30, long - 40), 1)
        x = round(lot.uniform(10, wide - 40), 1)
        bank = round(lot.uniform(4, 10), 1)
        terrain = [
            Terrain("T1", "stream", "water", box(0, y, wide, y + bank)),
            Terrain("T2", "bridge", "bridge", box(x, y - 1, x + round(lot.uniform(8, 25), 1), y + bank + 1)),
        ]
    objectives = tuple(
        Objective(f"K{number}", f"K{number}", box(x, y, x + 15, y + 15))
        for number, (x, y) in enumerate([(20, 30), (60, 40), (30, 70), (60, 90)], start=1)
    )
    battle = Battle(switches or (EN, FR)[seed % 2], Ground(wide, long, tuple(terrain), objectives))
    for side in SIDES:
        for number in range(1, each + 1):
            battle = _with_another(battle, lot, side, number)
        for role, letter in (("general", "G"), ("aide", "D")):
            x, y = round(lot.uniform(5, wide - 5), 1), round(lot.uniform(5, long - 5), 1)
            battle = battle.with_commanders(Commander(f"{INITIALS[side]}{letter}", side, role, x, y))  # type: ignore[arg-type]
    return battle


def _with_another(battle: Battle, lot: random.Random, side: str, number: int) -> Battle:
    letter = lot.choice("IIIICCA")
    id = f"{side[0].upper()}{letter}{number}"
    men = lot.randint(2, 14) if letter != "A" else lot.randint(2, 9)
    laid = new_unit(
        id,
        side,  # type: ignore[arg-type]
        ARM_LETTERS[letter],
        men,
        Place(0, 0, 0),
        files=0 if letter == "A" else lot.randint(1, men),
        cannons=lot.choice([1, 1, 2]) if letter == "A" else 0,
    )
    shaken = lot.random()
    if shaken < 0.3:
        laid = placed_men(laid, [man.number for man in laid.men], CONFUSED)
    elif shaken < 0.5:
        laid = placed_men(laid, lot.sample(range(1, men + 1), men // 3), CONFUSED)
        if laid.confused:
            laid = placed_men(laid, [laid.confused[0].number], GONE)
    for _ in range(60):
        place = Place(
            round(lot.uniform(0, battle.ground.width), lot.choice([0, 2])),
            round(lot.uniform(0, battle.ground.height), lot.choice([0, 2])),
            lot.choice([0.0, 90.0, 180.0, 270.0, round(lot.uniform(0, 359.9), 1)]),
        )
        there = laid.standing(place)
        on_others = any(
            overlap(there.formation.footprint, other.formation.footprint) for other in battle.units.values()
        )
        if not on_others and no_room(battle, there) is None and friend_under(battle, there) is None:
            return battle.with_units(there)
    return battle


def steadied(unit: Unit) -> Unit:
    """Return a unit with all its living men in ranks."""
    return replace(
        unit, men=tuple(replace(man, place="ranks") if man.living else man for man in unit.men), acted=False
    )
