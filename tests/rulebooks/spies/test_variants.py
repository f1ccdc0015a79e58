"""The variants, in any combination (CF-10.11 to CF-10.13, CF-1.5)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random

import pytest

from referee.common.chance import Chance
from referee.rulebooks.confusion.compass import WHITE, Square, far_rank
from referee.rulebooks.confusion.table import default_table
from referee.rulebooks.rulebook import Question, Result, Seat
from referee.rulebooks.spies.adjudicate import adjudicate
from referee.rulebooks.spies.answering import BRIEFCASE_HELD, BRIEFCASE_HOME
from referee.rulebooks.spies.edition import BOTH, LETTERS, MOVE, RED, REVEAL, SEATS, SWAP, TOKENS, Variants
from referee.rulebooks.spies.notation import read_move, write_order
from referee.rulebooks.spies.options import check_options, opening
from referee.rulebooks.spies.orders import SetUp
from referee.rulebooks.spies.questions import due
from referee.rulebooks.spies.setting_up import usual
from tests.rulebooks.spies.games import game_by
from tests.rulebooks.spies.tables import (
    codes,
    facts,
    folded,
    heard_by,
    opened,
    play,
    position,
    read,
    refused,
    say,
    view_after,
    view_of,
)

AWAY = {"O": (9, 9), "T": (2, 8)}


def test_cf_1_5_x_begins_on_the_centre_file_of_the_first_rank() -> None:
    pieces = folded(opened(Variants())).table.board.pieces
    assert (pieces[6, 1].seat, pieces[6, 1].letter) == (RED, "X")
    assert (pieces[6, 11].seat, pieces[6, 11].letter) == (WHITE, "X")


# Code of honour


def test_cf_10_11_code_of_honour_has_twelve_spies_and_no_double_agent() -> None:
    where = folded(opening({"code-of-honour": "on"}, Chance(bytes(32)), default_table()))
    assert not where.table.board.pieces.get((6, 1))
    for seat in SEATS:
        assert sorted(where.deals[seat]) == sorted(LETTERS.replace("X", ""))
        assert sorted(where.deals[seat].values()) == list(range(1, 13))


def test_cf_10_11_by_the_code_of_honour_nobody_is_removed_or_answered_for() -> None:
    where = position(red={"L": (3, 3), "A": (5, 5)}, white=AWAY, code_of_honour=True)
    none = "by the code of honour there is no double agent in this game"
    assert refused(where, "#A", "CF-10.4") == none
    assert refused(where, "#x?", "CF-10.5") == none
    assert refused(where, "agent never", "CF-10.8") == none
    assert read(where, "?A").faults == ()


# Small world


def test_cf_10_11_in_a_small_world_the_outermost_files_are_out_of_play() -> None:
    where = position(red={"P": (2, 3), "L": (10, 5)}, white=AWAY, small_world=True)
    assert refused(where, "P-W1", "CF-4.2").startswith("P would leave the board")
    assert refused(where, "L-E1", "CF-4.2").startswith("L would leave the board")
    assert refused(where, "L-NE1", "CF-4.2").startswith("L would leave the board")
    assert read(where, "P-E1").faults == ()
    assert read(position(red={"P": (2, 3)}, white=AWAY), "P-W1").faults == ()


# Late contact


def test_cf_10_11_late_contact_gives_the_opponent_one_turn_and_then_wins() -> None:
    where = position(red={"L": (6, 10), "A": (3, 3)}, white=AWAY, z=(6, 10), late_contact=True)
    where, heard = play(where, "LZ-N1", "O-W1")
    assert codes(heard) == ["sealed", "attempted", "sealed"]
    assert where.table.board.threat == (RED, "L")
    where, heard = say(where, "A-N1")
    assert codes(heard) == ["attempted", "ended", "revealed"]
    assert where.table.board.result == Result(RED, BRIEFCASE_HELD)
    assert where.table.board.piece(RED, "A") is not None
    assert where.table.board.pieces[3, 3].letter == "A"


def test_cf_10_11_late_contact_is_saved_by_capture() -> None:
    where = position(
        red={"L": (6, 10), "A": (3, 3)}, white={"O": (9, 9), "K": (5, 11)}, z=(6, 10), late_contact=True
    )
    where, _ = play(where, "LZ-N1", "K-E1", "A-N1")
    assert where.table.board.result is None
    assert where.table.board.captured[RED] == ("L",)


def test_cf_10_11_late_contact_is_saved_by_either_attempt_of_two() -> None:
    where = position(
        red={"L": (6, 10), "A": (3, 3)}, white={"O": (9, 9), "K": (5, 11)}, z=(6, 10), late_contact=True
    )
    where, heard = play(where, "LZ-N1", "K-E1xL & O-W1", "A-N1")
    assert codes(heard) == ["sealed", "attempted", "sealed", "attempted", "attempted", "sealed"]
    assert where.table.board.result is None


def test_cf_10_11_late_contact_is_saved_by_removing_the_double_agent() -> None:
    where = position(red={"X": (6, 10), "A": (3, 3)}, white=AWAY, z=(6, 10), late_contact=True)
    where, _ = play(where, "XZ-N1", "allow; O-W1")
    assert where.table.board.threat == (RED, "X")
    where, _ = play(where, "A-N1")
    assert where.table.board.result == Result(RED, BRIEFCASE_HELD)
    where = position(red={"X": (6, 10), "A": (3, 3)}, white=AWAY, z=(6, 10), late_contact=True)
    where, _ = play(where, "XZ-N1", "allow; #x?; O-W1", "A-N1")
    assert where.table.board.result is None
    assert where.table.board.threat is None
    assert where.table.board.z == (6, 11)


def test_cf_10_11_a_pass_by_the_opponent_is_no_late_contact_yet() -> None:
    """As in CF-11.2: the holder's side must first have a turn of its own."""
    where = position(
        red={"A": (6, 11), "C": (2, 2)},
        white={"L": (6, 10), "O": (9, 9)},
        z=(6, 10),
        to_move=WHITE,
        late_contact=True,
    )
    where, heard = play(where, "Z-N1>A", "C-N1", "O-W1")
    assert codes(heard) == ["sealed", "attempted", "sealed", "attempted", "sealed"]
    assert where.table.board.threat == (RED, "A")
    assert play(where, "C-N1")[0].table.board.result == Result(RED, BRIEFCASE_HELD)


