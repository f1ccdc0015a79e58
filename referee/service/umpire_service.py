"""What an umpire does by hand, each in a transaction: games are begun, stopped, changed and ended, and watched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.policy import default

from referee.common.errors import GameUnreadable, UsageError
from referee.games import umpire_actions
from referee.games.decisions import open_game
from referee.games.events import Event, Frozen, Stated, Thawed, Unwatched, Verdict, Watched
from referee.games.game import AnyRulebook, Game
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
from referee.handlers.composer import LetterContent
from referee.handlers.former_addresses import who_left
from referee.handlers.handler_context import HandlerContext
from referee.handlers.observers import MOST_WATCHED, MOST_WATCHERS
from referee.handlers.press import LONGEST_TEXT
from referee.handlers.umpire_actions import cases_settled
from referee.mail.message.addresses import is_service
from referee.mail.message.message import Kind
from referee.pipeline.runtime import Runtime
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat
from referee.service import umpiring
from referee.service.umpiring import Act, InEvent, Told
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import QueuedLetter, StoredCompetition


@dataclass(frozen=True, slots=True)
class _Agreed:
    """On what a game is begun. competition: the number of its event. brought: what was played of it elsewhere."""

    options: Mapping[str, str]
    deal: str
    competition: int | None
    brought: Brought | None


class UmpireService:
    """What whoever runs the service does to games, from the command line."""

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

        seats: for every seat of the rulebook a name ("" when he has none yet) and an address. event: the name of that
        which it belongs to, "" for none; it is played on the event's terms. record: of a game that was played elsewhere
        and goes on here, or has ended there; the deal is then its own.
        Raises UsageError for seats, options, a deal or an event that cannot be; RecordRefused for such a record.
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
                work.post.to_player(player.number, words, game=game, title=title)
        self._runtime.remember({number: game})
        return number

    def _agreed(
        self, rulebook: AnyRulebook, options: Mapping[str, str], deal: str, event: str, record: str
    ) -> _Agreed:
        """Return on what a new game is played, as it was given. Raises UsageError and RecordRefused; see `new_game`."""
        if "deal" in options:
            raise UsageError(
                "A deal is no option, since both players are told the options: set it with --deal."
            )
        # As letters do it: what is agreed is bound by the commitment letter by letter, and whoever checks it types it.
        # A whole file, as of a scenario, stays as it is.
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
            *rulebook.check_options({**ruled, "deal": deal} if deal else ruled),
            *check_agreements(options),
        ]
        if faults:
            raise UsageError(" ".join(fault.sentence() for fault in faults))
        return _Agreed(options, deal, competition.number if competition is not None else None, brought)

    def _opening(
        self, number: int, rulebook: AnyRulebook, agreed: _Agreed, seats: Mapping[Seat, int]
    ) -> list[Event]:
        """Return the events with which a game begins: its opening, and what was played of it elsewhere."""
        secret = self._runtime.draws.secret()
        if agreed.brought is None:
            return [
                open_game(number, rulebook, agreed.options, seats, secret, agreed.deal, agreed.competition)
            ]
        return open_brought(
            number, rulebook, agreed.options, seats, secret, agreed.brought, agreed.competition
        )

    def _competition(self, name: str, rules: str, options: Mapping[str, str]) -> StoredCompetition:
        """Return the event that a new game is to belong to. Raises UsageError when it cannot."""
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

        Raises UsageError when there is no such game, or none that could be stopped.
        """
        with self._store.unit() as unit:
            work = umpires_work(self._runtime, unit, number)
            game = work.games[number]
            if game.frozen:
                raise UsageError(f"Game {number} is frozen already: {game.frozen}")
            if names_an_address(reason):
                raise UsageError("A reason holds no mail address, since it is published with the game.")
            self._say(work, number, Frozen(reason), Note("frozen", {"reason": reason}))

    def thaw(self, number: int) -> None:
        """Let a game go on that was stopped, and tell both players. Raises UsageError when it is not stopped."""
        with self._store.unit() as unit:
            work = umpires_work(self._runtime, unit, number)
            if not work.games[number].frozen:
                raise UsageError(f"Game {number} is not frozen.")
            self._say(work, number, Thawed(), Note("thawed"))

    def adjudicate(self, number: int, end: str, reason: str, settles: int | None = None) -> Game:
        """End a game by an umpire's ruling, and tell both players why; return it as it is then. See `umpiring`.

        settles: a case of the game that is ruled on by it, whose player reads the reason. Raises UsageError when there
        is no such game, or it cannot be ended so.
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
        """Rule on a case of a game, by a letter to whoever has brought it. by, unchanged: see `umpiring`.

        Raises UsageError when there is no such case, or nobody has to rule on it.
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
        """Let a game go on from the beginning of an earlier turn; see `act`. seat: whose, None for the first in it."""
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
        """Rule on another order in the place of one that was ruled on; see `act`. turn: None for the last."""
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
        """Let another player take a seat; see `act`. who: a name ("" where he has one) and an address; he is registered
        if he is not."""
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
        """Do an umpire's act in a game, and tell all who are to hear of it.

        by: the number of the officer who does it, None for whoever runs the service. dry: only say what would be told.
        once: not where it was done lately. Raises UsageError where it cannot be done.
        """
        with self._store.trial() if dry else self._store.unit() as unit:
            work = umpires_work(
                self._runtime, unit, number, over=True, proposed=isinstance(what, umpire_actions.Close)
            )
            work.player = Player(number=0, name="", address="", language=self._service.language)
            deed = what(unit) if callable(what) else what
            settles = cases_settled(work, work.games[number], deed) if not once else ()
            game = umpiring.act(work, number, deed, reason, by, once=once)
            told = tuple(_told(unit, letter) for letter in unit.outbox.queued)
        if not dry:
            self._runtime.remember({number: game})
        return Act(game, told, settles)

    def act_in_event(
        self, event: str, what: umpire_actions.Act, reason: str, *, by: int | None = None, dry: bool = False
    ) -> list[InEvent]:
        """Do an act in all games of an event that are being played, each in a transaction; return what became of each.

        Where it was done already nothing is done, so that it can be given again after it was broken off. by, dry: as in
        `act`. Raises UsageError for an event that is none.
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
        """Let somebody watch a game, as its players have agreed that others may; he gets his first letter.

        name: what he is called, "" for a player who has given his name. delay: so many turns late he hears of them, no
        fewer than was agreed; None for just that. Raises UsageError for what cannot be.
        """
        with self._store.unit() as unit:
            work = umpires_work(self._runtime, unit, number)
            game = work.games[number]
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
            game = work.happen(game, begun)
            replies.keep_events(work, game, [begun], None)
            here = work.post.standpoint(game, who.number)
            words = LetterContent(kind="report", news=observers.news_of(game, here))
            work.post.to_player(who.number, words, game=game, title=work.titles[number])

    def watch_no_more(self, number: int, address: str) -> None:
        """Let somebody watch a game no more; he is told. Raises UsageError when he does not watch it."""
        with self._store.unit() as unit:
            row, who = unit.games.get(number), unit.players.by_address(address)
            now = self._clock.now()
            if row is None or who is None:
                raise UsageError(f"{address} does not watch game {number}.")
            work = self._runtime.work(unit, now, who, _at(now))
            game = work.game(number)
            if game is None or who.number not in game.watchers:
                raise UsageError(f"{address} does not watch game {number}.")
            game = observers.leave(work, game)
            replies.keep_events(work, game, [Unwatched(who.number)], None)
            words = LetterContent(kind="notice", notes=(Note("unwatched", {"game": number}),))
            work.post.to_player(who.number, words)

    def _say(self, work: HandlerContext, number: int, event: Event, note: Note) -> None:
        """Let an event of the umpire's come to pass, and give every seat notice of it."""
        game = work.happen(work.games[number], event)
        replies.keep_events(work, game, [event], None)
        for seat, player in game.seats.items():
            words = LetterContent(kind="notice", news=replies.news_of(game, seat), notes=(note,))
            work.post.to_player(player, words, game=game, title=work.titles[number])

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
    """Return work of the umpire's own on a game that is being played; no letter asked for it. over: or was;
    proposed: or only that."""
    row = unit.games.get(number)
    if row is None:
        raise UsageError(f"There is no game {number}.")
    statuses = ("playing", *(["ended"] if over else []), *(["proposed"] if proposed else []))
    if row.status not in statuses:
        raise UsageError(f"Game {number} is not being played ({row.status}).")
    seated = unit.players.find(next(iter(row.seats.values()), row.proposed_by or 0))
    now = runtime.clock.now()
    work = runtime.work(unit, now, seated, _at(now))
    work.game(number)
    return work


def _at(now: datetime) -> str:
    """Return the cause of letters about what the umpire does himself: no letter asked for it, and it is done once."""
    return f"the umpire, {now.isoformat()}"


def _told(unit: UnitOfWork, letter: QueuedLetter) -> Told:
    """Return a letter as an umpire is shown what is told by it."""
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
    addresses = [address.lower() for _, address in seats.values()]
    if len(set(addresses)) < len(addresses):
        raise UsageError(f"{addresses[0]} cannot sit on two seats: he would see both sides.")
