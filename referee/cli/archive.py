"""Operator commands for the archive: everything that can be exported to files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

import click
from rich.console import Console

from referee.archive.bundle import Entry, Part, check_bundle, write_bundle
from referee.archive.event_log import write_log
from referee.archive.event_records import join_records
from referee.archive.exports import bundle_of, log_of, mail_of, picture_of, records_of
from referee.archive.mbox import write_mbox
from referee.archive.site import WRITINGS
from referee.archive.site import publish as publish_site
from referee.cli.arguments import a_game, open_given, the_game
from referee.cli.context import Call, as_json, pass_call, say_json, say_plainly
from referee.cli.progress import progress_bar
from referee.common.errors import RefereeError, UsageError
from referee.rulebooks.catalogue import find_rulebook
from referee.service.queries import write_record


def _say_records(
    call: Call, event: str, viewer: str, *, rules: str | None, bare: bool, over: bool, as_json: bool
) -> None:
    """Print the records of a tournament's games one after the other, oldest first.

    Records that cannot be read are named on standard error.
    """
    name = find_rulebook(rules).name if rules is not None else ""
    unread: list[int] = []
    with call.application() as application:
        records = records_of(application, event, viewer, rules=name, bare=bare, over=over, unread=unread)
        if as_json:
            games = [{"game": number, "record": text} for number, text in records]
            say_json({"event": event, "games": games})
        else:
            for piece in join_records(text for _, text in records):
                click.echo(piece, nl=False)
    if unread:
        numbers = ", ".join(map(str, unread))
        raise RefereeError(
            f"what was kept of game {numbers} cannot be read: it is left out (`referee games` says more)"
        )


@click.command()
@a_game
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
        _say_records(call, event_name, viewer.lower(), rules=rules, bare=bare, over=over, as_json=as_json)
        return
    if game is None:
        raise UsageError("which game? Its number is missing (`referee record 17`), or --event NAME.")
    if over or rules is not None:
        raise UsageError("--over and --rules go with --event: one game is what it is.")
    with call.application() as application:
        text = write_record(application, game, viewer.lower(), bare=bare)
    if as_json:
        say_json({"game": game, "record": text})
    else:
        click.echo(text, nl=not text.endswith("\n"))


@click.command()
@the_game
@pass_call
def log(call: Call, game: int) -> None:
    """Write all events of a game, a line of JSON each, with their dates.

    The log holds the game's secret, both deals and all plans: while it is being played, it is for the umpire alone. The
    README says what stands in it.

    Example: referee log 17 > game-17.jsonl
    """
    with call.application() as application:
        written, over = log_of(application, game)
    if not over:
        click.echo(
            f"Game {game} is not over: this log holds all that is hidden in it, and is for the umpire alone.",
            err=True,
        )
    for line in write_log(written):
        click.echo(line, nl=False)


@click.command()
@the_game
@click.option("--as", "viewer", required=True, metavar="COLOUR", help="Whose letters.")
@pass_call
def mbox(call: Call, game: int, viewer: str) -> None:
    """Write every letter about a game that a seat was sent, in a file for mail programs.

    Letters to players who sat there before are among them. What was erased, and what was never posted, is left out, and
    said on standard error.

    Example: referee mbox 17 --as white > white-17.mbox
    """
    with call.application() as application:
        mail = mail_of(application, game, viewer.lower())
    for piece in write_mbox(mail.letters):
        click.echo(piece, nl=False)
    for count, what in ((mail.erased, "erased"), (mail.unposted, "not posted")):
        if count:
            letters = "1 letter is" if count == 1 else f"{count} letters are"
            click.echo(f"{letters} left out: {what}.", err=True)


@click.command()
@click.argument("event", required=False)
@click.option(
    "-o",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Into which file; it must be a new one.",
)
@click.option("--letters", is_flag=True, help="Also all letters that both players were sent: ask them first.")
@click.option(
    "--check",
    "checked",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Check a bundle instead.",
)
@as_json
@pass_call
def bundle(
    call: Call, event: str | None, path: Path | None, letters: bool, checked: Path | None, as_json: bool
) -> None:
    """Put all games of an event that are over into one file, with a manifest that proves it unchanged.

    It holds their records and logs; of games that go on there is nothing in it. The number that is printed binds the
    whole: anyone who has it from you can see by --check that they have the same games. A bundle that is checked is
    not unpacked.

    Example: referee bundle "Spring League 2027" -o league.tar
    """
    if checked is not None:
        if event is not None or path is not None or letters:
            raise UsageError("--check stands alone: it reads a bundle, and needs no event.")
        with open_given(checked) as file:
            _say_checked(file, as_json=as_json)
        return
    if event is None:
        raise UsageError(
            'which event, and into which file? `referee bundle "Spring League 2027" -o league.tar`'
        )
    if path is None:
        raise UsageError(f'into which file? Name it with -o: `referee bundle "{event}" -o league.tar`')
    unread: list[int] = []
    with call.application() as application:
        parts = bundle_of(application, event, letters=letters, unread=unread)
        entries, whole = _write_bundle(path, event, parts)
    if as_json:
        say_json({"event": event, "files": [asdict(each) for each in entries], "sha256": whole})
    else:
        click.echo(whole)
    if unread:
        numbers = ", ".join(map(str, unread))
        raise RefereeError(
            f"what was kept of game {numbers} cannot be read: it is left out (`referee games` says more)"
        )


def _write_bundle(path: Path, event: str, parts: Iterator[Part]) -> tuple[list[Entry], str]:
    """Write a bundle to a new file, which exists whole or not at all."""
    try:
        file = path.open("xb")
    except FileExistsError as error:
        raise UsageError(f"{path} is there already; it was left as it is.") from error
    try:
        with file:
            return write_bundle(file, event, parts)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _say_checked(file: BinaryIO, *, as_json: bool) -> None:
    found = check_bundle(file)
    if as_json:
        say_json(
            {
                "fits": found.fits,
                "problems": found.problems,
                "event": found.event,
                "files": found.files,
                "sha256": found.whole,
            }
        )
    else:
        for problem in found.problems:
            say_plainly(problem)
        if found.fits:
            say_plainly(
                f"{found.event}: {found.files} files, as the manifest says; the whole is {found.whole}"
            )
    if not found.fits:
        sys.exit(1)


@click.command()
@the_game
@click.option("--turn", type=click.IntRange(0), metavar="TURN", help="At the end of it; 0 is the start.")
@click.option(
    "--as",
    "viewer",
    default="umpire",
    metavar="COLOUR|umpire",
    help="Whose eyes; the umpire's see all types.",
)
@click.option("--sheets", is_flag=True, help="That side's deduction sheets below the board.")
@click.option(
    "-o",
    "path",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    help="Into which file: FILE.svg, as sharp as the printer is, or FILE.png.",
)
@pass_call
def picture(call: Call, game: int, turn: int | None, viewer: str, sheets: bool, path: Path) -> None:
    """Draw a game as somebody saw it at the end of a turn.

    What a side had not heard by then is not in its picture. What was taken back counts no more. Without --turn it is
    drawn as it stands.

    Example: referee picture 17 --turn 22 --as yellow --sheets -o turn-22.svg
    """
    kind = path.suffix.lower()
    if kind not in (".png", ".svg"):
        raise UsageError(f"{path}: expected a name that ends with .svg or .png.")
    with call.application() as application:
        drawn = picture_of(application, game, viewer.lower(), turn, sheets=sheets)
    content = drawn.png if kind == ".png" else drawn.svg.encode() if drawn.svg else None
    if content is None:
        raise UsageError(f"game {game} is of rules whose games are not drawn")
    path.write_bytes(content)


def _named_folder(_context: click.Context, _argument: click.Parameter, said: str) -> Path:
    """Return the given folder. Raises UsageError for "", which would be the current folder."""
    if not said.strip():
        raise UsageError("into which folder? `referee publish /var/www/games`")
    return Path(said)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False), callback=_named_folder)
@click.option("--event", "event_name", metavar="NAME", help="Only the games of an event.")
@click.option(
    "--with",
    "writings",
    type=click.Choice(WRITINGS, case_sensitive=False),
    multiple=True,
    help="Also show press between players, or their diaries; ask those who wrote them first.",
)
@as_json
@pass_call
def publish(
    call: Call, folder: Path, event_name: str | None, writings: tuple[str, ...], as_json: bool
) -> None:
    """Write the archive as web pages that need no server.

    Games that are over are shown whole, step by step and with both deduction sheets. A game that is being played is
    shown only where its event lets others watch: the board alone, as many turns late, and one at least. Of what players
    wrote, it shows press to all; nobody's address. What stands in the folder already is not written again, and nothing
    is touched there that was not published.

    Example: referee publish /var/www/games
    """
    console = Console(stderr=True)
    with call.application() as application, progress_bar(console) as progress:
        task = progress.add_task("Games", total=None)
        said = publish_site(
            application,
            folder,
            event=event_name,
            writings=writings,
            progress=lambda done, of: progress.update(task, completed=done, total=of),
        )
    if as_json:
        say_json(asdict(said))
    else:
        games = "1 game" if said.games == 1 else f"{said.games:,} games"
        played = f", {said.playing:,} of them being played" if said.playing else ""
        click.echo(
            f"{folder}: {games}{played}; {said.written:,} files written, {said.unchanged:,} unchanged, "
            f"{said.removed:,} removed."
        )
    if said.left:
        files = "1 file is" if said.left == 1 else f"{said.left} files are"
        click.echo(f"{files} left that somebody has changed and no page leads to any more.", err=True)
    if said.unread:
        numbers = ", ".join(map(str, said.unread))
        raise RefereeError(
            f"what was kept of game {numbers} cannot be read: it is left out (`referee games` says more)"
        )
