"""Letters are damaged, as on a bad way or by people who mean harm, for tests of what becomes of them.

Each damage is one thing done to a letter's bytes; a damaged letter has suffered a few of them.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from random import Random

_SIGNS = (
    b"\0", b"\xff", b"\x80", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xf4\x90\x80\x80", b"\r", b"\n", b"\r\n\r\n", b"--",
    b'"', b"<", b">", b"&#1;", b"=", b"=?utf-8?q?", b"?=", b";", b"(", b"\\", b"\t", b"\x1b$B", b"\xe2\x80\xa8",
    b"+AGE-",
)  # fmt: skip
_CHARSETS = (
    b"utf-7", b"utf-16", b"utf-32", b"uft-8", b"x", b"", b"idna", b"punycode", b"unicode_escape", b"hz", b"rot13",
    b"zlib", b"base64", b"iso-2022-jp-3", b"cp65001", b"undefined", b"us-ascii\0", b"'utf-8'", b"mbcs", b"utf-8" * 20,
)  # fmt: skip
_ENCODINGS = (b"base64", b"quoted-printable", b"x-uuencode", b"binary", b"\xff", b"base64;base64")
_TYPES = (
    b"text/html", b"text/plain; format=flowed; delsp=yes", b"multipart/mixed", b"multipart/alternative; boundary=",
    b"message/rfc822", b"multipart/report; report-type=delivery-status", b"message/delivery-status", b"text/calendar",
    b"multipart/encrypted", b"application/ms-tnef", b"/", b"text",
    b"multipart/signed; boundary=\"a", b"text/html; charset",
)  # fmt: skip
_PIECES = (
    b"V-NW2xZ", b"resign", b"confirm", b"register Zoe", b"help", b"<blockquote>", b"<div hidden>", b"<!--", b"-- ",
    b"> A-N1", b"On Friday, 27 November 2026 at 21:04, x@y.z wrote:",
    b"From: x\r\nSent: y", b"-----BEGIN PGP MESSAGE-----",
)  # fmt: skip

_Damage = Callable[[bytes, Random], bytes]


def damaged(content: bytes, others: Sequence[bytes], random: Random) -> bytes:
    """Return a letter with one to four things done to it. others: letters that it may get mixed up with."""
    for _ in range(random.randint(1, 4)):
        if random.random() < 0.1:
            content = _mixed(content, random.choice(others), random)
        else:
            content = random.choice(_DAMAGES)(content, random)
    return content


def _mixed(content: bytes, other: bytes, random: Random) -> bytes:
    return content[: random.randint(0, len(content))] + other[random.randint(0, len(other)) :]


def _bits_flipped(content: bytes, random: Random) -> bytes:
    octets = bytearray(content)
    for _ in range(random.randint(1, 12) if octets else 0):
        octets[random.randrange(len(octets))] ^= 1 << random.randrange(8)
    return bytes(octets)


def _cut(content: bytes, random: Random) -> bytes:
    start = random.randint(0, len(content))
    return content[:start] + content[start + random.choice((1, 20, 400, len(content))) :]


def _sign_put_in(content: bytes, random: Random) -> bytes:
    at = random.randint(0, len(content))
    return content[:at] + random.choice(_SIGNS) * random.choice((1, 1, 3, 500)) + content[at:]


def _piece_put_in(content: bytes, random: Random) -> bytes:
    lines = content.split(b"\r\n")
    lines.insert(random.randint(0, len(lines)), random.choice(_PIECES))
    return b"\r\n".join(lines)


def _line_doubled(content: bytes, random: Random) -> bytes:
    """Double one line, often a header, up to thousands of times."""
    lines = content.split(b"\r\n")
    at = random.randrange(len(lines))
    lines[at:at] = [lines[at]] * random.choice((1, 2, 30, 3_000))
    return b"\r\n".join(lines)


def _lines_shuffled(content: bytes, random: Random) -> bytes:
    lines = content.split(b"\r\n")
    random.shuffle(lines)
    return b"\r\n".join(lines)


def _charset_broken(content: bytes, random: Random) -> bytes:
    charset = random.choice(_CHARSETS)
    return re.sub(rb'(?i)(charset=)"?[^";\s]*"?', lambda found: found[1] + charset, content)


def _encoding_broken(content: bytes, random: Random) -> bytes:
    encoding = random.choice(_ENCODINGS)
    return re.sub(rb"(?i)(transfer-encoding:)[^\r\n]*", lambda found: found[1] + b" " + encoding, content)


def _type_changed(content: bytes, random: Random) -> bytes:
    changed = random.choice(_TYPES)
    return re.sub(rb"(?i)(content-type:)[^\r\n;]*", lambda found: found[1] + b" " + changed, content, count=1)


def _boundary_removed(content: bytes, random: Random) -> bytes:
    """Take the boundary from the header, or some of the lines that it stands in."""
    if random.random() < 0.3:
        return re.sub(rb"(?i)boundary=", b"bound=", content)
    return re.sub(rb"\r\n--[^\r\n]*", lambda found: b"" if random.random() < 0.5 else found[0], content)


def _wrapped_deep(content: bytes, random: Random) -> bytes:
    subtypes = (b"mixed", b"alternative", b"related", b"signed", b"report", b"digest")
    for level in range(random.choice((1, 3, 19, 22, 300))):
        name = b"w%d" % level
        head = b"Content-Type: multipart/%s; boundary=%s\r\n\r\n" % (random.choice(subtypes), name)
        content = head + b"--%s\r\n%s\r\n--%s--\r\n" % (name, content, name)
    return b"From: Anna <anna@example.net>\r\n" + content


def _made_wide(content: bytes, random: Random) -> bytes:
    part = (
        b"--wide\r\n"
        + random.choice((b"", b"Content-Type: text/html\r\n\r\n", b"\r\n"))
        + random.choice(_PIECES)
    )
    parts = (part + b"\r\n") * random.choice((2, 190, 260, 6_000))
    head = b"From: Anna <anna@example.net>\r\nContent-Type: multipart/mixed; boundary=wide\r\n\r\n"
    return head + parts + b"--wide\r\n" + content + b"\r\n--wide--\r\n"


def _line_made_huge(content: bytes, random: Random) -> bytes:
    lines = content.split(b"\r\n")
    lines[random.randrange(len(lines))] += (
        random.choice((b"x", b" a", b"(", b"<b>", b"\xe2\x80\x8b", b"=41")) * 60_000
    )
    return b"\r\n".join(lines)


def _line_ends_changed(content: bytes, random: Random) -> bytes:
    return content.replace(b"\r\n", random.choice((b"\n", b"\r", b"\r\r\n", b"\n\r", b"\x0b")))


def _body_encoded(content: bytes, random: Random) -> bytes:
    head, _, body = content.partition(b"\r\n\r\n")
    return head + b"\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(body)


_DAMAGES: tuple[_Damage, ...] = (
    _bits_flipped,
    _cut,
    _sign_put_in,
    _piece_put_in,
    _line_doubled,
    _lines_shuffled,
    _charset_broken,
    _encoding_broken,
    _type_changed,
    _boundary_removed,
    _wrapped_deep,
    _made_wide,
    _line_made_huge,
    _line_ends_changed,
    _body_encoded,
)
