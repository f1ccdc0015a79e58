"""What CHECK and preview foretell is what carrying out brings: one code rules on both (E2)."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import (
    ARTILLERY,
    BLUE,
    CONFUSED,
    RANKS,
    RED,
    SIDES,
    Unit,
    other_side,
    placed_men,
)
from referee.rulebooks.cards.mobs import move_mob
from referee.rulebooks.cards.orders import Fight
from referee.rulebooks.cards.rehearsal import Foretold, Rehearsal, rehearse_draft, rehearse_line
from referee.rulebooks.cards.switches import EN, FR, Switches
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import Happening, Json, OrderLine, Seat
from tests.reports.material import reader
from tests.rulebooks.cards.battles import battle_by_lot, random_orders, random_wish
from tests.rulebooks.cards.games import Play
from tests.rulebooks.cards.letters import play_from, text
from tests.rulebooks.cards.tables import battle, mob, objective

OF_THE_TURN = ("ordered", "chosen", "waiting", "asked", "phase", "halfway", "turn", "revealed")
"""What is told around what happens."""
FLIGHT = ("fled", "mob-lost")


def lively(battle: Battle, lot: random.Random) -> Battle:
    """Return a battle in which more can happen at once: gunners on their way back, and both sides close to winning."""
    for unit in battle.units.values():
        if unit.arm == ARTILLERY and lot.random() < 0.7:
            fled = placed_men(unit, [man.number for man in unit.living], CONFUSED)
            there, _ = move_mob(battle.with_units(fled), unit.id, 45.0 * lot.randint(0, 7), 30.0)
            back = [man.number for man in fled.living if lot.random() < 0.5]
            battle = there.with_units(replace(placed_men(there.units[unit.id], back, RANKS), acted=False))
    if lot.random() < 0.3:
        battle = replace(battle, holders={"K1": RED, "K2": RED, "K3": BLUE})
    return battle


def drafted(play: Play, lot: random.Random) -> Rehearsal:
    """Have the side to move draft a turn by lot, some of it by a second letter; return what CHECK foretells of it."""
    seat = play.position.battle.active
    for order in random_orders(play.position.battle, seat, lot):
        play.attempt(seat, write_order(order))
    return rehearse_draft(play.view(seat))


def carried_out(play: Play) -> list[Happening]:
    """Carry the turn out, both letters of it; each question is answered as its standing wish has it."""
    seat, turn = play.position.battle.active, play.position.battle.turn
    told: list[Happening] = []
    while (play.position.battle.active, play.position.battle.turn) == (seat, turn):
        if play.position.battle.result is not None:
            break
        chooser = play.position.table.chooser
        if chooser is None:
            told += play.say(seat, "CARRY OUT" if play.view(seat).own.draft else "PASS")
            continue
        asked = play.view(chooser).own.asked
        assert asked is not None
        told += play.say(chooser, asked["forms"][0])
    return _of_one_turn(told, seat)


def _of_one_turn(told: Sequence[Happening], seat: Seat) -> list[Happening]:
    """Return what happens in a turn: without the turns that plans play behind it, and what is told around it."""
    end = next((place for place, each in enumerate(told) if each.code == "turn"), len(told))
    return [each for each in told[:end] if each.code not in OF_THE_TURN]


def held_together(foretold: Rehearsal, told: Sequence[Happening]) -> str:
    """Hold what was foretold against what has come of it; return what foretelling stopped at."""
    left = [*told]
    for line in foretold.lines:
        if line.behind or (line.reach and not line.told):
            continue
        for each in line.told:
            assert left, (line, "was foretold, and has not come")
            assert each == left.pop(0)
        if line.flees:
            assert left[0].code in FLIGHT
            assert left[0].facts["unit"] == line.flees[0]
            assert all(each.behind == "flight" for each in _behind(foretold, line))
            return "flight"
    if any(each.behind == "end" for each in foretold.lines):
        assert left == []
        return "end"
    fights = [each for each in foretold.lines if each.reach and not each.told]
    if not fights:
        assert left == [], "all is foretold where no card is turned"
        return "nothing"
    assert [each.code for each in left[:2]] == ["declared", "card"]
    _declared(fights[0], left[0].facts)
    return "card"


def _behind(foretold: Rehearsal, line: Foretold) -> Sequence[Foretold]:
    """Return the lines behind one, those of its phase and of later ones."""
    return foretold.lines[foretold.lines.index(line) + 1 :]


def _declared(line: Foretold, facts: Mapping[str, Json]) -> None:
    """See that the first combat is the first that was called possible."""
    order = line.order
    assert isinstance(order, Fight)
    possible = [each for each in line.reach if each.refusal is None]
    assert possible[0].unit == facts["unit"]
    assert possible[0].target == facts["targets"][0]


def compared(seeds: Sequence[int], turns: int = 3) -> Counter[str]:
    """Hold CHECK against turns by lot; return what happened in them, and what foretelling stopped at."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        lot = random.Random(f"rehearsed {seed}")
        play = play_from(lively(battle_by_lot(seed, each=4), lot), split=seed % 2 == 1)
        for seat in play.position.own:
            play.say(seat, write_order(random_wish(play.position.battle, seat, lot)))
        for _ in range(turns):
            foretold = drafted(play, lot)
            told = carried_out(play)
            seen[held_together(foretold, told)] += 1
            seen.update(each.code for line in foretold.lines for each in line.told)
            seen.update(f"asked in {line.when}" for line in foretold.lines if line.asked)
            seen["turns"] += 1
            if play.position.battle.result is not None:
                break
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("block", range(3))
def test_what_check_foretells_is_what_carrying_out_brings(block: int) -> None:
    """E2, CC-2.1, CC-4.10, CC-5.10, CC-7.28, CC-8.6: in any edition, for both sides, by one letter and by two."""
    seen = compared(range(block * 4, block * 4 + 4))
    assert {"gunners-walked", "refused", "moved"} <= set(seen)


