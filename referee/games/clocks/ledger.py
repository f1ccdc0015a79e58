"""The clocks of one game: what each seat has used and has left, and when its time is up.

A `Ledger` is built from facts, one by one, in the order in which they became known. A fact carries the
instant it is about, which may precede that of an earlier fact: a letter is ruled on after it was received,
and an outage is known when it is over. A fact that becomes known late counts as if it had been known all
along (TM-3.6), so a ledger does not depend on when the service learned of an outage.

Adding a fact or finding a deadline costs the same after a thousand moves as after one, since the ledger
carries sums. Only a fact that reaches back into finished moves causes a recomputation, from there on.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from referee.common.durations import ZERO
from referee.games.clocks.calendar import EVERY_DAY, Calendar
from referee.games.clocks.controls import Control, PerMove, Untimed
from referee.games.clocks.spans import (
    FOREVER,
    NEVER,
    NO_SPANS,
    Span,
    Spans,
    after,
    clip,
    in_utc,
    joined,
    spans,
    union,
)

# What happens to the clocks of a game


@dataclass(frozen=True, slots=True)
class Started:
    """The report that asks a seat for its move was accepted for delivery (TM-1.1)."""

    seat: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Moved:
    """A seat's attempt was ruled on.

    at: when the service's mailbox received the letter (TM-1.2); for a planned move, when it was ruled on
        (TM-1.6).
    """

    seat: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Added:
    """A seat was given time. time: above zero, else ValueError (TM-2.9)."""

    seat: str
    at: datetime
    time: timedelta

    def __post_init__(self) -> None:
        if self.time <= ZERO:
            raise ValueError("time is given, not taken")


@dataclass(frozen=True, slots=True)
class Paused:
    """A pause began.

    cause: what ends the pause refers to it by this; each cause has one pause at a time.
    until: when it ends by itself.
    seats: whose time stops; None for everybody's (TM-3.2).
    """

    cause: str
    at: datetime
    until: datetime | None = None
    seats: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Resumed:
    """A pause ends. at: when; in the future where notice is due (TM-6.3)."""

    cause: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Excluded:
    """No time ran or will run in a period: an outage, or a holiday that had been forgotten (TM-3.5).

    seats: as in Paused.
    """

    start: datetime
    end: datetime
    seats: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class OnLeave:
    """A seat's player changed their leave. spans: all of their leave from here on; past leave stays (TM-7.6)."""

    seat: str
    at: datetime
    spans: Spans


@dataclass(frozen=True, slots=True)
class ClockFailed:
    """The service's clock is wrong. at: the last instant at which it was right (TM-3.7)."""

    at: datetime


@dataclass(frozen=True, slots=True)
class ClockMended:
    """The service's clock is right again. at: by the right clock."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over: all clocks stop (TM-1.7)."""

    at: datetime


@dataclass(frozen=True, slots=True)
class TakenBack:
    """An umpire took turns back: all clocks stop, and start afresh for the turn to be played (TM-1.8)."""

    at: datetime


Fact = (
    Started
    | Moved
    | Added
    | Paused
    | Resumed
    | Excluded
    | OnLeave
    | ClockFailed
    | ClockMended
    | Ended
    | TakenBack
)


# A seat's time


@dataclass(frozen=True, slots=True)
class Account:
    """A seat's time, not counting the move in progress.

    granted: all time it was ever given.
    used: the time it took.
    lapsed: time that was left after moves and is lost.
    over: time it took beyond what it had, without being penalised.
    left: granted - (used - over) - lapsed, never below zero; None without a time control, where granted is
        zero.
    moves: how many it made.
    """

    granted: timedelta = ZERO
    used: timedelta = ZERO
    lapsed: timedelta = ZERO
    over: timedelta = ZERO
    left: timedelta | None = None
    moves: int = 0


def open_account(control: Control) -> Account:
    """Return a seat's account at the beginning of the game."""
    if isinstance(control, Untimed):
        return Account()
    return Account(granted=control.opening, left=control.opening)


def spend(account: Account, time: timedelta) -> Account:
    """Return an account after a run of the clock. Time beyond what is left is recorded, but not owed (TM-5.4)."""
    if account.left is None:
        return replace(account, used=account.used + time)
    over = max(ZERO, time - account.left)
    return replace(
        account, used=account.used + time, over=account.over + over, left=max(ZERO, account.left - time)
    )


def renew(account: Account, control: Control) -> Account:
    """Return an account after a move whose time is spent already."""
    made = account.moves + 1
    if account.left is None or isinstance(control, Untimed):
        return replace(account, moves=made)
    granted, lapsed = control.renewal(account.left, made)
    return replace(
        account,
        granted=account.granted + granted,
        lapsed=account.lapsed + lapsed,
        left=account.left - lapsed + granted,
        moves=made,
    )


