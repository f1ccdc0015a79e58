"""Reads an IMAP server's answers so that none fills the memory or takes for ever.

A server announces how many bytes follow, and the library would read them whatever their number. Here each
answer has an allowance: bytes of text, bytes of literals, and seconds of waiting. A server that exceeds it is
cut off.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from typing import Any

from imapclient import IMAPClient
from imapclient.imap4 import IMAP4WithTimeout
from imapclient.tls import IMAP4_TLS

from referee.common.clock import steady

MOST_TEXT = 1_000_000
"""Most bytes in the lines of one answer, without its literals: enough for the UIDs of a hundred thousand letters."""
SLOWEST = 10_000
"""Bytes per second: a server that sends faster may take as long as its answer lasts."""
PIECE = 65_536


class AnswerTooLarge(OSError):
    """A server sends, or announces, more than an answer may have. The connection is unusable afterwards."""


class AnswerTooSlow(TimeoutError):
    """A server sends its answer too slowly. The connection is unusable afterwards."""


class Answers:
    """Reads a server's answers from a connection, each within its allowance.

    most: bytes of all literals of an answer.
    patience: seconds of waiting in one answer; each SLOWEST bytes that arrive add one second.

    Our own work meanwhile does not count.
    """

    def __init__(self, most: int, patience: float, ticks: Callable[[], float] = steady) -> None:
        self._most = most
        self._patience = patience
        self._ticks = ticks
        self._connection: socket.socket | None = None
        self._buffer = bytearray()
        self.begin()

    def begin(self) -> None:
        """Give the answer to the next command a new allowance."""
        self._text, self._literals, self._time = MOST_TEXT, self._most, self._patience

    def line(self, connection: socket.socket) -> bytes:
        """Return a line with its end; less, or nothing, at the end of the connection."""
        self._follow(connection)
        looked = 0
        while (end := self._buffer.find(b"\n", looked) + 1) == 0:
            looked = len(self._buffer)
            self._check_text(looked)
            if not self._receive():
                end = looked
                break
        self._check_text(end)
        self._text -= end
        return self._take(end)

    def literal(self, connection: socket.socket, size: int) -> bytes:
        """Return `size` bytes, or fewer at the end of the connection. A size over the allowance reads nothing."""
        self._follow(connection)
        if size > self._literals:
            raise AnswerTooLarge(
                f"it announced {size:,} bytes where {self._literals:,} of {self._most:,} were left"
            )
        self._literals -= size
        while len(self._buffer) < size and self._receive():
            pass
        return self._take(size)

    def _check_text(self, size: int) -> None:
        if size > self._text:
            raise AnswerTooLarge(f"it has said more than {MOST_TEXT:,} bytes of text in one answer")

    def _take(self, size: int) -> bytes:
        with memoryview(self._buffer) as view, view[:size] as part:
            taken = bytes(part)
        del self._buffer[:size]
        return taken

    def _receive(self) -> bool:
        """Wait for more bytes; return False at the end of the connection."""
        if self._time <= 0:
            raise AnswerTooSlow("it gives its answer too slowly")
        assert self._connection is not None
        began = self._ticks()
        try:
            piece = self._connection.recv(PIECE)
        finally:
            self._time -= self._ticks() - began
        self._time += len(piece) / SLOWEST
        self._buffer += piece
        return bool(piece)

    def _follow(self, connection: socket.socket) -> None:
        """Switch to another connection, as TLS is; what was received without TLS is dropped."""
        if connection is not self._connection:
            self._connection = connection
            self._buffer.clear()


class _Bounded:
    """Lets Answers do all reading of the library's connection. It exists before the connection does."""

    answers: Answers
    sock: Any
    tagpre: Any
    untagged_responses: Any

    def read(self, size: int) -> bytes:
        return self.answers.literal(self.sock, size)

    def readline(self) -> bytes:
        return self.answers.line(self.sock)

    def send(self, data: bytes) -> None:
        # A command begins with its tag; text sent within a command does not renew its answer's allowance.
        if data.startswith(self.tagpre):
            self.answers.begin()
            # The library keeps what arrives unasked; it would grow as long as the connection lasts.
            self.untagged_responses.clear()
        super().send(data)  # type: ignore[misc]


class _Plain(_Bounded, IMAP4WithTimeout):  # type: ignore[misc]
    def __init__(self, answers: Answers, host: str, port: int, timeout: float) -> None:
        self.answers = answers
        super().__init__(host, port, timeout)


class _Tls(_Bounded, IMAP4_TLS):  # type: ignore[misc]
    def __init__(
        self, answers: Answers, host: str, port: int, context: ssl.SSLContext, timeout: float
    ) -> None:
        self.answers = answers
        super().__init__(host, port, context, timeout)


class Client(IMAPClient):  # type: ignore[misc]
    """The library's client, with an allowance for each answer. context: if given, TLS from the first byte."""

    def __init__(
        self, host: str, port: int, answers: Answers, *, context: ssl.SSLContext | None, timeout: float
    ) -> None:
        self._answers = answers
        super().__init__(host, port, ssl=context is not None, ssl_context=context, timeout=timeout)
        self._imap.debug = (
            0  # else every line and literal is written a second time, for a log that nobody keeps
        )

    def _create_IMAP4(self) -> _Bounded:
        timeout = self._timeout.connect
        if self.ssl:
            return _Tls(self._answers, self.host, self.port, self.ssl_context, timeout)
        return _Plain(self._answers, self.host, self.port, timeout)
