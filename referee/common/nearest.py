"""Which word of ours a misspelt one was perhaps meant to be.

Two words are compared letter by letter, which costs more than all else that is done with a line. So what cannot be
alike is told by its letters alone, and only so many are compared for one letter: suggestions are for the first slips.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence

MOST_COMPARED = 120
"""So many pairs of words are compared for one letter."""
LONGEST = 40
"""Letters of a word that may be misspelt; what is longer is none."""
_SURE = 0.8
"""Two words as alike as that have two neighbouring letters in common (see `Words.like`)."""
_FEW = 3
"""Letters of a word that may be as alike to another without that."""
_ROUNDING = 1e-9


class Words:
    """Words of ours, by what any that is like them must have in common with them."""

    def __init__(self, words: Iterable[str]) -> None:
        self.letters = {word: _letters(word) for word in words}
        self.pairs: dict[str, list[str]] = {}
        self.short = [word for word in self.letters if len(word) <= _FEW + 2]
        for word in self.letters:
            for pair in _pairs(word):
                self.pairs.setdefault(pair, []).append(word)

    def like(self, word: str, alike: float) -> list[str]:
        """Return all that may be as alike to a word; more than are, and never less.

        Of two words with T letters together at least M = alike * T / 2 stand in the same order in both. They are in at
        most T - 2M + 1 runs, so that at least 3M - T - 1 pairs of neighbours are the same in both: from 0.8 on that is
        one, save where one word has two letters and the other three.
        """
        size = len(word)
        if size > LONGEST:
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
"""Returns which of some words is most like another one, "" where none is: how much at least, from 0 to 1, is what the
third says (difflib's ratio)."""


def nearest_word(word: str, known: Words, alike: float) -> str:
    """Return the nearest word, as Nearest says."""
    return _most_like(word, known.like(word, alike), alike)


class Suggestions:
    """Finds the nearest words for the slips of one letter, as long as there is room. compared: so many pairs were."""

    def __init__(self, most: int = MOST_COMPARED) -> None:
        self.most = most
        self.compared = 0
        self._found: dict[tuple[str, Words, float], str] = {}

    def nearest(self, word: str, known: Words, alike: float) -> str:
        """Return the nearest word, as Nearest says; "" when there is no more room. To ask again costs as if there were
        one word to compare, since what is found is read once more."""
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
    """Return which letters a word has, as bits; two letters may share one."""
    bits = 0
    for sign in word:
        bits |= 1 << (ord(sign) & 63)
    return bits


def _pairs(word: str) -> set[str]:
    return {word[at : at + 2] for at in range(len(word) - 1)}
