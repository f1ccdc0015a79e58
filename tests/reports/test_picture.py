"""The board as a picture: one size, one palette, and nothing in it that the view does not hold."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from PIL import Image, ImageChops, ImageFilter

from referee.rulebooks.confusion.picture import DARK, LIGHT, MOVES, NEUTRAL, SIZE, TILE, TRACE, png, svg
from referee.rulebooks.confusion.position import View
from referee.rulebooks.confusion.reach import reach
from referee.rulebooks.drawing import INK, PAPER
from referee.rulebooks.rulebook import Seat
from tests.reports.material import CONFUSION, WHITE, WHOLE, YELLOW, after, heard_by


def view(attempts: int, seat: Seat) -> View:
    return CONFUSION.rules.view(heard_by(seat, after(attempts)), seat)


VIEWS = [view(attempts, seat) for attempts in (0, 1, 12, 61, 75, WHOLE) for seat in (WHITE, YELLOW)]


def picture(of: View) -> Image.Image:
    return Image.open(io.BytesIO(png(of)))


def middle(file: int, rank: int) -> tuple[int, int]:
    """Return the middle of a square as Yellow sees it."""
    edge = (SIZE - 11 * TILE) // 2
    return edge + (file - 1) * TILE + TILE // 2, edge + (11 - rank) * TILE + TILE // 2


def colours(image: Image.Image) -> set[str]:
    """Return every colour that a picture shows somewhere."""
    found = image.convert("RGB").getcolors() or []
    return {f"#{red:02x}{green:02x}{blue:02x}" for _, (red, green, blue) in found}  # type: ignore[misc]


def colour_at(image: Image.Image, at: tuple[int, int]) -> str:
    red, green, blue = image.convert("RGB").getpixel(at)  # type: ignore[misc]
    return f"#{red:02x}{green:02x}{blue:02x}"


def test_size_and_palette_are_the_same_for_every_view() -> None:
    pictures = [picture(each) for each in VIEWS]
    assert {each.size for each in pictures} == {(SIZE, SIZE)}
    assert {each.mode for each in pictures} == {"P"}
    palettes = {tuple(each.getpalette() or ()) for each in pictures}
    assert len(palettes) == 1
    assert len(palettes.pop()) // 3 <= 16


@pytest.mark.parametrize("number", range(len(VIEWS)))
def test_a_picture_is_opaque_and_small(number: int) -> None:
    content = png(VIEWS[number])
    assert len(content) < 20_000
    assert "transparency" not in picture(VIEWS[number]).info


def test_the_same_view_gives_the_same_bytes() -> None:
    assert png(view(61, WHITE)) == png(view(61, WHITE))
    assert svg(view(61, WHITE)) == svg(view(61, WHITE))


def test_own_types_do_not_reach_the_picture() -> None:
    before = view(61, WHITE)
    knowing = replace(before, own_types=dict.fromkeys("ACEHKLNOPSTV", 7))
    assert png(before) == png(knowing)
    assert svg(before) == svg(knowing)


def test_the_opponents_types_are_shown() -> None:
    before = view(61, WHITE)
    other = replace(before, opponent_types={**before.opponent_types, "C": 3})
    assert png(before) != png(other)
    assert svg(before) != svg(other)


def test_z_alone_fills_its_square() -> None:
    image = picture(view(0, YELLOW))
    x, y = middle(6, 6)
    assert colour_at(image, (x - TILE // 2 + 1, y - TILE // 2 + 1)) == NEUTRAL
    assert colour_at(image, middle(6, 5)) in (LIGHT, DARK)


def test_the_square_of_z_is_dark_around_its_holder() -> None:
    x, y = middle(4, 8)
    image = picture(view(61, YELLOW))
    for corner in ((-31, -31), (30, 30), (-31, 30)):
        assert colour_at(image, (x + corner[0], y + corner[1])) == NEUTRAL


def test_an_attempt_that_was_answered_yes_is_a_line_from_a_dot() -> None:
    image = picture(view(61, YELLOW))
    assert colour_at(image, middle(4, 10)) == TRACE
    assert colour_at(image, middle(4, 9)) == TRACE


def test_an_attempt_that_was_answered_no_is_dashed_and_ends_in_a_cross() -> None:
    image = picture(view(53, YELLOW))
    attempt = view(53, YELLOW).board.attempts[-1]
    assert (attempt.text, attempt.answer, attempt.end) == ("T-N2", False, (4, 9))
    x, y = middle(4, 9)
    assert colour_at(image, (x + 9, y + 9)) == TRACE
    assert colour_at(image, (x - 9, y + 9)) == TRACE
    column = [colour_at(image, (x, row)) == TRACE for row in range(y, middle(4, 7)[1])]
    assert sum(one != other for one, other in pairwise(column)) >= 5


def test_pieces_have_a_dark_outline() -> None:
    image = picture(view(0, YELLOW))
    x, y = middle(3, 2)
    assert colour_at(image, (x - 26, y)) == INK
    x, y = middle(3, 10)
    assert colour_at(image, (x - 26, y)) == INK


def test_each_side_sees_its_own_discs_below_and_the_squares_of_the_other_above() -> None:
    for seat in (YELLOW, WHITE):
        image = picture(view(0, seat))
        x, y = middle(3, 2)
        assert colour_at(image, (x - 26, y - 26)) in (LIGHT, DARK)
        x, y = middle(3, 10)
        assert colour_at(image, (x - 26, y - 26)) == INK
    assert png(view(0, YELLOW)) != png(view(0, WHITE))


@pytest.mark.parametrize("number", range(len(VIEWS)))
def test_the_drawing_for_keeping_is_one_svg_with_every_piece(number: int) -> None:
    seen = VIEWS[number]
    root = ET.fromstring(svg(seen))
    assert root.get("viewBox") == f"0 0 {SIZE} {SIZE}"
    letters = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    for piece in seen.board.pieces.values():
        assert piece.letter in letters
    own = sum(piece.seat == seen.seat for piece in seen.board.pieces.values())
    trace = bool(seen.board.attempts and seen.board.attempts[-1].answer)
    assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) == own + trace


def test_a_move_that_is_known_is_a_filled_triangle_where_the_piece_would_come_in() -> None:
    seen = view(41, YELLOW)
    assert known(seen)["C", (4, 2), "E"] is True
    image = picture(seen)
    x, y = middle(4, 2)
    assert colour_at(image, (x - TILE // 2 + 6, y)) == MOVES
    assert colour_at(image, (x + TILE // 2 - 6, y)) == DARK


def test_a_move_that_is_possible_is_an_outlined_triangle() -> None:
    seen = view(41, YELLOW)
    assert known(seen)["H", (6, 4), "E"] is False
    image = picture(seen)
    x, y = middle(6, 4)
    assert colour_at(image, (x - TILE // 2 + 3, y)) == MOVES
    assert colour_at(image, (x - TILE // 2 + 7, y)) == PAPER


def test_a_slanting_move_comes_in_by_the_corner() -> None:
    seen = view(41, YELLOW)
    assert known(seen)["T", (7, 2), "SW"] is False
    x, y = middle(7, 2)
    assert colour_at(picture(seen), (x + TILE // 2 - 4, y - TILE // 2 + 18)) == MOVES


def test_a_mark_on_z_is_white() -> None:
    seen = view(41, WHITE)
    assert (seen.board.z, known(seen)["T", (3, 9), "S"]) == ((3, 9), False)
    edge = (SIZE - 11 * TILE) // 2
    x, y = edge + (11 - 3) * TILE + TILE // 2, edge + (9 - 1) * TILE + TILE // 2
    image = picture(seen)
    assert colour_at(image, (x, y + TILE // 2 - 2)) == "#ffffff"
    assert colour_at(image, (x, y + TILE // 2 - 5)) == NEUTRAL


@pytest.mark.parametrize("seat", [WHITE, YELLOW])
def test_no_move_is_marked_in_a_game_without_sheets_or_after_the_end(seat: Seat) -> None:
    seen = view(41, seat)
    assert MOVES in colours(picture(seen))
    assert MOVES in svg(seen)
    for other in (replace(seen, sheets=False), view(WHOLE, seat), view(0, seat)):
        assert MOVES not in colours(picture(other))
        assert MOVES not in svg(other)
        assert "Triangles" not in svg(other)


@pytest.mark.parametrize("number", range(len(VIEWS)))
def test_the_drawing_for_keeping_marks_the_same_moves(number: int) -> None:
    seen = VIEWS[number]
    root = ET.fromstring(svg(seen))
    marks = list(root.iter("{http://www.w3.org/2000/svg}polygon"))
    assert len(marks) == len(reach(seen))
    filled = sum(mark.get("fill") == mark.get("stroke") for mark in marks)
    assert filled == sum(each.known for each in reach(seen))


@pytest.mark.parametrize("seat", [WHITE, YELLOW])
@pytest.mark.parametrize("attempts", [14, 33, 52, 67, 68, 72])
def test_the_line_of_the_last_attempt_touches_no_mark(attempts: int, seat: Seat) -> None:
    image = picture(view(attempts, seat))
    line, marks = (mask_of(image, colour) for colour in (TRACE, MOVES))
    assert line.getbbox()
    assert marks.getbbox()
    assert ImageChops.multiply(line.filter(ImageFilter.MaxFilter(3)), marks).getbbox() is None


def mask_of(image: Image.Image, colour: str) -> Image.Image:
    """Return where a picture has a colour, in white on black."""
    rgb = image.convert("RGB")
    apart = ImageChops.difference(rgb, Image.new("RGB", rgb.size, colour)).split()
    found = ImageChops.lighter(ImageChops.lighter(apart[0], apart[1]), apart[2])
    return found.point(lambda part: 0 if part else 255)


def test_a_mark_on_the_line_of_the_last_attempt_stands_clear_of_it() -> None:
    seen = view(52, YELLOW)
    assert seen.board.attempts[-1].text == "S-E1"
    assert known(seen)["S", (7, 1), "W"] is True
    image = picture(seen)
    x, y = middle(7, 1)
    assert colour_at(image, (x, y)) == TRACE
    assert colour_at(image, (x + TILE // 2 - 6, y)) == MOVES
    assert colour_at(image, (x + TILE // 2 - 15, y)) == DARK
    parts = [(part.tag.rpartition("}")[2], part.get("stroke")) for part in ET.fromstring(svg(seen))]
    assert parts.index(("line", TRACE)) < parts.index(("path", DARK)) < parts.index(("polygon", MOVES))


def drawn(seen: View, tag: str) -> list[ET.Element]:
    """Return the shapes of a kind in the drawing for keeping."""
    return list(ET.fromstring(svg(seen)).iter(f"{{http://www.w3.org/2000/svg}}{tag}"))


@pytest.mark.parametrize("seat", [WHITE, YELLOW])
def test_the_line_of_the_last_attempt_leaves_pieces_and_z_free(seat: Seat) -> None:
    """In the drawing for keeping as in the picture: it ends outside of what stands where it begins and ends."""
    for attempts in range(1, WHOLE):
        seen = view(attempts, seat)
        line = next(each for each in drawn(seen, "line") if each.get("stroke") == TRACE)
        for end in ((line.get("x1"), line.get("y1")), (line.get("x2"), line.get("y2"))):
            at = [float(part or 0) for part in end]
            for square in (*seen.board.pieces, seen.board.z):
                far = max(abs(part - mid) for part, mid in zip(at, seen_middle(square, seat), strict=True))
                assert far > TILE / 2 - 3, (attempts, square)


def seen_middle(square: tuple[int, int], seat: Seat) -> tuple[int, int]:
    """Return the middle of a square as a seat sees it."""
    file, rank = square
    return middle(file, rank) if seat == YELLOW else middle(12 - file, 12 - rank)


def known(seen: View) -> dict[tuple[str, tuple[int, int], str], bool]:
    return {(each.letter, each.square, each.direction): each.known for each in reach(seen)}
