"""Section 8 of the rules: the record, written, read and held against the rules."""

from __future__ import annotations

from importlib import resources

import pytest

from referee.common.chance import Chance
from referee.common.errors import SettingsError
from referee.rulebooks.confusion.options import opening
from referee.rulebooks.confusion.position import WHITE, YELLOW, Position
from referee.rulebooks.confusion.record import write_record
from referee.rulebooks.confusion.replay import replay
from referee.rulebooks.confusion.score import CLASSIC_LAYOUT, read_score
from referee.rulebooks.rulebook import Happening, Replay, Result, Seat
from tests.rulebooks.confusion.boards import CONFUSION, RECORDS, opened, play, uniform_table

CORRECTED = (
    resources.files("referee.rulebooks.confusion").joinpath("sample-game.txt").read_text(encoding="utf-8")
)
AS_PRINTED = (RECORDS / "sample-as-printed.txt").read_text(encoding="utf-8")
BOOK_LAYOUT = (RECORDS / "sample-book-layout.txt").read_text(encoding="utf-8")
FINAL_DIAGRAM = """\
. . . . . . p o n . .
. . . . . . e . a . .
. . . . . . . . . . .
. . . v . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
C . . E H . L t . . .
. . . . . . h S . . .
. . N O P . . . . . ."""
DEALS = "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4; Yellow=A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9"
HEAD = DEALS.replace("; ", "\n")


def truth(happenings: tuple[Happening, ...] | list[Happening]) -> Position:
    where: Position | None = None
    for happening in happenings:
        where = CONFUSION.rules.fold(where, happening)
    assert where is not None
    return where


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line[:1].isdigit()]


def only_error(replayed: Replay) -> tuple[int, Seat | None, str, str]:
    assert not replayed.consistent
    (error,) = replayed.errors
    return error.row, error.seat, error.text, error.reason


def sample_with(old: str, new: str) -> str:
    assert CORRECTED.count(old) == 1, old
    return CORRECTED.replace(old, new)


def until(text: str, row: int) -> str:
    return text[: text.index(f"\n{row}.")] + "\n"


# The sample game


def test_the_corrected_sample_game_is_consistent_from_end_to_end() -> None:
    replayed = CONFUSION.records.replay(CORRECTED)
    assert replayed.errors == ()
    assert replayed.attempts == 76
    assert replayed.result == Result(WHITE, "by holding Z on the opponent's first rank")
    assert replayed.summary["z"] == [6, 1]
    assert {
        "seat": "white",
        "letter": "T",
        "square": [6, 1],
        "promoted": True,
        "holds_z": True,
    } in replayed.summary["board"]


def test_the_sample_game_reaches_the_printed_position_after_whites_36th() -> None:
    board = truth(CONFUSION.records.replay(until(CORRECTED, 37)).happenings).board
    drawn = []
    for rank in range(11, 0, -1):
        pieces = [board.pieces.get((file, rank)) for file in range(1, 12)]
        drawn.append(
            " ".join("." if p is None else p.letter if p.seat == YELLOW else p.letter.lower() for p in pieces)
        )
    assert "\n".join(drawn) == FINAL_DIAGRAM
    holder = board.holder()
    assert holder is not None
    assert (holder.seat, holder.letter) == (WHITE, "H")


def test_the_sample_game_as_printed_stops_at_row_4() -> None:
    replayed = CONFUSION.records.replay(AS_PRINTED)
    reason = "there is nothing to capture: no yellow A stands on (3,3)"
    assert only_error(replayed) == (4, WHITE, "L-S4xA", reason)
    assert replayed.attempts == 6


def test_cf_8_3_the_books_own_layout_with_its_notes_replays() -> None:
    """French names, tabs, no heading, an empty first cell, notes behind the moves."""
    replayed = CONFUSION.records.replay(BOOK_LAYOUT)
    assert replayed.errors == ()
    assert replayed.happenings == CONFUSION.records.replay(CORRECTED).happenings


# Writing and reading back


