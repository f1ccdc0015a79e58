"""Letters as values: incoming bytes, what the service reads in them, and outgoing letters."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from referee.common.i18n import Phrase


@dataclass(frozen=True, slots=True)
class RawLetter:
    """A letter as it was in the mailbox, byte for byte.

    mailbox: names the account and folder.
    uidvalidity, uid: in a Maildir 0 and the file's unique name.
    received: aware UTC, when the mail host accepted it.
    size: bytes of the whole letter.
    content: shorter for a letter over the limit: then it is the header alone, and the letter is set aside.
        None for a letter that is unavailable.
    why: why the letter is unavailable.
    """

    mailbox: str
    uidvalidity: int
    uid: str
    received: datetime
    size: int
    content: bytes | None = field(repr=False)
    why: str = ""


@dataclass(frozen=True, slots=True)
class OwnLine:
    """A line that the writer wrote: its number in the letter's text (from 1) and its words.

    text: normalised: one kind of dash, one kind of cross, no invisible characters, single spaces, no list
        number, trimmed.
    written: the original line, for showing back.
    certain: True for a line that is the writer's whatever our letters say. False for one that may be part of
        a quotation around it, so that the writer is asked about it. None where nothing is known.
    """

    number: int
    text: str
    written: str = ""
    certain: bool | None = None


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """A quoted line: its number in the letter's text and the text after the marks.

    apart: the marked lines right above it are left out.
    """

    number: int
    text: str
    apart: bool = False


class Nature(StrEnum):
    """What kind of thing a letter is; all but PERSON are recorded and never answered."""

    PERSON = "person"
    AUTO_REPLY = "auto-reply"
    BOUNCE = "bounce"
    RECEIPT = "receipt"
    CALENDAR = "calendar"
    REACTION = "reaction"
    LIST = "list"
    OWN = "own letter"
    UNREADABLE = "unreadable"
    """Too deep or too many parts: answered once, as an unreadable letter."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter as the service reads it.

    sender: the one address of the From header, domain in lower case; "" for none or several.
    sender_fault: why there is no sender.
    verified: a host named in the settings confirms that the sender's domain sent it.
    tags: of Delivered-To, X-Original-To and To, in this order, lower case.
    thread: Message-IDs of In-Reply-To and References, without angle brackets, nearest first.
    subject_game: the number in `[game 17]`, if the subject has it.
    lines: the writer's own lines, above the signature, without quotations.
    marked: the quoted lines around them; none where all quoted lines are above them.
    date: when the writer's program says it was written, aware UTC; None where that is unreadable.
    """

    sender: str
    sender_name: str
    sender_fault: str
    verified: bool
    verdict: str
    tags: tuple[str, ...]
    thread: tuple[str, ...]
    message_id: str
    subject: str
    subject_game: int | None
    nature: Nature
    reason: str | Phrase
    lines: tuple[OwnLine, ...]
    marked: tuple[MarkedLine, ...] = ()
    bounced: tuple[str, ...] = ()
    """Message-IDs of ours that a bounce concerns."""
    bounce_permanent: bool = False
    cut_below: int = 0
    """The number of the last line read, where more of the writer's text follows; 0 where none does."""
    bounce_status: str = ""
    """RFC 3463's three numbers, "" where none were given."""
    bounce_words: str = field(default="", repr=False)
    """The mail server's answer, as far as the bounce quotes it."""
    date: datetime | None = None


Kind = Literal["report", "refusal", "receipt", "invitation", "reminder", "result", "help", "notice"]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A part next to the letter's text: a name, a media type and text (UTF-8)."""

    filename: str
    media_type: str
    text: str


@dataclass(frozen=True, slots=True)
class InlinePicture:
    """A picture that the HTML shows.

    filename: ends with ".png".
    png: its bytes.
    alt: its alternative text.
    """

    filename: str
    png: bytes = field(repr=False)
    alt: str = field(repr=False, default="")


@dataclass(frozen=True, slots=True)
class OutgoingLetter:
    """A letter to exactly one reader, ready to be written as bytes.

    message_id, in_reply_to, references: without angle brackets.
    sent: the Date header, aware UTC.
    game, number: None for letters about no game or to no registered player.
    pictures: those that the HTML shows, in its order.
    reply_tag: the part after the plus in Reply-To, "" for none.
    answers: True when a letter from the reader caused it (auto-replied), else auto-generated.
    """

    message_id: str
    recipient: str
    recipient_name: str
    kind: Kind
    subject: str
    sent: datetime
    text: str = field(repr=False)
    html: str | None = field(repr=False, default=None)
    pictures: tuple[InlinePicture, ...] = ()
    attachments: tuple[Attachment, ...] = field(repr=False, default=())
    game: int | None = None
    number: int | None = None
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    reply_tag: str = field(repr=False, default="")
    thread_topic: str = ""
    thread_key: str = ""
    """What makes one thread for Outlook: constant for a game and seat, hashed into Thread-Index."""
    answers: bool = True
