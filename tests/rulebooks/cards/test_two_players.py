"""A battle is for two: their armies and decks, their sealed set-ups, and how they end it off the table."""

from __future__ import annotations

from functools import reduce

import pytest

from referee.common.faults import Fault
from referee.games.decisions import Decision, decide_offer, decide_order, decide_resign, open_game
from referee.games.events import EndOffered
from referee.games.game import Game
from referee.rulebooks.cards import Cards
from referee.rulebooks.cards.decks import PACK, Decks
from referee.rulebooks.cards.figures import BLUE, RED, SIDES
from referee.rulebooks.cards.happenings import SHOWN
from referee.rulebooks.cards.orders import Station
from referee.rulebooks.cards.scenarios.scenario import read_scenario
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import OrderLine, Result
from tests.rulebooks.cards.games import SECRET, Play
from tests.rulebooks.cards.test_scenario import SKIRMISH

RED_FIRST = {"first": "red"}


def test_ex_1_01_two_players_with_a_deck_each() -> None:
    """CC-1.1: a game has two seats; a scenario of one side, or of three, is refused."""
    assert Cards().seats == SIDES == (RED, BLUE)
    decks = Decks(Play().chance)
    assert sorted(decks.order(RED, 1)) == sorted(decks.order(BLUE, 1)) == sorted(PACK)
    assert decks.order(RED, 1) != decks.order(BLUE, 1)
    blue = '[[side]]\nid = "B"\nback_line = "north"\n'
    for sides in ("", blue + '\n[[side]]\nid = "G"\nback_line = "north"\n'):
        found = read_scenario(SKIRMISH.replace(blue, sides))
        assert isinstance(found, tuple)
        assert all(isinstance(each, Fault) for each in found)


def test_ex_1_14_set_ups_are_sealed_until_both_are_in() -> None:
    """CC-1.13, A-13: a player may replace his until the other's arrives; then neither can be changed."""
    play = Play(RED_FIRST)
    start = play.position.battle
    play.say(RED, "AT RI1 112,6 B10 W4", "CARRY OUT")
    assert play.view(BLUE).battle == start
    assert not any("RI1 112" in str(each.facts) for each in play.heard(BLUE))
    play.say(RED, "AT RI1 114,6 B10 W4")
    told = play.say(BLUE, "AT BI1 200,194 B170", "CARRY OUT")
    assert SHOWN in [each.code for each in told]
    for seat in SIDES:
        units = play.view(seat).battle.units
        assert (units["RI1"].x, units["RI1"].files, units["BI1"].bearing) == (114, 4, 170)
        unit = units["RI1"]
        line = write_order(Station("RI1" if seat == RED else "BI1", unit.x, unit.y, unit.bearing))
        assert play.fault(seat, line) == "set-up-over"


# --- how players end it (A-89, CC-8.12)


def game(*, blues_turn: bool) -> Game:
    """Return a game of which the set-ups are in, and in which Red has played a turn if it is to be Blue's."""
    rulebook = Cards()
    opened = open_game(7, rulebook, RED_FIRST, {RED: 1, BLUE: 2}, SECRET)
    playing = Game(number=7, rulebook=rulebook, status="proposed").after(opened)
    for seat in (RED, BLUE, *([RED] if blues_turn else [])):
        playing = after(playing, decide_order(playing, seat, OrderLine(1, "PASS")))
    return playing


def after(playing: Game, decision: Decision) -> Game:
    assert decision.fault is None, decision.fault
    return reduce(Game.after, decision.events, playing)


@pytest.mark.parametrize("blues_turn", [False, True])
def test_ex_8_12_a_player_may_resign_at_any_time(blues_turn: bool) -> None:
    """CC-8.12, A-89: in whose turn ever; the other wins."""
    playing = game(blues_turn=blues_turn)
    over = after(playing, decide_resign(playing, RED, whole_letter=True))
    assert over.result == Result(BLUE, "by resignation")


def test_cc_8_12_a_draw_needs_both() -> None:
    """EX-8.12, A-89: offered by one the battle goes on, and the other is told."""
    playing = game(blues_turn=False)
    decision = decide_offer(playing, RED, "draw")
    assert [type(each) for each in decision.events] == [EndOffered]
    offered = after(playing, decision)
    assert offered.result is None
    assert list(offered.due) == [RED]
    drawn = after(offered, decide_offer(offered, BLUE, "draw"))
    assert drawn.result == Result(None, "by agreement")
