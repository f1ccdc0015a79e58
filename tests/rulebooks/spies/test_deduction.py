"""What can be known of thirteen types: no more and no less than what all deals left agree in (CF-7, CF-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import factorial

import pytest

from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.confusion.deduction import Disclosed, Heard, Sheet, contradiction
from referee.rulebooks.confusion.position import Attempt, Deal
from referee.rulebooks.rulebook import Seat
from referee.rulebooks.spies.deduction import evidence_of, mine, moments, shown_to, theirs
from referee.rulebooks.spies.edition import RED, SEATS
from referee.rulebooks.spies.orders import Instruct
from referee.rulebooks.spies.position import Position
from tests.rulebooks.spies.small import could_be, drawn_game, every_deal, steps
from tests.rulebooks.spies.tables import IDENTITY, play, position, say, view_of
from tests.support.telling import telling

ALL = tuple(range(1, 14))
AGENT = 13
FORWARD = (1, 2, 3, 4, 5, 6, 7)
"""The types that go one step straight forward (CF-2.3)."""


def sheet_of(where: Position, seat: Seat) -> Sheet:
    """Return what a side can know of itself; its opponent knows the same of it, as long as nothing is under way."""
    known = mine(view_of(where, seat))
    assert known == theirs(view_of(where, where.table.board.edition.other(seat)))
    return known


def types(where: Position, seat: Seat, letter: str) -> tuple[int, ...]:
    return sheet_of(where, seat).open[letter]


def begun(**changes: object) -> Position:
    """Return a position in which Red's spies stand apart: A1, H4, T11, the double agent X, and White's far away."""
    told: dict[str, object] = {
        "red": {"A": (2, 2), "H": (4, 2), "T": (8, 2), "X": (10, 2)},
        "white": {"A": (2, 10), "H": (4, 10), "T": (8, 10), "X": (10, 10)},
        **changes,
    }
    return position(**told)  # type: ignore[arg-type]


# Answers


def test_cf_10_3_an_answer_leaves_the_double_agent_whatever_it_is() -> None:
    where, _ = play(begun(), "H-N1", "H-S1", "T-N1", "T-S1", "A-N1", "A-S1")
    assert types(where, RED, "H") == (*FORWARD, AGENT)
    assert types(where, RED, "T") == (8, 9, 10, 11, 12, AGENT)
    assert types(where, RED, "K") == ALL
    assert sheet_of(where, RED).certain("H") is None


def test_cf_10_3_answers_that_contradict_each_other_prove_the_double_agent() -> None:
    where, _ = play(begun(), "X-N1", "allow; A-S1", "X-N1", "deny; A-S1", "H-N1")
    known = sheet_of(where, RED)
    assert known.certain("X") == AGENT
    assert all(AGENT not in known.open[letter] for letter in IDENTITY if letter != "X")
    assert known.assignments == factorial(12)


def test_cf_10_3_two_letters_that_could_be_one_type_alone_hide_the_double_agent_between_them() -> None:
    """Only the Rocket goes four forward: of two that did one is the double agent, so nobody else is either of them."""
    where, _ = play(begun(), "A-N4", "A-S1", "X-N4", "allow; H-S1", "H-N1", "T-S1")
    known = sheet_of(where, RED)
    assert known.open["A"] == known.open["X"] == (1, AGENT)
    assert all(not {1, AGENT} & set(known.open[letter]) for letter in IDENTITY if letter not in "AX")
    assert known.assignments == 2 * sheet_of_without(known, "AX")


def sheet_of_without(known: Sheet, letters: str) -> int:
    """Return in how many ways the others can be dealt, by the sheet of the others alone."""
    others = [letter for letter in known.own if letter not in letters]
    assert known.own["H"].bit_count() == len(FORWARD) + 1
    # H is one of six that go forward, without the Rocket and the double agent; all others are free.
    return 6 * factorial(len(others) - 1)


def test_cf_10_8_a_turn_that_waits_is_evidence_to_nobody() -> None:
    before, _ = play(begun(), "H-N1")
    for seat in SEATS:
        view = view_of(before, seat)
        assert mine(view).untouched("H") and theirs(view).untouched("H")
    after, _ = play(before, "H-S1")
    assert types(after, RED, "H") == (*FORWARD, AGENT)
    assert types(after, WHITE, "H") == ALL


def test_cf_10_8_instructions_and_answers_leave_no_trace_but_what_was_heard() -> None:
    """As the Tower would is, for a step forward, the same as always: both bring the same sheets on both sides."""
    sheets = []
    for how in (Instruct("always"), Instruct("as", 4), Instruct("ask")):
        line = {"always": "agent always", "as": "agent as 4", "ask": "allow"}[how.how]
        where, _ = say(begun(), "X-N1")
        where, _ = say(where, line, "A-S1")
        sheets.append(
            [known for seat in SEATS for known in (mine(view_of(where, seat)), theirs(view_of(where, seat)))]
        )
    assert sheets[0] == sheets[1] == sheets[2]
    assert sheets[0][1].open["X"] == (*FORWARD, AGENT)


def test_cf_10_11_under_the_code_of_honour_there_are_twelve_types_and_no_thirteenth() -> None:
    placed = {"A": (2, 2), "H": (4, 2), "T": (8, 2)}
    honour = {letter: number for letter, number in IDENTITY.items() if letter != "X"}
    where = position(
        red=placed,
        white={"A": (2, 10), "H": (4, 10)},
        deals={WHITE: honour, RED: honour},
        code_of_honour=True,
    )
    where, _ = play(where, "H-N1", "H-S1", "T-N1", "A-S1")
    known = sheet_of(where, RED)
    assert known.open["H"] == FORWARD
    assert "X" not in known.open
    assert len(known.own) == 12


# What is heard besides answers


def test_cf_10_4_a_spy_whom_his_own_side_removes_says_nothing() -> None:
    where, _ = play(begun(), "#T; H-N1", "A-S1")
    assert where.table.removed[RED] == ("T",)
    assert types(where, RED, "T") == ALL
    where, _ = play(where, "#X; H-N1", "A-S1")
    assert types(where, RED, "X") == ALL


def test_cf_10_5_the_double_agent_whom_his_opponent_removes_is_certain_and_all_others_are_not() -> None:
    where, _ = play(begun(), "H-N1", "#xX; A-S1")
    known = sheet_of(where, RED)
    assert known.certain("X") == AGENT
    assert all(AGENT not in known.open[letter] for letter in IDENTITY if letter != "X")
    assert types(where, WHITE, "X") == ALL


def test_cf_10_5_one_whom_the_opponent_only_means_to_remove_is_none_to_his_owner() -> None:
    where, _ = play(begun(), "H-N1")
    where, _ = say(where, "#xX")
    assert mine(view_of(where, RED)).untouched("X")
    assert theirs(view_of(where, WHITE)).untouched("X")


@pytest.mark.parametrize("letter", ["T", "X"])
def test_cf_10_9_what_a_reveal_shows_its_player_knows_and_his_opponent_knows_that_he_does(
    letter: str,
) -> None:
    where, _ = say(begun(), f"?{letter}")
    assert mine(view_of(where, RED)).certain(letter) == IDENTITY[letter]
    assert theirs(view_of(where, WHITE)).untouched(letter), (
        "nobody else hears of it before the turn is closed"
    )
    where, _ = say(where, "H-N1")
    known = sheet_of(where, RED)
    assert known.certain(letter) == IDENTITY[letter]
    assert all(IDENTITY[letter] not in known.open[other] for other in IDENTITY if other != letter)
    where, _ = play(where, "A-S1", "H-N1", "A-S1")
    assert sheet_of(where, RED).certain(letter) == IDENTITY[letter]


def test_cf_10_9_spies_who_change_places_say_nothing() -> None:
    where, _ = play(begun(), "A<>H; T-NE1", "A-S1")
    assert types(where, RED, "A") == types(where, RED, "H") == ALL


# Promotion


def near(*, comrade: bool = False) -> Position:
    """Return a position in which Red's Novice K, Tower H and double agent X stand before the far rank."""
    return position(
        red={"K": (2, 10), "H": (4, 10), "X": (6, 10), "T": (8, 2)},
        white={"A": (9, 9), "C": (10, 9), "X": (11, 9)},
        z=(8, 5),
        comrade=comrade,
    )


