"""Decides whether a line is meant as an order: moves as in Confusion; words and signs if the line holds nothing else.

`?H`, `swop A H`, `agent allways`, `allow, without Z`, `éliminer son H` are meant as orders; `Allow me to say
so`, `Agent Smith never sleeps`, `swap places`, `remove a piece`, `Pass it on`, `Set up a board` are not.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from itertools import pairwise

from referee.rulebooks.confusion import likeness as shared
from referee.rulebooks.spies import words
from referee.rulebooks.spies.edition import LETTERS
from referee.rulebooks.spies.notation import TWO_MOVES
from referee.rulebooks.spies.setting_up import looks_like_set_up, words_end
from referee.rulebooks.spies.words import Said, Word, kind_of

_SIGNS = re.compile(
    r"(?:#? ?# ?(?:X ?)?[^\W\d_]|# ?X ?\?|#X?|\? ?[^\W\d_]|[^\W_] ?<[-=]?> ?[^\W_]?)[ .,;!]*$"
)
"""`#H`, `#xH`, `#x?`, `?H`, `A<>H`, also with a letter missing."""
_BEGINNING = 60
"""The characters of a line that contain its first word, after any opening words."""
_MOST_WORDS = 5
"""The most words of a type's name, including what may precede it."""


def looks_like_order(text: str) -> bool:
    """Return whether a line of a letter is meant as an order, correct or not."""
    if shared.looks_like_order(text, LETTERS):
        return True
    if not _may_be_in_words(words.bare_text(text[:_BEGINNING])):
        return False
    line = words.bare_text(text[:400])
    if looks_like_set_up(line) or _SIGNS.match(line):
        return True
    if found := TWO_MOVES.match(line):
        return shared.looks_like_order(line[found.end() :], LETTERS)
    said = words.said_in(line)
    return said is not None and _says_nothing_else(said)


def _may_be_in_words(beginning: str) -> bool:
    """Return whether the beginning of a bare line allows an order in words or signs: most lines allow neither."""
    return (
        beginning[:1] in ("#", "?")
        or "<" in beginning[:3]
        or words_end(beginning) is not None
        or TWO_MOVES.match(beginning) is not None
        or words.begins_like_an_order(beginning)
    )


def _says_nothing_else(said: Said) -> bool:
    rest = [word.text for word in said.rest]
    match said.about:
        case words.ALLOW | words.DENY:
            return _answers(said)
        case words.AGENT:
            return _instructs(said)
        case words.PASS:
            return rest in ([], ["MY", "TURN"], ["MON", "TOUR"])
        case words.TWO:
            return False
    if not rest:
        return not said.near
    kinds = list(map(kind_of, rest))
    if "" in kinds or any(one == "letter" and other == "filler" for one, other in pairwise(kinds)):
        return False  # "remove a piece": an article, not the spy A
    return any(kind in ("letter", "their letter", "agent") for kind in kinds)


def _answers(said: Said) -> bool:
    """Return whether the words after an answer refer to the attempt or the briefcase, or are a move."""
    rest = said.rest
    if rest and shared.looks_like_order(" ".join(word.text for word in rest), LETTERS):
        return True
    return all(words.names_it(word.text) or words.about_briefcase(word.text) for word in rest)


def _instructs(said: Said) -> bool:
    """Return whether the words after "agent" are an instruction, or nearly one."""
    if not said.rest:
        return True
    first, *others = said.rest
    if words.HOW.get(first.text) == "as":
        return len(others) <= _MOST_WORDS
    known = {*words.HOW, *words.HOW_MEANT}
    if first.text in known or get_close_matches(first.text, list(words.HOW), 1, 0.75):
        return all(word.text in known | {"IT", "MOI"} or _names_a_type((word,)) for word in others)
    return _names_a_type(said.rest)


def _names_a_type(said: tuple[Word, ...]) -> bool:
    named = [word.text for word in words.without_articles(said)]
    if len(named) == 1 and named[0].isdigit():
        return len(named[0]) <= 2
    return bool(get_close_matches(" ".join(named), list(words.type_names()), 1, 0.8))
