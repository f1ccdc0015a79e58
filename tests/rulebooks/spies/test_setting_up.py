"""CF-10.11: a set-up as a list and as a drawing, both ways, with all that is wrong named at once."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.faults import Fault
from referee.rulebooks.confusion.compass import WHITE, Square
from referee.rulebooks.confusion.edition import Edition
from referee.rulebooks.rulebook import OrderLine
from referee.rulebooks.spies.edition import RED, Variants
from referee.rulebooks.spies.likeness import looks_like_order
from referee.rulebooks.spies.notation import read_order, write_order
from referee.rulebooks.spies.orders import SetUp
from referee.rulebooks.spies.setting_up import on_the_board, read_set_up, usual, write_set_up

WHOLE = Variants(variable_setup=True).edition
TWELVE = Variants(variable_setup=True, code_of_honour=True).edition
SMALL = Variants(variable_setup=True, small_world=True).edition
SMALL_TWELVE = Variants(variable_setup=True, small_world=True, code_of_honour=True).edition
EDITIONS = (WHOLE, TWELVE, SMALL, SMALL_TWELVE)

USUAL = "A3-2 C4-2 E5-2 H7-2 K8-2 L9-2 N3-1 O4-1 P5-1 S7-1 T8-1 V9-1 X6-1"


@st.composite
def arrangements(draw: st.DrawFn) -> tuple[Edition, SetUp]:
    """Draw what may be: seven on a rank at most, four files or more with spies on both."""
    edition = draw(st.sampled_from(EDITIONS))
    random = Random(draw(st.integers(0, 10_000)))
    first, last = edition.files
    files = list(range(first, last + 1))
    while True:
        ahead = random.randint(len(edition.letters) - 7, 7)
        ranks = [random.sample(files, len(edition.letters) - ahead), random.sample(files, ahead)]
        if len(set(ranks[0]) & set(ranks[1])) >= 4:
            break
    squares = [(file, rank) for rank, taken in enumerate(ranks, 1) for file in taken]
    random.shuffle(squares)
    return edition, SetUp(dict(zip(edition.letters, squares, strict=True)))


def drawn(squares: dict[str, Square], files: tuple[int, int], empty: str = ".", blank: str = "") -> list[str]:
    """Draw the second rank, and the first."""
    there = {square: letter for letter, square in squares.items()}
    first, last = files
    return [blank.join(there.get((file, rank), empty) for file in range(first, last + 1)) for rank in (2, 1)]


@given(arrangements())
def test_cf_10_11_what_is_written_reads_as_the_same_set_up(made: tuple[Edition, SetUp]) -> None:
    edition, order = made
    assert read_set_up(write_set_up(order), edition) == order
    written = write_order(order)
    assert read_set_up(written, edition) == order
    assert read_order(OrderLine(1, written)) == order


@given(arrangements(), st.sampled_from(".-_·*"), st.sampled_from(["", " "]), st.data())
def test_cf_10_11_a_drawing_says_the_same_as_a_list(
    made: tuple[Edition, SetUp], empty: str, blank: str, data: st.DataObject
) -> None:
    edition, order = made
    files = data.draw(st.sampled_from([edition.files, (1, 11)]))
    ranks = drawn(dict(order.squares), files, empty, blank)
    for between in (" / ", "/", " " * (not blank)):
        text = f"setup {between.join(ranks)}"
        assert looks_like_order(text)
        assert read_set_up(text, edition) == order
        assert read_set_up(text.lower(), edition) == order


@pytest.mark.parametrize(
    "text",
    [
        "setup A3-2 C4-2 E5-2 H7-2 K8-2 L9-2 N3-1 O4-1 P5-1 S7-1 T8-1 V9-1 X6-1",
        "Set-up: a3/2, c4/2, e5/2, h7/2, k8/2, l9/2; n3/1, o4/1, p5/1, s7/1, t8/1, v9/1, x6/1.",
        "set up A(3,2) C(4,2) E(5,2) H(7,2) K(8,2) L(9,2) N(3,1) O(4,1) P(5,1) S(7,1) T(8,1) V(9,1) X(6,1)",
        "my setup A:3-2 C:4-2 E:5-2 H:7-2 K:8-2 L:9-2 / N:3-1 O:4-1 P:5-1 S:7-1 T:8-1 V:9-1 X:6-1",
        "disposition X6-1 V9-1 T8-1 S7-1 P5-1 O4-1 N3-1 L9-2 K8-2 H7-2 E5-2 C4-2 A3-2",
        "préparation : ..ACE.HKL.. / ..NOPXSTV..",
        "placement . . A C E . H K L . . / . . N O P X S T V . .",
        "setup ..ACE.HKL.. ..NOPXSTV..",
    ],
)
def test_a_set_up_may_be_written_in_many_ways(text: str) -> None:
    read = read_set_up(text, WHOLE)
    assert isinstance(read, SetUp)
    assert write_set_up(read) == USUAL
    assert looks_like_order(text)


def test_what_games_begin_with_where_nothing_is_chosen_may_be_chosen() -> None:
    for edition in EDITIONS:
        assert read_set_up(write_set_up(usual(edition)), edition) == usual(edition)
    assert write_set_up(usual(WHOLE)) == USUAL


def test_cf_1_4_white_sees_the_board_from_the_other_side() -> None:
    squares = dict(usual(WHOLE).squares)
    white = on_the_board(WHOLE, WHITE, squares)
    assert (white["A"], white["V"], white["X"]) == ((9, 10), (3, 11), (6, 11))
    assert on_the_board(WHOLE, RED, squares) == squares
    assert on_the_board(WHOLE, WHITE, white) == squares
    fixed = Variants().edition
    assert white == fixed.start[WHITE]
    assert squares == fixed.start[RED]


def slips(text: str, edition: Edition = WHOLE) -> list[str]:
    """Return what is wrong with a set-up, each by itself."""
    fault = read_set_up(text, edition, 5)
    assert isinstance(fault, Fault)
    assert fault.place is not None and fault.place.line == 5
    assert (fault.code, fault.rule, fault.excerpt) == ("set-up", "CF-10.11", text)
    assert fault.reason().startswith("this set-up cannot be: ")
    return fault.reason().removeprefix("this set-up cannot be: ").split("; ")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (USUAL.replace(" X6-1", ""), ["X is missing"]),
        (USUAL.replace(" X6-1", "").replace("A3-2 ", ""), ["A and X are missing"]),
        (f"{USUAL} A2-2", ["A is placed twice"]),
        (f"{USUAL} A2-2 A1-1", ["A is placed 3 times", "8 spies stand on rank 1, where at most 7 may"]),
        (f"{USUAL} B2-2", [f"there is no spy B; the letters are {' '.join(WHOLE.letters)}"]),
        (USUAL.replace("A3-2", "A12-2"), ["the files go from 1 to 11, which leaves out A12-2"]),
        (USUAL.replace("A3-2", "A0-2"), ["the files go from 1 to 11, which leaves out A0-2"]),
        (USUAL.replace("A3-2", "A3-3"), ["only ranks 1 and 2 are one's own, not those of A3-3"]),
        (
            USUAL.replace("A3-2", "A3-3").replace("C4-2", "C4-10"),
            ["only ranks 1 and 2 are one's own, not those of A3-3 and C4-10"],
        ),
        (USUAL.replace("A3-2", "A10-1"), ["8 spies stand on rank 1, where at most 7 may"]),
        (
            USUAL.replace("X6-1", "X6-2").replace("V9-1", "V11-2"),
            ["8 spies stand on rank 2, where at most 7 may"],
        ),
        (USUAL.replace("C4-2", "C3-2"), ["A and C stand on the same square, 3-2"]),
        (
            "A3-2 C4-2 E5-2 H10-2 K11-2 L1-2 N3-1 O4-1 P5-1 S7-1 T8-1 V9-1 X6-1",
            ["only 3 files have spies on both ranks", "at least 4 must"],
        ),
        (f"{USUAL} please", ["`PLEASE` is no spy with his square, as in A3-2"]),
        (USUAL.replace("A3-2", "A3"), ["`A3` is no spy with his square, as in A3-2", "A is missing"]),
    ],
)
def test_cf_10_11_each_slip_is_named(text: str, wrong: list[str]) -> None:
    found = slips(text)
    # A list of letters has a semicolon in it.
    assert "; ".join(found) == "; ".join(wrong)


def test_cf_10_11_all_slips_are_named_at_once() -> None:
    text = "setup A3-2 A3-1 C12-2 E5-4 H7-2 K7-2 N1-1 O2-1 P3-1 S4-1 T5-1 V6-1 L8-1 B9-1 x"
    said = "; ".join(slips(text))
    assert said == (
        "`X` is no spy with his square, as in A3-2; "
        f"there is no spy B; the letters are {' '.join(WHOLE.letters)}; "
        "X is missing; "
        "A is placed twice; "
        "only ranks 1 and 2 are one's own, not those of E5-4; "
        "the files go from 1 to 11, which leaves out C12-2; "
        "A and P stand on the same square, 3-1; "
        "H and K stand on the same square, 7-2; "
        "8 spies stand on rank 1, where at most 7 may; "
        "only 1 file has spies on both ranks; at least 4 must"
    )


def test_cf_10_11_in_a_small_world_the_dark_files_are_out() -> None:
    text = USUAL.replace("A3-2", "A1-2").replace("L9-2", "L11-2")
    assert slips(text, SMALL) == [
        "the files go from 2 to 10, which leaves out A1-2 and L11-2",
    ]
    drawing = "A.CE.HK...L / ..NOPXSTV.."
    assert slips(drawing, SMALL) == ["the files go from 2 to 10, which leaves out A1-2 and L11-2"]
    assert isinstance(read_set_up(drawing, WHOLE), SetUp)


def test_cf_10_11_by_the_code_of_honour_there_is_no_x() -> None:
    assert slips(USUAL, TWELVE) == ["there is no spy X", f"the letters are {' '.join(TWELVE.letters)}"]
    assert isinstance(read_set_up(USUAL.replace(" X6-1", ""), TWELVE), SetUp)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            "setup ..ACE.HKL..",
            "it draws one rank, while there are two: the second, and below it the first; "
            "N, O, P, S, T, V and X are missing",
        ),
        (
            "setup ..ACE.HKL.. / ..NOPXSTV.. / ...",
            "it draws 3 ranks, while there are two: the second, and below it the first; "
            "it draws a rank of 3 squares, while a rank has 11, with dots for the empty ones",
        ),
        (
            "setup .A.C.EH.K.L / N.O.P.X.S.T.V",
            "it draws a rank of 13 squares, while a rank has 11, with dots for the empty ones",
        ),
        (
            "setup .ACE.HKL. / .NOPXSTV.",
            "it draws a rank of 9 squares, while a rank has 11, with dots for the empty ones",
        ),
        ("setup ..ACE.HKL.. / ..NOPXSTV?.", "`?` is no spy with his square, as in A3-2"),
    ],
)
def test_cf_10_11_a_drawing_has_two_whole_ranks(text: str, wrong: str) -> None:
    assert "; ".join(slips(text)) == wrong


@pytest.mark.parametrize("text", ["setup", "Set-up:", "disposition", "setup ."])
def test_a_set_up_that_is_missing_is_asked_for(text: str) -> None:
    for fault in (read_set_up(text, WHOLE, 2), read_order(OrderLine(2, text))):
        assert isinstance(fault, Fault)
        assert fault.reason().startswith("the set-up is missing: name each spy with his file and rank")


@given(st.text(max_size=60), st.sampled_from(EDITIONS))
def test_any_text_is_a_set_up_or_a_fault(text: str, edition: Edition) -> None:
    read = read_set_up(f"setup {text}", edition)
    if isinstance(read, Fault):
        assert read.sentence()
    else:
        assert set(read.squares) == set(edition.letters)
