"""Turns, the double agent, the end: CF-10.1 to CF-10.3, CF-10.6, CF-10.7, and passing (CF-11.3)."""

from __future__ import annotations

import pytest

from referee.common.chance import Chance
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.confusion.table import default_table
from referee.rulebooks.rulebook import Result
from referee.rulebooks.spies.adjudicate import adjudicate, conclude
from referee.rulebooks.spies.answering import BRIEFCASE_HELD, BRIEFCASE_HOME, NO_MOVE_LEFT
from referee.rulebooks.spies.edition import BOTH, LETTERS, RED, SEATS, Variants
from referee.rulebooks.spies.fold import fold_view
from referee.rulebooks.spies.happenings import dealt
from referee.rulebooks.spies.notation import read_move
from referee.rulebooks.spies.options import opening
from referee.rulebooks.spies.outlook import outlook
from referee.rulebooks.spies.questions import due
from tests.rulebooks.confusion.boards import uniform_table
from tests.rulebooks.spies.tables import (
    by_the_clock,
    codes,
    facts,
    folded,
    opened,
    play,
    position,
    read,
    refused,
    say,
    view_of,
)

# 10.1 Thirteen spies


def test_cf_10_1_each_side_has_thirteen_spies_and_white_sits_north() -> None:
    board = folded(opened(Variants())).table.board
    for seat, ranks in ((RED, {1, 2}), (WHITE, {10, 11})):
        spies = [piece for piece in board.pieces.values() if piece.seat == seat]
        assert sorted(piece.letter for piece in spies) == sorted(LETTERS)
        assert {piece.square[1] for piece in spies} == ranks
    assert board.z == (6, 6)
    assert board.holder() is None


def test_cf_10_1_thirteen_discs_are_dealt_and_only_the_opponent_sees_them() -> None:
    happenings = opening({}, Chance(bytes(32)), default_table())
    where = folded(happenings)
    for seat in SEATS:
        assert sorted(where.deals[seat].values()) == list(range(1, 14))
        assert dealt(seat, where.deals[seat]).heard_by == frozenset(SEATS) - {seat}
        view = fold_view([each for each in happenings if seat in each.heard_by], seat)
        assert view.own_types is None
        assert view.opponent_types == where.deals[where.table.board.edition.other(seat)]


def test_cf_10_1_captures_z_and_promotion_are_as_in_confusion() -> None:
    where = position(red={"L": (6, 5), "A": (3, 10)}, white={"K": (6, 6), "O": (9, 9)})
    where, heard = play(where, "L-N1", "O-W1", "A-N1", "O-E1", "L-N1")
    taken, _, promoted, _ = facts(heard, "attempted")
    assert (taken["text"], taken["captured"], taken["took_z"]) == ("L-N1xKxZ", "K", True)
    assert (promoted["text"], promoted["promoted"]) == ("A-N1+", True)
    assert where.table.board.pieces[3, 11].promoted
    assert where.table.cleared[RED] == {"A"}


# 10.2 The end


def test_cf_10_2_victory_is_immediate_and_the_move_that_opens_it_is_void() -> None:
    where = position(red={"L": (6, 10)}, white={"A": (2, 8), "O": (9, 9)}, z=(6, 10))
    where, ordered = say(where, "LZ-N1")
    assert codes(ordered) == ["sealed"]
    where, heard = say(where, "#A", "O-W1")
    assert codes(heard) == ["intended", "attempted", "ended", "revealed"]
    assert where.table.board.result == Result(RED, BRIEFCASE_HOME)
    assert {each.heard_by for each in heard[1:]} == {BOTH}
    assert where.table.board.piece(WHITE, "A") is not None
    assert where.table.board.pieces[9, 9].letter == "O"
    assert due(where) == {}
    assert refused(where, "O-W1", "CF-6.1", seat=WHITE) == "the game is over"


def test_cf_10_2_where_the_game_ends_by_what_waits_any_closing_order_will_do() -> None:
    where, _ = play(position(red={"L": (6, 10)}, white={"A": (2, 8)}, z=(6, 10)), "LZ-N1")
    for line in ("A-N4", "X-S1", "pass", "A-S1 & X-S1"):
        assert read(where, line).faults == (), line
        assert say(where, line)[0].table.board.result == Result(RED, BRIEFCASE_HOME)


