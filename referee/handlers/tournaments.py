"""The command `events`: the tournaments and seasons that a player has a part in."""

from __future__ import annotations

from datetime import date
from typing import Any

from referee.commands.command import Events
from referee.games.clocks.calendar import day_of
from referee.games.tournaments.tournament import Competition
from referee.handlers.handler_context import HandlerContext
from referee.reports.report import Note


def _told(terms: Competition, today: date) -> dict[str, Any]:
    """Return the facts of an event's time control for its participants. today: in its zone."""
    return {
        "time": terms.time,
        "lapse": terms.lapse,
        "days_off": terms.days_off,
        "holidays": tuple((f"{each.day}", each.name) for each in terms.holidays if each.day >= today),
        "zone": terms.zone,
        "leave": terms.leave,
    }


def list_events(work: HandlerContext, command: Events) -> None:
    """List the events in which the writer holds an office or plays, with their offices and running games.

    Nobody else is named, nor any game of others: an officer is told here only how many are in play.
    """
    me = work.request.player.number
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
            "terms": _told(each.terms, day_of(work.request.now, each.terms.zone)),
        }
        for each in found
    )
    notes = work.outcome.of(None).notes
    notes[:] = [note for note in notes if note.code != "events"]
    work.outcome.accept(command, note=Note("events", {"events": listed}))
