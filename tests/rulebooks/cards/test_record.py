"""The record of a battle: what it looks like, who has what in his, and that each is read back to the same battle."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import reduce
from importlib import resources
from itertools import pairwise

import pytest

from referee.rulebooks.branches import Return, taken_back
from referee.rulebooks.cards.battle import BOTH
from referee.rulebooks.cards.figures import BLUE, RED, SIDES
from referee.rulebooks.cards.fold import COURSE, fold_position
from referee.rulebooks.cards.preferences import NO_WISHES, Wishes
from referee.rulebooks.cards.record_text.layout import WIDTH, Cell, read_score, write_parts
from referee.rulebooks.cards.record_text.record import recorded, write_record
from referee.rulebooks.cards.record_text.replay import replay
from referee.rulebooks.rulebook import OBSERVER, Happening, Result, Seat, heard_by_all
from tests.rulebooks.cards.games import Play, random_game
from tests.rulebooks.cards.proofs import asked_game, end, finished, record, rows

SKIRMISH = {"scenario": "cc-skirmish", "first": "red"}
TERMS = (
    {"scenario": "cc-skirmish", "edition": "en"},
    {"scenario": "cc-skirmish", "edition": "fr"},
    {
        "scenario": "cc-skirmish",
        "edition": "custom",
        "base": "fr",
        "halt": "first_below:20",
        "officers_last": "on",
    },
    {"scenario": "cc-guns", "edition": "en", "first": "blue"},
    {"scenario": "cc-standard", "edition": "fr", "deal": "Red=KH 2C; Blue=10S"},
)


def public(happenings: Sequence[Happening]) -> list[Happening]:
    return list(heard_by_all(happenings, SIDES))


def said(happenings: Sequence[Happening]) -> list[dict[str, str]]:
    return [found for found in map(recorded, happenings) if found]


def heard(play: Play, viewer: Seat | None) -> list[Happening]:
    if viewer == OBSERVER:
        return public(play.happenings)
    return play.happenings if viewer is None else play.heard(viewer)


def assert_reads_back(play: Play, head: dict[str, str] | None = None) -> None:
    """Everybody's record is consistent, tells what lies open to the last fact, and is written again as it was."""
    for viewer in (None, *SIDES, OBSERVER):
        happenings = heard(play, viewer)
        text = write_record(happenings, head or {}, viewer)
        again = replay(text)
        assert again.errors == (), text
        assert public(again.happenings) == public(play.happenings), text
        assert said(again.happenings) == said(happenings), text
        assert write_record(again.happenings, head or {}, viewer) == text
        assert again.result == play.position.battle.result
        standing = reduce(fold_position, COURSE.standing(again.happenings), None)
        assert standing is not None
        assert standing.battle == play.position.battle
        assert again.attempts == sum("order" in each for each in said(COURSE.standing(happenings)))


# Written and read back


@pytest.mark.telling(seed=[0])
@pytest.mark.parametrize("seed", range(5))
def test_any_battle_is_written_and_read_back_to_the_same_battle(seed: int) -> None:
    assert_reads_back(random_game(seed, TERMS[seed % len(TERMS)], 3))


@pytest.mark.telling(seed=[0])
@pytest.mark.parametrize("seed", [0, 1, 4])
def test_so_is_one_that_is_over(seed: int) -> None:
    play, head = finished(seed, TERMS[seed], 2)
    assert_reads_back(play, head)


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("block", range(10))
def test_many_battles_are_written_and_read_back(block: int) -> None:
    for seed in range(100 + 10 * block, 110 + 10 * block):
        terms = TERMS[seed % len(TERMS)]
        if seed % 2:
            assert_reads_back(random_game(seed, terms, 10))
        else:
            assert_reads_back(*finished(seed, terms, 10))


