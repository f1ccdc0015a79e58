"""What is done to the service meanwhile, one fault after the other, in a thread of its own."""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.servers.wire import Cut, Wire
from tests.soak.town import Town

AFTER_THE_DOT = Cut("client", b"\r\n.\r\n", "all")
HALF_A_LETTER = Cut("server", b"BODY[]", "half")
MOVED_UNHEARD = Cut("client", b"UID MOVE", "all")


class Troubles:
    """Faults on a schedule. every: seconds between two. may_kill: whether processes may still be ended; once not, the
    last one lives on, so that its memory can be watched. counts: what was done, and how often."""

    def __init__(self, town: Town, every: float, may_kill: Callable[[], bool]) -> None:
        self._town = town
        self._every = every
        self._may_kill = may_kill
        self._stopping = threading.Event()
        self.counts: Counter[str] = Counter()
        self.failure: Exception | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Make trouble until the end of this, and leave everything whole."""
        thread = threading.Thread(target=self._run, name="troubles")
        thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            thread.join()
            for wire in (self._town.reading, self._town.posting):
                wire.cuts.clear()
                wire.slow = 0.0

    def _run(self) -> None:
        troubles: tuple[tuple[str, Callable[[], None]], ...] = (
            ("killed", self.kill),
            ("connections to the mailbox cut", self._town.reading.cut),
            ("250 lost", lambda: self._arm(self._town.posting, AFTER_THE_DOT)),
            ("connections to the post cut", self._town.posting.cut),
            ("killed", self.kill),
            ("half a letter", lambda: self._arm(self._town.reading, HALF_A_LETTER)),
            ("storm of 451", self._storm),
            ("stopped", lambda: self._end(signal.SIGTERM)),
            ("moved unheard", lambda: self._arm(self._town.reading, MOVED_UNHEARD)),
            ("Dovecot away", self._dovecot_away),
            ("killed", self.kill),
            ("silence", self._silence),
            ("slow", self._slow),
            ("Postfix away", self._postfix_away),
        )
        try:
            while not self._stopping.is_set():
                for name, make in troubles:
                    if self._stopping.wait(self._every):
                        return
                    if name in ("killed", "stopped") and not self._may_kill():
                        continue
                    make()
                    self.counts[name] += 1
        except Exception as error:
            self.failure = error

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        """End the service, and start it again; go on when it is at work, or else it would never come to anything."""
        self._town.end(how)
        connections = self._town.reading.connections
        self._town.start()
        while self._town.reading.connections == connections and not self._stopping.wait(0.05):
            pass

    def _arm(self, wire: Wire, cut: Cut) -> None:
        wire.cuts.append(cut)

    def _storm(self) -> None:
        with self._town.servers.storm():
            time.sleep(2.0)

    def _dovecot_away(self) -> None:
        self._town.servers.stop_dovecot()
        time.sleep(0.5)
        self._town.servers.start_dovecot()

    def _postfix_away(self) -> None:
        self._town.servers.stop_postfix()
        time.sleep(0.5)
        self._town.servers.start_postfix()

    def _silence(self) -> None:
        with self._town.reading.frozen(), self._town.posting.frozen():
            time.sleep(2.0)

    def _slow(self) -> None:
        self._town.reading.slow = self._town.posting.slow = 0.05
        time.sleep(2.0)
        self._town.reading.slow = self._town.posting.slow = 0.0