def test_cf_8_1_a_written_record_has_the_rows_of_the_sample() -> None:
    written = write_record(CONFUSION.records.replay(CORRECTED).happenings, {})
    assert rows(written) == rows(CORRECTED)
    assert "    Yellow          White\n1.  -               L-S2\n" in written
    assert written.endswith("39. (O-E2xTxZ)      White wins\n")


def test_cf_8_2_deals_are_written_as_letters_with_numbers() -> None:
    written = write_record(CONFUSION.records.replay(CORRECTED).happenings, {})
    assert "White  = A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4\n" in written
    assert "Yellow = A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9\n" in written
    french = CORRECTED.replace("White  =", "Blanc =").replace("Yellow =", "Jaune =")
    assert CONFUSION.records.replay(french) == CONFUSION.records.replay(CORRECTED)


@pytest.mark.parametrize("row", range(2, 40, 3))
def test_a_record_of_a_game_in_progress_reads_back_as_unfinished(row: int) -> None:
    replayed = CONFUSION.records.replay(until(CORRECTED, row))
    written = CONFUSION.records.write(replayed.happenings, {"WhiteName": "Wendy"}, None)
    again = CONFUSION.records.replay(written)
    assert again.happenings == replayed.happenings
    assert again.result is None
    assert "WhiteName = Wendy\n" in written
    assert "Result" not in written


def test_cf_8_4_a_record_may_hold_the_compass_whites_way() -> None:
    replayed = CONFUSION.records.replay(CORRECTED)
    written = write_record(replayed.happenings, {"View": "White"})
    assert "View   = White\n" in written
    assert "1.  -               L-N2\n" in written
    assert CONFUSION.records.replay(written) == replayed
    # The same rows read with Yellow's compass make no sense, and a reason speaks the record's compass.
    assert not CONFUSION.records.replay(written.replace("View   = White", "View = Yellow")).consistent
    error = only_error(CONFUSION.records.replay(written.replace("L-N2", "L-N5", 1)))
    assert error[3].startswith("no type goes 5 squares north")
    error = only_error(CONFUSION.records.replay(written.replace("(C-S2)", "C-S2", 1)))
    assert error[3] == "the Wimp (8) on C cannot go two squares south, but the record has it answered yes"


def test_cf_8_5_the_first_mover_is_said_or_read_from_row_1() -> None:
    def first(record: str) -> Seat:
        replayed = CONFUSION.records.replay(record)
        assert replayed.errors == ()
        return truth(replayed.happenings).board.first

    assert first(f"{HEAD}\n1.  -   L-S2\n") == WHITE
    assert first(f"{HEAD}\n1.                  L-S2\n") == WHITE
    assert first(f"{HEAD}\n1.  E-NW1\n") == YELLOW
    assert first(f"{HEAD}\nFirst = White\n1.  L-S2\n") == WHITE
    assert first(f"{HEAD}\n  White    Yellow\n1.  L-S2     E-NW1\n") == WHITE
    assert first(f"{HEAD}\n  White    Yellow\n1.  -        E-NW1\n2. L-S2\n") == YELLOW
    assert first(f"{HEAD}\nFirst = Yellow\n") == YELLOW


def test_cf_8_5_a_first_that_the_rows_contradict_is_an_error() -> None:
    error = only_error(CONFUSION.records.replay(f"{HEAD}\nFirst = White\n1. E-NW1   L-S2\n"))
    assert error == (1, YELLOW, "E-NW1", "White is to move here, not Yellow")
    error = only_error(CONFUSION.records.replay(f"{HEAD}\nFirst = Yellow\n1. -   L-S2\n"))
    assert error == (1, YELLOW, "-", "Yellow is to move here, but the cell is empty")


def test_a_seats_record_lacks_its_own_deal_until_it_is_revealed() -> None:
    whole = CONFUSION.records.replay(CORRECTED).happenings
    for seat, own, other in ((WHITE, "White  =", "Yellow ="), (YELLOW, "Yellow =", "White  =")):
        heard = [happening for happening in whole if seat in happening.heard_by]
        written = CONFUSION.records.write(heard[:-2], {}, seat)
        assert own not in written
        assert other in written
        assert CONFUSION.records.replay(written).consistent
        assert CONFUSION.records.write(heard, {}, seat) == CONFUSION.records.write(whole, {}, None)


