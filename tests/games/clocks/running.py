"""When a seat's time runs and when it does not, as spans, for tests that compare it with the ledger's sums."""

from __future__ import annotations

from datetime import datetime

from referee.games.clocks.ledger import Ledger
from referee.games.clocks.spans import FOREVER, NEVER, Span, Spans, intersection


def excluded_between(ledger: Ledger, seat: str, start: datetime, end: datetime) -> Spans:
    """Return when none of a seat's time runs in [start, end)."""
    found = []
    for span in ledger.off(seat, start):
        if span.start >= end:
            break
        found.append(Span(max(span.start, start), min(span.end, end)))
    return tuple(found)


def running_between(ledger: Ledger, seat: str, start: datetime, end: datetime) -> Spans:
    """Return when a seat's time would run in [start, end)."""
    return difference((Span(start, end),), excluded_between(ledger, seat, start, end)) if start < end else ()


def difference(one: Spans, other: Spans) -> Spans:
    """Return the instants of one that do not lie in the other."""
    gaps, start = [], NEVER
    for span in other:
        gaps.append(Span(start, span.start))
        start = span.end
    gaps.append(Span(start, FOREVER))
    return intersection(one, tuple(gap for gap in gaps if gap.start < gap.end))
