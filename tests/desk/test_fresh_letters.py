"""A letter that names no game, from somebody who plays several: what may be guessed, and what is asked."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from referee.which_game import TO_BE_NAMED
from tests.desk.begun import DEAL, said, tried
from tests.playing import REFEREE, Club, Correspondent

MINE, THEIRS = 1, 2
"""Anna's games: against Bert, in which it is her turn; against Carl, in which it is not."""
BINDING = {
    "resign": "resign {game}",
    "draw": "draw {game}",
    "agree white": "agree white {game}",
    "claim he is rude": "{game}: claim he is rude",
    "pause": "pause {game}",
    "resume": "resume {game}",
    "press Good luck": "{game}: press Good luck",
    "press all Good luck": "{game}: press all Good luck",
}
"""What ends something or is read by others, and the line that is offered for a game."""


class Playing(NamedTuple):
    club: Club
    anna: Correspondent
    bert: Correspondent


@pytest.fixture
def playing(club: Club) -> Playing:
    def begin(club: Club) -> int:
        anna, bert, carl = (club.member(name) for name in ("Anna", "Bert", "Carl"))
        club.starts({"white": anna, "yellow": bert}, deal=DEAL, time="3d/move")
        return club.starts({"white": carl, "yellow": anna}, deal=DEAL, time="3d/move")

    club.begins(begin)
    return Playing(club, club.reader("anna@example.net"), club.reader("bert@example.net"))


def _happened(club: Club) -> list[int]:
    return [club.game(game).last_event for game in (MINE, THEIRS)]


@pytest.mark.parametrize("line", BINDING)
def test_what_cannot_be_taken_back_must_name_its_game(playing: Playing, line: str) -> None:
    """One line stands ready for each game, none of them before the others, and no letter goes to anybody else."""
    club, anna, _ = playing
    anna.writes("help")  # the check-in, which is no matter here
    before = _happened(club)
    exchange = anna.writes(line, to=REFEREE)
    answer = exchange.only
    assert _happened(club) == before and answer.game is None
    assert answer["Subject"] == "Referee: not accepted"
    text = said(answer)
    assert "you play several games, 1, 2, and this must say in which; nothing was done" in text
    for game, who in ((MINE, "Bert"), (THEIRS, "Carl")):
        assert f"The game against {who}: {BINDING[line].format(game=game)}" in text
    assert "Did you mean" not in text


def test_every_word_that_must_name_its_game_is_tried_here() -> None:
    words = {each.__name__.lower() for each in TO_BE_NAMED} - {"appeal"}
    assert words == {line.split()[0] for line in BINDING}


@pytest.mark.parametrize("line", ["resign", "claim he is rude"])
def test_the_line_that_is_offered_does_it_in_its_game(playing: Playing, line: str) -> None:
    club, anna, _ = playing
    anna.writes(line, to=REFEREE)
    answer = anna.writes(BINDING[line].format(game=THEIRS), to=REFEREE).sent
    assert answer and all(each.game in (THEIRS, None) for each in answer)
    assert (club.game(THEIRS).status == "ended") == (line == "resign")
    assert club.game(MINE).status == "playing"


def test_a_long_text_is_shown_back_whole(playing: Playing) -> None:
    _, anna, _ = playing
    lines = ["claim " + "he is rude " * 12, "and late"]
    answer = anna.writes(*lines, to=REFEREE).only
    assert "The game against Bert: 1: claim TEXT" in said(answer)
    assert "> " + ("he is rude " * 12).strip() in answer.text and "> and late" in answer.text


def test_a_move_is_still_taken_for_the_game_in_which_it_is_his_turn_and_what_stands_beside_it_goes_with_it(
    playing: Playing,
) -> None:
    club, anna, _ = playing
    anna.writes("L-S2", "draw", to=REFEREE)
    assert tried(club, MINE) == ["L-S2"]
    offer = club.game(MINE).offer
    assert offer is not None and offer.by == "white"


def test_who_plays_one_game_need_not_name_it(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    anna.writes("resign", to=REFEREE)
    assert club.game(game).status == "ended"


@pytest.mark.parametrize(
    "line", ["help", "help leave", "games", "leave", "set", "set reports text", "events"]
)
def test_what_is_about_no_game_is_answered_outside_any(playing: Playing, line: str) -> None:
    _, anna, _ = playing
    answer = anna.writes(line, to=REFEREE).only
    assert answer.game is None and answer["Subject"].startswith("Referee: ")
    assert "REPLY WITH ONE LINE" not in answer.text


def test_an_answer_to_a_games_letter_stays_in_its_thread(playing: Playing) -> None:
    _, anna, _ = playing
    assert anna.replies("help", to=anna.last_about(MINE)).only.game == MINE
