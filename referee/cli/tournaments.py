"""Operator commands for tournaments and seasons, with their settings and officers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import click

from referee.cli.arguments import one_sentence, read_person
from referee.cli.context import Call, Commands, as_json, pass_call, say_json, say_plainly
from referee.common.errors import UsageError
from referee.common.files import read_file
from referee.common.timestamps import for_people, for_programs
from referee.games.tournaments.officers import Office, office_called
from referee.games.tournaments.reading import LARGEST_FILE, read_competition
from referee.games.tournaments.tournament import Competition
from referee.games.tournaments.writing import write_competition, write_span
from referee.service.bootstrap import Application
from referee.service.tournaments import TournamentService
from referee.store.queries import Lookup
from referee.store.values import StoredCompetition

the_event = click.argument("name")
the_file = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
dry_run = click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")


@click.group(cls=Commands)
def event() -> None:
    """Keep events: tournaments and seasons, with terms, calendar and officers of their own.

    Example: referee event new league.toml
    """


@event.command("new")
@the_file
@dry_run
@as_json
@pass_call
def new_event(call: Call, file: Path, dry_run: bool, as_json: bool) -> None:
    """Make an event of a file; `referee event show NAME --toml` prints such a file.

    A file needs a name and no more: name = "Spring League". Whatever is wrong with it is said at once.

    Example: referee event new league.toml --dry-run
    """
    terms = _read(file)
    with call.application() as application:
        _secretary(application).make(terms, dry_run=dry_run)
    if as_json:
        say_json({**_document(terms), "made": not dry_run})
        return
    say_plainly(f"{terms.name} {'could be made' if dry_run else 'is made'}:")
    for line in _terms(terms):
        say_plainly(line)


@event.command("list")
@as_json
@pass_call
def list_events(call: Call, as_json: bool) -> None:
    """List the events.

    Example: referee event list
    """
    with call.application() as application, application.store.reading() as lookup:
        listed = [_line(lookup, each) for each in lookup.tournaments.all()]
    if as_json:
        say_json(listed)
        return
    if not listed:
        click.echo("There are no events yet; `referee event new FILE` makes one.")
    for each in listed:
        officers = "; ".join(f"{office} {name}" for office, name in each["officers"].items())
        games = f"games: {each['playing']} being played, {each['ended']} over"
        say_plainly(f"{each['event']}: {games}; {officers or 'no officers'}")


@event.command("show")
@the_event
@click.option("--toml", "as_toml", is_flag=True, help="Its file, as `event new` and `event change` read it.")
@as_json
@pass_call
def show_event(call: Call, name: str, as_toml: bool, as_json: bool) -> None:
    """Show an event: its terms, its officers, and how its terms were changed.

    Example: referee event show "Spring League" --toml > league.toml
    """
    if as_toml and as_json:
        raise UsageError("--toml and --json: choose one.")
    with call.application() as application, application.store.reading() as lookup:
        found = lookup.tournaments.find_named(name)
        line = _line(lookup, found)
        changed = lookup.tournaments.history(found.number)[1:]
    if as_toml:
        click.echo(write_competition(found.terms), nl=False)
        return
    if as_json:
        changes = [{"at": for_programs(each.at), "reason": each.reason} for each in changed]
        say_json({**_document(found.terms), **line, "changes": changes})
        return
    say_plainly(f"{found.name}, since {for_people(found.created)}")
    for each in _terms(found.terms):
        say_plainly(each)
    for office, who in line["officers"].items():
        say_plainly(f"  {office:10} {who}")
    say_plainly(f"  {'games':10} {line['playing']} being played, {line['ended']} over")
    for change in changed:
        say_plainly(f"changed {for_people(change.at)}: {change.reason}")


@event.command("change")
@the_event
@the_file
@click.option("--reason", required=True, callback=one_sentence, help="Why; it is kept with the event.")
@dry_run
@as_json
@pass_call
def change_event(call: Call, name: str, file: Path, reason: str, dry_run: bool, as_json: bool) -> None:
    """Give an event the terms of a file; say what changes, and what follows for games being played.

    Example: referee event change "Spring League" league.toml --reason "Easter was left out." --dry-run
    """
    terms = _read(file)
    with call.application() as application:
        amended = _secretary(application).change(name, terms, reason, dry_run=dry_run)
    if as_json:
        changes = [asdict(each) for each in amended.changes]
        done = bool(changes) and not dry_run
        say_json({"event": amended.event, "changed": done, "playing": amended.running, "changes": changes})
        return
    if not amended.changes:
        say_plainly(f"{amended.event} says all this already; nothing is changed.")
        return
    count = "1 game" if amended.running == 1 else f"{amended.running} games"
    head = "would change" if dry_run else "is changed"
    say_plainly(f"{amended.event} {head}; {count} of it being played:")
    for each in amended.changes:
        say_plainly(f"  {each.key:10} {each.before}  ->  {each.after}")
        say_plainly(f"  {'':10} ({each.follows})")


@event.command("officer")
@the_event
@click.argument("office", type=click.Choice(get_args(Office), case_sensitive=False))
@click.argument("who", metavar='"NAME <ADDRESS>"')
@click.option("--remove", is_flag=True, help="Take the office away from them instead of giving it.")
@as_json
@pass_call
def officer(call: Call, name: str, office: Office, who: str, remove: bool, as_json: bool) -> None:
    """Give somebody an office in an event, in place of its last holder; both are told by letter.

    The umpire rules in its games, the deputy where the umpire is a player or is away; appeals go to a third; the
    director runs it all. Officers do not act in games of their own.

    Example: referee event officer "Spring League" umpire "Olga <olga@example.net>"
    """
    person = read_person(who)
    with call.application() as application:
        secretary = _secretary(application)
        done = (
            secretary.dismiss(name, office, person[1]) if remove else secretary.appoint(name, office, person)
        )
    if as_json:
        say_json({**asdict(done), "removed": remove})
        return
    for warning in done.warnings:
        say_plainly(f"but {warning}")
    instead = f", instead of {done.instead_of}" if done.instead_of else ""
    held = "is no longer" if remove else "is now"
    say_plainly(
        f"{done.name} {held} {office_called(done.office)} of {done.event}{instead}, and is told by letter."
    )


def _secretary(application: Application) -> TournamentService:
    return TournamentService(application.store, application.service, application.clock)


def _read(file: Path) -> Competition:
    """Read a tournament's file; where something is wrong, report all of it and exit with status 2."""
    try:
        text = read_file(file, 4 * LARGEST_FILE, "an event's file").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 text, expected an event's file") from error
    read = read_competition(text)
    if isinstance(read, Competition):
        return read
    for fault in read:
        click.echo(f"{file}: {fault.sentence()}", err=True)
    sys.exit(UsageError.exit_status)


def _terms(terms: Competition) -> Iterator[str]:
    """Yield a tournament's settings, one per line, without its name."""
    for line in write_competition(terms).splitlines()[1:]:
        key, sign, value = line.partition(" = ")
        yield f"  {key:10} {value}" if sign else f"  {line}".rstrip()


def _document(terms: Competition) -> dict[str, Any]:
    """Return a tournament's settings for programs, as in its file, with the name as `event`."""
    said = {"event": terms.name, **terms.plain(), "reminders": [write_span(each) for each in terms.reminders]}
    del said["name"]
    return said


def _line(lookup: Lookup, found: StoredCompetition) -> dict[str, Any]:
    games = lookup.games.all(competition=found.number)
    return {
        "event": found.name,
        "officers": {each.office: lookup.players.find(each.player).name for each in found.officers},
        "playing": sum(row.status == "playing" for row in games),
        "ended": sum(row.status == "ended" for row in games),
    }
