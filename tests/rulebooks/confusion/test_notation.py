"""Section 8.1 of the rules: moves as text, both ways, and what is said of those that cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.faults import Fault
from referee.rulebooks.confusion.compass import DIRECTIONS
from referee.rulebooks.confusion.likeness import looks_like_order
from referee.rulebooks.confusion.notation import Move, read_move, read_move_before_notes, write_move
from referee.rulebooks.confusion.position import LETTERS

LETTER = st.sampled_from(LETTERS)
NONE_OR_LETTER = st.sampled_from(["", *LETTERS])
PIECE_MOVES = st.builds(
    Move,
    letter=LETTER,
    direction=st.sampled_from(DIRECTIONS),
    length=st.integers(1, 10),
    with_z=st.booleans(),
    captures=NONE_OR_LETTER,
    takes_z=st.booleans(),
    promotes=st.booleans(),
)
PASSES = st.builds(
    Move,
    letter=st.just(""),
    direction=st.sampled_from(DIRECTIONS),
    length=st.integers(1, 10),
    passed_to=NONE_OR_LETTER,
)
MOVES = PIECE_MOVES | PASSES
DASHES = "-‐‑–—−"
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"


@given(MOVES)
def test_cf_8_1_what_is_written_reads_as_the_same_move(move: Move) -> None:
    assert read_move(write_move(move)) == move
    assert looks_like_order(write_move(move))


@given(MOVES, st.data())
def test_cf_8_1_spelling_does_not_matter(move: Move, data: st.DataObject) -> None:
    """Case, dashes, crosses, wide and invisible characters, blanks and full stops at the end."""
    spelt = ""
    for character in write_move(move):
        spellings = [character, character.lower(), chr(ord(character) + 0xFEE0)]
        spellings = {"-": list(DASHES), "x": list("xX×"), ">": [">"], "+": ["+"]}.get(character, spellings)
        spelt += data.draw(st.sampled_from(spellings)) + data.draw(st.sampled_from(["", "", "", *INVISIBLE]))
    spelt += data.draw(st.sampled_from(["", ".", " .", "...", "!"]))
    assert read_move(spelt) == move
    assert looks_like_order(spelt)


@given(MOVES, st.sampled_from([" ", "  ", "\t", "\u00a0", "\u3000"]))
def test_cf_8_1_blanks_may_stand_anywhere_but_within_a_number(move: Move, blank: str) -> None:
    digits = str(move.length)
    text = write_move(move).replace(digits, "#")
    spaced = blank.join(text).replace("#", digits)
    assert read_move(spaced) == move
    assert looks_like_order(spaced)


@given(st.text(max_size=40))
def test_any_text_reads_as_a_move_or_a_fault(text: str) -> None:
    read = read_move(text, 7)
    looks_like_order(text)
    if isinstance(read, Fault):
        assert read.place is not None
        assert read.place.line == 7
        assert 1 <= read.place.column <= len(text) + 1
        assert read.sentence()
        assert read.suggestion == "" or isinstance(read_move(read.suggestion), Move)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("v nw 2 x z", "V-NW2xZ"),
        ("N E 2", "N-E2"),
        ("N-E1", "N-E1"),
        ("S - sw 1", "S-SW1"),
        ("VNW2", "V-NW2"),
        ("EN2", "E-N2"),
        ("E-NE2", "E-NE2"),
        ("SSW1", "S-SW1"),
        ("nnw1", "N-NW1"),
        ("V-N-W-2", "V-NW2"),
        ("VZNW1", "VZ-NW1"),
        ("zs1", "Z-S1"),
        ("Z-S1 -> t", "Z-S1>T"),
        ("O-E2xZxT", "O-E2xTxZ"),
        ("V-NW02", "V-NW2"),
        ("V-N10", "V-N10"),
    ],
)
def test_cf_8_1_lenient_in_spelling(text: str, move: str) -> None:
    read = read_move(text)
    assert isinstance(read, Move)
    assert write_move(read) == move


@pytest.mark.parametrize("text", ["NE1", "nw 2", "SE1", "SW3xA"])
def test_cf_8_1_a_missing_hyphen_that_leaves_two_readings_is_asked_about(text: str) -> None:
    fault = read_move(text)
    assert isinstance(fault, Fault)
    assert fault.grade == "ambiguous"
    assert "whose piece is missing" in fault.reason()
    assert fault.suggestion.startswith(f"{text[0].upper()}-{text[1].upper()}")


@pytest.mark.parametrize(
    ("text", "column", "reason", "meant"),
    [
        ("Y-NW2", 1, "there is no piece Y", "V-NW2"),
        ("V-NNW2", 3, "there is no direction NNW", "V-NW2"),
        ("V-NO2", 3, "there is no direction NO", "V-NW2"),
        ("V-north-west 2", 3, "there is no direction north-west", "V-NW2"),
        ("V-NW12", 5, "a move goes from 1 to 10 squares", "V-NW1"),
        ("V-NW0", 5, "a move goes from 1 to 10 squares", "V-NW1"),
        ("V-NW" + "9" * 5000, 5, "a move goes from 1 to 10 squares", "V-NW9"),
        ("V-NW", 5, "the number of squares is missing after NW", "V-NW1"),
        ("V-NWxZ", 5, "the number of squares is missing after NW", "V-NW1xZ"),
        ("V-2NW", 3, "the direction is missing", "V-NW2"),
        ("V2", 2, "the direction is missing", ""),
        ("W2", 1, "the piece is missing before the direction", ""),
        ("V:NW2", 2, "between the piece and its direction stands a hyphen, not `:`", "V-NW2"),
        ("(C-N2)", 1, "brackets mark a refused move in a record", "C-N2"),
        ("V-NW2xB", 7, "there is no piece B", "V-NW2xP"),
        ("V-NW2 please", 7, "after V-NW2 nothing more is expected, but there is `please`", "V-NW2"),
        ("L-S4xAxC", 7, "a move captures one piece, A or C", "L-S4xA"),
        ("V-N1xZxZ", 7, "xZ stands there twice", "V-N1xZ"),
        ("V-N1++", 6, "one + is enough", "V-N1+"),
        ("Z-S1xT", 5, "Z alone captures nothing; a pass to a piece is written with >", "Z-S1>T"),
        ("Z-S1>T>V", 7, "Z is passed to one piece, T or V", "Z-S1>T"),
        ("Z-S1+", 5, "Z is never promoted", "Z-S1"),
        ("V-N1>T", 5, "only Z alone is passed, as in Z-N1>T", "V-N1xT"),
        ("VZ-N1>T", 6, "only Z alone is passed, as in Z-N1>T", "Z-N1>T"),
        ("pass", 1, "nobody passes of his own will, a turn is an attempt", ""),
        ("", 1, "a move begins with the letter of a piece", ""),
        ("\u200b V \u2013 NNW 2", 7, "there is no direction NNW", "V-NW2"),
        ("Y-NNW12", 1, "there is no piece Y", "V-NW1"),
        ("My move: V-NW2", 10, "a move stands alone on its line, the words beside it are not read", "V-NW2"),
        ("My move: V-NW2 thanks", 10, "a move stands alone on its line", "V-NW2"),
        ("my move is v-nw2xz!", 12, "a move stands alone on its line", "V-NW2xZ"),
        ("I play V-NW2xZ.", 8, "a move stands alone on its line", "V-NW2xZ"),
        ("move V-NW2", 6, "a move stands alone on its line", "V-NW2"),
        ("Turn 9: V-NW2", 9, "a move stands alone on its line", "V-NW2"),
        ("White = Z-S1>T, thanks", 9, "a move stands alone on its line", "Z-S1>T"),
        ("Je joue : V – NW 2", 11, "a move stands alone on its line", "V-NW2"),
        ("My move: Y-NW2", 10, "a move stands alone on its line", "V-NW2"),
        ("С-N2", 1, "there is no piece С", "C-N2"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place_and_the_nearest_reading(
    text: str, column: int, reason: str, meant: str
) -> None:
    fault = read_move(text, 4)
    assert isinstance(fault, Fault)
    assert fault.place is not None
    assert (fault.place.line, fault.place.column) == (4, column)
    assert fault.reason().startswith(reason)
    assert fault.suggestion == meant


def test_a_place_counts_from_where_the_text_began() -> None:
    fault = read_move("V-NNW2", 2, 5)
    assert isinstance(fault, Fault)
    assert str(fault.place) == "line 2, column 7"


@pytest.mark.parametrize(
    ("text", "move", "taken"),
    [
        ("V-NW2xZ takes Z", "V-NW2xZ", 7),
        ("Z-S1>T V passes Z to T", "Z-S1>T", 6),
        ("V – NW 2 x S + promoted", "V-NW2xS+", 14),
        ("V-N1 x", "V-N1", 4),
    ],
)
def test_cf_8_3_notes_may_follow_a_move(text: str, move: str, taken: int) -> None:
    read = read_move_before_notes(text)
    assert read is not None
    assert (write_move(read[0]), read[1]) == (move, taken)
    assert read_move_before_notes("takes Z") is None


MEANT_AS_MOVES = [
    "V-NW2xZ",
    "v nw 2 x z",
    "N E 2",
    "NE1",
    "VNW2",
    "YNW2",
    "Y-NW2",
    "V-NNW2",
    "V-NW12",
    "V-NW",
    "V-NWxZ",
    "V-2NW",
    "V2",
    "E2",
    "W2",
    "(C-N2)",
    "(V-NW2",
    "pass",
    "V:NW2",
    "V-NW2 please",
    "VNW2 please",
    "V-NW2, thanks!",
    "V – NW2",
    "V-UP2",
    "V-north-west 2",
    "V north 2",
    "B NW 2",
    "Z-S1>T",
    "Z S1",
    "ZS1>T",
    "VxZ",
    "Z>T",
    "X-Q9",
    "5-SW1",
    "My move: V-NW2",
    "My next move: V-NW2",
    "My move: V-NW2 thanks",
    "My move: V-NW2xA (I hope)",
    "At last: V-NW2",
    "Why not: V-NW2",
    "Here you are: V-NW2",
    "White: V-NW2",
    "Turn 9: V-NW2",
    "I try: V-NW2",
    "Je joue : V-NW2",
    "I play V-NW2xZ.",
    "move V-NW2",
    "V.NW2",
    "V--NW2",
    "V-nw 2 - sorry for the delay",
]
PROSE = [
    "See you on Sunday",
    "N.",
    "OK",
    "A nice game!",
    "S2 is fine",
    "On 2 December I am away",
    "Le 2 décembre",
    "As 2 players said",
    "I see 2 of them",
    "NW1 6XE",
    "EN2 8AB",
    "E-mail 2 arrived",
    "e-mail",
    "T-shirt",
    "Best, Anna",
    "A",
    "I",
    "Hello!",
    "1. thanks",
    "2 things:",
    "I liked V-NW2 best",
    "X-ray vision",
    "We 2 are fine",
    "A new 2-player game",
    "Last turn: A-S1",
    "You wrote: A-S1",
    "My last move: A-S1",
    "What I tried last: A-S1",
    "The previous one: A-S1",
    "Dernier coup : A-S1",
    "resign",
    "status 17",
    "game 18",
    "draw",
    "Sent from my iPhone",
    "Z.",
    "That was H-SE3, oh dear",
    "https://example.org",
    "try V-NW2; if no V-N1",
    "preview V-NW2",
    "S. Smith",
    "A. Nice",
    "N/A",
    "So?",
    "No 2",
    "K.",
    "C'est 2 fois",
    "passing by",
    "Password",
    "10",
    "2026.",
]


@pytest.mark.parametrize("line", MEANT_AS_MOVES)
def test_a_mistyped_move_is_never_passed_over(line: str) -> None:
    assert looks_like_order(line)


@pytest.mark.parametrize("line", PROSE)
def test_prose_is_no_move(line: str) -> None:
    assert not looks_like_order(line)
