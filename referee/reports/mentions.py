"""The people and games that a letter mentions besides its own game, read from the report itself.

When a player leaves, the letters about their games are erased. A letter about another game, or about none,
may mention the player or one of their games. Only this module can tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from referee.common.faults import Fault
from referee.common.i18n import Phrase
from referee.games.player_names import MOST_WORDS
from referee.reports.report import Report

MOST_WORDS_OF_A_LINE = 12
"""Longest quoted line, in words, that may name a person after a command."""
_PROSE = frozenset(("lines", "noted", "press", "text", "unread"))
"""Facts that are a player's own text, or a whole record, which belongs to its game."""
_AROUND = "\"'`<>()[],.;:!?"


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a letter mentions.

    games: numbers.
    names: everything that may be a person's name.
    addresses: as they are written.
    """

    games: frozenset[int]
    names: frozenset[str]
    addresses: frozenset[str]


def mentions(report: Report) -> Mentions:
    """Return what a letter mentions. The names must be looked up: most are nobody's name."""
    own = report.game.number if report.game else None
    games = {note.about for note in report.notes} | {entry["game"] for entry in report.listing}
    texts = list(_texts_of(report))
    for day in report.days:
        games |= {day.game.number if day.game else None, *(note.about for note in day.notes)}
        texts += _texts_of(day)
    names: set[str] = set()
    addresses: set[str] = set()
    for text in texts:
        words = [word.strip(_AROUND) for word in text.split()[:MOST_WORDS_OF_A_LINE]]
        addresses.update(word for word in words if "@" in word)
        for first in range(len(words)):
            names.update(" ".join(words[first:last]) for last in range(first + 1, first + 1 + MOST_WORDS))
    return Mentions(
        frozenset(number for number in games if number not in (None, own)),
        frozenset(names),
        frozenset(addresses),
    )


def _texts_of(report: Report) -> Iterator[str]:
    """Yield the facts that fill a report's sentences."""
    for note in report.notes:
        yield from _texts({key: fact for key, fact in note.facts.items() if key not in _PROSE})
    yield from _texts((report.faults, report.listing))


def _texts(fact: Any) -> Iterator[str]:
    match fact:
        case str():
            yield fact
        case Fault():
            yield from _texts((fact.excerpt, fact.suggestion, fact.facts))
        case Phrase():
            yield from _texts(fact.facts)
        case Mapping():
            yield from _texts(tuple(fact.values()))
        case tuple() | list() | frozenset() | set():
            for each in fact:
                yield from _texts(each)
        case _:
            pass  # numbers, times, and values from a game's own view
