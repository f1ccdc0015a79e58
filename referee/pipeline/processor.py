"""The house: letters are taken in and settled here, one transaction each, and games are begun.

What happens to one letter is told in `way`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from email import message_from_bytes
from email.policy import default

import structlog

from referee import umpiring
from referee.commands.command_table import TOPICS
from referee.commands.grammar import Grammar
from referee.common.chance import Draws, SystemDraws
from referee.common.clock import Clock
from referee.common.errors import Contested, GameUnreadable, StoreUnreachable, UsageError
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
from referee.games.importing import comments_in, open_brought, opening_options, read_brought
from referee.games.player import Player
from referee.games.results import names_an_address
from referee.games.titles import write_title
from referee.handlers import (
    bulk_actions,
    cases,
    digests,
    drafts,
    handing_on,
    observers,
    overview_mails,
    replies,
    timeouts,
)
from referee.handlers.composer import Composer, LetterContent, ServiceConfig
from referee.handlers.delivery_failures import (
    TRY_AGAIN_AFTER,
    came_back,
    name_letter,
    notice_came_back,
    tell_of_delay,
)
from referee.handlers.former_addresses import CONFIRMED_WITHIN, who_left
from referee.handlers.handler_context import HandlerContext
from referee.handlers.observers import MOST_WATCHED, MOST_WATCHERS
from referee.handlers.press import LONGEST_TEXT
from referee.handlers.private_orders import is_confided
from referee.handlers.umpire_actions import cases_settled
from referee.mail.message.addresses import is_service
from referee.mail.message.message import Kind, RawLetter
from referee.mail.message.outline import read_outline
from referee.mail.message.refusals import read_refusal
from referee.pipeline import held
from referee.pipeline.game_resolver import seems_about
from referee.pipeline.letter_context import Disposition, LetterContext
from referee.pipeline.stages import give_up, process_letter
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat
from referee.store.database import Store
from referee.store.letter_ordering import PassedOver
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import Errand, Outcome, QueuedLetter, SentLetter, StoredCompetition, StoredLetter
from referee.umpiring import Act, InEvent, Told

log = structlog.get_logger()

CLOCK_PROVED = timedelta(days=1)
"""So long the clock must have gone regularly before anything is erased by its age."""
COUNTS_KEPT = timedelta(days=30)
"""How long counts are kept: longer than any limit goes back."""
PARTINGS_KEPT = timedelta(days=365)
"""How long it is kept that there was a player of an address who has left."""
TRIES_BEFORE_TOLD = 5
"""Tries, over some twenty minutes, after which the operator is told what a mail host wants of this service."""
RETURNS_TOGETHER = 50
"""Letters that did not arrive which are seen to at a time."""
TOO_OFTEN_UNCERTAIN = 2
"""A letter that was perhaps taken so often is one of which the operator hears."""
DAYS_TOGETHER = 50
"""Letters with the news of a day that are written at a time."""
CLOCK_PUT_OFF = timedelta(hours=1)
"""After which a clock is looked at again whose game cannot be read; or an overview, or a draft."""
CLOCKS_TOGETHER = 50
"""Clocks that are looked at at a time."""
MOST_ENDS = 5
"""At so many unclean ends a letter may have been in hand; after these it is not heard any more, but set aside."""
GAMES_KEPT = 500
"""Games kept in memory as last committed, so that a move need not fold its game anew. To fold one takes a few
milliseconds; to keep one, up to a hundred kilobytes or two."""


@dataclass(frozen=True, slots=True)
class ProcessingResult:
    """What became of a letter. moves: orders ruled on. refused: nothing in it could be taken."""

    number: int
    outcome: Outcome
    reason: str = ""
    game: int | None = None
    moves: int = 0
    refused: bool = False


class LetterProcessor:
    """The referee's house: takes letters in and settles them, one at a time."""

    def __init__(
        self, store: Store, service: ServiceConfig, clock: Clock, draws: Draws | None = None
    ) -> None:
        self._store = store
        self._service = service
        self._clock = clock
        self._draws = draws or SystemDraws()
        self._games: OrderedDict[int, Game] = OrderedDict()
        self._passed_over = PassedOver()
        self._failed: dict[int, frozenset[str]] = {}
        """Letters that have made the house fail just now, and what each is about."""
        self._grammar = Grammar(
            looks_like_order=self._looks_like_order,
            rules=tuple(service.rulebooks),
            topics=TOPICS,
            is_confided=self._is_confided,
        )

    def _looks_like_order(self, text: str) -> bool:
        return any(rulebook.looks_like_order(text) for rulebook in self._service.rulebooks.values())

    def _is_confided(self, text: str) -> bool:
        return any(is_confided(rulebook, text) for rulebook in self._service.rulebooks.values())

    def take_in(self, letters: Sequence[RawLetter]) -> int:
        """Record letters as they lay in the mailbox, each once; return how many are new."""
        return len(self._store.incoming.record(letters))

    def waiting(self, most: int) -> Iterator[list[int]]:
        """Go through the letters to be settled, in their order: yield their numbers, up to `most` at a time."""
        numbers = self._store.incoming.waiting(most)
        suspected = {number: self._seems_about(number) for number in self._store.incoming.suspects()}
        self._passed_over.begin(min(numbers, default=0), suspected | self._failed)
        while numbers:
            yield numbers
            numbers = self._store.incoming.waiting(most, after=numbers[-1])

    @property
    def has_passed_over(self) -> bool:
        """Whether letters had to wait for what another process has in hand since `waiting` was asked."""
        return self._passed_over.contested

    def waits_its_turn(self, number: int) -> bool:
        """Tell whether a letter had to wait for earlier ones about the same, in this going-through."""
        return self._passed_over.has(number)

    def put_off(self, number: int) -> None:
        """Hear a letter later that has just made the house fail; later ones about the same wait for it."""
        self._failed[number] = about = self._seems_about(number)
        self._passed_over.add(number, about)

    def is_put_off(self, number: int) -> bool:
        """Tell whether a letter is put off."""
        return number in self._failed

    def take_up_again(self) -> bool:
        """Let letters that are put off be tried again; tell whether any letter waits for others."""
        self._failed.clear()
        return self._passed_over.any_waits

    def _seems_about(self, number: int) -> frozenset[str]:
        """Return what a letter is about that cannot be heard now, as far as that can be told."""
        about: frozenset[str] = frozenset()
        with self._apart("what a letter is about cannot be told", letter=number):
            outline = read_outline(self._store.incoming.head(number), self._service.address)
            with self._store.reading() as lookup:
                about = seems_about(lookup, outline)
        return about

    def settle(self, number: int) -> ProcessingResult | None:
        """Bring a recorded letter to its outcome. None when it has one already, or another process has it in hand.

        Raises Contested when it has to wait for an earlier one about the same, which is put off, or which another
        process has in hand.
        """
        return self._settle(number, process_letter)

    def suspects(self) -> list[int]:
        """Return the numbers of letters by which the service may have ended, several times; `waiting` has not these."""
        return self._store.incoming.suspects()

    def settle_suspect(self, number: int) -> ProcessingResult | None:
        """Bring a letter to its outcome by which the service may end; it is set aside when it has done so too often.

        For the rest see `settle`.
        """
        with self._store.incoming.trying(number) as ends:
            if ends is None:
                return None
            if ends <= MOST_ENDS:
                return self.settle(number)
            reason = f"the service has ended {ends - 1} times with it in hand"
            is_tried = ends == MOST_ENDS + 1
            return self.give_up(number, reason, tell=is_tried, read=is_tried)

    def give_up(self, number: int, reason: str, *, tell: bool, read: bool = True) -> ProcessingResult | None:
        """Set a letter aside that has made the house fail too often. tell: its writer hears of it, if he is known.
        read: False for one of which not even the header can be read."""
        return self._settle(number, lambda hearing: give_up(hearing, reason, tell=tell, read=read))

    def settle_again(self, number: int) -> ProcessingResult:
        """Settle a letter once more that was held or set aside, now that its cause is mended.

        It is heard as if it came in now, save that no move in it counts when its game has gone on. Raises UsageError
        for a letter with which that cannot be done, Contested when one about the same is just being heard.
        """
        with self._store.hearing(number, PassedOver()) as unit:
            stored = unit.letters.get(number, decided=True)
            if stored is None:
                raise UsageError(f"There is no letter {number}, or it is just being settled.")
            _check_unsettled(stored, ("set-aside", "held"), "settled again")
            if not stored.digest:
                raise UsageError(
                    f"The mailbox does not hand letter {number} over; see what is wrong with it there. It is asked for "
                    "again each hour, and when the service starts."
                )
            if stored.content is None or stored.too_large:
                raise UsageError(
                    f"Letter {number} was never taken in as a whole; see `referee letters show {number}`, "
                    "mend the cause and put the letter back into the mailbox."
                )
            hearing = self._hearing(unit, stored)
            end = self._bring(unit, hearing, number, process_letter)
        return self._settled(number, hearing, end)

    def drop(self, number: int, reason: str) -> None:
        """Give a letter up that was set aside: it stays recorded, as ignored, with the operator's reason and the
        old one. Raises UsageError for a letter that was not set aside, save one that may have ended the service."""
        is_suspect = number in self._store.incoming.suspects()
        with self._store.unit() as unit:
            stored = unit.letters.get(number, decided=True)
            line = unit.letters.summary(number)
            if stored is None or line is None:
                raise UsageError(f"There is no letter {number}, or it is just being settled.")
            if not is_suspect:
                _check_unsettled(stored, ("set-aside",), "given up")
            before = (
                f"it was set aside: {line.reason}" if stored.outcome else "the service may have ended by it"
            )
            unit.letters.conclude(
                number,
                outcome="ignored",
                reason=f"given up by the operator: {reason}; {before}",
                game=line.game,
                commands=line.commands,
                sender=line.sender,
            )

    def tell_operator(self, note: Note) -> None:
        """Write to the operator, if the settings name one; at most once an hour about one kind of thing."""
        if not self._service.operator:
            return
        with self._store.unit() as unit:
            now = self._clock.now()
            Composer(unit, self._service, now, self._draws, note.code).to_operator(note)

    @contextmanager
    def _apart(
        self, failed: str, put_off: Callable[[UnitOfWork, str], object] | None = None, **which: object
    ) -> Iterator[None]:
        """Do one of several things so that it keeps none of the others from being done, whatever is damaged there; the
        log is told that it failed. put_off: what is kept then, so that it does not fail every minute; it gets the kind
        of the error. Raises StoreUnreachable.
        """
        try:
            yield
        except Contested:
            return  # another process does it
        except StoreUnreachable:
            raise
        except Exception as error:
            kind = type(error).__name__
            log.exception(failed, error=kind, exc_info=False, **which)
            if put_off is not None:
                with self._store.unit() as unit:
                    put_off(unit, kind)

    def see_to_returns(self) -> None:
        """Deal with letters that a mail host has refused, and send those once more that came back only once."""
        with self._store.reading() as lookup:
            refused = lookup.deliveries.refused(RETURNS_TOGETHER)
            put_off = lookup.deliveries.put_off(TRIES_BEFORE_TOLD, RETURNS_TOGETHER)
            again = lookup.deliveries.returned_once(self._clock.now() - TRY_AGAIN_AFTER, RETURNS_TOGETHER)
        for sent, answer, tries in refused:
            self._see_to_return(sent, answer, tries)
        self._see_to_delays(put_off)
        for who, about, number, lost in again:
            with self._apart("a letter cannot be sent once more", letter=lost), self._store.unit() as unit:
                post = Composer(unit, self._service, self._clock.now(), self._draws, lost)
                post.copy(who, about, number, None, lost=lost)

    def tell_of_uncertain(self) -> None:
        """Tell the operator of letters that a mail server has perhaps taken more than once, and does not say so."""
        with self._store.reading() as lookup:
            found = lookup.deliveries.perhaps_taken(TOO_OFTEN_UNCERTAIN, RETURNS_TOGETHER)
        letters = tuple(name_letter(sent) for sent in found if sent.player is not None)
        if letters:
            self.tell_operator(Note("letters-uncertain", {"uncertain": letters}))

    def _see_to_return(self, sent: SentLetter, answer: str, tries: int) -> None:
        with self._apart("a letter that did not arrive cannot be seen to", letter=sent.message_id):
            with self._store.unit() as unit:
                if sent.player is None:
                    if notice_came_back(unit, self._service.operator, sent, self._clock.now()):
                        log.error("a notice to the operator was refused; it is tried again", answer=answer)
                    return
                player = unit.players.find(sent.player)
                now, cause = self._clock.now(), sent.message_id
                work = HandlerContext(unit, self._service, now, player, self._games, self._draws, cause)
                came_back(work, sent, read_refusal(answer), given_up=tries > 1)
            self._remember(work.games)

    def _see_to_delays(self, put_off: Sequence[tuple[SentLetter, str]]) -> None:
        """Tell the operator of a letter that is refused for now, again and again, on account of this service."""
        for sent, answer in put_off:
            refusal = read_refusal(answer)
            if sent.player is None or not refusal.cure:
                continue
            failed = "it cannot be told that a letter is put off"
            with self._apart(failed, letter=sent.message_id), self._store.unit() as unit:
                now, player = self._clock.now(), unit.players.find(sent.player)
                work = HandlerContext(
                    unit, self._service, now, player, self._games, self._draws, sent.message_id
                )
                tell_of_delay(work, sent, refusal)
            return  # one in a day is told

    def write_days(self) -> None:
        """Write the letters with the news of a day that are due, each in a transaction, and plan the next."""
        now, hour = self._clock.now(), self._service.digest_hour
        with self._store.reading() as lookup:
            waiting = lookup.digests.due(now, now + digests.FAR_AHEAD, DAYS_TOGETHER)
        for number, at in waiting:
            self._write_day(number, at, now, hour)

    def _write_day(self, number: int, at: datetime, now: datetime, hour: int) -> None:
        def put_off(unit: UnitOfWork, _: str) -> None:
            unit.digests.plan(number, now + CLOCK_PUT_OFF)

        failed = "the news of a day cannot be written"
        with self._apart(failed, put_off, player=number), self._store.unit() as unit:
            player, last = unit.players.find(number), unit.digests.last(number)
            then = digests.next_time(now, last, player.zone, hour)
            if not unit.digests.take(number, at, then) or at > now or digests.is_close(now, last):
                return
            cause = f"the day of player {number}, {at.isoformat()}"
            if digests.write(
                HandlerContext(unit, self._service, now, player, self._games, self._draws, cause)
            ):
                unit.digests.mark_written(number, digests.next_time(now, now, player.zone, hour))

    def write_overviews(self) -> None:
        """Write the overviews that are due to officers, each in a transaction, and plan the next."""
        now, hour = self._clock.now(), self._service.digest_hour
        with self._store.reading() as lookup:
            waiting = lookup.overviews.due(now, now + overview_mails.FAR_AHEAD, DAYS_TOGETHER)
        for number, at in waiting:
            self._write_overview(number, at, now, hour)

    def _write_overview(self, number: int, at: datetime, now: datetime, hour: int) -> None:
        def put_off(unit: UnitOfWork, _: str) -> None:
            unit.overviews.plan(number, now + CLOCK_PUT_OFF)

        failed = "an overview cannot be written"
        with self._apart(failed, put_off, player=number), self._store.unit() as unit:
            player, last = unit.players.find(number), unit.overviews.last(number)
            then = overview_mails.next_time(now, last, player, hour)
            if not unit.overviews.take(number, at, then) or at > now or digests.is_close(now, last):
                return
            cause = f"the overview of player {number}, {at.isoformat()}"
            work = HandlerContext(unit, self._service, now, player, self._games, self._draws, cause)
            if overview_mails.write(work):
                unit.overviews.mark_written(number, overview_mails.next_time(now, now, player, hour))

    def hand_cases_on(self) -> None:
        """Send cases that wait to whoever hears them by now, and was not sent them; each in a transaction."""
        operator = bool(self._service.operator)
        with self._store.reading() as lookup:
            found = handing_on.unsent(lookup, self._clock.now(), operator=operator)
        for number, case in found:
            with (
                self._apart("a case cannot be handed on", game=number, case=case),
                self._store.unit() as unit,
            ):
                work = self._umpires_work(unit, number, over=True)
                cases.hand_on(work, work.games[number], case)

    def see_to_clocks(self) -> None:
        """Start the clocks of players whose letters were accepted, and see to it where somebody's time is up; each in a
        transaction."""
        now = self._clock.now()
        with self._store.reading() as lookup:
            found = lookup.clocks.due(now, CLOCKS_TOGETHER)
        for number, seat in found:
            self._see_to_clock(number, seat, now)

    def _see_to_clock(self, number: int, seat: Seat, now: datetime) -> None:
        def put_off(unit: UnitOfWork, kind: str) -> None:
            unit.clocks.put_off(number, seat, now + CLOCK_PUT_OFF, kind)

        with self._apart("a clock cannot be looked at", put_off, game=number):
            with self._store.unit() as unit:
                row = unit.games.get(number)
                if row is None or not row.seats:
                    return
                player = unit.players.find(next(iter(row.seats.values())))
                cause = f"the clock of {seat} in game {number}, {now.isoformat()}"
                work = HandlerContext(unit, self._service, now, player, self._games, self._draws, cause)
                timeouts.look(work, number, seat)
            self._remember(work.games)

    def carry_drafts_out(self) -> None:
        """Carry out the drafted turns whose time has come, each in a transaction."""
        now = self._clock.now()
        with self._store.reading() as lookup:
            found = lookup.drafts.due(now, CLOCKS_TOGETHER)
        for number, seat in found:
            self._carry_draft_out(number, seat, now)

    def _carry_draft_out(self, number: int, seat: Seat, now: datetime) -> None:
        def put_off(unit: UnitOfWork, _: str) -> None:
            unit.drafts.hold(number, seat, now + CLOCK_PUT_OFF)

        with self._apart("a drafted turn cannot be carried out", put_off, game=number):
            with self._store.unit() as unit:
                row = unit.games.get(number)
                due_at = unit.drafts.due_at(number, seat)
                if row is None or due_at is None or due_at > now or seat not in row.seats:
                    return
                player = unit.players.find(row.seats[seat])
                cause = f"the draft of {seat} in game {number}, {due_at.isoformat()}"
                # It counts as of when it was due, however late the house comes to it.
                work = HandlerContext(
                    unit,
                    self._service,
                    now,
                    player,
                    self._games,
                    self._draws,
                    cause,
                    received=due_at,
                    heard=due_at,
                )
                drafts.carry_out_due(work, number, seat)
            self._remember(work.games)

    def looked(self, at: datetime | None = None) -> None:
        """Keep that the mailbox was looked into, and all that lay there was taken in: while it is not, nobody's time
        runs. at: when that look began; now without it."""
        self._store.looked(self._service.time.outage_after, at)

    def ask_about_held(self) -> None:
        """Ask players about letters in their names that came when they had been asked about others that day, or about
        which a clock that was wrong has asked them."""
        self._store.retention.ask_again(CLOCK_PROVED, held.CONFIRMED_WITHIN)
        since = self._clock.now() - held.CONFIRMED_WITHIN
        with self._store.reading() as lookup:
            players = lookup.held.players_to_ask(since)
        for player in players:
            with (
                self._apart("a player cannot be asked about his letters", player=player),
                self._store.unit() as unit,
            ):
                newest = unit.held.unasked(player, since, 1)
                stored = unit.letters.get(newest[0].number, decided=True) if newest else None
                if stored is not None:
                    held.ask_owner(self._hearing(unit, stored), player)

    def erase_what_is_due(self) -> None:
        """Erase what is left of players who have gone, and what has been kept long enough: this only when the clock has
        gone regularly for a while, since what is erased by a clock that is wrong is lost for good."""
        self._store.retention.erase_left()
        if self._store.retention.regular_for() < CLOCK_PROVED:
            return
        now = self._clock.now()
        self._store.retention.forget_addresses(now - CONFIRMED_WITHIN)
        self._store.retention.erase_stale(now - COUNTS_KEPT, now - PARTINGS_KEPT)
        if self._service.keep_letters is not None:
            self._store.retention.erase_letters(now - self._service.keep_letters)

    def _settle(self, number: int, end_of: Callable[[LetterContext], Disposition]) -> ProcessingResult | None:
        with self._store.hearing(number, self._passed_over) as unit:
            stored = unit.letters.get(number)
            if stored is None:
                self._passed_over.in_hand_elsewhere(number)
                return None
            hearing = self._hearing(unit, stored)
            end = self._bring(unit, hearing, number, end_of)
        return self._settled(number, hearing, end)

    def _hearing(self, unit: UnitOfWork, stored: StoredLetter) -> LetterContext:
        now = self._clock.now()
        return LetterContext(unit, self._service, now, self._draws, self._grammar, self._games, stored)

    def _bring(
        self,
        unit: UnitOfWork,
        hearing: LetterContext,
        number: int,
        end_of: Callable[[LetterContext], Disposition],
    ) -> Disposition:
        """Bring a letter to its outcome, within a unit."""
        end = end_of(hearing)
        unit.letters.conclude(
            number,
            outcome=end.outcome,
            reason=end.reason,
            game=end.game,
            commands=end.commands,
            sender=hearing.sender,
            held_for=end.held_for,
        )
        if end.held_for is not None:
            held.ask_owner(hearing, end.held_for, certain=end.reason in (held.REPEATED, held.LATE))
        return end

    def _settled(self, number: int, hearing: LetterContext, end: Disposition) -> ProcessingResult:
        """Say what became of a letter; only after the commit."""
        self._remember(hearing.games)
        return ProcessingResult(number, end.outcome, end.reason, end.game, hearing.moves, hearing.refused)

    def _remember(self, games: Mapping[int, Game]) -> None:
        """Keep games as committed; only after the commit."""
        for number, game in games.items():
            self._games[number] = game
            self._games.move_to_end(number)
        while len(self._games) > GAMES_KEPT:
            self._games.popitem(last=False)

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
        if "deal" in options:
            raise UsageError(
                "A deal is no option, since both players are told the options: set it with --deal."
            )
        # As letters do it: what is agreed is bound by the commitment letter by letter, and whoever checks it types it.
        # A whole file, as of a scenario, stays as it is.
        options = tidy_agreements(
            {key.lower(): value if "\n" in value else value.lower() for key, value in options.items()}
        )
        competition = self._competition(event, rules, options) if event else None
        if competition is not None:
            options |= competition.terms.options
        belongs_to = competition.number if competition is not None else None
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
        now = self._clock.now()
        with self._store.unit() as unit:
            seated = {seat: self._seat_player(unit, *seats[seat]) for seat in rulebook.seats}
            if len({player.number for player in seated.values()}) < len(seated):
                raise UsageError("Two of these addresses are one player's: he would see both sides.")
            first = next(iter(seated.values()))
            work = HandlerContext(unit, self._service, now, first, self._games, self._draws, _at(now))
            number = unit.games.add(rules, now, competition=belongs_to)
            names = [player.name or seat.capitalize() for seat, player in seated.items()]
            title = write_title(rulebook.title, number, names)
            unit.games.set_title(number, title)
            numbers = {seat: player.number for seat, player in seated.items()}
            secret = self._draws.secret()
            events: list[Event]
            if brought is None:
                events = [open_game(number, rulebook, options, numbers, secret, deal, belongs_to)]
            else:
                events = open_brought(number, rulebook, options, numbers, secret, brought, belongs_to)
                if notes := comments_in(rulebook, record, LONGEST_TEXT):
                    events.append(Stated(unit.writings.add(number, first.number, "ruling", 0, notes)))
            game = Game(number=number, rulebook=rulebook, status="proposed")
            for event_of_it in events:
                game = game.after(event_of_it)
            replies.keep_events(work, game, events, None)
            for seat, player in seated.items():
                kind: Kind = "result" if game.status == "ended" else "report"
                words = LetterContent(kind=kind, news=replies.news_of(game, seat))
                work.post.to_player(player.number, words, game=game, title=title)
        self._remember({number: game})
        return number

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
            work = self._umpires_work(unit, number)
            game = work.games[number]
            if game.frozen:
                raise UsageError(f"Game {number} is frozen already: {game.frozen}")
            if names_an_address(reason):
                raise UsageError("A reason holds no mail address, since it is published with the game.")
            self._say(work, number, Frozen(reason), Note("frozen", {"reason": reason}))

    def thaw(self, number: int) -> None:
        """Let a game go on that was stopped, and tell both players. Raises UsageError when it is not stopped."""
        with self._store.unit() as unit:
            work = self._umpires_work(unit, number)
            if not work.games[number].frozen:
                raise UsageError(f"Game {number} is not frozen.")
            self._say(work, number, Thawed(), Note("thawed"))

    def adjudicate(self, number: int, end: str, reason: str, settles: int | None = None) -> Game:
        """End a game by an umpire's ruling, and tell both players why; return it as it is then. See `umpiring`.

        settles: a case of the game that is ruled on by it, whose player reads the reason. Raises UsageError when there
        is no such game, or it cannot be ended so.
        """
        with self._store.unit() as unit:
            work = self._umpires_work(unit, number)
            game = umpiring.adjudicate(work, number, end, reason)
            if settles is not None:
                game = umpiring.rule_on_case(work, number, settles, "", reason)
        self._remember({number: game})
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
            work = self._umpires_work(unit, number, over=True)
            game = umpiring.rule_on_case(work, number, case, verdict, answer, by, unchanged=unchanged)
        self._remember({number: game})

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
            work = self._umpires_work(
                unit, number, over=True, proposed=isinstance(what, umpire_actions.Close)
            )
            work.player = Player(number=0, name="", address="", language=self._service.language)
            deed = what(unit) if callable(what) else what
            settles = cases_settled(work, work.games[number], deed) if not once else ()
            game = umpiring.act(work, number, deed, reason, by, once=once)
            told = tuple(_told(unit, letter) for letter in unit.outbox.queued)
        if not dry:
            self._remember({number: game})
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

    def go_on_with_errands(self) -> None:
        """Do what umpires have asked for in all games of an event, game by game, each in a transaction."""
        while True:
            with self._store.unit() as unit:
                errand = unit.bulk_actions.next()
            if errand is None:
                return
            try:
                self._go_on_with(errand.number)
            except Contested:
                return  # another process does it
            except StoreUnreachable:
                raise
            except Exception as error:
                # One game in which it fails must not keep it from all others, nor what is to be done in other events.
                kind = type(error).__name__
                game = self._pass_over(errand)
                log.exception("an umpire's act failed in a game", error=kind, exc_info=False, game=game)

    def _go_on_with(self, number: int) -> None:
        """Do an errand's deed in its next game, in a transaction."""
        with self._store.unit() as unit:
            errand = unit.bulk_actions.next()
            if errand is None or errand.number != number:
                return  # another process has it in hand
            nobody = Player(number=0, name="", address="", language=self._service.language)
            now, cause = self._clock.now(), f"errand {errand.number} after {errand.after}"
            work = HandlerContext(unit, self._service, now, nobody, self._games, self._draws, cause)
            bulk_actions.go_on(work, errand)
        self._remember(work.games)

    def _pass_over(self, errand: Errand) -> int | None:
        """Let an errand go on behind the game in which it failed, which is told at its end as one in which nothing was
        done; return which it was. One that fails at its end, where None is returned, is over."""
        with self._store.unit() as unit:
            number = unit.games.next_playing(errand.competition, errand.after)
            if unit.bulk_actions.next(errand.player) != errand:
                pass  # another process has gone on with it meanwhile
            elif number is None:
                unit.bulk_actions.end(errand.number)
            else:
                unit.bulk_actions.keep_progress(replace(errand, after=number))
        return number

    def watch(self, number: int, name: str, address: str, delay: int | None = None) -> None:
        """Let somebody watch a game, as its players have agreed that others may; he gets his first letter.

        name: what he is called, "" for a player who has given his name. delay: so many turns late he hears of them, no
        fewer than was agreed; None for just that. Raises UsageError for what cannot be.
        """
        with self._store.unit() as unit:
            work = self._umpires_work(unit, number)
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
            work = HandlerContext(unit, self._service, now, who, self._games, self._draws, _at(now))
            game = work.game(number)
            if game is None or who.number not in game.watchers:
                raise UsageError(f"{address} does not watch game {number}.")
            game = observers.leave(work, game)
            replies.keep_events(work, game, [Unwatched(who.number)], None)
            words = LetterContent(kind="notice", notes=(Note("unwatched", {"game": number}),))
            work.post.to_player(who.number, words)

    def _umpires_work(
        self, unit: UnitOfWork, number: int, *, over: bool = False, proposed: bool = False
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
        now = self._clock.now()
        work = HandlerContext(unit, self._service, now, seated, self._games, self._draws, _at(now))
        work.game(number)
        return work

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


def _check_unsettled(letter: StoredLetter, outcomes: Sequence[Outcome], what: str) -> None:
    """Raise UsageError for a letter that has none of these outcomes. what: was to be done with it."""
    if letter.outcome not in outcomes:
        state = letter.outcome or "waiting to be settled by the service"
        raise UsageError(
            f"Letter {letter.number} is {state}: only one that is {' or '.join(outcomes)} can be {what}."
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
