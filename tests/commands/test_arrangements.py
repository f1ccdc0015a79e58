"""A set-up over several lines becomes one order."""

from __future__ import annotations

import pytest

from referee.commands.command import Command, Order, Press
from referee.commands.grammar import Grammar
from referee.mail.message.message import OwnLine
from referee.mail.message.normalisation import normalise
from referee.rulebooks.rulebook import OrderLine
from referee.rulebooks.spies.edition import Variants
from referee.rulebooks.spies.likeness import looks_like_order
from referee.rulebooks.spies.notation import read_order
from referee.rulebooks.spies.orders import SetUp
from referee.rulebooks.spies.setting_up import read_set_up, usual
from tests.support.waiting import within

GRAMMAR = Grammar(looks_like_order, ("confusion", "spies"), ("resign",), "fr")
EDITION = Variants(variable_setup=True).edition
USUAL = "A3-2 C4-2 E5-2 H7-2 K8-2 L9-2 N3-1 O4-1 P5-1 S7-1 T8-1 V9-1 X6-1"


def read_all(text: str) -> list[Command]:
    """Return what a letter's own lines say; nothing in it may be faulty. An empty line has its number, too."""
    lines = [
        OwnLine(number, normalise(line), line)
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    read = GRAMMAR.read(lines)
    assert read.faults == ()
    return list(read.commands)


@pytest.mark.parametrize(
    "text",
    [
        "setup\n..ACE.HKL..\n..NOPXSTV..",
        "setup:\n\n..ACE.HKL..\n..NOPXSTV..",
        "Set-up\n  . . A C E . H K L . .\n  . . N O P X S T V . .",
        "set up\n- - A C E - H K L - -\n- - N O P X S T V - -",
        "setup\n--ACE-HKL--\n--NOPXSTV--",
        "setup\n* * A C E * H K L * *\n* * N O P X S T V * *",
        "setup\n…ACE.HKL..\n..NOPXSTV..".replace("…", ".."),
        "setup ..ACE.HKL..\n..NOPXSTV..",
        "setup ..ACE.HKL.. /\n..NOPXSTV..",
        "setup\n2 . . A C E . H K L . .\n1 . . N O P X S T V . .",
        "setup\n2: ..ace.hkl..\n1: ..nopxstv..",
        "disposition\n..ACE.HKL..\n..NOPXSTV..",
        "Préparation :\n..ACE.HKL..\n..NOPXSTV..",
        f"setup {USUAL}",
        f"setup\n{USUAL}",
        "setup A3-2 C4-2 E5-2 H7-2\nK8-2, L9-2, N3-1, O4-1,\nP5-1 S7-1 T8-1 V9-1 X6-1",
    ],
)
def test_cf_10_11_a_set_up_over_several_lines_is_one_order(text: str) -> None:
    (command,) = read_all(f"Hello!\n{text}\nGood luck")
    assert isinstance(command, Order)
    assert read_set_up(command.text, EDITION) == usual(EDITION)
    assert isinstance(read_order(OrderLine(1, command.text)), SetUp)


def test_an_own_first_rank_may_end_with_dots() -> None:
    """Programs make one sign of three dots."""
    (command,) = read_all("setup\n…ACEHKL…\n.NOPXSTV...".replace("…ACEHKL…", "…ACEHKL.."))
    assert isinstance(command, Order)
    read = read_set_up(command.text, EDITION)
    assert isinstance(read, SetUp)
    assert (read.squares["A"], read.squares["L"], read.squares["N"]) == ((4, 2), (9, 2), (2, 1))


def test_the_game_may_be_named_before_it_and_other_orders_stand_around_it() -> None:
    commands = read_all("agent never\n17: setup\n..ACE.HKL..\n..NOPXSTV..\nV-N1")
    assert [(type(each), each.game) for each in commands if isinstance(each, Order)] == [
        (Order, None),
        (Order, 17),
        (Order, None),
    ]
    assert isinstance(commands[1], Order)
    assert commands[1].text == "setup ..ACE.HKL.. / ..NOPXSTV.."


@pytest.mark.parametrize(
    "below", ["Good luck...", "Bravo", "V-N1", "allow", "A nice game", "See you at 2-3", "well-done"]
)
def test_what_is_no_rank_is_not_drawn_into_it(below: str) -> None:
    first = read_all(f"setup ..ACE.HKL.. / ..NOPXSTV..\n{below}")[0]
    assert isinstance(first, Order)
    assert first.text == "setup ..ACE.HKL.. / ..NOPXSTV.."


def test_ranks_below_other_lines_are_prose() -> None:
    assert read_all("V-N1\n..ACE.HKL..\nA3-2 C4-2")[0].line.text == "V-N1"
    assert len(read_all("V-N1\n..ACE.HKL..\nA3-2 C4-2")) == 1


def test_ranks_after_two_empty_lines_are_not_looked_for() -> None:
    lines = [OwnLine(1, "setup"), OwnLine(4, "..ACE.HKL.."), OwnLine(5, "..NOPXSTV..")]
    (command,) = GRAMMAR.read(lines).commands
    assert isinstance(command, Order) and command.text == "setup"


@pytest.mark.parametrize(
    "order",
    [
        "allow",
        "deny",
        "Allow without Z",
        "agent never",
        "agent as 4",
        "#H",
        "reveal H",
        "swop A H",
        "éliminer son H",
    ],
)
def test_cf_10_8_what_is_confided_does_not_get_into_a_text_for_others(order: str) -> None:
    press, confided, move = read_all(f"press Good luck!\n{order}\nV-N1")
    assert isinstance(press, Press) and press.text == "Good luck!"
    assert isinstance(confided, Order) and confided.text == order
    assert isinstance(move, Order)


def test_cf_10_11_a_set_up_does_not_either() -> None:
    press, order = read_all("press Good luck!\nsetup\n..ACE.HKL..\n..NOPXSTV..")
    assert isinstance(press, Press) and press.text == "Good luck!"
    assert isinstance(order, Order) and read_set_up(order.text, EDITION) == usual(EDITION)


def test_a_sentence_about_a_move_is_text_still() -> None:
    (press,) = read_all("press Well,\nV-NW2 was good, I think\nMy move: V-N1")
    assert isinstance(press, Press)
    assert press.text == "Well,\nV-NW2 was good, I think\nMy move: V-N1"


def test_a_long_line_of_squares_is_read_in_no_time() -> None:
    with within(2.0):
        GRAMMAR.read([OwnLine(1, "setup"), OwnLine(2, "A 1 - 1 " * 4000 + "!")])