@pytest.mark.full
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("block", range(10))
def test_what_check_foretells_is_what_carrying_out_brings_in_a_thousand_turns(block: int) -> None:
    """E2, CC-2.1, CC-4.10, CC-5.10, CC-7.28, CC-8.6."""
    seen = compared(range(1000 + block * 40, 1040 + block * 40))
    assert seen["turns"] >= 100
    assert {"card", "flight", "nothing", "gunners-walked", "fled", "refused", "fired"} <= set(seen)


# --- what was foretold otherwise than it came


def turned_round(line: str) -> str:
    """Return a line of the tests' notation, or an order, as the other side sees it: the table turned by half."""
    line = re.sub(r"\b([RB])(?=[ICAGD])", lambda found: "RB"[found[1] == "R"], line)
    line = re.sub(
        r"@([\d.]+),([\d.]+)", lambda found: f"@{200 - float(found[1]):g},{300 - float(found[2]):g}", line
    )
    return re.sub(r"\b([bB])(\d+)", lambda found: f"{found[1]}{(int(found[2]) + 180) % 360}", line)


def laid(side: Seat, *lines: str | Unit, **how: Any) -> Play:
    """Return a game in which Red is to move in a battle laid out by lines; as Blue, all of it turned round. A line that
    begins with `mob` is a mob's."""
    turned = [turned_round(str(line)) if side == BLUE else str(line) for line in lines]
    units = [mob(line.removeprefix("mob ")) if line.startswith("mob ") else line for line in turned]
    return play_from(replace(battle(*units, **how), active=side))


def foretold(play: Play, *orders: str) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Draft orders, as Red or turned round; return each step's line, when it comes, and what is told by which rule."""
    side = play.position.battle.active
    play.say(side, *(turned_round(line) if side == BLUE else line for line in orders))
    lines = rehearse_draft(play.view(side)).lines
    texts = [write_order(each.order) if each.order else "" for each in lines]
    return [
        (
            turned_round(text) if side == BLUE else text,
            each.behind or each.when,
            [(told.code, told.rule) for told in each.told],
        )
        for each, text in zip(lines, texts, strict=True)
    ]


@pytest.mark.parametrize("side", SIDES)
def test_the_gunners_walk_is_foretold_and_the_shot_that_it_allows(side: Seat) -> None:
    """CC-5.10, CC-5.11, EX-5.10: at the end of phase 1 a gunner is back, and the cannon may fire."""
    play = laid(side, "RA1 5m/1g @100,100 b0", "BI1 12m/6f @100,180 b180")
    there = play.position.battle
    id = "RA1" if side == RED else "BA1"
    fled = placed_men(there.units[id], [1, 2, 3, 4, 5], CONFUSED)
    away, _ = move_mob(there.with_units(fled), id, 180.0 if side == RED else 0.0, 20.0)
    play = play_from(away.with_units(replace(placed_men(away.units[id], [1], RANKS), acted=False)))
    steps = foretold(play, "FI RA1.1 > BI1")
    assert steps == [
        ("", "walk", [("gunners-walked", "CC-5.10")]),
        ("FI RA1.1 > BI1", "order", [("fired", "CC-6.6"), ("dressed", "CC-3.25")]),
    ]
    assert [each.code for each in carried_out(play)] == ["gunners-walked", "fired", "dressed"]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("switches", [EN, FR])
