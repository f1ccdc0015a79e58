"""Commands that a rulebook offers to its operator: plain functions, with their parameters as data.

The command line turns them into commands. A function takes its parameters by name and returns its output; it
prints nothing and writes no file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any


class ParameterKind(Enum):
    """The type of a parameter's value."""

    TEXT = "text"
    NUMBER = "number"
    SWITCH = "switch"
    CHOICE = "choice"
    FILE_TO_READ = "file to read"
    """The name of a file, or `-` for standard input. The function gets a `GivenFile`."""
    FILE_TO_WRITE = "file to write"
    """The function gets the path, and returns the file's content."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter.

    name: of the function's argument.
    option: how it is typed, such as `--to`; "" for a positional argument.
    metavar: the placeholder for its value in the help; "" for the default.
    choices: of a CHOICE, read in any case.
    many: may be given several times; the function gets a tuple.
    """

    name: str
    kind: ParameterKind = ParameterKind.TEXT
    option: str = ""
    help: str = ""
    metavar: str = ""
    choices: tuple[str, ...] = ()
    default: str | None = None
    required: bool = False
    many: bool = False


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file's name as given, and a function that reads up to a number of bytes of it."""

    name: str
    read: Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Output:
    """A command's output.

    text: for people, on standard output, unchanged.
    lines: the same line by line, where they contain text by strangers.
    data: for programs that ask for JSON.
    errors: lines for standard error.
    file: the path and content of a file to write.
    replaces: whether an existing file is replaced.
    status: the exit status.
    """

    text: str = ""
    lines: Sequence[str] = ()
    data: Any = None
    errors: Sequence[str] = ()
    file: tuple[Path, bytes] | None = None
    replaces: bool = True
    status: int = 0


@dataclass(frozen=True, slots=True)
class OperatorCommand:
    """A command. help: as the command line shows it. json: whether it can return JSON."""

    name: str
    help: str
    run: Callable[..., Output]
    parameters: tuple[Parameter, ...] = ()
    json: bool = False


@dataclass(frozen=True, slots=True)
class OperatorCommands:
    """A group of commands.

    about: what they are for, in a line.
    place: the `OperatorGroup` with its help and commands, as "module:name".
    """

    name: str
    about: str
    example: str
    place: str


@dataclass(frozen=True, slots=True)
class OperatorGroup:
    """The commands of a group, and its help."""

    help: str
    commands: tuple[OperatorCommand, ...]


OPERATOR_COMMANDS = (
    OperatorCommands(
        "scenario",
        "Check, draw, list, show or make up scenarios of Cards and Confusion.",
        "referee scenario list",
        "referee.rulebooks.cards.scenarios.commands:SCENARIO_COMMANDS",
    ),
)
"""The groups of all rulebooks. They are loaded when they are first called."""
