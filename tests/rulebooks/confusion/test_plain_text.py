"""Lines are made plain all at once where their places do not matter, and come out the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rulebooks.confusion.notation import plain, plain_text
from referee.rulebooks.spies.words import bare, bare_text

SIGNS = (*range(0x20000), *range(0xE0000, 0xE1000))
"""Every sign of the planes that hold letters, digits, dashes, blanks and what is not seen."""


@pytest.mark.slow
def test_every_sign_is_made_as_plain_at_once_as_sign_by_sign() -> None:
    texts = (f"a{chr(number)}b" for number in SIGNS)
    assert [text for text in texts if plain_text.__wrapped__(text) != plain(text).text] == []


@given(st.text())
def test_a_text_is_made_as_plain_at_once_as_sign_by_sign(text: str) -> None:
    assert plain_text(text) == plain(text).text
    assert bare_text(text) == bare(text).text
