"""What one language calls the words of commands: tables, without a word of how lines are read or written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

Spellings = Mapping[str, tuple[str, ...]]
"""The English word, and its spellings in the other language. Letters of ours show the first."""
ENGLISH_JOINTS = frozenset(("the", "to", "in", "for", "by", "with", "of"))
_LONGEST = 100
"""Characters of a text that may be one of these. Composing the accents of a very long one takes a while."""


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
    deeds: Spellings = field(default_factory=dict)
    orders: Mapping[str, str] = field(default_factory=dict)
    joints: frozenset[str] = ENGLISH_JOINTS
    """Small words that may stand before a game, a side, a time or a person in what an umpire writes."""
    game: str = "game"
    grave: re.Pattern[str] = re.compile(r"\b(?:resign|draw)\b", re.IGNORECASE)
    """What nobody wants overlooked, wherever it stands in a line."""
    small: frozenset[str] = frozenset(("and", "or", "my", "your", "&"))
    """Words that may stand beside the letters of pieces that are asked about."""


def tidy(text: str) -> str:
    """Return a text for comparing: lower case, with straight apostrophes. An accent too many is another word."""
    if text.isascii() or len(text) > _LONGEST:
        return text.lower()
    return unicodedata.normalize("NFC", text.replace("’", "'").lower())


def without_accents(text: str) -> str:
    """Return a text as somebody types it who has no accents at hand."""
    plain = unicodedata.normalize("NFKD", tidy(text))
    return "".join(c for c in plain if not unicodedata.combining(c))
