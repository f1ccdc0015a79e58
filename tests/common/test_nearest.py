"""Which word was perhaps meant: the same as if all were compared, and only so many are for one letter."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.commands.command_table import TOPICS, WORDS
from referee.commands.grammar import Grammar
from referee.commands.vocabulary import vocabulary
from referee.common.i18n import LANGUAGES
from referee.common.nearest import MOST_COMPARED, Suggestions, Words, nearest_word
from referee.mail.message.message import OwnLine
from referee.rulebooks.catalogue import RULEBOOKS

KNOWN = tuple(dict.fromkeys((*(word.name for word in WORDS), *vocabulary("fr").read)))
SIGNS = "abcdeghilmnoprstuwyé -'"


@given(
    st.one_of(
        st.text(SIGNS, max_size=12),
        st.tuples(
            st.sampled_from(KNOWN), st.integers(0, 12), st.text(SIGNS, max_size=2), st.integers(0, 2)
        ).map(lambda drawn: drawn[0][: drawn[1]] + drawn[2] + drawn[0][drawn[1] + drawn[3] :]),
    ),
    st.sampled_from((0.5, 0.6, 0.7, 0.75, 0.8, 0.9)),
)
def test_the_nearest_word_is_the_one_that_comparing_all_would_find(word: str, alike: float) -> None:
    expected = next(iter(difflib.get_close_matches(word, KNOWN, 1, alike)), "")
    assert nearest_word(word, Words(KNOWN), alike) == expected
    assert Suggestions(most=len(KNOWN)).nearest(word, Words(KNOWN), alike) == expected


def test_a_word_that_is_asked_about_again_is_not_compared_again_and_costs_little() -> None:
    suggestions, words = Suggestions(), Words(KNOWN)
    assert suggestions.nearest("regsiter", words, 0.8) == "register"
    room = MOST_COMPARED - suggestions.compared
    found = [suggestions.nearest("regsiter", words, 0.8) for _ in range(MOST_COMPARED)]
    assert found == ["register"] * room + [""] * (MOST_COMPARED - room)


@pytest.mark.parametrize(
    "slip",
    [
        "regsiter{n}",
        "stats{n}",
        "set zone pari{w}s",
        "help rulez{n}",
        "umpire corect{n} 1: a",
        "set report{n} txt",
    ],
)
def test_a_letter_of_slips_has_so_many_words_compared_and_no_more(
    slip: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a letter of three hundred different slips, when it is read, then suggestions are looked for the first."""
    compared = 0
    find = difflib.get_close_matches

    def counted(word: str, known: list[str], n: int, alike: float) -> list[str]:
        nonlocal compared
        compared += len(known)
        return find(word, known, n, alike)

    monkeypatch.setattr(difflib, "get_close_matches", counted)
    grammar = Grammar(lambda text: False, tuple(each.name for each in RULEBOOKS), TOPICS).beside(LANGUAGES)
    read = grammar.read(
        [OwnLine(n, slip.format(n=n, w=chr(97 + n % 26) + chr(97 + n // 26))) for n in range(1, 301)]
    )
    assert len(read.faults) + len(read.passed_over) > 0
    assert 0 < compared <= MOST_COMPARED


def test_a_letter_asks_of_no_line_twice_whether_it_is_an_order() -> None:
    """Given a desk that reads two languages, and a text that goes on, then each line is asked about once."""
    asked: list[str] = []

    def looks_like_order(text: str) -> bool:
        asked.append(text)
        return False

    grammar = Grammar(looks_like_order, ("confusion",), TOPICS).beside(LANGUAGES)
    lines = [OwnLine(1, "press hello"), *(OwnLine(n, f"and so on {n}") for n in range(2, 200))]
    grammar.read([*lines, OwnLine(201, "Dear umpire, this is prose"), OwnLine(202, "status")])
    assert len(asked) == len(set(asked))
