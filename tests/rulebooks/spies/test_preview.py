"""A preview of the thirteen spies: on the board that the player will find, with the double agent in mind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.common.faults import Fault
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.confusion.happenings import ATTEMPTED, read_attempt
from referee.rulebooks.confusion.possible import possible_moves
from referee.rulebooks.confusion.preview import Preview
from referee.rulebooks.rulebook import OrderLine, Seat
from referee.rulebooks.spies.deduction import mine
from referee.rulebooks.spies.edition import RED
from referee.rulebooks.spies.notation import write_order
from referee.rulebooks.spies.outlook import outlook
from referee.rulebooks.spies.position import Position
from referee.rulebooks.spies.preview import preview
from tests.rulebooks.spies.small import drawn_game, steps
from tests.rulebooks.spies.tables import play, position, read, say, view_of
from tests.support.telling import telling


def begun(**variants: bool) -> Position:
    """Return a position in which Red's A1, H4, K5 and the double agent X stand apart, with Z at H."""
    return position(
        red={"A": (2, 2), "H": (4, 10), "K": (8, 10), "X": (10, 2)},
        white={"A": (2, 10), "H": (3, 11), "C": (6, 10), "X": (10, 10)},
        z=(4, 10),
        **variants,  # type: ignore[arg-type]
    )


def looked_at(where: Position, text: str, seat: Seat = RED) -> Preview:
    found = preview(view_of(where, seat), OrderLine(1, text))
    assert isinstance(found, Preview), found.sentence()
    return found


def refused(where: Position, text: str, seat: Seat = RED) -> Fault:
    found = preview(view_of(where, seat), OrderLine(3, text))
    assert isinstance(found, Fault), found
    assert found.place is not None and found.place.line == 3
    return found


def numbers(found: Preview) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return found.yes.numbers, found.no.numbers


def test_whoever_can_be_the_double_agent_is_answered_as_the_opponent_likes() -> None:
    found = looked_at(begun(), "A-N1")
    assert (found.known, found.agent, found.certain) == (True, True, None)
    assert numbers(found) == (tuple("1234567"), ("8", "9", "10", "11", "12"))


def test_an_answer_is_certain_for_whom_the_double_agent_is_not() -> None:
    where, _ = play(begun(), "A-N4", "#xX; A-E1")
    found = looked_at(where, "A-N1")
    assert (found.agent, found.certain, found.yes.numbers) == (False, True, ("1",))
    assert looked_at(where, "A-E1").certain is False
    where, _ = play(begun(), "A-N4", "A-E1")
    assert (looked_at(where, "A-N1").agent, looked_at(where, "A-N1").certain) == (True, None)


def test_a_double_agent_who_is_known_is_neither_of_yes_nor_of_no() -> None:
    where, _ = play(begun(), "X-N1", "allow; A-E1", "X-N1", "deny; A-E1")
    found = looked_at(where, "X-N1")
    assert (found.agent, found.certain, found.yes, found.no) == (True, None, (), ())


def test_cf_10_2_home_with_the_briefcase_wins_at_once_unless_contact_is_late() -> None:
    found = looked_at(begun(), "HZ-N1")
    assert (found.far_rank, found.at_once) == (True, True)
    late = looked_at(begun(late_contact=True), "HZ-N1")
    assert (late.far_rank, late.at_once) == (True, False)
    assert looked_at(begun(), "H-N1").at_once is False


def test_cf_10_12_a_comrade_rises_who_wants_to() -> None:
    where = begun(comrade=True)
    found = looked_at(where, "K-N1+")
    assert (found.text, found.wished, found.agent) == ("K-N1+", True, True)
    assert found.rising == found.yes
    found = looked_at(where, "K-N1")
    assert (found.text, found.wished, found.rising) == ("K-N1", False, ())
    classic = looked_at(begun(), "K-N1")
    assert (classic.wished, classic.rising.numbers) == (False, ("1", "5"))


def test_cf_10_8_it_is_made_on_the_board_that_will_be_found() -> None:
    """White's Rocket will have gone three forward by then, and that it has is told by its type alone."""
    where = position(red={"A": (2, 2), "K": (3, 5)}, white={"A": (2, 8), "K": (9, 10)}, to_move=WHITE)
    where, _ = say(where, "A-S3")
    assert looked_at(where, "K-W1").captured == "A"
    assert looked_at(where, "K-W1").kind is not None
    assert looked_at(where, "A-N3").captured == "A"
    before = position(red={"A": (2, 2), "K": (3, 5)}, white={"A": (2, 8), "K": (9, 10)}, to_move=WHITE)
    assert looked_at(before, "K-W1").captured == "", "nothing waits yet"


