"""What an IMAP server returns for a FETCH, and which of it is a letter.

A server that answers OK has not always given what was asked for. It may give NIL, nothing at all, no bytes,
fewer than announced, or another letter's. None of these is a letter: the letter stays where it is, and is
asked for again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import structlog
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from referee.mail.inbox.imap_connection import TROUBLE, Line, answer_of
from referee.mail.message.mime_parts import open_header

log = structlog.get_logger(__name__)

Part = Literal["whole", "header"]
ASKED_FOR: Mapping[Part, str] = {"whole": "BODY.PEEK[]", "header": "BODY.PEEK[HEADER]<0.65536>"}
GIVEN_AS: Mapping[Part, bytes] = {"whole": b"BODY[]", "header": b"BODY[HEADER]<0>"}
"""The names of the parts in an answer. Of a letter over the limit only the header is fetched, up to a fixed size."""

ASKED_AGAIN = 2
"""How often a letter is fetched again when fewer bytes arrived than were announced."""

_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class Told:
    """What a server says about a letter without sending it. None stands for an unreadable answer or none.

    size: bytes.
    place: its sequence number in the folder.
    """

    size: int | None = None
    received: datetime | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """A letter that the server did not send, and why not."""

    why: str


def ask_about(line: Line, uids: Sequence[int]) -> dict[int, Told]:
    """Ask for size and date of letters. An unreadable answer, or none, leaves the letter's values unknown."""
    try:
        answered: Mapping[int, Mapping[bytes, Any]] = line.client.fetch(uids, ["RFC822.SIZE", "INTERNALDATE"])
    except (IMAPClientAbortError, OSError, MemoryError):
        raise
    except TROUBLE as error:
        if len(uids) > 1:
            return {uid: told for one in uids for uid, told in ask_about(line, [one]).items()}
        log.warning("the server's word about a letter cannot be read", uid=uids[0], reason=answer_of(error))
        return {uids[0]: Told()}
    return {uid: _told(answered.get(uid, {})) for uid in uids}


def hand_over(line: Line, told: Mapping[int, Told], part: Part) -> dict[int, bytes | Missing]:
    """Fetch these letters.

    Raises what ends the connection; a refusal concerns one letter alone.
    """
    try:
        answered = line.client.fetch(list(told), [ASKED_FOR[part]])
    except IMAPClientAbortError:
        raise
    except IMAPClientError as error:
        if len(told) == 1:
            return dict.fromkeys(told, Missing(f"the server answers {answer_of(error)}"))
        return {
            each: given
            for uid, said in told.items()
            for each, given in hand_over(line, {uid: said}, part).items()
        }
    return {uid: _given(answered.get(uid), said, GIVEN_AS[part]) for uid, said in told.items()}


def confirm_short(
    line: Line, told: Mapping[int, Told], given: Mapping[int, bytes | Missing]
) -> dict[int, bytes | Missing]:
    """Return the given letters without incomplete ones.

    Some servers announce a letter's size in their store (Exchange: three times its bytes), or count line ends
    differently. So a letter shorter than announced is fetched again. It is accepted when it has an end and is
    the same each time.
    """
    short = {
        uid: content
        for uid, content in given.items()
        if isinstance(content, bytes) and len(content) < (told[uid].size or 0)
    }
    sound = {uid for uid, content in short.items() if is_whole(content)}
    for _ in range(ASKED_AGAIN):
        if sound:
            again = hand_over(line, {uid: told[uid] for uid in sorted(sound)}, "whole")
            sound = {uid for uid in sound if again[uid] == short[uid]}
    missing = {
        uid: Missing(f"it gave {len(content):,} bytes and had announced {told[uid].size:,}")
        for uid, content in short.items()
        if uid not in sound
    }
    return {**given, **missing}


def is_whole(content: bytes) -> bool:
    """Return whether a letter has an end: its header, its last line, and its closing boundary where it has parts."""
    if not _EMPTY_LINE.search(content) or not content.endswith(b"\n"):
        return False
    header = open_header(content)
    if not header.media_type.startswith("multipart/"):
        return True
    boundary = header.parameters.get("boundary", "").rstrip().encode("ascii", "replace")
    return b"--" + boundary + b"--" in content


def _told(facts: Mapping[bytes, Any]) -> Told:
    size, received, place = (facts.get(name) for name in (b"RFC822.SIZE", b"INTERNALDATE", b"SEQ"))
    return Told(
        size if isinstance(size, int) else None, received if isinstance(received, datetime) else None, place
    )


def _given(answered: Mapping[bytes, Any] | None, told: Told, named: bytes) -> bytes | Missing:
    """Return a letter from an answer, if the answer can be one."""
    if answered is None or named not in answered:
        return Missing("it gave nothing")
    content = answered[named]
    if not isinstance(content, bytes):
        return Missing("it gave NIL" if content is None else "it gave no text")
    if told.place is not None and answered.get(b"SEQ") != told.place:
        return Missing("it gave the letter of another place")
    if not content and told.size != 0:
        return Missing("it gave no bytes")
    return content
