"""A deadline as a file for calendar programs (RFC 5545), for players who want one.

It says that a move is due, in which game, and nothing else of it. It is published, not an invitation: no program
answers it. The next one of the same game and seat takes its place, by the same UID and a higher SEQUENCE (TM-9.2).
"""

from __future__ import annotations

from datetime import datetime, timedelta

from icalendar import Alarm, Calendar, Event

from referee.languages import N_, translate
from referee.timing.spans import in_utc
from referee.timing.telling import to_the_minute

METHOD = "PUBLISH"
"""What stands in the file, and has to stand beside its type in the letter: `text/calendar; method=PUBLISH`."""
FILENAME = "deadline.ics"
_MAKER = "-//Referee//Deadlines//EN"


def write_icalendar(
    game: int,
    seat: str,
    deadline: datetime,
    *,
    service: str,
    sequence: int,
    stamp: datetime,
    alarm: timedelta = timedelta(days=1),
    language: str = "en",
) -> bytes:
    """Return a seat's deadline as the content of a `.ics` file: UTF-8, lines folded and ended as the standard says.

    service: the domain of the service's address, which makes the UID one of the world's. sequence: from 0, higher
    with each file of this game and seat. stamp: when it is written; the same facts give the same bytes. alarm: how
    long before the deadline the program rings. Times are rounded down to the minute.
    """
    said = translate(language)
    title = said(N_("Your move is due in game {game}")).format(game=game)
    ring = Alarm()
    ring.add("action", "DISPLAY")
    ring.add("description", title)
    ring.add("trigger", -alarm)
    event = Event()
    event.add("uid", f"game-{game}-{seat}@{service}")
    event.add("sequence", sequence)
    event.add("dtstamp", in_utc(stamp).replace(microsecond=0))
    event.add("dtstart", to_the_minute(in_utc(deadline)))
    event.add("summary", title)
    event.add("transp", "TRANSPARENT")
    event.add_component(ring)
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", _MAKER)
    calendar.add("method", METHOD)
    calendar.add_component(event)
    return bytes(calendar.to_ical())
