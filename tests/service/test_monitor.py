"""The watch writes to the operator when he is needed, and not more often than it helps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from referee.common.health import Count, Door, Health
from referee.service.monitor import Monitor, span
from referee.store.status import Status
from tests.support.playing import SERVICE, START, Club, Delivered, new_database

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
OPERATOR = "postmaster@example.org"


@dataclass
class Guard:
    """A watch over a club, whose clock and seconds go on together until the clock is set."""

    club: Club
    passed: float = 0.0

    def __post_init__(self) -> None:
        self.health = Health(
            mailbox=Door(self.ticks), post=Door(self.ticks), letters=Count(()), posted=Count(())
        )
        self.watch = Monitor(self.club.referee, self.club.store, self.health, self.club.clock, self.ticks)

    def ticks(self) -> float:
        return self.passed

    def pass_by(self, length: timedelta, *, every: timedelta = MINUTE) -> None:
        """Let time pass, and look at everything now and then, last at its end."""
        left = length
        while left > timedelta(0):
            step = min(every, left)
            self.club.clock.at += step
            self.passed += step.total_seconds()
            left -= step
            self.look()

    def look(self) -> None:
        for chore in self.watch.chores():
            chore.do()

    def told(self) -> list[Delivered]:
        """Return the letters to the operator since this was asked last."""
        return [letter for letter in self.club.collect() if letter.recipient == OPERATOR]


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path), service=replace(SERVICE, operator=OPERATOR))
    yield club
    club.close()


@pytest.fixture
def guard(club: Club) -> Guard:
    return Guard(club)


def words_of(letter: Delivered) -> str:
    """Return a letter's text on one line."""
    return " ".join(letter.text.split())


def refuse_all(club: Club) -> None:
    for letter in club.store.outbox.claim(club.clock.at, 99):
        club.store.outbox.refused(letter.id, "550 5.6.0 no")


def told_of_games(guard: Guard) -> list[Delivered]:
    return [each for each in guard.told() if "newest letters" in words_of(each)]


def test_a_game_whose_letters_reach_nobody_is_told_by_every_way_at_once_and_once_a_day_while_it_lasts(
    club: Club, guard: Guard
) -> None:
    club.open_house()
    guard = Guard(club)
    wendy, yannick = club.member("Wendy"), club.member("Yannick")
    game = club.starts({"white": wendy, "yellow": yannick})
    refuse_all(club)
    club.referee.jobs.see_to_returns()
    guard.told()
    with capture_logs() as logged:
        guard.look()
    (notice,) = told_of_games(guard)
    assert f"Game {game} stands still: its newest letters reached none of its players." in words_of(notice)
    (entry,) = (each for each in logged if each.get("about") == "games-unreached")
    assert (entry["log_level"], entry["games"]) == ("error", f"({game},)")
    assert club.store.status.load().unreached == 1
    guard.pass_by(timedelta(hours=23), every=HOUR)
    assert told_of_games(guard) == []
    second = club.starts({"white": wendy, "yellow": yannick})
    refuse_all(club)
    guard.pass_by(MINUTE)
    (notice,) = told_of_games(guard)
    assert f"Games {game}, {second} stand still" in words_of(notice)
    wendy.writes(f"status {game}")
    guard.pass_by(DAY, every=HOUR)
    (notice,) = told_of_games(guard)
    assert f"Game {second} stands still" in words_of(notice), "whoever writes is answered"


def test_while_all_is_well_nobody_is_written_to(guard: Guard) -> None:
    guard.health.mailbox.answered()
    guard.health.post.answered()
    guard.pass_by(timedelta(hours=5), every=timedelta(minutes=10))
    assert guard.told() == []


def test_a_mailbox_out_of_reach_for_an_hour_is_told_and_once_a_day_while_it_lasts(guard: Guard) -> None:
    guard.health.mailbox.lost("the mailbox server imap.example.org:993 cannot be reached")
    guard.pass_by(timedelta(minutes=59))
    assert guard.told() == []
    guard.pass_by(MINUTE)
    (notice,) = guard.told()
    assert f"since {START:%a %-d %b %Y, %H:%M}" in words_of(notice)
    assert "The mailbox server imap.example.org:993 cannot be reached." in words_of(notice)
    assert notice["X-Referee-Kind"] == "notice"
    guard.pass_by(DAY - MINUTE, every=HOUR)
    assert guard.told() == []
    guard.pass_by(MINUTE)
    assert len(guard.told()) == 1


def test_a_mailbox_lost_once_more_is_told_once_more(guard: Guard) -> None:
    for _ in range(2):
        guard.health.mailbox.lost("gone")
        guard.pass_by(HOUR)
        guard.health.mailbox.answered()
        guard.pass_by(MINUTE)
    assert len(guard.told()) == 2


