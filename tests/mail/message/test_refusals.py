"""Whose matter a refusal is: what a mail server answers and what a bounce says, read by one table."""

from __future__ import annotations

import pytest

from referee.mail.message.refusals import Refusal, read_refusal, status_among_words

SERVICE: list[tuple[str, str, str]] = [
    # what the server says, the status read, and a word of the cure
    (
        "550 5.7.515 Access denied, sending domain example.org doesn't meet the required authentication level.",
        "5.7.515",
        "v=DMARC1",
    ),
    ("550-5.7.26 Unauthenticated email from example.org is not accepted due to domain's", "5.7.26", "v=DMARC1"),
    ("550 5.7.26 This mail has been blocked because the sender is unauthenticated.", "5.7.26", "v=DMARC1"),
    ("421 4.7.26 Your email has been rate limited because it is unauthenticated.", "4.7.26", "v=DMARC1"),
    ("550 5.7.509 Access denied, sending domain example.org does not pass DMARC verification", "5.7.509", "DMARC"),
    ("550 5.7.27 SPF authentication did not pass", "5.7.27", "SPF record"),
    ("450 4.7.27 SPF authentication did not pass", "4.7.27", "SPF record"),
    ("550 5.7.23 The message was rejected because of Sender Policy Framework violation", "5.7.23", "SPF record"),
    ("451 4.7.24 The SPF record of the sending domain has one or more suspicious entries.", "4.7.24", "SPF record"),
    ("550 5.7.1 SPF check failed for example.org", "5.7.1", "SPF record"),
    ("550 SPF fail: not authorized", "5.0.0", "SPF record"),
    ("550 5.7.30 DKIM authentication did not pass", "5.7.30", "DKIM"),
    ("554 5.7.20 No passing DKIM signature found", "5.7.20", "DKIM"),
    ("550 5.7.25 The IP address sending this message does not have a PTR record", "5.7.25", "PTR"),
    ("450 4.7.25 Client host rejected: cannot find your reverse hostname", "4.7.25", "PTR"),
    ("554 5.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.1]", "5.7.1", "PTR"),
    ("550 5.7.29 This message was not sent over a TLS connection", "5.7.29", "TLS"),
    ("530 5.7.10 Encryption required for requested authentication mechanism", "5.7.10", "TLS"),
    ("421 4.7.28 Gmail has detected an unusual rate of unsolicited mail", "4.7.28", "list of spammers"),
    ("554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org", "5.7.1", "spammers"),
    ("554 blocked using bl.spamcop.net", "5.0.0", "list of spammers"),
    ("550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent: on our block list", "5.7.1", "spammers"),
    ("550 5.7.606 Access denied, banned sending IP [192.0.2.1]", "5.7.606", "list of spammers"),
    ("550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.", "5.7.708", "spammers"),
    ("550 5.4.5 Daily user sending limit exceeded", "5.4.5", "wait a day"),
    ("554 5.2.252 SendAsDenied; a@example.org not allowed to send as referee@example.org", "5.2.252", "may not send"),
    ("550 5.7.60 SMTP; Client does not have permissions to send as this sender", "5.7.60", "may not send"),
    ("550 5.1.8 Access denied, bad outbound sender", "5.1.8", "may not send"),
    ("553 5.1.7 <a@example.org>: Sender address rejected", "5.1.7", "may not send"),
    ("450 4.1.8 <a@example.org>: Sender address rejected: Domain not found", "4.1.8", "may not send"),
    ("550 5.7.30 Basic authentication is not supported for Client Submission.", "5.7.30", "token_command"),
    ("535 5.7.139 Authentication unsuccessful, basic authentication is disabled.", "5.7.139", "token_command"),
    ("554 5.7.9 Message not accepted for policy reasons", "5.7.9", ""),
    ("550 5.7.1 refused by our policy", "5.7.1", ""),
    ("450 4.7.1 try again later", "4.7.1", ""),
    ("554 5.3.0 system error", "5.3.0", ""),
    ("500 5.5.1 unknown command", "5.5.1", ""),
]  # fmt: skip
ADDRESS: list[tuple[str, str]] = [
    ("550 5.1.1 no such user here", "5.1.1"),
    ("550 5.1.1 The email account that you tried to reach does not exist. See example.com/spf-and-dkim", "5.1.1"),
    ("550 5.2.1 The account is disabled, or listed as spam", "5.2.1"),
    ("452 4.2.2 The recipient's inbox is out of storage space", "4.2.2"),
    ("550 5.4.1 Recipient address rejected: Access denied", "5.4.1"),
    ("550 5.5.0 Requested action not taken: mailbox unavailable", "5.5.0"),
    ("550 5.7.1 <a@example.net>: Recipient address rejected: User unknown in virtual mailbox table", "5.7.1"),
    ("554 delivery error: dd This user doesn't have a yahoo.com account", "5.0.0"),
    ("550 no such user", "5.0.0"),
    ("450 later", "4.0.0"),
    ("450 4.7.1 <a@example.net>: Recipient address rejected: Greylisted", "4.7.1"),
    ("441 4.4.1 no answer from host", "4.4.1"),
    ("It did not arrive.", ""),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("words", "status", "cure"), SERVICE)
def test_what_is_said_of_this_service_is_the_operator_s_matter_with_its_cure(
    words: str, status: str, cure: str
) -> None:
    found = read_refusal(f"the mail server mx.example.com:587 refused the letter: {words}")
    assert (found.status, found.matter) == (status, "service")
    assert cure in found.cure and bool(cure) == bool(found.cure)


@pytest.mark.parametrize(("words", "status"), ADDRESS)
def test_what_is_said_of_the_address_counts_against_it(words: str, status: str) -> None:
    assert read_refusal(words) == Refusal(status, "address")


@pytest.mark.parametrize(
    ("words", "matter"),
    [
        ("552 5.3.4 message too big", "size"),
        ("552 5.2.3 message exceeds limit", "size"),
        ("554 5.6.0 bad", "content"),
        ("refused the letter (5.6.0): 554 no", "content"),
    ],
)
def test_what_is_said_of_the_letter_is_neither(words: str, matter: str) -> None:
    assert read_refusal(words).matter == matter


@pytest.mark.parametrize(
    ("status", "words", "found"),
    [
        ("5.0.0", "smtp; 550-5.7.26 Unauthenticated email", "5.7.26"),
        ("5.7.1", "smtp; 550 5.7.515 Access denied", "5.7.1"),
        ("5.1.1", "smtp; 550 5.7.26 whatever", "5.1.1"),
        ("4.0.0", "smtp; 550 5.7.26 whatever", "4.0.0"),
        ("5.0.0", "smtp; 550 what", "5.0.0"),
    ],
)
def test_a_report_s_status_counts_unless_it_says_nothing(status: str, words: str, found: str) -> None:
    assert read_refusal(words, status).status == found


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("554 refused (mailer 4.96.2)", "5.0.0"),
        ("550 refused, see 5.7.1", "5.7.1"),
        ("[192.5.1.1] 5.1.1.1", ""),
        ("port 587: 550 no", "5.0.0"),
    ],
)
def test_a_status_is_told_from_other_numbers(text: str, status: str) -> None:
    assert status_among_words(text) == status
