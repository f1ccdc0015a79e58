"""Handlers: one for each command, in one mapping."""

from __future__ import annotations

from referee.commands import command
from referee.handlers.dispatcher import HANDLERS

NO_COMMANDS = {command.Command, command.Written}
"""What commands have in common; no line is one of these."""


def test_each_command_has_a_handler() -> None:
    kinds = {
        each
        for each in vars(command).values()
        if isinstance(each, type) and issubclass(each, command.Command)
    }
    assert set(HANDLERS) == kinds - NO_COMMANDS
