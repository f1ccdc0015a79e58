"""A club through a year: letters are written and taken in, clocks are looked at, and the truth of it is kept.

The service is the real one, with its store; it knows the time by its own clock, which goes wrong for a while. What is
kept here goes by the true time, and by what its players and the mail server did.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.utils import format_datetime
from functools import partial
from pathlib import Path
from random import Random

from referee.cli.demo import sample_game
from referee.handlers.game_clocks import TimeRules
from referee.pipeline.processor import ProcessingResult
from referee.rulebooks.rulebook import Seat
from referee.service.scheduled_jobs import CLOCKS_TOGETHER
from referee.service.tournaments import TournamentService
from referee.store.values import Posting
from tests.benchmarks.prepared import turns_of
from tests.support.playing import HOST, REFEREE, SERVICE, Club, new_database
from tests.year.letters import dated, deadline_told, headers, time_left
from tests.year.plan import (
    AHEAD,
    BETWEEN_LOOKS,
    CLOSED,
    DAY,
    EVENTS,
    HOUR,
    LENGTH,
    OUT,
    OUTAGE_AFTER,
    WRONG,
    Pairing,
    Person,
    Plan,
    instant,
    minute_of,
)

WHITE, YELLOW = SEATS = (Seat("white"), Seat("yellow"))
WRONG_LOOKS = range(WRONG.start, WRONG.end + 1, 20)
"""Among them is that which finds the clock set right, at once."""
TOGETHER = 100
"""Letters that are settled, or posted, at a time."""


@dataclass
class Run:
    """A seat is asked for an attempt. began: when the letter that asks was accepted. ended: when the attempt that was
    ruled on came in; None where none did. told: the deadlines that its player was told meanwhile, and when."""

    seat: Seat
    began: int
    ended: int | None = None
    told: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Reminded:
    """A reminder. at: when it was written. left: as its subject says it, None where it is not in English."""

    seat: Seat
    run: int
    at: int
    left: timedelta | None


@dataclass
class Match:
    """A game as it truly went. number: the service's. refused: attempts that came in and did not count: seat, when.
    pauses: from when until when no time is to run, by consent."""

    pairing: Pairing
    number: int
    players: dict[Seat, Person]
    runs: list[Run] = field(default_factory=list)
    refused: list[tuple[Seat, int]] = field(default_factory=list)
    reminded: list[Reminded] = field(default_factory=list)
    pauses: list[tuple[int, int]] = field(default_factory=list)
    wants: set[Seat] = field(default_factory=set)
    """Who has offered a pause."""
    made: int = 0
    over: int | None = None
    """When its last letters were written."""

    @property
    def turn(self) -> Seat:
        return SEATS[self.made % 2]

    @property
    def run(self) -> Run | None:
        """The run that goes on."""
        return self.runs[-1] if self.runs and self.runs[-1].ended is None else None


@dataclass(frozen=True)
class Taken:
    """A letter as it lies in the mailbox. heard: what is to be done when it is settled, with what became of it."""

    content: bytes
    arrived: int
    heard: Callable[[ProcessingResult], None]


@dataclass
class Counts:
    """What came of a year. digest: over all letters out, in their order."""

    letters_in: int = 0
    letters_out: int = 0
    moves: int = 0
    reminders: int = 0
    rounds: int = 0
    digest: str = ""


class Year:
    """A club's year. length: how much of it happens. matches: its games; numbers: of the letters that went out, by
    reader and game."""

    def __init__(
        self, folder: Path, plan: Plan, *, length: int = LENGTH, outage_after: timedelta = OUTAGE_AFTER
    ) -> None:
        self.plan = plan
        self.length = length
        self.club = Club(
            new_database(folder), service=replace(SERVICE, time=TimeRules(outage_after=outage_after))
        )
        self.matches: dict[int, Match] = {}
        self.numbers: dict[tuple[str, int], list[int]] = {}
        self.counts = Counts()
        self.looks: list[int] = []
        """When the mailbox was looked into."""
        self._turns = [line for _, line in turns_of(sample_game())]
        self._deal = sample_game().deal
        self._random = Random(plan.seed)
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._queued = 0
        self._mailbox: list[Taken] = []
        self._settling: dict[int, Taken] = {}
        self._taken = 0
        self._now = 0
        self._to_be_posted = False
        self._addresses: dict[tuple[str, int], str] = {}
        self._written = 0
        self._digest = hashlib.sha256()
        self._people = {person.address: person for person in plan.people}

    def live(self) -> Counts:
        """Let the year happen; return what came of it."""
        secretary = TournamentService(self.club.store, self.club.service, self.club.clock)
        for terms in EVENTS:
            secretary.make(terms)
        for minute in (*range(0, LENGTH, BETWEEN_LOOKS), *WRONG_LOOKS, OUT.start, OUT.end):
            self._at(minute, _nothing)
        for person in self.plan.people:
            settings = ["set reports text", f"set zone {person.zone.rpartition('/')[2].replace('_', ' ')}"]
            language = "fran\u00e7ais" if person.language == "fr" else ""
            self._writes(HOUR, person, [f"register {person.name} {language}".strip(), *settings])
            for absence in person.absences:
                self._writes(absence.said, person, [f"leave {absence.first} {absence.last}"])
                if absence.cut is not None:
                    self._writes(absence.cut, person, ["leave off"])
        for pairing in self.plan.pairings:
            self._at(pairing.begins, partial(self._begin, pairing))
        while self._queue:
            self._now = self._queue[0][0]
            if self._now >= self.length:
                break
            while self._queue and self._queue[0][0] == self._now:
                heapq.heappop(self._queue)[2]()
            if not OUT.start < self._now < OUT.end:
                self._round()
        self.counts.digest = self._digest.hexdigest()
        return self.counts

    def close(self) -> None:
        self.club.close()

    def _at(self, minute: int, action: Callable[[], None]) -> None:
        self._queued += 1
        heapq.heappush(self._queue, (minute, self._queued, action))

    # What players do

    def _writes(
        self,
        minute: int,
        person: Person,
        lines: list[str],
        match: Match | None = None,
        heard: Callable[[ProcessingResult, int], None] | None = None,
    ) -> None:
        """Let a player write, unless he is silent then; who comes back answers what lay in his mailbox."""
        if minute in person.silent:
            minute = person.silent.end
        self._at(minute, partial(self._lay, person, lines, match, heard or _not_looked_at))

    def _lay(
        self,
        person: Person,
        lines: list[str],
        match: Match | None,
        heard: Callable[[ProcessingResult, int], None],
    ) -> None:
        """Lay a letter into the service's mailbox."""
        self._written += 1
        number = match.number if match else 0
        subject = f"Re: [game {number}]" if number else "A letter"
        to = self._addresses.get((person.address, number), REFEREE)
        content = (
            f"Authentication-Results: {HOST}; dmarc=pass header.from=example.net\r\n"
            f"From: {person.name} <{person.address}>\r\nTo: {to}\r\n"
            f"Subject: {subject}\r\nDate: {format_datetime(instant(self._now))}\r\n"
            f"Message-ID: <{self._written}@example.net>\r\n\r\n" + "\r\n".join([*lines, ""])
        ).encode()
        now = self._now
        self._mailbox.append(Taken(content, now, lambda settled: heard(settled, now)))

    def _think(self, match: Match) -> None:
        """Let whose turn it is write his move some time from now."""
        run = match.run
        assert run is not None
        person = match.players[match.turn]
        made, draw = match.made, self._random.random()
        hours = self._random.expovariate(1 / person.pace)
        if draw < 0.03:
            hours = self._random.uniform(60, 200)  # this may be too late
        wait = max(1, int(hours * HOUR))
        at = self._now + wait
        if 0.03 <= draw < 0.06 and run.told:
            at = run.told[-1][1]  # at the very last minute
        if match.pairing.pause == made:
            self._offer_pause(match)
        self._writes(at, person, [self._line(match)], match, partial(self._heard, match, match.turn, made))

    def _line(self, match: Match) -> str:
        return "resign" if match.made >= match.pairing.length else self._turns[match.made]

    def _offer_pause(self, match: Match) -> None:
        """Let both players say that they want a pause, and one of them, ten days later, that he does not any more."""
        first, second = self._random.sample(SEATS, 2)
        for hours, seat in ((2, first), (5, second)):
            self._writes(
                self._now + hours * HOUR,
                match.players[seat],
                ["pause"],
                match,
                partial(self._wants_pause, match, seat),
            )
        self._writes(
            self._now + 10 * DAY,
            match.players[first],
            ["resume"],
            match,
            partial(self._resumes, match, first),
        )

    # What becomes of it

    def _heard(self, match: Match, seat: Seat, made: int, settled: ProcessingResult, arrived: int) -> None:
        """Keep what became of a move, or a resignation."""
        if match.over is not None or match.made != made:
            return
        run = match.run
        if settled.moves:
            assert run is not None
            run.ended = arrived
            match.made += 1
            match.wants.clear()
        elif made < match.pairing.length:
            match.refused.append((seat, arrived))

    def _wants_pause(self, match: Match, seat: Seat, settled: ProcessingResult, arrived: int) -> None:
        if match.over is not None or (match.pauses and arrived < match.pauses[-1][1]):
            return
        match.wants.add(seat)
        if len(match.wants) == 2:
            match.pauses.append((arrived, 2 * LENGTH))
            match.wants.clear()

    def _resumes(self, match: Match, seat: Seat, settled: ProcessingResult, arrived: int) -> None:
        if match.pauses and match.pauses[-1][1] > LENGTH:
            match.pauses[-1] = (match.pauses[-1][0], arrived + DAY)
        match.wants.discard(seat)

    # What the service does

    def _service_time(self, minute: int) -> datetime:
        return instant(minute) + (AHEAD if WRONG.start < minute < WRONG.end else timedelta(0))

    def true_minute(self, at: datetime, dated: datetime | None = None) -> int:
        """Return when something truly is that the service says. dated: when it says so; then, where that is not said.

        What lies beyond the year was dated by the clock that was ahead."""
        return minute_of(at - AHEAD if minute_of(dated or at) >= LENGTH else at)

    def _round(self) -> None:
        """Look into the mailbox, settle what lies there, look at clocks, and post what is written."""
        club, referee = self.club, self.club.referee
        club.clock.at = self._service_time(self._now)
        self.counts.rounds += 1
        if self._now % DAY == 0:
            referee.jobs.erase_what_is_due()
        referee.letters.looked()
        self.looks.append(self._now)
        self._take_in()
        self._see_to_clocks()
        if self._settling:
            self._settle()
            self._see_to_clocks()
        if self._to_be_posted and not any(self._now in spell for spell in CLOSED):
            self._post()
            self._see_to_clocks()
            self._post()
            self._to_be_posted = False

    def _take_in(self) -> None:
        """Take letters in, as they lie in the mailbox."""
        if not self._mailbox:
            return
        lying, self._mailbox = self._mailbox, []
        # One half of all mail hosts has a clock of its own, which is right.
        received = [
            instant(each.arrived) if number % 2 else self._service_time(each.arrived)
            for number, each in enumerate(lying, self._taken)
        ]
        self.club.referee.letters.take_in(
            [self.club.raw(each.content, received=at) for each, at in zip(lying, received, strict=True)]
        )
        for each in lying:
            self._taken += 1
            self._settling[self._taken] = each

    def _settle(self) -> None:
        """Settle what was taken in."""
        self._to_be_posted = True
        referee = self.club.referee
        for numbers in referee.letters.waiting(TOGETHER):
            for number in numbers:
                settled = referee.letters.settle(number)
                assert settled is not None
                assert settled.outcome in ("ruled", "answered"), settled
                self.counts.letters_in += 1
                self.counts.moves += settled.moves
                self._settling.pop(number).heard(settled)

    def _see_to_clocks(self) -> None:
        """Look at all clocks that are due, as a daemon does within the hour."""
        with self.club.store.reading() as lookup:
            due = lookup.clocks.due(self.club.clock.at, 20 * CLOCKS_TOGETHER)
        self._to_be_posted = self._to_be_posted or bool(due)
        for _ in range(0, len(due), CLOCKS_TOGETHER):
            self.club.referee.jobs.see_to_clocks()

    def _post(self) -> None:
        while claimed := self.club.store.outbox.claim(self.club.clock.at, TOGETHER):
            self.club.store.outbox.accepted([(each.id, "250 ok") for each in claimed])
            for each in claimed:
                self._delivered(each)

    def _begin(self, pairing: Pairing) -> None:
        if OUT.start < self._now < OUT.end:
            self._at(OUT.end, partial(self._begin, pairing))
            return
        self.club.clock.at = self._service_time(self._now)
        people = [self.plan.people[each] for each in pairing.players]
        seats = dict(zip(SEATS, people, strict=True))
        options = {"first": "white"}
        if not pairing.event and pairing.time != "none":
            options |= {"time": pairing.time, "lapse": pairing.lapse}
        number = self.club.referee.umpire.new_game(
            "confusion",
            {seat: (person.name, person.address) for seat, person in seats.items()},
            options,
            self._deal,
            pairing.event,
        )
        self.matches[number] = Match(pairing, number, seats)
        self._to_be_posted = True

    # What comes to a player

    def _delivered(self, posting: Posting) -> None:
        """Note what a letter says that a player gets, and let him think of his answer."""
        self.counts.letters_out += 1
        self._digest.update(posting.content)
        head, _, body = posting.content.partition(b"\r\n\r\n")
        said = headers(head.decode())
        game = int(said.get("X-Referee-Game", 0))
        self.numbers.setdefault((posting.recipient, game), []).append(int(said["X-Referee-Number"]))
        if not game:
            return
        self._addresses[posting.recipient, game] = said["Reply-To"]
        match = self.matches[game]
        person = self._people[posting.recipient]
        seat = next(each for each in SEATS if match.players[each] is person)
        kind, subject, date = said["X-Referee-Kind"], said["Subject"], dated(said)
        written = self.true_minute(date)
        if kind == "result":
            match.over = written if match.over is None else match.over
        if match.over is not None:
            return
        asks = kind == "report" and seat == match.turn and match.run is None
        if asks:
            match.runs.append(Run(seat, self._now))
        run = match.run
        if run is not None and seat == run.seat:
            deadline = None if person.language == "fr" else deadline_told(body, date)
            if deadline is not None:
                run.told.append((written, self.true_minute(deadline, date)))
            if kind == "reminder":
                self.counts.reminders += 1
                left = None if person.language == "fr" else time_left(subject)
                match.reminded.append(Reminded(seat, len(match.runs) - 1, written, left))
        if asks:
            self._think(match)
        if "[time is up]" in subject and seat != match.turn and self._random.random() < 0.6:
            self._writes(self._now + self._random.randrange(1, 30) * HOUR, person, ["claim time"], match)


def _nothing() -> None:
    """A look, and nothing else."""


def _not_looked_at(settled: ProcessingResult, arrived: int) -> None:
    """Whatever became of it."""
