"""A letter that names no game, from somebody who plays several: which it is about, and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from referee.games.game import Game
from tests.support.begun import DEAL, said, tried
from tests.support.playing import REFEREE, Club, Correspondent

pytestmark = pytest.mark.telling

MINE, THEIRS = 1, 2
"""Anna's games: against Bert, in which it is her turn; against Carl, in which it is not."""


class Playing(NamedTuple):
    club: Club
    anna: Correspondent
    bert: Correspondent


@pytest.fixture
def playing(club: Club) -> Playing:
    return _playing(club, white="carl")


def _playing(club: Club, *, white: str) -> Playing:
    """Let Anna play against Bert, with white, and against Carl. white: who has it in that game, and begins."""

    def begin(club: Club) -> int:
        anna, bert, carl = (club.member(name) for name in ("Anna", "Bert", "Carl"))
        club.starts({"white": anna, "yellow": bert}, deal=DEAL, time="3d/move")
        seats = {"white": carl, "yellow": anna} if white == "carl" else {"white": anna, "yellow": carl}
        return club.starts(seats, deal=DEAL, time="3d/move")

    club.begins(begin)
    return Playing(club, club.reader("anna@example.net"), club.reader("bert@example.net"))


def _happened(club: Club) -> list[int]:
    return [club.game(game).last_event for game in (MINE, THEIRS)]


# Her turn in one of them


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("resign", "You have resigned game 1; Yellow (Bert) has won."),
        ("draw", "You have offered a draw in game 1. The offer stands until Bert agrees or moves."),
        (
            "agree none",
            "You have proposed to give game 1 up without a result. The proposal stands until Bert",
        ),
        ("claim he is rude", "Your claim about game 1 with Bert was taken; it is case 1/"),
        ("pause", "You have offered Bert a pause of game 1"),
        ("press Good luck", "Your text is passed on to Bert in game 1: > Good luck"),
        ("press all Good luck", "passed on to all who may read in game 1 with Bert: > Good luck"),
    ],
)
def test_what_names_no_game_is_about_the_only_one_in_which_it_is_the_writer_s_turn(
    playing: Playing, line: str, told: str
) -> None:
    """Whatever it is; and the answer says in which game, and with whom, it was taken."""
    club, anna, _ = playing
    anna.writes("help")  # the check-in, which is no matter here
    mine, theirs = _happened(club)
    (answer,) = (each for each in anna.writes(line, to=REFEREE).sent if each.recipient == anna.address)
    assert answer.game == MINE and told in said(answer)
    assert club.game(MINE).last_event > mine or line.startswith("claim")
    assert club.game(THEIRS).last_event == theirs


def test_a_pause_that_names_no_game_begins_and_ends_in_the_same(playing: Playing) -> None:
    club, anna, bert = playing
    anna.writes("pause", to=REFEREE)
    anna.writes("resume", to=REFEREE)
    assert "Your offer to Bert of a pause of game 1 is taken back." in said(anna.last)
    anna.writes("pause", to=REFEREE)
    bert.replies("pause", to=bert.last_about(MINE))
    assert "Game 1 rests, as you and Bert have agreed" in said(anna.last)
    anna.writes("resume", to=REFEREE)
    assert "The pause of game 1 with Bert ends" in said(anna.last)
    assert not club.game(THEIRS).consent.agreed


def test_what_is_to_be_confirmed_names_the_game_and_the_opponent(playing: Playing) -> None:
    club, anna, _ = playing
    anna.writes("resign", "and thank you", "press Thank you", to=REFEREE)
    assert "Do you want to resign game 1, against Bert?" in said(anna.last_about(MINE))
    assert [club.game(game).status for game in (MINE, THEIRS)] == ["playing", "playing"]


def test_what_stands_beside_a_move_goes_with_it(playing: Playing) -> None:
    club, anna, _ = playing
    anna.writes("L-S2", "draw", to=REFEREE)
    assert tried(club, MINE) == ["L-S2"]
    offer = club.game(MINE).offer
    assert offer is not None and offer.by == "white"


def test_a_line_that_names_another_game_is_about_that(playing: Playing) -> None:
    club, anna, _ = playing
    anna.writes("resign 2", to=REFEREE)
    assert [club.game(game).status for game in (MINE, THEIRS)] == ["playing", "ended"]


# Her turn in several, or in none


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
"""What would do in each of her games, and the line that is offered for one."""


def _in_several(club: Club) -> Playing:
    return _playing(club, white="anna")


def _in_none(club: Club) -> Playing:
    playing = _playing(club, white="carl")
    playing.anna.replies("L-S2", to=playing.anna.last_about(MINE))
    return playing


@pytest.mark.telling(line=["resign", "press Good luck"])
@pytest.mark.parametrize("turns", [_in_several, _in_none])
@pytest.mark.parametrize("line", BINDING)
def test_in_which_it_is_meant_is_asked_where_it_is_the_writer_s_turn_in_several_or_in_none(
    club: Club, line: str, turns: Callable[[Club], Playing]
) -> None:
    """One line stands ready for each game, none of them before the others, and no letter goes to anybody else."""
    _, anna, _ = turns(club)
    anna.writes("help")  # the check-in, which is no matter here
    before = _happened(club)
    answer = anna.writes(line, to=REFEREE).only
    assert _happened(club) == before and answer.game is None
    assert answer["Subject"] == "Referee: not accepted"
    text = said(answer)
    assert "you play several games, 1, 2, and this must say in which; nothing was done" in text
    for game, who in ((MINE, "Bert"), (THEIRS, "Carl")):
        assert f"The game against {who}: {BINDING[line].format(game=game)}" in text
    assert "Did you mean" not in text


@pytest.mark.parametrize("line", ["resign", "claim he is rude"])
def test_the_line_that_is_offered_does_it_in_its_game(club: Club, line: str) -> None:
    _, anna, _ = _in_several(club)
    anna.writes(line, to=REFEREE)
    answer = anna.writes(BINDING[line].format(game=THEIRS), to=REFEREE).sent
    assert answer and all(each.game in (THEIRS, None) for each in answer)
    assert (club.game(THEIRS).status == "ended") == (line == "resign")
    assert club.game(MINE).status == "playing"


def test_a_long_text_is_shown_back_whole(club: Club) -> None:
    _, anna, _ = _in_several(club)
    lines = ["claim " + "he is rude " * 12, "and late"]
    answer = anna.writes(*lines, to=REFEREE).only
    assert "The game against Bert: 1: claim TEXT" in said(answer)
    assert "> " + ("he is rude " * 12).strip() in answer.text and "> and late" in answer.text


def test_who_plays_one_game_need_not_name_it_whoever_is_to_move(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    bert.writes("resign", to=REFEREE)
    ended: Game = club.game(game)
    assert ended.status == "ended" and ended.result is not None and ended.result.winner == "white"


# About no game


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
