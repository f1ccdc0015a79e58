"""Why a letter is what it is: what is told proves it, nothing is told twice, and it is read at a glance."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.common.faults import Fault
from referee.reports.renderer import typeset
from referee.reports.report import Note
from referee.rulebooks.confusion.deduction import Clue, clues, sheet_from, types_dealt
from referee.rulebooks.confusion.position import LETTERS, WHITE, YELLOW, Attempt, View, opponent
from referee.rulebooks.confusion.reasons import Explanation, explain, explain_letter
from referee.rulebooks.confusion.table import MovementTable, Row, default_table
from referee.rulebooks.rulebook import Seat
from tests.reports.material import after, desk_report, heard_by
from tests.rulebooks.confusion.boards import CONFUSION, opened
from tests.rulebooks.confusion.drawn import ALL, SEATS, agrees, answered, played, tables, tried
from tests.rulebooks.confusion.proofs import check, cited

TABLE = default_table()
SAMPLE = resources.files("referee.rulebooks.confusion").joinpath("sample-game.txt").read_text("utf-8")
SCREEN = 24
"""Lines of a screen."""
COLUMNS = 70


def knowing(attempts: Sequence[Attempt], seat: Seat = YELLOW, table: MovementTable = TABLE) -> View:
    """Return the view of a seat that has heard these attempts and no more."""
    where, _ = opened()
    board = replace(where.board, attempts=tuple(attempts), table=table)
    return View(seat, board, where.deals[opponent(seat)], None)


def why(attempts: Sequence[Attempt], subject: str, seat: Seat = YELLOW) -> Explanation:
    """Return what a seat is told of a letter when these attempts were heard."""
    explained = explain(knowing(attempts, seat), subject)
    assert isinstance(explained, Explanation), explained
    return explained


def words_of(explained: Explanation) -> str:
    """Return an explanation as it stands in a letter of plain text."""
    note = Note("why", {"rulebook": "confusion", "why": explained})
    return typeset(desk_report(notes=(note,))).text.rpartition("\n\n")[0]


def lines_on_screen(text: str) -> int:
    """Return how many lines a text takes, blank ones too."""
    return sum(max(1, len(textwrap.wrap(line, COLUMNS))) for line in text.splitlines())


def sample_view(attempts: int, seat: Seat) -> View:
    return CONFUSION.rules.view(heard_by(seat, after(attempts)), seat)


BOOK = (
    replace(tried(YELLOW, "H", "N", 1, yes=False), row=4),
    replace(tried(YELLOW, "H", "W", 1, yes=True), row=9),
    replace(tried(YELLOW, "H", "NE", 2, yes=True), row=12),
)
"""The book's example: H may not go forward, may go sideways, and two squares diagonally forward."""


# In words


def test_cf_7_3_the_books_example_in_words() -> None:
    assert words_of(why(BOOK, "H")) == (
        "Your H is the Crab 9, and this is why.\n"
        "\n"
        "H-N1 no (turn 4): so H is none of the types 1 to 7.\n"
        "H-W1 yes (turn 9): so H is none of Bishop 10, Cardinal 11 and Abbot 12.\n"
        "H-NE2 yes (turn 12): so H is not the Wimp 8.\n"
        "So H is the Crab 9."
    )


def test_cf_7_3_the_crab_is_crossed_out_for_the_others_because_h_is_it() -> None:
    text = words_of(why(BOOK, "K"))
    assert text.startswith("Your K can still be one of 11 types; these answers rule out the others.\n\n")
    assert (
        "H (H-N1 no in turn 4, H-W1 yes in turn 9, H-NE2 yes in turn 12) is the Crab 9, so K is not.\n"
        in text
    )
    assert text.endswith("Cardinal 11 or Abbot 12, equally likely.")


def test_the_opponents_knowledge_is_explained_as_his() -> None:
    white = words_of(why(BOOK, "yellow H", WHITE))
    assert white.startswith("Yellow can know that H is the Crab 9, and this is why.\n")
    assert white.partition("\n")[2] == words_of(why(BOOK, "H")).partition("\n")[2]
    assert why(BOOK, "yellow H") == why(BOOK, "H"), "one's own side may be named"
    assert words_of(why(BOOK, "H", WHITE)).startswith("Your H can still be any type")


def test_two_letters_that_share_two_types_are_named_together() -> None:
    heard = [
        replace(attempt, row=row)
        for row, letter in enumerate("AC", 3)
        for attempt in (tried(WHITE, letter, "S", 1, yes=False), tried(WHITE, letter, "E", 1, yes=True))
    ]
    text = words_of(why(heard, "H", WHITE))
    assert (
        "A (A-S1 no in turn 3, A-E1 yes in turn 3) and C (C-S1 no in turn 4, C-E1 yes in turn 4)"
        " can only be Wimp 8 and Crab 9, one each, so H is neither.\n" in text
    )


