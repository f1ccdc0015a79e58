"""The SMTP way out before a real Postfix, until the letters lie in their readers' mailboxes."""

from __future__ import annotations

import asyncio
import gc
from itertools import count
from pathlib import Path

import pytest

from referee.common.clock import SystemClock
from referee.common.errors import DeliveryRefused
from referee.mail.outbox.sender import Posted, Poster
from referee.mail.outbox.smtp import SmtpPost, Submission
from referee.mail.outbox.transport import PostClosed
from tests.mail.outbox.fakes import ListQueue, Waiting
from tests.servers.mail import MailServers
from tests.servers.wire import Cut, Wire
from tests.support.waiting import PATIENCE, until

pytestmark = pytest.mark.servers

NUMBERS = count(1)


def submission(servers: MailServers, **changes: object) -> Submission:
    settings: dict[str, object] = {
        "host": "localhost",
        "port": servers.submission,
        "username": "referee@example.org",
        "password": servers.password,
        "ssl_context": servers.ssl_context(),
    }
    return Submission(**{**settings, **changes})  # type: ignore[arg-type]


def outcome(letter: Waiting, where: Submission) -> str | DeliveryRefused:
    async def sending() -> str:
        post = SmtpPost(where)
        try:
            return await post.send(letter)
        finally:
            await post.close()

    try:
        return asyncio.run(sending())
    except DeliveryRefused as refusal:
        return refusal


def arrived(box: Path, number: int = 1) -> list[bytes]:
    """Wait until so many letters lie in a Maildir, and return them."""
    until(lambda: len(list((box / "new").glob("*"))) >= number, f"the coming of {number} letters")
    return [path.read_bytes() for path in (box / "new").glob("*")]


def fresh() -> Waiting:
    number = next(NUMBERS)
    return Waiting.make(number, f"reader{number}@example.net")


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_letter_arrives_over_tls(mail_servers: MailServers, security: str) -> None:
    port = mail_servers.submissions if security == "tls" else mail_servers.submission
    letter = fresh()
    answer = outcome(letter, submission(mail_servers, security=security, port=port))
    assert "queued as" in str(answer)
    (content,) = arrived(mail_servers.maildir(letter.recipient))
    assert (
        content.replace(b"\r\n", b"\n").endswith(b"Subject: report\n\nYour move.\n")
        or b"Your move." in content
    )
    assert b"Return-Path: <referee@example.org>" in content


def test_a_wrong_password_is_named(mail_servers: MailServers) -> None:
    closed = outcome(fresh(), submission(mail_servers, password="wrong"))
    assert isinstance(closed, PostClosed)
    assert closed.code == 535


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_certificate_of_an_unknown_authority_is_refused(mail_servers: MailServers, security: str) -> None:
    port = mail_servers.submissions if security == "tls" else mail_servers.submission
    closed = outcome(fresh(), submission(mail_servers, security=security, port=port, ssl_context=None))
    gc.collect()
    assert isinstance(closed, PostClosed)
    assert "is not trusted" in str(closed)


def test_a_certificate_for_another_name_is_refused(mail_servers: MailServers) -> None:
    closed = outcome(fresh(), submission(mail_servers, host="127.0.0.1"))
    gc.collect()
    assert isinstance(closed, PostClosed)
    assert "is not trusted" in str(closed)


def test_a_closed_post_does_not_wait_for_the_server_to_take_leave(mail_servers: MailServers) -> None:
    async def socket_after_closing() -> int:
        post = SmtpPost(submission(mail_servers, security="tls", port=mail_servers.submissions))
        await post.probe()
        (client,) = post._free
        held = client.get_transport_info("socket")
        await post.close()
        return int(held.fileno())

    assert asyncio.run(socket_after_closing()) == -1


def test_refusals_of_the_recipient_are_told_apart(mail_servers: MailServers) -> None:
    where = submission(mail_servers)
    never = outcome(Waiting.make(1, "nobody@example.net"), where)
    later = outcome(Waiting.make(2, "later@example.net"), where)
    assert isinstance(never, DeliveryRefused)
    assert (never.code, never.temporary) == (550, False)
    assert isinstance(later, DeliveryRefused)
    assert (later.code, later.temporary) == (450, True)


@pytest.mark.parametrize(
    ("cut", "is_uncertain"),
    [
        (Cut("client", b"MAIL FROM:", "all"), False),
        (Cut("client", b"DATA\r\n", "all"), False),
        (Cut("server", b"354", "nothing"), False),
        (Cut("client", b"\r\n.\r\n", "all"), True),
    ],
)
def test_only_a_letter_that_was_sent_to_its_end_was_perhaps_taken(
    mail_servers: MailServers, cut: Cut, is_uncertain: bool
) -> None:
    letter = fresh()
    with Wire(mail_servers.mx).running() as wire:
        where = Submission(host="127.0.0.1", port=wire.port, security="none")
        wire.cuts = [cut]
        lost = outcome(letter, where)
        assert isinstance(lost, DeliveryRefused) and not isinstance(lost, PostClosed), lost
        assert (lost.temporary, lost.uncertain) == (True, is_uncertain)
        assert "queued as" in str(outcome(letter, where))
    assert len(arrived(mail_servers.maildir(letter.recipient), 1 + is_uncertain)) == 1 + is_uncertain


def test_two_hundred_letters_need_three_connections(mail_servers: MailServers) -> None:
    first = next(NUMBERS) * 1000
    queue = ListQueue()
    queue.put(*(Waiting.make(first + number, f"crowd{number % 10}@example.com") for number in range(200)))
    post = SmtpPost(submission(mail_servers))
    assert Poster(queue, post, SystemClock()).post_due_once() == Posted(sent=200, failures=0)
    assert post.connections <= 3
    for number in range(10):
        assert len(arrived(mail_servers.maildir(f"crowd{number}@example.com"), 20)) == 20


def test_a_mail_server_that_was_away_gets_the_letters_when_it_is_back(mail_servers: MailServers) -> None:
    queue, letter = ListQueue(), fresh()
    queue.put(letter)
    poster = Poster(queue, SmtpPost(submission(mail_servers)), SystemClock())
    mail_servers.stop_postfix()
    try:
        poster.start()
        until(lambda: poster.trouble)
        # Refused, or lost: one of Postfix's children may outlive their master for a moment.
        assert f"the mail server localhost:{mail_servers.submission}" in poster.trouble
    finally:
        mail_servers.start_postfix()
    queue.wait_until_empty()
    assert poster.stop(PATIENCE)
    assert queue.put_off == []
    assert len(arrived(mail_servers.maildir(letter.recipient))) == 1