def test_cf_10_2_it_does_not_matter_how_the_briefcase_came_to_the_far_rank() -> None:
    own = position(red={"L": (6, 10), "A": (6, 11)}, white={"O": (9, 9)}, z=(6, 10))
    assert play(own, "Z-N1>A", "O-W1")[0].table.board.result == Result(RED, BRIEFCASE_HOME)
    theirs = position(red={"A": (6, 11), "C": (2, 2)}, white={"L": (6, 10)}, z=(6, 10), to_move=WHITE)
    after, heard = play(theirs, "Z-N1>A", "C-N1")
    assert codes(heard) == ["sealed", "attempted", "ended", "revealed"]
    assert after.table.board.result == Result(RED, BRIEFCASE_HOME)


def test_cf_10_2_a_refused_homecoming_wins_nothing() -> None:
    where = position(red={"O": (6, 10)}, white={"A": (2, 8)}, z=(6, 10))
    where, heard = play(where, "OZ-N1", "A-S1")
    assert facts(heard, "attempted")[0]["answer"] is False
    assert where.table.board.result is None


def test_cf_10_2_an_end_off_the_board_opens_the_seal_first() -> None:
    where, _ = play(position(red={"L": (6, 10)}, white={"A": (2, 8)}, z=(6, 10)), "LZ-N1")
    heard = conclude(where, Result(WHITE, "by resignation"))
    assert codes(heard) == ["attempted", "ended", "revealed"]
    assert facts(heard, "ended")[0]["winner"] == RED
    where, _ = play(position(red={"O": (6, 10)}, white={"A": (2, 8)}, z=(6, 10)), "OZ-N1")
    heard = conclude(where, Result(WHITE, "by resignation"))
    assert codes(heard) == ["attempted", "ended", "revealed"]
    assert facts(heard, "ended")[0]["how"] == "by resignation"
    assert conclude(play(where, "A-S1", "O-E1")[0], Result(None, "by agreement"))[-1].code == "revealed"


def test_cf_10_2_nothing_is_concluded_twice() -> None:
    where, _ = play(position(red={"L": (6, 10)}, white={"A": (2, 8)}, z=(6, 10)), "LZ-N1", "A-S1")
    assert conclude(where, Result(WHITE, "by resignation")) == ()
    with pytest.raises(ValueError, match="over"):
        adjudicate(where, RED, read_move("L-S1"))


def test_cf_10_2_the_briefcase_at_home_wins_before_anybody_is_asked_about_promotion() -> None:
    where = position(red={"X": (6, 10)}, white={"A": (2, 8)}, z=(6, 10), comrade=True)
    where, heard = play(where, "XZ-N1+", "allow; A-S1")
    assert codes(heard) == ["sealed", "answering", "attempted", "ended", "revealed"]
    assert where.table.unmasked == {}
    assert where.table.board.result == Result(RED, BRIEFCASE_HOME)


# 10.3 The double agent


def test_cf_10_3_the_opponent_answers_for_the_double_agent_and_may_contradict_himself() -> None:
    where = position(red={"X": (3, 3)}, white={"O": (9, 9)})
    where, heard = play(
        where, "X-N1", "deny; O-W1", "X-N1", "allow; O-E1", "X-E2", "allow; O-W1", "X-N1", "deny; O-E1"
    )
    answers = [each["answer"] for each in facts(heard, "attempted") if each["seat"] == RED]
    assert answers == [False, True, True, False]
    assert where.table.board.pieces[5, 4].letter == "X"


def test_cf_10_3_the_double_agent_is_bound_by_what_some_disc_could_do() -> None:
    where = position(red={"X": (3, 3)}, white={"O": (9, 9)})
    assert refused(where, "X-E3", "CF-4.2").startswith("no type goes 3 squares east")
    assert refused(where, "XZ-N1", "CF-5.2") == "X does not hold Z"


