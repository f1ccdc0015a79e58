"""Shows a held letter's commands to the player in whose name they came, who may not have written them.

The text consists of command words, moves as a rulebook writes them, and short numbers; nothing is copied from
the letter, so that no message by a forger gets into one of the service's letters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.commands.command import (
    Accept,
    Agree,
    Bye,
    Cancel,
    Command,
    Confirm,
    Decline,
    Draw,
    Games,
    Join,
    Mute,
    NewTag,
    Order,
    Preview,
    Record,
    Rematch,
    Resend,
    Resign,
    ShowChoices,
    Status,
    Try,
    Watch,
)
from referee.common.faults import Fault
from referee.games.conditional_orders import conditions_of, read_plan, write_plan
from referee.rulebooks.rulebook import OrderLine, Rulebook

A_MOVE = "a move"
"""Replaces an order that no rulebook can read."""
LONGEST_NUMBER = 6
"""The most digits of a number that is shown: a longer one is no game's, and may be a telephone number."""

_BARE = (
    Agree,
    Bye,
    Cancel,
    Confirm,
    Decline,
    Draw,
    Games,
    Join,
    Mute,
    NewTag,
    Record,
    Rematch,
    Resend,
    Resign,
    ShowChoices,
    Status,
    Watch,
)
"""Commands that consist only of command words and numbers. A new command is excluded unless added here."""


def show_commands(
    commands: Iterable[Command], rulebooks: Iterable[Rulebook], *, moves: bool = True
) -> tuple[str, ...]:
    """Return how commands are shown, each text once.

    moves: show the moves, and not only that there are some. Otherwise answers, set-ups and whatever else a
        rulebook reads as an order are hidden as well, so that none can be told apart.
    """
    known = tuple(rulebooks)
    if moves:
        return tuple(dict.fromkeys(_show(command, known) for command in commands))
    return tuple(dict.fromkeys(_show_kind(command, known) for command in commands))


def _show_kind(command: Command, rulebooks: Iterable[Rulebook]) -> str:
    """Return the kind of a command. A word that declines a game may also deny a move."""
    if isinstance(command, Decline):
        word = command.line.text.rpartition(":")[2].split()[:1]
        if any(rulebook.notation.looks_like_order(each) for rulebook in rulebooks for each in word):
            return A_MOVE
    return _show(command, ())


def _show(command: Command, rulebooks: Iterable[Rulebook]) -> str:
    if isinstance(command, Order | Preview):
        return _order(command, rulebooks)
    if isinstance(command, Try):
        return _plan(command, rulebooks)
    if isinstance(command, _BARE) or (isinstance(command, Accept) and not command.options):
        return command.write() if _is_short(command) else f"{command.word} ..."
    return f"{command.word} ..."


def _is_short(command: Command) -> bool:
    numbers = (command.game, command.number if isinstance(command, Resend) else None)
    return all(number is None or number < 10**LONGEST_NUMBER for number in numbers)


def _plan(command: Try, rulebooks: Iterable[Rulebook]) -> str:
    """Return a plan as it would be stored; without its steps where it would not be."""
    for rulebook in rulebooks if _is_short(command) else ():
        plan = read_plan(command.text, rulebook.notation, conditions_of(rulebook))
        if not isinstance(plan, Fault):
            return replace(command, text=write_plan(plan)).write()
    return f"{command.word} ..."


def _order(command: Order | Preview, rulebooks: Iterable[Rulebook]) -> str:
    """Return an order as a rulebook writes it."""
    for rulebook in rulebooks if _is_short(command) else ():
        order = rulebook.notation.read(OrderLine(command.line.number, command.text))
        if not isinstance(order, Fault):
            return replace(command, text=rulebook.notation.write(order)).write()
    return A_MOVE