@pytest.mark.parametrize(
    ("result", "cell"),
    [
        (Result(WHITE, "by resignation"), "Yellow resigns"),
        (Result(YELLOW, "on time"), "Yellow wins"),
        (Result(None, "by agreement"), "Draw"),
        (Result(None, "declared drawn by the umpire"), "Draw"),
        (Result(WHITE, "by agreement"), "White wins"),
        (Result(None, "abandoned by agreement", void=True), "No result"),
        (Result(WHITE, "adjudicated: Yellow hasn't written since May, at all"), "White wins"),
        (Result(None, "adjudicated: neither side writes any more", void=True), "No result"),
        (Result(None, "adjudicated: 100 turns brought nothing"), "Draw"),
    ],
)
@pytest.mark.parametrize("row", [1, 2, 15])
def test_an_end_off_the_board_is_written_and_read_back(result: Result, cell: str, row: int) -> None:
    replayed = CONFUSION.records.replay(until(CORRECTED, row))
    happenings = [*replayed.happenings, *CONFUSION.rules.conclude(truth(replayed.happenings), result)]
    written = write_record(happenings, {})
    assert rows(written)[-1].endswith(cell)
    again = CONFUSION.records.replay(written)
    assert again.errors == ()
    assert again.result == result
    assert list(again.happenings) == happenings


def test_head_lines_survive_and_cannot_break_the_record() -> None:
    head = {
        "WhiteName": "Anna\n1. L-S2",
        "Event": "Club; spring = cup",
        "Date": "2026.11.27",
        "Table": "other",
    }
    written = write_record(CONFUSION.records.replay(CORRECTED).happenings, head)
    assert "WhiteName = Anna 1. L-S2\nEvent = Club; spring = cup\nDate = 2026.11.27\n" in written
    assert written.count("Table") == 1
    assert CONFUSION.records.replay(written) == CONFUSION.records.replay(CORRECTED)


# Where record and rules part


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (
            "(C-N2)  ",
            "C-N2    ",
            (
                2,
                YELLOW,
                "C-N2",
                "the Wimp (8) on C cannot go two squares north, but the record has it answered yes",
            ),
        ),
        (
            "1.  -               L-S2",
            "1.  -               (L-S2)",
            (
                1,
                WHITE,
                "(L-S2)",
                "the Rocket (1) on L can go two squares south, but the record has it refused",
            ),
        ),
        (
            "L-S4xA",
            "L-S4xB",
            (4, WHITE, "L-S4xB", "there is no piece B; the letters are A C E H K L N O P S T V"),
        ),
        ("T-SE3", "L-SE3", (36, WHITE, "L-SE3", "L was captured in row 5")),
        ("38. P-E1xHxZ", "38. P-E1xHxZ+", None),
        ("22. ", "23. ", (23, None, "23.", "row 22 should stand here")),
        ("\n5.  C-W1xL          (V-SW1)", "", (6, None, "6.", "row 5 should stand here")),
        ("(V-SW1)", "", (5, WHITE, "", "White is to move here, but the cell is empty")),
        ("(V-SW1)", "pass", (5, WHITE, "pass", "White may not pass, he could try A-S1 (CF-11.3)")),
        (
            "K-NE1xV",
            "K-NE1xV+",
            (11, WHITE, "K-NE1xV+", "(5,11) is not on rank 1, so nothing is promoted there"),
        ),
        (
            "White wins",
            "Yellow wins",
            (
                39,
                WHITE,
                "Yellow wins",
                "the game was over: White wins: by holding Z on the opponent's first rank",
            ),
        ),
        (
            "White wins",
            "T-N1",
            (39, WHITE, "T-N1", "the game was over: White wins: by holding Z on the opponent's first rank"),
        ),
        (
            "39. (O-E2xTxZ)      White wins",
            "39. White wins",
            (
                39,
                YELLOW,
                "White wins",
                "by the rules nobody has won here; Yellow still has a turn to capture T",
            ),
        ),
        (
            "First = White",
            "First = Green",
            (0, None, "First = Green", "First is White or Yellow, not Green"),
        ),
    ],
)
def test_the_first_inconsistency_is_named_in_words(
    old: str, new: str, error: tuple[int, Seat | None, str, str] | None
) -> None:
    text = sample_with("    Yellow          White", "First = White\n    Yellow          White")
    assert text.count(old) == 1
    replayed = CONFUSION.records.replay(text.replace(old, new))
    if error is None:
        assert replayed.errors
        assert replayed.errors[0].text == new.split()[1]
    else:
        assert only_error(replayed) == error


