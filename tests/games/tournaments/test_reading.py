"""An event's file: what is read in it, what is wrong with it, and that it comes out as it went in."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.common.faults import Fault
from referee.games.tournaments.reading import check_title, read_competition
from referee.games.tournaments.tournament import (
    WEEKDAYS,
    Competition,
    Holiday,
    from_plain,
    tidy_title,
)
from referee.games.tournaments.writing import write_competition, write_span
from referee.rulebooks.catalogue import RULEBOOKS

DEPLOY = Path(__file__).parents[3] / "deploy"
NAMED = 'name = "Spring League"\n'


def faults_of(text: str) -> tuple[Fault, ...]:
    read = read_competition(text)
    assert not isinstance(read, Competition), read
    return read


def test_a_name_is_all_that_an_event_needs() -> None:
    every = tuple(rulebook.name for rulebook in RULEBOOKS)
    assert read_competition(NAMED) == Competition("Spring League", rules=every)


def test_every_key_is_read_however_it_is_spelt() -> None:
    read = read_competition(
        'name = " Spring  League "\nrules = ["Confusion"]\ntime = "30d + 2d"\nlapse = "Soft"\nzone = "paris"\n'
        'days_off = ["Sunday", "saturday"]\nreminders = ["2d", "1d 12h", "7D", "2d"]\nleave = 30\npress = "OFF"\n'
        'watchers = "03"\nnotes = "to\\nbe kept"\n[holidays]\n2027-12-25 = "Christmas"\n2027-04-05 = "Easter"\n'
    )
    assert read == Competition(
        name="Spring League",
        rules=("confusion",),
        time="30d+2d",
        lapse="soft",
        zone="Europe/Paris",
        days_off=("saturday", "sunday"),
        holidays=(Holiday(date(2027, 4, 5), "Easter"), Holiday(date(2027, 12, 25), "Christmas")),
        reminders=(timedelta(days=7), timedelta(days=2), timedelta(days=1, hours=12)),
        leave=30,
        press="off",
        watchers="3",
        notes="to\nbe kept",
    )


def test_the_sample_is_an_event() -> None:
    read = read_competition((DEPLOY / "event.toml").read_text("utf-8"))
    assert isinstance(read, Competition)
    assert read.days_off == ("saturday", "sunday") and len(read.holidays) == 2


@pytest.mark.parametrize(
    ("line", "code", "said", "meant"),
    [
        ('name = ""', "event-name-length", "1 to 80 characters", ""),
        ('name = "2027"', "event-name-length", "letters among them", ""),
        (f'name = "{"a" * 81}"', "event-name-length", "1 to 80", ""),
        ('name = "a; b"', "event-sign", "cannot hold the sign ;", ""),
        ('name = "Cup: Final"', "event-sign", "cannot hold the sign :", ""),
        ('name = "a [game 3]"', "event-sign", "the sign [", ""),
        ('name = "a\\nb\\u202e"', "event-sign", "the sign \\u202e", ""),
        ('name = "../../x"', "event-path", "cannot hold ..", ""),
        ('name = "%2e%2e%2fx"', "event-path", "cannot hold %2e", ""),
        ('name = "．．／x"', "event-path", "cannot hold ..", ""),
        ('name = "Cup/x"', "event-path", "/ stands between digits", ""),
        ('name = "/etc/Cup"', "event-path", "cannot hold /", ""),
        ('name = "~Cup"', "event-path", "cannot hold ~", ""),
        ('name = ".Cup"', "event-path", "cannot hold .", ""),
        ("name = 3", "event-form", "name needs a text on one line", ""),
        ('nam = "x"', "event-key", "an event has no key nam;", "name"),
        ('[holiday]\n2027-01-01 = "x"', "event-key", "no key holiday", "holidays"),
        ('rules = ["confuson"]', "event-rules", "there are no rules confuson; known are confusion", "confusion"),
        ("rules = []", "event-no-rules", "at least one game", "confusion"),
        ('rules = "confusion"', "event-form", "rules needs a list of the names of rules", ""),
        ("rules = [3]", "event-form", "rules needs a list", ""),
        ('time = ""', "time-control", "there is no time control", ""),
        ('time = "two days?"', "time-control", "there is no time control twodays?", ""),
        ('time = "3/move"', "time-control", "there are 3d/move", 'time = "3d/move"'),
        ('time = "3d"', "time-bounds", "at least 7 days", 'time = "3d/move"'),
        ("time = 3", "event-form", "time needs a time control in quotes", ""),
        ('lapse = "sof"', "event-form", "lapse needs hard or soft", "soft"),
        ('zone = "Pariss"', "event-zone", "there is no time zone Pariss", "Europe/Paris"),
        ('zone = "GMT+1"', "event-zone", "there is no time zone GMT+1", ""),
        ('zone = ""', "event-zone", "there is no time zone", ""),
        ('days_off = ["sat"]', "event-weekday", "sat is no day of the week", "saturday"),
        ('days_off = ["samedi"]', "event-weekday", "samedi is no day of the week", ""),
        (f"days_off = {list(WEEKDAYS)}", "event-all-off", "no time ever runs", 'time = "none"'),
        ('reminders = ["2 days"]', "event-reminder", "from 1h to 90d", "2d"),
        ('reminders = ["36 hours"]', "event-reminder", "not 36 hours", "36h"),
        ('reminders = ["91d"]', "event-reminder", "from 1h to 90d", ""),
        ('reminders = ["0h"]', "event-reminder", "from 1h to 90d", ""),
        ('reminders = [""]', "event-reminder", "from 1h to 90d", ""),
        (f"reminders = {[f'{n}d' for n in range(1, 12)]}", "event-reminders", "at most 10", ""),
        ("leave = -1", "event-leave", "0 to 365 days a year, not -1", ""),
        ("leave = 366", "event-leave", "not 366", ""),
        ("leave = true", "event-form", "leave needs a whole number of days", ""),
        ("leave = 2.5", "event-form", "leave needs a whole number", ""),
        (f"leave = 0x{'f' * 9000}", "event-leave", "not …", ""),
        ('press = "anonymus"', "event-form", "press needs named, anonymous or off", "anonymous"),
        ('watchers = "0"', "event-form", "watchers needs off, on, or after how many turns", "on"),
        ('watchers = "1001"', "event-form", "watchers needs off", ""),
        ('watchers = "²"', "event-form", "watchers needs off", ""),
        (f'notes = "{"x" * 4001}"', "event-notes", "at most 4,000 characters", ""),
        ("holidays = 3", "event-form", "holidays needs a section of days", ""),
        ('[holidays]\n2027-02-29 = "x"', "event-day", "2027-02-29 is no day of a year", ""),
        ('[holidays]\nEaster = "x"', "event-day", "Easter is no day of a year", ""),
        ('[holidays]\n2027-12-25 = ""', "event-day-name", "a name of 1 to 80", ""),
        ("[holidays]\n2027-12-25 = 3", "event-day-name", "a name of 1 to 80", ""),
        ('[holidays]\n2027-12-25 = "x"\n20271225 = "y"', "event-day-twice", "stands here twice", ""),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line_and_what_was_perhaps_meant(
    line: str, code: str, said: str, meant: str
) -> None:
    before = "" if line.startswith("name") else NAMED
    (fault,) = faults_of(f"# an event\n{before}{line}\n")
    assert (fault.code, fault.suggestion) == (code, meant)
    assert said in fault.sentence()
    assert fault.place is not None
    assert fault.place.line in range(2, 6) and fault.excerpt
    assert fault.excerpt[:20] in line


def test_all_that_is_wrong_is_said_at_once_in_the_order_of_the_lines() -> None:
    found = faults_of('zone = "Nowhere"\nleave = 400\ncolour = "red"\n[holidays]\nxmas = "x"\n')
    assert [fault.code for fault in found] == [
        "event-name",
        "event-zone",
        "event-leave",
        "event-key",
        "event-day",
    ]
    assert [fault.place.line for fault in found if fault.place] == [1, 2, 3, 5]


@pytest.mark.parametrize(
    ("text", "line"), [("name = \n", 1), (f'{NAMED}zone = "a\n', 2), (f"{NAMED}{NAMED}", 2), ("\x00", 1)]
)
def test_a_file_that_is_no_toml_is_said_to_be_none_from_where_it_goes_wrong(text: str, line: int) -> None:
    (fault,) = faults_of(text)
    assert fault.code == "event-toml" and fault.place is not None and fault.place.line == line


@pytest.mark.parametrize("text", ["x" * 100_001, f"leave = {'9' * 5000}", f"rules = {'[' * 9000}", ""])
def test_a_file_that_nobody_wrote_in_earnest_is_refused_too(text: str) -> None:
    assert faults_of(text)


def test_the_time_control_is_read_by_whoever_knows_them() -> None:
    refused = Fault("no-time", "time runs for nobody")
    assert faults_of_time(lambda text: refused) == ("no-time", 2)
    read = read_competition(f'{NAMED}time = "x"', lambda text: "20d+2d")
    assert isinstance(read, Competition) and read.time == "20d+2d"


def faults_of_time(time: object) -> tuple[str, int]:
    read = read_competition(f'{NAMED}time = "x"', time)  # type: ignore[arg-type]
    assert not isinstance(read, Competition)
    (fault,) = read
    assert fault.place is not None
    return fault.code, fault.place.line


SIGNS = st.sampled_from("aZé 19\t\n\r\\\"'=;[]#.,{}\x00\x1f\x7f\u2028€𝄞")
titles = (
    st.text(SIGNS, min_size=1, max_size=12)
    .map(lambda said: tidy_title(f"Club {said}"))
    .filter(lambda said: check_title(said) is None)
)
day_names = st.text(SIGNS, min_size=1, max_size=12).map(lambda said: " ".join(said.split()))
competitions = st.builds(
    Competition,
    name=titles,
    rules=st.just(("confusion",)),
    time=st.sampled_from(("none", "30d+2d", "40d/10", "3d/move")),
    lapse=st.sampled_from(("hard", "soft")),
    zone=st.sampled_from(("UTC", "Europe/Paris", "America/New_York", "Pacific/Apia")),
    days_off=st.sets(st.sampled_from(WEEKDAYS), max_size=6).map(
        lambda days: tuple(day for day in WEEKDAYS if day in days)
    ),
    holidays=st.dictionaries(
        st.dates(), day_names.filter(lambda said: said != "" and said.isprintable()), max_size=4
    ).map(lambda days: tuple(Holiday(day, days[day]) for day in sorted(days))),
    reminders=st.sets(st.integers(1, 2160), max_size=10).map(
        lambda hours: tuple(timedelta(hours=each) for each in sorted(hours, reverse=True))
    ),
    leave=st.integers(0, 365),
    press=st.sampled_from(("named", "anonymous", "off")),
    watchers=st.sampled_from(("off", "on", "1", "12", "1000")),
    notes=st.text(SIGNS, max_size=40).map(lambda said: said.replace("\r\n", "\n")),
)


@settings(max_examples=20, deadline=None)
@given(competitions)
def test_what_is_written_reads_the_same(competition: Competition) -> None:
    written = write_competition(competition)
    read = read_competition(written)
    assert read == competition
    assert isinstance(read, Competition) and write_competition(read) == written
    assert from_plain(competition.plain()) == competition


def test_what_an_earlier_release_kept_is_as_it_was_without() -> None:
    assert from_plain({"name": "Spring League", "rules": ["confusion"]}) == Competition(
        "Spring League", rules=("confusion",)
    )


@pytest.mark.parametrize(("hours", "said"), [(1, "1h"), (24, "1d"), (36, "1d12h"), (168, "7d")])
def test_a_span_is_written_in_days_and_hours(hours: int, said: str) -> None:
    assert write_span(timedelta(hours=hours)) == said


# What games of the event are played with


def test_its_games_have_the_options_that_it_does_not_leave_as_they_are() -> None:
    assert Competition("Spring League").options == {}
    assert Competition("Spring League", press="off").options == {"press": "off"}


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({}, ()),
        ({"press": "off", "sheets": "off"}, ()),
        ({"press": "named"}, (("press", "named", "off"),)),
        ({"watchers": "on", "time": "3d"}, (("watchers", "on", "off"), ("time", "3d", "none"))),
    ],
)
def test_options_that_say_otherwise_are_found(
    options: dict[str, str], found: tuple[tuple[str, str, str], ...]
) -> None:
    assert Competition("Spring League", press="off").contradicts(options) == found


@pytest.mark.parametrize(
    "name", ["League 2026/27", "Cup of 100 %", "Wait... Cup", "Dr. No Cup", "Coupe n° 3 (Est)"]
)
def test_a_name_with_strokes_and_dots_of_its_own_is_a_name(name: str) -> None:
    read = read_competition(f'name = "{name}"')
    assert isinstance(read, Competition)


def test_a_key_of_thousands_of_parts_is_named_before_it_is_read() -> None:
    (fault,) = faults_of(f"{NAMED}{'.'.join('a' * 40_000)} = 1")
    assert (fault.code, fault.place and fault.place.line) == ("event-dots", 2)
