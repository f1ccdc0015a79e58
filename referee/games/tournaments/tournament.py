"""An event as a value: its terms and its calendar, and its form for storage."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo

from referee.games.game_options import KEYS, Press

Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAYS: tuple[Weekday, ...] = (
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
)
"""In the order of `date.weekday()`."""
Lapse = Literal["hard", "soft"]
"""When a player's time has run out: the service ends the game, or the opponent may claim it."""
LAPSES: tuple[Lapse, ...] = ("hard", "soft")
NO_TIME = "none"
"""The time control of games without deadlines."""


@dataclass(frozen=True, slots=True)
class Holiday:
    """A day, in the event's zone, on which nobody's time runs. name: what it is called."""

    day: date
    name: str


@dataclass(frozen=True, slots=True)
class Competition:
    """An event's terms.

    rules: names of the rulebooks that its games may use.
    time: a time control as players write it in `option time=`.
    zone: IANA name; days off and holidays are days there.
    days_off: weekly days on which no time runs, in the week's order.
    holidays: by date.
    reminders: how long before a deadline players are reminded, longest first.
    leave: days a year that a player may take.
    watchers: "off", "on", or by how many turns their reports are delayed.
    notes: free text of the organisers, for themselves.
    """

    name: str
    rules: tuple[str, ...] = ()
    time: str = NO_TIME
    lapse: Lapse = "hard"
    zone: str = "UTC"
    days_off: tuple[Weekday, ...] = ()
    holidays: tuple[Holiday, ...] = ()
    reminders: tuple[timedelta, ...] = ()
    leave: int = 0
    press: Press = "named"
    watchers: str = "off"
    notes: str = field(default="", repr=False)

    @property
    def options(self) -> dict[str, str]:
        """The options of its games that differ from the defaults of every game."""
        said = {"press": self.press, "watchers": self.watchers, "time": self.time, "lapse": self.lapse}
        if self.time == NO_TIME:
            del said["lapse"]
        return {key: said[key] for key in KEYS if key in said and said[key] != _UNSAID.get(key)}

    def contradicts(self, options: Mapping[str, str]) -> tuple[tuple[str, str, str], ...]:
        """Return the options of a game that contradict the event: key, the game's value, the event's value."""
        said = {"press": self.press, "watchers": self.watchers, "time": self.time, "lapse": self.lapse}
        return tuple(
            (key, value, said[key]) for key, value in options.items() if key in said and value != said[key]
        )

    def plain(self) -> dict[str, Any]:
        """Return the event as plain data for storage; `from_plain` reads it."""
        return {
            "name": self.name,
            "rules": list(self.rules),
            "time": self.time,
            "lapse": self.lapse,
            "zone": self.zone,
            "days_off": list(self.days_off),
            "holidays": {each.day.isoformat(): each.name for each in self.holidays},
            "reminders": [int(each.total_seconds()) for each in self.reminders],
            "leave": self.leave,
            "press": self.press,
            "watchers": self.watchers,
            "notes": self.notes,
        }


_UNSAID = {"press": "named", "watchers": "off", "time": NO_TIME}
"""The defaults of a game that states no options."""


def from_plain(said: Mapping[str, Any]) -> Competition:
    """Return the event that `Competition.plain` wrote; keys that an earlier release did not write have their defaults.

    Raises TypeError, ValueError or LookupError for data it never wrote, which would otherwise fail later in
    some game.
    """
    for key, value in said.items():
        if type(value) is not type(_BLANK[key]):
            raise TypeError(f"{key} is no {type(_BLANK[key]).__name__}")
    made = dict(said)
    for key in ("rules", "days_off"):
        made[key] = tuple(made.get(key, ()))
    made["reminders"] = tuple(timedelta(seconds=each) for each in made.get("reminders", ()))
    made["holidays"] = tuple(
        Holiday(date.fromisoformat(day), name) for day, name in made.get("holidays", {}).items()
    )
    competition = Competition(**made)
    ZoneInfo(competition.zone)
    if unknown := {*competition.days_off} - {*WEEKDAYS}:
        raise ValueError(f"{unknown} are no days of the week")
    return competition


_BLANK = Competition("").plain()
"""Default terms; every stored value has the type of its default."""


LONGEST_TITLE = 80
_UNFIT = frozenset(';=[]<>"@\\:')
"""Characters with a meaning in a record's head, a subject, a header, or a line of an umpire's."""


_PATH = re.compile(r"(?<![0-9])/|/(?![0-9])|%[0-9a-f]{2}|^[.~]+|\.\.$", re.IGNORECASE)
"""Parts of paths that no name may contain; "2026/27" is none."""


def tidy_title(name: str) -> str:
    """Return an event's name as it is stored: compatible characters made plain, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def path_in(name: str) -> str:
    """Return the first part of an event's name that could make it a file path, "" where there is none."""
    found = _PATH.search(name)
    return found[0] if found else ""


def unfit_sign(name: str) -> str:
    """Return the first character that an event's name may not contain, "" where there is none."""
    return next((sign for sign in name if sign in _UNFIT or not sign.isprintable()), "")
