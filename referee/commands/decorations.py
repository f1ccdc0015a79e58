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
from typing import NamedTuple

_LONGEST = 200
"""A longer line is prose, whatever stands around it."""
_DEEPEST = 4
"""So many decorations stand around one another."""
_MOST_SIGNS = 12
"""So many signs before a line are looked behind."""
_OF_THE_LINE = 1
"""So many of them may be the line's own."""
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
    """Yield what a line may say if all or nearly all of the signs that it begins with say nothing, and none of those at
    its end; nothing for one that begins with a letter or digit, that is too long or a comment."""
    signs = next((at for at, sign in enumerate(text[:_MOST_SIGNS]) if not _surrounds(sign)), 0)
    if text.startswith("#") or len(text) > _LONGEST:
        return
    ends = next((at for at in range(len(text), signs, -1) if text[at - 1].isalnum()), signs)
    yield from (text[at:ends] for at in range(max(1, signs - _OF_THE_LINE), signs + 1))


def _surrounds(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "PSZ"


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
            and opening not in inner
            and closing not in inner
        ):
            return Bare(inner, bare.cited or citing)
    return None
