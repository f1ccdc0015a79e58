"""An umpire's actions from the command line: begin, stop, change and end games, and let people watch.

Each is done in one transaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.policy import default

from referee.common.errors import GameUnreadable, UsageError
from referee.games import umpire_actions
from referee.games.decisions import open_game
from referee.games.events import Event, Frozen, Stated, Thawed, Unwatched, Verdict, Watched
from referee.games.game import Game
from referee.games.game_options import (
    MOST_TURNS_LATE,
    check_agreements,
    of_the_rules,
    tidy_agreements,
    watchers_of,
)
from referee.games.importing import Brought, comments_in, open_brought, opening_options, read_brought
from referee.games.player import Player
from referee.games.results import names_an_address
from referee.games.titles import write_title
from referee.handlers import (
    observers,
    replies,
)
from referee.handlers.former_addresses import who_left
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent
from referee.handlers.observers import MOST_WATCHED, MOST_WATCHERS
from referee.handlers.press import LONGEST_TEXT
from referee.handlers.umpire_actions import cases_settled
from referee.mail.message.addresses import is_service
from referee.mail.message.message import Kind
from referee.pipeline.runtime import Runtime
from referee.reports.report import Note
from referee.rulebooks.rulebook import Rulebook, Seat
from referee.service import umpiring
from referee.service.umpiring import Act, InEvent, Told
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import QueuedLetter, StoredCompetition


@dataclass(frozen=True, slots=True)
class _Agreed:
    """The terms of a new game.

    competition: the number of its tournament.
    brought: what was played of it elsewhere.
    """

    options: Mapping[str, str]
    deal: str
    competition: int | None
    brought: Brought | None


class UmpireService:
    """The operator's actions on games, from the command line."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._store = runtime.store
        self._service = runtime.service
        self._clock = runtime.clock

    def new_game(
        self,
        rules: str,
        seats: Mapping[Seat, tuple[str, str]],
        options: Mapping[str, str],
        deal: str = "",
        event: str = "",
        record: str = "",
    ) -> int:
        """Start a game for an umpire; return its number.

        seats: for every seat of the rulebook a name ("" when the player has none yet) and an address.
        event: the name of its tournament, whose terms apply; "" for none.
        record: of a game that was played elsewhere and continues here, or has ended there; the deal is then
            its own.
        Raises UsageError for impossible seats, options, deal or tournament; RecordRefused for such a record.
        """
        rulebook = self._service.rulebooks[rules]
        _check_seats(rulebook.seats, seats)
        if any(is_service(address, self._service.address) for _, address in seats.values()):
            raise UsageError(
                f"{self._service.address} is the referee's own address: it umpires and does not play."
            )
        agreed = self._agreed(rulebook, options, deal, event, record)
        now = self._clock.now()
        with self._store.unit() as unit:
            seated = {seat: self._seat_player(unit, *seats[seat]) for seat in rulebook.seats}
            if len({player.number for player in seated.values()}) < len(seated):
                raise UsageError("Two of these addresses are one player's: he would see both sides.")
            first = next(iter(seated.values()))
            work = self._runtime.work(unit, now, first, _at(now))
            number = unit.games.add(rules, now, competition=agreed.competition)
            names = [player.name or seat.capitalize() for seat, player in seated.items()]
            title = write_title(rulebook.title, number, names)
            unit.games.set_title(number, title)
            numbers = {seat: player.number for seat, player in seated.items()}
            events = self._opening(number, rulebook, agreed, numbers)
            if agreed.brought is not None and (notes := comments_in(rulebook, record, LONGEST_TEXT)):
                events.append(Stated(unit.writings.add(number, first.number, "ruling", 0, notes)))
            game = Game(number=number, rulebook=rulebook, status="proposed")
            for event_of_it in events:
                game = game.after(event_of_it)
            replies.keep_events(work, game, events, None)
            for seat, player in seated.items():
                kind: Kind = "result" if game.status == "ended" else "report"
                words = LetterContent(kind=kind, news=replies.news_of(game, seat))
                work.composer.to_player(player.number, words, game=game, title=title)
        self._runtime.remember({number: game})
        return number

    def _agreed(
        self, rulebook: Rulebook, options: Mapping[str, str], deal: str, event: str, record: str
    ) -> _Agreed:
        """Return the terms of a new game. Raises UsageError and RecordRefused; see `new_game`."""
        if "deal" in options:
            raise UsageError(
                "A deal is no option, since both players are told the options: set it with --deal."
            )
        # As letters do it: the commitment binds the agreed options character by character, and people who
        # check it type them. A
        # whole file, such as a scenario, stays as it is.
        options = tidy_agreements(
            {key.lower(): value if "\n" in value else value.lower() for key, value in options.items()}
        )
        competition = self._competition(event, rulebook.name, options) if event else None
        if competition is not None:
            options |= competition.terms.options
        brought = read_brought(rulebook, record) if record else None
        if brought is not None:
            options = opening_options(options, brought)
            deal = brought.deal
        ruled = of_the_rules(options)
        faults = [
            *rulebook.rules.check_options({**ruled, "deal": deal} if deal else ruled),
            *check_agreements(options),
        ]
        if faults:
            raise UsageError(" ".join(fault.sentence() for fault in faults))
        return _Agreed(options, deal, competition.number if competition is not None else None, brought)

    def _opening(
        self, number: int, rulebook: Rulebook, agreed: _Agreed, seats: Mapping[Seat, int]
    ) -> list[Event]:
        """Return the first events of a game: its opening, and what was played of it elsewhere."""
        secret = self._runtime.draws.secret()
        if agreed.brought is None:
            return [
                open_game(number, rulebook, agreed.options, seats, secret, agreed.deal, agreed.competition)
            ]
        return open_brought(
            number, rulebook, agreed.options, seats, secret, agreed.brought, agreed.competition
        )

    def _competition(self, name: str, rules: str, options: Mapping[str, str]) -> StoredCompetition:
        """Return the tournament of a new game. Raises UsageError when the game cannot belong to it."""
        with self._store.reading() as lookup:
            found = lookup.tournaments.find_named(name)
        if rules not in found.terms.rules:
            played = " and ".join(found.terms.rules)
            raise UsageError(f"The event {found.name} is played by the rules of {played}, not {rules}.")
        for key, said, agreed in found.terms.contradicts(options):
            raise UsageError(
                f"--option {key}={said}: the event {found.name} says {key}={agreed} for all its games."
            )
        return found

    def freeze(self, number: int, reason: str) -> None:
        """Stop a game for the time being, and tell both players why. reason: a sentence that they read.

        Raises UsageError when there is no such game, or it cannot be stopped.
        """
        with self._store.unit() as unit:
            work = umpires_work(self._runtime, unit, number)
            game = work.games.by_number[number]
            if game.frozen:
                raise UsageError(f"Game {number} is frozen already: {game.frozen}")
            if names_an_address(reason):
                raise UsageError("A reason holds no mail address, since it is published with the game.")
            self._say(work, number, Frozen(reason), Note("frozen", {"reason": reason}))

    def thaw(self, number: int) -> None:
        """Let a stopped game continue, and tell both players. Raises UsageError when it is not stopped."""
        with self._store.unit() as unit:
            work = umpires_work(self._runtime, unit, number)
            if not work.games.by_number[number].frozen:
                raise UsageError(f"Game {number} is not frozen.")
            self._say(work, number, Thawed(), Note("thawed"))

    def adjudicate(self, number: int, end: str, reason: str, settles: int | None = None) -> Game:
        """End a game by an umpire's ruling, and tell both players why; return the ended game. See `umpiring`.

        settles: a case of the game that the ruling settles; its player reads the reason.
        Raises UsageError when there is no such game, or it cannot be ended like this.
        """
        with self._store.unit() as unit:
            work = umpires_work(self._runtime, unit, number)
            game = umpiring.adjudicate(work, number, end, reason)
            if settles is not None:
                game = umpiring.rule_on_case(work, number, settles, "", reason)
        self._runtime.remember({number: game})
        return game

    def rule_on_case(
        self,
        number: int,
        case: int,
        answer: str,
        verdict: Verdict = "",
        *,
        by: int | None = None,
        unchanged: bool = False,
    ) -> None:
        """Rule on a case of a game, by a letter to the player who brought it. by, unchanged: see `umpiring`.

        Raises UsageError when there is no such case, or it waits for no ruling.
        """
        with self._store.unit() as unit:
            work = umpires_work(self._runtime, unit, number, over=True)
            game = umpiring.rule_on_case(work, number, case, verdict, answer, by, unchanged=unchanged)
        self._runtime.remember({number: game})

    def take_back(
        self,
        number: int,
        turn: int,
        reason: str,
        *,
        seat: Seat | None = None,
        by: int | None = None,
        dry: bool = False,
    ) -> Act:
        """Let a game continue from the beginning of an earlier turn; see `act`.

        seat: whose turn, None for the first in it.
        """
        return self.act(number, umpire_actions.TakeBack(turn, seat), reason, by=by, dry=dry)

    def correct(
        self,
        number: int,
        order: str,
        reason: str,
        *,
        turn: int | None = None,
        seat: Seat | None = None,
        by: int | None = None,
        dry: bool = False,
    ) -> Act:
        """Adjudicate another order in place of an earlier one; see `act`. turn: None for the last."""
        return self.act(number, umpire_actions.Correct(order, turn, seat), reason, by=by, dry=dry)

    def replace_player(
        self,
        number: int,
        seat: Seat,
        who: tuple[str, str],
        reason: str,
        *,
        by: int | None = None,
        dry: bool = False,
    ) -> Act:
        """Let another player take a seat; see `act`.

        who: a name ("" where the player has one) and an address; an unregistered person is registered.
        """
        if is_service(who[1], self._service.address):
            raise UsageError(f"{who[1]} is the referee's own address: it umpires and does not play.")

        def what(unit: UnitOfWork) -> umpire_actions.Act:
            return umpire_actions.Replace(seat, self._seat_player(unit, *who).number)

        return self.act(number, what, reason, by=by, dry=dry)

    def act(
        self,
        number: int,
        what: umpire_actions.Act | Callable[[UnitOfWork], umpire_actions.Act],
        reason: str,
        *,
        by: int | None = None,
        dry: bool = False,
        once: bool = False,
    ) -> Act:
        """Execute an umpire's action in a game, and tell everyone concerned.

        by: the number of the acting officer, None for the operator.
        dry: only return what would be told.
        once: skip it where it was done recently.
        Raises UsageError where it is impossible.
        """
        with self._store.trial() if dry else self._store.unit() as unit:
            work = umpires_work(
                self._runtime, unit, number, over=True, proposed=isinstance(what, umpire_actions.Close)
            )
            work.request.player = Player(number=0, name="", address="", language=self._service.language)
            action = what(unit) if callable(what) else what
            settles = cases_settled(work, work.games.by_number[number], action) if not once else ()
            game = umpiring.act(work, number, action, reason, by, once=once)
            told = tuple(_told(unit, letter) for letter in unit.outbox.queued)
        if not dry:
            self._runtime.remember({number: game})
        return Act(game, told, settles)

    def act_in_event(
        self, event: str, what: umpire_actions.Act, reason: str, *, by: int | None = None, dry: bool = False
    ) -> list[InEvent]:
        """Execute an action in all running games of a tournament, each in a transaction; return each result.

        Games in which it was done already are skipped, so that an interrupted action can be repeated. by,
        dry: as in `act`.
        Raises UsageError for an unknown tournament.
        """
        with self._store.reading() as lookup:
            found = lookup.tournaments.find_named(event)
            rows = lookup.games.all(("playing",), competition=found.number)
            called = lookup.players.find(by).name if by is not None else ""
        if by is not None and all(each.player != by for each in found.officers):
            raise UsageError(f"{called or f'Player {by}'} has no office in {found.name}.")
        became = []
        for row in rows:
            try:
                done = self.act(row.number, what, reason, by=by, dry=dry, once=True)
            except (UsageError, GameUnreadable) as error:
                became.append(InEvent(row.number, str(error)))
            else:
                became.append(InEvent(row.number, "", done.told))
        return became

    def watch(self, number: int, name: str, address: str, delay: int | None = None) -> None:
        """Let a person watch a game whose players have agreed to it, and send them the first letter.

        name: the person's name, "" for a player who has given one.
        delay: the delay in turns, at least the agreed one; None for that.
        Raises UsageError for impossible values.
        """
        with self._store.unit() as unit:
            work = umpires_work(self._runtime, unit, number)
            game = work.games.by_number[number]
            agreed = watchers_of(game.options)
            if agreed is None:
                raise UsageError(
                    f"Nobody may watch game {number}: its players have not agreed to it (--option watchers=on with "
                    "`referee new`, or in a challenge)."
                )
            if delay is not None and not agreed <= delay <= MOST_TURNS_LATE:
                raise UsageError(f"Game {number} may be watched {agreed} to {MOST_TURNS_LATE} turns late.")
            known = unit.players.by_address(address)
            named = unit.players.named(name) if known is None or not known.name else []
            if any(known is None or each.number != known.number for each in named):
                raise UsageError(f"Somebody else is called {name} here, or has a name that looks like it.")
            who = self._seat_player(unit, name, address)
            if not who.name:
                raise UsageError(
                    f'The players are told who watches: name {address}, --who "NAME <{address}>".'
                )
            if game.seat_of(who.number) is not None:
                raise UsageError(f"{who.name} plays in game {number}.")
            if who.number in game.watchers:
                raise UsageError(f"{who.name} watches game {number} already.")
            if len(game.watchers) >= MOST_WATCHERS or len(unit.games.watched_by(who.number)) >= MOST_WATCHED:
                raise UsageError(
                    f"{MOST_WATCHERS} players may watch a game, and a player {MOST_WATCHED} games at a time."
                )
            begun = Watched(who.number, agreed if delay is None else delay)
            game = work.apply_events(game, begun)
            replies.keep_events(work, game, [begun], None)
            here = work.composer.standpoint(game, who.number)
            words = LetterContent(kind="report", news=observers.news_of(game, here))
            work.composer.to_player(who.number, words, game=game, title=work.games.titles[number])

    def watch_no_more(self, number: int, address: str) -> None:
        """Let an observer watch a game no longer, and tell them. Raises UsageError when they do not watch it."""
        with self._store.unit() as unit:
            row, who = unit.games.get(number), unit.players.by_address(address)
            now = self._clock.now()
            if row is None or who is None:
                raise UsageError(f"{address} does not watch game {number}.")
            work = self._runtime.work(unit, now, who, _at(now))
            game = work.games.load(number)
            if game is None or who.number not in game.watchers:
                raise UsageError(f"{address} does not watch game {number}.")
            game = observers.leave(work, game)
            replies.keep_events(work, game, [Unwatched(who.number)], None)
            words = LetterContent(kind="notice", notes=(Note("unwatched", {"game": number}),))
            work.composer.to_player(who.number, words)

    def _say(self, work: HandlerContext, number: int, event: Event, note: Note) -> None:
        """Apply an event caused by the umpire, and give every seat notice of it."""
        game = work.apply_events(work.games.by_number[number], event)
        replies.keep_events(work, game, [event], None)
        for seat, player in game.seats.items():
            words = LetterContent(kind="notice", news=replies.news_of(game, seat), notes=(note,))
            work.composer.to_player(player, words, game=game, title=work.games.titles[number])

    def _seat_player(self, unit: UnitOfWork, name: str, address: str) -> Player:
        player = unit.players.by_address(address)
        if player is None:
            if who_left(unit, address, self._clock.now()) is not None:
                raise UsageError(
                    f"{address} was a player's until lately, who can go back to it for some days yet: seat the player "
                    "by the new address, or wait."
                )
            if name and unit.players.named(name):
                raise UsageError(
                    f"Somebody else is called {name}, or has a name that looks like it: give another name."
                )
            return unit.players.add(name, address, self._service.language)
        if name and not player.name:
            unit.players.change(player.number, name=name)
            return unit.players.find(player.number)
        return player


