"""What happened is kept as plain data, and read back as it was."""

from __future__ import annotations

import json
from datetime import UTC
from typing import cast, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.errors import GameUnreadable
from referee.games.events import (
    Appealed,
    CheckedIn,
    ClaimAnswered,
    Claimed,
    ClockStarted,
    Confided,
    Countered,
    Declined,
    Ended,
    EndOffered,
    Event,
    Frozen,
    Muted,
    Noted,
    OfferWithdrawn,
    Opened,
    Paused,
    PauseOffered,
    PauseWithdrawn,
    PlanDropped,
    Planned,
    Pressed,
    Proposed,
    Reachable,
    Replaced,
    ResignationAsked,
    ResignationDropped,
    Resumed,
    Ruled,
    SealOpened,
    Stated,
    TakenBack,
    Thawed,
    TimeAdded,
    TimeUp,
    Unmuted,
    Unreachable,
    Unwatched,
    Watched,
    Withdrawn,
    read_event,
    write_event,
)
from referee.games.game import Game, changes_by, fold_game
from referee.rulebooks.catalogue import find_rulebook
from referee.rulebooks.rulebook import Happening, Result, Seat

SEATS = st.sampled_from([Seat("white"), Seat("yellow")])
PLAYERS = st.integers(1, 2**31)
WORDS = st.text(max_size=30)
OPTIONS = st.dictionaries(WORDS, WORDS, max_size=3)
FACTS = st.dictionaries(WORDS, st.one_of(st.none(), st.booleans(), st.integers(), WORDS), max_size=4)
HAPPENINGS = st.lists(st.builds(Happening, WORDS, st.frozensets(SEATS), FACTS, WORDS), max_size=3).map(tuple)
RESULTS = st.builds(Result, st.one_of(st.none(), SEATS), WORDS)

INSTANTS = st.datetimes(timezones=st.just(UTC))
DATES = st.one_of(st.none(), INSTANTS)
OFFICERS = st.one_of(st.none(), PLAYERS)