def test_a_promotion_that_the_type_forbids_is_an_inconsistency_and_a_missing_plus_is_none() -> None:
    swapped = HEAD.replace("V9", "V6").replace("S6", "S9")
    body = until(CORRECTED, 12)[CORRECTED.index("    Yellow ") :]
    crab_on_v = f"{HEAD}\n{body}"
    assert CONFUSION.records.replay(crab_on_v.replace("V-NW2xS+", "V-NW2xS")).consistent
    assert (
        CONFUSION.records.replay(crab_on_v.replace("V-NW2xS+", "V-NW2xS")).happenings
        == CONFUSION.records.replay(crab_on_v).happenings
    )
    bishop = HEAD.replace("V9", "V10").replace("K10", "K9")
    error = only_error(CONFUSION.records.replay(f"{bishop}\n{body}"))
    reason = "the Bishop (10) on V is not promoted on the far rank, but the record has it promoted"
    assert error == (11, YELLOW, "V-NW2xS+", reason)
    error = only_error(CONFUSION.records.replay(f"{swapped}\n{body}"))
    assert error == (
        7,
        YELLOW,
        "V-NW2",
        "the King (6) on V cannot go two squares north-west, but the record has it answered yes",
    )


def test_a_promoted_piece_is_held_against_the_promoted_row_even_without_its_deal() -> None:
    text = until(CORRECTED, 12).replace("K-NE1xV", "(A-S2)")
    without_yellow = "\n".join(line for line in text.splitlines() if not line.startswith("Yellow ="))
    assert CONFUSION.records.replay(f"{without_yellow}\n12. V-S1\n").consistent
    replayed = CONFUSION.records.replay(f"{without_yellow}\n12. (V-E2)\n")
    assert only_error(replayed) == (
        12,
        YELLOW,
        "(V-E2)",
        "the promoted piece V can go two squares east, but the record has it refused",
    )


def test_cf_4_2_a_bracketed_try_that_no_type_has_stands_as_a_no_if_the_way_is_open() -> None:
    replayed = CONFUSION.records.replay(f"{HEAD}\n1. -        (A-S5)\n2. (A-N6)  L-S2\n")
    assert replayed.errors == ()
    assert replayed.attempts == 3
    board = truth(replayed.happenings).board
    assert [(attempt.text, attempt.answer) for attempt in board.attempts] == [
        ("A-S5", False),
        ("A-N6", False),
        ("L-S2", True),
    ]
    assert CONFUSION.records.replay(write_record(replayed.happenings, {})).consistent
    blocked = only_error(CONFUSION.records.replay(f"{HEAD}\n1. (A-E3)\n"))
    assert blocked == (1, YELLOW, "(A-E3)", "the yellow C on (4,2) stands in the way of A")
    unbracketed = only_error(CONFUSION.records.replay(f"{HEAD}\n1. A-N6\n"))
    assert unbracketed[3].startswith("no type goes 6 squares north")


