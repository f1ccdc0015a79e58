"""The clocks of games with everything that affects them: events, the calendar, outages and leave."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from referee.common.durations import DAY, HOUR, ZERO
from referee.common.errors import EventUnreadable, GameUnreadable
from referee.games.clock_events import goes_on
from referee.games.clocks.calendar import EVERY_DAY, Calendar, days
from referee.games.clocks.ledger import Excluded, Fact, Ledger
from referee.games.clocks.reminders import MARKS
from referee.games.clocks.spans import FOREVER, NEVER, Span, joined, later
from referee.games.events import DAMAGED, Replaced
from referee.games.game import Game
from referee.games.tournaments.tournament import WEEKDAYS, Competition
from referee.reports.report import ClockFace
from referee.rulebooks.rulebook import Seat
from referee.store.queries import Lookup
from referee.store.values import StoredClock, StoredLeave, TermsChanged


@dataclass(frozen=True, slots=True)
class TimeRules:
    """The time rules of games that belong to no event.

    leave: days a year.
    outage_after: if the mailbox was unreachable for longer than this, no time ran.
    """

    calendar: Calendar = EVERY_DAY
    marks: tuple[timedelta, ...] = MARKS
    leave: int = 30
    outage_after: timedelta = HOUR


class GameClocks:
    """Reads the clocks of games within one transaction. unit: a unit of work also sees its own changes."""

    def __init__(self, unit: Lookup, rules: TimeRules, now: datetime) -> None:
        self._unit = unit
        self._rules = rules
        self._now = now
        self._read: dict[tuple[int, int], Ledger] = {}
        self._beside: dict[tuple[int, ...], list[Fact]] = {}
        self._kept: dict[int, Mapping[Seat, StoredClock]] = {}
        self._said: dict[tuple[int, int, Seat], datetime] = {}
        self._terms: dict[int, Competition] = {}
        self._history: dict[int, Sequence[TermsChanged]] = {}
        self._outages: dict[int, list[tuple[datetime, datetime]]] = {}

    def terms(self, game: Game) -> Competition | None:
        """Return the terms of a game's event, None for none. Raises GameUnreadable where they are damaged."""
        if game.competition is None:
            return None
        if game.competition not in self._terms:
            event = self._unit.tournaments.find(game.competition)
            try:
                terms, history = (
                    event.terms,
                    self._unit.tournaments.history(event.number) if event.version > 1 else (),
                )
            except EventUnreadable as error:
                raise GameUnreadable(game.number, error) from error
            self._terms[game.competition], self._history[game.competition] = terms, history
        return self._terms[game.competition]

    def marks(self, game: Game) -> tuple[timedelta, ...]:
        """Return how long before the deadline the players of a game are reminded."""
        terms = self.terms(game)
        return self._rules.marks if terms is None else terms.reminders

    def calendar(self, game: Game) -> Calendar:
        """Return the days on which no time runs in a game."""
        terms = self.terms(game)
        return self._rules.calendar if terms is None else calendar_of(terms)

    def ledger(self, game: Game) -> Ledger:
        """Return the present clocks of a game."""
        key = game.number, game.last_event
        if key not in self._read:
            calendar = self.calendar(game)
            those = game.number, len(game.replaced), *game.seats.values()
            if those not in self._beside:
                self._beside[those] = self._outside(game)
            self._read[key] = game.clocks(calendar, self._beside[those], self._now)
        return self._read[key]

    def _outside(self, game: Game) -> list[Fact]:
        """Return the facts that affect a game's clocks and are not among its events."""
        dates = [fact.at for fact in game.times if not isinstance(fact, Excluded)]
        first = min(dates, default=self._now)
        outages = self._outages[game.number] = self._unit.clocks.outages(first)
        leaves = self._unit.leaves.of_players(
            [*game.seats.values(), *(each.before for each in game.replaced)]
        )
        history = self._history[game.competition] if self.terms(game) and game.competition is not None else ()
        return [
            *outside(game.seats, game.replaced, game.competition, outages, leaves, self._now),
            *days_off_before(history, game.seats, first),
        ]

    def can_read(self, game: Game) -> bool:
        """Return whether the clocks of a game can be read: damage there does not affect reports on other games."""
        try:
            self.ledger(game)
        except (GameUnreadable, *DAMAGED):
            return False
        return True

    def kept(self, game: Game) -> Mapping[Seat, StoredClock]:
        """Return what is stored of a game's clocks."""
        if game.number not in self._kept:
            self._kept[game.number] = self._unit.clocks.of_game(game.number)
        return self._kept[game.number]

    def forget(self, game: int) -> None:
        """Read again what is stored of a game's clocks: it was changed."""
        self._kept.pop(game, None)

    def forget_all(self) -> None:
        """Read again everything that affects clocks: somebody has taken leave, or ended it."""
        self._read.clear()
        self._beside.clear()

    def deadline(self, game: Game, seat: Seat) -> datetime | None:
        """Return the last instant for a seat's move, None while no time of its runs.

        It is never earlier than its player was told. Where the clock was not started yet, it is computed as
        if the letter that asks for the move were accepted now.
        """
        if game.status != "playing" or seat not in game.due:
            return None
        kept = self.kept(game).get(seat)
        promised = kept.promised if kept else None
        if (warned := self._warned(game, seat)) is not None:
            promised = max(warned, promised or warned)
        return deadline_of(self.ledger(game), seat, promised, self._now)

    def _warned(self, game: Game, seat: Seat) -> datetime | None:
        """Return the earliest possible deadline of a seat after a rest of its clock, None for no rest on this move.

        It is a day from when time runs again, and from when the letter that says so was accepted (TM-3.9).
        """
        since, rested = self.ledger(game).since(seat), goes_on(game.times, seat)
        if since is None or rested is None or rested.at <= since:
            return None
        key = game.number, game.last_event, seat
        if key not in self._said:
            said = min(rested.said, self._now)
            waits, accepted = self._unit.outbox.accepted_since(game.seats[seat], game.number, said)
            self._said[key] = self._now if waits else accepted or said
        return later(max(self._said[key], rested.at), DAY)

    def runs_again(self, game: Game, at: datetime) -> datetime:
        """Return when time runs again in a game in which a pause ends at an instant: a day off may follow it."""
        ledger, ends = self.ledger(game), []
        for seat in game.due:
            off = next(ledger.off(seat, at), None)
            ends.append(off.end if off is not None and off.start <= at and off.end < FOREVER else at)
        return min(ends, default=at)

    def face(self, game: Game, seat: Seat) -> ClockFace | None:
        """Return what a seat's clock shows, None where it has none or nothing is due from it."""
        ledger = self.ledger(game)
        left, since = ledger.left(seat, self._now), ledger.since(seat)
        if game.status != "playing" or seat not in game.due or left is None:
            return None
        deadline = self.deadline(game, seat)
        up = deadline is not None and deadline < self._now
        since = self._now if since is None else since
        out = (min(ended, self._now) - max(began, since) for began, ended in self._outages[game.number])
        lost = sum((each for each in out if each > ZERO), ZERO)
        return ClockFace(deadline, left, up, game.consent.on(self._now), lost)


