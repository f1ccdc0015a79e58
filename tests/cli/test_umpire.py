"""The operator's commands as an umpire: what each prints, its JSON, and its exit status."""

from __future__ import annotations

import contextlib
import re
import shlex
import sqlite3
from pathlib import Path

import click
import pytest

from referee.cli.umpire import umpire
from tests.support.operating import YANNICK, Desk, answer, type_words

pytestmark = pytest.mark.letters

REASON = "White's order was misread."


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A desk with the sample game, in which White has tried L-S2."""
    desk = Desk(tmp_path)
    desk.sample_game_begun()
    desk.done("run", "--once")
    desk.put(answer(desk.last_to("wendy@example.net"), "L-S2"))
    desk.done("run", "--once")
    return desk


@pytest.mark.parametrize("name", list(umpire.commands))
def test_each_has_help_with_an_example_that_can_be_typed(name: str) -> None:
    assert type_words("umpire", name, "--help").status == 0
    command = umpire.commands[name]
    (example,) = re.findall(r"Example: (.*)", command.help or "")
    program, group, typed, *words = shlex.split(example)
    assert (program, group, typed) == ("referee", "umpire", name)
    command.make_parser(click.Context(command)).parse_args(list(words))
    assert f"$ {example}" in type_words("umpire", "--help").out


def test_a_game_is_taken_back_with_do_alone_and_before_it_is_said_what_would_be_told(desk: Desk) -> None:
    before = desk.done("record", "1").out
    tried = desk.done("umpire", "take-back", "1", "--to", "1", "--reason", REASON).out
    assert tried.startswith(
        "Game 1 would be taken back to turn 1.\n"
        "Wendy would be told: Re: [game 1] [the umpire has taken the game back, your move 1]"
    )
    assert "  The umpire has taken this game back: it goes on from turn 1 of White." in tried
    assert "BOARD" not in tried
    assert tried.endswith("Nothing was done; --do does it.\n")
    assert desk.done("record", "1").out == before
    done = desk.done(
        "umpire", "take-back", "1", "--to", "1", "--seat", "White", "--reason", REASON, "--do"
    ).out
    assert done.splitlines()[0] == "Game 1 is taken back to turn 1."
    assert "\ntaken back to 1 White: White's order was misread\n" in desk.done("record", "1").out
    desk.done("run", "--once")
    assert "has taken this game back" in " ".join(desk.last_to(YANNICK).as_string().split())


def test_an_order_is_corrected(desk: Desk) -> None:
    said = desk.done("umpire", "correct", "1", "L-S1", "--reason", REASON, "--do", "--json").json
    assert (said["game"], said["done"], said["turn"], said["to_move"]) == (1, True, 2, ["yellow"])
    assert [each["name"] for each in said["told"]] == ["Wendy", "Yannick"]
    assert all("The umpire has corrected an order" in each["text"] for each in said["told"])
    path = desk.folder / "record.txt"
    path.write_text(desk.done("record", "1").out)
    replayed = desk.done("replay", str(path), "--json").json
    assert replayed["branches"] == [
        {"row": 1, "seat": "white", "attempts": 1, "reason": "White's order was misread"}
    ]
    assert (replayed["consistent"], replayed["attempts"]) == (True, 1)
    out = desk.done("replay", str(path)).out
    assert out.startswith("row 1 White: taken back from here, attempts 1: White's order was misread\n")


@pytest.mark.parametrize(
    ("words", "tried", "kind"),
    [
        (("restore", "1"), "Game 1 would be restored.", "Ruled"),
        (("act", "1", "Yellow", "A-N1"), "Game 1 would be moved on.", "Ruled"),
        (("rule", "1"), "Game 1 would be ruled on.", "Stated"),
        (
            ("replace", "1", "white", "Carl <carl@example.net>"),
            "Game 1 would be Carl's to play for White.",
            "Replaced",
        ),
        (("close", "1"), "Game 1 would be closed.", "Ended"),
        (("adjudicate", "1", "--winner", "draw"), "Game 1 would be ended.", "Ended"),
    ],
    ids=lambda each: each[0] if isinstance(each, tuple) else "",
)
def test_each_act_is_tried_and_then_done(desk: Desk, words: tuple[str, ...], tried: str, kind: str) -> None:
    if words[0] == "restore":
        desk.done("umpire", "take-back", "1", "--to", "1", "--reason", REASON, "--do")
    before = kinds(desk)
    out = desk.done("umpire", *words, "--reason", REASON).out
    assert out.startswith(f"{tried}\n")
    assert "Yannick would be told: " in out
    assert out.endswith("Nothing was done; --do does it.\n")
    assert kinds(desk) == before
    said = desk.done("umpire", *words, "--reason", REASON, "--do", "--json").json
    assert said["done"] is True
    assert {"Yannick"} <= {each["name"] for each in said["told"]}
    assert kinds(desk)[len(before) :][-1] == kind


def kinds(desk: Desk) -> list[str]:
    with contextlib.closing(sqlite3.connect(desk.folder / "referee.db")) as connection:
        return [
            kind for (kind,) in connection.execute("SELECT kind FROM event WHERE game = 1 ORDER BY number")
        ]


@pytest.fixture
def league(tmp_path: Path) -> Desk:
    """A desk with an event that Olga umpires, and two games of it, each with seven days a move."""
    desk = Desk(tmp_path)
    file = tmp_path / "league.toml"
    file.write_text('name = "Spring League"\ntime = "7d/move"\n')
    desk.done("event", "new", str(file))
    desk.done("event", "officer", "Spring League", "umpire", "Olga <olga@example.net>")
    for _ in range(2):
        desk.done(
            *("new", "confusion", "--event", "Spring League"),
            *("--seat", "White=Wendy <wendy@example.net>", "--seat", "Yellow=Yannick <yannick@example.net>"),
        )
    return desk


def test_all_games_of_an_event_are_paused_given_time_and_resumed_with_a_sum(league: Desk) -> None:
    event = ("--event", "Spring League", "--reason", "The club is closed.")
    out = league.done("umpire", "pause", *event, "--until", "2999-01-03").out
    assert "Game 1 would be paused; Wendy and Yannick told.\n" in out
    assert out.endswith("Games paused: 2; left as they are: 0.\nNothing was done; --do does it.\n")
    assert "Paused" not in kinds(league)
    league.done("umpire", "pause", "1", "--reason", "First of all.", "--do", "--as", "Olga")
    out = league.done("umpire", "pause", *event, "--do").out
    assert out.splitlines()[0].startswith("Game 1 is left as it is: ")
    assert out.endswith("Games paused: 1; left as they are: 1.\n")
    said = league.done("umpire", "resume", *event, "--do", "--json").json
    assert [(each["game"], each["refused"]) for each in said["games"]] == [(1, None), (2, None)]
    league.done("umpire", "add-time", *event, "--time", "3d", "--do")
    again = league.done("umpire", "add-time", *event, "--time", "3d", "--do").out
    assert again.endswith("Games given time: 0; left as they are: 2.\n")
    assert kinds(league).count("TimeAdded") == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("pause", "1", "--until", "2020-01-03"), "A pause ends at a time that is still to come"),
        (("pause", "1", "--until", "Easter"), "--until Easter: expected a day, as in 2027-01-03."),
        (("pause",), "Name one game, or an event with --event"),
        (("pause", "1", "--event", "Spring League"), "Name one game, or an event with --event"),
        (("pause", "--event", "Autumn"), "there is no event 'Autumn'"),
        (("pause", "1", "--until", "0001-01-01"), "A pause ends at a time that is still to come"),
        (("pause", "--event", "Spring League", "--as", "Wendy"), "has no office in Spring League"),
        (("replace", "1", "white", "Carl"), "'Carl' is no mail address."),
        (("pause", "1", "--as", "Nemo"), "--as Nemo: nobody is called so here."),
        (("pause", "1", "--as", "Wendy"), "has no office"),
        (("add-time", "1", "--time", "3"), "--time 3: expected days and hours"),
        (("replace", "1", "white", "Yannick <yannick@example.net>"), "sits in game 1 already"),
        (("replace", "1", "white", "referee@example.org"), "is the referee's own address"),
        (("resume", "1"), "does not rest by an umpire's pause"),
        (("adjudicate", "1", "--winner", "green"), "A game ends with one of white, yellow, draw, none"),
    ],
)
def test_what_an_umpire_cannot_do_is_said_in_a_sentence(
    league: Desk, words: tuple[str, ...], sentence: str
) -> None:
    for more in ((), ("--do",)):
        said = league.do("umpire", *words, "--reason", REASON, *more)
        assert (said.status, said.out) == (2, "")
        assert sentence.lower() in said.err.lower()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("take-back", "1", "--to", "7"), "Turn 7 has not come in game 1."),
        (
            ("take-back", "1", "--to", "1", "--seat", "red"),
            "There is no seat red; the seats are white, yellow.",
        ),
        (("take-back", "9", "--to", "1"), "There is no game 9."),
        (("correct", "1", "B-S1"), "there is no piece B"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(desk: Desk, words: tuple[str, ...], sentence: str) -> None:
    for more in ((), ("--do",)):
        said = desk.do("umpire", *words, "--reason", REASON, *more)
        assert (said.status, said.out) == (2, "")
        assert sentence.lower() in said.err.lower()
