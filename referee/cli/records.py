"""Operator commands for record files: replay, and check by the proof in them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import click

from referee.archive.event_records import split_records
from referee.archive.other_files import why_no_record
from referee.archive.verify import rules_in, small_program
from referee.archive.verify import verify as verify_record
from referee.cli.arguments import RecordFile, read_records
from referee.cli.context import as_json, say_json, say_plainly
from referee.common.errors import UsageError
from referee.common.files import read_file, read_text
from referee.rulebooks.catalogue import CATALOGUE, USUAL, find_rulebook
from referee.rulebooks.limits import LARGEST_TABLE
from referee.rulebooks.rulebook import Replay, Result, Rulebook


@click.command()
@click.argument("file", type=RecordFile())
@click.option("--rules", metavar="RULES", help="Whose rules, if not those that the record names.")
@click.option(
    "--table",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Another movement table, as in the settings.",
)
@click.option(
    "--sheets",
    "row",
    type=click.IntRange(0),
    metavar="ROW",
    help="Also what either side can know after that row, both its attempts included; 0 is the start.",
)
@as_json
def replay(file: BinaryIO, rules: str | None, table: Path | None, row: int | None, as_json: bool) -> None:
    """Replay a record against the rules; stop at the first inconsistency.

    The rules are those of its line `Rules = ...`; without one, as long as a game goes on, its sides tell which they
    are. A file with several records, as `referee record --event` writes it, is replayed record by record; --json then
    gives them as `records`.

    Example: referee replay game-17.txt --sheets 21
    """

    def rules_of(record: str) -> Rulebook:
        return find_rulebook(rules or rules_in(record) or _played_by(record) or USUAL)

    records = _records_in(file)
    other_table = _table_of(table) if table else None
    if len(records) > 1:
        if row is not None:
            raise UsageError("--sheets goes with a file that holds one record.")
        _replay_all(records, rules_of, other_table, as_json=as_json)
        return
    rulebook = rules_of(records[0])
    replayed = rulebook.records.replay(records[0], other_table, row)
    if row is not None and replayed.happenings and not replayed.sheets:
        raise UsageError(
            f"--sheets: in a game of {rulebook.name} nothing is to be deduced, so it has no sheets."
        )
    if row is not None and row > replayed.rows and replayed.consistent:
        raise UsageError(f"--sheets {row}: the record has {replayed.rows} rows.")
    if as_json:
        say_json(_plain_replay(replayed))
    else:
        _say_replay(rulebook, replayed)
        if row is not None and replayed.happenings:
            from referee.reports.renderer import write_sheets  # noqa: PLC0415 - jinja

            click.echo("\n" + write_sheets(rulebook, replayed, min(row, replayed.rows)), nl=False)
    if not replayed.consistent:
        sys.exit(1)


def _records_in(file: BinaryIO) -> list[str]:
    """Return the records of a file. Where it is a file of another kind, standard error says which."""
    text = read_records(file)
    if why := why_no_record(text):
        say_plainly(f"referee: {file.name}: {why}", err=True)
    return split_records(text)


def _played_by(record: str) -> str:
    """Return the name of the rules whose sides appear in a record's columns or head, "" for none."""
    lines = record.lower().splitlines()
    named = {line.partition("name")[0] for line in lines if re.match(r"[a-z]+name *=", line)}
    sides = [named, *(set(line.split()) for line in lines)]
    return next((each.name for each in CATALOGUE if set(each.seats) in sides), "")


def _replay_all(
    records: Sequence[str], rules_of: Callable[[str], Rulebook], table: str | None, *, as_json: bool
) -> None:
    """Replay the records of one file, each on its own."""
    rulebooks = [rules_of(record) for record in records]
    replays = [
        rulebook.records.replay(record, table) for rulebook, record in zip(rulebooks, records, strict=True)
    ]
    consistent = all(replayed.consistent for replayed in replays)
    if as_json:
        say_json({"consistent": consistent, "records": [_plain_replay(each) for each in replays]})
    else:
        for number, (rulebook, replayed) in enumerate(zip(rulebooks, replays, strict=True), 1):
            _say_replay(rulebook, replayed, f"record {number}, ")
    if not consistent:
        sys.exit(1)


