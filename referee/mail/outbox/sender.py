"""The poster: takes finished letters from the queue and sends them, apart from all adjudication."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

import structlog

from referee.common.clock import Clock
from referee.common.errors import Contested, DeliveryRefused, StoreUnreachable
from referee.common.health import Count, Door
from referee.mail.message.delivery_status import FAILED_HERE
from referee.mail.outbox.retry import next_try
from referee.mail.outbox.transport import Post, PostClosed, Posting, Queue

log = structlog.get_logger(__name__)

LETTERS_PER_LANE = 8
"""Letters claimed per lane, so that one transaction serves several."""

RESULTS_TOGETHER = 16
RESULTS_WAIT = 0.03
"""This many results, or results this many seconds old, are written back together."""

LONGEST_PAUSE = 60.0
"""Seconds between two attempts while the outgoing mail is closed."""

LONGEST_PAUSE_FROM_QUEUE = 10.0
"""Seconds between two attempts at an unreachable queue.

It must soon learn what has become of letters, and that those in hand still are.
"""

KEPT_FOR = 600.0
"""Seconds for which results are kept for an unreachable queue.

They cannot be recovered later: an accepted letter that is not known as accepted goes out again.
"""

STOPPING_GRACE = 0.5
"""Seconds that letters under way have to arrive once we were asked to stop."""


@dataclass(frozen=True, slots=True)
class Posted:
    """The result of one pass through the queue. failures: letters that could not be delivered."""

    sent: int
    failures: int


async def _hand_over(post: Post, posting: Posting) -> str:
    """Send a letter, and where it is too large, ever smaller forms of it under the same Message-ID.

    At most one form is accepted. Return the answer's words; raises as `Post.send` does, for the smallest
    form.
    """
    try:
        return await post.send(posting)
    except DeliveryRefused as error:
        if not error.too_large:
            raise
        refusal = error
    for name, form in posting.smaller():
        try:
            answer = await post.send(form)
        except DeliveryRefused as error:
            if not error.too_large:
                raise
            refusal = error
        else:
            log.warning("a letter was too large, and went in a smaller form", letter=posting.id, form=name)
            return f"{answer} ({name}, since it was too large)"
    raise refusal


class _Hand:
    """The letters in hand: claimed, being sent, and done but not yet written back.

    Letters to one recipient go one after the other; if one has to wait, those after it are given back.
    """

    def __init__(self, queue: Queue, post: Post, clock: Clock, bell: asyncio.Event, done: Count) -> None:
        self._queue = queue
        self._post = post
        self._clock = clock
        self._bell = bell
        self._done = done
        self._waiting: dict[str, deque[Posting]] = {}
        self._on_the_way: dict[asyncio.Task[str], Posting] = {}
        self._accepted: list[tuple[int, str]] = []
        self._others: deque[Callable[[], None]] = deque()
        self._oldest_result = 0.0
        self.sent = 0
        self.failures = 0
        self.closed: PostClosed | None = None
        """Why no letters can be sent, until one is accepted again."""

    @property
    def letters(self) -> int:
        """How many letters are claimed and not sent."""
        return sum(map(len, self._waiting.values())) + len(self._on_the_way)

    @property
    def unwritten(self) -> int:
        """How many results are not written back."""
        return len(self._accepted) + len(self._others)

    @property
    def write_in(self) -> float:
        """Seconds until results should be written back; 0: now."""
        if self.unwritten >= RESULTS_TOGETHER or not self.letters:
            return 0.0
        return max(0.0, self._oldest_result + RESULTS_WAIT - time.monotonic())

    def claim(self, now: datetime, *, resting: bool = False) -> bool:
        """Claim letters from the queue as far as there is room; return whether there may be more.

        resting: claim none.
        """
        room = 0 if resting else max(0, self._post.lanes * LETTERS_PER_LANE - self.letters)
        claimed = self._queue.claim(now, room)  # also to say that the others are still in hand
        for posting in claimed:
            self._waiting.setdefault(posting.recipient, deque()).append(posting)
        return len(claimed) == room

    def send_off(self) -> None:
        """Start sending as many letters as there are lanes; letters no longer ours are given back."""
        busy = {posting.recipient for posting in self._on_the_way.values()}
        for recipient in [recipient for recipient in self._waiting if recipient not in busy]:
            if len(self._on_the_way) >= self._post.lanes:
                return
            chain = self._waiting[recipient]
            if not self._queue.holds(chain[0].id):
                self._give_back(self._waiting.pop(recipient))
                continue
            posting = chain.popleft()
            if not chain:
                del self._waiting[recipient]
            task = asyncio.create_task(_hand_over(self._post, posting))
            task.add_done_callback(lambda _: self._bell.set())
            self._on_the_way[task] = posting

    def take_results(self) -> None:
        """Collect the results of the letters under way."""
        for task in [task for task in self._on_the_way if task.done()]:
            self._take_result(task, self._on_the_way.pop(task))

    def _take_result(self, task: asyncio.Task[str], posting: Posting) -> None:
        if not self.unwritten:
            self._oldest_result = time.monotonic()
        if task.cancelled():
            self._give_back([posting])
            return
        error = task.exception()
        match error:
            case None:
                self.sent += 1
                self.closed = None
                self._done.one("accepted")
                self._accepted.append((posting.id, task.result()))
            case PostClosed():
                self.closed = error
                self._give_back([posting])
                self._give_all_back()
            case DeliveryRefused():
                self._put_off(posting, error)
            case _:
                # Whatever is wrong with this letter, the others continue.
                log.error("posting a letter failed unexpectedly", letter=posting.id, exc_info=error)
                text = f"unexpected ({FAILED_HERE}): {error!r}"
                self._put_off(posting, DeliveryRefused(text, temporary=True, status=FAILED_HERE))

    def _put_off(self, posting: Posting, refusal: DeliveryRefused) -> None:
        self.failures += 1
        answer = str(refusal)
        at = next_try(posting, refusal, self._clock.now())
        about = log.bind(letter=posting.id, code=refusal.code, uncertain=refusal.uncertain)
        if at is None:
            about.warning("a letter is given up")
            self._done.one("refused")
            self._others.append(lambda: self._queue.refused(posting.id, answer))
            return
        if refusal.uncertain and posting.uncertain:
            about.error("a letter was perhaps taken, and not for the first time", reason=answer)
        about.info("a letter is tried again later", at=at.isoformat(timespec="seconds"))
        self._done.one("put-off")
        self._others.append(lambda: self._queue.again(posting.id, at, answer, refusal.uncertain))
        self._give_back(self._waiting.pop(posting.recipient, ()))

    def _give_back(self, postings: Collection[Posting]) -> None:
        ids = [posting.id for posting in postings]
        if ids:
            self.failures += len(ids)
            self._others.append(lambda: self._queue.release(ids))

    def _give_all_back(self) -> None:
        while self._waiting:
            _, chain = self._waiting.popitem()
            self._give_back(chain)

    def write_back(self) -> None:
        """Report all results to the queue. Raises StoreUnreachable; unreported results are kept for the next time."""
        if self._accepted:
            self._queue.accepted(tuple(self._accepted))
            self._accepted.clear()
        while self._others:
            self._others[0]()
            self._others.popleft()

    async def bring_home(self, grace: float) -> None:
        """Give back letters not under way, wait `grace` seconds for the rest, then cancel it."""
        self._give_all_back()
        if self._on_the_way:
            _, late = await asyncio.wait(self._on_the_way, timeout=grace)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late)
        self.take_results()


class _Pause:
    """A pause that doubles each time it begins again, from one second to the longest."""

    def __init__(self, longest: float) -> None:
        self._longest = longest
        self._times = 0
        self._until = 0.0

    @property
    def left(self) -> float:
        return max(0.0, self._until - time.monotonic())

    def begin(self) -> None:
        """Begin a pause, longer than the one before; during a pause nothing happens."""
        if not self.left:
            self._until = time.monotonic() + min(2.0**self._times, self._longest)
            self._times = min(self._times + 1, 16)

    def forget(self) -> None:
        self._times = 0
        self._until = 0.0


class Poster:
    """Sends letters in a thread of its own, as soon as it is woken, and polls the queue now and then.

    poll: seconds between two polls without being woken, for letters that wait for their next try.
    linger: seconds for which connections are kept when there is nothing to send.
    """

    def __init__(
        self, queue: Queue, post: Post, clock: Clock, *, poll: float = 15.0, linger: float = 5.0
    ) -> None:
        self._queue = queue
        self._post = post
        self._clock = clock
        self._poll = poll
        self._linger = linger
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bell = asyncio.Event()
        self._woken = False
        self._stopping = False
        self.door = Door()
        """Whether outgoing mail is accepted."""
        self.done = Count(("accepted", "refused", "put-off"))
        """The results of the letters sent."""
        self.failure: Exception | None = None
        """What ended the thread, if it was not `stop`."""

    @property
    def trouble(self) -> str:
        """Why nothing can be sent at the moment, as a sentence; "" when all is well."""
        return self.door.trouble

    def start(self) -> None:
        """Begin to send; due letters go at once."""
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), name="poster", daemon=True)
        self._thread.start()
        ready.wait()

    def wake(self) -> None:
        """Signal that there are letters to send; safe from any thread."""
        if not self._woken:  # otherwise it has been woken, and has not looked yet
            self._woken = True
            self._ring()

    def stop(self, timeout: float = 1.0) -> bool:
        """Stop sending for good; return whether it ended within `timeout` seconds.

        Letters not yet under way are given back; those under way have half a second to arrive. A
        `post_due_once` in another thread is ended likewise.
        """
        self._stopping = True
        self._ring()
        if self._thread is None:
            return True
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def post_due_once(self) -> Posted:
        """Try each letter that is due now once, and return when all have been tried.

        Raises StoreUnreachable. Closed outgoing mail is no error here: its letters count as failures, and
        `trouble` says why.
        """
        return asyncio.run(self._post_once())

    def _ring(self) -> None:
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop has just ended, and nothing needs waking
                loop.call_soon_threadsafe(self._bell.set)

    def _run(self, ready: threading.Event) -> None:
        try:
            asyncio.run(self._serve(ready))
        except Exception as error:
            log.exception("the poster has ended")
            self.failure = error
        finally:
            self._loop = None
            ready.set()

    def _open_hand(self) -> _Hand:
        self._bell = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        return _Hand(self._queue, self._post, self._clock, self._bell, self.done)

    async def _post_once(self) -> Posted:
        hand = self._open_hand()
        now = self._clock.now()
        try:
            while not self._stopping:
                self._bell.clear()
                if hand.closed is None:
                    hand.claim(now)
                if not hand.letters:
                    break
                hand.send_off()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._bell.wait(), self._poll)
                hand.take_results()
                if not hand.write_in:
                    await self._write_back(hand)
        finally:
            # Whatever has ended it, accepted letters must not go out again.
            try:
                await hand.bring_home(STOPPING_GRACE)
                await self._write_back(hand)
            finally:
                self._loop = None
                await self._post.close()
        if hand.closed is not None:
            self.door.lost(str(hand.closed))
        elif hand.sent:
            self.door.answered()
        return Posted(hand.sent, hand.failures)

    async def _write_back(self, hand: _Hand) -> None:
        """Report all results to the queue, retrying while it is unreachable; try once more when asked to
        stop.

        Raises StoreUnreachable or Contested when KEPT_FOR has passed.
        """
        pause = _Pause(LONGEST_PAUSE_FROM_QUEUE)
        give_up = time.monotonic() + KEPT_FOR
        while hand.unwritten:
            is_last = self._stopping or time.monotonic() >= give_up
            try:
                hand.write_back()
            except (StoreUnreachable, Contested) as error:
                if is_last:
                    log.warning(
                        "results of posting could not be kept", letters=hand.unwritten, reason=str(error)
                    )
                    raise
                log.warning("the queue of letters cannot be reached", reason=str(error))
                pause.begin()
            while pause.left and not self._stopping:
                self._bell.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._bell.wait(), pause.left)

    async def _serve(self, ready: threading.Event) -> None:
        hand = self._open_hand()
        ready.set()
        rest, away = (
            _Pause(LONGEST_PAUSE),
            _Pause(LONGEST_PAUSE_FROM_QUEUE),
        )  # from outgoing mail, and from the queue
        look = True
        looked = lingering_since = time.monotonic()
        try:
            while not self._stopping:
                self._bell.clear()
                hand.take_results()
                self._note_trouble(hand, rest)
                now = time.monotonic()
                woken, self._woken = self._woken, False
                look = look or woken or now - looked >= self._poll
                if not away.left:
                    try:
                        if hand.unwritten and (woken or not hand.write_in):
                            hand.write_back()
                            look = True  # letters after these may have become due
                        if look and not hand.unwritten:
                            looked = now
                            resting = rest.left > 0
                            look = hand.claim(self._clock.now(), resting=resting)
                        away.forget()
                    except (StoreUnreachable, Contested) as error:
                        log.warning("the queue of letters cannot be reached", reason=str(error))
                        away.begin()
                hand.send_off()
                if hand.letters:
                    lingering_since = now
                elif lingering_since and now - lingering_since >= self._linger:
                    await self._post.close()
                    lingering_since = 0.0
                waits = [away.left or min(looked + self._poll - now, rest.left or self._poll)]
                if hand.unwritten and not away.left:
                    waits.append(hand.write_in)
                if lingering_since:
                    waits.append(lingering_since + self._linger - now)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._bell.wait(), max(0.001, min(waits)))
        finally:
            await hand.bring_home(STOPPING_GRACE)
            try:
                hand.write_back()
            except (StoreUnreachable, Contested) as error:
                log.warning("results of posting could not be kept", letters=hand.unwritten, reason=str(error))
            await self._post.close()

    def _note_trouble(self, hand: _Hand, pause: _Pause) -> None:
        """Pause while outgoing mail is closed, and let the operator see why."""
        if hand.closed is not None:
            reason, hand.closed = str(hand.closed), None
            if reason != self.trouble:
                log.warning("nothing can be posted", reason=reason)
            self.door.lost(reason)
            pause.begin()
        elif hand.sent:
            self.door.answered()
            pause.forget()
        hand.sent = 0
