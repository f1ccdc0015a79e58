"""Sets of instants: spans of time, disjoint and in order, and what can be done with them.

A `Span` holds its start and not its end. `Spans` are in order, do not touch each other, and none of them is empty: so
there is one way only to write a set of instants. Streams of spans may be endless.
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

FOREVER = datetime.max.replace(tzinfo=UTC)
"""The end of what has no end. Not to be brought into another zone."""
NEVER = datetime.min.replace(tzinfo=UTC)
"""The start of what has none."""


class Span(NamedTuple):
    """The instants from start on and before end; none where end is not later."""

    start: datetime
    end: datetime


Spans = tuple[Span, ...]
"""In order, disjoint, not touching, none empty."""

NO_SPANS: Spans = ()


def in_utc(at: datetime) -> datetime:
    """Return an instant as it is. Raises ValueError for one that is not aware UTC: sums over it would be wrong."""
    if at.tzinfo is None or at.utcoffset() or (at.tzinfo is not UTC and at.tzname() != "UTC"):
        raise ValueError(f"{at!r} is not in UTC")
    return at


def later(at: datetime, time: timedelta) -> datetime:
    """Return the instant so much later: FOREVER where the calendar ends before, NEVER where it had not begun.

    Whoever adds to a date that somebody has named adds by this: a pause may last until the year 9999.
    """
    try:
        return at + time
    except OverflowError:
        return FOREVER if time > timedelta(0) else NEVER


def joined(stream: Iterable[Span]) -> Iterator[Span]:
    """Return a stream that is in order of starts with what overlaps or touches joined, and nothing empty."""
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
            break  # nothing lies behind, though the stream may not know
    if start is not None and end is not None:
        yield Span(start, end)


def spans(several: Iterable[Span]) -> Spans:
    """Return the instants that lie in any of several spans, in whatever order these are."""
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


def difference(one: Spans, other: Spans) -> Spans:
    """Return the instants of one that do not lie in the other."""
    gaps, start = [], NEVER
    for span in other:
        gaps.append(Span(start, span.start))
        start = span.end
    gaps.append(Span(start, FOREVER))
    return intersection(one, tuple(gap for gap in gaps if gap.start < gap.end))


def clip(several: Spans, start: datetime, end: datetime) -> Spans:
    """Return what lies in [start, end)."""
    return intersection(several, (Span(start, end),)) if start < end else NO_SPANS


def length(several: Iterable[Span]) -> timedelta:
    """Return how long disjoint spans are together."""
    return sum((span.end - span.start for span in several), timedelta(0))


def after(several: Spans, start: datetime) -> Iterator[Span]:
    """Return the spans that end after an instant, as a stream: how many lie before it does not count."""
    first = bisect_right(several, start, key=lambda span: span.end)
    return (several[number] for number in range(first, len(several)))