def with_returns(seed: int, turns: int = 3) -> Play:
    """Play a game by lot of which an umpire takes turns back."""
    lot = random.Random(seed)
    play = random_game(seed, TERMS[seed % 2], turns)
    battle = play.position.battle
    turn = lot.randint(1, battle.turn)
    side = lot.choice([side for side in SIDES if COURSE.turn_of(play.happenings, side, turn) is not None])
    play.happenings.append(taken_back(Return(turn, side, lot.choice(["", "a slip: read amiss"])), BOTH))
    play.stand_anew()
    while play.due and play.position.battle.turn < turns + 2:
        seat = play.due[0]
        asked = play.view(seat).own.asked
        play.say(seat, asked["forms"][0] if asked else "PASS")
    return play


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_turns_that_were_taken_back_stay_in_the_record(seed: int) -> None:
    play = with_returns(seed)
    assert_reads_back(play)
    (branch,) = replay(record(play)).branches
    assert f"taken back to {branch.row} {branch.seat.capitalize()}" in record(play)
    end(play)
    assert_reads_back(play)


def test_of_turns_that_were_taken_back_no_orders_are_published() -> None:
    play = Play(SKIRMISH)
    play.begin()
    play.turn("MV RI1 A20")
    play.happenings.append(taken_back(Return(1, RED, "misread"), BOTH))
    play.stand_anew()
    play.turn("MV RI2 A5")
    assert "MV RI1 A20" in record(play, seat=RED)
    end(play)
    for seat in (None, *SIDES):
        assert rows(record(play, seat=seat))[3:8] == [
            "   1. Red   - RI1 B0 A20 to 110,24",
            "taken back to 1 Red: misread",
            "   1. Red   MV RI2 A5",
            "            - RI2 B0 A5 to 165,9",
            "   1. Blue  - Red wins",
        ]


@pytest.mark.slow
def test_so_is_one_that_waits_for_a_choice_and_one_that_ends_there() -> None:
    play = asked_game()
    assert rows(record(play, seat=BLUE))[-1].endswith("/ Red turns KH / Blue turns 5C / Red chooses")
    assert_reads_back(play)
    end(play)
    assert rows(record(play))[-2].endswith("/ Red chooses / Red wins")
    assert_reads_back(play)


# How it looks


def played() -> Play:
    """Play a little battle in which something of everything happens."""
    play = Play(SKIRMISH)
    play.begin(["AT RI1 100,6 B0 W4", "AT RG 140,6"], [])
    play.say(BLUE, "PR ALL KILL FAR")
    play.turn("GO RG BY RI1", "MV RI1 A12.5", "FM RI2 ABOUT", "FI RA1.1 > NEAR")
    play.turn()
    return play


def test_wishes_that_are_together_too_long_for_a_line_stand_in_several() -> None:
    men = ",".join(str(number) for number in range(61, 101))
    play = Play(SKIRMISH)
    before = (
        "PR ALL ASK ALWAYS",
        f"PR ALL KILL MAN {men}",
        f"PR ALL CONF MAN {men}",
        f"PR ALL RALLY MAN {men}",
    )
    play.say(RED, *before, "PASS")
    play.say(BLUE, *before, "PASS")
    wishes = play.view(RED).own.wishes
    assert sorted(wishes.lines()) == sorted(before)
    assert reduce(Wishes.with_wish, wishes.given(), NO_WISHES) == wishes
    assert_reads_back(play)
    play.say(RED, "PR ALL RALLY FRONT", "PASS")
    end(play)
    assert_reads_back(play)


def test_a_record_has_a_head_and_two_cells_for_each_turn() -> None:
    assert record(played(), {"RedName": "Anna", "Event": "Club  night"}).splitlines() == [
        "; Cards and Confusion. Places in cm from the south-west corner, bearings in degrees; men by their numbers.",
        "Scenario = cc-skirmish",
        "Edition  = fr",
        "First    = Red",
        "RedName = Anna",
        "Event = Club night",
        "",
        "Turn Side  Orders, and behind - what came of them",
        "   0. Red   AT RI1 100,6 B0 W4",
        "            AT RG 140,6",
        "   0. Blue  PASS",
        "            - Red is first: as agreed",
        "   1. Red   Blue PR ALL KILL FAR",
        "            GO RG BY RI1",
        "            MV RI1 A12.5",
        "            FM RI2 ABOUT",
        "            FI RA1.1 > NEAR",
        "            - RG A29.5 to 110.5,6",
        "            - RI1 B0 A12.5 to 100,18.5",
        "            - RI2 turns about to 165,2 B180",
        "   1. Blue  PASS",
        "            - nothing",
    ]


