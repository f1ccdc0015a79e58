"""Who may join an open game, who has checked in, and what was drawn by lot."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlalchemy import create_engine, select

from referee.games.decisions import draw_seats
from referee.games.join_conditions import Conditions, read_conditions
from referee.store.tables import LETTERS
from tests.support.playing import RULES, Club, Correspondent, Delivered


def words(who: Correspondent) -> str:
    return " ".join(who.last.text.split())


# who may join


def test_whoever_has_finished_too_few_games_is_told_how_many_it_takes(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("open confusion option finished=2")
    assert "Only players who have finished 2 games or more here can join." in words(anna)
    bert.writes("join 1")
    assert "game 1 asks for 2 or more games finished here; finished by you: 0" in words(bert)
    assert club.game(1).status == "proposed"


def test_whoever_has_finished_enough_games_joins(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    finished = club.starts({"white": anna, "yellow": bert})
    bert.replies("resign", to=bert.last_about(finished))
    anna.writes("open confusion option finished=1")
    bert.writes("join 2")
    assert club.game(2).status == "playing"


def test_whoever_plays_too_many_games_is_told_so(club: Club) -> None:
    anna, bert, carl = (club.member(name) for name in ("Anna", "Bert", "Carl"))
    club.starts({"white": anna, "yellow": bert})
    anna.writes("open confusion option playing=0")
    bert.writes("join 2")
    assert "game 2 asks for players with no more than 0 running games; running with you: 1" in words(bert)
    carl.writes("join 2")
    assert club.game(2).status == "playing"


WAYS = (
    "join {0}",
    "accept {0}",
    "accept {0} option sheets=off",
    "decline {0}",
    "status {0}",
    "watch {0}",
    "cancel {0}",
)


@pytest.mark.parametrize("way", WAYS)
def test_whoever_is_shut_out_is_told_what_he_would_be_told_of_no_game_at_all(club: Club, way: str) -> None:
    """Neither that there is such a game is told, nor who offers it: while it is open, and when it has begun."""
    anna, bert, carl = club.member("Anna"), club.member("Bert"), club.member("Carl")
    anna.writes("open confusion option not=Carl")
    for _ in range(2):
        of_it, of_none = (flat_without_end(carl.writes(way.format(game)).only, game) for game in (1, 9))
        assert of_it == of_none and "Anna" not in of_it
        bert.writes("join 1")
    assert club.game(1).status == "playing"


def flat_without_end(letter: Delivered, game: int) -> str:
    said = " ".join(letter.text.partition("\nLetter ")[0].split())
    return re.sub(rf"(?<!Line )(?<!column )\b{game}\b", "#", f"{letter['Subject']} {said}")


def test_whoever_is_shut_out_does_not_find_the_game_in_his_list(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    carl = club.member("Carl Maria", "carl@example.net")
    anna.writes("open confusion option not=Carl_Maria")
    assert "Carl Maria cannot join." in words(anna)
    carl.writes("games")
    assert "join 1" not in words(carl)
    carl.writes("join 1")
    assert "there is no game 1 on offer to you" in words(carl)
    bert.writes("games")
    assert "reply join 1" in words(bert)
    assert "Carl" not in words(bert)
    bert.writes("join 1")
    assert club.game(1).status == "playing"


def test_neither_the_log_nor_the_list_of_letters_names_who_is_shut_out(club: Club) -> None:
    """Whoever leaves is to be named nowhere."""
    anna, carl = club.member("Anna"), club.member("Carl")
    anna.writes(f"open confusion option not={carl.name}")
    assert club.game(1).conditions == {"not": [2]}
    engine = create_engine(club.url)
    with engine.connect() as connection:
        commands = connection.execute(select(LETTERS.c.commands)).scalars().all()
    engine.dispose()
    assert commands[-1] == '["open ..."]'


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("finished=many", "finished is a number of games from 1 to 1000, not many"),
        ("finished=0", "finished is a number of games from 1 to 1000, not 0"),
        ("playing=-1", "playing is a number of games from 0 to 1000, not -1"),
        ("not=nemo", "nobody called nemo is registered here"),
    ],
)
def test_a_condition_that_says_nothing_opens_nothing(club: Club, option: str, said: str) -> None:
    anna = club.member("Anna")
    anna.writes(f"open confusion option {option}")
    assert said in words(anna)
    with club.store.reading() as lookup:
        assert lookup.games.open() == []


def test_a_challenge_names_its_player_and_takes_no_conditions(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("challenge Bert confusion option finished=2")
    assert "there is no option finished" in words(anna)
    assert bert.letters[-1].kind == "receipt"


@pytest.mark.parametrize(
    "conditions", [Conditions(), Conditions(3), Conditions(0, 0), Conditions(2, 5, (7, 9))]
)
def test_conditions_are_read_as_they_were_written(conditions: Conditions) -> None:
    assert read_conditions(conditions.plain()) == conditions
    assert bool(conditions) == (conditions != Conditions())


# the lot


def test_colours_and_first_turn_that_were_drawn_can_be_drawn_again(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("open confusion option colour=lot option first=lot")
    bert.writes("join 1")
    game = club.game(1)
    assert game.options == {}
    assert game.seats == draw_seats(RULES["confusion"], 1, 2, None, game.secret)
    assert "The colours and the first turn were drawn by lot, from the same secret" in words(bert)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("option colour=white", "The first turn was drawn by lot, from the same secret"),
        ("option first=white", "The colours were drawn by lot, from the same secret"),
        ("option colour=yellow option first=white", ""),
    ],
)
def test_the_first_letter_says_what_was_drawn_and_nothing_else(club: Club, options: str, said: str) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes(f"open confusion {options}")
    bert.writes("join 1")
    for who in (anna, bert):
        assert said in words(who)
        assert ("drawn by lot, from" in words(who)) == bool(said)


# checking in


def test_an_umpire_s_game_waits_for_the_first_letters_of_both(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    assert "Your first letter about this game is your check-in" in words(anna)
    assert "Your first letter about this game is your check-in" in words(bert)
    anna.replies("status")
    assert club.game(game).checked_in == {"white"}
    assert "Bert has not checked in yet: no letter about this game has come." in words(anna)
    anna.writes("games")
    assert "Bert has not checked in yet." in words(anna)
    bert.replies("What a nice board.", to=bert.last_about(game))
    anna.replies("status", "games", to=anna.last_about(game))
    assert "checked in" not in words(anna)


def test_whoever_accepts_is_there_and_so_is_whoever_has_just_asked(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("challenge Bert confusion")
    bert.writes("accept")
    assert club.game(1).checked_in == {"white", "yellow"}
    for who in (anna, bert):
        assert "check-in" not in words(who)


def test_whoever_asked_long_ago_checks_in_anew(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("open confusion option colour=white")
    club.later(timedelta(days=8))
    bert.writes("join 1")
    assert club.game(1).checked_in == {"yellow"}
    assert "Your first letter about this game is your check-in" in words(anna)
    assert "check-in" not in words(bert)
    bert.writes("games")
    assert "Anna has not checked in yet." in words(bert)


def test_a_player_is_told_in_his_own_list_that_he_has_not_checked_in(club: Club) -> None:
    anna, bert, carl = (club.member(name) for name in ("Anna", "Bert", "Carl"))
    club.starts({"white": anna, "yellow": bert})
    club.starts({"white": anna, "yellow": carl})
    anna.writes("games")
    assert words(anna).count("You have not checked in yet.") == 2
