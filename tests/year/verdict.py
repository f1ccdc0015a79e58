"""Whether a year was fair: what the service did, held against what the oracle has reckoned.

Each fault is a sentence; a fair year has none.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise

from referee.games.clocks.reminders import MARKS
from referee.games.results import ON_TIME
from referee.rulebooks.rulebook import Seat
from referee.store.values import StoredEvent, StoredLeave
from tests.year.club import Match, Year
from tests.year.oracle import Clock, Reckoned, days
from tests.year.plan import BETWEEN_LOOKS, DAY, EVENTS, HOUR, LENGTH, OUT, WRONG, Spell

PROVED = DAY + BETWEEN_LOOKS
"""After a clock was wrong, or the service out, nobody loses before the clock has gone regularly for a day."""
TROUBLE = tuple(Spell(each.start, each.end + PROVED) for each in (OUT, WRONG))


@dataclass
class Verdict:
    """What was found. Counted is what could have been unfair and was not, so that a year in which nothing happens
    proves nothing: games that were forfeited, and soft ones whose time was up; moves in the last hour, runs in which a
    clock rested for leave or a pause; reminders that were exactly as they had to be."""

    faults: list[str] = field(default_factory=list)
    forfeits: int = 0
    times_up: int = 0
    refused: int = 0
    close: int = 0
    away: int = 0
    paused: int = 0
    reminders: int = 0
    deadlines: int = 0


def judge(year: Year) -> Verdict:
    """Return whether a year was fair."""
    verdict = Verdict()
    with year.club.store.reading() as lookup:
        people = {person.address: lookup.players.by_address(person.address) for person in year.plan.people}
        numbers = {address: player.number for address, player in people.items() if player is not None}
        events = {terms.name: lookup.tournaments.find_named(terms.name).number for terms in EVENTS}
        leaves = lookup.leaves.of_players([*numbers.values()])
        logs = {number: lookup.events.of_game(number) for number in year.matches}
    for who, numbered in year.numbers.items():
        if numbered != [*range(1, len(numbered) + 1)]:
            verdict.faults.append(f"letters to {who} are numbered {numbered}")
    verdict.faults += _leave_faults(year, leaves, numbers)
    for match in year.matches.values():
        if match.pairing.time == "none":
            continue
        scope = events.get(match.pairing.event)
        ended = _how(year, logs[match.number], "Ended")
        for seat, person in match.players.items():
            away = [
                days(each.leave.first, each.leave.last, each.leave.zone)
                for each in leaves
                if each.player == numbers[person.address] and each.competition == scope
            ]
            clock = Clock(match, seat, away, _marks(match))
            _Hearing(year, match, seat, clock, away, verdict).hear(
                ended, _ups(year, logs[match.number], seat)
            )
    return verdict


def _marks(match: Match) -> tuple[timedelta, ...]:
    return next((each.reminders for each in EVENTS if each.name == match.pairing.event), MARKS)


def _leave_faults(year: Year, leaves: list[StoredLeave], numbers: dict[str, int]) -> Iterator[str]:
    """Leave is what a player asked for, and nothing else."""
    for person in year.plan.people:
        meant = {(each.first, each.last) for each in person.absences}
        for each in (each for each in leaves if each.player == numbers[person.address]):
            cut = any(first == each.leave.first and each.leave.last <= last for first, last in meant)
            if each.leave.zone != person.zone or not cut:
                yield f"{person.name} has leave {each.leave} that was not asked for"


def _how(year: Year, log: list[StoredEvent], kind: str) -> tuple[int, Seat, str] | None:
    """Return when and how a game ended off the board."""
    for each in log:
        if each.kind == kind:
            result = each.body["result"]
            return year.true_minute(each.at), result["winner"], result["how"]
    return None


def _ups(year: Year, log: list[StoredEvent], seat: Seat) -> list[int]:
    """Return when the service found that a seat's time was up, where that is to be claimed."""
    return [year.true_minute(each.at) for each in log if each.kind == "TimeUp" and each.body["seat"] == seat]


