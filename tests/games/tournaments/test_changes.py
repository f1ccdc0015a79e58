"""What another file of an event changes, and what is said to follow from it."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import date, timedelta
from typing import Any

import pytest

from referee.games.tournaments.changes import BOUND, CALENDAR, NAMED, OURS, TOLD, changes_between
from referee.games.tournaments.reading import FORMS
from referee.games.tournaments.tournament import Competition, Holiday, Weekday

BEFORE = Competition("Spring League", rules=("confusion",), time="3d/move", leave=30)


@pytest.mark.parametrize(
    ("change", "before", "after", "follows"),
    [
        ({"name": "Club Cup"}, "Spring League", "Club Cup", NAMED),
        ({"rules": ()}, "confusion", "none", BOUND),
        ({"time": "none"}, "3d/move", "none", BOUND),
        ({"lapse": "soft"}, "hard", "soft", BOUND),
        ({"zone": "Europe/Paris"}, "UTC", "Europe/Paris", CALENDAR),
        ({"days_off": ("saturday", "sunday")}, "none", "saturday, sunday", CALENDAR),
        ({"holidays": (Holiday(date(2027, 4, 5), "Easter"),)}, "none", "2027-04-05 Easter", CALENDAR),
        ({"leave": 14}, "30", "14", CALENDAR),
        ({"reminders": (timedelta(days=2), timedelta(hours=12))}, "none", "2d, 12h", TOLD),
        ({"press": "off"}, "named", "off", BOUND),
        ({"watchers": "3"}, "off", "3", BOUND),
        ({"notes": "one\ntwo"}, "none", "one two", OURS),
    ],
)
def test_each_change_is_said_with_what_follows_from_it(
    change: dict[str, Any], before: str, after: str, follows: str
) -> None:
    ((name, _),) = change.items()
    (found,) = changes_between(BEFORE, replace(BEFORE, **change))
    assert (found.key, found.before, found.after, found.follows) == (name, before, after, follows)


def test_nothing_of_an_event_can_change_unsaid() -> None:
    holidays = (Holiday(date(2027, 1, 1), "x"),)
    off: tuple[Weekday, ...] = ("sunday",)
    marks = (timedelta(days=1),)
    other = Competition(
        "B",
        (),
        "none",
        "soft",
        "Europe/Paris",
        off,
        holidays,
        marks,
        1,
        "off",
        "on",
        "x",
    )
    assert [each.key for each in changes_between(BEFORE, other)] == list(FORMS)
    assert {each.name for each in fields(Competition)} == set(FORMS)
    assert changes_between(BEFORE, BEFORE) == ()
