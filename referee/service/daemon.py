"""The main loop: collect letters, process each, put them away, have the answers sent; again and again.

This is the only place with a broad `except`. A letter that makes the service fail is tried three times and
then set aside alone, while everybody else's letters continue.
"""

from __future__ import annotations

import gc
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from types import FrameType
from typing import get_args

import structlog

from referee.common.clock import Clock, steady
from referee.common.errors import Contested, DatabaseGone, MailboxClosed, RefereeError, StoreUnreachable
from referee.common.health import Count, Door, Health
from referee.mail.inbox.mailbox import Mailbox
from referee.mail.inbox.wakeup import Alarm
from referee.mail.message.message import RawLetter
from referee.mail.message.probe_mark import find_mark, is_genuine
from referee.mail.outbox.sender import Poster
from referee.pipeline.processor import ProcessingResult
from referee.reports.report import Note
from referee.service.jobs import JobScheduler, chores_of
from referee.service.missing_letters import MissingLetters
from referee.service.monitor import Monitor
from referee.service.referee import Referee
from referee.store.database import Store
from referee.store.values import Identity, Outcome, identity

log = structlog.get_logger()

BATCH = 50
"""Letters taken from the mailbox at a time; they are put away together."""
MOST_ATTEMPTS = 3
"""How often a letter may make the service fail before it is set aside."""
MOST_CONTESTS = 20
"""How often another process may be faster over one letter; more is no coincidence, and counts as a failure.

Where there is no other process, the first time counts.
"""
SUSPECT_AT_ENDS = 3
"""After this many unclean ends of the service with the same letter in hand, the operator is told."""
PUT_OFF_FOR = 20.0
"""Seconds after which a postponed letter is processed.

It is postponed because the service fails over it, or may have crashed by it. Everything else is done and sent
by then. Later letters about the same wait as long.
"""
RETRIED_FOR = 5.0
"""Seconds for which the operator waits while a letter about the same is being processed."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds to wait before a lost server is tried again: growing from the first to the longest."""
LOOK_AGAIN = 0.02
"""Seconds after which letters that had to wait for another process are tried again."""
TRIAL_LASTS = timedelta(minutes=10)
"""How long a trial letter is left to `referee init`, which posted it; after that it counts as forgotten."""


LOST = (MailboxClosed, OSError, MemoryError)
"""Errors of a mailbox that is out of reach, or larger than this machine's memory."""


@dataclass(slots=True)
class Tally:
    """The results of a run; the keys of `referee run --once --json`."""

    letters: int = 0
    refused: int = 0
    moves: int = 0
    sent: int = 0
    failures: int = 0

    def count(self, settled: ProcessingResult) -> None:
        """Add a processed letter."""
        self.letters += 1
        self.refused += settled.refused
        self.moves += settled.moves


