"""A letter is opened: its header, and the parts within parts that its body is made of.

The walk goes from boundary to boundary and looks at no line between them, so a large attachment costs next
to nothing; depth and number of parts are limited while walking, so that nothing hostile can grow. What
lies in a `message/…` part is another letter and is not walked into.
"""

from __future__ import annotations

import binascii
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from referee.letters import limits
from referee.letters.headers import Headers, read_headers, read_parameters
from referee.letters.limits import LimitExceeded

_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")
_NEWLINE = re.compile(rb"\r?\n")
_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+")
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_NOT_BASE64 = bytes(octet for octet in range(256) if octet not in _BASE64)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a letter, or the letter itself.

    media_type: "text/plain" where nothing sensible is said. parameters: of Content-Type. disposition: "inline",
    "attachment" or "". named: the part has a file name. body: as it came, still encoded; empty for a multipart,
    whose `parts` lie within.
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
    """Open a letter. Raises LimitExceeded when it has more of anything than is read; nothing else, for any bytes."""
    if len(content) > limits.LETTER_OCTETS:
        raise LimitExceeded(f"the letter is larger than {limits.LETTER_OCTETS // 1024 // 1024} MB")
    if b"\n" not in content:
        content = content.replace(b"\r", b"\n")
    return _Walk(content).part(0, len(content), 0)


def open_header(content: bytes) -> Part:
    """Open no more than a letter's header, as far as it is read: of a letter that exceeds the limits."""
    block = _EMPTY_LINE.split(content[: limits.HEADER_OCTETS], maxsplit=1)[0]
    lines = block.split(b"\n", limits.HEADER_LINES)[: limits.HEADER_LINES]
    return _describe(read_headers(b"\n".join(lines))[0])


def read_body(part: Part, limit: int) -> tuple[bytes, bool]:
    """Undo a part's transfer encoding; return at most `limit` octets, and whether there would have been more."""
    encoding = part.headers.first("content-transfer-encoding").partition(";")[0].strip().lower()
    if encoding == "base64":
        # Four letters make three octets; line ends are about a fortieth more.
        raw = part.body[: limit * 2]
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
    """Return the part that these headers speak of, still without its body."""
    said = headers.first("content-type")
    media_type, parameters = read_parameters(said)
    if not _MEDIA_TYPE.fullmatch(media_type):
        media_type = "text/plain"
    disposition, more = read_parameters(headers.first("content-disposition"))
    named = any(name.startswith(("name", "filename")) for name in (*parameters, *more))
    return Part(headers, media_type, parameters, disposition, named)


class _Walk:
    """One letter being opened: its bytes, and how many parts and header lines were met so far."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.parts = 0
        self.header_lines = 0
        self.dashed: list[int] | None = None

    def part(self, start: int, end: int, depth: int) -> Part:
        """Open the part that lies in content[start:end]."""
        self.parts += 1
        if self.parts > limits.PARTS:
            raise LimitExceeded(f"the letter has more than {limits.PARTS} parts")
        if depth > limits.PART_DEPTH:
            raise LimitExceeded(f"the letter has parts within parts, more than {limits.PART_DEPTH} deep")
        block, body_start = self.header_block(start, end, depth)
        headers, leftover = read_headers(block)
        if headers.too_long:
            raise LimitExceeded(
                f"the header {headers.too_long[0]} is longer than {limits.FIELD_OCTETS // 1024} KB"
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
            raise LimitExceeded(f"a header of the letter is longer than {octets // 1024} KB")
        header_end, body_start = (found.start(), found.end()) if found else (end, end)
        self.header_lines += self.content.count(b"\n", start, header_end) + 1
        if self.header_lines > limits.HEADER_LINES:
            raise LimitExceeded(f"the letter has more than {limits.HEADER_LINES} header lines")
        return self.content[start:header_end], body_start

    def spans(self, start: int, end: int, boundary: str) -> list[tuple[int, int]]:
        """Return where the parts between boundary lines begin and end; text before and after them is nobody's."""
        if not boundary.strip() or not boundary.isascii() or not boundary.isprintable():
            return []
        content, dashed = self.content, self.dashed_lines()
        delimiter = b"--" + boundary.rstrip().encode("ascii")
        spans: list[tuple[int, int]] = []
        begun: int | None = None
        for index in range(bisect_left(dashed, start), bisect_left(dashed, end)):
            at = dashed[index]
            if not content.startswith(delimiter, at, end):
                continue
            after = at + len(delimiter)
            line_end = content.find(b"\n", after, end)
            line_end = end if line_end < 0 else line_end
            rest = content[after : min(line_end, after + 80)].strip()
            if rest not in (b"", b"--"):
                continue
            if begun is not None:
                spans.append((begun, max(begun, self.before_newline(at))))
            begun = None if rest else min(line_end + 1, end)
            if rest:
                break
        if begun is not None and begun < end:
            spans.append((begun, end))
        return spans

    def dashed_lines(self) -> list[int]:
        """Return where the lines that begin with two dashes begin: the only places where a boundary can be.

        They are looked for once, so that parts within parts cost nothing more.
        """
        if self.dashed is None:
            self.dashed = [0] if self.content.startswith(b"--") else []
            found = self.content.find(b"\n--")
            while found >= 0:
                self.dashed.append(found + 1)
                if len(self.dashed) > limits.BOUNDARY_LINES:
                    raise LimitExceeded(
                        f"more than {limits.BOUNDARY_LINES} lines of the letter begin with dashes"
                    )
                found = self.content.find(b"\n--", found + 3)
        return self.dashed

    def before_newline(self, line_start: int) -> int:
        """Return where the line above ends: the line end before a boundary belongs to the boundary."""
        end = line_start - 1
        return end - 1 if end > 0 and self.content[end - 1] == 0x0D else end
