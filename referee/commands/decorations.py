"""Decorations around a line: emphasis, arrows, list marks, quotation marks, brackets.

`_V-NW2_`, `=> V-NW2`, `"V-NW2"` and `[V-NW2]` mean the same as `V-NW2`. A line with emphasis, arrows or list
marks is always meant. An order in quotation marks or brackets is meant too, since nobody would otherwise
write one alone on its line; a command word in them may be a citation, so its writer is asked. They are also
asked about an order in characters of unknown meaning: `~~V-NW2~~` may be struck out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, islice
from typing import NamedTuple

_LONGEST = 200
"""A longer line is prose, whatever its decorations."""
_DEEPEST = 4
"""The most decorations that are removed around one another."""
_MOST_STARTS = 4
"""The most places at which a line is tried to begin after its marks."""
_OWN_SIGNS = "(#?<."
"""Characters that an order may begin with."""
_ENUMERATING = re.compile(r"(?:[A-Za-z]|[IVXivx]{2,4})[])}>.:/°]|[Nn][or][. ]")
"""Letters that number a list, with the character that follows them."""
_STOPS = " .,;!"

_LEADING = re.compile(
    r"(?:[-=]{0,3}>{1,3}|- |-? ?\[[xX]\](?= )|\(?(?:[a-z]|[ivx]{2,4})\)(?= )"
    r"|[→⇒➔➜➝➞➡➤➢⟶⟹►▶▸▷‣•◦●○■□▪▫◆◇★☆✓✔☑👉⁃·+:]+) *"
)
"""Arrows and list marks before a line."""
_TRAILING = re.compile(r" *(?:<{1,3}[-=]{0,3}|←|⇐|◄|◀)$")
"""Arrows after a line."""
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
"""The pairs that a line's first character may open: opening, closing, and whether they cite."""
for _opening, _closing in _EMPHASIS:
    _BY_FIRST_SIGN.setdefault(_opening[0], []).append((_opening, _closing, False))
for _opening, _closing in _CITING:
    _BY_FIRST_SIGN.setdefault(_opening[0], []).append((_opening, _closing, True))


class Bare(NamedTuple):
    """A line without its decorations. cited: it was in quotation marks or brackets."""

    text: str
    cited: bool


def undecorated(text: str) -> Bare | None:
    """Return a line without its decorations; None where it has none."""
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
    """Yield what a line may say when its leading marks and its trailing characters mean nothing.

    Marks are any symbols, and list numbering. Yields nothing for a line that begins with a word, is too long
    or is a comment.
    """
    if text.startswith("#") or len(text) > _LONGEST:
        return
    begins = (at for at in _starts(text) if at < len(text) and (text[at].isalpha() or text[at] in _OWN_SIGNS))
    starts = list(islice(begins, _MOST_STARTS))
    if starts:
        ends = next((at for at in range(len(text), starts[0], -1) if text[at - 1].isalnum()), starts[0])
        yield from (text[at:ends] for at in starts if at < ends)


def _starts(text: str) -> Iterator[int]:
    """Yield the places where a line may begin after its marks, up to its first word."""
    at = 0
    for sort, run in groupby(text, _sort_of):
        end = at + len(list(run))
        if sort == "letters" and not _ENUMERATING.fullmatch(text, at, end + 1):
            return
        if sort == "signs" and end - at > 1:
            yield end - 1  # the last of the characters may belong to the line
        yield end
        at = end


def _sort_of(character: str) -> str:
    """Return the kind of run that a character belongs to."""
    if character.isalpha():
        return "letters"
    return "numbers" if character.isnumeric() else "signs"


def _peeled(bare: Bare) -> Bare | None:
    """Return a line without its outermost decoration; None where it has none."""
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
    """Return whether a pair encloses this text: `(A) or (B)` is not enclosed in brackets."""
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
