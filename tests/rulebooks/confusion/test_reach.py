"""Where one's own pieces can go, as far as one can know: by hand, and against all types that are left."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rulebooks.confusion.adjudicate import adjudicate, answer_to
from referee.rulebooks.confusion.compass import opponent, square_after
from referee.rulebooks.confusion.deduction import sheet
from referee.rulebooks.confusion.fold import fold_position
from referee.rulebooks.confusion.position import WHITE, YELLOW, Attempt, Piece, Position, Square, View
from referee.rulebooks.confusion.possible import possible_moves
from referee.rulebooks.confusion.reach import Reach, reach
from referee.rulebooks.rulebook import Result, Seat
from tests.rulebooks.confusion.boards import opened, position

Told = tuple[str, str, int, bool]
"""Of an attempt: letter, direction, squares, answer."""


def view_of(where: Position, seat: Seat = YELLOW) -> View:
    return View(seat, where.board, where.deals[opponent(seat)], None)


def told(where: Position, *answers: Told, seat: Seat = YELLOW) -> View:
    """Return a seat's view of a position in which it has heard these answers, got elsewhere on the board."""
    start = (6, 5)
    attempts = tuple(
        Attempt(1, seat, "told", yes, start=start, end=square_after(start, direction, length), letter=letter)
        for letter, direction, length, yes in answers
    )
    return view_of(replace(where, board=replace(where.board, attempts=attempts)), seat)


def marked(found: tuple[Reach, ...], *, known: bool) -> set[tuple[str, Square]]:
    return {(each.direction, each.square) for each in found if each.known == known}


ROCKET = ("A", "N", 4, True)
"""Four squares forward: for the Rocket alone."""


def test_a_piece_whose_type_is_certain_has_known_moves_alone() -> None:
    found = reach(told(position(yellow={"A": (6, 1)}, z=(1, 11)), ROCKET))
    assert marked(found, known=True) == {("N", (6, rank)) for rank in (2, 3, 4, 5)}
    assert marked(found, known=False) == set()
    assert {each.letter for each in found} == {"A"}


def test_a_move_is_known_if_every_type_left_can_make_it_and_possible_if_some_can() -> None:
    """Three squares forward: the Rocket, which goes four, or the Probe, which goes back on the slant (CF-7.1)."""
    found = reach(told(position(yellow={"A": (6, 5)}, z=(1, 11)), ("A", "N", 3, True)))
    assert marked(found, known=True) == {("N", (6, 6)), ("N", (6, 7)), ("N", (6, 8))}
    assert marked(found, known=False) == {
        ("N", (6, 9)),
        *(("SE", (6 + length, 5 - length)) for length in (1, 2, 3)),
        *(("SW", (6 - length, 5 - length)) for length in (1, 2, 3)),
    }


def test_what_follows_for_other_pieces_counts() -> None:
    """C goes three squares forward and A is the Rocket, so C is the Probe: its way is no longer than three (CF-7.2)."""
    where = position(yellow={"C": (6, 4)}, z=(1, 11))
    found = reach(told(where, ROCKET, ("C", "N", 3, True)))
    assert marked(found, known=False) == set()
    assert ("N", (6, 7)) in marked(found, known=True)
    assert ("SE", (8, 2)) in marked(found, known=True)


def test_forward_is_as_the_owner_looks() -> None:
    view = told(position(white={"A": (6, 9)}, z=(1, 11)), ("A", "S", 4, True), seat=WHITE)
    assert marked(reach(view), known=True) == {("S", (6, rank)) for rank in (8, 7, 6, 5)}


@pytest.mark.parametrize(
    ("start", "z", "white", "yellow", "farthest"),
    [
        ((6, 1), (1, 11), {}, {}, 5),
        ((6, 9), (1, 11), {}, {}, 11),
        ((6, 11), (1, 11), {}, {}, None),
        ((6, 1), (6, 3), {}, {}, 3),
        ((6, 1), (1, 11), {"E": (6, 4)}, {}, 4),
        ((6, 1), (6, 4), {"E": (6, 4)}, {}, 4),
        ((6, 1), (1, 11), {}, {"E": (6, 4)}, 3),
        ((6, 1), (6, 4), {}, {"E": (6, 4)}, 3),
        ((6, 1), (1, 11), {}, {"E": (6, 2)}, None),
        ((6, 1), (6, 1), {}, {}, 5),
    ],
    ids=[
        "reach",
        "edge",
        "at-the-edge",
        "z",
        "enemy",
        "enemy-on-z",
        "own",
        "own-on-z",
        "own-before-it",
        "z-held",
    ],
)
def test_a_way_ends_at_the_first_thing_in_it(
    start: Square, z: Square, white: dict[str, Square], yellow: dict[str, Square], farthest: int | None
) -> None:
    """Over nothing; onto an enemy or Z, but not onto one's own (CF-4.2, CF-5.4)."""
    found = reach(told(position(yellow={"A": start, **yellow}, white=white, z=z), ROCKET))
    last = max((each.square[1] for each in found), default=None)
    assert last == farthest
    assert len(found) == (0 if farthest is None else farthest - start[1])


