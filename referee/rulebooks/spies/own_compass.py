"""Orders as a player sees them, `V-FL2` and `V-FL1 & H-F1`: Confusion's code, for this edition's orders.

Orders without a direction, and set-ups, which name files and ranks as their owner sees them, are the same in
both.
"""

from __future__ import annotations

from referee.common.faults import Fault
from referee.rulebooks.confusion import own_compass as shared
from referee.rulebooks.confusion.own_compass import beside, beside_all, to_own
from referee.rulebooks.rulebook import OrderLine, Seat
from referee.rulebooks.spies.notation import read_order, write_order
from referee.rulebooks.spies.setting_up import words_end
from referee.rulebooks.spies.words import bare

__all__ = ["beside", "beside_all", "from_own", "slip_as_seen", "to_own"]


def from_own(text: str, seat: Seat) -> str:
    """Return a line with its moves by the record's compass; moves that use it already stay unchanged."""
    return text if words_end(bare(text).text) is not None else shared.from_own(text, seat)


def slip_as_seen(fault: Fault, text: str, seat: Seat) -> Fault:
    """Return the fault of an unknown direction worded for the player's own compass, if it is nearer to that one.

    Any other fault is returned unchanged.

    text: the order; the fault's column refers to it.
    """
    return shared.slip_as_seen(fault, text, seat, _tidy)


def _tidy(text: str) -> str:
    order = read_order(OrderLine(1, text))
    return "" if isinstance(order, Fault) else write_order(order)
