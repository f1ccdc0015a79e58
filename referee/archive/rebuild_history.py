"""Repeats the history of a service in a new one; see rebuild.

Each incoming letter is processed at its original time. An umpire's actions are repeated from the events that
they left (`rebuild_operator_actions`). Letters accepted for delivery count as accepted. The new service's
clock is set to the stored times. It draws the same secrets and reply tags again, and has the old key. Long
data is read from the old service step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby

from referee.archive.rebuild_letters import hearings
from referee.archive.rebuild_operator_actions import ByHand
from referee.common.clock import FixedClock
from referee.common.errors import Contested, UsageError
from referee.games.tournaments.tournament import from_plain
from referee.mail.message.message import RawLetter
from referee.service.bootstrap import Application
from referee.service.referee import Referee
from referee.service.tournaments import TournamentService
from referee.store.database import Store
from referee.store.history import CameIn, Held, Kept

_AT_A_TIME = timedelta(seconds=2)
"""An event stored this soon after a letter was processed was caused by it."""
_LOOK_EVERY = timedelta(minutes=30)


class _DrawnAgain:
    """Draws the stored values again, in the same order."""

    def __init__(self, kept: Kept) -> None:
        self._secrets, self._tags = iter(kept.secrets), iter(kept.tags)

    def secret(self) -> bytes:
        return next(self._secrets, bytes(32))

    def tag(self) -> str:
        return next(self._tags, "0" * 20)


@dataclass(frozen=True, slots=True)
class _Step:
    """A step to be repeated. order: what comes first among steps of the same time."""

    at: datetime
    order: int
    number: int
    do: Callable[[], object]


_EVENT, _OFFICE, _POSTED, _TAKEN_IN, _ACT, _LETTER, _CHORE, _POSTED_AT_ONCE = range(8)


class Course:
    """The history of a service, in order. undone: what could not be repeated, and why."""

    def __init__(self, kept: Kept, application: Application, store: Store, clock: FixedClock) -> None:
        self._kept = kept
        self._before = application.store
        self._clock = clock
        self._store = store
        draws = _DrawnAgain(kept)
        self._referee = Referee(store, application.service, clock, draws)
        self._secretary = TournamentService(store, application.service, clock, draws)
        self._by_hand = ByHand(kept, application, store, self._referee)
        self._outage_after = application.service.time.outage_after
        self._looked: datetime | None = None
        self._events_called = {number: body["name"] for number, _, body, _ in reversed(kept.terms)}
        self.undone: list[str] = []

    def go(self, progress: Callable[[int, int], object]) -> None:
        """Repeat all of it."""
        steps = sorted(self._steps(), key=lambda step: (step.at, step.order, step.number))
        for done, step in enumerate(steps):
            progress(done, len(steps))
            self._pass_time(step.at)
            self._clock.at = step.at
            try:
                step.do()
            except (UsageError, Contested, LookupError, ValueError) as error:
                self.undone.append(f"{step.at.isoformat()}: {error}")
        progress(len(steps), len(steps))

    def _pass_time(self, until: datetime) -> None:
        """Poll the mailbox as a running service does, except in its outages, and check the clock."""
        at = self._looked or until
        outages = sorted(each for outage in self._kept.outages for each in outage)
        while at < until:
            # At the very beginning and end of an outage the mailbox was polled.
            edges = (each for each in outages if at < each)
            at = min(at + _LOOK_EVERY, until, *edges)
            self._clock.at = at
            self._store.retention.regular_for()
            if self._kept.looked and not any(began < at < ended for began, ended in self._kept.outages):
                self._store.looked(self._outage_after, at)
        if self._looked is None and self._kept.looked:
            self._store.looked(self._outage_after, until)
        self._looked = until

    # the steps

    def _steps(self) -> Iterator[_Step]:
        heard = hearings(self._kept)
        yield from self._steps_of_events()
        yield from self._steps_of_posting()
        yield from self._steps_of_taking_in()
        for each in heard:
            order = _TAKEN_IN if each.early else _LETTER
            yield _Step(each.at, order, each.letter.number, partial(each.do, self._referee))
        acts_at: set[datetime] = set()
        for (at, game), batch in groupby(
            [each for each in self._kept.events if each.letter is None], key=lambda each: (each.at, each.game)
        ):
            numbers = [each.number for each in batch]
            acts_at.add(at)
            yield _Step(at, _ACT, numbers[0], partial(self._act, game, numbers))
        offices = (each for held in self._kept.officers for each in (held.since, held.until) if each)
        caused = sorted((*(each.at for each in heard), *acts_at, *offices))
        for sent in self._kept.outgoing:
            if sent.answers is None and not _is_caused(sent.created, caused):
                chores = self._chores_of_games if sent.game is not None else self._chores_of_people
                yield _Step(sent.created, _CHORE, sent.id, chores)

    def _steps_of_taking_in(self) -> Iterator[_Step]:
        """Record letters with their old numbers, since the Message-IDs of the answers depend on them."""
        at, last = None, 0
        for letter in self._kept.letters:
            at = max(letter.recorded, at or letter.recorded)
            for number in range(last + 1, letter.number):
                yield _Step(at, _TAKEN_IN, number, partial(self._take_in_nothing, number))
            yield _Step(at, _TAKEN_IN, letter.number, partial(self._take_in, letter))
            last = letter.number

    def _take_in(self, letter: CameIn) -> None:
        if letter.erased:
            self._take_in_nothing(letter.number)
        else:
            self._referee.letters.take_in([self._before.history.raw_letter(letter.number)])

    def _take_in_nothing(self, number: int) -> None:
        """Use up a number that has no letter, or an erased one, without processing anything."""
        nothing = RawLetter("", 0, f"not here: {number}", self._clock.at, 0, None)
        self._referee.letters.take_in([nothing])
        self._referee.letters.settle(number)

    def _steps_of_events(self) -> Iterator[_Step]:
        made: set[int] = set()
        for number, at, body, reason in self._kept.terms:
            terms = from_plain(body)
            if number not in made:
                made.add(number)
                yield _Step(at, _EVENT, number, partial(self._secretary.make, terms))
            else:
                change = partial(self._secretary.change, self._events_called[number], terms, reason)
                yield _Step(at, _EVENT, number, change)
                self._events_called[number] = terms.name
        begun = {(each.event, each.office, each.since) for each in self._kept.officers}
        for place, held in enumerate(self._kept.officers):
            if held.player not in self._kept.persons:
                continue  # the letter to them is erased
            yield _Step(held.since, _OFFICE, place, partial(self._appoint, held))
            if held.until is not None and (held.event, held.office, held.until) not in begun:
                yield _Step(held.until, _OFFICE, place, partial(self._dismiss, held))

    def _appoint(self, held: Held) -> None:
        self._secretary.appoint(self._event(held), held.office, self._by_hand.person(held.player))

    def _dismiss(self, held: Held) -> None:
        _, address = self._by_hand.person(held.player)
        self._secretary.dismiss(self._event(held), held.office, address)

    def _event(self, held: Held) -> str:
        with self._store.reading() as lookup:
            return lookup.tournaments.find(held.event).name

    def _steps_of_posting(self) -> Iterator[_Step]:
        said: dict[tuple[datetime, int], dict[str, str]] = {}
        for each in self._kept.outgoing:
            if each.accepted is not None:
                at, answer = each.accepted
                order = _POSTED if each.created < at else _POSTED_AT_ONCE
                said.setdefault((at, order), {})[each.message_id] = answer
        for (at, order), letters in said.items():
            yield _Step(at, order, 0, partial(self._post, letters))

    def _post(self, said: Mapping[str, str]) -> None:
        numbers = self._store.history.numbers_of(said.keys())
        if numbers:
            self._store.outbox.accepted(
                [(number, said[message_id]) for message_id, number in numbers.items()]
            )

    def _act(self, game: int, numbers: Sequence[int]) -> None:
        """Repeat what was done in a game without a letter: by an umpire, or else by a scheduled job."""
        errands = self._referee.jobs.go_on_with_errands
        if not self._by_hand.do(game, self._before.history.bodies_of(game, numbers), errands):
            self._chores_of_games()

    def _chores_of_games(self) -> None:
        """Run the scheduled jobs of games; at this hour no others need have run."""
        self._referee.jobs.see_to_returns()
        self._referee.jobs.carry_drafts_out()
        self._referee.jobs.see_to_clocks()
        self._referee.jobs.hand_cases_on()
        self._referee.jobs.go_on_with_errands()

    def _chores_of_people(self) -> None:
        """Run the scheduled jobs for people, whatever they play."""
        self._referee.jobs.see_to_returns()
        self._referee.jobs.write_days()
        self._referee.jobs.write_overviews()
        self._referee.jobs.go_on_with_errands()
        self._referee.jobs.ask_about_held()


def _is_caused(at: datetime, causes: Sequence[datetime]) -> bool:
    """Return whether something was stored so soon after one of these times that it belongs to it."""
    return any(cause <= at <= cause + _AT_A_TIME for cause in causes)