def outside(
    seats: Mapping[Seat, int],
    replaced: Sequence[Replaced],
    competition: int | None,
    outages: Iterable[tuple[datetime, datetime]],
    leaves: Iterable[StoredLeave],
    now: datetime,
) -> list[Fact]:
    """Return the facts that affect the clocks of a game, of an event or of none, and are not among its events.

    A player's leave applies to a seat while they have it (TM-7.8).

    replaced: the changes of players, oldest first.
    """
    facts: list[Fact] = [Excluded(began, min(ended, now)) for began, ended in outages if began < now]
    sat = list(_sittings(seats, replaced))
    for each in leaves:
        away = days(each.leave.first, each.leave.last, each.leave.zone)
        for player, seat, since, until in sat:
            start, end = max(away.start, since), min(away.end, until)
            if (each.competition, each.player) == (competition, player) and start < end:
                facts.append(Excluded(start, end, frozenset((seat,))))
    return facts


def _sittings(
    seats: Mapping[Seat, int], replaced: Sequence[Replaced]
) -> Iterator[tuple[int, Seat, datetime, datetime]]:
    """Yield who had which seat, from when and until when."""
    for seat, player in seats.items():
        since = NEVER
        for each in replaced:
            if each.seat == seat and each.at is not None:
                yield each.before, seat, since, each.at
                since = each.at
        yield player, seat, since, FOREVER


def days_off_before(
    history: Sequence[TermsChanged], seats: Collection[Seat], since: datetime
) -> list[Excluded]:
    """Return when no time ran in a game's event by its earlier terms.

    A day that was off when it passed remains off (TM-4.6).

    history: all of the event's terms, oldest first.
    since: nothing in the game is earlier.
    """
    found: list[Span] = []
    for terms, changed in pairwise(history):
        for span in calendar_of(terms.terms).off(since):
            if span.start >= changed.at:
                break
            found.append(Span(span.start, min(span.end, changed.at)))
    # For each seat, since what is excluded for everybody is an outage, in which a clock may have been wrong.
    return [Excluded(span.start, span.end, frozenset(seats)) for span in joined(sorted(found))]


def deadline_of(ledger: Ledger, seat: Seat, promised: datetime | None, now: datetime) -> datetime | None:
    """Return the last instant for the move of a seat that is to move, None while no time of its runs.

    promised: the latest that its player was told; the result is never earlier.
    """
    left = ledger.account(seat).left
    if left is None:
        return None
    running = ledger.since(seat) is not None
    deadline = ledger.deadline(seat) if running else ledger.runs_out(seat, now, left)
    return deadline if deadline is None or promised is None else max(deadline, promised)


def calendar_of(terms: Competition) -> Calendar:
    """Return the days on which no time runs in an event."""
    return Calendar(
        terms.zone,
        frozenset(WEEKDAYS.index(day) + 1 for day in terms.days_off),
        frozenset(each.day for each in terms.holidays),
    )