def test_cf_4_4_who_is_promoted_is_no_double_agent_and_who_is_not_may_be_him() -> None:
    where, _ = play(near(), "K-N1", "A-S1", "H-N1", "A-S1", "X-N1", "allow; A-S1")
    assert types(where, RED, "K") == (1, 5)
    assert types(where, RED, "H") == types(where, RED, "X") == (2, 3, 4, 6, 7, AGENT)


def test_cf_10_11_a_comrade_who_is_promoted_is_anybody_but_the_double_agent() -> None:
    where, _ = play(near(comrade=True), "H-N1+", "A-S1")
    assert types(where, RED, "H") == FORWARD
    assert sheet_of(where, RED).open["K"] == ALL
    where, _ = play(where, "H-S2", "A-S1")
    assert types(where, RED, "H") == FORWARD, "he moves by the promoted row now (CF-7.4)"


def test_cf_10_11_a_comrade_who_does_not_want_it_says_nothing_by_his_arrival() -> None:
    where, _ = play(near(comrade=True), "H-N1", "A-S1")
    assert types(where, RED, "H") == (*FORWARD, AGENT)


def test_cf_10_11_a_comrade_whom_his_wish_unmasks_is_the_double_agent() -> None:
    where, _ = play(near(comrade=True), "X-N1+", "allow; A-S1")
    assert where.table.unmasked[RED] == "X"
    known = sheet_of(where, RED)
    assert known.certain("X") == AGENT
    assert AGENT not in known.open["K"]


