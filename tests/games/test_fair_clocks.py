"""No sequence of starts, moves, pauses, leave, outages, added time and taking back ever shortens a player's time in a
game of the service, or gives it twice; nor does a clock that was a year ahead for a while.

The log of a game is made as the service would date it, and its clocks are held against a slow clock that has the truth
(tests.games.clocks.reference).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import le
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.clock_events import Facts, Reckoned, clocks_of, facts_after
from referee.games.clocks import ledger
from referee.games.clocks.consent import CAUSE, NOTICE, Consent
from referee.games.clocks.controls import Control
from referee.games.clocks.ledger import Excluded, Fact
from referee.games.events import (
    ClockStarted,
    Event,
    Frozen,
    Paused,
    Resumed,
    Ruled,
    TakenBack,
    Thawed,
    TimeAdded,
)
from referee.rulebooks.rulebook import Seat
from tests.games.clocks.reference import BASE, HORIZON, slow
from tests.games.clocks.test_fairness import CONTROLS, HOUR
from tests.support.telling import telling

SEATS = WHITE, YELLOW = Seat("white"), Seat("yellow")
A_YEAR = timedelta(days=365)


@dataclass
class Told:
    """A game as it truly went, hour by hour, and as the service has it. truth: facts for the slow clock. log: events.

    outside: outages and leave, as they are known by now. wrong: since when the service's clock is ahead.
    """

    truth: list[Fact] = field(default_factory=list)
    log: list[Event] = field(default_factory=list)
    outside: list[Fact] = field(default_factory=list)
    now: datetime = BASE
    wrong: datetime | None = None
    was_wrong: bool = False
    running: set[Seat] = field(default_factory=set)
    ahead: set[Seat] = field(default_factory=set)
    """Whose clock was started while the service's was wrong."""

    @property
    def dated(self) -> datetime:
        """What the service's clock shows."""
        return self.now if self.wrong is None else self.now + A_YEAR

    def happens(self, truth: Fact, event: Event) -> None:
        self.truth.append(truth)
        self.log.append(event)

    def starts(self, seat: Seat) -> None:
        if seat not in self.running:
            self.running.add(seat)
            self.happens(ledger.Started(seat, self.now), ClockStarted(seat, self.dated))
            if self.wrong is not None:
                self.ahead.add(seat)

    def moves(self, seat: Seat) -> None:
        self.running.discard(seat)
        self.ahead.discard(seat)
        self.happens(ledger.Moved(seat, self.now), Ruled(seat, "A-N1", (), received=self.dated))

    def goes_back(self) -> None:
        self.running.clear()
        self.ahead.clear()
        self.happens(ledger.TakenBack(self.now), TakenBack(1, WHITE, "why", (), None, self.dated))

    def goes_wrong(self) -> None:
        self.wrong = self.wrong or self.now
        self.was_wrong = True

    def is_mended(self) -> None:
        """The clock is set right: the service knows since when nothing that it has dated is true, and starts anew what
        it has started meanwhile (see handlers.timeouts)."""
        if self.wrong is None:
            return
        out = Excluded(self.wrong, self.now)
        self.truth.append(out)
        if self.wrong < self.now:
            self.outside.append(out)
        self.wrong = None
        for seat in sorted(self.ahead):
            self.log.append(ClockStarted(seat, self.now))
        self.ahead.clear()


