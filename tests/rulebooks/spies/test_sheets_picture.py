"""Both sheets of thirteen types as a picture: what is struck out is what cannot be, the double agent too."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.confusion.sheets_picture import THIRTEEN, TWELVE, WIDTH, Layout
from referee.rulebooks.rulebook import Seat
from referee.rulebooks.spies.deduction import mine, theirs
from referee.rulebooks.spies.edition import RED, SEATS, Variants
from referee.rulebooks.spies.position import View
from referee.rulebooks.spies.sheets_picture import png, svg
from tests.rulebooks.confusion.test_sheets_picture import SVG, cell, state_of
from tests.rulebooks.spies.games import game_by
from tests.rulebooks.spies.tables import ALL_TOKENS, folded, opened, play, view_after

NEW = opened(Variants())
PROVED = [*NEW, *play(folded(NEW), "X-N1", "allow; A-S1", "X-N1", "deny; H-S1", "#T; A-N1", "A-S1")[1]]
"""Red's X is the double agent, and he knows it; he has removed his T."""
LATE = [
    (game_by(Random(seed), Variants(tokens=ALL_TOKENS, comrade=bool(seed % 2)), 60), THIRTEEN)
    for seed in (1, 2)
]
HONOUR = [(game_by(Random(3), Variants(code_of_honour=True), 40), TWELVE)]
GAMES = [(NEW, THIRTEEN), (PROVED, THIRTEEN), *LATE, *HONOUR]
BOTH = pytest.mark.parametrize("seat", SEATS)
EACH = pytest.mark.parametrize("number", range(len(GAMES)))


def picture(view: View) -> Image.Image:
    content = png(view)
    assert content is not None
    return Image.open(io.BytesIO(content))


def drawing(view: View) -> ET.Element:
    content = svg(view)
    assert content is not None
    return ET.fromstring(content)


def sheets_of(view: View, layout: Layout) -> Iterator[tuple[int, int, int, str]]:
    """Yield for every cell of both sheets what it must show."""
    for place, said in enumerate((mine(view), theirs(view))):
        for row, letter in enumerate(view.board.edition.letters):
            left = said.open[letter]
            for column in range(layout.types):
                last = "certain" if len(left) == 1 else "open"
                yield place, row, column, last if column + 1 in left else "struck"


@pytest.mark.telling(number=range(3))
@EACH
@BOTH
def test_every_cell_shows_whether_the_letter_can_be_the_type(number: int, seat: Seat) -> None:
    happenings, layout = GAMES[number]
    view = view_after(happenings, seat)
    image = picture(view)
    assert image.size == (WIDTH, layout.height)
    for place, row, column, state in sheets_of(view, layout):
        assert state_of(cell(image, place, row, column, layout)) == state, (place, row, column)


@EACH
@BOTH
def test_the_drawing_for_keeping_shows_the_same(number: int, seat: Seat) -> None:
    happenings, layout = GAMES[number]
    view = view_after(happenings, seat)
    root = drawing(view)
    states = [state for *_, state in sheets_of(view, layout)]
    uses = [element.get("href") for element in root.iter(f"{SVG}use")]
    assert uses.count("#strike") == states.count("struck")
    assert len(uses) == len(states) + states.count("struck")
    assert uses.count("#type-agent") == (2 * 13 if layout is THIRTEEN else 0)


def test_the_colours_are_white_and_red_and_the_last_column_is_the_question_mark() -> None:
    words = [element.text for element in drawing(view_after(PROVED, RED)).iter(f"{SVG}text")]
    assert "White's pieces, as White can know them" in words
    assert {"?", "12", "Double Agent", "X", "[T]"} <= set(words)
    assert "13" not in words
    root = drawing(view_after(PROVED, WHITE))
    assert "Red's pieces, as Red can know them" in [element.text for element in root.iter(f"{SVG}text")]
    assert "X ?" in (root.findtext(f"{SVG}desc") or "")
    assert "Yellow" not in ET.tostring(root, encoding="unicode")


def test_the_question_mark_looks_like_no_other_type() -> None:
    image = picture(view_after(NEW, RED))
    looks = {cell(image, 0, 0, column, THIRTEEN).tobytes() for column in range(13)}
    assert len(looks) == 13


@EACH
def test_the_picture_is_small(number: int) -> None:
    content = png(view_after(GAMES[number][0], RED))
    assert content is not None
    assert len(content) < 9_200


def test_what_is_drawn_depends_on_what_was_heard_alone() -> None:
    view = view_after(PROVED, WHITE)
    assert png(view) == png(replace(view, opponent_types=dict.fromkeys(view.opponent_types, 7)))


@BOTH
def test_a_game_without_sheets_has_no_picture_of_them(seat: Seat) -> None:
    view = replace(view_after(PROVED, seat), sheets=False)
    assert png(view) is None
    assert svg(view) is None
