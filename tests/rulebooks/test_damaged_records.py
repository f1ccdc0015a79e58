"""A record that was damaged on its way: each cell is a turn, an answer or an end, or is named; none is dropped."""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.rulebooks.catalogue import find_rulebook
from referee.rulebooks.confusion.score import CLASSIC_LAYOUT, MOST_PLACES, Cell, read_score
from referee.rulebooks.rulebook import Replay, Rulebook
from tests.rulebooks.confusion.test_record import CORRECTED, until
from tests.rulebooks.test_every_rulebook import every_rulebook, play

CONFUSION = find_rulebook("confusion")
EXAMPLES = settings(max_examples=12, deadline=None)
STUMPS = [
    "L-",
    "xyz",
    "Q-",
    "White-wins",
    "(V",
    "V-E1)",
    "(V-E1",
    "draw?",
    "wins",
    "resign",
    "?",
    "*",
    ")",
    "12",
    "V-E",
    "- x",
]
"""What may be left of a cell."""
_LAST_CELL = re.compile(r"(?:^|\s{2,})(\S+(?: \S+)*)$")
_EMPTY = re.compile(r"[-‐‑‒–—−.…\s]*")


def said(rulebook: Rulebook, replayed: Replay) -> list[Any]:
    return list(filter(None, map(rulebook.records.recorded, replayed.happenings)))


def edits(cell: str) -> st.SearchStrategy[str]:
    """Return a strategy for a cell in which one place was changed, lost or doubled, or which ends early."""
    place = st.integers(0, max(len(cell) - 1, 0))
    signs = st.sampled_from("ACLVZNSEW0123456789-()[]x+>#?&/.,* ")
    return st.one_of(
        st.builds(lambda at, sign: cell[:at] + sign + cell[at + 1 :], place, signs),
        st.builds(lambda at, sign: cell[:at] + sign + cell[at:], place, signs),
        st.builds(lambda at: cell[:at] + cell[at + 1 :], place),
        st.builds(lambda at: cell[:at], place),
    )


@pytest.mark.telling("confusion", "spies")
@every_rulebook
@EXAMPLES
@given(secret=st.binary(min_size=32, max_size=32), draw=st.data())
def test_a_damaged_last_cell_is_read_or_named(rulebook: Rulebook, secret: bytes, draw: st.DataObject) -> None:
    record = rulebook.records.write(play(rulebook, secret, draw, 5), {}, None).rstrip()
    found = _LAST_CELL.search(record.splitlines()[-1])
    assert found
    before = record[: len(record) - len(found[1])]
    cell = draw.draw(st.one_of(st.sampled_from(STUMPS), edits(found[1])))
    whole, damaged, without = (rulebook.records.replay(f"{before}{each}\n") for each in (found[1], cell, ""))
    assert whole.consistent
    if damaged.consistent and not _EMPTY.fullmatch(cell):
        assert said(rulebook, damaged) != said(rulebook, without), f"{cell!r} was dropped"


@pytest.mark.parametrize("cell", STUMPS)
@pytest.mark.parametrize("row", [19, 39], ids=["goes on", "is over"])
def test_a_last_cell_of_confusion_that_is_nothing_is_named_with_its_row(row: int, cell: str) -> None:
    lines = until(f"{CORRECTED}\n40.", row + 1).rstrip().splitlines()
    left = lines[-1].split()[1]
    lines[-1] = f"{row}. {left:<16}{cell}"
    (error,) = CONFUSION.records.replay("\n".join(lines)).errors
    assert (error.row, error.seat, error.text) == (row, "white", cell)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("2O. KZ-NW2          V-E1", "`2O.` is not the number of a row"),
        ("KZ-NW2          V-E1", "a turn stands in a row, which begins with its number"),
        ("l5) KZ-NW2", "`l5)` is not the number of a row"),
    ],
)
def test_a_row_whose_number_is_damaged_is_no_note(line: str, text: str) -> None:
    (error,) = CONFUSION.records.replay(f"{until(CORRECTED, 20)}{line}\n").errors
    assert (error.row, error.text, error.reason) == (19, line, text)


