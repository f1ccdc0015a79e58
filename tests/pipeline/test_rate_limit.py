"""More letters than any person writes are not heard, and the service cannot be made to write to the world."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from referee.handlers import invitation_limits
from tests.support.playing import Club, new_database

pytestmark = pytest.mark.telling

MOST = 5


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    club.service = replace(club.service, letters_an_hour=MOST)
    club.open_house()
    yield club
    club.close()


def outcomes(club: Club) -> list[str]:
    with club.store.reading() as lookup:
        return [str(line.outcome) for line in lookup.letters.newest(100)]


def test_an_address_that_writes_too_often_is_told_so_once_and_heard_again_later(club: Club) -> None:
    wendy = club.member("Wendy")
    for _ in range(MOST + 4):
        club.clock.at -= timedelta(minutes=6)
        wendy.writes("games")
    assert outcomes(club) == ["answered"] * MOST + ["ignored"] * 5
    refusal = wendy.last
    assert refusal.kind == "refusal"
    said = " ".join(refusal.text.split())
    assert "More than 5 letters of yours came within an hour" in said
    assert "Nothing in your letter of Fri 27 Nov 2026, 17:05 UTC has counted" in said
    assert len(wendy.letters) == MOST + 1
    club.later(timedelta(hours=1))
    assert wendy.writes("games").only.kind == "receipt"


def test_a_backlog_is_counted_by_when_its_letters_came_and_loses_none(club: Club) -> None:
    wendy = club.member("Wendy")
    now = club.clock.at
    for number in range(3 * MOST):
        club.clock.at = arrived = now - timedelta(days=2) + timedelta(minutes=13 * number)
        letter = wendy.letter(["games"])
        club.clock.at = now - timedelta(minutes=7)
        club.take(club.raw(letter, received=arrived))
    assert set(outcomes(club)) == {"answered"}


def test_others_are_heard_meanwhile_and_forgers_cannot_use_it_up(club: Club) -> None:
    wendy, yannick = club.member("Wendy"), club.member("Yannick")
    for _ in range(3 * MOST):
        club.clock.at -= timedelta(minutes=7)
        wendy.writes("games", vouched=False)
    for who in (wendy, yannick):
        assert who.writes("games").sent
    assert outcomes(club)[-2:] == ["answered", "answered"]


def test_strangers_all_together_get_no_more_letters_an_hour_than_so_many(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitation_limits, "MOST_AN_HOUR", 3)
    for number in range(6):
        club.clock.at -= timedelta(minutes=7)
        club.person(f"S{number}").writes("hello")
    assert outcomes(club) == ["answered"] * 3 + ["ignored"] * 3
    club.later(timedelta(hours=1))
    assert club.person("S9").writes("hello").sent
    assert club.person("Anna").writes("register Anna").only.kind == "receipt"
