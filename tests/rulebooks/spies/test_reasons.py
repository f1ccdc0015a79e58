"""Why a letter is what it is, with a double agent about: what is told proves it, and a contradiction is told as one."""

from __future__ import annotations

import pytest

from referee.common.faults import Fault
from referee.reports.renderer import typeset
from referee.reports.report import Note
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.confusion.deduction import Disclosed
from referee.rulebooks.confusion.position import Attempt
from referee.rulebooks.confusion.reasons import Explanation
from referee.rulebooks.rulebook import Seat
from referee.rulebooks.spies.deduction import evidence_of
from referee.rulebooks.spies.edition import RED, SEATS
from referee.rulebooks.spies.position import Position
from referee.rulebooks.spies.reasons import explain
from tests.reports.material import desk_report
from tests.rulebooks.confusion.proofs import check, cited
from tests.rulebooks.spies.small import could_be, drawn_game, every_deal, steps
from tests.rulebooks.spies.tables import play, position, say, view_of
from tests.support.telling import telling


def begun(*, comrade: bool = False) -> Position:
    """Return a position in which Red's A1, H4, T11 and the double agent X stand apart, one of them far ahead."""
    return position(
        red={"A": (2, 2), "H": (4, 2), "T": (8, 2), "X": (10, 10)},
        white={"A": (2, 10), "H": (4, 10), "C": (6, 10)},
        comrade=comrade,
    )


def why(where: Position, subject: str, seat: Seat = RED) -> Explanation:
    explained = explain(view_of(where, seat), subject)
    assert isinstance(explained, Explanation), explained
    return explained


def told(explained: Explanation) -> list[str]:
    """Return the texts of an explanation's own grounds."""
    return [ground.heard.text for ground in explained.grounds]


def test_an_answer_leaves_types_and_the_double_agent() -> None:
    """Twice forward, once sideways, and once not back: the Tower is left, or the double agent."""
    where, _ = play(begun(), "H-N2", "A-S1", "H-E1", "A-S1", "H-S2", "A-S1")
    explained = why(where, "H")
    assert [row.number for row in explained.left] == ["4", "?"]
    assert explained.agent is not None and explained.agent.name() == "Double Agent"
    assert explained.contradicts is None
    assert not explained.certain
    # The Novice goes two sideways and forward, and nobody else is left but the Tower to go back.
    assert told(explained) == ["H-E1", "H-S2"]


def test_cf_10_3_a_contradiction_is_told_as_one_whatever_else_was_heard() -> None:
    """He was proved before, by three answers together; two that cannot both be true are what is told."""
    where, _ = play(
        begun(),
        *("X-S1", "allow; A-S1"),
        *("X-E1", "deny; H-S1"),
        *("X-S2", "deny; A-S1"),
        *("X-S1", "deny; H-S1", "H-N1"),
    )
    explained = why(where, "X")
    assert explained.certain and explained.agent is not None
    assert explained.contradicts is not None
    allowed, refused = explained.contradicts
    assert (allowed.text, allowed.answer, refused.text, refused.answer) == ("X-S1", True, "X-S1", False)
    assert told(explained) == ["X-S1", "X-S1"]
    assert [each.text for each in cited(why(where, "H"))] == ["X-S1", "X-S1"]


def test_answers_that_contradict_each_other_only_together_are_told_all() -> None:
    """Who goes two squares goes one: who does the one and not the other is nobody but the double agent."""
    where, _ = play(begun(), "X-S1", "deny; A-S1", "X-S2", "allow; H-S1", "H-N1")
    explained = why(where, "X")
    assert explained.certain and explained.agent is not None
    assert explained.contradicts is None
    assert told(explained) == ["X-S1", "X-S2"]


def test_cf_10_5_the_double_agent_who_was_removed_is_told_by_that_alone() -> None:
    where, _ = play(begun(), "X-S1", "allow; #xX; A-S1")
    explained = why(where, "X")
    (ground,) = explained.grounds
    assert isinstance(ground.heard, Disclosed)
    assert (ground.heard.by, ground.heard.text, ground.heard.row) == ("unmasked", "#xX", 1)
    assert explained.certain and explained.contradicts is None
    (taken,) = why(where, "K").shared
    assert [witness.heard for witness in taken.witnesses] == [(ground.heard,)]


def test_cf_10_9_what_was_revealed_is_told_by_that_alone_and_to_both() -> None:
    where, _ = play(begun(), "H-N1", "A-S1")
    where, _ = say(where, "?H")
    assert [row.number for row in why(where, "H").left] == ["4"]
    assert len(why(where, "red H", WHITE).left) > 1, "White hears of it when the turn is closed"
    where, _ = say(where, "T-NE1")
    for explained in (why(where, "H"), why(where, "red H", WHITE)):
        (ground,) = explained.grounds
        assert isinstance(ground.heard, Disclosed)
        assert (ground.heard.by, ground.heard.text, ground.heard.number) == ("reveal", "?H", 4)


def test_cf_10_11_a_wish_that_unmasks_is_the_ground() -> None:
    where, _ = play(begun(comrade=True), "X-N1+", "allow; A-S1")
    explained = why(where, "X")
    (ground,) = explained.grounds
    assert isinstance(ground.heard, Attempt)
    assert (ground.heard.text, ground.heard.promoted) == ("X-N1+", None)
    assert explained.certain