HOW = "if it ended off the board, the head must say how, as in `Result = White wins: by resignation`"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "there is no record here: no line of a head and no row"),
        (
            "; Anna\nDear umpire,\n",
            "line 2 is neither a comment (;), nor KEY = VALUE, nor a heading, nor a numbered row; "
            "a note stands behind ; or in { }",
        ),
        ("White = A6 C8\n", "no type is dealt to E, H, K, L, N, O, P, S, T, V"),
        (f"{HEAD}\nWhite = A1\n", "White is given twice"),
        ("Table = other\n", "the record was played with the table other, but it is held against classic"),
        (
            "Result = perhaps\n",
            "a result is written as in `White wins: by resignation` or `Draw: by agreement`",
        ),
        ("White White\n", "both columns are headed alike"),
        ("Result = White wins\n", f"by the rules nobody has won here; {HOW}"),
        ("Result = Draw: because neither side can move\n", f"by the rules this is no draw; {HOW}"),
    ],
)
def test_what_is_wrong_in_the_head_is_an_error_of_row_0(text: str, reason: str) -> None:
    error = only_error(CONFUSION.records.replay(text))
    assert (error[0], error[3]) == (0, reason)


def test_a_record_is_held_against_the_table_that_is_given() -> None:
    toml = resources.files("referee.rulebooks.confusion").joinpath("table.toml").read_text(encoding="utf-8")
    own = toml.replace('name = "classic"', 'name = "slow rocket"').replace("reach = 4", "reach = 3")
    error = only_error(CONFUSION.records.replay(CORRECTED, own))
    reason = "no type goes 4 squares south (farthest: 3 squares), so L cannot try it"
    assert error == (4, WHITE, "L-S4xA", reason)
    with pytest.raises(SettingsError, match="line 1"):
        CONFUSION.records.replay(CORRECTED, "")


def test_cf_11_3_a_pass_is_written_and_read() -> None:
    table = uniform_table(1, "B")
    happenings = opening({"first": "white", "deal": DEALS}, Chance(bytes(32)), table)
    written = write_record(happenings, {})
    assert rows(written) == ["1.  -               pass", "2.  Draw"]
    assert replay(written, table).happenings == happenings
    # That nobody could move need not be written, but no move may stand there.
    assert replay(f"{HEAD}\nFirst = White\n", table).happenings == happenings
    error = only_error(replay(written.replace("pass", "L-S2"), table))
    assert error == (1, WHITE, "L-S2", "White has nothing that could be tried here, and passes")


def test_a_game_of_more_than_a_hundred_rows_reads_back() -> None:
    kings = "A1 C2 E3 H4 K5 L6 N7 O8 P9 S10 T11 V12"
    where, happenings = opened(first="yellow", deal=f"White={kings}; Yellow={kings}")
    where, played = play(where, *["L-N1", "L-S1", "L-S1", "L-N1"] * 51)
    written = write_record([*happenings, *played], {})
    assert rows(written)[-1] == "102. L-S1            L-N1"
    assert list(CONFUSION.records.replay(written).happenings) == [*happenings, *played]


@pytest.mark.parametrize("passed", ["pass", "(pass)", "passe", "( pass )"])
def test_a_move_beside_a_passed_turn_is_read(passed: str) -> None:
    text = f"First = White\n    Yellow          White\n1.  {passed:<16}L-S2\n"
    (row,) = read_score(text, CLASSIC_LAYOUT).rows
    assert [cell.text for cell in row.cells] == [passed, "L-S2"]
    assert row.cells[0].passes


# What was taken back


def test_cf_8_6_turns_that_were_taken_back_stay_and_the_rows_go_on_from_there() -> None:
    whole = until(CORRECTED, 5)
    ended = f"{whole}taken back to 3 White: L was to go elsewhere\n"
    ended += "3.  -               (C-S2)\n4.  A-N1            L-S1\n"
    replayed = CONFUSION.records.replay(ended)
    assert replayed.errors == ()
    (branch,) = replayed.branches
    assert (branch.row, branch.seat, branch.attempts) == (3, WHITE, 3)
    assert branch.reason == "L was to go elsewhere"
    plain = until(CORRECTED, 3)
    left = next(line for line in whole.splitlines() if line.startswith("3.")).split()[1]
    plain += f"3.  {left:<16}(C-S2)\n4.  A-N1            L-S1\n"
    standing = CONFUSION.records.replay(plain)
    assert standing.errors == ()
    assert (replayed.summary, replayed.attempts, replayed.rows) == (standing.summary, standing.attempts, 4)
    written = write_record(replayed.happenings, {})
    assert CONFUSION.records.replay(written) == replayed
    assert "\ntaken back to 3 White: L was to go elsewhere\n3.  -               (C-S2)\n" in written


