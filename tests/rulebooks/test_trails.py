"""A record in which turns are taken back again and again costs as much as it is long, and no more."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rulebooks.branches import Course, Return, Trail, taken_back
from referee.rulebooks.catalogue import RULEBOOKS
from referee.rulebooks.rulebook import Happening, Seat

BOTH = (Seat("white"), Seat("yellow"))
RULES = {rulebook.name: rulebook for rulebook in RULEBOOKS}


def _fold(state: int | None, happening: Happening) -> int:
    return (state or 0) + 1


COUNTED: Course[int] = Course(_fold, lambda state, seat, turn: state == turn, frozenset())


def _slowly(heard: Sequence[Happening]) -> tuple[list[int], list[int]]:
    """Return what stands, and the states, by looking at all that was heard anew for each return."""
    places: list[int] = []
    states: list[int] = []
    for place, happening in enumerate(heard):
        if happening.code == "taken-back":
            places = places[: happening.facts["turn"]]
        else:
            places.append(place)
        states.append(len(places))
    return places, states


@given(st.lists(st.integers(0, 6), max_size=40))
def test_a_trail_is_what_adding_up_from_the_beginning_gives(moves: list[int]) -> None:
    """0: a turn more; else a return to that turn, if it has come (CF-8.6)."""
    heard = [Happening("begun", frozenset(BOTH), {})]
    trail = Trail(COUNTED)
    for move in moves:
        standing = len(_slowly(heard)[0])
        if move == 0:
            heard.append(Happening("turn", frozenset(BOTH), {}))
        elif move <= standing:
            heard.append(taken_back(Return(move, BOTH[0], "misread"), BOTH))
        assert trail.follow(heard) == _slowly(heard)[1][-1]
        assert (trail.places, trail.states) == _slowly(heard)
    assert COUNTED.along(heard) == _slowly(heard)


def test_a_turn_that_had_not_come_is_not_taken_back() -> None:
    trail = Trail(COUNTED)
    trail.follow([Happening("begun", frozenset(BOTH), {})])
    with pytest.raises(ValueError, match="no turn 2 of white"):
        trail.add(taken_back(Return(2, BOTH[0], "misread"), BOTH))


# Records


CARDS = "Scenario = cc-skirmish\nEdition = fr\n\n0. Red PASS\n0. Blue PASS\n- Red is first: by lot\n"
CONFUSION = """\
White  = A1 C2 E12 H7 K11 L10 N4 O8 P5 S9 T6 V3
Yellow = A12 C9 E2 H6 K8 L10 N3 O7 P4 S5 T11 V1
First  = White
    Yellow          White
1.  -               E-SW3
2.  E-N1            A-S3
"""
REPEATED = {
    "cards": (CARDS, "1. Red - nothing\n", "taken back to 1 Red: misread\n"),
    "confusion": (CONFUSION, "3.  P-N1            E-SE3\n", "taken back to 3 Yellow: misread\n"),
}


def _calls(work: Callable[[], object]) -> int:
    """Return how many functions are called by some work."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.telling(rules=["confusion"])
@pytest.mark.parametrize("rules", REPEATED)
def test_each_return_in_a_record_costs_as_much_as_the_one_before(rules: str) -> None:
    """However many there are (CF-8.6, E6)."""
    head, row, back = REPEATED[rules]

    def replayed(count: int) -> int:
        text = f"{head}{f'{row}{back}' * count}{row}"
        found = RULES[rules].records.replay(text)
        assert found.errors == () and len(found.branches) == count
        return _calls(lambda: RULES[rules].records.replay(text))

    few, some, many = map(replayed, (10, 40, 100))
    assert (many - some) / 60 < 1.1 * (some - few) / 30
