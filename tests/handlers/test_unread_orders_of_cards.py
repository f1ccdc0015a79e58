"""A line that begins with a unit and is no order holds its turn up, and is named (E2); in `referee read` too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.begun import said
from tests.support.playing import Club, new_database
from tests.transcripts.stories_of_cards import anna_and_bert


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    yield club
    club.close()


UNREAD = [
    "RI2 F20",
    "BI2 F20",
    "RC1 M 60,49",
    "RI2 F²0",
    "RA1.1 fires at BI2",
    "RG to the hill",
    "RI2: advance!",
]


@pytest.mark.parametrize("line", UNREAD)
def test_a_turn_waits_for_a_line_that_begins_with_a_unit(club: Club, line: str) -> None:
    anna, _, game = anna_and_bert(club)
    anna.replies("MV RI1 A20", line, to=anna.last_about(game))
    assert club.game(game).position.log == ()
    assert "Line 2, column " in said(anna.last)
    assert "²" in line or "Did you mean" in said(anna.last)


def test_talk_of_a_unit_holds_nothing_up(club: Club) -> None:
    anna, _, game = anna_and_bert(club)
    anna.replies("MV RI1 A20", "I think RI2 is lost, and BI2 F20.", to=anna.last_about(game))
    assert [each.orders for each in club.game(game).position.log] == [("MV RI1 A20",)]
