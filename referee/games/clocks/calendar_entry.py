"""A game's deadline in a player's calendar; `icalendar` writes it as a file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

METHOD = "PUBLISH"
"""The method in the file, which the letter has to repeat in the part's type."""
MEDIA_TYPE = f"text/calendar; method={METHOD}"
FILENAME = "deadline.ics"


@dataclass(frozen=True, slots=True)
class Entry:
    """A seat's deadline in its player's calendar.

    at: the deadline; when nothing is due any more, the one in the calendar.
    sequence: from 0, higher with each file about this game and seat.
    over: nothing is due any more.
    """

    game: int
    seat: str
    at: datetime
    sequence: int
    over: bool = False
