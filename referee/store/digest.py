"""When two letters are the same letter: what their writer sent agrees.

A Message-ID alone proves nothing: some programs reuse it, some leave it out. And a mailbox that was made anew numbers
its letters anew. So a letter is known by its text and by the few headers that its writer's own program makes, that
no mail host changes on the way, and that nobody can change or add without breaking a usual DKIM signature. Every other
header may be another one when the letter comes twice: a host puts its traces at the top or at the end, or a mark
into the subject; whoever has got a letter that he wants to count once more, a second content type. Blanks count as
one, however many there are, as they do for such a signature.

Who makes the same move on two turns may well write the same text. So a letter that bears neither a Message-ID nor a
date of its own is known by all of its bytes and the time it came in.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import datetime

from referee.letters.addresses import read_sender
from referee.letters.headers import Headers, read_headers
from referee.letters.limits import HEADER_OCTETS
from referee.letters.threads import read_message_id

_OWN_FIELDS = ("message-id", "date")
_BLANKS = re.compile(rb"[ \t]+")
_GAME = re.compile(r"\[\s?game\s?(\d{1,9})\s?\]", re.IGNORECASE)
_TAG = re.compile(r"\+([a-z0-9._-]{1,64})@")


def digest(content: bytes, received: datetime) -> str:
    """Return the SHA-256 of what a letter's writer sent: 64 lower-case hex digits.

    received: when it came into the mailbox. Line ends count alike (CRLF or LF), since a Maildir and an IMAP server hand
    out the same letter with either; so do empty lines at the end. Linear in the length of the letter.
    """
    letter = content.replace(b"\r\n", b"\n")
    head, _, body = letter.partition(b"\n\n")
    headers, text = read_headers(head[:HEADER_OCTETS])
    if not read_message_id(headers) and not headers.first("date"):
        return hashlib.sha256(received.isoformat().encode() + b"\n" + letter).hexdigest()
    sent = hashlib.sha256("\n".join(_own(headers)).encode("utf-8", "backslashreplace"))
    for part in (text, body.rstrip()):
        sent.update(b"\n\n")
        sent.update(_BLANKS.sub(b" ", part).replace(b" \n", b"\n"))
    return sent.hexdigest()


def _own(headers: Headers) -> Iterator[str]:
    """Yield the writer's own headers: the sender by his address, and of whom he wrote to the tags alone, which say
    what the letter is about."""
    sender = read_sender(headers)
    if not read_message_id(headers):
        yield f"games {_GAME.findall(headers.first('subject'))}"  # a second that two letters share is soon found
    yield f"from {sender.address.lower() or headers.all('from')}"
    written_to = " ".join(headers.all("to")).lower()
    yield f"tags {sorted(set(_TAG.findall(written_to)))}"
    for name in _OWN_FIELDS:
        for value in headers.all(name):
            yield f"{name} {' '.join(value.split())}"
