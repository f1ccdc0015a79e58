"""Letters of people who have not said yet which language they write in, or say so in the letter itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.playing import SERVICE, Club, Delivered, new_database
from tests.support.telling import telling

pytestmark = pytest.mark.telling


def flat(letter: Delivered) -> str:
    return " ".join(letter.text.split())


@pytest.mark.parametrize(
    ("line", "name", "language"),
    telling(
        [("inscrire Claire fr", "Claire", "fr"), ("Inscrire Claire", "Claire", "fr")],
        others=[("register Claire", "Claire", "en"), ("inscrire Claire en", "Claire", "en")],
    ),
)
def test_a_stranger_registers_in_either_language(club: Club, line: str, name: str, language: str) -> None:
    claire = club.person("Claire")
    claire.writes(line)
    assert (name in claire.last.text, claire.last.kind) == (True, "receipt")
    assert ("Votre nom" in claire.last.text) == (language == "fr")


def test_in_a_french_house_strangers_register_in_english(tmp_path: Path) -> None:
    club = Club(new_database(tmp_path), service=replace(SERVICE, language="fr"))
    claire = club.person("Claire")
    assert "In English: write register Anna en." in claire.writes("Hello?").only.text
    assert "You are registered as Claire." in claire.writes("register Claire en").only.text
    club.close()


def test_the_page_for_strangers_says_in_french_how_to_begin_and_it_is_true(club: Club) -> None:
    claire = club.person("Claire")
    text = claire.writes("Bonjour\u00a0!").only.text
    assert "En français\u00a0: écrivez inscrire Anna fr." in text
    assert claire.writes("inscrire Anna fr").only.kind == "receipt"


@pytest.mark.parametrize(
    "slip",
    telling(
        ["inscrire"],
        others=["register", "inscrire White", "regster Claire", "inscrrire Claire", "register X de"],
    ),
)
def test_whoever_tries_to_register_is_answered_within_the_week_too(club: Club, slip: str) -> None:
    claire = club.person("Claire")
    claire.writes("Hello?")
    club.later(timedelta(days=1))
    assert claire.writes("Hello again?").sent == ()
    assert claire.writes(slip).only.kind == "refusal"
    assert claire.writes("inscrire Claire fr").only.kind == "receipt"


@pytest.mark.parametrize(
    ("word", "status"),
    telling([("accepter", "playing")], others=[("refuser", "declined"), ("j'accepte", "playing")]),
)
def test_whoever_was_invited_answers_in_either_language(club: Club, word: str, status: str) -> None:
    anna, bert = club.member("Anna"), club.person("Bert")
    anna.writes(f"challenge {bert.address} confusion")
    bert.replies(word)
    assert club.game(1).status == status


def test_whoever_was_invited_asks_and_leaves_in_french(club: Club) -> None:
    anna, bert = club.member("Anna"), club.person("Bert")
    anna.writes(f"challenge {bert.address} confusion")
    assert "THE WORD CHALLENGE" in bert.replies("aide défier").only.text
    assert "leave for good" in flat(bert.writes("adieu").only)


def test_a_name_chooses_the_language_so_that_prose_is_read_in_no_other(club: Club) -> None:
    anna = club.member("Anna")
    assert anna.writes("parties").only.kind == "help"
    anna.writes("set language fr")
    assert anna.writes("parties").only.kind == "receipt"


# A letter that changes the language


def test_a_letter_that_chooses_a_language_is_read_in_both(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert}, watchers="on")
    claire = club.person("Claire")
    claire.writes("aide suivre", "register Claire fr", "suivre 1")
    assert 3 in club.game(1).watchers
    assert "LE MOT SUIVRE" in claire.last.text


def test_after_a_change_of_language_both_are_read_and_nothing_vanishes(club: Club) -> None:
    anna = club.member("Anna")
    lines = ("games", "set language fr", "régler fiches liste", "ouvrir confusion", "suivre n'importe quoi")
    text = flat(anna.writes(*lines).only)
    assert "liste" in text
    assert club.game(1).status == "proposed"
    assert "suivre n'importe quoi" in text


def test_the_next_letter_is_read_in_the_language_that_was_chosen(club: Club) -> None:
    anna = club.member("Anna")
    anna.writes("set language fr")
    anna.writes("set language en", "régler fiches liste")
    assert "list" in anna.last.text
    assert anna.writes("régler fiches grille").only.kind == "help"
