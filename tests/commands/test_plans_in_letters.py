"""Previews, plans and guarded moves are read from a letter's own lines; prose that looks alike is not."""

from __future__ import annotations

import pytest

from referee.commands.command import Guard, Order, Preview, Try
from referee.commands.grammar import Grammar, Understanding
from referee.common.faults import Fault, Place
from referee.mail.message.message import OwnLine
from referee.rulebooks.catalogue import find_rulebook

GRAMMAR = Grammar(find_rulebook("confusion").notation.looks_like_order, ("confusion",), ("try",))


def read_all(*texts: str) -> Understanding:
    return GRAMMAR.read([OwnLine(number, text) for number, text in enumerate(texts, 1)])


def only(*texts: str) -> object:
    found = read_all(*texts)
    assert not found.faults, found.faults
    (command,) = found.commands
    return command


@pytest.mark.parametrize(
    ("text", "move", "guard"),
    [
        ("V-NW2 @14", "V-NW2", Guard("turn", 14)),
        ("V-NW2@14.", "V-NW2", Guard("turn", 14)),
        ("v nw 2 @ turn 14", "v nw 2", Guard("turn", 14)),
        ("V-NW2xZ @letter 9", "V-NW2xZ", Guard("letter", 9)),
        ("V-NW2 @#9", "V-NW2", Guard("letter", 9)),
        ("V-NW2 @Letter #9", "V-NW2", Guard("letter", 9)),
        ("V-NW2 @ lettre 9", "V-NW2", Guard("letter", 9)),
    ],
)
def test_a_move_may_say_for_what_it_is_meant(text: str, move: str, guard: Guard) -> None:
    found = only(text)
    assert isinstance(found, Order)
    assert (found.text, found.guard) == (move, guard)
    again = only(f"17: {found.write()}")
    assert isinstance(again, Order)
    assert (again.game, again.guard) == (17, guard)


def test_an_at_sign_with_no_number_is_a_part_of_the_move() -> None:
    found = only("V-NW2 @home")
    assert isinstance(found, Order)
    assert (found.text, found.guard) == ("V-NW2 @home", None)


@pytest.mark.parametrize("text", ["preview V-NW2", "Preview: V-NW2xZ", "17: preview v nw 2"])
def test_a_preview_holds_its_move_as_it_was_written(text: str) -> None:
    found = only(text)
    assert isinstance(found, Preview)
    assert found.text in text
    assert found.write().endswith(f"preview {found.text}")


def test_a_preview_of_no_move_is_prose() -> None:
    assert len(read_all("Preview of my holiday pictures!", "As I said.").passed_over) == 2


def test_a_plan_holds_its_steps_and_where_they_stand() -> None:
    found = only("17: try V-NW2; if no V-N1")
    assert isinstance(found, Try)
    assert (found.game, found.text) == (17, "V-NW2; if no V-N1")
    assert found.place(1) == (1, 9)
    assert found.place(8) == (1, 16)
    assert found.write() == "17: try V-NW2; if no V-N1"


@pytest.mark.parametrize(
    "lines",
    [
        ("try V-NW2; if no V-N1;", "if no V-N2"),
        ("try V-NW2; if no V-N1; if", "no V-N2"),
        ("try V-NW2; if no V-N1; if no", "V-N2"),
        ("try V-NW2; if no V-N1", "; if no V-N2"),
        ("try V-NW2;", "if no V-N1;", "if no V-N2"),
    ],
)
def test_lines_that_a_mail_program_has_broken_are_one_plan(lines: tuple[str, ...]) -> None:
    found = only(*lines)
    assert isinstance(found, Try)
    assert "".join(found.text.split()) == "V-NW2;ifnoV-N1;ifnoV-N2"
    line, column = found.place(found.text.index("V-N2") + 1)
    assert line == len(lines)
    assert lines[-1][column - 1 :] == "V-N2"


def test_a_plan_with_open_brackets_goes_on_in_the_next_line_but_not_beyond_an_empty_one() -> None:
    found = only("try V-NW2; if no (V-N1;", "if yes V-N2)")
    assert isinstance(found, Try)
    assert found.text == "V-NW2; if no (V-N1; if yes V-N2)"
    apart = GRAMMAR.read([OwnLine(1, "try V-NW2; if no (V-N1"), OwnLine(3, "resign")])
    assert [command.word for command in apart.commands] == ["try", "resign"]


def test_what_follows_a_whole_plan_is_a_line_of_its_own() -> None:
    found = read_all("try V-NW2; if no V-N1", "status", "Yours, Anna")
    assert [command.word for command in found.commands] == ["try", "status"]


@pytest.mark.parametrize("text", ["if no V-N1", "then V-N1", "If captured V-N1; if no V-N2"])
def test_a_step_without_its_plan_is_a_fault(text: str) -> None:
    (fault,) = read_all(text).faults
    assert (fault.code, fault.place, fault.suggestion) == ("step-alone", Place(1, 1), "help try")


@pytest.mark.parametrize(
    "text",
    [
        "Try again tomorrow.",
        "If no, so be it.",
        "Then V-N1 was a mistake of mine, I am afraid.",
        "If you like, we can play again.",
        "Try to answer soon, please.",
    ],
)
def test_prose_of_the_same_words_is_passed_over(text: str) -> None:
    found = read_all("V-NW2", text)
    assert not found.faults
    assert [line.text for line in found.passed_over] == [text]


def test_a_plan_whose_first_move_is_mistyped_is_read_as_a_plan_for_its_faults_to_be_told() -> None:
    assert isinstance(GRAMMAR.read_line(OwnLine(1, "try Vnw; if no V-N1")), Try)
    assert not isinstance(GRAMMAR.read_line(OwnLine(1, "try it")), Try | Fault)
