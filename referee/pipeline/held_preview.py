"""A held letter's commands as they are shown to the player in whose name they came, who may not have written them.

What is shown is made anew from the desk's own words, from moves as a rulebook writes them, and from short numbers;
nothing is copied from the letter, so that no message of a forger's gets into a letter of the house's.
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
from referee.games.game import AnyRulebook
from referee.rulebooks.rulebook import OrderLine

A_MOVE = "a move"
"""What stands for an order that no rulebook can read."""
LONGEST_NUMBER = 6
"""Digits of a number that is shown: a longer one is no game's, and may be one to call."""

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
"""Commands that hold words of the desk and numbers and nothing else: a new one is not among them unasked."""


def show_commands(
    commands: Iterable[Command], rulebooks: Iterable[AnyRulebook], *, moves: bool = True
) -> tuple[str, ...]:
    """Return how commands are shown, each way once. moves: which moves they give, and not only that they do; answers,
    set-ups and whatever else a rulebook reads as an order are hidden with them, so that none can be told apart."""
    known = tuple(rulebooks)
    if moves:
        return tuple(dict.fromkeys(_show(command, known) for command in commands))
    return tuple(dict.fromkeys(_show_kind(command, known) for command in commands))


def _show_kind(command: Command, rulebooks: Iterable[AnyRulebook]) -> str:
    """Return what a command is about. A word that declines a game may be one that denies a move as well."""
    if isinstance(command, Decline):
        word = command.line.text.rpartition(":")[2].split()[:1]
        if any(rulebook.notation.looks_like_order(each) for rulebook in rulebooks for each in word):
            return A_MOVE
    return _show(command, ())


def _show(command: Command, rulebooks: Iterable[AnyRulebook]) -> str:
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


def _plan(command: Try, rulebooks: Iterable[AnyRulebook]) -> str:
    """Return a plan as it would be kept, without its steps where it would not be."""
    for rulebook in rulebooks if _is_short(command) else ():
        plan = read_plan(command.text, rulebook.notation, conditions_of(rulebook))
        if not isinstance(plan, Fault):
            return replace(command, text=write_plan(plan)).write()
    return f"{command.word} ..."


def _order(command: Order | Preview, rulebooks: Iterable[AnyRulebook]) -> str:
    """Return an order as a rulebook writes it."""
    for rulebook in rulebooks if _is_short(command) else ():
        order = rulebook.notation.read(OrderLine(command.line.number, command.text))
        if not isinstance(order, Fault):
            return replace(command, text=rulebook.notation.write(order)).write()
    return A_MOVE
