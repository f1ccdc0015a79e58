"""The operator's commands for the archive: games that are looked for, and what is taken out of it in files."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from referee.archive.event_log import write_log
from referee.archive.event_records import join_records
from referee.archive.mbox import write_mbox
from referee.archive_room import log_of, mail_of, records_of
from referee.cli_manners import LARGEST_NUMBER, Call, pass_call, say_json
from referee.errors import RefereeError, UsageError
from referee.games.ends import DRAW, NONE
from referee.reading_room import LISTED
from referee.rulebooks.catalogue import RULEBOOKS, find_rulebook
from referee.store.searching import FARED, PLAYING, Search

_SEATS = tuple(dict.fromkeys(seat for rulebook in RULEBOOKS for seat in rulebook.seats))
RESULTS = (*_SEATS, DRAW, NONE, *FARED, PLAYING)
"""What games can be looked for by, as to their end."""
_DAY = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")

the_game = click.argument("game", type=click.IntRange(1, LARGEST_NUMBER))


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options by which games are looked for; it gets them as `wanted`, and `limit`."""

    @functools.wraps(command)
    def searching(
        *args: Any,
        player: str | None,
        since: str | None,
        until: str | None,
        rules: str | None,
        result: str | None,
        **others: Any,
    ) -> Any:
        wanted = read_search(player, since, until, rules, result)
        return command(*args, wanted=wanted, **others)

    for option in reversed(
        (
            click.option(
                "--player", metavar="WHO", help="A part of the name, or of the address, of a player."
            ),
            click.option(
                "--since", metavar="DATE", help="Begun on this day or later: 2026-03-01, 2026-03 or 2026."
            ),
            click.option("--until", metavar="DATE", help="Begun on this day or earlier."),
            click.option("--rules", metavar="RULES", help="Of these rules."),
            click.option(
                "--result",
                type=click.Choice(RESULTS, case_sensitive=False),
                help="The side that won, draw, or none for no result; won or lost by --player; playing.",
            ),
            click.option(
                "--limit",
                type=click.IntRange(1, LARGEST_NUMBER),
                help=f"The newest so many; {LISTED} if left out.",
            ),
        )
    ):
        searching = option(searching)
    return searching


def read_search(
    player: str | None, since: str | None, until: str | None, rules: str | None, result: str | None
) -> Search:
    """Return what games are looked for. Raises UsageError."""
    if player is not None and not player.strip():
        raise UsageError("--player: expected a part of a name, or of an address.")
    if result in FARED and player is None:
        raise UsageError(f"--result {result}: say whose, with --player.")
    first, last = (None if said is None else _read_day(said) for said in (since, until))
    if first and last and first[0] >= last[1]:
        raise UsageError(f"--since {since} is later than --until {until}: no game is of no day.")
    return Search(
        player=" ".join((player or "").split()),
        by_address=True,
        since=first[0] if first else None,
        until=last[1] if last else None,
        rules=find_rulebook(rules).name if rules is not None else "",
        result=result or "",
    )


def _read_day(text: str) -> tuple[datetime, datetime]:
    """Read a day, a month or a year; return its begin, and that of the next one."""
    found = _DAY.fullmatch(text.strip())
    year, month, day = (int(each) if each else 0 for each in found.groups()) if found else (0, 0, 0)
    try:
        begin = datetime(year, month or 1, day or 1, tzinfo=UTC)
        if day:
            return begin, begin + timedelta(days=1)
        return begin, datetime(year + (month or 12) // 12, month % 12 + 1, 1, tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{text!r} is no day: expected one like 2026-03-01, 2026-03 or 2026.") from error


def say_left_out(games: int) -> None:
    """Say on standard error how many older games a list leaves out, where it does."""
    if games:
        what = "1 older game is" if games == 1 else f"{games:,} older games are"
        click.echo(f"{what} left out; --limit lists more.", err=True)


def say_records(
    call: Call, event: str, viewer: str, *, rules: str | None, bare: bool, over: bool, as_json: bool
) -> None:
    """Print the records of an event's games one after the other, oldest first; of those that cannot be read it is said
    on standard error which they are."""
    name = find_rulebook(rules).name if rules is not None else ""
    unread: list[int] = []
    with call.premises() as premises:
        records = records_of(premises, event, viewer, rules=name, bare=bare, over=over, unread=unread)
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
@the_game
@pass_call
def log(call: Call, game: int) -> None:
    """Write all events of a game, a line of JSON each, with their dates.

    The log holds the game's secret, both deals and all plans: while it is being played, it is for the umpire alone. The
    README says what stands in it.

    Example: referee log 17 > game-17.jsonl
    """
    with call.premises() as premises:
        written, over = log_of(premises, game)
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

    Those of whoever sat there before are among them. What was erased, and what was never posted, is left out, and said
    on standard error.

    Example: referee mbox 17 --as white > white-17.mbox
    """
    with call.premises() as premises:
        mail = mail_of(premises, game, viewer.lower())
    for piece in write_mbox(mail.letters):
        click.echo(piece, nl=False)
    for count, what in ((mail.erased, "erased"), (mail.unposted, "not posted")):
        if count:
            letters = "1 letter is" if count == 1 else f"{count} letters are"
            click.echo(f"{letters} left out: {what}.", err=True)
