"""Which of our words a misspelt one was perhaps meant to be.

Comparing two words letter by letter costs more than all other work on a line. So words that cannot be alike
are ruled out by their letters alone, and the comparisons per letter are limited. Only the first slips get
suggestions.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from functools import cache

MOST_COMPARED = 120
"""Most pairs of words that are compared for one letter."""
LONGEST = 40
"""Longest word, in characters, that may be misspelt; longer texts get no suggestion."""
_SURE = 0.8
"""Two words that are this much alike share a pair of neighbouring letters (see `Words.like`)."""
_FEW = 3
"""Up to this length a word may be as much alike without such a pair."""
_ROUNDING = 1e-9


class Words:
    """Our words, indexed by what any similar word must share with them."""

    def __init__(self, words: Iterable[str]) -> None:
        self.letters = {word: _letters(word) for word in words}
        self.pairs: dict[str, list[str]] = {}
        self.short = [word for word in self.letters if len(word) <= _FEW + 2]
        self.longest = max(map(len, self.letters), default=0)
        for word in self.letters:
            for pair in _pairs(word):
                self.pairs.setdefault(pair, []).append(word)

    def like(self, word: str, alike: float) -> list[str]:
        """Return all candidates that may be as much alike to a word: perhaps more than are, never fewer.

        Of two words with T letters together, at least M = alike * T / 2 stand in the same order in both. They
        form at most T - 2M + 1 runs, so at least 3M - T - 1 pairs of neighbours are the same in both. From
        0.8 on that is one pair, except where one word has two letters and the other three.
        """
        size = len(word)
        if size > LONGEST or self.longest < alike * (size + self.longest) / 2 - _ROUNDING:
            return []
        if alike < _SURE:
            candidates: Iterable[str] = self.letters
        elif size <= _FEW:
            candidates = self.short
        else:
            candidates = {each for pair in _pairs(word) for each in self.pairs.get(pair, ())}
        found = []
        mine = _letters(word) if candidates else 0
        for each in candidates:
            needed = alike * (size + len(each)) / 2 - _ROUNDING
            if size < needed or len(each) < needed:
                continue
            theirs = self.letters[each]
            if size - (mine & ~theirs).bit_count() >= needed <= len(each) - (theirs & ~mine).bit_count():
                found.append(each)
        return found


Nearest = Callable[[str, Words, float], str]
"""Returns which of the words is most like another one, "" where none is.

The third argument is the least likeness, from 0 to 1 (difflib's ratio).
"""


def nearest_word(word: str, known: Words, alike: float) -> str:
    """Return the nearest word; see Nearest."""
    return _most_like(word, known.like(word, alike), alike)


class Suggestions:
    """Finds the nearest words for the slips of one letter, within a limit. compared: pairs compared up to now."""

    def __init__(self, most: int = MOST_COMPARED) -> None:
        self.most = most
        self.compared = 0
        self._found: dict[tuple[str, Words, float], str] = {}

    def nearest(self, word: str, known: Words, alike: float) -> str:
        """Return the nearest word (see Nearest); "" once the limit is reached.

        Asking again counts as one comparison when a word was found, since reading the suggestion costs as
        much.
        """
        asked = (word, known, alike)
        if asked in self._found:
            self.compared += bool(self._found[asked])
            return self._found[asked] if self.compared <= self.most else ""
        if self.compared >= self.most:
            return ""
        candidates = known.like(word, alike)
        if self.compared + len(candidates) > self.most:
            self.compared = self.most
            return ""
        self.compared += len(candidates)
        return self._found.setdefault(asked, _most_like(word, candidates, alike) if candidates else "")


def _most_like(word: str, candidates: Sequence[str], alike: float) -> str:
    return next(iter(difflib.get_close_matches(word, candidates, 1, alike)), "")


def _letters(word: str) -> int:
    """Return which letters a word has, as bits; two letters may share a bit."""
    bits = 0
    for sign in word:
        bits |= 1 << (ord(sign) & 63)
    return bits


def _pairs(word: str) -> set[str]:
    return {word[at : at + 2] for at in range(len(word) - 1)}


cached_words = cache(Words)
"""Words that stand in the code, taken apart once."""