def test_what_the_player_wants_done_before_is_reckoned_with() -> None:
    where, _ = say(position(red={"A": (2, 2), "H": (4, 2), "K": (8, 2)}, white={"A": (2, 10)}), "A<>H")
    assert looked_at(where, "K-N1").start == (8, 2)
    assert refused(where, "A-N1").code == "barred"


def test_where_an_answer_is_due_first_it_is_asked_for() -> None:
    where, _ = say(begun(), "X-N1")
    due = refused(where, "A-E1", WHITE)
    (fault,) = read(where, "A-E1").faults
    assert due.code == fault.code
    where, _ = say(where, "deny")
    assert looked_at(where, "A-E1", WHITE).text == "A-E1"


@pytest.mark.parametrize(
    ("text", "code", "suggestion"),
    [
        ("#H", "no-move", ""),
        ("allow", "no-move", ""),
        ("agent always", "no-move", ""),
        ("A-N1 & K-S1", "no-move", "A-N1"),
        ("A-N9", "no-type-goes-so", "A-N4"),
        ("B-N1", "no-such-letter", "P-N1"),
    ],
)
def test_what_is_no_attempt_is_refused(text: str, code: str, suggestion: str) -> None:
    fault = refused(begun(), text)
    assert (fault.code, fault.suggestion) == (code, suggestion)


def test_nothing_follows_a_turn_that_ends_the_game() -> None:
    where, _ = say(begun(), "HZ-N1")
    assert refused(where, "A-E1", WHITE).rule == "CF-10.2"
    where, _ = say(where, "A-E1")
    assert where.table.board.result is not None
    assert refused(where, "A-E1", WHITE).code == "over"


@pytest.mark.parametrize("seed", telling(range(700, 708), others=range(708, 760)))
def test_a_preview_agrees_with_what_then_comes_to_pass(seed: int) -> None:
    """Whatever is certain comes to pass; else both answers do, or the double agent may be about."""
    random, where = drawn_game(seed, 4)
    for step in steps(random, where, 20):
        view = view_of(step.before, step.before.table.board.to_move)
        sealed = step.after.table.sealed
        if sealed is None or sealed is step.before.table.sealed or len(sealed.tries) != 1:
            continue
        found = preview(view, OrderLine(1, write_order(sealed.tries[0])))
        assert isinstance(found, Preview), found.sentence()
        assert found.text == write_order(sealed.tries[0])
        _hold_against_the_answer(step.after, found, sealed.seat)


def _hold_against_the_answer(where: Position, found: Preview, seat: Seat) -> None:
    """Open the turn that waits, and hold what comes of it against its preview."""
    other = where.table.board.edition.other(seat)
    look = outlook(view_of(say(where, "agent always", seat=other)[0] if not _honour(where) else where, other))
    (first, *_) = [each for each in look.brings if each.code == ATTEMPTED]
    attempt = read_attempt(first)
    assert (found.start, found.end, found.letter) == (attempt.start, attempt.end, attempt.letter)
    assert found.certain in (None, attempt.answer)
    if attempt.answer:
        assert (found.captured, found.takes_z, found.passed_to) == (
            attempt.captured,
            attempt.took_z,
            attempt.passed_to,
        )
        assert not attempt.promoted or found.rising
    number = where.deals[seat][found.letter]
    row = where.table.board.table.row(number)
    if not found.promoted:
        assert found.agent or row.number != "?"
        assert row.number == "?" or row in (found.yes if attempt.answer else found.no)


def _honour(where: Position) -> bool:
    return where.table.variants.code_of_honour


def test_without_sheets_a_preview_deduces_nothing() -> None:
    where, _ = play(begun(), "A-N4", "#xX; A-E1")
    view = replace(view_of(where, RED), sheets=False)
    assert mine(view).certain("A") == 1
    for move in possible_moves(view.board, RED):
        found = preview(view, OrderLine(1, write_order(move)))
        assert isinstance(found, Preview)
        assert (found.known, found.agent) == (False, True)
        assert len(found.yes) + len(found.no) == 12
