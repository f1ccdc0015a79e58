"""A game from its opening to its end, line by line: sealed set-ups, drafts, turns, plans, questions (E2 to E4, E7)."""

from __future__ import annotations

import json

import pytest

from referee.rulebooks.cards.adjudicate import conclude
from referee.rulebooks.cards.figures import BLUE, RED, SIDES
from referee.rulebooks.cards.fold import fold_position, fold_view
from referee.rulebooks.cards.happenings import (
    CLEARED,
    DRAFTED,
    FIRST_SETTLED,
    ORDERED,
    REVEALED,
    SHOWN,
    STATIONED,
    WISHED,
)
from referee.rulebooks.cards.writing import write_orders
from referee.rulebooks.rulebook import Happening, Result
from tests.rulebooks.cards.games import Play, random_game

BLUE_FIRST = {"first": "blue"}
RED_FIRST = {"first": "red"}


def codes(happenings: list[Happening]) -> list[str]:
    return [each.code for each in happenings]


# --- set-up (CC-1.13, A-13)


def test_a_set_up_is_sealed_until_the_other_is_in() -> None:
    play = Play(RED_FIRST)
    assert play.due == list(SIDES)
    told = play.say(RED, "AT RI1 112,6 B10 W4", "CARRY OUT")
    assert codes(told) == [DRAFTED, STATIONED]
    assert all(each.heard_by == {RED} for each in told)
    assert play.due == [BLUE]
    told = play.say(BLUE, "AT BI1 200,194 B170", "CARRY OUT")
    assert codes(told)[-2:] == [SHOWN, FIRST_SETTLED]
    unit = play.view(BLUE).battle.units["RI1"]
    assert (unit.x, unit.y, unit.bearing, unit.files) == (112, 6, 10, 4)
    assert play.view(RED).battle == play.view(BLUE).battle == play.position.battle
    assert play.due == [RED]


def test_a_set_up_may_be_replaced_until_it_is_carried_out() -> None:
    play = Play()
    (told,) = play.say(RED, "AT RI1 112,6 B10 W4")
    (told,) = play.say(RED, "AT RI1 118,4 B0 W6")
    assert told.facts["replaced"] == ["AT RI1 112,6 B10 W4"]
    assert write_orders(play.view(RED).own.draft) == ("AT RI1 118,4 B0 W6",)


def test_a_set_up_that_is_in_may_be_changed_until_the_other_is() -> None:
    """A-13"""
    play = Play(RED_FIRST)
    play.say(RED, "AT RI1 118,4 B0 W6", "CARRY OUT")
    (told,) = play.say(RED, "AT RI1 112,4 B0 W6")
    assert (told.code, set(told.heard_by)) == (STATIONED, {RED})
    assert play.due == [BLUE]
    assert play.fault(RED, "AT RI1 165,4 B0 W6") == "station-overlap"
    play.say(BLUE, "PASS")
    assert play.view(BLUE).battle.units["RI1"].x == 112
    assert play.fault(RED, "AT RI1 118,4 B0 W6") == "set-up-over"


def test_what_is_wrong_with_a_station_is_told_with_its_line() -> None:
    play = Play()
    assert play.fault(RED, "AT RI1 110,80 B0 W6") == "station-far"
    assert play.fault(RED, "AT BI1 110,4 B0 W6") == "no-such-id"
    assert play.fault(RED, "MV RI1 A20") == "set-up-first"
    play.say(RED, "AT RI1 165,4 B0 W6")  # where RI2 stands
    assert play.fault(RED, "CARRY OUT") == "station-overlap"


def test_who_is_not_named_stands_where_the_scenario_has_him() -> None:
    play = Play(RED_FIRST)
    before = play.position.battle
    play.begin()
    assert play.position.battle.units == before.units


# --- drafts


def test_lines_are_drafted_for_their_own_side_alone_and_carried_out_together() -> None:
    play = Play(RED_FIRST)
    play.begin()
    told = play.say(RED, "CO RI1 > NEAR", "MV RI1 A20", "MV RC1 A10")
    assert codes(told) == [DRAFTED] * 3
    assert all(each.heard_by == {RED} for each in told)
    told = play.say(RED, "CARRY OUT")
    assert told[0].code == ORDERED
    assert told[0].heard_by == {RED}
    assert [each.facts["unit"] for each in told if each.code == "moved"] == ["RI1", "RC1"]
    assert play.due == [BLUE]
    assert play.view(RED).own.draft == ()


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("MV RI1 A20", "FM RI1 W3"),
        ("GO RG 150,20", "GO RG BY RI1"),
        ("FI RA1.1 HOLD", "FI RA1.1 > NEAR"),
        ("CO RI1 > NEAR", "CO RI1 > BI2"),
    ],
)
def test_a_line_takes_the_place_of_another_for_the_same_thing(line: str, other: str) -> None:
    """CC-2.3, CC-2.4, CC-6.1, CC-7.4: it stands behind all others."""
    play = Play(RED_FIRST)
    play.begin()
    play.say(RED, line, "MV RC1 A5", other)
    assert write_orders(play.view(RED).own.draft) == ("MV RC1 A5", other)


