"""Builds an overview of many games at once: rows first, and events only of those that are listed.

It therefore needs the same few queries for five games and for thousands, and reads no game that needs nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, timedelta
from itertools import chain
from typing import get_args

from referee.common.errors import EventUnreadable, GameUnreadable
from referee.games.clock_events import FROZEN, Facts, clocks_of, facts_after
from referee.games.clocks.calendar import days
from referee.games.clocks.controls import LAPSE, TIME
from referee.games.clocks.ledger import Excluded, Ledger
from referee.games.clocks.spans import FOREVER
from referee.games.events import (
    DAMAGED,
    EndOffered,
    Event,
    Frozen,
    Paused,
    PauseOffered,
    Replaced,
    Resumed,
    TakenBack,
    TimeUp,
    Unreachable,
    read_event,
)
from referee.games.game import fold_game
from referee.games.game_options import control_of
from referee.games.summary import Outline, outline_of
from referee.games.tournaments.officers import OFFICES, office_to_act, officer_for
from referee.handlers.game_clocks import TimeRules, calendar_of, days_off_before, deadline_of, outside
from referee.reports.overview import (
    CaseOver,
    GameSeen,
    Happened,
    Overview,
    OwnGame,
    Rest,
    SeatSeen,
    Unread,
    by_urgency,
    draw_up,
)
from referee.rulebooks.rulebook import Rulebook
from referee.store.overview_values import OpenCase, Passed, RunningGame
from referee.store.queries import Lookup
from referee.store.values import StoredCompetition, StoredEvent, StoredLeave, TermsChanged

HELD_LATELY = timedelta(days=7)
"""How far back held letters are listed: older ones have been seen."""
UNREAD = "what was kept of it cannot be read"
_UNDATED = (EndOffered, TakenBack)
"""Events that matter for the overview and have no date of their own."""
KINDS: frozenset[str] = frozenset(
    kind.__name__
    for kind in get_args(Event)
    if kind in _UNDATED or {"at", "received"} & {each.name for each in fields(kind)}
)
"""The events that are looked up for a listed game: all that are dated. No plan and no diary is among them."""


@dataclass(frozen=True, slots=True)
class Audience:
    """The readers of an overview.

    competitions: the events whose games are shown; None for all games, and those of no event.
    reader: an officer's number; None for the service's operator.
    """

    competitions: Sequence[StoredCompetition] | None = None
    reader: int | None = None


def build_overview(
    lookup: Lookup,
    rules: TimeRules,
    rulebooks: Mapping[str, Rulebook],
    now: datetime,
    whose: Audience = Audience(),
    *,
    most: int,
    late: bool = False,
) -> Overview:
    """Build an overview of games.

    Of a game that the reader plays it shows what their list of games shows; of one in which another took
    their seat, nothing.

    most: the most games that are listed.
    late: only what is late.
    """
    numbers = None if whose.competitions is None else [each.number for each in whose.competitions]
    events = {each.number: each for each in whose.competitions or lookup.tournaments.all()}
    running = lookup.games.running(numbers)
    others = [each for each in running if whose.reader not in _players(each)]
    held = lookup.held.about(now - HELD_LATELY, {each.number for each in others})
    desk = _OverviewBuilder(lookup, rules, rulebooks, now, events)
    own = {each.number for each in running if whose.reader in {side.player for side in each.sides.values()}}
    docket = lookup.cases.waiting(numbers)
    cases = [each for each in docket.waiting if whose.reader not in each.players]
    unread = [each for each in docket.unread if whose.reader not in each.players]
    desk.unread = {each.game for each in unread if not each.over}
    desk.meet_officers(cases, whose.reader)
    for case in cases:
        if not case.over:
            desk.cases.setdefault(case.game, []).append(desk.case(case))
    for letter in held:
        desk.held.setdefault(letter.game, []).append(
            (letter.player, Happened(letter.since, None, letter.number))
        )
    lines = by_urgency((desk.roughly(each) for each in others), now)
    chosen = {line.game.number for line in lines[:most]}
    seated = [each for each in running if each.number in own]
    return draw_up(
        desk.closely([each for each in others if each.number in chosen]),
        now,
        events=[each.name for each in events.values()],
        playing=len(running),
        cases=[CaseOver(each.game, desk.case(each)) for each in cases if each.over],
        own=[desk.own(each, whose.reader) for each in desk.read(seated)] if whose.reader and not late else (),
        left_out=len(others) - len(chosen),
        late=late,
        unread=[
            *(Unread(event=each.name) for each in events.values() if each.unread),
            *(Unread(game=each.game) for each in unread if each.over),
        ],
    )


class _OverviewBuilder:
    """What is known of all games besides their own rows."""

    def __init__(
        self,
        lookup: Lookup,
        rules: TimeRules,
        rulebooks: Mapping[str, Rulebook],
        now: datetime,
        events: Mapping[int, StoredCompetition],
    ) -> None:
        self._lookup = lookup
        self._rules = rules
        self._rulebooks = rulebooks
        self._now = now
        self._events = events
        self._histories: dict[int, Sequence[TermsChanged]] = {}
        self._reader: int | None = None
        self._called: Mapping[int, str] = {}
        self._away: frozenset[int] = frozenset()
        self.cases: dict[int, list[Happened]] = {}
        self.held: dict[int, list[tuple[int, Happened]]] = {}
        self.unread: set[int] = set()
        """Games that are known to be unreadable."""

    def meet_officers(self, cases: Sequence[OpenCase], reader: int | None) -> None:
        """Look up the officers: all who may have to rule, where there are cases, and those of the reader's events."""
        wanted = set(self._events) if reader is not None else {each.competition for each in cases}
        events = [each for number, each in self._events.items() if number in wanted]
        officers = {held.player for each in events for held in each.officers}
        known = self._lookup.players.reached(officers)
        self._reader = reader
        self._called = {player: name for player, (name, _) in known.items()}
        lost = {player for player in officers if player not in known or not known[player][1]}
        leaves = self._lookup.leaves.of_players(sorted(officers)) if officers else []
        self._away = frozenset(lost | {each.player for each in leaves if each.kept and self._lasts(each)})

    def case(self, case: OpenCase) -> Happened:
        """Return a case, with the officer who is to rule on it."""
        event = self._events.get(case.competition) if case.competition is not None else None
        officers = event.officers if event else ()
        hears = officer_for(officers, case.players, away=self._away, duty=case.duty, ruled=case.ruled)
        return Happened(
            case.since,
            case.seat,
            case.number,
            self._called.get(hears.player, "") if hears else "",
            yours=hears.player == self._reader if hears else self._reader is None,
            appealed=case.appealed,
            to_change=case.to_change,
        )

    def _acts(self, row: RunningGame) -> bool:
        """Return whether the reader may act in a game."""
        if self._reader is None:
            return True
        event = self._events.get(row.competition) if row.competition is not None else None
        officers = event.officers if event else ()
        return office_to_act(officers, self._reader, _players(row), away=self._away) in OFFICES

    def _lasts(self, taken: StoredLeave) -> bool:
        """Return whether somebody is on leave now."""
        span = days(taken.leave.first, taken.leave.last, taken.leave.zone)
        return span.start <= self._now < span.end

    def roughly(self, row: RunningGame) -> GameSeen:
        """Return what the rows say of a game.

        A row that this release did not write is reported as unread, so that the game is examined.
        """
        outline = row.outline or Outline(row.last_event, 0)
        seats = tuple(
            SeatSeen(
                seat,
                side.name,
                due=seat in outline.due,
                deadline=side.promised if seat in outline.due else None,
            )
            for seat, side in row.sides.items()
        )
        since = row.turned
        return GameSeen(
            row.number,
            self._event(row),
            outline.turn,
            seats,
            since=since,
            time=outline.time,
            lapse=outline.lapse,
            frozen=Happened(since, said=outline.frozen) if outline.frozen else None,
            unreachable=tuple(Happened(row.sides[seat].unreachable, seat) for seat in outline.unreachable),
            time_up=tuple(Happened(since, seat) for seat in outline.time_up),
            cases=tuple(self.cases.get(row.number, ())),
            held=tuple(self._held(row)),
            unread=UNREAD if row.number in self.unread else "" if row.outline else "not looked into",
            rules=row.rules,
            title=row.title,
            started=row.created,
            yours=self._acts(row),
        )

    def _event(self, row: RunningGame) -> str:
        event = self._events.get(row.competition) if row.competition is not None else None
        return event.name if event else ""

    def _held(self, row: RunningGame) -> Iterable[Happened]:
        seats = {side.player: seat for seat, side in row.sides.items()}
        for player, letter in self.held.get(row.number, ()):
            yield replace(letter, seat=seats.get(player))

    def read(self, rows: Sequence[RunningGame]) -> list[RunningGame]:
        """Return games with an outline each; those without a stored one are read for it, all at once."""
        events = self._lookup.events.of_games([each.number for each in rows if each.outline is None])
        return [replace(row, outline=row.outline or self._outline(row, events[row.number])) for row in rows]

    def _outline(self, row: RunningGame, events: Sequence[StoredEvent]) -> Outline | None:
        try:
            made = (read_event(each.kind, each.body) for each in events)
            game = fold_game(row.number, made, self._rulebooks.__getitem__)
        except (GameUnreadable, LookupError, TypeError, ValueError):
            return None
        return outline_of(game) if game is not None else None

    def own(self, row: RunningGame, reader: int | None) -> OwnGame:
        """Return a game of the reader's as they know it."""
        seat = next(seat for seat, side in row.sides.items() if side.player == reader)
        others = [side.name or each.capitalize() for each, side in row.sides.items() if each != seat]
        outline = row.outline or Outline(row.last_event, 0)
        return OwnGame(row.number, self._event(row), ", ".join(others), outline.turn, seat in outline.due)

    def closely(self, rows: Sequence[RunningGame]) -> list[GameSeen]:
        """Return everything to be shown of games, looked up at once."""
        rows = self.read(rows)
        self.unread |= self._lookup.events.damaged([each.number for each in rows])
        timed = [each.number for each in rows if each.outline and each.outline.time]
        others = [each.number for each in rows if each.outline and not each.outline.time]
        told = self._lookup.events.of_kinds(timed, others, KINDS)
        passed = self._lookup.outbox.passed([each.number for each in rows])
        first = min((each.at for number in timed for each in told.get(number, ())), default=self._now)
        outages = self._lookup.clocks.outages(first)
        players = {side.player for row in rows for side in row.sides.values()}
        players |= {before for number in timed for before in _sat_before(told.get(number, ()))}
        leaves: dict[int, list[StoredLeave]] = {}
        for each in self._lookup.leaves.of_players(sorted(players)):
            leaves.setdefault(each.player, []).append(each)
        found = []
        for row in rows:
            try:
                found.append(self._seen(row, told[row.number], passed, outages, leaves))
            except (EventUnreadable, *DAMAGED):  # the others are still shown
                found.append(replace(self.roughly(row), unread=UNREAD))
        return found

    def _seen(
        self,
        row: RunningGame,
        told: Sequence[StoredEvent],
        passed: Mapping[tuple[int, int], Passed],
        outages: Sequence[tuple[datetime, datetime]],
        leaves: Mapping[int, Sequence[StoredLeave]],
    ) -> GameSeen:
        outline, rough = row.outline, self.roughly(row)
        if outline is None:
            raise LookupError(f"game {row.number} has no outline")
        if row.number in self.unread:
            return rough
        dated = told if outline.time else ()  # the events of a game without a clock are not needed
        sat = (*(side.player for side in row.sides.values()), *(each.before for each in _replaced(dated)))
        mine = list(chain.from_iterable(leaves.get(player, ()) for player in dict.fromkeys(sat)))
        clocks = self._clocks(row, outline, dated, outages, mine) if outline.time else None
        pauses = _pauses(dated, self._now)
        seats = []
        for side in rough.seats:
            who = row.sides[side.seat]
            letters = passed.get((row.number, who.player), Passed())
            leave = self._on_leave(row, leaves.get(who.player, ()))
            side = replace(  # noqa: PLW2901
                side,
                letter_in=letters.came_in,
                letter_out=letters.went_out,
                posted=letters.went_out is None or letters.accepted is not None,
                on_leave=leave,
                deadline=None,
            )
            if clocks is not None:
                side = self._timed(row, outline, clocks, side, pauses)  # noqa: PLW2901
            seats.append(side)
        when = _Dates(told)
        happened = (read_event(each.kind, each.body) for each in dated if each.kind == TimeUp.__name__)
        ups = {each.seat: each.at for each in happened if isinstance(each, TimeUp)}
        return replace(
            rough,
            unread="",
            seats=tuple(seats),
            frozen=Happened(when.last(Frozen), said=outline.frozen) if outline.frozen else None,
            offer=Happened(when.last(EndOffered), outline.offered_by, said=outline.offered)
            if outline.offered_by
            else None,
            pauses=tuple(Happened(when.last(PauseOffered), seat) for seat in outline.pausing),
            unreachable=tuple(
                Happened(when.last(Unreachable) or row.sides[seat].unreachable, seat)
                for seat in outline.unreachable
            ),
            time_up=tuple(Happened(ups.get(seat), seat) for seat in outline.time_up),
        )

    def _clocks(
        self,
        row: RunningGame,
        outline: Outline,
        told: Sequence[StoredEvent],
        outages: Sequence[tuple[datetime, datetime]],
        leaves: Sequence[StoredLeave],
    ) -> Ledger:
        facts: Facts = ()
        for each in told:
            facts = facts_after(facts, read_event(each.kind, each.body), tuple(row.sides))
        seats = {seat: side.player for seat, side in row.sides.items()}
        event = self._events.get(row.competition) if row.competition is not None else None
        first = min((each.at for each in facts if not isinstance(each, Excluded)), default=self._now)
        return clocks_of(
            control_of({TIME: outline.time, LAPSE: outline.lapse}),
            row.sides,
            facts,
            calendar=calendar_of(event.terms) if event else self._rules.calendar,
            outside=[
                *outside(seats, _replaced(told), row.competition, outages, leaves, self._now),
                *days_off_before(self._history(event), seats, first),
            ],
            now=self._now,
        )

    def _history(self, event: StoredCompetition | None) -> Sequence[TermsChanged]:
        """Return the history of an event's terms, oldest first; empty where they were never changed."""
        if event is None or event.version == 1:
            return ()
        if event.number not in self._histories:
            self._histories[event.number] = self._lookup.tournaments.history(event.number)
        return self._histories[event.number]

    def _timed(
        self,
        row: RunningGame,
        outline: Outline,
        clocks: Ledger,
        side: SeatSeen,
        pauses: Mapping[str, datetime | None],
    ) -> SeatSeen:
        """Return a side with its clock."""
        standing = clocks.standing(side.seat, self._now)
        side = replace(side, used=standing.used, left=clocks.left(side.seat, self._now))
        if not side.due:
            return side
        deadline = deadline_of(clocks, side.seat, row.sides[side.seat].promised, self._now)
        off = next(clocks.off(side.seat, self._now), None)
        rests: Rest | None = None
        until = None
        if off is not None and off.start <= self._now:
            rests = _why(outline, side, pauses)
            until = None if off.end >= FOREVER else off.end
        return replace(side, deadline=deadline, rests=rests, until=until)

    def _on_leave(self, row: RunningGame, leaves: Sequence[StoredLeave]) -> date | None:
        """Return until when a player is on leave in a game, None where they are not."""
        lasts = (
            each.leave.last for each in leaves if each.competition == row.competition and self._lasts(each)
        )
        return max(lasts, default=None)