@pytest.mark.parametrize(
    ("line", "to", "reason"),
    [
        ("taken back to 2 White: why", WHITE, "why"),
        ("[Taken back to turn 2 (white): why.]", WHITE, "why"),
        ("  TAKEN  BACK to row 2, White : why, and how!", WHITE, "why, and how"),
        ("repris au tour 2 Blanc : un coup mal lu", WHITE, "un coup mal lu"),
        ("taken back to 2: why; nobody reads this", YELLOW, "why"),
        ("taken back to 2 Yellow", YELLOW, ""),
        ("taken back to 2", YELLOW, ""),
    ],
)
def test_a_line_that_takes_turns_back_is_read_leniently(line: str, to: Seat, reason: str) -> None:
    replayed = CONFUSION.records.replay(f"{HEAD}\n1. -   L-S2\n2. A-N1   (L-N1)\n3. A-N1\n{line}\n")
    assert replayed.errors == ()
    (branch,) = replayed.branches
    assert (branch.row, branch.seat, branch.reason) == (2, to, reason)
    assert (branch.attempts, replayed.attempts) == ((2, 2) if to == WHITE else (3, 1))
    assert CONFUSION.records.replay(write_record(replayed.happenings, {})) == replayed


@pytest.mark.parametrize(
    "note", ["He has taken back to 2 what he said", "taken back to the shelf", "taken back to 2 or 3 of them"]
)
def test_a_note_that_speaks_of_taking_back_is_a_note(note: str) -> None:
    replayed = CONFUSION.records.replay(f"{HEAD}\n1. -   L-S2\n2. A-N1   (L-N1)\n{note}\n")
    assert (replayed.errors, replayed.branches, replayed.attempts) == ((), (), 3)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("taken back to 3: why", "nothing was tried in row 3 that could be taken back"),
        ("taken back to 1 Yellow: why", "Yellow had tried nothing in row 1 that could be taken back"),
        ("taken back to 2: why\ntaken back to 2: why", "nothing was tried in row 2 that could be taken back"),
    ],
)
def test_a_turn_that_cannot_be_taken_back_is_an_inconsistency(line: str, reason: str) -> None:
    replayed = CONFUSION.records.replay(f"{HEAD}\n1. -   L-S2\n2. A-N1   (L-N1)\n{line}\n")
    assert only_error(replayed)[3] == reason


def test_rows_behind_what_was_taken_back_begin_there() -> None:
    error = only_error(
        CONFUSION.records.replay(f"{HEAD}\n1. -   L-S2\n2. A-N1   (L-N1)\ntaken back to 2: why\n3. A-N1\n")
    )
    assert (error[0], error[3]) == (3, "row 2 should stand here")
    error = only_error(
        CONFUSION.records.replay(
            f"{HEAD}\n1. -   L-S2\n2. A-N1   (L-N1)\ntaken back to 2 White: why\n2. A-N1   L-N1\n"
        )
    )
    assert error == (2, YELLOW, "A-N1", "White is to move here, not Yellow")


def test_without_a_deal_an_answer_that_was_taken_back_was_true_all_the_same() -> None:
    """Twelve types, and nobody's answers can have been another's: a deal agrees with both branches or there is none."""
    # Of the twelve letters A alone went one square north, and once it could not: no type both can and cannot.
    text = "1. -   L-S2\n2. A-N1   (L-N1)\ntaken back to 2: why\n2. (A-N1)\n"
    error = only_error(CONFUSION.records.replay(f"{HEAD.splitlines()[0]}\n{text}"))
    assert error[3] == "no deal of Yellow's types agrees with this and with the answers before"


def test_cf_11_5_a_game_that_is_over_is_not_taken_back() -> None:
    error = only_error(CONFUSION.records.replay(CORRECTED + "taken back to 38: why\n"))
    assert error[0] == 38
    assert error[3].startswith("the game was over, and is not taken back any more: White wins")
