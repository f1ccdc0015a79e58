"""Time controls are read, written, put into words, and refused where nobody could play by them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.common.durations import DAY, HOUR, MINUTE
from referee.common.faults import Fault
from referee.common.i18n import translate
from referee.games.clocks.controls import (
    LAPSES,
    UNTIMED,
    Control,
    Fischer,
    Period,
    PerMove,
    Total,
    lapse_phrase,
    read_control,
    read_lapse,
    write_control,
)
from referee.games.clocks.durations import duration_phrase, read_duration, write_duration


def days(number: float) -> timedelta:
    return number * DAY


@pytest.mark.parametrize(
    ("text", "control", "words"),
    [
        ("none", UNTIMED, "no deadline"),
        ("3d/move", PerMove(days(3)), "3 days a move"),
        ("1d12h/move", PerMove(days(1.5)), "1 day and 12 hours a move"),
        ("1h/move", PerMove(HOUR), "1 hour a move"),
        ("40d/10", Period(days(40), 10), "40 days for every 10 moves; what is left is carried over"),
        ("3d/1", Period(days(3), 1), "3 days for every move; what is left is carried over"),
        ("20d+2d", Fischer(days(20), days(2)), "20 days at the start, and 2 days more after each move"),
        (
            "20d+1d12h,max30d",
            Fischer(days(20), days(1.5), days(30)),
            "20 days at the start, and 1 day and 12 hours more after each move, up to 30 days",
        ),
        ("60d", Total(days(60)), "60 days for the whole game"),
        ("7d", Total(days(7)), "7 days for the whole game"),
        ("1000d/move", PerMove(days(1000)), "1000 days a move"),
    ],
)
def test_a_control_is_read_written_and_said(text: str, control: Control, words: str) -> None:
    """TM-2.1 to TM-2.6."""
    assert read_control(text) == control
    assert write_control(control) == text
    assert str(control.phrase()) == words


@pytest.mark.parametrize(
    ("near", "text"),
    [
        (" NONE ", "none"),
        ("3D/MOVE", "3d/move"),
        ("3days/move", "3d/move"),
        ("3jours/coup", "3d/move"),
        ("3j/coup", "3d/move"),
        ("3d/turn", "3d/move"),
        ("3d/1move", "3d/move"),
        ("72h/move", "3d/move"),
        ("36h/m", "1d12h/move"),
        ("40d/10moves", "40d/10"),
        ("20d+2d/move", "20d+2d"),
        ("20d+48h;max=30d", "20d+2d,max30d"),
        ("20dmax", None),
        ("60days", "60d"),
        ("1440h", "60d"),
    ],
)
def test_a_control_may_be_spelt_in_other_ways(near: str, text: str | None) -> None:
    """TM-2.6."""
    found = read_control(near)
    if text is None:
        assert isinstance(found, Fault)
    else:
        assert not isinstance(found, Fault)
        assert write_control(found) == text


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("3/move", "3d/move"),
        ("3-per-move", "3d/move"),
        ("3d-per-move", "3d/move"),
        ("40/10", "40d/10"),
        ("20+2", "20d+2d"),
        ("20d+2,max30", "20d+2d,max30d"),
        ("60", "60d"),
        ("off", "none"),
        ("unlimited", "none"),
        ("5000/move", ""),
        ("3", ""),
        ("soon", ""),
        ("", ""),
        ("3d/", ""),
        ("-3d/move", ""),
        ("3.5d/move", ""),
        ("3d/move,max5d", "3d/move"),
        ("20d+2d max30d", "20d+2d,max30d"),
        ("20d + 2", "20d+2d"),
        ("3 days per move", "3d/move"),
        ("2h1d/move", ""),
        ("9999999d/move", ""),
        ("٣d/move", ""),
        ("9" * 5000, ""),
    ],
)
def test_what_is_no_control_is_returned_with_what_was_perhaps_meant(said: str, meant: str) -> None:
    """TM-2.6: a number without a unit is not guessed at."""
    found = read_control(said)
    assert isinstance(found, Fault)
    assert (found.grade, found.rule, found.excerpt) == ("unreadable", "TM-2.6", f"time={said}")
    assert found.suggestion == (f"time={meant}" if meant else "")
    assert found.reason().startswith(f"there is no time control {said};")


@pytest.mark.parametrize(
    ("said", "reason", "meant"),
    [
        ("0h/move", "a move has at least an hour", ""),
        ("0d/move", "a move has at least an hour", ""),
        ("9h/10", "a move has at least an hour", ""),
        ("20d+0h", "a move has at least an hour", ""),
        ("0d", "a move has at least an hour", ""),
        ("1001d/move", "nobody has more than 1000 days at once", ""),
        ("1000d1h/move", "nobody has more than 1000 days at once", ""),
        ("1001d/10", "nobody has more than 1000 days at once", ""),
        ("1001d", "nobody has more than 1000 days at once", ""),
        ("20d+2d,max1001d", "nobody has more than 1000 days at once", ""),
        ("40d/0", "time can be given for 1 to 500 moves at once", ""),
        ("40d/501", "time can be given for 1 to 500 moves at once", ""),
        (
            "20d+2d,max19d",
            "the cap is less than what is given; after max stands the larger of the two, or more",
            "20d+2d,max20d",
        ),
        ("3d", "this would be for the whole game, and that is at least 7 days", "3d/move"),
        ("6d23h", "this would be for the whole game, and that is at least 7 days", "6d23h/move"),
    ],
)
def test_what_nobody_could_play_by_is_refused(said: str, reason: str, meant: str) -> None:
    """TM-2.7."""
    found = read_control(said)
    assert isinstance(found, Fault)
    assert (found.reason(), found.rule, found.grade) == (reason, "TM-2.7", "not-allowed")
    assert found.suggestion == (f"time={meant}" if meant else "")


@pytest.mark.parametrize("said", ["10h/10", "500h/500", "1h+1h", "20d+2d,max20d", "1000d/500", "7d"])
def test_the_bounds_themselves_can_be_played(said: str) -> None:
    """TM-2.7."""
    assert not isinstance(read_control(said), Fault)


TIMES = st.integers(1, 24000).map(lambda hours: hours * HOUR)
CONTROLS = st.one_of(
    st.just(UNTIMED),
    st.builds(PerMove, TIMES),
    st.builds(Period, TIMES, st.integers(1, 500)),
    st.builds(Fischer, TIMES, TIMES, st.none() | TIMES),
    st.builds(Total, TIMES),
)


@settings(max_examples=30)
@given(CONTROLS)
def test_a_control_written_and_read_is_the_same_or_was_absurd(control: Control) -> None:
    found = read_control(write_control(control))
    if isinstance(found, Fault):
        assert found.rule == "TM-2.7"
    else:
        assert found == control


@settings(max_examples=30)
@given(st.text(max_size=20) | st.text("0123456789dhmax+/,;:= jmove", max_size=16))
def test_any_text_is_a_control_or_a_fault_whose_suggestion_can_be_read(text: str) -> None:
    found = read_control(text)
    if isinstance(found, Fault):
        assert found.sentence()
        if found.suggestion:
            meant = read_control(found.suggestion.removeprefix("time="))
            assert not isinstance(meant, Fault)
    else:
        assert read_control(write_control(found)) == found


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("hard", None),
        (" Soft ", None),
        ("strict", "hard"),
        ("claim", "soft"),
        ("harsh", "hard"),
        ("sof", "soft"),
        ("x", ""),
    ],
)
def test_what_happens_when_the_time_is_up_is_read(said: str, meant: str | None) -> None:
    """TM-5.2, TM-5.3."""
    found = read_lapse(said)
    if meant is None:
        assert found == said.strip().lower()
    else:
        assert isinstance(found, Fault)
        assert found.suggestion == (f"lapse={meant}" if meant else "")
        assert found.reason().endswith(f", not {said}")


def test_each_lapse_has_its_sentence() -> None:
    assert len({str(lapse_phrase(lapse)) for lapse in LAPSES}) == 2


@settings(max_examples=30)
@given(st.integers(0, 30000))
def test_a_duration_written_and_read_is_the_same(hours: int) -> None:
    assert read_duration(write_duration(hours * HOUR)) == hours * HOUR


@pytest.mark.parametrize("time", [MINUTE, -HOUR, HOUR + MINUTE])
def test_only_whole_hours_are_written_as_a_word(time: timedelta) -> None:
    with pytest.raises(ValueError, match="hours"):
        write_duration(time)


@pytest.mark.parametrize(
    ("time", "words"),
    [
        (days(0), "no time"),
        (-HOUR, "no time"),
        (MINUTE / 2, "less than a minute"),
        (MINUTE, "1 minute"),
        (2 * MINUTE + MINUTE / 2, "2 minutes"),
        (HOUR, "1 hour"),
        (HOUR - MINUTE / 60, "59 minutes"),
        (5 * HOUR + 20 * MINUTE, "5 hours and 20 minutes"),
        (DAY - MINUTE, "23 hours and 59 minutes"),
        (DAY, "1 day"),
        (DAY + 59 * MINUTE, "1 day"),
        (DAY + HOUR, "1 day and 1 hour"),
        (12 * DAY + 23 * HOUR + 59 * MINUTE, "12 days and 23 hours"),
    ],
)
def test_a_duration_is_said_and_never_as_more_than_it_is(time: timedelta, words: str) -> None:
    """TM-9.1."""
    assert str(duration_phrase(time)) == words


def test_a_control_is_said_in_the_readers_language_part_by_part() -> None:
    """Each part goes through the catalogue by itself: here, one that marks what it was asked for."""
    said = (
        PerMove(days(1.5))
        .phrase()
        .write(
            lambda sentence: (
                sentence.upper()
                .replace("{TIME}", "{time}")
                .replace("{NUMBER}", "{number}")
                .replace("{FIRST}", "{first}")
                .replace("{LAST}", "{last}")
            )
        )
    )
    assert said == "1 DAY AND 12 HOURS A MOVE"
    assert PerMove(days(3)).phrase().write(translate("en")) == "3 days a move"
