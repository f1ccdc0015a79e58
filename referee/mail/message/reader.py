"""Turns bytes into a Letter: who wrote, about which game, and what in their own words.

Nothing that arrives can make this fail: what cannot be decoded is read as well as it goes, and what exceeds
the limits gives a letter that says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.common.characters import visible
from referee.common.i18n import N_, Phrase
from referee.mail.message.addresses import find_tags, read_sender
from referee.mail.message.authentication import Trust, judge
from referee.mail.message.charsets import decode_text
from referee.mail.message.classification import Screening, screen
from referee.mail.message.dates import read_date
from referee.mail.message.headers import decode_words
from referee.mail.message.html import Room, read_markup
from referee.mail.message.html_stripping import without_large_unseen
from referee.mail.message.limits import (
    LARGE_MARKUP_OCTETS,
    MARKUP_OCTETS,
    QUOTED_OCTETS,
    SUBJECT_CHARACTERS,
    TEXT_LINES,
    TEXT_OCTETS,
    LimitExceeded,
)
from referee.mail.message.message import Letter, MarkedLine, Nature, OwnLine
from referee.mail.message.mime_parts import Part, contradiction, open_header, open_letter, read_body
from referee.mail.message.plain_text import SeenLine, flowed_lines, plain_lines, without_quotations
from referee.mail.message.quoting import read_own
from referee.mail.message.threading import read_message_id, read_subject_game, read_thread

_SEALED = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_ENCRYPTED_TEXT = "-----BEGIN PGP MESSAGE-----"
_OUTLOOK_ONLY = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})

_WHY_CUT = N_("the letter is too long to be read")
_WHY_BROKEN = N_("the text is hidden by a tag or comment of its HTML that is not closed")


def read_letter(
    content: bytes,
    *,
    service_address: str,
    aliases: Sequence[str] = (),
    authserv_ids: Sequence[str],
    trust: Trust = "verified",
) -> Letter:
    """Read a letter as it came (RFC 5322, any line ends). Never raises.

    service_address: ours, without a tag. aliases, authserv_ids, trust: see `trust.judge`. The own lines of anything
    but a person's letter are not read.
    """
    opened, unreadable = _open(content)
    headers = opened.headers
    sender = read_sender(headers)
    verdict = judge(
        headers,
        sender.address,
        service_address=service_address,
        aliases=aliases,
        authserv_ids=authserv_ids,
        trust=trust,
    )
    screening = screen(opened, sender=sender.address, service_address=service_address)
    text = _Text()
    if screening.nature is Nature.PERSON and unreadable:
        screening = Screening(Nature.UNREADABLE, unreadable)
    elif screening.nature is Nature.PERSON:
        text = _read_text(opened)
        screening = Screening(Nature.PERSON, text.why_nothing)
    subject = decode_words(headers.first("subject"), SUBJECT_CHARACTERS)
    return Letter(
        sender=sender.address,
        sender_name=sender.name,
        sender_fault=sender.fault,
        verified=verdict.verified,
        verdict=verdict.why,
        tags=find_tags(headers, service_address),
        thread=read_thread(headers),
        message_id=read_message_id(headers),
        subject=subject,
        subject_game=read_subject_game(subject),
        nature=screening.nature,
        reason=screening.reason,
        lines=text.lines,
        marked=text.marked,
        cut_below=text.cut_below,
        bounced=screening.bounced,
        bounce_permanent=screening.permanent,
        bounce_status=screening.status,
        bounce_words=screening.words,
        date=read_date(headers),
    )


def _open(content: bytes) -> tuple[Part, str | Phrase]:
    """Return a letter's parts, and why it cannot be read; then the header alone may be there."""
    try:
        opened = open_letter(content)
    except LimitExceeded as exceeded:
        return open_header(content), exceeded.why
    return opened, contradiction(opened) or ""


class _Text(NamedTuple):
    """What a person wrote. cut_below: as in Letter. why_nothing: why there is no line; "" where there are some."""

    lines: tuple[OwnLine, ...] = ()
    marked: tuple[MarkedLine, ...] = ()
    cut_below: int = 0
    why_nothing: str | Phrase = ""


def _read_text(opened: Part) -> _Text:
    """Read a person's own lines, as far as the letter shows them."""
    sight = _Sight()
    shown = sight.lines(opened, whole_letter=True)
    seen = shown[:TEXT_LINES]
    lines, marked, end = read_own(seen)
    cut_below, why_cut = 0, ""
    if end == "more":
        cut_below = lines[-1].number
    elif end == "open" and (sight.cut or len(shown) > len(seen)):
        cut_below = len(seen)
        why_cut = _WHY_BROKEN if sight.broken else _WHY_CUT
    return _Text(lines, marked, cut_below, "" if lines else _why_nothing(opened, seen, why_cut))


