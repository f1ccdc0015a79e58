"""The operator's command for an overview of all games: what needs attention, and how everything stands."""

from __future__ import annotations

import click

from referee.cli.arguments import LARGEST_NUMBER
from referee.cli.context import Call, as_json, pass_call, say_json, say_plainly
from referee.cli.dashboard import MOST_LISTED, late_games, look_over, plain, write_late, write_overview


@click.command()
@click.option("--event", "event_name", metavar="NAME", help="Only the games of an event.")
@click.option("--late", is_flag=True, help="Only the games that are late.")
@click.option(
    "--limit",
    type=click.IntRange(1, LARGEST_NUMBER),
    default=MOST_LISTED,
    show_default=True,
    help="List so many games, the most urgent.",
)
@as_json
@pass_call
def overview(call: Call, event_name: str | None, late: bool, limit: int, as_json: bool) -> None:
    """Show what needs somebody, and how all games stand.

    Late games, open cases, players out of reach, frozen games, letters held or set aside, each with what cures it; then
    every other game: who is to move, days used and left, the last letters, offers without an answer. Officers get the
    same of their events by letter, with the word `overview`.

    Example: referee overview --event "Spring League"
    """
    with call.application() as application:
        seen, beside = look_over(application, event_name, late=late, most=limit)
    if as_json:
        say_json(plain(seen, beside))
        return
    if late and not seen.needs:
        click.echo("No game is late.")
        return
    for line in write_overview(seen, beside):
        say_plainly(line)


def say_late(call: Call, event_name: str | None, *, as_json: bool) -> None:
    """Print the late games, a line each."""
    with call.application() as application:
        seen, _ = look_over(application, event_name, late=True)
    if as_json:
        say_json(late_games(seen))
        return
    if not seen.needs:
        click.echo("No game is late.")
    for line in write_late(seen):
        say_plainly(line)
