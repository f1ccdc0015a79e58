"""A signed letter that somebody has got and sends in again, through real OpenDKIM, Postfix and Dovecot."""

from __future__ import annotations

import email
import json
import re
import smtplib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from email.message import Message
from email.utils import format_datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import create_engine, select

from referee.cli.main import main
from referee.rulebooks.rulebook import Seat
from referee.service.bootstrap import open_application, upgrade_store
from referee.service.settings import load
from referee.store.tables import LETTER_CONTENTS, LETTERS
from tests.deploy.places import DEPLOY
from tests.servers.dkim import DEBIAN, Keys, checking, signing
from tests.servers.launching import ServerAbsent
from tests.servers.mail import MailServers
from tests.support.waiting import until

OURS = (DEPLOY / "postfix-dovecot" / "opendkim.conf").read_text()

SETTINGS = """\
[service]
address = "{address}"
database = "sqlite:///{folder}/referee.db"

[inbox]
host = "127.0.0.1"
port = {imap}
security = "none"
username = "{address}"
password = "{password}"

[outbox]
host = "127.0.0.1"
port = {mx}
security = "none"

[trust]
authserv_id = ["mx.example.org"]
"""


def _now() -> bytes:
    return format_datetime(datetime.now(UTC)).encode()


CHANGES: Mapping[str, Callable[[bytes, str], bytes]] = {
    "nothing": lambda letter, _: letter,
    "another way": lambda letter, _: b"Received: from a by b; some day\r\n" + letter,
    "another sender": lambda letter, _: b"Sender: <x@evil.example>\r\n" + letter,
    "another Message-ID": lambda letter, _: re.sub(
        rb"Message-ID: .*", b"Message-ID: <2@evil.example>", letter
    ),
    "no Message-ID": lambda letter, _: re.sub(rb"Message-ID: .*\r\n", b"", letter),
    "further References": lambda letter, newest: b"References: %s\r\n" % newest.encode() + letter,
    "as markup": lambda letter, _: b"Content-Type: text/html\r\n" + letter,
    "in another encoding": lambda letter, _: b"Content-Transfer-Encoding: quoted-printable\r\n" + letter,
    "delivered elsewhere": lambda letter, _: (
        b"Delivered-To: referee+zzzzzzzzzzzzzzzz@example.org\r\n" + letter
    ),
    "a second Date": lambda letter, _: b"Date: %s\r\n" % _now() + letter,
    "a second To": lambda letter, _: b"To: umpire@example.org\r\n" + letter,
    "a second Subject": lambda letter, _: b"Subject: [game 1]\r\n" + letter,
    "another In-Reply-To": lambda letter, newest: re.sub(
        rb"In-Reply-To: .*", b"In-Reply-To: " + newest.encode(), letter
    ),
    "another Date": lambda letter, _: re.sub(rb"Date: .*", b"Date: " + _now(), letter),
    "other words": lambda letter, _: letter.replace(b"A-S1", b"C-S1"),
}
"""What is changed in the raw copy. newest: the Message-ID of the letter that asks for the next move."""

VERIFY: Mapping[str, tuple[str, ...]] = {
    "Debian": tuple(CHANGES)[:12],
    "ours": ("nothing", "another way", "another sender", "delivered elsewhere"),
}
"""After which changes the signature still holds, by what it was made with."""


class Post:
    """Anna's and Bert's mail host, which signs, and the referee's, which checks."""

    def __init__(self, servers: MailServers, folder: Path, address: str) -> None:
        self.servers, self.address = servers, address
        self.config = folder / "referee.toml"
        self.config.touch(mode=0o600)
        self.config.write_text(
            SETTINGS.format(
                address=address,
                folder=folder,
                imap=servers.imap,
                mx=servers.mx,
                password=servers.password,
            )
        )
        self._handed_over = 0
        upgrade_store(load(self.config, {}))

    def signed(self, who: str, move: str, answered: Message, date: datetime) -> bytes:
        """Let somebody answer a letter; return the answer as it lies in the box of whoever has got a copy."""
        lines = [f"From: {who}", f"To: {answered['Reply-To']}", f"Subject: Re: {answered['Subject']}"]
        lines += [f"Date: {format_datetime(date)}", f"Message-ID: <{date.timestamp()}.{who}>"]
        lines += [f"In-Reply-To: {answered['Message-ID']}", "", move, ""]
        copy = f"copy-{date.timestamp():.0f}-{who.partition('@')[0]}-{self.address.partition('@')[0]}@example.com"
        with smtplib.SMTP("127.0.0.1", self.servers.signing) as post:
            post.sendmail(who, [copy], "\r\n".join(lines).encode())
        content = _lying(self.servers, copy, 1)[0]
        return content[content.index(b"DKIM-Signature:") :].replace(b"\n", b"\r\n")

    def hand_in(self, content: bytes, to: str, port: int = 0, sender: str = "somebody@evil.example") -> None:
        """Send a letter to the referee, by the port that checks it unless another is named."""
        with smtplib.SMTP("127.0.0.1", port or self.servers.checking) as post:
            post.sendmail(sender, [to], content)
        self._handed_over += 1

    def letters(self) -> list[tuple[str, bytes]]:
        """Return the outcomes of the letters that were taken in, and their bytes, in their order."""
        asked = (
            select(LETTERS.c.outcome, LETTER_CONTENTS.c.content)
            .join_from(LETTERS, LETTER_CONTENTS, LETTERS.c.number == LETTER_CONTENTS.c.letter)
            .order_by(LETTERS.c.number)
        )
        with closing(create_engine(load(self.config, {}).service.database).connect()) as connection:
            return [(outcome, content) for outcome, content in connection.execute(asked)]

    def run(self) -> Mapping[str, int]:
        """Let the referee take in all that was handed in; return what it says it did."""
        _lying(self.servers, self.address, self._handed_over)
        self._handed_over = 0
        result = CliRunner().invoke(main, ["--config", str(self.config), "run", "--once", "--json"])
        assert result.exit_code == 0, result.output
        said: Mapping[str, int] = json.loads(result.stdout)
        return said

    def newest(self, who: str, letters: int) -> Message:
        """Return the newest of so many letters that somebody has got about a game."""
        came = map(email.message_from_bytes, _lying(self.servers, who, letters))
        return max(came, key=lambda letter: int(letter["X-Referee-Number"] or 0))


