"""What letters show of the sheets and lessons, before it is put into words (CF-7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rulebooks.confusion.deduction import sheet
from referee.rulebooks.confusion.knowledge import (
    WIDTH,
    Follows,
    Knowledge,
    Learned,
    Types,
    make_knowledge,
    show_sheet,
    tell,
)
from referee.rulebooks.confusion.position import WHITE, YELLOW, Attempt, View, opponent
from referee.rulebooks.confusion.table import Row, default_table
from tests.reports.material import after, heard_by
from tests.rulebooks.confusion.boards import CONFUSION
from tests.rulebooks.confusion.drawn import SEATS, lessons, played, tried

TABLE = default_table()


def types(*numbers: int) -> Types:
    return Types(map(TABLE.row, numbers))


def taught(attempts: Sequence[Attempt], since: int = 0) -> list[Learned]:
    return [tell(lesson, TABLE) for lesson in lessons(TABLE, attempts, since)]


def known(view: View, since: int = 0) -> Knowledge:
    knowledge = make_knowledge(view, since)
    assert knowledge is not None
    return knowledge


def sample(attempts: int, since: int) -> Knowledge:
    return known(CONFUSION.rules.view(heard_by(WHITE, after(attempts)), WHITE), since)


# Types


@pytest.mark.parametrize(
    ("numbers", "runs"),
    [
        ((1, 2, 3, 4, 5), [("1", "5")]),
        ((1, 2, 4), [("1", "1"), ("2", "2"), ("4", "4")]),
        ((1, 5, 6, 7, 9, 10), [("1", "1"), ("5", "7"), ("9", "9"), ("10", "10")]),
        ((), []),
    ],
)
def test_three_types_or_more_in_a_row_are_said_as_the_first_and_the_last(
    numbers: tuple[int, ...], runs: list[tuple[str, str]]
) -> None:
    assert list(types(*numbers).runs) == runs


# Lessons


def test_a_lesson_says_what_its_letter_is_not_and_can_still_be() -> None:
    (learned,) = taught([tried(YELLOW, "H", "N", 4, yes=False)])
    assert (learned.letter, learned.ruled_out, len(learned.left)) == ("H", types(1), 11)
    assert not learned.nothing
    assert not learned.consequences


def test_what_was_known_already_is_nothing_new() -> None:
    again = tried(YELLOW, "H", "N", 4, yes=False)
    (learned,) = taught([again, again], since=1)
    assert learned.nothing
    assert not learned.consequences


def test_a_certain_type_is_nobody_elses() -> None:
    (learned,) = taught([tried(YELLOW, "H", "N", 4, yes=True)])
    assert (learned.left, learned.nobody_else, learned.follows) == (types(1), types(1), ())


def test_few_letters_that_lose_a_type_are_named() -> None:
    *_, learned = sample(50, 49).learned[YELLOW]
    assert learned.left == types(2)
    assert (learned.nobody_else, learned.follows) == (types(), (Follows(("A", "N", "O", "S"), types(2)),))


def test_letters_that_become_certain_are_told_apart_from_those_that_lose_types() -> None:
    *_, learned = sample(60, 59).learned[YELLOW]
    assert (learned.letter, learned.left) == ("H", types(11))
    assert learned.certain == (("K", TABLE.row(10)),)
    assert learned.follows == (Follows(("A", "E", "N", "O"), types(10, 11)),)


@pytest.mark.telling(seed=range(3))
@pytest.mark.parametrize("seed", range(12))
def test_all_that_a_lesson_closed_is_told_or_counted(seed: int) -> None:
    where, _ = played(seed, TABLE, 60)
    for lesson in lessons(TABLE, where.board.attempts, 0):
        learned = tell(lesson, TABLE)
        nobody_else = set(learned.nobody_else.numbers)
        told = {learned.letter: set(learned.ruled_out.numbers)} if learned.ruled_out else {}
        told |= {letter: set(each.gone.numbers) for each in learned.follows for letter in each.letters}
        certain = {letter: row.number for letter, row in learned.certain}
        counted = 0
        for letter, gone in lesson.closed.items():
            lost = set(map(str, gone))
            if letter in told:
                assert told.pop(letter) == lost
            elif letter in certain:
                assert lesson.after.open[letter] == (int(certain.pop(letter)),)
            elif not lost <= nobody_else:
                counted += 1
        assert (told, certain, counted) == ({}, {}, learned.others)
        known_types = {str(number) for number in lesson.certain.values()}
        assert nobody_else <= known_types
        assert learned.nothing == (not lesson.closed)


def test_each_side_learns_of_its_own_pieces_and_only_what_is_new_is_told() -> None:
    assert [each.text for each in sample(55, 53).learned[WHITE]] == ["T-E2"]
    assert [each.text for each in sample(55, 53).learned[YELLOW]] == ["S-N2xH"]
    assert sample(61, 61).learned == {}
    fresh = {line.letter for line in sample(61, 59).theirs.lines if line.fresh}
    assert fresh == {"A", "E", "H", "K", "N", "O"}
    assert not any(line.fresh for line in sample(61, 61).theirs.lines)


def test_a_side_of_which_nothing_was_learned_is_left_out() -> None:
    assert sample(62, 61).learned == {}
    assert list(sample(57, 55).learned) == [YELLOW]
    assert list(sample(57, 53).learned) == [WHITE, YELLOW]
    assert [each.nothing for each in sample(57, 53).learned[WHITE]] == [False, True]


def test_one_answer_of_the_readers_own_that_taught_nothing_is_known_as_such() -> None:
    in_vain = sample(5, 4).in_vain
    assert in_vain is not None
    assert (in_vain.seat, in_vain.row) == (WHITE, 3)
    assert sample(62, 61).in_vain is None, "it was the opponent's"
    assert sample(7, 6).in_vain is None, "it taught something"
    assert sample(75, 72).in_vain is None, "there were two"
    assert sample(62, 62).in_vain is None


# Sheets


def test_captured_and_promoted_letters_are_marked_and_stay() -> None:
    marks = [line.mark for line in sample(21, 21).theirs.lines]
    assert marks == ["(A)", *"CEHKLNOPST", "(V)"]
    promoted = [
        line.mark for line in known(CONFUSION.rules.view(heard_by(YELLOW, after(20)), YELLOW)).mine.lines
    ]
    assert promoted == ["(A)", *"CEHKLNOPST", "V+"]


def test_a_drawing_stands_aligned_and_names_what_is_certain() -> None:
    drawing = sample(61, 61).mine.drawing()
    assert drawing[:4] == (
        " A  . . . . 5 6 7 . 9 10 11 12",
        "(C) 8 Wimp",
        " E  . . . . 5 6 7 . 9 10 11 12",
        " H  . . . . . . . . . 10 11 .",
    )


def test_a_long_name_does_not_widen_a_drawing() -> None:
    named = replace(TABLE.row(1), names={"en": "Very " * 12 + "long"})
    table = replace(TABLE, rows=(named, *TABLE.rows[1:]))
    said = sheet(table, (tried(YELLOW, "H", "N", 4, yes=True),), YELLOW)
    assert " H  1 Very Very Very Very Very Very Ve" in show_sheet(said, table).drawing()


def test_types_that_are_equally_likely_are_told_from_others() -> None:
    of = {line.letter: line for line in sample(41, 41).theirs.lines}
    assert [of[letter].uneven for letter in "CTL"] == [False, True, True]
    assert not sample(41, 41).mine.lines[1].uneven


def test_nothing_is_known_before_the_first_answer() -> None:
    knowledge = sample(0, 0)
    assert knowledge.mine.nothing_known
    assert knowledge.theirs.nothing_known
    assert knowledge.mine.drawing() == ()


def test_a_game_without_sheets_has_no_knowledge() -> None:
    view = replace(CONFUSION.rules.view(heard_by(WHITE, after(9)), WHITE), sheets=False)
    assert make_knowledge(view, 0) is None


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 80))
def test_the_drawing_and_the_list_show_what_the_sheet_leaves_open(seed: int, turns: int) -> None:
    where, _ = played(seed, TABLE, turns)
    reader = Random(seed).choice(SEATS)
    view = View(reader, where.board, where.deals[opponent(reader)], None)
    knowledge = known(view)
    for shown in (knowledge.mine, knowledge.theirs):
        said = sheet(TABLE, where.board.attempts, shown.seat)
        assert shown.assignments == said.assignments
        read = {}
        for drawn in shown.drawing():
            assert len(drawn) <= WIDTH
            assert drawn[0] in " ("
            mark, *cells = drawn.split()
            read[mark.strip("()+")] = tuple(int(cell) for cell in cells if cell.isdigit())
        for group in shown.alike:
            assert len({line.gone.numbers for line in group}) == 1
            for line in group:
                read[line.letter] = tuple(number for number in line.cells if number)
        listed: dict[str, tuple[Row, ...]] = {line.letter: line.left for line in shown.narrow}
        for lines in shown.wide:
            for line in lines:
                listed[line.letter] = tuple(row for row in TABLE.rows if row not in lines[0].gone)
        for mark in shown.untouched:
            read[mark.strip("()+")] = tuple(range(1, 13))
            listed[mark.strip("()+")] = TABLE.rows
        assert read == said.open
        assert {
            letter: tuple(int(row.number) for row in rows) for letter, rows in listed.items()
        } == said.open