@pytest.mark.parametrize(
    "note",
    ["V-NW2 was the better move", "White wins in a few turns", "-----", "A fine game (so far).", "x-ray"],
)
@pytest.mark.parametrize("mark", ["{}", "{{{}}}", "; {}", "{{{}; and more}}"])
def test_a_line_of_prose_below_a_whole_row_stays_a_note(mark: str, note: str) -> None:
    record = until(CORRECTED, 20)
    assert CONFUSION.records.replay(f"{record}{mark.format(note)}\n") == CONFUSION.records.replay(record)


# What stands on a line of its own

GAPS = ("  ", "\t", " \t  ")
ENDS_IN_WORDS = [
    *("White wins", "Yellow wins", "White won", "White resigns", "Yellow resigned", "No result"),
    *("Draw agreed", "Draw: by agreement", "White wins: on time", "White wins by agreement"),
]
"""Ends as cells have them, which other blanks make no notes."""
ENDS_ASTRAY = [
    *(end.replace(" ", gap) for end in ENDS_IN_WORDS for gap in GAPS),
    *("White has won", "White has won.", "White had  won", "White: wins", "White, wins!", "White-wins"),
    *("(White wins)", "- White wins", "* White has won the game", "then White wins", "No. 39 White has won"),
    *(
        "Yellow has resigned",
        "Yellow gives up",
        "Yellow lost",
        "Yellow has lost the game",
        "White wins the game",
    ),
    *("White is the winner", "a win for White", "won by White", "resignation by Yellow", "Blanc a gagné"),
    *("(Draw)", "a draw", "the game is drawn", "The game was a draw.", "game drawn", "partie  nulle"),
    *("no-result", "No: result", "without a result", "sans   résultat", "Result:  White wins", "½ - ½"),
]
TURNS_ASTRAY = [
    *(f"V-N1{gap}{said}" for gap in (" ", *GAPS) for said in ("L-S1", "no", "yes", "(no)", "was refused")),
    *("A-S1 no", "(V-N1", "V-N1)", "[V-N1", "(V-N1) no", "No. 5 V-N1 L-S1", "Nr. 5 V-N1"),
    *("White V-N1", "Yellow:  V-N1 no", "and V-N1", "then  V-N1, yes", "V-N1, no, L-S1", "V-NW", "- - V-N1"),
    *("pass  no", "V-N1  White  wins", "V-N1 no  White has won", "no V-N1", "yes: V-N1"),
]
BACKS_ASTRAY = [
    *(
        "(taken back to 2 Yellow: x)",
        "- taken back to 2",
        "* taken back to 2 White",
        "then taken back to 2: x",
    ),
    *("(taken  back to 2", "taken back to 2 Yellow, misread", "taken back to row 2 White misread"),
]
ASTRAY = [*ENDS_ASTRAY, *TURNS_ASTRAY, *BACKS_ASTRAY]


@pytest.mark.parametrize("line", ASTRAY)
def test_cf_8_3_a_turn_an_end_and_a_take_back_on_a_line_of_their_own_are_named(line: str) -> None:
    for record, below, row in ((until(CORRECTED, 20), "20. KZ-NW2   V-E1\n", 19), (CORRECTED, "", 39)):
        (error,) = CONFUSION.records.replay(f"{record}{line}\n{below}").errors
        assert (error.row, error.seat, error.text) == (row, None, line)


@pytest.mark.parametrize("line", ASTRAY)
def test_cf_8_3_none_of_them_stands_unnamed_below_half_a_row(line: str) -> None:
    half = f"{until(CORRECTED, 20)}20. KZ-NW2\n"
    with_it, without = (CONFUSION.records.replay(text) for text in (f"{half}{line}\n", half))
    assert with_it.errors or said(CONFUSION, with_it) != said(CONFUSION, without)