def begin_anew(account: Account, control: Control, given: timedelta = ZERO) -> Account:
    """Return the account of a seat that was to move when turns were taken back (TM-1.8).

    Where each move has its own time, the seat has that time in full for the next move, plus what it was given
    for this one.

    given: the time it was given for this move.
    """
    if account.left is None or not isinstance(control, PerMove):
        return account
    kept = min(given, account.left)
    granted = control.allowance + given - kept
    lapsed = account.left - kept
    return replace(
        account,
        granted=account.granted + granted,
        lapsed=account.lapsed + lapsed,
        left=account.left - lapsed + granted,
    )


def give(account: Account, time: timedelta) -> Account:
    """Return an account with time added (TM-2.9)."""
    if account.left is None:
        return account
    return replace(account, granted=account.granted + time, left=account.left + time)


_Told = Started | Moved | Added | Ended | TakenBack
"""The facts that a seat's clock takes account of."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A fact applied to a seat's clock, with the date that counts.

    account, since: the clock before the fact.
    latest: no fact applied up to this one is dated later.
    """

    told: _Told
    account: Account
    since: datetime | None
    latest: datetime
    earlier: _Step | None = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class _Side:
    """A seat's clock.

    since: when it was started, None while it does not run.
    off, leave: when no time of the seat runs, besides the calendar's days off.
    """

    account: Account
    since: datetime | None = None
    off: Spans = NO_SPANS
    leave: Spans = NO_SPANS
    last: _Step | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat's time at one instant, for display.

    used: in all.
    in_move: for the move in progress.
    left: None without a time control.
    to_control: moves until more time is given, None where it is given after each or never.
    deadline: None when there is none.
    """

    running: bool
    used: timedelta
    in_move: timedelta
    left: timedelta | None
    over: timedelta
    moves: int
    to_control: int | None
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class Ledger:
    """The clocks of a game. Create one with `open_ledger`, and continue with `fold`."""

    control: Control
    calendar: Calendar
    _sides: Mapping[str, _Side]
    _pauses: tuple[Paused, ...] = ()
    _latest: datetime = NEVER
    _failed: datetime | None = None

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(self._sides)

    def account(self, seat: str) -> Account:
        """Return a seat's sums, not counting the move in progress."""
        return self._sides[seat].account

    def since(self, seat: str) -> datetime | None:
        """Return when a seat's clock was started, None while it does not run. It may be in excluded time."""
        return self._sides[seat].since

    def off(self, seat: str, start: datetime) -> Iterator[Span]:
        """Yield the spans that end after an instant and in which none of a seat's time runs.

        They are in order, disjoint and lazy. All causes are merged, so that none counts twice (TM-3.1). A pause
        without an end lasts for ever.
        """
        side = self._sides[seat]
        pauses = sorted(
            Span(pause.at, pause.until or FOREVER)
            for pause in self._pauses
            if (pause.seats is None or seat in pause.seats) and (pause.until or FOREVER) > start
        )
        unknown = () if self._failed is None else (Span(self._failed, FOREVER),)  # as no clock is right
        streams = (
            self.calendar.off(start),
            after(side.off, start),
            after(side.leave, start),
            pauses,
            unknown,
        )
        return joined(heapq.merge(*streams))

    def ran(self, seat: str, start: datetime, end: datetime) -> timedelta:
        """Return how much of a seat's time runs in [start, end): none where end is earlier (TM-1.5)."""
        if end <= start:
            return ZERO
        time = end - start
        for span in self.off(seat, start):
            if span.start >= end:
                break
            time -= min(span.end, end) - max(span.start, start)
        return time

    def runs_out(self, seat: str, start: datetime, time: timedelta) -> datetime | None:
        """Return the last instant up to which no more than `time` of a seat's has run since start.

        None where there is no such limit. The instant never lies in excluded time, nor at its beginning (TM-5.1).
        """
        at = start
        for span in self.off(seat, start):
            if span.start > at:
                run = span.start - at
                if time < run:
                    return at + time
                time -= run
            at = max(at, span.end)
            if at >= FOREVER:
                return None
        return at + time if time < FOREVER - at else None

    def deadline(self, seat: str) -> datetime | None:
        """Return the last instant at which a seat's letter is in time (TM-5.1).

        None where its clock does not run, where there is no time control, and in a pause without an end. It
        does not depend on the present time; a later pause or leave moves it.
        """
        side = self._sides[seat]
        if side.since is None or side.account.left is None:
            return None
        return self.runs_out(seat, side.since, side.account.left)

    def in_time(self, seat: str, received: datetime) -> bool:
        """Return whether a letter that was received at an instant is in time."""
        deadline = self.deadline(seat)
        if self._failed is not None:
            received = self._failed
        return deadline is None or received <= deadline

    def left(self, seat: str, now: datetime) -> timedelta | None:
        """Return what a seat has left at an instant, never below zero; None without a time control."""
        side = self._sides[seat]
        if side.account.left is None:
            return None
        run = ZERO if side.since is None else self.ran(seat, side.since, now)
        return max(ZERO, side.account.left - run)

    def standing(self, seat: str, now: datetime) -> Standing:
        """Return a seat's time at an instant."""
        side = self._sides[seat]
        run = ZERO if side.since is None else self.ran(seat, side.since, now)
        account = spend(side.account, run)
        to_control = None if isinstance(self.control, Untimed) else self.control.to_control(account.moves)
        return Standing(
            running=side.since is not None,
            used=account.used,
            in_move=run,
            left=account.left,
            over=account.over - side.account.over,
            moves=account.moves,
            to_control=to_control,
            deadline=self.deadline(seat),
        )


