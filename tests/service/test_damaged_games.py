"""A game that cannot be read any more stands alone: nothing else waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from referee.common.errors import GameUnreadable
from referee.service.bootstrap import Application
from referee.service.game_list import list_games
from referee.service.queries import game_as
from referee.service.settings import Settings
from tests.support.begun import said
from tests.support.playing import Club, Correspondent, Delivered, new_database
from tests.support.telling import telling

HERE = "WHERE game = {game} AND number = {number}"
NO_JSON = f"""UPDATE event SET body = '{{"cut off' {HERE}"""
NO_RULEBOOK = f"""UPDATE event SET body = replace(body, '"confusion"', '"chess"') {HERE}"""
NO_KIND = f"UPDATE event SET kind = 'Teleported' {HERE}"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    opened = Club(new_database(tmp_path))
    yield opened
    opened.close()


def damage(club: Club, how: str, game: int, number: int = 1) -> None:
    """Change the events of a game from outside."""
    engine = create_engine(club.url)
    with engine.begin() as connection:
        asked = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        for name in connection.execute(text(asked)).scalars().all():
            connection.execute(text(f"DROP TRIGGER {name}"))
        statement = how.replace("{game}", str(game)).replace("{number}", str(number))
        assert connection.exec_driver_sql(statement).rowcount == 1
    engine.dispose()


@pytest.fixture(params=[NO_JSON, NO_RULEBOOK, NO_KIND], ids=["no JSON", "no rulebook", "no such event"])
def damaged(request: pytest.FixtureRequest, club: Club) -> int:
    """A game that Wendy and Yannick play, damaged."""
    game = club.starts({"white": club.member("Wendy"), "yellow": club.member("Yannick")})
    damage(club, request.param, game)
    club.open_house()
    return game


def writer(club: Club) -> Correspondent:
    return club.reader("wendy@example.net")


@pytest.mark.telling(about=[True])
@pytest.mark.parametrize(
    "word", telling(["games", "challenge Yannick confusion"], others=["rules", "set reports text", "bye"])
)
@pytest.mark.parametrize("about", [True, False])
def test_words_that_do_not_concern_the_game_are_heard(
    club: Club, damaged: int, word: str, about: bool
) -> None:
    wendy = writer(club)
    exchange = wendy.replies(word, to=wendy.last_about(damaged)) if about else wendy.writes(word)
    assert exchange.settled and exchange.settled.outcome == "answered"
    assert not exchange.settled.refused


@pytest.mark.parametrize("word", ["A-S1", "status", "resign"])
def test_words_that_concern_it_are_not_answered_wrongly(club: Club, damaged: int, word: str) -> None:
    wendy = writer(club)
    club.referee.letters.take_in([club.raw(wendy.reply(wendy.last_about(damaged), [word]))])
    with pytest.raises(GameUnreadable, match=f"game {damaged} cannot be made"):
        club.referee.letters.settle(club.last_letter())
    assert club.referee.letters.give_up(club.last_letter(), "GameUnreadable", tell=True)
    assert [letter.recipient for letter in club.collect()] == [wendy.address]


NAMING = [
    f"{word} #"
    for word in (
        *(
            "status",
            "record",
            "draw",
            "resign",
            "mute",
            "new tag",
            "rematch",
            "accept",
            "decline",
            "join",
            "watch",
        ),
        *("cancel", "confirm", "pause", "resume", "why A", "help board", "agree", "watch none"),
    )
]
NAMING += ["game #: A-S1", "#: preview A-S1", "#: try A-S1; if no C-S1", "#: A-S1"]
NAMING += [f"#: {word} No." for word in ("appeal", "claim", "press", "diary")]
"""Every kind of line that names a game."""


@pytest.mark.telling(how=[NO_JSON], begun=[True])
@pytest.mark.parametrize(
    "line",
    telling(["status #", "resign #", "accept #", "game #: A-S1", "#: A-S1", "#: press No."], others=NAMING),
)
@pytest.mark.parametrize(
    ("how", "begun"),
    [(NO_JSON, True), *telling([(NO_JSON, False)], others=[(NO_RULEBOOK, True), (NO_KIND, False)])],
    ids=["no JSON", "no JSON of a challenge", "no rulebook", "no such event in a challenge"],
)
def test_who_has_no_part_in_it_is_told_what_he_is_told_of_a_sound_one_and_his_own_lines_count(
    club: Club, how: str, line: str, begun: bool
) -> None:
    wendy, yannick, xaver, zoe = (club.member(name) for name in ("Wendy", "Yannick", "Xaver", "Zoe"))
    if begun:
        game = club.starts({"white": wendy, "yellow": yannick})
    else:
        wendy.writes("challenge Yannick confusion")
        game = yannick.last.game or 0
    own = club.starts({"white": xaver, "yellow": zoe})
    line = line.replace("#", f"{game}")
    sound = without_number(xaver.writes(line).only)
    damage(club, how, game)
    club.open_house()
    assert without_number(xaver.writes(line).only) == sound
    moved = xaver.writes(line, f"game {own}: A-S1")
    assert moved.settled is not None and moved.settled.moves == 1


@pytest.mark.parametrize("how", telling([NO_JSON], others=[NO_RULEBOOK, NO_KIND]))
def test_an_open_game_that_is_damaged_is_not_to_be_joined(club: Club, how: str) -> None:
    wendy, xaver, zoe = (club.member(name) for name in ("Wendy", "Xaver", "Zoe"))
    own = club.starts({"white": xaver, "yellow": zoe})
    wendy.writes("open confusion")
    game = own + 1
    damage(club, how, game)
    club.open_house()
    heard = xaver.writes(f"join {game}", f"game {own}: A-S1")
    assert heard.settled is not None and heard.settled.moves == 1
    assert f"there is no game {game} on offer to you" in said(xaver.last).replace("There", "there")


def test_who_joins_a_game_may_write_about_it_in_the_same_letter(club: Club) -> None:
    """He has had no part in it when the letter begins."""
    wendy, xaver = club.member("Wendy"), club.member("Xaver")
    wendy.writes("open confusion")
    heard = xaver.writes("join 1", "1: press Good luck!", "status 1")
    assert not heard.settled or not heard.settled.refused
    assert "You do not sit in game 1" not in said(xaver.last)
    assert any("Good luck!" in said(letter) for letter in wendy.letters)


def without_number(letter: Delivered) -> tuple[str, str]:
    """Return what a letter says, without its own number and time."""
    return letter["Subject"], said(letter).partition(" Letter ")[0].partition(" Sat ")[0].partition(" Fri ")[
        0
    ]


def test_the_other_games_of_the_same_players_go_on(club: Club, damaged: int) -> None:
    wendy, yannick = writer(club), club.reader("yannick@example.net")
    other = club.starts({"white": wendy, "yellow": yannick})
    assert wendy.replies("A-S1", to=wendy.last_about(other)).settled.moves == 1  # type: ignore[union-attr]
    assert f"{other}: Confusion against Yannick" in wendy.writes("games").only.text


def test_the_operator_sees_which_it_is(club: Club, damaged: int) -> None:
    application = Application(Settings(), club.service, club.store, club.clock)
    other = club.starts({"white": writer(club), "yellow": club.member("Anna")})
    faults = {line["game"]: line["fault"] for line in list_games(application).games}
    assert f"game {damaged} cannot be made" in str(faults[damaged]) and faults[other] is None
    with pytest.raises(GameUnreadable):
        game_as(application, damaged, "umpire")
    with pytest.raises(GameUnreadable):
        club.referee.umpire.freeze(damaged, "Wait.")
    club.referee.umpire.freeze(other, "Wait.")
    assert [each.which for each in club.store.status.standing().frozen] == [str(other)]


@pytest.mark.parametrize("how", [NO_JSON, f"UPDATE event SET body = '[]' {HERE}"])
def test_a_damaged_word_of_the_umpires_keeps_no_other_from_being_told(club: Club, how: str) -> None:
    games = [club.starts({"white": club.member("Wendy"), "yellow": club.member("Yannick")}) for _ in range(2)]
    for game in games:
        club.referee.umpire.freeze(game, "Wait.")
    damage(club, how, games[0], club.game(games[0]).last_event)
    assert [(each.which, each.why) for each in club.store.status.standing().frozen] == [
        ("1", "what was kept of it cannot be read"),
        ("2", "Wait."),
    ]


def test_a_game_that_was_in_memory_when_its_newest_event_was_damaged(club: Club) -> None:
    """Another process has appended the event, and this one goes on from the game as it had it."""
    wendy, yannick = club.member("Wendy"), club.member("Yannick")
    game = club.starts({"white": wendy, "yellow": yannick})
    behind = club.referee
    club.open_house()
    wendy.replies("A-S1", to=wendy.last_about(game))
    damage(club, NO_KIND, game, club.game(game).last_event)
    club.referee.letters.take_in([club.raw(yannick.reply(yannick.last_about(game), ["A-N1"]))])
    with pytest.raises(GameUnreadable):
        behind.letters.settle(club.last_letter())