@pytest.mark.parametrize("line", [*ENDS_ASTRAY, *BACKS_ASTRAY])
def test_cf_8_3_no_end_and_no_take_back_is_a_note_behind_the_second_cell(line: str) -> None:
    for gap in (" ", "\t"):
        assert CONFUSION.records.replay(f"{until(CORRECTED, 20)}20. KZ-NW2   V-E1{gap}{line}\n").errors


def test_cf_8_3_in_braces_and_behind_a_semicolon_they_are_notes() -> None:
    record = until(CORRECTED, 20)
    noted = "".join(f"{{{line}}}\n; {line}\n" for line in ASTRAY)
    assert CONFUSION.records.replay(record + noted) == CONFUSION.records.replay(record)


@pytest.mark.parametrize(
    "note",
    [
        *(
            "White wins Z",
            "White won a piece",
            "Yellow lost a turn",
            "Yellow gives up Z",
            "White offers a draw",
        ),
        *("a draw was offered", "Draw offered", "White wins maybe", "White to move", "White is lost", "Ok"),
        *("V-N1 was better", "V-N1   was better", "(V-N1 was better)", "No. 5 was the best", "No, not yet"),
        *(
            "Yes",
            "no",
            "and so on",
            "he has taken back to 2 what he said",
            "Move 12 was a slip",
            "***",
            "(so)",
        ),
    ],
)
def test_cf_8_3_prose_on_a_line_of_its_own_is_a_note(note: str) -> None:
    for record in (until(CORRECTED, 20), CORRECTED):
        assert CONFUSION.records.replay(f"{record}{note}\n") == CONFUSION.records.replay(record)


@pytest.mark.telling("confusion", "spies")
@every_rulebook
@EXAMPLES
@given(secret=st.binary(min_size=32, max_size=32), draw=st.data())
def test_no_line_among_the_rows_hides_a_turn_an_end_or_a_take_back(
    rulebook: Rulebook, secret: bytes, draw: st.DataObject
) -> None:
    record = rulebook.records.write(play(rulebook, secret, draw, 5), {}, None)
    lines = record.rstrip().splitlines()
    begins = next(place for place, line in enumerate(lines) if re.match(r"\s*1\. ", line))
    place = draw.draw(st.integers(begins + 1, len(lines)))
    line = draw.draw(st.sampled_from(ASTRAY))
    if rulebook.name != "confusion":
        line = line.replace("Yellow", "Red")
    damaged = rulebook.records.replay("\n".join((*lines[:place], line, *lines[place:], "")))
    assert damaged.errors or said(rulebook, damaged) != said(rulebook, rulebook.records.replay(record)), line


# What stands beside a cell


BESIDE = {
    "a letter behind the first move": ("20. KZ-NW2 X   V-E1", 20, "yellow", "KZ-NW2 X"),
    "an answer behind a move": ("20. KZ-NW2 no   V-E1", 20, "yellow", "KZ-NW2 no"),
    "words behind a pass": ("20. pass nonsense   V-E1", 20, "yellow", "pass nonsense"),
    "words behind no move": ("20. - nonsense", 20, "yellow", "- nonsense"),
    "a mark of doubt": ("20. KZ-NW2   V-E1?", 20, "white", "V-E1?"),
    "a tail without its letter": ("20. KZ-NW2   V-E1 x", 20, "white", "V-E1 x"),
    "a third cell": ("20. KZ-NW2   V-E1   (T-N1)", 20, "white", "V-E1   (T-N1)"),
    "words before a number": ("then 20. KZ-NW2   V-E1", 19, None, "then 20. KZ-NW2   V-E1"),
    "a side before a number": ("Yellow 20. KZ-NW2", 19, None, "Yellow 20. KZ-NW2"),
    "a mark of quotation": ("> 20. KZ-NW2   V-E1", 19, None, "> 20. KZ-NW2   V-E1"),
    "a number alone": ("20.", 20, None, "20."),
    "a side before a turn": ("Yellow: T-N1", 19, None, "Yellow: T-N1"),
    "a turn in words": ("turn 20 - KZ-NW2", 19, None, "turn 20 - KZ-NW2"),
    "a star before a turn": ("* KZ-NW2", 19, None, "* KZ-NW2"),
    "a result below the rows": ("Result: White wins", 19, None, "Result: White wins"),
    "a score below the rows": ("1-0", 19, None, "1-0"),
    "a note that contradicts": ("20. KZ-NW2 was refused   V-E1", 20, "yellow", "KZ-NW2 was refused"),
    "a turn in a line of prose": ("20. KZ-NW2\n   and so V-E1", 20, None, "and so V-E1"),
    "a third cell far behind": (
        f"20. KZ-NW2   V-E1 {'word ' * 30}  T-N1",
        20,
        "white",
        f"V-E1 {'word ' * 30}  T-N1",
    ),
    "a further number alone": ("20. KZ-NW2\n21.", 21, None, "21."),
}


