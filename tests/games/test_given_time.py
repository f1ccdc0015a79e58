"""What an umpire has given a seat for its move stays given until that move is made, whatever else he does (TM-1.8,
TM-2.9)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.common.faults import Fault
from referee.games.clock_events import dated
from referee.games.decisions import decide_order
from referee.games.events import ClockStarted, Ruled
from referee.games.game import Game
from referee.games.umpire_actions import Act, AddTime, Correct, Restore, TakeBack, decide_act
from referee.rulebooks.rulebook import OrderLine, Seat
from tests.games.test_umpire_actions import DAY, NOW, opened
from tests.reports.material import WHITE, YELLOW

ALLOWANCE = 7 * DAY
BACK: tuple[Act, ...] = (
    Correct("C-N2"),
    Correct("A-N1"),
    Correct("L-S1", 1, WHITE),
    TakeBack(1),
    TakeBack(2, YELLOW),
    TakeBack(3),
    Restore(),
)


def does(game: Game, act: Act, now: datetime) -> Game:
    """Let an umpire act, where he can; whoever is to move then is asked for it at once."""
    found = decide_act(game, act, "Why not", 9, now)
    if isinstance(found, Fault):
        return game
    for event in found:
        game = game.after(dated(event, now, now))
    return asked(game, now)


def asked(game: Game, now: datetime) -> Game:
    for seat in game.due:
        if game.clocks().since(seat) is None:
            game = game.after(ClockStarted(seat, now))
    return game


def moves(game: Game, order: str, now: datetime) -> Game:
    (seat,) = game.due
    (event,) = decide_order(game, seat, OrderLine(1, order)).events
    assert isinstance(event, Ruled)
    return asked(game.after(dated(event, now, now)), now)


def begun(*orders: str, time: str = "7d/move") -> Game:
    """A game in which these were tried, an hour apart."""
    game, now = asked(opened(time=time, lapse="hard")[1], NOW), NOW
    for order in orders:
        now += timedelta(hours=1)
        game = moves(game, order, now)
    return game


LATER = NOW + DAY


@pytest.mark.parametrize("gifts", [1, 2])
@pytest.mark.parametrize("act", [Correct("C-N2"), Correct("A-N1", 2, YELLOW)], ids=lambda act: act.order)
def test_a_correction_of_the_other_sides_order_takes_nothing_of_what_was_given(act: Act, gifts: int) -> None:
    game = begun("L-S2", "A-N1")
    for _ in range(gifts):
        game = does(game, AddTime(2 * DAY, WHITE), LATER)
    before = game.clocks().deadline(WHITE)
    game = does(game, act, LATER + DAY)
    after = game.clocks().deadline(WHITE)
    assert before is not None and after is not None
    assert after == LATER + DAY + ALLOWANCE + gifts * 2 * DAY > before
    assert [each.seat for each in game.given] == gifts * [WHITE]


def test_what_was_given_goes_to_the_move_and_not_to_the_one_behind_it() -> None:
    game = does(begun("L-S2", "A-N1"), AddTime(2 * DAY, WHITE), LATER)
    game = moves(game, "K-S1", LATER)
    assert game.given == () and game.clocks().account(WHITE).left == ALLOWANCE


def test_an_order_of_his_own_that_is_corrected_uses_up_nothing_for_his_next_one() -> None:
    game = does(begun("L-S2"), AddTime(2 * DAY, WHITE), LATER)
    game = does(game, Correct("L-S1"), LATER)
    assert [each.seat for each in game.given] == [WHITE], "as it is told to whoever comes"
    assert game.clocks().account(WHITE).left == ALLOWANCE + 2 * DAY


# Yellow's clock was started 21 hours before LATER; these corrections cannot be made, so it runs on for 120 hours more.
NOT_CORRECTED = 4 * ((Correct("C-N2"), 30),)


@pytest.mark.slow
@given(
    st.sampled_from(["7d/move", "60d", "40d/10", "20d+2d"]),
    st.lists(
        st.tuples(
            st.sampled_from([*BACK, AddTime(2 * DAY, WHITE), AddTime(DAY, YELLOW), AddTime(DAY)]),
            st.integers(0, 30),
        ),
        max_size=10,
    ),
)
# 21 + 120 + 27 = 168 hours have run, all of the seven days and no more: a day longer.
@example("7d/move", [*NOT_CORRECTED, (AddTime(DAY, YELLOW), 27)])
# 21 + 120 + 28 = 169 hours, and nothing is left: a day from then on, and with the next gift another to what is left.
@example("7d/move", [*NOT_CORRECTED, (AddTime(DAY, YELLOW), 28), (AddTime(DAY), 20)])
# The same, but his move is asked for anew: seven days, and the one that he was given.
@example("7d/move", [*NOT_CORRECTED, (AddTime(DAY, YELLOW), 28), (TakeBack(2, YELLOW), 20)])
@settings(max_examples=60, deadline=None)
def test_no_acts_in_whatever_order_shorten_what_was_given(time: str, acts: Sequence[tuple[Act, int]]) -> None:
    """Whoever is to move has all that he was given, beside what he would have without, or from then on where his time
    was up (TM-2.9), until his clock starts anew (TM-1.8); and what is told as given agrees with his clock."""
    game = plain = begun("L-S2", "A-N1", "K-S1", time=time)
    now = LATER
    given = {WHITE: timedelta(), YELLOW: timedelta()}
    late: set[Seat] = set()
    for act, hours in acts:
        now += timedelta(hours=hours)
        before, game = game, does(game, act, now)
        if isinstance(act, AddTime):
            for seat in map(Seat, game.seats if act.seat is None else (act.seat,)):
                given[seat] += act.time
                deadline = before.clocks().deadline(seat)
                if deadline is not None:
                    assert game.clocks().deadline(seat) == max(deadline, now) + act.time
                    late |= {seat} if deadline < now else set()
        else:
            plain = does(plain, act, now)
            late = late if game is before else set()
        for seat, more in given.items():
            has, had = game.clocks().account(seat).left, plain.clocks().account(seat).left
            assert has is not None and had is not None
            assert seat in late or has >= had + (more if time == "7d/move" else timedelta())
            assert sum(each.seconds for each in game.given if each.seat == seat) == more.total_seconds()
            deadline = game.clocks().deadline(seat)
            if deadline is not None:
                without = plain.clocks().deadline(seat)
                assert without is not None and deadline >= without
