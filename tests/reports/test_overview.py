"""What stands in an overview and in which order, drawn up from plain values."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.reports.overview import (
    CODES,
    LATE,
    SILENT_AFTER,
    GameSeen,
    Happened,
    SeatSeen,
    by_urgency,
    draw_up,
    matters_of,
)
from referee.rulebooks.rulebook import Seat

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WHITE, YELLOW = Seat("white"), Seat("yellow")


def game(number: int = 1, event: str = "", deadline: datetime | None = None, **more: Any) -> GameSeen:
    """A game in which White is to move since yesterday."""
    sides = (
        SeatSeen(WHITE, "Anna", due=True, left=DAY if more.get("time") else None, deadline=deadline),
        SeatSeen(YELLOW, "Bert"),
    )
    return GameSeen(number, event, 1, sides, **{"since": NOW - DAY, **more})


MATTERS: dict[str, GameSeen] = {
    "time-up": game(
        time="3d/move", lapse="soft", time_up=(Happened(NOW - HOUR, WHITE),), deadline=NOW - HOUR
    ),
    "late": game(time="3d/move", deadline=NOW - HOUR),
    "case": game(cases=(Happened(NOW - DAY, YELLOW, 2),)),
    "unreachable": game(unreachable=(Happened(NOW - DAY, YELLOW),)),
    "frozen": game(frozen=Happened(NOW - DAY, said="A ruling is being checked.")),
    "unread": game(unread="damaged"),
    "held": game(held=(Happened(NOW - DAY, WHITE, 12),)),
    "silent": game(since=NOW - SILENT_AFTER),
}
"""A game for each thing that needs somebody."""


@pytest.mark.parametrize("code", CODES)
def test_each_thing_that_needs_somebody_is_found_and_nothing_else(code: str) -> None:
    assert [each.code for each in matters_of(MATTERS[code], NOW)] == [code]


def test_there_is_a_game_for_every_code() -> None:
    assert set(MATTERS) == set(CODES)


@pytest.mark.parametrize(
    "one",
    [
        game(),
        game(time="3d/move", deadline=NOW),
        game(since=NOW - SILENT_AFTER + timedelta(seconds=1)),
        game(since=NOW - 400 * DAY, time="500d/move", deadline=NOW + 100 * DAY),
        game(since=None),
        GameSeen(1, "", 1, (SeatSeen(WHITE, deadline=NOW - DAY), SeatSeen(YELLOW)), since=NOW - 99 * DAY),
    ],
    ids=["a day", "to the second", "nearly silent", "slow by agreement", "unknown since", "nobody to move"],
)
def test_a_game_in_time_needs_nobody(one: GameSeen) -> None:
    assert matters_of(one, NOW) == ()


def test_a_frozen_game_and_one_that_waits_for_somebody_out_of_reach_are_not_silent() -> None:
    old = NOW - 99 * DAY
    for code in ("frozen", "unreachable"):
        seen = game(since=old, frozen=MATTERS[code].frozen, unreachable=MATTERS[code].unreachable)
        assert [each.code for each in matters_of(seen, NOW)] == [code]


def test_the_most_urgent_comes_first_whatever_the_numbers() -> None:
    order = ["late", "time-up", "case", "unreachable", "frozen", "unread", "held", "silent"]
    seen = [
        GameSeen(99 - n, "", 1, MATTERS[code].seats, **_facts(MATTERS[code])) for n, code in enumerate(order)
    ]
    lines = by_urgency(reversed(seen), NOW)
    assert [line.matters[0].code for line in lines] == order


def _facts(seen: GameSeen) -> dict[str, Any]:
    names = ("since", "time", "lapse", "frozen", "unreachable", "time_up", "cases", "held", "unread")
    return {name: getattr(seen, name) for name in names}


def test_of_two_alike_whoever_has_waited_longer_comes_first() -> None:
    newer = game(1, cases=(Happened(NOW - HOUR, WHITE, 1),))
    older = game(2, cases=(Happened(NOW - DAY, WHITE, 1),))
    assert [line.game.number for line in by_urgency([newer, older], NOW)] == [2, 1]


def test_the_others_stand_by_event_the_next_deadline_first_and_last_whoever_waits_longest() -> None:
    seen = [
        game(1, "Cup", since=NOW - 2 * DAY),
        game(2, "League", NOW + 2 * DAY, time="3d/move"),
        game(3, "Cup", since=NOW - 3 * DAY),
        game(4, "League", NOW + DAY, time="3d/move"),
        game(5),
    ]
    overview = draw_up(seen, NOW, events=("League", "Cup"), playing=5)
    found = {section.event: [line.game.number for line in section.lines] for section in overview.sections}
    assert found == {"League": [4, 2], "Cup": [3, 1], "": [5]}
    assert list(found) == ["League", "Cup", ""] and overview.needs == ()


def test_what_is_late_can_be_had_alone() -> None:
    overview = draw_up(list(MATTERS.values()), NOW, late=True, left_out=3)
    assert {line.matters[0].code for line in overview.needs} == LATE
    assert (overview.sections, overview.left_out) == ((), 0)


GAMES = st.lists(
    st.tuples(
        st.sampled_from(sorted(MATTERS)),
        st.sampled_from(("", "Cup", "League")),
        st.integers(0, 90),
        st.booleans(),
    ),
    max_size=12,
).map(
    lambda drawn: [
        GameSeen(number, event, 1, MATTERS[code].seats, **_facts(MATTERS[code]))
        if needs
        else game(number, event, since=NOW - days * timedelta(hours=7))
        for number, (code, event, days, needs) in enumerate(drawn, 1)
    ]
)


@given(GAMES, st.randoms(use_true_random=False))
def test_every_game_stands_in_it_once_in_an_order_that_is_its_own(games: list[GameSeen], random: Any) -> None:
    overview = draw_up(games, NOW, events=("League",), playing=len(games))
    numbers = [line.game.number for line in overview.lines]
    assert sorted(numbers) == [each.number for each in games]
    assert all(line.matters for line in overview.needs)
    assert not any(line.matters for section in overview.sections for line in section.lines)
    shuffled = random.sample(games, len(games))
    again = draw_up(shuffled, NOW, events=("League",), playing=len(games))
    assert again.needs == overview.needs
    assert {each.event: each.lines for each in again.sections} == {
        each.event: each.lines for each in overview.sections
    }


def test_nobody_is_late_while_the_game_is_stopped_or_paused() -> None:
    """What the officer is told first is that no time runs; he is not asked to give any."""
    for lapse_told in (False, True):
        side = SeatSeen(WHITE, "Anna", due=True, left=timedelta(0), deadline=NOW - DAY)
        up = (Happened(NOW - DAY, WHITE),) if lapse_told else ()
        late = GameSeen(1, "", 1, (side, SeatSeen(YELLOW)), time="3d/move", time_up=up, since=NOW - 9 * DAY)
        assert [each.code for each in matters_of(late, NOW)] == ["time-up" if lapse_told else "late"]
        stopped = replace(late, frozen=Happened(NOW - DAY, said="Something is looked into."))
        assert [each.code for each in matters_of(stopped, NOW)] == ["frozen"]
        paused = replace(late, seats=(replace(side, rests="pause"), SeatSeen(YELLOW)))
        assert matters_of(paused, NOW) == ()
        away = replace(late, seats=(replace(side, rests="day off"), SeatSeen(YELLOW)))
        assert matters_of(away, NOW) != ()
