"""How letters look to whoever opens them on a telephone: what stands first, what is explained, and what fits."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

import referee
from referee.commands.command_table import WORDS, Word
from referee.common.faults import Fault, Place
from referee.reports.notes import ASKING
from referee.reports.renderer import typeset
from referee.rulebooks.catalogue import RULEBOOKS
from referee.rulebooks.rulebook import Seat
from tests.reports.material import (
    WHITE,
    WHOLE,
    YELLOW,
    desk_report,
    first_report,
    game_face,
    game_report,
    reader,
    result_report,
)
from tests.reports.test_renderer import note

RULE = re.compile(r"(?:CF|CC)-\d+\.\d+")
FAR = Fault("too-far", "no type goes so far", excerpt="L-S9", place=Place(1, 1), rule="CF-4.2")
SEATS = (WHITE, YELLOW)
KEY = "Discs are your pieces, squares are"


@pytest.mark.parametrize("code", sorted(ASKING))
def test_a_letter_begins_with_what_it_asks_though_it_shows_a_board(code: str) -> None:
    question = typeset(desk_report(notes=(note(code),))).text.splitlines()[0]
    ruled = typeset(game_report(60, WHITE, notes=(note("plan"), note(code))))
    assert ruled.text.startswith(f"{question} Your move, turn")
    assert ruled.text.count(question) == 1


def test_what_is_asked_comes_before_what_else_was_done() -> None:
    text = typeset(desk_report(notes=(note("renamed"), note("bye-confirm")))).text
    assert text.index("Do you want to leave") < text.index("You are called Anna")


@pytest.mark.parametrize("game", [rulebook.name for rulebook in RULEBOOKS])
def test_the_rules_that_answers_name_are_on_the_page_of_the_game(game: str) -> None:
    """Each that a fault names: what stands between quotation marks in the rooms that find faults."""
    folder = Path(str(resources.files(referee)))
    ids = "CC" if game == "cards" else "CF"
    rooms = [*(folder / f"rulebooks/{game}").glob("*.py"), folder / "games/decisions.py"]
    faults = re.compile(r"\bFault\(|_slip\(|_refused\(|rule=")
    named = {
        rule
        for room in rooms
        if faults.search(source := room.read_text("utf-8"))
        for rule in re.findall(rf'"({ids}-\d+\.\d+)"', source)
        if room.stem
        # which name the rules of what came to pass, or of what is wrong in a record
        not in ("happenings", "adjudicate", "answering", "replay", "retelling", "score")
    }
    rules = "".join(
        (folder / f"rulebooks/{each}/RULES.md").read_text("utf-8") for each in {"confusion", game}
    )
    assert len(named) > 8
    for language in ("en", "fr"):
        page = desk_report(kind="help", pages=(game,), reader=reader(language=language))
        told = set(RULE.findall(typeset(page).text))
        assert named <= told
        assert all(f"**{rule}**" in rules for rule in told)


def test_what_the_number_of_a_rule_is_stands_once_below_the_faults() -> None:
    said = "What stands in brackets at the end is the number of a rule. Write help rules to read it."
    two = typeset(game_report(0, WHITE, fresh=0, kind="refusal", faults=(FAR, FAR)))
    assert two.text.count(said) == 1
    assert two.text.rindex("(CF-4.2)") < two.text.index(said) < two.text.index("BOARD")
    without = Fault("no-word", "there is no word so", excerpt="so")
    assert said not in typeset(desk_report(kind="refusal", faults=(without,))).text


@pytest.mark.parametrize("seat", SEATS)
def test_what_is_on_the_picture_is_explained_in_a_first_letter_and_to_whoever_asks_how_it_stands(
    seat: Seat,
) -> None:
    for telling in (first_report(seat), game_report(20, seat, fresh=0)):
        typed = typeset(telling)
        assert (typed.html or "").count(KEY) == 1
        assert ("north is up" in (typed.html or "")) == (seat == YELLOW)
        assert KEY not in typed.text  # where the drawing has a key of its own
    refused = game_report(20, seat, fresh=0, kind="refusal", faults=(FAR,))
    for other in (game_report(20, seat), refused, result_report(seat)):
        assert KEY not in (typeset(other).html or "")
    no_picture = game_report(20, seat, fresh=0, reader=reader(picture="off"))
    assert KEY not in (typeset(no_picture).html or "")


def test_above_the_board_of_a_first_letter_stands_no_more_than_a_telephone_shows_beside_it() -> None:
    text = typeset(first_report(WHITE, game=game_face(by_umpire=True, deal_by_umpire=True, receipt=""))).text
    above, _, below = text.partition("BOARD\n")
    assert len(above) < 260
    assert below.index("REPLY WITH ONE LINE") < below.index("ABOUT THIS GAME") < below.index("THE SHEETS")


def test_a_game_that_an_umpire_set_up_says_so_and_how_to_be_rid_of_it() -> None:
    said = (
        "Whoever runs this service has set this game up and named both of you as its players. If you do not want to "
        "play it, reply with the one word resign, and it is over; if you write nothing at all, it only waits."
    )
    assert typeset(first_report(WHITE, game=game_face(by_umpire=True, receipt=""))).text.count(said) == 1
    assert "umpire of Referee" not in typeset(first_report(WHITE)).text


@pytest.mark.parametrize(
    "word", [word for word in WORDS if len(word.example) > 22], ids=lambda word: word.name
)
def test_a_long_example_is_set_so_that_a_telephone_shows_all_of_it(word: Word) -> None:
    html = typeset(desk_report(kind="help", pages=(word.name,))).html or ""
    shown = re.findall(r'monospace;font-weight:bold;font-size:(\d+)px">(.*?)</p>', html)
    assert ("16", word.example) in shown  # which may be broken at its blanks


@pytest.mark.parametrize("language", ["en", "fr"])
def test_how_an_ended_game_stands_begins_with_how_it_ended(language: str) -> None:
    said = typeset(result_report(WHITE, reader=reader(language=language))).text.splitlines()[0]
    asked = game_report(WHOLE, WHITE, fresh=0, reader=reader(language=language))
    assert said and typeset(asked).text.splitlines()[0] == said


@pytest.mark.parametrize("topic", ["help", "try", "resign"])
def test_a_page_of_help_says_its_heading_once_and_what_is_due_at_the_end(topic: str) -> None:
    text = typeset(game_report(60, WHITE, fresh=0, kind="help", pages=(topic,))).text
    assert "THE WORD" not in text and "HOW TO WRITE" not in text
    due = "REPLY WITH ONE LINE"
    assert text.index("register NAME" if topic == "help" else topic) < text.index(due)
    two = typeset(desk_report(kind="help", pages=("draw", topic))).text
    assert ("HOW TO WRITE" if topic == "help" else f"THE WORD {topic.upper()}") in two
