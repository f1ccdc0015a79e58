"""Alarms and commanders that are put clear, held against a second reading of their rules (CC-3.26, CC-4.4)."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace

import pytest

from referee.rulebooks.cards.actions import Resolution, phase_one
from referee.rulebooks.cards.battle import Battle, after
from referee.rulebooks.cards.figures import GONE, SIDES, other_side, placed_men
from referee.rulebooks.cards.moving import clear_commanders
from referee.rulebooks.cards.orders import Action, Form, Move, MoveMob, PivotBy, Rally
from referee.rulebooks.cards.switches import EN, FR, Switches
from referee.rulebooks.rulebook import Happening
from tests.rulebooks.cards.fields import scattered
from tests.rulebooks.cards.oracle import alarmed_by, apart, gap, read
from tests.rulebooks.cards.tables import at, battle, mob

DEEDS = ("moved", "formed", "rallied", "mob-moved")
FLIGHT = ("fled", "mob-lost")


# --- CC-4.4: who is alarmed


@pytest.mark.parametrize("switches", [EN, FR])
def test_a_rally_alarms_no_mob_though_its_ranks_close_up(switches: Switches) -> None:
    """CC-4.4, A-38, CC-3.25: its front rank was gone, and the men behind come 2.0 cm nearer."""
    laid = battle(
        "RI1 8m/2f @100,100 b0 ~:3",
        mob("BI1 6m/6f @100,112 b180"),
        "BI2 12m/6f @190,290 b180",
        switches=switches,
    )
    laid = laid.with_units(placed_men(laid.units["RI1"], [1, 2], GONE))
    resolution = Resolution(laid)
    phase_one(resolution, [Rally("RI1")])
    assert [each.code for each in resolution.happenings] == ["rallied", "dressed"]
    near = [apart(each.units["RI1"], each.units["BI1"]) for each in (laid, resolution.battle)]
    assert near == [12.0, 10.0]


def orders_by_lot(laid: Battle, lot: random.Random) -> list[Action]:
    """Return an action for each unit of the active side."""
    orders: list[Action] = []
    for unit in laid.of(laid.active):
        if unit.mob:
            orders.append(MoveMob(unit.id, float(lot.randint(0, 359)), 30.0))
        elif unit.mixed:
            orders.append(Rally(unit.id))
        elif lot.random() < 0.3:
            orders.append(Form(unit.id, lot.choice([None, lot.randint(1, unit.strength)])))
        else:
            orders.append(Move(unit.id, PivotBy(float(lot.randint(-90, 90))), lot.choice([None, 10.0])))
    return orders


def alarms(seed: int) -> Counter[str]:
    """Hold the flights behind each deed of a phase against the oracle; return what was seen."""
    lot = random.Random(f"alarms {seed}")
    laid = replace(scattered(seed, each=5), active=lot.choice(SIDES))
    resolution = Resolution(laid)
    phase_one(resolution, orders_by_lot(laid, lot))
    there, seen = laid, Counter[str]()
    path: list[tuple[Happening, Battle]] = []
    for happening in resolution.happenings:
        there = after(there, happening)
        path.append((happening, there))
    before = laid
    for place, (happening, _) in enumerate(path):
        if happening.code in DEEDS and happening.facts["unit"] in before.units:
            ends = place + 1
            while ends < len(path) and path[ends][0].code not in (
                *DEEDS,
                *FLIGHT,
                "gunners-walked",
                "refused",
            ):
                ends += 1
            fled = []
            for each, _ in path[ends:]:
                if each.code in (*DEEDS, "gunners-walked", "refused"):
                    break
                fled += [each.facts["unit"]] if each.code in FLIGHT else []
            settled_now = path[ends - 1][1]
            mover = happening.facts["unit"]
            approach = happening.code in ("moved", "formed")
            mobs = [each for each in settled_now.of(other_side(laid.active)) if each.mob]
            expected = alarmed_by(settled_now.units[mover], before.units[mover], mobs, laid.switches.alarm)
            assert fled == (expected if approach else [])
            seen[happening.code] += 1
            seen["alarmed"] += len(fled)
        before = path[place][1]
    return seen


@pytest.mark.slow
def test_who_is_alarmed_is_who_the_rules_words_say() -> None:
    """CC-4.4, A-38, A-39, in both editions."""
    seen = sum((alarms(seed) for seed in range(24)), Counter[str]())
    assert seen["alarmed"] > 0 and seen["rallied"] > 0 and seen["moved"] > 20


# --- CC-3.26: who is put clear


@pytest.mark.parametrize(
    ("y", "cleared"),
    [(56.0, False), (56.49, False), (56.5, False), (56.51, True), (58.0, True), (60.0, True)],
)
@pytest.mark.parametrize("switches", [EN, FR])
def test_a_commander_is_put_clear_of_who_ends_on_him_and_of_nobody_beside_him(
    y: float, cleared: bool, switches: Switches
) -> None:
    """CC-3.26, A-51: BI1's front edge ends at y = 59 - 1 = 58, his disc reaches from y - 1.5 to y + 1.5."""
    laid = battle(f"RG @100,{y}", "BI1 12m/6f @100,59 b180", switches=switches)
    then, _ = clear_commanders(laid)
    general = then.commanders["RG"]
    if cleared:
        assert read(gap(general, then.units["BI1"])) == 1.0
    else:
        assert at(general) == (100, y)


@pytest.mark.slow
def test_who_is_put_clear_ends_clear_of_all_enemies_and_no_farther_than_he_must() -> None:
    """CC-3.26, A-51: held against every bearing in steps of 5 degrees."""
    seen: Counter[bool] = Counter()
    for seed in range(40):
        lot = random.Random(f"cleared {seed}")
        laid = scattered(seed, each=4)
        for commander in [*laid.commanders.values()]:
            enemies = laid.of(other_side(commander.side))
            if enemies:
                near = lot.choice(enemies)
                x, y = near.formation.middle
                moved = replace(
                    commander, x=round(x + lot.uniform(-7, 7), 2), y=round(y + lot.uniform(-7, 7), 2)
                )
                laid = laid.with_commanders(moved)
        then, _ = clear_commanders(laid)
        for id, commander in laid.commanders.items():
            enemies = laid.of(other_side(commander.side))
            on_him = any(gap(commander, each) < -1e-6 for each in enemies)
            shifted = then.commanders[id]
            if not on_him:
                assert shifted == commander
            elif shifted != commander:
                seen[True] += 1
                assert all(read(gap(shifted, each)) >= 1.0 for each in enemies)
                # One step less, and an enemy would be too near.
                way = math.dist(at(commander), at(shifted))
                share = max(0.0, (way - 0.11) / way)
                back = replace(
                    commander,
                    x=commander.x + (shifted.x - commander.x) * share,
                    y=commander.y + (shifted.y - commander.y) * share,
                )
                assert any(read(gap(back, each)) < 1.0 for each in enemies)
    assert seen[True] > 10
