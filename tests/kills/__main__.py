"""Kill the service and print what came of it."""

from __future__ import annotations

import json
import logging
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import structlog
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.kills.clocks import ClockHarness
from tests.kills.flaws import FLAWS
from tests.kills.harness import Figures, Harness, LifeFailed
from tests.kills.life import Life
from tests.kills.order import OrderHarness
from tests.servers.launching import ServerAbsent
from tests.servers.postgres import PostgresServer

MOST_NAMED = 20
"""Of what was lost, doubled, changed or overtaken, so many are named."""


@click.command(
    help="Kill the service at every step of its work and at random times, start it again each time, and see that "
    "nothing is lost, nothing is doubled, and no letter is overtaken in its game. Exit status 1 when one is."
)
@click.option(
    "--kills", default=2000, show_default=True, type=click.IntRange(min=1), help="At least so many."
)
@click.option(
    "--stepped", default=42, show_default=True, help="Kill at every step of so many letters; then at random."
)
@click.option("--letters", type=click.IntRange(min=1), help="Of the mailbag only so many; else all.")
@click.option("--battle", is_flag=True, help="The mailbag holds the letters of a battle alone.")
@click.option("--database", default="sqlite", show_default=True, type=click.Choice(["sqlite", "postgresql"]))
@click.option("--seed", default=1, show_default=True, help="Of the random times.")
@click.option("--flaw", type=click.Choice(tuple(FLAWS)), help="Kill a service that is broken on purpose.")
@click.option("--clocks", is_flag=True, help="Kill it while it looks at clocks that are due, at every step.")
@click.option(
    "--order", is_flag=True, help="Kill it while the letters of some games wait; none may be overtaken."
)
@click.option(
    "--workers", default=1, show_default=True, help="With --order, on postgresql: so many services at a time."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def main(
    kills: int,
    stepped: int,
    letters: int | None,
    battle: bool,
    database: str,
    seed: int,
    flaw: str | None,
    clocks: bool,
    order: bool,
    workers: int,
    as_json: bool,
) -> None:
    # A service that was killed is not in trouble: only what no service should meet is logged.
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    # The bar has no thread of its own, since this process forks.
    columns = (TextColumn("kills"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), auto_refresh=False)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="referee-kills-") as folder,
            _server(database) as server,
            bar,
        ):
            task = bar.add_task("", total=kills)

            def show(killed: int) -> None:
                bar.update(task, completed=killed, total=max(kills, killed), refresh=not killed % 10)

            kind = ClockHarness if clocks else OrderHarness if order else Harness
            OrderHarness.workers = workers
            harness = kind(
                Path(folder),
                server=server,
                most=letters,
                stepped=stepped,
                seed=seed,
                battle=battle,
                life=FLAWS[flaw] if flaw else Life,
                killed=show,
            )
            figures = harness.run(kills)
    except (ServerAbsent, LifeFailed) as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(json.dumps(_plain(figures), indent=2))
    else:
        Console().print(_table(figures, database))
        _name_differences(figures)
    sys.exit(0 if figures.good else 1)


@contextmanager
def _server(database: str) -> Iterator[PostgresServer | None]:
    if database == "sqlite":
        yield None
        return
    server = PostgresServer()
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _table(figures: Figures, database: str) -> Table:
    table = Table(title=f"{figures.runs} bags of up to {figures.letters} letters, on {database}")
    table.add_column("what")
    table.add_column("how many", justify="right")
    for kind, many in sorted(figures.steps.items()):
        table.add_row(f"killed at a step ({kind})", str(many))
    table.add_row("killed at a random time", str(figures.kills - figures.steps.total()), end_section=True)
    for what, many in _counts(figures).items():
        table.add_row(what, str(many))
    return table


def _counts(figures: Figures) -> dict[str, int]:
    return {
        "kills": figures.kills,
        "repeats": figures.repeats,
        "lost": len(figures.lost),
        "doubled": len(figures.doubled),
        "changed": len(figures.changed),
        "overtaken": len(figures.overtaken),
    }


def _plain(figures: Figures) -> dict[str, object]:
    return {
        "letters": figures.letters,
        "runs": figures.runs,
        "steps": dict(figures.steps),
        **_counts(figures),
        "named": {
            "lost": figures.lost[:MOST_NAMED],
            "doubled": figures.doubled[:MOST_NAMED],
            "changed": figures.changed[:MOST_NAMED],
            "overtaken": figures.overtaken[:MOST_NAMED],
        },
    }


def _name_differences(figures: Figures) -> None:
    for what in ("lost", "doubled", "changed", "overtaken"):
        for name in getattr(figures, what)[:MOST_NAMED]:
            click.echo(f"{what}: {name}")


if __name__ == "__main__":
    main()
