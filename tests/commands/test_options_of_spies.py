"""CF-10.13: options whose names have hyphens and dots, and whose values have commas."""

from __future__ import annotations

import pytest

from referee.commands.command import Accept, Challenge, Command, Open, write_options
from referee.commands.grammar import Grammar
from referee.common.faults import Fault
from referee.mail.message.message import OwnLine
from referee.rulebooks.spies.options import check_options

ENGLISH = Grammar(lambda text: False, ("confusion", "spies"), ())
FRENCH = Grammar(lambda text: False, ("confusion", "spies"), (), "fr")
ALL = {
    "code-of-honour": "on",
    "small-world": "on",
    "late-contact": "on",
    "variable-setup": "on",
    "comrade": "off",
    "tokens.white": "reveal,move,swap",
    "tokens.red": "none",
}


def read(text: str, grammar: Grammar = ENGLISH) -> Command | Fault | None:
    return grammar.read_line(OwnLine(1, text))


@pytest.mark.parametrize(
    ("word", "kind"), [("challenge Bert spies", Challenge), ("open spies", Open), ("accept 17", Accept)]
)
def test_cf_10_13_every_option_is_read_behind_the_words_that_have_some(
    word: str, kind: type[Command]
) -> None:
    command = read(f"{word}{write_options(ALL)}")
    assert isinstance(command, kind)
    assert isinstance(command, Challenge | Open | Accept)
    assert command.options == ALL
    assert check_options(command.options) == ()


def test_the_word_option_may_be_left_out_and_options_may_stand_below() -> None:
    lines = [
        OwnLine(1, "open spies small-world=on,"),
        OwnLine(2, "option tokens.white=Reveal,Swap"),
        OwnLine(3, "tokens.red=move"),
    ]
    (command,) = ENGLISH.read(lines).commands
    assert isinstance(command, Open)
    assert command.options == {"small-world": "on", "tokens.white": "reveal,swap", "tokens.red": "move"}


def test_blanks_around_commas_and_signs_are_asked_about() -> None:
    fault = read("open spies option tokens.white = reveal, swap option comrade=on")
    assert isinstance(fault, Fault)
    assert fault.suggestion == "option tokens.white=reveal,swap option comrade=on"
    assert isinstance(read(f"open spies {fault.suggestion}"), Open)


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("code-honneur=oui", "code-of-honour", "on"),
        ("petit-monde=oui", "small-world", "on"),
        ("contact-tardif=non", "late-contact", "off"),
        ("préparation-variable=oui", "variable-setup", "on"),
        ("preparation-variable=oui", "variable-setup", "on"),
        ("camarade=oui", "comrade", "on"),
        ("jetons.blanc=révéler,déplacer,échanger", "tokens.white", "reveal,move,swap"),
        ("jetons.rouge=aucun", "tokens.red", "none"),
        ("tokens.red=swap,déplacer", "tokens.red", "swap,move"),
    ],
)
def test_options_are_read_in_french(said: str, key: str, value: str) -> None:
    command = read(f"ouvrir spies option {said}", FRENCH)
    assert isinstance(command, Open)
    assert command.options == {key: value}
    assert check_options(command.options) == ()


@pytest.mark.parametrize("word", ["challenge Bert spies", "open spies", "accept 17"])
@pytest.mark.parametrize(
    ("given", "said", "other"),
    [
        ("option comrade=on option comrade=off", "on", "off"),
        ("first=white first=red", "white", "red"),
        ("first=lot first=red", "lot", "red"),
        ("color=white option colour=lot", "white", "lot"),
        ("time=7d/move small-world=on time=1d/move", "7d/move", "1d/move"),
        ("tokens.red=move tokens.red=swap", "move", "swap"),
    ],
)
def test_nobody_guesses_which_of_two_values_is_meant(word: str, given: str, said: str, other: str) -> None:
    fault = read(f"{word} {given}")
    assert isinstance(fault, Fault) and fault.code == "option-twice"
    assert (fault.facts["said"], fault.facts["other"]) == (said, other)
    assert fault.place is not None and fault.place.column > len(word) + 1


def test_the_same_value_twice_is_meant_once_also_on_the_line_below() -> None:
    lines = [OwnLine(1, "open spies comrade=on option comrade=ON"), OwnLine(2, "comrade=on")]
    (command,) = ENGLISH.read(lines).commands
    assert isinstance(command, Open) and command.options == {"comrade": "on"}
    assert [each.code for each in ENGLISH.read([*lines, OwnLine(3, "comrade=off")]).faults] == [
        "option-twice"
    ]


def test_an_option_given_twice_is_found_in_french_too() -> None:
    fault = read("ouvrir spies option premier=blanc option first=red", FRENCH)
    assert isinstance(fault, Fault) and fault.code == "option-twice"
