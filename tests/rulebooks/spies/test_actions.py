"""What goes before a move: both eliminations and the action tokens (CF-10.4, CF-10.5, CF-10.9, CF-10.10)."""

from __future__ import annotations

import pytest

from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.spies.allowed import action_fault
from referee.rulebooks.spies.edition import BOTH, MOVE, RED, REVEAL, SWAP, Variants
from referee.rulebooks.spies.notation import read_move
from referee.rulebooks.spies.orders import Double, Eliminate, Reveal, Swap, Unmask
from referee.rulebooks.spies.position import Taken
from referee.rulebooks.spies.questions import due
from tests.rulebooks.spies.tables import (
    ALL_TOKENS,
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

HOME = {"L": (3, 3), "A": (5, 5), "X": (8, 2)}
AWAY = {"O": (9, 9), "T": (2, 8), "X": (5, 11)}

# 10.4 Removing an own spy


def test_cf_10_4_a_player_removes_one_of_his_own_spies_and_still_moves() -> None:
    where = position(red=HOME, white=AWAY)
    where, confided = say(where, "#A")
    assert [each.heard_by for each in confided] == [frozenset((RED,))]
    assert where.table.board.piece(RED, "A") is not None
    where, heard = say(where, "L-N1")
    assert codes(heard) == ["sealed"]
    assert heard[0].heard_by == BOTH
    assert where.table.board.piece(RED, "A") is None
    assert where.table.removed[RED] == ("A",)
    assert where.table.taken == (Taken(1, RED, Eliminate("A")),)
    assert where.table.unmasked == {}
    assert "types" not in heard[0].facts
    assert where.table.sealed is not None
    assert where.table.sealed.tries == (read_move("L-N1"),)


def test_cf_10_4_one_spy_a_turn_and_again_in_later_turns() -> None:
    where = position(red=HOME, white=AWAY)
    where, _ = say(where, "#A")
    reason = "only one thing goes before the move of a turn, and eliminate A stands already"
    assert refused(where, "#L", "CF-10.4") == reason
    assert read(where, "#A").faults == ()
    where, _ = play(where, "L-N1", "O-W1")
    where, _ = play(where, "#X; L-N1", "O-E1")
    assert where.table.removed[RED] == ("A", "X")


def test_cf_10_4_only_a_living_own_spy_is_removed() -> None:
    where = position(red=HOME, white={**AWAY, "K": (3, 4)})
    assert refused(where, "#C", "CF-10.4") == "C is not in the game any more"
    where, _ = play(where, "L-N1xK")
    assert refused(where, "#K", "CF-10.4") == "K was captured in row 1"


def test_cf_10_4_what_is_removed_makes_no_move_and_stands_in_no_way() -> None:
    where = position(red={"L": (3, 3), "K": (3, 2), "X": (8, 2)}, white=AWAY)
    assert refused(where, "K-N1", "CF-4.2") == "L of the same side stands on (3,3)"
    where, _ = say(where, "#L")
    assert refused(where, "L-N1", "CF-4.2") == "L is not in the game any more"
    where, _ = play(where, "K-N1", "O-W1")
    assert where.table.board.pieces[3, 3].letter == "K"


def test_cf_10_4_it_may_depend_on_the_answer_that_the_player_owes() -> None:
    """The double agent attacks A: if he is allowed, A is gone already; else A may be removed."""
    where = position(red={"X": (5, 5), "L": (3, 3)}, white={"A": (5, 6), "O": (9, 9)})
    where, _ = play(where, "X-N1xA")
    due_first = "first say allow or deny to X-N1xA: the opponent's double agent attempts it"
    assert refused(where, "#A", "CF-10.8") == due_first
    assert read(where, "#O").faults == ()
    assert refused(where, "#T", "CF-10.4") == "T is not in the game any more"
    allowed, _ = say(where, "allow")
    assert refused(allowed, "#A", "CF-10.4") == "A was captured in row 1"
    denied, _ = play(where, "deny; #A; O-W1")
    assert denied.table.removed[WHITE] == ("A",)


def test_cf_10_4_the_answer_that_an_instruction_gives_is_settled_with_it() -> None:
    """Else the instruction could be changed, and what was taken would be impossible."""
    where = position(red={"X": (5, 5), "L": (3, 3)}, white={"A": (5, 6), "O": (9, 9)})
    where, _ = play(where, "X-N1xA")
    where, confided = say(where, "agent never", "#A", "agent always", seat=WHITE)
    assert codes(confided) == ["instructed", "answering", "intended", "instructed"]
    assert refused(where, "allow", "CF-10.3") == "you have said deny already, and that stands"
    where, heard = say(where, "O-W1")
    assert facts(heard, "attempted")[0]["answer"] is False
    assert where.table.removed[WHITE] == ("A",)
    assert where.confided[WHITE].instruction.how == "always"
    assert where.confided[WHITE].answer is None


# 10.5 Unmasking the opponent's double agent


@pytest.mark.parametrize("order", ["#x?", "#xX"])
def test_cf_10_5_a_player_removes_the_opponents_double_agent_and_his_disc_is_shown(order: str) -> None:
    where, heard = play(position(red=HOME, white=AWAY), f"{order}; L-N1")
    (sealed,) = facts(heard, "sealed")
    assert sealed["action"] == "#xX"
    assert where.table.board.piece(WHITE, "X") is None
    assert where.table.removed[WHITE] == ("X",)
    assert where.table.unmasked == {WHITE: "X"}
    assert where.table.taken == (Taken(1, RED, Unmask("X")),)
    assert view_of(where, WHITE).table.unmasked == {WHITE: "X"}


def test_cf_10_5_nobody_but_him() -> None:
    where = position(red=HOME, white=AWAY)
    (fault,) = read(where, "#xO").faults
    assert fault.reason() == "O is not the opponent's double agent, X is"
    assert (fault.suggestion, fault.rule) == ("eliminate their X", "CF-10.5")
    gone = position(red=HOME, white={"O": (9, 9)})
    assert refused(gone, "#x?", "CF-10.5") == "X is not in the game any more"


def test_cf_10_5_he_is_removed_before_he_can_go_on() -> None:
    where = position(red={"X": (6, 9), "L": (3, 3)}, white={"O": (9, 9)}, z=(6, 9))
    where, heard = play(where, "XZ-N1", "allow; #x?; O-W1", "L-N1")
    assert codes(heard) == ["sealed", "answering", "intended", "attempted", "sealed", "attempted", "sealed"]
    assert where.table.board.piece(RED, "X") is None
    assert where.table.board.z == (6, 10)
    assert where.table.board.holder() is None


def test_cf_10_5_one_elimination_or_the_other() -> None:
    where, _ = say(position(red=HOME, white=AWAY), "#x?")
    reason = "only one thing goes before the move of a turn, and eliminate their X stands already"
    assert refused(where, "#A", "CF-10.5") == reason
    assert refused(where, "?A", "CF-10.5") == reason
    assert read(where, "#xX").faults == ()


# 10.9 The tokens


def test_cf_10_9_reveal_shows_a_spy_to_its_player_alone_and_at_once() -> None:
    where, heard = say(position(red=HOME, white=AWAY), "?A")
    assert codes(heard) == ["intended", "shown"]
    assert heard[1].facts == {"seat": RED, "letter": "A", "number": 1}
    assert heard[1].heard_by == frozenset((RED,))
    assert view_of(where, RED).own.shown == {"A": 1}
    assert list(due(where)) == [RED]
    where, heard = say(where, "L-N1")
    assert facts(heard, "sealed")[0]["action"] == "?A"
    assert where.table.taken == (Taken(1, RED, Reveal("A")),)
    assert where.table.tokens == {RED: {MOVE, SWAP}, WHITE: ALL_TOKENS[WHITE]}
    assert view_of(where, RED).own.shown == {"A": 1}
    where, _ = play(where, "O-W1")
    assert refused(where, "?L", "CF-10.9") == "the token Reveal 1 of Red is used up"


def test_cf_10_9_reveal_shows_captured_and_removed_spies_too_and_the_double_agent() -> None:
    where = position(red=HOME, white={**AWAY, "K": (3, 4)}, to_move=RED)
    where, _ = play(where, "L-N1xK")
    assert say(where, "?K")[0].confided[WHITE].shown == {"K": 5}
    where, _ = play(where, "O-W1", "#A; X-N1", "allow; O-E1")
    assert say(where, "?A")[0].confided[RED].shown == {"A": 1}
    assert say(where, "?X")[0].confided[RED].shown == {"X": 13}


def test_cf_10_9_the_spy_that_was_shown_does_not_move_nor_pass_the_briefcase() -> None:
    where, _ = say(position(red=HOME, white=AWAY, z=(5, 5)), "?A")
    for line in ("A-N1", "AZ-N1", "Z-N1"):
        reason = "A was shown to you in this turn, so another spy moves"
        assert refused(where, line, "CF-10.9") == reason
    assert "A-N1" not in due(where)[RED].forms
    assert read(where, "L-N1").faults == ()


def test_cf_10_9_move_two_makes_two_attempts_in_one_order() -> None:
    where = position(red=HOME, white=AWAY)
    where, heard = play(where, "L-N1 & A-N2")
    assert codes(heard) == ["sealed"]
    assert where.table.tokens[RED] == {REVEAL, SWAP}
    where, heard = play(where, "O-W1")
    assert [each["text"] for each in facts(heard, "attempted")] == ["L-N1", "A-N2"]
    assert {(3, 4), (5, 7)} <= set(where.table.board.pieces)
    assert refused(where, "L-N1 & A-N1", "CF-10.9") == "the token Move 2 of Red is used up"


def test_cf_10_9_both_attempts_are_answered_each_for_itself() -> None:
    where = position(red={"O": (3, 3), "A": (5, 5)}, white=AWAY)
    where, heard = play(where, "O-N1 & A-N4", "O-W1")
    assert [each["answer"] for each in facts(heard, "attempted")] == [False, True]


def test_cf_10_9_move_two_is_for_two_spies_of_the_own_half_without_the_briefcase() -> None:
    far = {"L": (3, 3), "A": (5, 5), "K": (7, 6)}
    where = position(red=far, white=AWAY, z=(3, 3))
    half = "K on (7,6) is not on its own half, the 5 ranks nearest to its side"
    assert refused(where, "A-N1 & K-N1", "CF-10.9") == half
    assert refused(where, "L-N1 & A-N1", "CF-10.9") == "L holds Z"
    assert refused(where, "A-N1 & LZ-N1", "CF-10.9") == "L holds Z"
    neither = "the token Move 2 moves spies, and neither of them may hold Z"
    assert refused(where, "A-N1 & Z-N1", "CF-10.9") == neither
    assert refused(where, "A-N1 & A-N2", "CF-10.9") == "the token Move 2 moves two different spies"
    white = position(red=HOME, white={"O": (9, 7), "T": (2, 6), "K": (4, 8)}, to_move=WHITE)
    assert read(white, "O-W1 & K-S1").faults == ()
    assert refused(white, "O-W1 & T-S1", "CF-10.9").startswith("T on (2,6) is not on its own half")


def test_cf_10_9_the_second_attempt_must_be_possible_after_one_answer_and_may_lapse() -> None:
    behind = {"L": (3, 3), "A": (3, 1), "K": (3, 2)}
    where = position(red=behind, white=AWAY)
    assert refused(where, "L-E1 & A-N1", "CF-4.2") == "K of the same side stands on (3,2)"
    after_yes, heard = play(where, "L-E1 & K-N1", "O-W1")
    assert codes(heard) == ["sealed", "attempted", "attempted", "sealed"]
    assert after_yes.table.board.pieces[3, 3].letter == "K"
    blocked = position(red={"O": (3, 3), "K": (3, 2), "A": (8, 1)}, white={"T": (2, 8)})
    blocked, heard = play(blocked, "O-N1 & K-N1", "T-SE1")
    assert codes(heard) == ["sealed", "attempted", "lapsed", "sealed"]
    (lapsed,) = facts(heard, "lapsed")
    assert lapsed == {"row": 1, "seat": RED, "text": "K-N1"}
    assert heard[2].heard_by == BOTH
    assert blocked.table.sealed is not None
    assert blocked.table.sealed.seat == WHITE


def test_cf_10_9_the_first_attempt_may_take_the_square_of_the_second() -> None:
    where = position(red={"L": (3, 3), "K": (3, 5)}, white={**AWAY, "C": (3, 4)})
    (order,) = read(where, "L-N1 & K-E1").orders
    assert order == Double(read_move("L-N1xC"), read_move("K-E1"))
    _, heard = play(
        position(red={"L": (3, 3), "K": (2, 4)}, white={**AWAY, "C": (3, 4)}), "L-N1 & K-E1", "O-W1"
    )
    assert [each["captured"] for each in facts(heard, "attempted")] == ["C"]
    assert codes(heard) == ["sealed", "attempted", "lapsed", "sealed"]


def test_cf_10_9_swap_exchanges_two_own_spies_and_neither_moves() -> None:
    where = position(red=HOME, white=AWAY)
    where, _ = say(where, "A<>L")
    assert where.table.board.pieces[5, 5].letter == "A"
    reason = "A has changed places in this turn, so another spy moves"
    assert refused(where, "A-N1", "CF-10.9") == reason
    where, heard = say(where, "X-N1")
    assert facts(heard, "sealed")[0]["action"] == "A<>L"
    assert where.table.board.pieces[5, 5].letter == "L"
    assert where.table.board.pieces[3, 3].letter == "A"
    assert where.table.taken == (Taken(1, RED, Swap("A", "L")),)
    assert where.table.tokens[RED] == {REVEAL, MOVE}


def test_cf_10_9_who_has_no_other_spy_moves_one_of_those_that_changed_places() -> None:
    where = position(red={"A": (5, 5), "L": (3, 3)}, white=AWAY)
    where, _ = play(where, "A<>L; L-N1", "O-W1")
    assert where.table.board.pieces[5, 6].letter == "L"


def test_cf_10_9_swap_is_for_two_spies_of_the_own_half_without_the_briefcase() -> None:
    where = position(red={"L": (3, 3), "A": (5, 5), "K": (7, 6)}, white=AWAY, z=(3, 3))
    assert refused(where, "A<>K", "CF-10.9").startswith("K on (7,6) is not on its own half")
    assert refused(where, "A<>L", "CF-10.9") == "L holds Z"
    fault = action_fault(where.table, RED, Swap("A", "A"))
    assert fault is not None
    assert fault.reason() == "two different spies change places"
    assert refused(where, "A<>C", "CF-10.9") == "C is not in the game any more"


def test_cf_10_9_one_token_a_turn_and_none_with_an_elimination() -> None:
    where, _ = say(position(red=HOME, white=AWAY), "?A")
    reason = "only one thing goes before the move of a turn, and reveal A stands already"
    for line in ("A<>L", "#L", "#x?"):
        assert refused(where, line, "CF-10.9") == reason
    both = "the token Move 2 is not played in a turn in which reveal A goes before the move"
    assert refused(where, "L-N1 & X-N1", "CF-10.9") == both
    where, _ = say(position(red=HOME, white=AWAY), "#A")
    both = "the token Move 2 is not played in a turn in which eliminate A goes before the move"
    assert refused(where, "L-N1 & X-N1", "CF-10.9") == both


def test_cf_10_9_lines_of_one_letter_may_stand_in_any_order() -> None:
    reading = read(position(red=HOME, white=AWAY), "A-N1", "#A", "L-N1", "#X")
    assert reading.orders == (Eliminate("A"), read_move("L-N1"))
    assert [(fault.code, fault.place.line) for fault in reading.faults if fault.place] == [
        ("removed", 1),
        ("one-action", 4),
    ]


# 10.10 Handicap


def test_cf_10_10_the_sides_may_have_different_tokens_and_nobody_has_any_unless_said() -> None:
    uneven = {RED: frozenset((SWAP,)), WHITE: frozenset((REVEAL, MOVE))}
    where = position(red=HOME, white=AWAY, tokens=uneven)
    assert refused(where, "?A", "CF-10.9") == "Red has no token Reveal 1 in this game"
    assert refused(where, "L-N1 & A-N1", "CF-10.9") == "Red has no token Move 2 in this game"
    where, _ = play(where, "A<>L; X-N1")
    assert refused(where, "T<>O", "CF-10.9") == "White has no token Swap 2 in this game"
    assert read(where, "?X").faults == ()
    assert folded(opened(Variants())).table.tokens == {RED: frozenset(), WHITE: frozenset()}
