"""What a player's calendar says of a game; `icalendar` writes it as a file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

METHOD = "PUBLISH"
"""What stands in the file, and has to stand beside its type in the letter."""
MEDIA_TYPE = f"text/calendar; method={METHOD}"
FILENAME = "deadline.ics"


@dataclass(frozen=True, slots=True)
class Entry:
    """A seat's deadline in its player's calendar. at: the deadline; of what is due no more, the one that stands there.

    sequence: from 0, higher with each file that has told of this game and seat. over: nothing is due any more.
    """

    game: int
    seat: str
    at: datetime
    sequence: int
    over: bool = False