def test_a_type_that_nobody_else_can_be_is_a_reason() -> None:
    heard = [
        replace(tried(YELLOW, letter, "NE", 3, yes=False), row=row)
        for row, letter in enumerate(LETTERS.replace("K", ""), 1)
    ]
    explained = why(heard, "K")
    assert [(shared.way, shared.letters) for shared in explained.shared] == [("only", ("K",))]
    text = words_of(explained)
    assert text.startswith("Your K is the Abbot 12, and this is why.\n")
    assert "Only K can be the Abbot 12, which is ruled out for A (turn 1), C (turn 2), E (turn 3)," in text


def test_a_promotion_is_a_reason_and_what_is_answered_after_it_is_none() -> None:
    heard = [
        tried(WHITE, "T", "SE", 1, yes=True, promoted=True),
        tried(WHITE, "T", "N", 2, yes=True),
        tried(WHITE, "A", "S", 1, yes=True, promoted=False),
    ]
    explained = why(heard, "T", WHITE)
    assert [ground.heard for ground in explained.grounds] == heard[:1]
    text = words_of(explained)
    assert "T-SE1 yes, promoted (turn 1): so T is none of the types " in text
    assert text.endswith("What it was answered after its promotion says nothing of what it was.")
    assert "A-S1 yes, and no promotion (turn 1): so A is none of " in words_of(why(heard, "A", WHITE))
    assert "after its promotion" not in words_of(why(heard[:1], "T", WHITE))


def test_a_letter_of_which_nothing_was_heard_can_be_anything() -> None:
    text = words_of(why((), "H"))
    assert text == "Your H can still be any type: no answer so far rules one out."


def test_shares_are_told_also_where_no_type_is_ruled_out() -> None:
    heard = [tried(YELLOW, "A", "N", 1, yes=True)]
    explained = why(heard, "H")
    assert explained.untouched and not explained.even
    assert "H can still be Rocket 1 (in 8% of the deals left), " in words_of(explained)
    assert "Wimp 8 (9%)" in words_of(explained)


def test_few_deals_are_counted_and_many_are_told_in_percent() -> None:
    few = explain(sample_view(76, YELLOW), "K")
    assert isinstance(few, Explanation)
    text = words_of(replace(few, left=few.left + few.left, shares=(3, 2), assignments=5))
    assert text.endswith("(in 3 of the 5 deals left) or Bishop 10 (2).")
    nearly = words_of(replace(few, left=few.left + few.left, shares=(1, 999), assignments=1000))
    assert nearly.endswith("(in under 1% of the deals left) or Bishop 10 (over 99%).")
    rare = words_of(replace(few, left=few.left + few.left, shares=(1, 199), assignments=200))
    assert rare.endswith("(in 1% of the deals left) or Bishop 10 (over 99%).")


# What can be asked


@pytest.mark.parametrize(
    ("subject", "code", "suggestion"),
    [
        ("B", "no-such-letter", "P"),
        ("white M", "no-such-letter", "white N"),
        ("Н", "no-such-letter", "H"),  # Cyrillic
        ("ß", "no-such-letter", ""),
        ("Z", "no-piece", ""),
        ("red H", "no-piece", ""),
        ("white yellow H", "no-piece", ""),
        ("", "no-such-letter", ""),
        ("HH", "no-such-letter", ""),
    ],
)
def test_what_is_no_letter_is_a_fault_with_what_was_perhaps_meant(
    subject: str, code: str, suggestion: str
) -> None:
    fault = explain(knowing(BOOK), subject)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.suggestion) == (code, suggestion)
    assert fault.reason()


@given(subject=st.text(max_size=20))
@settings(deadline=None)
def test_whatever_is_asked_about_is_explained_or_a_fault(subject: str) -> None:
    explained = explain(knowing(BOOK), subject)
    assert isinstance(explained, Explanation) or explained.sentence()


@pytest.mark.parametrize("subject", ["H", "white H", "yellow C", "B", "Z", "nonsense"])
def test_a_game_without_sheets_explains_nothing_in_the_same_words_whatever_is_asked(subject: str) -> None:
    without = [
        explain(replace(sample_view(attempts, seat), sheets=False), subject)
        for attempts in (0, 60, 76)
        for seat in SEATS
    ]
    assert set(map(repr, without)) == {repr(without[0])}
    assert isinstance(without[0], Fault)
    assert without[0].code == "no-sheets"
    assert "without deduction sheets" in without[0].reason()


def test_a_game_that_is_over_is_still_explained_by_its_answers() -> None:
    over = sample_view(76, WHITE)
    assert over.own_types is not None
    explained = explain(over, "A")
    assert isinstance(explained, Explanation)
    assert not explained.certain


