"""Letters about a game of Confusion in French: whole sentences, each type with its gender, that fit where they are."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import Any

import pytest
from PIL import ImageChops

from referee.common.faults import Fault
from referee.common.i18n import LANGUAGES, translate
from referee.reports.renderer import LONGEST_ALT, typeset
from referee.reports.report import Note, Report
from referee.rulebooks.confusion import sheets_picture
from referee.rulebooks.confusion.knowledge import WIDTH
from referee.rulebooks.confusion.orders import read_orders
from referee.rulebooks.confusion.sheets_picture import titles
from referee.rulebooks.confusion.table import default_table
from referee.rulebooks.drawing import ACCENTS, INK, PAPER, blank, write
from referee.rulebooks.rulebook import OrderLine, Seat
from tests.reports.material import (
    CONFUSION,
    WHITE,
    WHOLE,
    YELLOW,
    after,
    desk_report,
    first_report,
    game_report,
    heard_by,
    reader,
    result_report,
    without_sheets,
)

BOTH = pytest.mark.parametrize("seat", (WHITE, YELLOW))
FORMS = ("grid", "list", "picture")


def french(make: Any, *where: Any, sheets: str = "grid", form: str = "html", **changes: Any) -> Report:
    """Return a report to somebody who reads French."""
    report: Report = make(*where, reader=reader(language="fr", sheets=sheets, form=form), **changes)
    return report


def text(report: Report) -> str:
    """Return a letter's text, with common blanks for those that do not break."""
    return typeset(report).text.replace("\u00a0", " ").replace("\u202f", " ")


def refusal(attempts: int, seat: Seat, line: str, language: str = "fr") -> str:
    """Return why a line cannot be taken."""
    view = CONFUSION.rules.view(heard_by(seat, after(attempts)), seat)
    (fault,) = read_orders(view, [OrderLine(1, line)]).faults
    assert isinstance(fault, Fault)
    return fault.reason(translate(language)).replace("\u00a0", " ")


def why(attempts: int, seat: Seat, subject: str) -> str:
    view = CONFUSION.rules.view(heard_by(seat, after(attempts)), seat)
    explained = CONFUSION.presentation.explain(view, subject)
    note = Note("why", {"rulebook": "confusion", "why": explained})
    return text(french(game_report, attempts, seat, notes=(note,), kind="help"))


# What was tried


@pytest.mark.parametrize(
    ("attempts", "said"),
    [
        (1, "Blanc a essayé L-S2 : oui. La Fusée L de Blanc va de (3,10) à (3,8)."),
        (7, "Blanc a essayé L-S4xA : oui. La Fusée L de Blanc va de (3,6) à (3,2) et capture votre pièce A."),
        (14, "Vous avez essayé V-NW2xZ : oui. Votre pièce V va de (8,4) à (6,6) et prend Z."),
        (16, "Vous avez essayé VZ-NW1 : oui. Votre pièce V va avec Z de (6,6) à (5,7)."),
        (17, "Blanc a essayé C-S1 : non. La Lavette C de Blanc reste en (7,9)."),
        (20, "et capture le Novice S de Blanc, et obtient une promotion."),
        (21, "La Sonde K de Blanc va de (4,10) à (5,11) et capture votre pièce V."),
    ],
)
def test_an_attempt_is_told_with_the_gender_of_each_type(attempts: int, said: str) -> None:
    assert said in text(french(game_report, attempts, YELLOW))


def test_a_threat_is_told_to_both() -> None:
    assert (
        "Votre pièce T tient Z sur la dernière rangée : si Jaune (Anna) ne la capture pas à ce tour, vous"
        in text(french(game_report, WHOLE - 1, WHITE))
    )
    assert (
        "tient Z sur votre première rangée : capturez cette pièce à ce tour, sinon Blanc (Bert) gagne."
        in text(french(game_report, WHOLE - 1, YELLOW))
    )


