"""OutgoingLetter → bytes: the last step of the core, done once per letter.

Letters are assembled by hand. The standard library's composer breaks tokens of more than some 76 characters
in In-Reply-To, References and List-Unsubscribe into encoded words. That breaks threads in mail programs, and
the composer takes thirty times as long. The same letter gives the same bytes: boundaries follow from the
Message-ID, a picture's Content-ID from the picture.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from datetime import UTC, datetime
from email.utils import format_datetime

from referee.mail.message.message import Attachment, InlinePicture, OutgoingLetter

FOLD_AT = 78
"""Longer header lines are folded between tokens."""
ENCODED_WORD = 60
"""Longest encoded word: 75 are allowed (RFC 2047), on a line of 76 with the header's name."""
LONGEST_TOKEN = 900
"""Longest token that fits on one line of 998 bytes together with a header's name."""

_WORD_SAFE = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!*+-/")
_BASE64_LINE = 76
_MESSAGE_ID = re.compile(r"[!-;=?-~]{1,900}")
_ADDRESS = re.compile(r"[!-;=?-~]{1,254}")
_FILENAME = re.compile(r"[A-Za-z0-9._-]{1,60}")
_MEDIA_TYPE = re.compile(r"[a-z]+/[a-z0-9.+-]+(; ?[a-z]+=[A-Za-z0-9-]+)*")

# The first six bytes of a Thread-Index are a date. Ours is constant, so that it reveals nothing.
_THREAD_INDEX_DATE = bytes.fromhex("01d5c0000000")


def picture_cid(picture: InlinePicture) -> str:
    """Return the Content-ID of a picture, without angle brackets: the target of the HTML's `cid:`.

    It follows from name and content: some mail programs show a cached picture for a Content-ID they have
    seen.
    """
    name = picture.filename.removesuffix(".png")
    return f"{name}-{hashlib.sha256(picture.png).hexdigest()[:24]}@referee"


def write_letter(letter: OutgoingLetter, *, service_name: str, service_address: str) -> bytes:
    """Write a letter as bytes, ready for SMTP or a Maildir: CRLF line ends, ASCII throughout.

    Raises ValueError for what a header must not hold (a line break in a name, an invalid address, a naive
    time). IDs of a foreign thread that cannot be written are left out: they are only hints.
    """
    local, _, domain = _checked(_ADDRESS, service_address, "service address").rpartition("@")
    game_name = service_name if letter.game is None else f"{service_name}, game {letter.game}"
    reply_to = f"{local}+{_tag(letter)}@{domain}" if letter.reply_tag else service_address
    headers = [
        _header("From", _mailbox(service_name, service_address)),
        _header("To", _mailbox(letter.recipient_name, letter.recipient)),
        _header("Subject", _words(letter.subject)),
        _header("Date", [_date(letter.sent)]),
        _header("Message-ID", [f"<{_checked(_MESSAGE_ID, letter.message_id, 'Message-ID')}>"]),
        *_thread(letter),
        _header("Reply-To", _mailbox(game_name, reply_to)),
        _header("Auto-Submitted", ["auto-replied" if letter.answers else "auto-generated"]),
        _header("X-Auto-Response-Suppress", ["All"]),
        _header("List-Id", _list_id(letter.game, service_name, local, domain)),
    ]
    if letter.reply_tag:
        headers.append(_header("List-Unsubscribe", [f"<mailto:{local}+off-{_tag(letter)}@{domain}>"]))
    headers.append(_header("X-Referee-Kind", [letter.kind]))
    if letter.game is not None:
        headers.append(_header("X-Referee-Game", [str(letter.game)]))
    if letter.number is not None:
        headers.append(_header("X-Referee-Number", [str(letter.number)]))
    headers.append("MIME-Version: 1.0\r\n")
    return "".join(headers).encode("ascii") + _parts(letter)