@pytest.mark.parametrize(("line", "row", "seat", "text"), BESIDE.values(), ids=BESIDE)
def test_what_stands_beside_a_cell_is_named(line: str, row: int, seat: str | None, text: str) -> None:
    (error,) = CONFUSION.records.replay(f"{until(CORRECTED, 20)}{line}\n").errors
    assert (error.row, error.seat, error.text) == (row, seat, text)


def test_the_fault_says_what_was_perhaps_meant() -> None:
    record = until(CORRECTED, 20)
    for line, meant in (
        ("20. KZ-NW2 no", "a note has words, or stands in braces: KZ-NW2 {no}"),
        ("> 20. KZ-NW2   V-E1", "perhaps `20. KZ-NW2   V-E1` is meant"),
        ("then 20. KZ-NW2   V-E1", "perhaps `20. KZ-NW2   V-E1` is meant"),
    ):
        assert CONFUSION.records.replay(f"{record}{line}\n").errors[0].reason.endswith(meant)


@pytest.mark.telling("confusion", "spies")
@every_rulebook
@EXAMPLES
@given(secret=st.binary(min_size=32, max_size=32), draw=st.data())
def test_no_line_of_a_record_takes_words_before_it(
    rulebook: Rulebook, secret: bytes, draw: st.DataObject
) -> None:
    lines = rulebook.records.write(play(rulebook, secret, draw, 5), {}, None).rstrip().splitlines()
    begins = next(place for place, line in enumerate(lines) if re.match(r"\s*[01]\. ", line))
    place = draw.draw(st.integers(begins, len(lines) - 1))
    word = draw.draw(st.sampled_from(["nonsense", "maybe", "draw offered", "yes", "no", "(refused)"]))
    for damaged in (f"{word} {lines[place]}", f"> {lines[place]}"):
        text = "\n".join((*lines[:place], damaged, *lines[place + 1 :]))
        assert rulebook.records.replay(f"{text}\n").errors, damaged
    noted = "\n".join((*lines[:place], f"{lines[place]} {{{word}}}", *lines[place + 1 :]))
    assert rulebook.records.replay(f"{noted}\n") == rulebook.records.replay("\n".join(lines) + "\n")


def test_cf_8_3_a_cell_on_its_own_line_may_have_a_note() -> None:
    record = until(CORRECTED, 20)
    whole = CONFUSION.records.replay(f"{record}20. KZ-NW2   V-E1\n")
    assert CONFUSION.records.replay(f"{record}20. KZ-NW2\n    V-E1 a fine move\n") == whole


NOTES = [
    *("takes Z", "prend Z", "(takes Z).", "K passes Z to T", "promotion", "!", "{no}", "{? ; so}"),
    *("nonsense", "a fine move", "and a draw was offered"),
]


