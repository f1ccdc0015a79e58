"""Which signs stand for plain ones, whatever wrote them; which only look like them; and which nobody sees.

A full-width `２` is a 2 from another keyboard, `ﬁ` is `fi` set by a program, and a no-break space is a space. But `²`
is a power or a key that was hit by mistake, `½` two digits of which nobody wrote either, and `①` may count a list:
whoever reads them as digits reads `A2²` as 22. They are never read as what they look like; their writer is asked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from referee.common.faults import Fault, Place
from referee.common.i18n import N_

_SAME = ("", "<wide>", "<narrow>", "<small>", "<vertical>", "<noBreak>")
"""Kinds of Unicode's decompositions by which a sign is another one in another width or code: "" are canonical ones."""
_SET_TOGETHER = "<compat>"
"""The kind of ligatures, of an ellipsis and of spaces; and of Roman numerals and numbered brackets."""


_MEANT = 200
"""Signs of an order of which it is said what was perhaps meant."""


_UNSEEN = re.compile(
    "[\\0-\\x08\\x0a-\\x1f\\x7f-\\x9f"  # control characters but the tab
    "\\ud800-\\udfff"  # halves of characters
    "\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180d\\u180f\\u3164\\uffa0"  # joiners and fillers
    "\\ufe00-\\ufe0f\\U000e0100-\\U000e01ef"  # variation selectors
    "\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b-\\u200f\\u202a-\\u202e"
    "\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\U000110bd\\U000110cd\\U00013430-\\U0001343f"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0001\\U000e0020-\\U000e007f]+"  # format (Cf)
)


@lru_cache(maxsize=4096)
def is_another(sign: str) -> bool:
    """Return whether a sign (one character) would become an ASCII one under NFKC, and is not just that in another form:
    superscript, circled, of a formula, a fraction, a Roman numeral."""
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
    """Return a sign (one character) with its compatibility forms made plain, unless it is another one."""
    return sign if is_another(sign) else unicodedata.normalize("NFKC", sign)


def fold(text: str) -> str:
    """Return a text with compatibility forms made plain (NFKC), but for the signs that are another."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text.translate(_PLAIN))


class Becoming(dict[int, str]):
    """What signs become, by their numbers in Unicode: a table for `str.translate` that fills itself as it is used.

    become: says it of one sign.
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
"""Signs that are kept, so that no letter fills the memory."""
_PLAIN = Becoming(plain_sign)


def fault_of_another(text: str, line: int, column: int = 1) -> Fault | None:
    """Return the fault of the first sign in an order that only looks like a plain one; None where there is none.

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
    """Return an order with all its signs as those that they look like, for saying what was perhaps meant; "" for a text
    that is too long to be one."""
    return unicodedata.normalize("NFKC", text) if len(text) <= _MEANT else ""


def visible(text: str) -> str:
    """Drop what cannot be seen or kept: format and control characters (tabs stay), selectors, fillers, lone
    surrogates."""
    return text if text.isprintable() and text.isascii() else _UNSEEN.sub("", text)
