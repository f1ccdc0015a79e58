"""A player is reminded at marks of time that is left to him: once, not in his time off, and not too late."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from referee.common.durations import DAY, HOUR
from referee.common.faults import Fault
from referee.games.clocks.ledger import Ledger
from referee.games.clocks.reminders import MARKS, Reminder, due, read_marks, reminders, write_marks
from tests.games.clocks.stories import tell


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2027-01-{text}").replace(tzinfo=UTC)


WEEKEND = """
    5d/move weekend=67
    2027-01-06 12:00  white starts : deadline=2027-01-13T12:00   # Wed 12 h, Thu, Fri, Mon, Tue, Wed 12 h
"""


def test_a_mark_is_time_that_runs_and_does_not_fall_into_a_weekend() -> None:
    """TM-8.1: two days before Wednesday noon is Monday noon; two and a half, Monday 0:00; three, Friday noon."""
    ledger = tell(WEEKEND)
    marks = [2 * DAY, 2 * DAY + 12 * HOUR, 3 * DAY]
    assert reminders(ledger, "white", marks) == (
        Reminder(3 * DAY, at("08T12:00")),
        Reminder(2 * DAY + 12 * HOUR, at("11T00:00")),
        Reminder(2 * DAY, at("11T12:00")),
    )


def test_a_mark_that_had_passed_when_the_clock_started_does_not_come() -> None:
    """TM-8.2: of five days, a mark of seven or of five comes never, one of a moment less does."""
    ledger = tell(WEEKEND)
    assert [each.mark for each in reminders(ledger, "white", MARKS)] == [2 * DAY, DAY]
    assert reminders(ledger, "white", [5 * DAY]) == ()
    assert len(reminders(ledger, "white", [5 * DAY - HOUR])) == 1


def test_nobody_is_reminded_whose_clock_rests_or_who_has_no_deadline() -> None:
    ledger = tell(WEEKEND)
    assert reminders(ledger, "yellow", MARKS) == ()
    untimed = tell("""
        none
        2027-01-06 12:00  white starts
    """)
    assert reminders(untimed, "white", MARKS) == ()
    paused = tell("""
        5d/move
        2027-01-06 12:00  white starts
        2027-01-07 12:00  pause umpire
    """)
    assert reminders(paused, "white", MARKS) == ()
    assert due(paused, "white", MARKS, (), at("30T00:00")) == ()


def test_a_mark_is_due_at_its_instant_and_once_though_the_service_begins_anew() -> None:
    """TM-8.3, TM-8.4."""
    ledger = tell(WEEKEND)
    moment = timedelta(microseconds=1)
    assert due(ledger, "white", MARKS, (), at("11T12:00") - moment) == ()
    found = due(ledger, "white", MARKS, (), at("11T12:00"))
    assert found == (Reminder(2 * DAY, at("11T12:00")),)
    sent = [Reminder(2 * DAY, at("11T12:03"))]
    assert due(ledger, "white", MARKS, sent, at("11T13:00")) == ()
    assert [each.mark for each in due(ledger, "white", MARKS, sent, at("12T12:00"))] == [DAY]


def test_after_an_outage_all_that_were_missed_are_due_at_once_and_none_after_the_deadline() -> None:
    """TM-8.3: the last alone is written, all are kept as sent."""
    ledger = tell(WEEKEND)
    assert [each.mark for each in due(ledger, "white", MARKS, (), at("13T12:00"))] == [2 * DAY, DAY]
    assert due(ledger, "white", MARKS, (), at("13T12:01")) == ()


@pytest.mark.parametrize(
    ("given", "again"),
    [("1d", False), ("1d23h", False), ("2d", True), ("3d", True)],
)
def test_a_mark_comes_again_only_when_twice_its_time_was_left_after_all(given: str, again: bool) -> None:
    """TM-8.4: the mark of two days was sent on time; with two days more there were four."""
    ledger = _given(given)
    sent = [Reminder(2 * DAY, at("11T12:00"))]
    found = [each.mark for each in reminders(ledger, "white", [2 * DAY], sent)]
    assert found == ([2 * DAY] if again else [])


def _given(time: str) -> Ledger:
    return tell(f"""
        5d/move weekend=67
        2027-01-06 12:00  white starts
        2027-01-11 13:00  white gets {time}
    """)


def test_a_deadline_that_is_moved_by_leave_moves_the_marks_to_come_and_repeats_none() -> None:
    """TM-8.4."""
    ledger = tell("""
        5d/move weekend=67
        2027-01-06 12:00  white starts
        2027-01-11 13:00  white leaves 2027-01-12T00:00/2027-01-15T00:00 : deadline=2027-01-18T12:00
    """)
    sent = [Reminder(2 * DAY, at("11T12:00"))]
    assert reminders(ledger, "white", MARKS, sent) == (Reminder(DAY, at("15T12:00")),)


def test_what_was_sent_for_an_earlier_move_does_not_count() -> None:
    """TM-8.4."""
    ledger = tell("""
        5d/move
        2027-01-01 12:00  white starts
        2027-01-05 12:00  white moves
        2027-01-06 12:00  white starts
    """)
    sent = [Reminder(3 * DAY, at("03T12:00")), Reminder(DAY, at("05T12:00"))]
    assert [each.mark for each in reminders(ledger, "white", [3 * DAY, DAY], sent)] == [3 * DAY, DAY]


@pytest.mark.parametrize(
    ("text", "written"),
    [("7d,2d,1d", "7d,2d,1d"), ("1d, 7days ,12h,24h", "7d,1d,12h"), ("none", "none"), ("", "none")],
)
def test_marks_are_read_and_written(text: str, written: str) -> None:
    """TM-8.1."""
    found = read_marks(text)
    assert not isinstance(found, Fault)
    assert write_marks(found) == written
    assert read_marks(written) == found


@pytest.mark.parametrize(
    ("text", "meant"),
    [("7d,2", "7d"), ("0h,1d", "1d"), ("soon", ""), (",".join(f"{n}d" for n in range(1, 12)), "")],
)
def test_marks_that_cannot_be_read_are_returned(text: str, meant: str) -> None:
    """TM-8.1."""
    found = read_marks(text)
    assert isinstance(found, Fault)
    assert (found.suggestion, found.rule) == (meant, "TM-8.1")
