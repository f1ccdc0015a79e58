"""No date that an umpire can write, to the last of the calendar, stops clocks; and what fails in one game stops none
of what is done in others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games import clock_events
from referee.games.clock_events import BY_UMPIRE, clocks_of, facts_after, goes_on
from referee.games.clocks.controls import PerMove
from referee.games.clocks.spans import FOREVER, NEVER, later
from referee.games.events import ClockStarted, Paused, Resumed, TimeAdded
from referee.games.game import Game
from referee.games.tournaments.tournament import Competition
from referee.games.umpire_actions import decide_act
from referee.handlers import bulk_actions
from tests.handlers.test_umpires import DAY, LEAGUE, WHITE, YELLOW, League, league, secretary  # noqa: F401
from tests.support.begun import said

INSTANTS = st.one_of(
    st.sampled_from([NEVER, NEVER + timedelta(hours=1), FOREVER - timedelta(hours=1), FOREVER]),
    st.datetimes(timezones=st.just(UTC)),
)


@given(INSTANTS, st.timedeltas(timedelta(days=-999_999_999), timedelta(days=999_999_999)))
def test_a_sum_of_an_instant_and_a_time_ends_where_the_calendar_does(at: datetime, time: timedelta) -> None:
    found = later(at, time)
    assert NEVER <= found <= FOREVER
    assert found in (NEVER, FOREVER) or found - at == time


@given(INSTANTS, st.one_of(st.none(), INSTANTS), st.integers(1, 1000))
def test_clocks_can_be_reckoned_with_pauses_of_any_dates(
    at: datetime, until: datetime | None, days: int
) -> None:
    begins = datetime(2027, 1, 4, tzinfo=UTC)
    facts: clock_events.Facts = ()
    for event in (
        ClockStarted(WHITE, begins),
        Paused(BY_UMPIRE, begins, until),
        TimeAdded(WHITE, days * 86400, begins),
        Resumed(BY_UMPIRE, at),
        Paused(BY_UMPIRE, begins, until),
    ):
        facts = facts_after(facts, event, (WHITE, YELLOW))
    found = clocks_of(PerMove(DAY), (WHITE, YELLOW), facts, now=begins)
    assert found.left(WHITE, begins) == (days + 1) * DAY
    deadline = found.deadline(WHITE)
    assert deadline is None or deadline >= begins + DAY
    rested = goes_on(facts, WHITE)
    assert rested is None or rested.at <= FOREVER


@pytest.mark.parametrize(
    "line", ["umpire pause {game} until 9999-12-31: Closed.", "umpire pause {game} until 9999-12-30: Closed."]
)
def test_a_pause_until_the_end_of_the_calendar_is_one_like_any_other(league: League, line: str) -> None:  # noqa: F811
    league.club.posts()
    league.club.looks_at_clocks()
    league.does(league.olga, line)
    league.club.posts()
    league.club.looks_at_clocks()
    assert not list(_stuck(league))
    league.bert.replies("status", to=league.bert.last_about(league.game))
    assert "No time of yours runs at present." in said(league.bert.last) or "9999" in said(league.bert.last)
    league.does(league.olga, "umpire add {game} Yellow 3d: Ill.")
    league.bert.replies("A-N1", to=league.bert.last_about(league.game))
    league.club.posts()
    league.club.looks_at_clocks()
    league.does(league.olga, "umpire pause {game}: Without end.")
    league.does(league.olga, "umpire resume {game}: On.")
    league.club.posts()
    league.club.looks_at_clocks()
    assert not list(_stuck(league))


def _stuck(league: League) -> list[object]:  # noqa: F811
    with league.club.store.reading() as lookup:
        return list(lookup.clocks.stuck(league.club.clock.now() - DAY))


def test_what_fails_in_one_game_is_passed_over_and_told_and_holds_up_no_other_event(
    league: League,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    club = league.club
    eve, carl = club.member("Eve"), club.member("Carl")
    second = league.starts(eve, carl)
    secretary(club).make(Competition("Cup", rules=("confusion",), time="7d/move"))
    league.appoint("umpire", league.dora, "Cup")
    third = league.starts(eve, carl, "Cup")
    real = decide_act

    def fails(game: Game, *rest: Any) -> object:
        if game.number == league.game and work_goes_on:
            raise OverflowError("date value out of range")
        return real(game, *rest)

    work_goes_on = False
    monkeypatch.setattr("referee.handlers.umpire_actions.decide_act", fails)
    for who, event in ((league.olga, LEAGUE), (league.dora, "Cup")):
        asked = league.asks(who, f"umpire add {event} 2d: The server was out.")
        who.replies("confirm", to=asked)
    work_goes_on = True
    club.referee.jobs.go_on_with_errands()
    club.collect()
    assert [bool(club.game(game).added) for game in (league.game, second, third)] == [False, True, True]
    assert "It is done in 1 game of Spring League." in said(league.olga.last)
    assert f"Game {league.game} is left as it is" in said(league.olga.last)
    assert "It is done in 1 game of Cup." in said(league.dora.last)


def test_an_errand_that_fails_at_its_end_is_over(league: League, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    asked = league.asks(league.olga, f"umpire add {LEAGUE} 2d: The server was out.")
    league.olga.replies("confirm", to=asked)

    def fails(*given: object) -> None:
        raise OverflowError

    monkeypatch.setattr(bulk_actions, "go_on", fails)
    league.club.referee.jobs.go_on_with_errands()
    with league.club.store.unit() as unit:
        assert unit.bulk_actions.next() is None
