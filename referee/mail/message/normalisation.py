"""Normalisation: what a line says, however the keyboard, program or typesetting changed its characters."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from referee.common.characters import Becoming, plain_sign, visible
from referee.mail.message.limits import LINE_CHARACTERS

_SIGNS = dict.fromkeys("‐‑‒–—―−⁃﹘﹣－➖", "-") | dict.fromkeys("×✕✖⨯╳", "x")
_MADE_ONE_KIND = Becoming(lambda sign: _SIGNS.get(sign) or plain_sign(sign))
_LIST_MARK = re.compile(r"(?:\(?\d{1,3}[.)](?!\d)|[-*•·‣◦①-⒛](?= )) ?")


def normalise(text: str) -> str:
    """Return a line in normalised form: one kind of dash, cross and blank.

    Invisible characters, a list mark and bold stars are removed.

    Letters keep their case. Compatibility forms (full-width, ligatures) become plain, except those that may
    have meant something else (superscript, circled; see `characters`). Those of very long lines, which are
    prose, stay.

    Lines that are no prose are cached: they are read again in each language, and as part of a text.
    """
    return _made_plain(text) if len(text) > LINE_CHARACTERS else normalise_line(text)


@lru_cache(maxsize=256)
def normalise_line(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFC", text.translate(_MADE_ONE_KIND))
    return _made_plain(text)


def _made_plain(text: str) -> str:
    text = " ".join(visible(text).split())
    mark = _LIST_MARK.match(text)
    if mark:
        text = text[mark.end() :]
    if text.startswith("*") and text.endswith("*") and text.count("*") == 2:
        text = text.strip("*").strip()
    return text
