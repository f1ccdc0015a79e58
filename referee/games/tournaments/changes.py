"""What a new version of an event's file changes, and the consequences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.games.tournaments.tournament import Competition
from referee.games.tournaments.writing import write_span

BOUND = "games that are being played keep what was agreed; it holds for games begun from now on"
CALENDAR = "holds in games that are being played, too; no deadline that somebody was told gets earlier by it"
TOLD = "holds in games that are being played, too, from now on"
NAMED = "letters and records written from now on say it"
OURS = "no game is touched"
"""The consequences for games, by sort of change."""

_FOLLOWS: Mapping[str, str] = {
    "name": NAMED,
    "rules": BOUND,
    "time": BOUND,
    "lapse": BOUND,
    "zone": CALENDAR,
    "days_off": CALENDAR,
    "reminders": TOLD,
    "leave": CALENDAR,
    "press": BOUND,
    "watchers": BOUND,
    "notes": OURS,
    "holidays": CALENDAR,
}


@dataclass(frozen=True, slots=True)
class Change:
    """A difference between two versions of an event.

    before, after: in words.
    follows: the consequence for games.
    """

    key: str
    before: str
    after: str
    follows: str


def changes_between(old: Competition, new: Competition) -> tuple[Change, ...]:
    """Return the differences, in the order of the file."""
    return tuple(
        Change(key, _words(key, getattr(old, key)), _words(key, getattr(new, key)), follows)
        for key, follows in _FOLLOWS.items()
        if getattr(old, key) != getattr(new, key)
    )


def _words(key: str, value: Any) -> str:
    match key:
        case "reminders":
            said = [write_span(each) for each in value]
        case "holidays":
            said = [f"{each.day.isoformat()} {each.name}" for each in value]
        case "rules" | "days_off":
            said = list(value)
        case _:
            said = [" ".join(str(value).split())]
    return ", ".join(filter(None, said)) or "none"
