"""A service with two rulebooks: a line is an order of the game that it is meant for, or none."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

import pytest

from referee.games.events import Confided, read_event
from referee.rulebooks.confusion import Confusion
from referee.rulebooks.spies import Spies
from tests.support.begun import DEAL, said, tried
from tests.support.playing import REFEREE, SERVICE, Club, Correspondent, once

SPIES_DEAL = "White=A6 C8 E10 H11 K? L1 N3 O9 P7 S5 T12 V4 X2; Red=A4 C8 E? H11 K5 L2 N1 O3 P7 S6 T10 V9 X12"
"""Anna's double agent is E."""
SECRET, OPEN = 1, 2
"""Anna's games, both against Bert: one between spies, in which she has red, and one of Confusion, in which she has
white."""
IN_WORDS = (
    "allow",
    "deny",
    "allow without Z",
    "agent never",
    "reveal H",
    "swap A H",
    "eliminate H",
    "?H",
    "#H",
)
"""Orders of a game between spies, and nothing in Confusion."""
LONG = "I am afraid that I shall lose this game if you should ever think of"
"""So long that a mail program may have broken the line behind it."""


class Playing(NamedTuple):
    club: Club
    anna: Correspondent
    bert: Correspondent


@pytest.fixture
def playing(club: Club) -> Playing:
    assert {type(each) for each in club.service.rulebooks.values()} >= {Confusion, Spies}
    return Playing(club, *two_games(club))


@once
def two_games(club: Club) -> tuple[Correspondent, Correspondent]:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"red": anna, "white": bert}, first="red", rules="spies", deal=SPIES_DEAL)
    club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    return anna, bert


def _confided(club: Club) -> list[str]:
    with club.store.reading() as lookup:
        events = [read_event(each.kind, each.body) for each in lookup.events.of_game(SECRET)]
    return [each.order for each in events if isinstance(each, Confided)]


def _asks(playing: Playing) -> None:
    """Let Anna attempt something with her double agent, so that Bert is to answer."""
    _, anna, bert = playing
    for who, line in ((anna, "L-N1"), (bert, "L-S1"), (anna, "E-N3")):
        who.replies(line, to=who.last_about(SECRET))


@pytest.mark.parametrize("line", IN_WORDS)
def test_an_order_of_one_game_beside_a_move_of_another_is_passed_over(playing: Playing, line: str) -> None:
    club, anna, _ = playing
    anna.replies(line, "L-S2", to=anna.last_about(OPEN))
    assert tried(club, OPEN) == ["L-S2"] and not _confided(club)
    assert "NOT ACCEPTED" not in anna.last.text and line not in said(anna.last).split(". ")
    assert "partly" not in anna.last["Subject"]


@pytest.mark.parametrize("line", IN_WORDS)
def test_alone_it_is_answered_as_in_a_house_without_the_other_game(club: Club, line: str) -> None:
    both = _answer_in_confusion(club, line)
    club.service = replace(SERVICE, rulebooks={"confusion": SERVICE.rulebooks["confusion"]})
    club.open_house()
    alone = (
        club.reader("anna@example.net").replies(line, to=club.reader("anna@example.net").last_about(1)).only
    )
    assert (alone.kind, alone.text.splitlines()[0]) == ("help", both)


def _answer_in_confusion(club: Club, line: str) -> str:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    return anna.replies(line, to=anna.last_about(1)).only.text.splitlines()[0]


def test_in_its_own_game_it_is_an_order(playing: Playing) -> None:
    club, anna, _ = playing
    anna.replies("agent never", to=anna.last_about(SECRET))
    assert _confided(club) == ["agent never"]
    assert "Taken, and told to nobody else: agent never." in said(anna.last)


def test_a_line_that_names_the_other_game_is_read_by_its_rules(playing: Playing) -> None:
    club, anna, _ = playing
    anna.replies(f"{SECRET}: agent never", "L-S2", "allow", to=anna.last_about(OPEN))
    assert _confided(club) == ["agent never"] and tried(club, OPEN) == ["L-S2"]
    assert not any("allow" in each.text for each in anna.letters)


def test_which_game_is_meant_may_be_known_by_whose_turn_it_is(playing: Playing) -> None:
    club, anna, _ = playing
    anna.replies("L-N1", to=anna.last_about(SECRET))
    anna.writes("agent never", "L-S2", to=REFEREE)
    assert tried(club, OPEN) == ["L-S2"] and not _confided(club)