@dataclass
class _Hearing:
    """One seat's case in a game."""

    year: Year
    match: Match
    seat: Seat
    clock: Clock
    away: list[tuple[int, int]]
    verdict: Verdict

    def hear(self, ended: tuple[int, Seat, str] | None, ups: list[int]) -> None:
        """Hold what the service did to a seat against what it had."""
        match, clock = self.match, self.clock
        hard = match.pairing.lapse == "hard"
        on_time = ended is not None and ended[2] == ON_TIME
        lost = ended[0] if ended is not None and on_time and ended[1] != self.seat else None
        for reckoned in clock.runs:
            self._told(reckoned)
            self._reminded(reckoned)
            run = reckoned.run
            if run.ended is not None:
                if hard and run.ended > self._until(reckoned) and not _in(TROUBLE, run.ended):
                    self._fault(
                        reckoned, f"a move counted that came {run.ended - reckoned.deadline} minutes late"
                    )
                self.verdict.close += reckoned.deadline - HOUR <= run.ended <= reckoned.deadline
            self.verdict.away += any(
                start < (run.ended or LENGTH) and run.began < end for start, end in self.away
            )
            self.verdict.paused += any(
                start < (run.ended or LENGTH) and run.began < end for start, end in match.pauses
            )
            for seat, at in match.refused:
                if seat == self.seat and run.began <= at and run.ended is None:
                    self.verdict.refused += 1
                    if not hard or at <= self._until(reckoned):
                        self._fault(reckoned, f"a move was refused that came at {at}")
        if not clock.runs:
            if lost is not None:
                self.verdict.faults.append(
                    f"game {match.number}: {self.seat} lost before it was asked for a move"
                )
            return
        if hard:
            self._hard(clock.runs[-1], lost)
        else:
            self._soft(lost, ups)
        if hard and ups:
            self.verdict.faults.append(f"game {match.number}: the time may be claimed where it is forfeited")

    @property
    def _cuts(self) -> list[int]:
        return self.match.players[self.seat].cuts

    def _until(self, reckoned: Reckoned) -> int:
        """Return until when a seat could rely on having time: its deadline, or what its player was told; not what he
        was told before he ended his leave himself."""
        told = reckoned.run.told
        return max(
            [reckoned.deadline, *(end for at, end in told if not any(at <= cut for cut in self._cuts))]
        )

    def _hard(self, last: Reckoned, lost: int | None) -> None:
        """Who has used his time up loses the game, and nobody else."""
        if lost is not None:
            self.verdict.forfeits += 1
            if last.run.ended is not None or lost <= self._until(last) or lost in WRONG or lost in OUT:
                self._fault(last, f"it lost on time at {lost}")
            self._at_once(last, lost)
        elif last.run.ended is None and self.match.over is None:
            self._at_once(last, self.year.length)

    def _soft(self, lost: int | None, ups: list[int]) -> None:
        """Whose time is up is told so, once for a move, and he loses when that is claimed."""
        for reckoned in self.clock.runs:
            end = next(
                each
                for each in (reckoned.run.ended, lost, self.match.over, self.year.length)
                if each is not None
            )
            mine = [up for up in ups if reckoned.run.began <= up <= end]
            self.verdict.times_up += len(mine)
            if mine and (len(mine) > 1 or mine[0] <= self._until(reckoned)):
                self._fault(reckoned, f"its time was said to be up at {mine}")
            self._at_once(reckoned, mine[0] if mine else end)
        if lost is not None:
            self.verdict.forfeits += 1
            last = self.clock.runs[-1]
            if last.run.ended is not None or lost <= last.deadline:
                self._fault(last, f"its time was claimed at {lost}")

    def _at_once(self, reckoned: Reckoned, found: int) -> None:
        """The service finds that a time is up when it looks next, once it may be sure."""
        until = self._until(reckoned)
        due = until + BETWEEN_LOOKS
        for spell in TROUBLE:
            if spell.start - BETWEEN_LOOKS <= due <= spell.end:
                due = spell.end + BETWEEN_LOOKS
        if found > due:
            self._fault(reckoned, f"that its time is up was found only at {found}, due {due}")

    def _told(self, reckoned: Reckoned) -> None:
        """No deadline that was told is earlier than one told before, nor wrong where nothing changes meanwhile."""
        run = reckoned.run
        for (before, earlier), (at, later) in pairwise(run.told):
            if later < earlier and not any(before <= cut <= at for cut in self._cuts):
                self._fault(reckoned, f"it was told at {at} that it has until {later}, and {earlier} before")
        if run.told and run.told[-1][1] > reckoned.deadline + DAY and not self._changes(reckoned):
            self._fault(reckoned, f"it was told that it has until {run.told[-1][1]}")
        for at, deadline in run.told:
            if at >= run.began and not self._changes(reckoned):
                self.verdict.deadlines += 1
                if deadline != reckoned.deadline:
                    self._fault(reckoned, f"it was told at {at} that it has until {deadline}")

    def _changes(self, reckoned: Reckoned) -> bool:
        """Return whether anything happened in a run that moves its deadline, and that nobody knew as it began."""
        begins, ends = reckoned.run.began - BETWEEN_LOOKS, max(reckoned.deadline, reckoned.run.ended or 0)
        person = self.match.players[self.seat]
        said = [
            at
            for each in person.absences
            for at in (each.said, each.cut, person.silent.end)
            if at is not None
        ]
        return (
            any(begins <= at <= ends for at in said)
            or any(start <= ends and begins <= end for start, end in (*self.match.pauses,))
            or any(spell.start <= ends and begins <= spell.end for spell in (OUT, WRONG))
        )

    def _reminded(self, reckoned: Reckoned) -> None:
        """Reminders come at their marks, each once, and say how much is left."""
        run, number = reckoned.run, self.match.runs.index(reckoned.run)
        found = [each for each in self.match.reminded if each.run == number]
        for each in found:
            left = reckoned.left - self.clock.ran(run.began, each.at)
            if each.at in WRONG or each.at in OUT or left <= 0:
                self._fault(reckoned, f"it was reminded at {each.at}")
            said = None if each.left is None else each.left // timedelta(minutes=1)
            if said is not None and not said <= left < said + DAY:
                self._fault(
                    reckoned, f"a reminder at {each.at} said that {said} minutes are left, and not {left}"
                )
        if self._changes(reckoned):
            if len(found) > len(reckoned.marks):
                self._fault(reckoned, f"it was reminded {len(found)} times")
            return
        ends = next(each for each in (run.ended, self.match.over, self.year.length) if each is not None)
        due = {at for mark in reckoned.marks if (at := self._look(mark)) < min(ends, reckoned.deadline)}
        reminded = [each.at for each in found if each.at != ends]  # in that minute either may come first
        self.verdict.reminders += len(due)
        if sorted(reminded) != sorted(due):
            self._fault(reckoned, f"it was reminded at {reminded}, due {sorted(due)}")

    def _look(self, minute: int) -> int:
        """Return when the service looks next in which time runs."""
        looks = self.year.looks
        place = bisect_left(looks, minute)
        while place < len(looks) and self.clock.rests(looks[place]):
            place += 1
        return looks[place] if place < len(looks) else LENGTH

    def _fault(self, reckoned: Reckoned, what: str) -> None:
        run = reckoned.run
        self.verdict.faults.append(
            f"game {self.match.number} ({self.match.pairing.time}), {self.seat}, asked at {run.began}, moved at "
            f"{run.ended}, {reckoned.left} left, {reckoned.used} used, deadline {reckoned.deadline}: {what}"
        )


def _in(spells: tuple[Spell, ...], minute: int) -> bool:
    return any(minute in spell for spell in spells)
