"""Whatever has happened to a letter on its way, it is read without an exception and comes to one recorded outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from referee.mail.message.message import Nature
from referee.store.values import Outcome
from tests.mail.message.damage import damaged
from tests.mail.message.test_corpus import CORPUS
from tests.mail.message.test_reading import check_can_be_kept, read
from tests.support.playing import Club, new_database

LETTERS = [path.read_bytes() for path in sorted(CORPUS.glob("*.eml"))]
TAG = b"t4m2q8x6w0r5y7k1"
"""The tag of the corpus."""


def damaged_letters(count: int, seed: int) -> Iterator[bytes]:
    random = Random(seed)
    for _ in range(count):
        yield damaged(random.choice(LETTERS), LETTERS, random)


def read_all(count: int, seed: int) -> Counter[Nature]:
    natures: Counter[Nature] = Counter()
    for content in damaged_letters(count, seed):
        letter = read(content)
        check_can_be_kept(letter)
        natures[letter.nature] += 1
    return natures


def settle_all(folder: Path, count: int, seed: int) -> Counter[str]:
    """Send damaged letters of two players of a game to the service; return how many came to each outcome."""
    club = Club(new_database(folder))
    try:
        anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
        game = club.starts({"white": anna, "yellow": bert})
        tags = [
            who.last_about(game)["Reply-To"].partition("+")[2].partition("@")[0].encode()
            for who in (anna, bert)
        ]
        before = club.last_letter()
        outcomes: Counter[str] = Counter()
        sent = {letter["Message-ID"] for letter in club.letters}
        for letter in damaged_letters(count, seed):
            tag = tags[b"bert@example.com" in letter[:400]]
            content = letter.replace(TAG, tag).replace(b"[game 12]", b"[game %d]" % game)
            came = club.take(club.raw(content))
            assert came.settled is not None, "the letter was not settled"
            outcomes[came.settled.outcome] += 1
            fresh = [
                each for each in came.sent if each["Message-ID"] not in sent
            ]  # sent once more: no answer
            readers = [letter.recipient for letter in fresh]
            sent.update(letter["Message-ID"] for letter in fresh)
            assert len(readers) == len(set(readers)), "somebody was answered twice"
            if came.settled.outcome in ("ignored", "bounce"):
                assert not readers, f"answered, though {came.settled.outcome}: {came.settled.reason}"
        with club.store.reading() as lookup:
            recorded = Counter(row.outcome for row in lookup.letters.newest(count))
        assert club.last_letter() - before == count
        assert recorded == outcomes
        assert set(outcomes) <= set(get_args(Outcome))
        return outcomes
    finally:
        club.close()


@pytest.mark.slow
def test_a_damaged_letter_of_any_kind_is_read_without_an_exception() -> None:
    natures = read_all(600, seed=2026)
    assert set(natures) == set(Nature), "the damage done is too uniform to show anything"


@pytest.mark.slow
def test_a_damaged_letter_comes_to_exactly_one_recorded_outcome(tmp_path: Path) -> None:
    outcomes = settle_all(tmp_path, 150, seed=2026)
    assert {"answered", "ignored", "held", "bounce"} <= set(outcomes)


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(4))
def test_tens_of_thousands_of_damaged_letters_are_read_without_an_exception(seed: int) -> None:
    assert sum(read_all(10_000, seed).values()) == 10_000


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(4))
def test_ten_thousand_damaged_letters_come_to_one_recorded_outcome_each(tmp_path: Path, seed: int) -> None:
    assert sum(settle_all(tmp_path, 2_500, seed).values()) == 2_500
