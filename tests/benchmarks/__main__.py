"""Run the benchmarks and print their table."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.benchmarks import pictures
from tests.benchmarks.battle import BattleTurn
from tests.benchmarks.connections import Connections
from tests.benchmarks.end_to_end import Backlog, EndToEnd
from tests.benchmarks.figures import Benchmark, Figure, Reading, figures_of
from tests.benchmarks.grown import Size
from tests.benchmarks.growth import Growth
from tests.benchmarks.hostile import Hostile
from tests.benchmarks.letters import Letters
from tests.benchmarks.memory import Memory
from tests.benchmarks.pictures import Pictures
from tests.benchmarks.quiet import Quiet
from tests.benchmarks.search import Searching
from tests.benchmarks.sheets import Sheets
from tests.benchmarks.site import Publishing
from tests.benchmarks.transactions import Transactions
from tests.benchmarks.year import ClubYear
from tests.servers.launching import ServerAbsent
from tests.servers.mail import MailServers

NAMES = (
    EndToEnd.name,
    Letters.name,
    Hostile.name,
    Quiet.name,
    Connections.name,
    Pictures.name,
    Sheets.name,
    BattleTurn.name,
    Transactions.name,
    Backlog.name,
    Growth.name,
    Searching.name,
    Publishing.name,
    Memory.name,
    ClubYear.name,
)


@click.command(
    help="Measure the service beside what this machine can do at best; Dovecot and Postfix are needed."
)
@click.option("--rounds", default=5, show_default=True, type=click.IntRange(min=1))
@click.option("--moves", default=200, show_default=True, type=click.IntRange(min=1), help="End to end.")
@click.option("--backlog", default=1000, show_default=True, help="Letters that wait after an outage.")
@click.option("--counted", default=1000, show_default=True, help="Moves over which connections are counted.")
@click.option("--letters", default=5, show_default=True, help="Letters a round to the quiet service.")
@click.option("--archived", default=1_000_000, show_default=True, help="Moves of ended games, for growth.")
@click.option("--running", default=10_000, show_default=True, help="Games under way, for growth.")
@click.option("--handled", default=50_000, show_default=True, help="Letters put away, for growth.")
@click.option("--games", default=1_000_000, show_default=True, help="Games among which some are looked for.")
@click.option("--published", default=1000, show_default=True, help="Games that are made into web pages.")
@click.option("--played", default=10_000, show_default=True, help="Moves after which memory is looked at.")
@click.option("--club", default=500, show_default=True, help="Games of a club's year.")
@click.option("--only", multiple=True, type=click.Choice(NAMES), help="These alone; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def main(
    rounds: int,
    moves: int,
    backlog: int,
    counted: int,
    letters: int,
    archived: int,
    running: int,
    handled: int,
    games: int,
    published: int,
    played: int,
    club: int,
    only: tuple[str, ...],
    as_json: bool,
) -> None:
    size = Size(running, archived, handled)
    console = Console(stderr=True)
    try:
        with _servers(needed=not only or bool(set(only) & SERVED)) as servers:
            chosen = _benchmarks(
                servers,
                rounds,
                moves,
                backlog,
                counted,
                letters,
                size,
                games,
                published,
                played,
                club,
                only or NAMES,
            )
            figures = figures_of(_measure(chosen, rounds, console))
    except ServerAbsent as absent:
        raise click.ClickException(str(absent)) from absent
    if as_json:
        click.echo(json.dumps([_plain(each) for each in figures], indent=2))
    else:
        Console().print(_table(figures))
    if Pictures.name in (only or NAMES) and not pictures.available():
        console.print("No picture was compared with a rasteriser: resvg-py is not installed.")


SERVED = frozenset((EndToEnd.name, Quiet.name, Connections.name, Backlog.name, Growth.name))
"""What needs the mail servers."""


@contextmanager
def _servers(*, needed: bool) -> Iterator[MailServers | None]:
    if not needed:
        yield None
        return
    servers = MailServers()
    servers.start()
    try:
        yield servers
    finally:
        servers.stop()


def _benchmarks(
    servers: MailServers | None,
    rounds: int,
    moves: int,
    backlog: int,
    counted: int,
    letters: int,
    size: Size,
    games: int,
    published: int,
    played: int,
    club: int,
    names: Sequence[str],
) -> list[Benchmark]:
    found: list[Benchmark] = []
    for name in names:
        if name == Letters.name:
            found.append(Letters())
        elif name == Hostile.name:
            found.append(Hostile())
        elif name == Transactions.name:
            found.append(Transactions())
        elif name == Sheets.name:
            found.append(Sheets())
        elif name == BattleTurn.name:
            found.append(BattleTurn())
        elif name == Pictures.name and pictures.available():
            found.append(Pictures())
        elif servers is not None and name == EndToEnd.name:
            found.append(EndToEnd(servers, moves))
        elif servers is not None and name == Quiet.name:
            found.append(Quiet(servers, letters))
        elif servers is not None and name == Connections.name:
            found.append(Connections(servers, counted))
        elif name == Searching.name:
            found.append(Searching(games))
        elif name == Publishing.name:
            found.append(Publishing(published))
        elif name == Memory.name:
            found.append(Memory(played))
        elif name == ClubYear.name:
            found.append(ClubYear(club))
        elif servers is not None and name == Backlog.name:
            found.append(Backlog(servers, backlog))
        elif servers is not None and name == Growth.name:
            found.append(Growth(servers, rounds, size))
    return found


def _measure(chosen: Sequence[Benchmark], rounds: int, console: Console) -> list[Reading]:
    """Measure all of them in turn, round by round."""
    readings: list[Reading] = []
    steps = len(chosen) + sum(1 if each.once else rounds for each in chosen)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        tempfile.TemporaryDirectory(prefix="referee-bench-") as folder,
        Progress(*columns, console=console) as bar,
    ):
        task = bar.add_task("", total=steps)

        def say(benchmark: Benchmark, what: str) -> None:
            bar.update(task, description=f"{benchmark.name}: {what}")

        for each in chosen:
            own = Path(folder) / each.name
            own.mkdir()
            each.prepare(own, partial(say, each))
            bar.advance(task)
        for number in range(rounds):
            for each in chosen:
                if number and each.once:
                    continue
                readings += each.measure(partial(say, each))
                bar.advance(task)
    return readings


def _table(figures: Sequence[Figure]) -> Table:
    table = Table(title="Medians of the rounds; in brackets the least and the most of what is compared")
    for heading in ("what", "unit", "measured", "floor", "compared", "goal", "met"):
        table.add_column(heading, justify="left" if heading in ("what", "unit", "goal") else "right")
    signs = {"ratio": "ratio", "difference": "beyond", "value": ""}
    for each in figures:
        found = f"{median(each.found):.3g} ({min(each.found):.3g} to {max(each.found):.3g})"
        table.add_row(
            each.name,
            each.unit,
            f"{each.measured:.4g}",
            "-" if each.floor is None else f"{each.floor:.4g}",
            found,
            f"{signs[each.goal.measure]} {each.goal.written()}".strip(),
            "yes" if each.met else "NO",
        )
    return table


def _plain(figure: Figure) -> dict[str, object]:
    return {
        "name": figure.name,
        "unit": figure.unit,
        "measured": [each.measured for each in figure.readings],
        "floor": [each.floor for each in figure.readings],
        "compared": figure.goal.measure,
        "found": median(figure.found),
        "must": figure.goal.must,
        "aim": figure.goal.aim,
        "met": figure.met,
    }


if __name__ == "__main__":
    main()
