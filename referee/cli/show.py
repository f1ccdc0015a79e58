"""The operator's command that shows a game."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.arguments import the_game
from referee.cli.context import Call, as_json, pass_call, say_json
from referee.common.errors import UsageError
from referee.service.queries import Picture, game_as


@click.command()
@the_game
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
    with call.application() as application:
        seen = game_as(application, game, viewer.lower())
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
