"""Leave is taken by the player's own word, in whole days of his, and no more than are his."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.common.faults import Fault
from referee.games.clocks.controls import PerMove
from referee.games.clocks.leave import AHEAD, Leave, LeaveBook
from referee.games.clocks.ledger import OnLeave, Started, fold, open_ledger
from referee.games.clocks.spans import Span, length

PARIS = "Europe/Paris"
NOW = datetime(2027, 1, 10, 12, tzinfo=UTC)


def day(text: str) -> date:
    return date.fromisoformat(f"2027-{text}")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def ask(book: LeaveBook, first: date, last: date, zone: str = PARIS, now: datetime = NOW) -> LeaveBook:
    found = book.ask(first, last, zone, now)
    assert isinstance(found, LeaveBook), found
    return found


def refusal(book: LeaveBook, first: date, last: date, zone: str = PARIS, now: datetime = NOW) -> Fault:
    found = book.ask(first, last, zone, now)
    assert isinstance(found, Fault)
    return found


def test_leave_is_whole_days_of_the_players_own() -> None:
    """TM-7.5, TM-7.3. 27 to 29 March: summer time begins on the 28th, so these are 71 hours."""
    book = ask(LeaveBook(30), day("03-27"), day("03-29"))
    assert book.spans() == (Span(utc("2027-03-26T23:00"), utc("2027-03-29T22:00")),)
    assert length(book.spans()) == timedelta(hours=71)
    assert (book.used(2027), book.remaining(2027), book.remaining(2028)) == (3, 27, 30)


@pytest.mark.parametrize(
    ("zone", "now", "first"),
    [
        (PARIS, "2027-01-10T12:00", "01-11"),
        (PARIS, "2027-01-10T22:59", "01-11"),
        (PARIS, "2027-01-10T23:00", "01-12"),  # it is the 11th in Paris
        ("America/New_York", "2027-01-10T03:00", "01-10"),  # still the 9th there
        ("Pacific/Auckland", "2027-01-10T12:00", "01-12"),
    ],
)
def test_leave_begins_tomorrow_at_the_earliest_by_the_players_own_day(
    zone: str, now: str, first: str
) -> None:
    """TM-7.2."""
    assert ask(LeaveBook(30), day(first), day(first), zone, utc(now)).used(2027) == 1
    early = day(first) - timedelta(days=1)
    fault = refusal(LeaveBook(30), early, day(first), zone, utc(now))
    assert (fault.code, fault.rule) == ("leave-past", "TM-7.2")
    assert fault.reason() == f"leave begins tomorrow at the earliest, on 2027-{first}"


def test_leave_that_ends_before_it_begins_or_begins_too_far_ahead_is_refused() -> None:
    """TM-7.2."""
    assert refusal(LeaveBook(30), day("02-02"), day("02-01")).code == "leave-order"
    last = day("01-10") + AHEAD
    assert ask(LeaveBook(30), last, last)
    assert refusal(LeaveBook(30), last + timedelta(days=1), last + timedelta(days=1)).code == "leave-ahead"


def test_leave_over_the_new_year_takes_each_day_from_its_own_year() -> None:
    """TM-7.3: 28 to 31 December are four days, 1 to 6 January are six."""
    book = ask(LeaveBook(6), day("12-28"), date(2028, 1, 6))
    assert (book.used(2027), book.used(2028)) == (4, 6)
    fault = refusal(LeaveBook(6), day("12-28"), date(2028, 1, 7))
    assert fault.rule == "TM-7.3"
    assert fault.reason() == (
        "there are 6 days of leave a year; with these it would be 7 in 2028, where 6 are left"
    )
    assert refusal(LeaveBook(6), day("12-25"), date(2028, 1, 1)).facts["year"] == "2027"


def test_the_cap_is_for_all_leave_of_a_year_and_the_last_day_can_be_taken() -> None:
    """TM-7.3."""
    book = ask(LeaveBook(10), day("02-01"), day("02-06"))
    assert refusal(book, day("03-01"), day("03-05")).facts["left"] == 4
    assert ask(book, day("03-01"), day("03-04")).remaining(2027) == 0
    assert refusal(LeaveBook(0), day("03-01"), day("03-01")).facts["cap"] == 0


def test_a_leap_day_is_a_day_of_leave() -> None:
    """TM-7.3."""
    book = ask(LeaveBook(10), date(2028, 2, 28), date(2028, 3, 1), now=utc("2027-06-01T00:00"))
    assert book.used(2028) == 3


def test_a_day_that_is_taken_twice_is_taken_once_unless_it_is_a_day_of_another_zone() -> None:
    """TM-7.4, TM-7.5."""
    book = ask(LeaveBook(10), day("02-01"), day("02-06"))
    book = ask(book, day("02-04"), day("02-09"))
    assert book.used(2027) == 9
    assert book.spans() == (Span(utc("2027-01-31T23:00"), utc("2027-02-09T23:00")),)
    assert refusal(book, day("02-09"), day("02-10"), "Asia/Tokyo").facts["days"] == 11
    assert ask(book, day("02-09"), day("02-09"), "Asia/Tokyo").used(2027) == 10


def test_weekends_in_a_leave_are_days_of_leave() -> None:
    """TM-7.4: 6 and 7 February 2027 are a Saturday and a Sunday."""
    assert ask(LeaveBook(10), day("02-05"), day("02-08")).used(2027) == 4


def test_a_leave_of_thousands_of_years_is_refused_at_once() -> None:
    """TM-7.3."""
    assert refusal(LeaveBook(30), day("02-01"), date(9999, 12, 30)).code == "leave-cap"
    assert refusal(LeaveBook(366), day("02-01"), date(9999, 12, 30)).code == "leave-long"


def test_leave_that_is_cut_short_keeps_the_day_on_which_that_is_said() -> None:
    """TM-7.6: five of ten days, the fifth having just begun."""
    book = ask(LeaveBook(10), day("02-01"), day("02-10"))
    leave = book.taken[0]
    short = book.end(leave, utc("2027-02-04T23:00"))
    assert short.taken == (Leave(day("02-01"), day("02-05"), PARIS),)
    assert short.remaining(2027) == 5
    assert book.end(leave, utc("2027-02-04T22:59")).remaining(2027) == 6
    assert book.end(leave, utc("2027-02-11T12:00")) == book
    with pytest.raises(ValueError, match="was not taken"):
        short.end(leave, NOW)


def test_leave_that_has_not_begun_is_dropped_whole() -> None:
    """TM-7.6."""
    book = ask(LeaveBook(10), day("02-01"), day("02-10"))
    assert book.end(book.taken[0], utc("2027-01-31T22:59")).taken == ()
    assert book.end(book.taken[0], utc("2027-01-31T23:00")).used(2027) == 1


def test_who_is_on_leave_can_be_told() -> None:
    book = ask(ask(LeaveBook(20), day("02-01"), day("02-03")), day("02-02"), day("02-05"))
    assert book.on(utc("2027-01-31T22:59")) is None
    assert book.on(utc("2027-01-31T23:00")) == book.taken[0]
    assert book.on(utc("2027-02-02T12:00")) == book.taken[1]
    assert book.on(utc("2027-02-05T23:00")) is None


def test_leave_reads_as_dates() -> None:
    assert str(Leave(day("02-01"), day("02-03"), PARIS).phrase()) == "leave from 2027-02-01 to 2027-02-03"
    assert str(Leave(day("02-01"), day("02-01"), PARIS).phrase()) == "leave on 2027-02-01"


def test_nobody_is_on_leave_who_did_not_ask_for_it() -> None:
    """TM-7.1: silence beyond the deadline, and an outage, switch nothing on."""
    ledger = fold(open_ledger(PerMove(timedelta(days=3)), ["white"]), [Started("white", NOW)])
    assert ledger.deadline("white") == NOW + timedelta(days=3)
    assert LeaveBook(30).spans() == ()
    assert ledger.standing("white", NOW + timedelta(days=9)).over == timedelta(days=6)


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(
            st.integers(1, 360), st.integers(0, 20), st.sampled_from([PARIS, "Asia/Tokyo"]), st.booleans()
        ),
        max_size=8,
    )
)
def test_no_book_of_leave_ever_exceeds_its_cap_or_charges_for_less_than_it_gives(
    wishes: list[tuple[int, int, str, bool]],
) -> None:
    """TM-7.3, TM-7.4, TM-7.6."""
    book, now = LeaveBook(25), NOW
    ledger = fold(open_ledger(PerMove(timedelta(days=3)), ["white"]), [Started("white", now)])
    deadline = ledger.deadline("white")
    assert deadline is not None
    for ahead, more, zone, cut in wishes:
        first = NOW.date() + timedelta(days=ahead)
        found = book.ask(first, first + timedelta(days=more), zone, now)
        if isinstance(found, LeaveBook):
            book = found
            if cut:
                book = book.end(book.taken[0], now)
        assert all(book.used(year) <= 25 for year in range(2026, 2031))
        days = sum(book.used(year) for year in range(2026, 2031))
        assert length(book.spans()) <= days * timedelta(hours=25)
        ledger = fold(ledger, [OnLeave("white", now, book.spans())])
        now += timedelta(days=3)
    last = ledger.deadline("white")
    assert last is not None
    assert last >= deadline


def test_leave_that_was_taken_elsewhere_holds_where_there_is_room_for_the_whole_of_it() -> None:
    """TM-7.7: ten days into a book of twelve a year; into one of nine not; over the new year by each year's days."""
    ten = Leave(date(2026, 12, 1), date(2026, 12, 10), "UTC")
    assert LeaveBook(12).with_more(ten) == LeaveBook(12, (ten,))
    assert LeaveBook(9).with_more(ten) is None
    over = Leave(date(2026, 12, 29), date(2027, 1, 4), "UTC")
    assert LeaveBook(12, (ten,)).with_more(over) is None
    assert LeaveBook(13, (ten,)).with_more(over) == LeaveBook(13, (ten, over))


@pytest.mark.parametrize(
    ("zone", "now", "first"),
    [
        (PARIS, "2027-01-10T22:59", "01-12"),  # 23:59 there: the 11th begins in a minute
        (PARIS, "2027-01-10T23:00", "01-12"),  # midnight: the 12th begins in 24 hours
        (PARIS, "2027-01-10T23:01", "01-13"),
        (PARIS, "2027-03-27T23:30", "03-30"),  # 00:30 on the 28th, which has 23 hours
        ("Pacific/Auckland", "2027-01-10T10:59", "01-12"),
    ],
)
def test_whoever_has_changed_his_zone_waits_for_24_hours(zone: str, now: str, first: str) -> None:
    """TM-7.2: no morrow comes nearer by another zone."""
    book, at = LeaveBook(30), utc(now)
    begins = day(first)
    early = book.ask(begins - timedelta(days=1), begins, zone, at, moved=True)
    assert isinstance(early, Fault) and (early.rule, early.facts["day"]) == ("TM-7.2", f"{begins}")
    assert isinstance(book.ask(begins, begins, zone, at, moved=True), LeaveBook)
