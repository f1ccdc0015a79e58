"""How often letters come: each at once, once a day, or only when something is needed from their reader."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Column, create_engine, select

from referee.handlers import digests
from referee.handlers.outgoing_queue import OutgoingQueue
from referee.service.referee import Referee
from referee.store.tables import GATHERED, PERSONS, PLAYERS
from tests.support.playing import SERVICE, Club, Correspondent, Delivered, furnish, new_database, once
from tests.support.telling import telling

A_DAY = timedelta(days=1)
ZONES = st.sampled_from(
    ("UTC", "Europe/Paris", "Pacific/Auckland", "America/New_York", "Asia/Kathmandu", "Africa/Casablanca")
)
INSTANTS = st.integers(0, 730 * 24 * 60).map(
    lambda n: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=n)
)
HOURS = st.integers(0, 23)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=(pytest.mark.full, pytest.mark.servers))])
def club(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Club]:
    """A club whose service keeps its books in either database."""
    on_sqlite = request.param == "sqlite"
    club = Club(new_database(tmp_path) if on_sqlite else furnish(request.getfixturevalue("postgres_url")))
    yield club
    club.close()


@once
def two_games(club: Club) -> tuple[Correspondent, Correspondent, Correspondent, int, int]:
    """Seat Anna on white against Bert, who moves first in neither, and on yellow against Carl."""
    anna, bert, carl = (club.member(name) for name in ("Anna", "Bert", "Carl"))
    first = club.starts({"white": anna, "yellow": bert})
    second = club.starts({"white": carl, "yellow": anna})
    club.clock.at = datetime(2026, 11, 28, 8, tzinfo=UTC)
    return anna, bert, carl, first, second


@pytest.mark.parametrize("how", ["urgent", "quiet"])
def test_that_the_rest_stands_in_a_later_letter_is_said_where_one_is_to_come(club: Club, how: str) -> None:
    """To nobody who neither plays nor watches a game, or no longer does."""
    rest = "What else there is to be told stands in the next letter about the game."
    anna, bert, carl = (club.member(name) for name in ("Anna", "Bert", "Carl"))

    def told() -> list[bool]:
        return [rest in who.writes(f"set letters {how}").only.text for who in (anna, bert, carl)]

    assert told() == [False, False, False]
    game = club.starts({"white": anna, "yellow": bert}, watchers="on")
    carl.writes(f"watch {game}")
    assert told() == [True, True, True]
    anna.replies("resign", to=anna.last_about(game))
    assert told() == [False, False, False]


def evening(club: Club) -> tuple[Delivered, ...]:
    """Let the next evening come; return what is written then."""
    club.clock.at += A_DAY
    return club.strikes()


def column(club: Club, which: Column[Any]) -> list[Any]:
    """Return what a column of the service's books holds."""
    engine = create_engine(club.url)
    with engine.connect() as connection:
        kept = list(connection.execute(select(which)).scalars())
    engine.dispose()
    return kept


# when it strikes


@given(INSTANTS, ZONES, HOURS)
def test_an_hour_strikes_once_a_day_by_the_player_s_own_clock(at: datetime, zone: str, hour: int) -> None:
    first = digests.next_hour(at, zone, hour)
    second = digests.next_hour(first, zone, hour)
    assert at < first <= at + timedelta(hours=26)
    there = [each.astimezone(ZoneInfo(zone)) for each in (first, second)]
    assert (there[1].date() - there[0].date()) == A_DAY
    assert digests.next_hour(first - timedelta(microseconds=1), zone, hour) == first


@given(INSTANTS, ZONES, HOURS)
def test_two_letters_with_the_news_of_a_day_are_never_close(at: datetime, zone: str, hour: int) -> None:
    then = digests.next_time(at, at, zone, hour)
    assert timedelta(hours=12) < then - at < timedelta(hours=38)


@given(INSTANTS, ZONES, HOURS, st.timedeltas(timedelta(days=-900), timedelta(days=900)))
def test_none_is_planned_so_late_that_a_clock_would_seem_wrong(
    at: datetime, zone: str, hour: int, ago: timedelta
) -> None:
    assert at < digests.next_time(at, at - ago, zone, hour) < at + digests.DIGEST_HORIZON


def test_it_strikes_at_the_hour_of_the_reader_s_wall() -> None:
    noon = datetime(2026, 11, 28, 12, tzinfo=UTC)
    assert digests.next_hour(noon, "Europe/Paris", 18) == datetime(2026, 11, 28, 17, tzinfo=UTC)
    assert digests.next_hour(noon, "America/New_York", 18) == datetime(2026, 11, 28, 23, tzinfo=UTC)
    assert digests.next_hour(noon, "Pacific/Auckland", 18) == datetime(2026, 11, 29, 5, tzinfo=UTC)


# once a day


