"""The operator's commands: each reads its arguments, calls one function and prints.

What a command has to tell goes to standard output, with --json as one document and nothing else; progress, logs
and what went wrong go to standard error. Exit status: 0 done, 1 the thing asked about is wrong, 2 usage or
settings, 3 not now.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import click
import structlog
from rich.console import Console

from referee import __version__
from referee.archive.event_records import split_records
from referee.archive.rebuild import make_again
from referee.archive.verify import rules_in, small_program
from referee.archive.verify import verify as verify_record
from referee.cli.archive import bundle, mbox, picture, publish, say_left_out, say_records, search_options
from referee.cli.archive import log as log_command
from referee.cli.context import (
    LARGEST_NUMBER,
    Call,
    Commands,
    as_json,
    one_sentence,
    pass_call,
    progress_bar,
    read_pair,
    read_person,
    say_json,
    say_plainly,
)
from referee.cli.demo import run_demo, shown_before
from referee.cli.overview import overview, say_late
from referee.cli.scenario import scenario
from referee.cli.tournaments import event
from referee.cli.umpire import find_officer, the_officer, umpire
from referee.common.errors import RefereeError, UsageError
from referee.common.files import read_file, read_stream
from referee.common.i18n import LANGUAGES
from referee.common.timestamps import for_people
from referee.games.events import Verdict
from referee.games.titles import names_in, write_title
from referee.mail.message.mime_parts import is_letter
from referee.pipeline.dry_run import dry_run
from referee.pipeline.processor import ProcessingResult
from referee.reports.renderer import write_sheets
from referee.rulebooks.cards.scenarios.scenario import LARGEST_FILE as LARGEST_SCENARIO
from referee.rulebooks.catalogue import RULEBOOKS, AnyRulebook, find_rulebook
from referee.rulebooks.confusion.table import LARGEST_TABLE
from referee.rulebooks.rulebook import Replay, Result
from referee.service import logging_setup
from referee.service.bootstrap import open_application, service_of, upgrade_store
from referee.service.daemon import settle_again
from referee.service.doctor import examine
from referee.service.mail_probe import probe_servers
from referee.service.queries import (
    LISTED,
    Picture,
    foresee_ruling,
    game_as,
    letter_in_full,
    list_claims,
    list_games,
    list_letters,
    raw_letter,
    write_claim,
    write_record,
)
from referee.service.settings import sample_settings, survey, warnings_about
from referee.store.game_search import Search

log = structlog.get_logger()

LARGEST_RECORDS = 50_000_000
"""Bytes of a file of records: of all games of a large event."""
LARGEST_LETTER = 64_000_000
"""Bytes of a letter; no mail host takes one half as large."""


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The settings file. Else REFEREE_CONFIG, else referee.toml in this folder.",
)
@click.option("-v", "--verbose", is_flag=True, help="Log more.")
@click.version_option(__version__, prog_name="referee")
@click.pass_context
def main(ctx: click.Context, config: Path | None, verbose: bool) -> None:
    """A referee that lives in a mailbox: it umpires games played by letter.

    \b
    See it:       referee demo
    Set it up:    referee init --write-config; referee init
    Run it:       referee run
    """
    logging_setup.set_up(verbose=verbose)
    ctx.obj = Call(config, verbose)


@main.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("referee-demo"),
    show_default=True,
    help="Where letters, pictures and the record are left.",
)
@as_json
def demo(folder: Path, as_json: bool) -> None:
    """Show it all: two players, real letters, the book's sample game.

    A folder that holds an earlier demonstration and nothing else is used again; any other must be empty.

    Example: referee demo --folder /tmp/demo
    """
    console = Console(stderr=True)
    if shown_before(folder):
        click.echo(f"{folder} holds an earlier demonstration, which this one replaces.", err=True)
    with progress_bar(console) as progress:
        task = progress.add_task("The book's sample game, by letter", total=None)

        def tell(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)
            if console.is_dumb_terminal and done % 10 == 0:  # no bar can be drawn there before the end
                console.print(f"The book's sample game, by letter: {done}/{total}")

        shown = run_demo(folder, tell)
    if as_json:
        say_json(asdict(shown))
        return
    click.echo(f"{shown.result}, after {shown.moves} attempts by letter in {shown.seconds:.0f} s.\n")
    for seat, place in shown.letters.items():
        click.echo(f"{seat.capitalize() + chr(39) + 's letters':18} {place}")
    click.echo(f"{'Their pictures':18} {shown.pictures}")
    click.echo(f"{'The record':18} {shown.record}")
    click.echo(f"{'The mailboxes':18} {shown.folder / 'mail'}")


@main.command()
@click.option("--write-config", is_flag=True, help="Write a commented settings file and stop.")
@click.option("--offline", is_flag=True, help="Make the database ready; leave the servers alone.")
@as_json
@pass_call
def init(call: Call, write_config: bool, offline: bool, as_json: bool) -> None:
    """Make the database ready, and prove that mail comes and goes.

    The database is created, or copied and then brought to this release. A letter is posted to the service's own
    address and read back: login, ports, reply tags, headers and folders are proved by it.

    Example: referee init --write-config
    """
    if write_config:
        path = call.config or Path("referee.toml")
        try:
            with path.open("x") as file:
                file.write(sample_settings())
        except FileExistsError as error:
            raise UsageError(f"{path} is there already; it was left as it is.") from error
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}.") from error
        click.echo(f"Wrote {path}. Put your own names in, then run `referee init`.", err=True)
        return
    with ExitStack() as house:
        settings = call.settings()
        copy = upgrade_store(settings)
        premises = house.enter_context(open_application(settings))
        status = house.enter_context(Console(stderr=True).status("Trying the servers"))
        findings = [] if offline else probe_servers(premises, status.update)
    blocking = next((finding for finding in findings if finding.blocks), None)
    if as_json:
        say_json(
            {
                "database": "ready",
                "copy": copy,
                "findings": [asdict(finding) for finding in findings],
                "warnings": warnings_about(settings),
                "ready": blocking is None,
            }
        )
    else:
        click.echo("The database is ready." + (f" Before, it was copied to {copy}." if copy else ""))
        for finding in findings:
            if finding is not blocking:  # that one is the error below
                click.echo(f"{'ok ' if finding.good else 'NOT' if finding.blocks else 'but'}  {finding.text}")
        for warning in warnings_about(settings):
            click.echo(f"but  {warning}")
    if blocking is not None:
        raise RefereeError(blocking.text)


@main.command()
@as_json
@pass_call
def check(call: Call, as_json: bool) -> None:
    """Show the settings in force and where each comes from; secrets stay hidden.

    Example: referee check
    """
    seen = survey(call.config, os.environ)
    if as_json:
        say_json(
            {
                "settings": [asdict(each) for each in seen.settings],
                "warnings": seen.warnings,
                "fault": str(seen.fault) if seen.fault else None,
            }
        )
    else:
        for each in seen.settings:
            value = "(not set)" if each.value in (None, "") else each.value
            click.echo(f"{each.key:32} {value}   [{each.source}]")
        for warning in seen.warnings:
            click.echo(f"warning: {warning}", err=True)
    if seen.fault is not None:
        raise seen.fault


@main.command()
@click.option("--once", is_flag=True, help="Take in what waits, post what is due, and stop.")
@as_json
@pass_call
def run(call: Call, once: bool, as_json: bool) -> None:
    """Run the service, until SIGTERM; or once through all that waits.

    Example: referee run --once --json
    """
    if as_json and not once:
        raise UsageError("--json goes with --once: the service itself reports to its log.")
    with call.premises() as premises, premises.working() as daemon:
        if not once:
            with premises.measured(daemon):
                log.info("watching", **premises.watched())
                daemon.run()
            log.info("stopped")
            return
        console = Console(stderr=True)
        with progress_bar(console) as progress:
            task = progress.add_task("Letters", total=None)

            def count(settled: ProcessingResult) -> None:
                progress.advance(task)

            tally = daemon.run_once(count)
    if as_json:
        say_json(asdict(tally))
    else:
        click.echo(
            f"{tally.letters} letters taken in ({tally.refused} refused), {tally.moves} moves, "
            f"{tally.sent} letters posted, {tally.failures} failures."
        )
    if tally.failures:
        letters = "1 letter" if tally.failures == 1 else f"{tally.failures} letters"
        raise RefereeError(
            daemon.trouble or f"{letters} could not be posted; what may succeed later is tried again."
        )


@main.command()
@click.argument("rules")
@click.option(
    "--seat",
    "seats",
    multiple=True,
    required=True,
    metavar="COLOUR=ADDRESS",
    help="Who sits where; once for each.",
)
@click.option("--first", metavar="COLOUR", help="Who begins; drawn by lot if left out.")
@click.option("--deal", default="", metavar="DEAL", help='Set the deal: "White=A6 C8 …; Yellow=…".')
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the rules.")
@click.option("--event", "event_name", default="", metavar="NAME", help="The event whose terms it has.")
@click.option(
    "--from",
    "record_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The record of a game that was played elsewhere, to go on from where it ends.",
)
@click.option(
    "--number",
    "which",
    type=click.IntRange(1),
    metavar="N",
    help="With --from: the file's record of this place.",
)
@as_json
@pass_call
def new(
    call: Call,
    rules: str,
    seats: tuple[str, ...],
    first: str | None,
    deal: str,
    options: tuple[str, ...],
    event_name: str,
    record_file: Path | None,
    which: int | None,
    as_json: bool,
) -> None:
    """Start a game as its umpire; print its number.

    With --from, a game that was played elsewhere goes on here from where its record ends, or is kept as it has ended.
    The record must hold both deals; it is held against the rules first, and nothing is started where they part.

    Example: referee new confusion --seat "White=Wendy <w@example.net>" --seat yellow=y@example.com
    """
    find_rulebook(rules)
    given = [(key.lower(), value) for key, value in (read_pair(option, "--option") for option in options)]
    chosen = dict(given)
    if len(chosen) < len(set(given)):
        raise UsageError("An option is given twice, with different values.")
    for key, own in (("deal", True), ("first", first is not None)):
        if own and key in chosen:
            raise UsageError(f"--option {key}=…: use --{key}.")
    if first is not None:
        chosen["first"] = first.lower()
    if (scenario := Path(chosen.get("scenario", ""))).is_file():
        # The game keeps the file's text: it must not change with the file.
        chosen["scenario"] = read_text(read_file(scenario, 4 * LARGEST_SCENARIO, "a scenario"))
    seated = {seat.lower(): read_person(who) for seat, who in (read_pair(each, "--seat") for each in seats)}
    if len(seated) < len(seats):
        raise UsageError("A seat is named twice.")
    if deal and record_file is not None:
        raise UsageError("--deal does not go with --from: the deal is the record's.")
    if which is not None and record_file is None:
        raise UsageError("--number goes with --from: it chooses a record of the file.")
    record = _one_record(_records_of(record_file), which) if record_file is not None else ""
    with call.premises() as premises:
        number = premises.house.new_game(rules, seated, chosen, deal, event_name, record)  # type: ignore[arg-type]
    if as_json:
        say_json({"game": number})
    else:
        click.echo(number)


def _one_record(text: str, which: int | None) -> str:
    """Return the record of a file, or that of a place in it. Raises UsageError where it is not clear which."""
    records = split_records(text)
    if not text.strip():
        raise UsageError("there is no record in the file.")
    if which is None and len(records) > 1:
        raise UsageError(f"the file holds {len(records)} records: choose one, as in --number 1.")
    if which is not None and which > len(records):
        raise UsageError(f"--number {which}: the file holds {len(records)} record{'s'[: len(records) != 1]}.")
    return records[(which or 1) - 1]


@main.command()
@click.option("--event", "event_name", metavar="NAME", help="Only those of an event.")
@click.option("--late", is_flag=True, help="Only those that are late, the most urgent first.")
@search_options
@as_json
@pass_call
def games(
    call: Call, event_name: str | None, late: bool, wanted: Search, limit: int | None, as_json: bool
) -> None:
    """List the games, the newest first, or look for some.

    A player is found by a part of his name, in any case and without accents, or by a part of his address. Dates are
    those on which games began, in UTC, both days included; a month or a year will do.

    Example: referee games --player anna --since 2026-03 --rules confusion --result won
    """
    if late:
        if wanted.is_narrow or limit is not None:
            raise UsageError("--late goes with --event alone: it lists the games that are late.")
        say_late(call, event_name, as_json=as_json)
        return
    with call.premises() as premises:
        found = list_games(premises, wanted, limit or LISTED, event=event_name)
    say_left_out(found.left_out)
    listed = found.games
    if as_json:
        say_json(listed)
        return
    if not listed and wanted.is_narrow:
        click.echo("No game is found.")
    elif not listed:
        none = "There are no games yet" if event_name is None else "The event has no games yet"
        click.echo(f"{none}; `referee new` starts one.")
    for each in listed:
        turn = f", turn {each['turn']}, {' and '.join(each['to_move'])} to move" if each["to_move"] else ""
        time = f", {each['time']}" if each["time"] else ""
        until = f", until {for_people(each['deadline'])}" if each["deadline"] else ""
        status = f"frozen ({each['frozen']})" if each["frozen"] else each["status"]
        ended = f", {_won(each['result'])}" if each["result"] else ""
        fault = f"; {each['fault']}" if each["fault"] else ""
        say_plainly(f"{each['game']:5}  {_title_now(each)}: {status}{ended}{time}{turn}{until}{fault}")


def _title_now(listed: Mapping[str, Any]) -> str:
    """Return the title of a listed game with what its players are called now."""
    number, title, names = listed["game"], listed["title"], listed["names"]
    if not names or sorted(names.values()) == sorted(names_in(title, number)):
        return str(title)
    rulebook = find_rulebook(listed["rules"])
    return write_title(rulebook.title, number, [names[seat] for seat in rulebook.seats])


def _won(result: Mapping[str, Any]) -> str:
    """Return who won, in two words."""
    if result["winner"]:
        return f"{result['winner'].capitalize()} won"
    return "no result" if result.get("void") else "a draw"


@main.command()
@click.argument("game", type=click.IntRange(1, LARGEST_NUMBER))
@click.option(
    "--as", "viewer", default="umpire", metavar="COLOUR|umpire", help="Whose view; the umpire sees all."
)
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    help="Also write the board as a picture, FILE.svg or FILE.png.",
)
@click.option(
    "--sheets",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    help="Also write the deduction sheets as a picture, FILE.svg or FILE.png.",
)
@as_json
@pass_call
def show(
    call: Call, game: int, viewer: str, picture: Path | None, sheets: Path | None, as_json: bool
) -> None:
    """Show one game as that viewer may see it.

    Example: referee show 17 --as yellow
    """
    with call.premises() as premises:
        seen = game_as(premises, game, viewer.lower())
    if seen.seat is None and (picture or sheets):
        raise UsageError(
            "a picture shows what one seat sees: say whose, with --as COLOUR (the umpire is no seat)"
        )
    if sheets is not None and seen.sheets.png is None:
        raise UsageError(f"game {game} is played without deduction sheets: there is no picture of them")
    if picture is not None and picture == sheets:
        raise UsageError(f"{picture}: the board and the sheets need a file each.")
    pictures = [(path, drawn) for path, drawn in ((picture, seen.board), (sheets, seen.sheets)) if path]
    for path, _ in pictures:
        if path.suffix.lower() not in (".png", ".svg"):
            raise UsageError(f"{path}: expected a name that ends with .svg or .png.")
    for path, drawn in pictures:
        _write_picture(path, drawn)
    if as_json:
        say_json(seen.data)
    else:
        click.echo(seen.text)


def _write_picture(path: Path, drawn: Picture) -> None:
    match path.suffix.lower():
        case ".png" if drawn.png is not None:
            path.write_bytes(drawn.png)
        case ".svg" if drawn.svg is not None:
            path.write_text(drawn.svg)
        case _:
            raise UsageError(f"{path}: expected a name that ends with .svg or .png.")


@main.command()
@click.argument("game", type=click.IntRange(1, LARGEST_NUMBER), required=False)
@click.option(
    "--as", "viewer", default="umpire", metavar="COLOUR", help="Leave out what that seat may not know."
)
@click.option("--bare", is_flag=True, help="Leave out what stands beside the moves.")
@click.option("--event", "event_name", metavar="NAME", help="All games of an event, one after the other.")
@click.option("--over", is_flag=True, help="With --event: only the games that are over.")
@click.option("--rules", metavar="RULES", help="With --event: only the games of these rules.")
@as_json
@pass_call
def record(
    call: Call,
    game: int | None,
    viewer: str,
    bare: bool,
    event_name: str | None,
    over: bool,
    rules: str | None,
    as_json: bool,
) -> None:
    """Write a game in the book's notation; without --as with both deals.

    Press, what umpires have done, and diaries once they are released, stand below the rows as comments. With --event
    all games of an event come into one file, which `referee replay` reads; those that are not over are among them, with
    their deals, unless --over leaves them out.

    Example: referee record 17 > game-17.txt
    """
    if event_name is not None:
        if game is not None:
            raise UsageError("--event takes all games of an event: leave the game's number out.")
        say_records(call, event_name, viewer.lower(), rules=rules, bare=bare, over=over, as_json=as_json)
        return
    if game is None:
        raise UsageError("which game? Its number is missing (`referee record 17`), or --event NAME.")
    if over or rules is not None:
        raise UsageError("--over and --rules go with --event: one game is what it is.")
    with call.premises() as premises:
        text = write_record(premises, game, viewer.lower(), bare=bare)
    if as_json:
        say_json({"game": game, "record": text})
    else:
        click.echo(text, nl=not text.endswith("\n"))


@main.command()
@click.argument("file", type=click.File("rb"))
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

    def rules_of(record: str) -> AnyRulebook:
        return find_rulebook(rules or rules_in(record) or _played_by(record) or "confusion")

    records = split_records(_records_in(file))
    other_table = _table_of(table) if table else None
    if len(records) > 1:
        if row is not None:
            raise UsageError("--sheets goes with a file that holds one record.")
        _replay_all(records, rules_of, other_table, as_json=as_json)
        return
    rulebook = rules_of(records[0])
    replayed = rulebook.replay(records[0], other_table, row)
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
            click.echo("\n" + write_sheets(rulebook, replayed, min(row, replayed.rows)), nl=False)
    if not replayed.consistent:
        sys.exit(1)


def _played_by(record: str) -> str:
    """Return the name of the rules whose sides head the columns of a record or are named in its head, "" for none."""
    lines = record.lower().splitlines()
    named = {line.partition("name")[0] for line in lines if re.match(r"[a-z]+name *=", line)}
    sides = [named, *(set(line.split()) for line in lines)]
    return next((each.name for each in RULEBOOKS if set(each.seats) in sides), "")


def _replay_all(
    records: Sequence[str], rules_of: Callable[[str], AnyRulebook], table: str | None, *, as_json: bool
) -> None:
    """Replay the records of one file, each by itself."""
    rulebooks = [rules_of(record) for record in records]
    replays = [rulebook.replay(record, table) for rulebook, record in zip(rulebooks, records, strict=True)]
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


def _say_replay(rulebook: AnyRulebook, replayed: Replay, which: str = "") -> None:
    """Print what came of a replay. which: stands before each line."""
    one, several = rulebook.deeds
    for error in replayed.errors:
        who = f" {error.seat.capitalize()}" if error.seat else ""
        say_plainly(f"{which}row {error.row}{who} {error.text}: {error.reason}")
    for branch in replayed.branches:
        why = f": {branch.reason}" if branch.reason else ""
        say_plainly(
            f"{which}row {branch.row} {branch.seat.capitalize()}: taken back from here, "
            f"{several} {branch.attempts}{why}"
        )
    if replayed.consistent:
        count = f"{replayed.attempts} {one if replayed.attempts == 1 else several}"
        click.echo(f"{which}consistent: {count}, {_ending(replayed.result)}")


@main.command()
@click.argument("file", type=click.File("rb"), required=False)
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
        of_the_record = rules_in(_records_in(file)) if file is not None else ""
        click.echo(small_program(script or of_the_record or "confusion"), nl=False)
        return
    if file is None:
        raise UsageError("A record is expected, as `referee record GAME` writes it.")
    records = split_records(_records_in(file))
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
    """Verify the records of one file, each by itself."""
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


def _records_in(file: BinaryIO) -> str:
    """Return the text of an open file that holds records."""
    return read_text(read_stream(file, LARGEST_RECORDS, "a file of records"))


def _records_of(path: Path) -> str:
    """Return the text of a file that holds records."""
    return read_text(read_file(path, LARGEST_RECORDS, "a file of records"))


def _table_of(path: Path) -> str:
    """Return the text of a movement table."""
    return read_text(read_file(path, 4 * LARGEST_TABLE, "a movement table"))


def read_text(content: bytes) -> str:
    """Return a file's text, whatever program wrote it: UTF-8 or UTF-16 with a mark, UTF-8, else Windows' Western."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _ending(result: Result | None) -> str:
    if result is None:
        return "not finished"
    if result.winner:
        return f"{result.winner.capitalize()} wins, {result.how}"
    return f"{'no result' if result.void else 'a draw'}, {result.how}"


