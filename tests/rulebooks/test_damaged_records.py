"""A record that was damaged on its way: each cell is a turn, an answer or an end, or is named; none is dropped."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.rulebooks.catalogue import AnyRulebook, find_rulebook
from referee.rulebooks.rulebook import Replay
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


def said(rulebook: AnyRulebook, replayed: Replay) -> list[Any]:
    return list(filter(None, map(rulebook.recorded, replayed.happenings)))


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


@every_rulebook
@EXAMPLES
@given(secret=st.binary(min_size=32, max_size=32), draw=st.data())
def test_a_damaged_last_cell_is_read_or_named(
    rulebook: AnyRulebook, secret: bytes, draw: st.DataObject
) -> None:
    record = rulebook.write_record(play(rulebook, secret, draw, 5), {}, None).rstrip()
    found = _LAST_CELL.search(record.splitlines()[-1])
    assert found
    before = record[: len(record) - len(found[1])]
    cell = draw.draw(st.one_of(st.sampled_from(STUMPS), edits(found[1])))
    whole, damaged, without = (rulebook.replay(f"{before}{each}\n") for each in (found[1], cell, ""))
    assert whole.consistent
    if damaged.consistent and not _EMPTY.fullmatch(cell):
        assert said(rulebook, damaged) != said(rulebook, without), f"{cell!r} was dropped"


@pytest.mark.parametrize("cell", STUMPS)
@pytest.mark.parametrize("row", [19, 39], ids=["goes on", "is over"])
def test_a_last_cell_of_confusion_that_is_nothing_is_named_with_its_row(row: int, cell: str) -> None:
    lines = until(f"{CORRECTED}\n40.", row + 1).rstrip().splitlines()
    left = lines[-1].split()[1]
    lines[-1] = f"{row}. {left:<16}{cell}"
    (error,) = CONFUSION.replay("\n".join(lines)).errors
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
    (error,) = CONFUSION.replay(f"{until(CORRECTED, 20)}{line}\n").errors
    assert (error.row, error.text, error.reason) == (19, line, text)


@pytest.mark.parametrize(
    "note",
    ["V-NW2 was the better move", "White wins in a few turns", "-----", "A fine game (so far).", "x-ray"],
)
def test_a_line_of_prose_below_a_whole_row_stays_a_note(note: str) -> None:
    record = until(CORRECTED, 20)
    assert CONFUSION.replay(f"{record}{note}\n") == CONFUSION.replay(record)


def test_cf_8_3_a_row_that_was_broken_in_two_is_read_whole() -> None:
    broken = re.sub(r"(?m)^(\d+\.\s+\S+)\s+(\S.*)$", r"\1\n    \2", CORRECTED)
    assert broken.count("\n") > CORRECTED.count("\n") + 30
    assert CONFUSION.replay(broken) == CONFUSION.replay(CORRECTED)


# What nobody sees


UNSEEN = "\u200b\u200d\u2060\ufeff\u00ad\u200e\u202e\x00\u3164\ufe0f"


@every_rulebook
@EXAMPLES
@given(secret=st.binary(min_size=32, max_size=32), draw=st.data())
def test_what_nobody_sees_in_a_record_changes_nothing(
    rulebook: AnyRulebook, secret: bytes, draw: st.DataObject
) -> None:
    record = rulebook.write_record(play(rulebook, secret, draw, 5), {"Event": "Club"}, None)
    places = draw.draw(st.lists(st.integers(0, len(record)), min_size=1, max_size=30))
    strewn = record
    for at in sorted(places, reverse=True):
        strewn = strewn[:at] + draw.draw(st.sampled_from(UNSEEN)) + strewn[at:]
    assert rulebook.replay(strewn) == rulebook.replay(record)
    marked = "".join(f"> {line}\n" for line in strewn.splitlines())
    assert rulebook.replay(marked) == rulebook.replay(record)


@every_rulebook
@EXAMPLES
@given(lines=st.lists(st.text(max_size=30).map(lambda text: text.replace("\n", " ")), max_size=4))
@example(lines=["1.\u200b L-S2", "2. \u2067Q\x1b[31m"])
def test_no_message_about_a_record_shows_what_nobody_sees(rulebook: AnyRulebook, lines: list[str]) -> None:
    for begin in ("", "1. ", "White = ", "Result = ", "1. Red  ", "taken back to 3 "):
        text = "\n".join(begin + line for line in lines)
        for error in rulebook.replay(text).errors:
            hidden = [
                each for each in error.text + error.reason if unicodedata.category(each) in ("Cc", "Cf", "Cs")
            ]
            assert [each for each in hidden if each != "\t"] == []
