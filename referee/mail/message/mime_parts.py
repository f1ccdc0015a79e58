"""Opens a letter: its header, and the nested parts of its body.

The walk goes from boundary to boundary and reads no line between them, so a large attachment costs next to
nothing. Depth and number of parts are limited during the walk, so that nothing hostile can grow. A
`message/…` part is another letter and is not walked into.
"""

from __future__ import annotations

import binascii
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from referee.common.i18n import N_, Phrase
from referee.mail.message import limits
from referee.mail.message.headers import Headers, read_headers, read_parameters
from referee.mail.message.limits import LimitExceeded

_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")
_NEWLINE = re.compile(rb"\r?\n")
_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+")
_SAYING_HOW = ("Content-Type", "Content-Transfer-Encoding")
"""Headers that say how a letter's text is to be read."""
_OF_A_LETTER = frozenset(
    ("from", "sender", "to", "subject", "date", "message-id", "received", "return-path", "delivered-to")
)
"""Every real letter has some of these headers."""
_LONGEST_BOUNDARY = limits.STRUCTURED_FIELD_CHARACTERS + len("----")
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_NOT_BASE64 = bytes(octet for octet in range(256) if octet not in _BASE64)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a letter, or the letter itself.

    media_type: "text/plain" for a missing or senseless one.
    parameters: of Content-Type.
    disposition: "inline", "attachment" or "".
    named: the part has a file name.
    body: still encoded; empty for a multipart.
    parts: the parts of a multipart.
    """

    headers: Headers
    media_type: str
    parameters: Mapping[str, str]
    disposition: str
    named: bool
    body: bytes = field(repr=False, default=b"")
    parts: tuple[Part, ...] = ()

    def walk(self) -> Iterator[Part]:
        """Yield this part and all within it, in the order of the letter."""
        yield self
        for part in self.parts:
            yield from part.walk()


def open_letter(content: bytes) -> Part:
    """Open a letter. For any bytes, it raises nothing but LimitExceeded, when the letter exceeds a limit."""
    if len(content) > limits.LETTER_OCTETS:
        raise LimitExceeded(N_("the letter is larger than {limit} MB"), limits.LETTER_OCTETS // 1024 // 1024)
    if b"\n" not in content:
        content = content.replace(b"\r", b"\n")
    return _Walk(content).part(0, len(content), 0)


def contradiction(letter: Part) -> Phrase | None:
    """Return why a letter can be read in two ways, None where it cannot.

    That is so when a header that says how to read the text occurs twice with different values. The first one
    may have been added to a signed letter on its way, without breaking the signature.
    """
    for name in _SAYING_HOW:
        said = {" ".join(value.split()).lower() for value in letter.headers.all(name.lower())}
        if len(said) > 1:
            return Phrase(
                N_("the header {name} stands in the letter twice, and says different things"), {"name": name}
            )
    return None


def header_alone(content: bytes) -> bytes:
    """Return a letter's header, as far as it is read, without the empty line below it."""
    block = _EMPTY_LINE.split(content[: limits.HEADER_OCTETS], maxsplit=1)[0]
    return b"\n".join(block.split(b"\n", limits.HEADER_LINES)[: limits.HEADER_LINES])


def is_letter(content: bytes) -> bool:
    """Return whether bytes are a letter at all, however broken: a text, a picture or a page has no letter header."""
    lines = content if b"\n" in content else content[: limits.HEADER_OCTETS].replace(b"\r", b"\n")
    return not _OF_A_LETTER.isdisjoint(open_header(lines).headers.fields)


def open_header(content: bytes) -> Part:
    """Open only a letter's header, as far as it is read, for a letter that exceeds the limits."""
    return _describe(read_headers(header_alone(content))[0])