def _players(row: RunningGame) -> tuple[int, ...]:
    """Return a game's present and former players, none of whom acts there or reads what its umpire does."""
    return (*(side.player for side in row.sides.values()), *row.former)


class _Dates:
    """The times of a game's latest events."""

    def __init__(self, told: Sequence[StoredEvent]) -> None:
        self._last = {each.kind: each.at for each in told}

    def last(self, kind: type[Event]) -> datetime | None:
        """Return when the latest event of a kind was stored, None for never."""
        return self._last.get(kind.__name__)


def _replaced(told: Sequence[StoredEvent]) -> tuple[Replaced, ...]:
    """Return the changes of players in a game, oldest first."""
    kept = (read_event(each.kind, each.body) for each in told if each.kind == Replaced.__name__)
    return tuple(each for each in kept if isinstance(each, Replaced))


def _sat_before(told: Sequence[StoredEvent]) -> tuple[int, ...]:
    """Return the former players of a game, as far as they can be read."""
    try:
        return tuple(each.before for each in _replaced(told) if isinstance(each.before, int))
    except DAMAGED:  # the game is reported as unread when its clocks are computed
        return ()


def _pauses(told: Sequence[StoredEvent], now: datetime) -> dict[str, datetime | None]:
    """Return the present pauses by cause, each with its end as far as that is known."""
    lasting: dict[str, datetime | None] = {}
    for each in told:
        match read_event(each.kind, each.body):
            case Paused(cause=cause, until=until):
                lasting[cause] = until
            case Resumed(cause=cause, at=at):
                lasting[cause] = at
    return {cause: until for cause, until in lasting.items() if until is None or until > now}


def _why(outline: Outline, side: SeatSeen, pauses: Mapping[str, datetime | None]) -> Rest:
    """Return why no time of a side's runs now."""
    if outline.frozen:
        return "frozen"
    if any(seat != side.seat for seat in outline.unreachable):
        return "unreachable"
    if any(cause != FROZEN for cause in pauses):
        return "pause"
    return "leave" if side.on_leave is not None else "day off"
