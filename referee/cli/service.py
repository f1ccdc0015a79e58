"""Operator commands for the service: run it and back it up."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
import structlog
from rich.console import Console

from referee.cli.context import Call, as_json, pass_call, say_json
from referee.cli.progress import progress_bar
from referee.common.errors import RefereeError, UsageError
from referee.pipeline.processor import ProcessingResult
from referee.service.running import measured, watched, working

log = structlog.get_logger()


@click.command()
@click.option("--once", is_flag=True, help="Take in what waits, post what is due, and stop.")
@as_json
@pass_call
def run(call: Call, once: bool, as_json: bool) -> None:
    """Run the service, until SIGTERM; or once through all that waits.

    Example: referee run --once --json
    """
    if as_json and not once:
        raise UsageError("--json goes with --once: the service itself reports to its log.")
    with call.application() as application, working(application) as daemon:
        if not once:
            with measured(application, daemon):
                log.info("watching", **watched(application))
                daemon.run()
            log.info("stopped")
            return
        console = Console(stderr=True)
        with progress_bar(console) as progress:
            task = progress.add_task("Letters", total=None)

            def count(settled: ProcessingResult) -> None:
                progress.advance(task)

            tally = daemon.run_once(count)
    if as_json:
        say_json(asdict(tally))
    else:
        click.echo(
            f"{tally.letters} letters taken in ({tally.refused} refused), {tally.moves} moves, "
            f"{tally.sent} letters posted, {tally.failures} failures."
        )
    if tally.failures:
        letters = "1 letter" if tally.failures == 1 else f"{tally.failures} letters"
        raise RefereeError(
            daemon.trouble or f"{letters} could not be posted; what may succeed later is tried again."
        )


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@pass_call
def backup(call: Call, file: Path) -> None:
    """Copy the database safely, while the service runs.

    Example: referee backup /var/backups/referee-$(date +%F).db
    """
    with call.application() as application:
        application.store.backup(file)
    click.echo(f"Copied to {file}.", err=True)