def open_ledger(control: Control, seats: Iterable[str], calendar: Calendar = EVERY_DAY) -> Ledger:
    """Return the clocks of a new game: none runs yet."""
    return Ledger(control, calendar, {seat: _Side(open_account(control)) for seat in seats})


def fold(ledger: Ledger, facts: Iterable[Fact]) -> Ledger:
    """Return a ledger after several facts, in the order in which they became known."""
    for fact in facts:
        ledger = _folded(ledger, fact)
    return ledger


def _folded(ledger: Ledger, fact: Fact) -> Ledger:
    """Return a ledger after one fact. Raises ValueError for times that are not UTC, KeyError for an unknown seat."""
    match fact:
        case Excluded(start, end, seats):
            span = Span(in_utc(start), in_utc(end))
            return _without(ledger, (span,) if start < end else NO_SPANS, seats)
        case ClockFailed(at):
            return _failed(ledger, in_utc(at))
        case ClockMended(at):
            return _mended(ledger, in_utc(at))
    at = in_utc(fact.at)
    if ledger._failed is not None:
        at = ledger._failed
    ledger = replace(ledger, _latest=max(ledger._latest, at if not isinstance(fact, Resumed) else NEVER))
    match fact:
        case Started(seat):
            if ledger.since(seat) is not None:
                return ledger
            ledger = _reckoned(ledger, seat, at, latest=at)  # no hour counts for two moves (TM-1.9)
            return _told(ledger, seat, replace(fact, at=at))
        case Moved(seat) | Added(seat):
            return _told(ledger, seat, replace(fact, at=at))
        case Paused():
            return _paused(ledger, replace(fact, at=at))
        case Resumed(cause):
            return _resumed(ledger, cause, max(at, ledger._latest))
        case OnLeave(seat, _, booked):
            return _on_leave(ledger, seat, max(at, ledger._latest), booked)
        case Ended() | TakenBack():
            for seat in ledger.seats:
                if ledger.since(seat) is not None:
                    ledger = _told(ledger, seat, replace(fact, at=at))
            return ledger


def _with(ledger: Ledger, seat: str, side: _Side) -> Ledger:
    return replace(ledger, _sides={**ledger._sides, seat: side})


def _told(ledger: Ledger, seat: str, told: _Told, *, in_time: bool = False) -> Ledger:
    """Return a ledger after a fact about a seat's clock.

    in_time: added time counts as given before the seat's time ran out.
    """
    if isinstance(told, Moved | Ended | TakenBack):
        ledger = _given_before(ledger, seat, told.at)
    side = ledger._sides[seat]
    account, since = side.account, side.since
    run = ZERO if since is None else ledger.ran(seat, since, told.at)
    match told:
        case Started(_, at):
            since = at
        case Added(_, at, time):
            if account.left is not None and run > account.left and not in_time:
                # there is no time left to add to, and none is owed
                account, since = spend(account, run), at
            account = give(account, time)
        case Moved() | Ended() | TakenBack():
            # a move that was made while the clock did not run took no time (TM-1.6)
            account, since = spend(account, run), None
            if isinstance(told, Moved):
                account = renew(account, ledger.control)
            elif isinstance(told, TakenBack):
                account = begin_anew(account, ledger.control, _given_for_move(side))
    latest = told.at if side.last is None else max(side.last.latest, told.at)
    last = _Step(told, side.account, side.since, latest, side.last)
    return _with(ledger, seat, replace(side, account=account, since=since, last=last))


def _given_before(ledger: Ledger, seat: str, at: datetime) -> Ledger:
    """Return a ledger in which all time that a seat was given after an instant counts as given in time.

    The seat's clock was stopped at that instant, which is only known now (TM-1.2).
    """
    side, gifts = _untold(ledger._sides[seat], at, Added)
    ledger = _with(ledger, seat, side)
    for gift in gifts:
        ledger = _told(ledger, seat, gift, in_time=gift.at > at)
    return ledger