class Daemon:
    """Moves letters between mailbox, service and outbox. poll: seconds between polls when nothing happens.

    ticks: the seconds after which letters that were not handed over are requested again.
    """

    def __init__(
        self,
        *,
        referee: Referee,
        store: Store,
        mailbox: Mailbox,
        poster: Poster,
        clock: Clock,
        poll: float,
        ticks: Callable[[], float] = steady,
    ) -> None:
        self._referee = referee
        self._store = store
        self._mailbox = mailbox
        self._poster = poster
        self._clock = clock
        self._poll = poll
        self._lying: dict[Identity, RawLetter] = {}
        """Letters in the mailbox that are recorded and not yet put away; without content."""
        self._missing = MissingLetters(store, ticks)
        self._contests: Counter[int] = Counter()
        self._has_put_off = False
        self._suspects_at = steady() + PUT_OFF_FOR
        self._stopping = Alarm()  # takes no lock, which a signal handler could find locked
        self.health = Health(
            mailbox=Door(), post=poster.door, letters=Count(get_args(Outcome)), posted=poster.done
        )
        watch = Monitor(referee, store, self.health, clock)
        self._chores = JobScheduler((*chores_of(referee, store), *watch.chores()), clock)
        self.tally = Tally()

    @property
    def trouble(self) -> str:
        """Why letters cannot be sent or received at the moment, as a sentence; "" when all is well."""
        if self._poster.trouble or not self._missing.tried:
            return self._poster.trouble
        count = len(self._missing.tried)
        letters = "1 letter" if count == 1 else f"{count} letters"
        return (
            f"{letters} could not be had from the mailbox, see the log; what stays there is asked for again."
        )

    def stop(self) -> None:
        """End `run` or `run_once` after the letter in hand; safe from a signal handler and from other threads."""
        self._stopping.ring()
        self._mailbox.interrupt()
        self._poster.stop(0.0)

    def _is_stopping(self) -> bool:
        return self._stopping.rung

    def run(self) -> None:
        """Loop until stopped. Lost servers are tried again, with growing pauses."""
        self._poster.start()
        pause = FIRST_PAUSE
        is_warm = False
        try:
            while not self._is_stopping():
                if self._poster.failure is not None:
                    raise RefereeError(
                        "Posting has ended unexpectedly; see the log, and start the service again."
                    )
                try:
                    began = steady()
                    busy = self.round()
                    self.health.rounds += 1
                    self.health.round_seconds += steady() - began
                    pause = FIRST_PAUSE
                    if self.tally.letters and not is_warm:
                        is_warm = True
                        _leave_out_of_garbage_collection()
                    if not busy and not self._hear_suspects():
                        self._mailbox.wait(min(self._poll, PUT_OFF_FOR) if self._has_put_off else self._poll)
                except (StoreUnreachable, Contested, *LOST) as error:
                    if self._is_stopping():
                        break
                    if isinstance(error, LOST):
                        self.health.mailbox.lost(_sentence(error))
                    log.warning("server lost", error=_sentence(error), again_in=pause)
                    self._go_on_quietly()
                    self._stopping.sleep(pause)
                    pause = min(pause * 2, LONGEST_PAUSE)
        except DatabaseGone as error:
            log.error("the service ends", error=str(error))  # noqa: TRY400 - no place in the code is of interest
            raise
        finally:
            self._poster.stop()
            self._mailbox.close()

    def run_once(self, progress: Callable[[ProcessingResult], None] | None = None) -> Tally:
        """Process all waiting letters, do what is due, try each due outgoing letter once."""
        lost: RefereeError | None = None
        self._missing.once = True
        try:
            while self.round(progress) and not self._is_stopping():
                pass
        except LOST as error:
            lost = error if isinstance(error, MailboxClosed) else MailboxClosed(_sentence(error))
        finally:
            self._mailbox.close()
        # Finished letters go out even when none can come in, and before any that may crash the service.
        self.tally.failures += len(self._missing.tried)
        self._post_due()
        while self._settle_suspects(progress) and not self._is_stopping():
            while self._settle_waiting(progress) and not self._is_stopping():
                pass  # what had to wait for these
            self._post_due()
        self._referee.jobs.see_to_clocks()  # what was accepted just now starts clocks
        if lost is not None:
            raise lost
        return self.tally

    def _post_due(self) -> None:
        posted = self._poster.post_due_once()
        self.tally.sent += posted.sent
        self.tally.failures += posted.failures

    def round(self, progress: Callable[[ProcessingResult], None] | None = None) -> bool:
        """Record letters, process what waits, put away what is done; return whether anything was done."""
        self._store.connections.check_place()
        busy = self._take_in()
        self._chores.do()
        if self._settle_waiting(progress):
            busy = True
        if self._referee.letters.has_passed_over:
            self._stopping.sleep(LOOK_AGAIN)
            busy = True
        busy = self._put_away() or busy
        self._has_put_off = self._referee.letters.take_up_again() if not busy else False
        return busy

    def _take_in(self) -> bool:
        """Record letters from the mailbox; return whether there were new ones.

        Older ones may come before these: letters that have to wait, or that a crashed process has recorded.
        """
        while True:
            began = self._clock.now()
            letters = self._without_trials(self._look())
            if not letters:
                # Only now is everything recorded that was there when this poll began: unread letters cost
                # nobody time.
                if not self._missing.any_on_trial:
                    self._referee.letters.looked(began)
                return False
            letters = self._missing.sort_out(letters)
            new = self._referee.letters.take_in(letters)
            had = [each for each in letters if each.content is not None]
            self._lying |= {identity(each): replace(each, content=None) for each in had}
            if new:
                return True

    def _look(self) -> list[RawLetter]:
        """Fetch new letters; when there are none, one that the server did not hand over before."""
        here = self._lying.values()
        lying = self._mailbox.unread(BATCH, [*here, *self._missing.all()])
        if not lying and (resting := self._missing.resting()) is not None:
            lying = self._mailbox.unread(1, [*here, *resting])
            if not lying:
                self._missing.gone()
        if self.health.mailbox.trouble:
            log.info("mailbox reached again", after=f"{self.health.mailbox.out_for:.0f} s")
        self.health.mailbox.answered()
        return lying

    def _put_away(self) -> bool:
        """Put away processed letters, whichever process did them; return whether there were any."""
        known = self._store.incoming.known([*self._lying.values()]) if self._lying else {}
        done = [where for where in self._lying if where in known and known[where].decided]
        if done:
            self._store.connections.check_place()
            self._mailbox.handled([self._lying[where] for where in done])
            for where in done:
                del self._lying[where]
        return bool(done)

    def _without_trials(self, letters: Sequence[RawLetter]) -> Sequence[RawLetter]:
        """Leave out the trial letters of `referee init`; those it has forgotten are put away."""
        marked = {letter.uid: mark for letter in letters if (mark := find_mark(letter.content))}
        if not marked:
            return letters
        with self._store.reading() as lookup:
            key = lookup.service_key()
        trials = [each for each in letters if each.uid in marked and is_genuine(marked[each.uid], key)]
        now = self._clock.now()
        forgotten = [each for each in trials if now - each.received > TRIAL_LASTS]
        if forgotten:
            self._mailbox.handled(forgotten)
        return [letter for letter in letters if letter not in trials]

    def _settle_waiting(self, progress: Callable[[ProcessingResult], None] | None = None) -> bool:
        """Process the oldest letters that can be processed; while none can, the next ones."""
        return any(self._settle_all(numbers, progress) for numbers in self._referee.letters.waiting(BATCH))

    def _hear_suspects(self) -> bool:
        """Process letters that may crash the service, now and then; return whether any was processed."""
        if steady() < self._suspects_at:
            return False
        self._suspects_at = steady() + PUT_OFF_FOR
        return self._settle_suspects()

    def _settle_suspects(self, progress: Callable[[ProcessingResult], None] | None = None) -> bool:
        """Process letters that may crash the service; return whether any was processed."""
        return self._settle_all(
            self._referee.letters.suspects(), progress, self._referee.letters.settle_suspect
        )

    def _settle_all(
        self,
        numbers: Sequence[int],
        progress: Callable[[ProcessingResult], None] | None = None,
        settle: Callable[[int], ProcessingResult | None] | None = None,
    ) -> bool:
        """Process letters; return whether any was processed. settle: the function to use, if not the usual one."""
        any_settled = False
        for number in numbers:
            if self._is_stopping():
                break
            settled = (
                None
                if self._referee.letters.is_put_off(number)
                else self._settle(number, settle or self._referee.letters.settle)
            )
            if settled is not None:
                self.tally.count(settled)
                self.health.letters.one(settled.outcome)
                self.health.moves += settled.moves
                self._poster.wake()
                log.info(
                    "letter settled",
                    letter=number,
                    outcome=settled.outcome,
                    reason=settled.reason,
                    game=settled.game,
                )
                if settled.outcome == "set-aside":
                    facts = {"letter": number, "reason": settled.reason}
                    self._tell_operator(number, Note("letter-set-aside", facts))
                if progress is not None:
                    progress(settled)
                any_settled = True
        return any_settled

    def _settle(
        self, number: int, settle: Callable[[int], ProcessingResult | None]
    ) -> ProcessingResult | None:
        try:
            return settle(number)
        except StoreUnreachable:
            raise
        except Exception as error:
            if isinstance(error, Contested) and self._may_be_chance(number):
                return None  # another process was faster; the letter is tried again
            self._referee.letters.put_off(number)
            # The text of an error may quote a letter or a hidden fact, so only its kind is logged. Our own
            # errors do not.
            self.health.failed += 1
            log.exception("letter failed", letter=number, error=type(error).__name__, exc_info=False)
            reason = (
                str(error) if isinstance(error, RefereeError) else f"{type(error).__name__} in the service"
            )
            return self._note_failure(number, reason)

    def _may_be_chance(self, number: int) -> bool:
        """Return whether another process may have been faster over a letter, or the letter just waits its turn."""
        if self._referee.letters.waits_its_turn(number):
            return True
        self._contests[number] += 1
        if self._contests[number] < MOST_CONTESTS and self._store.is_shared:
            return True
        del self._contests[number]
        return False

    def mind(self, noted: tuple[int, int] | None) -> None:
        """Tell the operator of a letter that was in hand at several unclean ends. noted: see Store.at_work."""
        if noted is None:
            return
        number, ends = noted
        log.warning("the service has ended uncleanly", letter=number, times=ends)
        if ends >= SUSPECT_AT_ENDS:
            self._tell_operator(number, Note("letter-in-hand", {"letter": number, "ends": ends}))

    def _tell_operator(self, number: int, note: Note) -> None:
        """Send the operator a notice about a letter; without one, the log and `referee doctor` name it."""
        try:
            self._referee.runtime.tell_operator(note)
            self._poster.wake()
        except Exception as error:
            log.exception(
                "the operator cannot be told", letter=number, error=type(error).__name__, exc_info=False
            )

    def _note_failure(self, number: int, reason: str) -> ProcessingResult | None:
        """Count that a letter made the service fail; after too many failures, set it aside.

        Its writer is told, unless the telling itself fails, or already the reading.
        """
        try:
            with self._store.unit() as unit:
                if unit.letters.count_failure(number, reason) < MOST_ATTEMPTS:
                    return None
            for tell in (True, False):
                try:
                    return self._referee.letters.give_up(number, reason, tell=tell)
                except (Contested, StoreUnreachable):
                    raise
                except Exception as error:
                    log.exception(
                        "a writer cannot be told", letter=number, error=type(error).__name__, exc_info=False
                    )
            return self._referee.letters.give_up(number, reason, tell=False, read=False)
        except Contested:
            return None

    def _go_on_quietly(self) -> None:
        """While the mailbox is out of reach, do what is due, and process recorded letters."""
        try:
            self._chores.do()
            self._referee.letters.take_up_again()
            self._settle_waiting()
            self._hear_suspects()
        except (StoreUnreachable, Contested, *LOST) as error:
            log.warning("store lost", error=_sentence(error))


