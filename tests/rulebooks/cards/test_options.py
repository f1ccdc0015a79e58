"""What a battle may be started with (E9, CC-1.14, A-10)."""

from __future__ import annotations

from importlib import resources

import pytest

from referee.common.chance import Chance
from referee.rulebooks.cards.decks import Decks
from referee.rulebooks.cards.figures import BLUE, RED
from referee.rulebooks.cards.fold import fold_position
from referee.rulebooks.cards.options import check_options, opening, tidy_deal
from referee.rulebooks.cards.position import Position
from tests.rulebooks.cards.games import Play

SECRET = bytes(range(32))
SKIRMISH = (
    resources.files("referee.rulebooks.cards")
    .joinpath("scenarios/cc-skirmish.toml")
    .read_text(encoding="utf-8")
)


def opened(**options: str) -> Position:
    position = None
    for each in opening(options, Chance(SECRET)):
        position = fold_position(position, each)
    assert position is not None
    return position


@pytest.mark.parametrize(
    ("options", "code", "suggestion"),
    [
        ({"scenario": "cc-skirmsh"}, "no-scenario", "scenario=cc-skirmish"),
        ({"edition": "eng"}, "no-edition", "edition=en"),
        ({"first": "rouge"}, "option-choice", "first=red"),
        ({"halt": "19.9", "edition": "en"}, "not-custom", "edition=custom"),
        ({"first": "cut"}, "not-custom", "edition=custom"),
        ({"combat_below": "far", "edition": "custom"}, "no-such-value", ""),
        ({"table": "150", "edition": "custom"}, "scenario-table", "table=any"),
        ({"table": "0.04", "edition": "custom"}, "no-such-value", ""),
        ({"secnario": "cc-skirmish"}, "unknown-option", "scenario"),
        ({"deal": "Red=KH KH"}, "deal-card-twice", ""),
        ({"split": "half"}, "option-choice", "split=on"),
        ({"splitt": "on"}, "unknown-option", "split"),
        ({"scenario": SKIRMISH.replace("format = 1", "format = 2")}, "", ""),
        ({"scenario": "cc-guns", "edition": "fr"}, "", ""),
    ],
)
def test_what_is_wrong_with_options_is_named(options: dict[str, str], code: str, suggestion: str) -> None:
    faults = check_options(options)
    if code:
        assert [(each.code, each.suggestion) for each in faults] == [(code, suggestion)]
    for each in faults:
        assert each.sentence()
    if faults:
        with pytest.raises(ValueError, match="cannot be played with"):
            opening(options, Chance(SECRET))


def test_a_scenario_may_be_given_whole() -> None:
    mine = SKIRMISH.replace('title = "Two Sheepfolds"', 'title = "My own"')
    position = opened(scenario=mine)
    assert position.table.scenario["title"] == "My own"
    assert position.table.options["scenario"] == "cc-skirmish"
    assert opened(scenario="CC-Skirmish").battle.units == position.battle.units


def test_a_scenario_is_for_the_editions_that_it_allows() -> None:
    only = SKIRMISH.replace('editions_ok = ["en", "fr"]', 'editions_ok = ["fr"]').replace(
        'edition = "en"', 'edition = "fr"'
    )
    assert [each.code for each in check_options({"scenario": only, "edition": "en"})] == ["scenario-edition"]
    assert check_options({"scenario": only}) == ()


@pytest.mark.parametrize(("edition", "how"), [("en", "cut"), ("fr", "lot")])
def test_who_moves_first_is_cut_or_drawn_for_and_may_be_agreed(edition: str, how: str) -> None:
    """CC-1.14"""
    play = Play({"edition": edition})
    play.begin()
    first = next(each for each in play.happenings if each.code == "first")
    assert first.facts["how"] == how
    assert bool(first.facts["cuts"]) == (how == "cut")
    agreed = Play({"edition": edition, "first": "blue"})
    assert agreed.begin() == BLUE
    custom = Play({"edition": "custom", "first": "lot"})
    custom.begin()
    assert next(each for each in custom.happenings if each.code == "first").facts["how"] == "lot"


def test_set_decks_are_told_to_nobody_and_are_dealt_from_the_top() -> None:
    """A-10"""
    assert tidy_deal("blue=kh 2c;Red=10s") == "Red=10S; Blue=KH 2C"
    told = opening({"deal": "Red=10S; Blue=KH 2C"}, Chance(SECRET))
    assert told[-1].heard_by == frozenset()
    assert "deal" not in told[0].facts["options"]
    position = opened(deal="Red=10S; Blue=KH 2C")
    decks = Decks(Chance(SECRET), position.dealt)
    assert decks.order(BLUE, 1)[:2] == ("KH", "2C")
    assert decks.order(RED, 1)[0] == "10S"
    with pytest.raises(ValueError, match="no-card"):
        tidy_deal("Red=1Z")
