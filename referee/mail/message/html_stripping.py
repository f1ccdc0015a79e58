"""Shrinks a large HTML text, still as bytes, by dropping large contents that are never shown as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.mail.message.limits import PASSED_OVER

_LARGE = 1_000
"""Smallest content, in bytes, that is worth dropping."""
_TYPE_BYTES = 100
"""An embedded picture names its encoding within this many bytes of its start."""

Span = tuple[int, int]
"""Where something begins and ends; -1 where it has no end."""


def without_large_unseen(octets: bytes) -> bytes:
    """Return HTML without its large pictures (`src="data:…;base64,…"`), comments and styles.

    The charset may be any that has ASCII's characters in ASCII's places.
    """
    for opening, find in _KINDS:
        octets = _without(octets, opening, find)
    return octets


def _without(octets: bytes, opening: bytes, find: Callable[[bytes, int], Span]) -> bytes:
    """Return a text without large contents between `opening` and the end that `find` finds; delimiters stay."""
    kept: list[bytes] = []
    behind = 0
    for start, end in _spans(octets, opening, find):
        kept.append(octets[behind:start])
        behind = end
    return b"".join((*kept, octets[behind:])) if kept else octets


def _spans(octets: bytes, opening: bytes, find: Callable[[bytes, int], Span]) -> Iterator[Span]:
    """Yield what is to be dropped. Each place is visited once, up to a limit of openings."""
    at = 0
    for _ in range(PASSED_OVER):
        at = octets.find(opening, at)
        if at < 0:
            return
        start, end = find(octets, at + len(opening))
        if end < 0:
            return
        if end - start > _LARGE:
            yield start, end
        at = max(at + 1, end)


def _picture(octets: bytes, at: int) -> Span:
    """Find the end of a quoted address that holds data. Prose would contain a blank or a tag."""
    head = octets[max(0, at - _TYPE_BYTES) : at]
    opening = max(head.rfind(b'="data:'), head.rfind(b"='data:"))
    if opening < 0:
        return at, at
    quote = head[opening + 1 : opening + 2]
    end = at if quote in head[opening + 2 :] else octets.find(quote, at)
    prose = any(octets.find(sign, at, end) >= 0 for sign in (b"<", b">", b" ")) if end >= 0 else False
    return (end, end) if prose else (at, end)


def _comment(octets: bytes, at: int) -> Span:
    """Find the end of a comment. There is none inside a tag."""
    end = octets.find(b"-->", at - len("--"))
    if end < at:
        return at, end if end < 0 else at
    other = octets.find(b"--!>", at, end)
    before = octets[max(0, at - _LARGE) : at - len("<!--")]
    if before.rfind(b"<") > before.rfind(b">"):
        return at, at
    return at, other if other >= 0 else end


def _style(octets: bytes, at: int) -> Span:
    """Find the end tag of a style."""
    start = octets.find(b">", at) + 1
    end = octets.find(b"</style", start) if start else -1
    return start, end


_KINDS = ((b"<!--", _comment), (b"<style", _style), (b";base64,", _picture))
