"""Evidence: what is kept with a case, and what of it a player sees."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import UTC, timedelta
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from referee.games.events import Claimed, read_event, write_event
from referee.games.evidence import CameIn, ClockRead, Evidence, WentOut
from referee.rulebooks.rulebook import Seat

WHITE, YELLOW = Seat("white"), Seat("yellow")
SEATS = st.sampled_from([WHITE, YELLOW])
NUMBERS = st.integers(1, 999)
INSTANTS = st.datetimes(timezones=st.just(UTC))
TIMES = st.integers(0, 10**7).map(lambda seconds: timedelta(seconds=seconds))


T = TypeVar("T")


def several(each: st.SearchStrategy[T]) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(each, max_size=3).map(tuple)


EVIDENCE = st.builds(
    Evidence,
    at=INSTANTS,
    status=st.sampled_from(["playing", "ended"]),
    turn=NUMBERS,
    to_move=several(SEATS),
    receipt=st.sampled_from(["", "a" * 64]),
    came_in=several(st.builds(CameIn, SEATS, NUMBERS, INSTANTS, INSTANTS, st.booleans())),
    went_out=several(st.builds(WentOut, SEATS, NUMBERS, INSTANTS, st.none() | INSTANTS)),
    clocks=several(st.builds(ClockRead, SEATS, st.none() | TIMES, TIMES, st.none() | INSTANTS)),
    still=several(st.sampled_from(["consent", "umpire"])),
    frozen=st.booleans(),
    unreachable=several(SEATS),
)


@given(EVIDENCE)
def test_evidence_is_kept_as_plain_data_and_read_back_as_it_was(evidence: Evidence) -> None:
    kind, facts = write_event(Claimed(WHITE, 1, evidence=evidence.plain()))
    event = read_event(kind, json.loads(json.dumps(facts)))
    assert isinstance(event, Claimed)
    assert Evidence.read(event.evidence) == evidence


def test_a_case_of_an_earlier_release_has_none() -> None:
    assert Evidence.read({}) is None


@given(EVIDENCE, SEATS)
def test_a_player_sees_his_own_letters_and_what_is_public(evidence: Evidence, seat: Seat) -> None:
    seen = evidence.seen_by(seat)
    assert {each.seat for each in seen.came_in} | {each.seat for each in seen.went_out} <= {seat}
    assert [replace(each, number=0) for each in evidence.came_in if each.seat == seat] == list(seen.came_in)
    assert [each for each in evidence.went_out if each.seat == seat] == list(seen.went_out)
    for each in seen.clocks:
        assert each.seat == seat or (each.seat in evidence.to_move and each.used is None)
    public = ("at", "status", "turn", "to_move", "receipt", "still", "frozen", "unreachable")
    assert {key: asdict(seen)[key] for key in public} == {key: asdict(evidence)[key] for key in public}


@given(EVIDENCE)
def test_an_umpire_sees_all_of_it(evidence: Evidence) -> None:
    assert evidence.seen_by(None) == evidence