def test_a_piece_of_which_hardly_anything_is_known_has_no_marks() -> None:
    assert reach(told(position(yellow={"A": (6, 5), "C": (3, 3)}, z=(1, 11)))) == ()
    only_a = reach(told(position(yellow={"A": (6, 5), "C": (3, 3)}, z=(1, 11)), ("A", "N", 1, False)))
    assert {each.letter for each in only_a} == {"A"}


def test_a_piece_that_was_not_tried_has_marks_once_half_of_the_types_are_ruled_out() -> None:
    """Each of these is found out by its answers: the Rocket, the Probe, Crab, Abbot, King, Wimp."""
    answers = [
        ROCKET,
        ("C", "N", 3, True),
        *(("E", "NE", 2, True), ("E", "E", 2, True), ("E", "N", 1, False)),
        ("H", "NE", 3, True),
        *(("K", "SE", 1, True), ("K", "E", 1, True), ("K", "N", 1, True)),
        *(("L", "SE", 1, True), ("L", "E", 1, True), ("L", "N", 1, False)),
    ]
    where = position(yellow={"V": (6, 5)}, z=(1, 11))
    assert reach(told(where, *answers[:-2])) == ()
    found = reach(told(where, *answers))
    assert found != ()
    left = sheet(where.board.table, told(where, *answers).board.attempts, YELLOW).open["V"]
    assert left == (3, 4, 5, 7, 10, 11)


def test_a_promoted_piece_goes_as_the_promoted_do_whatever_it_was() -> None:
    """Two squares in all directions, all of them known (CF-4.4)."""
    where = position(yellow={"A": (6, 6)}, z=(1, 11), promoted=[(YELLOW, "A")])
    for view in (told(where), told(where, ("A", "N", 1, False))):
        found = reach(view)
        assert len(found) == 16
        assert all(each.known for each in found)


def test_only_the_readers_own_pieces_have_marks() -> None:
    where = position(yellow={"A": (6, 1)}, white={"A": (3, 9)}, z=(1, 11))
    assert reach(replace(told(where, ROCKET), seat=WHITE)) == ()


def test_a_captured_piece_has_no_marks() -> None:
    assert reach(told(position(yellow={"E": (6, 1)}, z=(1, 11)), ROCKET)) == ()


def test_nothing_is_marked_without_sheets_nor_after_the_end() -> None:
    view = told(position(yellow={"A": (6, 1)}, z=(1, 11)), ROCKET)
    assert reach(view) != ()
    assert reach(replace(view, sheets=False)) == ()
    over = replace(view.board, result=Result(YELLOW, "by resignation"))
    assert reach(replace(view, board=over)) == ()


def test_no_type_of_either_side_is_asked_for() -> None:
    view = told(position(yellow={"A": (6, 1)}, z=(1, 11)), ("A", "N", 3, True))
    knowing = replace(view, own_types={"A": 2}, opponent_types={})
    assert reach(knowing) == reach(view)


@pytest.mark.slow
@given(dice=st.randoms(use_true_random=False), turns=st.integers(0, 40), secret=st.integers(0, 255))
@settings(max_examples=60, deadline=None)
def test_marks_are_what_each_type_left_would_be_answered(dice: Random, turns: int, secret: int) -> None:
    where, _ = opened(secret)
    for _ in range(turns):
        board = where.board
        if board.result is not None:
            break
        move = dice.choice(list(possible_moves(board, board.to_move)))
        for happening in adjudicate(where, board.to_move, move):
            where = fold_position(where, happening)
    for seat in (WHITE, YELLOW):
        view = View(seat, where.board, {}, None)
        expected = set() if where.board.result else asked(where, seat)
        found = reach(view)
        assert set(found) == expected
        assert len(found) == len(expected)
        comings = [(each.square, each.direction) for each in found]
        assert len(set(comings)) == len(comings)


def asked(where: Position, seat: Seat) -> set[Reach]:
    """Return the marks by asking of every move that may be attempted how each type left would be answered."""
    said = sheet(where.board.table, where.board.attempts, seat)
    found = set()
    for move in possible_moves(where.board, seat):
        piece: Piece | None = where.board.piece(seat, move.letter) if move.letter else None
        if piece is None or move.with_z:
            continue
        hardly_known = said.own[move.letter].bit_count() == 12 and len(said.open[move.letter]) > 6
        if hardly_known and not piece.promoted:
            continue
        answers = []
        for number in said.open[move.letter]:
            supposed = Position(where.board, {**where.deals, seat: {move.letter: number}})
            answers.append(answer_to(supposed, seat, move)[0])
        if any(answers):
            end = square_after(piece.square, move.direction, move.length)
            found.add(Reach(move.letter, end, move.direction, known=all(answers)))
    return found
