"""Deadlines as a file for calendar programs (RFC 5545), for players who want one.

It says that a move is due, in which game, and nothing else of it. It is published, not an invitation: no program
answers it. The next one of the same game and seat takes its place, by the same UID and a higher SEQUENCE; where nothing
is due any more, it says so of the entry that stands there (TM-9.2, TM-9.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from icalendar import Alarm, Calendar, Event

from referee.common.durations import DAY, MINUTE
from referee.common.i18n import N_, translate
from referee.games.clocks.calendar_entry import METHOD, Entry
from referee.games.clocks.formatting import to_the_minute
from referee.games.clocks.spans import in_utc

_MAKER = "-//Referee//Deadlines//EN"


def write_icalendar(
    entries: Sequence[Entry], *, service: str, stamp: datetime, language: str = "en"
) -> bytes:
    """Return deadlines as the content of a `.ics` file: UTF-8, lines folded and ended as the standard says.

    service: the domain of the service's address, which makes the UID one of the world's. stamp: when it is written; the
    same facts give the same bytes. The program rings a day before a deadline, and half-way to one that is nearer than
    two days. Times are rounded down to the minute.
    """
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", _MAKER)
    calendar.add("method", METHOD)
    for entry in entries:
        calendar.add_component(_event(entry, service, in_utc(stamp).replace(microsecond=0), language))
    return bytes(calendar.to_ical())


def _event(entry: Entry, service: str, stamp: datetime, language: str) -> Event:
    said = translate(language)
    message = N_("Your move is due in game {game}")
    if entry.over:
        message = N_("No move of yours is due in game {game}")
    title = said(message).format(game=entry.game)
    event = Event()
    event.add("uid", f"game-{entry.game}-{entry.seat}@{service}")
    event.add("sequence", entry.sequence)
    event.add("dtstamp", stamp)
    event.add("dtstart", to_the_minute(in_utc(entry.at)))
    event.add("summary", title)
    event.add("transp", "TRANSPARENT")
    if entry.over:
        event.add("status", "CANCELLED")
    elif entry.at > stamp:
        event.add_component(_alarm(title, entry.at - stamp))
    return event


def _alarm(title: str, left: timedelta) -> Alarm:
    """Return the one alarm of an entry. left: until the deadline."""
    ring = Alarm()
    ring.add("action", "DISPLAY")
    ring.add("description", title)
    ring.add("trigger", -min(DAY, left / 2 // MINUTE * MINUTE))
    return ring
