"""A wire between the service and a server, which can be cut, frozen and slowed at will.

It leads to a small server or to a real one, and knows nothing of what is said on it but the words at which it is to
break: so the same losses are tried on both.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal, NamedTuple


class Cut(NamedTuple):
    """Where the wire breaks, once: when `side` says `words`. carried: how much of what was said then still arrives.

    With "all" the other side has heard it, and only its answer is lost.
    """

    side: Literal["client", "server"]
    words: bytes
    carried: Literal["nothing", "half", "all"]


class Wire:
    """A port of this machine that leads to another one.

    target: the port that new connections lead to. cuts: still to come, each used once.
    slow: seconds by which each answer of the server is late.
    """

    def __init__(self, target: int) -> None:
        self.target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.cuts: list[Cut] = []
        self.slow = 0.0
        self.connections = 0
        self.lost = 0
        """How often it was cut at a word so far."""
        self._ends: set[socket.socket] = set()
        self._looking = threading.Lock()
        self._carrying = threading.Event()
        self._carrying.set()
        threading.Thread(target=self._listen, name="wire", daemon=True).start()

    @contextmanager
    def running(self) -> Iterator[Wire]:
        """Give the wire, and close it in the end."""
        try:
            yield self
        finally:
            self._carrying.set()
            for end in (self._listener, *self._ends):
                _shut(end)
            self._listener.close()

    def cut(self) -> None:
        """Lose all connections that there are."""
        for end in tuple(self._ends):
            _shut(end)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Within this, connections stay and new ones come about, but nothing that is said arrives until the end."""
        self._carrying.clear()
        try:
            yield
        finally:
            self._carrying.set()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                self.connections += 1
                self._connect(near)

    def _connect(self, near: socket.socket) -> None:
        try:
            far = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            near.close()  # as good as refused
            return
        self._ends |= {near, far}
        for ends in ((near, far, "client"), (far, near, "server")):
            threading.Thread(target=self._carry, args=ends, name="wire", daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket, side: str) -> None:
        answers = False
        with suppress(OSError):
            while said := source.recv(65536):
                self._carrying.wait()
                if side == "server" and self.slow:
                    time.sleep(self.slow)
                cut = self._cut_at(side, said)
                if cut is None:
                    target.sendall(said)
                    continue
                # The side that must not hear any more is cut off first: an answer is quick. A server that was told all
                # gets to act on it: its connection ends when it answers, into nowhere (the other thread's work).
                _shut(source)
                target.sendall(said[: {"nothing": 0, "half": len(said) // 2, "all": len(said)}[cut.carried]])
                answers = side == "client" and cut.carried == "all"
                break
        if not answers:
            _shut(target)
        self._ends -= {source}
        source.close()

    def _cut_at(self, side: str, said: bytes) -> Cut | None:
        with self._looking:
            for cut in self.cuts:
                if cut.side == side and cut.words in said:
                    self.cuts.remove(cut)
                    self.lost += 1
                    return cut
        return None


def _shut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
