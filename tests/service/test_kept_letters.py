"""Letters are kept as long as the settings say, and the service goes on without those that were erased."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from referee.common.errors import UsageError
from referee.service.bootstrap import Application, service_of
from referee.service.jobs import JobScheduler, chores_of
from referee.service.queries import letter_in_full, raw_letter
from referee.service.settings import Settings
from referee.service.settings.sections import Service as ServiceSection
from tests.support.bounces import bounce
from tests.support.playing import SERVICE, Club, new_database

KEPT = timedelta(days=14)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    opened = Club(new_database(tmp_path), service=replace(SERVICE, keep_letters=KEPT))
    yield opened
    opened.close()


def sweep(club: Club) -> None:
    """Post what is queued, and do all that is done unasked."""
    while postings := club.store.outbox.claim(club.clock.now(), 100):
        club.store.outbox.accepted([(each.id, "250 ok") for each in postings])
    JobScheduler(chores_of(club.referee, club.store), club.clock).do()


def test_after_their_time_letters_are_gone_and_a_running_game_goes_on(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    anna.replies("A-S1", to=anna.last_about(game))
    number = club.last_letter()
    sweep(club)
    application = Application(Settings(), club.service, club.store, club.clock)
    assert raw_letter(application, number)
    club.later(KEPT)
    sweep(club)
    with pytest.raises(UsageError, match="kept long enough"):
        raw_letter(application, number)
    assert letter_in_full(application, number)["outcome"] == "ruled"
    assert bert.replies("A-N1", to=bert.last_about(game)).settled.moves == 1  # type: ignore[union-attr]
    copied = bert.replies("resend 1", to=bert.last_about(game))
    assert copied.only.number == 1 and copied.only.text == bert.last_about(game).text


def test_a_letter_about_no_game_that_was_erased_cannot_be_sent_again(club: Club) -> None:
    anna = club.member("Anna")
    sweep(club)
    club.later(KEPT)
    sweep(club)
    assert "letter 1 about no game is not kept any more" in anna.writes("resend 1").only.text


@pytest.mark.slow
@pytest.mark.parametrize("minutes", [0, 10, 600])
def test_a_clock_that_was_a_year_ahead_for_hours_erases_nothing(club: Club, minutes: int) -> None:
    anna = club.member("Anna")
    number = club.last_letter()
    club.later(timedelta(days=3))
    there = club.person("Anna", "anna@example.com")
    anna.writes(f"set address {there.address}")
    asked = there.last
    club.clock.at += timedelta(days=365)
    for _ in range(minutes + 1):
        sweep(club)
        club.later(timedelta(minutes=1))
    club.clock.at -= timedelta(days=365)
    sweep(club)
    assert raw_letter(Application(Settings(), club.service, club.store, club.clock), number)
    assert there.replies("confirm", to=asked).settled.outcome == "answered"  # type: ignore[union-attr]
    with club.store.reading() as lookup:
        assert lookup.players.by_address(there.address) is not None


def test_what_was_left_by_a_clock_that_was_ahead_is_past_when_it_is_right_again(club: Club) -> None:
    """Or it would be kept, and what waits for it would wait, until that time has come."""
    anna = club.member("Anna")
    bert = club.member("Bert")
    club.clock.at += timedelta(days=365)
    anna.writes("set address anna@example.com")
    club.take(club.raw(bounce(bert.last)))
    club.clock.at -= timedelta(days=365)
    club.later(timedelta(days=2))
    assert [letter.recipient for letter in club.looks_round()] == [bert.address]
    sweep(club)
    with club.store.reading() as lookup:
        assert lookup.addresses.of_player(1) == []


def test_a_letter_that_is_held_is_kept_until_it_is_settled(club: Club) -> None:
    anna = club.member("Anna")
    anna.writes("set reports text", vouched=False)
    number = club.last_letter()
    club.later(KEPT * 2)
    sweep(club)
    application = Application(Settings(), club.service, club.store, club.clock)
    assert raw_letter(application, number)
    anna.replies("confirm")
    sweep(club)
    with pytest.raises(UsageError, match="kept long enough"):
        raw_letter(application, number)


@pytest.mark.parametrize(("days", "kept"), [(400, timedelta(days=400)), (0, None)])
def test_the_setting_is_in_days_and_none_is_for_ever(days: int, kept: timedelta | None) -> None:
    assert service_of(Settings(service=ServiceSection(keep_letters=days))).keep_letters == kept
    assert Settings().service.keep_letters == 400