@pytest.mark.parametrize(
    ("subject", "code", "suggestion"),
    [
        ("B", "no-such-letter", "P"),
        ("red M", "no-such-letter", "red N"),
        ("Z", "no-piece", ""),
        ("yellow H", "no-piece", ""),
        ("red white H", "no-piece", ""),
    ],
)
def test_what_is_no_letter_of_this_edition_is_a_fault(subject: str, code: str, suggestion: str) -> None:
    fault = explain(view_of(begun()), subject)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.suggestion) == (code, suggestion)
    assert "yellow" not in fault.reason()


def test_the_letter_x_and_the_colour_red_are_known() -> None:
    assert why(begun(), "X").untouched
    assert why(begun(), "rouge x").seat == RED
    honour = position(red={"A": (2, 2)}, white={"A": (2, 10)}, code_of_honour=True)
    fault = explain(view_of(honour), "X")
    assert isinstance(fault, Fault) and fault.code == "no-such-letter"


def hold_against_the_list(seed: int, kinds: int, turns: int) -> None:
    """Hold every explanation at the end of a game against the sheet and against the list of all deals."""
    random, where = drawn_game(seed, kinds)
    left = {seat: every_deal(where) for seat in SEATS}
    for step in steps(random, where, turns):
        for seat in SEATS:
            left[seat] = [deal for deal in left[seat] if could_be(step, seat, deal, to_owner=True)]
        where = step.after
    for seat in SEATS:
        said = evidence_of(view_of(where, seat), seat)
        table = where.table.board.table
        for letter in said.letters:
            explained = why(where, letter, seat)
            check(table, said.clues, said.sheet, explained, said.dealt)
            assert [*explained.shares] == [
                sum(deal[letter] == number for deal in left[seat]) for number in said.sheet.open[letter]
            ]
            assert (explained.contradicts is not None) <= explained.certain
            if explained.contradicts is not None:
                assert [ground.heard for ground in explained.grounds] == [*explained.contradicts]


ALONE = 379
"""A game in which a yes to what only a promoted piece does proves the double agent by itself; a no to the same follows,
and proves nothing more."""


@pytest.mark.telling(seed=[ALONE, 300, 301, 302])
@pytest.mark.parametrize("seed", telling([ALONE, *range(300, 311)], others=range(311, 420)))
def test_cf_7_2_what_is_named_rules_out_by_itself_all_that_is_ruled_out(seed: int) -> None:
    hold_against_the_list(seed, 3 + seed % 2, 30)


# In words


def words_of(explained: Explanation) -> str:
    """Return an explanation as it stands in a letter of plain text."""
    note = Note("why", {"rulebook": "spies", "why": explained})
    return typeset(desk_report(notes=(note,))).text.rpartition("\n\n")[0]


def test_the_tower_or_the_double_agent_in_words() -> None:
    where, _ = play(begun(), "H-N2", "A-S1", "H-E1", "A-S1", "H-S2", "A-S1")
    assert words_of(why(where, "H")) == (
        "Your H can still be one of 2 types; these answers rule out the others.\n"
        "\n"
        "H-E1 yes (turn 2): so H is none of the types 1 to 3 and 10 to 12.\n"
        "H-S2 yes (turn 3): so H is none of Novice 5, King 6, Sprinkler 7, Wimp 8 and Crab 9.\n"
        "So H is either Tower 4 or Double Agent, equally likely."
    )


def test_a_contradiction_in_words() -> None:
    where, _ = play(begun(), "X-S1", "allow; A-S1", "X-S1", "deny; H-S1", "H-N1")
    text = (
        "X is the Double Agent, and this is why.\n"
        "\n"
        "X-S1 was allowed in turn 1 and refused in turn 2: no type does both.\n"
        "So X is the Double Agent."
    )
    assert words_of(why(where, "X")) == f"Your {text}"
    assert words_of(why(where, "red X", WHITE)) == f"Red can know that {text}"
    other, _ = play(begun(), "X-S1", "deny; A-S1", "X-S1", "allow; H-S1", "H-N1")
    assert "X-S1 was refused in turn 1 and allowed in turn 2: no type does both.\n" in words_of(
        why(other, "X")
    )
    assert "X (X-S1 yes in turn 1, X-S1 no in turn 2) is the Double Agent, so K is not.\n" in words_of(
        why(where, "K")
    )


def test_what_was_shown_or_removed_in_words() -> None:
    where, _ = play(begun(), "?H; T-NE1", "#xX; A-S1", "T-NE1")
    assert "\nH: shown by the token Reveal 1 (turn 1).\nSo H is the Tower 4." in words_of(why(where, "H"))
    assert "\nX: removed by the opponent as the double agent (turn 1).\nSo X is" in words_of(why(where, "X"))
    assert "H (shown by the token Reveal 1 in turn 1) is the Tower 4, so K is not.\n" in words_of(
        why(where, "K")
    )
    comrade, _ = play(begun(comrade=True), "X-N1+", "allow; A-S1")
    assert "X-N1+ yes, and unmasked by the promotion (turn 1): so X is none of" in words_of(why(comrade, "X"))