def settle_again(referee: Referee, number: int) -> ProcessingResult:
    """Process a letter again at the operator's request; see LetterProcessor.settle_again.

    Raises RefereeError when it makes the service fail again; it then stays as it was.
    """
    give_up = steady() + RETRIED_FOR
    try:
        while True:
            try:
                return referee.letters.settle_again(number)
            except Contested:
                if steady() >= give_up:
                    raise
                time.sleep(LOOK_AGAIN)
    except RefereeError:
        raise
    except Exception as error:
        # As above: only the kind of an error may be shown.
        raise RefereeError(
            f"letter {number} has made the service fail once more ({type(error).__name__}); it stays as it was"
        ) from error


def _leave_out_of_garbage_collection() -> None:
    """Leave what is loaded by now out of the search for garbage.

    The first letter has loaded modules, templates and statements, which stay until the end. Searching them again
    and again would take a twentieth of the time that letters take.
    """
    gc.collect()
    gc.freeze()


def _sentence(error: Exception) -> str:
    """Return in a sentence what was lost."""
    match error:
        case RefereeError():
            return str(error)
        case OSError():
            return f"the mailbox cannot be used ({error.strerror or type(error).__name__}); see its folder or server"
        case _:
            return "the memory does not suffice for what lies in the mailbox; see what else needs it"


@contextmanager
def stopping_on_signals(daemon: Daemon) -> Iterator[None]:
    """Let SIGTERM and SIGINT stop the daemon after the letter in hand."""

    def stop(signum: int, frame: FrameType | None) -> None:
        daemon.stop()

    before = {each: signal.signal(each, stop) for each in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
