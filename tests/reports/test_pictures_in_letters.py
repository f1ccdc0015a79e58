"""Which pictures a letter holds: the board, and the deduction sheets for who wants them so."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from referee.mail.message.message import InlinePicture
from referee.mail.message.mime_writer import picture_cid
from referee.reports.renderer import LONGEST_ALT, typeset
from referee.reports.report import Report
from referee.rulebooks.confusion import Confusion
from referee.rulebooks.confusion.position import View
from referee.rulebooks.confusion.rulebook import ConfusionSheets
from tests.benchmarks.letters import compose
from tests.reports.material import (
    WHITE,
    WHOLE,
    YELLOW,
    first_report,
    game_face,
    game_report,
    reader,
    result_report,
)

SHEETS = b"\x89PNG the sheets of "


class PlainSheets(ConfusionSheets):
    def picture(self, view: View, language: str = "en") -> bytes | None:
        return SHEETS + view.seat.encode() if view.sheets else None


class NoSheets(ConfusionSheets):
    def picture(self, view: View, language: str = "en") -> bytes | None:
        return None


class WithSheets(Confusion):
    """Confusion with pictures of sheets that can be told apart at a glance."""

    sheets = PlainSheets()


class WithoutSheets(Confusion):
    """Confusion as it is played without sheets."""

    sheets = NoSheets()


def pictures(make: Any = game_report, *where: Any, rulebook: Confusion | None = None, **changes: Any) -> Any:
    """Return the pictures in a report to somebody who wants his sheets as one."""
    wish = {"sheets": "picture"} | changes.pop("wish", {})
    face = game_face(rulebook=rulebook or WithSheets())
    return typeset(make(*where, game=face, reader=reader(**wish), **changes)).pictures


def names(found: tuple[InlinePicture, ...]) -> list[str]:
    return [picture.filename for picture in found]


@pytest.mark.parametrize("form", ["html", "json"])
@pytest.mark.parametrize("seat", [WHITE, YELLOW])
def test_who_wants_his_sheets_as_a_picture_finds_it_behind_the_board(form: str, seat: Any) -> None:
    board, sheets = pictures(game_report, 60, seat, wish={"form": form})
    assert (board.filename, sheets.filename) == ("board.png", "sheets.png")
    assert sheets.png == SHEETS + seat.encode()


@pytest.mark.parametrize("seat", [WHITE, YELLOW])
def test_the_words_for_the_sheets_are_short_and_say_where_else_to_read(seat: Any) -> None:
    _, sheets = pictures(game_report, 60, seat)
    other = "White" if seat == YELLOW else "Yellow"
    assert sheets.alt == (
        f"The deduction sheets: your pieces, as you can know them, and {other}'s, as {other} can. "
        "The list in the plain text says the same."
    )
    assert len(sheets.alt) <= LONGEST_ALT


@pytest.mark.parametrize("kind", ["report", "refusal", "reminder"])
def test_every_letter_that_shows_the_board_shows_the_sheets(kind: str) -> None:
    assert names(pictures(game_report, 60, WHITE, kind=kind)) == ["board.png", "sheets.png"]


@pytest.mark.parametrize("kind", ["report", "refusal", "reminder"])
@pytest.mark.parametrize("form", ["html", "json"])
def test_the_html_shows_every_picture_of_its_letter_once(kind: str, form: str) -> None:
    wish = reader(form=form, sheets="picture")
    typed = typeset(game_report(60, WHITE, kind=kind, game=game_face(rulebook=WithSheets()), reader=wish))
    shown = re.findall(r'src="cid:([^"]+)"[^>]* alt="([^"]+)"', typed.html or "")
    assert [(cid, unescape(alt)) for cid, alt in shown] == [
        (picture_cid(each), each.alt) for each in typed.pictures
    ]


@pytest.mark.parametrize("kind", ["receipt", "notice", "help"])
def test_a_letter_without_the_board_has_no_sheets_either(kind: str) -> None:
    assert pictures(game_report, 60, WHITE, kind=kind) == ()


def test_the_first_letter_has_nothing_to_strike_out_yet() -> None:
    assert names(pictures(first_report, WHITE)) == ["board.png"]


def test_a_game_that_is_over_has_no_sheets_any_more() -> None:
    assert names(pictures(result_report, WHITE)) == ["board.png"]
    assert names(pictures(result_report, WHITE, kind="report")) == ["board.png"]


def test_plain_text_has_no_pictures_whatever_was_wished_for() -> None:
    assert pictures(game_report, 60, WHITE, wish={"form": "text"}) == ()


@pytest.mark.parametrize("sheets", ["grid", "list"])
def test_who_wants_a_grid_or_a_list_gets_no_picture_of_them(sheets: str) -> None:
    assert names(pictures(game_report, 60, WHITE, wish={"sheets": sheets})) == ["board.png"]


def test_a_game_without_sheets_has_none_for_who_wants_them() -> None:
    """His letters are those of who never asked for a picture, byte for byte."""

    def report(sheets: str) -> Report:
        return game_report(60, WHITE, game=game_face(rulebook=WithoutSheets()), reader=reader(sheets=sheets))

    typed = typeset(report("picture"))
    assert names(typed.pictures) == ["board.png"]
    assert "sheets.png" not in (typed.html or "")


@pytest.mark.slow
def test_a_letter_with_both_pictures_stays_under_45_kilobytes() -> None:
    """Near the end of a game, when there is most to say and most is struck out."""
    wish = reader(sheets="picture")
    for attempts in range(60, WHOLE):
        for seat in (WHITE, YELLOW):
            assert len(compose(game_report(attempts, seat, fresh=2, reader=wish))) < 45_000, (attempts, seat)
