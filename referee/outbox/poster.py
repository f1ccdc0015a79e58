"""The poster: takes finished letters from the queue and carries them to the post, apart from all ruling."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import structlog

from referee.clock import Clock
from referee.errors import DeliveryRefused, StoreUnreachable
from referee.outbox.delivery import next_try
from referee.outbox.door import Post, PostClosed, Posting, Queue

log = structlog.get_logger(__name__)

LETTERS_PER_LANE = 8
"""How many letters are claimed for each lane, so that one transaction serves several."""

RESULTS_TOGETHER = 16
RESULTS_WAIT = 0.03
"""So many results, or results so many seconds old, are written back together."""

LONGEST_REST = 300.0
"""Seconds between two attempts at a post that stays closed."""

STOPPING_GRACE = 0.5
"""Seconds that letters on their way have to arrive once we were asked to stop."""


@dataclass(frozen=True, slots=True)
class Posted:
    """What one going through the queue did. failures: letters that could not be handed over."""

    sent: int
    failures: int


class _Hand:
    """The letters in hand: claimed, being posted, and done but not yet written back.

    Letters to one recipient go one after the other; if one has to wait, those behind it are given back.
    """

    def __init__(self, queue: Queue, post: Post, clock: Clock, bell: asyncio.Event) -> None:
        self._queue = queue
        self._post = post
        self._clock = clock
        self._bell = bell
        self._waiting: dict[str, deque[Posting]] = {}
        self._on_the_way: dict[asyncio.Task[str], Posting] = {}
        self._accepted: list[tuple[int, str]] = []
        self._others: deque[Callable[[], None]] = deque()
        self._oldest_result = 0.0
        self.sent = 0
        self.failures = 0
        self.closed: PostClosed | None = None
        """Why the post takes nothing, until it takes something again."""

    @property
    def letters(self) -> int:
        """How many letters are claimed and not posted."""
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

    def claim(self, now: datetime) -> bool:
        """Take letters from the queue as far as there is room; tell whether there were any."""
        room = self._post.lanes * LETTERS_PER_LANE - self.letters
        claimed = self._queue.claim(now, room) if room > 0 else []
        for posting in claimed:
            self._waiting.setdefault(posting.recipient, deque()).append(posting)
        return bool(claimed)

    def send_off(self) -> None:
        """Put letters on their way, as many as there are lanes."""
        busy = {posting.recipient for posting in self._on_the_way.values()}
        for recipient in [recipient for recipient in self._waiting if recipient not in busy]:
            if len(self._on_the_way) >= self._post.lanes:
                return
            chain = self._waiting[recipient]
            posting = chain.popleft()
            if not chain:
                del self._waiting[recipient]
            task = asyncio.create_task(self._post.send(posting))
            task.add_done_callback(lambda _: self._bell.set())
            self._on_the_way[task] = posting

    def take_results(self) -> None:
        """See what has become of the letters on their way."""
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
                self._accepted.append((posting.id, task.result()))
            case PostClosed():
                self.closed = error
                self._give_back([posting])
                self.give_all_back()
            case DeliveryRefused():
                self._put_off(posting, error)
            case _:
                # Whatever is wrong with this letter, the others go on.
                log.error("posting a letter failed unexpectedly", letter=posting.id, exc_info=error)
                self._put_off(posting, DeliveryRefused(f"unexpected: {error!r}", temporary=True))

    def _put_off(self, posting: Posting, refusal: DeliveryRefused) -> None:
        self.failures += 1
        answer = str(refusal)
        at = next_try(posting, refusal, self._clock.now())
        about = {"letter": posting.id, "code": refusal.code, "uncertain": refusal.uncertain}
        if at is None:
            log.warning("a letter is given up", **about)
            self._others.append(lambda: self._queue.refused(posting.id, answer))
            return
        log.info("a letter is tried again later", at=at.isoformat(timespec="seconds"), **about)
        self._others.append(lambda: self._queue.again(posting.id, at, answer, refusal.uncertain))
        self._give_back(self._waiting.pop(posting.recipient, ()))

    def _give_back(self, postings: deque[Posting] | list[Posting] | tuple[()]) -> None:
        ids = [posting.id for posting in postings]
        if ids:
            self.failures += len(ids)
            self._others.append(lambda: self._queue.release(ids))

    def give_all_back(self) -> None:
        """Give back what is not on its way."""
        while self._waiting:
            _, chain = self._waiting.popitem()
            self._give_back(chain)

    def write_back(self) -> None:
        """Tell the queue all results. Raises StoreUnreachable; what was not told is kept for the next time."""
        if self._accepted:
            self._queue.accepted(tuple(self._accepted))
            self._accepted.clear()
        while self._others:
            self._others[0]()
            self._others.popleft()

    async def bring_home(self, grace: float) -> None:
        """Wait `grace` seconds for the letters on their way, then break them off."""
        if self._on_the_way:
            _, late = await asyncio.wait(self._on_the_way, timeout=grace)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late)
        self.take_results()


class Poster:
    """Posts letters in a thread of its own, as soon as it is woken, and looks into the queue now and then.

    poll: seconds between two looks unasked, for letters that wait for their next try. linger: seconds for which
    connections are kept when there is nothing to post.
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
        self._bell: asyncio.Event | None = None
        self._woken = False
        self._stopping = False
        self.trouble = ""
        """Why nothing can be posted at the moment, in a sentence; "" when all is well."""
        self.failure: Exception | None = None
        """What ended the thread, if it was not `stop`."""

    def start(self) -> None:
        """Begin to post. Letters that are due are posted at once."""
        self._stopping = False
        self._woken = True
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), name="poster", daemon=True)
        self._thread.start()
        ready.wait()

    def wake(self) -> None:
        """Say that there are letters to post; safe from any thread, and costs nothing."""
        self._woken = True
        self._ring()

    def stop(self, timeout: float = 1.0) -> bool:
        """Stop posting; letters not yet on their way are given back. Tells whether all ended within `timeout` s."""
        thread = self._thread
        if thread is None:
            return True
        self._stopping = True
        self._ring()
        thread.join(timeout)
        if thread.is_alive():
            return False
        self._thread = None
        return True

    def post_due_once(self) -> Posted:
        """Try each letter that is due now once, and return when all have been tried."""
        return asyncio.run(self._post_once())

    def _ring(self) -> None:
        loop, bell = self._loop, self._bell
        if loop is not None and bell is not None:
            try:
                loop.call_soon_threadsafe(bell.set)
            except RuntimeError:
                return  # the loop has just ended, and nobody listens any more

    def _run(self, ready: threading.Event) -> None:
        try:
            asyncio.run(self._serve(ready))
        except Exception as error:
            log.exception("the poster has ended")
            self.failure = error
        finally:
            self._loop = self._bell = None
            ready.set()

    async def _post_once(self) -> Posted:
        bell = asyncio.Event()
        hand = _Hand(self._queue, self._post, self._clock, bell)
        now = self._clock.now()
        try:
            while True:
                if hand.closed is None and not self._stopping:
                    hand.claim(now)
                if not hand.letters:
                    break
                hand.send_off()
                await bell.wait()
                bell.clear()
                hand.take_results()
                if not hand.write_in:
                    hand.write_back()
            hand.write_back()
        finally:
            await self._post.close()
        self.trouble = str(hand.closed or "")
        return Posted(hand.sent, hand.failures)

    async def _serve(self, ready: threading.Event) -> None:
        bell = asyncio.Event()
        self._loop, self._bell = asyncio.get_running_loop(), bell
        ready.set()
        hand = _Hand(self._queue, self._post, self._clock, bell)
        pauses = _Pauses()
        last_look = last_letter = 0.0
        open_connections = False
        while not self._stopping:
            bell.clear()
            hand.take_results()
            if hand.closed is not None:
                if not self.trouble:
                    log.warning("nothing can be posted", reason=str(hand.closed))
                self.trouble = str(hand.closed)
                pauses.longer()
                hand.closed = None
            elif hand.sent:
                self.trouble = ""
                pauses.over()
                hand.sent = 0
            try:
                if hand.unwritten and not hand.write_in:
                    hand.write_back()
                    self._woken = True  # letters behind these may have become due
                now = time.monotonic()
                if (self._woken or now - last_look >= self._poll) and not pauses.left and not hand.unwritten:
                    self._woken = False
                    last_look = now
                    if hand.claim(self._clock.now()):
                        self._woken = True
                        last_letter, open_connections = now, True
            except StoreUnreachable as error:
                log.warning("the queue cannot be reached", reason=str(error))
                pauses.longer()
            hand.send_off()
            ...