class _Sight:
    """What a letter shows to its reader, part by part, as long as there is room."""

    def __init__(self) -> None:
        self.text_room = TEXT_OCTETS
        self.markup_room = MARKUP_OCTETS
        self.large_room = LARGE_MARKUP_OCTETS
        self.room_within_markup = Room()
        self.quoted_room = QUOTED_OCTETS
        self.cut = False
        """There is more than was shown."""
        self.broken = False
        """There is more, but it is hidden by a tag or comment that is not closed."""

    def lines(self, part: Part, *, whole_letter: bool = False) -> list[SeenLine]:
        """Return the lines that a part shows; nothing for attachments and parts that are not text."""
        if part.media_type.startswith("multipart/"):
            return self.lines_within(part)
        if not whole_letter and (part.disposition == "attachment" or part.named):
            return []
        charset = part.parameters.get("charset", "")
        if part.media_type == "text/plain":
            octets, cut = self._text(part)
            self.text_room -= len(octets)
            text = decode_text(octets, charset)
            if part.parameters.get("format", "").lower() == "flowed":
                lines = flowed_lines(text, delete_space=part.parameters.get("delsp", "").lower() == "yes")
            else:
                lines = plain_lines(text)
        elif part.media_type == "text/html":
            return self._markup(part, charset)
        else:
            return []
        # The last line of a text that was cut may be half a move.
        return lines[:-1] if cut else lines

    def _markup(self, part: Part, charset: str) -> list[SeenLine]:
        """Return the lines of an HTML part; without the last one where it may be half a move."""
        octets, cut = read_body(part, self.markup_room)
        if cut and 0 < self.markup_room < self.large_room and b"\0" not in octets:
            further, cut = read_body(part, self.large_room)
            self.large_room -= len(further)
            thinned = without_large_unseen(further)
            octets, cut = thinned[: self.markup_room], cut or len(thinned) > self.markup_room
        self.markup_room -= len(octets)
        markup = decode_text(octets, charset)
        room = self.room_within_markup
        if "<" in markup:
            lines, end = read_markup(markup, room, goes_on=cut)
            self.broken = self.broken or end == "broken"
            self.cut = self.cut or end in ("cut", "broken")
            return lines
        # Plain text, whatever its label says.
        cut = cut or len(markup) > room.text
        markup = markup[: room.text]
        room.text -= len(markup)
        self.cut = self.cut or cut or markup.count("\n") > TEXT_LINES
        return plain_lines(markup)[:-1] if cut else plain_lines(markup)

    def _text(self, part: Part) -> tuple[bytes, bool]:
        """Undo a plain part's transfer encoding, as far as there is room, and say whether there would have been more.
        Where quotations leave none they are left out, since an answer may stand below them."""
        octets, cut = read_body(part, self.text_room)
        if (cut or octets.count(b"\n") >= TEXT_LINES) and b"\n>" in octets and b"\0" not in octets:
            further, cut = read_body(part, self.quoted_room)
            self.quoted_room -= len(further)
            thinned = without_quotations(further)
            octets, cut = thinned[: self.text_room], cut or len(thinned) > self.text_room
        self.cut = self.cut or cut or octets.count(b"\n") > TEXT_LINES
        return octets, cut

    def lines_within(self, part: Part) -> list[SeenLine]:
        """Return the lines of a multipart: of alternatives the plainest that says anything, else of all in order."""
        match part.media_type:
            case "multipart/encrypted" | "multipart/digest":
                return []
            case "multipart/signed" | "multipart/related" | "multipart/report":
                return self.lines(part.parts[0]) if part.parts else []
            case "multipart/alternative":
                plainest_first = sorted(part.parts, key=lambda inner: inner.media_type != "text/plain")
                choices = (self.lines(inner) for inner in plainest_first)
                return next((lines for lines in choices if _say_anything(lines)), [])
            case _:
                return [line for inner in part.parts for line in self.lines(inner)]


def _say_anything(lines: Sequence[SeenLine]) -> bool:
    return any(visible(line.text).strip() for line in lines)


def _why_nothing(letter: Part, seen: Sequence[SeenLine], why_cut: str | Phrase) -> str | Phrase:
    """Return why a person's letter has no own lines, for the answer to it. why_cut: "" where all of it was read."""
    parts = list(letter.walk())
    media_types = {part.media_type for part in parts}
    sealed = [part for part in parts if part.media_type in _SEALED]
    if sealed and all(part.parameters.get("smime-type", "").lower() == "signed-data" for part in sealed):
        return N_("the letter is signed in a form that hides its text (S/MIME)")
    encrypted_text = any(line.text.rstrip() == _ENCRYPTED_TEXT for line in seen)
    if sealed or encrypted_text or "multipart/encrypted" in media_types:
        return N_("the letter is encrypted, and there is no key for it here")
    if media_types & _OUTLOOK_ONLY:
        return N_("the text is in a form that only Outlook reads (winmail.dat)")
    if why_cut:
        return why_cut
    if _say_anything(seen):
        return N_("all text in the letter is quoted, forwarded or a signature")
    if any(part.named or not part.media_type.startswith(("text/", "multipart/")) for part in parts):
        return N_("there is no text in the letter, only attached files or pictures")
    return N_("there is no text in the letter")