@main.command()
@click.argument("file", type=click.File("rb"))
@click.option("--rules", default="confusion", show_default=True, help="Whose notation.")
@click.option(
    "--language",
    type=click.Choice(tuple(LANGUAGES)),
    help="The language of its writer, in whose words it is read beside the English ones; else that of the settings.",
)
@as_json
@pass_call
def read(call: Call, file: BinaryIO, rules: str, language: str | None, as_json: bool) -> None:
    """Show what the desk reads in a letter (a file in RFC 5322 form), without acting on it.

    Nobody is looked up: a player's letter is read in the language that he has chosen, so name it with --language where
    it is not that of the settings.

    Example: referee read letter.eml
    """
    find_rulebook(rules)
    content = read_stream(file, LARGEST_LETTER, "a letter")
    if not is_letter(content):
        raise UsageError(
            f"{file.name}: this is no letter: it has no header, such as `From: …` and `Date: …`."
        )
    service = service_of(call.settings(complete=False))
    language = language or service.language
    seen = dry_run(content, service, rules, language)
    if as_json:
        document = asdict(seen)
        if not seen.faults:
            document.pop("faults")
        say_json(document)
        return
    verified = "verified" if seen.verified else "not verified"
    say_plainly(f"from {seen.sender or 'nobody'}, {verified}, language {language}: {seen.outcome}")
    if seen.reason and seen.reason not in seen.faults:
        say_plainly(f"  {seen.reason}")
    for command in seen.commands:
        say_plainly(f"  command      {command}")
    for fault in seen.faults:
        say_plainly(f"  fault        {fault}")
    for line in seen.passed_over:
        say_plainly(f"  passed over  {line}")