# Variable set-up


def squares_of(seat: Seat, where: Mapping[str, Square]) -> dict[str, Square]:
    return dict(where) if seat == RED else {at: (12 - file, 12 - rank) for at, (file, rank) in where.items()}


OWN = {letter: (3 + number % 7, 2 - number // 7) for number, letter in enumerate(LETTERS)}
"""Seven on the second rank, six on the first."""


def test_cf_10_11_both_arrange_their_spies_and_see_nothing_until_both_are_in() -> None:
    happenings = opened(Variants(variable_setup=True))
    where = folded(happenings)
    assert where.table.board.pieces == {}
    usually = write_order(usual(where.table.board.edition))
    assert due(where) == {seat: Question("set-up", (usually,)) for seat in SEATS}
    where, first = say(where, write_order(SetUp(OWN)), seat=WHITE)
    assert codes(first) == ["placed"]
    assert first[0].heard_by == frozenset((WHITE,))
    assert list(due(where)) == [RED]
    assert view_after([*happenings, *first], RED) == view_after(happenings, RED)
    assert view_of(where, WHITE).own.placed == squares_of(WHITE, OWN)
    where, second = say(where, usually, seat=RED)
    assert codes(second) == ["set-up"]
    assert second[0].heard_by == BOTH
    board = where.table.board
    assert {each.letter: at for at, each in board.pieces.items() if each.seat == WHITE} == squares_of(
        WHITE, OWN
    )
    assert board.pieces[6, 1].letter == "X"
    assert board.to_move == RED
    assert list(due(where)) == [RED]
    assert where.confided[WHITE].placed is None


def test_cf_10_11_a_set_up_that_was_given_stands_and_nobody_moves_before_both_are_in() -> None:
    where = folded(opened(Variants(variable_setup=True)))
    first = "first both sides arrange their spies; then the first turn begins"
    for line in ("A-N1", "#A", "allow", "pass", "?A", "A-N1 & C-N1"):
        assert refused(where, line, "CF-10.11") == first
    with pytest.raises(ValueError, match="turn"):
        adjudicate(where, RED, read_move("A-N1"))
    where, _ = say(where, write_order(SetUp(OWN)), seat=RED)
    again = "your set-up is in, and stands; the game begins when the other side's is in as well"
    assert refused(where, write_order(SetUp(OWN)), "CF-10.11", seat=RED) == again
    where, _ = say(where, write_order(SetUp(OWN)), seat=WHITE)
    over = "the spies are arranged already, and the game has begun"
    assert refused(where, write_order(SetUp(OWN)), "CF-10.11") == over
    usual_game = folded(opened(Variants()))
    fixed = "in this game the spies begin where they always do; nobody arranges them"
    assert refused(usual_game, write_order(SetUp(OWN)), "CF-10.11") == fixed


@pytest.mark.parametrize(
    ("slip", "squares"),
    [
        ("a letter is missing", {letter: at for letter, at in OWN.items() if letter != "X"}),
        (
            "eight stand on a rank",
            {letter: (2 + number % 8, 2 - number // 8) for number, letter in enumerate(LETTERS)},
        ),
        ("one stands on the third rank", {**OWN, "X": (3, 3)}),
        ("two stand on a square", {**OWN, "X": OWN["A"]}),
        (
            "on three files only are both ranks taken",
            {
                letter: ((1 + number, 2) if number < 7 else (5 + number - 7, 1))
                for number, letter in enumerate(LETTERS)
            },
        ),
    ],
)
def test_cf_10_11_a_set_up_keeps_to_its_limits(slip: str, squares: Mapping[str, Square]) -> None:
    where = folded(opened(Variants(variable_setup=True)))
    reading = read(where, write_order(SetUp(squares)), seat=RED)
    assert reading.orders == (), slip
    assert [fault.rule for fault in reading.faults] == ["CF-10.11"]


def test_cf_10_11_in_a_small_world_nobody_is_set_up_on_a_dark_file() -> None:
    on_the_edge = {**OWN, "X": (1, 1)}
    free = folded(opened(Variants(variable_setup=True)))
    small = folded(opened(Variants(variable_setup=True, small_world=True)))
    assert read(free, write_order(SetUp(on_the_edge)), seat=RED).faults == ()
    assert read(small, write_order(SetUp(on_the_edge)), seat=RED).orders == ()


def test_cf_10_11_instructions_may_be_given_while_the_spies_are_arranged() -> None:
    where = folded(opened(Variants(variable_setup=True)))
    where, _ = say(where, "agent as 5", seat=WHITE)
    where, _ = say(where, write_order(SetUp(OWN)), seat=WHITE)
    where, _ = say(where, write_order(SetUp(OWN)), seat=RED)
    assert where.confided[WHITE].instruction.number == 5


# Promotion, comrade


def test_cf_10_11_with_comrade_every_type_may_be_promoted_and_cf_10_12_says_so_with_the_move() -> None:
    where = position(red={"L": (3, 10), "A": (5, 5)}, white=AWAY, comrade=True)
    where, heard = play(where, "L-N1+", "O-W1")
    (attempt,) = facts(heard, "attempted")
    assert (attempt["text"], attempt["promoted"]) == ("L-N1+", True)
    assert where.table.board.pieces[3, 11].promoted
    assert where.table.cleared[RED] == {"L"}


def test_cf_10_11_who_declines_is_asked_again_on_another_square_or_after_leaving() -> None:
    where = position(red={"L": (3, 10), "A": (5, 5)}, white=AWAY, comrade=True)
    where, heard = play(where, "L-N1", "O-W1")
    assert facts(heard, "attempted")[0]["promoted"] is None
    assert not where.table.board.pieces[3, 11].promoted
    along, _ = play(where, "L-E1+", "O-E1")
    assert along.table.board.pieces[4, 11].promoted
    back, _ = play(where, "L-S1", "O-E1", "L-N1+", "O-W1")
    assert back.table.board.pieces[3, 11].promoted


def test_cf_10_11_types_that_promote_may_decline_too() -> None:
    where = position(red={"A": (3, 10)}, white=AWAY, comrade=True)
    where, _ = play(where, "A-N1", "O-W1")
    assert not where.table.board.pieces[3, 11].promoted


def test_cf_10_11_a_double_agent_who_accepts_is_unmasked_and_the_briefcase_changes_hands() -> None:
    white = {"O": (9, 9), "C": (2, 8), "T": (1, 8)}
    where = position(red={"X": (3, 10), "A": (5, 5)}, white=white, z=(5, 5), comrade=True)
    where, heard = play(where, "X-N1+", "allow; O-W1")
    assert codes(heard) == ["sealed", "answering", "attempted", "unmasked", "sealed"]
    assert facts(heard, "attempted")[0]["promoted"] is None
    assert facts(heard, "unmasked")[0] == {"row": 1, "seat": RED, "letter": "X", "taken_by": "C"}
    assert where.table.board.piece(RED, "X") is None
    assert where.table.removed[RED] == ("X",)
    assert where.table.unmasked == {RED: "X"}
    holder = where.table.board.holder()
    assert holder is not None
    assert (holder.seat, holder.letter) == (WHITE, "C")


def test_cf_10_11_the_opponent_may_decline_the_briefcase() -> None:
    where = position(red={"X": (3, 10), "A": (5, 5)}, white=AWAY, z=(5, 5), comrade=True)
    where, heard = play(where, "X-N1+", "allow without Z; O-W1")
    assert facts(heard, "unmasked")[0]["taken_by"] is None
    holder = where.table.board.holder()
    assert holder is not None
    assert (holder.seat, holder.letter) == (RED, "A")


def test_cf_10_11_what_the_double_agent_captured_on_arriving_stays_captured() -> None:
    where = position(red={"X": (3, 10), "A": (5, 5)}, white={"C": (3, 11), "T": (2, 8)}, comrade=True)
    where, heard = play(where, "X-N1+", "allow; T-SE1")
    assert facts(heard, "unmasked")[0]["taken_by"] == "T"
    assert where.table.board.captured[WHITE] == ("C",)


def test_cf_10_11_where_no_spy_lives_the_briefcase_stays() -> None:
    where = position(red={"X": (3, 10), "A": (5, 5)}, white={"C": (3, 11)}, comrade=True)
    where, heard = play(where, "X-N1+", "allow; pass")
    assert facts(heard, "unmasked")[0]["taken_by"] is None
    assert where.table.board.z == (6, 6)


def test_cf_10_11_a_denied_double_agent_is_not_unmasked() -> None:
    where = position(red={"X": (3, 10), "A": (5, 5)}, white=AWAY, comrade=True)
    where, heard = play(where, "X-N1+", "deny; O-W1")
    assert codes(heard) == ["sealed", "answering", "attempted", "sealed"]
    assert facts(heard, "attempted")[0]["text"] == "X-N1+"
    where, heard = play(where, "X-N1", "allow; O-E1")
    assert codes(heard) == ["attempted", "sealed", "answering", "attempted", "sealed"]
    assert where.table.unmasked == {}


def test_cf_10_11_who_is_given_the_briefcase_at_home_has_won() -> None:
    white = {"C": (4, 1), "T": (2, 8)}
    where = position(red={"X": (3, 10), "A": (5, 5)}, white=white, comrade=True)
    where, heard = play(where, "X-N1+", "allow; T-SE1")
    assert codes(heard)[-4:] == ["attempted", "unmasked", "ended", "revealed"]
    assert where.table.board.result == Result(WHITE, BRIEFCASE_HOME)


def test_cf_10_11_comrade_and_late_contact_the_threat_goes_with_the_briefcase() -> None:
    """The unmasked double agent brought Z home, but loses it before it counts."""
    where = position(red={"X": (6, 10), "A": (5, 5)}, white=AWAY, z=(6, 10), comrade=True, late_contact=True)
    where, heard = play(where, "XZ-N1+", "allow; T-S1", "A-N1")
    assert codes(heard)[2:4] == ["attempted", "unmasked"]
    assert where.table.board.result is None
    assert where.table.board.threat is None
    assert where.table.board.pieces[where.table.board.z].letter == "O"


def test_cf_10_11_nothing_but_capture_or_removal_saves_from_late_contact() -> None:
    """White's own double agent is unmasked, and the briefcase moves to Red's first spy: the holder at home lives on."""
    where = position(
        red={"L": (6, 10), "A": (3, 3)},
        white={"X": (9, 2), "O": (9, 9)},
        z=(6, 10),
        comrade=True,
        late_contact=True,
    )
    where, _ = play(where, "LZ-N1", "X-S1+")
    where, heard = play(where, "allow; A-N1")
    assert codes(heard) == ["answering", "attempted", "unmasked", "ended", "revealed"]
    assert where.table.board.result == Result(RED, BRIEFCASE_HELD)


# 10.12 The wish


def test_cf_10_12_a_wish_is_refused_where_nothing_is_promoted() -> None:
    where = position(red={"L": (3, 9), "A": (5, 11)}, white=AWAY, comrade=True, promoted=[(RED, "A")])
    far = f"(3,10) is not on rank {far_rank(RED)}, so nothing is promoted there"
    assert refused(where, "L-N1+", "CF-11.1") == far
    assert refused(where, "A-W1+", "CF-11.1") == "A is promoted already"


def test_cf_10_12_without_comrade_the_plus_is_no_wish() -> None:
    where = position(red={"L": (3, 10)}, white=AWAY)
    assert read(where, "L-N1+").orders == (read_move("L-N1"),)
    comrade = position(red={"L": (3, 10)}, white=AWAY, comrade=True)
    assert read(comrade, "L-N1+").orders == (read_move("L-N1+"),)


def test_cf_10_12_a_wish_is_sealed_with_the_move() -> None:
    where = position(red={"L": (3, 10)}, white=AWAY, comrade=True)
    where, (sealed,) = play(where, "L-N1+")
    assert sealed.facts["tries"] == ["L-N1+"]


# 10.13 Options


def test_cf_10_13_the_options_have_these_names() -> None:
    options = {
        "code-of-honour": "on",
        "small-world": "on",
        "late-contact": "on",
        "variable-setup": "on",
        "comrade": "on",
        "tokens.white": "reveal,move,swap",
        "tokens.red": "move",
    }
    assert list(check_options(options)) == []
    table = folded(opening(options, Chance(bytes(32)), default_table())).table
    variants = table.variants
    assert variants.code_of_honour
    assert variants.small_world
    assert variants.late_contact
    assert variants.variable_setup
    assert variants.comrade
    assert table.tokens == {WHITE: {REVEAL, MOVE, SWAP}, RED: {MOVE}}


@pytest.mark.parametrize("switches", list(product((False, True), repeat=5)), ids=str)
def test_cf_10_13_any_combination_can_be_played(switches: tuple[bool, bool, bool, bool, bool]) -> None:
    variants = Variants(*switches, dict.fromkeys(SEATS, frozenset(TOKENS)))
    happenings = game_by(Random(str(switches)), variants, 8)
    where = folded(happenings)
    assert len(where.table.board.attempts) >= 3
    for seat in SEATS:
        assert view_after(happenings, seat) == view_of(where, seat)
        assert heard_by(happenings, seat) != happenings
