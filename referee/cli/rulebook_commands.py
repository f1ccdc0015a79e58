"""Commands that rulebooks offer to their operators, made from what they say of their parameters."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from referee.cli.context import LazyCommand, as_json, say_json, say_plainly, without_collections
from referee.common.errors import UsageError
from referee.rulebooks.operator_commands import (
    GivenFile,
    OperatorCommand,
    OperatorCommands,
    OperatorGroup,
    Output,
    Parameter,
    ParameterKind,
)


class RulebookCommands(LazyCommand):
    """A group of commands of a rulebook, as it is listed before it is loaded."""

    def __init__(self, group: OperatorCommands) -> None:
        super().__init__(group.name, "", group.about, group.example)
        self._place = group.place

    def load(self) -> click.Group:
        """Return the group itself."""
        from referee.rulebooks.entry import load  # noqa: PLC0415 - most commands need no rulebook

        with without_collections():
            group: OperatorGroup = load(self._place)
            return click.Group(
                self.name, commands=[_command(each) for each in group.commands], help=group.help
            )


def _command(command: OperatorCommand) -> click.Command:
    read = [each.name for each in command.parameters if each.kind is ParameterKind.FILE_TO_READ]

    def call(as_json: bool = False, **given: Any) -> None:
        for name in read:
            given[name] = tuple(map(_given_file, given[name]))
        _say(command.run(**given), in_json=as_json)

    made: Callable[..., None] = as_json(call) if command.json else call
    for parameter in reversed(command.parameters):
        made = _parameter(parameter)(made)
    return click.command(command.name, help=command.help)(made)


def _parameter(parameter: Parameter) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return the decorator that gives a command a parameter."""
    said: dict[str, Any] = {"metavar": parameter.metavar or None, "required": parameter.required}
    if not parameter.option:
        return click.argument(
            parameter.name, nargs=-1 if parameter.many else 1, type=_type(parameter), **said
        )
    if parameter.kind is ParameterKind.SWITCH:
        return click.option(parameter.option, parameter.name, is_flag=True, help=parameter.help)
    if parameter.default is not None:
        said |= {"default": parameter.default, "show_default": True}
    return click.option(
        parameter.option,
        parameter.name,
        type=_type(parameter),
        multiple=parameter.many,
        help=parameter.help,
        **said,
    )


def _type(parameter: Parameter) -> click.ParamType[Any] | None:
    match parameter.kind:
        case ParameterKind.NUMBER:
            return click.INT
        case ParameterKind.CHOICE:
            return click.Choice(parameter.choices, case_sensitive=False)
        case ParameterKind.FILE_TO_READ:
            return click.Path(exists=True, dir_okay=False, allow_dash=True)
        case ParameterKind.FILE_TO_WRITE:
            return click.Path(path_type=Path, dir_okay=False, writable=True)
        case _:
            return None


def _given_file(name: str) -> GivenFile:
    def read(most: int) -> bytes:
        with click.open_file(name, "rb") as stream:
            content: bytes = stream.read(most)
        return content

    return GivenFile(name, read)


def _say(output: Output, *, in_json: bool) -> None:
    """Write the file, if there is one; print; end with the exit status. Raises UsageError where the file is there."""
    if output.file is not None:
        path, content = output.file
        try:
            with path.open("wb" if output.replaces else "xb") as file:
                file.write(content)
        except FileExistsError as error:
            raise UsageError(f"{path} is there already; it was left as it is.") from error
    if in_json:
        say_json(output.data)
    else:
        click.echo(output.text, nl=False)
        for line in output.lines:
            say_plainly(line)
    for line in output.errors:
        click.echo(line, err=True)
    if output.status:
        sys.exit(output.status)
