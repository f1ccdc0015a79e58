"""Soak the service and print what came of it."""

from __future__ import annotations

import json
import logging
import sys
import tempfile
from pathlib import Path

import click
import structlog
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.servers.launching import ServerAbsent
from tests.soak.ending import MOST_GROWTH
from tests.soak.run import Figures, soak

ENOUGH_TO_JUDGE = 2000
"""With fewer letters than these the service has not lived long enough to say whether its memory grows."""


@click.command(
    help="Let a club play over Dovecot and Postfix while servers, connections and the service itself fail, and see "
    "that nothing is lost or doubled and that memory does not grow. Exit status 1 when it is otherwise."
)
@click.option(
    "--letters", default=5000, show_default=True, type=click.IntRange(min=1), help="To the service."
)
@click.option("--players", default=200, show_default=True, type=click.IntRange(min=10))
@click.option("--minutes", default=40.0, show_default=True, help="Write no more letters after so long.")
@click.option("--every", default=6.0, show_default=True, help="Seconds between two faults.")
@click.option("--database", default="sqlite", show_default=True, type=click.Choice(["sqlite", "postgresql"]))
@click.option("--seed", default=1, show_default=True)
@click.option("--folder", type=click.Path(path_type=Path), help="Keep settings, log and database here.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def main(
    letters: int,
    players: int,
    minutes: float,
    every: float,
    database: str,
    seed: int,
    folder: Path | None,
    as_json: bool,
) -> None:
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    columns = (TextColumn("letters"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True))
    try:
        with tempfile.TemporaryDirectory(prefix="referee-soak-") as made, bar:
            task = bar.add_task("", total=letters)
            place = folder or Path(made)
            place.mkdir(parents=True, exist_ok=True)
            figures = soak(
                place.resolve(),
                letters=letters,
                players=players // 2 * 2,
                minutes=minutes,
                database=database,
                every=every,
                seed=seed,
                told=lambda written: bar.update(task, completed=written),
            )
    except (ServerAbsent, RuntimeError) as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(json.dumps(figures.plain(), indent=2))
    else:
        Console().print(_table(figures))
        for name, found in figures.ending.faults.items():
            for each in found[:20]:
                click.echo(f"{name.replace('_', ' ')}: {each}")
    grown = figures.letters >= ENOUGH_TO_JUDGE and figures.growth > MOST_GROWTH
    sys.exit(1 if figures.ending.faults or grown else 0)


def _table(figures: Figures) -> Table:
    table = Table(title=f"{figures.letters} letters in {figures.seconds:.0f} seconds")
    table.add_column("what")
    table.add_column("how many", justify="right")
    for name, many in sorted(figures.troubles.items()):
        table.add_row(f"trouble: {name}", str(many))
    table.add_section()
    for outcome, many in sorted(figures.ending.outcomes.items()):
        table.add_row(f"outcome: {outcome}", str(many))
    table.add_section()
    for name, found in vars(figures.ending).items():
        if isinstance(found, list | int):
            table.add_row(name.replace("_", " "), str(found if isinstance(found, int) else len(found)))
    table.add_row("letters a second", str(figures.rate))
    table.add_row("most memory, MB", f"{figures.memory / 1e6:.0f}")
    table.add_row("memory, last quarter to second", str(figures.growth))
    return table


if __name__ == "__main__":
    main()
