"""What people and programs put around a line: emphasis, arrows, list marks, quotation marks, brackets.

`_V-NW2_`, `=> V-NW2`, `"V-NW2"` and `[V-NW2]` say what `V-NW2` says. Emphasis, arrows and list marks say of any line
that it is meant. In quotation marks or brackets an order is meant, too, since nobody would write one alone on its line
otherwise; a word of the desk may be cited, and is asked about. So is an order in signs of which nobody knows what they
say: `~~V-NW2~~` may have been struck out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

_LONGEST = 200
"""A longer line is prose, whatever stands around it."""
_DEEPEST = 4
"""So many decorations stand around one another."""
_MOST_STARTS = 4
"""So many places are tried where a line may begin behind its marks."""
_OWN_SIGNS = "(#?<."
"""Signs that an order may begin with."""
_ENUMERATING = re.compile(r"(?:[A-Za-z]|[IVXivx]{2,4})[])}>.:/°]|[Nn][or][. ]")
"""Letters that count a list, and the sign behind them."""
_STOPS = " .,;!"

_LEADING = re.compile(
    r"(?:[-=]{0,3}>{1,3}|- |-? ?\[[xX]\](?= )|\(?(?:[a-z]|[ivx]{2,4})\)(?= )"
    r"|[→⇒➔➜➝➞➡➤➢⟶⟹►▶▸▷‣•◦●○■□▪▫◆◇★☆✓✔☑👉⁃·+:]+) *"
)
"""Arrows and list marks before a line."""
_TRAILING = re.compile(r" *(?:<{1,3}[-=]{0,3}|←|⇐|◄|◀)$")
"""Arrows behind it."""
_EMPHASIS = tuple((sign, sign) for sign in ("***", "**", "*", "___", "__", "_", "//", "/", "```", "`"))
_CITING = (
    *((sign, sign) for sign in "\"'”’»"),
    *(("“", "”"), ("„", "“"), ("„", "”"), ("‚", "‘"), ("‚", "’"), ("‘", "’"), ("«", "»"), ("»", "«")),
    *(
        ("‹", "›"),
        ("›", "‹"),
        ("「", "」"),
        ("『", "』"),
        ("《", "》"),
        ("〈", "〉"),
        ("【", "】"),
        ("〔", "〕"),
    ),
    *(("``", "''"), ("`", "'"), ("(", ")"), ("[", "]"), ("{", "}"), ("<", ">")),
)


_BY_FIRST_SIGN: dict[str, list[tuple[str, str, bool]]] = {}
"""What may stand around a line that begins with a sign: before it, behind it, and whether that cites."""
for _opening, _closing in _EMPHASIS:
    _BY_FIRST_SIGN.setdefault(_opening[0], []).append((_opening, _closing, False))
for _opening, _closing in _CITING:
    _BY_FIRST_SIGN.setdefault(_opening[0], []).append((_opening, _closing, True))


class Bare(NamedTuple):
    """What a decorated line says. cited: quotation marks or brackets stood around it."""

    text: str
    cited: bool


def undecorated(text: str) -> Bare | None:
    """Return what a line says without what stands around it; None where nothing does."""
    if len(text) > _LONGEST:
        return None
    bare = Bare(text, cited=False)
    for _ in range(_DEEPEST):
        peeled = _peeled(bare)
        if peeled is None:
            break
        bare = peeled
    return bare if bare.text != text else None


def cores(text: str) -> Iterator[str]:
    """Yield what a line may say if the marks that it begins with say nothing, and no sign at its end.

    Marks are signs of any kind, and what counts a list. Nothing for a line that begins with a word, is too long or a
    comment.
    """
    if text.startswith("#") or len(text) > _LONGEST:
        return
    begins = (at for at in _starts(text) if at < len(text) and (text[at].isalpha() or text[at] in _OWN_SIGNS))
    starts = list(islice(begins, _MOST_STARTS))
    if starts:
        ends = next((at for at in range(len(text), starts[0], -1) if text[at - 1].isalnum()), starts[0])
        yield from (text[at:ends] for at in starts if at < ends)


def _starts(text: str) -> Iterator[int]:
    """Yield where a line may begin behind its marks, up to its first word."""
    at = 0
    while at < len(text):
        sort = _sort_of(text[at])
        end = next((end for end in range(at, len(text)) if _sort_of(text[end]) != sort), len(text))
        if sort == "letters" and not _ENUMERATING.fullmatch(text, at, end + 1):
            return
        if sort == "signs" and end - at > 1:
            yield end - 1  # the last of the signs may be the line's own
        yield end
        at = end


def _sort_of(sign: str) -> str:
    """Return which run of marks a sign belongs to."""
    match unicodedata.category(sign)[0]:
        case "L":
            return "letters"
        case "N":
            return "numbers"
    return "signs"


def _peeled(bare: Bare) -> Bare | None:
    """Return what a line says without the outermost of what stands around it; None where nothing does."""
    text = bare.text
    if (mark := _LEADING.match(text)) and mark.end() < len(text):
        return Bare(text[mark.end() :], bare.cited)
    if mark := _TRAILING.search(text):
        return Bare(text[: mark.start()], bare.cited) if mark.start() else None
    body = text.rstrip(_STOPS)
    for opening, closing, citing in _BY_FIRST_SIGN.get(body[:1], ()):
        inner = body[len(opening) : len(body) - len(closing)].strip()
        if (
            inner
            and body.startswith(opening)
            and body.endswith(closing)
            and _stands_around(opening, closing, inner)
        ):
            return Bare(inner, bare.cited or citing)
    return None


def _stands_around(opening: str, closing: str, inner: str) -> bool:
    """Return whether a pair of signs belongs together, with this between them: `(A) or (B)` is in no brackets."""
    if opening == closing:
        return opening not in inner
    depth = 0
    for sign in inner:
        depth += (sign == opening) - (sign == closing)
        if depth < 0:
            return False
    return depth == 0 and (
        len(opening) == len(closing) == 1 or (opening not in inner and closing not in inner)
    )
