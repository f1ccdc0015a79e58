"""Sleep in one thread that another thread or a signal handler can end."""

from __future__ import annotations

import select
import socket
import weakref
from contextlib import suppress


class Alarm:
    """A pair of sockets: what `ring` writes ends `sleep`. No lock is taken, so a signal handler may ring.

    It stays rung until `reset`: a sleep that begins too late returns at once.
    """

    def __init__(self) -> None:
        self._heard, self._rope = socket.socketpair()
        self._heard.setblocking(False)
        self._rope.setblocking(False)
        self._rung = False
        weakref.finalize(self, _let_go, self._heard, self._rope)

    @property
    def rung(self) -> bool:
        """Whether it was rung and not yet reset."""
        return self._rung

    def ring(self) -> None:
        """End the present or the next sleep; safe from any thread and from a signal handler."""
        self._rung = True
        with suppress(BlockingIOError):
            self._rope.send(b"!")

    def reset(self) -> None:
        """Make sleep possible again."""
        self._rung = False
        with suppress(BlockingIOError):
            while self._heard.recv(64):
                pass

    def sleep(self, seconds: float, watched: socket.socket | None = None) -> bool:
        """Sleep until rung or until `watched` is readable; return whether `watched` is. seconds: at most."""
        if self._rung or seconds <= 0:
            return False
        poll = select.poll()  # not select.select, which cannot see descriptors above 1023
        poll.register(self._heard, select.POLLIN)
        if watched is not None:
            poll.register(watched, select.POLLIN)
        ready = {descriptor for descriptor, _ in poll.poll(seconds * 1000)}
        return watched is not None and watched.fileno() in ready and not self._rung


def _let_go(*ends: socket.socket) -> None:
    for end in ends:
        end.close()
