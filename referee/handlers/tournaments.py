"""The word `events`: the tournaments and seasons with which a player has to do."""

from __future__ import annotations

from datetime import date
from typing import Any

from referee.commands.command import Events
from referee.games.clocks.calendar import day_of
from referee.games.tournaments.tournament import Competition
from referee.handlers.handler_context import HandlerContext
from referee.reports.report import Note


def _told(terms: Competition, today: date) -> dict[str, Any]:
    """Return what whoever takes part is told of an event's time. today: in its zone."""
    return {
        "time": terms.time,
        "lapse": terms.lapse,
        "days_off": terms.days_off,
        "holidays": tuple((f"{each.day}", each.name) for each in terms.holidays if each.day >= today),
        "zone": terms.zone,
        "leave": terms.leave,
    }


def list_events(work: HandlerContext, command: Events) -> None:
    """List the events in which the writer holds an office or plays, with his offices and his running games.

    Nobody else is named, nor any game of others: how many are being played is all that an officer is told here.
    """
    me = work.player.number
    found = work.unit.tournaments.of_player(me)
    mine = (
        [row for row in work.unit.games.of_player(me, ("playing",)) if row.competition is not None]
        if found
        else []
    )
    listed = tuple(
        {
            "event": each.name,
            "offices": tuple(held.office for held in each.officers if held.player == me),
            "mine": tuple(row.number for row in mine if row.competition == each.number),
            "playing": work.unit.games.count_playing(each.number),
            "terms": _told(each.terms, day_of(work.now, each.terms.zone)),
        }
        for each in found
    )
    notes = work.part(None).notes
    notes[:] = [note for note in notes if note.code != "events"]
    work.took(command, note=Note("events", {"events": listed}))
