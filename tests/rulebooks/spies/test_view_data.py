"""The same view for programs: what is public, what a seat alone is shown, and what the umpire sees."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.rulebook import OBSERVER, Result, Seat, heard_by_all
from referee.rulebooks.spies.adjudicate import conclude
from referee.rulebooks.spies.edition import RED, SEATS, Variants
from referee.rulebooks.spies.fold import fold_view
from referee.rulebooks.spies.happenings import CONFIDED
from referee.rulebooks.spies.view import truth_data, view_data
from tests.rulebooks.spies.games import game_by, variants
from tests.rulebooks.spies.tables import ALL_TOKENS, IDENTITY, folded, opened, play, say, view_after

NOTHING_CONFIDED: dict[str, Any] = {
    "instruction": "agent ask",
    "answer": None,
    "action": None,
    "shown": {},
    "placed": None,
}


def test_a_turn_that_waits_is_told_to_both_and_moves_nothing_yet() -> None:
    begun = opened(Variants(tokens=ALL_TOKENS))
    happenings = begun + play(folded(begun), "#A; C-N1")[1]
    for seat in SEATS:
        data = view_data(view_after(happenings, seat))
        assert data["sealed"] == {"turn": 1, "seat": "red", "action": "#A", "tries": ["C-N1"]}
        assert data["attempts"] == []
        assert data["to_move"] == "white"
        assert data["removed"] == {"white": [], "red": ["A"]}
        assert data["actions"] == [{"turn": 1, "seat": "red", "action": "#A"}]
        assert {"seat": "red", "letter": "C", "square": [4, 2], "promoted": False, "holds_z": False} in data[
            "board"
        ]


def test_tokens_left_variants_and_unmasked_agents_are_public() -> None:
    played = Variants(tokens={RED: frozenset(("move", "swap"))}, late_contact=True)
    begun = opened(played)
    happenings = begun + play(folded(begun), "A<>C; E-N1", "#xX; A-S1")[1]
    data = view_data(view_after(happenings, WHITE))
    assert data["tokens"] == {"white": [], "red": ["move"]}
    assert data["unmasked"] == {"white": None, "red": "X"}
    assert data["removed"] == {"white": [], "red": ["X"]}
    assert data["variants"] == {
        "code_of_honour": False,
        "small_world": False,
        "late_contact": True,
        "variable_setup": False,
        "comrade": False,
    }


def test_what_a_seat_has_confided_is_in_its_own_data_alone() -> None:
    begun = opened(Variants(tokens=ALL_TOKENS))
    where, heard = play(folded(begun), "X-N1")
    where, more = say(where, "allow", "agent as 4", "?H")
    happenings = [*begun, *heard, *more]
    own = view_data(view_after(happenings, WHITE))["confided"]
    assert own == {
        "instruction": "agent as 4",
        "answer": "allow",
        "action": "?H",
        "shown": {"H": IDENTITY["H"]},
        "placed": None,
    }
    assert view_data(view_after(happenings, RED))["confided"] == NOTHING_CONFIDED
    truth = truth_data(where)
    assert truth["confided"] == {"white": own, "red": NOTHING_CONFIDED}
    assert truth["types"] == {"white": IDENTITY, "red": IDENTITY}


def test_while_sides_are_set_up_it_is_nobodys_turn() -> None:
    begun = opened(Variants(variable_setup=True))
    squares = "A3-2 C4-2 E5-2 H7-2 K8-2 L9-2 N3-1 O4-1 P5-1 S7-1 T8-1 V9-1 X1-1"
    happenings = begun + say(folded(begun), f"setup {squares}", seat=WHITE)[1]
    white, red = (view_data(view_after(happenings, seat)) for seat in (WHITE, RED))
    assert (white["set_up"], white["to_move"], white["board"]) == (False, None, [])
    assert white["confided"]["placed"]["X"] == [11, 11]
    assert red["confided"] == NOTHING_CONFIDED


def test_own_types_are_shown_at_the_end_and_the_double_agents_is_the_number_behind_the_last() -> None:
    happenings = opened(Variants())
    before = view_data(view_after(happenings, RED))
    assert (before["own_types"], before["opponent_types"]["X"]) == (None, 13)
    happenings += conclude(folded(happenings), Result(RED, "by resignation"))
    after = view_data(view_after(happenings, RED))
    assert after["own_types"] == IDENTITY
    assert (after["status"], after["result"]) == ("over", {"winner": "red", "how": "by resignation"})


def test_sheets_are_there_where_they_are_played_with() -> None:
    data = view_data(view_after(opened(Variants()), RED))
    assert data["mine"]["A"] == data["theirs"]["X"] == list(range(1, 14))
    assert data["assignments"]["mine"] == data["shares"]["mine"]["A"]["13"] * 13
    without = view_data(view_after(opened(Variants(), options={"sheets": "off"}), RED))
    assert "mine" not in without
    assert "assignments" not in without


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), variants=variants())
def test_data_is_plain_and_says_nothing_of_what_was_not_heard(seed: int, variants: Variants) -> None:
    happenings = game_by(Random(seed), variants, 8)
    truth = truth_data(folded(happenings))
    assert json.loads(json.dumps(truth)) == truth
    for seat in SEATS:
        data = view_data(view_after(happenings, seat))
        assert json.loads(json.dumps(data)) == data
        other: Seat = next(each for each in SEATS if each != seat)
        hidden = [each for each in happenings if each.code in CONFIDED and other in each.heard_by]
        assert data == view_data(view_after([each for each in happenings if each not in hidden], seat))
    heard = heard_by_all(happenings, SEATS)
    watched = view_data(fold_view(heard, OBSERVER))
    assert json.loads(json.dumps(watched)) == watched
    assert not {"confided", "mine", "opponent_types"} & set(watched)
