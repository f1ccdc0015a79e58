"""Command words in other languages, as letters may write them. `CommandWriter` writes them in outgoing letters.

English is always read. A language adds spellings of its own, which are read in any case, with or without
accents. The first spelling of a word is the one that is shown. Arguments have spellings, too: keys and values
of `set`, a seat's colour, the word for a game before its number. Moves and names of games have none, since
records hold them unchanged. Options are read in either language, and shown and stored in English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from referee.commands.command_writer import CommandWriter
from referee.commands.french import FRENCH
from referee.commands.language_words import LanguageWords, Spellings, tidy, without_accents

_FIRST_WORDS = re.compile(r"(\S+)(?:\s+(\S+))?(?:\s+(\S+))?")
_BEHIND_A_WORD = ".:,!"
"""Characters that may follow a command word."""


@dataclass(frozen=True, slots=True)
class _Ways:
    """For each kind of spelling, all that are read, with and without accents, and the English words."""

    keys: Mapping[str, str]
    values: Mapping[str, str]
    sides: Mapping[str, str]
    options: Mapping[str, str]
    terms: Mapping[str, str]
    ends: Mapping[str, str]
    actions: Mapping[str, str]
    steps: Mapping[str, str]


class Vocabulary:
    """Translates one language into English. tables: its words. writer: translates back."""

    def __init__(self, tables: LanguageWords) -> None:
        self.tables = tables
        self.writer = CommandWriter(tables)

    @cached_property
    def read(self) -> Mapping[str, str]:
        """Each spelling of a word, with and without accents, and the English word."""
        return _ways_back(self.tables.words)

    @cached_property
    def read_topics(self) -> Mapping[str, str]:
        """The same for the topics of `help`."""
        return _ways_back(self.tables.topics)

    @cached_property
    def _first_words(self) -> frozenset[str]:
        """The words that spellings begin with."""
        return frozenset(said.split()[0] for said in self.read)

    @cached_property
    def _ways(self) -> _Ways:
        return _Ways(
            keys=_ways_back(self.tables.keys),
            values=_ways_back(self.tables.values),
            sides=_ways_back(self.tables.sides),
            options=_ways_back(self.tables.options),
            terms=_ways_back({**self.tables.sides, **self.tables.terms}),
            ends=_ways_back({**self.tables.ends, **self.tables.sides}),
            actions=_ways_back(self.tables.actions),
            steps=_ways_back(self.tables.steps),
        )

    def read_word(self, text: str) -> str:
        """Return a line with the English command word for this language's; any other line unchanged."""
        first = text.split(maxsplit=1)[:1] if self.read else []
        if not first or tidy(first[0]).rstrip(_BEHIND_A_WORD) not in self._first_words:
            return text
        begins = _FIRST_WORDS.match(text)
        if begins is None:
            return text
        for count in (3, 2, 1):
            words = [word for word in begins.groups()[:count] if word]
            said = tidy(" ".join(words).rstrip(_BEHIND_A_WORD))
            if len(words) == count and said in self.read:
                return self.read[said] + text[begins.end(count) :]
        return text

    def read_topic(self, said: str) -> str:
        """Return a topic of help, in English where it is in this language, otherwise in lower case."""
        return self.read_topics.get(tidy(said)) or self.read_word(said).lower()

    def is_of_steps(self, word: str) -> bool:
        """Return whether a word is one of this language's for the steps of a plan."""
        return bool(self.tables.steps) and tidy(word) in self._ways.steps

    def read_steps(self, text: str) -> tuple[str, list[tuple[int, int]]]:
        """Return a plan with its steps in English, and where places moved.

        The latter are pairs of places, in the returned text and in the original, from which both are the same
        again.
        """
        english, moved, last = "", [(0, 0)], 0
        ways = self._ways.steps
        for word in re.finditer(r"(?<![\w-])[^\W\d_]+(?![\w-])", text) if ways else ():
            if meant := ways.get(tidy(word[0])):
                english += text[last : word.start()] + meant
                last = word.end()
                moved.append((len(english), last))
        return english + text[last:], moved

    def read_key(self, said: str) -> str:
        """Return a key of `set`, in English where it is in this language, otherwise in lower case."""
        return self._ways.keys.get(tidy(said), said.lower())

    def read_value(self, said: str) -> str:
        """Return a value of `set`, translated likewise."""
        return self._ways.values.get(tidy(said), said.lower())

    def read_side(self, said: str) -> str:
        """Return a seat, translated likewise."""
        return self._ways.sides.get(tidy(said), said.lower())

    def read_option(self, key: str, value: str) -> tuple[str, str]:
        """Return an option of a game in English where it is in this language, otherwise unchanged."""
        english = self._ways.options.get(tidy(key), key)
        if english == "not":
            return english, value  # people's names
        ways = self._ways.terms
        return english, ",".join(ways.get(tidy(each), each) for each in value.split(","))

    def read_end(self, said: str) -> str:
        """Return the end of a game (a seat, draw or none), translated likewise."""
        return self._ways.ends.get(tidy(said), said.lower())

    def read_action(self, said: str) -> str:
        """Return a word after `umpire`, an act or a joining word, translated likewise."""
        return self._ways.actions.get(tidy(said), said.lower())


def _ways_back(spellings: Spellings) -> Mapping[str, str]:
    """Return each spelling, with and without accents, and its English word."""
    return {
        way: english
        for english, ways in spellings.items()
        for said in ways
        for way in (tidy(said), without_accents(said))
    }


VOCABULARIES: Mapping[str, Vocabulary] = {"en": Vocabulary(LanguageWords()), "fr": Vocabulary(FRENCH)}


def vocabulary(language: str) -> Vocabulary:
    """Return a language's vocabulary; the English one for an unknown language."""
    return VOCABULARIES.get(language, VOCABULARIES["en"])