def _lying(servers: MailServers, address: str, letters: int) -> list[bytes]:
    """Wait until so many letters have come to an address, and return them."""
    box = servers.maildir(address) / "new"
    log = servers.folder / "postfix.log"
    until(lambda: len(list(box.glob("*"))) >= letters, lambda: log.read_text()[-2000:])
    return [path.read_bytes() for path in box.glob("*")]


@contextmanager
def posting(servers: MailServers, folder: Path, name: str, settings: str) -> Iterator[Post]:
    try:
        keys = Keys(folder, "example.net")
        with (
            signing(folder, servers.signer, keys, settings),
            checking(folder, servers.checker, keys, OURS),
        ):
            yield Post(servers, folder, f"replays-{name.lower()}@example.org")
    except ServerAbsent as absent:
        pytest.skip(str(absent))


@pytest.mark.parametrize(("name", "settings"), [("Debian", DEBIAN), ("ours", OURS)], ids=["Debian", "ours"])
def test_a_signed_letter_that_is_sent_in_again_is_ruled_once(
    mail_servers: MailServers, tmp_path: Path, name: str, settings: str
) -> None:
    """Given that it is Anna's turn again, when her last letter comes again, changed in whatever way, then it moves
    nothing, though with Debian's list of headers most changed ones verify; the same move, really sent again, counts."""
    began = datetime.now(UTC).replace(microsecond=0)
    anna, bert = f"anna-{name.lower()}@example.net", f"bert-{name.lower()}@example.net"
    with posting(mail_servers, tmp_path, name, settings) as post:
        with open_application(load(post.config, {})) as application:
            seats = {Seat("white"): ("Anna", anna), Seat("yellow"): ("Bert", bert)}
            application.referee.umpire.new_game("confusion", seats, {"first": "white"})
        post.run()
        genuine = post.signed(anna, "A-S1", asked := post.newest(anna, 1), began - timedelta(minutes=3))
        post.hand_in(genuine, to := str(asked["Reply-To"]))
        assert post.run()["moves"] == 1
        answered = post.newest(bert, 2)
        post.hand_in(
            post.signed(bert, "A-N1", answered, began - timedelta(minutes=2)), str(answered["Reply-To"])
        )
        assert post.run()["moves"] == 1
        asks = post.newest(anna, 3)
        for change in CHANGES.values():
            post.hand_in(change(genuine, str(asks["Message-ID"])), to)
        assert post.run()["moves"] == 0

        verified = sum(b"dkim=pass (" in content for _, content in post.letters()[2:])
        assert verified == len(VERIFY[name])
        assert {outcome for outcome, _ in post.letters()[2:]} <= {"ignored", "held"}

        post.hand_in(post.signed(anna, "A-S1", asks, began - timedelta(minutes=1)), to)
        assert post.run()["moves"] == 1


def test_a_mail_host_gives_each_copy_of_a_letter_another_message_id_and_it_is_one_letter(
    mail_servers: MailServers, tmp_path: Path
) -> None:
    """Given a letter without a Message-ID that a program sends twice, since it did not hear that it was taken: Postfix
    gives either copy one of its own."""
    post = Post(mail_servers, tmp_path, "copies@example.org")
    who = "twice@example.net"
    with open_application(load(post.config, {})) as application:
        seats = {Seat("white"): ("Anna", who), Seat("yellow"): ("Bert", "bert-twice@example.net")}
        application.referee.umpire.new_game("confusion", seats, {"first": "white"})
    post.run()
    lines = [
        f"From: {who}",
        f"To: {post.address}",
        f"Date: {format_datetime(datetime.now(UTC))}",
        "",
        "games",
        "",
    ]
    for _ in range(2):
        post.hand_in("\r\n".join(lines).encode(), post.address, mail_servers.mx, who)
    assert post.run()["sent"] == 1
    letters = post.letters()
    message_ids = {email.message_from_bytes(content)["Message-ID"] for _, content in letters}
    assert len(letters) == len(message_ids - {None}) == 2
    assert sorted(outcome for outcome, _ in letters) == ["answered", "ignored"]
