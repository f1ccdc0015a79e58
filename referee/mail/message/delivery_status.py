"""What the status of an undelivered letter concerns (RFC 3463): the reader's address, the letter, or us.

A bounce has one, and most answers of mail servers begin with one. Our own mail host's answers without one get
it from the step at which they were given.
"""

from __future__ import annotations

import re
from typing import Literal

from referee.mail.message.refusals import Matter, read_refusal, status_among_words

Step = Literal["MAIL", "RCPT", "DATA", "END"]
"""A step of the SMTP dialogue for a letter: one of its commands, or the end of the letter itself."""

LINE_LOST = "4.4.2"
"""The connection to our own mail host was lost, perhaps after it had the whole letter."""
FAILED_HERE = "4.3.0"
"""The failure is this program's own."""
ADDRESS_ODD = "5.1.3"
"""No address can be written like this."""
ADDRESS_BEYOND_ASCII = "5.6.7"
"""Our mail host accepts no addresses with characters beyond ASCII."""

_BY_STEP: dict[Step, tuple[str, str]] = {
    "MAIL": ("3.4", "3.0"),
    "RCPT": ("2.2", ""),
    "DATA": ("3.4", "3.0"),
    "END": ("3.4", "6.0"),
}
"""What 552 means at each step of the dialogue, and any other code; "": the code says it."""
_GIVEN = re.compile(r"\s*[245]\.\d{1,3}\.\d{1,3}(?![\d.])")


def speaks_of(status: str) -> Matter:
    """Return what a status concerns. status: "" where none was given."""
    return read_refusal("", status).matter


def smaller_may_do(code: int, status: str) -> bool:
    """Return whether a mail host that gave this answer may accept the same letter in a smaller form.

    A mailbox too full for one letter may have room for another.
    """
    return speaks_of(status) == "size" or (code == 552 and status == "5.2.2")


def status_at(step: Step, code: int, words: str) -> str:
    """Return the status of a server's answer: its own, else the one that the step implies; "" for neither.

    code: 400 to 599.
    """
    if _GIVEN.match(words):
        return status_among_words(words)
    too_much, other = _BY_STEP[step]
    meant = too_much if code == 552 else other
    return f"{code // 100}.{meant}" if meant else ""
