"""Both deduction sheets as a picture: what is struck out in it is what cannot be, whatever the table."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from referee.rulebooks.confusion.compass import HEADINGS, opponent
from referee.rulebooks.confusion.deduction import sheet
from referee.rulebooks.confusion.position import LETTERS, View
from referee.rulebooks.confusion.sheets_picture import (
    FRAME,
    GREY,
    PALE,
    ROW,
    THIRTEEN,
    TWELVE,
    WIDTH,
    Layout,
)
from referee.rulebooks.confusion.table import NUMBERS, MovementTable, Row, default_table
from referee.rulebooks.drawing import INK, PAPER
from referee.rulebooks.rulebook import Seat
from tests.reports.material import CONFUSION, WHITE, WHOLE, YELLOW, after, heard_by

SVG = "{http://www.w3.org/2000/svg}"


def view(attempts: int, seat: Seat) -> View:
    return CONFUSION.rules.view(heard_by(seat, after(attempts)), seat)


VIEWS = [view(attempts, seat) for attempts in (0, 15, 41, 71, WHOLE) for seat in (WHITE, YELLOW)]


def png(seen: View) -> bytes:
    content = CONFUSION.sheets.picture(seen)
    assert content is not None
    return content


def svg(seen: View) -> ET.Element:
    content = CONFUSION.sheets.svg(seen)
    assert content is not None
    return ET.fromstring(content)


def picture(seen: View) -> Image.Image:
    return Image.open(io.BytesIO(png(seen)))


def cell(image: Image.Image, place: int, row: int, column: int, layout: Layout = TWELVE) -> Image.Image:
    """Return a cell with the lines around it. place: 0 for the upper sheet."""
    left, top = layout.corner(place, row, column)
    return image.convert("RGB").crop((left, top, left + layout.cell, top + ROW))


def share(image: Image.Image, colour: str) -> int:
    """Return how many pixels have a colour."""
    wanted = tuple(bytes.fromhex(colour[1:]))
    return sum(count for count, found in image.getcolors() or [] if found == wanted)


def state_of(image: Image.Image) -> str:
    """Return what a reader sees of a cell: by its ink, by its ground and frame, by what strikes it out."""
    width = image.width
    inner = image.crop((1, 1, width, ROW))
    if not share(inner, INK):
        assert share(inner, GREY) > width / 2
        assert share(inner, PALE)
        return "struck"
    if share(inner, PALE):
        assert share(inner, PALE) > width * ROW / 3
        assert share(image.crop((0, 0, width, 2)), INK) == 2 * width
        return "certain"
    assert share(inner, GREY) == 0
    return "open"


def sheets_of(seen: View) -> Iterator[tuple[int, int, int, str]]:
    """Yield for every cell of both sheets what it must show."""
    for place, seat in enumerate((seen.seat, opponent(seen.seat))):
        said = sheet(seen.board.table, seen.board.attempts, seat)
        for row, letter in enumerate(LETTERS):
            left = said.open[letter]
            for column, number in enumerate(NUMBERS):
                last = "certain" if len(left) == 1 else "open"
                yield place, row, column, last if number in left else "struck"


@pytest.mark.telling(number=range(3))
@pytest.mark.parametrize("number", range(len(VIEWS)))
def test_every_cell_shows_whether_the_letter_can_be_the_type(number: int) -> None:
    image = picture(VIEWS[number])
    for place, row, column, state in sheets_of(VIEWS[number]):
        assert state_of(cell(image, place, row, column)) == state, (place, row, column)


@pytest.mark.parametrize("number", range(len(VIEWS)))
def test_the_drawing_for_keeping_shows_the_same(number: int) -> None:
    root = svg(VIEWS[number])
    states = [state for *_, state in sheets_of(VIEWS[number])]
    uses = [element.get("href") for element in root.iter(f"{SVG}use")]
    assert uses.count("#strike") == states.count("struck")
    assert len(uses) == len(states) + states.count("struck")
    tinted = [element for element in root.iter(f"{SVG}rect") if element.get("fill") == PALE]
    assert len(tinted) == states.count("certain")


@pytest.mark.parametrize("seat", [WHITE, YELLOW])
def test_a_game_without_sheets_has_no_picture_of_them(seat: Seat) -> None:
    for attempts in (0, 41, WHOLE):
        without = replace(view(attempts, seat), sheets=False)
        assert CONFUSION.sheets.picture(without) is None
        assert CONFUSION.sheets.svg(without) is None


def test_size_and_palette_are_the_same_for_every_view() -> None:
    pictures = [picture(each) for each in VIEWS]
    assert {each.size for each in pictures} == {(WIDTH, TWELVE.height)}
    assert {tuple(each.getpalette() or ())[:12] for each in pictures} == {
        tuple(bytes.fromhex("".join(colour[1:] for colour in (PAPER, INK, GREY, PALE))))
    }
    assert not any("transparency" in each.info for each in pictures)


@pytest.mark.parametrize("number", range(len(VIEWS)))
def test_the_picture_is_small(number: int) -> None:
    assert len(png(VIEWS[number])) < 7_200


def test_the_same_answers_give_the_same_bytes_whatever_the_types_are() -> None:
    seen = view(41, WHITE)
    other = replace(seen, own_types=dict.fromkeys(LETTERS, 7), opponent_types={})
    assert png(seen) == png(other)
    assert CONFUSION.sheets.svg(seen) == CONFUSION.sheets.svg(other)


def test_each_reader_has_his_own_pieces_above() -> None:
    yellow, white = picture(view(71, YELLOW)), picture(view(71, WHITE))
    for row in range(len(LETTERS)):
        for column in range(len(NUMBERS)):
            assert cell(yellow, 0, row, column).tobytes() == cell(white, 1, row, column).tobytes()
            assert cell(yellow, 1, row, column).tobytes() == cell(white, 0, row, column).tobytes()


def test_titles_say_whose_knowledge_it_is() -> None:
    for seat, title in (
        (YELLOW, "White's pieces, as White can know them"),
        (WHITE, "Yellow's pieces, as Yellow can know them"),
    ):
        words = [element.text for element in svg(view(4, seat)).iter(f"{SVG}text")]
        assert "Your pieces" in words
        assert title in words
        assert {"1", "12", "Rocket", "Hen's Foot", *LETTERS} <= set(words)


def test_letters_are_marked_as_captured_or_promoted() -> None:
    seen = view(75, YELLOW)
    assert sorted(seen.board.captured[YELLOW]) == ["A", "K", "P", "T", "V"]
    assert [each.letter for each in seen.board.pieces.values() if each.promoted] == ["T"]
    said = [element.text or "" for element in svg(seen).iter(f"{SVG}text")]
    marks = [word for word in said if word.strip("(+)") in LETTERS]
    assert marks == [
        *("(A)", "C", "E", "H", "(K)", "L", "N", "O", "(P)", "S", "(T)", "(V)"),
        *("A", "(C)", "E", "(H)", "(K)", "(L)", "N", "O", "P", "(S)", "T+", "V"),
    ]
    new, old = picture(view(0, YELLOW)), picture(seen)
    shown = [
        mark(old, place, row).tobytes() == mark(new, place, row).tobytes()
        for place in (0, 1)
        for row in range(12)
    ]
    assert shown == [word in LETTERS for word in marks]


def mark(image: Image.Image, place: int, row: int) -> Image.Image:
    """Return what stands beside a row of cells."""
    _, top = TWELVE.corner(place, row, 0)
    return image.convert("RGB").crop((FRAME, top + 1, FRAME + TWELVE.side, top + ROW))


def test_the_picture_is_as_wide_as_letters_show_it_and_packs_well() -> None:
    """Four pixels are a byte: where cells begin inside one, equal cells have unequal bytes."""
    assert WIDTH == 480
    for layout in (TWELVE, THIRTEEN):
        assert layout.cell % 4 == 0
        assert (FRAME + layout.side) % 4 == 0
        assert layout.corner(0, 0, layout.types)[0] < WIDTH - FRAME


def test_the_drawing_tells_a_screen_reader_both_sheets() -> None:
    root = svg(view(71, YELLOW))
    assert root.findtext(f"{SVG}title") == "Confusion, the deduction sheets as Yellow sees them"
    told = root.findtext(f"{SVG}desc") or ""
    assert told.startswith("Your pieces: (A) ")
    assert "H 11; (K) 10; L 2; " in told
    assert "White's pieces, as White can know them: A " in told


def every_movement() -> list[tuple[int, tuple[str, ...]]]:
    """Return every reach with every choice of headings: all that a row of a table can be."""
    choices = [choice for count in range(1, 6) for choice in combinations(HEADINGS, count)]
    return [(reach, choice) for reach in range(1, 12) for choice in choices]


def table_of(movements: list[tuple[int, tuple[str, ...]]]) -> MovementTable:
    promoted = default_table().promoted
    rows = [
        Row(str(number), {"en": f"T{number}"}, reach, dict.fromkeys(headings, "text"), promotes=False)
        for number, (reach, headings) in enumerate(movements, 1)
    ]
    return MovementTable("any", tuple(rows), promoted)


@pytest.mark.slow
def test_any_table_is_drawn_and_no_two_types_look_alike() -> None:
    movements = every_movement()
    assert len(movements) == 341
    new = view(0, YELLOW)
    looks = set()
    for start in range(0, len(movements), 12):
        few = (movements + movements)[start : start + 12]
        image = picture(replace(new, board=replace(new.board, table=table_of(few))))
        looks |= {cell(image, 0, 0, column).tobytes() for column in range(12)}
    assert len(looks) == 341


def test_names_of_a_table_are_words_and_no_markup() -> None:
    plain = default_table()
    odd = replace(plain.rows[0], names={"en": "<b>&\x01 Fusée, the very longest of all"})
    new = view(0, YELLOW)
    seen = replace(new, board=replace(new.board, table=replace(plain, rows=(odd, *plain.rows[1:]))))
    words = {element.text: element for element in svg(seen).iter(f"{SVG}text")}
    name = words["<b>& Fusée, the very longest of all"]
    assert float(name.get("textLength", "0")) < TWELVE.cell