EVENTS: dict[type, st.SearchStrategy[Event]] = {
    Proposed: st.builds(
        Proposed,
        by=PLAYERS,
        to=st.one_of(st.none(), PLAYERS),
        rules=WORDS,
        options=OPTIONS,
        colour=st.one_of(st.none(), SEATS),
        rematch_of=st.one_of(st.none(), PLAYERS),
    ),
    Countered: st.builds(Countered, by=PLAYERS, options=OPTIONS, colour=st.one_of(st.none(), SEATS)),
    ClockStarted: st.builds(ClockStarted, seat=SEATS, at=INSTANTS),
    PauseOffered: st.builds(PauseOffered, seat=SEATS, at=INSTANTS, until=DATES),
    PauseWithdrawn: st.builds(PauseWithdrawn, seat=SEATS),
    Paused: st.builds(Paused, cause=WORDS, at=INSTANTS, until=DATES, by=OFFICERS, reason=WORDS),
    Resumed: st.builds(Resumed, cause=WORDS, at=INSTANTS, by=OFFICERS, reason=WORDS),
    TimeAdded: st.builds(
        TimeAdded, seat=SEATS, seconds=st.integers(1, 10**6), at=INSTANTS, by=OFFICERS, reason=WORDS
    ),
    Stated: st.builds(Stated, PLAYERS, OFFICERS),
    Replaced: st.builds(Replaced, SEATS, PLAYERS, PLAYERS, WORDS, OFFICERS, DATES),
    TimeUp: st.builds(TimeUp, seat=SEATS, at=INSTANTS),
    Declined: st.builds(Declined, PLAYERS),
    Withdrawn: st.builds(Withdrawn, PLAYERS, WORDS),
    Opened: st.builds(
        Opened,
        rules=WORDS,
        version=WORDS,
        options=OPTIONS,
        seats=st.dictionaries(SEATS, PLAYERS),
        secret=st.binary(min_size=32, max_size=32),
        commitment=WORDS,
        deal_set=st.booleans(),
        happenings=HAPPENINGS,
    ),
    CheckedIn: st.builds(CheckedIn, SEATS),
    Ruled: st.builds(Ruled, SEATS, WORDS, HAPPENINGS, WORDS, DATES, OFFICERS, WORDS, st.booleans()),
    Confided: st.builds(Confided, SEATS, WORDS, HAPPENINGS, st.booleans(), DATES, st.booleans()),
    SealOpened: st.builds(SealOpened, HAPPENINGS, DATES),
    TakenBack: st.builds(TakenBack, PLAYERS, SEATS, WORDS, HAPPENINGS, st.one_of(st.none(), PLAYERS)),
    Planned: st.builds(Planned, SEATS, WORDS),
    PlanDropped: st.builds(PlanDropped, SEATS, WORDS),
    EndOffered: st.builds(EndOffered, SEATS, WORDS, PLAYERS),
    OfferWithdrawn: st.builds(OfferWithdrawn, SEATS, WORDS),
    ResignationAsked: st.builds(ResignationAsked, SEATS),
    ResignationDropped: st.builds(ResignationDropped, SEATS),
    Ended: st.builds(Ended, RESULTS, HAPPENINGS, DATES, OFFICERS),
    Frozen: st.builds(Frozen, WORDS, DATES),
    Thawed: st.builds(Thawed, DATES),
    Unreachable: st.builds(Unreachable, SEATS, DATES),
    Reachable: st.builds(Reachable, SEATS, DATES),
    Pressed: st.builds(Pressed, SEATS, st.sampled_from(["opponent", "all"]), PLAYERS),
    Muted: st.builds(Muted, SEATS),
    Watched: st.builds(Watched, PLAYERS, st.integers(0, 99)),
    Unwatched: st.builds(Unwatched, PLAYERS),
    Unmuted: st.builds(Unmuted, SEATS),
    Noted: st.builds(Noted, SEATS, PLAYERS),
    Claimed: st.builds(Claimed, SEATS, PLAYERS, FACTS, FACTS, OFFICERS, PLAYERS),
    ClaimAnswered: st.builds(
        ClaimAnswered,
        PLAYERS,
        PLAYERS,
        st.sampled_from(["upheld", "rejected", ""]),
        OFFICERS,
        st.booleans(),
    ),
    Appealed: st.builds(Appealed, PLAYERS, PLAYERS),
}


def test_every_kind_of_event_is_tested_here() -> None:
    assert set(EVENTS) == set(get_args(Event))


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_an_event_written_and_read_is_the_same(kind: type) -> None:
    @given(EVENTS[kind])
    def check(event: Event) -> None:
        name, facts = write_event(event)
        assert name == kind.__name__
        assert read_event(name, json.loads(json.dumps(facts))) == event

    check()


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_a_game_knows_what_every_kind_of_event_changes(kind: type) -> None:
    assert changes_by.dispatch(kind) is not changes_by.dispatch(object)


def test_a_game_takes_nothing_else_for_an_event() -> None:
    with pytest.raises(GameUnreadable, match="17"):
        fold_game(
            17, [cast(Event, "Postponed")], find_rulebook, Game(17, find_rulebook("confusion"), "proposed")
        )


def test_an_event_of_another_release_is_not_guessed() -> None:
    with pytest.raises(KeyError):
        read_event("Postponed", {})


def test_an_event_shows_neither_secret_nor_what_was_hidden() -> None:
    """What is printed of an event, in a log or a failing test, holds nothing that a player may not see."""
    hidden = Happening("dealt", frozenset({Seat("white")}), {"types": "A6 C8"})
    opened = Opened("confusion", "1", {}, {}, bytes(range(32)), "c0ffee", False, (hidden,))
    confided = Confided(Seat("white"), "whisper A6", (hidden,))
    for event in (opened, Ruled(Seat("white"), "V-N1", (hidden,)), confided, SealOpened((hidden,)), hidden):
        assert "A6" not in repr(event)
        assert "\\x01" not in repr(event)
