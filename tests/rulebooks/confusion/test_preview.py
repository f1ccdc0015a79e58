"""A preview says what public facts and the player's own sheet say of a move, and refuses what a move is refused for."""

from __future__ import annotations

from random import Random

import pytest

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.rulebooks.confusion import Confusion, deduction, preview
from referee.rulebooks.confusion.compass import WHITE, YELLOW
from referee.rulebooks.confusion.conditions import CONDITIONS, heard_conditions
from referee.rulebooks.confusion.fold import COURSE
from referee.rulebooks.confusion.happenings import ATTEMPTED, attempted, read_attempt
from referee.rulebooks.confusion.notation import write_move
from referee.rulebooks.confusion.position import Attempt, View
from referee.rulebooks.confusion.possible import possible_moves
from referee.rulebooks.confusion.preview import Preview
from referee.rulebooks.rulebook import Happening, OrderLine, Seat
from tests.reports.material import after, heard_by
from tests.support.telling import telling

CONFUSION = Confusion()
NO_CHANCE = Chance(bytes(32))


def view_of(seat: Seat, attempts: int) -> View:
    return CONFUSION.rules.view(heard_by(seat, after(attempts)), seat)


def looked_at(view: View, text: str) -> Preview:
    found = CONFUSION.presentation.preview(view, OrderLine(1, text))
    assert isinstance(found, Preview), found
    return found


def refused(view: View, text: str) -> Fault:
    found = CONFUSION.presentation.preview(view, OrderLine(3, text))
    assert isinstance(found, Fault), found
    return found


def played(seed: int, most: int, **options: str) -> list[Happening]:
    """Return a game of so many attempts, drawn at random."""
    random = Random(seed)
    happenings = list(CONFUSION.rules.opening(options, Chance(random.randbytes(32))))
    position = None
    for happening in happenings:
        position = CONFUSION.rules.fold(position, happening)
    for _ in range(most):
        assert position is not None
        if position.board.result is not None:
            break
        seat = position.board.to_move
        move = random.choice(list(possible_moves(position.board, seat)))
        ruled = CONFUSION.rules.adjudicate(position, seat, move, NO_CHANCE)
        happenings += ruled
        for happening in ruled:
            position = CONFUSION.rules.fold(position, happening)
    return happenings


@pytest.mark.telling(seed=range(2))
@pytest.mark.parametrize("seed", telling(range(6), others=range(6, 40)))
def test_a_preview_agrees_with_what_then_comes_to_pass(seed: int) -> None:
    """Squares, capture, Z and promotion are those of the ruling; a certain answer is the one given; else it is open."""
    happenings = played(seed, 40)
    for place, happening in enumerate(happenings):
        if happening.code != ATTEMPTED:
            continue
        attempt = read_attempt(happening)
        before = [each for each in happenings[:place] if attempt.seat in each.heard_by]
        view = CONFUSION.rules.view(before, attempt.seat)
        found = looked_at(view, attempt.text)
        assert (found.start, found.end, found.letter) == (attempt.start, attempt.end, attempt.letter)
        assert found.text == attempt.text.rstrip("+")
        assert (
            len(found.over) == max(abs(found.end[0] - found.start[0]), abs(found.end[1] - found.start[1])) - 1
        )
        if attempt.answer:
            assert found.captured == attempt.captured
            assert found.takes_z == attempt.took_z
            assert found.passed_to == attempt.passed_to
            assert not attempt.promoted or found.rising
        assert found.certain in (None, attempt.answer)
        assert found.promoted or (bool(found.yes) and bool(found.no)) == (found.certain is None)


@pytest.mark.parametrize("text", ["L-S9", "L-N1", "Z-N1", "VZ-N1", "L-SS2", "A-S2xC", "A-S99"])
def test_what_a_real_move_is_refused_for_a_preview_is_refused_for(text: str) -> None:
    view = CONFUSION.rules.view(heard_by(WHITE, played(1, 0, first="white")), WHITE)
    (fault,) = CONFUSION.rules.read_orders(view, [OrderLine(3, text)]).faults
    assert refused(view, text) == fault


def test_a_preview_may_be_asked_for_out_of_turn_but_not_after_the_end() -> None:
    view = view_of(YELLOW, 1)
    assert view.board.to_move == YELLOW
    assert looked_at(view_of(WHITE, 1), "A-S1").text == "A-S1"
    assert refused(view_of(WHITE, 76), "A-S1").code == "over"


