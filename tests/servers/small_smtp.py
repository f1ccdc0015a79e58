"""A mail server in a thread, just large enough to misbehave on request."""

from __future__ import annotations

import base64
import os
import socket
import socketserver
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

HANG_UP = "hang up"
RESET = "reset"
SILENCE = "silence"
GARBAGE = "\x01\x02 wibble"


@dataclass(frozen=True)
class Taken:
    """A letter as it was accepted."""

    sender: str
    recipient: str
    content: bytes
    options: str


class SmallSmtp:
    """Accepts everything, except where `answers` says otherwise.

    answers: for a word ("CONNECT", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "TEXT" when the letter has begun, "END"
    after it, "AFTER" when it was accepted) what to answer the next times, in order: an SMTP answer, HANG_UP, RESET,
    SILENCE or GARBAGE; "" stands for the usual answer, which is none at TEXT and AFTER.
    too_large: what to answer after a letter of more bytes than that, instead of what stands at END; None: nothing.
    taken: the letters in order. extensions: what EHLO offers. tls: at once, or on STARTTLS where that is offered;
    None: without. The password is "secret", the token "good".
    """

    def __init__(self) -> None:
        self.answers: dict[str, list[str]] = {}
        self.too_large: tuple[int, str] | None = None
        self.taken: list[Taken] = []
        self.extensions = ["SIZE 1000000", "8BITMIME", "AUTH PLAIN XOAUTH2"]
        self.connections = 0
        self.tls: ssl.SSLContext | None = None
        self.words: list[str] = []
        self.over = threading.Event()
        self._open: set[socket.socket] = set()

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        outer = self

        class Connected(Conversation):
            referee = outer

        self._server = Server(("127.0.0.1", 0), Connected)
        # Little of a long letter lies between two processes, so that a client sees whether it is read.
        self._server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        self.port = int(self._server.server_address[1])

    @contextmanager
    def running(self) -> Iterator[SmallSmtp]:
        thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        thread.start()
        try:
            yield self
        finally:
            self.over.set()
            self.lose_connections()
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    def lose_connections(self) -> None:
        for connection in list(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def register(self, connection: socket.socket) -> None:
        self.connections += 1
        self._open.add(connection)

    def forget(self, connection: socket.socket) -> None:
        self._open.discard(connection)

    def next_answer(self, word: str) -> str:
        self.words.append(word)
        waiting = self.answers.get(word)
        return waiting.pop(0) if waiting else ""


class HangUp(Exception):
    """The connection ends without another word."""


class Conversation(socketserver.StreamRequestHandler):
    """One connection's talk."""

    referee: SmallSmtp
    disable_nagle_algorithm = True

    def say(self, word: str, usual: str) -> str:
        """Answer as ordered or as usual, and return the answer's first digit."""
        answer = self.referee.next_answer(word) or usual
        if answer == SILENCE:
            self.referee.over.wait()
            raise HangUp
        if answer == HANG_UP:
            raise HangUp
        if answer == RESET:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            os.close(self.connection.detach())
            raise HangUp
        if answer:
            self.wfile.write(answer.encode() + b"\r\n")
        return answer[:1]

    def begin_tls(self) -> None:
        assert self.referee.tls is not None
        self.connection = self.referee.tls.wrap_socket(self.request, server_side=True)
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb", buffering=0)

    def handle(self) -> None:
        self.referee.register(self.request)
        try:
            if self.referee.tls and "STARTTLS" not in self.referee.extensions:
                self.begin_tls()
            self.say("CONNECT", "220 small server")
            # Not iter(self.rfile.readline, b""): TLS brings another file.
            while line := self.rfile.readline():
                word, _, rest = line.decode(errors="replace").strip().partition(" ")
                self.answer(word.upper(), rest)
        except (HangUp, OSError):
            return
        finally:
            self.referee.forget(self.request)
            if self.connection is not self.request:
                self.connection.close()  # TLS has taken the socket over

    def answer(self, word: str, rest: str) -> None:
        match word:
            case "EHLO":
                lines = ["small server", *self.referee.extensions]
                offered = [f"250-{line}" for line in lines[:-1]] + [f"250 {lines[-1]}"]
                self.say("EHLO", "\r\n".join(offered))
            case "STARTTLS":
                if self.say("STARTTLS", "220 begin") == "2":
                    self.begin_tls()
            case "AUTH":
                self.log_in(rest)
            case "MAIL":
                self.sender, _, self.options = rest.removeprefix("FROM:").partition(" ")
                self.say("MAIL", "250 ok")
            case "RCPT":
                self.recipient = rest.removeprefix("TO:")
                self.say("RCPT", "250 ok")
            case "DATA":
                if self.say("DATA", "354 go on") == "3":
                    self.take_letter()
            case "RSET":
                self.say("RSET", "250 ok")
            case "QUIT":
                self.say("QUIT", "221 bye")
                raise HangUp
            case _:
                self.say(word, "500 what?")

    def log_in(self, rest: str) -> None:
        said = base64.b64decode(rest.rpartition(" ")[2])
        if said.endswith((b"\0secret", b"\1auth=Bearer good\1\1")):
            self.say("AUTH", "235 in")
        elif rest.startswith("XOAUTH2"):
            self.say("AUTH", "334 " + base64.b64encode(b'{"status":"401"}').decode())
            self.rfile.readline()
            self.say("AUTH", "535 refused")
        else:
            self.say("AUTH", "535 5.7.8 wrong")

    def take_letter(self) -> None:
        lines: list[bytes] = []
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                raise HangUp
            if not lines:
                self.say("TEXT", "")
            lines.append(line.removeprefix(b"."))
        taken = Taken(self.sender, self.recipient, b"".join(lines), self.options)
        too_large = self.referee.too_large
        if too_large is not None and len(taken.content) > too_large[0]:
            self.wfile.write(too_large[1].encode() + b"\r\n")
            return
        ordered = self.referee.answers.get("END", [""])
        # A server that falls silent has taken the letter all the same.
        if not ordered or ordered[0] in ("", HANG_UP, RESET, SILENCE, GARBAGE) or ordered[0].startswith("2"):
            self.referee.taken.append(taken)
        if self.say("END", f"250 2.0.0 taken as number {len(self.referee.taken)}") == "2":
            self.say("AFTER", "")