def test_while_it_is_played_the_other_sides_record_has_none_of_the_orders() -> None:
    theirs = rows(record(played(), seat=BLUE))
    assert theirs[4:9] == [
        "   1. Red   Blue PR ALL KILL FAR",
        "            - RG A29.5 to 110.5,6",
        "            - RI1 B0 A12.5 to 100,18.5",
        "            - RI2 turns about to 165,2 B180",
        "   1. Blue  PASS",
    ]
    assert "PR ALL KILL FAR" not in record(played(), seat=RED)


def test_a_set_up_that_is_not_shown_is_in_its_own_record_alone() -> None:
    play = Play(SKIRMISH)
    play.say(RED, "AT RI1 100,6 B0 W4", "CARRY OUT")
    assert rows(record(play, seat=RED)) == ["   0. Red   AT RI1 100,6 B0 W4"]
    assert rows(record(play, seat=BLUE)) == []
    assert_reads_back(play)


@pytest.mark.parametrize("lines", [(), ("AT RI1 100,6 B0 W4", "CARRY OUT")])
def test_a_battle_can_be_over_before_it_begins(lines: tuple[str, ...]) -> None:
    play = Play(SKIRMISH)
    play.say(RED, *lines)
    end(play)
    for seat in (None, *SIDES):
        text = record(play, seat=seat)
        assert rows(text)[-1].endswith("- Red wins")
        again = replay(text)
        assert again.errors == ()
        assert again.result == Result(RED, "by resignation")
        assert write_record(again.happenings, {}, seat) == text


def test_after_the_end_all_have_the_same_rows() -> None:
    play, head = finished(2, TERMS[0], 4)
    whole = rows(record(play, head))
    assert [rows(record(play, head, seat)) for seat in SIDES] == [whole, whole]
    assert " end. Red" in "\n".join(whole)


def test_a_result_off_the_table_stands_in_the_head_in_full() -> None:
    play = played()
    end(play, Result(None, "given up", void=True))
    text = record(play)
    assert "Result   = No result: given up" in text
    assert rows(text)[-2:] == ["   2. Red   - No result", " end. Blue  PR ALL KILL FAR"]
    assert_reads_back(play)


def test_long_lines_are_broken_between_two_sayings() -> None:
    cell = Cell(3, RED, [[f"K{number} to Red" for number in range(20)]])
    lines = write_parts([cell])[2:]
    assert len(lines) > 1
    assert all(len(line[12:]) <= WIDTH for line in lines)
    assert all(line.strip().startswith("/ ") for line in lines[1:])
    assert read_score("\n".join(lines)).parts == [cell]


# Read leniently


def test_blanks_capitals_and_dashes_do_not_matter() -> None:
    text = record(played())
    changed = text.replace("            - ", "  –   ").replace("RI1 B0 A12.5 to", "ri1  b0   a12.5 TO")
    changed = changed.replace("   1. Red ", "1)  red:").replace("MV RI1 A12.5", "move ri1 a 12.5")
    again = replay(changed + "; a comment\n")
    assert again.errors == ()
    assert write_record(again.happenings, {}) == text


def test_a_scenario_that_is_none_of_those_given_is_read_from_its_file() -> None:
    folder = resources.files("referee.rulebooks.cards") / "scenarios"
    file = (folder / "cc-skirmish.toml").read_text(encoding="utf-8").replace('"cc-skirmish"', '"the-mill"')
    play = Play({"scenario": file, "first": "red"})
    play.begin()
    play.turn("MV RI1 A20")
    text = record(play)
    assert "Scenario = the-mill" in text
    assert replay(text).errors[0].reason.startswith("the scenario the-mill is none of those given")
    assert replay(text, file).errors == ()


# Receipts


def test_what_is_confided_is_in_no_receipt() -> None:
    play, _ = finished(5, TERMS[0], 4)
    assert {each.code for each in play.happenings} >= {"drafted", "wished", "ordered"}
    assert all(recorded(each) == {} for each in play.happenings if each.heard_by != BOTH)


@pytest.mark.slow
def test_every_receipt_says_something_and_no_two_in_a_row_say_the_same() -> None:
    play, _ = finished(14, TERMS[1], 8)
    found = said(play.happenings)
    assert all(text for each in found for text in each.values())
    assert sum(one == other for one, other in pairwise(found)) == 0
    assert {"set_up", "told", "order", "result", "revealed"} <= {key for each in found for key in each}
