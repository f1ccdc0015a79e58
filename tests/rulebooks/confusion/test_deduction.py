"""Section 7 of the rules: what can be known of a side's types from the answers, and nothing more or less."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from itertools import permutations
from math import factorial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.common.chance import Chance
from referee.rulebooks.confusion import deduction, replay
from referee.rulebooks.confusion.deduction import (
    Sheet,
    agreeing,
    clues,
    numbers_of,
    sheet_from,
    types_dealt,
)
from referee.rulebooks.confusion.position import (
    LETTERS,
    WHITE,
    YELLOW,
    Attempt,
    Position,
)
from referee.rulebooks.confusion.table import MovementTable, default_table
from referee.rulebooks.rulebook import Seat
from tests.rulebooks.confusion.boards import CONFUSION, play, position
from tests.rulebooks.confusion.drawn import ALL, SEATS, agrees, answered, lessons, played, tables, tried

TABLE = default_table()


def sheet(table: MovementTable, heard: Sequence[Attempt], seat: Seat) -> Sheet:
    return deduction.sheet(table, tuple(heard), seat)


SAMPLE = resources.files("referee.rulebooks.confusion").joinpath("sample-game.txt").read_text("utf-8")


# One answer


@pytest.mark.parametrize(
    ("seat", "direction", "length", "go"),
    [
        (YELLOW, "N", 1, (1, 2, 3, 4, 5, 6, 7)),
        (WHITE, "S", 1, (1, 2, 3, 4, 5, 6, 7)),
        (YELLOW, "N", 4, (1,)),
        (YELLOW, "E", 1, (4, 5, 6, 7, 8, 9)),
        (WHITE, "E", 1, (4, 5, 6, 7, 8, 9)),
        (YELLOW, "NW", 3, (12,)),
        (WHITE, "SE", 3, (12,)),
        (YELLOW, "SW", 2, (2, 3, 10)),
        (WHITE, "NE", 3, (2,)),
        (YELLOW, "S", 2, (3, 4, 11)),
        (YELLOW, "E", 3, ()),
    ],
)
def test_cf_7_1_a_yes_rules_out_what_does_not_go_so_and_a_no_what_does(
    seat: Seat, direction: str, length: int, go: tuple[int, ...]
) -> None:
    (said,) = clues(TABLE, [tried(seat, "A", direction, length, yes=True)], seat)
    assert numbers_of(said.agrees) == go
    (said,) = clues(TABLE, [tried(seat, "A", direction, length, yes=False)], seat)
    assert numbers_of(said.agrees) == tuple(number for number in ALL if number not in go)
    assert (said.place, said.letter) == (0, "A")


def test_cf_7_1_a_promotion_leaves_what_promotes_and_an_arrival_without_one_rules_it_out() -> None:
    arrived = tried(YELLOW, "V", "N", 1, yes=True, promoted=True)
    assert sheet(TABLE, [arrived], YELLOW).open["V"] == (1, 5)
    stayed = tried(YELLOW, "V", "N", 1, yes=True, promoted=False)
    assert sheet(TABLE, [stayed], YELLOW).open["V"] == (2, 3, 4, 6, 7)


def test_cf_7_1_a_pass_of_z_is_answered_by_its_holder() -> None:
    where, _ = play(position(white={"A": (6, 6)}, yellow={"L": (1, 1)}, z=(6, 6), to_move=WHITE), "Z-S3")
    (said,) = clues(TABLE, where.board.attempts, WHITE)
    assert said.letter == "A"
    assert sheet(TABLE, where.board.attempts, WHITE).open["A"] == (1, 2)


def test_cf_7_1_both_sides_have_a_sheet_and_an_answer_is_on_one_of_them() -> None:
    heard = [tried(WHITE, "A", "S", 4, yes=True)]
    assert sheet(TABLE, heard, WHITE).open["A"] == (1,)
    assert sheet(TABLE, heard, YELLOW).open["A"] == ALL
    assert sheet(TABLE, heard, YELLOW).assignments == factorial(12)


def test_cf_7_4_a_promoted_piece_says_nothing_of_what_it_was() -> None:
    """Its answers are those of the promoted row, from the arrival on; those before it stand."""
    promoted = tried(WHITE, "T", "SE", 3, yes=True, promoted=True)
    after = [tried(WHITE, "T", "N", 2, yes=True), tried(WHITE, "T", "N", 3, yes=False)]
    assert sheet(TABLE, [promoted, *after], WHITE) == sheet(TABLE, [promoted], WHITE)
    assert len(clues(TABLE, [promoted, *after], WHITE)) == 1
    other = tried(YELLOW, "T", "N", 1, yes=False)
    assert len(clues(TABLE, [promoted, *after, other], YELLOW)) == 1, "the other side has a T of its own"


# All letters together


def test_cf_7_3_the_books_example() -> None:
    heard = [
        tried(YELLOW, "H", "N", 1, yes=False),
        tried(YELLOW, "H", "W", 1, yes=True),
        tried(YELLOW, "H", "NE", 2, yes=True),
    ]
    steps = [sheet(TABLE, heard[:count], YELLOW).open["H"] for count in range(4)]
    assert steps == [ALL, (8, 9, 10, 11, 12), (8, 9), (9,)]
    known = sheet(TABLE, heard, YELLOW)
    assert known.certain("H") == 9
    for letter in LETTERS:
        if letter != "H":
            assert known.open[letter] == tuple(number for number in ALL if number != 9)
            assert known.certain(letter) is None
    assert known.assignments == factorial(11)


def test_cf_7_2_two_letters_that_share_two_types_take_them_from_all_others() -> None:
    """No letter is certain, and yet types are ruled out elsewhere: singles alone would not show it."""
    heard = [
        attempt
        for letter in "AC"
        for attempt in (
            tried(WHITE, letter, "SE", 1, yes=True),
            tried(WHITE, letter, "S", 1, yes=False),
            tried(WHITE, letter, "E", 1, yes=True),
        )
    ]
    known = sheet(TABLE, heard, WHITE)
    assert known.open["A"] == known.open["C"] == (8, 9)
    assert all(not {8, 9} & set(known.open[letter]) for letter in LETTERS if letter not in "AC")
    assert numbers_of(known.own["E"]) == ALL
    assert known.assignments == 2 * factorial(10)
    assert known.shares["A"] == {8: factorial(10), 9: factorial(10)}


def test_cf_7_2_a_type_that_only_one_letter_is_left_for_is_its_type() -> None:
    heard = [tried(YELLOW, letter, "NE", 3, yes=False) for letter in LETTERS if letter != "K"]
    known = sheet(TABLE, heard, YELLOW)
    assert known.certain("K") == 12
    assert numbers_of(known.own["K"]) == ALL


def test_cf_7_2_answers_that_contradict_each_other_leave_nothing() -> None:
    heard = [tried(YELLOW, "A", "N", 1, yes=True), tried(YELLOW, "A", "N", 1, yes=False)]
    known = sheet(TABLE, heard, YELLOW)
    assert known.assignments == 0
    assert set(known.open.values()) == {()}
    assert not known.untouched("C")


def test_an_attempt_that_no_type_could_make_teaches_nothing() -> None:
    """A record may have such a try in brackets (CF-4.2)."""
    assert sheet(TABLE, [tried(WHITE, "A", "E", 3, yes=False)], WHITE) == sheet(TABLE, [], WHITE)


# Any table, and a double agent, held against the list of all assignments


@given(table=tables(2, 7), seat=st.sampled_from(SEATS), seed=st.integers(0, 2**32), turns=st.integers(0, 14))
@settings(max_examples=60, deadline=None)
def test_cf_7_2_a_sheet_is_what_a_list_of_all_assignments_says(
    table: MovementTable, seat: Seat, seed: int, turns: int
) -> None:
    hold_against_the_list(table, seat, seed, turns, double_agent=False)


@given(table=tables(2, 6), seat=st.sampled_from(SEATS), seed=st.integers(0, 2**32), turns=st.integers(0, 14))
@settings(max_examples=60, deadline=None)
def test_a_double_agent_may_be_behind_any_answer(
    table: MovementTable, seat: Seat, seed: int, turns: int
) -> None:
    hold_against_the_list(table, seat, seed, turns, double_agent=True)


def hold_against_the_list(
    table: MovementTable, seat: Seat, seed: int, turns: int, *, double_agent: bool
) -> None:
    random = Random(seed)
    numbers = range(1, len(table.rows) + 1 + double_agent)
    heard = answered(random, table, random.sample(numbers, len(numbers)), seat, turns)
    known = sheet_from(
        seat,
        clues(table, heard, seat, double_agent=double_agent),
        types_dealt(table, double_agent=double_agent),
        LETTERS[: len(numbers)],
    )
    left = [deal for deal in permutations(numbers) if agrees(table, deal, heard)]
    assert known.assignments == len(left) > 0
    for place, letter in enumerate(LETTERS[: len(numbers)]):
        found = [deal[place] for deal in left]
        assert known.shares[letter] == {number: found.count(number) for number in sorted(set(found))}
        assert known.open[letter] == tuple(sorted(set(found)))
        assert known.untouched(letter) == (len(set(found)) == len(numbers))


def test_answers_that_contradict_each_other_prove_the_double_agent() -> None:
    heard = [tried(YELLOW, "A", "N", 1, yes=True), tried(YELLOW, "A", "N", 1, yes=False)]
    letters = LETTERS + "X"
    said = clues(TABLE, heard, YELLOW, double_agent=True)
    known = sheet_from(YELLOW, said, types_dealt(TABLE, double_agent=True), letters)
    assert known.certain("A") == TABLE.agent_number == 13
    assert known.assignments == factorial(12)
    assert all(13 not in known.open[letter] for letter in letters if letter != "A")


# Whole games


def matched(left: Mapping[str, int], letter: str, number: int) -> bool:
    """Return whether all other letters can have a type each when this one has that: by augmenting paths."""
    holder: dict[int, str] = {number: letter}

    def place(each: str, seen: set[int]) -> bool:
        for kind in numbers_of(left[each]):
            if kind != number and kind not in seen:
                seen.add(kind)
                if kind not in holder or place(holder[kind], seen):
                    holder[kind] = each
                    return True
        return False

    return all(place(each, set()) for each in left if each != letter)


def hold_against_the_truth(where: Position) -> None:
    """The true deal is on both sheets, and no sheet has less or more than whole assignments allow."""
    for seat in SEATS:
        known = sheet(where.board.table, where.board.attempts, seat)
        assert known.assignments >= 1
        for letter in LETTERS:
            assert where.deals[seat][letter] in known.open[letter]
            could = tuple(
                number for number in numbers_of(known.own[letter]) if matched(known.own, letter, number)
            )
            assert known.open[letter] == could
            assert sum(known.shares[letter].values()) == known.assignments


@pytest.mark.slow
@given(table=tables(12, 12), seed=st.integers(0, 2**32), turns=st.integers(0, 60))
@settings(max_examples=15, deadline=None)
def test_whatever_table_an_umpire_has_the_sheets_are_right(
    table: MovementTable, seed: int, turns: int
) -> None:
    hold_against_the_truth(played(seed, table, turns)[0])


@pytest.mark.telling(seed=range(2))
@pytest.mark.parametrize("seed", range(6))
def test_the_sheets_are_right_all_through_a_game(seed: int) -> None:
    where, _ = played(seed, TABLE, 120)
    hold_against_the_truth(where)
    attempts = where.board.attempts
    for seat in SEATS:
        before = sheet(TABLE, [], seat)
        for count in range(1, len(attempts) + 1):
            after = sheet(TABLE, attempts[:count], seat)
            assert 1 <= after.assignments <= before.assignments
            assert all(set(after.open[letter]) <= set(before.open[letter]) for letter in LETTERS)
            before = after


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 400))
def test_the_sheets_are_right_at_the_end_of_three_hundred_games(seed: int) -> None:
    hold_against_the_truth(played(seed, TABLE, 150)[0])


def test_the_sample_game_leaves_480_deals_to_white_and_552_to_yellow() -> None:
    summary = CONFUSION.records.replay(SAMPLE).summary
    assert summary["assignments"] == {"white": 480, "yellow": 552}
    assert summary["sheets"]["white"] == {
        **{letter: [5, 6, 7, 9, 10, 11] for letter in "AEOPS"},
        "C": [8],
        "H": [10, 11],
        "K": [2, 3],
        "L": [1],
        "N": [2, 3],
        "T": [12],
        "V": [4],
    }
    assert summary["sheets"]["yellow"] == {
        "A": [1, 3, 4, 5, 6, 7, 8, 9, 12],
        "C": [6, 7, 8],
        "E": [5, 6, 7, 8, 9, 12],
        "H": [11],
        "K": [10],
        "L": [2],
        "N": [1, 3, 4, 5, 6, 7, 8, 9, 12],
        "O": [1, 3, 6, 7, 8, 12],
        "P": [6, 7, 8],
        "S": [6, 7, 8, 9],
        "T": [3, 4, 5],
        "V": [5, 9, 12],
    }


def test_a_replay_tells_the_sheets_as_of_any_row() -> None:
    assert CONFUSION.records.replay(SAMPLE, row=0).summary["assignments"] == dict.fromkeys(
        SEATS, factorial(12)
    )
    assert CONFUSION.records.replay(SAMPLE, row=39).summary == CONFUSION.records.replay(SAMPLE).summary
    eighth = CONFUSION.records.replay(SAMPLE, row=8)
    cut = CONFUSION.records.replay(SAMPLE[: SAMPLE.index("\n9.")] + "\n")
    assert eighth.summary["assignments"] == cut.summary["assignments"]
    assert eighth.summary["sheets"] == cut.summary["sheets"]
    assert eighth.attempts == 76
    assert [each.seat for each in eighth.sheets.values()] == list(SEATS)


def test_a_record_without_deals_stops_where_no_deal_agrees() -> None:
    record = "Yellow  White\n1. A-N1  A-S1\n2. (A-N1)  -\n"
    (error,) = CONFUSION.records.replay(record).errors
    assert (error.row, error.seat, error.text) == (2, YELLOW, "(A-N1)")
    assert error.reason == "no deal of Yellow's types agrees with this and with the answers before"


# Lessons


def taught(heard: Sequence[Attempt], since: int = 0) -> list[tuple[str, dict[str, tuple[int, ...]]]]:
    return [(lesson.heard.text, dict(lesson.closed)) for lesson in lessons(TABLE, heard, since)]


def test_a_lesson_is_what_an_attempt_ruled_out_and_what_followed_from_it() -> None:
    heard = [
        tried(YELLOW, "H", "N", 1, yes=False),
        tried(WHITE, "H", "S", 4, yes=True),
        tried(YELLOW, "H", "W", 1, yes=True),
        tried(YELLOW, "H", "NE", 2, yes=True),
    ]
    found = lessons(TABLE, heard, 1)
    assert [(lesson.seat, lesson.heard) for lesson in found] == [
        (attempt.seat, attempt) for attempt in heard[1:]
    ]
    others = {letter: (9,) for letter in LETTERS if letter != "H"}
    assert found[-1].closed == {"H": (8,), **others}
    assert found[-1].elsewhere == others
    assert found[-1].certain == {"H": 9}
    assert found[0].certain == {"H": 1}
    assert found[1].closed == {"H": (10, 11, 12)}
    assert found[1].certain == {}


def test_what_was_known_already_is_no_lesson() -> None:
    heard = [tried(YELLOW, "H", "N", 4, yes=True), tried(YELLOW, "H", "E", 1, yes=False)]
    assert taught(heard, 1) == [("H-E1", {})]
    assert taught(heard, 2) == []


def test_neither_promoted_pieces_nor_turns_passed_teach_anything() -> None:
    heard = [
        tried(WHITE, "T", "SE", 3, yes=True, promoted=True),
        tried(WHITE, "T", "N", 2, yes=True),
        Attempt(row=2, seat=YELLOW, text="pass", answer=False),
    ]
    assert [text for text, _ in taught(heard)] == ["T-SE3"]
    assert taught(heard, 1) == []


def test_lessons_one_by_one_add_up_to_the_sheet() -> None:
    where, _ = played(3, TABLE, 60)
    attempts = where.board.attempts
    for seat in SEATS:
        left = {letter: set(ALL) for letter in LETTERS}
        for count in range(len(attempts)):
            for lesson in lessons(TABLE, attempts[: count + 1], count):
                if lesson.seat == seat:
                    for letter, gone in lesson.closed.items():
                        assert set(gone) <= left[letter]
                        left[letter] -= set(gone)
        known: Sheet = sheet(TABLE, attempts, seat)
        assert {letter: tuple(sorted(types)) for letter, types in left.items()} == known.open


# What a seat is given


def test_a_view_without_sheets_has_none() -> None:
    for option, there in (("on", True), ("off", False)):
        happenings = CONFUSION.rules.opening(
            {"sheets": option, "deal": deal_of("white", "yellow")}, no_chance()
        )
        for seat in SEATS:
            heard = [happening for happening in happenings if seat in happening.heard_by]
            view = CONFUSION.rules.view(heard, seat)
            keys = {"mine", "theirs", "assignments", "shares"}
            assert keys & set(CONFUSION.presentation.data(view)) == (keys if there else set())
            assert (CONFUSION.presentation.scene(view, heard, 0).knowledge is not None) is there


def deal_of(*seats: str) -> str:
    return "; ".join(
        f"{seat}={' '.join(f'{letter}{number}' for letter, number in zip(LETTERS, ALL, strict=True))}"
        for seat in seats
    )


def no_chance() -> Chance:
    return Chance(bytes(32))


# Replaying


@pytest.mark.parametrize("heading", ["Yellow           White", "White            Yellow"])
def test_rows_of_a_replay_are_the_records_own_whichever_colour_is_on_the_left(heading: str) -> None:
    left, right = heading.split()
    away = {"Yellow": "N", "White": "S"}
    cells = {colour: [f"(H-{away[colour]}4)", f"(K-{away[colour]}4)"] for colour in away}
    record = f"    {heading}\n" + "".join(
        f"{row + 1}.  {cells[left][row]:<16} {cells[right][row]}\n" for row in (0, 1)
    )
    for row in (0, 1, 2):
        replayed = CONFUSION.records.replay(record, row=row)
        assert replayed.errors == ()
        assert replayed.rows == 2
        for seat in SEATS:
            left_open = replayed.summary["sheets"][seat]
            assert (1 in left_open["H"]) is (row < 1)
            assert (1 in left_open["K"]) is (row < 2)


def test_a_contradiction_is_not_on_the_sheets_of_a_replay() -> None:
    replayed = CONFUSION.records.replay("Yellow  White\n1. A-N1  A-S1\n2. (A-N1)  -\n")
    assert replayed.summary["sheets"]["yellow"]["A"] == [1, 2, 3, 4, 5, 6, 7]
    assert replayed.attempts == 2
    assert len(replayed.happenings) == 3


def test_a_long_record_without_deals_takes_no_longer_than_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer is weighed once, not with all answers before it."""
    weighed = []

    def weigh(*asked: object, **more: object) -> int:
        weighed.append(asked)
        return agreeing(*asked, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(replay, "agreeing", weigh)
    turns = 100
    there, back = "A-W1         A-E1", "A-E1         A-W1"
    rows = "".join(f"{row}. {there if row % 2 else back}\n" for row in range(1, turns + 1))
    replayed = CONFUSION.records.replay(f"Yellow  White\n{rows}")
    assert replayed.errors == ()
    assert len(weighed) == 2 * turns
