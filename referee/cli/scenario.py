"""Operator commands for scenarios of Cards and Confusion: check, draw, list, show, make up."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

import click

from referee.cli.context import as_json, say_json, say_plainly
from referee.common.errors import UsageError
from referee.rulebooks.cards.picture import png, svg
from referee.rulebooks.cards.scenarios.making import Wishes, make_scenario
from referee.rulebooks.cards.scenarios.scenario import (
    Scenario,
    given_scenario,
    given_scenarios,
    given_text,
    read_scenario,
)
from referee.rulebooks.cards.scenarios.scenario_report import (
    Checked,
    check_file,
    forces,
    plain_checked,
    plain_scenario,
    write_checked,
)
from referee.rulebooks.cards.switches import EDITIONS
from referee.rulebooks.cards.text_map import text_map
from referee.rulebooks.limits import LARGEST_SCENARIO

PICTURES = (".png", ".svg")

the_edition = click.option(
    "--edition",
    type=click.Choice(tuple(EDITIONS), case_sensitive=False),
    help="As in this one; as the scenario says if left out.",
)


@click.group()
def scenario() -> None:
    """Check, draw, list, show or make up scenarios of Cards and Confusion.

    A scenario is a file with the table, the armies and where they start. Those that come with the game go by their
    names, your own by their files.

    Example: referee scenario list
    """


@scenario.command("check")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE...",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
)
@the_edition
@as_json
def check_command(files: tuple[str, ...], edition: str | None, as_json: bool) -> None:
    """Return whether scenarios can be played, or all that is wrong with each, by its lines.

    Each must be playable in the editions that it names; with --edition in that one too. What is odd but allowed is told
    behind it. The file - is standard input. Exit status 1 when there is a fault in any.

    Example: referee scenario check my-battle.toml
    """
    checked = [_check(file, edition) for file in files]
    if as_json:
        say_json({"files": [plain_checked(each) for each in checked]})
    else:
        for number, each in enumerate(checked):
            if number:
                click.echo()
            for line in write_checked(each):
                say_plainly(line)
    if any(each.faults for each in checked):
        sys.exit(1)


def _check(file: str, edition: str | None = None) -> Checked:
    """Check a file, or - for standard input. No more is read than a scenario may have."""
    with click.open_file(file, "rb") as stream:
        return check_file(file, stream.read(4 * LARGEST_SCENARIO + 4), edition)


@scenario.command("picture")
@click.argument("which", metavar="FILE|NAME")
@click.option(
    "--to",
    "path",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    help="Into which file: FILE.svg, as sharp as the printer is, or FILE.png.",
)
@click.option("--map", "as_text", is_flag=True, help="Print the map as text instead.")
@the_edition
def picture_command(which: str, path: Path | None, as_text: bool, edition: str | None) -> None:
    """Draw a scenario's table as it is at the start, as a picture or in plain text.

    Example: referee scenario picture cc-skirmish --to skirmish.svg
    """
    if path is None and not as_text:
        raise UsageError("into which file? --to FILE.png or --to FILE.svg; or --map, which prints it as text")
    if path is not None and path.suffix.lower() not in PICTURES:
        raise UsageError(f"{path}: expected a name that ends with .svg or .png.")
    found = _find(which)
    battle = found.battle(EDITIONS[edition or found.edition])
    if path is not None:
        path.write_bytes(png(battle) if path.suffix.lower() == ".png" else svg(battle).encode())
    if as_text:
        for line in text_map(battle).splitlines():
            say_plainly(line)


def _find(which: str) -> Scenario:
    """Return a built-in scenario, or else that of a file. Raises UsageError."""
    if which in given_scenarios():
        return given_scenario(which)
    if not Path(which).is_file():
        raise UsageError(_nothing(which, "there is neither a file of that name nor a given scenario"))
    checked = _check(which)
    if checked.scenario is None:
        for line in write_checked(checked):
            click.echo(line, err=True)
        sys.exit(1)
    return checked.scenario


def _nothing(name: str, what: str) -> str:
    near = get_close_matches(name.lower(), given_scenarios(), 1)
    meant = f"; did you mean {near[0]}?" if near else f"; given are {', '.join(given_scenarios())}"
    return f"{name}: {what}{meant}"


@scenario.command("list")
@as_json
def list_command(as_json: bool) -> None:
    """List the scenarios that come with the game.

    Example: referee scenario list
    """
    listed = [given_scenario(name) for name in given_scenarios()]
    if as_json:
        say_json([plain_scenario(each) for each in listed])
        return
    for each in listed:
        size = (
            f"{next(forces(each)).men_and_guns()} a side, {each.ground.width:g} by {each.ground.height:g} cm"
        )
        click.echo(f"{each.id:12} {each.title}: {size}. {each.blurb}")


@scenario.command("show")
@click.argument("name")
def show_command(name: str) -> None:
    """Print the file of a scenario that comes with the game, to be changed and checked.

    Example: referee scenario show cc-standard > my-battle.toml
    """
    if name not in given_scenarios():
        raise UsageError(_nothing(name, "no scenario of that name comes with the game"))
    click.echo(given_text(name), nl=False)


@scenario.command("make")
@click.option("--seed", required=True, metavar="TEXT", help="A word or a few, which all else is drawn from.")
@click.option("--units", type=int, help="Units of a side; six if left out.")
@click.option("--men", type=int, help="Men of a side; if left out, as many as is usual for its units.")
@click.option("--guns", type=int, help="Guns of a side; one for four units if left out.")
@click.option(
    "--table",
    metavar="WxL",
    default="300x200",
    show_default=True,
    help="The table in cm: how wide it is along the back lines, and how far these lie apart.",
)
@click.option(
    "--edition",
    "editions",
    multiple=True,
    type=click.Choice(tuple(EDITIONS), case_sensitive=False),
    help="Playable in this one; in each that its guns are not too many for if left out. May be said twice.",
)
@click.option(
    "--to",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Into which file; it must be a new one. Else it is printed.",
)
def make_command(
    seed: str,
    units: int | None,
    men: int | None,
    guns: int | None,
    table: str,
    editions: Sequence[str],
    path: Path | None,
) -> None:
    """Make up a scenario: fair ground, four objectives, and two armies alike.

    The same words make the same scenario, everywhere; the ground follows from seed and table alone. What is made can be
    changed by hand, checked and drawn.

    Example: referee scenario make --seed "Autumn rain" --units 8 --to autumn.toml
    """
    text = make_scenario(Wishes(seed, units, men, guns, _read_table(table), tuple(editions)))
    if path is None:
        click.echo(text, nl=False)
        return
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError as error:
        raise UsageError(f"{path} is there already; it was left as it is.") from error
    made = read_scenario(text)
    assert isinstance(made, Scenario), made
    say_plainly(f"{path}: {made.title}. {made.blurb}")


def _read_table(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"\s*(\d{1,4})\s*[xX×]\s*(\d{1,4})\s*", text)
    if found is None:
        raise UsageError(f"--table {text!r}: expected two lengths in whole cm, such as 300x200")
    return int(found[1]), int(found[2])