@pytest.mark.telling
def test_moves_wait_for_the_evening_and_are_told_together(club: Club) -> None:
    anna, bert, carl, first, second = two_games(club)
    anna.writes("set letters daily")
    anna.replies("L-S2", to=anna.last_about(first))
    before = len(anna.letters)
    bert.replies("C-N2", to=bert.last_about(first))
    carl.replies("L-S2", to=carl.last_about(second))
    assert len(anna.letters) == before
    assert club.strikes() == ()
    (news,) = evening(club)
    assert (news.kind, news.game, news.recipient) == ("notice", None, anna.address)
    assert "Yellow tried C-N2" in news.text
    assert "White tried L-S2" in news.text
    assert f"\r\n{first}: A-S1\r\n" in news.text
    assert f"\r\n{second}: A-N1\r\n" in news.text
    assert club.strikes() == ()


@pytest.mark.parametrize(
    ("time", "at_once"), [("12h/move", True), ("47h/move", True), ("2d/move", False), ("7d/move", False)]
)
def test_a_move_with_little_time_left_is_asked_for_at_once(club: Club, time: str, at_once: bool) -> None:
    """TM-1.1: less than two days."""
    anna, bert = (club.member(name) for name in ("Anna", "Bert"))
    game = club.starts({"white": anna, "yellow": bert}, time=time)
    club.posts()
    club.looks_at_clocks()
    anna.writes("set letters daily")
    anna.replies("L-S2", to=anna.last_about(game))
    club.posts()
    club.looks_at_clocks()
    before = len(anna.letters)
    bert.replies("C-N2", to=bert.last_about(game))
    assert (len(anna.letters) > before) == at_once


def test_what_the_evening_has_told_no_later_letter_tells_as_new(club: Club) -> None:
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily")
    anna.replies("L-S2", to=anna.last_about(first))
    bert.replies("C-N2", to=bert.last_about(first))
    evening(club)
    anna.replies("L-E1", to=anna.last_about(first))
    told = anna.last.text.partition("BOARD")[0]
    assert "You tried L-E1" in told
    assert "C-N2" not in told


def test_what_a_letter_has_told_the_evening_does_not_tell_again(club: Club) -> None:
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily")
    anna.replies("L-S2", to=anna.last_about(first))
    bert.replies("C-N2", to=bert.last_about(first))
    anna.replies("status", to=anna.last_about(first))
    assert "Yellow tried C-N2" in anna.last.text
    assert evening(club) == ()


def test_letters_about_a_game_are_numbered_without_gaps(club: Club) -> None:
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily")
    for mine, theirs in (("L-S2", "C-N2"), ("L-E1", "C-NW1")):
        anna.replies(mine, to=anna.last_about(first))
        bert.replies(theirs, to=bert.last_about(first))
        evening(club)
    for about in (None, first):
        numbers = [letter.number for letter in anna.letters if letter.game == about]
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.telling
def test_the_letter_is_answered_with_lines_that_name_their_games(club: Club) -> None:
    anna, bert, carl, first, second = two_games(club)
    anna.writes("set letters daily")
    anna.replies("L-S2", to=anna.last_about(first))
    bert.replies("C-N2", to=bert.last_about(first))
    carl.replies("L-S2", to=carl.last_about(second))
    (news,) = evening(club)
    exchange = anna.replies(f"{first}: L-E1", f"{second}: C-N1", to=news)
    assert exchange.settled is not None
    assert exchange.settled.moves == 2


def test_a_bare_move_counts_where_it_is_the_writer_s_turn_in_one_game_alone(club: Club) -> None:
    anna, bert, _, first, second = two_games(club)
    anna.writes("set letters daily")
    anna.replies("L-S2", to=anna.last_about(first))
    bert.replies("C-N2", to=bert.last_about(first))
    (news,) = evening(club)
    exchange = anna.replies("L-E1", to=news)
    assert exchange.settled is not None
    assert (exchange.settled.moves, anna.last.game) == (1, first)
    assert club.game(second).happenings[-1].code == "dealt"


def test_a_bare_move_that_could_be_for_two_games_is_asked_about(club: Club) -> None:
    anna, bert, carl, first, second = two_games(club)
    anna.writes("set letters daily")
    anna.replies("L-S2", to=anna.last_about(first))
    bert.replies("C-N2", to=bert.last_about(first))
    carl.replies("L-S2", to=carl.last_about(second))
    (news,) = evening(club)
    anna.replies("L-E1", to=news)
    assert "say which" in anna.last.text