@pytest.mark.parametrize("note", NOTES)
def test_cf_8_3_notes_follow_a_move(note: str) -> None:
    record = until(CORRECTED, 20)
    whole = CONFUSION.records.replay(f"{record}20. KZ-NW2   V-E1\n")
    assert whole.consistent
    assert CONFUSION.records.replay(f"{record}20. KZ-NW2   V-E1 {note}\n") == whole
    assert CONFUSION.records.replay(f"{record}20. KZ-NW2   V-E1 ; {note}\n") == whole
    for gap in (" ", "   ", "\t"):
        assert CONFUSION.records.replay(f"{record}20. KZ-NW2 {note}{gap}V-E1\n") == whole


# What stands behind an end


ENDS = {
    "Draw": "by agreement",
    "Draw.": "by agreement",
    "draw agreed": "by agreement",
    "Draw, by agreement": "by agreement",
    "Draw (by agreement)": "by agreement",
    "Draw: by agreement": "by agreement",
    "Nulle d'un commun accord": "by agreement",
    "Draw: adjudicated: Anna offered it, or not": "adjudicated: Anna offered it, or not",
    "White wins: on time": "on time",
    "White wins on time": "on time",
    "Yellow resigns": "by resignation",
    "No result": "abandoned by agreement",
}
"""As ends are written, and how each came about by it."""
NO_ENDS = [
    *("draw offered", "Draw: offered", "Draw (offered)", "Draw - offered", "draw proposed by White", "Draw?"),
    *(
        "Draw: by agreement?",
        "draw refused",
        "draw not agreed",
        "Draw: not agreed",
        "Nulle proposée",
        "draw nonsense",
    ),
    *(
        "Draw: wanted by White",
        "Draw: under discussion",
        "Draw: V-E1",
        "Draw, after lunch",
        "Nulle : souhaitée",
    ),
    *(
        "White wins: in 3 moves",
        "White wins: I think",
        "White wins on his next turn",
        "No result: game goes on",
    ),
    *("White wins maybe", "White wins: perhaps", "White wins in a few turns", "White wins or draw"),
    *("Yellow resigns maybe", "Yellow resigns?", "Yellow resigns: no", "No result yet", "No result nonsense"),
]


@pytest.mark.parametrize(("said", "how"), ENDS.items())
def test_an_end_is_read_with_how_it_came_about(said: str, how: str) -> None:
    for text in (f"{until(CORRECTED, 20)}20. KZ-NW2   {said}\n", f"Result = {said}\n{until(CORRECTED, 20)}"):
        replayed = CONFUSION.records.replay(text)
        assert replayed.errors == ()
        assert replayed.result is not None
        assert replayed.result.how == how


@pytest.mark.parametrize("said", NO_ENDS)
def test_what_is_in_doubt_or_only_offered_is_no_end(said: str) -> None:
    record = until(CORRECTED, 20)
    for line, seat in (
        (f"20. {said}", "yellow"),
        (f"20. KZ-NW2   {said}", "white"),
        (f"20. KZ-NW2 {said}", "white"),
    ):
        replayed = CONFUSION.records.replay(f"{record}{line}\n")
        (error,) = replayed.errors
        assert (error.row, error.seat, error.text, replayed.result) == (20, seat, said, None)


@every_rulebook
@pytest.mark.parametrize("said", NO_ENDS)
def test_what_is_in_doubt_or_only_offered_is_no_result(rulebook: Rulebook, said: str) -> None:
    if rulebook.name != "confusion":
        said = said.replace("White", "Red").replace("Yellow", "Blue" if rulebook.name == "cards" else "White")
    replayed = rulebook.records.replay(f"Scenario = cc-skirmish\nResult = {said}\n")
    (error,) = replayed.errors
    assert (error.text, replayed.result) == (f"Result = {said}", None)
    assert error.reason.startswith("a result is written as in")


@pytest.mark.parametrize("result", ["White wins: on time", "White wins: by resignation"])
def test_a_cell_that_says_otherwise_than_the_head_how_it_ended_is_named(result: str) -> None:
    record = f"Result = {result}\n{until(CORRECTED, 20)}20. KZ-NW2   White wins: on time\n"
    assert CONFUSION.records.replay(record).consistent == (result == "White wins: on time")


