"""Texts of the writer's own: where they begin, where they end, and that nothing in them is done."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.commands.command import Appeal, Claim, Diary, Mute, Order, Press, Resign, Written
from referee.commands.grammar import Grammar, Understanding
from referee.mail.message.message import OwnLine
from referee.mail.message.normalisation import normalise
from referee.mail.message.wrapping import LONGEST_WRAP
from referee.rulebooks.confusion import Confusion

GRAMMAR = Grammar(Confusion().notation.looks_like_order, ("confusion",), ("resign", "confusion"))
LONG = "I am afraid that I shall lose this game if you should ever think of"
"""So long that a mail program may have broken the line behind it."""


def read_all(text: str) -> Understanding:
    """Read a letter; its empty lines leave gaps in the numbers of the others."""
    lines = [
        OwnLine(number, normalise(line), line.strip())
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    return GRAMMAR.read(lines)


def written(text: str) -> Written:
    (command,) = read_all(text).commands
    assert isinstance(command, Written)
    return command


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("press Good luck!", "Good luck!"),
        ("Press: good luck – really ...", "good luck – really ..."),
        ("17: press Hello.", "Hello."),
        ("* press 3 × 4 = 12", "3 × 4 = 12"),
        ("press\nHello there", "Hello there"),
        ("press One\nand two\n\nnot three", "One\nand two"),
        ("press Open your eyes\nStatus quo, as they say", "Open your eyes\nStatus quo, as they say"),
    ],
)
def test_a_text_is_kept_as_it_was_written_up_to_an_empty_line(text: str, kept: str) -> None:
    assert written(text).text == kept


@pytest.mark.parametrize(
    ("text", "kind"),
    [("press all Hello", Press), ("diary Hello", Diary), ("claim Hello", Claim)],
)
def test_each_word_with_a_text_of_its_own_goes_on_over_the_next_lines(text: str, kind: type[Written]) -> None:
    command = written(f"{text}\nand more")
    assert isinstance(command, kind)
    assert command.text == "Hello\nand more"


@pytest.mark.parametrize("said", ["claim time", "Claim: time!", "claim TIME.", "claim temps"])
def test_a_claim_that_time_is_up_says_no_more_than_that(said: str) -> None:
    """What a player writes below it out of politeness must not make another claim of it."""
    command = written(f"{said}\nThank you for the game")
    assert isinstance(command, Claim) and command.text == "time"
    assert written("claim time and again he is late").text == "time and again he is late"


@pytest.mark.parametrize(
    ("said", "about", "text", "again"),
    [
        ("appeal 17/1 It is wrong.", (17, 1), "It is wrong.", "appeal 17/1 It is wrong."),
        ("appeal 17: It is wrong.", (17, None), "It is wrong.", "appeal 17 It is wrong."),
        ("Appeal: case 17/1, it is wrong.", (17, 1), "it is wrong.", "appeal 17/1 it is wrong."),
        ("appeal [17/1] It is wrong.", (17, 1), "It is wrong.", "appeal 17/1 It is wrong."),
        ("appeal #17 / 1: It is wrong.", (17, 1), "It is wrong.", "appeal 17/1 It is wrong."),
        ("appeal It is wrong.", (None, None), "It is wrong.", "appeal It is wrong."),
        ("17: appeal It is wrong.", (17, None), "It is wrong.", "appeal 17 It is wrong."),
        ("appeal 17th of May, and nothing yet", (None, None), "17th of May, and nothing yet", ""),
    ],
)
def test_an_appeal_begins_with_a_case_or_a_game_or_neither(
    said: str, about: tuple[int | None, int | None], text: str, again: str
) -> None:
    command = written(f"{said}\nReally.")
    assert isinstance(command, Appeal)
    assert ((command.game, command.case), command.text) == (about, f"{text}\nReally.")
    assert command.write() == f"{again or said} Really."


def test_to_all_is_said_behind_the_word() -> None:
    for text in ("press all Hello", "press all: Hello", "press to all Hello", "press tous Hello"):
        command = written(text)
        assert isinstance(command, Press)
        assert (command.to_all, command.text) == (True, "Hello")
    assert written("press allow me to say so").text == "allow me to say so"


def test_a_line_that_is_a_command_ends_the_text_and_counts() -> None:
    read = read_all("press Good luck!\nV-NW2\npress And once more\nresign")
    assert [type(command) for command in read.commands] == [Press, Order, Press, Resign]
    assert [command.write() for command in read.commands[:3]] == [
        "press Good luck!",
        "V-NW2",
        "press And once more",
    ]


@pytest.mark.parametrize("line", ["V-NW2", "resign", "draw", "bye"])
def test_what_a_mail_program_may_have_broken_off_is_text_and_is_told_so(line: str) -> None:
    assert 60 < len(f"press {LONG}") <= LONGEST_WRAP
    command = written(f"press {LONG}\n{line}")
    assert command.text == f"{LONG} {line}"
    assert command.unread == (line,)


def test_below_a_line_too_long_to_be_wrapped_a_command_counts() -> None:
    read = read_all(f"press {LONG} {LONG}\nresign")
    assert [type(command) for command in read.commands] == [Press, Resign]


def test_what_only_looks_like_a_move_is_text_and_is_told_so() -> None:
    assert written("press V-NW2").unread == ("V-NW2",)
    assert written("press Well\nV-NW2 was a good move of yours").unread == ("V-NW2 was a good move of yours",)


def test_a_line_of_prose_that_was_broken_is_not_sent_to_anybody() -> None:
    prose = "I fell asleep on the train, and so my poor wife and children had to"
    read = read_all(f"{prose}\npress on without me")
    assert read.commands == ()
    assert [line.number for line in read.passed_over] == [1, 2]
    read = read_all(f"{prose}\n\npress Hello")
    assert [command.write() for command in read.commands] == ["press Hello"]
    read = read_all("Dear umpire,\npress Hello")
    assert [command.write() for command in read.commands] == ["press Hello"]


def test_without_a_text_there_is_nothing_to_pass_on() -> None:
    for word in ("press", "claim", "press all", "appeal", "appeal 17/1"):
        (fault,) = read_all(word).faults
        assert fault.code == "text-missing"


def test_a_bare_diary_asks_for_what_was_noted() -> None:
    read = read_all("diary\nThank you!")
    assert [command.write() for command in read.commands] == ["diary"]
    assert [line.text for line in read.passed_over] == ["Thank you!"]


@pytest.mark.parametrize(
    ("text", "off", "game"), [("mute", False, None), ("mute 3", False, 3), ("mute off", True, None)]
)
def test_press_is_muted_and_comes_again(text: str, off: bool, game: int | None) -> None:
    (command,) = read_all(text).commands
    assert isinstance(command, Mute)
    assert (command.off, command.game) == (off, game)
    assert command.write() == text


@given(st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=90), max_size=5))
def test_whatever_stands_below_no_line_is_read_twice_and_none_is_lost(lines: list[str]) -> None:
    read = read_all("\n".join(["press Hello", *lines]))
    texts = [command for command in read.commands if isinstance(command, Press)]
    said = " ".join(command.text for command in texts).split()
    assert said[0] == "Hello"
    for line in read.passed_over:
        assert line.number > 2 or not lines[0].strip()