def test_the_first_letter_of_a_game_a_result_and_a_question_come_at_once(club: Club) -> None:
    anna, bert, carl, first, second = two_games(club)
    anna.writes("set letters daily")
    third = club.starts({"white": bert, "yellow": anna})
    assert (anna.last.game, anna.last.kind) == (third, "report")
    bert.replies("draw", to=bert.last_about(first))
    assert "Bert offers a draw" in anna.last.text
    carl.replies("L-S2", "draw", to=carl.last_about(second))
    assert (anna.last.game, anna.last.kind) == (second, "report")
    carl.replies("resign", to=carl.last_about(second))
    assert (anna.last.game, anna.last.kind) == (second, "result")
    carl.writes("challenge Anna confusion")
    assert anna.last.kind == "invitation"
    assert evening(club) == ()


def test_a_notice_waits_and_names_whoever_it_is_about_as_he_is_called_then(club: Club) -> None:
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily")
    bert.replies("draw", to=bert.last_about(first))
    before = len(anna.letters)
    bert.replies("cancel")
    assert len(anna.letters) == before
    bert.writes("register Berthold")
    (news,) = evening(club)
    assert "Berthold has taken the draw offer back." in news.text


@pytest.mark.telling
def test_a_declined_challenge_is_told_in_the_evening(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("set letters daily")
    anna.writes("challenge Bert confusion")
    before = len(anna.letters)
    bert.writes("decline")
    assert len(anna.letters) == before
    (news,) = evening(club)
    assert "Bert has declined your challenge, game 1." in news.text


def test_nothing_that_waits_names_a_player_who_has_left(club: Club) -> None:
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily")
    bert.replies("draw", to=bert.last_about(first))
    bert.replies("cancel")
    bert.writes("bye")
    bert.replies("confirm")
    assert "Bert" not in column(club, PERSONS.c.name)
    assert all("Bert" not in facts for facts in column(club, GATHERED.c.facts))


def test_whoever_leaves_has_nothing_that_waits(club: Club) -> None:
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily")
    bert.replies("draw", to=bert.last_about(first))
    bert.replies("cancel")
    anna.writes("bye")
    anna.replies("confirm")
    assert column(club, GATHERED.c.number) == []
    assert column(club, PLAYERS.c.digest_at) == [None] * 3
    assert evening(club) == ()


def test_without_games_and_without_news_there_is_no_letter(club: Club) -> None:
    anna = club.member("Anna")
    anna.writes("set letters daily")
    assert evening(club) == evening(club) == ()


def test_whoever_wants_each_letter_again_gets_what_has_waited(club: Club) -> None:
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily")
    anna.replies("L-S2", to=anna.last_about(first))
    bert.replies("C-N2", to=bert.last_about(first))
    sent = anna.writes("set letters each").sent
    assert [letter.kind for letter in sent] == ["notice", "receipt"]
    assert "Yellow tried C-N2" in sent[0].text
    assert evening(club) == ()


# exactly once


def test_two_services_that_share_the_books_write_it_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have found that it is due before either has written it."""
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily")
    anna.replies("L-S2", to=anna.last_about(first))
    bert.replies("C-N2", to=bert.last_about(first))
    club.clock.at += A_DAY
    other = Referee(club.store, club.service, club.clock, club.draws)
    with club.store.reading() as lookup:
        due = lookup.digests.due(club.clock.at, club.clock.at + digests.DIGEST_HORIZON, 10)
    assert len(due) == 1
    monkeypatch.setattr("referee.store.repositories.digests.DigestQueries.due", lambda *_: due)
    club.referee.jobs.write_days()
    other.jobs.write_days()
    assert len(club.collect()) == 1


def test_a_service_that_dies_over_it_writes_it_when_it_is_back(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was done in the transaction is undone: what was told, what is due, what has waited."""
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily")
    anna.replies("L-S2", to=anna.last_about(first))
    bert.replies("draw", to=bert.last_about(first))
    bert.replies("cancel")
    bert.replies("C-N2", to=bert.last_about(first))
    club.clock.at += A_DAY
    with monkeypatch.context() as patched:
        patched.setattr(OutgoingQueue, "put", dies)
        with pytest.raises(Died):
            club.referee.jobs.write_days()
    club.open_house()
    (news,) = club.strikes()
    assert "Yellow tried C-N2" in news.text
    assert "has taken the draw offer back" in news.text


class Died(BaseException):
    """The process has ended."""


def dies(*_: object, **__: object) -> None:
    raise Died


# clocks that are wrong


def play_on(anna: Correspondent, bert: Correspondent, game: int) -> None:
    """Make news, whatever came before."""
    club = anna.club
    seat = next(iter(club.game(game).due))
    who = anna if club.game(game).seats[seat] == 1 else bert
    other = bert if who is anna else anna
    for each in (who, other) if who is anna else (who,):
        forms = next(iter(club.game(game).due.values())).forms
        each.replies(forms[0], to=each.last_about(game))


@pytest.mark.slow
@pytest.mark.parametrize(
    "jump", telling([timedelta(days=3)], others=[timedelta(hours=9), timedelta(days=400)])
)
def test_a_clock_that_was_ahead_brings_no_second_letter_for_a_day_and_skips_no_other_for_long(
    club: Club, jump: timedelta
) -> None:
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily")
    club.clock.at = datetime(2026, 11, 28, 10, tzinfo=UTC)
    club.strikes()
    play_on(anna, bert, first)
    club.clock.at += jump
    written = [len(club.strikes())]
    club.clock.at = datetime(2026, 11, 28, 11, tzinfo=UTC)
    times = []
    for _ in range(36):
        play_on(anna, bert, first)
        if club.strikes():
            times.append(club.clock.at)
        club.clock.at += timedelta(hours=1)
    assert written == [1]
    assert times
    assert times[0] - datetime(2026, 11, 28, 10, tzinfo=UTC) >= timedelta(hours=12)
    assert times[0] <= datetime(2026, 11, 30, 20, tzinfo=UTC)
    assert all(later - sooner > timedelta(hours=12) for sooner, later in pairwise(times))


def test_a_clock_that_was_behind_brings_no_second_letter_for_a_day(club: Club) -> None:
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily")
    play_on(anna, bert, first)
    club.clock.at = datetime(2026, 11, 28, 18, 5, tzinfo=UTC)
    assert len(club.strikes()) == 1
    play_on(anna, bert, first)
    club.clock.at = datetime(2026, 11, 25, 10, tzinfo=UTC)
    assert club.strikes() == ()
    club.clock.at = datetime(2026, 11, 28, 19, tzinfo=UTC)
    late = club.strikes()
    play_on(anna, bert, first)
    club.clock.at = datetime(2026, 11, 29, 18, 30, tzinfo=UTC)
    assert len(late) + len(club.strikes()) == 1


def test_a_service_that_stood_still_writes_one_letter_for_all_the_days(club: Club) -> None:
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily")
    play_on(anna, bert, first)
    club.clock.at = datetime(2026, 12, 5, 11, tzinfo=UTC)
    assert len(club.strikes()) == 1
    play_on(anna, bert, first)
    club.clock.at = datetime(2026, 12, 5, 18, 30, tzinfo=UTC)
    assert club.strikes() == (), "two within half a day"
    club.clock.at = datetime(2026, 12, 6, 18, 30, tzinfo=UTC)
    assert len(club.strikes()) == 1


@pytest.mark.telling
def test_another_zone_brings_another_hour(club: Club) -> None:
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily", "set zone Auckland")
    play_on(anna, bert, first)
    club.clock.at = datetime(2026, 11, 29, 4, 55, tzinfo=UTC)
    assert club.strikes() == ()
    club.clock.at = datetime(2026, 11, 29, 18, 0, tzinfo=UTC)
    assert len(club.strikes()) == 1
    club.clock.at = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)
    play_on(anna, bert, first)
    assert club.strikes() == ()


