"""How a game stands in outline: kept with its row, and read again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.summary import Outline, read_outline, write_outline
from referee.rulebooks.rulebook import Seat

SEATS = st.lists(st.sampled_from((Seat("white"), Seat("yellow"))), unique=True, max_size=2).map(tuple)


@given(
    st.builds(
        Outline,
        last_event=st.integers(1, 999),
        turn=st.integers(1, 99),
        due=SEATS,
        time=st.sampled_from(("", "3d/move")),
        lapse=st.sampled_from(("hard", "soft")),
        frozen=st.text(max_size=40),
        offered_by=st.sampled_from((None, Seat("white"))),
        offered=st.sampled_from(("", "draw", "none", "yellow")),
        pausing=SEATS,
        unreachable=SEATS,
        time_up=SEATS,
        how=st.sampled_from(("", "by resignation")),
    )
)
def test_what_is_written_is_read(outline: Outline) -> None:
    assert read_outline(write_outline(outline)) == outline


def test_a_game_that_is_not_played_has_none() -> None:
    assert write_outline(None) == ""


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", "null", '{"turn":1}', '{"last_event":1,"turn":1,"of":2}']
)
def test_what_cannot_be_read_is_none(text: str) -> None:
    assert read_outline(text) is None
