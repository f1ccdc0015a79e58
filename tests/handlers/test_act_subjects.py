"""The subject of a letter says that an umpire has acted in the game, and what is due there by then."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from referee.games.umpire_actions import (
    Act,
    ActFor,
    AddTime,
    Adjudicate,
    Close,
    Correct,
    Pause,
    Replace,
    Restore,
    Resume,
    Rule,
    TakeBack,
)
from referee.rulebooks.rulebook import Seat
from tests.support.playing import Club, new_database

WHITE, YELLOW = Seat("white"), Seat("yellow")


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    yield club
    club.close()


def news(club: Club, act: Act) -> list[str]:
    """Let the umpire act in game 1; return what the second bracket of each player's letter says, White's first."""
    club.referee.umpire.act(1, act, "It has to be so.")
    letters = club.noted("The umpire acts.")
    return [each["Subject"].split("[")[2].split("]")[0] for each in letters if "Re:" in each["Subject"]]


def test_each_act_is_named_with_the_move_that_is_due(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    carl = club.member("Carl")
    game = club.starts({"white": anna, "yellow": bert}, time="3d/move")
    anna.replies("L-S2", to=anna.last_about(game))
    with club.store.reading() as lookup:
        newcomer = lookup.players.by_address(carl.address)
    assert newcomer is not None
    due = "your move 2"
    first = "your move 1"
    told: list[tuple[Act, str, str, str]] = [
        (Pause(), "the umpire has stopped the clocks", "yellow", due),
        (Resume(), "the umpire lets the clocks run", "yellow", due),
        (AddTime(timedelta(days=1)), "the umpire has given time", "yellow", due),
        (Rule(), "the umpire has ruled", "yellow", due),
        (TakeBack(1), "the umpire has taken the game back", "white", first),
        (Restore(), "the umpire has put moves back", "yellow", due),
        (Correct("L-S1"), "the umpire has corrected a move", "yellow", due),
        (ActFor(YELLOW, "C-N1"), "the umpire has moved", "white", "your move 2"),
        (Replace(YELLOW, newcomer.number), "the umpire has replaced a player", "white", "your move 2"),
    ]
    for act, said, side, move in told:
        both = [f"{said}, {move}", said] if side == "white" else [said, f"{said}, {move}"]
        assert news(club, act) == (both[:1] if isinstance(act, Replace) else both), act


@pytest.mark.parametrize("act", [Close(), Adjudicate("draw")])
def test_a_letter_that_ends_a_game_says_so(club: Club, act: Act) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    for who in (anna, bert):
        who.replies("status", to=who.last_about(1))
    assert news(club, act) == ["ended", "ended"]
    assert news(club, Rule()) == ["the umpire has ruled", "the umpire has ruled"]


def test_in_french_the_subject_is_french(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    bert.writes("set language fr")
    club.referee.umpire.act(1, Rule(), "It has to be so.")
    club.noted("The umpire rules.")
    assert "[l'arbitre a décidé]" in bert.last["Subject"].replace("’", "'")