@pytest.mark.parametrize("line", ["V-NNW2", "X-N1", "pass"])
def test_a_line_like_a_move_that_is_none_is_faulted_all_the_same(playing: Playing, line: str) -> None:
    club, anna, _ = playing
    answer = anna.replies(line, to=anna.last_about(OPEN)).only
    assert "not accepted" in answer["Subject"] and line in said(answer)
    assert not tried(club, OPEN)


# Texts for others


def test_for_whoever_plays_no_game_with_such_orders_it_is_text(playing: Playing) -> None:
    club, anna, _ = playing
    carl = club.member("Carl")
    game = club.starts({"white": carl, "yellow": anna}, deal=DEAL)
    carl.replies("press What would you", "allow", to=carl.last_about(game))
    assert "> What would you > allow" in said(anna.last_about(game))


@pytest.mark.telling(line=["deny"])
@pytest.mark.parametrize("text", ["Well, well.", LONG, LONG[:58]])
@pytest.mark.parametrize(
    "line",
    ["deny", "Allow!", "allow without Z", "allow E-N3", "agent never", "agent allways", "deney"],
)
def test_what_is_confided_never_gets_into_a_text_for_others(playing: Playing, text: str, line: str) -> None:
    """Wherever a mail program may have broken the line above it."""
    _, anna, bert = playing
    _asks(playing)
    bert.replies(f"press {text}", line, to=bert.last_about(SECRET))
    assert f"> {text} To answer, write press" in said(anna.last_about(SECRET))


@pytest.mark.telling(line=["deny"])
@pytest.mark.parametrize(("about", "to"), [(OPEN, SECRET), (OPEN, OPEN), (SECRET, OPEN)])
@pytest.mark.parametrize("line", ["deny", "Allow!", "allow E-N3", "agent never", "deney", f"{SECRET}: allow"])
def test_nor_in_a_letter_about_another_game(playing: Playing, about: int, to: int, line: str) -> None:
    """The other player would read there that he was asked, whichever game's letter was answered."""
    _, anna, bert = playing
    _asks(playing)
    bert.replies(f"{to}: press Well, well.", line, to=bert.last_about(about))
    assert "> Well, well. To answer, write press" in said(anna.last_about(to))


def test_it_is_done(playing: Playing) -> None:
    club, _, bert = playing
    _asks(playing)
    bert.replies(f"press {LONG}", "deny", to=bert.last_about(SECRET))
    assert _confided(club) == ["deny"]


# One word for two things


def _in_french(playing: Playing) -> Correspondent:
    _, _, bert = playing
    bert.writes("set language fr")
    _asks(playing)
    return bert


@pytest.mark.parametrize("line", ["refuser", "Refuse.", "1: refuser"])
def test_the_french_word_for_declining_denies_where_an_answer_is_due(playing: Playing, line: str) -> None:
    bert = _in_french(playing)
    bert.replies(line, "C-S1", to=bert.last_about(SECRET))
    assert _confided(playing.club) == ["deny"]


def test_it_declines_where_a_game_is_proposed(playing: Playing) -> None:
    club, anna, _ = playing
    bert = _in_french(playing)
    anna.writes("challenge Bert confusion")
    bert.replies("refuser", to=bert.last_about(3))
    assert club.game(3).status == "declined" and not _confided(club)


def test_it_denies_nothing_where_no_answer_is_due(playing: Playing) -> None:
    club, _, bert = playing
    bert.writes("set language fr")
    bert.replies("refuser", to=bert.last_about(SECRET))
    assert not _confided(club) and "deny" not in bert.last.text


def test_the_english_word_for_declining_denies_nothing(playing: Playing) -> None:
    club, _, bert = playing
    _asks(playing)
    bert.replies("decline", to=bert.last_about(SECRET))
    assert not _confided(club)


def test_an_invitation_proposes_other_terms_in_the_game_s_own_colours(club: Club) -> None:
    """The line that it shows can be sent as it stands, and so can the one in the answer to that."""
    for rulebook in club.service.rulebooks.values():
        anna, bert = club.person("Anna"), club.person("Bert", "bert@example.com")
        for who in (anna, bert):
            who.writes(f"register {who.name}")
        for first in ("", *(f" option first={seat}" for seat in rulebook.seats)):
            anna.writes(f"challenge Bert {rulebook.name}{first}")
            line = re.search(r"for example (accept option first=(\w+))\.", bert.letters[-1].text)
            assert line is not None
            assert line[2] in rulebook.seats
            assert line[2] not in first
            bert.replies(line[1])
            back = re.search(r"for example (accept (\d+) option first=(\w+))\.", anna.letters[-1].text)
            assert back is not None
            assert back[3] in set(rulebook.seats) - {line[2]}
            anna.replies(f"cancel {back[2]}")
