"""A deadline is told by the reader's clock and in UTC, and to calendar programs."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import icalendar
import pytest
from hypothesis import given
from hypothesis.strategies import sampled_from, timedeltas

from referee.common.i18n import write_day
from referee.games.clocks.calendar_entry import METHOD, Entry
from referee.games.clocks.formatting import write_moment
from referee.games.clocks.icalendar import write_icalendar

DEADLINE = datetime(2026, 12, 3, 17, 0, 59, 999999, tzinfo=UTC)
NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "language", "said"),
    [
        ("Europe/Paris", "en", "Thu 3 Dec 2026, 18:00 in Paris (17:00 UTC)"),
        ("UTC", "en", "Thu 3 Dec 2026, 17:00 UTC"),
        ("Asia/Tokyo", "en", "Fri 4 Dec 2026, 02:00 in Tokyo (Thu 3 Dec 2026, 17:00 UTC)"),
        ("America/New_York", "en", "Thu 3 Dec 2026, 12:00 in New York (17:00 UTC)"),
        ("Europe/London", "fr", "jeu. 3 déc. 2026, 17:00 à Londres (17:00 UTC)"),
        ("Asia/Kathmandu", "en", "Thu 3 Dec 2026, 22:45 in Kathmandu (17:00 UTC)"),
        ("UTC", "fr", "jeu. 3 déc. 2026, 17:00 UTC"),
    ],
)
def test_an_instant_is_told_by_the_readers_clock_and_never_as_later_than_it_is(
    zone: str, language: str, said: str
) -> None:
    """TM-9.1."""
    assert write_moment(DEADLINE, zone, language) == said


@given(
    after=timedeltas(timedelta(0), timedelta(days=4000)),
    zone=sampled_from(sorted(available_timezones())),
    language=sampled_from(("en", "fr")),
)
def test_the_readers_clock_utc_and_the_calendar_program_agree_to_the_minute(
    after: timedelta, zone: str, language: str
) -> None:
    """TM-9.1, TM-9.2: in every zone, at every change of its clocks too."""
    at = DEADLINE + after
    there, utc = at.astimezone(ZoneInfo(zone)), at
    told = write_moment(at, zone, language)
    minutes = re.findall(r"\b(\d\d):(\d\d)\b", told)
    expected = [utc] if zone == "UTC" else [there, utc]
    assert minutes == [(f"{each:%H}", f"{each:%M}") for each in expected]
    days = [write_day(each, language) for each in expected]
    assert told.startswith(days[0]) and told.count(days[-1]) == 1
    file = write_icalendar([Entry(17, "white", at, 1, False)], service="example.org", stamp=NOW)
    (event,) = icalendar.Calendar.from_ical(file.decode()).walk("VEVENT")
    due: Any = event["DTSTART"]
    assert due.dt == at.replace(second=0, microsecond=0)
    assert write_moment(due.dt, zone, language) == told


def test_the_first_of_a_month_is_an_ordinal_in_french_alone() -> None:
    first = DEADLINE.replace(day=1)
    assert write_moment(first, "UTC", "fr") == "mar. 1er déc. 2026, 17:00 UTC"
    assert write_moment(first, "UTC", "en") == "Tue 1 Dec 2026, 17:00 UTC"


def _file(
    *, sequence: int = 3, over: bool = False, service: str = "example.org", stamp: datetime = NOW
) -> bytes:
    entry = Entry(17, "white", DEADLINE, sequence, over)
    return write_icalendar([entry], service=service, stamp=stamp)


def test_a_calendar_program_is_told_of_the_deadline_and_nothing_of_the_game() -> None:
    """TM-9.2."""
    assert _file().decode().split("\r\n") == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Referee//Deadlines//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        "SUMMARY:Your move is due in game 17",
        "DTSTART:20261203T170000Z",
        "DTSTAMP:20261128T120000Z",
        "UID:game-17-white@example.org",
        "SEQUENCE:3",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "DESCRIPTION:Your move is due in game 17",
        "TRIGGER:-P1D",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_the_same_deadline_is_the_same_bytes_and_the_next_one_has_the_same_uid() -> None:
    """TM-9.2."""
    assert _file() == _file()
    events = [icalendar.Calendar.from_ical(_file(sequence=number)).walk("VEVENT")[0] for number in (3, 4)]
    assert events[0]["UID"] == events[1]["UID"]
    assert [event["SEQUENCE"] for event in events] == [3, 4]
    assert len({_file(), _file(stamp=NOW + timedelta(hours=2)), _file(sequence=4)}) == 3


def test_what_is_due_no_more_takes_the_place_of_the_entry_and_does_not_ring() -> None:
    """TM-9.3."""
    (stood,), (over,) = (
        icalendar.Calendar.from_ical(content).walk("VEVENT")
        for content in (_file(), _file(sequence=4, over=True))
    )
    assert (over["UID"], over["SEQUENCE"]) == (stood["UID"], 4)
    assert over.decoded("dtstart") == stood.decoded("dtstart")
    assert (over["STATUS"], over["SUMMARY"]) == ("CANCELLED", "No move of yours is due in game 17")
    assert "STATUS" not in stood and not over.walk("VALARM")


@pytest.mark.parametrize(
    ("before", "rings"),
    [
        (timedelta(days=30), timedelta(days=1)),
        (timedelta(days=2), timedelta(days=1)),
        (timedelta(hours=12), timedelta(hours=6)),
        (timedelta(minutes=3), timedelta(minutes=1)),
        (timedelta(seconds=-1), None),
    ],
)
def test_it_rings_a_day_before_and_half_way_to_a_deadline_that_is_near(
    before: timedelta, rings: timedelta | None
) -> None:
    """TM-9.2: once; after the deadline not at all."""
    content = _file(stamp=DEADLINE.replace(microsecond=0) - before)
    alarms = [alarm.decoded("trigger") for alarm in icalendar.Calendar.from_ical(content).walk("VALARM")]
    assert alarms == ([] if rings is None else [-rings])


def test_one_file_tells_of_the_deadlines_of_several_games() -> None:
    entries = [Entry(game, "white", DEADLINE, game) for game in (17, 18)]
    content = write_icalendar(entries, service="example.org", stamp=NOW, language="fr")
    events = icalendar.Calendar.from_ical(content).walk("VEVENT")
    assert [str(event["UID"]) for event in events] == [
        "game-17-white@example.org",
        "game-18-white@example.org",
    ]
    assert [str(event["SUMMARY"])[-2:] for event in events] == ["17", "18"]
    assert "vous de jouer" in str(events[0]["SUMMARY"])


def test_the_file_is_read_back_as_a_deadline_with_one_alarm() -> None:
    """TM-9.2."""
    calendar = icalendar.Calendar.from_ical(_file(service="a-very-long-name-of-a-host.of-a-club.example.org"))
    assert calendar["METHOD"] == METHOD
    (event,) = calendar.walk("VEVENT")
    (alarm,) = calendar.walk("VALARM")
    assert event.decoded("dtstart") == datetime(2026, 12, 3, 17, tzinfo=UTC)
    assert alarm.decoded("trigger") == timedelta(days=-1)
    assert "ATTENDEE" not in event
    assert "ORGANIZER" not in event


def test_a_file_with_a_time_that_is_not_utc_is_not_written() -> None:
    with pytest.raises(ValueError, match="not in UTC"):
        _file(stamp=NOW.replace(tzinfo=None))
