"""No sequence of moves, leave, pauses, added time, outages and wrong clocks shortens a player's time or gives it twice.

That is: the ledger agrees with a slow clock that goes through the game hour by hour (reference.py); what is granted is
used, left or lapsed, to the last hour; and more excluded time never brings a deadline forward, and never gives more
than it excludes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.clocks.calendar import Calendar
from referee.games.clocks.controls import Control, Fischer, Period, PerMove, Total
from referee.games.clocks.ledger import (
    Added,
    ClockFailed,
    ClockMended,
    Ended,
    Excluded,
    Fact,
    Ledger,
    Moved,
    OnLeave,
    Paused,
    Resumed,
    Started,
    TakenBack,
    fold,
    open_ledger,
)
from referee.games.clocks.spans import FOREVER, Span, length, spans
from tests.games.clocks.reference import BASE, HORIZON, instant, slow
from tests.games.clocks.running import running_between
from tests.support.telling import telling

SEATS = ("white", "yellow")
HOUR = timedelta(hours=1)
NOTHING = timedelta(0)
CALENDARS = st.sampled_from(
    [
        Calendar(),
        Calendar(weekend=frozenset({6, 7})),
        Calendar("Europe/Paris", frozenset({6, 7}), frozenset({date(2027, 3, 26), date(2027, 3, 29)})),
        Calendar("America/Santiago", frozenset({7}), frozenset({date(2027, 4, 3)})),
        Calendar("Asia/Tokyo", frozenset({2, 3, 4, 5, 6})),
    ]
)
SHORT = st.integers(1, 30).map(lambda hours: hours * HOUR)
CONTROLS = st.one_of(
    st.builds(PerMove, SHORT),
    st.builds(Period, SHORT, st.integers(1, 4)),
    st.builds(Total, st.integers(1, 200).map(lambda hours: hours * HOUR)),
    st.builds(
        lambda start, increment, room: Fischer(
            start, increment, None if room is None else max(start, increment) + room * HOUR
        ),
        SHORT,
        SHORT,
        st.none() | st.integers(0, 12),
    ),
)
CAUSES = st.sampled_from(["umpire", "consent"])
WHOSE = st.none() | st.sampled_from(SEATS).map(lambda seat: frozenset({seat}))


@st.composite
def games(draw: st.DrawFn, step: timedelta = HOUR, most: int = 14, *, clock: bool = True) -> list[Fact]:
    """Return what happened in a game: mostly one thing after the other, some of it known late, dates in whole steps."""
    now, facts = 0, list[Fact]()
    kinds = ["start", "start", "start", "move", "move", "move", "gift", "pause", "resume", "out", "leave"]
    kinds += ["back"]
    kinds += ["fail", "mend"] if clock else []

    def at(number: int) -> datetime:
        return BASE + number * step

    for _ in range(draw(st.integers(0, most))):
        now += draw(st.integers(0, 14))
        here = at(now - draw(st.sampled_from([0, 0, 0, 2, 9])))
        seat = draw(st.sampled_from(SEATS))
        match draw(st.sampled_from(kinds)):
            case "start":
                facts.append(Started(seat, here))
            case "move":
                facts.append(Moved(seat, here))
            case "back":
                facts.append(TakenBack(here))
            case "gift":
                facts.append(Added(seat, here, draw(SHORT)))
            case "pause":
                more = draw(st.none() | st.integers(1, 40))
                until = None if more is None else here + more * step
                facts.append(Paused(draw(CAUSES), here, until, draw(WHOSE)))
            case "resume":
                facts.append(Resumed(draw(CAUSES), here + draw(st.sampled_from([0, 0, 24])) * step))
            case "out":
                start = now - draw(st.integers(-10, 40))
                facts.append(Excluded(at(start), at(start + draw(st.integers(1, 30))), draw(WHOSE)))
            case "leave":
                starts = draw(st.lists(st.integers(-20, 60), max_size=3))
                booked = [Span(at(now + each), at(now + each + draw(st.integers(1, 48)))) for each in starts]
                facts.append(OnLeave(seat, here, spans(booked)))
            case "fail":
                facts.append(ClockFailed(at(now - draw(st.integers(0, 30)))))
            case "mend":
                facts.append(ClockMended(here))
    if draw(st.integers(0, 9)) == 0:
        facts.append(Ended(at(now)))
    return facts


def always(*drawn: Any, quick: int = 20) -> Callable[[Callable[..., None]], Callable[[int], None]]:
    """Hold a property in some games, and in many more in the full tests."""

    def made(holds: Callable[..., None]) -> Callable[[int], None]:
        @pytest.mark.parametrize("examples", telling([quick], others=[3000]))
        def test(examples: int) -> None:
            drawing: Any = given(*drawn)
            settings(max_examples=examples)(drawing(holds))()

        test.__doc__ = holds.__doc__
        return test

    return made


def played(control: Control, calendar: Calendar, facts: Sequence[Fact]) -> Ledger:
    return fold(open_ledger(control, SEATS, calendar), facts)


@always(CONTROLS, CALENDARS, games(), quick=60)
def test_the_ledger_agrees_with_a_clock_that_goes_through_the_game_hour_by_hour(
    control: Control, calendar: Calendar, facts: list[Fact]
) -> None:
    """TM-1.1 to TM-1.8, TM-2.1 to TM-2.5, TM-2.8, TM-2.9, TM-3.1 to TM-3.7, TM-5.1, TM-5.4, TM-7.6."""
    ledger = played(control, calendar, facts)
    for seat in SEATS:
        account, expected = ledger.account(seat), slow(control, calendar, facts, seat)
        assert account.used == expected.used * HOUR
        assert account.left == expected.left * HOUR
        assert account.over == expected.over * HOUR
        assert account.lapsed == expected.lapsed * HOUR
        assert account.moves == expected.moves
        assert (ledger.since(seat) is not None) == expected.running
        found = ledger.deadline(seat)
        soon = found if found is None or found < instant(HORIZON) else None
        assert soon == (None if expected.deadline is None else instant(expected.deadline))


MINUTES = games(step=timedelta(minutes=17, seconds=3))


@always(CONTROLS, CALENDARS, MINUTES, st.integers(-100, 400))
def test_what_was_granted_is_used_left_or_lapsed_to_the_last_moment(
    control: Control, calendar: Calendar, facts: list[Fact], later: int
) -> None:
    """TM-2.8."""
    ledger = played(control, calendar, facts)
    gifts = {
        seat: sum((f.time for f in facts if isinstance(f, Added) and f.seat == seat), NOTHING)
        for seat in SEATS
    }
    now = BASE + later * HOUR
    for seat in SEATS:
        account, standing = ledger.account(seat), ledger.standing(seat, now)
        assert account.left is not None
        assert standing.left is not None
        assert account.granted == account.used - account.over + account.left + account.lapsed
        assert min(account.used, account.left, account.over, account.lapsed) >= NOTHING
        granted = account.granted - gifts[seat]
        if isinstance(control, PerMove):
            anew = granted - _granted(control, account.moves)
            times = sum(isinstance(fact, TakenBack) for fact in facts)
            # each time the whole of the next move, and what was used of the gifts for the move that waits (TM-1.8)
            assert NOTHING <= anew <= times * (control.allowance + gifts[seat])
            assert gifts[seat] or anew % control.allowance == NOTHING
        else:
            assert granted == _granted(control, account.moves) or isinstance(control, Fischer)
        assert standing.used == account.used + standing.in_move
        assert standing.left - standing.over == account.left - standing.in_move
        assert standing.left == ledger.left(seat, now)


def _granted(control: Control, moves: int) -> timedelta:
    """Return what a control grants in so many moves; a cap is left aside."""
    match control:
        case PerMove(allowance):
            return allowance * (moves + 1)
        case Period(allowance, each):
            return allowance * (1 + moves // each)
        case Total(allowance):
            return allowance
    return NOTHING


@always(CONTROLS, CALENDARS, MINUTES, st.integers(0, 400))
def test_a_letter_is_in_time_by_the_deadline_if_and_only_if_it_took_no_more_than_was_left(
    control: Control, calendar: Calendar, facts: list[Fact], later: int
) -> None:
    """TM-5.1: the deadline and the account say the same, at the deadline itself and a moment to either side."""
    ledger = played(control, calendar, facts)
    moment = timedelta(microseconds=1)
    for seat in SEATS:
        deadline, since = ledger.deadline(seat), ledger.since(seat)
        near = () if deadline is None else (deadline - moment, deadline, deadline + moment)
        for received in (BASE + later * HOUR, *near):
            if since is None or ledger._failed is not None:
                continue
            over = ledger.standing(seat, received).over
            assert ledger.in_time(seat, received) == (over == NOTHING)


OUTAGES = st.tuples(st.integers(-300, 1500), st.integers(1, 300)).map(
    lambda pair: Span(
        BASE + pair[0] * timedelta(minutes=17), BASE + (pair[0] + pair[1]) * timedelta(minutes=17)
    )
)


@always(CONTROLS, CALENDARS, MINUTES, OUTAGES, st.data())
def test_excluded_time_never_brings_a_deadline_forward_and_gives_no_more_than_it_excludes(
    control: Control, calendar: Calendar, facts: list[Fact], out: Span, data: st.DataObject
) -> None:
    """TM-3.8, TM-3.6: whenever it becomes known."""
    place = data.draw(st.integers(0, len(facts)))
    before = played(control, calendar, facts)
    after = played(control, calendar, [*facts[:place], Excluded(*out), *facts[place:]])
    assert played(control, calendar, [*facts, Excluded(*out)]) == after
    now = max((_last(fact) for fact in facts), default=BASE) + HOUR
    for seat in SEATS:
        one, other = before.standing(seat, now), after.standing(seat, now)
        assert one.left is not None
        assert other.left is not None
        assert NOTHING <= one.used - other.used <= out.end - out.start
        if not isinstance(control, PerMove):
            assert NOTHING <= other.left - other.over - (one.left - one.over) <= out.end - out.start
        old, new = before.deadline(seat), after.deadline(seat)
        assert (old is None) <= (new is None)
        if old is not None and new is not None:
            assert new >= old
            assert before.ran(seat, old, new) <= out.end - out.start


@always(CONTROLS, CALENDARS, MINUTES, OUTAGES, OUTAGES)
def test_two_outages_that_overlap_are_one(
    control: Control, calendar: Calendar, facts: list[Fact], one: Span, other: Span
) -> None:
    """TM-3.1."""
    apart = played(control, calendar, [*facts, Excluded(*one), Excluded(*other), Excluded(*one)])
    together = played(control, calendar, [*facts, *(Excluded(*span) for span in spans([one, other]))])
    assert apart == together


@always(
    CONTROLS,
    CALENDARS,
    games(step=timedelta(minutes=17), clock=False),
    st.integers(0, 60),
    st.integers(1, 60),
)
def test_a_day_off_is_the_same_as_leave_a_pause_or_an_outage(
    control: Control, calendar: Calendar, facts: list[Fact], first: int, hours: int
) -> None:
    """TM-3.1: what rests the clock does not matter, only when."""
    plain = [fact for fact in facts if not isinstance(fact, OnLeave | Ended)]
    start = max((_last(fact) for fact in plain), default=BASE) + first * HOUR
    off = Span(start, start + hours * HOUR)
    ways = (
        [Excluded(*off)],
        [Paused("another", *off)],
        [Paused("another", off.start), Resumed("another", off.end)],
        [OnLeave(seat, start, (off,)) for seat in SEATS],
    )
    found = [
        [(ledger.account(seat), ledger.deadline(seat)) for seat in SEATS]
        for ledger in (played(control, calendar, [*plain, *way]) for way in ways)
    ]
    assert all(each == found[0] for each in found)


def _last(fact: Fact) -> datetime:
    return fact.end if isinstance(fact, Excluded) else fact.at


@always(CALENDARS, MINUTES, st.integers(0, 300), st.integers(0, 300))
def test_time_runs_or_is_off_and_nothing_between(
    calendar: Calendar, facts: list[Fact], first: int, hours: int
) -> None:
    """TM-3.1."""
    ledger = played(PerMove(HOUR), calendar, facts)
    start, end = BASE + first * HOUR, BASE + (first + hours) * HOUR
    for seat in SEATS:
        assert length(running_between(ledger, seat, start, end)) == ledger.ran(seat, start, end)
        middle = start + (end - start) / 2
        assert ledger.ran(seat, start, end) == ledger.ran(seat, start, middle) + ledger.ran(seat, middle, end)


def test_the_slow_clock_itself_says_what_the_stories_say() -> None:
    """Monday 22 March 2027, 10:00: 20 hours a move, two of them off, used up on Tuesday at 8:00."""
    at = datetime(2027, 3, 22, 10, tzinfo=UTC)
    facts: list[Fact] = [Started("white", at), Excluded(at + HOUR, at + 3 * HOUR)]
    found = slow(PerMove(20 * HOUR), Calendar(), facts, "white")
    assert found.deadline is not None
    assert instant(found.deadline) == datetime(2027, 3, 23, 8, tzinfo=UTC)
    assert instant(found.deadline) < FOREVER
