"""What letters are given of a battle: built from a view alone, and lines in it that can be sent as they stand."""

from __future__ import annotations

import pytest

from referee.rulebooks.cards.battle import CHANGES
from referee.rulebooks.cards.examples import examples
from referee.rulebooks.cards.figures import BLUE, RED, SIDES
from referee.rulebooks.cards.fold import fold_view
from referee.rulebooks.cards.mobs import FLED, LOST
from referee.rulebooks.cards.report import unit_row
from referee.rulebooks.cards.scene import as_seen, make_guide, make_scene
from referee.rulebooks.rulebook import OBSERVER
from tests.rulebooks.cards.fields import scattered
from tests.rulebooks.cards.games import Play, random_game
from tests.rulebooks.cards.letters import heard, play_from
from tests.rulebooks.cards.tables import battle


@pytest.mark.telling(seed=[0])
@pytest.mark.parametrize("seed", range(4))
def test_a_scene_is_the_same_for_the_same_view(seed: int) -> None:
    play = random_game(seed, turns=2)
    for seat in (*SIDES, OBSERVER):
        mine = heard(play.happenings, seat)
        scenes = [make_scene(fold_view(mine, seat), mine, 1) for _ in range(2)]
        assert scenes[0] == scenes[1]
        assert (scenes[0].own is None) == (seat == OBSERVER)


def test_what_changed_is_not_among_what_is_told() -> None:
    """A scene holds what a person reads, not the whole of a happening."""
    play = random_game(1, turns=2)
    for seat in SIDES:
        mine = heard(play.happenings, seat)
        scene = make_scene(fold_view(mine, seat), mine, 0)
        told = [each for section in scene.news for each in section.told]
        assert told
        assert all(CHANGES not in each.facts for each in told)


def test_news_are_told_once_and_by_turns() -> None:
    play = random_game(2, turns=2)
    mine = heard(play.happenings, RED)
    view = fold_view(mine, RED)
    whole = make_scene(view, mine, 0).news
    assert [section.turn for section in whole] == sorted(section.turn for section in whole)
    assert make_scene(view, mine, len(mine)).news == ()
    for told in range(0, len(mine), 7):
        news = [each for section in make_scene(view, mine, told).news for each in section.told]
        assert len(news) <= sum(len(section.told) for section in whole) + 3


@pytest.mark.telling(seed=range(3))
@pytest.mark.parametrize("seed", range(12))
def test_example_lines_can_be_sent_as_they_stand(seed: int) -> None:
    """E6: whatever is offered as an example is carried out, and refused by no rule."""
    laid = scattered(seed)
    for line in examples(laid, RED):
        told = play_from(laid).turn(line)
        # A mob that has to flee first may end where a friend was to go.
        if all(each.code not in (FLED, LOST) for each in told):
            assert not [each.facts for each in told if each.code == "refused"], line


def test_set_up_examples_are_the_scenario_s_own_places() -> None:
    play = Play()
    mine = heard(play.happenings, RED)
    scene = make_scene(fold_view(mine, RED), mine, 0)
    play.say(RED, *scene.examples, "CARRY OUT")
    assert play.due == [BLUE]


def test_only_one_s_own_army_is_seen_while_both_set_up() -> None:
    """CC-1.13, EX-1.14"""
    play = Play()
    for seat in SIDES:
        seen = as_seen(play.view(seat))
        assert {unit.side for unit in seen.units.values()} == {seat}
        assert {each.side for each in seen.commanders.values()} == {seat}
    watched = fold_view(heard(play.happenings, OBSERVER), OBSERVER)
    assert not as_seen(watched).units
    play.begin()
    assert len(as_seen(play.view(RED)).units) == 8


def test_a_unit_is_tabled_with_all_its_counts() -> None:
    laid = battle("RI1 12m/6f @100,100 b0 x:1 ~:2,3", "BI1 12m/6f @100,150 b180")
    row = unit_row(laid, laid.units["RI1"])
    assert (row.counts, row.lost, row.near, row.apart) == ("k1/c2/r9", 1, "BI1", 48.0)
    assert row.grid == ("x~~###", "######")


def test_the_guide_has_an_example_of_every_kind_of_order() -> None:
    assert set(make_guide().forms) >= {"AT", "MV", "FM", "RL", "GO", "FI", "CO", "PR", "PLAN", "WAKE", "MAP"}
