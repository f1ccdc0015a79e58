"""Letters made again: whether what was sent follows, byte for byte, from what was kept.

A letter hangs on more than its game: on what its reader has written and read before, on his settings, on the other
letters of the day. So no letter is made again by itself, but the whole course of the house is gone through once more,
in a new house that knows nothing: each letter that came in is heard at the time at which it was heard, what an umpire
has done is done by the events that it left, what was accepted for delivery counts as accepted. The new house's
clock is set to the times that were kept; what was drawn (secrets, reply tags) it draws again; its key is the old one.
No letter of ours and no event is copied: both are the new house's own, and are compared at last.

What cannot be gone through is said and not passed over: letters that were erased, and what hangs on them. It must be
done by the release that has sent the letters, with the same settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from referee.assembly import Premises
from referee.clock import FixedClock
from referee.competitions.competition import from_plain
from referee.competitions.officers import Office
from referee.errors import Contested, UsageError
from referee.games import acts
from referee.games.clocks import BY_UMPIRE
from referee.games.ends import end_of, ruling_of
from referee.games.events import (
    ClaimAnswered,
    Ended,
    Event,
    Frozen,
    Opened,
    Paused,
    Replaced,
    Resumed,
    Ruled,
    Stated,
    TakenBack,
    Thawed,
    TimeAdded,
    Unwatched,
    Watched,
    Withdrawn,
    read_event,
)
from referee.games.game import fold_game
from referee.house import House
from referee.rulebooks.rulebook import Seat
from referee.secretary import Secretary
from referee.store.looking_back import Kept, KeptEvent, WentOut
from referee.store.store import Store

_AT_A_TIME = timedelta(seconds=2)
"""What is kept so soon after a letter was heard was caused by it."""
_LOOK_EVERY = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Differs:
    """A letter that was made otherwise. why: in words; line: the number of the first line that is another one, from 1,
    0 where the letter is missing or was never sent; sent, made: that line."""

    message_id: str
    recipient: str
    game: int | None
    why: str
    line: int = 0
    sent: str = field(default="", repr=False)
    made: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class MadeAgain:
    """What came of it. equal: letters that are the same, byte for byte. erased: of ours, which cannot be compared.
    unheard: letters that came in and are erased. differs: oldest first. undone: what could not be done again."""

    equal: int
    erased: int
    unheard: tuple[int, ...]
    differs: tuple[Differs, ...]
    undone: tuple[str, ...]


class _DrawnAgain:
    """Draws what was drawn then, in the same order."""

    def __init__(self, kept: Kept) -> None:
        opened = (each.body["secret"] for each in kept.events if each.kind == Opened.__name__)
        self._secrets = iter([bytes.fromhex(each) for each in opened])
        self._tags = iter(kept.tags)

    def secret(self) -> bytes:
        return next(self._secrets, bytes(32))

    def tag(self) -> str:
        return next(self._tags, "0" * 20)


def make_again(
    premises: Premises, progress: Callable[[int, int], object] = lambda done, of: None
) -> MadeAgain:
    """Go through a house's whole course once more, and compare the letters. Nothing is changed in it."""
    kept = premises.store.kept()
    with premises.store.reading() as lookup:
        key = lookup.house_key()
    with TemporaryDirectory() as folder:
        clock = FixedClock(kept.letters[0].recorded if kept.letters else premises.clock.now())
        store = Store(f"sqlite:///{Path(folder) / 'again.db'}", clock)
        try:
            store.upgrade()
            store.open(create=False)
            store.take_key(key)
            course = _Course(kept, premises, store, clock)
            course.go(progress)
            made = store.kept()
        finally:
            store.close()
    unheard = tuple(each.number for each in kept.letters if each.settled and each.raw is None)
    erased = sum(each.content is None for each in kept.outgoing)
    equal, differs = _compare(kept.outgoing, made.outgoing)
    return MadeAgain(equal, erased, unheard, differs, tuple(course.undone))


def _compare(sent: Sequence[WentOut], made: Sequence[WentOut]) -> tuple[int, tuple[Differs, ...]]:
    again = {each.message_id: each for each in made}
    equal, differs = 0, []
    for each in sent:
        other = again.pop(each.message_id, None)
        if each.content is None:
            continue
        if other is None or other.content is None:
            differs.append(Differs(each.message_id, each.recipient, each.game, "it was not made again"))
        elif other.content != each.content:
            differs.append(_difference(each, each.content, other.content))
        else:
            equal += 1
    never = "it was never sent"
    differs += [Differs(each.message_id, each.recipient, each.game, never) for each in again.values()]
    return equal, tuple(differs)


def _difference(letter: WentOut, sent: bytes, made: bytes) -> Differs:
    ours, theirs = sent.split(b"\r\n"), made.split(b"\r\n")
    pairs = enumerate(zip((*ours, b""), (*theirs, b""), strict=False), 1)
    line, (here, there) = next((line, pair) for line, pair in pairs if pair[0] != pair[1])
    why = f"line {line} is {there.decode(errors='replace')!r}, and was sent as {here.decode(errors='replace')!r}"
    return Differs(
        letter.message_id,
        letter.recipient,
        letter.game,
        why,
        line,
        here.decode(errors="replace"),
        there.decode(errors="replace"),
    )


