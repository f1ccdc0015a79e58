"""What players are told of the days on which no time runs: those of their event, their leave, and a pause."""

from __future__ import annotations

from datetime import timedelta

import pytest

from referee.games.tournaments.tournament import Competition, Holiday, Weekday
from referee.service.tournaments import TournamentService
from tests.support.begun import DEAL, said
from tests.support.playing import Club, Correspondent, once

DAY = timedelta(days=1)
EVERY: tuple[Weekday, ...] = ("saturday", "sunday")


@once
def _league(
    club: Club, *, name: str = "League", days_off: tuple[Weekday, ...] = (), holidays: int = 0, leave: int = 0
) -> tuple[Correspondent, Correspondent, int]:
    """Seat Anna and Bert in a game of an event in Paris. holidays: so many to come, a week apart."""
    today = club.clock.now().date()
    coming = tuple(Holiday(today + each * 7 * DAY, f"Feast {each}") for each in range(1, holidays + 1))
    past = (Holiday(today - DAY, "Past"),) if holidays else ()
    TournamentService(club.store, club.service, club.clock, club.draws).make(
        Competition(
            name, ("confusion",), "3d/move", "hard", "Europe/Paris", days_off, past + coming, leave=leave
        )
    )
    anna, bert = club.member("Anna"), club.member("Bert")
    return anna, bert, club.starts({"white": anna, "yellow": bert}, deal=DEAL, event=name)


@pytest.mark.parametrize(
    ("days_off", "holidays", "told"),
    [
        (EVERY, 0, "Saturdays and Sundays in Paris do not count."),
        (("sunday",), 0, "Sundays in Paris do not count."),
        (
            ("friday", "saturday", "sunday"),
            1,
            "Fridays, Saturdays and Sundays in Paris do not count. No time runs on the holiday of Fri 4 Dec 2026.",
        ),
        ((), 2, "No time runs on these holidays: Fri 4 Dec 2026, Fri 11 Dec 2026."),
        (
            (),
            4,
            "No time runs on holidays, of which the next are Fri 4 Dec 2026, Fri 11 Dec 2026, Fri 18 Dec 2026.",
        ),
    ],
)
def test_days_off_are_told_once_in_the_first_letter_and_beside_each_deadline(
    club: Club, days_off: tuple[Weekday, ...], holidays: int, told: str
) -> None:
    anna, bert, game = _league(club, days_off=days_off, holidays=holidays)
    for reader in (anna, bert):
        assert said(reader.last_about(game)).count(told) == 1, "the first letter"
        assert said(reader.writes(f"status {game}").only).count(told) == 1
    report = anna.replies("L-S2", to=anna.last_about(game)).sent
    assert [said(letter).count(told) for letter in report] == [1, 1]


def test_time_runs_from_the_letter_save_on_days_off(club: Club) -> None:
    club.waits(DAY)  # Saturday
    anna, _, game = _league(club, days_off=EVERY)
    first = said(anna.last_about(game))
    assert "Your time runs from the letter that asks you for a move, on the days that count." in first
    assert (
        "You have until Thu 3 Dec 2026, 00:00 in Paris" in first or "until Wed 2 Dec 2026, 23:00 UTC" in first
    )


def test_where_every_day_counts_nothing_is_said_of_it(club: Club) -> None:
    anna, _, game = _league(club)
    first = said(anna.last_about(game))
    assert "Your time runs from the letter that asks you for a move." in first
    assert "do not count" not in first and "holiday" not in first


def test_an_event_without_leave_says_so_and_counts_no_days(club: Club) -> None:
    anna, _, game = _league(club)
    other = club.starts({"white": anna, "yellow": club.member("Carl")}, deal=DEAL, time="3d/move")
    anna.writes("leave 2026-12-20 2026-12-27")
    answer = anna.last
    assert f"It does not hold in game {game}: the event has no leave." in said(answer)
    assert f"It holds in game {other}." in said(answer)
    assert answer.game is None and "0 days of leave" not in said(answer)
    assert "the event has no leave" in said(anna.writes("leave").only)


def test_leave_in_events_that_have_none_is_refused(club: Club) -> None:
    anna, _, _ = _league(club)
    answer = anna.writes("leave 2026-12-20 2026-12-27").only
    assert "no leave can be taken in any of your events, so none was noted" in said(answer)
    assert answer.kind == "refusal"


def test_a_pause_is_offered_and_agreed_on_in_words_that_do_not_contradict_each_other(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, time="3d/move")
    club.posts()
    club.looks_at_clocks()
    anna.replies("pause", to=anna.last_about(game))
    offer = said(bert.last_about(game))
    assert "To agree, reply with this one line: pause" in offer
    assert "No move of yours is due now, whether you agree or not" in offer
    assert "Nothing is due from you" not in offer
    bert.replies("pause", to=bert.last_about(game))
    left = "2 days and 23 hours"
    assert f"When it goes on, this much is left for your move: {left}." in said(anna.last_about(game))
    assert f"When it goes on, this much is left for the move of Anna: {left}." in said(bert.last_about(game))
