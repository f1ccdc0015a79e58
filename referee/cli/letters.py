"""Operator commands for letters: try one out, list, show, process again."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import click
from rich.console import Console

from referee.archive.rebuild import make_again
from referee.cli.arguments import LARGEST_NUMBER, one_sentence
from referee.cli.context import Call, as_json, pass_call, say_json, say_plainly
from referee.cli.progress import progress_bar
from referee.common.errors import UsageError
from referee.common.files import read_stream
from referee.common.i18n import LANGUAGES
from referee.common.timestamps import for_people
from referee.handlers.service_config import ServiceConfig
from referee.mail.message.mime_parts import is_letter
from referee.pipeline.dry_run import dry_run
from referee.rulebooks.catalogue import USUAL, find_rulebook
from referee.service.bootstrap import service_of
from referee.service.daemon import settle_again
from referee.service.queries import letter_in_full, list_letters, raw_letter

LARGEST_LETTER = 64_000_000
"""Largest letter, in bytes; no mail host accepts one half as large."""

the_number = click.argument("number", type=click.IntRange(1, LARGEST_NUMBER))


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option("--rules", default=USUAL, show_default=True, help="Whose notation.")
@click.option(
    "--language",
    type=click.Choice(tuple(LANGUAGES)),
    help="The language of its writer, in whose words it is read beside the English ones; else that of the settings.",
)
@as_json
@pass_call
def read(call: Call, file: BinaryIO, rules: str, language: str | None, as_json: bool) -> None:
    """Show what the desk reads in a letter (a file in RFC 5322 form), without acting on it.

    A sender is verified when a mail host that the settings trust has authenticated them; the moves are not checked.
    Nobody is looked up: a player's letter is read in the language that they have chosen, so name it with --language
    where it is not that of the settings.

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
    say_plainly(
        f"from {seen.sender or 'nobody'}, {_trust(service, seen.verified)}, language {language}: {seen.outcome}"
    )
    if seen.reason and seen.reason not in seen.faults:
        say_plainly(f"  {seen.reason}")
    for command in seen.commands:
        say_plainly(f"  command      {command}")
    for fault in seen.faults:
        say_plainly(f"  fault        {fault}")
    for line in seen.passed_over:
        say_plainly(f"  passed over  {line}")


def _trust(service: ServiceConfig, verified: bool) -> str:
    """Return how far the sender is trusted: the From header alone proves nothing."""
    if not verified:
        return "sender not verified"
    return "sender verified" if service.trust == "verified" else "sender believed from its From header"


@click.group(invoke_without_command=True)
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
    with call.application() as application:
        listed = list_letters(application, outcome, limit)
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
    with call.application() as application:
        if raw:
            _say_raw(raw_letter(application, number), path)
            return
        letter = letter_in_full(application, number)
    if as_json:
        say_json(letter)
        return
    for line in _write_letter(letter):
        say_plainly(line)


def _say_raw(letter: bytes, path: Path | None) -> None:
    """Write a letter's bytes to a file, or to standard output; on a terminal they are made harmless."""
    if path is not None:
        path.write_bytes(letter)
    elif sys.stdout.isatty():
        click.echo("\n".join(map(_escaped, letter.decode("utf-8", "backslashreplace").splitlines())))
    else:
        click.echo(letter, nl=False)


def _escaped(line: str) -> str:
    """Return a line with unprintable characters as Python writes them: `\\x1b`."""
    return "".join(
        each if each.isprintable() or each == "\t" else each.encode("unicode_escape").decode()
        for each in line
    )


def _write_letter(letter: Mapping[str, Any]) -> Iterator[str]:
    game = f", game {letter['game']}" if letter["game"] else ""
    sender = letter["sender"] or "nobody"
    yield f"letter {letter['number']} from {sender}, {for_people(letter['received'])}, {letter['size']:,} octets{game}"
    reason = f": {letter['reason']}" if letter["reason"] else ""
    failures = f" (it made the service fail {letter['attempts']} times)" if letter["attempts"] else ""
    yield f"{letter['outcome'] or 'not settled yet'}{reason}{failures}"
    for name, value in letter["header"]:
        yield f"  {name}: {value}"
    read = letter["read"]
    if read is None:
        yield "It is not here as a whole, so nothing can be read in it."
    else:
        said = f"{read['outcome']}: {read['reason']}" if read["reason"] else read["outcome"]
        yield f"read now: sender {'verified' if read['verified'] else 'not verified'}, {said}"
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
    with call.application() as application:
        settled = settle_again(application.referee, number)
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
    with call.application() as application:
        application.referee.letters.drop(number, reason)
    click.echo(f"Letter {number} is given up.", err=True)


@letters.command("again")
@as_json
@pass_call
def letters_again(call: Call, as_json: bool) -> None:
    """Make all letters of ours again from what was kept, and compare them with what was sent, byte for byte.

    All letters that came in are settled once more, in their order and at their times, in a new database that is thrown
    away afterwards; nothing is changed in this one. It takes as long as settling them did, and wants the release and
    the settings with which they were sent. What was erased, and what hangs on it, cannot be made again.

    Example: referee letters again
    """
    console = Console(stderr=True)
    with call.application() as application, progress_bar(console) as progress:
        task = progress.add_task("What was done", total=None)
        made = make_again(application, lambda done, of: progress.update(task, completed=done, total=of))
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
