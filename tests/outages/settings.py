"""The service with wires between it and its servers, small ones or real ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from tests.outages.shifts import Shifts
from tests.servers.certificates import make_authority, server_context
from tests.servers.mail import MailServers
from tests.servers.small_imap import SmallImap
from tests.servers.small_smtp import SmallSmtp
from tests.servers.wire import Wire
from tests.support.operating import REFEREE, SERVICE, Desk, imap, smtp
from tests.support.waiting import until

NUMBERS = count(1)


class Setting:
    """The service, and wires between it and its servers: one to the mailbox (reading), one to the post (posting)."""

    def __init__(self, shifts: Shifts, reading: Wire, posting: Wire) -> None:
        self.shifts, self.reading, self.posting = shifts, reading, posting

    def begin(self) -> None:
        """Start a game, and let its first letters arrive."""
        self.shifts.start_game()
        assert self.shifts.turn()
        self.wait_for(2)

    def wait_for(self, letters: int) -> None:
        """Wait until so many letters have come to their readers, repeats included."""
        until(lambda: len(self.shifts.received()) >= letters, f"the coming of {letters} letters")


class SmallSetting(Setting):
    """Small servers behind the wires."""

    def __init__(
        self, folder: Path, mailbox: SmallImap, post: SmallSmtp, reading: Wire, posting: Wire
    ) -> None:
        self.mailbox, self.post = mailbox, post
        shifts = Shifts(
            Desk(folder, SERVICE + imap(reading.port) + smtp(posting.port)),
            deliver=mailbox.deliver,
            received=lambda: [(taken.recipient.strip("<>"), taken.content) for taken in post.taken],
            waiting=lambda: len(mailbox.folders["INBOX"]),
        )
        super().__init__(shifts, reading, posting)

    def speak_tls(self) -> Path:
        """Let both servers offer STARTTLS, and the service ask for it; return the authority's folder."""
        folder = self.shifts.desk.folder / "tls"
        folder.mkdir()
        make_authority(folder)
        self.mailbox.tls = self.post.tls = server_context(folder, "good")
        self.mailbox.capabilities.append("STARTTLS")
        self.post.extensions.append("STARTTLS")
        settings = self.shifts.desk.settings.replace('"127.0.0.1"', '"localhost"')
        tls = f'security = "starttls"\nca_file = "{folder / "ca.pem"}"'
        self.shifts.desk.write_settings(settings.replace('security = "none"', tls))
        return folder


class RealSetting(Setting):
    """Dovecot and Postfix behind the wires; the service and its players have mailboxes of their own there."""

    def __init__(self, folder: Path, servers: MailServers, reading: Wire, posting: Wire) -> None:
        self.servers = servers
        number = next(NUMBERS)
        self.address = f"lost{number}@example.org"
        self.white, self.yellow = f"white{number}@example.net", f"yellow{number}@example.com"
        self._names = count(1)
        inbox = imap(reading.port).replace('"referee"', f'"{self.address}"')
        outbox = f'\n[outbox]\nhost = "127.0.0.1"\nport = {posting.port}\nsecurity = "none"\n'
        shifts = Shifts(
            Desk(folder, SERVICE.replace(REFEREE, self.address) + inbox + outbox),
            deliver=self.deliver,
            received=self._received,
            waiting=lambda: len(self.lying()),
            white=self.white,
            yellow=self.yellow,
        )
        super().__init__(shifts, reading, posting)

    @contextmanager
    def narrow(self) -> Iterator[None]:
        """Within this, Postfix takes no letter that is larger than NARROW."""
        self.posting.target = self.servers.narrow
        try:
            yield
        finally:
            self.posting.target = self.servers.mx

    def deliver(self, content: bytes) -> None:
        self.servers.put(self.address, content, f"{next(self._names)}.letter")

    @property
    def box(self) -> Path:
        """The service's Maildir."""
        return self.servers.maildir(self.address)

    def lying(self) -> list[Path]:
        """Return the letters in the service's inbox."""
        return [path for part in ("new", "cur") for path in (self.box / part).glob("*")]

    def _received(self) -> list[tuple[str, bytes]]:
        came = [
            (path, who)
            for who in (self.white, self.yellow)
            for path in (self.servers.maildir(who) / "new").glob("*")
        ]
        return [(who, path.read_bytes()) for path, who in sorted(came, key=lambda each: each[0].name)]


@contextmanager
def small_setting(folder: Path) -> Iterator[SmallSetting]:
    """Set the service before small servers."""
    with (
        SmallImap().running() as mailbox,
        SmallSmtp().running() as post,
        Wire(mailbox.port).running() as reading,
        Wire(post.port).running() as posting,
    ):
        yield SmallSetting(folder, mailbox, post, reading, posting)


@contextmanager
def real_setting(servers: MailServers, folder: Path) -> Iterator[RealSetting]:
    """Set the service before Dovecot and Postfix."""
    with Wire(servers.imap).running() as reading, Wire(servers.mx).running() as posting:
        yield RealSetting(folder, servers, reading, posting)
