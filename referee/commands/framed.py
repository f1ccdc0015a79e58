"""Orders outside the frame that a letter has put around its orders (E2): above its heading, or below its END."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from referee.commands.command import Command, Order
from referee.commands.grammar import Understanding, not_read
from referee.commands.headings import read_frame


def within_frame(read: Understanding, is_framed: Callable[[Command], bool]) -> Understanding:
    """Return what was made of a letter without the orders outside its frame; their writer is told of each.

    is_framed: whether an order is one of a game whose orders have a frame. The words of the desk have none: whoever
    asks for something below END asks for it.
    """
    frame = read_frame(read.passed_over)
    outside = [
        each
        for each in read.commands
        if isinstance(each, Order) and not frame.holds(each.line) and is_framed(each)
    ]
    if not outside:
        return read
    kept = tuple(each for each in read.commands if each not in outside)
    return replace(read, commands=kept, faults=(*read.faults, *(not_read(each.line) for each in outside)))
