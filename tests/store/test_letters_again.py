"""A letter that comes again, as its writer sees it: heard once, but heard."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from referee.pipeline.processor import ProcessingResult
from tests.support.playing import Club, Correspondent, new_database, once


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    yield club
    club.close()


@pytest.fixture
def wendy(club: Club) -> Correspondent:
    """Wendy, whose turn it is against Yannick."""
    return playing(club)


@once
def playing(club: Club) -> Correspondent:
    wendy, yannick = club.member("Wendy"), club.member("Yannick")
    club.starts({"white": wendy, "yellow": yannick})
    return wendy


def outcome(settled: ProcessingResult | None) -> tuple[str, int]:
    assert settled is not None
    return settled.outcome, settled.moves


def test_a_letter_that_is_vouched_for_at_its_second_coming_is_ruled(club: Club, wendy: Correspondent) -> None:
    """The mail host could not look up the sender's domain, and could when the letter was delivered again."""
    content = wendy.letter(["A-S1"])
    unsure = content.replace(b"dmarc=pass", b"dmarc=temperror")
    assert outcome(club.take(club.raw(unsure)).settled) == ("held", 0)
    assert outcome(club.take(club.raw(content)).settled) == ("ruled", 1)
    assert outcome(club.take(club.raw(content)).settled) == ("ignored", 0)


def test_a_letter_that_was_set_aside_is_ruled_when_it_is_put_back(club: Club, wendy: Correspondent) -> None:
    content = wendy.letter(["A-S1"])
    (number,) = club.store.incoming.record([club.raw(content)])
    with club.store.unit() as unit:
        unit.letters.conclude(number, outcome="set-aside", reason="ValueError in the service")
    assert outcome(club.take(club.raw(content)).settled) == ("ruled", 1)


def test_letters_of_a_day_when_the_clock_was_a_year_ahead_reach_their_readers(
    club: Club, wendy: Correspondent
) -> None:
    club.later(timedelta(days=365))
    wendy.writes("A-S1")
    forged = wendy.writes("resign", vouched=False)
    assert [letter.kind for letter in forged.sent] == ["notice"]
    club.later(timedelta(days=-365))
    wendy.writes("games")
    due = club.store.outbox.claim(club.clock.at, 100)
    assert [posting.content for posting in due] == [letter.content for letter in club.letters]
    again = wendy.writes("resign", vouched=False)
    assert [letter.kind for letter in again.sent] == ["notice"], "the wrong day's question does not count"
