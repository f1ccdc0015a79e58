"""What the desk tells about a battle that is proposed, begins, or is over."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.playing import Club, new_database
from tests.transcripts.stories_of_cards import anna_and_bert

pytestmark = pytest.mark.story


@pytest.mark.parametrize(
    ("first", "language", "offered", "agreed"),
    [
        ("cut", "en", "the higher card of a cut begins", "The higher card of a cut begins."),
        ("cut", "fr", "la plus forte carte coupée commence", "La plus forte carte coupée commence."),
        ("red", "en", "Red begins", ""),
    ],
)
def test_it_is_said_how_it_is_settled_who_begins(
    tmp_path: Path, first: str, language: str, offered: str, agreed: str
) -> None:
    """CC-1.14: a cut is no side that could begin."""
    club = Club(new_database(tmp_path))
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    for each in (anna, bert):
        each.writes(f"set language {language}")
    anna.writes(f"open cards option edition=custom option first={first}")
    assert offered in " ".join(anna.last.text.split())
    bert.writes("join 1")
    for each in (anna, bert):
        assert agreed in each.last.text
        assert "Cut " not in each.last.text


@pytest.mark.parametrize("option", ["rally_ban=0.04", "table=0.04", "table=150"])
def test_no_game_is_offered_that_could_not_begin(tmp_path: Path, option: str) -> None:
    """What can be done is said in options: nobody who writes them need have the scenario's file."""
    club = Club(new_database(tmp_path))
    anna = club.member("Anna")
    anna.writes(f"open cards option edition=custom option {option}")
    assert anna.last.kind == "refusal"
    assert "free_table" not in anna.last.text
    assert ("table=any" in anna.last.text) == (option == "table=150")


def test_a_preview_says_that_the_battle_is_over(tmp_path: Path) -> None:
    club = Club(new_database(tmp_path))
    anna, bert, game = anna_and_bert(club)
    bert.replies("preview MV BI1 A20", to=bert.last_about(game))
    assert "until it is the table may change" in bert.last.text
    bert.replies("resign", to=bert.last_about(game))
    anna.replies("preview MV RI1 A20", to=anna.last_about(game))
    assert "Nothing was done: the battle is over." in anna.last.text
    assert "not your turn" not in anna.last.text


@pytest.mark.parametrize("rest", ["A20", "KEEP 22", "FLANK"])
def test_a_turn_waits_where_an_order_was_broken_in_two(tmp_path: Path, rest: str) -> None:
    """E2: nothing is carried out while a line is not understood."""
    club = Club(new_database(tmp_path))
    anna, bert, game = anna_and_bert(club)
    heard = len(bert.letters)
    anna.replies("MV RI1 R15", rest, to=anna.last_about(game))
    assert "the rest of an order" in anna.last.text
    assert len(bert.letters) == heard
