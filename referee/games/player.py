"""A player as the service knows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

LetterForm = Literal["text", "html", "json"]
"""The form of letters: text alone, with HTML and picture, or with the JSON part as well."""


SheetForm = Literal["grid", "list", "picture"]
"""The form of deduction sheets: a grid, a list, or a picture of struck-out movement diagrams."""

Picture = Literal["on", "off"]
"""Whether HTML letters show pictures; without them, they hold what plain letters hold."""

Compass = Literal["record", "own"]
"""How moves are shown: as in the record, or with the direction as the player sees it added to each."""

Calendar = Literal["on", "off"]
"""Whether letters that state a deadline carry a file for the player's calendar program."""

Frequency = Literal["each", "daily", "urgent", "quiet"]
"""How often letters are sent.

each: each at once. daily: what can wait once a day. urgent: only what needs something from the reader,
    including reminders of deadlines. quiet: as urgent, without reminders.
"""


Hold = Literal["15m", "1h", "6h", "1d", "wait"]
"""How long a drafted turn waits before it is carried out when something in its letter was wrong.

"wait": until the player says so.
"""
OverviewEvery = Literal["off", "daily", "weekly"]
"""How often an officer gets an overview of their events unasked."""


@dataclass(frozen=True, slots=True)
class Player:
    """A registered player. Games refer to players by number, so that name and address can be erased.

    name: "" until they give one; until then letters call them by their colour.
    address: as registered; "" once they have left and can no longer be written to.
    language: a code ("en").
    zone: IANA name.
    """

    number: int
    name: str
    address: str = field(repr=False)
    language: str
    zone: str = "UTC"
    form: LetterForm = "html"
    sheets: SheetForm = "grid"
    picture: Picture = "on"
    compass: Compass = "record"
    letters: Frequency = "each"
    returns: int = 0
    """The number of letters that bounced since they last wrote."""
    unreachable: bool = False
    """Enough letters have bounced that they count as unreachable."""
    calendar: Calendar = "off"
    overview: OverviewEvery = "off"
    hold: Hold = "1h"
