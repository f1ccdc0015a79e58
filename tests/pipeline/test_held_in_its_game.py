"""A held letter that its player confirms counts in the game that the question named, and in no other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.games.events import CheckedIn, read_event
from tests.support.playing import Club, Correspondent, once

WORDS = (
    "A-S1",
    "resign",
    "draw",
    "agree white",
    "press Hello",
    "diary Mine",
    "claim It is wrong",
    "mute",
    "pause",
    "new tag",
    "try A-S1; if no C-S1",
    "status",
)


@once
def two_games(club: Club) -> tuple[Correspondent, Correspondent, Correspondent, int, int]:
    """Anna plays Bert, and Carl; in both she is to move."""
    anna, bert, carl = club.member("Anna"), club.member("Bert"), club.member("Carl")
    games = [club.starts({"white": anna, "yellow": who}, first="white") for who in (bert, carl)]
    return anna, bert, carl, games[0], games[1]


def events_of(club: Club, game: int) -> int:
    """Return how many events a game has, but that somebody has checked in."""
    with club.store.reading() as lookup:
        events = [read_event(each.kind, each.body) for each in lookup.events.of_game(game)]
    return sum(not isinstance(each, CheckedIn) for each in events)


def tag_renewed(club: Club, anna: Correspondent, word: str, game: int) -> Correspondent:
    """The letter comes from another mailbox to her tag, which the service renews for that."""
    phone = club.person("Anna", "anna@phone.example")
    phone.writes(word, to=anna.last_about(game)["Reply-To"])
    return phone


def tag_changed(club: Club, anna: Correspondent, word: str, game: int) -> Correspondent:
    """Nobody vouches for it, and then she asks for another tag."""
    anna.writes(word, to=anna.last_about(game)["Reply-To"], vouched=False)
    anna.writes(f"new tag {game}")
    return anna


@pytest.mark.telling(lose=[tag_renewed], word=["A-S1", "resign", "draw", "press Hello"])
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("lose", [tag_renewed, tag_changed])
def test_what_was_confirmed_is_done_in_no_other_game(
    club: Club, word: str, lose: Callable[[Club, Correspondent, str, int], Correspondent]
) -> None:
    anna, _, carl, game, other = two_games(club)
    lose(club, anna, word, game)
    asked = next(each for each in reversed(anna.letters) if "confirm" in each.text and each.kind == "notice")
    before, told = events_of(club, other), len(carl.letters)
    anna.replies("confirm", to=asked)
    assert events_of(club, other) == before
    assert len(carl.letters) == told


@pytest.mark.parametrize("word", ["A-S1", "resign", "draw", "press Hello"])
def test_what_named_no_game_is_done_in_none(club: Club, word: str) -> None:
    """Though there be only one left by then: nobody was told that it would count there."""
    anna, bert, _, game, other = two_games(club)
    anna.writes(word, vouched=False)
    asked = anna.last
    bert.replies("resign", to=bert.last_about(game))
    before = events_of(club, other)
    anna.replies("confirm", to=asked)
    assert events_of(club, other) == before


def test_the_answer_to_somebody_elses_question_confirms_nothing_of_ones_own(club: Club) -> None:
    anna, bert, _, game, _ = two_games(club)
    bert.replies("resign", "status", to=bert.last_about(game))
    assert "confirm" in bert.last.text
    anna.writes("A-S1", to=anna.last_about(game)["Reply-To"], vouched=False)
    asked = anna.last
    bert.writes("confirm", to=asked["Reply-To"])
    assert club.game(game).status == "playing"
