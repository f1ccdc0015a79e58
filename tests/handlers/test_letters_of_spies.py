"""What letters beside the moves say of a game of spies: the day's news, a case, a game that is taken back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from referee.games import umpire_actions
from referee.rulebooks.rulebook import Seat
from tests.support.begun import said as said_in
from tests.support.playing import Club, Delivered, new_database
from tests.transcripts.stories_of_spies import ALL_TOKENS, anna_and_bert, rounds

HOUR = timedelta(hours=1)
WHITE, RED = Seat("white"), Seat("red")
A_SET_UP = "setup A3-2 C4-2 E5-2 H7-2 K8-2 L9-2 N3-1 O4-1 P5-1 S7-1 T8-1 V9-1 X6-1"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path, "spies"))
    yield club
    club.close()


def evening(club: Club) -> Delivered:
    """Return the one letter with the news of the day."""
    for _ in range(48):
        if letters := club.strikes():
            (letter,) = letters
            return letter
        club.waits(HOUR)
    raise AssertionError("no letter with the news of a day")


def test_the_day_s_news_shows_the_answer_and_the_move_that_are_owed(club: Club) -> None:
    """CF-10.8: both belong in one letter, so both stand below the news, and do when they are sent as they stand."""
    anna, bert, game = anna_and_bert(club)
    bert.writes("set letters daily")
    rounds(game, (anna, "E-N1"))
    news = evening(club)
    first, second = (line for line in news.text.split("\r\n") if line.startswith(f"{game}: "))
    assert first == f"{game}: allow"
    assert "what stands together there belongs in one letter" in said_in(news)
    answer = bert.replies(first, second, to=news).sent
    assert "[not accepted]" not in answer[-1]["Subject"]
    assert RED in club.game(game).due


def test_the_day_s_news_has_no_board_and_speaks_of_none(club: Club) -> None:
    anna, bert, game = anna_and_bert(club)
    bert.writes("set letters daily")
    rounds(game, (anna, "L-N1"))
    news = evening(club)
    assert "L-N1 will be allowed." in said_in(news)
    assert "on your board" not in said_in(news)


def test_a_case_tells_that_both_sides_owe_a_set_up(club: Club) -> None:
    """CF-10.11: neither is to move before the other."""
    anna, _, game = anna_and_bert(club, **{"variable-setup": "on"})
    assert "both sides had something to send" in said_in(
        anna.replies("claim Bert is rude.", to=anna.last).only
    )
    rounds(game, (anna, A_SET_UP))
    again = anna.replies("claim Bert is slow.", to=anna.last_about(game)).only
    assert "turn 1, White was to move" in said_in(again)


@pytest.mark.parametrize("action, told", [("eliminate C", "#C"), ("swap A K", "A<>K"), ("reveal C", "?C")])
def test_what_went_before_a_move_is_named_when_it_is_taken_back(club: Club, action: str, told: str) -> None:
    """CF-10.4, CF-10.9: an elimination or a token that counts no more."""
    anna, bert, game = anna_and_bert(club, **ALL_TOKENS)
    rounds(game, (anna, f"{action} | L-N1"), (bert, "L-S1"))
    club.referee.umpire.act(game, umpire_actions.TakeBack(1, RED), "It was misread.")
    for letter in club.noted("The umpire takes a turn back."):
        assert f"counts no more: Red {told} L-N1 (yes), White L-S1 (not answered yet)." in said_in(letter)


def test_what_went_before_a_move_that_is_not_answered_yet_is_named_too(club: Club) -> None:
    anna, _, game = anna_and_bert(club)
    rounds(game, (anna, "eliminate C | L-N1"))
    club.referee.umpire.act(game, umpire_actions.TakeBack(1, RED), "It was misread.")
    for letter in club.noted("The umpire takes a turn back."):
        assert "counts no more: Red #C L-N1 (not answered yet)." in said_in(letter)


@pytest.mark.parametrize("said", ["tokens=all", "tokens=on", "token=reveal,move,swap", "tokens.yellow=all"])
def test_whoever_asks_for_tokens_is_told_how_each_side_is_given_them(club: Club, said: str) -> None:
    """CF-10.13: what is suggested can be sent as it stands."""
    anna = club.member("Anna")
    refused = anna.writes(f"open spies option {said}").only
    (meant,) = re.findall(r"Did you mean (option tokens\.\w+=\S+)\?", said_in(refused))
    assert meant.endswith("=reveal,move,swap")
    assert anna.writes(f"open spies {meant}").only.kind == "receipt"


def test_in_a_rematch_tokens_go_with_their_player(club: Club) -> None:
    """CF-10.10: a handicap is a player's, and the colours are exchanged."""
    anna, bert, game = anna_and_bert(club, **{"tokens.white": "reveal,swap", "tokens.red": "none"})
    anna.replies("resign", to=anna.last_about(game))
    bert.writes(f"rematch {game}")
    anna.replies("accept")
    before, again = club.game(game), club.game(game + 1)
    assert again.seats == {RED: before.seats[WHITE], WHITE: before.seats[RED]}
    assert (again.options["tokens.red"], again.options["tokens.white"]) == ("reveal,swap", "none")
