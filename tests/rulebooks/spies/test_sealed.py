"""Sealed answers (CF-10.8): who hears what, what a player knows before he moves, instructions, clock, going back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rulebooks.branches import Return, taken_back
from referee.rulebooks.confusion.compass import WHITE, heading
from referee.rulebooks.confusion.position import Deal
from referee.rulebooks.confusion.possible import possible_moves
from referee.rulebooks.rulebook import OBSERVER, Happening, Result, Seat
from referee.rulebooks.spies.adjudicate import conclude, unsealed
from referee.rulebooks.spies.conditions import heard_conditions
from referee.rulebooks.spies.edition import BOTH, RED, SEATS, TOKENS, Variants
from referee.rulebooks.spies.fold import COURSE, fold_view
from referee.rulebooks.spies.happenings import (
    ATTEMPTED,
    CONFIDED,
    DEALT,
    ENDED,
    REVEALED,
    SEALED,
)
from referee.rulebooks.spies.notation import write_order
from referee.rulebooks.spies.orders import Answer
from referee.rulebooks.spies.outlook import outlook
from referee.rulebooks.spies.position import ASK, Position
from referee.rulebooks.spies.questions import due, may_plan
from referee.rulebooks.spies.reading import is_turn, read_orders
from tests.rulebooks.spies.games import deals_by, game_by, ruled, variants
from tests.rulebooks.spies.tables import (
    after,
    by_the_clock,
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
from tests.support.telling import telling

EXAMPLES = settings(max_examples=12, deadline=None)
AWAY = {"O": (9, 9), "T": (2, 8)}


def agent_tries() -> Position:
    """Return a position in which Red's double agent has attempted X-N1."""
    return play(position(red={"X": (3, 3), "L": (5, 5)}, white=AWAY), "X-N1")[0]


# The flow


def test_cf_10_8_a_turn_is_answered_when_the_opponent_closes_his() -> None:
    where = position(red={"L": (3, 3)}, white=AWAY)
    where, first = play(where, "L-N1")
    assert codes(first) == ["sealed"]
    assert first[0].heard_by == BOTH
    assert first[0].facts == {"row": 1, "seat": RED, "action": None, "tries": ["L-N1"]}
    assert where.table.board.pieces[3, 3].letter == "L"
    assert list(due(where)) == [WHITE]
    where, second = play(where, "O-W1")
    assert codes(second) == ["attempted", "sealed"]
    assert {each.heard_by for each in second} == {BOTH}
    assert where.table.board.pieces[3, 4].letter == "L"
    assert (where.table.board.to_move, where.table.board.row) == (RED, 2)
    assert facts(second, "attempted")[0]["row"] == 1


def test_cf_10_8_a_player_knows_the_board_that_he_will_find() -> None:
    """Red's King takes T; White, who sees that it is the King, knows that T is gone, before anybody was told."""
    where = position(red={"L": (3, 7)}, white={"T": (3, 8), "O": (9, 9), "K": (4, 9)})
    where, _ = play(where, "L-N1xT")
    assert view_of(where, WHITE).board.piece(WHITE, "T") is not None
    now = outlook(view_of(where, WHITE))
    assert now.table.board.piece(WHITE, "T") is None
    assert codes(now.brings) == ["attempted"]
    assert refused(where, "T-S1", "CF-4.2") == "T was captured in row 1"
    (order,) = read(where, "K-SW1").orders
    assert write_order(order) == "K-SW1xL"
    where, _ = play(where, "K-SW1", "pass")
    assert where.table.board.captured == {WHITE: ("T",), RED: ("L",)}


def test_cf_10_8_who_is_not_to_move_finds_what_everybody_sees() -> None:
    where = agent_tries()
    now = outlook(view_of(where, RED))
    assert (now.table, now.acted, now.asked, now.brings) == (where.table, where.table, None, ())
    assert not now.over


# The answer


def test_cf_10_8_without_an_answer_no_order_closes_the_turn() -> None:
    where = agent_tries()
    assert due(where)[WHITE].forms == ("allow", "deny")
    assert due(where)[WHITE].kind == "order"
    first = "first say allow or deny to X-N1: the opponent's double agent attempts it"
    for line in ("O-W1", "O-W1 & T-S1", "pass"):
        assert refused(where, line, "CF-10.8") == first
    reading = read(where, "O-W1", "allow")
    assert [write_order(order) for order in reading.orders] == ["allow", "O-W1"]