def _given_for_move(side: _Side) -> timedelta:
    """Return the time that a seat was given for its move in progress."""
    given, step = ZERO, side.last
    while step is not None and not isinstance(step.told, Moved):
        given += step.told.time if isinstance(step.told, Added) else ZERO
        step = step.earlier
    return given


def _untold(side: _Side, since: datetime, kind: type = object) -> tuple[_Side, list[_Told]]:
    """Return a seat's clock without the facts dated after an instant, and those facts in order.

    kind: only facts of this kind are removed, up to the first of another kind.
    """
    told: list[_Told] = []
    while (step := side.last) is not None and step.latest > since and isinstance(step.told, kind):
        told.append(step.told)
        side = replace(side, account=step.account, since=step.since, last=step.earlier)
    return side, told[::-1]


def _reckoned(ledger: Ledger, seat: str, since: datetime, latest: datetime = FOREVER) -> Ledger:
    """Return a ledger in which a seat's facts are applied again from the first one dated after an instant.

    Everything known by now thus counts as if it had been known all along (TM-3.6).

    latest: no fact counts as dated later than this (TM-1.9, TM-3.7).
    """
    side, again = _untold(ledger._sides[seat], since)
    ledger = _with(ledger, seat, side)
    for told in again:
        ledger = _told(ledger, seat, replace(told, at=min(told.at, latest)))
    return ledger


def _without(ledger: Ledger, excluded: Spans, seats: frozenset[str] | None) -> Ledger:
    """Return a ledger in which no time of some seats runs, or ran, in some spans (TM-3.6)."""
    if not excluded:
        return ledger
    for seat in ledger.seats if seats is None else sorted(seats):
        side = ledger._sides[seat]
        ledger = _with(ledger, seat, replace(side, off=union(side.off, excluded)))
        ledger = _reckoned(ledger, seat, excluded[0].start)
    return ledger


def _paused(ledger: Ledger, pause: Paused) -> Ledger:
    """Return a ledger with one more pause; it extends a running pause of the same cause to the later end."""
    if pause.until is not None:
        in_utc(pause.until)
    before = next((each for each in ledger._pauses if each.cause == pause.cause), None)
    if before is not None:
        lasts = before.until is None or before.until >= pause.at
        if lasts:
            until = None if before.until is None or pause.until is None else max(before.until, pause.until)
            seats = None if before.seats is None or pause.seats is None else before.seats | pause.seats
            pause = Paused(pause.cause, min(before.at, pause.at), until, seats)
        else:
            ledger = _resumed(ledger, before.cause, before.until or pause.at)
    others = tuple(each for each in ledger._pauses if each.cause != pause.cause)
    ledger = replace(ledger, _pauses=(*others, pause))
    for seat in ledger.seats if pause.seats is None else sorted(pause.seats):
        ledger = _reckoned(ledger, seat, pause.at)
    return ledger


def _resumed(ledger: Ledger, cause: str, at: datetime) -> Ledger:
    """Return a ledger in which a pause has ended and its time is excluded."""
    pause = next((each for each in ledger._pauses if each.cause == cause), None)
    if pause is None:
        return ledger
    end = at if pause.until is None else min(at, pause.until)
    ledger = replace(ledger, _pauses=tuple(each for each in ledger._pauses if each is not pause))
    excluded = (Span(pause.at, end),) if pause.at < end else NO_SPANS
    return _without(ledger, excluded, pause.seats)


def _on_leave(ledger: Ledger, seat: str, at: datetime, booked: Spans) -> Ledger:
    """Return a ledger with other leave from an instant on; earlier leave stays (TM-7.6)."""
    side = ledger._sides[seat]
    past = clip(side.leave, NEVER, at)
    coming = clip(spans(Span(in_utc(each.start), in_utc(each.end)) for each in booked), at, FOREVER)
    return _with(ledger, seat, replace(side, leave=union(past, coming)))


def _failed(ledger: Ledger, at: datetime) -> Ledger:
    """Return a ledger whose facts count as dated at the last right instant, until the clock is right again (TM-3.7).

    This includes facts that were dated later before the failure was noticed, and running pauses.
    """
    if ledger._failed is not None:
        return ledger
    pauses = tuple(replace(pause, at=min(pause.at, at)) for pause in ledger._pauses)
    ledger = replace(ledger, _pauses=pauses)
    for seat in ledger.seats:
        ledger = _reckoned(ledger, seat, at, latest=at)
    return replace(ledger, _failed=at, _latest=min(ledger._latest, at))


def _mended(ledger: Ledger, at: datetime) -> Ledger:
    """Return a ledger that follows the clock again; no time ran while it was wrong."""
    failed = ledger._failed
    if failed is None:
        return ledger
    ledger = replace(ledger, _failed=None)
    return _without(ledger, (Span(failed, at),) if failed < at else NO_SPANS, None)
