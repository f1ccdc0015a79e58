"""The board of the spies as a picture: one size and palette, and nothing in it that its reader may not know."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from referee.rulebooks.confusion import picture as confusion
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.confusion.picture import DARK, LIGHT, OUT_OF_PLAY, SIZE, TILE, TRACE, Look, ink_of
from referee.rulebooks.drawing import INK, WHITE_FILL, rgb
from referee.rulebooks.rulebook import OBSERVER, Seat
from referee.rulebooks.spies.edition import RED, SEATS, Variants
from referee.rulebooks.spies.picture import LOOK, RED_FILL, png, svg, traces
from referee.rulebooks.spies.position import View
from tests.rulebooks.spies.letters import SPIES, State, game, heard, states
from tests.rulebooks.spies.tables import IDENTITY

SVG = "{http://www.w3.org/2000/svg}"


def view(state: State | str, seat: Seat) -> View:
    if isinstance(state, str):
        state = states()[state]
    return SPIES.rules.view(heard(state.happenings, seat), seat)


def picture(of: View) -> Image.Image:
    return Image.open(io.BytesIO(png(of)))


def middle(file: int, rank: int, seat: Seat = RED) -> tuple[int, int]:
    """Return the middle of a square as a seat sees it."""
    edge = (SIZE - 11 * TILE) // 2
    column, row = (11 - file, rank - 1) if seat == WHITE else (file - 1, 11 - rank)
    return edge + column * TILE + TILE // 2, edge + row * TILE + TILE // 2


def colour_at(image: Image.Image, at: tuple[int, int]) -> str:
    red, green, blue = image.convert("RGB").getpixel(at)  # type: ignore[misc]
    return f"#{red:02x}{green:02x}{blue:02x}"


EVERY_VIEW = [(name, seat) for name in states() for seat in (*SEATS, OBSERVER)]


def test_size_and_palette_are_the_same_for_every_view() -> None:
    pictures = [picture(view(*each)) for each in EVERY_VIEW]
    assert {each.size for each in pictures} == {(SIZE, SIZE)}
    palettes = {tuple(each.getpalette() or ()) for each in pictures}
    assert len(palettes) == 1
    assert len(palettes.pop()) // 3 <= 16


@pytest.mark.parametrize(("name", "seat"), EVERY_VIEW)
def test_a_picture_is_small_opaque_and_the_same_for_the_same_view(name: str, seat: Seat) -> None:
    content = png(view(name, seat))
    assert len(content) < 24_000
    assert "transparency" not in picture(view(name, seat)).info
    assert png(view(name, seat)) == content
    assert svg(view(name, seat)) == svg(view(name, seat))


def test_letters_stand_out_on_either_side_s_colour_and_the_sides_from_each_other_in_grey() -> None:
    def light(colour: str) -> float:
        parts = [part / 255 for part in rgb(colour)]
        straight = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * straight[0] + 0.7152 * straight[1] + 0.0722 * straight[2]

    def contrast(one: str, other: str) -> float:
        dark, bright = sorted((light(one), light(other)))
        return (bright + 0.05) / (dark + 0.05)

    assert contrast(INK, RED_FILL) > 4.5
    assert contrast(RED_FILL, WHITE_FILL) > 1.8


def test_own_spies_are_discs_of_their_colour() -> None:
    for seat, fill in ((RED, RED_FILL), (WHITE, WHITE_FILL)):
        image = picture(view("begins", seat))
        x, y = middle(6, 1 if seat == RED else 11, seat)
        assert colour_at(image, (x - 20, y)) == fill
        assert colour_at(image, (x - 26, y - 26)) in (LIGHT, DARK)


def test_dark_files_are_out_of_play() -> None:
    image = picture(view("small world", RED))
    assert colour_at(image, middle(1, 6)) == colour_at(image, middle(11, 3)) == OUT_OF_PLAY
    assert colour_at(image, middle(2, 6)) in (LIGHT, DARK)
    assert colour_at(picture(view("sealed", RED)), middle(1, 6)) in (LIGHT, DARK)


def test_an_order_whose_answer_its_reader_does_not_know_leads_to_a_ring() -> None:
    for name, seat in (("sealed", RED), ("asked", RED), ("asked", WHITE), ("asked", OBSERVER)):
        (trace,) = traces(view(name, seat))
        assert trace.answer is None and trace.sealed
        x, y = middle(*trace.end, seat)
        assert colour_at(picture(view(name, seat)), (x - 14, y)) == TRACE
        circles = ET.fromstring(svg(view(name, seat))).iter(f"{SVG}circle")
        assert sum(each.get("stroke") == TRACE for each in circles) == 1


def test_an_order_whose_answer_he_knows_is_done_on_his_board_in_dashes() -> None:
    seen = view("sealed", WHITE)
    (trace,) = traces(seen)
    assert (trace.start, trace.end, trace.answer, trace.sealed) == ((9, 2), (9, 3), True, True)
    image = picture(seen)
    assert colour_at(image, middle(9, 2, WHITE)) == TRACE
    x, y = middle(9, 3, WHITE)
    assert colour_at(image, (x - 26, y - 26)) == INK  # the square of the spy that will have gone there


def test_a_long_foreseen_way_is_dashed() -> None:
    seen = view(game(Variants(), (RED, "A-N4")), WHITE)
    image, x = picture(seen), middle(3, 2, WHITE)[0]
    column = [
        colour_at(image, (x, row)) == TRACE
        for row in range(middle(3, 2, WHITE)[1] + 14, middle(3, 6, WHITE)[1])
    ]
    assert sum(one != other for one, other in pairwise(column)) >= 8


def test_the_picture_of_the_mover_does_not_tell_whether_his_opponent_is_asked() -> None:
    swapped = {**IDENTITY, "L": IDENTITY["X"], "X": IDENTITY["L"]}
    one, other = (
        view(game(Variants(), (RED, "X-N1"), deals={WHITE: IDENTITY, RED: deal}), RED)
        for deal in (IDENTITY, swapped)
    )
    assert png(one) == png(other)
    assert svg(one) == svg(other)


def test_own_types_do_not_reach_the_picture_and_what_was_confided_only_ones_own() -> None:
    before = view("sealed", WHITE)
    assert png(replace(before, own_types=IDENTITY)) == png(before)
    assert png(view("action confided", RED)) == png(view("sealed", RED))
    assert png(view("action confided", WHITE)) != png(view("sealed", WHITE))
    assert png(view("one arranged", WHITE)) == png(view("arranging", WHITE))


@pytest.mark.parametrize("seat", [*SEATS, OBSERVER])
def test_the_drawing_for_keeping_has_every_spy_and_says_whose_view_it_is(seat: Seat) -> None:
    root = ET.fromstring(svg(view("a round", seat)))
    assert root.get("viewBox") == f"0 0 {SIZE} {SIZE}"
    who = "an observer" if seat == OBSERVER else seat.capitalize()
    assert root.findtext(f"{SVG}title") == f"Spies, the board as {who} sees it"
    letters = [element.text for element in root.iter(f"{SVG}text")]
    for piece in view("a round", seat).board.pieces.values():
        assert piece.letter in letters


@pytest.mark.parametrize("look", [confusion.LOOK, LOOK], ids=lambda look: look.title)
def test_a_letter_and_the_number_of_its_type_stand_apart_and_whole(look: Look) -> None:
    """Of every piece with every type: neither cuts the other, nor the edge of the square, also where that is Z's."""
    parts = confusion._parts(look)
    inner = range(9, TILE - 9)
    for (seat, letter), upper in parts.letters.items():
        above = _rows(upper, confusion._TOP_OF_LETTER)
        for (side, number), lower in parts.types.items():
            below = _rows(lower, confusion._TOP_OF_TYPE)
            if side == seat:
                assert above.stop < below.start, (letter, number)
                assert above.start in inner and below.stop - 1 in inner, (letter, number)
                assert not _is_cut(upper) and not _is_cut(lower), (letter, number)


def _rows(glyph: Image.Image, top: int) -> range:
    """Return the rows of a tile that a letter or a number takes."""
    _, above, _, below = ink_of(glyph).getbbox() or (0, 0, 0, 0)
    return range(top + above, top + below)


def _is_cut(glyph: Image.Image) -> bool:
    """Return whether ink reaches the edge of the box in which it was drawn."""
    left, above, right, below = ink_of(glyph).getbbox() or (0, 0, 0, 0)
    return left == 0 or above == 0 or right == glyph.width or below == glyph.height
