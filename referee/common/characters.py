"""Characters that are another form of a plain one, that only look like one, or that are invisible.

A full-width `２` is a 2 from another keyboard, `ﬁ` is `fi` as a program typesets it, and a no-break space is a
space. But `²` is a power or a slip of the hand, `½` stands for two digits that were not typed, and `①` may
count a list. Reading these as digits would turn `A2²` into 22. They are never read as what they look like:
the writer is asked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from referee.common.faults import Fault, Place
from referee.common.i18n import N_

_SAME = ("", "<wide>", "<narrow>", "<small>", "<vertical>", "<noBreak>")
"""Kinds of Unicode decomposition that give the same character in another width or code; "" are canonical ones."""
_SET_TOGETHER = "<compat>"
"""The kind of ligatures, ellipses and spaces, and also of Roman numerals and numbered brackets."""


_MEANT = 200
"""Longest order, in characters, for which a correction is suggested."""


_UNSEEN = re.compile(
    "[\\0-\\x08\\x0a-\\x1f\\x7f-\\x9f"  # control characters except the tab
    "\\ud800-\\udfff"  # halves of characters (surrogates)
    "\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180d\\u180f\\u3164\\uffa0"  # joiners and fillers
    "\\ufe00-\\ufe0f\\U000e0100-\\U000e01ef"  # variation selectors
    "\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b-\\u200f\\u202a-\\u202e"
    "\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\U000110bd\\U000110cd\\U00013430-\\U0001343f"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0001\\U000e0020-\\U000e007f]+"  # format (Cf)
)


@lru_cache(maxsize=4096)
def is_another(sign: str) -> bool:
    """Return whether one character only looks like an ASCII one.

    NFKC would change it into ASCII, but it means something else. Examples are superscripts, circled digits,
    letters of a formula, fractions and Roman numerals.
    """
    if sign.isascii():
        return False
    plain = unicodedata.normalize("NFKC", sign)
    if plain == sign or not any(each.isascii() and not each.isspace() for each in plain):
        return False
    decomposed = unicodedata.decomposition(sign)
    kind = decomposed.partition(" ")[0] if decomposed.startswith("<") else ""
    if kind == _SET_TOGETHER:
        return any(map(str.isalnum, plain)) and not unicodedata.category(sign).startswith("L")
    return kind not in _SAME


def plain_sign(sign: str) -> str:
    """Return one character in its plain form (NFKC), or unchanged where it only looks like a plain one."""
    return sign if is_another(sign) else unicodedata.normalize("NFKC", sign)


def fold(text: str) -> str:
    """Return a text in its plain form (NFKC), except for characters that only look like plain ones."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text.translate(_PLAIN))


class Becoming(dict[int, str]):
    """A table for `str.translate`, by code point, which fills itself as it is used.

    become: the function that returns the replacement of one character.
    """

    def __init__(self, become: Callable[[str], str]) -> None:
        super().__init__()
        self._become = become

    def __missing__(self, number: int) -> str:
        made = self._become(chr(number))
        if len(self) < _KEPT:
            self[number] = made
        return made


_KEPT = 20_000
"""Most entries that are kept, so that no letter fills the memory."""
_PLAIN = Becoming(plain_sign)


def fault_of_another(text: str, line: int, column: int = 1) -> Fault | None:
    """Return the fault of the first character that only looks like a plain one; None where there is none.

    line, column: where `text` begins in the letter, from 1.
    """
    at = next((at for at, sign in enumerate(text) if is_another(sign)), None)
    if at is None:
        return None
    sign = text[at]
    message = N_("{sign} is not read as {plain}; orders are written with plain letters, digits and signs")
    facts = {"sign": sign, "plain": unicodedata.normalize("NFKC", sign)}
    return Fault("no-plain-sign", message, facts, "unreadable", text.strip(), Place(line, column + at))


def as_it_looks(text: str) -> str:
    """Return an order with every character as the plain one it looks like, for suggesting a correction.

    The result is "" for a text that is too long to be an order.
    """
    return unicodedata.normalize("NFKC", text) if len(text) <= _MEANT else ""


def visible(text: str) -> str:
    """Drop invisible characters and those that cannot be stored.

    These are format and control characters (tabs stay), variation selectors, fillers and lone surrogates.
    """
    return text if text.isprintable() and text.isascii() else _UNSEEN.sub("", text)
