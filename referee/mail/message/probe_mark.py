"""The trial letter that the service sends to itself at set-up, and how it is recognised.

It is no player's letter and is never recorded as one. Its mark stands in the Subject, which every mail
service leaves unchanged. The mark is made with the service's own key, so that nobody else can write a letter
that passes unrecorded.
"""

from __future__ import annotations

import hashlib
import hmac
import re

from referee.mail.message.limits import HEADER_OCTETS

NONCE = 12
"""Random characters of a mark; the other 20 follow from them and the key."""

_SUBJECT = re.compile(rb"^subject:[^\n]*\bprobe ([a-z0-9]{32})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")


def write_mark(nonce: str, key: bytes) -> str:
    """Return the mark of a trial letter: 32 characters of a-z and 0-9. nonce: the first 12, random."""
    return nonce + hmac.new(key, f"probe {nonce}".encode("ascii"), hashlib.sha256).hexdigest()[:20]


def write_subject(mark: str) -> str:
    """Return the Subject of the trial letter with that mark."""
    return f"Referee probe {mark}"


def find_mark(content: bytes | None) -> str:
    """Return the mark in a letter's Subject, "" when there is none; it is not verified here."""
    start = (content or b"")[:HEADER_OCTETS]
    end = _EMPTY_LINE.search(start)
    found = _SUBJECT.search(start, 0, end.start() if end else len(start))
    return found.group(1).decode("ascii").lower() if found else ""


def is_genuine(mark: str, key: bytes) -> bool:
    """Return whether a mark was made with this key."""
    return len(mark) == NONCE + 20 and hmac.compare_digest(mark, write_mark(mark[:NONCE], key))