@main.group(invoke_without_command=True)
@click.option("--outcome", help="Only these: ruled, answered, ignored, held, bounce or set-aside.")
@click.option(
    "--limit",
    type=click.IntRange(1, LARGEST_NUMBER),
    default=200,
    show_default=True,
    help="The newest so many.",
)
@as_json
@pass_call
@click.pass_context
def letters(ctx: click.Context, call: Call, outcome: str | None, limit: int, as_json: bool) -> None:
    """List the letters taken in and what became of each.

    With a word behind it: one letter shown in full, settled once more, or given up.

    Example: referee letters --outcome held
    """
    if ctx.invoked_subcommand is not None:
        if outcome is not None or as_json:
            raise UsageError(f"Options of `letters {ctx.invoked_subcommand}` stand behind that word.")
        return
    with call.premises() as premises:
        listed = list_letters(premises, outcome, limit)
    if as_json:
        say_json(listed)
        return
    if not listed:
        click.echo("No letters.")
    for each in listed:
        game = f"game {each['game']}" if each["game"] else ""
        said = ", ".join(each["commands"]) or each["reason"] or ("" if each["outcome"] else "(not read yet)")
        what = f"{each['outcome'] or 'waiting':9} {game:9}"
        say_plainly(
            f"{each['number']:6}  {for_people(each['received'])}  {what} {each['sender'] or '-'}  {said}"
        )