def test_the_end_is_told_to_both_with_all_types() -> None:
    won, lost = text(french(result_report, WHITE)), text(french(result_report, YELLOW))
    assert won.startswith("Vous avez gagné en tenant Z sur la première rangée adverse.\n")
    assert lost.startswith("Blanc (Bert) a gagné en tenant Z sur la première rangée adverse.\n")
    assert "VOS PIÈCES, RÉVÉLÉES" in lost
    assert "T (6,1) : promue, auparavant Abbé 12, avec Z" in lost


def test_the_record_stays_as_it_is() -> None:
    assert typeset(french(result_report, WHITE)).record == typeset(result_report(WHITE)).record


# Types


def test_a_type_has_its_article() -> None:
    assert [row.definite("fr") for row in default_table().rows] == [
        "la Fusée",
        "la Sonde",
        "le Pied de poule",
        "la Tour",
        "le Novice",
        "le Roi",
        "l'Arroseur",
        "la Lavette",
        "le Crabe",
        "l'Évêque",
        "le Cardinal",
        "l'Abbé",
    ]
    assert all(row.definite("en") == row.name("en") for row in default_table().rows)


def test_a_type_that_an_umpire_has_named_needs_no_article() -> None:
    row = replace(default_table().row(1), names={"en": "Dragon"})
    assert row.definite("fr") == "le type Dragon"


# What is known


def test_a_lesson_says_what_is_left_and_what_follows() -> None:
    assert (
        "K-SW1, non : K n'est ni le Roi 6 ni l'Évêque 10 ; il reste Sonde 2 ou Pied de poule 3. "
        "Donc A, E, H, O, P, S et T ne sont ni la Sonde 2 ni le Pied de poule 3."
    ) in text(french(game_report, 26, YELLOW, fresh=2))


def test_a_grid_and_a_list_have_the_types_in_french() -> None:
    grid, listed = (text(french(game_report, 41, WHITE, sheets=form)) for form in ("grid", "list"))
    assert "\n(C) 8 Lavette\n" in grid
    assert "\n(C) : Lavette 8, certain\n" in listed
    assert "Ce que vous pouvez savoir de vos pièces : 2 880 distributions s'accordent" in listed
    assert "K : Novice 5 (18 %), Crabe 9 (17 %), Évêque 10 (25 %)" in listed
    assert "tout sauf Fusée 1, Sonde 2, Pied de poule 3, Tour 4 et Lavette 8\n" in listed


def test_why_is_answered_in_french() -> None:
    assert why(60, YELLOW, "H").startswith("Votre pièce H est le Cardinal 11, et voici pourquoi.\n")
    assert why(60, WHITE, "jaune H").startswith("Jaune peut savoir que sa pièce H est le Cardinal 11, et")
    ended = why(WHOLE, WHITE, "A")
    assert ended.startswith(
        "À la fin de la partie, votre pièce A pouvait encore être de 6 types ; c'était le Roi 6."
    )
    assert "\nC (tours 7, 9) était la Lavette 8, donc A ne l'était pas.\n" in ended


def test_the_picture_of_the_sheets_has_french_titles() -> None:
    assert titles(YELLOW, "fr") == ("Vos pièces", "Les pièces de Jaune, pour ce que Jaune peut en savoir")
    view = CONFUSION.rules.view(heard_by(WHITE, after(9)), WHITE)
    assert sheets_picture.png(view, "fr") != sheets_picture.png(view, "en") == sheets_picture.png(view)


@pytest.mark.parametrize("language", LANGUAGES)
@BOTH
def test_a_picture_has_only_words_that_its_font_can_draw(language: str, seat: Seat) -> None:
    for title in titles(seat, language):
        assert {sign for sign in unicodedata.normalize("NFD", title) if not sign.isascii()} <= set(ACCENTS), (
            title
        )


def test_an_accent_is_drawn_above_its_letter_and_moves_nothing() -> None:
    plain, accented = (blank(40, 30, PAPER) for _ in range(2))
    write(plain, "e", 15, (20, 15), INK)
    write(accented, "è", 15, (20, 15), INK)
    box = ImageChops.difference(plain, accented).getbbox()
    assert box is not None
    letter = ImageChops.difference(plain, blank(40, 30, PAPER)).getbbox()
    assert letter is not None
    assert box[1] < letter[1] and box[3] <= letter[1] + 2


