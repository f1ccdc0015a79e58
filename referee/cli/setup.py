"""Operator commands that set up the service and check it."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console

from referee.cli.context import Call, as_json, pass_call, say_json, say_plainly
from referee.common.errors import RefereeError, UsageError
from referee.service.bootstrap import open_application, upgrade_store
from referee.service.doctor import examine
from referee.service.mail_probe import probe_servers
from referee.service.settings import sample_settings, survey, warnings_about


@click.command()
@click.option("--write-config", is_flag=True, help="Write a commented settings file and stop.")
@click.option("--offline", is_flag=True, help="Make the database ready; leave the servers alone.")
@as_json
@pass_call
def init(call: Call, write_config: bool, offline: bool, as_json: bool) -> None:
    """Make the database ready, and prove that mail comes and goes.

    The database is created, or copied and then brought to this release. A letter is posted to the service's own
    address and read back: login, ports, reply tags, headers and folders are proved by it.

    Example: referee init --write-config
    """
    if write_config:
        path = call.config or Path("referee.toml")
        try:
            with path.open("x") as file:
                file.write(sample_settings())
        except FileExistsError as error:
            raise UsageError(f"{path} is there already; it was left as it is.") from error
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}.") from error
        click.echo(
            f"Wrote {path}. Put your own names in, make the password files that it names, then run `referee init`.",
            err=True,
        )
        return
    with ExitStack() as referee:
        settings = call.settings()
        copy = upgrade_store(settings)
        application = referee.enter_context(open_application(settings))
        status = referee.enter_context(Console(stderr=True).status("Trying the servers"))
        findings = [] if offline else probe_servers(application, status.update)
    blocking = next((finding for finding in findings if finding.blocks), None)
    if as_json:
        say_json(
            {
                "database": "ready",
                "copy": copy,
                "findings": [asdict(finding) for finding in findings],
                "warnings": warnings_about(settings),
                "ready": blocking is None,
            }
        )
    else:
        click.echo("The database is ready." + (f" Before, it was copied to {copy}." if copy else ""))
        for finding in findings:
            if finding is not blocking:  # `blocking` itself is the error below
                click.echo(f"{'ok ' if finding.good else 'NOT' if finding.blocks else 'but'}  {finding.text}")
        for warning in warnings_about(settings):
            click.echo(f"but  {warning}")
    if blocking is not None:
        raise RefereeError(blocking.text)


@click.command()
@as_json
@pass_call
def check(call: Call, as_json: bool) -> None:
    """Show the settings in force and where each comes from; secrets stay hidden.

    Example: referee check
    """
    seen = survey(call.config, os.environ)
    if as_json:
        say_json(
            {
                "settings": [asdict(each) for each in seen.settings],
                "warnings": seen.warnings,
                "fault": str(seen.fault) if seen.fault else None,
            }
        )
    else:
        for each in seen.settings:
            value = "(not set)" if each.value in (None, "") else each.value
            click.echo(f"{each.key:32} {value}   [{each.source}]")
        for warning in seen.warnings:
            click.echo(f"warning: {warning}", err=True)
    if seen.fault is not None:
        raise seen.fault


@click.command()
@click.option("--offline", is_flag=True, help="Leave the servers alone.")
@as_json
@pass_call
def doctor(call: Call, offline: bool, as_json: bool) -> None:
    """Look at everything that can be stuck, and say what is, why, and what cures it.

    Servers, clock, database, disk, and all that waits. Exit status 1 when something needs you.

    Example: referee doctor
    """
    settings = call.settings()
    with Console(stderr=True).status("Looking round"):
        found = examine(settings, offline=offline)
    healthy = all(each.level != "problem" for each in found)
    if as_json:
        say_json({"healthy": healthy, "findings": [asdict(each) for each in found]})
    else:
        for each in found:
            say_plainly(f"{each.level:7}  {each.about:8}  {each.text}")
    if not healthy:
        sys.exit(1)
