"""A record may hold anything: each reader is done with it in time that its length alone determines, or refuses it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.archive.event_records import split_records
from referee.archive.verify import verify
from referee.common.errors import RecordRefused
from referee.games.importing import read_brought
from referee.rulebooks.catalogue import find_rulebook
from referee.rulebooks.confusion import verify_game
from referee.rulebooks.record_text import (
    LARGEST_RECORD,
    LONGEST_LINE,
    LONGEST_ROW,
    head_line,
    too_long,
)
from referee.rulebooks.spies import verify_spies
from tests.archive.test_verify import fits, misfits, record_of
from tests.games.played import random_game_played

CONFUSION, SPIES = find_rulebook("confusion"), find_rulebook("spies")
RECORD = record_of(random_game_played(1).game)


def brought(text: str) -> None:
    for rulebook in (CONFUSION, SPIES):
        try:
            read_brought(rulebook, text)
        except RecordRefused as refused:
            assert len(str(refused)) < 700


READERS: dict[str, Callable[[str], object]] = {
    "replay": CONFUSION.records.replay,
    "replay of spies": SPIES.records.replay,
    "verify": verify,
    "small program": verify_game.verify,
    "small program for spies": verify_spies.verify,
    "many records": split_records,
    "import": brought,
}
FRAMES = (
    *("{}", "{}x", "Note = a{}b", "{} = a", "Result = White wins{}x", "White = A{}1", "WhiteShown = A{}x"),
    *("1. A-S1{}x", "1.{}x", "1. A-S1 {}x", "1. draw{}x", "White{}Yellowx", "White{}Redx"),
    *("taken back to 3{}x", "taken{}back to x", "[{}taken back to 3 White: {}", "1. ({}A-S1", "Deal = {}"),
)
"""Lines with a place in which something stands very often."""
FILLINGS = (
    " ",
    "\t",
    "\xa0",
    "-",
    "- ",
    "(",
    "()",
    "[ ",
    "a",
    "9",
    "= ",
    ": ",
    ".",
    "V - ",
    "A<>",
    "& ",
    "?",
    "#",
)


@pytest.mark.telling(frame=["{}"], reader=["replay", "verify", "many records"])
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("frame", FRAMES)
def test_a_line_of_any_kind_and_length_is_read_or_refused(frame: str, reader: str) -> None:
    """With two hundred thousand blanks, or signs that begin something, a pattern that tries them anew from each place
    would not come to an end; nor would one in a line that is just not too long, which then is read."""
    for filling in FILLINGS:
        longest = LONGEST_LINE if head_line(frame.replace("{}", "")) else LONGEST_ROW
        for signs in (200_000, longest - 2 * len(frame)):
            line = frame.replace("{}", filling * (signs // len(filling) // frame.count("{}"))) + "\n"
            for text in (line + RECORD, RECORD + line):
                READERS[reader](text)


@pytest.mark.parametrize("rest", ["; c\n", "\n", "; " + "x" * 5000 + "\n", "1. A-S1\n", "Note = 1\n", "x"])
def test_a_record_that_is_larger_than_any_is_refused_by_its_size(rest: str) -> None:
    text = RECORD + rest * (LARGEST_RECORD // len(rest) + 1)
    reason = f"no record has more than {LARGEST_RECORD:,}"
    for rulebook in (CONFUSION, SPIES):
        assert reason in rulebook.records.replay(text).errors[0].reason
    assert reason in misfits(text)[0].reason
    assert verify_spies.verify(text)[0][0].part == "proof"
    with pytest.raises(RecordRefused, match=reason):
        read_brought(CONFUSION, text)


def test_what_is_just_not_too_long_is_read() -> None:
    assert not too_long(f"Note = {'x' * (LONGEST_LINE - 7)}")
    assert "line 2 has" in too_long(f"\nNote = {'x' * LONGEST_LINE}")
    assert not too_long(f"1. {'x' * (LONGEST_ROW - 3)} ; {'x' * LONGEST_LINE * 2}")
    assert "line 1 has" in too_long(f"1. {'x' * LONGEST_ROW}")
    long = RECORD.replace("Commitment", f"Note = {'x' * 40_000}\n; {'y' * 200_000}\nCommitment", 1)
    fits(long)


@pytest.mark.parametrize("dash", "‐‑‒–—−")
def test_moves_with_other_dashes_fit_for_both_programs(dash: str) -> None:
    start = RECORD.index("    Yellow  ")
    fits(RECORD[:start] + RECORD[start:].replace("-", dash).replace("x", "×"))


@pytest.mark.parametrize(
    "digits", ["٠١٢٣٤٥٦٧٨٩", "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉", "０１２３４５６７８９", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗"]
)
def test_a_digit_that_only_looks_like_one_fits_for_neither(digits: str) -> None:
    """In a row's number, or a move's."""
    lines = RECORD.splitlines(keepends=True)
    rows = [place for place, line in enumerate(lines) if line[0].isdigit()]
    for place in rows[:6]:
        for at, sign in enumerate(lines[place]):
            if sign.isdigit():
                other = lines[place][:at] + digits[int(sign)] + lines[place][at + 1 :]
                assert misfits("".join((*lines[:place], other, *lines[place + 1 :]))), other


def test_long_notes_beside_moves_are_still_notes() -> None:
    """The second cell is found behind them."""
    row = f"2.  {RECORD.split(chr(10) + '2. ')[1].split()[0]} a note of some words, on and on and on"
    noted = RECORD.split("\n2. ")
    second = noted[1].split("\n", 1)[0].split()[1]
    text = f"{noted[0]}\n{row}   {second}\n{noted[1].split(chr(10), 1)[1]}"
    assert CONFUSION.records.replay(text).consistent
