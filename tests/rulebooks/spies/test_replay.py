"""A record of the thirteen-spy edition held against the rules: what is read, and the first place where they part."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.confusion.table import default_table
from referee.rulebooks.rulebook import Replay, Result, Seat
from referee.rulebooks.spies.adjudicate import conclude
from referee.rulebooks.spies.edition import RED, Variants
from referee.rulebooks.spies.record import write_record
from referee.rulebooks.spies.replay import replay
from tests.rulebooks.confusion.boards import uniform_table
from tests.rulebooks.spies.games import game_by
from tests.rulebooks.spies.tables import folded

TABLE = default_table()
DEALS = """\
White  = A6 C2 E3 H4 K5 L1 N7 O8 P9 S10 T11 V12 X?
Red    = A? C2 E3 H4 K5 L6 N7 O8 P9 S10 T11 V12 X1
"""
HEAD = DEALS + "First = Red\n"
TOKENS = "WhiteTokens = reveal move swap\nRedTokens = reveal move swap\n"
COMRADE = "Variants = comrade\n"
SET_UP = "A3-2 C4-2 E5-2 H7-2 K8-2 L9-2 N3-1 O4-1 P5-1 S7-1 T8-1 V9-1 X1-1"


def held(text: str) -> Replay:
    return replay(text, TABLE)


def error(text: str) -> tuple[int, Seat | None, str, str]:
    """Return the one inconsistency of a record, and check that what stands before it is a game."""
    found = held(text)
    (first,) = found.errors
    if found.happenings:
        assert held(write_record(found.happenings, {})).errors == ()
    return first.row, first.seat, first.text, first.reason


# Read leniently


@pytest.mark.parametrize(
    "row",
    [
        "1.  ?C A-N4             #xA A-S1",
        "1.  ?c a-n4\t#xa A-S1",
        "1.  ? C A-N4  well shown!    #×A A-S1",
        "1)  ?C A - N 4   #xA A–S1",
    ],
)
def test_a_row_is_read_as_people_write_it(row: str) -> None:
    found = held(f"{HEAD}{TOKENS}{row}\n")
    assert found.errors == ()
    assert held(write_record(found.happenings, {})) == found
    assert "1.  ?C A-N4         #xA A-S1\n" in write_record(found.happenings, {})


def test_columns_may_stand_the_other_way_round_and_have_french_names() -> None:
    whites_first = f"{DEALS}First = White\n  White   Red\n1. A-S1  C-N1\n2. [H-S1]\n"
    french = whites_first.replace("White  =", "Blanc =").replace("Red    =", "Rouge =")
    french = french.replace("First = White", "First = blanc").replace("White   Red", "Blancs   Rouges")
    found = held(whites_first)
    assert found.errors == ()
    assert held(french) == found
    assert "2.  C-N1            [H-S1]\n" in write_record(found.happenings, {})


def test_two_letters_change_places_in_either_order() -> None:
    found = held(f"{HEAD}{TOKENS}1. H<>A C-N1\n")
    assert found.errors == ()
    assert "1.  A<>H C-N1\n" in write_record(found.happenings, {})


def test_an_x_that_begins_the_next_cell_is_no_tail() -> None:
    found = held(f"{HEAD}1. A-N4  X-S1\n2. C-N1  [X-S1]\n")
    assert found.errors == ()
    assert found.attempts == 3


# The double agent


@pytest.mark.parametrize("cell", ["A-N4", "(A-N4)", "A-NE3", "(A-NE3)", "[A-NE3]"])
def test_cf_10_3_any_answer_of_a_double_agent_may_stand(cell: str) -> None:
    found = held(f"{HEAD}1. {cell}\n")
    assert found.errors == ()
    assert cell in write_record(found.happenings, {})


def test_cf_10_3_he_may_be_answered_otherwise_the_next_time() -> None:
    assert held(f"{HEAD}1. (A-N1)  A-S1\n2. A-N1  (A-S2)\n3. (A-N1)\n").errors == ()


def test_cf_10_3_all_others_are_held_against_their_types() -> None:
    assert error(f"{HEAD}1. (X-N1)\n") == (
        1,
        RED,
        "(X-N1)",
        "the Rocket (1) on X can go one square north, but the record has it refused",
    )
    assert error(f"{HEAD}1. A-N4  A-S2\n")[3] == (
        "the King (6) on A cannot go two squares south, but the record has it answered yes"
    )


def test_where_the_deal_is_not_known_one_at_least_must_agree_with_all_answers() -> None:
    """One letter may contradict itself: it is the double agent. Two cannot both be he."""
    once = "1. A-N1  A-S1\n2. (A-N1)  A-N1\n"
    assert held(f"First = Red\n{once}").errors == ()
    twice = f"{once}3. C-N1  A-S1\n4. (C-N1)\n"
    nobody = "no deal of Red's types agrees with this and with the answers before"
    assert error(f"First = Red\n{twice}") == (4, RED, "(C-N1)", nobody)
    honour = "Variants = code-of-honour\n"
    assert error(f"First = Red\n{honour}{once}") == (2, RED, "(A-N1)", nobody)
    back = f"{once}taken back to 1: why\n1. C-N1  A-S1\n2. (C-N1)\n"
    assert error(f"First = Red\n{back}")[3] == nobody


def test_an_unmasked_double_agent_is_evidence_where_the_deal_is_not_known() -> None:
    rows = "1. A-N1  A-S1\n2. (A-N1)  #xC A-N1\n"
    reason = "no deal of Red's types agrees with this and with the answers before"
    assert error(f"First = Red\n{rows}") == (2, WHITE, "#xC A-N1", reason)
    assert held(f"First = Red\n{rows.replace('#xC', '#xA')}").errors == ()


def test_what_a_player_was_shown_is_evidence_where_his_deal_is_not_known() -> None:
    rows = f"First = Red\n{TOKENS}RedShown = C1\n1. ?C A-N1  A-S1\n"
    assert held(f"{rows}2. C-N2\n").errors == ()
    assert held(f"{rows}2. C-N2\n").summary["sheets"][RED]["C"] == [1]
    assert error(f"{rows}2. (C-N2)\n")[0] == 2
    assert error(f"{DEALS}First = Red\n{TOKENS}RedShown = C1\n1. ?C A-N1\n") == (
        0,
        RED,
        "RedShown = C1",
        "Red's deal says otherwise",
    )


def test_whoever_was_shown_his_spy_knows_it_in_the_sheets_after_each_row() -> None:
    record = f"{HEAD}{TOKENS}1. ?C A-N4  A-S1\n2. E-N1  ?X (A-S2)\n"
    for row, red, white in ((0, 13, 13), (1, 1, 13), (2, 1, 1)):
        sheets = replay(record, TABLE, row).summary["sheets"]
        assert (len(sheets[RED]["C"]), len(sheets[WHITE]["X"])) == (red, white), row
    summary = held(record).summary
    assert summary["sheets"][WHITE]["X"] == [13]
    assert summary["tokens"] == {"white": ["move", "swap"], "red": ["move", "swap"]}


# Ends


def test_cf_10_2_the_briefcase_brought_home_wins_at_once() -> None:
    found = held(f"{HEAD}{HOME}")
    assert found.errors == ()
    assert found.result == Result(RED, "by bringing the briefcase to the far rank")
    text = write_record(found.happenings, {})
    assert "Result = Red wins: by bringing the briefcase to the far rank\n" in text
    assert text.endswith("4.  XZ-N1+          Red wins\n")
    assert error(f"{HEAD}{HOME.rstrip()}  A-S1\n") == (
        4,
        WHITE,
        "A-S1",
        "the game was over: Red wins: by bringing the briefcase to the far rank",
    )


HOME = "1. X-N4  #X (A-S2)\n2. X-N1xZ  (A-S2)\n3. XZ-N4  (A-S2)\n4. XZ-N1\n"


def test_cf_10_2_a_double_agent_who_brings_it_home_has_won_before_he_is_asked_about_promotion() -> None:
    agent = HEAD.replace("A? C2", "A1 C2").replace("X1", "X?") + COMRADE
    rows = HOME.rstrip() + "+"
    found = held(f"{agent}{rows}\n")
    assert found.errors == ()
    assert found.result == Result(RED, "by bringing the briefcase to the far rank")
    assert held(write_record(found.happenings, {})) == found
    reason = "the game was over before promotion was offered that would unmask anybody"
    assert error(f"{agent}{rows}?\n") == (4, RED, "XZ-N1+?", reason)


def test_cf_10_11_where_contact_is_late_the_other_side_has_one_turn_more() -> None:
    late = f"{HEAD}Variants = late-contact\n{HOME.rstrip()}  "
    assert held(f"{late}(A-S2)\n").result == Result(
        RED, "by holding the briefcase on the opponent's first rank"
    )
    assert held(f"{late}S-E1xXxZ\n").errors[0].reason.startswith("the Bishop (10) on S cannot go")


def test_an_end_off_the_board_is_read_back_and_never_before_the_turn_is_answered() -> None:
    found = held(f"{HEAD}Result = White wins: by resignation\n1. A-N4  A-S1\n2. Red resigns\n")
    assert found.errors == ()
    assert found.result == Result(WHITE, "by resignation")
    assert error(f"{HEAD}Result = White wins: on time\n1. A-N4  [A-S1]\n") == (
        1,
        None,
        "Result = White wins: on time",
        "the turn before is not answered, and no game ends before that is done",
    )


def test_cf_11_3_a_pass_is_written_and_read_also_while_it_is_not_answered() -> None:
    stuck = uniform_table(1, "B")
    for rows in ("1. [pass]\n", "1. pass  [pass]\n", "1. pass  pass\n2. Draw\n"):
        found = replay(f"First = Red\n{rows}", stuck)
        assert found.errors == ()
        assert replay(write_record(found.happenings, {}), stuck) == found
    assert found.result == Result(None, "because neither side can move")
    assert error(f"{HEAD}1. pass\n") == (1, RED, "pass", "Red may not pass, he could try A-N1 (CF-11.3)")


# What was taken back


def test_the_turn_before_one_that_was_taken_back_stands_again() -> None:
    begun = f"{HEAD}1. A-N4  A-S1\n2. C-N1  [H-S1]\ntaken back to 2 Red: C was meant to stay\n"
    found = held(f"{begun}1. -  A-S1\n2. (A-N1)\n")
    assert found.errors == ()
    (branch,) = found.branches
    assert (branch.row, branch.seat, branch.attempts, branch.reason) == (2, RED, 2, "C was meant to stay")
    assert (found.rows, found.attempts) == (2, 3)
    assert held(write_record(found.happenings, {})) == found
    assert error(f"{begun}1. -  H-S1\n") == (
        1,
        WHITE,
        "H-S1",
        "behind what was taken back White's turn before it stands again, which was A-S1",
    )
    assert error(f"{begun}2. (A-N1)\n")[3] == "row 1 should stand here"
    assert error(f"{begun}1. -  (A-S1)\n")[3].startswith("the King (6) on A can go one square south")


def test_a_turn_taken_back_and_the_one_before_it_too() -> None:
    begun = f"{HEAD}1. A-N4  A-S1\n2. C-N1\ntaken back to 2 Red\n"
    found = held(f"{begun}1. -  [A-S1]\ntaken back to 1 White\n1. (A-N4)  H-S1\n")
    assert found.errors == ()
    assert [(each.row, each.seat) for each in found.branches] == [(2, RED), (1, WHITE)]
    assert held(write_record(found.happenings, {})) == found


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("1. A-N4  A-S1\ntaken back to 3: why\n", "nothing was tried in row 3 that could be taken back"),
        (
            "1. A-N4  [A-S1]\ntaken back to 2 Red: why\n",
            "Red had tried nothing in row 2 that could be taken back",
        ),
        ("taken back to 1: why\n", "nothing was tried in row 1 that could be taken back"),
        (
            f"{HOME}taken back to 4: why\n",
            "the game was over, and is not taken back any more: Red wins: by bringing the briefcase to the far rank",
        ),
    ],
)
def test_what_cannot_be_taken_back_is_an_inconsistency(rows: str, reason: str) -> None:
    assert error(HEAD + rows)[3] == reason


# Every kind of damage


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            f"{HEAD}1. [A-N4]  A-S1\n",
            (1, WHITE, "A-S1", "the turn before this one is not answered, so there is none behind it"),
        ),
        (
            f"{HEAD}{TOKENS}1. [C-NE1] & E-N1\n",
            (1, RED, "[C-NE1] & E-N1", "an attempt is answered behind one that is not"),
        ),
        (
            f"{HEAD}{TOKENS}1. (C-NE1) & [E-N1]\n",
            (1, RED, "(C-NE1) & [E-N1]", "E-N1 can be attempted behind the first, so it has an answer"),
        ),
        (
            f"{HEAD}{TOKENS}1. (C-NE1) & P-N1\n",
            (1, RED, "(C-NE1) & P-N1", "E of the same side stands on (5,2)"),
        ),
        (
            f"{HEAD}{TOKENS}1. (E-N3) & P-N1\n",
            (1, RED, "(E-N3) & P-N1", "P-N1 has no answer, since the first attempt has made it impossible"),
        ),
        (f"{HEAD}1. C-N1 & E-N1\n", (1, RED, "C-N1 & E-N1", "Red has no token Move 2 in this game")),
        (
            f"{HEAD}{TOKENS}1. C-N1 & E-N1  A-S1\n2. C-N1 & E-N1\n",
            (2, RED, "C-N1 & E-N1", "the token Move 2 of Red is used up"),
        ),
        (
            f"{HEAD}{TOKENS}1. #A C-N1 & E-N1\n",
            (
                1,
                RED,
                "#A C-N1 & E-N1",
                "the token Move 2 is not played in a turn in which something else goes before the move",
            ),
        ),
        (
            f"{HEAD}{TOKENS}1. C-N1 & C-N1\n",
            (1, RED, "C-N1 & C-N1", "the token Move 2 moves two different spies"),
        ),
        (f"{HEAD}1. ?A C-N1\n", (1, RED, "?A C-N1", "Red has no token Reveal 1 in this game")),
        (
            f"{HEAD}{TOKENS}1. ?C C-N1\n",
            (1, RED, "?C C-N1", "C was shown to its player in this turn, so another spy moves"),
        ),
        (
            f"{HEAD}{TOKENS}1. A<>C C-N1\n",
            (1, RED, "A<>C C-N1", "C has changed places in this turn, so another spy moves"),
        ),
        (f"{HEAD}{TOKENS}1. A<>A C-N1\n", (1, RED, "A<>A C-N1", "two different spies change places")),
        (f"{HEAD}1. #A A-N1\n", (1, RED, "#A A-N1", "A is not in the game any more")),
        (f"{HEAD}1. #A C-N1  A-S1\n2. #A C-N1\n", (2, RED, "#A C-N1", "A is not in the game any more")),
        (
            f"{HEAD}1. A-N4  #xC A-S1\n",
            (
                1,
                WHITE,
                "#xC A-S1",
                "the Probe (2) on C is no double agent, so his opponent cannot remove him",
            ),
        ),
        (f"{HEAD}1. A-N4  #xA A-S1\n2. A-N1\n", (2, RED, "A-N1", "A is not in the game any more")),
        (
            f"{HEAD}1. #B C-N1\n",
            (1, RED, "#B", "there is no piece B; the letters are A C E H K L N O P S T V X"),
        ),
        (f"{HEAD}1. #A\n", (1, RED, "#A", "behind this an attempt is missing")),
        (
            f"{HEAD}1. A-N9\n",
            (1, RED, "A-N9", "no type goes 9 squares north (farthest: 4 squares), so A cannot try it"),
        ),
        (f"{HEAD}1. C-N1+\n", (1, RED, "C-N1+", "(4,3) is not on rank 11, so nothing is promoted there")),
        (
            f"{HEAD}{COMRADE}1. A-N4+?\n",
            (1, RED, "A-N4+?", "(3,6) is not on rank 11, so nothing is promoted there"),
        ),
        (
            f"{HEAD}{COMRADE}1. C-N1  L-S4\n2. (E-N3)  L-S4xA\n3. (E-N3)  L-S1xN+?\n",
            (3, WHITE, "L-S1xN+?", "the Rocket (1) on L is no double agent, but the record has it unmasked"),
        ),
        (
            f"{HEAD}1. A-N4  (A-S2)\n2. A-N4xL  (A-S2)\n3. A-N1xV+?\n",
            (3, RED, "A-N1xV+?", "A was offered no promotion here that would unmask it"),
        ),
        (
            f"{HEAD}1. A-N4  (A-S2)\n2. A-N4xL  (A-S2)\n3. A-N1xV+\n",
            (
                3,
                RED,
                "A-N1xV+",
                "A is the double agent, who is not promoted, but the record has him promoted",
            ),
        ),
        (
            f"{HEAD}{COMRADE}1. A-N4  (A-S2)\n2. A-N4xL  (A-S2)\n3. A-N1xV+\n",
            (
                3,
                RED,
                "A-N1xV+",
                "A is the double agent, who is unmasked and not promoted, which is written +?",
            ),
        ),
        (
            f"{HEAD}{COMRADE}1. A-N4  (A-S2)\n2. A-N4xL  (A-S2)\n3. A-N1xV+?>C\n",
            (3, RED, "A-N1xV+?>C", "A, the first of the other side's spies, takes Z here, not C"),
        ),
        (
            f"{HEAD}Variants = large-world\n1. A-N1\n",
            (
                0,
                None,
                "Variants = large-world",
                "there is no variant large-world; they are code-of-honour, small-world, late-contact, variable-",
            ),
        ),
        (
            f"{HEAD}WhiteTokens = reveal, jump\n1. A-N1\n",
            (0, WHITE, "WhiteTokens = reveal, jump", "there is no token jump; they are reveal, move, swap"),
        ),
        (
            "First = Red\nRedShown = C2\n1. A-N1\n",
            (0, RED, "RedShown = C2", "no turn of Red's that stands shows C"),
        ),
        (
            f"{HEAD}RedShown = C14\n1. A-N1\n",
            (0, RED, "RedShown = C14", "what a player was shown is written as in `H4 X?`; C14 is not"),
        ),
        (
            f"{HEAD}WhiteSetUp = {SET_UP}\n1. A-N1\n",
            (
                0,
                WHITE,
                f"WhiteSetUp = {SET_UP}",
                "without the variant variable-setup, everybody begins where the book has it",
            ),
        ),
        (
            f"{HEAD}Variants = variable-setup\nWhiteSetUp = {SET_UP}\n1. A-N1\n",
            (1, RED, "A-N1", "nobody moves before both sides are set up; Red is not"),
        ),
        (
            f"{HEAD}First = Yellow\n".replace("First = Red\n", ""),
            (0, None, "First = Yellow", "First is White or Red, not Yellow"),
        ),
        (
            HEAD.replace("A?", "A14"),
            (0, RED, "Red = A14", "there is no type 14; they are 1 to 12, and ? for"),
        ),
        (
            f"Variants = code-of-honour\n{HEAD}",
            (
                0,
                WHITE,
                "White = A6",
                "a deal gives each letter of A C E H K L N O P S T V its type, as in A6; X? does not",
            ),
        ),
        (f"{HEAD}1. A-N4  A-S1\n3. A-N1\n", (3, None, "3.", "row 2 should stand here")),
        (f"{HEAD}1. -  A-S1\n", (1, RED, "-", "Red is to move here, but the cell is empty")),
    ],
)
def test_the_first_inconsistency_is_named_with_its_row_and_reason(
    text: str, found: tuple[int, Seat | None, str, str]
) -> None:
    row, seat, said, reason = error(text)
    assert (row, seat) == found[:2]
    assert said.startswith(found[2])
    assert reason.startswith(found[3])


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_one_answer_turned_round_is_found_wherever_it_stands(seed: int) -> None:
    """In a game by the code of honour no answer is anybody's choice."""
    random = Random(seed)
    happenings = game_by(random, Variants(code_of_honour=True), 12)
    happenings += conclude(folded(happenings), Result(WHITE, "on time"))
    lines = write_record(happenings, {}).splitlines(keepends=True)
    places = [place for place, line in enumerate(lines) if re.match(r"\d+\. +.*-[NSEW]", line)]
    place = random.choice(places)
    moves = list(re.finditer(r"\(([^)]+)\)|(?<!\S)(\w+-[^\s+]+)\+?", lines[place]))
    move = random.choice(moves)
    other = move[1] or f"({move[2]})"
    lines[place] = lines[place][: move.start()] + other + lines[place][move.end() :]
    row, _, said, reason = error("".join(lines))
    assert row == int(lines[place].split(".")[0])
    assert said.startswith(other)
    assert reason


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=80), rows=st.text("ACX123#?x<>()[]&-+ NSE.\n\tpas", max_size=80))
def test_any_text_is_replayed_or_refused_with_a_reason(text: str, rows: str) -> None:
    for record in (text, f"{HEAD}{TOKENS}1. {rows}"):
        found = held(record)
        assert found.errors == () or all(each.reason for each in found.errors)
