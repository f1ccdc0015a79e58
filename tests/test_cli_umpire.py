"""The operator's commands as an umpire: what each prints, its JSON, and its exit status."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from referee.cli_umpire import umpire
from tests.operating import YANNICK, Desk, answer, type_words

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
        "Game 1 would be taken back to turn 1.\nWendy would be told: Re: [game 1] [your move 1]"
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