def read_body(part: Part, limit: int) -> tuple[bytes, bool]:
    """Undo a part's transfer encoding; return at most `limit` bytes, and whether there are more."""
    encoding = part.headers.first("content-transfer-encoding").partition(";")[0].strip().lower()
    if encoding == "base64":
        # Four characters make three bytes; line ends add about a fortieth.
        raw = part.body[: limit * 3 // 2]
        letters = raw.translate(None, _NOT_BASE64).partition(b"=")[0]
        letters = letters[: len(letters) - (len(letters) % 4 == 1)]
        octets = binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
    elif encoding == "quoted-printable":
        raw = part.body[: limit * 3]
        octets = binascii.a2b_qp(raw)
    else:
        raw = part.body[:limit]
        octets = raw
    return octets[:limit], len(raw) < len(part.body) or len(octets) > limit


def _describe(headers: Headers) -> Part:
    """Return the part that these headers describe, still without its body."""
    said = headers.first("content-type")
    media_type, parameters = read_parameters(said)
    if not _MEDIA_TYPE.fullmatch(media_type):
        media_type = "text/plain"
    disposition, more = read_parameters(headers.first("content-disposition"))
    named = any(name.startswith(("name", "filename")) for name in (*parameters, *more))
    return Part(headers, media_type, parameters, disposition, named)


class _Walk:
    """One letter being opened: its bytes, and the number of parts and header lines up to now."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.parts = 0
        self.header_lines = 0
        self.boundaries: _Boundaries | None = None

    def part(self, start: int, end: int, depth: int) -> Part:
        """Open the part in content[start:end]."""
        self.parts += 1
        if self.parts > limits.PARTS:
            raise LimitExceeded(N_("the letter has more than {limit} parts"), limits.PARTS)
        if depth > limits.PART_DEPTH:
            raise LimitExceeded(
                N_("the letter has parts within parts, more than {limit} deep"), limits.PART_DEPTH
            )
        block, body_start = self.header_block(start, end, depth)
        headers, leftover = read_headers(block)
        if headers.too_long:
            raise LimitExceeded(
                N_("the header {name} is longer than {limit} KB"),
                limits.FIELD_OCTETS // 1024,
                name=headers.too_long[0],
            )
        if leftover:
            body_start = start + len(block) - len(leftover)

        part = _describe(headers)
        if not part.media_type.startswith("multipart/"):
            return replace(part, body=self.content[body_start:end])
        spans = self.spans(body_start, end, part.parameters.get("boundary", ""))
        return replace(part, parts=tuple(self.part(first, last, depth + 1) for first, last in spans))

    def header_block(self, start: int, end: int, depth: int) -> tuple[bytes, int]:
        """Return the header lines of content[start:end] and where the body begins."""
        octets = limits.PART_HEADER_OCTETS if depth else limits.HEADER_OCTETS
        at_once = _NEWLINE.match(self.content, start, end)
        if at_once:
            return b"", at_once.end()
        found = _EMPTY_LINE.search(self.content, start, min(end, start + octets + 4))
        if not found and end - start > octets:
            raise LimitExceeded(N_("a header of the letter is longer than {limit} KB"), octets // 1024)
        header_end, body_start = (found.start(), found.end()) if found else (end, end)
        self.header_lines += self.content.count(b"\n", start, header_end) + 1
        if self.header_lines > limits.HEADER_LINES:
            raise LimitExceeded(N_("the letter has more than {limit} header lines"), limits.HEADER_LINES)
        return self.content[start:header_end], body_start

    def spans(self, start: int, end: int, boundary: str) -> list[tuple[int, int]]:
        """Return where the parts between boundary lines begin and end; text before and after them is ignored."""
        if not boundary.strip() or not boundary.isascii() or not boundary.isprintable():
            return []
        if self.boundaries is None:
            self.boundaries = _Boundaries(self.content)
        spans: list[tuple[int, int]] = []
        begun: int | None = None
        for at, closes in self.boundaries.between(start, end, b"--" + boundary.rstrip().encode("ascii")):
            if begun is not None:
                spans.append((begun, max(begun, self.before_newline(at))))
            begun = None if closes else min(self.next_line(at, end), end)
        if begun is not None and begun < end:
            spans.append((begun, end))
        return spans

    def next_line(self, at: int, end: int) -> int:
        """Return where the line after the one at `at` begins, the end where there is none."""
        return (self.content.find(b"\n", at, end) + 1) or end

    def before_newline(self, line_start: int) -> int:
        """Return where the previous line ends: the line end before a boundary belongs to the boundary."""
        end = line_start - 1
        return end - 1 if end > 0 and self.content[end - 1] == 0x0D else end


class _Boundaries:
    """The lines of a letter that begin with two dashes, by their text: only these can be boundaries.

    They are searched for once, so that nested parts cost nothing more.
    """

    def __init__(self, content: bytes) -> None:
        self.opening: dict[bytes, list[int]] = {}
        self.closing: dict[bytes, list[int]] = {}
        found = 0 if content.startswith(b"--") else _dashes_below(content, 0)
        lines = 0
        while found >= 0:
            lines += 1
            if lines > limits.BOUNDARY_LINES:
                raise LimitExceeded(
                    N_("more than {limit} lines of the letter begin with dashes"), limits.BOUNDARY_LINES
                )
            line_end = content.find(b"\n", found)
            line_end = len(content) if line_end < 0 else line_end
            line = content[found : min(line_end, found + _LONGEST_BOUNDARY)].rstrip()
            self.opening.setdefault(line, []).append(found)
            if line.endswith(b"--"):
                self.closing.setdefault(line[:-2].rstrip(), []).append(found)
            found = _dashes_below(content, found)

    def between(self, start: int, end: int, delimiter: bytes) -> Iterator[tuple[int, bool]]:
        """Yield where a boundary's lines begin, up to the first that closes.

        The second value of each pair says whether the line closes.
        """
        closing = self.closing.get(delimiter, [])
        first = bisect_left(closing, start)
        last = closing[first] if first < len(closing) and closing[first] < end else None
        opening = self.opening.get(delimiter, [])
        for at in opening[bisect_left(opening, start) : bisect_left(opening, end if last is None else last)]:
            yield at, False
        if last is not None:
            yield last, True


def _dashes_below(content: bytes, at: int) -> int:
    """Return where the next line that begins with two dashes begins, -1 for nowhere."""
    found = content.find(b"\n--", at)
    return found + 1 if found >= 0 else -1