the_number = click.argument("number", type=click.IntRange(1, LARGEST_NUMBER))
the_game = click.argument("game", type=click.IntRange(1, LARGEST_NUMBER))


@letters.command("show")
@the_number
@click.option(
    "--raw",
    is_flag=True,
    help="The letter itself and nothing else, byte for byte; on a terminal control characters are escaped.",
)
@click.option(
    "--to",
    "path",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    help="With --raw: into this file, byte for byte.",
)
@as_json
@pass_call
def show_letter(call: Call, number: int, raw: bool, path: Path | None, as_json: bool) -> None:
    """Show a letter: its header, what is read in it, what became of it, and the answers.

    Example: referee letters show 12
    """
    if raw and as_json:
        raise UsageError("--raw gives the letter's bytes, --json a document: choose one.")
    if path is not None and not raw:
        raise UsageError("--to goes with --raw: into the file comes the letter itself.")
    with call.premises() as premises:
        if raw:
            _say_raw(raw_letter(premises, number), path)
            return
        letter = letter_in_full(premises, number)
    if as_json:
        say_json(letter)
        return
    for line in _write_letter(letter):
        say_plainly(line)


def _say_raw(letter: bytes, path: Path | None) -> None:
    """Write a letter's bytes into a file, or to standard output; on a terminal they are made harmless."""
    if path is not None:
        path.write_bytes(letter)
    elif sys.stdout.isatty():
        click.echo("\n".join(map(_escaped, letter.decode("utf-8", "backslashreplace").splitlines())))
    else:
        click.echo(letter, nl=False)


