"""Operator commands for games: start and list them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from referee.archive.event_records import split_records
from referee.cli.arguments import open_given, read_pair, read_person, read_records
from referee.cli.context import Call, as_json, pass_call, say_json, say_plainly
from referee.cli.search import say_left_out, search_options
from referee.common.errors import UsageError
from referee.common.files import read_file, read_text
from referee.common.timestamps import for_people
from referee.games.titles import names_in, write_title
from referee.rulebooks.catalogue import ENTRIES, find_rulebook
from referee.service.game_list import LISTED, list_games
from referee.store.game_search import Search


@click.command()
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
    rulebook = find_rulebook(rules)
    given = [(key.lower(), value) for key, value in (read_pair(option, "--option") for option in options)]
    chosen = dict(given)
    if len(chosen) < len(set(given)):
        raise UsageError("An option is given twice, with different values.")
    for key, own in (("deal", True), ("first", first is not None)):
        if own and key in chosen:
            raise UsageError(f"--option {key}=…: use --{key}.")
    if first is not None:
        chosen["first"] = first.lower()
    for key, most in ENTRIES[rulebook.name].files.items():
        if (file := Path(chosen.get(key, ""))).is_file():
            # The game keeps the file's text, so it must not change with the file.
            chosen[key] = read_text(read_file(file, 4 * most, f"a {key}"))
    seated = {seat.lower(): read_person(who) for seat, who in (read_pair(each, "--seat") for each in seats)}
    if len(seated) < len(seats):
        raise UsageError("A seat is named twice.")
    if deal and record_file is not None:
        raise UsageError("--deal does not go with --from: the deal is the record's.")
    if which is not None and record_file is None:
        raise UsageError("--number goes with --from: it chooses a record of the file.")
    record = _one_record(record_file, which) if record_file is not None else ""
    with call.application() as application:
        number = application.referee.umpire.new_game(rules, seated, chosen, deal, event_name, record)  # type: ignore[arg-type]
    if as_json:
        say_json({"game": number})
    else:
        click.echo(number)


def _one_record(path: Path, which: int | None) -> str:
    """Return the file's record, or the one at a given place. Raises UsageError where the choice is unclear."""
    with open_given(path) as file:
        text = read_records(file)
    records = split_records(text)
    if not text.strip():
        raise UsageError("there is no record in the file.")
    if which is None and len(records) > 1:
        raise UsageError(f"the file holds {len(records)} records: choose one, as in --number 1.")
    if which is not None and which > len(records):
        raise UsageError(f"--number {which}: the file holds {len(records)} record{'s'[: len(records) != 1]}.")
    return records[(which or 1) - 1]


@click.command()
@click.option("--event", "event_name", metavar="NAME", help="Only those of an event.")
@click.option("--late", is_flag=True, help="Only those that are late, the most urgent first.")
@search_options
@as_json
@pass_call
def games(
    call: Call, event_name: str | None, late: bool, wanted: Search, limit: int | None, as_json: bool
) -> None:
    """List the games, the newest first, or look for some.

    A player is found by a part of their name, in any case and without accents, or by a part of their address. Dates are
    those on which games began, in UTC, both days included; a month or a year will do.

    Example: referee games --player anna --since 2026-03 --rules confusion --result won
    """
    if late:
        if wanted.is_narrow or limit is not None:
            raise UsageError("--late goes with --event alone: it lists the games that are late.")
        from referee.cli.overview import say_late  # noqa: PLC0415 - rich

        say_late(call, event_name, as_json=as_json)
        return
    with call.application(log=False) as application:
        found = list_games(application, wanted, limit or LISTED, event=event_name)
    say_left_out(found.left_out)
    listed = found.games
    if as_json:
        say_json(listed)
        return
    if not listed and wanted.is_narrow:
        click.echo("No game is found.")
    elif not listed:
        where = f"There are no games yet in {application.store.place} ([service] database)"
        click.echo(
            f"{where if event_name is None else 'The event has no games yet'}; `referee new` starts one."
        )
    for each in listed:
        turn = f", turn {each['turn']}, {' and '.join(each['to_move'])} to move" if each["to_move"] else ""
        time = f", {each['time']}" if each["time"] else ""
        until = f", until {for_people(each['deadline'])}" if each["deadline"] else ""
        status = f"frozen ({each['frozen']})" if each["frozen"] else each["status"]
        ended = f", {_won(each['result'])}" if each["result"] else ""
        fault = f"; {each['fault']}" if each["fault"] else ""
        say_plainly(f"{each['game']:5}  {_title_now(each)}: {status}{ended}{time}{turn}{until}{fault}")


def _title_now(listed: Mapping[str, Any]) -> str:
    """Return the title of a listed game with its players' current names."""
    number, title, names = listed["game"], listed["title"], listed["names"]
    if not names or sorted(names.values()) == sorted(names_in(title, number)):
        return str(title)
    rulebook = find_rulebook(listed["rules"])
    return write_title(rulebook.title, number, [names[seat] for seat in rulebook.seats])


def _won(result: Mapping[str, Any]) -> str:
    """Return the winner in two words."""
    if result["winner"]:
        return f"{result['winner'].capitalize()} won"
    return "no result" if result.get("void") else "a draw"