@pytest.mark.parametrize(("answer", "moved"), [("allow", True), ("deny", False)])
def test_cf_10_8_an_answer_is_told_to_nobody_and_used_once(answer: str, moved: bool) -> None:
    where, confided = say(agent_tries(), answer)
    assert codes(confided) == ["answering"]
    assert confided[0].heard_by == frozenset((WHITE,))
    assert view_of(where, RED) == view_of(agent_tries(), RED)
    where, heard = say(where, "O-W1")
    assert facts(heard, "attempted")[0]["answer"] is moved
    assert where.confided[WHITE].answer is None


@pytest.mark.parametrize(
    ("instruction", "moved"),
    [
        ("agent always", True),
        ("agent never", False),
        ("agent as 6", True),
        ("agent as 8", False),
    ],
)
def test_cf_10_8_a_standing_instruction_answers_and_stands(instruction: str, moved: bool) -> None:
    """As the King (6) he goes forward, as the Wimp (8) he does not."""
    where = position(red={"X": (3, 3), "L": (5, 5)}, white=AWAY)
    where, confided = say(where, instruction, seat=WHITE)
    assert codes(confided) == ["instructed"]
    assert confided[0].heard_by == frozenset((WHITE,))
    where, heard = play(where, "X-N1", "O-W1", "X-N1", "O-E1")
    answers = [each["answer"] for each in facts(heard, "attempted") if each["seat"] == RED]
    assert answers == [moved, moved]
    where, _ = say(where, "agent ask", seat=WHITE)
    assert where.confided[WHITE].instruction == ASK
    assert due(play(where, "X-S1")[0])[WHITE].forms == ("allow", "deny")


def test_cf_10_8_as_a_type_looks_from_the_double_agents_side() -> None:
    """The Rocket (1) goes forward only: south, for White."""
    where = position(red={"O": (3, 3)}, white={"X": (9, 9), "T": (2, 8)}, to_move=WHITE)
    where, _ = say(where, "agent as 1", seat=RED)
    where, heard = play(where, "X-N1", "O-W1", "X-S2", "O-E1")
    assert [each["answer"] for each in facts(heard, "attempted") if each["seat"] == WHITE] == [False, True]


def test_cf_10_8_what_is_said_to_one_attempt_goes_before_the_instruction() -> None:
    where, _ = say(agent_tries(), "agent always", "deny", "O-W1", seat=WHITE)
    assert where.table.board.attempts[-1].answer is False
    where, _ = play(where, "X-N1", "O-E1")
    assert where.table.board.attempts[-1].answer is True


def test_cf_10_8_an_instruction_names_a_type_that_there_is() -> None:
    where = position(red={"L": (3, 3)}, white=AWAY)
    for line in ("agent as 0", "agent as 13", "agent as 99"):
        reading = read(where, line, seat=WHITE)
        assert reading.orders == ()
        assert len(reading.faults) == 1


def test_cf_10_8_what_makes_no_turn_is_heard_by_its_player_alone() -> None:
    where = agent_tries()
    for line in ("allow", "deny", "agent always", "#O", "#x?", "?T", "O<>T"):
        (order,) = read(where, line).orders
        assert not is_turn(order), line
        _, heard = say(where, line)
        assert {each.heard_by for each in heard} == {frozenset((WHITE,))}
        assert set(codes(heard)) <= CONFIDED
    for line in ("O-W1", "O-W1 & T-S1"):
        (order,) = read(say(where, "deny")[0], line).orders
        assert is_turn(order)


# The clock, an end, going back


def test_cf_10_8_the_clock_opens_the_seal_and_denies_whom_nobody_answered_for() -> None:
    where, heard = by_the_clock(agent_tries())
    assert codes(heard) == ["attempted"]
    assert heard[0].facts["answer"] is False
    assert heard[0].heard_by == BOTH
    assert list(due(where)) == [WHITE]
    assert unsealed(where) == ()
    assert refused(where, "allow", "CF-10.3").startswith("no attempt of the opponent's double agent")
    where, heard = play(where, "O-W1")
    assert codes(heard) == ["sealed"]
    assert where.table.board.row == 2


def test_cf_10_8_the_clock_uses_what_was_said_and_then_the_instruction() -> None:
    said, heard = by_the_clock(say(agent_tries(), "agent never", "allow")[0])
    assert heard[0].facts["answer"] is True
    assert said.confided[WHITE].answer is None
    _, heard = by_the_clock(say(agent_tries(), "agent always")[0])
    assert heard[0].facts["answer"] is True