def _escaped(line: str) -> str:
    """Return a line in which a character that is not printed stands as Python writes it: `\\x1b`."""
    return "".join(
        each if each.isprintable() or each == "\t" else each.encode("unicode_escape").decode()
        for each in line
    )


def _write_letter(letter: Mapping[str, Any]) -> Iterator[str]:
    game = f", game {letter['game']}" if letter["game"] else ""
    sender = letter["sender"] or "nobody"
    yield f"letter {letter['number']} from {sender}, {for_people(letter['received'])}, {letter['size']:,} octets{game}"
    reason = f": {letter['reason']}" if letter["reason"] else ""
    failures = f" (it made the house fail {letter['attempts']} times)" if letter["attempts"] else ""
    yield f"{letter['outcome'] or 'not settled yet'}{reason}{failures}"
    for name, value in letter["header"]:
        yield f"  {name}: {value}"
    read = letter["read"]
    if read is None:
        yield "It is not here as a whole, so nothing can be read in it."
    else:
        said = f"{read['outcome']}: {read['reason']}" if read["reason"] else read["outcome"]
        yield f"read now: {'verified' if read['verified'] else 'not verified'}, {said}"
        for what, key in (("command", "commands"), ("fault", "faults"), ("passed over", "passed_over")):
            for line in read[key]:
                yield f"  {what:11}  {line}"
    for each in letter["answers"]:
        about = f", game {each['game']}" if each["game"] else ""
        named = f"letter {each['number']}" if each["number"] else "a letter"
        when = f" {each['sent']}" if each["sent"] else ""
        host = f" ({each['said']})" if each["said"] else ""
        yield f"answered: {named}{about}, {each['kind']} to {each['to']}, {each['state']}{when}{host}"