@st.composite
def games(draw: st.DrawFn, *, clock: bool) -> Told:
    """Return a game in which all dates are whole hours."""
    told = Told()
    kinds = (
        ["start"] * 4 + ["move"] * 4 + ["gift", "pause", "resume", "freeze", "thaw", "out", "leave", "back"]
    )
    kinds += ["wrong", "mend", "mend"] if clock else []
    for _ in range(draw(st.integers(1, 16))):
        told.now += draw(st.integers(1, 14)) * HOUR
        seat = draw(st.sampled_from(SEATS))
        at, dated = told.now, told.dated
        match draw(st.sampled_from(kinds)):
            case "start":
                told.starts(seat)
            case "move":
                told.moves(seat)
            case "back":
                told.goes_back()
            case "gift":
                hours = draw(st.integers(1, 30))
                told.happens(ledger.Added(seat, at, hours * HOUR), TimeAdded(seat, 3600 * hours, dated))
            case "pause":
                told.happens(ledger.Paused(CAUSE, at), Paused(CAUSE, dated))
            case "resume":
                told.happens(ledger.Resumed(CAUSE, at + NOTICE), Resumed(CAUSE, dated + NOTICE))
            case "freeze":
                told.happens(ledger.Paused("frozen", at), Frozen("why", dated))
            case "thaw":
                told.happens(ledger.Resumed("frozen", at), Thawed(dated))
            case "out" if told.wrong is None:
                known = Excluded(at - draw(st.integers(1, 30)) * HOUR, at)
                told.truth.append(known)
                told.outside.append(known)
            case "leave" if told.wrong is None:
                first = at + draw(st.integers(1, 40)) * HOUR
                known = Excluded(first, first + draw(st.integers(1, 60)) * HOUR, frozenset((seat,)))
                told.truth.append(known)
                told.outside.append(known)
            case "wrong":
                told.goes_wrong()
            case "mend":
                told.is_mended()
    told.now += HOUR
    told.is_mended()
    return told


def facts_of(log: list[Event]) -> Facts:
    facts: Facts = ()
    for event in log:
        facts = facts_after(facts, event, SEATS)
    return facts


def held_against_the_truth(control: Control, told: Told) -> None:
    """To the hour; where the clock was wrong it may be that somebody is given some hours, but none is taken."""
    clocks = clocks_of(control, SEATS, facts_of(told.log), outside=told.outside, now=told.now)
    for seat in SEATS:
        account, expected = clocks.account(seat), slow(control, clocks.calendar, told.truth, seat)
        found = clocks.deadline(seat)
        deadline = HORIZON if found is None else min(HORIZON, int((found - BASE) / HOUR))
        ours = account.used / HOUR, account.over / HOUR, -deadline
        truly = expected.used, expected.over, -(HORIZON if expected.deadline is None else expected.deadline)
        assert ours == truly if not told.was_wrong else all(map(le, ours, truly))
        assert account.left is not None and account.left >= expected.left * HOUR
        assert account.moves == expected.moves
        assert (clocks.since(seat) is not None) == expected.running


@pytest.mark.timeout(900)
@pytest.mark.parametrize("examples", telling([60], others=[1500]))
def test_the_clocks_of_a_log_agree_with_what_truly_happened(examples: int) -> None:
    drawing: Any = given(CONTROLS, games(clock=False))
    settings(max_examples=examples)(drawing(held_against_the_truth))()


@pytest.mark.timeout(900)
@pytest.mark.parametrize("examples", telling([60], others=[1500]))
def test_they_do_so_too_when_the_houses_clock_was_a_year_ahead_for_a_while(examples: int) -> None:
    """TM-3.7."""
    drawing: Any = given(CONTROLS, games(clock=True))
    settings(max_examples=examples)(drawing(held_against_the_truth))()


@pytest.mark.timeout(900)
@pytest.mark.parametrize("examples", telling([40], others=[1000]))
def test_clocks_that_go_on_from_what_was_reckoned_before_are_those_that_are_reckoned_at_once(
    examples: int,
) -> None:
    def holds(control: Control, told: Told) -> None:
        last = Reckoned()
        facts: Facts = ()
        for event in told.log:
            facts = facts_after(facts, event, SEATS)
            for now in (None, told.now):
                going = clocks_of(control, SEATS, facts, outside=told.outside, now=now, last=last)
                assert going == clocks_of(control, SEATS, facts, outside=told.outside, now=now)

    drawing: Any = given(CONTROLS, games(clock=True))
    settings(max_examples=examples)(drawing(holds))()


def test_a_pause_that_was_ended_by_a_clock_ahead_can_be_ended_again() -> None:
    paused = Consent(frozenset(SEATS), paused=True)
    wrong, _ = paused.end("white", BASE + A_YEAR)
    mended, ends = wrong.end("yellow", BASE)
    assert ends is not None and mended.ends == ends.at == BASE + NOTICE