@dataclass(frozen=True, slots=True)
class _Step:
    """Something that is done again. order: what comes first of what was at the same time."""

    at: datetime
    order: int
    number: int
    do: Callable[[], object]


_EVENT, _OFFICE, _POSTED, _ACT, _LETTER, _CHORE, _POSTED_AT_ONCE = range(7)


class _Course:
    """The course of a house, gone through once more in another one."""

    def __init__(self, kept: Kept, premises: Premises, store: Store, clock: FixedClock) -> None:
        self._kept = kept
        self._clock = clock
        self._store = store
        draws = _DrawnAgain(kept)
        self._house = House(store, premises.service, clock, draws)
        self._secretary = Secretary(store, premises.service, clock, draws)
        self._outage_after = premises.service.time.outage_after
        self._rulebooks = premises.service.rulebooks
        self._looked: datetime | None = None
        self._numbers: dict[str, int] = {}
        self._events_called = {number: body["name"] for number, _, body, _ in reversed(kept.terms)}
        self.undone: list[str] = []

    def go(self, progress: Callable[[int, int], object]) -> None:
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
        """Look into the mailbox as a house does that is at work, but in its outages; and at the clock."""
        at = self._looked or until
        outages = sorted(each for outage in self._kept.outages for each in outage)
        while at < until:
            # Just where an outage begins and ends the mailbox was looked into.
            edges = (each for each in outages if at < each)
            at = min(at + _LOOK_EVERY, until, *edges)
            self._clock.at = at
            self._store.regular_for()
            if self._kept.looked and not any(began < at < ended for began, ended in self._kept.outages):
                self._store.looked(self._outage_after, at)
        if self._looked is None and self._kept.looked:
            self._store.looked(self._outage_after, until)
        self._looked = until

    # what is to be done

    def _steps(self) -> Iterator[_Step]:
        heard_at = self._heard_at()
        yield from self._steps_of_events()
        yield from self._steps_of_posting()
        for letter in self._kept.letters:
            if letter.settled and letter.raw is not None:
                yield _Step(heard_at[letter.number], _LETTER, letter.number, self._hearing(letter))
        acts_at: set[datetime] = set()
        for (at, game), batch in groupby(
            [each for each in self._kept.events if each.letter is None], key=lambda each: (each.at, each.game)
        ):
            events = list(batch)
            acts_at.add(at)
            yield _Step(at, _ACT, events[0].number, self._act(game, events))
        caused = sorted((*heard_at.values(), *acts_at, *(since for *_, since in self._kept.officers)))
        for sent in self._kept.outgoing:
            if sent.answers is None and not _is_caused(sent.created, caused):
                chores = self._chores_of_games if sent.game is not None else self._chores_of_people
                yield _Step(sent.created, _CHORE, sent.id, chores)

    def _heard_at(self) -> Mapping[int, datetime]:
        """Return when each letter was heard, as exactly as it is known."""
        at = {each.number: each.recorded for each in self._kept.letters}
        at |= {each.answers: each.created for each in self._kept.outgoing if each.answers is not None}
        return at | {each.letter: each.at for each in self._kept.events if each.letter is not None}

    def _hearing(self, letter: Any) -> Callable[[], object]:
        def hear() -> None:
            self._house.take_in([letter.raw])
            for numbers in self._house.waiting(1000):
                for number in numbers:
                    self._house.settle(number)

        return hear

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
        for place, (number, office, player, since) in enumerate(self._kept.officers):
            if player in self._kept.persons:
                yield _Step(since, _OFFICE, place, partial(self._appoint, number, office, player))

    def _appoint(self, number: int, office: Office, player: int) -> None:
        with self._store.reading() as lookup:
            event = lookup.competition(number).name
        self._secretary.appoint(event, office, self._kept.persons[player])

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
        numbers = self._store.numbers_of(said.keys())
        if numbers:
            self._store.accepted([(number, said[message_id]) for message_id, number in numbers.items()])

    def _chores_of_games(self) -> None:
        """Do what the house does unasked in games; at such an hour it need not have done anything else."""
        self._house.see_to_returns()
        self._house.see_to_clocks()
        self._house.hand_cases_on()
        self._house.go_on_with_errands()

    def _chores_of_people(self) -> None:
        """Do what it does unasked for people, whatever they play."""
        self._house.see_to_returns()
        self._house.write_days()
        self._house.write_overviews()
        self._house.go_on_with_errands()
        self._house.ask_about_held()

    # what was done in a game without a letter

    def _act(self, game: int, kept: Sequence[KeptEvent]) -> Callable[[], object]:
        events = [read_event(each.kind, each.body) for each in kept]

        def do() -> None:
            first = events[0]
            if isinstance(first, Opened):
                self._open(first, events, game, kept[0].at)
            elif getattr(first, "in_all", False):
                self._house.go_on_with_errands()
                with suppress(UsageError):  # where the errand did it already
                    self._by_hand(game, events)
            elif self._is_an_act(events):
                self._by_hand(game, events)
            else:
                self._chores_of_games()

        return do

    @staticmethod
    def _is_an_act(events: Sequence[Event]) -> bool:
        return any(
            isinstance(
                each,
                Frozen
                | Thawed
                | TakenBack
                | TimeAdded
                | Stated
                | Replaced
                | ClaimAnswered
                | Watched
                | Unwatched
                | Withdrawn,
            )
            or (isinstance(each, Paused | Resumed) and each.cause == BY_UMPIRE)
            or (isinstance(each, Ruled) and each.by is not None)
            or (isinstance(each, Ended) and bool(ruling_of(each.result)))
            for each in events
        )

    def _open(self, opened: Opened, events: Sequence[Event], number: int, at: datetime) -> None:
        record = ""
        if opened.brought is not None:
            game = fold_game(number, events, self._rulebooks.__getitem__)
            assert game is not None
            notes = [self._kept.writings[each.text] for each in events if isinstance(each, Stated)]
            comments = "".join(f"; {line}\n" for note in notes for line in note.splitlines())
            record = game.rulebook.write_record(game.happenings, {}, None) + comments
        called = self._kept.titles[number].partition(": ")[2].split(" - ")
        seats = {}
        for (seat, player), name in zip(opened.seats.items(), called, strict=False):
            _, address = self._kept.persons.get(player, ("", ""))
            first = next(
                (
                    each.recipient
                    for each in self._kept.outgoing
                    if (each.player, each.game) == (player, number)
                ),
                address,
            )
            seats[seat] = ("" if name == seat.capitalize() else name, first)
        event = ""
        if opened.competition is not None:
            with self._store.reading() as lookup:
                event = lookup.competition(opened.competition).name
        deal = "" if record else opened.deal
        self._house.new_game(opened.rules, seats, opened.options, deal, event, record)

    def _by_hand(self, game: int, events: Sequence[Event]) -> None:
        event, done = events[0], events[-1]
        by = getattr(event, "by", None) or None
        put_back = next((each for each in events if isinstance(each, Ruled) and each.again), None)
        match event:
            case _ if put_back is not None:
                self._house.act(game, acts.Restore(), put_back.reason, by=put_back.by or None)
            case Frozen(reason=reason):
                self._house.freeze(game, reason)
            case Thawed():
                self._house.thaw(game)
            case TakenBack(turn, seat, reason):
                self._take_back(game, turn, seat, reason, by, events)
            case Paused(until=until, reason=reason):
                self._house.act(game, acts.Pause(until), reason, by=by, once=event.in_all)
            case Resumed(reason=reason):
                self._house.act(game, acts.Resume(), reason, by=by, once=event.in_all)
            case TimeAdded(seconds=seconds, reason=reason):
                whom = event.seat if len(events) == 1 else None
                time = timedelta(seconds=seconds)
                self._house.act(game, acts.AddTime(time, whom), reason, by=by, once=event.in_all)
            case Stated(text=text):
                self._house.act(game, acts.Rule(), self._kept.writings[text], by=by)
            case Replaced(seat=seat, player=player, reason=reason):
                self._house.replace_player(game, seat, self._kept.persons[player], reason, by=by)
            case ClaimAnswered(claim=claim, text=text, verdict=verdict, unchanged=unchanged):
                said = self._kept.writings[text]
                self._house.rule_on_case(game, claim, said, verdict, by=by, unchanged=unchanged)
            case Watched(player=player, delay=delay):
                name, address = self._kept.persons[player]
                self._house.watch(game, name, address, delay)
            case Unwatched(player=player):
                self._house.watch_no_more(game, self._kept.persons[player][1])
            case Withdrawn(reason=reason):
                self._house.act(game, acts.Close(), reason)
            case _ if isinstance(done, Ruled):
                self._house.act(game, acts.ActFor(done.seat, done.order), done.reason, by=done.by or None)
            case _ if isinstance(done, Ended):
                end = acts.Adjudicate(end_of(done.result))
                self._house.act(game, end, ruling_of(done.result), by=done.by, once=done.in_all)
            case _:
                raise ValueError(f"game {game}: nobody knows how {type(event).__name__} was done")

    def _take_back(
        self, game: int, turn: int, seat: Seat, reason: str, by: int | None, events: Sequence[Event]
    ) -> None:
        ruled = [each for each in events if isinstance(each, Ruled)]
        if not ruled:
            self._house.take_back(game, turn, reason, seat=seat, by=by)
        else:
            self._house.correct(game, ruled[0].order, reason, turn=turn, seat=seat, by=by)


def _is_caused(at: datetime, causes: Sequence[datetime]) -> bool:
    """Tell whether something was kept so soon after one of these times that it goes with it."""
    return any(cause <= at <= cause + _AT_A_TIME for cause in causes)
