"""What umpires have done in a game, as it is listed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from referee.games.clock_events import BY_UMPIRE
from referee.games.events import (
    CheckedIn,
    Ended,
    Event,
    Frozen,
    Paused,
    Replaced,
    Resumed,
    Ruled,
    TakenBack,
    Thawed,
    TimeAdded,
)
from referee.games.umpire_log import acts_among
from referee.rulebooks.rulebook import Result, Seat

AT = datetime(2026, 11, 28, 12, tzinfo=UTC)
WHITE = Seat("white")


@pytest.mark.parametrize(
    ("event", "what", "by", "reason"),
    [
        (TakenBack(3, WHITE, "misread", (), 7), "taken back to turn 3 of White", 7, "misread"),
        (Ruled(WHITE, "L-S2", (), by=7, reason="by telephone"), "tried for White: L-S2", 7, "by telephone"),
        (Ruled(WHITE, "L-S2", (), by=0), "tried for White: L-S2", None, ""),
        (
            Ruled(WHITE, "L-S2", (), by=7, reason="it was right", again=True),
            "put back: White L-S2",
            7,
            "it was right",
        ),
        (Ruled(WHITE, "L-S2", (), by=0, again=True), "put back: White L-S2", None, ""),
        (Paused(BY_UMPIRE, AT, None, 7, "a strike"), "clocks stopped", 7, "a strike"),
        (Resumed(BY_UMPIRE, AT, 7, "it is over"), "clocks go on", 7, "it is over"),
        (TimeAdded(WHITE, 3 * 86400, AT, None, "a strike"), "given to White: 3 days", None, "a strike"),
        (Replaced(WHITE, 3, 1, "ill", 7), "another player for White", 7, "ill"),
        (Frozen("being checked"), "frozen", None, "being checked"),
        (Thawed(), "thawed", None, ""),
        (Ended(Result(WHITE, "adjudicated: no letter"), (), by=7), "ended by a ruling", 7, "no letter"),
    ],
)
def test_an_act_is_listed_with_its_date_who_and_why(
    event: Event, what: str, by: int | None, reason: str
) -> None:
    (done,) = acts_among([(AT, CheckedIn(WHITE)), (AT + timedelta(hours=1), event)])
    assert (done.at, done.what, done.by, done.reason) == (AT + timedelta(hours=1), what, by, reason)


@pytest.mark.parametrize(
    "event",
    [
        CheckedIn(WHITE),
        Ruled(WHITE, "L-S2", ()),
        Paused("consent", AT),
        Resumed("consent", AT),
        Ended(Result(WHITE, "resignation"), ()),
    ],
)
def test_what_players_do_is_no_act(event: Event) -> None:
    assert not list(acts_among([(AT, event)]))