@letters.command("retry")
@the_number
@as_json
@pass_call
def retry_letter(call: Call, number: int, as_json: bool) -> None:
    """Settle a letter once more that was held or set aside.

    For when its cause was mended: the settings, the program, the mail host. What was ruled is never ruled again.

    Example: referee letters retry 12
    """
    with call.premises() as premises:
        settled = settle_again(premises.house, number)
    if as_json:
        say_json(asdict(settled))
        return
    reason = f": {settled.reason}" if settled.reason else ""
    click.echo(f"letter {number} is {settled.outcome} now{reason}")


@letters.command("drop")
@the_number
@click.option("--reason", required=True, callback=one_sentence, help="Why; it is kept with the letter.")
@pass_call
def drop_letter(call: Call, number: int, reason: str) -> None:
    """Give a letter up that was set aside; it stays recorded, with the reason.

    Example: referee letters drop 12 --reason "an advertisement"
    """
    with call.premises() as premises:
        premises.house.drop(number, reason)
    click.echo(f"Letter {number} is given up.", err=True)


@letters.command("again")
@as_json
@pass_call
def letters_again(call: Call, as_json: bool) -> None:
    """Make all letters of ours again from what was kept, and compare them with what was sent, byte for byte.

    All letters that came in are heard once more, in their order and at their times, by a new house that is thrown away
    afterwards; nothing is changed in this one. It takes as long as hearing them did, and wants the release and the
    settings with which they were sent. What was erased, and what hangs on it, cannot be made again.

    Example: referee letters again
    """
    console = Console(stderr=True)
    with call.premises() as premises, progress_bar(console) as progress:
        task = progress.add_task("What was done", total=None)
        made = make_again(premises, lambda done, of: progress.update(task, completed=done, total=of))
    if as_json:
        say_json(asdict(made))
    else:
        for each in made.differs:
            about = f", game {each.game}" if each.game else ""
            say_plainly(f"{each.message_id} to {each.recipient}{about}: {each.why}")
        for said in made.undone:
            say_plainly(f"could not be done again: {said}")
        click.echo(
            f"{made.equal} letters are the same, {len(made.differs)} are not; {made.erased} are erased."
        )
        if made.unheard:
            numbers = ", ".join(map(str, made.unheard))
            click.echo(f"Erased, and so not heard again, with all that hangs on them: letter {numbers}.")
        if made.told:
            click.echo(f"Not made again, since they tell you of the service itself: {made.told}.")
    if made.differs:
        sys.exit(1)


