"""Jobs for players that no letter asks for; see `jobs` for how often each is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from referee.common.errors import Contested, StoreUnreachable
from referee.games.player import Player
from referee.handlers import (
    bulk_actions,
    cases,
    digests,
    drafts,
    overview_mails,
    timeouts,
)
from referee.handlers.composer import Composer
from referee.handlers.delivery_failures import (
    TRY_AGAIN_AFTER,
    came_back,
    name_letter,
    notice_came_back,
    tell_of_delay,
)
from referee.handlers.former_addresses import ADDRESS_CHANGE_TTL
from referee.mail.message.refusals import read_refusal
from referee.pipeline import held
from referee.pipeline.processor import LetterProcessor
from referee.pipeline.runtime import Runtime
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat
from referee.service.umpire_service import umpires_work
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import CLOCK_PROVED, Errand, SentLetter

log = structlog.get_logger()

COUNTS_KEPT = timedelta(days=30)
"""How long counters are kept: longer than any limit looks back."""
PARTINGS_KEPT = timedelta(days=365)
"""How long the service remembers that a departed player had an address."""
TRIES_BEFORE_TOLD = 5
"""Tries, over some twenty minutes, after which the operator is told what a mail host requires of this service."""
RETURNS_TOGETHER = 50
"""Maximum number of undelivered letters processed per run."""
TOO_OFTEN_UNCERTAIN = 2
"""The operator is told of a letter that was perhaps accepted this often."""
DAYS_TOGETHER = 50
"""Maximum number of daily digests written per run."""
CLOCK_PUT_OFF = timedelta(hours=1)
"""Delay after which a clock whose game cannot be read is tried again; also an overview, or a draft."""
CLOCKS_TOGETHER = 50
"""Maximum number of clocks processed per run."""


class ScheduledJobs:
    """Everything that falls due for players.

    These are returned letters, digests, overviews, cases, clocks, drafts, held letters, erasure, and actions
    in all games of a tournament.
    """

    def __init__(self, runtime: Runtime, letters: LetterProcessor) -> None:
        """letters: reads those that players are asked about."""
        self._runtime = runtime
        self._store = runtime.store
        self._service = runtime.service
        self._clock = runtime.clock
        self._letters = letters

    def see_to_returns(self) -> None:
        """Process letters that a mail host has refused, and resend those that bounced only once."""
        with self._store.reading() as lookup:
            refused = lookup.deliveries.refused(RETURNS_TOGETHER)
            put_off = lookup.deliveries.put_off(TRIES_BEFORE_TOLD, RETURNS_TOGETHER)
            again = lookup.deliveries.returned_once(self._clock.now() - TRY_AGAIN_AFTER, RETURNS_TOGETHER)
        for sent, answer, tries in refused:
            self._see_to_return(sent, answer, tries)
        self._see_to_delays(put_off)
        for who, about, number, lost in again:
            with (
                self._runtime.apart("a letter cannot be sent once more", letter=lost),
                self._store.unit() as unit,
            ):
                post = Composer(unit, self._service, self._clock.now(), self._runtime.draws, lost)
                post.copy(who, about, number, None, lost=lost)

    def tell_of_uncertain(self) -> None:
        """Tell the operator of letters that a mail server has perhaps accepted more than once without saying so."""
        with self._store.reading() as lookup:
            found = lookup.deliveries.perhaps_taken(TOO_OFTEN_UNCERTAIN, RETURNS_TOGETHER)
        letters = tuple(name_letter(sent) for sent in found if sent.player is not None)
        if letters:
            self._runtime.tell_operator(Note("letters-uncertain", {"uncertain": letters}))

    def _see_to_return(self, sent: SentLetter, answer: str, tries: int) -> None:
        with self._runtime.apart("a letter that did not arrive cannot be seen to", letter=sent.message_id):
            with self._store.unit() as unit:
                if sent.player is None:
                    if notice_came_back(unit, self._service.operator, sent, self._clock.now()):
                        log.error("a notice to the operator was refused; it is tried again", answer=answer)
                    return
                player = unit.players.find(sent.player)
                now, cause = self._clock.now(), sent.message_id
                work = self._runtime.work(unit, now, player, cause)
                came_back(work, sent, read_refusal(answer), given_up=tries > 1)
            self._runtime.remember(work.games.by_number)

    def _see_to_delays(self, put_off: Sequence[tuple[SentLetter, str]]) -> None:
        """Tell the operator of a letter that is refused temporarily, again and again, because of this service."""
        for sent, answer in put_off:
            refusal = read_refusal(answer)
            if sent.player is None or not refusal.cure:
                continue
            failed = "it cannot be told that a letter is put off"
            with self._runtime.apart(failed, letter=sent.message_id), self._store.unit() as unit:
                now, player = self._clock.now(), unit.players.find(sent.player)
                work = self._runtime.work(unit, now, player, sent.message_id)
                tell_of_delay(work, sent, refusal)
            return  # one a day is reported

    def write_days(self) -> None:
        """Write the daily digests that are due, each in a transaction, and plan the next."""
        now, hour = self._clock.now(), self._service.digest_hour
        with self._store.reading() as lookup:
            waiting = lookup.digests.due(now, now + digests.DIGEST_HORIZON, DAYS_TOGETHER)
        for number, at in waiting:
            self._write_day(number, at, now, hour)

    def _write_day(self, number: int, at: datetime, now: datetime, hour: int) -> None:
        def put_off(unit: UnitOfWork, _: str) -> None:
            unit.digests.plan(number, now + CLOCK_PUT_OFF)

        failed = "the news of a day cannot be written"
        with self._runtime.apart(failed, put_off, player=number), self._store.unit() as unit:
            player, last = unit.players.find(number), unit.digests.last(number)
            then = digests.next_time(now, last, player.zone, hour)
            if not unit.digests.take(number, at, then) or at > now or digests.is_close(now, last):
                return
            cause = f"the day of player {number}, {at.isoformat()}"
            if digests.write(self._runtime.work(unit, now, player, cause)):
                unit.digests.mark_written(number, digests.next_time(now, now, player.zone, hour))

    def write_overviews(self) -> None:
        """Write the officers' overviews that are due, each in a transaction, and plan the next."""
        now, hour = self._clock.now(), self._service.digest_hour
        with self._store.reading() as lookup:
            waiting = lookup.overviews.due(now, now + overview_mails.OVERVIEW_HORIZON, DAYS_TOGETHER)
        for number, at in waiting:
            self._write_overview(number, at, now, hour)

    def _write_overview(self, number: int, at: datetime, now: datetime, hour: int) -> None:
        def put_off(unit: UnitOfWork, _: str) -> None:
            unit.overviews.plan(number, now + CLOCK_PUT_OFF)

        failed = "an overview cannot be written"
        with self._runtime.apart(failed, put_off, player=number), self._store.unit() as unit:
            player, last = unit.players.find(number), unit.overviews.last(number)
            then = overview_mails.next_time(now, last, player, hour)
            if not unit.overviews.take(number, at, then) or at > now or digests.is_close(now, last):
                return
            cause = f"the overview of player {number}, {at.isoformat()}"
            work = self._runtime.work(unit, now, player, cause)
            if overview_mails.write(work):
                unit.overviews.mark_written(number, overview_mails.next_time(now, now, player, hour))

    def hand_cases_on(self) -> None:
        """Send waiting cases to the person who is to rule on them by now, if they have not got them.

        Each case has its own transaction.
        """
        operator = bool(self._service.operator)
        with self._store.reading() as lookup:
            found = cases.unsent(lookup, self._clock.now(), operator=operator)
        for number, case in found:
            with (
                self._runtime.apart("a case cannot be handed on", game=number, case=case),
                self._store.unit() as unit,
            ):
                work = umpires_work(self._runtime, unit, number, over=True)
                cases.hand_on(work, work.games.by_number[number], case)

    def see_to_clocks(self) -> None:
        """Start the clocks of players whose letters were accepted, and act where time has run out.

        Each clock has its own transaction.
        """
        now = self._clock.now()
        with self._store.reading() as lookup:
            found = lookup.clocks.due(now, CLOCKS_TOGETHER)
        for number, seat in found:
            self._see_to_clock(number, seat, now)

    def _see_to_clock(self, number: int, seat: Seat, now: datetime) -> None:
        def put_off(unit: UnitOfWork, kind: str) -> None:
            unit.clocks.put_off(number, seat, now + CLOCK_PUT_OFF, kind)

        with self._runtime.apart("a clock cannot be looked at", put_off, game=number):
            with self._store.unit() as unit:
                row = unit.games.get(number)
                if row is None or not row.seats:
                    return
                player = unit.players.find(next(iter(row.seats.values())))
                cause = f"the clock of {seat} in game {number}, {now.isoformat()}"
                work = self._runtime.work(unit, now, player, cause)
                timeouts.look(work, number, seat)
            self._runtime.remember(work.games.by_number)

    def carry_drafts_out(self) -> None:
        """Execute the drafted turns that are due, each in a transaction."""
        now = self._clock.now()
        with self._store.reading() as lookup:
            found = lookup.drafts.due(now, CLOCKS_TOGETHER)
        for number, seat in found:
            self._carry_draft_out(number, seat, now)

    def _carry_draft_out(self, number: int, seat: Seat, now: datetime) -> None:
        def put_off(unit: UnitOfWork, _: str) -> None:
            unit.drafts.hold(number, seat, now + CLOCK_PUT_OFF)

        with self._runtime.apart("a drafted turn cannot be carried out", put_off, game=number):
            with self._store.unit() as unit:
                row = unit.games.get(number)
                due_at = unit.drafts.due_at(number, seat)
                if row is None or due_at is None or due_at > now or seat not in row.seats:
                    return
                player = unit.players.find(row.seats[seat])
                cause = f"the draft of {seat} in game {number}, {due_at.isoformat()}"
                # It counts as of when it was due, however late it is executed.
                work = self._runtime.work(unit, now, player, cause, received=due_at, heard=due_at)
                drafts.carry_out_due(work, number, seat)
            self._runtime.remember(work.games.by_number)

    def ask_about_held(self) -> None:
        """Ask players about letters in their names.

        These arrived on a day with other such letters, or a clock that was wrong has asked about them.
        """
        self._store.retention.ask_again(CLOCK_PROVED, held.HELD_LETTER_TTL)
        since = self._clock.now() - held.HELD_LETTER_TTL
        with self._store.reading() as lookup:
            players = lookup.held.players_to_ask(since)
        for player in players:
            with (
                self._runtime.apart("a player cannot be asked about his letters", player=player),
                self._store.unit() as unit,
            ):
                newest = unit.held.unasked(player, since, 1)
                stored = unit.letters.get(newest[0].number, decided=True) if newest else None
                if stored is not None:
                    held.ask_owner(self._letters.hear(unit, stored), player)

    def erase_what_is_due(self) -> None:
        """Erase the remains of departed players, and data that is old enough.

        Old data is erased only after the clock has run regularly for a while, since a wrong clock would erase
        it for good.
        """
        self._store.retention.erase_left()
        if self._store.retention.regular_for() < CLOCK_PROVED:
            return
        now = self._clock.now()
        self._store.retention.forget_addresses(now - ADDRESS_CHANGE_TTL)
        self._store.retention.erase_stale(now - COUNTS_KEPT, now - PARTINGS_KEPT)
        if self._service.keep_letters is not None:
            self._store.retention.erase_letters(now - self._service.keep_letters)

    def go_on_with_errands(self) -> None:
        """Execute what umpires have requested for all games of a tournament, game by game, each in a transaction."""
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
                # A failure in one game must not stop the others, nor the actions in other tournaments.
                kind = type(error).__name__
                game = self._pass_over(errand)
                log.exception("an umpire's act failed in a game", error=kind, exc_info=False, game=game)

    def _go_on_with(self, number: int) -> None:
        """Execute a bulk action in its next game, in a transaction."""
        with self._store.unit() as unit:
            errand = unit.bulk_actions.next()
            if errand is None or errand.number != number:
                return  # another process has it in hand
            nobody = Player(number=0, name="", address="", language=self._service.language)
            now, cause = self._clock.now(), f"errand {errand.number} after {errand.after}"
            work = self._runtime.work(unit, now, nobody, cause)
            bulk_actions.go_on(work, errand)
        self._runtime.remember(work.games.by_number)

    def _pass_over(self, errand: Errand) -> int | None:
        """Let a bulk action continue after the game in which it failed; return that game's number.

        The final report counts the game as one in which nothing was done. A bulk action that fails at its
        end, where None is returned, is over.
        """
        with self._store.unit() as unit:
            number = unit.bulk_actions.next_playing(errand.competition, errand.after)
            if unit.bulk_actions.next(errand.player) != errand:
                pass  # another process has continued it meanwhile
            elif number is None:
                unit.bulk_actions.end(errand.number)
            else:
                unit.bulk_actions.keep_progress(replace(errand, after=number))
        return number
