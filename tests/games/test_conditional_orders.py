"""A plan for coming turns is read, written, and followed step by step."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.faults import Fault, Place
from referee.games.conditional_orders import (
    ELSE,
    MOST_MOVES,
    THEN,
    Plan,
    Step,
    conditions_of,
    next_step,
    read_plan,
    steps,
    write_plan,
)
from referee.rulebooks.catalogue import find_rulebook

CONFUSION = find_rulebook("confusion")
CONDITIONS = conditions_of(CONFUSION)


def read(text: str) -> Plan:
    found = read_plan(text, CONFUSION.notation, CONDITIONS)
    assert isinstance(found, Plan), found
    return found


def fault(text: str) -> Fault:
    found = read_plan(text, CONFUSION.notation, CONDITIONS)
    assert isinstance(found, Fault), found
    return found


def _with_else(branches: dict[str, Plan], otherwise: Plan | None) -> dict[str, Plan]:
    """Add what holds in any other case, where there is one beside no and can be one."""
    said = set(branches)
    if otherwise is None or not said or {"no", "yes"} <= said or list(branches)[-1] == "no":
        return branches
    return {**branches, ELSE: otherwise}


def plans(most: int = MOST_MOVES) -> st.SearchStrategy[Plan]:
    """Return plans of at most so many moves, of every shape."""
    orders = st.builds(
        "{}-{}{}".format,
        st.sampled_from("ACEHKLNOPSTV"),
        st.sampled_from(["N", "NE", "E", "SE", "S", "SW", "W", "NW"]),
        st.integers(1, 10),
    )

    def branching(further: st.SearchStrategy[Plan]) -> st.SearchStrategy[Plan]:
        by_condition = st.builds(
            _with_else,
            st.dictionaries(st.sampled_from(CONDITIONS), further, max_size=4),
            st.none() | further,
        )
        always = st.builds(lambda plan: {THEN: plan}, further)
        branches = st.one_of(by_condition, always).map(lambda found: tuple(found.items()))
        return st.builds(Plan, orders, branches)

    found = st.recursive(st.builds(Plan, orders), branching, max_leaves=12)
    return found.filter(lambda plan: plan.orders <= most)


@given(plans())
def test_a_plan_written_and_read_is_the_same(plan: Plan) -> None:
    assert read_plan(write_plan(plan), CONFUSION.notation, CONDITIONS) == plan


@given(plans())
def test_a_plan_shows_each_of_its_moves_once_and_what_it_follows(plan: Plan) -> None:
    shown = steps(plan)
    assert len(shown) == plan.orders
    assert [step.number for step in shown] == list(range(1, plan.orders + 1))
    assert all(step.after is not None and step.after < step.number for step in shown[1:])
    assert shown[0] == Step(1, plan.order)


@given(st.text(max_size=80) | st.text("LKS-12;() ifnoyesthen", max_size=80))
def test_any_text_is_a_plan_or_a_fault_with_a_place_in_it(text: str) -> None:
    found = read_plan(text, CONFUSION.notation, CONDITIONS)
    if isinstance(found, Fault):
        assert found.place is not None
        assert found.place.line == 1
        assert 1 <= found.place.column <= len(text) + 1
        assert found.sentence()
    else:
        assert read_plan(write_plan(found), CONFUSION.notation, CONDITIONS) == found


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("L-S2", "L-S2"),
        ("l s2; IF No k-s1", "L-S2; if no K-S1"),
        ("L-S2; then K-S1; then C-S1;", "L-S2; then K-S1; then C-S1"),
        ("L-S2 if no K-S1, then C-S1", None),
        ("L-S2, if no K-S1 if no C-S1.", "L-S2; if no K-S1; if no C-S1"),
        # the same condition follows the move before it, another one belongs to the same attempt
        ("L-S2; if no K-S1; if yes C-S1", "L-S2; if no K-S1; if yes C-S1"),
        ("L-S2; if no K-S1; if yes C-S1; if yes E-S1", "L-S2; if no K-S1; if yes (C-S1; if yes E-S1)"),
        ("L-S2; if no (K-S1); if no C-S1", None),
        ("L-S2; if no (K-S1; if yes C-S1); if yes V-S1", "L-S2; if no (K-S1; if yes C-S1); if yes V-S1"),
        ("L-S2; then K-S1; if no C-S1; if yes E-S1", "L-S2; then K-S1; if no C-S1; if yes E-S1"),
        ("L-S2; if no (K-S1)", "L-S2; if no K-S1"),
    ],
)
def test_steps_belong_where_the_rule_says(text: str, written: str | None) -> None:
    if written is None:
        assert fault(text).grade == "unreadable"
    else:
        assert write_plan(read(text)) == written


@pytest.mark.parametrize(
    ("text", "code", "column", "excerpt", "meant"),
    [
        ("L-S2; if no K-S1; if yes C-XX1", "no-such-direction", 28, "C-XX1", ""),
        ("L-S2; if noo K-S1", "plan-condition", 10, "noo K-S1", "if no K-S1"),
        ("L-S2; if K-S1", "plan-condition", 10, "K-S1", ""),
        ("L-S2; if", "plan-condition", 9, "", ""),
        ("L-S2; K-S1", "plan-step", 7, "K-S1", "then K-S1"),
        ("L-S2; if no", "plan-order", 12, "", ""),
        ("", "plan-order", 1, "", ""),
        ("L-S2; if no (K-S1", "plan-brackets", 13, "(K-S1", ""),
        ("L-S2; if no K-S1)", "plan-brackets", 17, ")", ""),
        ("L-S2 (K-S1)", "plan-brackets", 6, "(K-S1", ""),
        ("L-S2; if no (K-S1) C-S1", "plan-semicolon", 20, "C-S1", ""),
        ("L-S2; if no K-S1; if yes C-S1; if no E-S1", "plan-twice", 32, "if no E-S1", ""),
        (
            "L-S2; if no K-S1; then C-S1",
            "plan-two-readings",
            19,
            "then C-S1",
            "L-S2; if no (K-S1; then C-S1)",
        ),
        (
            "L-S2; if no (K-S1; if yes C-S1; then E-S1); if yes L-S2",
            "plan-two-readings",
            33,
            "then E-S1",
            "L-S2; if no (K-S1; if yes (C-S1; then E-S1)); if yes L-S2",
        ),
        ("L-S2; if no K-S1; then C-S1; if noo E-S1", "plan-two-readings", 19, "then C-S1", ""),
        ("L-S2; if no (K-S1); then C-S1", "plan-then", 21, "then C-S1", ""),
        ("; ".join(["L-S2", *["then L-S2"] * MOST_MOVES]), "plan-long", 331, "L-S2", ""),
    ],
)
def test_a_slip_in_a_plan_is_told_where_it_is(
    text: str, code: str, column: int, excerpt: str, meant: str
) -> None:
    found = fault(text)
    assert (found.code, found.place, found.excerpt) == (code, Place(1, column), excerpt)
    assert found.suggestion == meant


def test_what_was_perhaps_meant_by_a_plan_of_two_readings_is_a_plan() -> None:
    for text in ("L-S2; if no K-S1; then C-S1.", "L-S2; if no K-S1; then C-S1; if yes E-S1; then L-S1"):
        assert read(fault(text).suggestion).orders == text.count("-")


def test_a_slip_names_what_it_is_about() -> None:
    assert "captured" in fault("L-S2; if noo K-S1").reason()
    assert "K-S1" in fault("L-S2; if no K-S1; then C-S1").reason()
    assert fault("; ".join(["L-S2", *["then L-S2"] * 30])).reason() == "a plan has at most 30 moves"


def test_a_plan_may_have_thirty_moves() -> None:
    assert read("; ".join(["L-S2", *["then L-S2"] * (MOST_MOVES - 1)])).orders == MOST_MOVES


def test_the_first_step_that_fits_is_next_and_none_where_nothing_does() -> None:
    plan = read("L-S2; if captured K-S1; if yes C-S1")
    assert next_step(plan, {"yes", "captured"}) == Plan("K-S1")
    assert next_step(plan, {"yes"}) == Plan("C-S1")
    assert next_step(plan, {"no", "lost"}) is None
    assert next_step(read("L-S2; then K-S1"), set()) == Plan("K-S1")
    assert next_step(Plan("L-S2"), {"yes"}) is None


def test_a_plan_cannot_branch_twice_on_the_same() -> None:
    after = Plan("K-S1")
    for branches in ((("no", after), ("no", after)), (("no", after), (THEN, after))):
        with pytest.raises(ValueError, match="branches"):
            Plan("L-S2", branches)


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("K-S1; if captured C-S1; else E-S1", "K-S1; if captured C-S1; else E-S1"),
        ("K-S1 if captured C-S1 else E-S1", "K-S1; if captured C-S1; else E-S1"),
        ("K-S1; else E-S1", "K-S1; if no E-S1"),
        ("K-S1; else E-S1; else C-S1", "K-S1; if no E-S1; if no C-S1"),
        ("K-S1; if no E-S1; else C-S1", "K-S1; if no E-S1; if no C-S1"),
        ("K-S1; then E-S1; else C-S1", "K-S1; then E-S1; if no C-S1"),
        ("K-S1; if z (E-S1; else C-S1); else L-S1", "K-S1; if z (E-S1; if no C-S1); else L-S1"),
        ("K-S1; if z E-S1; else (L-S1; if no C-S1)", "K-S1; if z E-S1; else (L-S1; if no C-S1)"),
    ],
)
def test_else_is_all_that_the_conditions_before_it_leave(written: str, canonical: str) -> None:
    assert write_plan(read(written)) == canonical
    assert write_plan(read(canonical)) == canonical


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("K-S1; if yes C-S1; if no E-S1; if z L-S1; else P-S1", "plan-twice"),
        ("K-S1; if z C-S1; else E-S1; if yes L-S1", "plan-else"),
        ("K-S1; if z C-S1; else E-S1; else L-S1", "plan-else"),
    ],
)
def test_nothing_comes_behind_else_and_nothing_is_left_by_both_answers(text: str, code: str) -> None:
    assert fault(text).code == code


def test_else_is_followed_where_nothing_before_it_holds() -> None:
    plan = read("K-S1; if captured C-S1; if z L-S1; else E-S1")
    for heard, order in (("yes captured", "C-S1"), ("yes z", "L-S1"), ("yes", "E-S1"), ("no", "E-S1")):
        after = next_step(plan, heard.split())
        assert after is not None
        assert after.order == order