def test_cf_10_3_what_was_said_stands() -> None:
    where = position(red={"X": (3, 3)}, white={"O": (9, 9)})
    where, _ = play(where, "X-N1")
    where, _ = say(where, "allow")
    assert refused(where, "deny", "CF-10.3") == "you have said allow already, and that stands"
    assert read(where, "allow").faults == ()
    assert say(where, "O-W1")[0].table.board.pieces[3, 4].letter == "X"


def test_cf_10_3_only_an_attempt_of_the_double_agent_is_answered_by_the_player() -> None:
    where = position(red={"X": (3, 3), "L": (5, 5)}, white={"O": (9, 9)})
    nothing = "no attempt of the opponent's double agent waits for an answer of yours"
    assert refused(where, "allow", "CF-10.3") == nothing
    where, _ = play(where, "L-N1")
    assert refused(where, "deny", "CF-10.3") == nothing


def test_cf_10_3_nobody_is_asked_about_an_attempt_that_lapses() -> None:
    """The King goes no two squares, so the double agent behind him never moves."""
    where = position(red={"X": (2, 3), "L": (3, 3)}, white={"O": (9, 9)})
    where, _ = play(where, "L-N2 & X-E1")
    assert outlook(view_of(where)).asked is None
    where, heard = play(where, "O-W1")
    assert codes(heard) == ["attempted", "lapsed", "sealed"]
    allowed = position(red={"X": (2, 3), "L": (3, 3)}, white={"O": (9, 9)})
    allowed, _ = play(allowed, "L-N1 & X-E1")
    assert outlook(view_of(allowed)).asked == read_move("X-E1")


def test_cf_10_3_a_double_agent_who_holds_the_briefcase_is_asked_about_whatever_he_does_with_it() -> None:
    for order in ("X-N1", "XZ-N1", "Z-N1"):
        where, _ = play(position(red={"X": (3, 3)}, white={"O": (9, 9)}, z=(3, 3)), order)
        assert outlook(view_of(where)).asked == read_move(order)


def test_cf_10_3_a_double_agent_on_the_far_rank_is_not_promoted() -> None:
    where = position(red={"X": (3, 10)}, white={"O": (9, 9)})
    _, heard = play(where, "X-N1", "allow; O-W1")
    assert facts(heard, "attempted")[0]["promoted"] is False


# 10.6, 10.7


def test_cf_10_6_a_removed_spy_leaves_the_briefcase_uncontrolled_on_its_square() -> None:
    where = position(red={"A": (3, 3), "L": (5, 5)}, white={"O": (9, 9)}, z=(3, 3))
    where, _ = play(where, "#A; L-N1")
    assert where.table.board.holder() is None
    assert where.table.board.z == (3, 3)
    where = position(red={"X": (3, 3), "L": (5, 5)}, white={"O": (9, 9)}, z=(3, 3), to_move=WHITE)
    where, _ = play(where, "#x?; O-W1")
    assert where.table.board.holder() is None
    assert where.table.board.z == (3, 3)


def test_cf_10_7_the_double_agent_wins_for_his_owner_by_bringing_the_briefcase_home() -> None:
    where = position(red={"X": (6, 10)}, white={"A": (2, 8)}, z=(6, 10))
    home, _ = play(where, "XZ-N1", "allow; A-S1")
    assert home.table.board.result == Result(RED, BRIEFCASE_HOME)
    kept_out, _ = play(where, "XZ-N1", "deny; A-S1")
    assert kept_out.table.board.result is None


# Turns


def test_cf_4_1_a_turn_is_one_attempt_and_nobody_moves_out_of_turn() -> None:
    where = position(red={"L": (3, 3)}, white={"A": (2, 8)})
    reading = read(where, "L-N1", "l n 1", "L-E1")
    assert reading.orders == (read_move("L-N1"),)
    assert [fault.code for fault in reading.faults] == ["one-attempt"]
    assert refused(where, "A-S1", "CF-4.1", seat=WHITE) == "it is Red's turn, not yours"
    with pytest.raises(ValueError, match="turn"):
        adjudicate(where, WHITE, read_move("A-S1"))
    with pytest.raises(ValueError, match="no type goes"):
        adjudicate(where, RED, read_move("L-E3"))


