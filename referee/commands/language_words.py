"""The words of commands in one language, as tables; reading and writing lines is done elsewhere."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

Spellings = Mapping[str, tuple[str, ...]]
"""English words and their spellings in another language. Letters show the first."""
ENGLISH_JOINTS = frozenset(("the", "to", "in", "for", "by", "with", "of"))
_LONGEST = 100
"""The most characters of a text that may be one of these; composing the accents of a very long text is slow."""


@dataclass(frozen=True, eq=False)
class LanguageWords:
    """The tables of one language. game: its word before a game's number."""

    words: Spellings = field(default_factory=dict)
    keys: Spellings = field(default_factory=dict)
    values: Spellings = field(default_factory=dict)
    sides: Spellings = field(default_factory=dict)
    ends: Spellings = field(default_factory=dict)
    topics: Spellings = field(default_factory=dict)
    options: Spellings = field(default_factory=dict)
    terms: Spellings = field(default_factory=dict)
    steps: Spellings = field(default_factory=dict)
    places: Spellings = field(default_factory=dict)
    samples: Mapping[str, str] = field(default_factory=dict)
    claims: Spellings = field(default_factory=dict)
    actions: Spellings = field(default_factory=dict)
    orders: Mapping[str, str] = field(default_factory=dict)
    joints: frozenset[str] = ENGLISH_JOINTS
    """Small words that may precede a game, a side, a time or a person in an umpire's line."""
    game: str = "game"
    grave: re.Pattern[str] = re.compile(r"\b(?:resign|draw)\b", re.IGNORECASE)
    """Words too serious to be overlooked, wherever they occur in a line."""
    small: frozenset[str] = frozenset(("and", "or", "my", "your", "&"))
    """Words that may accompany the letters of pieces in a question."""


def tidy(text: str) -> str:
    """Return a text for comparison: lower case, with straight apostrophes. Accents make a difference."""
    if text.isascii() or len(text) > _LONGEST:
        return text.lower()
    return unicodedata.normalize("NFC", text.replace("’", "'").lower())


def without_accents(text: str) -> str:
    """Return a text for comparison without accents, as typed without them."""
    plain = unicodedata.normalize("NFKD", tidy(text))
    return "".join(c for c in plain if not unicodedata.combining(c))