@main.command()
@click.option("--offline", is_flag=True, help="Leave the servers alone.")
@as_json
@pass_call
def doctor(call: Call, offline: bool, as_json: bool) -> None:
    """Look at everything that can be stuck, and say what is, why, and what cures it.

    Servers, clock, database, disk, and all that waits. Exit status 1 when something needs you.

    Example: referee doctor
    """
    settings = call.settings()
    with Console(stderr=True).status("Looking round"):
        found = examine(settings, offline=offline)
    healthy = all(each.level != "problem" for each in found)
    if as_json:
        say_json({"healthy": healthy, "findings": [asdict(each) for each in found]})
    else:
        for each in found:
            say_plainly(f"{each.level:7}  {each.about:8}  {each.text}")
    if not healthy:
        sys.exit(1)


@main.command()
@the_game
@click.option("--reason", required=True, callback=one_sentence, help="Why; both players read it.")
@pass_call
def freeze(call: Call, game: int, reason: str) -> None:
    """Stop a game for the time being: its players' moves are refused, with the reason.

    Both players are told by letter. Nothing is lost: the game stays as it stands until `referee thaw`.

    Example: referee freeze 17 --reason "A ruling is being checked."
    """
    with call.premises() as premises:
        premises.house.freeze(game, reason)
    click.echo(f"Game {game} is frozen; its players are told.", err=True)


@main.command()
@the_game
@pass_call
def thaw(call: Call, game: int) -> None:
    """Let a frozen game go on.

    Example: referee thaw 17
    """
    with call.premises() as premises:
        premises.house.thaw(game)
    click.echo(f"Game {game} goes on; its players are told.", err=True)


main.add_command(event)
main.add_command(umpire)
main.add_command(overview)
main.add_command(log_command)
main.add_command(mbox)
main.add_command(bundle)
main.add_command(picture)
main.add_command(publish)
main.add_command(scenario)


@main.command()
@the_game
@click.option(
    "--who", required=True, metavar="WHO", help='Who watches: "Carl <carl@example.net>", or an address.'
)
@click.option(
    "--delay", type=click.IntRange(0, 99), metavar="TURNS", help="So many turns late; as agreed if left out."
)
@click.option("--off", is_flag=True, help="Let him watch it no more.")
@pass_call
def watch(call: Call, game: int, who: str, delay: int | None, off: bool) -> None:
    """Let somebody watch a game, where its players have agreed that others may (option watchers).

    He gets what both players hear, by letter, and never a type before the end; the players are told his name.

    Example: referee watch 17 --who "Carl <carl@example.net>" --delay 2
    """
    name, address = read_person(who)
    with call.premises() as premises:
        if off:
            premises.house.watch_no_more(game, address)
        else:
            premises.house.watch(game, name, address, delay)
    click.echo(f"{address} {'does not watch' if off else 'watches'} game {game}; a letter says so.", err=True)


