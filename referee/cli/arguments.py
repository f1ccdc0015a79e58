"""Reads the values of command lines: numbers, names with addresses, reasons, files of records."""

from __future__ import annotations

from email.utils import getaddresses
from pathlib import Path
from typing import Any, BinaryIO

import click

from referee.common.errors import UsageError
from referee.common.files import read_stream, read_text
from referee.games.player_names import check_name, tidy_name
from referee.mail.message.addresses import read_address, why_no_address

LARGEST_NUMBER = 2**31 - 1
"""Games and letters count from 1; every database accepts numbers up to this one."""
LARGEST_RECORDS = 50_000_000
"""Largest file of records, in bytes: enough for all games of a large tournament."""

the_game = click.argument("game", type=click.IntRange(1, LARGEST_NUMBER))
a_game = click.argument("game", type=click.IntRange(1, LARGEST_NUMBER), required=False)


def read_pair(text: str, option: str) -> tuple[str, str]:
    """Read KEY=VALUE."""
    key, sign, value = text.partition("=")
    if not sign or not key.strip() or not value.strip():
        raise UsageError(f"{option} {text!r}: expected KEY=VALUE, such as {option} white=w@example.net.")
    return key.strip(), value.strip()


def read_person(text: str) -> tuple[str, str]:
    """Read `w@example.net` or `Wendy <w@example.net>`: a name ("" when there is none) and an address."""
    read = getaddresses([text])
    name, written = read[0] if len(read) == 1 else ("", text)
    address = read_address(written)
    if not address:
        raise UsageError(f"{why_no_address(written).format(whom=repr(text))}.")
    name = tidy_name(name)
    if name and (fault := check_name(name)):
        raise UsageError(fault.sentence())
    return name, address


def one_sentence(ctx: click.Context, option: click.Parameter, text: str) -> str:
    """Read a reason: one line that is not empty."""
    text = " ".join(text.split())
    if not text or not text.isprintable():
        raise click.BadParameter("expected a sentence on one line.")
    return text


class RecordFile(click.File):
    """A file of records. Who writes a game's number instead is told how its record is had."""

    def __init__(self) -> None:
        super().__init__("rb")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Open the file; "-" is standard input."""
        if isinstance(value, str) and value.isdecimal() and not Path(value).exists():
            self.fail(
                f"{value!r}: No such file. For game {value}, write its record into a file first: "
                f"referee record {value} > game-{value}.txt",
                param,
                ctx,
            )
        return super().convert(value, param, ctx)


def open_given(path: Path) -> BinaryIO:
    """Open a file that the command line names. Raises UsageError where that cannot be done: another one is meant."""
    try:
        return path.open("rb")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}.") from error


def read_records(file: BinaryIO) -> str:
    """Return the text of an open file that holds records."""
    return read_text(read_stream(file, LARGEST_RECORDS, "a file of records"))
