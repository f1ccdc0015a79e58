"""When to remind a player: at marks set by the event, `7d,2d,1d`, counted in the player's remaining time (TM-8.1)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from referee.common.durations import ZERO
from referee.common.faults import Fault
from referee.games.clocks.durations import read_duration, write_duration
from referee.games.clocks.ledger import Ledger

MOST_MARKS = 10
MARKS = (timedelta(days=7), timedelta(days=2), timedelta(days=1))
"""The marks of an event that sets none."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder.

    mark: the time that is left then.
    at: when it is due; for one that was sent, when it was sent.
    """

    mark: timedelta
    at: datetime


def read_marks(text: str) -> tuple[timedelta, ...] | Fault:
    """Read `7d,2d,1d`, in any order; `none` for no marks. Returns the marks longest first, or a fault."""
    said = text.strip().casefold()
    if said in ("", "none"):
        return ()
    found = [read_duration(part.strip()) for part in said.split(",")]
    marks = sorted({each for each in found if each is not None and each > ZERO}, reverse=True)
    if None in found or ZERO in found or len(found) > MOST_MARKS:
        return Fault(
            "marks",
            "reminders are named by the time that is left, at most {most} of them, as in 7d,2d,12h; or none",
            {"most": MOST_MARKS},
            "unreadable",
            text.strip(),
            None,
            write_marks(tuple(marks)) if marks and len(marks) <= MOST_MARKS else "",
            "TM-8.1",
        )
    return tuple(marks)


def write_marks(marks: Collection[timedelta]) -> str:
    """Return marks in canonical text: `7d,2d,12h`."""
    return ",".join(write_duration(mark) for mark in sorted(set(marks), reverse=True)) or "none"


def reminders(
    ledger: Ledger, seat: str, marks: Collection[timedelta], sent: Collection[Reminder] = ()
) -> tuple[Reminder, ...]:
    """Return the reminders that a seat will get for the move in progress, earliest first.

    Empty where its clock does not run or its time never runs out. Reminders that are due but not sent are
    included: see `due`.

    sent: those that it got.
    """
    since, left = ledger.since(seat), ledger.account(seat).left
    if since is None or left is None:
        return ()
    told = {each.mark for each in sent if not _counts_again(ledger, seat, each)}
    found = []
    for mark in sorted(set(marks), reverse=True):
        if mark >= left or mark <= ZERO or mark in told:  # TM-8.2, TM-8.4
            continue
        at = ledger.runs_out(seat, since, left - mark)
        if at is not None:
            found.append(Reminder(mark, at))
    return tuple(found)


def due(
    ledger: Ledger, seat: str, marks: Collection[timedelta], sent: Collection[Reminder], now: datetime
) -> tuple[Reminder, ...]:
    """Return the reminders that are due and were not sent, the longest mark first; empty after the deadline.

    Only the last of them is written; all are stored as sent at `now` (TM-8.3).
    """
    deadline = ledger.deadline(seat)
    if deadline is None or now > deadline:
        return ()
    return tuple(each for each in reminders(ledger, seat, marks, sent) if each.at <= now)


def _counts_again(ledger: Ledger, seat: str, sent: Reminder) -> bool:
    """Return whether a mark may be used again: it was sent for an earlier move, or twice its time is left (TM-8.4)."""
    since = ledger.since(seat)
    left = ledger.left(seat, sent.at)
    return since is None or sent.at < since or left is None or left >= 2 * sent.mark