def umpires_work(
    runtime: Runtime, unit: UnitOfWork, number: int, *, over: bool = False, proposed: bool = False
) -> HandlerContext:
    """Return an umpire's work on a game; no letter asked for it.

    The game must be running; over: or finished; proposed: or only proposed.
    """
    row = unit.games.get(number)
    if row is None:
        raise UsageError(f"There is no game {number}.")
    statuses = ("playing", *(["ended"] if over else []), *(["proposed"] if proposed else []))
    if row.status not in statuses:
        raise UsageError(f"Game {number} is not being played ({row.status}).")
    seated = unit.players.find(next(iter(row.seats.values()), row.proposed_by or 0))
    now = runtime.clock.now()
    work = runtime.work(unit, now, seated, _at(now))
    work.games.load(number)
    return work


def _at(now: datetime) -> str:
    """Return the cause of letters about an umpire's own actions: no letter asked for them, and each is done once."""
    return f"the umpire, {now.isoformat()}"


def _told(unit: UnitOfWork, letter: QueuedLetter) -> Told:
    """Return a letter as an umpire is shown it."""
    name = unit.players.find(letter.player).name if letter.player is not None else ""
    body = message_from_bytes(letter.content, policy=default).get_body(("plain",))
    text = body.get_content() if body is not None else ""
    return Told(
        letter.player or 0, name or (letter.seat or "").capitalize() or letter.recipient, letter.subject, text
    )


def _check_seats(wanted: Sequence[Seat], seats: Mapping[Seat, tuple[str, str]]) -> None:
    for seat in seats:
        if seat not in wanted:
            raise UsageError(f"There is no seat {seat}; the seats are {' and '.join(wanted)}.")
    for seat in wanted:
        if seat not in seats:
            raise UsageError(f"Nobody sits on {seat}: add --seat {seat}=ADDRESS.")
    seated = Counter(address.lower() for _, address in seats.values())
    for address, times in seated.items():
        if times > 1:
            raise UsageError(f"{address} cannot sit on two seats: he would see both sides.")