def test_what_is_told_depends_on_no_deal() -> None:
    """A view in which every type that it holds is another one brings the same explanation."""
    for seat in SEATS:
        view = sample_view(60, seat)
        others = {letter: 13 - number for letter, number in view.opponent_types.items()}
        for subject in (f"{side} {letter}" for side in SEATS for letter in LETTERS):
            assert explain(view, subject) == explain(replace(view, opponent_types=others), subject)


# What is told proves what is known


@pytest.mark.slow
@given(
    table=tables(2, 6),
    seat=st.sampled_from(SEATS),
    seed=st.integers(0, 2**32),
    turns=st.integers(0, 14),
    double_agent=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_cf_7_2_the_answers_that_are_named_rule_out_by_themselves_all_that_is_ruled_out(
    table: MovementTable, seat: Seat, seed: int, turns: int, double_agent: bool
) -> None:
    """Held against the list of all deals that agree with the named answers, for any small table."""
    random = Random(seed)
    types = range(1, len(table.rows) + 1 + double_agent)
    heard = answered(random, table, random.sample(types, len(types)), seat, turns)
    said = clues(table, heard, seat, double_agent=double_agent)
    dealt = types_dealt(table, double_agent=double_agent)
    known = sheet_from(seat, said, dealt, LETTERS[: len(types)])
    for place, letter in enumerate(known.own):
        explained = explain_letter(table, said, known, letter, mine=True)
        check(table, said, known, explained, dealt)
        named = cited(explained)
        evidence = [attempt for attempt in heard if attempt in named]
        left = {deal[place] for deal in permutations(types) if agrees(table, deal, evidence)}
        assert left == set(known.open[letter])


@pytest.mark.slow
@given(
    table=tables(12, 12), seat=st.sampled_from(SEATS), seed=st.integers(0, 2**32), turns=st.integers(0, 70)
)
@settings(max_examples=25, deadline=None)
def test_cf_7_2_every_type_that_is_closed_has_one_reason_whatever_the_table(
    table: MovementTable, seat: Seat, seed: int, turns: int
) -> None:
    random = Random(seed)
    heard = answered(random, table, random.sample(ALL, 12), seat, turns)
    said = clues(table, heard, seat)
    known = sheet_from(seat, said, types_dealt(table))
    for letter in LETTERS:
        check(table, said, known, explain_letter(table, said, known, letter, mine=True), types_dealt(table))


# No longer than a screen


def named_as_in_the_book(random: Random) -> MovementTable:
    """Return a table that moves at random, with the names of the table in the package."""
    drawn = set[tuple[int, tuple[str, ...]]]()
    while len(drawn) < 12:
        ways = [heading for heading in ("F", "FD", "S", "BD", "B") if random.random() < 0.5]
        if ways:
            drawn.add((random.randint(1, 4), tuple(ways)))
    rows = tuple(
        replace(row, reach=reach, headings=dict.fromkeys(ways, "drawn"), promotes=random.random() < 0.4)
        for row, (reach, ways) in zip(TABLE.rows, sorted(drawn), strict=True)
    )
    return MovementTable("drawn", rows, TABLE.promoted)


def hold_against_the_screen(seed: int) -> None:
    """Play a game at random, and read what is told of all twenty-four letters at three moments of it."""
    random = Random(seed)
    table = TABLE if seed % 2 else named_as_in_the_book(random)
    heard = played(seed, table, 150)[0].board.attempts
    dealt = types_dealt(table)
    for turns in (random.randint(5, 30), random.randint(30, 80), 150):
        view = knowing(heard[:turns], random.choice(SEATS), table)
        for subject in (f"{side} {letter}" for side in SEATS for letter in LETTERS):
            explained = explain(view, subject)
            assert isinstance(explained, Explanation)
            said = clues(table, heard[:turns], explained.seat)
            check(table, said, sheet_from(explained.seat, said, dealt), explained, dealt)
            text = words_of(explained)
            assert lines_on_screen(text) <= SCREEN, text
            if explained.certain:
                assert f"\nSo {explained.letter} is the {name_of(explained.left[0])}." in text


def name_of(row: Row) -> str:
    return f"{row.name()} {row.number}"


@pytest.mark.telling(seed=[0])
@pytest.mark.parametrize("seed", range(6))
def test_an_explanation_is_no_longer_than_a_screen(seed: int) -> None:
    hold_against_the_screen(seed)


@pytest.mark.full
@pytest.mark.parametrize("tens", range(40))
def test_an_explanation_is_no_longer_than_a_screen_in_hundreds_of_games(tens: int) -> None:
    for seed in range(10 * tens, 10 * tens + 10):
        hold_against_the_screen(seed)


def test_many_answers_of_a_letter_stand_in_one_line() -> None:
    """All go straight back as far as two squares; every other answer rules out one type."""
    ways = ("B", "B", "B", "B", "B F", "B FD", "B S", "B BD", "F", "F", "F", "F")
    reaches = (1, 2, 3, 4, 3, 3, 3, 3, 1, 2, 3, 4)
    rows = tuple(
        replace(row, reach=reach, headings=dict.fromkeys(headings.split(), "drawn"))
        for row, reach, headings in zip(TABLE.rows, reaches, ways, strict=True)
    )
    refused = [("N", 1), ("NE", 1), ("E", 1), ("SE", 1), ("S", 4)]
    heard = [
        tried(YELLOW, "H", "S", 2, yes=True),
        *(tried(YELLOW, "H", direction, length, yes=False) for direction, length in refused),
    ]
    table = MovementTable("drawn", rows, TABLE.promoted)
    explained = explain(knowing(heard, YELLOW, table), "H")
    assert isinstance(explained, Explanation)
    assert len(explained.grounds) == 6
    assert (
        "\nH-S2 yes (turn 1), H-N1 no (turn 1), H-NE1 no (turn 1), H-E1 no (turn 1), H-SE1 no (turn 1),"
        " H-S4 no (turn 1):"
        " so H is none of the types 1 and 4 to 12.\n" in words_of(explained)
    )


def test_the_same_is_told_in_html() -> None:
    for subject in (f"{side} {letter}" for side in SEATS for letter in LETTERS):
        explained = explain(sample_view(70, WHITE), subject)
        assert isinstance(explained, Explanation)
        note = Note("why", {"rulebook": "confusion", "why": explained})
        html = typeset(desk_report(notes=(note,))).html or ""
        for row in explained.left:
            assert row.name().replace("'", "&#39;").replace(" ", "\u00a0") in html


def test_after_the_end_it_is_told_what_the_letter_was() -> None:
    happenings = CONFUSION.records.replay(SAMPLE).happenings
    for seat, other in ((WHITE, YELLOW), (YELLOW, WHITE)):
        heard = [happening for happening in happenings if seat in happening.heard_by]
        ended = CONFUSION.rules.view(heard, seat)
        before = CONFUSION.rules.view(
            [happening for happening in heard if happening.code != "revealed"], seat
        )
        told = {}
        for side in (seat, other):
            explained = explain(ended, f"{side} H")
            assert isinstance(explained, Explanation)
            assert explained.revealed is not None
            told[side] = explained.revealed.number
            assert explain(before, f"{side} H") == replace(explained, revealed=None)
        assert told == {WHITE: "11", YELLOW: "11"}


def test_after_the_end_it_is_told_in_the_past_and_beside_what_the_letter_was() -> None:
    heard = [
        happening for happening in CONFUSION.records.replay(SAMPLE).happenings if WHITE in happening.heard_by
    ]
    ended = CONFUSION.rules.view(heard, WHITE)
    told = {}
    for subject in (f"{side} {letter}" for side in SEATS for letter in LETTERS):
        explained = explain(ended, subject)
        assert isinstance(explained, Explanation)
        told[subject] = words_of(explained)
        assert not re.search(r"\b(?:is|are|can)\b", told[subject].replace("this is why", ""))
    assert told["white H"].startswith(
        "When the game ended, your H could still be one of 2 types; it was the Cardinal 11.\n"
    )
    assert told["white H"].endswith("So H could still be Bishop 10 or Cardinal 11, equally likely.")
    assert told["white T"].startswith(
        "When the game ended, you could know that your T was the Abbot 12, and this is why.\n"
    )
    assert told["yellow H"].startswith(
        "When the game ended, Yellow could know that H was the Cardinal 11, and this is why.\n"
    )
    assert told["yellow S"].startswith(
        "When the game ended, for all that Yellow could know, S could still be one of 4 types;"
        " it was the King 6.\n"
    )
    unheard = words_of(replace(why((), "H"), revealed=TABLE.row(3)))
    assert unheard == "When the game ended, your H could still be any type; it was the Hen's Foot 3."


@pytest.mark.parametrize("seed", range(5))
def test_the_answers_quoted_are_those_that_told_something_when_they_were_heard(seed: int) -> None:
    """Not a later one that would have ruled out as much, had it come first: the player looks for what he has read."""
    attempts = played(seed, TABLE, 100)[0].board.attempts
    for seat in SEATS:
        said = clues(TABLE, attempts, seat)
        known = sheet_from(seat, said, types_dealt(TABLE))
        for letter in LETTERS:
            own = [clue for clue in said if clue.letter == letter]
            news = {clue.heard for place, clue in enumerate(own) if _left(own[:place]) & ~clue.agrees}
            explained = explain_letter(TABLE, said, known, letter, mine=True)
            assert {ground.heard for ground in explained.grounds} <= news


def _left(said: Sequence[Clue]) -> int:
    left = types_dealt(TABLE)
    for clue in said:
        left &= clue.agrees
    return left