def test_the_rules_page_says_what_the_letters_of_the_compass_are() -> None:
    page = text(french(desk_report, kind="help", pages=("confusion",), rulebooks=(CONFUSION,)))
    assert "Les directions sont N NE E SE S SW W NW, où W est l'ouest" in page
    assert "10 Évêque : jusqu'à 2 cases, en diagonale vers l'avant, en diagonale vers l'arrière.\n" in page


# Refusals


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "L-S9",
            "aucun type ne va à 9 cases vers le sud (au plus loin : 4 cases), donc L ne peut pas l'essayer",
        ),
        ("C-NO2", "il n'y a pas de direction NO ; les directions sont N NE E SE S SW W NW (W : l'ouest)"),
        ("N-S1", "A, du même camp, est en (9,10)"),
        ("C-S2xV", "il n'y a rien à capturer : aucune pièce V de Jaune n'est en (8,8)"),
        ("B-S2", "il n'y a pas de pièce B ; les lettres sont A C E H K L N O P S T V"),
        ("Z-S1", "personne ne tient Z, elle ne peut donc pas être passée"),
    ],
)
def test_a_refusal_is_a_french_sentence(line: str, said: str) -> None:
    assert refusal(0, WHITE, line) == said


def test_a_refusal_counts_squares_in_french() -> None:
    assert refusal(20, WHITE, "V-W2") == (
        "V sortirait du plateau : depuis (2,11), il y a la place pour 1 case vers l'ouest"
    )


def test_a_player_out_of_turn_is_told_whose_turn_it_is() -> None:
    assert refusal(0, YELLOW, "L-N1") == "c'est le tour de Blanc, pas le vôtre"


# What has only so much room


@pytest.mark.parametrize("language", LANGUAGES)
@BOTH
def test_the_words_for_pictures_fit_in_every_language(language: str, seat: Seat) -> None:
    for attempts in range(0, WHOLE + 1, 4):
        report = game_report(attempts, seat, fresh=1 if attempts else 0)
        report = replace(report, reader=reader(language=language, sheets="picture"))
        for picture in typeset(report).pictures:
            # A move with all its tails is no longer than "O-NE10xTxZ+", and a word must not be cut off.
            assert len(picture.alt) <= LONGEST_ALT - len("xTxZ+") and picture.alt.endswith("."), picture.alt


@BOTH
@pytest.mark.parametrize("sheets", FORMS)
def test_what_is_drawn_in_signs_keeps_its_columns(seat: Seat, sheets: str) -> None:
    for attempts in (0, 9, 26, 41, 60, 75, WHOLE):
        said = typeset(french(game_report, attempts, seat, sheets=sheets)).text
        drawn = [
            line for line in said.splitlines() if re.match(r" ?\(?[ \dA-Z]{1,2}[).]? .*(  |\. \.)", line)
        ]
        assert len(drawn) >= 13
        assert max(map(len, drawn)) <= WIDTH, max(drawn, key=len)


# Every letter


@BOTH
@pytest.mark.parametrize("sheets", FORMS)
def test_no_english_is_left_in_what_the_game_says(seat: Seat, sheets: str) -> None:
    english = re.compile(
        r"\b(the|your|you|and|is|was|yes|turn|piece|King|Tower|White|Yellow|north|south|deals)\b"
    )
    for attempts in (1, 14, 20, 41, 60, 75):
        report = french(game_report, attempts, seat, sheets=sheets, fresh=min(attempts, 3))
        for each in (report, without_sheets(report)):
            said = typeset(each).text
            assert not english.search(said), said


@BOTH
def test_a_first_letter_explains_the_game_in_french(seat: Seat) -> None:
    said = text(french(first_report, seat))
    assert "CONFUSION EN BREF" in said
    assert "LE SCEAU DE LA DISTRIBUTION" in said
    assert ("À vous de jouer, tour 1" in said) == (seat == WHITE)