def test_cf_10_8_the_clock_may_end_the_game() -> None:
    where, _ = play(position(red={"L": (6, 10)}, white=AWAY, z=(6, 10)), "LZ-N1")
    where, heard = by_the_clock(where)
    assert codes(heard) == ["attempted", "ended", "revealed"]
    assert due(where) == {}
    assert unsealed(where) == ()


def test_cf_10_8_an_answer_that_the_clock_has_used_is_not_kept_for_the_next_attempt() -> None:
    where, _ = by_the_clock(say(agent_tries(), "allow")[0])
    where, _ = play(where, "O-W1", "X-N1")
    assert due(where)[WHITE].forms == ("allow", "deny")
    assert where.confided[WHITE].answer is None


def test_cf_10_8_what_goes_before_the_move_outlasts_the_clock() -> None:
    where, _ = by_the_clock(say(agent_tries(), "#O")[0])
    where, heard = play(where, "T-S1")
    assert facts(heard, "sealed")[0]["action"] == "#O"
    assert where.table.removed[WHITE] == ("O",)


def test_cf_10_8_an_end_off_the_board_opens_the_seal_by_the_default() -> None:
    heard = conclude(agent_tries(), Result(RED, "by resignation"))
    assert codes(heard) == ["attempted", "ended", "revealed"]
    assert heard[0].facts["answer"] is False


def test_cf_10_8_a_turn_taken_back_seals_again_and_takes_what_was_confided_with_it() -> None:
    happenings = opened(Variants())
    where = folded(happenings)

    def goes_on(*lines: str, seat: Seat | None = None) -> None:
        nonlocal where
        where, found = say(where, *lines, seat=seat)
        happenings.extend(found)

    goes_on("agent always", seat=WHITE)
    goes_on("X-N1")
    whites_turn = len(happenings)
    sealed_then = where.table
    goes_on("agent as 3", seat=WHITE)
    goes_on("deny", "#A", "C-S1")
    goes_on("C-N1")
    assert COURSE.turn_of(happenings, WHITE, 1) == whites_turn
    heard_then = len(heard_by(happenings[:whites_turn], WHITE))
    assert COURSE.turn_of(heard_by(happenings, WHITE), WHITE, 1) == heard_then
    happenings.append(taken_back(Return(1, WHITE, "a slip"), SEATS))
    stands = COURSE.standing(happenings)
    assert list(stands) == happenings[:whites_turn]
    back = folded(stands)
    assert back.table == sealed_then
    assert back.table.sealed is not None
    assert back.table.sealed.seat == RED
    assert (back.confided[WHITE].answer, back.confided[WHITE].action) == (None, None)
    assert back.confided[WHITE].instruction.how == "always"
    for seat in (*SEATS, OBSERVER):
        view = fold_view(
            [
                each
                for each in happenings
                if seat in each.heard_by or (seat == OBSERVER and each.heard_by == BOTH)
            ],
            seat,
        )
        assert view.table == sealed_then


# Plans


def test_cf_10_8_a_plan_needs_an_instruction_that_never_asks() -> None:
    where = position(red={"L": (3, 3)}, white=AWAY)
    fault = may_plan(view_of(where, WHITE))
    assert fault is not None
    assert fault.rule == "CF-10.8"
    assert fault.reason().startswith("a plan needs a standing instruction")
    for line in ("agent always", "agent never", "agent as 7"):
        assert may_plan(view_of(say(where, line, seat=WHITE)[0], WHITE)) is None
    assert may_plan(view_of(say(where, "agent never", "agent ask", seat=WHITE)[0], WHITE)) is not None
    honour = position(red={"L": (3, 3)}, white=AWAY, code_of_honour=True)
    assert may_plan(view_of(honour, WHITE)) is None


def test_cf_10_8_once_both_know_that_the_double_agent_is_gone_a_plan_needs_none() -> None:
    """Whether he was captured, his owner does not know: there the plan would tell him."""
    unmasked, _ = play(position(red={"X": (3, 3), "L": (5, 5)}, white=AWAY, to_move=WHITE), "#x?; O-W1")
    assert may_plan(view_of(unmasked, WHITE)) is None
    assert may_plan(view_of(unmasked, RED)) is not None
    captured, _ = play(
        position(red={"X": (3, 3), "L": (5, 5)}, white={"A": (3, 4)}, to_move=WHITE), "A-S1", "L-N1"
    )
    assert captured.table.board.captured[RED] == ("X",)
    assert may_plan(view_of(captured, WHITE)) is not None


def conditions_after(where: Position, order: str, reply: str) -> frozenset[str]:
    """Return what a plan of Red's goes on by, after an order of his and White's turn."""
    where, own = say(where, order)
    where, theirs = play(where, reply)
    return heard_conditions([*heard_by(own, RED), *heard_by(theirs, RED)], view_of(where, RED))