def test_a_preview_knows_what_is_captured_and_where_z_goes() -> None:
    view = view_of(WHITE, 60)
    assert view.board.holder() is not None
    home = looked_at(view, "H-S2")
    assert (home.end[1], home.captured, home.takes_z, home.far_rank) == (1, "S", False, False)
    taking = looked_at(view, "H-W1")
    assert taking.captured == "L"
    assert taking.kind is not None
    assert taking.kind.number == str(view.opponent_types["L"])
    with_z = looked_at(view, "VZ-N1")
    assert (with_z.with_z, with_z.takes_z, with_z.far_rank) == (True, False, False)
    passing = looked_at(view, "Z-W1")
    assert (passing.passes_z, passing.letter, passing.passed_to) == (True, "V", "")


def test_a_preview_says_when_a_yes_would_win_unless_answered() -> None:
    """Before each attempt of the sample game with a yes, held against what hung over the other side then."""
    whole = after(76)
    told = []
    for place, happening in enumerate(whole):
        if happening.code == ATTEMPTED and (attempt := read_attempt(happening)).answer:
            found = looked_at(
                CONFUSION.rules.view(heard_by(attempt.seat, whole[:place]), attempt.seat), attempt.text
            )
            then = CONFUSION.rules.view(heard_by(attempt.seat, whole[: place + 1]), attempt.seat).board
            if found.with_z or found.passes_z or found.takes_z:
                assert found.far_rank == (then.threat is not None and then.threat[0] == attempt.seat)
                told.append(found.far_rank)
            else:
                assert not found.far_rank
    assert set(told) == {True, False}


def test_who_can_still_be_what_is_asked_of_the_sheet_and_nothing_of_the_deal() -> None:
    view = view_of(WHITE, 60)
    left = set(deduction.sheet(view.board.table, view.board.attempts, WHITE).open["H"])
    found = looked_at(view, "H-S2")
    assert found.known
    assert {int(row.number) for row in (*found.yes, *found.no)} == left
    assert not {row.number for row in found.yes} & {row.number for row in found.no}


def test_without_sheets_a_preview_says_what_the_table_says_and_deduces_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    happenings = played(3, 20, sheets="off")
    monkeypatch.setattr(preview, "sheet", None)
    view = CONFUSION.rules.view(heard_by(YELLOW, happenings), YELLOW)
    asked = [looked_at(view, write_move(move)) for move in possible_moves(view.board, YELLOW)]
    assert asked
    for found in asked:
        assert not found.known
        assert found.promoted or len(found.yes) + len(found.no) == 12


def test_two_views_that_are_equal_are_shown_the_same() -> None:
    one, other = played(5, 12), played(5, 12)
    for seat in (WHITE, YELLOW):
        views = [CONFUSION.rules.view(heard_by(seat, each), seat) for each in (one, other)]
        for move in possible_moves(views[0].board, seat):
            line = OrderLine(1, write_move(move))
            assert CONFUSION.presentation.preview(views[0], line) == CONFUSION.presentation.preview(
                views[1], line
            )


def tried(seat: Seat, *, answer: bool, **changes: object) -> Happening:
    return attempted(Attempt(1, seat, "L-S2", answer, (1, 1), (1, 3), letter="L", **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("heard", "holds"),
    [
        ([tried(WHITE, answer=True)], {"yes"}),
        ([tried(WHITE, answer=False)], {"no"}),
        ([tried(WHITE, answer=True, captured="A")], {"yes", "captured"}),
        ([tried(WHITE, answer=True, promoted=True)], {"yes", "promoted"}),
        ([tried(WHITE, answer=True, promoted=False)], {"yes"}),
        ([tried(WHITE, answer=True, took_z=True)], {"yes", "z"}),
        ([tried(WHITE, answer=False), tried(YELLOW, answer=True, captured="A")], {"no", "lost"}),
        ([tried(WHITE, answer=False), tried(YELLOW, answer=True, took_z=True)], {"no"}),
        ([], set()),
    ],
)
def test_conditions_hold_by_what_was_heard_since_the_attempt(heard: list[Happening], holds: set[str]) -> None:
    assert heard_conditions(heard) == holds
    assert holds <= set(CONDITIONS)


def test_a_turn_of_the_past_is_found_by_what_had_been_heard_when_it_came() -> None:
    happenings = played(2, 9, first="white")
    heard = heard_by(WHITE, happenings)
    for turn in (1, 2, 3):
        count = COURSE.turn_of(heard, WHITE, turn)
        assert count is not None
        board = CONFUSION.rules.view(heard[:count], WHITE).board
        assert (board.to_move, board.row) == (WHITE, turn)
    assert CONFUSION.rules.view(heard[: COURSE.turn_of(heard, WHITE, 1)], WHITE).opponent_types
    assert COURSE.turn_of(heard, WHITE, 40) is None
    assert COURSE.turn_of(heard, YELLOW, 1) is None  # White began
