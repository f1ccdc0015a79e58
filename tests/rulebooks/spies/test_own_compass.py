"""Orders as they are seen from one's own seat: Confusion's code for moves, and for the orders that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.faults import Fault
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.rulebook import OrderLine
from referee.rulebooks.spies.edition import RED, SEATS
from referee.rulebooks.spies.notation import in_words, read_order, write_order
from referee.rulebooks.spies.orders import Double, Move, Order
from referee.rulebooks.spies.own_compass import beside, beside_all, from_own, slip_as_seen, to_own
from tests.rulebooks.spies.test_notation import ORDERS

SEAT = st.sampled_from(SEATS)


@given(ORDERS, SEAT)
def test_an_order_by_ones_own_compass_reads_as_the_same(order: Order, seat: str) -> None:
    for written in (write_order(order), in_words(order)):
        own = to_own(written, seat)  # type: ignore[arg-type]
        assert read_order(OrderLine(1, from_own(own, seat))) == order  # type: ignore[arg-type]
        if not isinstance(order, Move | Double):
            assert own == written


@given(ORDERS, SEAT)
def test_what_stands_beside_a_move_in_a_letter_does_not_hinder_reading_it(order: Order, seat: str) -> None:
    shown = beside(write_order(order), seat)  # type: ignore[arg-type]
    assert read_order(OrderLine(1, from_own(shown, seat))) == order  # type: ignore[arg-type]
    assert ("(" in shown) == isinstance(order, Move | Double)


def test_red_sees_the_board_from_the_south_and_white_from_the_north() -> None:
    assert to_own("V-NW2xX & X-E1", RED) == "V-FL2xX & X-R1"
    assert to_own("V-NW2xX & X-E1", WHITE) == "V-BR2xX & X-L1"
    assert beside("V-NW2xX & X-E1", WHITE) == "V-NW2xX (BR) & X-E1 (L)"
    assert beside_all(["#H", "V-N1", "A<>H"], RED) == ["#H", "V-N1 (F)", "A<>H"]


@pytest.mark.parametrize("text", ["setup L9-2 R8-1", "setup: x-f1 R2-2", "agent as 4", "swap L H", "#xL"])
def test_orders_without_a_direction_stay_as_they_are(text: str) -> None:
    assert from_own(text, RED) == text


def test_a_slip_in_one_of_two_moves_is_told_by_ones_own_compass() -> None:
    text = "V-FF1 & H-R1"
    fault = read_order(OrderLine(1, from_own(text, RED)))
    assert isinstance(fault, Fault)
    seen = slip_as_seen(fault, text, RED)
    assert seen.reason().startswith("there is no direction FF; as you see the board")
    assert seen.suggestion == "V-F1 & H-R1"