def write_copy(
    content: bytes, *, message_id: str, recipient: str, recipient_name: str, sent: datetime, in_reply_to: str
) -> bytes:
    """Return a copy of one of our letters, as `write_letter` made it, with new values for its own sending.

    Its text, its number and its place in the thread stay. Raises ValueError as `write_letter` does.
    """
    head, _, body = content.partition(b"\r\n\r\n")
    fields = re.split(r"\r\n(?![ \t])", head.decode("ascii"))
    anew = {
        "To": _mailbox(recipient_name, recipient),
        "Date": [_date(sent)],
        "Message-ID": [f"<{_checked(_MESSAGE_ID, message_id, 'Message-ID')}>"],
        "In-Reply-To": [f"<{in_reply_to}>"] if _MESSAGE_ID.fullmatch(in_reply_to) else [],
        "Auto-Submitted": ["auto-replied" if in_reply_to else "auto-generated"],
    }
    kept = [field + "\r\n" for field in fields if field.partition(":")[0] not in anew]
    # A letter begins with From; the new headers follow it.
    written = [_header(name, tokens) for name, tokens in anew.items() if tokens]
    return "".join([kept[0], *written, *kept[1:]]).encode("ascii") + b"\r\n" + body


def _checked(pattern: re.Pattern[str], value: str, what: str) -> str:
    if not pattern.fullmatch(value):
        raise ValueError(f"{value!r} cannot be written as a {what}")
    return value


def _tag(letter: OutgoingLetter) -> str:
    if not (letter.reply_tag.isascii() and letter.reply_tag.isalnum()):
        raise ValueError("a reply tag is made of letters and digits")
    return letter.reply_tag


def _date(sent: datetime) -> str:
    if sent.utcoffset() is None:
        raise ValueError("the date of a letter needs a time zone")
    return format_datetime(sent.astimezone(UTC))


def _header(name: str, tokens: list[str]) -> str:
    """Write one header; lines break between tokens, never inside one."""
    line, lines = f"{name}:", []
    for token in tokens:
        # The first token stays on the line of the name: some servers fail on a header's empty first line.
        if len(line) + 1 + len(token) > FOLD_AT and line != f"{name}:":
            lines.append(line)
            line = ""
        line += f" {token}"
    return "\r\n".join([*lines, line]) + "\r\n"