def test_an_end_on_the_board_is_not_said_to_have_come_otherwise() -> None:
    (error,) = CONFUSION.records.replay(CORRECTED.replace("White wins", "White wins: on time")).errors
    assert error.reason == "the game was over: White wins: by holding Z on the opponent's first rank"


def test_cf_8_3_a_row_that_was_broken_in_two_is_read_whole() -> None:
    broken = re.sub(r"(?m)^(\d+\.\s+\S+)\s+(\S.*)$", r"\1\n    \2", CORRECTED)
    assert broken.count("\n") > CORRECTED.count("\n") + 30
    assert CONFUSION.records.replay(broken) == CONFUSION.records.replay(CORRECTED)


# What nobody sees


UNSEEN = "\u200b\u200d\u2060\ufeff\u00ad\u200e\u202e\x00\u3164\ufe0f"


@pytest.mark.telling("confusion", "spies")
@every_rulebook
@EXAMPLES
@given(secret=st.binary(min_size=32, max_size=32), draw=st.data())
def test_what_nobody_sees_in_a_record_changes_nothing(
    rulebook: Rulebook, secret: bytes, draw: st.DataObject
) -> None:
    record = rulebook.records.write(play(rulebook, secret, draw, 5), {"Event": "Club"}, None)
    places = draw.draw(st.lists(st.integers(0, len(record)), min_size=1, max_size=30))
    strewn = record
    for at in sorted(places, reverse=True):
        strewn = strewn[:at] + draw.draw(st.sampled_from(UNSEEN)) + strewn[at:]
    assert rulebook.records.replay(strewn) == rulebook.records.replay(record)
    marked = "".join(f"> {line}\n" for line in strewn.splitlines())
    assert rulebook.records.replay(marked) == rulebook.records.replay(record)


@every_rulebook
@EXAMPLES
@given(lines=st.lists(st.text(max_size=30).map(lambda text: text.replace("\n", " ")), max_size=4))
@example(lines=["1.\u200b L-S2", "2. \u2067Q\x1b[31m"])
def test_no_message_about_a_record_shows_what_nobody_sees(rulebook: Rulebook, lines: list[str]) -> None:
    for begin in ("", "1. ", "White = ", "Result = ", "1. Red  ", "taken back to 3 "):
        text = "\n".join(begin + line for line in lines)
        for error in rulebook.records.replay(text).errors:
            hidden = [
                each for each in error.text + error.reason if unicodedata.category(each) in ("Cc", "Cf", "Cs")
            ]
            assert [each for each in hidden if each != "\t"] == []


# What it costs to read one


@pytest.mark.parametrize(
    "filler", ["  x", "  A-", "  (", " #", " A-", "  draw", "  .", "  white", " (V-E1 x)"]
)
@pytest.mark.parametrize("begin", ["20. KZ-NW2", "20. KZ-NW2 H-S2 and a note", "20. KZ-NW2 H-S2\n"])
def test_a_row_is_looked_through_for_turns_at_a_bounded_number_of_places(filler: str, begin: str) -> None:
    looks = 0

    def counted(text: str, column: int) -> tuple[Cell, int]:
        nonlocal looks
        looks += 1
        return CLASSIC_LAYOUT.turn_at(text, column)

    layout = dataclasses.replace(CLASSIC_LAYOUT, turn_at=counted)
    read_score(f"{begin}{filler * (950 // len(filler))}\n", layout)
    assert looks <= 6 * MOST_PLACES


def test_no_turn_hides_behind_more_places_than_are_looked_at() -> None:
    score = read_score(f"1. KZ-NW2 a note {'# ' * (MOST_PLACES + 1)}V-E1\n", CLASSIC_LAYOUT)
    assert not score.rows[0].sound


def test_nothing_is_read_behind_a_row_with_a_fault_but_the_head() -> None:
    score = read_score("1. Q- x\n2. L-S2 M-N1\nEvent = Club\n", CLASSIC_LAYOUT)
    assert [row.number for row in score.rows] == [1] and score.head == {"event": "Club"}
