"""A game as a picture, at the end of any turn: as a side saw it by what it had heard, or with all types."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from referee.archive.exports import game_of, picture_of
from referee.archive.pictures import heard_by, last_turn
from referee.common.errors import UsageError
from referee.rulebooks.confusion import Confusion
from referee.rulebooks.rulebook import UMPIRE, Seat, heard_by_all
from referee.service.bootstrap import Application
from referee.service.queries import Picture
from tests.archive.site.made_up import (
    SAMPLE,
    WHITE,
    YELLOW,
    application,
    play,
    sample_game_played,
    sample_moves,
)
from tests.support.operating import Desk
from tests.support.playing import Club
from tests.transcripts.stories_of_spies import a_sealed_game_that_is_taken_back, a_whole_game_of_spies

ROWS = 39
"""Of the sample game."""


def texts(drawn: Picture) -> list[str]:
    """Return the signs that stand on a drawing."""
    assert drawn.svg is not None
    return [each.text or "" for each in ET.fromstring(drawn.svg).iter("{http://www.w3.org/2000/svg}text")]


def size(drawn: Picture) -> tuple[int, ...]:
    assert drawn.png is not None and drawn.png.startswith(b"\x89PNG")
    return struct.unpack(">II", drawn.png[16:24])


def at_the_time(club: Club, attempts: int, seat: Seat) -> Picture:
    """Return the board of a game in which no more than so many attempts were made."""
    number = sample_game_played(club, ("Anna A", "Bert B"), attempts=attempts)
    game = club.game(number)
    return Picture(
        game.rulebook.presentation.picture(game.view(seat)),
        game.rulebook.presentation.picture_svg(game.view(seat)),
    )


@pytest.mark.parametrize("seat", [WHITE, YELLOW])
def test_a_picture_of_a_turn_is_the_one_that_its_letter_brought(club: Club, seat: Seat) -> None:
    """White begins, so that a row is over with his second attempt; what came later is not in it."""
    number = sample_game_played(club)
    for row in (1, 2, 22):
        assert picture_of(application(club), number, seat, row) == at_the_time(club, 2 * row - 1, seat)


def test_the_last_turn_has_the_end_with_it_and_without_a_turn_it_is_now(club: Club) -> None:
    number = sample_game_played(club)
    last = picture_of(application(club), number, "white", ROWS)
    assert last == picture_of(application(club), number, "white")
    assert last != picture_of(application(club), number, "white", ROWS - 1)


def test_the_umpires_picture_has_every_type_and_no_other_one_has(club: Club) -> None:
    number = sample_game_played(club, attempts=20)
    start = texts(picture_of(application(club), number, UMPIRE, 0))
    dealt = [str(kind) for _, kind in re.findall(r"([A-Z])(\d+)", SAMPLE.deal)]
    board = [each for each in texts(picture_of(application(club), number, "yellow", 0)) if each.isdigit()]
    assert sorted(each for each in start if each.isdigit()) == sorted(board + dealt[len(dealt) // 2 :])
    assert "with all types" in (picture_of(application(club), number, UMPIRE, 10).svg or "")
    with pytest.raises(UsageError, match="say which, with --as COLOUR"):
        picture_of(application(club), number, UMPIRE, 3, sheets=True)


@pytest.mark.parametrize("who", [UMPIRE, WHITE])
def test_what_the_umpire_sees_of_a_game_that_goes_on_is_what_he_sees_when_it_is_over(
    club: Club, who: Seat
) -> None:
    sample_game_played(club)
    sample_game_played(club, ("Anna A", "Bert B"), attempts=30)
    for row in (0, 7, 14):
        assert picture_of(application(club), 1, who, row) == picture_of(application(club), 2, who, row)


def test_the_sheets_stand_below_the_board_of_the_same_turn(club: Club) -> None:
    number = sample_game_played(club)
    board, both = (picture_of(application(club), number, "yellow", 22, sheets=each) for each in (False, True))
    assert size(both)[1] > size(board)[1] and size(both)[0] >= size(board)[0]
    assert board.svg is not None and both.svg is not None
    assert board.svg.strip().removeprefix("<svg ") in both.svg
    heard = heard_by(club.game(number).rulebook, club.game(number).heard(YELLOW), 22)
    assert heard is not None
    sheets = Confusion().sheets.svg(Confusion().rules.view(heard, YELLOW))
    assert sheets is not None and sheets.strip().removeprefix("<svg ") in both.svg
    ids = re.findall(r'\bid="([^"]+)"', both.svg)
    assert len(ids) == len(set(ids)), "what is named twice is drawn wrongly"


def test_turns_that_were_taken_back_are_not_drawn(club: Club) -> None:
    number = sample_game_played(club, attempts=11)
    before = picture_of(application(club), number, "white", 3)
    club.referee.umpire.take_back(number, 4, "A letter was misread.")
    assert picture_of(application(club), number, "white", 3) == before
    with pytest.raises(UsageError, match="game 1 has 4 turns"):
        picture_of(application(club), number, "white", 5)
    play(club, number, sample_moves()[5:7])
    assert picture_of(application(club), number, "white", 4) != before


@pytest.mark.story
@pytest.mark.parametrize("story", [a_whole_game_of_spies, a_sealed_game_that_is_taken_back])
def test_pictures_of_spies_show_a_side_what_it_had_heard_by_then(club: Club, story: object) -> None:
    """A turn's answer may come with the next turn only: until then its line is in dashes for who cannot know it."""
    story(club)  # type: ignore[operator]
    game = game_of(application(club), 1)
    turns = last_turn(game.rulebook, game.rulebook.rules.standing(game.heard(Seat("red"))))
    assert turns > 2
    if game.status == "playing":
        turns -= 1  # nothing was tried yet in the one that is being played
    for seat in (*game.seats, UMPIRE):
        drawn = [picture_of(application(club), 1, seat, turn) for turn in range(turns + 1)]
        assert len({each.svg for each in drawn}) == len(drawn)
    for seat in game.seats:
        heard = [heard_by(game.rulebook, game.heard(seat), turn) for turn in range(turns + 1)]
        public = [heard_by_all(each or (), game.rulebook.seats) for each in heard]
        assert [len(each) for each in public] == sorted({len(each) for each in public})


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (("--turn", "40", "--as", "white"), "--turn 40: game 1 has 39 turns"),
        (("--as", "red"), "--as red: expected one of white, yellow, umpire"),
        (("--as", "white", "-o", "board.gif"), "board.gif: expected a name that ends with .svg or .png"),
    ],
)
def test_what_cannot_be_drawn_is_named(club: Club, tmp_path: Path, said: tuple[str, ...], why: str) -> None:
    sample_game_played(club)
    club.close()
    desk = Desk(tmp_path)
    answered = desk.do("picture", "1", "-o", tmp_path / "board.svg", *said)
    assert answered.status == 2 and why in answered.err
    assert not (tmp_path / "board.svg").exists()


def test_the_command_writes_the_picture_that_its_name_asks_for(club: Club, tmp_path: Path) -> None:
    number = sample_game_played(club)
    right: Application = application(club)
    drawn = picture_of(right, number, "yellow", 22, sheets=True)
    club.close()
    desk = Desk(tmp_path)
    for name, content in (("a.svg", (drawn.svg or "").encode()), ("a.PNG", drawn.png)):
        words = ("1", "--turn", "22", "--as", "Yellow", "--sheets", "-o", tmp_path / name)
        assert desk.done("picture", *words).out == ""
        assert (tmp_path / name).read_bytes() == content


def test_a_game_without_sheets_has_no_picture_of_them(club: Club) -> None:
    number = club.starts({"white": club.member("Anna"), "yellow": club.member("Bert")}, sheets="off")
    with pytest.raises(UsageError, match="played without deduction sheets"):
        picture_of(application(club), number, "white", sheets=True)
