"""Plain text as its writer saw it, format=flowed taken back into paragraphs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.message.limits import TEXT_LINES
from referee.mail.message.plain_text import SeenLine, flowed_lines, is_quoted, plain_lines


def flowed(text: str, *, delete_space: bool = False) -> list[tuple[str, bool]]:
    return [(line.text, line.quoted) for line in flowed_lines(text, delete_space=delete_space)]


def test_lines_end_at_every_kind_of_line_end() -> None:
    seen = plain_lines("a\r\nb\nc\rd\u2028e\x0bf")
    assert [line.text for line in seen] == ["a", "b", "c", "d", "e", "f"]


def test_a_line_is_quoted_when_it_bears_a_mark() -> None:
    assert is_quoted("> a")
    assert is_quoted(">a")
    assert is_quoted("  >> a")
    assert is_quoted("AB> a")
    assert is_quoted("| a")
    assert is_quoted("|")
    assert is_quoted("¦ a")
    assert is_quoted("» a")
    assert is_quoted("＞ a")
    assert not is_quoted("Z-S1>T")
    assert not is_quoted("Z>T")
    assert not is_quoted("a > b")
    assert not is_quoted("|A-N1|")
    assert not is_quoted("»A-N1«")


@pytest.mark.parametrize("mark", ["| ", "» ", "AB> "])
def test_marks_other_than_brackets_quote_in_flowed_text_too(mark: str) -> None:
    assert flowed(f"A-N1\n{mark}C-N1 \nand more\nb") == [
        ("A-N1", False),
        (f"{mark}C-N1 and more", True),
        ("b", False),
    ]


def test_a_flowed_paragraph_is_one_line() -> None:
    assert flowed("one \ntwo \nthree\nfour") == [("one two three", False), ("four", False)]


def test_delsp_takes_the_blank_at_the_join_away() -> None:
    assert flowed("Z-NE2 \n >K", delete_space=True) == [("Z-NE2>K", False)]


def test_stuffed_blanks_go_and_a_stuffed_mark_is_the_writer_s_own() -> None:
    assert flowed(" >K\n From here") == [(">K", False), ("From here", False)]


def test_a_flowed_line_does_not_go_on_at_another_depth() -> None:
    assert flowed("> quoted \nown\n>> deep \n> less") == [
        ("quoted ", True),
        ("own", False),
        ("deep ", True),
        ("less", True),
    ]


def test_the_signature_mark_never_flows() -> None:
    assert flowed("text \n-- \nAnna") == [("text ", False), ("-- ", False), ("Anna", False)]


def test_a_paragraph_that_was_cut_is_left_out() -> None:
    """Given more lines than are read, when they all flow, then no half paragraph is taken for a whole one."""
    assert flowed_lines("a \n" * (TEXT_LINES + 5), delete_space=False) == []
    assert len(plain_lines("a\n" * (TEXT_LINES + 5))) == TEXT_LINES


@given(st.lists(st.text(alphabet=" >ab-", max_size=5)), st.booleans())
def test_flowed_text_loses_no_letter(lines: list[str], delete_space: bool) -> None:
    text = "\n".join(lines)
    joined = "".join(line.text for line in flowed_lines(text, delete_space=delete_space))
    assert [sign for sign in joined if sign in "ab"] == [sign for sign in text if sign in "ab"]


def test_text_without_trailing_blanks_reads_the_same_flowed_or_not() -> None:
    text = "a\n\nb c\n> d"
    assert [line.quoted for line in flowed_lines(text, delete_space=True)] == [
        line.quoted for line in plain_lines(text)
    ]
    assert flowed_lines("a", delete_space=False) == [SeenLine("a")]