def test_cf_4_2_a_spy_that_is_gone_makes_no_attempt_and_the_reason_is_said() -> None:
    where = position(red={"L": (3, 3), "A": (9, 2)}, white={"T": (3, 4), "O": (9, 9), "C": (1, 9)})
    where, _ = play(where, "L-N1xT")
    assert refused(where, "T-S1", "CF-4.2") == "T was captured in row 1"
    where, _ = play(where, "O-W1", "#A; L-N1", "O-E1")
    assert refused(where, "A-N1", "CF-4.2") == "A is not in the game any more"
    honour = position(red={"L": (3, 3)}, white={"A": (2, 8)}, code_of_honour=True)
    assert refused(honour, "X-N1", "CF-4.2").startswith("there is no piece X; the letters are A C E")


def test_cf_11_3_only_who_has_nothing_to_attempt_passes() -> None:
    forward = uniform_table(1, "F")
    where = position(red={"A": (6, 11), "C": (2, 2)}, white={"A": (5, 1)}, table=forward)
    assert refused(where, "pass", "CF-11.3") == "nobody passes who has something to attempt"
    where = position(red={"A": (6, 11)}, white={"A": (5, 1), "C": (4, 5)}, table=forward)
    assert due(where)[RED].forms == ("pass",)
    where, heard = play(where, "pass", "C-S1")
    assert codes(heard) == ["sealed", "passed", "sealed"]
    assert due(where)[RED].forms == ("pass",)


def test_cf_11_3_when_neither_side_has_anything_to_attempt_the_game_is_drawn() -> None:
    forward = uniform_table(1, "F")
    where = position(red={"A": (6, 11)}, white={"A": (5, 1)}, table=forward)
    where, heard = play(where, "pass", "pass", "pass")
    assert codes(heard) == ["sealed", "passed", "sealed", "passed", "ended", "revealed"]
    assert where.table.board.result == Result(None, NO_MOVE_LEFT)


def test_cf_11_3_two_passes_are_no_draw_where_one_had_to_spare_the_spy_that_was_shown_to_him() -> None:
    forward = uniform_table(1, "F")
    where = position(red={"A": (3, 3)}, white={"A": (5, 1)}, table=forward)
    where, _ = say(where, "?A")
    assert refused(where, "A-N1", "CF-10.9") == "A was shown to you in this turn, so another spy moves"
    where, heard = play(where, "pass", "pass", "A-N1")
    assert codes(heard) == ["sealed", "passed", "sealed", "passed", "sealed"]
    assert where.table.board.result is None


def test_cf_11_3_who_has_no_spy_left_passes_and_the_other_plays_on() -> None:
    where = position(red={"A": (3, 3)}, white={"O": (9, 9)})
    where, _ = play(where, "#A; pass", "O-W1", "pass", "O-E1")
    assert due(where)[RED].forms == ("pass",)
    assert where.table.board.result is None


def test_cf_6_1_late_contact_wins_by_a_pass_as_well() -> None:
    """The red holder stands at home, and White can do nothing about it."""
    where = position(
        red={"L": (6, 10)}, white={"A": (5, 1)}, z=(6, 10), table=uniform_table(1, "F"), late_contact=True
    )
    where, heard = play(where, "LZ-N1", "pass", "pass")
    assert codes(heard)[-3:] == ["passed", "ended", "revealed"]
    assert where.table.board.result == Result(RED, BRIEFCASE_HELD)


def test_cf_5_3_what_is_done_with_the_briefcase_is_answered_by_its_holder() -> None:
    where = position(red={"O": (6, 6), "L": (7, 7)}, white={"A": (2, 8)})
    where, heard = play(where, "Z-N1", "A-S1", "Z-NE1>L", "A-S1", "LZ-N1", "A-S1")
    answers = [each["answer"] for each in facts(heard, "attempted") if each["seat"] == RED]
    assert answers == [False, True, True]
    assert where.table.board.z == (7, 8)


def test_cf_10_8_nothing_is_opened_where_nothing_waits() -> None:
    assert by_the_clock(position(red={"O": (6, 6)}, white={"A": (2, 8)}))[1] == []