def test_cf_10_8_what_a_plan_depends_on_is_what_its_player_knows() -> None:
    red = {"L": (3, 7), "A": (6, 5), "O": (8, 9)}
    where = position(red=red, white={"T": (3, 8), "K": (9, 9), "X": (1, 11)})
    assert conditions_after(where, "L-N1", "K-S1") == {"yes", "captured"}
    assert conditions_after(where, "A-N1", "K-S1") == {"yes", "z"}
    assert conditions_after(where, "A-E1", "K-S1") == {"no"}
    assert conditions_after(where, "A-E1", "K-W1") == {"no", "lost"}
    assert conditions_after(where, "A-E1", "T-S1") == {"no"}
    assert heard_conditions([], view_of(where)) == frozenset()


def test_cf_10_8_a_spy_that_the_opponent_removed_is_lost() -> None:
    where = position(red={"X": (3, 3), "A": (3, 10)}, white=AWAY)
    assert conditions_after(where, "A-N1", "#x?; O-W1") == {"yes", "promoted", "lost"}
    comrade = position(red={"X": (3, 10), "A": (5, 5)}, white=AWAY, comrade=True)
    assert conditions_after(comrade, "X-N1+", "allow; O-W1") == {"yes", "lost"}


# Properties


@pytest.mark.slow
@EXAMPLES
@given(seed=st.integers(0, 2**32), played=variants())
def test_cf_10_8_whatever_is_ordered_nothing_breaks_and_everything_can_be_kept(
    seed: int, played: Variants
) -> None:
    """What is kept as JSON folds to the same truth and views; a seat's view is what it heard, and nothing more."""
    happenings = game_by(Random(seed), played, 24)
    kept = [
        Happening(each.code, each.heard_by, json.loads(json.dumps(each.facts)), each.rule)
        for each in happenings
    ]
    assert kept == happenings
    where = folded(happenings)
    assert folded(kept) == where
    over = where.table.board.result is not None
    for seat in SEATS:
        view = view_after(kept, seat)
        assert view == view_after(happenings, seat)
        if not over:
            assert view == view_of(where, seat)
    for each in happenings:
        if each.code in CONFIDED:
            assert each.heard_by == frozenset((each.facts["seat"],))
        elif each.code != DEALT:
            assert each.heard_by == BOTH
    observed = fold_view([each for each in happenings if each.heard_by == BOTH], OBSERVER)
    assert observed.table == where.table
    if over:
        assert codes(happenings)[-2:] == [ENDED, REVEALED]


@pytest.mark.slow
@EXAMPLES
@given(seed=st.integers(0, 2**32), played=variants())
def test_cf_10_8_what_a_player_reckons_with_comes_to_pass(seed: int, played: Variants) -> None:
    """The board that he finds is the one that he knew, and the first example of what he owes can be played."""
    happenings = game_by(Random(seed), played, 16)
    where = folded(happenings)
    for seat, question in due(where).items():
        line = question.forms[0]
        view = view_of(where, seat)
        expected = outlook(view)
        if expected.unanswered:
            where, _ = say(where, line, seat=seat)
            view = view_of(where, seat)
            expected = outlook(view)
            line = due(where)[seat].forms[0]
        later, found = say(where, line, seat=seat)
        if not where.table.set_up:
            continue
        brought = [each for each in found if each.code not in (SEALED, REVEALED)]
        assert brought == list(expected.brings)
        if not expected.over:
            assert found[-1].code == SEALED
            assert later.table.board.pieces == expected.acted.board.pieces
            assert later.table.board.z == expected.acted.board.z


@EXAMPLES
@given(seed=st.integers(0, 2**32), played=variants())
def test_cf_10_8_opening_by_the_clock_leaves_nothing_sealed_and_the_turn_where_it_was(
    seed: int, played: Variants
) -> None:
    where = folded(game_by(Random(seed), played, 12))
    opening = unsealed(where)
    assert bool(opening) == (where.table.sealed is not None)
    assert all(each.heard_by == BOTH for each in opening)
    later = after(where, opening)
    assert unsealed(later) == ()
    if later.table.board.result is None:
        assert list(due(later)) == list(due(where))
    else:
        assert due(later) == {}


def with_another_agent(deal: Deal, letter: str) -> tuple[Deal, int]:
    """Return a deal in which another spy is the double agent, who has that one's type; and this type."""
    (agent,) = (each for each, number in deal.items() if number == 13)
    return {**deal, letter: 13, agent: deal[letter]}, deal[letter]


