"""How an operator searches for games: the options and their meaning."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from referee.cli.arguments import LARGEST_NUMBER
from referee.common.errors import UsageError
from referee.games.results import DRAW, NONE
from referee.rulebooks.catalogue import CATALOGUE, find_rulebook
from referee.service.game_list import LISTED
from referee.store.game_search import FARED, PLAYING, Search

_SEATS = tuple(dict.fromkeys(seat for entry in CATALOGUE for seat in entry.seats))
RESULTS = (*_SEATS, DRAW, NONE, *FARED, PLAYING)
"""The ends of games that can be searched for."""
_DAY = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the search options; it receives them as `wanted` and `limit`."""

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
    """Return the search. Raises UsageError."""
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
    """Read a day, a month or a year; return when it begins and when the next one does."""
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
    """Report on standard error how many older games a list leaves out, if any."""
    if games:
        what = "1 older game is" if games == 1 else f"{games:,} older games are"
        click.echo(f"{what} left out; --limit lists more.", err=True)
