"""The clocks of games with all that bears on them: the games' events, the calendar, and what the house knows beside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from referee.competitions.competition import WEEKDAYS, Competition
from referee.games.game import Game
from referee.reports.report import ClockFace
from referee.rulebooks.rulebook import Seat
from referee.store.lookup import Lookup
from referee.store.records import StoredClock, StoredLeave
from referee.timing.calendar import EVERY_DAY, Calendar, days
from referee.timing.ledger import Excluded, Fact, Ledger
from referee.timing.reminders import MARKS

AN_HOUR = timedelta(hours=1)
NOTHING = timedelta(0)


@dataclass(frozen=True, slots=True)
class TimeRules:
    """How time is counted where no event says it. outage_after: the mailbox was out of reach for longer than this:
    then no time has run. leave: days a year."""

    calendar: Calendar = EVERY_DAY
    marks: tuple[timedelta, ...] = MARKS
    leave: int = 30
    outage_after: timedelta = AN_HOUR


class Timekeeper:
    """Reads the clocks of games within one transaction. unit: that which changes something, too, sees its changes."""

    def __init__(self, unit: Lookup, rules: TimeRules, now: datetime) -> None:
        self._unit = unit
        self._rules = rules
        self._now = now
        self._read: dict[tuple[int, int], Ledger] = {}
        self._beside: dict[tuple[int, ...], list[Fact]] = {}
        self._kept: dict[int, Mapping[Seat, StoredClock]] = {}
        self._terms: dict[int, Competition] = {}
        self._outages: dict[int, list[tuple[datetime, datetime]]] = {}

    def terms(self, game: Game) -> Competition | None:
        """Return the terms of the event that a game belongs to, None for none."""
        if game.competition is None:
            return None
        if game.competition not in self._terms:
            self._terms[game.competition] = self._unit.competition(game.competition).terms
        return self._terms[game.competition]

    def marks(self, game: Game) -> tuple[timedelta, ...]:
        """Return how long before the deadline the players of a game are reminded."""
        terms = self.terms(game)
        return self._rules.marks if terms is None else terms.reminders

    def ledger(self, game: Game) -> Ledger:
        """Return the clocks of a game as they stand."""
        key = game.number, game.last_event
        if key not in self._read:
            terms = self.terms(game)
            calendar = self._rules.calendar if terms is None else calendar_of(terms)
            those = game.number, *game.seats.values()
            if those not in self._beside:
                self._beside[those] = self._outside(game)
            self._read[key] = game.clocks(calendar, self._beside[those], self._now)
        return self._read[key]

    def _outside(self, game: Game) -> list[Fact]:
        """Return what bears on a game's clocks and is none of its events."""
        dates = [fact.at for fact in game.times if not isinstance(fact, Excluded)]
        outages = self._outages[game.number] = self._unit.outages(min(dates, default=self._now))
        leaves = self._unit.leaves(list(game.seats.values()))
        return outside(game.seats, game.competition, outages, leaves, self._now)

    def kept(self, game: Game) -> Mapping[Seat, StoredClock]:
        """Return what is kept of a game's clocks."""
        if game.number not in self._kept:
            self._kept[game.number] = self._unit.clocks(game.number)
        return self._kept[game.number]

    def forget(self, game: int) -> None:
        """Read anew what is kept of a game's clocks: it was changed."""
        self._kept.pop(game, None)

    def forget_all(self) -> None:
        """Read anew all that bears on clocks: somebody has taken leave, or ended it."""
        self._read.clear()
        self._beside.clear()

    def deadline(self, game: Game, seat: Seat) -> datetime | None:
        """Return the last instant for a seat's move, None while no time of its runs. It is never before what its player
        was told.

        Where the clock was not started yet, it is as if the letter that asks for the move were accepted now.
        """
        if game.status != "playing" or seat not in game.due:
            return None
        kept = self.kept(game).get(seat)
        return deadline_of(self.ledger(game), seat, kept.promised if kept else None, self._now)

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
        lost = sum((each for each in out if each > NOTHING), NOTHING)
        return ClockFace(deadline, left, up, game.consent.on(self._now), lost)


def outside(
    seats: Mapping[Seat, int],
    competition: int | None,
    outages: Iterable[tuple[datetime, datetime]],
    leaves: Iterable[StoredLeave],
    now: datetime,
) -> list[Fact]:
    """Return what bears on the clocks of a game, of an event or of none, and is none of its events."""
    facts: list[Fact] = [Excluded(began, min(ended, now)) for began, ended in outages if began < now]
    sides = {player: frozenset((seat,)) for seat, player in seats.items()}
    for each in leaves:
        if each.competition == competition and each.player in sides:
            leave = each.leave
            facts.append(Excluded(*days(leave.first, leave.last, leave.zone), sides[each.player]))
    return facts


def deadline_of(ledger: Ledger, seat: Seat, promised: datetime | None, now: datetime) -> datetime | None:
    """Return the last instant for the move of a seat that is to move, None while no time of its runs. promised: the
    latest that its player was told, before which it never is."""
    left = ledger.account(seat).left
    if left is None:
        return None
    running = ledger.since(seat) is not None
    deadline = ledger.deadline(seat) if running else ledger.runs_out(seat, now, left)
    return deadline if deadline is None or promised is None else max(deadline, promised)


def calendar_of(terms: Competition) -> Calendar:
    """Return on which days no time runs in an event."""
    return Calendar(
        terms.zone,
        frozenset(WEEKDAYS.index(day) + 1 for day in terms.days_off),
        frozenset(each.day for each in terms.holidays),
    )
