"""The operator's commands: each reads its arguments, calls one function and prints.

What a command has to tell goes to standard output, with --json as one document and nothing else; progress, logs
and what went wrong go to standard error. Exit status: 0 done, 1 the thing asked about is wrong, 2 usage or
settings, 3 not now.
"""

from __future__ import annotations

from pathlib import Path

import click

from referee import __version__
from referee.cli.archive import bundle, log, mbox, picture, publish
from referee.cli.context import Call, Commands
from referee.cli.demo import demo
from referee.cli.games import games, new, show
from referee.cli.letters import letters, read
from referee.cli.overview import overview
from referee.cli.records import record, replay, verify
from referee.cli.rulings import adjudicate, claims, freeze, thaw, watch
from referee.cli.scenario import scenario
from referee.cli.service import backup, check, doctor, init, run
from referee.cli.tournaments import event
from referee.cli.umpire import umpire
from referee.service import logging_setup

COMMANDS = (
    demo,
    init,
    check,
    run,
    new,
    games,
    show,
    record,
    replay,
    verify,
    read,
    letters,
    doctor,
    freeze,
    thaw,
    event,
    umpire,
    overview,
    log,
    mbox,
    bundle,
    picture,
    publish,
    scenario,
    watch,
    adjudicate,
    claims,
    backup,
)


@click.group(cls=Commands, commands=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The settings file. Else REFEREE_CONFIG, else referee.toml in this folder.",
)
@click.option("-v", "--verbose", is_flag=True, help="Log more.")
@click.version_option(__version__, prog_name="referee")
@click.pass_context
def main(ctx: click.Context, config: Path | None, verbose: bool) -> None:
    """A referee that lives in a mailbox: it umpires games played by letter.

    \b
    See it:       referee demo
    Set it up:    referee init --write-config; referee init
    Run it:       referee run
    """
    logging_setup.set_up(verbose=verbose)
    ctx.obj = Call(config, verbose)