def test_cf_10_11_a_wish_that_is_refused_on_the_way_says_no_more_than_any_no() -> None:
    where, _ = play(near(comrade=True), "X-N1+", "deny; A-S1")
    assert types(where, RED, "X") == (8, 9, 10, 11, 12, AGENT)


# Against the list of all deals


def hold_against_the_list(seed: int, kinds: int, turns: int) -> None:
    """Hold both sheets of both seats against the list of all deals, after all that comes to pass in a game."""
    random, where = drawn_game(seed, kinds)
    left = {(seat, own): every_deal(where) for seat in SEATS for own in (True, False)}
    before: dict[tuple[Seat, bool], tuple[Heard, ...]] = dict.fromkeys(left, ())
    for step in steps(random, where, turns):
        for seat in SEATS:
            for own in (True, False):
                knower = seat if own else where.table.board.edition.other(seat)
                view = view_of(step.after, knower)
                deals = left[seat, own] = [
                    deal for deal in left[seat, own] if could_be(step, seat, deal, to_owner=own)
                ]
                assert step.after.deals[seat] in deals
                hold_against(evidence_of(view, seat).sheet, deals)
                heard = moments(view.table, seat, shown_to(view, seat))
                assert heard[: len(before[seat, own])] == before[seat, own], (
                    "what was heard stays where it was"
                )
                before[seat, own] = heard


def hold_against(known: Sheet, deals: Sequence[Deal]) -> None:
    assert known.assignments == len(deals)
    for letter in known.own:
        assert known.shares[letter] == Counter(deal[letter] for deal in deals)


@pytest.mark.telling(seed=range(4))
@pytest.mark.parametrize("seed", range(18))
def test_cf_7_2_a_sheet_of_three_types_and_the_double_agent_is_what_the_list_of_all_deals_says(
    seed: int,
) -> None:
    hold_against_the_list(seed, 3, 25)


@pytest.mark.telling(seed=[1000, 1001])
@pytest.mark.parametrize("seed", telling(range(1000, 1006), others=range(1006, 1120)))
def test_cf_7_2_a_sheet_of_four_types_and_the_double_agent_is_what_the_list_of_all_deals_says(
    seed: int,
) -> None:
    hold_against_the_list(seed, 4, 40)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2000, 2060))
def test_cf_7_2_a_sheet_of_five_types_and_the_double_agent_is_what_the_list_of_all_deals_says(
    seed: int,
) -> None:
    hold_against_the_list(seed, 5, 40)


@pytest.mark.slow
def test_the_small_games_have_everything_in_them() -> None:
    """Else the list would prove little: every kind of evidence comes up, and the double agent is proved by answers."""
    seen: Counter[str] = Counter()
    for seed in range(30):
        random, where = drawn_game(seed, 3)
        for step in steps(random, where, 25):
            seen.update(f"{happening.code} all" for happening in step.happenings)
            where = step.after
        for seat in SEATS:
            view = view_of(where, seat)
            heard = moments(where.table, seat, shown_to(view, seat))
            seen.update(each.by for each in heard if isinstance(each, Disclosed))
            seen.update(f"promoted {each.promoted}" for each in heard if isinstance(each, Attempt))
            for letter in evidence_of(view, seat).letters:
                seen["contradicted"] += contradiction(evidence_of(view, seat).clues, letter) is not None
    wanted = {
        *("lapsed all", "ended all", "unmasked all", "promoted True", "promoted False"),
        *("reveal", "unmasked", "contradicted"),
    }
    assert wanted <= {each for each, often in seen.items() if often}
