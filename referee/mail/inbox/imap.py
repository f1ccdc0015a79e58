"""The IMAP mailbox: letters are fetched without being marked, and moved once their outcome is stored.

It uses two connections: one works, the other listens for news (IDLE). News is only a hint; SEARCH gives the
truth.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from typing import TypeVar

import structlog
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from referee.common.clock import Clock
from referee.common.errors import MailboxClosed
from referee.mail.inbox.fetching import Missing, Told, ask_about, confirm_short, hand_over
from referee.mail.inbox.imap_connection import TROUBLE, Account, Line, ServerFacts, answer_of, closed, dial
from referee.mail.inbox.mailbox import TOGETHER, when_it_came
from referee.mail.inbox.wakeup import Alarm
from referee.mail.message.message import RawLetter

log = structlog.get_logger(__name__)

BATCH_OCTETS = 4_000_000
"""Most bytes asked for in one FETCH, so that a full mailbox does not fill the memory."""

SLACK = 1_000_000
"""Bytes by which letters may exceed the announced size."""

PATIENCE = 5
"""After this many lost connections in a row, over one letter each, the letters are not to blame."""

STOPPING_TIMEOUT = 0.5
"""Seconds that a server has for an answer once we were asked to stop."""


Given = TypeVar("Given")


class ImapMailbox:
    """An IMAP folder as a mailbox. One thread uses it; only `interrupt` may be called from others.

    size_limit: bytes; of a larger letter only the header is fetched.
    idle_slice: seconds after which IDLE is started again.
    poll: seconds between two polls where the server has no IDLE.
    """

    def __init__(
        self,
        account: Account,
        clock: Clock,
        *,
        size_limit: int = 2_000_000,
        idle_slice: float = 120.0,
        poll: float = 5.0,
    ) -> None:
        self._account = account
        self._name = f"imap:{account.username}@{account.host}/{account.folder}"
        self._clock = clock
        self._size_limit = size_limit
        self._slice = idle_slice
        self._poll = poll
        self._alarm = Alarm()
        self._work: Line | None = None
        self._ear: Line | None = None
        self._ear_failures = 0
        self._ear_again = 0.0
        self._busy: socket.socket | None = None
        self._uidvalidity = 0
        self._handled: set[int] = set()
        self._losses: list[MailboxClosed] = []
        """Connections lost in this poll over one letter each, with no letter received in between."""

    # The Mailbox protocol

    def unread(self, limit: int = 50, besides: Collection[RawLetter] = ()) -> list[RawLetter]:
        if len(self._losses) >= PATIENCE:
            raise self._losses.pop()
        with self._working() as line:
            line.client.noop()  # some servers notice new letters only between commands
            waiting = sorted(line.client.search("ALL"))
            self._handled.intersection_update(waiting)
            seen = {int(letter.uid) for letter in besides if letter.uidvalidity == line.uidvalidity}
            left_out = self._handled | seen
        uids = [uid for uid in waiting if uid not in left_out]
        return self._letters(line.uidvalidity, uids[:limit], TOGETHER)

    def handled(self, letters: Sequence[RawLetter]) -> None:
        if not letters:
            return
        with self._working() as line:
            fresh = [int(letter.uid) for letter in letters if letter.uidvalidity == line.uidvalidity]
            self._handled.update(fresh)
            self._put_away(line, fresh)

    def wait(self, seconds: float) -> bool:
        """Wait as `Mailbox.wait` says; trouble with the listening connection is no error but a reason to poll."""
        if self._alarm.rung:
            return False
        if time.monotonic() < self._ear_again:
            self._alarm.sleep(min(seconds, self._poll))
            return not self._alarm.rung
        try:
            return self._listen(seconds)
        except (*TROUBLE, MailboxClosed) as error:
            self._hang_up_ear()
            self._ear_failures += 1
            self._ear_again = time.monotonic() + min(0.5 * 2**self._ear_failures, 300)
            log.info(
                "the connection that listens for news was lost",
                host=self._account.host,
                reason=answer_of(error),
            )
            return not self._alarm.rung
        finally:
            self._busy = None

    def interrupt(self) -> None:
        self._alarm.ring()
        busy = self._busy
        if busy is not None:
            # Not busy.shutdown: on a TLS socket it would remove the encryption while the reader reads.
            with suppress(OSError):
                socket.socket.shutdown(busy, socket.SHUT_RDWR)

    def close(self) -> None:
        self._hang_up_ear()
        if self._work is not None:
            with suppress(*TROUBLE):
                self._work.client.socket().settimeout(STOPPING_TIMEOUT)
                self._work.client.logout()
            self._work.drop()
            self._work = None
        self._alarm.reset()

    # For trying out a server

    def probe(self) -> ServerFacts:
        """Log in and return what the server says about itself; raises MailboxClosed."""
        with self._working() as line:
            return line.facts

    def waiting(self) -> int:
        """Return how many letters are in the folder."""
        with self._working() as line:
            return len(line.client.search("ALL"))

    def waiting_since(self) -> datetime | None:
        """Return when the oldest letter in the folder arrived; None when there is none."""
        with self._working() as line:
            oldest = min(line.client.search("ALL"), default=None)
            if oldest is None:
                return None
            told = ask_about(line, [oldest]).get(oldest, Told())
            return when_it_came(told.received, self._clock.now())

    def with_subject(self, words: str) -> list[RawLetter]:
        """Return the letters whose Subject holds `words` (ASCII), oldest first."""
        with self._working() as line:
            line.client.noop()
            found = sorted(line.client.search(["SUBJECT", words]))
        return self._letters(line.uidvalidity, found, None)

    # Connections

    @contextmanager
    def _working(self) -> Iterator[Line]:
        """Yield the working connection, reconnecting if needed; trouble on it becomes MailboxClosed."""
        try:
            if self._work is None:
                self._work = self._connect()
                self._note_uidvalidity(self._work)
            line = self._work
            self._busy = line.client.socket()
            if self._alarm.rung:
                self._busy.settimeout(STOPPING_TIMEOUT)
            yield line
        except TROUBLE as error:
            if self._work is not None:
                self._work.drop()
                self._work = None
            raise closed(self._account, error) from error
        finally:
            self._busy = None

    @contextmanager
    def _working_on(self, validity: int) -> Iterator[Line]:
        """Yield the working connection as long as its UIDs refer to the same letters."""
        with self._working() as line:
            if line.uidvalidity != validity:
                raise MailboxClosed(f"the folder on {self._account.where} has begun its UIDs anew")
            yield line

    def _note_uidvalidity(self, line: Line) -> None:
        if line.uidvalidity != self._uidvalidity:
            # The UIDs are new: what was known of them refers to other letters.
            self._handled.clear()
            self._uidvalidity = line.uidvalidity

    def _connect(self) -> Line:
        """Connect in a thread of its own, which is abandoned when we are asked to stop meanwhile.

        Nothing else ends an attempt to reach a host that drops all packets.
        """
        result: list[Line | Exception] = []
        ready = threading.Event()
        given_up = threading.Event()

        def attempt() -> None:
            try:
                line = dial(self._account, max(BATCH_OCTETS, self._size_limit) + SLACK)
            except Exception as error:
                result.append(error)  # raised again by the thread that waits
            else:
                result.append(line)
                if given_up.is_set():
                    line.drop()
            ready.set()

        patience = STOPPING_TIMEOUT if self._alarm.rung else None
        started = time.monotonic()
        threading.Thread(target=attempt, name="imap-connect", daemon=True).start()
        while not ready.wait(0.05):
            if patience is None and self._alarm.rung:
                patience = 0.0
            if patience is not None and time.monotonic() - started > patience:
                given_up.set()
                raise MailboxClosed(
                    f"connecting to {self._account.where} was broken off, for the referee is stopping"
                )
        outcome = result[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    # Letters

    def _letters(self, validity: int, uids: Sequence[int], most: int | None) -> list[RawLetter]:
        """Fetch letters in order, without those that have gone meanwhile.

        most: bytes in all, but at least one letter is fetched; None: all letters.
        """
        self._losses.clear()
        told = self._ask(validity, uids, ask_about)
        missing = {uid: said for uid, said in told.items() if isinstance(said, Missing)}
        chosen = self._choose({uid: said for uid, said in told.items() if isinstance(said, Told)}, most)
        given: dict[int, bytes | Missing] = {}
        for batch in self._batches(chosen):
            given |= self._ask(validity, list(batch), partial(_whole, batch))
        for uid, said in chosen.items():
            if self._is_large(said):
                given |= self._ask(validity, [uid], partial(_header, {uid: said}))
        found = self._without_gone(validity, missing | given)
        return [
            self._letter(validity, uid, chosen.get(uid, Told()), found[uid]) for uid in uids if uid in found
        ]

    def _letter(self, validity: int, uid: int, told: Told, given: bytes | Missing) -> RawLetter:
        content = given if isinstance(given, bytes) else None
        size = told.size or 0 if content is None or self._is_large(told) else len(content)
        return RawLetter(
            mailbox=self._name,
            uidvalidity=validity,
            uid=str(uid),
            received=when_it_came(told.received, self._clock.now()),
            size=size,
            content=content,
            why=given.why if isinstance(given, Missing) else "",
        )

    def _ask(
        self, validity: int, uids: Sequence[int], ask: Callable[[Line, Sequence[int]], Mapping[int, Given]]
    ) -> dict[int, Given | Missing]:
        """Ask about letters.

        Where the connection is lost over several letters, they are asked about one by one. A letter over
        which it is lost again is missing. After PATIENCE losses in a row no more is asked.
        """
        if not uids or len(self._losses) >= PATIENCE:
            return {}
        try:
            with self._working_on(validity) as line:
                given = ask(line, uids)
        except MailboxClosed as error:
            if self._alarm.rung or self._uidvalidity != validity:
                raise
            if len(uids) > 1:
                return {uid: one for each in uids for uid, one in self._ask(validity, [each], ask).items()}
            self._losses.append(error)
            return {uids[0]: Missing(str(error))}
        self._losses.clear()
        return {**given}

    def _is_large(self, told: Told) -> bool:
        return (told.size or 0) > self._size_limit

    def _choose(self, told: Mapping[int, Told], most: int | None) -> dict[int, Told]:
        """Return the first letters, as many as fit into memory together."""
        chosen: dict[int, Told] = {}
        octets = 0
        for uid, said in told.items():
            octets += min(said.size or 0, self._size_limit)
            if most is not None and chosen and octets > most:
                break
            chosen[uid] = said
        return chosen

    def _batches(self, told: Mapping[int, Told]) -> Iterator[dict[int, Told]]:
        """Divide the letters that are fetched whole into batches."""
        batch: dict[int, Told] = {}
        octets = 0
        for uid, said in told.items():
            if self._is_large(said):
                continue
            size = said.size or 0
            if batch and octets + size > BATCH_OCTETS:
                yield batch
                batch, octets = {}, 0
            batch[uid] = said
            octets += size
        if batch:
            yield batch

    def _without_gone(
        self, validity: int, given: Mapping[int, bytes | Missing]
    ) -> Mapping[int, bytes | Missing]:
        """Leave out missing letters that are no longer in the folder, and log the others."""
        missing = {uid: content for uid, content in given.items() if isinstance(content, Missing)}
        if not missing:
            return given
        there = set(missing)
        with suppress(MailboxClosed), self._working_on(validity) as line:
            there &= set(line.client.search("ALL"))
        for uid in sorted(there):
            log.warning(
                "a letter was not handed over and stays where it is",
                host=self._account.host,
                uid=uid,
                reason=missing[uid].why,
            )
        return {uid: content for uid, content in given.items() if uid not in missing or uid in there}

    def _put_away(self, line: Line, fresh: Sequence[int]) -> None:
        """Move letters that are known to be handled: `fresh`, and those that could not be moved before.

        A refusal costs nothing: those letters stay where they are and are skipped.
        """
        if not (line.can("MOVE") or line.can("UIDPLUS")):
            # A bare EXPUNGE would remove what other programs have marked, so letters stay, marked for people.
            if fresh and line.keeps_keywords:
                line.client.add_flags(fresh, [b"$Handled"], silent=True)
            return
        uids = sorted(self._handled)
        if not uids:
            return
        month = f"{self._clock.now():%Y-%m}"
        done = f"{line.facts.folder_name(self._account.done)}{line.facts.delimiter or '-'}{month}"
        try:
            try:
                _move(line, uids, done)
            except IMAPClientError as error:
                if isinstance(error, IMAPClientAbortError):
                    raise
                # Usually the folder does not exist yet (TRYCREATE); some servers have other words for it.
                _create(line, done)
                _move(line, uids, done)
        except IMAPClientError as error:
            if isinstance(error, IMAPClientAbortError):
                raise
            log.warning(
                "handled letters cannot be moved and stay where they are",
                host=self._account.host,
                folder=done,
                letters=len(uids),
                reason=answer_of(error),
            )
        else:
            self._handled.clear()

    # Listening

    def _listen(self, seconds: float) -> bool:
        """Wait for news on the listening connection.

        Return True whenever IDLE has started again, since news does not cover the gap. Letters may have
        arrived before it started. Others may have been announced in the packet of the server's consent, which
        the library never shows.
        """
        if self._ear is None:
            self._ear = self._connect()
        line = self._ear
        self._busy = line.client.socket()
        if not line.can("IDLE"):
            self._alarm.sleep(min(seconds, self._poll))
            return not self._alarm.rung
        now = time.monotonic()
        if line.idling_since and now - line.idling_since >= self._slice:
            line.client.idle_done()
            line.idling_since = 0.0
            self._ear_failures = 0
        if not line.idling_since:
            line.client.idle()
            line.idling_since = now
            return True
        end = now + seconds
        slice_end = line.idling_since + self._slice
        while not self._alarm.rung:
            left = min(end, slice_end) - time.monotonic()
            if left <= 0:
                return slice_end <= end
            if self._alarm.sleep(left, line.client.socket()) and self._heard_news(line):
                return True
        return False

    def _heard_news(self, line: Line) -> bool:
        said = line.client.idle_check(timeout=0)
        if not said:
            # Readable without a word: the end of the connection, which the library hides, or a TLS record
            # without text. Ending IDLE
            # shows which.
            line.client.idle_done()
            line.idling_since = 0.0
            return True
        if any(words[0] == b"BYE" for words in said):
            raise IMAPClientAbortError("the server said goodbye")
        self._ear_failures = 0
        return any(len(words) > 1 and words[1] == b"EXISTS" for words in said)

    def _hang_up_ear(self) -> None:
        if self._ear is not None:
            self._ear.drop()
            self._ear = None


def _move(line: Line, uids: Sequence[int], folder: str) -> None:
    if line.can("MOVE"):
        line.client.move(uids, folder)
    else:
        line.client.copy(uids, folder)
        line.client.add_flags(uids, [b"\\Deleted"], silent=True)
        line.client.uid_expunge(uids)


def _whole(told: Mapping[int, Told], line: Line, uids: Sequence[int]) -> dict[int, bytes | Missing]:
    """Fetch whole letters; see `hand_over`."""
    wanted = {uid: told[uid] for uid in uids}
    return confirm_short(line, wanted, hand_over(line, wanted, "whole"))


def _header(told: Mapping[int, Told], line: Line, uids: Sequence[int]) -> dict[int, bytes | Missing]:
    """Fetch letters' headers; see `hand_over`."""
    return hand_over(line, {uid: told[uid] for uid in uids}, "header")


def _create(line: Line, folder: str) -> None:
    with suppress(IMAPClientError):  # it may exist already; the move will show
        line.client.create_folder(folder)
        line.client.subscribe_folder(folder)