# only what is urgent


def off(letter: Delivered) -> str:
    return letter["List-Unsubscribe"].strip("<>").removeprefix("mailto:")


def test_the_address_for_fewer_letters_leaves_what_needs_something(club: Club) -> None:
    anna, bert, _, first, _ = two_games(club)
    anna.writes("", to=off(anna.last_about(first)), subject="unsubscribe")
    assert anna.last.kind == "receipt"
    assert "set letters each" in anna.last.text
    assert "against Bert; your move" in " ".join(anna.last.text.split())
    anna.replies("L-S2", to=anna.last_about(first))
    before = len(anna.letters)
    bert.replies("draw", to=bert.last_about(first))
    assert len(anna.letters) == before + 1
    bert.replies("cancel")
    assert len(anna.letters) == before + 1
    bert.replies("C-N2", to=bert.last_about(first))
    assert len(anna.letters) == before + 2
    assert "Bert has taken the draw offer back." in anna.last.text
    assert "Yellow tried C-N2" in anna.last.text


def test_the_letter_with_the_news_of_a_day_can_be_stopped_by_its_own_address(club: Club) -> None:
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily")
    play_on(anna, bert, first)
    (news,) = evening(club)
    anna.writes("", to=off(news), subject="unsubscribe")
    assert "From now on only letters come that need something from you" in anna.last.text
    play_on(anna, bert, first)
    assert evening(club) == ()
    assert anna.last.game == first


def test_the_hour_is_the_operator_s(tmp_path: Path) -> None:
    club = Club(new_database(tmp_path), service=replace(SERVICE, digest_hour=7))
    anna, bert, _, first, _ = two_games(club)
    anna.writes("set letters daily")
    assert "at 7:00 UTC" in anna.last.text
    play_on(anna, bert, first)
    club.clock.at = datetime(2026, 11, 29, 6, 50, tzinfo=UTC)
    assert club.strikes() == ()
    club.clock.at = datetime(2026, 11, 29, 7, 0, tzinfo=UTC)
    assert len(club.strikes()) == 1
    club.close()
