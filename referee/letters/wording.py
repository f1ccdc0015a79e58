"""Normalisation: what a line says, whatever the keyboard, program or printer's habits did to its signs."""

from __future__ import annotations

import re

from referee.letters.limits import LINE_CHARACTERS
from referee.signs import fold, visible

_SIGNS = dict.fromkeys(map(ord, "‐‑‒–—―−⁃﹘﹣－➖"), "-") | dict.fromkeys(map(ord, "×✕✖⨯╳"), "x")
_LIST_MARK = re.compile(r"(?:\(?\d{1,3}[.)](?!\d)|[-*•·‣◦①-⒛](?= )) ?")


def normalise(text: str) -> str:
    """Return a line with one kind of dash, cross and blank, without invisible signs, list mark or bold stars.

    Letters keep their case. Compatibility forms (full-width, ligatures) become plain, but none that may have meant
    something else (superscript, circled; see `signs`); those of very long lines, which are prose, stay.
    """
    if not text.isascii() and len(text) <= LINE_CHARACTERS:
        text = fold(text.translate(_SIGNS))
    text = " ".join(visible(text).split())
    mark = _LIST_MARK.match(text)
    if mark:
        text = text[mark.end() :]
    if text.startswith("*") and text.endswith("*") and text.count("*") == 2:
        text = text.strip("*").strip()
    return text
