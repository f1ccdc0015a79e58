"""Commands that a rulebook offers to its operator: plain functions, with their parameters as data.

The command line makes commands of them. A function takes its parameters by name and returns what it says. It prints
nothing, and writes no file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any


class Kind(Enum):
    """What a parameter holds."""

    TEXT = "text"
    NUMBER = "number"
    SWITCH = "switch"
    CHOICE = "choice"
    FILE_TO_READ = "file to read"
    """The name of a file, or `-` for standard input. The function gets a `GivenFile`."""
    FILE_TO_WRITE = "file to write"
    """The function gets its path, and returns what it holds."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter.

    name: of the function's argument.
    option: how it is typed, such as `--to`; "" where it stands in its place without one.
    metavar: what stands for its value in the help; "" for the usual word.
    choices: of a CHOICE, read in any case.
    many: may be given several times; the function gets a tuple.
    """

    name: str
    kind: Kind = Kind.TEXT
    option: str = ""
    help: str = ""
    metavar: str = ""
    choices: tuple[str, ...] = ()
    default: str | None = None
    required: bool = False
    many: bool = False


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file as it was named, and how to read it: up to a number of bytes."""

    name: str
    read: Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Output:
    """What a command says.

    text: for people, on standard output, as it is.
    lines: the same, one by one, where they hold what strangers wrote.
    data: for programs that ask for JSON.
    errors: lines for standard error.
    file: what to write, and where; replaces: whether a file that is there already is replaced.
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
    """A command. help: as the command line shows it. json: whether it can answer programs."""

    name: str
    help: str
    run: Callable[..., Output]
    parameters: tuple[Parameter, ...] = ()
    json: bool = False


@dataclass(frozen=True, slots=True)
class OperatorCommands:
    """A group of commands.

    about: what they are for, in a line.
    place: where its text and its commands stand, as "module:name" of an `OperatorGroup`.
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
        "referee.rulebooks.cards.scenarios.commands:SCENARIO",
    ),
)
"""The groups of all rulebooks. They are loaded when somebody calls them."""