def test_drafts_of_earlier_services_fold_as_they_did() -> None:
    """There a line stood where the one had stood whose place it took."""
    play = Play(RED_FIRST)
    play.begin()
    play.say(RED, "MV RI1 A20", "MV RC1 A5")
    facts = {"order": "FM RI1 W3", "instead": ["MV RI1 A20"]}
    position = fold_position(play.position, Happening(DRAFTED, frozenset({RED}), facts))
    assert write_orders(position.own[RED].draft) == ("FM RI1 W3", "MV RC1 A5")
    facts = {"order": "MV RI2 A5", "instead": []}
    position = fold_position(position, Happening(DRAFTED, frozenset({RED}), facts))
    assert write_orders(position.own[RED].draft) == ("FM RI1 W3", "MV RC1 A5", "MV RI2 A5")


def test_a_draft_can_be_cleared_whole_or_for_a_unit() -> None:
    play = Play(RED_FIRST)
    play.begin()
    play.say(RED, "MV RI1 A20", "FI RA1.1 > NEAR", "MV RA1 A5")
    (told,) = play.say(RED, "CLEAR RA1")
    assert told.code == CLEARED
    assert write_orders(play.view(RED).own.draft) == ("MV RI1 A20",)
    play.say(RED, "CLEAR")
    assert play.view(RED).own.draft == ()
    assert play.fault(RED, "CARRY OUT") == "nothing-drafted"


def test_only_the_side_that_is_active_drafts_a_turn() -> None:
    """CC-2.6"""
    play = Play(RED_FIRST)
    play.begin()
    assert play.fault(BLUE, "MV BI1 A20") == "not-your-turn"
    assert play.fault(BLUE, "PASS") == "not-your-turn"
    assert codes(play.say(BLUE, "PR ALL KILL FAR")) == [WISHED]


def test_a_pass_lets_a_turn_go_by() -> None:
    """CC-2.2"""
    play = Play(RED_FIRST)
    play.begin()
    before = play.position.battle.units
    play.turn()
    assert play.position.battle.units == before
    assert play.due == [BLUE]


def test_what_the_map_shows_besides_can_be_chosen_at_any_time() -> None:
    """E6"""
    play = Play(RED_FIRST)
    play.begin()
    play.say(BLUE, "MAP ARCS", "map zones")
    assert play.view(BLUE).own.show == ("ARCS", "ZONES")
    assert play.view(RED).own.show == ()
    play.say(BLUE, "MAP OFF")
    assert play.view(BLUE).own.show == ()


# --- plans (E3)


def test_plans_of_all_units_play_turns_without_a_letter() -> None:
    play = Play(RED_FIRST)
    play.begin()
    units = [unit.id for unit in play.position.battle.of(BLUE)]
    play.say(BLUE, *(f"PLAN 3 MV {id} A5" for id in units))
    told = play.turn("MV RI1 A10")
    assert play.due == [RED]
    assert [each.facts["side"] for each in told if each.code == ORDERED] == [RED, BLUE]
    assert play.position.battle.turn == 2
    told = play.turn()
    assert play.due == [RED]
    play.turn()
    assert play.due == [RED]  # turn 3 of the plans was played with that
    play.turn()
    assert play.due == [BLUE]


def test_a_plan_goes_on_beside_the_orders_of_a_letter_and_gives_way_to_one_for_its_unit() -> None:
    play = Play(RED_FIRST)
    play.begin()
    play.say(RED, "PLAN 3 MV RI1 A5", "PLAN 3 MV RI2 A5")
    told = play.turn("MV RI1 A1")
    ordered = next(each for each in told if each.code == ORDERED)
    assert ordered.facts["orders"] == ["MV RI1 A1", "MV RI2 A5"]
    assert ordered.facts["planned"] == ["MV RI2 A5"]
    assert play.view(RED).own.plans.lines() == ("PLAN 2 MV RI2 A5",)


# --- the end


def test_after_the_end_all_orders_are_published() -> None:
    """E7, CC-8.12"""
    play = Play(RED_FIRST)
    play.begin()
    play.say(BLUE, "PR ALL KILL FAR")
    play.turn("MV RI1 A10")
    happenings = conclude(play.position, Result(BLUE, "by resignation"))
    position = play.position
    for each in happenings:
        position = fold_position(position, each)
    assert position.battle.result == Result(BLUE, "by resignation")
    assert happenings[-1].code == REVEALED
    assert happenings[-1].heard_by == frozenset(SIDES)
    view = fold_view([*play.heard(BLUE), *happenings], BLUE)
    (turn,) = view.log
    assert turn.orders == ("MV RI1 A10",)
    assert turn.wishes[BLUE] == ("PR ALL KILL FAR",)
    assert conclude(position, Result(None, "by agreement")) == ()


# --- any game


@pytest.mark.telling(seed=[0, 1])
@pytest.mark.parametrize("seed", range(12))
def test_any_game_can_be_kept_and_folded_again(seed: int) -> None:
    options = {"edition": ("en", "fr")[seed % 2], "scenario": ("cc-skirmish", "cc-standard")[seed % 3 == 2]}
    play = random_game(seed, options, turns=4)
    kept = [
        Happening(each.code, each.heard_by, json.loads(json.dumps(each.facts)), each.rule)
        for each in play.happenings
    ]
    assert kept == play.happenings
    position = None
    for each in kept:
        position = fold_position(position, each)
    assert position == play.position
    for seat in SIDES:
        view = fold_view([each for each in kept if seat in each.heard_by], seat)
        assert view.battle == play.position.battle
        assert view.own == play.position.own[seat]
