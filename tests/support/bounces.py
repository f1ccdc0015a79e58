"""What mail hosts write about letters that they could not deliver."""

from __future__ import annotations

from tests.support.playing import HOST, REFEREE, Delivered


def delivery_report(recipient: str, status: str = "5.1.1", action: str = "failed", words: str = "") -> str:
    """Return the body of a report (RFC 3464), its parts set apart by "b", without the letter that came back. words:
    what the mail server said."""
    return f"""\
--b
Content-Type: text/plain

Your letter could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; {recipient}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {words or status}

--b--
"""


def bounce(
    letter: Delivered, status: str = "5.1.1", *, to: str = REFEREE, action: str = "failed", words: str = ""
) -> bytes:
    """Return what a mail host writes about a letter that it could not deliver."""
    report = delivery_report(letter.recipient, status, action, words)
    return "\r\n".join(
        [
            f"Authentication-Results: {HOST}; dmarc=none",
            "Return-Path: <>",
            "From: MAILER-DAEMON@mx.example.net",
            f"To: {to}",
            "Subject: Undelivered",
            "Message-ID: <bounce@mx.example.net>",
            'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
            "",
            *report.removesuffix("--b--\n").splitlines(),
            "--b",
            "Content-Type: text/rfc822-headers",
            "",
            f"Message-ID: {letter['Message-ID']}",
            f"Subject: {letter['Subject']}",
            "--b--",
            "",
        ]
    ).encode()