@main.command()
@the_game
@click.option(
    "--winner",
    "end",
    required=True,
    metavar="COLOUR|draw|none",
    help="Whose side has won; none closes the game without a result.",
)
@click.option("--reason", required=True, callback=one_sentence, help="Why; both players read it.")
@click.option(
    "--settles", metavar="GAME/CASE", help="Rule on this case of it, too: its player reads the reason."
)
@click.option("--dry-run", is_flag=True, help="Say what would follow, and do nothing.")
@as_json
@pass_call
def adjudicate(
    call: Call, game: int, end: str, reason: str, settles: str | None, dry_run: bool, as_json: bool
) -> None:
    """End a game by an umpire's ruling.

    Both players are told, with the reason, and the types are shown to both, as at any end. The record says
    "adjudicated" and the reason. What was ruled so is not taken back: try it with --dry-run first. Cases that players
    have brought wait on until somebody rules on them.

    Example: referee adjudicate 17 --winner white --reason "Yellow has not written since May."
    """
    with call.premises() as premises:
        case = _case_of(game, settles) if settles is not None else None
        foreseen = foresee_ruling(premises, game, end.lower(), reason, case)
        if not dry_run:
            premises.house.adjudicate(game, end.lower(), reason, case)
    if as_json:
        say_json({**foreseen, "done": not dry_run})
        return
    told = " and ".join(foreseen["told"])
    if dry_run:
        say_plainly(f"Game {game} would end. {foreseen['said']}. {told} would be told. Nothing was done.")
    else:
        say_plainly(f"Game {game} has ended. {foreseen['said']}. {told} are told.")
    if foreseen["cases"]:
        say_plainly(f"Still waiting for a ruling: case {', '.join(foreseen['cases'])}; see `referee claims`.")


def _case_of(game: int, said: str) -> int:
    number, case = _which_case(said)
    if number != game:
        raise UsageError(f"--settles {said}: that is no case of game {game}.")
    return case


def _which_case(said: str) -> tuple[int, int]:
    """Read "17/1": a game, and a case of it."""
    found = re.fullmatch(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*", said)
    if found is None:
        raise UsageError(
            f"{said}: expected a game and a case of it, as in 17/1; `referee claims` lists them."
        )
    return int(found[1]), int(found[2])


@main.command()
@click.option("--all", "all_of_them", is_flag=True, help="Those too that were ruled on.")
@click.option("--settle", metavar="GAME/CASE", help="Rule on this one.")
@click.option("--answer", metavar="TEXT", help="What the player reads who has brought it, and nobody else.")
@click.option("--upheld", is_flag=True, help="With --settle: the player is right.")
@click.option("--rejected", is_flag=True, help="With --settle: the player is wrong.")
@click.option(
    "--unchanged", is_flag=True, help="With --upheld: and nothing is to be changed in the game for it."
)
@the_officer
@as_json
@pass_call
def claims(
    call: Call,
    all_of_them: bool,
    settle: str | None,
    answer: str | None,
    upheld: bool,
    rejected: bool,
    unchanged: bool,
    officer: str | None,
    as_json: bool,
) -> None:
    """List the cases that wait for an umpire, or rule on one.

    A claim opens a case, an appeal opens it once more; it waits until somebody rules, also when its game is over. An
    officer with whom the case is, and in whose name you do not rule by --as, is told of your ruling.

    Example: referee claims --settle 17/1 --rejected --answer "The answer to L-S2 was right; see rule CF-5.6."
    """
    if upheld and rejected:
        raise UsageError("--upheld and --rejected exclude each other: the player is right, or he is wrong.")
    verdict: Verdict = "upheld" if upheld else "rejected" if rejected else ""
    if (settle is None) != (answer is None) or (verdict and settle is None):
        raise UsageError("--settle and --answer belong together: which case, and what its player reads.")
    if unchanged and not upheld:
        raise UsageError("--unchanged belongs to --upheld: the player is right, and the game stays as it is.")
    if officer is not None and settle is None:
        raise UsageError("--as belongs to --settle: in whose name the case is ruled on.")
    with call.premises() as premises:
        if settle is not None and answer is not None:
            game, case = _which_case(settle)
            by = find_officer(premises, officer)
            premises.house.rule_on_case(game, case, answer, verdict, by=by, unchanged=unchanged)
            click.echo(f"Case {game}/{case} is ruled on; a letter says so.", err=True)
        listed = list_claims(premises, all_of_them=all_of_them)
    if settle is not None and not as_json:
        return
    if as_json:
        say_json(listed)
        return
    if not listed:
        click.echo("No claims wait.")
    for each in listed:
        for line in write_claim(each):
            say_plainly(line)


@main.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@pass_call
def backup(call: Call, file: Path) -> None:
    """Copy the database safely, while the service runs.

    Example: referee backup /var/backups/referee-$(date +%F).db
    """
    with call.premises() as premises:
        premises.store.backup(file)
    click.echo(f"Copied to {file}.", err=True)
