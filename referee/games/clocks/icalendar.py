"""Writes deadlines as a file for calendar programs (RFC 5545), for players who want one.

It states that a move is due and in which game, and nothing else. It is published rather than an invitation,
so no program answers it. The next file for the same game and seat replaces it, by the same UID and a higher
SEQUENCE; where nothing is due any more, it cancels the existing entry (TM-9.2, TM-9.3).
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
    """Return deadlines as the content of a `.ics` file: UTF-8, with lines folded and ended as the standard requires.

    The alarm is set a day before a deadline, and half-way to one that is less than two days ahead. Times are
    rounded down to the minute.

    service: the domain of the service's address, which makes the UID globally unique.
    stamp: when it is written; the same arguments give the same bytes.
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