def test_a_line_that_says_whither_a_mob_must_flee_is_not_refused(side: Seat, switches: Switches) -> None:
    """CC-4.10, A-43: the flight uses it up."""
    play = laid(side, "mob RI1 6m/6f @100,100 b0", "BI1 12m/6f @100,114 b180", switches=switches)
    steps = foretold(play, "MV RI1 B225 D30")
    assert steps == [("", "first", [("fled", "CC-4.5")]), ("MV RI1 B225 D30", "order", [])]
    assert [each.facts["bearing"] for each in carried_out(play)] == [225.0 if side == RED else 45.0]


@pytest.mark.parametrize("side", SIDES)
def test_nothing_is_foretold_behind_the_end(side: Seat) -> None:
    """CC-8.6, EX-8.07: whatever stands behind the move that wins is not carried out."""
    k1 = objective("K1", 90, 190, 110, 210) if side == RED else objective("K1", 90, 90, 110, 110)
    lines = (
        "RC1 8m/4f @100,170 b0",
        "RI1 12m/6f @30,50 b0",
        "RA1 5m/1g @160,150 b0",
        "BI1 12m/6f @160,220 b180",
    )
    there = laid(side, *lines, objectives=[k1]).position.battle
    play = play_from(replace(there, holders={"K2": side, "K3": side}))
    steps = foretold(play, "MV RC1 A30", "MV RI1 A20", "FI RA1.1 > BI1", "CO RC1 > BI1")
    won = [("moved", "CC-3.3"), ("held", "CC-8.2"), ("ended", "CC-8.1")]
    assert steps[0] == ("MV RC1 A30", "order", won)
    assert [when for _, when, _ in steps] == ["order", "end", "end", "end"]
    assert [each.code for each in carried_out(play)] == ["moved", "held", "ended"]


@pytest.mark.parametrize("side", SIDES)
def test_the_line_of_a_mob_that_is_lost_in_its_own_flight_is_refused(side: Seat) -> None:
    """CC-4.6, CC-7.28."""
    play = laid(side, "mob RI1 6m/6f @10,10 b0", "RI2 12m/6f @100,10 b0", "BI1 12m/6f @20,20 b225")
    steps = foretold(play, "MV RI1 B0 D5")
    assert steps == [
        ("", "first", [("mob-lost", "CC-4.6")]),
        ("MV RI1 B0 D5", "order", [("refused", "CC-7.28")]),
    ]


@pytest.mark.parametrize("side", SIDES)
def test_behind_a_flight_of_the_enemys_nothing_is_foretold(side: Seat) -> None:
    """CC-4.4, CC-4.12, E7: by a move, and by an attack."""
    lines = ("RI1 12m/6f @100,170 b0", "RI2 12m/6f @30,30 b0", "mob BI1 6m/6f @100,200 b180")
    play = laid(side, *lines)
    steps = foretold(play, "MV RI1 A20", "MV RI2 A5", "CO RI2 > NEAR")
    assert [(when, told) for _, when, told in steps] == [
        ("order", [("moved", "CC-3.1")]),
        ("flight", []),
        ("flight", []),
    ]
    play = laid(side, "RI1 12m/6f @100,184 b0", *lines[1:])
    steps = foretold(play, "MV RI2 A5", "CO RI1 > BI1", "CO RI2 > NEAR")
    assert [(when, told) for _, when, told in steps[-2:]] == [
        ("order", [("declared", "CC-7.4")]),
        ("flight", []),
    ]
    attack = rehearse_draft(play.view(side)).lines[-2]
    assert attack.flees == (("BI1",) if side == RED else ("RI1",))


def test_from_the_first_card_on_it_is_told_who_could_be_fought() -> None:
    """CC-7.1, CC-7.4, A-63: as the table lies before that card; of ALL, those who have somebody."""
    play = laid(
        RED,
        "RI1 12m/6f @100,100 b0",
        "RI2 12m/6f @130,100 b0",
        "RI3 12m/6f @30,30 b0",
        "BI1 12m/6f @100,116 b180",
        "BI2 12m/6f @130,116 b180",
    )
    play.say(RED, "CO RI1 > BI2 | BI1", "CO ALL > NEAR")
    one, all_others = rehearse_draft(play.view(RED)).lines
    assert [(each.target, each.refusal and each.refusal.rule) for each in one.reach] == [
        ("BI2", "CC-7.1"),
        ("BI1", None),
    ]
    assert [(each.unit, each.target) for each in all_others.reach] == [("RI2", "BI2")]