def _plain_replay(replayed: Replay) -> dict[str, Any]:
    return {
        "consistent": replayed.consistent,
        "errors": [asdict(error) for error in replayed.errors],
        "attempts": replayed.attempts,
        "result": replayed.result.plain() if replayed.result else None,
        **replayed.summary,
        "branches": [asdict(branch) for branch in replayed.branches],
    }


def _say_replay(rulebook: Rulebook, replayed: Replay, which: str = "") -> None:
    """Print the result of a replay. which: precedes each line."""
    one, several = rulebook.records.counted
    for error in replayed.errors:
        where = [f"row {error.row}", error.seat.capitalize() if error.seat else "", error.text]
        say_plainly(f"{which}{' '.join(filter(None, where))}: {error.reason}")
    for branch in replayed.branches:
        why = f": {branch.reason}" if branch.reason else ""
        say_plainly(
            f"{which}row {branch.row} {branch.seat.capitalize()}: taken back from here, "
            f"{several} {branch.attempts}{why}"
        )
    if replayed.consistent:
        count = f"{replayed.attempts} {one if replayed.attempts == 1 else several}"
        click.echo(f"{which}consistent: {count}, {_ending(replayed.result)}")


def _ending(result: Result | None) -> str:
    if result is None:
        return "not finished"
    if result.winner:
        return f"{result.winner.capitalize()} wins, {result.how}"
    return f"{'no result' if result.void else 'a draw'}, {result.how}"


@click.command()
@click.argument("file", type=RecordFile(), required=False)
@click.argument("numbers", nargs=-1, metavar="[NUMBER]...")
@click.option(
    "--table",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The movement table that the game was played with, where it is not the usual one.",
)
@click.option(
    "--script",
    metavar="[RULES]",
    is_flag=False,
    flag_value="",
    help="Print the small program that checks the same, and nothing else: for games by these rules, else by those of "
    "FILE, else of confusion.",
)
@as_json
def verify(
    file: BinaryIO | None, numbers: tuple[str, ...], table: Path | None, script: str | None, as_json: bool
) -> None:
    """Check a finished game's record by its own proof, offline: commitment, deal, answers, receipts.

    A NUMBER is the commitment of a first letter, or the receipt of another one: it must belong to this game.
    Of a file with several records each is checked.
    `referee verify --script > verify_game.py` is for players who believe no referee: one file for Python that needs
    nothing else, short enough to be read. `referee verify --script spies > verify_spies.py` is for games of spies.

    Example: referee verify game-17.txt
    """
    if script is not None:
        if numbers or as_json or (script and file is not None):
            raise UsageError(
                "--script prints a program: beside it stands a record at most, which says the rules."
            )
        of_the_record = rules_in(read_records(file)) if file is not None else ""
        click.echo(small_program(script or of_the_record or USUAL), nl=False)
        return
    if file is None:
        raise UsageError("A record is expected, as `referee record GAME` writes it.")
    records = _records_in(file)
    other_table = _table_of(table) if table else None
    if len(records) > 1:
        if numbers:
            raise UsageError("a NUMBER goes with a file that holds one record.")
        _verify_all(records, other_table, as_json=as_json)
        return
    verified = verify_record(records[0], other_table, numbers)
    if as_json:
        say_json(verified.plain())
    else:
        for line in verified.lines():
            say_plainly(line)
    if not verified.fits:
        sys.exit(1)


def _verify_all(records: Sequence[str], table: str | None, *, as_json: bool) -> None:
    """Verify the records of one file, each on its own."""
    found = [verify_record(record, table) for record in records]
    fit = sum(each.fits for each in found)
    if as_json:
        say_json({"verified": fit == len(found), "records": [each.plain() for each in found]})
    else:
        for number, each in enumerate(found, 1):
            for line in each.lines():
                say_plainly(f"record {number}, {line}" if not line.startswith(" ") else line)
        click.echo(f"{fit} of {len(found)} records fit.")
    if fit < len(found):
        sys.exit(1)


def _table_of(path: Path) -> str:
    """Return the text of a movement table."""
    return read_text(read_file(path, 4 * LARGEST_TABLE, "a movement table"))