def test_a_post_out_of_reach_stands_in_the_log_each_hour_and_is_told_when_it_is_over(guard: Guard) -> None:
    with capture_logs() as logged:
        guard.health.post.lost("the mail server smtp.example.org:587 cannot be reached")
        guard.pass_by(timedelta(hours=3, minutes=30))
    errors = [each for each in logged if each["log_level"] == "error"]
    assert [each["event"] for each in errors] == ["nothing can be posted"] * 3
    assert "smtp.example.org" in errors[0]["reason"]
    assert guard.told() == []
    guard.health.post.answered()
    guard.pass_by(timedelta(hours=3))
    (notice,) = guard.told()
    assert "No letter could be posted from" in words_of(notice)


def test_a_post_that_was_away_for_a_moment_is_not_told(guard: Guard) -> None:
    guard.health.post.lost("busy")
    guard.pass_by(timedelta(minutes=59))
    guard.health.post.answered()
    guard.pass_by(MINUTE)
    assert guard.told() == []


@pytest.mark.parametrize(("free", "count"), [(499_999_999, 1), (500_000_000, 0)])
def test_a_disk_that_is_nearly_full_is_told_once_a_day(
    guard: Guard, monkeypatch: pytest.MonkeyPatch, free: int, count: int
) -> None:
    monkeypatch.setattr(Status, "room", lambda status: (free, 1_000_000))
    guard.pass_by(timedelta(hours=23), every=HOUR)
    notices = guard.told()
    assert len(notices) == count
    assert all("500 MB" in words_of(notice) for notice in notices)


def test_a_database_server_s_disk_is_not_ours_to_watch(guard: Guard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Status, "room", lambda status: None)
    guard.look()
    assert guard.told() == []


@pytest.mark.parametrize(
    ("jump", "words"),
    [
        (timedelta(hours=3), "was set forward by 3 hours"),
        (timedelta(minutes=-6), "was set back by 6 minutes"),
        (timedelta(days=400), "was set forward by 400 days"),
    ],
)
def test_a_clock_that_is_set_is_told(guard: Guard, jump: timedelta, words: str) -> None:
    guard.pass_by(2 * MINUTE)
    guard.club.clock.at += jump
    guard.pass_by(MINUTE)
    (notice,) = guard.told()
    assert words in words_of(notice)


def test_a_service_that_stood_still_is_no_clock_that_was_set(guard: Guard) -> None:
    guard.look()
    guard.pass_by(timedelta(hours=9), every=timedelta(hours=9))
    guard.club.clock.at += timedelta(minutes=4)
    guard.look()
    assert guard.told() == []


def test_a_clock_behind_the_newest_letter_is_told_once_a_day(guard: Guard) -> None:
    guard.club.person("Anna").writes("help")
    guard.club.clock.at -= timedelta(minutes=30)
    guard.pass_by(timedelta(minutes=15))
    (notice,) = guard.told()
    assert "is behind" in words_of(notice)


@pytest.mark.parametrize(("asleep", "told"), [(29 * DAY, 0), (31 * DAY, 1)])
def test_a_clock_that_may_be_far_ahead_at_the_start_is_told(
    guard: Guard, asleep: timedelta, told: int
) -> None:
    guard.club.person("Anna").writes("help")
    guard.club.clock.at += asleep
    guard.pass_by(2 * DAY, every=HOUR)
    notices = guard.told()
    assert len(notices) == told
    assert all("the newest letter was kept at" in words_of(notice) for notice in notices)


def test_without_an_operator_it_stands_in_the_log_all_the_same(guard: Guard) -> None:
    guard.club.service = SERVICE
    guard.club.open_house()
    silent = Guard(guard.club)
    silent.health.mailbox.lost("gone")
    with capture_logs() as logged:
        silent.pass_by(timedelta(hours=2))
    (error,) = (each for each in logged if each["log_level"] == "error")
    assert (error["event"], error["about"]) == ("the operator is needed", "mailbox-lost")
    assert silent.told() == []


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(seconds=70), "1 minute"),
        (timedelta(minutes=119), "119 minutes"),
        (timedelta(minutes=120), "2 hours"),
        (timedelta(hours=47), "47 hours"),
        (timedelta(hours=60), "2 days"),
    ],
)
def test_lengths_of_time_in_words(length: timedelta, words: str) -> None:
    assert span(length) == words


# The doors


def test_a_door_that_nobody_has_tried_is_neither_silent_nor_out() -> None:
    door = Door(lambda: 100.0)
    assert (door.trouble, door.out_for, door.silent_for) == ("", 0.0, None)


def test_a_door_is_out_since_it_was_first_found_so_and_silent_since_it_last_answered() -> None:
    now = 0.0
    door = Door(lambda: now)
    door.answered()
    for now in (10.0, 20.0, 30.0):
        door.lost(f"at {now:.0f}")
    assert (door.trouble, door.out_for, door.silent_for) == ("at 30", 20.0, 30.0)
    door.answered()
    assert (door.trouble, door.out_for, door.silent_for) == ("", 0.0, 0.0)


def test_only_what_was_named_is_counted() -> None:
    count = Count(("ruled", "held"))
    count.one("held")
    assert count.so_far() == {"ruled": 0, "held": 1}
    with pytest.raises(KeyError):
        count.one("rulde")
