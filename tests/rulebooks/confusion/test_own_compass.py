"""Moves by the player's own compass: shown beside the record's, and read as the record's."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.faults import Fault
from referee.rulebooks.confusion import Confusion
from referee.rulebooks.confusion.compass import DIRECTIONS, WHITE, YELLOW, heading
from referee.rulebooks.confusion.likeness import looks_like_order
from referee.rulebooks.confusion.notation import Move, read_move, write_move
from referee.rulebooks.confusion.own_compass import (
    OWN,
    beside,
    beside_all,
    from_own,
    slip_as_seen,
    to_own,
)
from referee.rulebooks.rulebook import Seat
from tests.reports.material import after, heard_by
from tests.rulebooks.confusion.test_notation import MOVES

SEATS = st.sampled_from((WHITE, YELLOW))
CONFUSION = Confusion()


@pytest.mark.parametrize(
    ("seat", "direction", "own"),
    [
        (YELLOW, "N", "F"),
        (YELLOW, "E", "R"),
        (YELLOW, "SW", "BL"),
        (WHITE, "N", "B"),
        (WHITE, "S", "F"),
        (WHITE, "W", "R"),
        (WHITE, "NE", "BL"),
        (WHITE, "SE", "FL"),
    ],
)
def test_north_is_forward_for_yellow_and_backward_for_white(seat: Seat, direction: str, own: str) -> None:
    assert beside(f"V-{direction}2", seat) == f"V-{direction}2 ({own})"
    assert to_own(f"V-{direction}2", seat) == f"V-{own}2"


@pytest.mark.parametrize("seat", [WHITE, YELLOW])
def test_it_agrees_with_the_headings_of_the_movement_table(seat: Seat) -> None:
    """The table says how a piece moves as its owner sees it (CF-1.2), though it does not tell left from right."""
    plain = {"F": "F", "FL": "FD", "FR": "FD", "L": "S", "R": "S", "BL": "BD", "BR": "BD", "B": "B"}
    for direction in DIRECTIONS:
        own = to_own(f"V-{direction}1", seat).removeprefix("V-").removesuffix("1")
        assert plain[own] == heading(seat, direction)


@given(MOVES, SEATS)
def test_a_move_written_by_the_own_compass_is_read_as_it_was(move: Move, seat: Seat) -> None:
    assert read_move(from_own(to_own(write_move(move), seat), seat)) == move
    assert read_move(from_own(to_own(write_move(move), seat).lower(), seat)) == move


@given(MOVES, SEATS)
def test_a_move_as_letters_show_it_is_read_as_it_was(move: Move, seat: Seat) -> None:
    assert read_move(from_own(beside(write_move(move), seat), seat)) == move


@given(MOVES, SEATS)
def test_a_move_by_the_record_stays_as_it_is(move: Move, seat: Seat) -> None:
    assert from_own(write_move(move), seat) == write_move(move)


@given(st.text(alphabet="VLZ -FBRLNESWxA29()@;if", max_size=30), SEATS)
def test_nothing_moves_in_a_line_that_is_turned(text: str, seat: Seat) -> None:
    """So that a fault names the column in which its place stands."""
    turned = from_own(text, seat)
    if "(" not in text:
        assert len(turned) == len(text)
    assert re.sub("[A-Za-z]", "", turned) == re.sub("[A-Za-z]", "", text) or "(" in text


def test_all_moves_of_a_plan_are_turned() -> None:
    said = from_own("try V-FL2; if no L-b1; then (VZ-R1)", YELLOW)
    assert said == "try V-NW2; if no L-S1; then (VZ-E1)"


def test_what_does_not_agree_with_the_brackets_is_left_to_be_refused() -> None:
    assert from_own("V-NW2 (BR)", YELLOW) == "V-NW2 (BR)"
    assert not isinstance(read_move(from_own("V-NW2 (BR)", YELLOW)), Move)


@pytest.mark.parametrize("text", ["pass", "hello", "V", "resign", "17", "A6 C8", "V-X2", "(V-NW2)"])
def test_what_is_no_move_has_nothing_beside_it(text: str) -> None:
    assert beside(text, WHITE) == text == from_own(text, WHITE)
    assert to_own(text, WHITE) == text or "(" in text


def test_the_line_of_another_game_is_shown_so_too() -> None:
    assert beside("17: V-NW2", YELLOW) == "17: V-NW2 (FL)"
    assert to_own("17: V-NW2", YELLOW) == "17: V-FL2"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("V FL2", "V NW2"),
        ("VFL2", "VNW2"),
        ("v fl 2", "v NW 2"),
        ("VZ R1", "VZ E1"),
        ("Z B1>T", "Z S1>T"),
        ("L F2; if no L B1; then (N R 2)", "L N2; if no L S1; then (N E 2)"),
        ("V-LF2", "V-LF2"),
        ("v - RF 3", "v - RF 3"),
    ],
)
def test_a_move_by_the_own_compass_needs_no_dash(written: str, read: str) -> None:
    assert from_own(written, YELLOW) == read


@pytest.mark.parametrize("own", OWN)
def test_a_move_by_the_own_compass_without_a_dash_looks_like_one(own: str) -> None:
    for line in (f"V {own}2", f"V{own}2", f"v {own.lower()} 2", f"vz {own}1.", f"V {own}2xZ"):
        assert looks_like_order(line)


@pytest.mark.parametrize("line", ["V-forward 2", "v - backwards 1", "V-left 3", "VFF2", "V LF1"])
def test_what_is_meant_by_the_own_compass_is_never_passed_over(line: str) -> None:
    assert looks_like_order(line)
    fault = read_move(from_own(line, YELLOW))
    assert isinstance(fault, Fault)


@pytest.mark.parametrize(
    "line", ["I forward 2 letters", "A R2 unit", "be right 2", "See F1 tonight", "The B52"]
)
def test_prose_with_such_letters_is_no_move(line: str) -> None:
    assert not looks_like_order(line)


def test_a_suggestion_of_several_moves_is_written_by_the_own_compass() -> None:
    assert to_own("try V-NW2; if no (VZ-S1)", YELLOW) == "try V-FL2; if no (VZ-B1)"
    assert to_own("17: V-NW2xS+ @5", YELLOW) == "17: V-FL2xS+ @5"


@pytest.mark.parametrize("own", OWN)
def test_a_move_by_the_own_compass_looks_like_one(own: str) -> None:
    for line in (f"V-{own}2", f"v - {own.lower()} 2", f"VZ-{own}1 thanks", f"V-{own}2xZ"):
        assert looks_like_order(line)


def test_every_attempt_of_a_scene_is_shown_so_and_nothing_else_changes() -> None:
    heard = heard_by(WHITE, after(40))
    scene = CONFUSION.presentation.scene(CONFUSION.rules.view(heard, WHITE), heard, 30)
    shown = CONFUSION.oriented.beside(scene, WHITE)
    assert [each.text for each in shown.news] == [beside(each.text, WHITE) for each in scene.news]
    assert all(" (" in each.text for each in shown.news)
    assert shown.guide is scene.guide
    lessons = [each for both in shown.knowledge.learned.values() for each in both]
    assert lessons
    assert all(" (" in each.text for each in lessons)
    same = replace(shown, news=scene.news, rows=scene.rows, knowledge=scene.knowledge)
    assert same == scene


def test_what_holds_no_move_is_the_same_object() -> None:
    facts = {"who": "Bert", "lines": ("see you", ["on", "Sunday"]), "turn": 3}
    assert beside_all(facts, WHITE) is facts


@pytest.mark.parametrize(
    ("text", "said", "meant"),
    [
        ("V-LF2", "as you see the board, the directions are F FR R BR B BL L FL", "V-FL2"),
        ("VZ-rb1>T", "as you see the board", ""),
        ("v - RF 3", "as you see the board", "V-FR3"),
        ("V-FB2", "as you see the board", "V-F2"),
        ("V-forward 2", "as you see the board", "V-F2"),
        ("V-left 2", "as you see the board", "V-L2"),
        ("V-FQ2", "as you see the board", "V-F2"),
        ("V-BFL2xA", "as you see the board", "V-FL2xA"),
        ("V-Q2", "as you see the board", ""),
        ("V-FL", "the number of squares is missing after FL", "V-FL1"),
        ("V-NNW2", "the directions are N NE E SE S SW W NW", "V-NW2"),
        ("V-NW", "the number of squares is missing after NW", "V-NW1"),
        ("B-FL2", "there is no piece B", "P-SE2"),
    ],
)
def test_a_direction_misspelt_in_ones_own_compass_is_told_in_that_with_what_was_perhaps_meant(
    text: str, said: str, meant: str
) -> None:
    """What is misspelt in the record's compass is told in the record's, in which whoever asked may write as well."""
    line = from_own(text, WHITE)
    fault = read_move(line, 1)
    assert isinstance(fault, Fault)
    seen = slip_as_seen(fault, line, WHITE)
    assert said in seen.reason()
    assert seen.suggestion == meant
    assert seen.place == fault.place
    if meant:
        assert not isinstance(read_move(from_own(meant, WHITE), 1), Fault)