@pytest.mark.telling(seed=range(3))
@pytest.mark.parametrize("seed", telling(range(8), others=range(8, 200)))
def test_cf_10_8_who_is_the_double_agent_a_mover_cannot_tell_from_how_he_is_answered(seed: int) -> None:
    """In two truths Red's double agent and another spy are exchanged. White answers alike in both: for the double agent
    as that other type, by an instruction or asked each time. Red hears the same, happening for happening."""
    truths, _ = two_truths(seed)
    heard = [[told(each) for each in heard_by(truth, RED) if each.code != REVEALED] for truth in truths]
    assert heard[0] == heard[1]
    if folded(truths[0]).table.board.result is None:
        assert view_after(truths[0], RED) == view_after(truths[1], RED)
        assert list(due(folded(truths[0]))) == list(due(folded(truths[1])))


def test_cf_10_8_in_such_games_the_double_agent_is_often_tried() -> None:
    """So that the truths could differ in what is answered."""
    for seed in range(3):
        truths, often = two_truths(seed)
        tried = [each["letter"] for each in facts(truths[0], ATTEMPTED) if each["seat"] == RED]
        assert sum(letter in often for letter in tried) > 2


def two_truths(seed: int) -> tuple[list[list[Happening]], frozenset[str]]:
    """Return two games that differ in which of two of Red's spies is the double agent, and these two."""
    random = Random(seed)
    switches = {
        name: random.random() < 0.4 for name in ("small_world", "late_contact", "variable_setup", "comrade")
    }
    played = Variants(tokens=dict.fromkeys(SEATS, frozenset(TOKENS)), **switches)
    deals = deals_by(random, played)
    plain_types = [letter for letter, number in deals[RED].items() if number in (2, 3, 4, 6, 7, 8, 10, 11)]
    letter = random.choice(plain_types)
    other, number = with_another_agent(deals[RED], letter)
    asked = random.random() < 0.5
    often = frozenset(each for each in other if other[each] != deals[RED][each])
    return [
        alike(seed, played, {**deals, RED: types}, number, often, asks=asks)
        for types, asks in ((deals[RED], asked), (other, not asked))
    ], often


def told(happening: Happening) -> tuple[str, Mapping[str, object], str]:
    return happening.code, happening.facts, happening.rule


def alike(
    seed: int,
    played: Variants,
    deals: Mapping[Seat, Deal],
    number: int,
    often: frozenset[str],
    *,
    asks: bool,
) -> list[Happening]:
    """Play a game in which both try what they like, and White answers for Red's double agent as a type would be.

    number: of that type. often: letters of spies that are tried more often than others.
    """
    random = Random(seed + 1)
    happenings = opened(played, first=RED, deals=deals)
    where = folded(happenings)

    def give(seat: Seat, line: str) -> None:
        nonlocal where
        where, found = ruled(where, seat, line)
        happenings.extend(found)

    give(WHITE, "agent ask" if asks else f"agent as {number}")
    give(RED, "agent never")
    for seat in due(where) if not where.table.set_up else ():
        give(seat, due(where)[seat].forms[0])
    for _ in range(24):
        if where.table.board.result is not None:
            break
        seat = where.table.board.to_move
        now = outlook(view_of(where, seat))
        if seat == WHITE and now.unanswered and now.asked is not None:
            row = where.table.board.table.row(number)
            allowed = row.can(heading(RED, now.asked.direction), now.asked.length)
            give(WHITE, write_order(Answer(allowed)))
        for line in thoughts_in_common(random, where, seat, often):
            give(seat, line)
    return happenings


def thoughts_in_common(random: Random, where: Position, seat: Seat, often: frozenset[str]) -> Sequence[str]:
    """Return what a side orders, by what both truths have in common."""
    now = outlook(view_of(where, seat))
    living = sorted(piece.letter for piece in now.table.board.pieces.values() if piece.seat == seat)
    lines = []
    if random.random() < 0.15:
        lines.append(f"#{random.choice(living)}")
    elif random.random() < 0.15:
        lines.append(f"{random.choice(living)}<>{random.choice(living)}")
    moves = list(possible_moves(now.table.board, seat))
    weights = [30 if move.letter in often else 1 for move in moves]
    chosen = random.choices(moves, weights, k=6) if moves else []
    return [*lines, *map(write_order, chosen), *due(where)[seat].forms[:1]]


def test_a_reading_of_nothing_is_empty() -> None:
    assert read_orders(view_of(agent_tries()), []).orders == ()
