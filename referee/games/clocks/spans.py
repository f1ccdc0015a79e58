"""Sets of instants: spans of time, disjoint and in order, and operations on them.

A `Span` includes its start and excludes its end. `Spans` are in order, do not touch each other, and none is
empty, so that a set of instants has only one form. Streams of spans may be endless.
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

FOREVER = datetime.max.replace(tzinfo=UTC)
"""The end of endless spans. It must not be converted to another zone."""
NEVER = datetime.min.replace(tzinfo=UTC)
"""The start of spans without a beginning."""


class Span(NamedTuple):
    """The instants from start on and before end; none where end is not later."""

    start: datetime
    end: datetime


Spans = tuple[Span, ...]
"""In order, disjoint, not touching, none empty."""

NO_SPANS: Spans = ()


def in_utc(at: datetime) -> datetime:
    """Return an instant unchanged. Raises ValueError for one that is not aware UTC, which would make sums wrong."""
    if at.tzinfo is None or at.utcoffset() or (at.tzinfo is not UTC and at.tzname() != "UTC"):
        raise ValueError(f"{at!r} is not in UTC")
    return at


def later(at: datetime, time: timedelta) -> datetime:
    """Return an instant plus a time; FOREVER or NEVER where the result would be outside the calendar.

    Use it to add to any date that a person has named: a pause may last until the year 9999.
    """
    try:
        return at + time
    except OverflowError:
        return FOREVER if time > timedelta(0) else NEVER


def joined(stream: Iterable[Span]) -> Iterator[Span]:
    """Yield a stream that is ordered by starts, with overlapping and touching spans joined and empty ones removed."""
    start = end = None
    for span in stream:
        if span.end <= span.start:
            continue
        if start is None or end is None:
            start, end = span
        elif span.start <= end:
            end = max(end, span.end)
        else:
            yield Span(start, end)
            start, end = span
        if end >= FOREVER:
            break  # nothing lies beyond, though the stream may not know
    if start is not None and end is not None:
        yield Span(start, end)


def spans(several: Iterable[Span]) -> Spans:
    """Return the instants of any of several spans, in any order."""
    return tuple(joined(sorted(several)))


def union(one: Spans, other: Spans) -> Spans:
    """Return the instants that lie in either."""
    return tuple(joined(heapq.merge(one, other)))


def intersection(one: Spans, other: Spans) -> Spans:
    """Return the instants that lie in both."""
    found = []
    left, right = 0, 0
    while left < len(one) and right < len(other):
        a, b = one[left], other[right]
        start, end = max(a.start, b.start), min(a.end, b.end)
        if start < end:
            found.append(Span(start, end))
        if a.end <= b.end:
            left += 1
        else:
            right += 1
    return tuple(found)


def clip(several: Spans, start: datetime, end: datetime) -> Spans:
    """Return the part in [start, end)."""
    return intersection(several, (Span(start, end),)) if start < end else NO_SPANS


def length(several: Iterable[Span]) -> timedelta:
    """Return the total length of disjoint spans."""
    return sum((span.end - span.start for span in several), timedelta(0))


def after(several: Spans, start: datetime) -> Iterator[Span]:
    """Yield the spans that end after an instant; the cost does not depend on how many precede them."""
    first = bisect_right(several, start, key=lambda span: span.end)
    return (several[number] for number in range(first, len(several)))
