"""When two letters are the same letter: their bytes agree below what the way here has added.

A Message-ID alone proves nothing: some programs reuse it, some leave it out. And a mailbox that was made
anew numbers its letters anew. The bytes that the writer sent stay; only the headers that mail
hosts put on top (`Received` and its kin) differ when a letter comes twice.

Bytes alone prove nothing either: who makes the same move on two turns may well write the same letter. So one that
bears neither a Message-ID nor a date of its own is never the same as another.
"""

from __future__ import annotations

import hashlib

from referee.letters.headers import read_headers
from referee.letters.limits import HEADER_OCTETS
from referee.letters.threads import read_message_id

TRACE_HEADERS = frozenset(
    (
        b"arc-authentication-results",
        b"arc-message-signature",
        b"arc-seal",
        b"authentication-results",
        b"delivered-to",
        b"envelope-to",
        b"received",
        b"received-spf",
        b"return-path",
        b"x-envelope-to",
        b"x-google-smtp-source",
        b"x-original-to",
        b"x-received",
        b"x-spam-checker-version",
        b"x-spam-level",
        b"x-spam-score",
        b"x-spam-status",
    )
)


def digest(content: bytes) -> str:
    """Return the SHA-256 of a letter below its trace headers: 64 lower-case hex digits.

    It is "" for a letter with neither Message-ID nor date, which is like no other. Line ends count alike
    (CRLF or LF), since a Maildir and an IMAP server hand out the same letter with either. Linear in the length of the
    letter.
    """
    letter = content.replace(b"\r\n", b"\n")
    start = 0
    tracing = letter.startswith(b"From ")  # a mailbox file's own first line
    while start < len(letter):
        end = letter.find(b"\n", start) + 1 or len(letter)
        line = letter[start:end]
        if line[:1] not in (b" ", b"\t") and not (start == 0 and tracing):
            tracing = line.partition(b":")[0].strip().lower() in TRACE_HEADERS
        if not tracing:
            break
        start = end
    sent = letter[start:]
    headers, _ = read_headers(sent[:HEADER_OCTETS])
    if not read_message_id(headers) and not headers.first("date"):
        return ""
    return hashlib.sha256(sent).hexdigest()
