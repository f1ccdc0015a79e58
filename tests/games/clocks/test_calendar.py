"""Days in zones: 23 and 25 hours, midnights that are left out or come twice, a day that never was."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.clocks.calendar import Calendar, day_begins, day_of, days
from referee.games.clocks.spans import Span

HOUR = timedelta(hours=1)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "day", "begins", "hours"),
    [
        ("UTC", "2028-02-29", "2028-02-29T00:00", 24),  # a leap day is a day
        ("Europe/Paris", "2027-03-27", "2027-03-26T23:00", 24),
        ("Europe/Paris", "2027-03-28", "2027-03-27T23:00", 23),  # 2:00 is 3:00
        ("Europe/Paris", "2027-03-29", "2027-03-28T22:00", 24),
        ("Europe/Paris", "2027-10-31", "2027-10-30T22:00", 25),  # 3:00 is 2:00
        ("America/New_York", "2027-03-14", "2027-03-14T05:00", 23),
        ("America/New_York", "2027-11-07", "2027-11-07T04:00", 25),
        ("America/Santiago", "2026-09-06", "2026-09-06T04:00", 23),  # 0:00 is 1:00: it begins at 1:00
        ("America/Santiago", "2027-04-03", "2027-04-03T03:00", 25),  # 24:00 is 23:00: the hour comes twice
        ("America/Santiago", "2027-04-04", "2027-04-04T04:00", 24),
        ("Asia/Beirut", "2026-03-29", "2026-03-28T22:00", 23),  # 0:00 is 1:00
        ("Asia/Beirut", "2026-10-24", "2026-10-23T21:00", 25),  # 24:00 is 23:00
        ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00", 23),  # 0:00 is 1:00
        ("Africa/Cairo", "2026-10-29", "2026-10-28T21:00", 25),  # 24:00 is 23:00
        ("Africa/Cairo", "2026-10-30", "2026-10-29T22:00", 24),
        ("America/Havana", "2026-11-01", "2026-11-01T04:00", 25),  # 1:00 is 0:00: the first midnight counts
        ("Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30", 23.5),  # half an hour of summer time
        ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00", 24),
        ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00", 0),  # Samoa left this day out
        ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00", 24),
        ("America/Toronto", "1919-03-30", "1919-03-30T05:00", 23.5),  # the change to summer time at 23:30
        ("America/Toronto", "1919-03-31", "1919-03-31T04:30", 23.5),  # made this day begin at 0:30
        ("Asia/Kathmandu", "2027-01-01", "2026-12-31T18:15", 24),
    ],
)
def test_a_day_begins_with_the_first_instant_of_its_date_and_has_as_many_hours_as_it_has(
    zone: str, day: str, begins: str, hours: float
) -> None:
    """TM-4.1."""
    span = days(date.fromisoformat(day), date.fromisoformat(day), zone)
    assert span.start == utc(begins)
    assert (span.end - span.start) / HOUR == hours


ZONES = [
    "UTC",
    "Europe/Paris",
    "America/Santiago",
    "Asia/Beirut",
    "Africa/Cairo",
    "America/Havana",
    "Pacific/Apia",
    "Australia/Lord_Howe",
    "America/St_Johns",  # clocks were changed a minute after midnight
    "America/Toronto",
    "Asia/Gaza",
]


@settings(max_examples=30)
@given(st.sampled_from(ZONES), st.dates(date(1990, 1, 1), date(2040, 1, 1)), st.integers(0, 24 * 60 - 1))
def test_each_instant_lies_in_one_day_and_that_is_the_date_on_the_wall_or_the_next(
    zone: str, day: date, minute: int
) -> None:
    """TM-4.1. It is the next one only where clocks were put back over midnight."""
    at = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(minutes=minute)
    found = day_of(at, zone)
    assert day_begins(found, zone) <= at < day_begins(found + timedelta(days=1), zone)
    wall = at.astimezone(ZoneInfo(zone)).date()
    earlier = {(at - hours * HOUR).astimezone(ZoneInfo(zone)).date() for hours in (1, 2)}
    assert found == wall or (found == wall + timedelta(days=1) and found in earlier)


def test_the_first_of_two_midnights_begins_the_day() -> None:
    """TM-4.1. In Newfoundland, 0:01 became 23:01 of the day before: the day had begun, and goes on."""
    assert day_begins(date(2010, 11, 7), "America/St_Johns") == utc("2010-11-07T02:30")
    assert day_of(utc("2010-11-07T03:00"), "America/St_Johns") == date(2010, 11, 7)


def test_weekends_and_holidays_come_one_after_the_other_and_nothing_twice() -> None:
    """TM-4.2, TM-4.3. 2 and 3 January 2027 are a weekend; the holidays: New Year's Day, that Saturday, and the 6th."""
    holidays = frozenset({date(2027, 1, 1), date(2027, 1, 2), date(2027, 1, 6)})
    calendar = Calendar("Europe/Berlin", frozenset({6, 7}), holidays)
    assert list(islice(calendar.off(utc("2026-12-31T12:00")), 3)) == [
        Span(utc("2026-12-31T23:00"), utc("2027-01-03T23:00")),
        Span(utc("2027-01-05T23:00"), utc("2027-01-06T23:00")),
        Span(utc("2027-01-08T23:00"), utc("2027-01-10T23:00")),
    ]


def test_a_weekend_that_has_begun_is_told_as_well_and_one_that_has_ended_is_not() -> None:
    calendar = Calendar(weekend=frozenset({6, 7}))
    weekend = Span(utc("2027-01-02T00:00"), utc("2027-01-04T00:00"))
    last = utc("2027-01-04T00:00") - timedelta(microseconds=1)
    assert next(calendar.off(last)).end == weekend.end
    assert next(calendar.off(weekend.end)) == Span(utc("2027-01-09T00:00"), utc("2027-01-11T00:00"))


def test_holidays_alone_come_to_an_end_and_weekends_do_not() -> None:
    assert list(Calendar(holidays=frozenset({date(2028, 2, 29)})).off(utc("2027-01-01T00:00"))) == [
        Span(utc("2028-02-29T00:00"), utc("2028-03-01T00:00"))
    ]
    far = islice(Calendar(weekend=frozenset({7})).off(utc("2027-01-01T00:00")), 520, 521)
    assert next(far).start.year == 2036


def test_a_weekend_with_a_change_of_clocks_has_its_own_length() -> None:
    """TM-4.1, TM-4.2: 47 hours in March, 49 in October."""
    calendar = Calendar("Europe/Paris", frozenset({6, 7}))
    for start, hours in (("2027-03-25T00:00", 47), ("2027-10-28T00:00", 49)):
        span = next(calendar.off(utc(start)))
        assert (span.end - span.start) / HOUR == hours


def test_a_week_keeps_a_day_to_play_on() -> None:
    """TM-4.5."""
    with pytest.raises(ValueError, match="needs a day"):
        Calendar(weekend=frozenset(range(1, 8)))
    with pytest.raises(ValueError, match="1 for Monday"):
        Calendar(weekend=frozenset({0}))
    assert Calendar(weekend=frozenset(range(1, 7)))
