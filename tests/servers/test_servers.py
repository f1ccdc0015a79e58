"""The real servers do what other tests rely on."""

from __future__ import annotations

import smtplib

import psycopg
import pytest

from tests.servers.launching import runs
from tests.servers.mail import NARROW, MailServers
from tests.support.waiting import until

pytestmark = pytest.mark.servers


def test_only_the_stamp_of_our_own_mail_host_reaches_the_mailbox(mail_servers: MailServers) -> None:
    with smtplib.SMTP("localhost", mail_servers.mx) as post:
        post.sendmail(
            "anna@example.net",
            ["forged@example.org"],
            b"Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\r\n"
            b"Authentication-Results: elsewhere.example; dmarc=fail\r\n"
            b"From: bert@example.com\r\n\r\nV-NW2\r\n",
        )
    box = mail_servers.maildir("forged@example.org") / "new"
    letters = until(lambda: list(box.glob("*")))
    results = [
        line for line in letters[0].read_text().splitlines() if line.startswith("Authentication-Results")
    ]
    assert results == [
        "Authentication-Results: mx.example.org; dmarc=pass header.from=example.net",
        "Authentication-Results: elsewhere.example; dmarc=fail",
    ]


def test_letters_that_are_submitted_with_a_login_carry_no_stamp(mail_servers: MailServers) -> None:
    with smtplib.SMTP("localhost", mail_servers.submission) as post:
        post.starttls(context=mail_servers.ssl_context())
        post.login("referee@example.org", mail_servers.password)
        post.sendmail("referee@example.org", ["unstamped@example.net"], b"Subject: report\r\n\r\n")
    box = mail_servers.maildir("unstamped@example.net") / "new"
    letters = until(lambda: list(box.glob("*")))
    assert "Authentication-Results" not in letters[0].read_text()


def test_the_narrow_port_takes_no_letter_that_is_larger(mail_servers: MailServers) -> None:
    with (
        smtplib.SMTP("localhost", mail_servers.narrow) as post,
        pytest.raises(smtplib.SMTPSenderRefused) as no,
    ):
        post.sendmail("anna@example.net", ["anybody@example.org"], b"x" * (NARROW + 1))
    assert no.value.smtp_code == 552
    assert no.value.smtp_error.startswith(b"5.3.4")


def test_a_server_has_ended_when_all_that_it_started_has(mail_servers: MailServers) -> None:
    """Else the next one in the same folders finds locks that are held."""
    for _ in range(3):
        master = mail_servers.postfix_group
        assert runs(master)
        mail_servers.stop_postfix()
        assert not runs(master)
        mail_servers.start_postfix()


def test_each_database_is_empty_and_ones_own(postgres_url: str) -> None:
    with psycopg.connect(postgres_url.replace("+psycopg", "")) as connection:
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    assert tables == (0,)
