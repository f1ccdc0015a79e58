"""The clocks of one game: what each seat has used and has left, and when its time is up.

A `Ledger` is added up from facts, one by one, in the order in which they became known. Facts carry the instant that
they tell of, which may lie before that of a fact that was known earlier: a letter is ruled on after it was received,
an outage is known when it is over. What is known later counts as if it had been known all along (TM-3.6), so a ledger
does not depend on when the house learned of an outage.

A fact costs as much after a thousand moves as after one, and so does a deadline: the ledger carries sums. Only a fact
that reaches back into moves that are over is reckoned again, from there on.
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
    difference,
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
    """An attempt of a seat's was ruled on. at: when the letter was received by the service's mailbox (TM-1.2).

    For a move that was planned ahead: the instant at which it was ruled (TM-1.6).
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
    """No time runs from here on. cause: by which the pause is ended, one at a time. until: when it ends by itself.

    seats: whose time; None for everybody's (TM-3.2).
    """

    cause: str
    at: datetime
    until: datetime | None = None
    seats: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Resumed:
    """A pause ends. at: when; it may lie ahead, where notice is due (TM-6.3)."""

    cause: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Excluded:
    """No time ran, or none will: the service was out, a holiday was forgotten. seats: as in Paused (TM-3.5)."""

    start: datetime
    end: datetime
    seats: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class OnLeave:
    """A seat's player changed his leave. spans: all of his leave from here on; what is past stays (TM-7.6)."""

    seat: str
    at: datetime
    spans: Spans


@dataclass(frozen=True, slots=True)
class ClockFailed:
    """The house's clock is wrong. at: the last instant that it told rightly (TM-3.7)."""

    at: datetime


@dataclass(frozen=True, slots=True)
class ClockMended:
    """The house's clock is right again. at: by the right clock."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over: all clocks stop (TM-1.7)."""

    at: datetime


@dataclass(frozen=True, slots=True)
class TakenBack:
    """An umpire took turns back: all clocks stop, and start anew for the turn that is to be played (TM-1.8)."""

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


# What a seat has


@dataclass(frozen=True, slots=True)
class Account:
    """A seat's time, without that of a move it is thinking about.

    granted: all time it was ever given. used: what it took. lapsed: what was left of moves and is lost. over: what it
    took beyond its time without being held to it. left: granted - (used - over) - lapsed, never below zero; None
    without a time control, and then granted is zero. moves: how many it made.
    """

    granted: timedelta = ZERO
    used: timedelta = ZERO
    lapsed: timedelta = ZERO
    over: timedelta = ZERO
    left: timedelta | None = None
    moves: int = 0


def open_account(control: Control) -> Account:
    """Return what a seat has when the game begins."""
    if isinstance(control, Untimed):
        return Account()
    return Account(granted=control.opening, left=control.opening)


def spend(account: Account, time: timedelta) -> Account:
    """Return an account after a run of the clock. What is beyond the time left is noted, and not owed (TM-5.4)."""
    if account.left is None:
        return replace(account, used=account.used + time)
    over = max(ZERO, time - account.left)
    return replace(
        account, used=account.used + time, over=account.over + over, left=max(ZERO, account.left - time)
    )


def renew(account: Account, control: Control) -> Account:
    """Return an account after a move was made; the time for it is spent already."""
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
    """Return an account of a seat that was on a move when turns were taken back: it has the whole time of the next,
    where each has its own, and what it was given for this one besides (TM-1.8). given: so much was it."""
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
"""What a seat's clock is told."""


@dataclass(frozen=True, slots=True)
class _Step:
    """What a seat's clock was told, dated as it counts.

    account, since: the clock before. latest: nothing that it was told up to this is dated later.
    """

    told: _Told
    account: Account
    since: datetime | None
    latest: datetime
    earlier: _Step | None = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class _Side:
    """A seat's account, since when its clock runs, and when no time of it runs beside the calendar's."""

    account: Account
    since: datetime | None = None
    off: Spans = NO_SPANS
    leave: Spans = NO_SPANS
    last: _Step | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat's time at one instant, for whoever reads of it.

    used: in all; in_move: for the move it is on. left: None without a time control. to_control: moves until more time
    is given, None where it is given after each or never. deadline: None when there is none.
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
    """The clocks of a game. Make one with `open_ledger`, and go on with `fold`."""

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
        """Return a seat's sums, without the time of a move it is thinking about."""
        return self._sides[seat].account

    def since(self, seat: str) -> datetime | None:
        """Return when a seat's clock was started, None while it does not run. It may lie in excluded time."""
        return self._sides[seat].since

    def off(self, seat: str, start: datetime) -> Iterator[Span]:
        """Return the times in which none of a seat's runs and that end after an instant: in order, disjoint, lazily.

        All causes together, none counted twice (TM-3.1). A pause that nobody has ended yet lasts for ever.
        """
        side = self._sides[seat]
        pauses = sorted(
            Span(pause.at, pause.until or FOREVER)
            for pause in self._pauses
            if (pause.seats is None or seat in pause.seats) and (pause.until or FOREVER) > start
        )
        unknown = () if self._failed is None else (Span(self._failed, FOREVER),)  # what time it is
        streams = (
            self.calendar.off(start),
            after(side.off, start),
            after(side.leave, start),
            pauses,
            unknown,
        )
        return joined(heapq.merge(*streams))

    def ran(self, seat: str, start: datetime, end: datetime) -> timedelta:
        """Return how much time of a seat's runs in [start, end): none where end is earlier (TM-1.5)."""
        if end <= start:
            return ZERO
        time = end - start
        for span in self.off(seat, start):
            if span.start >= end:
                break
            time -= min(span.end, end) - max(span.start, start)
        return time

    def runs_out(self, seat: str, start: datetime, time: timedelta) -> datetime | None:
        """Return the last instant up to which no more than `time` of a seat's has run since start; None where it
        never runs out.

        So it never lies in excluded time, nor at its beginning (TM-5.1).
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
        """Return the last instant at which a letter of a seat's is in time (TM-5.1).

        None where its clock does not run, where there is no time control, and in a pause that has no end yet. It does
        not depend on what time it is now; a pause or leave that comes later moves it.
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
        """Return how a seat's time stands at an instant."""
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
    """Return the clocks of a game that begins: none runs yet."""
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
    """Return a ledger in which a seat's clock was told something. in_time: what is given had come in time."""
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
                # nothing is left to which it could be added, and nothing is owed
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
    """Return a ledger in which all that a seat was given on its move later than an instant had come in time: its clock
    was stopped then, which is only known now (TM-1.2)."""
    side, gifts = _untold(ledger._sides[seat], at, Added)
    ledger = _with(ledger, seat, side)
    for gift in gifts:
        ledger = _told(ledger, seat, gift, in_time=gift.at > at)
    return ledger


