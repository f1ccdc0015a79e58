"""Sets of times are joined, cut and measured like any sets: checked instant by instant."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.clocks.spans import (
    FOREVER,
    Span,
    Spans,
    after,
    clip,
    in_utc,
    intersection,
    joined,
    length,
    spans,
    union,
)
from tests.games.clocks.running import difference

BASE = datetime(2027, 1, 1, tzinfo=UTC)
MOST = 24


def at(hour: int) -> datetime:
    return BASE + timedelta(hours=hour)


def hours(several: Spans) -> set[int]:
    """The hours that lie in spans, one by one."""
    return {hour for hour in range(MOST) if any(span.start <= at(hour) < span.end for span in several)}


RAW = st.lists(
    st.tuples(st.integers(0, MOST), st.integers(0, MOST)).map(lambda pair: Span(at(pair[0]), at(pair[1]))),
    max_size=6,
)
SPANS = RAW.map(spans)


@settings(max_examples=30)
@given(RAW)
def test_spans_in_any_order_are_the_same_instants_in_order_apart_and_none_of_them_empty(
    raw: list[Span],
) -> None:
    made = spans(raw)
    assert hours(made) == hours(tuple(raw))
    assert all(span.start < span.end for span in made)
    assert all(one.end < other.start for one, other in pairwise(made))


@settings(max_examples=30)
@given(SPANS, SPANS)
def test_union_intersection_and_difference_hold_the_instants_that_they_should(
    one: Spans, other: Spans
) -> None:
    for made, expected in (
        (union(one, other), hours(one) | hours(other)),
        (intersection(one, other), hours(one) & hours(other)),
        (difference(one, other), hours(one) - hours(other)),
    ):
        assert hours(made) == expected
        assert made == spans(made), "in order, apart, none empty"
        assert length(made) == timedelta(hours=len(expected))


@settings(max_examples=30)
@given(SPANS, st.integers(0, MOST), st.integers(0, MOST))
def test_a_window_and_a_stream_from_an_instant_on_hold_what_lies_there(
    several: Spans, start: int, end: int
) -> None:
    assert hours(clip(several, at(start), at(end))) == hours(several) & set(range(start, end))
    assert list(after(several, at(start))) == [span for span in several if span.end > at(start)]


def test_an_endless_stream_is_joined_as_it_comes() -> None:
    def days() -> Iterator[Span]:
        day = 0
        while True:
            yield Span(at(24 * day), at(24 * day + 12))
            yield Span(at(24 * day + 12), at(24 * day + 13))
            day += 1

    stream = joined(days())
    assert next(stream) == Span(at(0), at(13))
    assert next(stream) == Span(at(24), at(37))


def test_behind_what_has_no_end_nothing_is_looked_for() -> None:
    def days() -> Iterator[Span]:
        yield Span(at(0), at(2))
        yield Span(at(1), FOREVER)
        raise AssertionError("asked for more")

    assert list(joined(days())) == [Span(at(0), FOREVER)]


def test_what_has_no_end_can_be_joined_and_cut() -> None:
    endless = (Span(at(3), FOREVER),)
    assert union(endless, (Span(at(1), at(2)),)) == (Span(at(1), at(2)), Span(at(3), FOREVER))
    assert difference(endless, (Span(at(5), FOREVER),)) == (Span(at(3), at(5)),)


@pytest.mark.parametrize(
    "other",
    [
        datetime(2027, 1, 1),  # noqa: DTZ001
        datetime(2027, 1, 1, tzinfo=ZoneInfo("Europe/Paris")),
        datetime(2027, 1, 1, tzinfo=ZoneInfo("Europe/London")),
        datetime(2027, 1, 1, tzinfo=timezone(timedelta(hours=1))),
    ],
)
def test_a_time_that_is_not_in_utc_is_not_reckoned_with(other: datetime) -> None:
    with pytest.raises(ValueError, match="not in UTC"):
        in_utc(other)


@pytest.mark.parametrize("zone", [UTC, ZoneInfo("UTC"), timezone(timedelta(0))])
def test_utc_by_any_name_is_utc(zone: ZoneInfo) -> None:
    assert in_utc(datetime(2027, 1, 1, tzinfo=zone)) == BASE
