"""Removes orders outside the frame of a letter's orders (E2): above its heading, or below its END."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from referee.commands.command import Command, Order
from referee.commands.grammar import Understanding, not_read
from referee.commands.headings import read_frame


def within_frame(read: Understanding, is_framed: Callable[[Command], bool]) -> Understanding:
    """Return a letter's reading without the orders outside its frame; each becomes a fault.

    Command words are not affected: they apply even below END.

    is_framed: whether an order is one of a game whose orders have a frame.
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
