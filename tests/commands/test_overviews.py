"""How `overview` is read, and written back."""

from __future__ import annotations

import pytest

from referee.commands.command import Command, Overview, SetPreference
from referee.commands.command_table import TOPICS
from referee.commands.grammar import Grammar
from referee.commands.line_reader import LONGEST_EVENT
from referee.commands.vocabulary import vocabulary
from referee.mail.message.message import OwnLine
from referee.rulebooks.catalogue import find_rulebook

DESK = Grammar(find_rulebook("confusion").notation.looks_like_order, ("confusion",), TOPICS)


def read(text: str, language: str = "en") -> Command | None:
    found = DESK.in_language(language).read_line(OwnLine(1, text, text))
    assert found is None or isinstance(found, Command)
    return found


@pytest.mark.parametrize(
    ("line", "language", "late", "event"),
    [
        ("overview", "en", False, ""),
        ("Overview.", "en", False, ""),
        ("overview late", "en", True, ""),
        ("overview Late", "en", True, ""),
        ("overview Spring League", "en", False, "Spring League"),
        ("overview late Spring League", "en", True, "Spring League"),
        ("overview latecomers", "en", False, "latecomers"),
        ("tableau", "fr", False, ""),
        ("tableau de bord", "fr", False, ""),
        ("tableau retard", "fr", True, ""),
        ("TABLEAU retard Coupe d'hiver", "fr", True, "Coupe d'hiver"),
        ("overview late Coupe d'hiver", "fr", True, "Coupe d'hiver"),
        ("tableau de bord Coupe d'hiver", "fr", False, "Coupe d'hiver"),
    ],
)
def test_it_is_read_with_and_without_an_event(line: str, language: str, late: bool, event: str) -> None:
    found = read(line, language)
    assert isinstance(found, Overview)
    assert (found.late, found.event) == (late, event)
    again = read(found.write())
    assert isinstance(again, Overview) and (again.late, again.event) == (late, event)


@pytest.mark.parametrize(
    "line", [f"overview {'x' * (LONGEST_EVENT + 1)}", "overviews", "An overview, please"]
)
def test_prose_is_none(line: str) -> None:
    assert not isinstance(DESK.read_line(OwnLine(1, line, line)), Overview)


def test_letters_write_it_in_their_own_language() -> None:
    french = vocabulary("fr")
    assert french.writer.write("overview late Spring League") == "tableau retard Spring League"
    assert french.writer.write("overview Latecomers") == "tableau Latecomers"
    assert french.writer.write_form("overview [late] [EVENT]") == "tableau [retard] [TOURNOI]"
    assert french.writer.write("set overview weekly") == "régler tableau hebdomadaire"


@pytest.mark.parametrize(
    "said", ["set overview weekly", "régler tableau hebdomadaire", "réglez tableau Hebdomadaire"]
)
def test_how_often_it_comes_is_read(said: str) -> None:
    found = read(said, "fr")
    assert isinstance(found, SetPreference) and (found.key, found.value) == ("overview", "weekly")
