"""Words about oneself: what one may be called, and when a name changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.commands.words import TOPICS
from tests.playing import SERVICE, Club, new_database


@pytest.mark.parametrize(
    "lines",
    [
        ("L-S2", "register Berta"),
        ("register Berta", "", "Thanks!"),
        ("Hello,", "register with me", "Anna"),
        ("games", "register Berta", "register Carla"),
    ],
)
def test_a_line_among_others_gives_nobody_another_name(club: Club, lines: tuple[str, ...]) -> None:
    anna = club.member("Anna")
    anna.writes(*lines)
    text = " ".join(anna.last.text.split())
    assert "you are called Anna already" in text
    with club.store.reading() as lookup:
        assert lookup.names() == ["Anna"]


def test_a_letter_that_says_nothing_else_gives_its_writer_another_name(club: Club) -> None:
    anna = club.member("Anna")
    anna.writes("register Berta")
    assert "You are called Berta from now on" in anna.last.text


def test_a_first_name_may_stand_among_other_lines(club: Club) -> None:
    anna = club.person("Anna")
    anna.writes("Dear referee,", "register Anna", "games")
    assert "You are registered as Anna" in anna.last.text


@pytest.mark.parametrize("name", ["Anna", "ANNA", "Ánna", "Ａｎｎａ", "ΑΝΝΑ", "A'nn-a."])
def test_a_name_that_looks_like_another_player_s_is_taken(club: Club, name: str) -> None:
    """As it is, in another case, with an accent, in full-width letters, in Greek ones, with signs."""
    club.member("Anna")
    other = club.person("Other")
    other.writes(f"register {name}")
    assert "somebody else is called" in " ".join(other.last.text.split())
    other.writes("register Анна")  # Cyrillic, and it looks it
    assert "registered as Анна" in other.last.text


def test_nobody_is_called_like_the_service(tmp_path: Path) -> None:
    club = Club(new_database(tmp_path), service=replace(SERVICE, name="Club Desk"))
    mallory = club.person("Mallory")
    mallory.writes("register club desk")
    mallory.writes("register Clüb  Desk!")
    club.close()
    for letter in mallory.letters:
        assert "nobody can be called" in " ".join(letter.text.split())


def test_each_help_page_stands_once_in_an_answer(club: Club) -> None:
    anna = club.member("Anna")
    anna.writes("help", *(f"help {topic}" for topic in TOPICS))
    once = len(anna.last.content)
    anna.writes(*["help", *(f"help {topic}" for topic in TOPICS)] * 2, *["help"] * 10)
    assert len(anna.last.content) < once * 1.1