def _checked_words(text: str) -> None:
    if any(ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u2028\u2029" for c in text):
        raise ValueError(f"{text!r} holds a line break or control character, which no header may")


def _words(text: str) -> list[str]:
    """Return free text as tokens, encoded from the first to the last word that is not plain."""
    _checked_words(text)
    words = text.split(" ")
    if "" in words and text:
        return _encoded(text)  # runs of blanks only survive encoded
    odd = [i for i, word in enumerate(words) if not _is_plain(word)]
    if not odd:
        return words
    first, last = odd[0], odd[-1] + 1
    return [*words[:first], *_encoded(" ".join(words[first:last])), *words[last:]]


def _is_plain(word: str) -> bool:
    return word.isascii() and "=?" not in word and len(word) < LONGEST_TOKEN


def _encoded(text: str) -> list[str]:
    """Return text as short encoded words, split between characters only (RFC 2047)."""
    room = ENCODED_WORD - len("=?utf-8?q??=")
    found, line = [], ""
    for character in text:
        written = "".join(
            "_" if byte == 32 else chr(byte) if byte in _WORD_SAFE else f"={byte:02X}"
            for byte in character.encode()
        )
        if len(line) + len(written) > room:
            found.append(line)
            line = ""
        line += written
    return [f"=?utf-8?q?{line}?=" for line in [*found, line]]


def _mailbox(name: str, address: str) -> list[str]:
    """Return a name and an address as tokens."""
    local, at, domain = _checked(_ADDRESS, address, "mail address").rpartition("@")
    if not (local and at and domain) or any(c in address for c in '",;:()[]\\'):
        raise ValueError(f"{address!r} is no mail address that can be written")
    _checked_words(name)
    if not name:
        return [address]
    if name.isascii() and "=?" not in name and len(name) < LONGEST_TOKEN:
        quoted = name.replace("\\", "\\\\").replace('"', '\\"')
        return [f'"{quoted}"', f"<{address}>"]
    return [*_encoded(name), f"<{address}>"]


def _list_id(game: int | None, service_name: str, local: str, domain: str) -> list[str]:
    host = f"{re.sub('[^a-z0-9-]', '-', local.lower())}.{domain}"
    if game is None:
        return _mailbox_like(service_name, f"desk.{host}")
    return ["Game", str(game), f"<game-{game}.{host}>"]


def _mailbox_like(name: str, identity: str) -> list[str]:
    return [*_words(name), f"<{identity}>"]


def _thread(letter: OutgoingLetter) -> list[str]:
    headers = []
    if _MESSAGE_ID.fullmatch(letter.in_reply_to):
        headers.append(_header("In-Reply-To", [f"<{letter.in_reply_to}>"]))
    if references := [f"<{r}>" for r in letter.references if _MESSAGE_ID.fullmatch(r)]:
        headers.append(_header("References", references))
    if letter.thread_topic:
        headers.append(_header("Thread-Topic", _words(letter.thread_topic)))
    if letter.thread_key:
        key = hashlib.sha256(b"thread " + letter.thread_key.encode()).digest()[:16]
        headers.append(_header("Thread-Index", [base64.b64encode(_THREAD_INDEX_DATE + key).decode()]))
    return headers


def _parts(letter: OutgoingLetter) -> bytes:
    """Return the letter's parts with their own headers, nested no deeper than needed."""
    body = text_part("text/plain; charset=utf-8", letter.text)
    if letter.html is not None:
        page = text_part("text/html; charset=utf-8", letter.html)
        if letter.pictures:
            shown = map(_picture_part, letter.pictures)
            page = _multipart(letter, "related", [page, *shown], ' type="text/html";')
        body = _multipart(letter, "alternative", [body, page])
    if letter.attachments:
        body = _multipart(letter, "mixed", [body, *map(_attachment_part, letter.attachments)])
    return body


def _multipart(letter: OutgoingLetter, subtype: str, parts: list[bytes], extra: str = "") -> bytes:
    # "=_" cannot occur in quoted-printable or base64 text, so the boundary never occurs within a part.
    name = hashlib.sha256(f"{subtype} {letter.message_id}".encode()).hexdigest()[:24]
    line = f"--=_{name}".encode()
    head = f'Content-Type: multipart/{subtype};{extra}\r\n boundary="=_{name}"\r\n\r\n'.encode()
    return head + b"".join(line + b"\r\n" + part + b"\r\n" for part in parts) + line + b"--\r\n"


def _quoted_printable(text: str) -> bytes:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    # A last line end is needed: the encoder copies the kind of its own line breaks from the text.
    lines = lines if lines.endswith("\n") else lines + "\n"
    return binascii.b2a_qp(lines.replace("\n", "\r\n").encode(), istext=True)


def text_part(content_type: str, text: str, disposition: str = "") -> bytes:
    """Return text as a part of a letter, with its own header."""
    head = f"Content-Type: {content_type}\r\n{disposition}Content-Transfer-Encoding: quoted-printable\r\n\r\n"
    return head.encode("ascii") + _quoted_printable(text)


def _picture_part(picture: InlinePicture) -> bytes:
    filename = _checked(_FILENAME, picture.filename, "file name")
    head = (
        "Content-Type: image/png\r\n"
        f"Content-ID: <{picture_cid(picture)}>\r\n"
        f'Content-Disposition: inline; filename="{filename}"\r\n'
        "Content-Transfer-Encoding: base64\r\n\r\n"
    )
    coded = binascii.b2a_base64(picture.png, newline=False)
    lines = (coded[at : at + _BASE64_LINE] for at in range(0, len(coded), _BASE64_LINE))
    return head.encode("ascii") + b"\r\n".join(lines) + b"\r\n"


def _attachment_part(attachment: Attachment) -> bytes:
    filename = _checked(_FILENAME, attachment.filename, "file name")
    media_type = _checked(_MEDIA_TYPE, attachment.media_type, "media type")
    if media_type.startswith("text/") and "charset=" not in media_type:
        media_type += "; charset=utf-8"
    disposition = f'Content-Disposition: attachment; filename="{filename}"\r\n'
    return text_part(media_type, attachment.text, disposition)
