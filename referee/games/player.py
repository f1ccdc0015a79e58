"""Who plays: a player as the house knows him."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

LetterForm = Literal["text", "html", "json"]
"""How he wants his letters: text alone, with HTML and picture, or with the JSON part too."""


SheetForm = Literal["grid", "list", "picture"]
"""How he wants deduction sheets: a grid, a list, or a picture of struck-out movement diagrams."""

Picture = Literal["on", "off"]
"""Whether HTML letters show pictures; without, they hold what plain letters hold."""

Compass = Literal["record", "own"]
"""How moves are shown: as the record has them, or with the direction as he sees it beside each."""

Calendar = Literal["on", "off"]
"""Whether letters that tell him a deadline carry a file for his calendar program."""

Frequency = Literal["each", "daily", "urgent", "quiet"]
"""How often letters come: each at once; once a day what can wait; only what needs something from its reader, reminders
of deadlines among it; the same without reminders."""


Hold = Literal["15m", "1h", "6h", "1d", "wait"]
"""How long a turn that a player has drafted waits before it is carried out, where something in his letter was wrong;
"wait": until he says so."""
OverviewEvery = Literal["off", "daily", "weekly"]
"""How often an officer gets an overview of his events without asking for it."""


@dataclass(frozen=True, slots=True)
class Player:
    """A registered player. Games name him by number, so that name and address can be erased.

    name: "" until he gives one; then he is called by his colour. address: as he registered it; "" once he
    has left, when nobody can be written to. language: a code ("en"). zone: IANA name.
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
    """Letters to him that came back since he wrote last."""
    unreachable: bool = False
    """So many did that he counts as out of reach."""
    calendar: Calendar = "off"
    overview: OverviewEvery = "off"
    hold: Hold = "1h"
