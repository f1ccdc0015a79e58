"""The players' side of the mail: posting replies, seeing what was delivered, and a tap on a connection."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from smtplib import SMTP

from tests.benchmarks.prepared import Reply
from tests.servers.mail import MailServers

PATIENCE = 120.0
"""Seconds without any news after which a benchmark gives up."""
ACCEPTED = b"queued as"
"""What Postfix says when it has taken a letter over."""


def post(servers: MailServers, replies: Iterable[Reply], recipient: str | None = None) -> None:
    """Post replies one after the other on one connection. recipient: to this address instead of their own."""
    with SMTP("127.0.0.1", servers.mx) as smtp:
        for reply in replies:
            smtp.sendmail(reply.sender, [recipient or reply.recipient], reply.content)


class Deliveries:
    """Letters that Dovecot has laid into mailboxes since this was made."""

    def __init__(
        self, servers: MailServers, addresses: Sequence[str], kinds: Sequence[str] = ("new",)
    ) -> None:
        """kinds: "cur" too, where somebody looks into the mailbox meanwhile."""
        owners = {_owner(address) for address in addresses}
        self._boxes = [servers.maildir(owner) / kind for owner in owners for kind in kinds]
        self._before = self._lying()

    def _lying(self) -> int:
        count = 0
        for box in self._boxes:
            with suppress(FileNotFoundError):
                count += sum(1 for _ in os.scandir(box))
        return count

    def wait_until_empty(self) -> None:
        """Return when the mailboxes hold no letter; raises RuntimeError where some stay."""
        until = time.monotonic() + PATIENCE
        while left := self._lying():
            if time.monotonic() > until:
                raise RuntimeError(f"{left} letters stay in the mailbox")
            time.sleep(0.05)
        self._before = 0

    def wait_for(self, letters: int) -> None:
        """Return when so many have come; raises RuntimeError when none comes any more."""
        seen, since = 0, time.monotonic()
        while seen < letters:
            time.sleep(0.05)
            now_here = self._lying() - self._before
            if now_here > seen:
                seen, since = now_here, time.monotonic()
            elif time.monotonic() - since > PATIENCE:
                raise RuntimeError(f"{seen} of {letters} letters were delivered, then none any more")


def _owner(address: str) -> str:
    """Return the address whose mailbox takes letters to `address`: the same without what follows a plus."""
    local, _, domain = address.partition("@")
    return f"{local.partition('+')[0]}@{domain}"


class Tap:
    """A port that leads to another one. It counts connections and notes when a letter was accepted."""

    def __init__(self, port: int) -> None:
        """port: where it leads to, on this machine."""
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.connections = 0
        self.accepted: list[float] = []
        """Seconds of time.monotonic, one for each letter that the server has taken over."""
        self._news = threading.Condition()
        self._ends: list[socket.socket] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def wait_for(self, letters: int) -> float:
        """Wait until so many letters were accepted, and return when the last of them was."""
        with self._news:
            if not self._news.wait_for(lambda: len(self.accepted) >= letters, PATIENCE):
                raise RuntimeError(
                    f"{len(self.accepted)} of {letters} letters were accepted, then none any more"
                )
            return self.accepted[letters - 1]

    def close(self) -> None:
        """Close the port and all connections."""
        for end in (self._listener, *self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                self.connections += 1
                far = socket.create_connection(("127.0.0.1", self._target))
                for end in (near, far):
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._ends += [near, far]
                threading.Thread(target=self._carry, args=(near, far), daemon=True).start()
                threading.Thread(target=self._carry, args=(far, near), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while said := source.recv(65536):
                target.sendall(said)
                if ACCEPTED in said:
                    with self._news:
                        self.accepted.append(time.monotonic())
                        self._news.notify_all()
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)