def test_guards_are_foretold_before_any_card() -> None:
    """E2: `MIN`, `FLANK`, and what hangs on another's combat that is not fought."""
    play = laid(RED, "RI1 12m/6f @100,100 b0", "RI2 12m/6f @130,30 b0", "BI1 12m/6f @100,116 b180")
    play.say(RED, "CO RI2 > BI1", "CO RI1 > BI1 IF WON RI2")
    refused, guarded = rehearse_draft(play.view(RED)).lines
    assert [each.refusal is None for each in refused.reach] == [False]
    assert [each.facts["why"] for each in guarded.told] == ["guard-won"]
    assert guarded.reach == ()


# --- what is asked, and wished


def test_who_would_be_asked_is_foretold_what_their_standing_wish_does() -> None:
    """E4, CC-5.9."""
    play = laid(
        RED, "RI1 9m/9f @100,100 b0 ~:4,5,6,7,8,9", "RI2 12m/6f @30,30 b0", "BI1 12m/6f @100,250 b180"
    )
    play.say(RED, "RL RI1", "MV RI2 A5")
    rally, moved = rehearse_draft(play.view(RED)).lines
    assert (rally.asked, rally.told[0].facts["men"]) == (False, [4, 5, 6])
    play.say(RED, "PR ALL RALLY MAN 9,8,7 ASK ALWAYS")
    rally, moved = rehearse_draft(play.view(RED)).lines
    assert (rally.asked, rally.told[0].facts["men"]) == (True, [9, 8, 7])
    assert (moved.asked, [each.code for each in moved.told]) == (False, ["moved"])
    assert "You would be asked to choose first" in text(play, RED, play.say(RED, "CHECK"))


@pytest.mark.telling(seed=[0])
@pytest.mark.parametrize("seed", range(4))
def test_two_truths_that_a_side_cannot_tell_apart_give_it_the_same_check(seed: int) -> None:
    """E7: whatever the other side wishes and plans, and however the cards lie; byte for byte."""
    lot = random.Random(f"truths {seed}")
    there = lively(battle_by_lot(300 + seed, each=4), lot)
    orders = [*map(write_order, random_orders(there, there.active, lot))]
    letters = []
    for wishes in (
        ["PR ALL FLEE HOME ASK ALWAYS"],
        ["PR ALL FLEE BEARING 90 KILL FAR", "WAKE 60", "MAP ARCS"],
    ):
        play = play_from(there)
        play.chance = Chance(lot.randbytes(32))
        play.say(other_side(there.active), *wishes)
        for line in orders:
            play.attempt(there.active, line)
        news = play.say(there.active, "CHECK")
        letters.append(text(play, there.active, news))
    assert letters[0] == letters[1]


# --- preview


def test_out_of_turn_preview_shows_a_turn_that_begins() -> None:
    """E2: what the unit did in its last turn is over by then."""
    play = laid(RED, "RI1 12m/6f @100,50 b0", "BI1 12m/6f @100,250 b180")
    view = play.view(BLUE)
    acted = replace(play.position.battle.units["BI1"], acted=True)
    view = replace(view, table=replace(view.table, battle=view.battle.with_units(acted)))
    found = rehearse_line(view, OrderLine(1, "MV BI1 A20"))
    assert isinstance(found, Rehearsal)
    assert [each.code for each in found.lines[0].told] == ["moved"]


def test_while_both_set_up_preview_foretells_no_turn() -> None:
    """CC-1.13: one's own set-up is in, the other's is not."""
    play = Play({"first": "red"})
    play.say(RED, "PASS")
    found = rehearse_line(play.view(RED), OrderLine(1, "MV RI1 A20"))
    assert isinstance(found, Fault)
    assert found.code == "set-up-first"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["Before any order:", "By this the mob flees before any order, as told above."]),
        ("fr", ["Avant tout ordre :", "Cette ligne dit vers où"]),
    ],
)
def test_a_letter_tells_it_in_its_readers_language(language: str, said: list[str]) -> None:
    play = laid(RED, "mob RI1 6m/6f @100,100 b0", "BI1 12m/6f @100,114 b180")
    news = play.say(RED, "MV RI1 B225 D30", "CHECK")
    letter = " ".join(text(play, RED, news, reader=reader(language=language)).split())
    assert all(each in letter for each in said), letter
