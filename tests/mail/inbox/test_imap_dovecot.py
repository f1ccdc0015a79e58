"""The IMAP door before a real Dovecot, with letters that came through a real Postfix."""

from __future__ import annotations

import smtplib
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from referee.common.clock import SystemClock
from referee.common.errors import MailboxClosed
from referee.mail.inbox.imap import ImapMailbox
from referee.mail.inbox.imap_connection import Account
from referee.mail.message.message import RawLetter
from tests.servers.mail import MailServers
from tests.support.waiting import FOR_EVER, PATIENCE, until

pytestmark = pytest.mark.servers

NUMBERS = count(1)


class Box:
    """A mailbox of its own for one test: its address, and doors to it."""

    def __init__(self, servers: MailServers) -> None:
        self.servers = servers
        self.address = f"box{next(NUMBERS)}@example.org"
        self.doors: list[ImapMailbox] = []

    def open(self, **changes: object) -> ImapMailbox:
        settings: dict[str, object] = {
            "host": "localhost",
            "port": self.servers.imaps,
            "username": self.address,
            "password": self.servers.password,
            "ssl_context": self.servers.ssl_context(),
            "timeout": 10.0,
        }
        door = ImapMailbox(Account(**{**settings, **changes}), SystemClock())  # type: ignore[arg-type]
        self.doors.append(door)
        return door

    def send(self, text: str = "V-NW2", *, tag: str = "") -> None:
        local, _, domain = self.address.partition("@")
        to = f"{local}+{tag}@{domain}" if tag else self.address
        with smtplib.SMTP("localhost", self.servers.mx) as post:
            post.sendmail("anna@example.net", [to], f"From: anna@example.net\r\n\r\n{text}\r\n".encode())

    def close(self) -> None:
        for door in self.doors:
            door.close()


@pytest.fixture
def box(mail_servers: MailServers) -> Iterator[Box]:
    made = Box(mail_servers)
    yield made
    made.close()


def seen(look: Callable[[], list[RawLetter]], number: int = 1) -> list[RawLetter]:
    """Look again and again until so many letters are there."""
    return until(
        lambda: letters if len(letters := look()) >= number else [], f"the coming of {number} letters"
    )


def test_a_posted_letter_is_read_moved_and_kept(box: Box) -> None:
    door = box.open()
    box.send(tag="abcdefghijklmnopqrst")
    (letter,) = seen(door.unread)
    assert letter.content is not None
    assert b"Delivered-To: " + box.address.replace("@", "+abcdefghijklmnopqrst@").encode() in letter.content
    assert b"Authentication-Results: mx.example.org; dmarc=pass header.from=example.net" in letter.content
    assert letter.content.endswith(b"\r\nV-NW2\r\n")
    assert abs(letter.received - datetime.now(UTC)) < timedelta(minutes=1)
    assert letter.size == len(letter.content)
    door.handled([letter])
    assert door.unread() == []
    month = f"{datetime.now(UTC):%Y-%m}"
    assert [one.content for one in box.open(folder=f"Done/{month}").unread()] == [letter.content]


def test_news_of_a_letter_ends_the_waiting(box: Box) -> None:
    door = box.open()
    door.wait(PATIENCE)
    assert door.unread() == []
    threading.Timer(0.1, box.send).start()
    assert door.wait(PATIENCE)
    assert len(seen(door.unread)) == 1


def test_waiting_over_tls_can_be_interrupted(box: Box) -> None:
    door = box.open()
    door.wait(PATIENCE)
    threading.Timer(0.1, door.interrupt).start()
    assert not door.wait(FOR_EVER)


def test_starttls_works(box: Box) -> None:
    assert box.open(security="starttls", port=box.servers.imap).unread() == []


def test_a_server_on_this_machine_works_without_tls(box: Box) -> None:
    assert box.open(security="none", port=box.servers.imap).unread() == []


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_certificate_of_an_unknown_authority_is_refused(box: Box, security: str) -> None:
    port = box.servers.imaps if security == "tls" else box.servers.imap
    with pytest.raises(MailboxClosed, match=r"certificate.*is not trusted"):
        box.open(ssl_context=None, security=security, port=port).unread()


def test_a_certificate_for_another_name_is_refused(box: Box) -> None:
    with pytest.raises(MailboxClosed, match=r"certificate.*is not trusted"):
        box.open(host="127.0.0.1").unread()


def test_tls_to_the_port_without_it_is_explained(box: Box) -> None:
    with pytest.raises(MailboxClosed, match="does not speak TLS"):
        box.open(port=box.servers.imap).unread()


def test_a_wrong_password_is_permanent(box: Box) -> None:
    with pytest.raises(MailboxClosed, match="refused the login") as trouble:
        box.open(password="wrong").unread()
    assert trouble.value.permanent


def test_a_refused_token_is_permanent(box: Box) -> None:
    with pytest.raises(MailboxClosed, match="token_command") as trouble:
        box.open(token=lambda: "stale").unread()
    assert trouble.value.permanent


def test_of_a_letter_of_30_megabytes_only_the_header_is_fetched(box: Box) -> None:
    box.servers.put(box.address, b"Subject: huge\r\n\r\n" + b"x" * 72 * 416_667, "1.huge")
    box.servers.put(box.address, b"Subject: small\r\n\r\nV-NW2\r\n", "2.small")
    letters = {letter.content: letter.size for letter in seen(box.open().unread, 2)}
    assert letters[b"Subject: huge\r\n\r\n"] > 29_000_000
    assert letters[b"Subject: small\r\n\r\nV-NW2\r\n"] == 25


def test_a_letter_of_no_octets_stands_in_nobodys_way(box: Box) -> None:
    box.servers.put(box.address, b"", "1.empty")
    box.servers.put(box.address, b"Subject: small\r\n\r\nV-NW2\r\n", "2.small")
    door = box.open()
    letters = door.unread()
    assert b"Subject: small\r\n\r\nV-NW2\r\n" in [letter.content for letter in letters]
    assert all(letter.content in (b"", b"Subject: small\r\n\r\nV-NW2\r\n") for letter in letters)
    door.handled(letters)
    assert door.unread() == []


def test_a_letter_is_found_by_its_subject(box: Box) -> None:
    box.servers.put(box.address, b"Subject: trial 4711\r\n\r\n", "1.one")
    box.servers.put(box.address, b"Subject: other\r\n\r\n", "2.two")
    assert [letter.content for letter in box.open().with_subject("4711")] == [b"Subject: trial 4711\r\n\r\n"]


def test_a_server_that_was_restarted_is_found_again(box: Box) -> None:
    door = box.open()
    box.servers.put(box.address, b"Subject: small\r\n\r\nV-NW2\r\n", "1.small")
    door.wait(PATIENCE)
    door.unread()
    box.servers.stop_dovecot()
    try:
        with pytest.raises(MailboxClosed):
            door.unread()
        assert door.wait(0.1)
        with pytest.raises(MailboxClosed, match="refuses connections"):
            door.unread()
    finally:
        box.servers.start_dovecot()
    assert len(door.unread()) == 1
