"""The command that lists which rules there are, and where they come from."""

from __future__ import annotations

import click

from referee import __version__
from referee.cli.context import as_json, say_json, say_plainly
from referee.rulebooks.catalogue import CATALOGUE, UNUSABLE, why_unusable


@click.command()
@as_json
def rulebooks(as_json: bool) -> None:
    """List the rules that games can be played by, and where they come from.

    Those that cannot be used have the reason beside them. Other packages bring further rules by an entry
    point of the group `referee.rulebooks`.

    Example: referee rulebooks
    """
    own = f"referee {__version__}"
    found = [
        {
            "name": entry.name,
            "title": entry.title,
            "seats": list(entry.seats),
            "package": entry.package or own,
            "fault": (why_unusable(entry.name) or None) if entry.package else None,
        }
        for entry in CATALOGUE
    ]
    found += [
        {"name": each.name, "title": None, "seats": [], "package": each.package, "fault": each.reason}
        for each in UNUSABLE
    ]
    if as_json:
        say_json(found)
        return
    for each in found:
        said = each["title"] if not each["fault"] else f"cannot be used: {each['fault']}"
        say_plainly(f"{each['name']:12} {each['package']:20} {said}")