def _given_for_move(side: _Side) -> timedelta:
    """Return what a seat was given for the move that it is on."""
    given, step = ZERO, side.last
    while step is not None and not isinstance(step.told, Moved):
        given += step.told.time if isinstance(step.told, Added) else ZERO
        step = step.earlier
    return given


def _untold(side: _Side, since: datetime, kind: type = object) -> tuple[_Side, list[_Told]]:
    """Return a side as it was before anything was dated later than an instant, and what it was told since, in order.

    kind: what is of another kind stays, with all that was before it.
    """
    told: list[_Told] = []
    while (step := side.last) is not None and step.latest > since and isinstance(step.told, kind):
        told.append(step.told)
        side = replace(side, account=step.account, since=step.since, last=step.earlier)
    return side, told[::-1]


def _reckoned(ledger: Ledger, seat: str, since: datetime, latest: datetime = FOREVER) -> Ledger:
    """Return a ledger in which a seat's clock is told anew all from the first that is dated later than an instant: as
    if what is known by now had been known all along (TM-3.6). latest: nothing counts as of later (TM-1.9, TM-3.7)."""
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
    """Return a ledger with one more pause; one of the same cause that still lasts goes on, until the later end."""
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
    """Return a ledger in which a pause has ended, and its time is kept as excluded."""
    pause = next((each for each in ledger._pauses if each.cause == cause), None)
    if pause is None:
        return ledger
    end = at if pause.until is None else min(at, pause.until)
    ledger = replace(ledger, _pauses=tuple(each for each in ledger._pauses if each is not pause))
    excluded = (Span(pause.at, end),) if pause.at < end else NO_SPANS
    return _without(ledger, excluded, pause.seats)


def _on_leave(ledger: Ledger, seat: str, at: datetime, booked: Spans) -> Ledger:
    """Return a ledger with other leave from an instant on; what was leave before stays so (TM-7.6)."""
    side = ledger._sides[seat]
    past = clip(side.leave, NEVER, at)
    coming = clip(spans(Span(in_utc(each.start), in_utc(each.end)) for each in booked), at, FOREVER)
    return _with(ledger, seat, replace(side, leave=union(past, coming)))


def _failed(ledger: Ledger, at: datetime) -> Ledger:
    """Return a ledger whose facts count as of the last right instant, until the clock is mended (TM-3.7).

    That holds for what was dated later before anybody noticed, too, and for pauses that last.
    """
    if ledger._failed is not None:
        return ledger
    pauses = tuple(replace(pause, at=min(pause.at, at)) for pause in ledger._pauses)
    ledger = replace(ledger, _pauses=pauses)
    for seat in ledger.seats:
        ledger = _reckoned(ledger, seat, at, latest=at)
    return replace(ledger, _failed=at, _latest=min(ledger._latest, at))


def _mended(ledger: Ledger, at: datetime) -> Ledger:
    """Return a ledger that goes by the clock again; no time ran while it was wrong."""
    failed = ledger._failed
    if failed is None:
        return ledger
    ledger = replace(ledger, _failed=None)
    return _without(ledger, (Span(failed, at),) if failed < at else NO_SPANS, None)


def excluded_between(ledger: Ledger, seat: str, start: datetime, end: datetime) -> Spans:
    """Return when none of a seat's time runs in [start, end), for whoever wants it explained."""
    found = []
    for span in ledger.off(seat, start):
        if span.start >= end:
            break
        found.append(Span(max(span.start, start), min(span.end, end)))
    return tuple(found)


def running_between(ledger: Ledger, seat: str, start: datetime, end: datetime) -> Spans:
    """Return when a seat's time would run in [start, end)."""
    return difference((Span(start, end),), excluded_between(ledger, seat, start, end)) if start < end else ()
