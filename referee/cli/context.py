"""What all commands share: where the settings are, how commands print, and how errors are reported.

Results go to standard output, with --json as one document and nothing else. Errors go to standard error, with
an exit status (see `errors`).
"""

from __future__ import annotations

import gc
import json
import os
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from referee.common.errors import RefereeError

if TYPE_CHECKING:  # the libraries behind the settings and the service are loaded on demand
    from referee.service.bootstrap import Application
    from referee.service.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Call:
    """What every command knows: where the settings are, and how much to log."""

    config: Path | None
    verbose: bool

    def settings(self, *, complete: bool = True, log: bool = True) -> Settings:
        """Read the settings, and start the log.

        complete: everything that the service needs must be set.
        log: False for a command that only reads, and so logs nothing.
        """
        from referee.service.settings import load  # noqa: PLC0415 - pydantic

        if log:
            self.start_log()
        return load(self.config, os.environ, complete=complete)

    def start_log(self) -> None:
        """Send the service's log to standard error."""
        from referee.service import logging_setup  # noqa: PLC0415 - structlog and rich

        logging_setup.set_up(verbose=self.verbose)

    @contextmanager
    def application(self, *, create: bool = True, log: bool = True) -> Iterator[Application]:
        """Open the application as the settings say, and close it afterwards. log: see `settings`."""
        from referee.service.bootstrap import open_application  # noqa: PLC0415 - the database

        with open_application(self.settings(log=log), create=create) as application:
            yield application


pass_call = click.make_pass_decorator(Call)


class LazyCommand(click.Command):
    """A command as it is listed, before it is loaded.

    module: where it is, under its name.
    about, example: the first and the last line of its help.
    """

    def __init__(self, name: str, module: str, about: str, example: str) -> None:
        super().__init__(name, help=f"{about}\n\nExample: {example}")
        self._module = module

    def load(self) -> click.Command:
        """Return the command itself."""
        with without_collections():
            command: click.Command = getattr(import_module(self._module), str(self.name))
        return command


@contextmanager
def without_collections() -> Iterator[None]:
    """Suspend garbage collection while classes are made: they stay, and the search takes a fifth of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class Commands(click.Group):
    """Commands whose errors are one sentence on standard error and an exit status."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RefereeError as error:
            click.echo(f"referee: {error}", err=True)
            ctx.exit(error.exit_status)
        except BrokenPipeError:
            raise
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"referee: {where}{error.strerror or error}", err=True)
            ctx.exit(RefereeError.exit_status)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; one that was only listed is loaded."""
        command = super().get_command(ctx, cmd_name)
        return command.load() if isinstance(command, LazyCommand) else command

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of use, not of the alphabet."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with its example."""
        with formatter.section("Commands, each with an example"):
            for name, command in self.commands.items():
                about, _, example = (command.help or "").partition("Example: ")
                formatter.write(f"  {name:12}{about.splitlines()[0]}\n{'':14}$ {example.strip()}\n")


def as_json(command: F) -> F:
    """Give a command the option --json."""
    return click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")(
        command
    )


def say_json(document: Any) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(document, ensure_ascii=False, indent=2, default=str))


def say_plainly(line: str, *, err: bool = False) -> None:
    """Print a line that holds text by strangers, which must not control the terminal.

    A blank of any width is printed as a space, since French puts a narrow one before a colon.
    """
    click.echo("".join(sign if sign.isprintable() else _harmless(sign) for sign in line), err=err)


def _harmless(sign: str) -> str:
    """Return what replaces an unprintable character."""
    is_blank = unicodedata.category(sign) == "Zs" or sign == "\t"
    return " " if is_blank else "\N{REPLACEMENT CHARACTER}"
