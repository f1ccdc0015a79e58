"""What mail hosts write about letters that they could not deliver."""

from __future__ import annotations

from tests.playing import HOST, REFEREE, Delivered


def bounce(letter: Delivered, status: str = "5.1.1", *, to: str = REFEREE, action: str = "failed") -> bytes:
    """Return what a mail host writes about a letter that it could not deliver."""
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
            "--b",
            "Content-Type: text/plain",
            "",
            "It did not arrive.",
            "--b",
            "Content-Type: message/delivery-status",
            "",
            "Reporting-MTA: dns; mx.example.net",
            "",
            f"Final-Recipient: rfc822; {letter.recipient}",
            f"Action: {action}",
            f"Status: {status}",
            "",
            "--b",
            "Content-Type: text/rfc822-headers",
            "",
            f"Message-ID: {letter['Message-ID']}",
            f"Subject: {letter['Subject']}",
            "--b--",
            "",
        ]
    ).encode()
