"""Sections 4, 5, 6 and 11 of the rules: attempts, Z, the end, and what the service decided."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.common.chance import Chance
from referee.rulebooks.confusion.adjudicate import adjudicate, conclude
from referee.rulebooks.confusion.fold import fold_position
from referee.rulebooks.confusion.happenings import BOTH
from referee.rulebooks.confusion.options import opening
from referee.rulebooks.confusion.position import WHITE, YELLOW, Position
from referee.rulebooks.confusion.possible import can_attempt, examples, possible_moves
from referee.rulebooks.confusion.table import default_table
from referee.rulebooks.rulebook import Result
from tests.rulebooks.confusion.boards import (
    CONFUSION,
    move,
    opened,
    play,
    position,
    read,
    refused,
    uniform_table,
)

# IDENTITY: A1 Rocket, C2 Probe, E3 Hen's Foot, H4 Tower, K5 Novice, L6 King, N7 Sprinkler, O8 Wimp, P9 Crab,
# S10 Bishop, T11 Cardinal, V12 Abbot


# 4 A turn


def test_cf_4_1_a_yes_stands_a_no_changes_nothing_and_either_ends_the_turn() -> None:
    where = position(white={"A": (6, 11)}, yellow={"L": (3, 3), "O": (5, 5)})
    after, (attempt,) = play(where, "L-N1")
    assert attempt.facts["answer"] is True
    assert after.board.piece(YELLOW, "L") is not None
    assert set(after.board.pieces) == {(6, 11), (3, 4), (5, 5)}
    assert after.board.to_move == WHITE
    after, (attempt,) = play(where, "O-N1")
    assert attempt.facts["answer"] is False
    assert after.board.pieces == where.board.pieces
    assert after.board.to_move == WHITE


def test_cf_4_1_only_one_move_a_turn_is_taken_and_the_same_twice_is_no_slip() -> None:
    where = position(white={"A": (6, 11)}, yellow={"L": (3, 3)})
    reading = read(where, "L-N1", "l n 1", "L-E1")
    assert reading.orders == (move("L-N1"),)
    assert [fault.code for fault in reading.faults] == ["one-attempt"]
    assert reading.faults[0].place is not None
    assert reading.faults[0].place.line == 3


def test_cf_4_1_nobody_moves_out_of_turn_or_after_the_end() -> None:
    where = position(white={"A": (6, 11)}, yellow={"L": (3, 3)})
    (fault,) = read(where, "A-S1", seat=WHITE).faults
    assert fault.reason() == "it is Yellow's turn, not yours"
    with pytest.raises(ValueError, match="turn"):
        adjudicate(where, WHITE, move("A-S1"))
    over = Position(replace(where.board, result=Result(WHITE, "by resignation")), where.deals)
    (fault,) = read(over, "L-N1").faults
    assert fault.reason() == "the game is over"
    with pytest.raises(ValueError, match="turn"):
        adjudicate(over, YELLOW, move("L-N1"))


def test_cf_4_2_leaving_the_board_is_no_attempt() -> None:
    where = position(yellow={"A": (2, 9)})
    assert (
        refused(where, "A-N4")
        == "A would leave the board: from (2,9) there is room for 2 squares to the north"
    )
    assert read(where, "A-N4").faults[0].suggestion == "A-N2"


def test_cf_4_2_passing_over_a_piece_or_over_z_is_no_attempt() -> None:
    where = position(white={"T": (3, 5)}, yellow={"A": (3, 3), "C": (6, 4)})
    assert refused(where, "A-N3") == "the white T on (3,5) stands in the way of A"
    assert read(where, "A-N3").faults[0].suggestion == "A-N2xT"
    assert refused(where, "C-N3", "CF-5.4") == "Z on (6,6) stands in the way of C"
    assert read(where, "C-N3").faults[0].suggestion == "C-N2xZ"


def test_cf_4_2_ending_on_ones_own_piece_is_no_attempt() -> None:
    where = position(yellow={"A": (3, 3), "C": (3, 5)})
    assert refused(where, "A-N2") == "C of the same side stands on (3,5)"
    assert read(where, "A-N2").faults[0].suggestion == "A-N1"


def test_cf_4_2_a_captured_piece_makes_no_attempt() -> None:
    where, _ = play(position(white={"T": (3, 4), "V": (9, 9)}, yellow={"L": (3, 3)}), "L-N1xT")
    assert refused(where, "T-S1") == "T was captured in row 1"


def test_cf_4_2_moving_z_without_holding_it_is_no_attempt() -> None:
    where = position(white={"T": (6, 6)}, yellow={"L": (3, 3)})
    assert refused(where, "LZ-N1", "CF-5.2") == "L does not hold Z"
    assert refused(where, "Z-N1", "CF-5.2") == "Z is held by the white T"
    alone = position(yellow={"L": (3, 3)})
    assert refused(alone, "Z-N1", "CF-5.2") == "nobody holds Z, so it cannot be passed"


def test_cf_4_2_a_direction_and_length_that_no_row_has_is_no_attempt() -> None:
    where = opened(first="yellow")[0]
    reason = refused(where, "A-E3")
    assert reason == "no type goes 3 squares east (farthest: 2 squares), so A cannot try it"
    free = position(yellow={"A": (3, 3)})
    assert refused(free, "A-N5") == "no type goes 5 squares north (farthest: 4 squares), so A cannot try it"
    assert read(free, "A-N5").faults[0].suggestion == "A-N4"
    # For White the same way is backward, and no type goes four squares backward.
    white = position(white={"A": (3, 3)}, to_move=WHITE)
    assert refused(white, "A-N4").startswith("no type goes 4 squares north")


def test_cf_4_2_a_way_that_no_type_of_the_table_has_is_named_as_such() -> None:
    where = position(yellow={"A": (3, 3)}, table=uniform_table(4, "F"))
    assert refused(where, "A-E1") == "no type goes east, so A cannot try it"


def test_cf_4_2_a_refusal_uses_no_turn_and_makes_nothing_happen() -> None:
    where = position(yellow={"A": (3, 3)})
    reading = read(where, "A-E3", "A-N1")
    assert reading.orders == (move("A-N1"),)
    assert len(reading.faults) == 1
    with pytest.raises(ValueError, match="no type goes"):
        adjudicate(where, YELLOW, move("A-E3"))


def test_cf_4_2_refusals_do_not_depend_on_any_deal() -> None:
    """A possible attempt passes whether its piece could make it or not."""
    where = position(yellow={"A": (3, 3)})
    assert read(where, "A-W2").orders == (move("A-W2"),)
    assert play(where, "A-W2")[1][0].facts["answer"] is False


def test_cf_4_3_ending_on_an_enemy_piece_captures_it_if_the_answer_is_yes() -> None:
    where = position(white={"T": (3, 4), "V": (4, 4), "A": (9, 9)}, yellow={"H": (3, 3)})
    after, (attempt,) = play(where, "H-N1")
    assert attempt.facts["text"] == "H-N1xT"
    assert attempt.facts["captured"] == "T"
    assert after.board.captured == {WHITE: ("T",), YELLOW: ()}
    assert after.board.piece(WHITE, "T") is None
    after, (attempt,) = play(where, "H-NE1xV")
    assert (attempt.facts["answer"], attempt.facts["captured"]) == (False, "")
    assert after.board.captured == {WHITE: (), YELLOW: ()}
    assert attempt.facts["text"] == "H-NE1xV"


@pytest.mark.parametrize(("letter", "text"), [("A", "A-N1"), ("K", "K-N1"), ("P", "P-NE1"), ("V", "V-NE1")])
def test_cf_4_4_types_1_5_9_and_12_are_promoted_on_the_far_rank_at_once(letter: str, text: str) -> None:
    where = position(white={"T": (1, 9), "A": (9, 9)}, yellow={letter: (5, 10)})
    after, (attempt,) = play(where, text)
    assert attempt.facts["text"] == f"{text}+"
    assert attempt.facts["promoted"] is True
    assert attempt.heard_by == BOTH
    piece = after.board.piece(YELLOW, letter)
    assert piece is not None
    assert piece.promoted


def test_cf_4_4_both_hear_when_a_piece_reaches_the_far_rank_without_promotion() -> None:
    where = position(white={"T": (1, 9)}, yellow={"L": (5, 10)})
    _, (attempt,) = play(where, "L-N1")
    assert (attempt.facts["text"], attempt.facts["promoted"]) == ("L-N1", False)
    _, (attempt,) = play(where, "L-S1")
    assert attempt.facts["promoted"] is None
    refused_on_the_way = position(white={"T": (1, 9)}, yellow={"O": (5, 10)})
    _, (attempt,) = play(refused_on_the_way, "O-N1")
    assert (attempt.facts["answer"], attempt.facts["promoted"]) == (False, None)


def test_cf_4_4_a_promoted_piece_moves_by_the_promoted_row() -> None:
    where = position(white={"T": (1, 9)}, yellow={"A": (5, 11)}, promoted=[(YELLOW, "A")])
    _, (attempt,) = play(where, "A-SW2")
    assert attempt.facts["answer"] is True
    _, (attempt,) = play(where, "A-E1")
    assert (attempt.facts["answer"], attempt.facts["promoted"]) == (True, None)


# 5 The neutral piece


def test_cf_5_1_ending_on_z_takes_it_and_captures_its_holder() -> None:
    where = position(white={"A": (9, 9)}, yellow={"H": (6, 5)})
    after, (attempt,) = play(where, "H-N1")
    assert (attempt.facts["text"], attempt.facts["took_z"]) == ("H-N1xZ", True)
    assert after.board.holder() == after.board.piece(YELLOW, "H")
    held = position(white={"T": (6, 6), "A": (9, 9)}, yellow={"H": (6, 5)})
    after, (attempt,) = play(held, "H-N1")
    assert attempt.facts["text"] == "H-N1xTxZ"
    assert after.board.captured[WHITE] == ("T",)
    assert after.board.holder() == after.board.piece(YELLOW, "H")


def test_cf_5_2_the_holder_may_leave_z_behind() -> None:
    where = position(white={"A": (9, 9)}, yellow={"H": (6, 6)})
    after, _ = play(where, "H-N1")
    assert (after.board.z, after.board.holder()) == ((6, 6), None)


def test_cf_5_2_the_holder_may_move_with_z_capturing_as_usual() -> None:
    where = position(white={"T": (6, 8), "A": (9, 9)}, yellow={"H": (6, 6)})
    after, (attempt,) = play(where, "HZ-N2")
    assert attempt.facts["text"] == "HZ-N2xT"
    assert after.board.z == (6, 8)
    assert after.board.holder() == after.board.piece(YELLOW, "H")


@pytest.mark.parametrize(
    ("text", "canonical", "to"),
    [
        ("Z-N2", "Z-N2>L", (YELLOW, "L")),
        ("Z-E2", "Z-E2>T", (WHITE, "T")),
        ("Z-W1", "Z-W1", None),
    ],
)
def test_cf_5_2_z_may_be_passed_to_any_piece_or_to_nobody_and_captures_nothing(
    text: str, canonical: str, to: tuple[str, str] | None
) -> None:
    where = position(white={"T": (8, 6), "A": (9, 9)}, yellow={"H": (6, 6), "L": (6, 8)})
    after, (attempt,) = play(where, text)
    assert attempt.facts["text"] == canonical
    assert attempt.facts["letter"] == "H"
    assert len(after.board.pieces) == 4
    holder = after.board.holder()
    assert (holder and (holder.seat, holder.letter)) == to
    assert (attempt.facts["passed_seat"], attempt.facts["passed_to"]) == (to or (None, ""))


def test_cf_5_2_a_pass_goes_over_no_piece() -> None:
    where = position(white={"T": (6, 7)}, yellow={"H": (6, 6)})
    assert refused(where, "Z-N2") == "the white T on (6,7) stands in the way of Z"


@pytest.mark.parametrize("text", ["H-NE1", "HZ-NE1", "Z-NE1"])
def test_cf_5_3_each_way_is_an_attempt_that_the_holders_type_answers(text: str) -> None:
    where = position(white={"A": (9, 9)}, yellow={"H": (6, 6)})
    after, (attempt,) = play(where, text)
    assert attempt.facts["answer"] is False
    assert (after.board.z, after.board.pieces) == (where.board.z, where.board.pieces)
    assert after.board.to_move == WHITE
    yes = text.replace("NE", "N")
    assert play(where, yes)[1][0].facts["answer"] is True


def test_cf_5_4_z_alone_blocks_and_under_a_piece_it_moves_and_blocks_with_it() -> None:
    alone = position(yellow={"C": (6, 5)})
    assert refused(alone, "C-N2", "CF-5.4") == "Z on (6,6) stands in the way of C"
    held = position(white={"T": (6, 6)}, yellow={"C": (6, 5)})
    assert refused(held, "C-N2") == "the white T on (6,6) stands in the way of C"
    gone = position(white={"A": (9, 9)}, yellow={"C": (6, 5)}, z=(1, 1))
    assert play(gone, "C-N2")[1][0].facts["answer"] is True


# 6 The end


def test_cf_6_1_holding_z_on_the_far_rank_wins_after_one_turn_without_capture() -> None:
    where = position(white={"L": (1, 9), "A": (9, 5)}, yellow={"H": (6, 10)}, z=(6, 10))
    where, happenings = play(where, "HZ-N1")
    assert where.board.threat == (YELLOW, "H")
    assert [happening.code for happening in happenings] == ["attempted"]
    where, happenings = play(where, "A-S1")
    assert [happening.code for happening in happenings] == ["attempted", "ended", "revealed"]
    assert where.board.result == Result(YELLOW, "by holding Z on the opponent's first rank")
    assert CONFUSION.rules.due(where) == {}


def test_cf_6_1_a_refused_attempt_uses_up_the_one_turn() -> None:
    where = position(white={"O": (6, 9)}, yellow={"H": (6, 10)}, z=(6, 10))
    where, _ = play(where, "HZ-N1", "O-N1")
    assert CONFUSION.rules.result(where) is not None


def test_cf_6_1_capturing_the_holder_lets_the_game_go_on() -> None:
    where = position(white={"L": (5, 11)}, yellow={"H": (6, 10), "C": (1, 1)}, z=(6, 10))
    where, happenings = play(where, "HZ-N1", "L-E1")
    assert happenings[-1].facts["text"] == "L-E1xHxZ"
    assert where.board.result is None
    assert where.board.threat is None
    holder = where.board.holder()
    assert holder is not None
    assert holder.seat == WHITE


def test_cf_6_1_white_wins_on_rank_1() -> None:
    where = position(white={"H": (6, 2)}, yellow={"L": (1, 9)}, z=(6, 2), to_move=WHITE)
    where, _ = play(where, "HZ-S1", "L-N1")
    result = where.board.result
    assert result is not None
    assert result.winner == WHITE


def test_cf_6_1_ones_own_first_rank_wins_nothing() -> None:
    where = position(white={"L": (1, 9)}, yellow={"H": (6, 2)}, z=(6, 2))
    where, _ = play(where, "HZ-S1", "L-S1")
    assert where.board.result is None


def test_cf_6_2_taking_z_by_a_move_counts() -> None:
    where = position(white={"L": (1, 9)}, yellow={"H": (5, 11)}, z=(6, 11))
    where, _ = play(where, "H-E1xZ")
    assert where.board.threat == (YELLOW, "H")


def test_cf_6_2_ones_own_pass_counts() -> None:
    where = position(white={"L": (1, 9)}, yellow={"H": (6, 9), "C": (6, 11)}, z=(6, 9))
    where, _ = play(where, "Z-N2>C")
    assert where.board.threat == (YELLOW, "C")


def test_cf_6_2_a_pass_by_the_opponent_counts_after_ones_own_turn() -> None:
    where = position(
        white={"H": (6, 9), "A": (9, 9)}, yellow={"C": (6, 11), "L": (1, 1)}, z=(6, 9), to_move=WHITE
    )
    where, _ = play(where, "Z-N2>C", "L-N1", "A-S1")
    assert where.board.result == Result(YELLOW, "by holding Z on the opponent's first rank")


@pytest.mark.parametrize(
    "result", [Result(WHITE, "by resignation"), Result(None, "by agreement"), Result(YELLOW, "on time")]
)
def test_cf_6_3_a_game_may_end_off_the_board_and_shows_all_types_to_both(result: Result) -> None:
    where, _ = opened()
    happenings = conclude(where, result)
    assert [(happening.code, happening.heard_by) for happening in happenings] == [
        ("ended", BOTH),
        ("revealed", BOTH),
    ]
    for happening in happenings:
        where = fold_position(where, happening)
    assert CONFUSION.rules.result(where) == result
    assert CONFUSION.rules.due(where) == {}
    assert conclude(where, result) == ()


# 11 Decided here


@pytest.mark.parametrize(
    ("line", "reason", "meant"),
    [
        ("H-N2xS", "there is nothing to capture: no white S stands on (6,8)", "H-N2"),
        ("H-NW1xS", "on (5,7) stands the white T, not the S", "H-NW1xT"),
        ("H-N2xZ", "Z is not on (6,8)", "H-N2"),
        ("HZ-N1xZ", "H has Z with it already", "HZ-N1"),
        ("Z-N1>T", "there is no T on (6,7) to pass Z to", "Z-N1"),
        ("H-N1+", "(6,7) is not on rank 11, so nothing is promoted there", "H-N1"),
        ("A-N1+", "A is promoted already", "A-N1"),
    ],
)
def test_cf_11_1_a_tail_that_contradicts_the_position_is_refused(line: str, reason: str, meant: str) -> None:
    where = position(white={"T": (5, 7)}, yellow={"H": (6, 6), "A": (3, 10)}, promoted=[(YELLOW, "A")])
    assert refused(where, line, "CF-11.1") == reason
    assert read(where, line).faults[0].suggestion == meant


def test_cf_11_1_a_missing_tail_is_fine_and_filled_in() -> None:
    where = position(white={"T": (6, 6)}, yellow={"H": (6, 5), "K": (3, 10)})
    assert read(where, "H-N1").orders == (move("H-N1xTxZ"),)
    # Whether it promotes is not for the writer to say: a plus on the far rank is neither asked for nor believed.
    assert read(where, "K-N1+").orders == read(where, "K-N1").orders == (move("K-N1"),)


def test_cf_11_2_after_the_opponents_pass_ones_own_turn_comes_first() -> None:
    where = position(
        white={"H": (6, 9), "A": (9, 9)}, yellow={"C": (6, 11), "L": (1, 1)}, z=(6, 9), to_move=WHITE
    )
    where, _ = play(where, "Z-N2>C")
    assert where.board.threat is None
    where, _ = play(where, "L-N1")
    assert where.board.threat == (YELLOW, "C")
    assert where.board.result is None


def test_cf_11_2_a_holder_that_leaves_in_its_own_turn_threatens_nothing() -> None:
    where = position(
        white={"H": (6, 9), "A": (9, 9)}, yellow={"L": (6, 11), "C": (1, 1)}, z=(6, 9), to_move=WHITE
    )
    where, _ = play(where, "Z-N2>L", "L-E1", "A-S1")
    assert where.board.result is None


def test_cf_11_3_a_player_without_a_possible_attempt_passes() -> None:
    # In a table where nobody goes but forward, White's last piece stands at the end of its way.
    table = uniform_table(1, "F")
    where = position(white={"A": (3, 1)}, yellow={"C": (9, 3)}, table=table)
    assert not can_attempt(where.board, WHITE)
    where, happenings = play(where, "C-N1")
    assert [happening.code for happening in happenings] == ["attempted", "passed"]
    assert happenings[1].rule == "CF-11.3"
    assert [attempt.text for attempt in where.board.attempts] == ["C-N1", "pass"]
    assert where.board.to_move == YELLOW
    assert where.board.row == 2


def test_cf_11_3_a_passed_turn_is_the_one_turn_of_cf_6_1() -> None:
    where = position(white={"A": (3, 1)}, yellow={"C": (6, 10)}, z=(6, 10), table=uniform_table(1, "F"))
    where, happenings = play(where, "CZ-N1")
    assert [happening.code for happening in happenings] == ["attempted", "passed", "ended", "revealed"]
    assert where.board.result is not None
    assert where.board.result.winner == YELLOW


def test_cf_11_3_when_neither_side_can_move_the_game_is_drawn() -> None:
    where = position(white={"A": (3, 1)}, yellow={"C": (9, 10)}, table=uniform_table(1, "F"))
    where, happenings = play(where, "C-N1")
    assert [happening.code for happening in happenings] == ["attempted", "passed", "ended", "revealed"]
    assert where.board.result == Result(None, "because neither side can move")


def test_cf_11_3_a_player_who_cannot_even_begin_passes_at_once() -> None:
    happenings = opening({"first": "white"}, Chance(bytes(32)), uniform_table(1, "B"))
    # Behind A C E H K L stand N O P S T V, and behind these is the edge.
    assert [happening.code for happening in happenings] == [
        "began",
        "dealt",
        "dealt",
        "passed",
        "ended",
        "revealed",
    ]


def test_cf_11_4_repetition_ends_nothing_but_an_umpire_may_declare_a_draw() -> None:
    where = position(white={"L": (9, 9)}, yellow={"L": (2, 2)})
    there, back = ["L-N1", "L-N1"], ["L-S1", "L-S1"]
    where, _ = play(where, *(there + back) * 26)
    assert len(where.board.attempts) == 104
    assert where.board.result is None
    declared = Result(None, "declared drawn by the umpire")
    for happening in conclude(where, declared):
        where = fold_position(where, happening)
    assert where.board.result == declared


# What is due


def test_the_example_in_a_question_is_playable_and_the_same_for_every_deal() -> None:
    for secret in (1, 2, 3):
        where = opened(secret, first="white")[0]
        assert CONFUSION.rules.due(where)[WHITE].forms == ("A-S1",)
    where = position(white={"T": (8, 6)}, yellow={"H": (6, 6), "L": (2, 2)})
    forms = examples(where.board, YELLOW)
    assert forms == ("H-N1", "HZ-N1", "Z-N1")
    for form in forms:
        assert read(where, form).faults == ()


def test_every_move_counted_as_possible_is_let_pass_and_no_other() -> None:
    where = position(white={"T": (6, 8), "S": (7, 7)}, yellow={"H": (6, 6), "L": (6, 5), "A": (1, 11)})
    possible = list(possible_moves(where.board, YELLOW))
    assert len(possible) == len(set(possible))
    listed = {(move.letter, move.with_z, move.direction, move.length) for move in possible}
    for thing in ("H", "HZ", "Z", "L", "LZ", "A"):
        for direction in ("N", "NE", "E", "SE", "S", "SW", "W", "NW"):
            for length in range(1, 11):
                tried = move(f"{thing}-{direction}{length}")
                key = (tried.letter, tried.with_z, tried.direction, tried.length)
                taken = bool(read(where, f"{thing}-{direction}{length}").orders)
                assert taken == (key in listed), key
    assert default_table().farthest("F") == 4
