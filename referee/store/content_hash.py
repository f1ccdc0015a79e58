"""Decides when two letters are the same letter: what their writer sent agrees.

A mailbox that was set up again gives its letters new numbers. So a letter is recognised by its text and by the few
headers that its writer's own program makes and no mail host changes. Every other header may differ when the
letter comes twice. A host adds its traces at the top or at the end, or a mark to the subject. A person who
wants a letter to count again may add a second content type. Several blanks count as one, as they do for a
DKIM signature.

There are two digests:
- the letter's own also holds its Message-ID and the tags it was sent to. Letters with the same one are one
    letter.
- the one of its words holds who wrote, when, and what: nothing that can be changed on a letter whose usual
    signature
  still holds. The Message-ID is not included: few signatures cover it, a mail host adds one to each copy of a
  letter
  that lacks it, and some programs reuse one. Letters with the same digest are one in all likelihood; see
  pipeline.duplicates.

A player who makes the same move on two turns may well write the same text. So a letter with neither a
Message-ID nor a date of its own is recognised by all of its bytes and its time of arrival.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from referee.mail.message.addresses import read_sender
from referee.mail.message.headers import Headers, read_headers
from referee.mail.message.limits import HEADER_OCTETS
from referee.mail.message.threading import read_message_id

_OWN_FIELDS = ("message-id", "date")
_BLANKS = re.compile(rb"[ \t]+")
_GAME = re.compile(r"\[\s?game\s?(\d{1,9})\s?\]", re.IGNORECASE)
_TAG = re.compile(r"\+([a-z0-9._-]{1,64})@")


class Written:
    """A letter as its writer sent it. The time is linear in its length.

    CRLF and LF count alike, since a Maildir and an IMAP server return the same letter with either; empty
    lines at the end do not count.
    """

    def __init__(self, content: bytes) -> None:
        self._letter = content.replace(b"\r\n", b"\n")
        head, _, body = self._letter.partition(b"\n\n")
        self._headers, text = read_headers(head[:HEADER_OCTETS])
        self._parts = [_BLANKS.sub(b" ", part).replace(b" \n", b"\n") for part in (text, body.rstrip())]

    def digest(self, received: datetime) -> str:
        """Return the SHA-256 of what the writer sent: 64 lower-case hex digits. received: when the letter arrived."""
        if not read_message_id(self._headers) and not self._headers.first("date"):
            return hashlib.sha256(received.isoformat().encode() + b"\n" + self._letter).hexdigest()
        return self._hashed(_own(self._headers))

    def words(self) -> str:
        """Return the SHA-256 of who wrote what, and when."""
        return self._hashed(["words", _from(self._headers), *_fields(self._headers, "date")])

    def _hashed(self, own: Iterable[str]) -> str:
        sent = hashlib.sha256("\n".join(own).encode("utf-8", "backslashreplace"))
        for part in self._parts:
            sent.update(b"\n\n")
            sent.update(part)
        return sent.hexdigest()


def digest(content: bytes, received: datetime) -> str:
    """Return a letter's own digest; see `Written`."""
    return Written(content).digest(received)


def _own(headers: Headers) -> Iterator[str]:
    """Yield the writer's own headers: the sender's address and, of the recipients, only the tags.

    The tags say what the letter is about.
    """
    if not read_message_id(headers):
        yield f"games {_GAME.findall(headers.first('subject'))}"  # two letters of the same second would soon occur
    yield _from(headers)
    written_to = " ".join(headers.all("to")).lower()
    yield f"tags {sorted(set(_TAG.findall(written_to)))}"
    for name in _OWN_FIELDS:
        yield from _fields(headers, name)


def _from(headers: Headers) -> str:
    sender = read_sender(headers)
    return f"from {sender.address.lower() or headers.all('from')}"


def _fields(headers: Headers, name: str) -> list[str]:
    return [f"{name} {' '.join(value.split())}" for value in headers.all(name)]
